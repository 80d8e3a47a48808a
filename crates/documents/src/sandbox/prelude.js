// What a program finds beside the language itself: `console`, dates without a clock, and random numbers that are the same
// in each run. Given what writes text, it gives back what shows a value.
(write) => {
  "use strict";

  // Deeper than a person reads.
  const DEEPEST = 12;

  const quote = (text) =>
    `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

  const key = (name) => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : quote(name));

  const show = (value, above = []) => {
    if (typeof value === "string") return quote(value);
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "function") return `[Function: ${value.name || "without a name"}]`;
    if (Object.is(value, -0)) return "-0";
    if (typeof value !== "object" || value === null) return String(value);
    if (value instanceof Error || value instanceof RegExp) return String(value);
    if (value instanceof Date) return isNaN(value) ? "Invalid Date" : value.toISOString();
    if (above.includes(value)) return "[Circular]";
    if (above.length >= DEEPEST) return Array.isArray(value) ? "[…]" : "{…}";
    const path = [...above, value];
    const inner = (one) => show(one, path);
    if (Array.isArray(value)) return `[${Array.from(value, inner).join(", ")}]`;
    const kind = Object.getPrototypeOf(value)?.constructor?.name ?? "Object";
    const named = kind === "Object" ? "" : `${kind} `;
    if (ArrayBuffer.isView(value)) return `${named}[${Array.from(value, inner).join(", ")}]`;
    let parts = Object.entries(value).map(([name, one]) => `${key(name)}: ${inner(one)}`);
    if (value instanceof Map) parts = Array.from(value, ([name, one]) => `${inner(name)} => ${inner(one)}`);
    if (value instanceof Set) parts = Array.from(value, inner);
    return `${named}{${parts.join(", ")}}`;
  };

  const log = (...values) => {
    const words = values.map((value) => (typeof value === "string" ? value : show(value)));
    write(`${words.join(" ")}\n`.toWellFormed());
  };
  const table = (rows) => {
    if (typeof rows !== "object" || rows === null) return log(rows);
    for (const [name, row] of Object.entries(rows)) log(name, row);
  };
  globalThis.console = { log, info: log, debug: log, warn: log, error: log, dir: (value) => log(value), table };

  const Known = Date;
  const refuse = () => {
    throw new Error("no clock can be read here; name the day, as in new Date('2025-03-01')");
  };
  Known.now = refuse;
  globalThis.Date = new Proxy(Known, {
    apply: refuse,
    construct: (target, given, made) => (given.length ? Reflect.construct(target, given, made) : refuse()),
  });
  Known.prototype.constructor = globalThis.Date;

  let state = 1;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  return (value) => show(value).toWellFormed();
}
