//! A mediation that has come to its vote, and what members do there.

use domain::{Closed, Pings, Post, SessionId, VoteState};
use playground::{Id, Seen, ids::ADA};
use quorum::store::VoteRow;
use serde_json::{Value, json};
use sqlx::Row;

use crate::support::{
    Actor, Stage,
    play::{Part, id, is_private, read},
    wait_for_end,
};

/// A stage with a bot on it and an open vote over two solutions.
pub struct Voting {
    pub stage: Stage,
    pub bot: Option<Actor>,
    pub thread: Id,
    pub session: SessionId,
}

/// An option of a memo, raised by these, of which nothing more is said than what is done.
pub fn option(title: &str, action: &str, raised_by: &[&str]) -> Value {
    json!({
        "title": title, "action": action, "cost": "",
        "stop": "", "raised_by": raised_by, "combines": [],
    })
}

/// Has the mediator recommend two things.
pub fn two_solutions(stage: &Stage) {
    stage.model.on(|call| {
        (call.part() == Part::Synthesis).then(|| {
            call.reply(|reply| {
                let some = |title: &str, how: &str| option(title, how, &["market"]);
                reply["options"] = json!([
                    some("Start with one district", "Open riverside first and widen after a quarter."),
                    some("Partner with local restaurants", "Sign twelve kitchens before any rider is hired."),
                ]);
            })
        })
    });
}

impl Voting {
    /// Ada asks, the experts answer, and the vote is open.
    pub async fn open(options: Value) -> Self {
        Self::on(Stage::start().await, options).await
    }

    /// The same on a stage that was set up before.
    pub async fn on(stage: Stage, options: Value) -> Self {
        two_solutions(&stage);
        let bot = stage.bot().await;
        let thread = stage.mediate(options).await;
        wait_for_end(&stage, thread).await;
        let session = SessionId::parse(&stage.session(thread)).unwrap();
        let voting = Self { stage, bot: Some(bot), thread, session };
        voting.wait("the panel is there", async || voting.find_panel().is_some()).await;
        voting
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

    /// Waits until something holds.
    pub async fn wait(&self, what: &str, holds: impl AsyncFn() -> bool) {
        self.stage.wait_until(self.thread, what, holds).await;
    }

    /// The vote as the database has it.
    pub async fn vote(&self) -> VoteRow {
        self.bot().store.vote(&self.session, &"vote".into()).await.unwrap().expect("a vote")
    }

    /// The points of a member's ballot.
    pub async fn points(&self, member: Id) -> Option<Vec<u32>> {
        let row = self.vote().await;
        let ballot = row.vote.ballots.into_iter().find(|ballot| ballot.voter.0 == member)?;
        Some(ballot.points()?.points().to_vec())
    }

    /// Waits until the vote is counted; gives why it closed.
    pub async fn wait_counted(&self) -> Closed {
        self.wait("the vote is counted", async || self.vote().await.counted).await;
        let VoteState::Closed(why) = self.vote().await.vote.state else { panic!("counted and open") };
        why
    }

    fn find_panel(&self) -> Option<Value> {
        self.stage.public(self.thread).into_iter().find(|message| component(message, "vote_all").is_some())
    }

    /// The panel, while it can be voted on.
    pub fn panel(&self) -> Value {
        self.find_panel().unwrap_or_else(|| panic!("no panel in\n{}", self.stage.read(self.thread)))
    }

    /// What the panel says once it shows everything that has happened.
    pub async fn panel_shown(&self) -> String {
        self.wait("the panel shows what is so", async || {
            let panel = self.bot().store.panel(&self.session, "vote").await.unwrap().unwrap();
            panel.shown == panel.revision
        })
        .await;
        read(&self.panel())
    }

    /// Presses a button of the panel.
    pub async fn press(&self, member: Id, verb: &str) -> Seen {
        self.press_on(member, &self.panel(), verb).await
    }

    /// Presses a button of a message, which may be private.
    pub async fn press_on(&self, member: Id, message: &Value, verb: &str) -> Seen {
        let pressed = self.start_press(member, message, verb);
        self.stage.discord.client().wait_reply(pressed).await
    }

    /// Presses without waiting; gives the interaction.
    pub fn start_press(&self, member: Id, message: &Value, verb: &str) -> Id {
        let custom_id = component(message, verb).unwrap_or_else(|| panic!("no {verb} on {message}"));
        self.stage.discord.client().click(member, self.thread, id(&message["id"]), &custom_id).unwrap()
    }

    /// Gives a solution all ten points, without waiting; gives the interaction.
    pub fn start_all(&self, member: Id, solution: &str) -> Id {
        let panel = self.panel();
        let custom_id = component(&panel, "vote_all").unwrap();
        let client = self.stage.discord.client();
        client.select(member, self.thread, id(&panel["id"]), &custom_id, &[solution]).unwrap()
    }

    /// Gives a solution all ten points; gives what the member reads.
    pub async fn all(&self, member: Id, solution: &str) -> String {
        let voted = self.start_all(member, solution);
        self.private(member, voted).await
    }

    /// What a member alone is told about what they did.
    pub async fn private(&self, member: Id, interaction: Id) -> String {
        let seen = self.stage.discord.client().wait_reply(interaction).await;
        assert!(is_private(&seen, member), "only for {member}: {:?}", seen.messages);
        seen.text()
    }

    /// Opens a form and sends it; gives what the member reads.
    pub async fn send(&self, member: Id, message: &Value, verb: &str, values: &[&str]) -> String {
        let sent = self.start_send(member, message, verb, values).await;
        self.private(member, sent).await
    }

    /// Opens a form and sends it without waiting for the answer; gives the interaction. Values go into the boxes in
    /// their order, whatever those are called.
    pub async fn start_send(&self, member: Id, message: &Value, verb: &str, values: &[&str]) -> Id {
        let opener = self.start_press(member, message, verb);
        let seen = self.stage.discord.client().wait_reply(opener).await;
        assert!(seen.modal.is_some(), "a form opens, not {:?}", seen.messages);
        self.fill(member, opener, values)
    }

    /// Fills in and sends the form that an interaction opened; gives the interaction.
    pub fn fill(&self, member: Id, opener: Id, values: &[&str]) -> Id {
        let form = self.stage.discord.client().look(opener).modal.expect("a form");
        let rows = form["components"].as_array().unwrap().iter();
        let boxes: Vec<String> =
            rows.map(|row| row["component"]["custom_id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(boxes.len(), values.len(), "{form}");
        let values: Vec<(&str, &str)> =
            boxes.iter().map(String::as_str).zip(values.iter().copied()).collect();
        self.stage.discord.client().submit_modal(member, opener, &values).unwrap()
    }

    /// Proposes a solution; gives what the member reads.
    pub async fn propose(&self, member: Id, title: &str, description: &str) -> String {
        self.send(member, &self.panel(), "propose", &[title, description]).await
    }

    /// Somebody's private panel for spreading points.
    pub async fn spreading(&self, member: Id) -> Value {
        let seen = self.press(member, "vote_spread").await;
        assert!(is_private(&seen, member), "{:?}", seen.messages);
        seen.messages.last().unwrap().clone()
    }

    /// A private panel as it is now.
    pub fn again(&self, message: &Value) -> Value {
        let messages = self.stage.discord.messages(self.thread);
        messages.into_iter().find(|other| other["id"] == message["id"]).unwrap()
    }

    /// A message is as it was; the one that it answers to may have been edited meanwhile.
    pub fn unchanged(&self, message: &Value) {
        let own = |message: &Value| {
            let mut own = message.clone();
            own.as_object_mut().unwrap().remove("referenced_message");
            own
        };
        assert_eq!(own(&self.again(message)), own(message));
    }

    /// Delivers an interaction once more and waits until the bot has answered something again.
    pub async fn deliver_again(&self, interaction: Id) {
        let answers = || {
            let requests = self.stage.discord.requests().into_iter();
            requests.filter(|request| request.path.ends_with("/messages/@original")).count()
        };
        let before = answers();
        self.stage.discord.client().redeliver(interaction).unwrap();
        self.wait("the second delivery is answered", async || answers() > before).await;
    }

    /// Delivers an interaction that no bot has seen yet and waits until it is applied.
    pub async fn deliver_late(&self, interaction: Id) {
        self.stage.discord.client().redeliver(interaction).unwrap();
        self.wait("the late press is applied", async || {
            self.bot().store.applied(interaction).await.unwrap().is_some()
        })
        .await;
    }

    /// Messages in the thread that come from posts with this key.
    pub async fn posted(&self, key: &'static str) -> Vec<Value> {
        let pool = self.stage.rows().await;
        let rows =
            sqlx::query("SELECT message_id FROM outbox WHERE post_key = ?1 AND message_id IS NOT NULL");
        let ids: Vec<String> = (rows.bind(key).fetch_all(&pool).await.unwrap().iter())
            .map(|row| row.get::<i64, _>("message_id").to_string())
            .collect();
        pool.close().await;
        let messages = self.stage.public(self.thread).into_iter();
        messages.filter(|message| ids.iter().any(|id| message["id"] == id.as_str())).collect()
    }

    /// Whom the posts with this key may notify.
    pub async fn pings(&self, key: &'static str) -> Vec<Pings> {
        let pool = self.stage.rows().await;
        let rows: Vec<String> = sqlx::query_scalar("SELECT payload FROM outbox WHERE post_key = ?1")
            .bind(key)
            .fetch_all(&pool)
            .await
            .unwrap();
        pool.close().await;
        rows.iter().map(|payload| serde_json::from_str::<Post>(payload).unwrap().pings).collect()
    }

    /// The result, once it is in the thread: counted once, and shown once.
    pub async fn wait_result(&self) -> String {
        self.wait("the result is in the thread", async || !self.posted("vote/result").await.is_empty()).await;
        let pool = self.stage.rows().await;
        let parts: i64 =
            sqlx::query_scalar("SELECT count(*) FROM outbox WHERE post_key = 'vote/result' AND part = 0")
                .fetch_one(&pool)
                .await
                .unwrap();
        pool.close().await;
        assert_eq!(parts, 1, "one result");
        let text: Vec<String> = self.posted("vote/result").await.iter().map(read).collect();
        text.join("\n")
    }

    /// Ada closes the vote: asked once more, then sure.
    pub async fn close(&self) -> String {
        let asked = self.press(ADA, "vote_close").await;
        assert!(is_private(&asked, ADA));
        let sure = self.start_press(ADA, asked.messages.last().unwrap(), "vote_close_sure");
        self.private(ADA, sure).await
    }
}

/// The `custom_id` of a message's button or select that means `verb`.
pub fn component(message: &Value, verb: &str) -> Option<String> {
    components(message, verb).into_iter().next()
}

/// All of them.
pub fn components(message: &Value, verb: &str) -> Vec<String> {
    let rows = message["components"].as_array().into_iter().flatten();
    let parts = rows.flat_map(|row| row["components"].as_array().into_iter().flatten());
    let ids = parts.filter_map(|part| part["custom_id"].as_str().map(str::to_owned));
    ids.filter(|id| id.split(':').nth(2) == Some(verb)).collect()
}

/// Changes something in the database.
pub async fn alter(stage: &Stage, sql: &'static str, number: i64) -> u64 {
    let pool = stage.rows().await;
    let changed = sqlx::query(sql).bind(number).execute(&pool).await.unwrap().rows_affected();
    pool.close().await;
    changed
}

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    quorum::steps::now_ms()
}
