// Buttons and selects under a message.

import { sendComponent } from "./api.js";
import { channelChoices, roleChoices, userChoices } from "./choices.js";
import { button, element, icon } from "./element.js";
import { emojiText } from "./emoji.js";
import { acknowledged } from "./interactions.js";
import { webAddress } from "./links.js";
import { selectMenu } from "./select.js";
import { world } from "./world.js";

const ROW = 1;
const BUTTON = 2;
const SELECT = 3;
/** Selects that the page fills itself: users, roles, both, channels. */
const FILLED = {
  5: userChoices,
  6: roleChoices,
  7: () => [...userChoices(), ...roleChoices()],
  8: channelChoices,
};
const LINK = 5;
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };

/** The rows of components of a message; what is not known here is named, not hidden. */
export function renderComponents(message) {
  return (message.components ?? []).map((row) =>
    element(
      "div",
      { class: "component-row" },
      (row.type === ROW ? row.components : [row]).map((component) => renderComponent(component, message)),
    ),
  );
}

function renderComponent(component, message) {
  if (component.type === BUTTON)
    return component.style === LINK ? linkButton(component) : pushButton(component, message);
  if (component.type === SELECT || component.type in FILLED) {
    return selectMenu(withOptions(component), (node, values) =>
      send(node, message, { custom_id: component.custom_id, component_type: component.type, values }),
    );
  }
  return element(
    "span",
    { class: "muted" },
    `(component of type ${component.type}, which the playground does not draw)`,
  );
}

function withOptions(component) {
  if (component.type === SELECT) return component;
  const chosen = (component.default_values ?? []).map((entry) => entry.id);
  const options = FILLED[component.type]().map(({ label, value, detail }) => ({
    label,
    value,
    description: detail,
    default: chosen.includes(value),
  }));
  return { ...component, options };
}

function linkButton(component) {
  const address = webAddress(component.url);
  return element(
    "a",
    {
      class: "button secondary",
      href: address,
      target: "_blank",
      rel: "noopener noreferrer",
      "aria-disabled": component.disabled || !address ? "true" : null,
    },
    emojiText(component.emoji),
    component.label,
    icon("open"),
  );
}

function pushButton(component, message) {
  const node = button(
    {
      class: `button ${STYLES[component.style] ?? "secondary"}`,
      disabled: component.disabled,
      "aria-label": component.label ? null : component.emoji?.name,
      data: { customId: component.custom_id },
      on: { click: () => send(node, message, { custom_id: component.custom_id, component_type: BUTTON }) },
    },
    emojiText(component.emoji),
    component.label && element("span", {}, component.label),
  );
  return node;
}

/** Sends the interaction and shows on the control that it is under way. */
async function send(node, message, payload) {
  if (node.getAttribute("aria-busy") === "true") return;
  // The row may be drawn anew while the answer is on its way; the message's node stays.
  const view = node.closest(".message") ?? document.getElementById(`message-${message.id}`);
  view?.querySelector(":scope .component-failure")?.remove();
  node.setAttribute("aria-busy", "true");
  let failure;
  try {
    const answer = await sendComponent({
      as: world.me.id,
      channel_id: message.channel_id,
      message_id: message.id,
      ...payload,
    });
    failure = await acknowledged(answer.interaction_id);
  } catch (error) {
    failure = error.message;
  }
  node.removeAttribute("aria-busy");
  if (failure) {
    view
      ?.querySelector(".message-body")
      ?.append(element("p", { class: "component-failure", role: "alert" }, failure));
  }
}
