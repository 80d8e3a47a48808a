// How a role looks.

/** The role's colour as a custom property for `element`'s `vars`; nothing for a role without one. */
export function roleColour(role) {
  const colour = role?.color;
  return Number.isInteger(colour) && colour > 0
    ? { "--role": `#${colour.toString(16).padStart(6, "0")}` }
    : {};
}
