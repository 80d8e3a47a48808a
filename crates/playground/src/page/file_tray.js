// Files chosen for a message and not sent yet.

import { fileSize } from "./attachments.js";
import { button, element, fill, icon } from "./element.js";

const MOST_FILES = 10;

export class FileTray {
  #addresses = [];

  constructor() {
    this.files = [];
    this.node = element("ul", { class: "file-tray", "aria-label": "Files to send", hidden: true });
  }

  /** Shows another list of files (that of another channel's draft). */
  show(files) {
    this.files = files;
    this.#draw();
  }

  /** Adds files; a sentence if not all found room. */
  add(files) {
    const room = MOST_FILES - this.files.length;
    this.files.push(...files.slice(0, room));
    this.#draw();
    return files.length > room
      ? `A message carries at most ${MOST_FILES} files; the others were left out.`
      : "";
  }

  #draw() {
    this.#addresses.forEach((address) => URL.revokeObjectURL(address));
    this.#addresses = [];
    this.node.hidden = this.files.length === 0;
    fill(
      this.node,
      this.files.map((file) => this.#entry(file)),
    );
  }

  #entry(file) {
    let preview = icon("file");
    if (file.type.startsWith("image/")) {
      const address = URL.createObjectURL(file);
      this.#addresses.push(address);
      preview = element("img", { src: address, alt: "" });
    }
    const remove = () => {
      this.files.splice(this.files.indexOf(file), 1);
      this.#draw();
    };
    return element(
      "li",
      {},
      preview,
      element(
        "span",
        { class: "file-name" },
        element("span", { class: "name" }, file.name),
        element("span", { class: "muted" }, fileSize(file.size)),
      ),
      button(
        { class: "icon-button", "aria-label": `Remove ${file.name}`, on: { click: remove } },
        icon("close"),
      ),
    );
  }
}
