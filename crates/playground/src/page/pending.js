// Commands on their way to the bot, shown above the message box.

import { button, element, fill, icon } from "./element.js";
import { acknowledged } from "./interactions.js";

export class PendingCommands {
  constructor() {
    this.node = element("div", { class: "pending", "aria-live": "polite" });
  }

  /** Shows a command until the bot acknowledged it; if it did not, `again` gives it back. */
  async follow(interactionId, name, again) {
    const note = element("p", { class: "pending-note" }, `Sending /${name}…`);
    this.node.append(note);
    const failure = await acknowledged(interactionId);
    if (!failure) return note.remove();
    note.classList.add("failed");
    const retry = () => {
      note.remove();
      again();
    };
    fill(
      note,
      element("span", {}, `/${name}: ${failure}`),
      button({ class: "link", on: { click: retry } }, "Edit and send again"),
      button(
        { class: "icon-button small", "aria-label": "Dismiss", on: { click: () => note.remove() } },
        icon("close"),
      ),
    );
  }
}
