// What the page knows. Screens read `world` and subscribe to topics; only `session.js` and the
// live events change it.

export const world = {
  me: null,
  bot: null,
  botOnline: true,
  connected: true,
  members: [],
  guilds: [],
  commands: [],
  channelId: null,
  starter: null,
  messages: [],
  hasOlder: false,
  /** Channel id -> { first: message id, count, mentions }. */
  unread: new Map(),
  /** "channel user" -> time in milliseconds after which the person counts as silent. */
  typing: new Map(),
  /** Where the line "New" stands in the open channel. */
  newFrom: null,
};

const listeners = new Map();
const due = new Set();

/** Calls `listener` after changes of a topic: directory, messages, status or typing. */
export function on(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, []);
  listeners.get(topic).push(listener);
}

/** Tells of a change; several in one turn of the event loop are one call. */
export function emit(...topics) {
  if (due.size === 0) {
    queueMicrotask(() => {
      const now = [...due];
      due.clear();
      for (const topic of now) for (const listener of listeners.get(topic) ?? []) listener();
    });
  }
  for (const topic of topics) due.add(topic);
}

/** Snowflakes order by length, then by digits. */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Every channel and thread with its server, and its parent if it is a thread. */
export function* channelsWithGuild() {
  for (const guild of world.guilds) {
    for (const channel of guild.channels) {
      yield { channel, guild, parent: null };
      for (const thread of channel.threads ?? []) yield { channel: thread, guild, parent: channel };
    }
  }
}

/** Finds a channel or thread with its server and parent, or `null`. */
export function findChannel(id) {
  for (const place of channelsWithGuild()) if (place.channel.id === id) return place;
  return null;
}

/** The member entry of a user id, or `null` (the bot has none). */
export function findMember(userId) {
  return world.members.find((member) => member.user.id === userId) ?? null;
}

/** A user by id, from the members, the bot, or the users a message mentions. */
export function findUser(userId, mentioned = []) {
  if (world.bot?.id === userId) return world.bot;
  return findMember(userId)?.user ?? mentioned.find((user) => user.id === userId) ?? null;
}

/** The name people see. */
export function displayName(user) {
  return user?.global_name || user?.username || "Unknown user";
}

/** The server of the open channel, or `null`. */
export const guildHere = () => findChannel(world.channelId)?.guild ?? null;

/** Members of the open channel's server. */
export function membersHere() {
  const guildId = guildHere()?.id;
  return world.members.filter((member) => !guildId || member.guild_ids.includes(guildId));
}

/** People who can be mentioned in the open channel, the bot first. */
export function mentionableUsers() {
  const people = membersHere().map((member) => member.user);
  return world.bot ? [world.bot, ...people] : people;
}

/** A role by id, from the servers the member is in, or `null`. */
export function findRole(roleId) {
  for (const guild of world.guilds) {
    const found = guild.roles?.find((role) => role.id === roleId);
    if (found) return found;
  }
  return null;
}

/** The roles of the open channel's server, the highest first, without the one that everybody has. */
export function rolesHere() {
  const guild = guildHere();
  return (guild?.roles ?? [])
    .filter((role) => role.id !== guild.id)
    .sort((a, b) => b.position - a.position || compareIds(a.id, b.id));
}

/** The names of a member's roles, the highest first, as far as the one who looks shares the server. */
export function roleNames(member) {
  return (member.role_ids ?? [])
    .map(findRole)
    .filter(Boolean)
    .sort((a, b) => b.position - a.position)
    .map((role) => role.name);
}

/** Whether the member who is looking has a role. */
export const haveRole = (roleId) => Boolean(findMember(world.me?.id)?.role_ids?.includes(roleId));

/** Permission bits by the names that the page asks for. */
export const PERMISSION = {
  administrator: 1n << 3n,
  mentionEveryone: 1n << 17n,
  manageThreads: 1n << 34n,
  pinMessages: 1n << 51n,
};

/** Whether the member who is looking has every one of these permission bits in the open channel. */
export function mayHere(bits) {
  const place = findChannel(world.channelId);
  const has = BigInt((place?.parent ?? place?.channel)?.permissions ?? 0);
  return (has & PERMISSION.administrator) !== 0n || (has & bits) === bits;
}
