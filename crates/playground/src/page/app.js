// The playground's page: puts the parts together.

import { sendMessageCommand, sendPin } from "./api.js";
import { messageCommands } from "./commands.js";
import { Composer } from "./composer.js";
import { icon } from "./element.js";
import { startHeader } from "./header.js";
import { acknowledged, onModal } from "./interactions.js";
import { listen } from "./live.js";
import { showPins } from "./listings.js";
import { openMenu } from "./menu.js";
import { isEphemeral, isNotice } from "./message.js";
import { openModal } from "./modal.js";
import { applyTheme } from "./theme.js";
import { startSidebar } from "./sidebar.js";
import { channelInAddress, loadOlder, openChannel, refresh, switchMember } from "./session.js";
import { keepRelativeTimesFresh } from "./timestamp.js";
import { revealMessage, startTimeline } from "./timeline.js";
import { emit, findChannel, mayHere, PERMISSION, world } from "./world.js";

const actions = {
  loadOlder,
  reply: (message) => composer.reply(message),
  openCommand: (id, name) => composer.openCommand(id, name),
  fillCommand: (name, texts) => composer.openCommand(null, name, texts),
  async openChannel(id) {
    closeDrawer();
    await attempt(() => openChannel(id));
  },
  async switchMember(userId) {
    closeDrawer();
    await attempt(() => switchMember(userId));
    listen();
  },
  async jumpTo(id) {
    // An older message may not be loaded yet.
    for (let page = 0; page < 10 && !revealMessage(id) && world.hasOlder; page += 1) {
      await loadOlder();
      await new Promise(requestAnimationFrame);
    }
  },
  pin: (message, pinned) =>
    sendPin({ as: world.me.id, channel_id: message.channel_id, message_id: message.id, pinned }),
  showPins: () => showPins(actions),
  openDrawer() {
    document.body.classList.add("drawer-open");
    document.getElementById("chat").inert = true;
    document.querySelector("#channels [aria-current]")?.focus();
  },
  dismissed: () => new Set(JSON.parse(sessionStorage.getItem("dismissed") ?? "[]")),
  dismiss(id) {
    sessionStorage.setItem("dismissed", JSON.stringify([...actions.dismissed(), id]));
    emit("messages");
  },
  menu: openMessageMenu,
  apps: (message, where) => openMenu("Apps", appEntries(message), where),
};
const composer = new Composer(document.getElementById("composer"), actions);

function closeDrawer() {
  if (!document.body.classList.contains("drawer-open")) return;
  document.body.classList.remove("drawer-open");
  document.getElementById("chat").inert = false;
  document.querySelector(".drawer-button")?.focus();
}

/** Shows a failure where people look for one: beside the message box. */
async function attempt(work) {
  try {
    await work();
    composer.error.textContent = "";
  } catch (error) {
    composer.error.textContent = error.message;
  }
}

/** The commands that the bot offers on a message, as entries of a menu. */
function appEntries(message) {
  return messageCommands().map((command) => ({
    label: command.name,
    icon: icon("quorum"),
    data: { command: command.name },
    run: () =>
      attempt(async () => {
        const answer = await sendMessageCommand({
          as: world.me.id,
          channel_id: message.channel_id,
          command_id: command.id,
          message_id: message.id,
        });
        const failure = await acknowledged(answer.interaction_id);
        if (failure) throw new Error(`${command.name}: ${failure}`);
      }),
  }));
}

function openMessageMenu(message, where) {
  const copy = (text) => attempt(() => navigator.clipboard.writeText(text));
  const apps = appEntries(message);
  openMenu(
    "Message",
    [
      { label: "Reply", icon: icon("reply"), run: () => composer.reply(message) },
      ...(pinnable(message)
        ? [
            {
              label: message.pinned ? "Unpin message" : "Pin message",
              icon: icon("pin"),
              data: { action: "pin" },
              run: () => attempt(() => actions.pin(message, !message.pinned)),
            },
          ]
        : []),
      ...(apps.length > 0 ? ["line", { heading: "Apps" }, ...apps, "line"] : []),
      {
        label: "Copy text",
        icon: icon("file"),
        run: () =>
          copy(
            message.content ||
              message.embeds
                ?.map((embed) => [embed.title, embed.description].filter(Boolean).join("\n"))
                .join("\n\n") ||
              "",
          ),
      },
      { label: "Copy ID", icon: icon("hash"), run: () => copy(message.id) },
    ],
    where,
  );
}

/** Notices and private replies cannot be pinned, and not everybody may pin. */
function pinnable(message) {
  return (
    !isEphemeral(message) &&
    !isNotice(message) &&
    message.channel_id === world.channelId &&
    mayHere(PERMISSION.pinMessages)
  );
}

function openLongPress() {
  // Browsers on Android open the context menu on a long press by themselves; others do not.
  const messages = document.getElementById("messages");
  let timer = null;
  messages.addEventListener("pointerdown", (event) => {
    clearTimeout(timer);
    if (event.pointerType !== "touch" || event.target.closest("button, a")) return;
    const node = event.target.closest(".message");
    const message =
      node &&
      [world.starter, ...world.messages].find((candidate) => candidate?.id === node.dataset.messageId);
    if (message)
      timer = setTimeout(() => openMessageMenu(message, { x: event.clientX, y: event.clientY }), 550);
  });
  for (const name of ["pointerup", "pointercancel", "pointermove"])
    messages.addEventListener(name, () => clearTimeout(timer));
}

applyTheme();
onModal(openModal);
startSidebar(actions);
startHeader(actions);
startTimeline(actions);
openLongPress();
keepRelativeTimesFresh();
document.getElementById("drawer-backdrop").addEventListener("click", closeDrawer);
document.addEventListener("keydown", (event) => event.key === "Escape" && closeDrawer());
addEventListener("popstate", () => {
  const id = channelInAddress();
  if (id && id !== world.channelId && findChannel(id)) void attempt(() => openChannel(id));
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) emit("directory");
});

async function start() {
  try {
    await refresh();
    listen();
  } catch (error) {
    world.connected = false;
    emit("status");
    composer.error.textContent = error.message;
    setTimeout(start, 2000);
  }
}
void start();
