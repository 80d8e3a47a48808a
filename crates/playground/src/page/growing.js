// Text fields as tall as their text, for browsers without `field-sizing`.

const NATIVE = CSS.supports("field-sizing", "content");

/** Makes a text area grow with what is typed. */
export function growing(textarea) {
  if (NATIVE) return;
  textarea.addEventListener("input", () => {
    textarea.style.height = "auto";
    textarea.style.height = `${textarea.scrollHeight}px`;
  });
}
