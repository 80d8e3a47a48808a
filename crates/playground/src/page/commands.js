// The bot's commands as the picker sees them: every subcommand is an entry of its own.

import { guildHere, mayHere, PERMISSION, world } from "./world.js";

export const CHAT_INPUT = 1;
const MESSAGE_COMMAND = 3;
const SUBCOMMAND = 1;
const SUBCOMMAND_GROUP = 2;

/** Whether the member may use the command where they are; others are not even offered, as in Discord. */
function usable(command) {
  const guild = guildHere();
  if (guild && (!guild.bot_present || (command.guild_id && command.guild_id !== guild.id))) return false;
  const needed = command.default_member_permissions;
  if (needed === null || needed === undefined) return true;
  // None at all means: only administrators.
  return mayHere(BigInt(needed) || PERMISSION.administrator);
}

/** All entries: `{ key, name, description, command, path, options }`. */
export function commandEntries() {
  return world.commands
    .filter((command) => (command.type ?? CHAT_INPUT) === CHAT_INPUT && usable(command))
    .flatMap((command) => leaves(command, command, []));
}

function leaves(command, node, path) {
  const deeper = (node.options ?? []).filter(
    (option) => option.type === SUBCOMMAND || option.type === SUBCOMMAND_GROUP,
  );
  if (deeper.length > 0) return deeper.flatMap((option) => leaves(command, option, [...path, option]));
  const name = [command.name, ...path.map((part) => part.name)].join(" ");
  return [
    {
      key: `${command.id} ${name}`,
      name,
      description: node.description,
      command,
      path,
      options: node.options ?? [],
    },
  ];
}

/** Entries for what was typed after the slash, best first: name begins, word begins, contains. */
export function findCommands(query) {
  const wanted = query.trim().toLowerCase();
  const rank = (entry) => {
    if (entry.name.startsWith(wanted)) return 0;
    if (entry.name.split(/[ -]/).some((word) => word.startsWith(wanted))) return 1;
    if (entry.name.includes(wanted)) return 2;
    return entry.description?.toLowerCase().includes(wanted) ? 3 : 4;
  };
  return commandEntries()
    .map((entry) => ({ entry, rank: rank(entry) }))
    .filter(({ rank }) => rank < 4)
    .sort((a, b) => a.rank - b.rank || a.entry.name.localeCompare(b.entry.name))
    .map(({ entry }) => entry)
    .reduce(together, []);
}

/** Puts a subcommand behind the ones of the same command that rank before it. */
function together(sorted, entry) {
  const last = sorted.findLastIndex((other) => other.command === entry.command);
  if (last === -1) sorted.push(entry);
  else sorted.splice(last + 1, 0, entry);
  return sorted;
}

/** Commands for a message's context menu. */
export const messageCommands = () =>
  world.commands.filter((command) => command.type === MESSAGE_COMMAND && usable(command));

/** The entry whose whole name was typed and ended with a space, with what follows; else `null`. */
export function typedCommand(text) {
  const entry = commandEntries().find(({ name }) => text.toLowerCase().startsWith(`/${name} `));
  return entry ? { entry, rest: text.slice(entry.name.length + 2).trim() } : null;
}

/** Wraps option values in their subcommands, as interactions carry them. */
export function nestedOptions(entry, values) {
  return entry.path.reduceRight(
    (inner, part) => [{ name: part.name, type: part.type, options: inner }],
    values,
  );
}
