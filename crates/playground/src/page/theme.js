// Dark or light. Without a choice the page follows the system.

const KEY = "theme";

/** Applies the remembered choice, if there is one. */
export function applyTheme() {
  const chosen = localStorage.getItem(KEY);
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
}

/** Switches to the other theme and remembers it. */
export function toggleTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem(KEY, document.documentElement.dataset.theme);
}
