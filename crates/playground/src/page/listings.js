// Lists that open in a dialog: pinned messages, all threads of a channel.

import { readPins } from "./api.js";
import { openDialog } from "./dialog.js";
import { button, element, fill, icon } from "./element.js";
import { MessageView } from "./message.js";
import { compareIds, mayHere, PERMISSION, world } from "./world.js";

/** Pinned messages of the open channel, the newest pin first; a press jumps to one. */
export async function showPins(actions) {
  const list = element("div", { class: "listing", data: { list: "pins" } }, element("p", { class: "muted" }, "Reading…"));
  const dialog = openDialog({ title: "Pinned messages" }, list);
  let pinned;
  try {
    pinned = await readPins(world.me.id, world.channelId);
  } catch (error) {
    return fill(list, element("p", { class: "form-error", role: "alert" }, error.message));
  }
  fill(
    list,
    pinned.map((message) => pin(message, dialog, actions)),
    pinned.length === 0 && element("p", { class: "muted" }, "Nothing is pinned here."),
  );
}

function pin(message, dialog, actions) {
  const view = new MessageView({ ...actions, menu: () => {} });
  view.update(message, false);
  view.node.removeAttribute("id");
  const jump = button(
    { class: "button secondary", on: { click: () => (dialog.close(), actions.jumpTo(message.id)) } },
    "Jump",
  );
  const unpin = button(
    {
      class: "button quiet",
      on: { click: () => actions.pin(message, false).then(() => unpin.closest(".pin").remove()) },
    },
    "Unpin",
  );
  return element(
    "div",
    { class: "pin", data: { messageId: message.id } },
    element("ol", { inert: true }, view.node),
    element("div", { class: "pin-actions" }, mayHere(PERMISSION.pinMessages) && unpin, jump),
  );
}

/** Every thread of a channel, archived ones too. */
export function showThreads(channel, actions) {
  const all = [...(channel.threads ?? [])].sort((a, b) => compareIds(b.id, a.id));
  const dialog = openDialog(
    { title: `Threads in #${channel.name}` },
    element(
      "div",
      { class: "listing" },
      all.map((thread) =>
        button(
          { class: "thread-card", on: { click: () => (dialog.close(), actions.openChannel(thread.id)) } },
          icon("thread"),
          element("span", { class: "thread-name", dir: "auto" }, thread.name),
          element(
            "span",
            { class: "thread-count" },
            `${thread.thread_metadata?.archived ? "archived · " : ""}${thread.message_count ?? 0} messages ›`,
          ),
        ),
      ),
      all.length === 0 && element("p", { class: "muted" }, "No threads yet."),
    ),
  );
}
