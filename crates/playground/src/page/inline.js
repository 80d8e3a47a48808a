// Discord's inline Markdown as DOM nodes: emphasis, code, links, mentions, times, spoilers.
// A hand-written scanner rather than regular expressions, so that hostile text costs at most
// quadratic time and bounded depth.

import { append, button, element } from "./element.js";
import { outsideLink, webAddress } from "./links.js";
import { timestampMark } from "./timestamp.js";
import { roleColour } from "./roles.js";
import { displayName, findChannel, findRole, findUser, haveRole, world } from "./world.js";

const DEEPEST = 12;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}_]/u;
const ANGLE =
  /<(?:(@[!&]?|#)(\d{1,20})|t:(-?\d{1,13})(?::([tTdDfFR]))?|(https?:\/\/[^\s<>]+)|\/([^:<>\n]{1,98}):(\d{1,20})|a?:(\w{2,32}):\d{1,20})>/y;
const BARE_LINK = /https?:\/\/[^\s<>]+/y;

// The longer marker of a character is tried first.
const EMPHASIS = [
  ["**", "strong"],
  ["__", "u"],
  ["~~", "s"],
  ["||", "spoiler"],
  ["*", "em"],
  ["_", "em"],
];

/**
 * Renders one run of text. `context` may hold `mentions` (users named by the message),
 * `everyone` (whether it really mentions everyone), `onChannel` and `onCommand` (what a click on
 * such a mention does), `noLinks` (inside a link's label) and `noMentions` (in an embed's title and
 * field names, where Discord leaves the bare mark).
 */
export function renderInline(text, context = {}, depth = 0) {
  const fragment = document.createDocumentFragment();
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const found = depth < DEEPEST ? spanAt(text, at, context, depth) : null;
    if (found) {
      append(fragment, [plain, found.node]);
      plain = "";
      at = found.end;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  return append(fragment, plain);
}

function spanAt(text, at, context, depth) {
  switch (text[at]) {
    case "\\":
      return at + 1 < text.length && ESCAPABLE.test(text[at + 1])
        ? { node: text[at + 1], end: at + 2 }
        : null;
    case "`":
      return codeSpan(text, at);
    case "<":
      return angleSpan(text, at, context);
    case "[":
      return context.noLinks ? null : maskedLink(text, at, context, depth);
    case "h":
      return context.noLinks ? null : bareLink(text, at);
    case "@":
      return everyoneMention(text, at, context);
    case "*":
    case "_":
    case "~":
    case "|":
      return emphasis(text, at, context, depth);
    default:
      return null;
  }
}

function runLength(text, at) {
  let end = at;
  while (text[end] === text[at]) end += 1;
  return end - at;
}

function codeEnd(text, at) {
  const ticks = runLength(text, at);
  let next = text.indexOf("`", at + ticks);
  while (next !== -1) {
    const length = runLength(text, next);
    if (length === ticks) return { start: at + ticks, stop: next, end: next + length };
    next = text.indexOf("`", next + length);
  }
  return null;
}

function codeSpan(text, at) {
  const code = codeEnd(text, at);
  if (!code) return { node: "`".repeat(runLength(text, at)), end: at + runLength(text, at) };
  return { node: element("code", {}, text.slice(code.start, code.stop).trim()), end: code.end };
}

/** Where `marker` closes after `from`, stepping over escapes and code; -1 if nowhere. */
function closing(text, from, marker) {
  const character = marker[0];
  let at = from;
  while (at < text.length) {
    if (text[at] === "\\") {
      at += 2;
    } else if (text[at] === "`") {
      at = codeEnd(text, at)?.end ?? at + runLength(text, at);
    } else if (text[at] === character) {
      const length = runLength(text, at);
      const fits = marker.length === 2 ? length >= 2 : length !== 2;
      const stop = at + length - marker.length;
      const solid = !/\s/.test(text[stop - 1] ?? " ") || marker === "||";
      const wordGoesOn = marker === "_" && WORD.test(text[stop + 1] ?? " ");
      if (fits && solid && stop > from - 1 && !wordGoesOn) return stop;
      at += length;
    } else {
      at += 1;
    }
  }
  return -1;
}

function emphasis(text, at, context, depth) {
  for (const [marker, tag] of EMPHASIS) {
    if (!text.startsWith(marker, at)) continue;
    const start = at + marker.length;
    if (marker.length === 1 && /\s/.test(text[start] ?? " ")) continue;
    if (marker === "_" && WORD.test(text[at - 1] ?? " ")) continue;
    const stop = closing(text, start, marker);
    if (stop <= start) continue;
    const inner = renderInline(text.slice(start, stop), context, depth + 1);
    const node = tag === "spoiler" ? spoiler(inner) : element(tag, {}, inner);
    return { node, end: stop + marker.length };
  }
  // The whole run is plain text, or the next character would open the same search again.
  const length = runLength(text, at);
  return length > 2 ? { node: text.slice(at, at + length), end: at + length } : null;
}

function spoiler(inner) {
  const node = element("span", {
    class: "spoiler",
    role: "button",
    tabindex: "0",
    "aria-label": "Spoiler: press to show",
  });
  const hidden = element("span", { class: "spoiler-text", "aria-hidden": "true" }, inner);
  const reveal = (event) => {
    if (node.classList.contains("shown") || (event.key && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    node.classList.add("shown");
    for (const name of ["role", "tabindex", "aria-label"]) node.removeAttribute(name);
    hidden.removeAttribute("aria-hidden");
  };
  node.addEventListener("click", reveal);
  node.addEventListener("keydown", reveal);
  node.append(hidden);
  return node;
}

function angleSpan(text, at, context) {
  ANGLE.lastIndex = at;
  const match = ANGLE.exec(text);
  if (!match) return null;
  const [whole, kind, id, unix, style, address, commandName, commandId, emoji] = match;
  if (context.noMentions && (kind || commandName)) return null;
  const end = at + whole.length;
  if (unix !== undefined) {
    const node = timestampMark(Number(unix), style);
    return node && { node, end };
  }
  if (address) {
    const safe = webAddress(address);
    return safe && !context.noLinks ? { node: outsideLink(safe, address), end } : null;
  }
  if (emoji) return { node: `:${emoji}:`, end };
  if (commandName) return { node: commandMention(commandName, commandId, context), end };
  return { node: mention(kind, id, context), end };
}

function mention(kind, id, context) {
  if (kind === "#") return channelMention(id, context);
  if (kind === "@&") return roleMention(id);
  const user = findUser(id, context.mentions);
  const mine = id === world.me?.id;
  return element(
    "span",
    { class: mine ? "mention mention-me" : "mention" },
    `@${user ? displayName(user) : "unknown-user"}`,
  );
}

function roleMention(id) {
  const role = findRole(id);
  return element(
    "span",
    { class: haveRole(id) ? "mention mention-role mention-me" : "mention mention-role", vars: roleColour(role) },
    `@${role ? role.name : "unknown-role"}`,
  );
}

function channelMention(id, context) {
  const place = findChannel(id);
  if (!place) return element("span", { class: "mention" }, "#unknown");
  const label = place.parent ? `🧵 ${place.channel.name}` : `#${place.channel.name}`;
  return context.onChannel
    ? element("a", { class: "mention", href: `#/${id}`, on: { click: (event) => (event.preventDefault(), context.onChannel(id)) } }, label)
    : element("span", { class: "mention" }, label);
}

function commandMention(name, id, context) {
  return context.onCommand
    ? button({ class: "mention", on: { click: () => context.onCommand(id, name) } }, `/${name}`)
    : element("span", { class: "mention" }, `/${name}`);
}

function everyoneMention(text, at, context) {
  if (!context.everyone) return null;
  const word = ["@everyone", "@here"].find((candidate) => text.startsWith(candidate, at));
  return word
    ? { node: element("span", { class: "mention mention-me" }, word), end: at + word.length }
    : null;
}

function bareLink(text, at) {
  BARE_LINK.lastIndex = at;
  const match = BARE_LINK.exec(text);
  if (!match || WORD.test(text[at - 1] ?? " ")) return null;
  let address = match[0];
  // Punctuation that ends a sentence, and brackets opened before the link, are not part of it.
  for (;;) {
    const last = address.at(-1);
    const unbalanced = last === ")" && address.split("(").length < address.split(")").length;
    if (!unbalanced && !/[.,:;!?"'*_~|\]]/.test(last)) break;
    address = address.slice(0, -1);
  }
  const safe = webAddress(address);
  return safe && { node: outsideLink(safe, address), end: at + address.length };
}

function maskedLink(text, at, context, depth) {
  let level = 0;
  let close = at;
  for (; close < text.length; close += 1) {
    if (text[close] === "\\") close += 1;
    else if (text[close] === "[") level += 1;
    else if (text[close] === "]" && (level -= 1) === 0) break;
  }
  if (text[close + 1] !== "(") return null;
  const target = /\(\s*(?:<([^<>\s]+)>|((?:[^\s()<>]|\([^\s()<>]*\))+))(?:\s+"[^"\n]*")?\s*\)/y;
  target.lastIndex = close + 1;
  const match = target.exec(text);
  const safe = match && webAddress(match[1] ?? match[2]);
  const label = text.slice(at + 1, close);
  if (!safe || !label.trim()) return null;
  const inner = renderInline(label, { ...context, noLinks: true }, depth + 1);
  return { node: outsideLink(safe, inner), end: close + 1 + match[0].length };
}
