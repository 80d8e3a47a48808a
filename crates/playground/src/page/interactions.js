// Waiting for the bot to acknowledge an interaction that this page started. The event may
// overtake the answer to the request, so both orders are kept; events of interactions that were
// started in another tab of the same member are left to that tab.

const PATIENCE_MS = 8000;
const waiting = new Map();
const early = new Map();
const own = new Set();
let openModal = () => {};

/** Says what opens a form that the bot answers with. */
export function onModal(open) {
  openModal = open;
}

/** Resolves to `null` when the bot acknowledged, else to a sentence saying what happened. */
export function acknowledged(interactionId) {
  own.add(interactionId);
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => settle(interactionId, { failure: "The playground did not say what became of it." }),
      PATIENCE_MS,
    );
    waiting.set(interactionId, { resolve, timer });
    const outcome = early.get(interactionId);
    early.delete(interactionId);
    if (outcome) settle(interactionId, outcome);
  });
}

/** Takes note that an interaction was acknowledged, perhaps with a `modal`, or met a `failure`. */
export function settle(interactionId, { failure = null, modal = null } = {}) {
  const entry = waiting.get(interactionId);
  if (!entry && own.has(interactionId)) {
    if (modal) openModal(interactionId, modal);
    return;
  }
  if (!entry) {
    // A form counts more than the bare acknowledgement that may come with it.
    if (modal || !early.has(interactionId)) early.set(interactionId, { failure, modal });
    if (early.size > 100) early.delete(early.keys().next().value);
    return;
  }
  clearTimeout(entry.timer);
  waiting.delete(interactionId);
  if (modal) openModal(interactionId, modal);
  entry.resolve(failure);
}
