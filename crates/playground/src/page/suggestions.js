// The list above the message box: commands, people, choices of an option. The focus stays in
// the text field; the list follows it as an ARIA listbox.

import { button, element, fill } from "./element.js";

export class SuggestionList {
  #items = [];
  #index = -1;
  #input = null;
  #pick = null;

  constructor() {
    this.node = element("div", { class: "suggestions", id: "suggestions", role: "listbox", hidden: true });
    // A press must not take the focus from the field the list belongs to.
    this.node.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  get isOpen() {
    return !this.node.hidden;
  }

  /** Whether the list is open for this field. */
  belongsTo(input) {
    return this.isOpen && this.#input === input;
  }

  /**
   * Shows `items` (`{ label, detail?, lead?, note?, heading? }`; a heading stands above the first that has it) for a field; `pick(item)` runs on a choice.
   * `chosen` says which one is marked at first; -1 marks none, so that Enter keeps its own meaning.
   */
  show(input, title, items, pick, chosen = 0) {
    this.#input = input;
    this.#items = items;
    this.#pick = pick;
    fill(
      this.node,
      element("div", { class: "suggestions-title" }, title),
      items.map((item, index) => [
        (item.heading ?? "") !== (items[index - 1]?.heading ?? "") &&
          element("div", { class: item.heading ? "suggestions-heading" : "suggestions-line", role: "presentation" }, item.heading),
        button(
          {
            class: "suggestion",
            role: "option",
            id: `suggestion-${index}`,
            tabindex: "-1",
            data: item.data ?? {},
            on: { click: () => this.#choose(index), pointermove: () => this.#mark(index, false) },
          },
          item.lead,
          element(
            "span",
            { class: "suggestion-text" },
            element("span", { class: "suggestion-label", dir: "auto" }, item.label),
            item.detail && element("span", { class: "muted", dir: "auto" }, item.detail),
          ),
          item.note && element("span", { class: "suggestion-note muted" }, item.note),
        ),
      ]),
      items.length === 0 && element("div", { class: "suggestions-empty muted" }, "Nothing fits."),
    );
    this.node.hidden = false;
    this.node.setAttribute("aria-label", title);
    input.setAttribute("aria-controls", "suggestions");
    if (input.role === "combobox") input.setAttribute("aria-expanded", "true");
    this.#mark(Math.min(chosen, items.length - 1));
  }

  hide() {
    if (!this.isOpen) return;
    this.node.hidden = true;
    this.node.replaceChildren();
    this.#items = [];
    if (this.#input?.role === "combobox") this.#input.setAttribute("aria-expanded", "false");
    this.#input?.removeAttribute("aria-activedescendant");
    this.#input = null;
  }

  /** Takes arrows, Tab, Enter and Esc while the list is open for this field; true if it did. */
  handleKey(event) {
    if (!this.belongsTo(event.target) || event.isComposing) return false;
    if (event.key === "Escape") {
      this.hide();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && this.#items.length > 0) {
      const step = event.key === "ArrowDown" ? 1 : -1;
      const from = this.#index === -1 && step === -1 ? 0 : this.#index;
      this.#mark((from + step + this.#items.length) % this.#items.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && this.#index >= 0) {
      // Tab fills in the choice and then, where there is a next field, moves on by itself.
      this.#choose(this.#index);
    } else {
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #choose(index) {
    const item = this.#items[index];
    const pick = this.#pick;
    this.hide();
    pick(item);
  }

  #mark(index, scroll = true) {
    this.#index = index;
    const entries = this.node.querySelectorAll('[role="option"]');
    entries.forEach((entry, at) => entry.setAttribute("aria-selected", String(at === index)));
    if (index >= 0 && entries[index]) {
      this.#input?.setAttribute("aria-activedescendant", `suggestion-${index}`);
      if (scroll) entries[index].scrollIntoView({ block: "nearest" });
    } else {
      this.#input?.removeAttribute("aria-activedescendant");
    }
  }
}
