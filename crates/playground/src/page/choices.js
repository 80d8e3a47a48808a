// What a command's option offers to choose from.

import { avatar } from "./avatar.js";
import { roleDot } from "./mention_list.js";
import {
  channelsWithGuild,
  displayName,
  findChannel,
  guildHere,
  mentionableUsers,
  rolesHere,
  world,
} from "./world.js";

/** Types of options (Discord, "Application Command Option Type"). */
export const KIND = {
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
  ATTACHMENT: 11,
};

/**
 * Where an option's choices come from: `{ strict, find(text) }` with choices `{ label, value, lead?, detail? }`,
 * or nothing for free text. `strict` means that nothing else can be the answer.
 */
export function choiceSource(option, tools) {
  const strict = (all) => ({ strict: true, find: (text) => containing(all(), text) });
  if (option.choices?.length > 0)
    return strict(() => option.choices.map(({ name, value }) => ({ label: name, value })));
  switch (option.type) {
    case KIND.BOOLEAN:
      return strict(() => [
        { label: "True", value: true },
        { label: "False", value: false },
      ]);
    case KIND.USER:
      return strict(userChoices);
    case KIND.ROLE:
      return strict(roleChoices);
    case KIND.MENTIONABLE:
      return strict(() => [...userChoices(), ...roleChoices()]);
    case KIND.CHANNEL:
      return strict(channelChoices);
    default:
      return option.autocomplete && { strict: false, find: (text) => asked(option, text, tools) };
  }
}

async function asked(option, text, tools) {
  return (await tools.autocomplete(option, text)).map(({ name, value }) => ({ label: name, value }));
}

function containing(all, text) {
  const wanted = text.trim().toLowerCase().replace(/^@/, "");
  const begins = (choice) => choice.label.toLowerCase().replace(/^@/, "").startsWith(wanted);
  return all
    .filter((choice) => choice.label.toLowerCase().includes(wanted))
    .sort((a, b) => Number(begins(b)) - Number(begins(a)));
}

export const userChoices = () =>
  mentionableUsers().map((user) => ({
    label: displayName(user),
    detail: user.bot ? "The bot" : null,
    lead: avatar(user, "small"),
    value: user.id,
  }));

/** Every role, `@everyone` last: a setting may mean it. */
export function roleChoices() {
  const guild = guildHere();
  const everyone = guild?.roles?.filter((role) => role.id === guild.id) ?? [];
  return [...rolesHere(), ...everyone].map((role) => ({
    label: role.name.startsWith("@") ? role.name : `@${role.name}`,
    lead: roleDot(role),
    value: role.id,
  }));
}

export function channelChoices() {
  const guild = findChannel(world.channelId)?.guild;
  return [...channelsWithGuild()]
    .filter((place) => place.guild === guild)
    .map(({ channel, parent }) => ({
      label: parent ? `${parent.name} › ${channel.name}` : `#${channel.name}`,
      value: channel.id,
    }));
}
