// Who looks at what: reading the state, switching members, opening channels.

import { readChannel, readMessages, readState } from "./api.js";
import { channelsWithGuild, compareIds, emit, findChannel, world } from "./world.js";

const PAGE = 100;
let opening = 0;
/** Events that arrive while a channel is being read; they are applied again afterwards. */
let held = null;

const remembered = (key) => sessionStorage.getItem(key) ?? localStorage.getItem(key);
function remember(key, value) {
  // Two tabs may be two members; a new tab starts as the last one.
  sessionStorage.setItem(key, value);
  localStorage.setItem(key, value);
}

/** Reads everything anew; keeps the open channel if the member may still see it. */
export async function refresh(as = world.me?.id ?? remembered("member")) {
  const state = await readState(as);
  world.me = state.me;
  world.bot = state.bot;
  world.botOnline = state.bot_online;
  world.members = state.members;
  world.guilds = state.guilds;
  world.commands = state.commands;
  remember("member", state.me.id);
  const wanted = world.channelId ?? channelInAddress() ?? remembered("channel");
  const open = wanted && findChannel(wanted) ? wanted : [...channelsWithGuild()][0]?.channel.id;
  emit("directory", "status");
  if (open) await openChannel(open);
}

const isPrivate = (message) => Boolean(message.ephemeral_for);

/** Becomes another member: other channels, other private replies. */
export async function switchMember(userId) {
  world.unread.clear();
  world.typing.clear();
  world.newFrom = null;
  // The thread stays as it is on the screen; only what the other one alone could see goes at once.
  world.messages = world.messages.filter((message) => !isPrivate(message));
  await refresh(userId);
}

/** The channel named in the page's address, so that a reload and the back button work. */
export function channelInAddress() {
  return /^#\/(\d+)$/.exec(location.hash)?.[1] ?? null;
}

/** Opens a channel or thread and reads its latest messages. */
export async function openChannel(id) {
  const turn = (opening += 1);
  const other = world.channelId !== id;
  if (other) {
    world.channelId = id;
    world.messages = [];
    world.starter = null;
    world.hasOlder = false;
    world.newFrom = world.unread.get(id)?.first ?? null;
  }
  world.unread.delete(id);
  remember("channel", id);
  if (channelInAddress() !== id) history.pushState(null, "", `#/${id}`);
  emit("directory", "messages");
  held = [];
  const [channel, messages] = await Promise.all([
    readChannel(world.me.id, id),
    readMessages(world.me.id, id, { limit: PAGE }),
  ]);
  if (turn !== opening) return;
  world.starter = channel.starter ?? null;
  // What was scrolled back to stays when the same channel is read again.
  const oldest = messages[0]?.id;
  const earlier =
    other || !oldest ? [] : world.messages.filter((message) => compareIds(message.id, oldest) < 0);
  if (other || earlier.length === 0) world.hasOlder = messages.length === PAGE;
  world.messages = [...earlier, ...messages];
  const missed = held;
  held = null;
  missed.forEach(applyToMessages);
  emit("messages");
}

/** Reads the page of messages before the oldest one that is shown. */
export async function loadOlder() {
  const id = world.channelId;
  const first = world.messages[0]?.id;
  if (!first) return;
  const messages = await readMessages(world.me.id, id, { before: first, limit: PAGE });
  if (world.channelId !== id) return;
  const known = new Set(world.messages.map((message) => message.id));
  world.messages = [...messages.filter((message) => !known.has(message.id)), ...world.messages];
  world.hasOlder = messages.length === PAGE;
  emit("messages");
}

/**
 * Whether a private answer belongs under the card on top of the open thread: one to a button of that card, or to a button
 * of such an answer. The card's place is the channel above, and so is the answer's; whoever pressed the button in the
 * thread looks for it here.
 */
function answersStarter(id, message) {
  if (!world.starter) return false;
  const brought = world.messages.filter((known) => known.channel_id !== world.channelId).map((known) => known.id);
  if (brought.includes(id)) return true;
  return Boolean(message) && isPrivate(message) && [world.starter.id, ...brought].includes(message.referenced_message?.id);
}

/** Applies a live message event to the open channel. */
export function applyToMessages(event) {
  held?.push(event);
  const id = event.message?.id ?? event.id;
  if (world.starter && event.type === "message_update" && world.starter.id === id)
    world.starter = event.message;
  if (event.channel_id !== world.channelId && !answersStarter(id, event.message)) {
    if (world.starter?.id === id) emit("messages");
    return;
  }
  const index = world.messages.findIndex((message) => message.id === id);
  if (event.type === "message_delete") {
    if (index !== -1) world.messages.splice(index, 1);
  } else if (index !== -1) {
    world.messages[index] = event.message;
  } else if (event.type === "message_create") {
    world.messages.push(event.message);
  }
  emit("messages");
}
