// Names typed with an @ and the marks Discord stores for them: people and roles.

import { displayName, mayHere, mentionableUsers, PERMISSION, rolesHere } from "./world.js";

/** The part of a mention before the cursor: `{ start, query }`, or `null`. */
export function mentionAt(text, cursor) {
  const match = /(?:^|[\s(,;])@([^\s@]{0,32}(?: [^\s@]{1,32})?)$/u.exec(text.slice(0, cursor));
  return match && { start: cursor - match[1].length - 1, query: match[1].toLowerCase() };
}

/**
 * Everybody and every role that can be named here: `{ name, names, mark, user?, role? }`. In a message only
 * roles that may be pinged; in an option, where a name is an answer and no ping, all (`everyRole`).
 */
function nameable(everyRole) {
  const people = mentionableUsers().map((user) => ({
    name: displayName(user),
    names: [...new Set([displayName(user), user.username])],
    mark: `<@${user.id}>`,
    user,
  }));
  const open = (role) => everyRole || role.mentionable || mayHere(PERMISSION.mentionEveryone);
  const roles = rolesHere()
    .filter(open)
    .map((role) => ({ name: role.name, names: [role.name], mark: `<@&${role.id}>`, role }));
  return [...people, ...roles];
}

/** People and roles whose name begins with, or contains, what was typed; roles last. */
export function findMentions(query, { everyRole = false } = {}) {
  const begins = (entry) => entry.names.some((name) => name.toLowerCase().startsWith(query));
  return nameable(everyRole)
    .filter((entry) => entry.names.some((name) => name.toLowerCase().includes(query)))
    .sort((a, b) => Number(begins(b)) - Number(begins(a)));
}

/** Turns every `@Name` of a person or role into its mark; the longest name wins. */
export function withMentionMarks(text, { everyRole = false } = {}) {
  const names = nameable(everyRole)
    .flatMap(({ names, mark }) => names.map((name) => ({ name, mark })))
    .sort((a, b) => b.name.length - a.name.length);
  const lower = text.toLowerCase();
  let out = "";
  let at = 0;
  while (at < text.length) {
    const before = text[at - 1];
    const named =
      text[at] === "@" &&
      (!before || !/[\p{L}\p{N}<]/u.test(before)) &&
      names.find(
        ({ name }) =>
          lower.startsWith(name.toLowerCase(), at + 1) &&
          !/[\p{L}\p{N}_]/u.test(text[at + 1 + name.length] ?? " "),
      );
    if (named) {
      out += named.mark;
      at += 1 + named.name.length;
    } else {
      out += text[at];
      at += 1;
    }
  }
  return out;
}
