// A string select: a control that opens a list; one choice is sent at once, several when the
// list is confirmed or closed.

import { button, element, fill, icon } from "./element.js";
import { emojiText } from "./emoji.js";
import { moveFocus, showFloating } from "./menu.js";

/** Draws the select; `onChoose(node, values)` runs when a choice within min and max was made. */
export function selectMenu(component, onChoose) {
  const options = component.options ?? [];
  const least = component.min_values ?? 1;
  const most = component.max_values ?? 1;
  let chosen = options.filter((option) => option.default).map((option) => option.value);
  let list = null;

  const text = element("span", { class: "select-text" });
  const node = button(
    {
      class: "select",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      title: component.placeholder,
      disabled: component.disabled,
      data: { customId: component.custom_id },
      on: { click: open },
    },
    text,
    icon("chevron"),
  );
  showChosen();
  return node;

  function showChosen() {
    const labels = options.filter((option) => chosen.includes(option.value)).map((option) => option.label);
    text.textContent = labels.join(", ") || component.placeholder || "Make a selection";
    text.classList.toggle("placeholder", labels.length === 0);
  }

  function open() {
    if (list) return;
    const before = chosen.join("\n");
    let draft = [...chosen];
    const confirm = button({ class: "button primary", on: { click: () => list.hidePopover() } });
    list = element("div", {
      class: "menu listbox",
      role: "listbox",
      popover: "auto",
      "aria-label": component.placeholder || "Options",
      "aria-multiselectable": most > 1 ? "true" : null,
    });
    list.append(...options.map(optionNode));
    if (most > 1) list.append(element("div", { class: "listbox-footer" }, confirm));
    list.addEventListener("keydown", (event) => moveFocus(event, list, '[role="option"]'));
    list.addEventListener("toggle", (event) => {
      if (event.newState === "open") return;
      list = null;
      node.setAttribute("aria-expanded", "false");
      const allowed = draft.length >= least && draft.length <= most;
      if (!allowed || (most > 1 && draft.join("\n") === before)) return;
      if (most === 1 && !picked) return;
      chosen = draft;
      showChosen();
      onChoose(node, chosen);
    });
    let picked = false;
    node.setAttribute("aria-expanded", "true");
    mark();
    showFloating(list, node);
    (list.querySelector('[aria-selected="true"]') ?? list.querySelector('[role="option"]'))?.focus();

    function optionNode(option) {
      return button(
        {
          class: "menu-entry",
          role: "option",
          tabindex: "-1",
          data: { value: option.value },
          on: { click: () => toggle(option.value) },
        },
        emojiText(option.emoji),
        element(
          "span",
          { class: "menu-label" },
          option.label,
          option.description && element("span", { class: "muted" }, option.description),
        ),
        element("span", { class: "check", "aria-hidden": "true" }, icon("check")),
      );
    }

    function toggle(value) {
      if (most === 1) {
        draft = draft[0] === value && least === 0 ? [] : [value];
        picked = true;
        list.hidePopover();
        return;
      }
      if (draft.includes(value)) draft = draft.filter((other) => other !== value);
      else if (draft.length < most) draft = [...draft, value];
      mark();
    }

    function mark() {
      for (const entry of list.querySelectorAll('[role="option"]')) {
        entry.setAttribute("aria-selected", String(draft.includes(entry.dataset.value)));
      }
      confirm.disabled = draft.length < least;
      fill(
        confirm,
        draft.length < least ? `Choose at least ${least}` : `Send ${draft.length} of up to ${most}`,
      );
    }
  }
}
