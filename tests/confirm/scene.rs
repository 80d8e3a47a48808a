//! A session that waits for somebody to confirm something, whatever it is.

use std::time::Duration;

use playground::{
    Id, Seen,
    ids::{ADA, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    critique::scene::{PLAN, depth},
    support::{
        Actor, Stage,
        play::{PROBLEM, buttons, id, is_private, read},
    },
};

/// What is confirmed, and what is said about it.
pub struct Kind {
    /// What its buttons mean.
    pub go: &'static str,
    pub edit: Option<Edit>,
    pub cancel: &'static str,
    /// What its button says, and what it stands under.
    pub button: &'static str,
    pub under: &'static str,
    /// Where the live card says the session is.
    pub phase: &'static str,
    /// Told to whoever confirmed it, and to whoever comes later.
    pub begins: &'static str,
    pub already: &'static str,
    /// On its card then, before the name.
    pub confirmed: &'static str,
}

/// How it is edited: a box of the form, two texts for it, and words of those.
pub struct Edit {
    pub verb: &'static str,
    pub of: &'static str,
    pub texts: [(&'static str, &'static str); 2],
}

pub const ROLES: Kind = Kind {
    go: "roles_go",
    edit: Some(Edit {
        verb: "roles_edit",
        of: "name-1",
        texts: [("Shopkeeper", "Shopkeeper"), ("Baker", "Baker")],
    }),
    cancel: "roles_cancel",
    button: "Go",
    under: "under the proposed roles",
    phase: "The proposed roles wait for a Go",
    begins: "The experts begin",
    already: "pressed Go already",
    confirmed: "Confirmed by",
};
pub const PROPOSITION: Kind = Kind {
    go: "prop_start",
    edit: Some(Edit {
        verb: "prop_edit",
        of: "question",
        texts: [
            ("Should the town buy bicycles?", "bicycles?"),
            ("Should the town sell its bridge?", "its bridge?"),
        ],
    }),
    cancel: "prop_cancel",
    button: "Start",
    under: "under the proposition",
    phase: "The proposition waits for Start",
    begins: "Both sides prepare",
    already: "started the debate already",
    confirmed: "Started by",
};
pub const ESTIMATE: Kind = Kind {
    go: "estimate_go",
    edit: None,
    cancel: "estimate_cancel",
    button: "Go",
    under: "under the estimate",
    phase: "The estimate waits for a Go",
    begins: "Go. It begins",
    already: "pressed Go already",
    confirmed: "Confirmed by",
};
pub const KINDS: [&Kind; 3] = [&ROLES, &PROPOSITION, &ESTIMATE];

/// A stage with a bot on it and a session that waits.
pub struct Asking {
    pub kind: &'static Kind,
    pub stage: Stage,
    pub bot: Option<Actor>,
    pub thread: Id,
    /// The message that asks, whatever becomes of it.
    pub card: Id,
}

impl Asking {
    /// Ada starts a session; it asks, and the live card says so.
    pub async fn of(kind: &'static Kind) -> Self {
        let stage = Stage::start().await;
        let bot = Some(stage.bot().await);
        let thread = match kind.go {
            "roles_go" => stage.started(ADA, DECISIONS, "roundtable", json!({"problem": PROBLEM})).await,
            "prop_start" => {
                let options = json!({"proposition": "a delivery app for the town", "preset": "quick"});
                stage.started(ADA, DECISIONS, "debate", options).await
            }
            _ => stage.critique("plan.md", PLAN, depth(3)).await,
        };
        let card = id(&stage.wait_for(thread, &format!("[{}]", kind.button)).await["id"]);
        stage.wait_card(thread, "Waiting for an answer").await;
        Self { kind, stage, bot, thread, card }
    }

    /// Kills the bot where it stands.
    pub async fn kill(&mut self) {
        self.bot.take().expect("a bot").kill().await;
    }

    /// Starts another one.
    pub async fn start(&mut self) {
        self.bot = Some(self.stage.bot().await);
    }

    fn message(&self) -> Value {
        let messages = self.stage.public(self.thread);
        messages.into_iter().find(|message| id(&message["id"]) == self.card).expect("what asks")
    }

    /// What asks, as it is.
    pub fn shown(&self) -> String {
        read(&self.message())
    }

    /// What else was posted in the thread.
    pub fn rest(&self) -> String {
        let messages = self.stage.public(self.thread);
        messages.iter().filter(|message| id(&message["id"]) != self.card).map(read).collect()
    }

    /// How many posts of the thread say this.
    pub fn count(&self, phrase: &str) -> usize {
        self.stage.public(self.thread).iter().filter(|message| read(message).contains(phrase)).count()
    }

    /// Waits until it shows something, or does not.
    pub async fn shows(&self, phrase: &str, shown: bool) -> String {
        for _ in 0..600 {
            let text = self.shown();
            if text.contains(phrase) == shown {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{phrase:?} (shown: {shown}) in vain awaited on\n{}", self.shown())
    }

    /// Waits until there is nothing to press any more.
    pub async fn closed(&self) -> String {
        self.shows(&format!("[{}]", self.kind.button), false).await
    }

    /// The name of a button by what it means, whatever it is about.
    pub fn id_of(&self, verb: &str) -> String {
        format!("v1:{}:{verb}:", self.stage.session(self.thread))
    }

    /// The button that confirms what was posted first.
    pub fn first_go(&self) -> String {
        format!("{}0", self.id_of(self.kind.go))
    }

    /// The button of that meaning as it is there now.
    pub fn button(&self, verb: &str) -> String {
        let of = self.id_of(verb);
        let found = buttons(&self.message()).into_iter().map(|(_, id)| id).find(|id| id.starts_with(&of));
        found.unwrap_or_else(|| panic!("no {verb} on {}", self.shown()))
    }

    /// A press; its interaction.
    pub fn click(&self, member: Id, verb: &str) -> Id {
        self.stage.discord.client().click(member, self.thread, self.card, &self.button(verb)).unwrap()
    }

    /// What a member alone sees of what they did.
    pub async fn seen(&self, member: Id, interaction: Id) -> Seen {
        let seen = self.stage.discord.client().wait_reply(interaction).await;
        assert!(is_private(&seen, member), "only for {member}: {:?}", seen.messages);
        seen
    }

    pub async fn press(&self, member: Id, verb: &str) -> String {
        self.seen(member, self.click(member, verb)).await.text()
    }

    /// Presses a button on a phone that has not seen yet what has changed.
    pub async fn press_old(&self, member: Id, custom_id: &str) -> String {
        let old = self.stage.forged_buttons(self.thread, &[custom_id]).await;
        let pressed = self.stage.discord.client().click(member, self.thread, old, custom_id).unwrap();
        self.seen(member, pressed).await.text()
    }

    /// Opens the form: the press that opened it, and its boxes with what they hold.
    pub async fn form(&self, member: Id) -> (Id, Vec<(String, String)>) {
        let opener = self.click(member, self.kind.edit.as_ref().expect("a form").verb);
        let modal = self.stage.discord.client().wait_reply(opener).await.modal.expect("a form");
        let boxes = modal["components"].as_array().unwrap().iter().map(|row| {
            let input = if row["component"].is_null() { &row["components"][0] } else { &row["component"] };
            let text = |of: &str| input[of].as_str().unwrap_or_default().to_owned();
            (text("custom_id"), text("value"))
        });
        (opener, boxes.collect())
    }

    /// Sends a form that was opened; gives the interaction. Boxes that are not named stay as they are.
    pub fn send(
        &self,
        member: Id,
        (opener, boxes): &(Id, Vec<(String, String)>),
        texts: &[(&str, &str)],
    ) -> Id {
        let written: Vec<(&str, &str)> = boxes
            .iter()
            .map(|(of, value)| {
                let text = texts.iter().find(|(name, _)| name == of).map(|(_, text)| *text);
                (of.as_str(), text.unwrap_or(value))
            })
            .collect();
        assert!(texts.iter().all(|(of, _)| written.iter().any(|(name, _)| name == of)), "{written:?}");
        self.stage.discord.client().submit_modal(member, *opener, &written).unwrap()
    }

    /// Edits it; gives what the member sees.
    pub async fn edit(&self, member: Id, texts: &[(&str, &str)]) -> Seen {
        let sent = self.send(member, &self.form(member).await, texts);
        self.seen(member, sent).await
    }

    /// Edits it to the first or the second of the texts, and waits until they are shown.
    pub async fn edited(&self, member: Id, which: usize) {
        let edit = self.kind.edit.as_ref().expect("a form");
        let (text, words) = edit.texts[which];
        let said = self.edit(member, &[(edit.of, text)]).await.text();
        assert!(said.contains("Saved"), "{said}");
        self.shows(words, true).await;
    }

    /// The day is over, though nobody may have looked at the clock.
    pub async fn a_day_passes(&self) {
        assert_eq!(self.stage.alter("UPDATE wait SET deadline_ms = 1 WHERE value IS NULL").await, 1);
    }
}
