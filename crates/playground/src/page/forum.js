// A forum: its posts in the place of messages, and the form in which somebody writes one.

import { sendPost } from "./api.js";
import { button, element, icon } from "./element.js";
import { openForm } from "./modal.js";
import { compareIds, displayName, findChannel, findUser, mayHere, PERMISSION, world } from "./world.js";

const FORUM = 15;
const REQUIRE_TAG = 1 << 4;
const LABEL = 18;
const TEXT = { type: 4, style: 1 };
const PARAGRAPH = { type: 4, style: 2 };
const SELECT = 3;

export const isForum = (channel) => channel?.type === FORUM;

/** The forum that is open, or `null`. */
export function forumHere() {
  const channel = findChannel(world.channelId)?.channel;
  return isForum(channel) ? channel : null;
}

/** What stands in the timeline of a forum: what it is for, and its posts, the one with the latest word first. */
export function forumItems(forum, actions) {
  const lastWord = (post) => post.last_message_id ?? post.id;
  const posts = [...(forum.threads ?? [])].sort((a, b) => compareIds(lastWord(b), lastWord(a)));
  return [
    element(
      "li",
      { class: "intro" },
      element("div", { class: "intro-mark", "aria-hidden": "true" }, icon("forum")),
      element("h2", { dir: "auto" }, forum.name),
      element("p", {}, forum.topic || "A forum: everything here is a post."),
      element(
        "p",
        {},
        posts.length === 0
          ? "There is no post yet. Write the first one, then ask the panel about it in there."
          : "In a post, commands and messages can be put to the panel as in a channel.",
      ),
    ),
    posts.map((post) => element("li", { class: "post" }, card(forum, post, actions))),
  ];
}

function card(forum, post, actions) {
  const count = post.message_count ?? 0;
  const by = displayName(findUser(post.owner_id));
  return button(
    { class: "thread-card", data: { key: `post-${post.id}` }, on: { click: () => actions.openChannel(post.id) } },
    icon("thread"),
    element("span", { class: "thread-name", dir: "auto" }, post.name),
    tagsOf(forum, post),
    element("span", { class: "thread-count" }, `${by} · ${count} ${count === 1 ? "message" : "messages"} ›`),
  );
}

/** The tags of a post, by their names. */
export function tagsOf(forum, post) {
  const names = (post.applied_tags ?? []).map((id) => forum.available_tags?.find((tag) => tag.id === id)?.name);
  return names.filter(Boolean).map((name) => element("span", { class: "state-tag", data: { tag: name } }, name));
}

/** Opens the form of a new post; it is shown once it is there. */
export function writePost(forum, actions) {
  const manages = mayHere(PERMISSION.manageThreads);
  const tags = (forum.available_tags ?? []).filter((tag) => manages || !tag.moderated);
  const required = Boolean(forum.flags & REQUIRE_TAG) && !manages;
  const components = [
    { type: LABEL, label: "Title", component: { ...TEXT, custom_id: "title", max_length: 100 } },
    { type: LABEL, label: "Message", component: { ...PARAGRAPH, custom_id: "content", max_length: 2000 } },
    tags.length > 0 && {
      type: LABEL,
      label: "Tag",
      component: {
        type: SELECT,
        custom_id: "tag",
        required,
        placeholder: "No tag",
        options: tags.map((tag) => ({ label: tag.name, value: tag.id })),
      },
    },
  ];
  openForm({ title: `New post in ${forum.name}`, components: components.filter(Boolean), send: "Post" }, async (filled) => {
    const [title, content, tag] = filled.map(({ component }) => component);
    const post = await sendPost({
      as: world.me.id,
      channel_id: forum.id,
      title: title.value,
      content: content.value,
      tags: tag?.values ?? [],
    });
    // The event that tells of it may come later than the answer.
    if (!findChannel(post.id)) (forum.threads ??= []).push(post);
    await actions.openChannel(post.id);
  });
}
