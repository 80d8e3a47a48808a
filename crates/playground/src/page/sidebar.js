// Servers, channels with their threads, and who one is.

import { avatar, initials, nameTag } from "./avatar.js";
import { button, element, fill, icon } from "./element.js";
import { isForum } from "./forum.js";
import { showThreads } from "./listings.js";
import { openMenu } from "./menu.js";
import { toggleTheme } from "./theme.js";
import { compareIds, displayName, findChannel, findMember, on, roleNames, world } from "./world.js";

const THREADS_SHOWN = 8;

/** Draws the left side; `actions`: openChannel, switchMember. */
export function startSidebar(actions) {
  const draw = () => {
    keepFocus(document.getElementById("drawer"), () => {
      fill(document.getElementById("servers"), servers(actions));
      fill(document.getElementById("channels"), channels(actions));
      fill(document.getElementById("self"), self(actions));
    });
  };
  on("directory", draw);
  on("status", draw);
}

/** Redraws without taking the focus from the control that had it. */
function keepFocus(root, redraw) {
  const key = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  redraw();
  if (key) root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

function openGuild() {
  return findChannel(world.channelId)?.guild ?? world.guilds[0];
}

function unreadOf(channelIds) {
  const entries = channelIds.map((id) => world.unread.get(id)).filter(Boolean);
  return { any: entries.length > 0, mentions: entries.reduce((sum, entry) => sum + entry.mentions, 0) };
}

function badge({ mentions }) {
  return (
    mentions > 0 &&
    element(
      "span",
      { class: "badge" },
      String(mentions),
      element("span", { class: "visually-hidden" }, " mentions"),
    )
  );
}

function servers(actions) {
  const current = openGuild();
  return world.guilds.map((guild) => {
    const ids = guild.channels.flatMap((channel) => [
      channel.id,
      ...(channel.threads ?? []).map((thread) => thread.id),
    ]);
    const unread = unreadOf(ids);
    return button(
      {
        class: "server",
        title: guild.name,
        "aria-current": guild === current ? "true" : null,
        data: { key: `guild-${guild.id}`, guildId: guild.id, unread: unread.any ? "yes" : "no" },
        on: { click: () => guild.channels[0] && actions.openChannel(guild.channels[0].id) },
      },
      element("span", { "aria-hidden": "true" }, initials(guild.name)),
      element("span", { class: "visually-hidden" }, unread.any ? `${guild.name}, unread` : guild.name),
      badge(unread),
    );
  });
}

function channels(actions) {
  const guild = openGuild();
  if (!guild) return element("p", { class: "muted" }, "No servers.");
  return [
    element("h2", { class: "guild-name" }, guild.name),
    element(
      "ul",
      {},
      guild.channels.map((channel) =>
        element("li", {}, channelLink(channel, isForum(channel) ? "forum" : "hash", actions), threads(channel, actions)),
      ),
    ),
  ];
}

function channelLink(channel, drawing, actions) {
  const unread = unreadOf([channel.id]);
  return button(
    {
      class: "channel",
      title: channel.name,
      "aria-current": channel.id === world.channelId ? "page" : null,
      data: { key: `channel-${channel.id}`, channelId: channel.id, unread: unread.any ? "yes" : "no" },
      on: { click: () => actions.openChannel(channel.id) },
    },
    icon(drawing),
    element("span", { class: "channel-name", dir: "auto" }, channel.name),
    unread.any && element("span", { class: "visually-hidden" }, "unread"),
    badge(unread),
  );
}

/** Active threads, the newest first; an archived one only while it is open. */
function threads(channel, actions) {
  const all = [...(channel.threads ?? [])].sort((a, b) => compareIds(b.id, a.id));
  const active = all.filter((thread) => !thread.thread_metadata?.archived || thread.id === world.channelId);
  if (all.length === 0) return null;
  const shown = active.filter(
    (thread, index) => index < THREADS_SHOWN || thread.id === world.channelId || world.unread.has(thread.id),
  );
  return element(
    "ul",
    { class: "threads", "aria-label": `Threads in ${channel.name}` },
    shown.map((thread) => element("li", {}, channelLink(thread, "branch", actions))),
    shown.length < all.length &&
      element(
        "li",
        {},
        button(
          {
            class: "channel more-threads",
            data: { key: `more-${channel.id}` },
            on: { click: () => showThreads(channel, actions) },
          },
          `All ${all.length} threads…`,
        ),
      ),
  );
}

function self(actions) {
  if (!world.me) return null;
  const member = findMember(world.me.id);
  return [
    button(
      {
        class: "self-button",
        "aria-haspopup": "menu",
        title: "Switch member",
        data: { key: "self" },
        on: { click: (event) => openSwitcher(event.currentTarget, actions) },
      },
      avatar(world.me),
      element("span", { class: "visually-hidden" }, "Switch member; you are "),
      element(
        "span",
        { class: "self-text" },
        element("span", { class: "self-name" }, nameTag(world.me)),
        element("span", { class: "muted" }, (member && roleNames(member).join(", ")) || "Member"),
      ),
    ),
    button(
      {
        class: "icon-button",
        "aria-label": "Switch between dark and light",
        data: { key: "theme", action: "theme" },
        on: { click: toggleTheme },
      },
      icon("sun"),
      icon("moon"),
    ),
  ];
}

/** The menu with which the page becomes another member. */
export function openSwitcher(anchor, actions) {
  openMenu(
    "Switch member",
    [
      { heading: "Act as" },
      ...world.members.map((member) => ({
        label: displayName(member.user),
        detail: [...roleNames(member), serversOf(member)].filter(Boolean).join(" · "),
        icon: avatar(member.user, "small"),
        checked: member.user.id === world.me.id,
        data: { userId: member.user.id },
        run: () => actions.switchMember(member.user.id),
      })),
    ],
    anchor,
  );
}

function serversOf(member) {
  return world.guilds
    .filter((guild) => member.guild_ids.includes(guild.id))
    .map((guild) => guild.name)
    .join(", ");
}
