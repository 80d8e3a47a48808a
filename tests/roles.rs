//! Proposed roles: what people do with them, over the wire.

use std::time::Duration;

use crate::support::{
    Stage,
    play::{PROBLEM, buttons, id, is_private, read},
    wait_for_end,
};
use quorum::playground::{
    Id, Seen,
    ids::{ADA, BEN, CHLOE, DECISIONS},
};
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

/// What stands under proposed roles until somebody confirmed them.
const GO: &str = "[Go]";
const SHOPKEEPER: &str = "Shopkeeper\nAsks what it does to the shops of the town.";
const COURIER: &str = "Courier\nAsks who rides in the rain, and for how much.";

fn nothing_amiss(stage: &Stage) {
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    assert_eq!(stage.model.strays(), Vec::<String>::new());
}

/// A session that waits for its roles to be confirmed.
struct Table<'a> {
    stage: &'a Stage,
    thread: Id,
    /// The message with the proposed roles, whatever becomes of them.
    panel: Id,
}

impl<'a> Table<'a> {
    /// Ada asks; the roles are proposed and the live card says so.
    async fn laid(stage: &'a Stage) -> Self {
        let client = stage.discord.client();
        let started = client.run_command(ADA, DECISIONS, "roundtable", json!({"problem": PROBLEM})).unwrap();
        let text = client.wait_reply(started).await.text();
        let link = text.split_once("<#").and_then(|(_, rest)| rest.split_once('>'));
        let thread = link.unwrap_or_else(|| panic!("no thread in {text:?}")).0.parse().unwrap();
        let panel = id(&stage.wait_for(thread, GO).await["id"]);
        stage.wait_card(thread, "Waiting for an answer").await;
        Self { stage, thread, panel }
    }

    fn panel(&self) -> Value {
        let messages = self.stage.public(self.thread);
        messages.into_iter().find(|message| id(&message["id"]) == self.panel).expect("the proposed roles")
    }

    /// What else was posted in the thread.
    fn rest(&self) -> String {
        let messages = self.stage.public(self.thread);
        messages.iter().filter(|message| id(&message["id"]) != self.panel).map(read).collect()
    }

    /// Waits until the proposed roles show something, or do not.
    async fn shows(&self, phrase: &str, shown: bool) -> String {
        for _ in 0..600 {
            let text = read(&self.panel());
            if text.contains(phrase) == shown {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{phrase:?} (shown: {shown}) in vain awaited on\n{}", read(&self.panel()))
    }

    /// A press by the button's meaning; its interaction.
    fn click(&self, member: Id, verb: &str) -> Id {
        let panel = self.panel();
        let custom_id = format!("v1:{}:{verb}:", self.stage.session(self.thread));
        assert!(buttons(&panel).iter().any(|(_, id)| *id == custom_id), "no {verb} on {}", read(&panel));
        self.stage.discord.client().click(member, self.thread, self.panel, &custom_id).unwrap()
    }

    async fn press(&self, member: Id, verb: &str) -> Seen {
        let seen = self.stage.discord.client().wait_reply(self.click(member, verb)).await;
        assert!(is_private(&seen, member), "{:?}", seen.messages);
        seen
    }

    /// The form behind *Edit roles*: the press that opened it and the names of its boxes.
    async fn form(&self, member: Id) -> (Id, Vec<String>) {
        let opener = self.click(member, "roles_edit");
        let modal = self.stage.discord.client().wait_reply(opener).await.modal.expect("a form");
        let boxes = modal["components"].as_array().unwrap().iter().map(|row| {
            let input = if row["component"].is_null() { &row["components"][0] } else { &row["component"] };
            input["custom_id"].as_str().unwrap().to_owned()
        });
        (opener, boxes.collect())
    }

    /// Edits the roles; gives the sent form's interaction.
    async fn send(&self, member: Id, texts: [&str; 2]) -> Id {
        let (opener, boxes) = self.form(member).await;
        let written = fill(&boxes, texts);
        let written: Vec<(&str, &str)> = written.iter().map(|(id, text)| (id.as_str(), *text)).collect();
        self.stage.discord.client().submit_modal(member, opener, &written).unwrap()
    }

    async fn edit(&self, member: Id, texts: [&str; 2]) -> Seen {
        let sent = self.send(member, texts).await;
        let seen = self.stage.discord.client().wait_reply(sent).await;
        assert!(is_private(&seen, member), "{:?}", seen.messages);
        seen
    }
}

/// What goes into the boxes of the form for two experts, each text being a name and below it a mission.
fn fill<'a>(boxes: &[String], texts: [&'a str; 2]) -> Vec<(String, &'a str)> {
    assert_eq!(boxes, ["name-1", "mission-1", "name-2", "mission-2"]);
    let parts = texts.into_iter().flat_map(|text| {
        let (name, mission) = text.split_once('\n').unwrap();
        [name, mission]
    });
    boxes.iter().cloned().zip(parts).collect()
}

/// Does something to the database of a bot, dead or alive.
async fn alter(stage: &Stage, sql: &'static str) -> u64 {
    let connect =
        SqliteConnectOptions::new().filename(stage.database()).busy_timeout(Duration::from_secs(10));
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(connect)
        .await
        .unwrap();
    let changed = sqlx::query(sql).execute(&pool).await.unwrap().rows_affected();
    pool.close().await;
    changed
}

/// From here on, everybody on the server may decide.
async fn everyone_decides(stage: &Stage) {
    let sql = "INSERT INTO guild_settings (guild_id, settings, changed_ms)
               SELECT guild_id, '{\"may_decide\": \"everyone\"}', 0 FROM session";
    assert_eq!(alter(stage, sql).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_goes_on_before_go_and_then_it_does() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    let card = stage.wait_card(thread, "Waiting for an answer").await;
    assert!(card.contains("Waits for Ada or a moderator to press **Go**"), "{card}");
    assert!(card.contains("it ends <t:") && card.contains("Step 1 of 5"), "{card}");
    assert!(
        !card.contains("[Pause]") && card.contains("[Add context]") && card.contains("[Cancel]"),
        "{card}"
    );
    let roles = read(&table.panel());
    assert!(roles.contains("[Edit roles]") && roles.contains("[Cancel]"), "{roles}");
    let spent = stage.model.calls().len();
    // It is waited for the absence of something: nothing says when it has not happened for long enough.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(stage.model.calls().len(), spent);

    let noted = stage.add_context(CHLOE, thread, "The town has one bridge.").await;
    assert!(noted.contains("Noted"), "{noted}");
    let go = table.press(ADA, "roles_go").await.text();
    assert!(go.contains("The experts begin"), "{go}");
    wait_for_end(&stage, thread).await;
    let shown = table.shows(GO, false).await;
    assert!(
        shown.contains("Ada") && !shown.contains("[Edit roles]"),
        "who confirmed, and no buttons: {shown}"
    );
    stage.wait_card(thread, "Done").await;
    nothing_amiss(&stage);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edited_roles_are_shown_and_are_those_it_goes_on_with() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    let said = table.edit(ADA, [SHOPKEEPER, "@everyone **Courier**\nWho <@1> rides?"]).await.text();
    assert!(said.contains("Saved") && said.contains("press Go"), "{said}");
    let shown = table.shows("Shopkeeper", true).await;
    assert!(shown.contains("shops of the town") && shown.contains(GO), "{shown}");
    // The form holds what the roles are now.
    everyone_decides(&stage).await;
    let (opener, _) = table.form(BEN).await;
    let modal = stage.discord.client().look(opener).modal.unwrap().to_string();
    assert!(modal.contains("Shopkeeper") && modal.contains("@everyone"), "{modal}");

    table.edit(ADA, [SHOPKEEPER, COURIER]).await;
    table.shows("rides in the rain", true).await;
    table.press(ADA, "roles_go").await;
    wait_for_end(&stage, thread).await;
    let shown = table.shows(GO, false).await;
    assert!(shown.contains("Shopkeeper") && shown.contains("Courier"), "{shown}");
    let said = table.rest();
    assert!(said.contains("Shopkeeper") && said.contains("Courier"), "they speak: {said}");
    nothing_amiss(&stage);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_with_an_error_leaves_the_roles_and_gives_the_text_back() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    table.edit(ADA, [SHOPKEEPER, COURIER]).await;
    let before = table.shows("Courier", true).await;
    let long = format!("Long\n{}", "x".repeat(2_900));
    let cases = [
        ([" \nAsks for bread.", COURIER], "Expert 1 has no name"),
        (["Nobody\n ", COURIER], "Expert 1 has no mission"),
        ([SHOPKEEPER, "shopKEEPER\nThe same again."], "Experts 1 and 2 have the same name"),
        ([SHOPKEEPER, &long], "Expert 2's mission has 2900 characters; at most 600 fit"),
    ];
    for (texts, problem) in cases {
        let seen = table.edit(ADA, texts).await;
        let said = seen.text();
        assert!(said.contains(problem) && said.contains("as they were"), "{said}");
        let all = texts.map(str::len).iter().sum::<usize>();
        let shown: String = seen.messages.iter().map(read).collect();
        assert!(shown.contains("[Open the form again]"), "{shown}");
        let files: Vec<&Value> =
            seen.messages.iter().flat_map(|m| m["attachments"].as_array().into_iter().flatten()).collect();
        if all < 1_000 {
            assert!(
                texts.iter().flat_map(|text| text.lines()).all(|line| shown.contains(line.trim()))
                    && files.is_empty(),
                "{shown}"
            );
        } else {
            assert_eq!(files.len(), 1, "what is too long for a card is a file");
            let size = usize::try_from(files[0]["size"].as_u64().unwrap()).unwrap();
            assert!(size >= all, "all of it: {size}");
        }
    }
    table.press(ADA, "roles_go").await;
    wait_for_end(&stage, thread).await;
    let after = table.shows(GO, false).await;
    assert!(before.contains("Courier") && after.contains("rides in the rain"), "{before}\n{after}");
    nothing_amiss(&stage);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_may_not_decide_is_told_who_may() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    for verb in ["roles_go", "roles_edit", "roles_cancel"] {
        let seen = stage.discord.client().wait_reply(table.click(CHLOE, verb)).await;
        assert!(is_private(&seen, CHLOE) && seen.modal.is_none());
        assert!(seen.text().contains("Only Ada") && seen.text().contains("moderator"), "{}", seen.text());
    }
    assert!(read(&table.panel()).contains(GO));
    everyone_decides(&stage).await;
    let go = table.press(CHLOE, "roles_go").await.text();
    assert!(go.contains("The experts begin"), "{go}");
    wait_for_end(&stage, thread).await;
    assert!(table.shows(GO, false).await.contains("Chloé"));
    nothing_amiss(&stage);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delivered_twice_or_pressed_by_two_it_happens_once() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    let client = stage.discord.client();
    let first = table.send(ADA, [SHOPKEEPER, COURIER]).await;
    client.wait_reply(first).await;
    let second = table.edit(ADA, ["Baker\nAsks for bread.", COURIER]).await;
    assert!(second.text().contains("Saved"));
    table.shows("Baker", true).await;
    // The first edit comes again, after the second: it is known, and changes nothing.
    client.redeliver(first).unwrap();

    everyone_decides(&stage).await;
    let (by_ada, by_ben) = (table.click(ADA, "roles_go"), table.click(BEN, "roles_go"));
    client.redeliver(by_ada).unwrap();
    client.redeliver(by_ben).unwrap();
    let said = [client.wait_reply(by_ada).await.text(), client.wait_reply(by_ben).await.text()];
    assert_eq!(said.iter().filter(|said| said.contains("The experts begin")).count(), 1, "{said:?}");
    assert_eq!(said.iter().filter(|said| said.contains("pressed Go already")).count(), 1, "{said:?}");
    wait_for_end(&stage, thread).await;
    let shown = table.shows(GO, false).await;
    assert!(shown.contains("Baker") && !shown.contains("Shopkeeper"), "{shown}");
    let ends =
        stage.public(thread).iter().filter(|message| read(message).contains("Nothing was degraded")).count();
    assert_eq!(ends, 1);
    // The only thing that Discord minds is that what it delivered again was acknowledged again.
    let minded = stage.discord.violations();
    assert!(minded.iter().all(|line| line.contains("already been acknowledged")), "{minded:?}");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_cancel_the_buttons_are_gone_and_go_says_why() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    let (opener, boxes) = table.form(ADA).await;
    let asked = table.press(ADA, "roles_cancel").await;
    assert!(asked.text().contains("End this session?"), "{}", asked.text());
    let sure = stage.press(ADA, thread, &asked.messages[0], "Yes, end it").await.text();
    assert!(sure.contains("Cancelled"), "{sure}");
    stage.wait_card(thread, "Cancelled").await;
    let shown = table.shows(GO, false).await;
    assert!(shown.contains("ended"), "{shown}");

    // On a phone that has not seen the change yet, the buttons and the form are still there.
    let session = stage.session(thread);
    let old = stage
        .forged_buttons(thread, &[&format!("v1:{session}:roles_go:"), &format!("v1:{session}:roles_edit:")])
        .await;
    let client = stage.discord.client();
    for verb in ["roles_go", "roles_edit"] {
        let pressed = client.click(ADA, thread, old, &format!("v1:{session}:{verb}:")).unwrap();
        let said = client.wait_reply(pressed).await.text();
        assert!(said.contains("has ended") && said.contains("Start the command again"), "{said}");
    }
    let written = fill(&boxes, [SHOPKEEPER, COURIER]);
    let written: Vec<(&str, &str)> = written.iter().map(|(id, text)| (id.as_str(), *text)).collect();
    let sent = client.submit_modal(ADA, opener, &written).unwrap();
    let said = client.wait_reply(sent).await.text();
    assert!(said.contains("has ended"), "{said}");
    nothing_amiss(&stage);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_session_is_neither_paused_nor_resumed_nor_tried_again() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    let session = stage.session(thread);
    let ids = [format!("v1:{session}:pause:"), format!("v1:{session}:resume:")];
    let old = stage.forged_buttons(thread, &[&ids[0], &ids[1]]).await;
    let client = stage.discord.client();
    for custom_id in &ids {
        let pressed = client.click(ADA, thread, old, custom_id).unwrap();
        let said = client.wait_reply(pressed).await.text();
        assert!(said.contains("press **Go**") && said.contains("nothing is spent"), "{said}");
    }
    let said = stage.told(ADA, thread, "session retry", json!({})).await;
    assert!(said.contains("press **Go**"), "{said}");
    let shown = stage.told(CHLOE, thread, "session show", json!({})).await;
    assert!(shown.contains("Waits for Ada"), "{shown}");
    let asked = stage.told(CHLOE, thread, "ask", json!({"question": "What is this about?"})).await;
    assert!(asked.contains("Asked"), "{asked}");
    table.press(ADA, "roles_go").await;
    wait_for_end(&stage, thread).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_that_passes_while_the_bot_is_down_ends_it_once_with_a_note() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    bot.kill().await;
    assert_eq!(alter(&stage, "UPDATE wait SET deadline_ms = 1 WHERE value IS NULL").await, 1);
    for _ in 0..2 {
        let bot = stage.bot().await;
        stage.wait_card(thread, "Cancelled").await;
        stage.wait_for(thread, "so the session was ended. Nothing more was spent").await;
        let shown = table.shows(GO, false).await;
        assert!(shown.contains("within a day"), "{shown}");
        tokio::time::sleep(Duration::from_millis(300)).await;
        bot.kill().await;
        let notes =
            stage.public(thread).iter().filter(|m| read(m).contains("Nothing more was spent")).count();
        assert_eq!(notes, 1);
    }
    nothing_amiss(&stage);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_after_the_deadline_is_too_late_though_nobody_has_looked_at_the_clock() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    assert_eq!(alter(&stage, "UPDATE wait SET deadline_ms = 1 WHERE value IS NULL").await, 1);
    let said = table.press(ADA, "roles_go").await.text();
    assert!(said.contains("within a day") && said.contains("has ended"), "{said}");
    stage.wait_card(thread, "Cancelled").await;
    table.shows(GO, false).await;
    nothing_amiss(&stage);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_wait_and_its_edits_outlive_the_process() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let table = Table::laid(&stage).await;
    let thread = table.thread;
    table.edit(ADA, [SHOPKEEPER, COURIER]).await;
    bot.kill().await;
    let bot = stage.bot().await;
    table.shows("Shopkeeper", true).await;
    let card = stage.wait_card(thread, "Waiting for an answer").await;
    assert!(card.contains("Waits for Ada") && card.contains("Step 1 of 5"), "{card}");
    table.press(ADA, "roles_go").await;
    let text = wait_for_end(&stage, thread).await;
    assert!(text.contains("Shopkeeper") && text.contains("Courier"), "{text}");
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
    nothing_amiss(&stage);
    bot.kill().await;
}
