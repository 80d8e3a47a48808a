// Dialogs over the page. The browser's modal `<dialog>` keeps the focus inside, makes the rest
// inert, closes on Esc and gives the focus back.

import { button, element, icon } from "./element.js";

/**
 * Opens a dialog and returns it. `closeOnBackdrop` is off where typed text could be lost.
 * The node is removed when it closes.
 */
export function openDialog({ title, className = "", closeOnBackdrop = true }, ...content) {
  const id = `dialog-${(openDialog.count = (openDialog.count ?? 0) + 1)}`;
  const close = button(
    { class: "icon-button", "aria-label": "Close", on: { click: () => dialog.close() } },
    icon("close"),
  );
  const dialog = element(
    "dialog",
    { class: `dialog ${className}`, "aria-labelledby": id },
    element("header", { class: "dialog-header" }, element("h2", { id }, title), close),
    ...content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (closeOnBackdrop && event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A picture as large as the window allows. */
export function openImage(address, description) {
  openDialog(
    { title: description, className: "lightbox" },
    element("img", { src: address, alt: description }),
    element("a", { href: address, target: "_blank", rel: "noopener" }, "Open in a new tab"),
  );
}
