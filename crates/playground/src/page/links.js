// Which addresses the page follows or loads.

import { element } from "./element.js";

/** The address if it is http or https, else `null`: no `javascript:`, no `data:`. */
export function webAddress(text) {
  try {
    const url = new URL(text);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}

/** A link that opens outside the page and tells the other side nothing. */
export function outsideLink(address, ...label) {
  return element(
    "a",
    { href: address, target: "_blank", rel: "noopener noreferrer nofollow", title: address },
    ...label,
  );
}

/**
 * The address of a stored file on the page's own origin, or `null` if it lies elsewhere. The
 * stand-in writes absolute addresses; the page may have been opened under another loopback name.
 */
export function storedFile(text) {
  const address = webAddress(text);
  if (!address) return null;
  const url = new URL(address);
  const loopback = ["127.0.0.1", "localhost", "[::1]", location.hostname].includes(url.hostname);
  return loopback && url.pathname.startsWith("/attachments/") ? url.pathname + url.search : null;
}
