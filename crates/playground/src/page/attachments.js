// Files of a message: images in place, everything else as a card with a download.

import { element, icon } from "./element.js";
import { openImage } from "./dialog.js";
import { outsideLink, storedFile, webAddress } from "./links.js";

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/** 1536 -> "1.5 KB". */
export function fileSize(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}

/** Whether a stored attachment can be shown as a picture. */
export function isImage(attachment) {
  return attachment.content_type?.startsWith("image/") && IMAGE.test(attachment.filename);
}

/**
 * A picture that opens large on a click. Pictures from other hosts are named and linked, not
 * loaded: the page fetches nothing from outside.
 */
export function picture(url, { alt, width, height, className }) {
  const address = storedFile(url);
  if (!address) {
    const outside = webAddress(url);
    return (
      outside &&
      outsideLink(
        outside,
        element("span", { class: "outside-image" }, icon("open"), " Picture from outside (not loaded)"),
      )
    );
  }
  const description = alt || "Picture without a description";
  const image = element("img", {
    src: address,
    alt: description,
    width,
    height,
    loading: "lazy",
    decoding: "async",
  });
  return element(
    "button",
    {
      type: "button",
      class: `picture ${className}`,
      "aria-label": `Enlarge: ${description}`,
      on: { click: () => openImage(address, description) },
    },
    image,
  );
}

/** The block of attachments under a message's text. */
export function renderAttachments(attachments) {
  const images = attachments.filter(isImage);
  const files = attachments.filter((attachment) => !isImage(attachment));
  return [
    images.length > 0 &&
      element(
        "div",
        { class: images.length > 1 ? "gallery gallery-many" : "gallery" },
        images.map((image) =>
          picture(image.url, {
            alt: image.description || image.filename,
            width: image.width,
            height: image.height,
            className: "attached",
          }),
        ),
      ),
    files.map(fileCard),
  ];
}

function fileCard(attachment) {
  const address = storedFile(attachment.url);
  return element(
    "div",
    { class: "file-card" },
    icon("file"),
    element(
      "span",
      { class: "file-name" },
      element("span", { class: "name", dir: "auto" }, attachment.filename),
      element(
        "span",
        { class: "muted" },
        fileSize(attachment.size),
        attachment.description ? ` · ${attachment.description}` : "",
      ),
    ),
    address &&
      element(
        "a",
        {
          class: "icon-button",
          href: address,
          download: attachment.filename,
          "aria-label": `Download ${attachment.filename}`,
        },
        icon("download"),
      ),
  );
}
