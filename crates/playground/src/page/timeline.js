// The list of messages of the open channel: order, day and "New" lines, scrolling.

import { button, element, fill, icon } from "./element.js";
import { forumHere, forumItems, isForum } from "./forum.js";
import { keepingFocus } from "./focus.js";
import { MessageView, continuesGroup, ordered } from "./message.js";
import { dayName, sameDay } from "./timestamp.js";
import { findChannel, on, world } from "./world.js";
import { tries } from "./welcome.js";

const NEAR_BOTTOM_PX = 80;

/** Draws the timeline; `actions` are those of a message and `loadOlder`, `dismissed`. */
export function startTimeline(actions) {
  const scroller = document.getElementById("timeline");
  const list = document.getElementById("messages");
  const jump = document.getElementById("jump");
  const views = new Map();
  let shownChannel = null;
  let shownMember = null;
  let atBottom = true;
  let missed = 0;
  let newest = null;
  let loading = false;
  let toNew = false;

  on("messages", draw);
  on("directory", draw);
  scroller.addEventListener("scroll", () => {
    atBottom = isAtBottom();
    if (atBottom) missed = 0;
    drawJump();
    if (scroller.scrollTop < 200) older();
  });
  // Pictures and late edits change heights: whoever reads the end stays at the end.
  new ResizeObserver(() => atBottom && toBottom()).observe(list);
  new ResizeObserver(() => atBottom && toBottom()).observe(scroller);

  function draw() {
    const changedChannel = shownChannel !== world.channelId;
    if (changedChannel) {
      shownChannel = world.channelId;
      views.clear();
      atBottom = true;
      missed = 0;
      newest = null;
      toNew = world.newFrom !== null;
    }
    if (shownMember !== world.me?.id) {
      // What one member chose in a select and their own names are not another's.
      shownMember = world.me?.id;
      views.clear();
    }
    const forum = forumHere();
    list.classList.toggle("posts", Boolean(forum));
    if (forum) {
      // A list with the newest on top: nobody is taken to its end.
      atBottom = false;
      jump.hidden = true;
      keepingFocus(list, () => fill(list, forumItems(forum, actions)));
      if (changedChannel) scroller.scrollTop = 0;
      return;
    }
    const anchor = atBottom ? null : firstInView();
    const messages = ordered(world.messages, actions.dismissed());
    const nodes = [];
    if (!world.hasOlder) nodes.push(intro(actions));
    // The card that leads into the thread would lead nowhere inside it.
    if (world.starter)
      nodes.push(view({ ...world.starter, thread: null }, false), divider("Start of the thread"));
    let before = world.starter ? null : undefined;
    for (const message of messages) {
      // A thread's first entry only repeats the starter message, which stands on top already.
      if (message.type === 21 && world.starter) continue;
      const startsDay = !before || !sameDay(before.timestamp, message.timestamp);
      if (startsDay) nodes.push(divider(dayName(message.timestamp)));
      const isNew = message.id === world.newFrom;
      if (isNew) nodes.push(divider("New", "divider-new"));
      nodes.push(view(message, !startsDay && !isNew && continuesGroup(message, before)));
      before = message;
    }
    for (const [id] of views)
      if (id !== world.starter?.id && !messages.some((message) => message.id === id)) views.delete(id);
    place(nodes);
    if (anchor) keepInView(anchor);
    const last = messages.at(-1);
    if (!changedChannel && last && last.id !== newest && !atBottom) {
      if (last.author.id === world.me.id) toBottom();
      else missed += 1;
    }
    newest = last?.id ?? null;
    if (toNew && list.querySelector(".divider-new")) {
      // Reading goes on where it stopped, at the first message that was not seen yet.
      toNew = false;
      list.querySelector(".divider-new").scrollIntoView({ block: "start" });
      atBottom = isAtBottom();
    } else if (atBottom) toBottom();
    drawJump();
  }

  function view(message, grouped) {
    let entry = views.get(message.id);
    if (!entry) {
      entry = new MessageView(actions);
      views.set(message.id, entry);
    }
    entry.update(message, grouped);
    return entry.node;
  }

  /** Puts the nodes into the list, moving only what is out of place. */
  function place(nodes) {
    const wanted = new Set(nodes);
    for (const child of [...list.children]) if (!wanted.has(child)) child.remove();
    nodes.forEach((node, index) => {
      if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
    });
  }

  /** The first message in view, and where it stands: what changes above must not move what is being read. */
  function firstInView() {
    const top = scroller.getBoundingClientRect().top;
    const first = [...list.children].find((node) => node.id && node.getBoundingClientRect().bottom > top);
    return first && { id: first.id, top: first.getBoundingClientRect().top };
  }

  function keepInView(anchor) {
    const node = document.getElementById(anchor.id);
    if (node) scroller.scrollTop += node.getBoundingClientRect().top - anchor.top;
  }

  function isAtBottom() {
    return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_BOTTOM_PX;
  }

  function toBottom() {
    scroller.scrollTop = scroller.scrollHeight;
  }

  function drawJump() {
    if (forumHere()) return;
    const far = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight > scroller.clientHeight;
    jump.hidden = atBottom || (!far && missed === 0);
    if (jump.hidden || jump.dataset.missed === String(missed)) return;
    jump.dataset.missed = String(missed);
    const label = missed > 0 ? `${missed} new ${missed === 1 ? "message" : "messages"}` : "Jump to the end";
    fill(jump, button({ class: "jump-button", on: { click: toBottom } }, label, icon("down")));
  }

  async function older() {
    if (loading || !world.hasOlder) return;
    loading = true;
    const height = scroller.scrollHeight;
    const top = scroller.scrollTop;
    await actions.loadOlder().catch(() => {});
    draw();
    scroller.scrollTop = top + scroller.scrollHeight - height;
    loading = false;
  }
}

function divider(label, className = "") {
  return element("li", { class: `divider ${className}` }, element("span", {}, label));
}

function intro(actions) {
  const place = findChannel(world.channelId);
  if (!place) return element("li", { class: "intro" }, element("h2", {}, "Choose a channel"));
  const { channel, parent } = place;
  return element(
    "li",
    { class: "intro" },
    element("div", { class: "intro-mark", "aria-hidden": "true" }, icon(parent ? "thread" : "hash")),
    element("h2", { dir: "auto" }, parent ? channel.name : `Welcome to #${channel.name}`),
    parent
      ? element("p", {}, isForum(parent) ? `A post in ${parent.name}.` : `A thread in #${parent.name}.`)
      : [
          element("p", {}, channel.topic || "This is the beginning of the channel."),
          element("p", {}, "Try one of these, or type ", element("kbd", {}, "/"), " to see all that the bot can do."),
          tries(actions),
        ],
  );
}

/** Scrolls to a message and marks it for a moment; false if it is not in the list. */
export function revealMessage(id) {
  const node = document.getElementById(`message-${id}`);
  if (!node) return false;
  node.scrollIntoView({ block: "center" });
  node.classList.add("flash");
  setTimeout(() => node.classList.remove("flash"), 1600);
  return true;
}
