// Waiting for the bot to acknowledge an interaction. The event may overtake the answer to the
// request that started it, so both orders are kept.

const PATIENCE_MS = 8000;
const waiting = new Map();
const early = new Map();

/** Resolves to `null` when the bot acknowledged, else to a sentence saying what happened. */
export function acknowledged(interactionId) {
  if (early.has(interactionId)) {
    const reason = early.get(interactionId);
    early.delete(interactionId);
    return Promise.resolve(reason);
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(interactionId, "The playground did not say what became of it."), PATIENCE_MS);
    waiting.set(interactionId, { resolve, timer });
  });
}

/** Takes note that an interaction was acknowledged, or failed with `reason`. */
export function settle(interactionId, reason = null) {
  const entry = waiting.get(interactionId);
  if (!entry) {
    early.set(interactionId, reason);
    if (early.size > 100) early.delete(early.keys().next().value);
    return;
  }
  clearTimeout(entry.timer);
  waiting.delete(interactionId);
  entry.resolve(reason);
}
