// The list of people and roles that opens while somebody types an @ in a text field.

import { avatar } from "./avatar.js";
import { element } from "./element.js";
import { findMentions, mentionAt } from "./mentions.js";
import { roleColour } from "./roles.js";

/**
 * Offers people and roles for the name being typed in `input`; false when none is. `typed()` runs after one
 * was taken. `options` are those of `findMentions`.
 */
export function offerMentions(input, suggestions, typed, options = {}) {
  const cursor = input.selectionStart;
  const mention = mentionAt(input.value, cursor);
  const found = mention ? findMentions(mention.query, options) : [];
  // A whole name already stands there, and what follows is only more text.
  if (found.length === 0) return false;
  suggestions.show(input, "Members and roles", found.map(item), ({ name }) => {
    input.setRangeText(`@${name} `, mention.start, cursor, "end");
    input.focus();
    typed();
  });
  return true;
}

function item({ name, user, role }) {
  return {
    name,
    label: user ? name : `@${name}`,
    detail: user?.bot ? "The bot" : role ? "Role" : null,
    lead: user ? avatar(user, "small") : roleDot(role),
  };
}

/** The coloured dot that stands before a role's name. */
export function roleDot(role) {
  return element("span", { class: "role-dot", "aria-hidden": "true", vars: roleColour(role) });
}
