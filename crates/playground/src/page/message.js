// One message. Its parts are redrawn one by one and only when their data changed, so that an
// edit of a status card does not take the focus from its buttons or close an open select.

import { renderAttachments } from "./attachments.js";
import { avatar, nameTag } from "./avatar.js";
import { messageCommands } from "./commands.js";
import { renderComponents } from "./components.js";
import { embeddedAddresses, renderEmbed } from "./embeds.js";
import { button, element, fill, icon } from "./element.js";
import { keepingFocus } from "./focus.js";
import { renderInline } from "./inline.js";
import { renderMarkdown } from "./markdown.js";
import { clockTime, messageTime } from "./timestamp.js";
import { compareIds, displayName, haveRole, world } from "./world.js";

const SUPPRESS_EMBEDS = 1 << 2;
const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const GROUP_WINDOW_MS = 7 * 60_000;
/** Interaction type of a command; presses and forms are not shown as "used". */
const COMMAND = 2;
/** Type of a message that answers a command from a message's menu, whose name stands without a slash. */
const CONTEXT_MENU_ANSWER = 23;
const SYSTEM_TEXT = {
  4: (message) => `renamed this to: ${message.content}`,
  6: (message, actions) => pinnedNotice(message, actions),
  7: () => "joined the server.",
  18: (message) => `started a thread: ${message.content}`,
};

/** Whether it is a notice by Discord itself. */
export const isNotice = (message) => message.type in SYSTEM_TEXT;
export const isEphemeral = (message) => Boolean(message.flags & EPHEMERAL || message.ephemeral_for);
export const isLoading = (message) => Boolean(message.loading || message.flags & LOADING);

/** Whether a message continues the group of the one before it: no avatar and name again. */
export function continuesGroup(message, before) {
  return (
    before &&
    before.author.id === message.author.id &&
    !(message.type in SYSTEM_TEXT) &&
    !(before.type in SYSTEM_TEXT) &&
    !message.referenced_message &&
    !message.interaction_metadata &&
    isEphemeral(before) === isEphemeral(message) &&
    new Date(message.timestamp) - new Date(before.timestamp) < GROUP_WINDOW_MS
  );
}

/** Whether the message names the member who is looking. */
export function mentionsMe(message) {
  if (message.author.id === world.me?.id) return false;
  return (
    message.mention_everyone ||
    (message.mentions ?? []).some((user) => user.id === world.me?.id) ||
    (message.mention_roles ?? []).some(haveRole)
  );
}

/** The node of a message, kept for the message's life. */
export class MessageView {
  #drawn = new Map();
  #slots = {};

  /** `actions`: openChannel, openCommand, reply, menu, apps, dismiss, jumpTo. */
  constructor(actions) {
    this.actions = actions;
    for (const name of [
      "reference",
      "side",
      "byline",
      "content",
      "attachments",
      "embeds",
      "components",
      "thread",
      "privacy",
      "toolbar",
    ]) {
      this.#slots[name] = element("div", { class: `message-${name}` });
    }
    const { reference, side, toolbar, ...body } = this.#slots;
    this.node = element(
      "li",
      { class: "message" },
      reference,
      side,
      element("div", { class: "message-body" }, Object.values(body)),
      toolbar,
    );
    this.node.addEventListener("contextmenu", (event) => {
      // Links and selected text keep the browser's own menu.
      if (event.target.closest("a, input, textarea") || getSelection()?.toString()) return;
      event.preventDefault();
      const at = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : this.node;
      this.actions.menu(this.message, at);
    });
  }

  update(message, grouped) {
    this.message = message;
    const { node } = this;
    node.id = `message-${message.id}`;
    node.dataset.messageId = message.id;
    node.classList.toggle("grouped", Boolean(grouped));
    node.classList.toggle("ephemeral", isEphemeral(message));
    node.classList.toggle("mentions-me", Boolean(mentionsMe(message)));
    node.classList.toggle("system", message.type in SYSTEM_TEXT);

    const context = {
      mentions: message.mentions,
      everyone: message.mention_everyone,
      onChannel: this.actions.openChannel,
      onCommand: this.actions.openCommand,
      actions: this.actions,
    };
    const embeds = message.flags & SUPPRESS_EMBEDS ? [] : (message.embeds ?? []);
    const inEmbeds = embeddedAddresses(embeds, message.attachments ?? []);
    const attachments = (message.attachments ?? []).filter((file) => !inEmbeds.has(file.url));

    this.#draw(
      "reference",
      [message.referenced_message, message.interaction_metadata, message.type === 19],
      () => this.#reference(message),
    );
    this.#draw("side", [message.author, message.timestamp, grouped, message.pinned], () =>
      grouped
        ? [
            element("time", { class: "clock", datetime: message.timestamp }, clockTime(message.timestamp)),
            message.pinned && pinnedMark(),
          ]
        : avatar(message.author),
    );
    this.#draw("byline", [message.author, message.timestamp, message.pinned], () => byline(message));
    this.#draw(
      "content",
      [message.content, message.edited_timestamp, message.type, isLoading(message), message.mentions],
      () => content(message, context),
    );
    this.#draw("attachments", [attachments], () => renderAttachments(attachments));
    this.#draw("embeds", [embeds, message.attachments], () =>
      embeds.map((embed) => renderEmbed(embed, message, context)),
    );
    this.#draw("components", [message.components], () => renderComponents(message));
    this.#draw("thread", [message.thread], () => message.thread && this.#threadCard(message.thread));
    this.#draw("privacy", [isEphemeral(message)], () => isEphemeral(message) && this.#privacy());
    const apps = messageCommands().length > 0;
    this.#draw("toolbar", [apps], () => this.#toolbar(apps));
  }

  #draw(name, data, build) {
    const key = JSON.stringify(data);
    if (this.#drawn.get(name) === key) return;
    this.#drawn.set(name, key);
    const slot = this.#slots[name];
    keepingFocus(slot, () => fill(slot, build()));
    slot.hidden = !slot.hasChildNodes();
  }

  #reference(message) {
    const metadata = message.interaction_metadata;
    if (metadata?.name && (metadata.type ?? COMMAND) === COMMAND) {
      return element(
        "span",
        { class: "reference-line" },
        avatar(metadata.user, "tiny"),
        nameTag(metadata.user),
        " used ",
        element(
          "span",
          { class: "command-name" },
          message.type === CONTEXT_MENU_ANSWER ? metadata.name : `/${metadata.name}`,
        ),
      );
    }
    const original = message.referenced_message;
    if (!original)
      return (
        message.type === 19 && element("span", { class: "reference-line" }, "Original message was deleted")
      );
    const excerpt = original.content ||
      original.embeds?.[0]?.title ||
      original.embeds?.[0]?.description ||
      "Click to see the message";
    return button(
      { class: "reference-line", on: { click: () => this.actions.jumpTo(original.id) } },
      avatar(original.author, "tiny"),
      nameTag(original.author),
      element(
        "span",
        { class: "reference-text" },
        renderInline(excerpt.slice(0, 200).replaceAll("\n", " "), {
          mentions: original.mentions,
          noLinks: true,
        }),
      ),
    );
  }

  #threadCard(thread) {
    const count = thread.message_count ?? 0;
    return button(
      {
        class: "thread-card",
        data: { channelId: thread.id },
        on: { click: () => this.actions.openChannel(thread.id) },
      },
      icon("thread"),
      element("span", { class: "thread-name", dir: "auto" }, thread.name),
      element("span", { class: "thread-count" }, `${count} ${count === 1 ? "message" : "messages"} ›`),
    );
  }

  #privacy() {
    return [
      icon("eye"),
      "Only you can see this · ",
      button(
        { class: "link", on: { click: () => this.actions.dismiss(this.message.id) } },
        "Dismiss message",
      ),
    ];
  }

  #toolbar(apps) {
    const opens = (open) => (event) => open(this.message, event.currentTarget);
    return [
      button(
        {
          class: "icon-button",
          "aria-label": "Reply",
          on: { click: () => this.actions.reply(this.message) },
        },
        icon("reply"),
      ),
      apps &&
        button(
          {
            class: "icon-button apps-button",
            "aria-label": "Apps",
            title: "Apps",
            "aria-haspopup": "menu",
            on: { click: opens(this.actions.apps) },
          },
          icon("apps"),
        ),
      button(
        {
          class: "icon-button more-button",
          "aria-label": apps ? "More actions and apps" : "More actions",
          "aria-haspopup": "menu",
          on: { click: opens(this.actions.menu) },
        },
        icon("more"),
      ),
    ];
  }
}

function byline(message) {
  return [
    element("h3", {}, nameTag(message.author)),
    element("time", { datetime: message.timestamp }, messageTime(message.timestamp)),
    message.pinned && pinnedMark(),
  ];
}

function pinnedMark() {
  return element(
    "span",
    { class: "pinned-mark", title: "Pinned" },
    icon("pin"),
    element("span", { class: "visually-hidden" }, "Pinned"),
  );
}

function pinnedNotice(message, actions) {
  const pinned = message.message_reference?.message_id;
  return [
    "pinned ",
    button({ class: "link", on: { click: () => actions.jumpTo(pinned) } }, "a message"),
    " to this channel. See all ",
    button({ class: "link", on: { click: () => actions.showPins?.() } }, "pinned messages"),
    ".",
  ];
}

function content(message, context) {
  if (message.type in SYSTEM_TEXT)
    return element("div", { class: "markdown system-text" }, SYSTEM_TEXT[message.type](message, context.actions));
  if (isLoading(message)) {
    return element(
      "div",
      { class: "thinking" },
      element("span", { class: "dots", "aria-hidden": "true" }, element("i"), element("i"), element("i")),
      `${displayName(message.author)} is thinking…`,
    );
  }
  const edited =
    message.edited_timestamp &&
    element("span", { class: "edited", title: messageTime(message.edited_timestamp) }, "(edited)");
  if (!message.content) return null;
  const text = renderMarkdown(message.content, context);
  const last = text.lastElementChild;
  if (edited) (last?.classList.contains("text") ? last : text).append(edited);
  return text;
}

/** Messages in the order of their ids, without those of `ids`. */
export function ordered(messages, hidden) {
  return messages.filter((message) => !hidden.has(message.id)).sort((a, b) => compareIds(a.id, b.id));
}
