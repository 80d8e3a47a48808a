// Keeping the focus where it was while a part of the page is drawn anew.

const CONTROLS = "button, a[href], input, textarea";

/**
 * Redraws `slot` and gives the focus back: to the control with the same `custom_id`; else, since a private panel
 * carries what was chosen so far in its ids, to the one with the same label, or in the same place.
 */
export function keepingFocus(slot, redraw) {
  const held = slot.contains(document.activeElement) ? document.activeElement : null;
  const place = held && controls(slot).indexOf(held);
  redraw();
  if (!held) return;
  const now = controls(slot).filter((node) => !node.disabled);
  const wanted =
    now.find((node) => held.dataset.customId && node.dataset.customId === held.dataset.customId) ??
    now.find((node) => node.textContent && node.textContent === held.textContent) ??
    now.find((node) => node === controls(slot)[place]) ??
    nearest(now, controls(slot), place);
  wanted?.focus({ preventScroll: true });
}

const controls = (slot) => [...slot.querySelectorAll(CONTROLS)];

/** A button that was switched off hands on to its nearest neighbour. */
function nearest(enabled, all, place) {
  const away = (node) => Math.abs(all.indexOf(node) - place);
  return enabled.sort((a, b) => away(a) - away(b))[0];
}
