// The line above the messages: where one is, pins and threads, who one is; and the banner that
// says when the bot or the playground does not answer.

import { avatar } from "./avatar.js";
import { button, element, fill, icon } from "./element.js";
import { isForum, tagsOf } from "./forum.js";
import { showPins, showThreads } from "./listings.js";
import { openSwitcher } from "./sidebar.js";
import { displayName, findChannel, findUser, membersHere, on, world } from "./world.js";

/** Most members in the row of those one can be with one press. */
const ACTORS_SHOWN = 4;

/** Draws header, banner and typing line; `actions`: openChannel, switchMember, openDrawer. */
export function startHeader(actions) {
  const draw = () => drawHeader(actions);
  on("directory", draw);
  on("status", () => {
    draw();
    drawBanner();
  });
  on("typing", drawTyping);
  on("directory", drawTyping);
  setInterval(drawTyping, 2000);
}

function drawHeader(actions) {
  const node = document.getElementById("channel-header");
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const place = findChannel(world.channelId);
  const unread = [...world.unread.keys()].some((id) => id !== world.channelId);
  const channel = place?.parent ?? place?.channel;
  fill(
    node,
    button(
      {
        class: "icon-button drawer-button",
        "aria-label": unread ? "Channels, some unread" : "Channels",
        data: { key: "drawer", unread: unread ? "yes" : "no" },
        on: { click: actions.openDrawer },
      },
      icon("menu"),
    ),
    element("div", { class: "place" }, place && trail(place, actions)),
    channel &&
      !isForum(place.channel) &&
      button(
        {
          class: place.parent ? "icon-button wide-only" : "icon-button",
          "aria-label": "Threads",
          title: "Threads",
          data: { key: "threads" },
          on: { click: () => showThreads(channel, actions) },
        },
        icon("thread"),
      ),
    place &&
      !isForum(place.channel) &&
      button(
        {
          class: "icon-button",
          "aria-label": "Pinned messages",
          title: "Pinned messages",
          data: { key: "pins" },
          on: { click: () => showPins(actions) },
        },
        icon("pin"),
      ),
    world.me && actors(actions),
    world.me && whoAmI(actions),
  );
  if (focused) node.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
  document.title = place
    ? `${place.parent ? "" : "#"}${place.channel.name} · Quorum playground`
    : "Quorum playground";
}

function trail({ channel, parent }, actions) {
  if (!parent) {
    return [
      icon(isForum(channel) ? "forum" : "hash"),
      element("h1", { dir: "auto" }, channel.name),
      channel.topic && element("span", { class: "topic muted", dir: "auto" }, channel.topic),
    ];
  }
  return [
    button(
      {
        class: "crumb",
        "aria-label": `Back to #${parent.name}`,
        data: { key: "parent" },
        on: { click: () => actions.openChannel(parent.id) },
      },
      icon(isForum(parent) ? "forum" : "hash"),
      element("span", {}, parent.name),
    ),
    element("span", { class: "crumb-line", "aria-hidden": "true" }, "›"),
    icon("branch"),
    element("h1", { dir: "auto" }, channel.name),
    element("span", { class: "wide-only" }, tagsOf(parent, channel)),
    channel.thread_metadata?.locked && element("span", { class: "state-tag" }, "locked"),
    channel.thread_metadata?.archived && element("span", { class: "state-tag" }, "archived"),
    whoIsIn(channel),
  ];
}

/** How many are in a thread, and who: Discord adds whoever writes in it or is mentioned. */
function whoIsIn(channel) {
  const ids = channel.member_ids ?? [];
  if (ids.length === 0) return null;
  const names = ids.map((id) => displayName(findUser(id)));
  return element(
    "span",
    { class: "state-tag wide-only", data: { key: "members" }, title: `In this thread: ${names.join(", ")}` },
    ids.length === 1 ? "1 member" : `${ids.length} members`,
  );
}

/** The members of this server side by side: one press and one is somebody else, in the same thread. */
function actors(actions) {
  const here = membersHere();
  if (here.length < 2) return null;
  // Whoever one is stays among those shown, however many there are.
  const mine = here.findIndex((member) => member.user.id === world.me.id);
  const shown = here.filter((_, index) => index < ACTORS_SHOWN - (mine >= ACTORS_SHOWN ? 1 : 0) || index === mine);
  return element(
    "div",
    { class: "actors", role: "group", "aria-label": "Act as" },
    shown.map(({ user }) =>
      button(
        {
          class: "actor",
          title: `Act as ${displayName(user)}`,
          "aria-label": `Act as ${displayName(user)}`,
          "aria-pressed": String(user.id === world.me.id),
          data: { key: `actor-${user.id}`, actor: user.id },
          on: { click: () => user.id !== world.me.id && actions.switchMember(user.id) },
        },
        avatar(user, "small"),
      ),
    ),
  );
}

function whoAmI(actions) {
  return button(
    {
      class: "who",
      "aria-haspopup": "menu",
      data: { key: "who", action: "switch-member" },
      on: { click: (event) => openSwitcher(event.currentTarget, actions) },
    },
    avatar(world.me, "small"),
    element(
      "span",
      { class: "who-text" },
      element("span", { class: "who-lead" }, "You are "),
      element("strong", {}, displayName(world.me)),
      element("span", { class: "who-switch" }, " · switch"),
    ),
    icon("chevron"),
  );
}

function drawBanner() {
  const banner = document.getElementById("banner");
  const text = !world.connected
    ? "The connection to the playground is lost. Trying again…"
    : !world.botOnline
      ? "The bot is offline. Commands and buttons get no answer until it is back; what is written stays."
      : "";
  if (banner.textContent !== text) banner.textContent = text;
  banner.hidden = !text;
}

function drawTyping() {
  const now = Date.now();
  const names = [];
  for (const [key, until] of world.typing) {
    const [channelId, userId] = key.split(" ");
    if (until < now) world.typing.delete(key);
    else if (channelId === world.channelId) names.push(displayName(findUser(userId)));
  }
  const node = document.getElementById("typing");
  const text =
    names.length === 0
      ? ""
      : names.length === 1
        ? `${names[0]} is typing…`
        : names.length < 4
          ? `${names.join(", ")} are typing…`
          : "Several people are typing…";
  if (node.textContent !== text) node.textContent = text;
}
