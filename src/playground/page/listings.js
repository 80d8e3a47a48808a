// Lists that open in a dialog: pinned messages, all threads of a channel.

import { openDialog } from "./dialog.js";
import { button, element, icon } from "./element.js";
import { MessageView } from "./message.js";
import { loadOlder } from "./session.js";
import { compareIds, world } from "./world.js";

const PAGES_SEARCHED = 20;

/** Pinned messages of the open channel, the newest first; a press jumps to one. */
export async function showPins(actions) {
  const list = element(
    "div",
    { class: "listing" },
    element("p", { class: "muted" }, "Looking through the channel…"),
  );
  const dialog = openDialog({ title: "Pinned messages" }, list);
  // Pins have no list of their own, so older pages are read until the beginning.
  for (let page = 0; page < PAGES_SEARCHED && world.hasOlder; page += 1) await loadOlder();
  const pinned = world.messages.filter((message) => message.pinned).sort((a, b) => compareIds(b.id, a.id));
  list.replaceChildren(
    ...pinned.map((message) => {
      const view = new MessageView({ ...actions, menu: () => {} });
      view.update(message, false);
      view.node.removeAttribute("id");
      const jump = button(
        { class: "button secondary", on: { click: () => (dialog.close(), actions.jumpTo(message.id)) } },
        "Jump",
      );
      return element("div", { class: "pin" }, element("ol", { inert: true }, view.node), jump);
    }),
  );
  if (pinned.length === 0) list.append(element("p", { class: "muted" }, "Nothing is pinned here."));
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
