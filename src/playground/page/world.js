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

/** People who can be mentioned in the open channel, the bot first. */
export function mentionableUsers() {
  const guildId = findChannel(world.channelId)?.guild.id;
  const people = world.members
    .filter((member) => !guildId || member.guild_ids.includes(guildId))
    .map((member) => member.user);
  return world.bot ? [world.bot, ...people] : people;
}
