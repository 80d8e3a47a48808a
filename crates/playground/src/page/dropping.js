// Files that are dropped on the chat or pasted anywhere outside a dialog.

/** Calls `take(files)` with them. */
export function onFiles(area, take) {
  document.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || event.target.closest?.("dialog")) return;
    event.preventDefault();
    take(files);
  });
  area.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    area.classList.add("dropping");
  });
  area.addEventListener("dragleave", (event) => {
    if (!area.contains(event.relatedTarget)) area.classList.remove("dropping");
  });
  area.addEventListener("drop", (event) => {
    area.classList.remove("dropping");
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
}
