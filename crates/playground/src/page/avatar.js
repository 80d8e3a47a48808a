// Avatars and names. Nobody has a picture here: people have initials on their colour, the bot
// has the Quorum mark.

import { element, icon } from "./element.js";
import { displayName, findMember } from "./world.js";

const COLOURS = ["#3b6fb6", "#9a4f9f", "#2f7d5b", "#a8552f", "#6a5acd", "#8a6d1d", "#b03a5b", "#2b7a8c"];

/** The member's own colour, or a steady one made from the id. */
export function userColour(user) {
  const own = findMember(user.id)?.color;
  if (/^#[0-9a-f]{6}$/i.test(own ?? "")) return own;
  return COLOURS[Number(BigInt(user.id) % BigInt(COLOURS.length))];
}

/** Up to two initials of a name. */
export function initials(name) {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word) => [...word][0] ?? "")
    .join("")
    .toUpperCase();
}

/** A round avatar; decoration, since the name always stands beside it. */
export function avatar(user, className = "") {
  const node = element("span", {
    class: `avatar ${className}`,
    "aria-hidden": "true",
    vars: { "--author": userColour(user) },
  });
  if (user.bot) {
    node.classList.add("avatar-bot");
    node.append(icon("quorum"));
  } else {
    node.append(initials(displayName(user)));
  }
  return node;
}

/** A user's name in their colour, with the tag that apps carry. */
export function nameTag(user) {
  return [
    element(
      "span",
      {
        class: "author",
        dir: "auto",
        vars: { "--author": user.bot ? "var(--accent-text)" : userColour(user) },
      },
      displayName(user),
    ),
    user.bot && element("span", { class: "app-tag" }, "APP"),
  ];
}
