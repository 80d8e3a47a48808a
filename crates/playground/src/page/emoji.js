// The emoji of a button or an option.

import { element } from "./element.js";

/** An emoji as decoration beside a label; custom ones have no picture here and show their name. */
export function emojiText(emoji) {
  if (!emoji?.name) return null;
  return element(
    "span",
    { class: "emoji", "aria-hidden": "true" },
    emoji.id ? `:${emoji.name}:` : emoji.name,
  );
}
