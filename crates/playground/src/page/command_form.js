// A chosen slash command with its options: required ones first, optional ones to be added. The
// form lives until the command was accepted, so that an error or a detour loses nothing.

import { autocomplete } from "./api.js";
import { nestedOptions } from "./commands.js";
import { button, element, fill, icon } from "./element.js";
import { boundsOf, optionField } from "./option_field.js";
import { world } from "./world.js";

const TEXT = 3;
const ATTACHMENT = 11;

export class CommandForm {
  #fields = new Map();

  /** `host`: suggestions, submit(form), cancel(), complain(sentence). */
  constructor(entry, host) {
    this.entry = entry;
    this.host = host;
    this.chips = element("div", { class: "chips" });
    this.hint = element("p", { class: "form-hint muted", "aria-live": "polite" });
    this.optional = element("div", { class: "optional", role: "group", "aria-label": "Optional parts" });
    this.submitButton = element(
      "button",
      { type: "submit", class: "icon-button send", "aria-label": `Send /${entry.name}` },
      icon("send"),
    );
    this.node = element(
      "form",
      {
        class: "command-form",
        "aria-label": `Command /${entry.name}`,
        novalidate: true,
        data: { command: entry.name },
      },
      this.hint,
      element(
        "div",
        { class: "command-line" },
        element(
          "span",
          { class: "command-chip" },
          `/${entry.name}`,
          button(
            {
              class: "icon-button small",
              "aria-label": "Cancel the command",
              on: { click: () => host.cancel() },
            },
            icon("close"),
          ),
        ),
        this.chips,
        this.submitButton,
      ),
      this.optional,
    );
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      host.submit(this);
    });
    this.node.addEventListener("keydown", (event) => this.#key(event));
    const sorted = [...entry.options].sort(
      (a, b) => Number(Boolean(b.required)) - Number(Boolean(a.required)),
    );
    for (const option of sorted) if (option.required) this.#add(option);
    // Where nothing has to be given, a text that leads the list is what most people want to say. Left empty, it is not sent.
    const [first] = sorted;
    if (first && !first.required && first.type === TEXT && !first.choices?.length) this.#add(first);
    this.#showOptional();
    this.#showHint(null);
  }

  focus() {
    const first =
      [...this.#fields.values()].find(({ field }) => field.isEmpty()) ?? [...this.#fields.values()][0];
    (first?.field ?? this.submitButton).focus();
  }

  isEmpty() {
    return [...this.#fields.values()].every(({ field }) => field.isEmpty());
  }

  /** A dropped or pasted file goes to the first attachment option that is free; false if none is. */
  accept(file) {
    const option = this.entry.options.find(
      (option) => option.type === ATTACHMENT && (this.#fields.get(option.name)?.field.isEmpty() ?? true),
    );
    if (!option) return false;
    if (!this.#fields.has(option.name)) this.#add(option);
    this.#fields.get(option.name).field.accept(file);
    return true;
  }

  /** Puts a text into a box by its option's name. */
  fill(name, text) {
    const option = this.entry.options.find((option) => option.name === name);
    if (!option) return;
    if (!this.#fields.has(name)) this.#add(option);
    this.#fields.get(name).field.take(text);
  }

  /** Text typed after the command's name becomes the first free text that is still empty. */
  take(text) {
    const free = [...this.#fields.values()].find(({ field }) => field.take && field.isEmpty());
    free?.field.take(text);
  }

  /** The interaction's options and files; throws a sentence and marks the field on bad input. */
  read() {
    const options = [];
    const files = new Map();
    for (const { option, field } of this.#fields.values()) {
      try {
        const answer = field.read();
        if (answer?.file) {
          files.set(option.name, answer.file);
          options.push({ name: option.name, type: option.type });
        } else if (answer) {
          options.push({ name: option.name, type: option.type, value: answer.value });
        }
      } catch (error) {
        const control = field.node.matches("textarea, input")
          ? field.node
          : field.node.querySelector("button");
        control.setAttribute("aria-invalid", "true");
        field.focus();
        throw error;
      }
    }
    return { options: nestedOptions(this.entry, options), files };
  }

  busy(on) {
    this.submitButton.setAttribute("aria-busy", String(on));
    this.submitButton.disabled = on;
  }

  #add(option) {
    const field = optionField(option, {
      suggestions: this.host.suggestions,
      autocomplete: (focused, text) => this.#autocomplete(focused, text),
      changed: () => this.host.complain(""),
      complain: (sentence) => this.host.complain(sentence),
    });
    const remove =
      !option.required &&
      button(
        {
          class: "icon-button small",
          "aria-label": `Remove ${option.name}`,
          on: { click: () => this.#remove(option) },
        },
        icon("close"),
      );
    const chip = element(
      "div",
      { class: "chip", data: { option: option.name } },
      element("label", { for: `option-${option.name}` }, option.name),
      field.node,
      remove,
    );
    chip.addEventListener("focusin", () => this.#showHint(option));
    this.#fields.set(option.name, { option, field, chip });
    this.chips.append(chip);
    this.#showOptional();
  }

  #remove(option) {
    this.#fields.get(option.name).chip.remove();
    this.#fields.delete(option.name);
    this.#showOptional();
    this.#showHint(null);
    this.focus();
  }

  #showOptional() {
    const rest = this.entry.options.filter((option) => !this.#fields.has(option.name));
    fill(
      this.optional,
      rest.map((option) =>
        button(
          {
            class: "add-option",
            title: option.description,
            data: { addOption: option.name },
            on: {
              click: () => {
                this.#add(option);
                this.#fields.get(option.name).field.focus();
              },
            },
          },
          icon("plus"),
          option.name,
        ),
      ),
    );
    this.optional.hidden = rest.length === 0;
  }

  #showHint(option) {
    fill(
      this.hint,
      option
        ? [
            element("strong", {}, option.name),
            option.required ? "" : " (optional)",
            ` · ${option.description}`,
            boundsOf(option) && ` (${boundsOf(option)})`,
          ]
        : this.entry.description,
    );
  }

  #key(event) {
    if (this.host.suggestions.handleKey(event) || event.isComposing) return;
    if (event.key === "Enter" && event.target.matches("textarea, input")) {
      event.preventDefault();
      this.node.requestSubmit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.host.cancel();
    } else if (
      event.key === "Backspace" &&
      event.target.matches("textarea, input") &&
      event.target.value === "" &&
      this.isEmpty()
    ) {
      event.preventDefault();
      this.host.cancel();
    }
  }

  #autocomplete(focused, text) {
    const values = [];
    for (const { option, field } of this.#fields.values()) {
      if (option === focused) {
        values.push({ name: option.name, type: option.type, value: text, focused: true });
      } else if (!field.isEmpty() && option.type !== ATTACHMENT) {
        try {
          values.push({ name: option.name, type: option.type, value: field.read().value });
        } catch {
          // Another field that is not right yet simply does not take part.
        }
      }
    }
    return autocomplete({
      as: world.me.id,
      channel_id: world.channelId,
      command_id: this.entry.command.id,
      options: nestedOptions(this.entry, values),
    });
  }
}
