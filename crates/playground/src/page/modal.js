// A form the bot opens in answer to an interaction.

import { sendModal } from "./api.js";
import { openDialog } from "./dialog.js";
import { button, element, fill } from "./element.js";
import { acknowledged } from "./interactions.js";
import { renderMarkdown } from "./markdown.js";
import { compareIds, displayName, mentionableUsers, world } from "./world.js";

const ROW = 1;
const SELECT = 3;
const TEXT_INPUT = 4;
const USER_SELECT = 5;
const TEXT_DISPLAY = 10;
const LABEL = 18;
const PARAGRAPH = 2;

/** Opens the form of an interaction, and sends it when it is complete. */
export function openModal(interactionId, modal) {
  openForm({ title: modal.title, components: modal.components }, async (components) => {
    const answer = await sendModal({
      as: world.me.id,
      interaction_id: interactionId,
      custom_id: modal.custom_id,
      components,
    });
    const failure = await acknowledged(answer.interaction_id);
    if (failure) throw new Error(`Something went wrong: ${failure} What you wrote is still here.`);
  });
}

/**
 * Opens a form of Discord's components and hands on what was filled in, as it is sent to the bot, once it is complete. What
 * was typed stays on any failure.
 */
export function openForm({ title, components, send: sendLabel = "Submit" }, send) {
  const fields = components.map(field);
  const problem = element("p", { class: "form-error", role: "alert" });
  const submit = element("button", { type: "submit", class: "button primary" }, sendLabel);
  const cancel = button({ class: "button quiet", on: { click: () => dialog.close() } }, "Cancel");
  const form = element(
    "form",
    { class: "modal-form", novalidate: true },
    element(
      "div",
      { class: "modal-fields" },
      fields.map((entry) => entry.node),
    ),
    problem,
    element("footer", { class: "modal-footer" }, cancel, submit),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wrong = fields.filter((entry) => entry.mark());
    fill(problem, wrong.length > 1 && `${wrong.length} boxes are not right yet. `, wrong[0]?.complaint());
    if (wrong.length > 0) return wrong[0].input.focus();
    if (submit.getAttribute("aria-busy") === "true") return;
    submit.setAttribute("aria-busy", "true");
    try {
      await send(fields.map((entry) => entry.read()).filter(Boolean));
      dialog.close();
    } catch (error) {
      fill(problem, error.message);
    }
    submit.removeAttribute("aria-busy");
  });
  const dialog = openDialog({ title, className: "modal", closeOnBackdrop: false }, form);
  fields.find((entry) => entry.input)?.input.focus();
}

/** What is only there to be read: nothing to fill in, nothing to be wrong. */
const silent = (node) => ({ node, complaint: () => null, mark: () => false, read: () => null });

function field(component) {
  const inner =
    component.type === ROW
      ? component.components[0]
      : component.type === LABEL
        ? component.component
        : component;
  if (inner.type === TEXT_DISPLAY) return silent(renderMarkdown(inner.content));
  const label = inner.label ?? component.label;
  if (component.type === LABEL && [SELECT, USER_SELECT].includes(inner.type)) {
    return choice(inner, label, component.description);
  }
  if (inner.type !== TEXT_INPUT) {
    const note = `(component of type ${inner.type}, which the playground does not draw)`;
    return silent(element("p", { class: "muted" }, note));
  }
  const wrap = (value) => {
    const answer = { type: TEXT_INPUT, custom_id: inner.custom_id, value };
    return component.type === LABEL
      ? { type: LABEL, component: answer }
      : { type: ROW, components: [answer] };
  };
  return textField(inner, label, component.description, wrap);
}

function textField(component, label, description, wrap) {
  const required = component.required !== false;
  const least = component.min_length ?? 0;
  const most = component.max_length ?? 4000;
  const id = `modal-${component.custom_id}`;
  const input = element(component.style === PARAGRAPH ? "textarea" : "input", {
    id,
    name: component.custom_id,
    type: component.style === PARAGRAPH ? null : "text",
    rows: component.style === PARAGRAPH ? 5 : null,
    placeholder: component.placeholder,
    maxlength: most,
    required,
    autocomplete: "off",
    dir: "auto",
    "aria-describedby": `${id}-wrong ${id}-count`,
  });
  input.value = component.value ?? "";
  const count = element("span", { class: "muted", id: `${id}-count` });
  const showCount = () =>
    (count.textContent = `${[...input.value].length} of ${most}${least > 0 ? `, at least ${least}` : ""}`);
  input.addEventListener("input", showCount);
  showCount();
  const complaint = () => {
    const length = [...input.value].length;
    if (required && !input.value.trim()) return `“${label}” must be filled in.`;
    if (length > 0 && length < least)
      return `“${label}” needs at least ${least} characters; it has ${length}.`;
    if (length > most) return `“${label}” may have at most ${most} characters; it has ${length}.`;
    return null;
  };
  const { wrong, mark } = marking(input, id, complaint);
  return {
    input,
    node: element(
      "div",
      { class: "modal-field" },
      fieldLabel("label", { for: id }, label, required),
      description && element("span", { class: "muted" }, description),
      input,
      element("span", { class: "modal-below" }, wrong, count),
    ),
    complaint,
    mark,
    read: () => wrap(input.value),
  };
}

/** What says that an input is not right, and the function that looks; afterwards it looks at every change. */
function marking(input, id, complaint) {
  const wrong = element("span", { class: "form-error", id: `${id}-wrong` });
  const mark = () => {
    const sentence = complaint();
    fill(wrong, sentence);
    if (sentence) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    return Boolean(sentence);
  };
  input.addEventListener("input", () => input.hasAttribute("aria-invalid") && mark());
  return { wrong, mark };
}

/** A list in a form, of options or of the server's members: the browser's own, which a phone opens large. */
function choice(component, label, description) {
  const required = component.required !== false;
  const most = component.max_values ?? 1;
  const least = component.min_values ?? 1;
  const id = `modal-${component.custom_id}`;
  const options = component.type === USER_SELECT ? memberOptions(component) : (component.options ?? []);
  const input = element(
    "select",
    {
      id,
      name: component.custom_id,
      multiple: most > 1,
      required,
      "aria-describedby": `${id}-about ${id}-wrong`,
    },
    most === 1 && element("option", { value: "" }, component.placeholder || "Nothing chosen"),
    options.map((option) =>
      element(
        "option",
        { value: option.value, selected: Boolean(option.default) },
        option.description ? `${option.label} — ${option.description}` : option.label,
      ),
    ),
  );
  const values = () => [...input.selectedOptions].map((option) => option.value).filter(Boolean);
  const complaint = () => {
    const count = values().length;
    if (count === 0 && !required) return null;
    if (count === 0) return `“${label}” must be chosen.`;
    return count < least || count > most ? `“${label}” takes ${least} to ${most}; it has ${count}.` : null;
  };
  const { wrong, mark } = marking(input, id, complaint);
  return {
    input,
    node: element(
      "div",
      { class: "modal-field" },
      fieldLabel("label", { for: id }, label, required),
      element("span", { class: "muted", id: `${id}-about` }, description),
      input,
      element("span", { class: "modal-below" }, wrong),
    ),
    complaint,
    mark,
    read: () => ({
      type: LABEL,
      component: { type: component.type, custom_id: component.custom_id, values: values() },
    }),
  };
}

/** Everybody on the server, by the name that people see. */
function memberOptions(component) {
  const chosen = (component.default_values ?? []).map((value) => value.id);
  const people = mentionableUsers().map((user) => ({
    value: user.id,
    label: displayName(user),
    description: `@${user.username}`,
    default: chosen.includes(user.id),
  }));
  return people.sort((a, b) => a.label.localeCompare(b.label) || compareIds(a.value, b.value));
}

function fieldLabel(tag, attributes, label, required) {
  return element(
    tag,
    { class: "modal-label", ...attributes },
    label,
    required && element("span", { class: "required", title: "Required" }, " *"),
  );
}
