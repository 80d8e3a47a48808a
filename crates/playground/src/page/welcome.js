// What somebody who has just come can try: a command each, filled in, to be read before it is sent.

import { button, element } from "./element.js";

const TRIES = [
  {
    command: "mediate",
    title: "Weigh a decision from several sides",
    texts: { problem: "We are a shop of six and answer mail on Saturdays, too. A third of our mail comes at the weekend, and two of us want their Saturdays back. Should we stop, and how?" },
  },
  {
    command: "roundtable",
    title: "Have experts find solutions and give them points",
    texts: { problem: "We are twelve people, and meetings take two days of each week. How do we get one of them back without losing touch?" },
  },
  {
    command: "debate",
    title: "Hear the best case for and against",
    texts: { proposition: "Our team should work from home on four days a week." },
  },
  {
    command: "critique",
    title: "Find what is wrong or missing in a text",
    texts: { text: "We move to the new warehouse on 1 May. It costs 20 % less than the old one, so we save 24,000 euros a year. Nothing can go wrong, for the movers are the best in town." },
  },
];

/** The four as buttons; each opens its command's form with the text in it, and sends nothing. */
export function tries(actions) {
  return element(
    "div",
    { class: "tries", role: "group", "aria-label": "Things to try" },
    TRIES.map(({ command, title, texts }) =>
      button(
        { class: "try", data: { try: command }, on: { click: () => actions.fillCommand(command, texts) } },
        element("strong", {}, `/${command}`),
        element("span", {}, title),
      ),
    ),
  );
}
