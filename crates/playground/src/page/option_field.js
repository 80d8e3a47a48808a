// One option of a slash command as a field. Every kind offers `node`, `focus()`, `isEmpty()` and
// `read()`, which gives `{ value }`, `{ file }` or nothing, and throws a sentence on bad input.

import { fileSize } from "./attachments.js";
import { choiceSource, KIND } from "./choices.js";
import { button, element, icon } from "./element.js";
import { growing } from "./growing.js";
import { offerMentions } from "./mention_list.js";
import { withMentionMarks } from "./mentions.js";

const { STRING, INTEGER, NUMBER, ATTACHMENT } = KIND;
const DEBOUNCE_MS = 200;
/** In an answer every role can be named, whether it may be pinged or not. */
const MENTIONS = { everyRole: true };

/** Makes the field for an option; `tools`: suggestions, autocomplete(option, text), changed(). */
export function optionField(option, tools) {
  if (option.type === ATTACHMENT) return attachmentField(option, tools);
  const source = choiceSource(option, tools);
  return source ? choiceField(option, source, tools) : textField(option, tools);
}

/** What a number or a text may be, for the line above the form; nothing where there is no bound. */
export function boundsOf(option) {
  const numeric = option.type === INTEGER || option.type === NUMBER;
  const [least, most] = numeric
    ? [option.min_value ?? null, option.max_value ?? null]
    : [option.min_length || null, option.max_length ?? null];
  const unit = numeric ? "" : " characters";
  if (least === null && most === null) return "";
  if (most === null) return `at least ${least}${unit}`;
  if (least === null) return `at most ${most}${unit}`;
  return `${least} to ${most}${unit}`;
}

function textInput(tag, option, tools) {
  const numeric = option.type === INTEGER || option.type === NUMBER;
  const input = element(tag, {
    type: tag === "input" ? "text" : null,
    rows: tag === "textarea" ? 1 : null,
    id: `option-${option.name}`,
    name: option.name,
    dir: "auto",
    inputmode: option.type === INTEGER ? "numeric" : numeric ? "decimal" : null,
    autocomplete: "off",
    spellcheck: numeric ? "false" : null,
    "aria-required": option.required ? "true" : null,
    "aria-label": `${option.name}: ${option.description}`,
  });
  input.addEventListener("input", () => {
    // One line as in Discord; a pasted text may be long, so the field grows.
    if (input.value.includes("\n")) input.value = input.value.replaceAll(/\s*\n\s*/g, " ");
    input.removeAttribute("aria-invalid");
    tools.changed();
  });
  return input;
}

function textField(option, tools) {
  const input = textInput("textarea", option, tools);
  growing(input);
  const typed = () => input.dispatchEvent(new Event("input"));
  const offer = () => {
    if (!offerMentions(input, tools.suggestions, typed, MENTIONS)) tools.suggestions.hide();
  };
  if (option.type === STRING) {
    input.addEventListener("input", offer);
    input.addEventListener("click", offer);
    input.addEventListener("blur", () => tools.suggestions.belongsTo(input) && tools.suggestions.hide());
  }
  return {
    node: input,
    focus: () => input.focus(),
    isEmpty: () => !input.value.trim(),
    take(text) {
      input.value = text;
      typed();
    },
    read() {
      const text = input.value;
      if (!text.trim()) return needed(option);
      if (option.type === STRING) return { value: checkLength(option, withMentionMarks(text.trim(), MENTIONS)) };
      return { value: checkNumber(option, text) };
    },
  };
}

function needed(option) {
  if (option.required) throw new Error(`“${option.name}” must be filled in.`);
  return null;
}

function checkLength(option, text) {
  const length = [...text].length;
  if (option.min_length && length < option.min_length)
    throw new Error(`“${option.name}” needs at least ${option.min_length} characters; it has ${length}.`);
  if (option.max_length && length > option.max_length)
    throw new Error(`“${option.name}” may have at most ${option.max_length} characters; it has ${length}.`);
  return text;
}

function checkNumber(option, text) {
  const value = Number(text.trim().replace(",", "."));
  const whole = option.type === INTEGER;
  if (!Number.isFinite(value) || (whole && !Number.isInteger(value)))
    throw new Error(`“${option.name}” must be ${whole ? "a whole number" : "a number"}.`);
  if (option.min_value != null && value < option.min_value)
    throw new Error(`“${option.name}” must be at least ${option.min_value}.`);
  if (option.max_value != null && value > option.max_value)
    throw new Error(`“${option.name}” must be at most ${option.max_value}.`);
  return value;
}

function choiceField(option, source, tools) {
  const input = textInput("input", option, tools);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  let chosen = null;
  let turn = 0;
  let timer = null;

  const typed = () => input.dispatchEvent(new Event("input"));
  const offer = async () => {
    // The field may have been left or removed while the typing paused.
    if (document.activeElement !== input) return;
    const mine = (turn += 1);
    if (option.type === STRING && !source.strict && offerMentions(input, tools.suggestions, typed, MENTIONS)) return;
    // With a choice standing in the field, all others are offered again.
    let found;
    try {
      found = await source.find(chosen && source.strict ? "" : input.value);
    } catch (error) {
      tools.complain(error.message);
      return;
    }
    if (mine !== turn || document.activeElement !== input) return;
    if (found.length === 0 && !source.strict) return tools.suggestions.hide();
    tools.suggestions.show(
      input,
      `${option.name}: ${option.description}`,
      found,
      pick,
      source.strict || chosen ? 0 : -1,
    );
  };
  const pick = (choice) => {
    chosen = choice;
    input.value = choice.label;
    input.removeAttribute("aria-invalid");
    tools.changed();
    input.focus();
    turn += 1;
  };
  input.addEventListener("focus", () => void offer());
  input.addEventListener("click", () => !tools.suggestions.belongsTo(input) && void offer());
  input.addEventListener("input", () => {
    chosen = null;
    clearTimeout(timer);
    timer = setTimeout(() => void offer(), source.strict ? 0 : DEBOUNCE_MS);
  });
  input.addEventListener("blur", () => tools.suggestions.belongsTo(input) && tools.suggestions.hide());

  return {
    node: input,
    focus: () => input.focus(),
    isEmpty: () => !input.value.trim(),
    read() {
      const text = input.value.trim();
      if (!text) return needed(option);
      if (chosen) return { value: chosen.value };
      if (!source.strict)
        return {
          value: option.type === STRING
              ? checkLength(option, withMentionMarks(text, MENTIONS))
              : checkNumber(option, text),
        };
      const plain = (name) => name.toLowerCase().replace(/^@/, "");
      const exact = source.find(text).find((choice) => plain(choice.label) === plain(text));
      if (!exact) throw new Error(`“${option.name}” must be one of the choices in its list.`);
      return { value: exact.value };
    },
  };
}

function attachmentField(option, tools) {
  let file = null;
  const picker = element("input", {
    type: "file",
    class: "visually-hidden",
    tabindex: "-1",
    id: `option-${option.name}`,
    name: option.name,
    "aria-label": option.name,
  });
  const choose = button({
    class: "file-choice",
    "aria-label": `${option.name}: ${option.description}`,
    on: { click: () => picker.click() },
  });
  const show = () =>
    choose.replaceChildren(
      icon("file"),
      file ? `${file.name} · ${fileSize(file.size)}` : "Choose or drop a file",
    );
  picker.addEventListener("change", () => picker.files[0] && set(picker.files[0]));
  const set = (next) => {
    file = next;
    choose.removeAttribute("aria-invalid");
    show();
    tools.changed();
  };
  show();
  return {
    node: element("span", { class: "file-field" }, choose, picker),
    focus: () => choose.focus(),
    isEmpty: () => !file,
    /** Takes a dropped or pasted file. */
    accept: set,
    read: () => (file ? { file } : needed(option)),
  };
}
