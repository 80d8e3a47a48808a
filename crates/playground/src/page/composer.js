// The message box: plain messages with files and replies, mentions, and the way into commands.
// What is written in a channel stays there until it was sent, whatever happens in between.

import { sendCommand, sendMessage } from "./api.js";
import { CommandForm } from "./command_form.js";
import { commandEntries, findCommands, typedCommand } from "./commands.js";
import { onFiles } from "./dropping.js";
import { button, element, fill, icon } from "./element.js";
import { FileTray } from "./file_tray.js";
import { forumHere, writePost } from "./forum.js";
import { growing } from "./growing.js";
import { offerMentions } from "./mention_list.js";
import { withMentionMarks } from "./mentions.js";
import { PendingCommands } from "./pending.js";
import { SuggestionList } from "./suggestions.js";
import { displayName, findChannel, on, world } from "./world.js";

const TEXT_LIMIT = 2000;

export class Composer {
  #drafts = new Map();
  #place = null;
  #suggestions = new SuggestionList();
  #tray = new FileTray();
  #pending = new PendingCommands();

  /** `actions`: openChannel. */
  constructor(root, actions) {
    this.root = root;
    this.error = element("p", { class: "form-error", role: "alert" });
    this.replyBar = element("div", { class: "reply-bar", hidden: true });
    this.text = element("textarea", {
      id: "composer-text",
      rows: 1,
      dir: "auto",
      autocomplete: "off",
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      "aria-label": "Message",
    });
    growing(this.text);
    this.picker = element("input", {
      type: "file",
      multiple: true,
      class: "visually-hidden",
      tabindex: "-1",
      "aria-label": "Files to attach",
    });
    this.count = element("span", { class: "text-count", hidden: true });
    this.line = element(
      "div",
      { class: "composer-line" },
      button(
        { class: "icon-button", "aria-label": "Attach files", on: { click: () => this.picker.click() } },
        icon("plus"),
      ),
      this.picker,
      this.text,
      this.count,
      button(
        {
          class: "icon-button slash",
          "aria-label": "Commands",
          title: "Commands",
          on: { click: () => this.#startCommands() },
        },
        "/",
      ),
      button(
        {
          class: "icon-button send",
          "aria-label": "Send",
          data: { action: "send" },
          on: { click: () => this.#send() },
        },
        icon("send"),
      ),
    );
    this.box = element("div", { class: "composer-box" }, this.replyBar, this.#tray.node, this.line);
    // In a forum itself nothing can be written but a post.
    this.post = button(
      { id: "new-post", class: "button primary", hidden: true, on: { click: () => writePost(forumHere(), actions) } },
      "New post",
    );
    root.append(this.#suggestions.node, this.#pending.node, this.error, this.box, this.post);
    this.#listen();
    on("directory", () => this.#followChannel());
  }

  /** Starts a reply to a message. */
  reply(message) {
    this.#draft.reply = message;
    this.#draft.ping = true;
    this.#showReply();
    this.focus();
  }

  /** Opens the form of a command, by its id and full name, with texts in its boxes by the options' names. */
  openCommand(commandId, name, texts = {}) {
    const entries = commandEntries();
    const entry =
      entries.find((candidate) => candidate.name === name) ??
      entries.find((candidate) => candidate.command.id === commandId);
    if (!entry) return this.#complain(`There is no command /${name} here.`);
    this.#openForm(entry);
    for (const [option, text] of Object.entries(texts)) this.#draft.form.fill(option, text);
  }

  focus() {
    if (this.#draft.form) this.#draft.form.focus();
    else this.text.focus();
  }

  get #draft() {
    if (!this.#drafts.has(this.#place))
      this.#drafts.set(this.#place, {
        text: "",
        files: [],
        reply: null,
        ping: true,
        form: null,
        forms: new Map(),
      });
    return this.#drafts.get(this.#place);
  }

  #listen() {
    this.text.addEventListener("input", () => this.#typed());
    this.text.addEventListener("click", () => this.#suggest());
    this.text.addEventListener(
      "blur",
      () => this.#suggestions.belongsTo(this.text) && this.#suggestions.hide(),
    );
    this.text.addEventListener("keydown", (event) => {
      if (this.#suggestions.handleKey(event) || event.isComposing) return;
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        this.#send();
      } else if (event.key === "Escape" && this.#draft.reply) {
        this.#draft.reply = null;
        this.#showReply();
      }
    });
    this.picker.addEventListener("change", () => {
      this.#addFiles([...this.picker.files]);
      this.picker.value = "";
    });
    onFiles(document.getElementById("chat"), (files) => this.#addFiles(files));
  }

  /** Lays the draft away and brings out that of the channel now open, and of the member one is now. */
  #followChannel() {
    const place = findChannel(world.channelId);
    this.text.placeholder = place?.parent
      ? "Message this thread"
      : place
        ? `Message #${place.channel.name.slice(0, 24)}`
        : "Message";
    const forum = Boolean(forumHere());
    this.box.hidden = forum;
    this.post.hidden = !forum;
    document.querySelector(".skip-link").href = forum ? "#new-post" : "#composer-text";
    const key = `${world.me?.id} ${world.channelId}`;
    if (this.#place === key) return;
    this.#place = key;
    this.#suggestions.hide();
    this.text.value = this.#draft.text;
    this.#tray.show(this.#draft.files);
    this.#complain("");
    this.#showReply();
    this.#showForm();
    this.#showCount();
  }

  #typed() {
    this.#draft.text = this.text.value;
    this.#complain("");
    this.#showCount();
    this.#suggest();
  }

  #showCount() {
    const left = TEXT_LIMIT - [...this.text.value].length;
    this.count.hidden = left > 200;
    this.count.textContent = String(left);
    this.count.classList.toggle("over", left < 0);
  }

  #suggest() {
    const text = this.text.value;
    const typed = typedCommand(text);
    if (typed) return this.#openTyped(typed);
    if (/^\/[^\n]{0,60}$/.test(text)) return this.#suggestCommands(text.slice(1));
    if (!offerMentions(this.text, this.#suggestions, () => this.#typed())) this.#suggestions.hide();
  }

  /** Opens the form of a command whose name was typed out, as the space after it does in Discord. */
  #openTyped({ entry, rest }) {
    this.#suggestions.hide();
    this.#openForm(entry);
    if (rest) this.#draft.form.take(rest);
  }

  #suggestCommands(query) {
    const entries = findCommands(query);
    // A text such as "/ 3" or a path is no command: the list goes away and Enter sends it.
    if (entries.length === 0) return this.#suggestions.hide();
    const items = entries.map((entry) => ({
      label: `/${entry.name}`,
      // Subcommands stand together under what they belong to.
      heading: entry.path.length > 0 ? `/${entry.command.name}` : "",
      detail: entry.description,
      note: entry.options
        .filter((option) => option.required)
        .map((option) => option.name)
        .join(" "),
      data: { command: entry.name },
      entry,
    }));
    this.#suggestions.show(this.text, "Commands", items, ({ entry }) => this.#openForm(entry));
  }

  #startCommands() {
    if (!this.text.value.trim()) this.text.value = "/";
    this.text.focus();
    if (this.text.value.startsWith("/")) this.#typed();
    else this.#suggestCommands("");
  }

  #openForm(entry) {
    const draft = this.#draft;
    if (!draft.forms.has(entry.key)) {
      const form = new CommandForm(entry, {
        suggestions: this.#suggestions,
        submit: (form) => this.#runCommand(form),
        cancel: () => this.#closeForm(),
        complain: (sentence) => this.#complain(sentence),
      });
      draft.forms.set(entry.key, form);
    }
    draft.form = draft.forms.get(entry.key);
    if (draft.text.startsWith("/")) draft.text = "";
    this.text.value = draft.text;
    this.#complain("");
    this.#showForm();
    draft.form.focus();
  }

  #closeForm() {
    this.#suggestions.hide();
    this.#draft.form = null;
    this.#complain("");
    this.#showForm();
    this.text.focus();
  }

  #showForm() {
    const { form } = this.#draft;
    this.root.querySelector(".command-form")?.remove();
    this.line.hidden = Boolean(form);
    this.#tray.node.hidden = Boolean(form) || this.#tray.files.length === 0;
    if (form) this.box.append(form.node);
  }

  #showReply() {
    const draft = this.#draft;
    this.replyBar.hidden = !draft.reply;
    if (!draft.reply) return;
    const ping = button(
      {
        class: "link",
        "aria-pressed": String(draft.ping),
        on: { click: () => ((draft.ping = !draft.ping), this.#showReply()) },
      },
      `@ ${draft.ping ? "ON" : "OFF"}`,
    );
    const end = button(
      {
        class: "icon-button small",
        "aria-label": "Do not reply",
        on: { click: () => ((draft.reply = null), this.#showReply()) },
      },
      icon("close"),
    );
    fill(
      this.replyBar,
      element("span", {}, "Replying to ", element("strong", {}, displayName(draft.reply.author))),
      ping,
      end,
    );
  }

  #addFiles(files) {
    if (forumHere()) return;
    const { form } = this.#draft;
    if (form) {
      const taken = files.filter((file) => form.accept(file));
      if (taken.length < files.length)
        this.#complain(`/${form.entry.name} takes no ${taken.length > 0 ? "further " : ""}file.`);
      return;
    }
    this.#complain(this.#tray.add(files));
    this.text.focus();
  }

  #complain(sentence) {
    if (this.error.textContent !== sentence) this.error.textContent = sentence;
  }

  async #send() {
    const draft = this.#draft;
    const content = withMentionMarks(this.text.value.trim());
    if ((!content && draft.files.length === 0) || draft.sending) return;
    draft.sending = true;
    const payload = { as: world.me.id, channel_id: world.channelId, content };
    if (draft.reply) Object.assign(payload, { reply_to: draft.reply.id, ping: draft.ping });
    const typed = this.text.value;
    try {
      await sendMessage(payload, draft.files);
      // Whatever was typed on while the message was on its way stays.
      draft.text = draft.text === typed ? "" : draft.text;
      draft.files = [];
      draft.reply = null;
      if (this.#draft === draft) {
        this.text.value = draft.text;
        this.#tray.show(draft.files);
        this.#showReply();
        this.#showCount();
        this.#complain("");
      }
    } catch (error) {
      if (this.#draft === draft) this.#complain(error.message);
    }
    draft.sending = false;
  }

  async #runCommand(form) {
    const draft = this.#draft;
    this.#suggestions.hide();
    let read;
    try {
      read = form.read();
    } catch (error) {
      return this.#complain(error.message);
    }
    form.busy(true);
    let answer;
    try {
      answer = await sendCommand(
        {
          as: world.me.id,
          channel_id: world.channelId,
          command_id: form.entry.command.id,
          options: read.options,
        },
        read.files,
      );
    } catch (error) {
      form.busy(false);
      return this.#complain(error.message);
    }
    form.busy(false);
    draft.form = null;
    draft.forms.delete(form.entry.key);
    this.#complain("");
    if (this.#draft === draft) {
      this.#showForm();
      this.text.focus();
    }
    this.#pending.follow(answer.interaction_id, form.entry.name, () => {
      draft.forms.set(form.entry.key, form);
      draft.form = form;
      if (this.#draft !== draft) return;
      this.#showForm();
      form.focus();
    });
  }
}
