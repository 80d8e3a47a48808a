// Menus that open at the pointer or at a control: context menus, the member switcher, selects.
// The browser's popover closes them on Esc and on a press elsewhere.

import { button, element } from "./element.js";

/**
 * Shows a menu at `{ x, y }` or under an anchor element. Entries are
 * `{ label, icon?, detail?, checked?, run }`, `{ heading }` or `"line"`.
 */
export function openMenu(label, entries, where) {
  const menu = element("div", { class: "menu", role: "menu", "aria-label": label, popover: "auto" });
  for (const entry of entries) menu.append(entryNode(entry, menu));
  menu.addEventListener("keydown", (event) => moveFocus(event, menu, '[role^="menuitem"]'));
  showFloating(menu, where);
  menu.querySelector('[aria-checked="true"], [role^="menuitem"]')?.focus();
  return menu;
}

function entryNode(entry, menu) {
  if (entry === "line") return element("hr");
  if (entry.heading) return element("div", { class: "menu-heading" }, entry.heading);
  const checkable = entry.checked !== undefined;
  return button(
    {
      class: "menu-entry",
      role: checkable ? "menuitemradio" : "menuitem",
      "aria-checked": checkable ? String(entry.checked) : null,
      tabindex: "-1",
      data: entry.data ?? {},
      on: {
        click: () => {
          menu.hidePopover();
          entry.run();
        },
      },
    },
    entry.icon,
    element(
      "span",
      { class: "menu-label" },
      entry.label,
      entry.detail && element("span", { class: "muted" }, entry.detail),
    ),
  );
}

/** Arrow keys, Home and End move between the entries that match `selector`. */
export function moveFocus(event, container, selector) {
  const entries = [...container.querySelectorAll(selector)];
  const now = entries.indexOf(document.activeElement);
  const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: entries.length - 1 }[event.key];
  if (next === undefined || entries.length === 0) return;
  event.preventDefault();
  entries[(next + entries.length) % entries.length].focus();
}

/** Puts a popover into the page within the window's edges and removes it when it closes. */
export function showFloating(node, where) {
  const before = document.activeElement;
  // Inside a modal dialog everything else is inert, so what opens there belongs into it.
  // What it belongs to holds it, so that a reader by landmarks finds it there.
  const opener = where instanceof Element ? where : null;
  (opener?.closest("dialog, main, aside, nav") ?? document.getElementById("chat")).append(node);
  node.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    const held = node.contains(document.activeElement) || document.activeElement === document.body;
    node.remove();
    if (held && before?.isConnected) before.focus({ preventScroll: true });
  });
  node.showPopover();
  const anchor = where instanceof Element ? where.getBoundingClientRect() : null;
  if (anchor && node.classList.contains("listbox")) node.style.minWidth = `${anchor.width}px`;
  const size = node.getBoundingClientRect();
  const x = anchor ? anchor.left : where.x;
  const below = anchor ? anchor.bottom + 4 : where.y;
  const above = (anchor ? anchor.top - 4 : where.y) - size.height;
  const y = below + size.height <= innerHeight - 8 ? below : above;
  node.style.left = `${Math.max(8, Math.min(x, innerWidth - size.width - 8))}px`;
  node.style.top = `${Math.max(8, Math.min(y, innerHeight - size.height - 8))}px`;
}
