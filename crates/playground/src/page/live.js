// Live events from the playground, with reconnection. Whatever was missed while the connection
// was down is read anew.

import { sendAfter } from "./api.js";
import { settle } from "./interactions.js";
import { isLoading, mentionsMe } from "./message.js";
import { applyToMessages, refresh } from "./session.js";
import { displayName, emit, findChannel, world } from "./world.js";

const TYPING_MS = 10_000;
const RETRY_MS = 1500;
/** How long what somebody does right after switching waits for the events of whom they have become. */
const OPENS_MS = 3000;
/** Types of channels that the page shows: text, announcements, forums. */
const SHOWN = [0, 5, 15];
let source = null;
let retry = null;

/** Listens as the current member; call again after switching. */
export function listen() {
  clearTimeout(retry);
  source?.close();
  const member = world.me.id;
  source = new EventSource(`/page/api/events?as=${encodeURIComponent(member)}`);
  const mine = source;
  let opened = false;
  sendAfter(
    new Promise((resolve) => {
      mine.addEventListener("open", resolve);
      setTimeout(resolve, OPENS_MS);
    }),
  );
  mine.addEventListener("open", () => {
    const again = opened || !world.connected;
    opened = true;
    world.connected = true;
    emit("status");
    // The first time too: between reading the state and this moment something may have happened.
    refresh().catch(() => again && lost());
  });
  mine.addEventListener("error", lost);
  mine.addEventListener("message", (event) => {
    if (mine === source && world.me.id === member) receive(JSON.parse(event.data));
  });

  function lost() {
    if (mine !== source) return;
    world.connected = false;
    emit("status");
    mine.close();
    clearTimeout(retry);
    retry = setTimeout(listen, RETRY_MS);
  }
}

// A page that was left is kept for a while by the browser, and with it the connection: of few that there are to one place,
// the next page would find none free.
window.addEventListener("pagehide", () => source?.close());
window.addEventListener("pageshow", (event) => event.persisted && listen());

function receive(event) {
  switch (event.type) {
    case "message_create":
      noticeMessage(event);
      applyToMessages(event);
      break;
    case "message_update":
      noticeAnswer(event.message);
      applyToMessages(event);
      break;
    case "message_delete":
      applyToMessages(event);
      break;
    case "thread_create":
    case "channel_update":
      placeChannel(event.channel);
      break;
    case "commands_update":
      world.commands = event.commands;
      emit("directory");
      break;
    case "bot_status":
      world.botOnline = event.online;
      emit("status");
      break;
    case "typing":
      if (event.user_id !== world.me.id)
        world.typing.set(`${event.channel_id} ${event.user_id}`, Date.now() + TYPING_MS);
      emit("typing");
      break;
    case "modal":
      settle(event.interaction_id, { modal: event.modal });
      break;
    case "interaction_done":
      settle(event.interaction_id);
      break;
    case "interaction_failed":
      settle(event.interaction_id, { failure: event.reason || "The application did not respond." });
      break;
  }
}

function noticeMessage({ channel_id: channelId, message }) {
  world.typing.delete(`${channelId} ${message.author.id}`);
  emit("typing");
  const thread = findChannel(channelId)?.channel;
  if (thread && "message_count" in thread) thread.message_count += 1;
  if (channelId === world.channelId && !document.hidden) {
    announce(message);
    return;
  }
  if (message.author.id === world.me.id) return;
  const entry = world.unread.get(channelId) ?? { first: message.id, count: 0, mentions: 0 };
  entry.count += 1;
  if (mentionsMe(message)) entry.mentions += 1;
  if (channelId === world.channelId) world.newFrom ??= message.id;
  else world.unread.set(channelId, entry);
  emit("directory");
}

/** Says the answer that somebody waits for: it takes the place of a message that says it is being thought about. */
function noticeAnswer(message) {
  const before = world.messages.find((known) => known.id === message.id);
  if (before && isLoading(before) && !isLoading(message) && !document.hidden) announce(message);
}

/** Says a new message to people who listen instead of looking. */
function announce(message) {
  const said = message.embeds?.map((embed) => embed.title || embed.description).filter(Boolean);
  const text = isLoading(message) ? "is thinking" : message.content || said?.join(", ") || "sent a message";
  document.getElementById("announcer").textContent = `${displayName(message.author)}: ${text.slice(0, 200)}`;
}

/** Takes in a new or changed channel or thread. */
function placeChannel(channel) {
  const known = findChannel(channel.id);
  if (known) Object.assign(known.channel, channel);
  else {
    const parent = channel.parent_id && findChannel(channel.parent_id)?.channel;
    const guild = world.guilds.find((guild) => guild.id === channel.guild_id);
    if (parent) (parent.threads ??= []).push(channel);
    else if (guild && SHOWN.includes(channel.type)) guild.channels.push({ threads: [], ...channel });
  }
  for (const message of world.messages) {
    if (message.thread?.id === channel.id) message.thread = { ...message.thread, ...channel };
    else if (message.id === channel.id && !message.thread) message.thread = channel;
  }
  emit("directory", "messages");
}
