// Names typed with an @ and the marks Discord stores for them.

import { displayName, mentionableUsers } from "./world.js";

/** The part of a mention before the cursor: `{ start, query }`, or `null`. */
export function mentionAt(text, cursor) {
  const match = /(?:^|[\s(])@([^\s@]{0,32})$/u.exec(text.slice(0, cursor));
  return match && { start: cursor - match[1].length - 1, query: match[1].toLowerCase() };
}

/** People whose name begins with, or contains, what was typed. */
export function findPeople(query) {
  const names = (user) => [displayName(user).toLowerCase(), user.username.toLowerCase()];
  return mentionableUsers()
    .filter((user) => names(user).some((name) => name.includes(query)))
    .sort(
      (a, b) =>
        Number(names(b).some((name) => name.startsWith(query))) -
        Number(names(a).some((name) => name.startsWith(query))),
    );
}

/** Turns every `@Name` of a person that can be mentioned into `<@id>`; the longest name wins. */
export function withMentionMarks(text) {
  const names = mentionableUsers()
    .flatMap((user) =>
      [...new Set([displayName(user), user.username])].map((name) => ({ name, id: user.id })),
    )
    .sort((a, b) => b.name.length - a.name.length);
  const lower = text.toLowerCase();
  let out = "";
  let at = 0;
  while (at < text.length) {
    const before = text[at - 1];
    const named =
      text[at] === "@" &&
      (!before || !/[\p{L}\p{N}<]/u.test(before)) &&
      names.find(
        ({ name }) =>
          lower.startsWith(name.toLowerCase(), at + 1) &&
          !/[\p{L}\p{N}_]/u.test(text[at + 1 + name.length] ?? " "),
      );
    if (named) {
      out += `<@${named.id}>`;
      at += 1 + named.name.length;
    } else {
      out += text[at];
      at += 1;
    }
  }
  return out;
}
