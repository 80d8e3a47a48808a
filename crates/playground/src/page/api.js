// The page's door to the playground. Every failure is an `Error` whose message is a sentence
// fit to be shown.

async function request(path, options) {
  let response;
  try {
    response = await fetch(`/page/api/${path}`, options);
  } catch {
    throw new Error("The playground cannot be reached. Is it still running?");
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    throw new Error(body?.error ?? `The playground answered with status ${response.status}.`);
  }
  return body;
}

/** What has to be over before anything is sent: until then nobody would hear what comes of it. */
let listening = Promise.resolve();

/** Has everything that is sent wait for this. */
export function sendAfter(promise) {
  listening = promise;
}

async function postJson(path, payload) {
  await listening;
  return request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(payload),
  });
}

async function postForm(path, payload, files) {
  await listening;
  const form = new FormData();
  form.append("payload_json", JSON.stringify(payload));
  for (const [part, file] of files) form.append(part, file, file.name);
  return request(path, { method: "POST", body: form });
}

/** Everything the member may see: servers, channels, members, commands. */
export const readState = (as) => request(as ? `state?as=${encodeURIComponent(as)}` : "state");

/** A channel; for a thread that hangs from a message also that message as `starter`. */
export const readChannel = (as, channelId) => request(`channels/${channelId}?as=${encodeURIComponent(as)}`);

/** Up to `limit` messages, oldest first, older than `before` if that is given. */
export function readMessages(as, channelId, { before, limit = 100 } = {}) {
  const query = new URLSearchParams({ as, limit: String(limit) });
  if (before) query.set("before", before);
  return request(`channels/${channelId}/messages?${query}`);
}

/** Everything pinned in a channel, the newest pin first. */
export const readPins = (as, channelId) =>
  request(`channels/${channelId}/pins?as=${encodeURIComponent(as)}`);

/** Sends a plain message with files. */
export const sendMessage = (payload, files) =>
  postForm(
    "messages",
    payload,
    files.map((file, index) => [`files[${index}]`, file]),
  );

/** Runs a slash command; `files` maps option names to files. */
export const sendCommand = (payload, files) =>
  postForm(
    "commands",
    payload,
    [...files].map(([option, file]) => [`file:${option}`, file]),
  );

export const sendMessageCommand = (payload) => postJson("message_commands", payload);
/** Writes a post of a forum; gives it. */
export const sendPost = (payload) => postJson("posts", payload);
export const sendComponent = (payload) => postJson("components", payload);
export const sendPin = (payload) => postJson("pins", payload);
export const sendModal = (payload) => postJson("modals", payload);

/** Choices for the option marked `focused`. */
export const autocomplete = async (payload) => (await postJson("autocomplete", payload)).choices ?? [];
