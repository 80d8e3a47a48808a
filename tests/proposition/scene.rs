//! A debate whose proposition waits for its start, and what members do there.

use domain::{Opinion, SessionId, VoteKind};
use playground::{
    Id, Seen,
    ids::{ADA, DECISIONS},
};
use quorum::store::VoteRow;
use serde_json::{Value, json};

use crate::support::{
    Actor, Stage,
    play::{buttons, id, is_private, read},
    wait_for_end,
};

/// The key of the vote before a debate.
pub const BEFORE: &str = "proposition";
/// That of the one after it.
pub const AFTER: &str = "opinion";

/// What is typed into the command unless a test says otherwise.
pub const TYPED: &str = "a delivery app for the town";

/// A stage with a bot on it and a debate that waits for its start.
pub struct Debating {
    pub stage: Stage,
    pub bot: Option<Actor>,
    pub thread: Id,
    pub session: SessionId,
    /// The message with the proposition, whatever becomes of it.
    pub card: Id,
}

impl Debating {
    /// Ada asks, and the proposition is there.
    pub async fn proposed(options: Value) -> Self {
        Self::on(Stage::start().await, options).await
    }

    /// The same on a stage that was set up before.
    pub async fn on(stage: Stage, mut options: Value) -> Self {
        options["preset"] = "quick".into();
        options["proposition"] = TYPED.into();
        let bot = stage.bot().await;
        let client = stage.discord.client();
        let started = client.run_command(ADA, DECISIONS, "debate", options).unwrap();
        let text = client.wait_reply(started).await.text();
        let link = text.split_once("<#").and_then(|(_, rest)| rest.split_once('>'));
        let thread = link.unwrap_or_else(|| panic!("no thread in {text:?}")).0.parse().unwrap();
        let card = id(&stage.wait_for(thread, "[Edit]").await["id"]);
        stage.wait_card(thread, "Waiting for an answer").await;
        let session = SessionId::parse(&stage.session(thread)).unwrap();
        Self { stage, bot: Some(bot), thread, session, card }
    }

    /// A debate that is over, and whose team is asked once more.
    pub async fn over(options: Value) -> Self {
        let debate = Self::proposed(options).await;
        debate.press(ADA, "prop_start").await;
        debate.ended().await;
        debate
    }

    pub fn bot(&self) -> &Actor {
        self.bot.as_ref().expect("a bot")
    }

    /// Kills the bot where it stands.
    pub async fn kill(&mut self) {
        self.bot.take().expect("a bot").kill().await;
    }

    /// Starts another one.
    pub async fn start(&mut self) {
        self.bot = Some(self.stage.bot().await);
    }

    /// Waits until the debate is over and the team is asked once more.
    pub async fn ended(&self) {
        wait_for_end(&self.stage, self.thread).await;
        self.wait("the team is asked", async || self.asking().is_some()).await;
    }

    /// Waits until something holds.
    pub async fn wait(&self, what: &str, holds: impl AsyncFn() -> bool) {
        self.stage.wait_until(self.thread, what, holds).await;
    }

    pub fn message(&self, message: Id) -> Value {
        let messages = self.stage.public(self.thread);
        messages.into_iter().find(|other| id(&other["id"]) == message).expect("the message")
    }

    /// The proposition's card as it is.
    pub fn shown(&self) -> String {
        read(&self.message(self.card))
    }

    /// Waits until the proposition's card shows something, or does not.
    pub async fn shows(&self, phrase: &str, shown: bool) -> String {
        self.wait(&format!("{phrase:?} is on the card: {shown}"), async || {
            self.shown().contains(phrase) == shown
        })
        .await;
        self.shown()
    }

    /// The panel on which the team says what it thinks after the debate, while it is open.
    pub fn asking(&self) -> Option<Value> {
        let mut messages = self.stage.public(self.thread).into_iter();
        messages.find(|message| custom_id(message, "opinion_close", "").is_some())
    }

    /// Presses a button of the proposition's card without waiting; gives the interaction.
    pub fn click(&self, member: Id, verb: &str) -> Id {
        let card = self.message(self.card);
        let custom_id = custom_id(&card, verb, "").unwrap_or_else(|| panic!("no {verb} on {}", read(&card)));
        self.click_on(member, self.card, &custom_id)
    }

    /// Presses any button of a message without waiting; gives the interaction.
    pub fn click_on(&self, member: Id, message: Id, custom_id: &str) -> Id {
        self.stage.discord.client().click(member, self.thread, message, custom_id).unwrap()
    }

    /// Presses a button of the proposition's card.
    pub async fn press(&self, member: Id, verb: &str) -> Seen {
        let seen = self.stage.discord.client().wait_reply(self.click(member, verb)).await;
        assert!(is_private(&seen, member), "{:?}", seen.messages);
        seen
    }

    /// What a member alone is told about what they did.
    pub async fn told(&self, member: Id, interaction: Id) -> String {
        let seen = self.stage.discord.client().wait_reply(interaction).await;
        assert!(is_private(&seen, member), "only for {member}: {:?}", seen.messages);
        seen.text()
    }

    /// The button by which somebody says before the debate what they think, as it is on the card now.
    pub fn before_button(&self, opinion: Opinion) -> String {
        let card = self.message(self.card);
        custom_id(&card, "opinion_before", opinion.as_str())
            .unwrap_or_else(|| panic!("not asked on {}", read(&card)))
    }

    /// Says before the debate what a member thinks; gives what they are told.
    pub async fn before(&self, member: Id, opinion: Opinion) -> String {
        let pressed = self.click_on(member, self.card, &self.before_button(opinion));
        self.told(member, pressed).await
    }

    /// Says after the debate what a member thinks, without waiting.
    pub fn start_after(&self, member: Id, opinion: Opinion) -> Id {
        let panel = self.asking().expect("the team is asked");
        let custom_id = custom_id(&panel, "opinion_after", opinion.as_str()).unwrap();
        self.click_on(member, id(&panel["id"]), &custom_id)
    }

    /// Says after the debate what a member thinks; gives what they are told.
    pub async fn after(&self, member: Id, opinion: Opinion) -> String {
        let pressed = self.start_after(member, opinion);
        self.told(member, pressed).await
    }

    /// Ada closes the second asking: asked once more, then sure.
    pub async fn close(&self) -> String {
        let panel = self.asking().expect("the team is asked");
        let pressed = self.click_on(ADA, id(&panel["id"]), &custom_id(&panel, "opinion_close", "").unwrap());
        let seen = self.stage.discord.client().wait_reply(pressed).await;
        assert!(is_private(&seen, ADA), "{:?}", seen.messages);
        let sure = seen.messages.last().unwrap();
        let sure = self.click_on(ADA, id(&sure["id"]), &custom_id(sure, "opinion_close_sure", "").unwrap());
        self.told(ADA, sure).await
    }

    /// One of the two votes as the database has it.
    pub async fn opinions(&self, key: &str) -> VoteRow {
        let row = self.bot().store.vote(&self.session, &key.into()).await.unwrap().expect("a vote");
        assert_eq!(row.vote.kind, VoteKind::Opinion);
        row
    }

    /// Who said what.
    pub async fn said(&self, key: &str) -> Vec<(Id, Opinion)> {
        let ballots = self.opinions(key).await.vote.ballots;
        ballots.into_iter().map(|ballot| (ballot.voter.0, ballot.opinion().unwrap())).collect()
    }

    /// The swing, once it is in the thread: counted once, and shown once.
    pub async fn swing(&self) -> Value {
        const TITLE: &str = "How the team's opinions moved";
        let swings = || {
            let messages = self.stage.public(self.thread).into_iter();
            messages.filter(|message| read(message).contains(TITLE)).collect::<Vec<_>>()
        };
        self.wait("the swing is in the thread", async || !swings().is_empty()).await;
        let made = self
            .stage
            .number("SELECT count(*) FROM outbox WHERE post_key = 'opinion/result' AND part = 0")
            .await;
        assert_eq!(made, 1, "one swing");
        swings().remove(0)
    }

    /// Edits the proposition; gives the sent form's interaction. Boxes that are not named stay as they are.
    pub async fn send(&self, member: Id, boxes: &[(&str, &str)]) -> Id {
        let opener = self.click(member, "prop_edit");
        let client = self.stage.discord.client();
        let form = client.wait_reply(opener).await.modal.expect("a form");
        let rows = form["components"].as_array().unwrap();
        let inputs: Vec<Value> = rows
            .iter()
            .map(|row| {
                if row["component"].is_null() {
                    row["components"][0].clone()
                } else {
                    row["component"].clone()
                }
            })
            .collect();
        let names: Vec<&str> = inputs.iter().map(|input| input["custom_id"].as_str().unwrap()).collect();
        assert_eq!(names, ["question", "where", "when", "whom", "background"]);
        let written: Vec<(&str, &str)> = inputs
            .iter()
            .map(|input| {
                let name = input["custom_id"].as_str().unwrap();
                let given = boxes.iter().find(|(of, _)| *of == name).map(|(_, text)| *text);
                (name, given.unwrap_or_else(|| input["value"].as_str().unwrap_or_default()))
            })
            .collect();
        client.submit_modal(member, opener, &written).unwrap()
    }

    /// Edits the proposition; gives what the member sees.
    pub async fn edit(&self, member: Id, boxes: &[(&str, &str)]) -> Seen {
        let sent = self.send(member, boxes).await;
        let seen = self.stage.discord.client().wait_reply(sent).await;
        assert!(is_private(&seen, member), "{:?}", seen.messages);
        seen
    }
}

/// The `custom_id` of a message's button that means `verb`, with an argument that begins so.
pub fn custom_id(message: &Value, verb: &str, argument: &str) -> Option<String> {
    let mut ids = buttons(message).into_iter().map(|(_, id)| id);
    ids.find(|id| {
        let mut parts = id.splitn(4, ':').skip(2);
        parts.next() == Some(verb) && parts.next().is_some_and(|of| of.starts_with(argument))
    })
}

/// No options.
pub fn plain() -> Value {
    json!({})
}
