// Times as Discord writes them, in the reader's own locale and zone.

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];
const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

function format(date, style) {
  return new Intl.DateTimeFormat(undefined, STYLES[style]).format(date);
}

function relative(date) {
  const seconds = Math.round((date.getTime() - Date.now()) / 1000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS.at(-1);
  return relativeFormat.format(Math.round(seconds / size), unit);
}

/** A `<t:unix:style>` mark, or `null` if the moment is outside what a date can hold. */
export function timestampMark(unixSeconds, style = "f") {
  const date = new Date(unixSeconds * 1000);
  if (Number.isNaN(date.getTime())) return null;
  const node = document.createElement("time");
  node.className = "timestamp-mark";
  node.dateTime = date.toISOString();
  node.title = format(date, "F");
  if (style === "R") {
    node.dataset.relative = "";
    node.textContent = relative(date);
  } else {
    node.textContent = format(date, style);
  }
  return node;
}

/** Keeps "in 5 minutes" true while the page stays open. */
export function keepRelativeTimesFresh() {
  setInterval(() => {
    for (const node of document.querySelectorAll("time[data-relative]")) {
      const text = relative(new Date(node.dateTime));
      if (node.textContent !== text) node.textContent = text;
    }
  }, 1000);
}

const dayOf = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** "Today at 14:05", "Yesterday at 9:12", or date and time. */
export function messageTime(iso) {
  const date = new Date(iso);
  const days = Math.round((dayOf(new Date()) - dayOf(date)) / 86_400_000);
  const time = format(date, "t");
  if (days === 0) return `Today at ${time}`;
  if (days === 1) return `Yesterday at ${time}`;
  return `${format(date, "d")} ${time}`;
}

/** Hour and minute alone, for grouped messages. */
export const clockTime = (iso) => format(new Date(iso), "t");

/** The text of a day's divider. */
export const dayName = (iso) => format(new Date(iso), "D");

/** Whether two moments fall on one local day. */
export const sameDay = (a, b) => dayOf(new Date(a)) === dayOf(new Date(b));
