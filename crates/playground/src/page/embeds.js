// Embeds as Discord draws them.

import { picture } from "./attachments.js";
import { element } from "./element.js";
import { renderInline } from "./inline.js";
import { outsideLink, storedFile, webAddress } from "./links.js";
import { renderMarkdown } from "./markdown.js";
import { messageTime } from "./timestamp.js";

/** `attachment://name` as the address of the message's own file of that name. */
export function resolveImage(url, attachments = []) {
  if (!url?.startsWith("attachment://")) return url;
  const name = url.slice("attachment://".length);
  return attachments.find((attachment) => attachment.filename === name)?.url ?? url;
}

/** The addresses of files that the embeds show, which therefore do not appear a second time. */
export function embeddedAddresses(embeds, attachments) {
  const shown = new Set();
  for (const embed of embeds) {
    for (const image of [
      embed.image?.url,
      embed.thumbnail?.url,
      embed.author?.icon_url,
      embed.footer?.icon_url,
    ]) {
      if (image) shown.add(resolveImage(image, attachments));
    }
  }
  return shown;
}

/** One embed of a message. */
export function renderEmbed(embed, message, context) {
  const alt = embed.image?.description || embed.title || "Picture of this card";
  const images = message.attachments ?? [];
  const imageUrl = resolveImage(embed.image?.url, images);
  const described = images.find((attachment) => attachment.url === imageUrl)?.description;
  const thumbnailUrl = resolveImage(embed.thumbnail?.url, images);
  const colour =
    Number.isInteger(embed.color) && embed.color > 0 ? `#${embed.color.toString(16).padStart(6, "0")}` : null;
  return element(
    "article",
    {
      class: thumbnailUrl ? "embed with-thumbnail" : "embed",
      vars: colour ? { "--embed-colour": colour } : {},
    },
    element(
      "div",
      { class: "embed-text" },
      embed.provider?.name && element("div", { class: "embed-provider" }, embed.provider.name),
      author(embed.author, images),
      title(embed, context),
      embed.description &&
        element("div", { class: "embed-description" }, renderMarkdown(embed.description, context)),
      fields(embed.fields ?? [], context),
    ),
    thumbnailUrl &&
      picture(thumbnailUrl, {
        alt: "Thumbnail",
        width: embed.thumbnail.width,
        height: embed.thumbnail.height,
        className: "thumbnail",
      }),
    imageUrl &&
      picture(imageUrl, {
        alt: described || alt,
        width: embed.image.width,
        height: embed.image.height,
        className: "embed-image",
      }),
    footer(embed),
  );
}

function smallIcon(url, attachments) {
  const address = url && storedFile(resolveImage(url, attachments));
  return address && element("img", { class: "small-icon", src: address, alt: "" });
}

function author(author, attachments) {
  if (!author?.name) return null;
  const address = author.url && webAddress(author.url);
  return element(
    "div",
    { class: "embed-author" },
    smallIcon(author.icon_url, attachments),
    address ? outsideLink(address, author.name) : author.name,
  );
}

function title(embed, context) {
  if (!embed.title) return null;
  const address = embed.url && webAddress(embed.url);
  const text = renderInline(embed.title, { ...context, noMentions: true, noLinks: Boolean(address) });
  return element("h4", { class: "embed-title" }, address ? outsideLink(address, text) : text);
}

/** Inline fields stand up to three in a row; a field that is not inline takes a row alone. */
function fields(all, context) {
  if (all.length === 0) return null;
  const rows = [];
  for (const field of all) {
    const last = rows.at(-1);
    if (field.inline && last?.inline && last.fields.length < 3) last.fields.push(field);
    else rows.push({ inline: field.inline, fields: [field] });
  }
  return element(
    "div",
    { class: "embed-fields" },
    rows.map((row) =>
      element(
        "div",
        { class: "embed-row" },
        row.fields.map((field) =>
          element(
            "div",
            { class: "embed-field" },
            element("div", { class: "embed-field-name" }, renderInline(field.name, { ...context, noMentions: true })),
            renderMarkdown(field.value, context),
          ),
        ),
      ),
    ),
  );
}

function footer(embed) {
  const parts = [embed.footer?.text, embed.timestamp && messageTime(embed.timestamp)].filter(Boolean);
  return (
    parts.length > 0 &&
    element("div", { class: "embed-footer" }, smallIcon(embed.footer?.icon_url), parts.join(" • "))
  );
}
