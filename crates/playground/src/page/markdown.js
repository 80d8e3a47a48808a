// Discord's block Markdown as DOM nodes: code fences, quotes, headings, subtext, lists. Line
// breaks stay as they are. The reading order is Discord's: quotes, then fences, then the rest.

import { button, element } from "./element.js";
import { renderInline } from "./inline.js";

const QUOTE_LINE = /^> ?(.*)$/;
const HEADING = /^(#{1,3}) +(\S.*)$/;
const SUBTEXT = /^-# +(\S.*)$/;
const ITEM = /^( *)([-*]|\d{1,9}\.) +(\S.*)$/;
const FENCE = /```(?:([\w+\-.#]{1,24})?[^\S\n]*\n)?([\s\S]*?)\n?```/y;
const ONLY_EMOJI =
  /^(?:\s*(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[\u{1F3FB}-\u{1F3FF}\u200D\uFE0F])){1,81}\s*$/u;

/** Renders a whole text; `context` is that of `renderInline`. */
export function renderMarkdown(text, context = {}) {
  const node = element("div", { class: "markdown" });
  if (ONLY_EMOJI.test(text) && !/^[\s\d]*$/.test(text)) node.classList.add("only-emoji");
  blocks(node, text, context, false);
  return node;
}

/** A code block with a button that copies it. */
export function codeBlock(code, language) {
  const copy = button({ class: "copy-code", "aria-label": "Copy this code" }, "Copy");
  copy.addEventListener("click", async () => {
    await navigator.clipboard?.writeText(code).catch(() => {});
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  });
  const label = language ? `Code, ${language}` : "Code";
  return element(
    "div",
    { class: "code-block" },
    element("pre", { tabindex: "0", role: "group", "aria-label": label }, element("code", {}, code)),
    copy,
  );
}

function blocks(parent, text, context, quoted) {
  let paragraph = "";
  let at = 0;
  const flush = () => {
    // The line break before a block belongs to the block's own margin.
    const lines = paragraph.replace(/\n$/, "");
    if (lines) parent.append(element("div", { class: "text" }, renderInline(lines, context)));
    paragraph = "";
  };
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const lineEnd = newline === -1 ? text.length : newline;
    const line = text.slice(at, lineEnd);
    const rest = Math.min(lineEnd + 1, text.length);

    if (!quoted && line.startsWith(">>> ")) {
      flush();
      quote(parent, text.slice(at + 4), context);
      return;
    }
    if (!quoted && line.startsWith("> ")) {
      flush();
      const taken = take(text, at, (candidate) => candidate.startsWith("> ") || candidate === ">");
      quote(parent, taken.lines.map((taken) => QUOTE_LINE.exec(taken)[1]).join("\n"), context);
      at = taken.end;
      continue;
    }
    const fence = fenceIn(text, at, lineEnd);
    if (fence) {
      paragraph += text.slice(at, fence.start);
      flush();
      parent.append(codeBlock(fence.code, fence.language));
      at = text[fence.end] === "\n" ? fence.end + 1 : fence.end;
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading) {
      flush();
      // The author's name is a heading of level 3; inside a message all stand one below.
      parent.append(
        element("h4", { class: `heading heading-${heading[1].length}` }, renderInline(heading[2], context)),
      );
      at = rest;
      continue;
    }
    const subtext = SUBTEXT.exec(line);
    if (subtext) {
      flush();
      parent.append(element("div", { class: "subtext" }, renderInline(subtext[1], context)));
      at = rest;
      continue;
    }
    if (ITEM.test(line)) {
      flush();
      const taken = take(
        text,
        at,
        (candidate) => (ITEM.test(candidate) || /^ {2,}\S/.test(candidate)) && !candidate.includes("```"),
      );
      if (taken.lines.length > 0) {
        parent.append(list(items(taken.lines), context));
        at = taken.end;
        continue;
      }
    }
    paragraph += text.slice(at, rest);
    at = rest;
  }
  flush();
}

function take(text, from, wanted) {
  const lines = [];
  let end = from;
  while (end < text.length) {
    const newline = text.indexOf("\n", end);
    const line = text.slice(end, newline === -1 ? text.length : newline);
    if (!wanted(line)) break;
    lines.push(line);
    end = newline === -1 ? text.length : newline + 1;
  }
  return { lines, end };
}

function quote(parent, text, context) {
  const node = element("blockquote");
  blocks(node, text, context, true);
  parent.append(node);
}

/** The first closed fence that opens on this line, unless a backslash escapes it. */
function fenceIn(text, from, lineEnd) {
  const start = text.indexOf("```", from);
  if (start === -1 || start >= lineEnd || text[start - 1] === "\\") return null;
  FENCE.lastIndex = start;
  const match = FENCE.exec(text);
  if (!match || !match[2].trim()) return null;
  return { start, end: start + match[0].length, language: match[1], code: match[2] };
}

function items(lines) {
  const found = [];
  for (const line of lines) {
    const match = ITEM.exec(line);
    if (match) {
      const ordered = /\d/.test(match[2]);
      found.push({
        indent: match[1].length,
        ordered,
        start: ordered ? parseInt(match[2], 10) : 1,
        text: match[3],
      });
    } else if (found.length > 0) {
      found.at(-1).text += `\n${line.trim()}`;
    }
  }
  return found;
}

/** Nests items by indentation; a deeper item belongs to the one before it. */
function list(entries, context) {
  const holder = document.createDocumentFragment();
  const open = [];
  for (const entry of entries) {
    while (open.length > 0 && open.at(-1).indent > entry.indent) open.pop();
    const top = open.at(-1);
    if (!top || top.indent < entry.indent || top.ordered !== entry.ordered) {
      const sibling = top && top.indent === entry.indent;
      if (sibling) open.pop();
      const parent = open.at(-1)?.node.lastElementChild ?? holder;
      const node = element(entry.ordered ? "ol" : "ul", { start: entry.ordered && entry.start });
      parent.append(node);
      open.push({ indent: entry.indent, ordered: entry.ordered, node });
    }
    const item = element("li", {}, element("span", { class: "text" }, renderInline(entry.text, context)));
    open.at(-1).node.append(item);
  }
  return holder;
}
