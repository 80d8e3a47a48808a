//! `/privacy`: what it says is kept, and what becomes of it.

use playground::{
    Id,
    ids::{ADA, BEN, CHLOE, DECISIONS, DMITRI, GENERAL, RIVERSIDE, SECOND_DECISIONS},
};
use serde_json::{Value, json};

use super::scene::{answer, ended, on_disk, search, turn, wait_gone};
use crate::{
    critique::scene::PLAN,
    decision::scene::{form, record, wait_pinned},
    support::{
        Stage,
        files::said,
        has, has_not,
        play::{buttons, id, read},
        wait_for_end,
    },
};

/// Comes to the question whether everything should be deleted, and says yes; gives the answer.
pub(super) async fn delete(stage: &Stage, member: Id, label: &str) -> String {
    let shown = answer(stage, member, DECISIONS, "privacy", json!({})).await;
    let asked = turn(stage, member, DECISIONS, &shown, label).await;
    has(&read(&asked), &["Gone for good", "Not mine to delete", "What is posted on Discord"]);
    sure(stage, member, &asked).await
}

async fn sure(stage: &Stage, member: Id, asked: &Value) -> String {
    let (_, sure) = buttons(asked).into_iter().find(|(label, _)| label == "Yes, delete it all").unwrap();
    let client = stage.discord.client();
    let pressed = client.click(member, DECISIONS, id(&asked["id"]), &sure).unwrap();
    said(&client.wait_reply(pressed).await, member)
}

/// Ada's session, in which Ben asks, adds and votes; decided, with Ben to see to it.
async fn with_ben(stage: &Stage) -> Id {
    let thread = ended(stage, ADA, DECISIONS, "Do we run a ferry to Brunnen?").await;
    let panel = stage.wait_for(thread, "[Spread 10 points]").await;
    stage.choose(BEN, thread, &panel, "All 10 points to…", "1").await;
    stage.wait_for(thread, "1 has voted").await;
    stage.told(BEN, thread, "ask", json!({"question": "What of my obstreperous grandmother?"})).await;
    stage
        .wait_number("SELECT count(*) FROM brought WHERE kind = 'question' AND closed_ms IS NOT NULL", 1)
        .await;
    let panel = stage.message(thread, "[Close vote]");
    let really = stage.press(ADA, thread, &panel, "Close vote").await;
    stage.press(ADA, thread, &really.messages[0], "Close it for everyone").await;
    stage.wait_for(thread, "What the experts and the team chose").await;
    let ben = BEN.to_string();
    record(stage, ADA, thread, &form(&[("solution", "S1"), ("member", &ben)])).await;
    wait_pinned(stage, thread, "Decision 1:").await;
    thread
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_members_data_goes_and_what_others_decided_stays_true() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = with_ben(&stage).await;
    let bens = ended(&stage, BEN, DECISIONS, "Do we breed the quizzacious ferret?").await;
    let told = read(&answer(&stage, BEN, GENERAL, "privacy", json!({})).await);
    has(
        &told,
        &[
            "1 session started",
            "1 ballot",
            "1 question",
            "1 decision record",
            "For how long",
            "[Delete my data]",
        ],
    );
    has_not(&told, &["Of this server", "Delete this server's data"]);
    has(&read(&answer(&stage, CHLOE, GENERAL, "privacy", json!({})).await), &["Nothing."]);
    has(&search(&stage, ADA, GENERAL, "grandmother").await, &["One session"]);
    let points = "SELECT sum(value) FROM ballot, json_each(ballot.choice)";
    let before = stage.number(points).await;

    has(&delete(&stage, BEN, "Delete my data").await, &["Your data here is being deleted"]);
    stage.wait_number("SELECT count(*) FROM erasure", 0).await;
    let told = read(&answer(&stage, BEN, GENERAL, "privacy", json!({})).await);
    has(&told, &["Nothing."]);
    has_not(&told, &["under way"]);

    // His session is gone; Ada's is as decided as before, by as many points.
    assert_eq!(stage.number("SELECT count(*) FROM session").await, 1);
    has(&search(&stage, ADA, GENERAL, "ferret").await, &["Nothing was found"]);
    has(&search(&stage, ADA, GENERAL, "Brunnen").await, &["One session"]);
    has(&search(&stage, ADA, GENERAL, "grandmother").await, &["Nothing was found"]);
    assert_eq!((stage.number(points).await, before), (10, 10));
    assert_eq!(stage.number("SELECT json_array_length(record, '$.vote.ballots') FROM decision").await, 1);
    has(&stage.wait_for(thread, "a former member").await["embeds"].to_string(), &["Decision 1"]);
    let rows = stage.rows().await;
    for (table, column) in [
        ("decision", "record"),
        ("outbox", "payload"),
        ("step", "output"),
        ("session", "plan"),
        ("vote", "rules"),
        ("ballot", "voter_id"),
        ("ballot", "voter_name"),
    ] {
        let query = format!("SELECT count(*) FROM {table} WHERE instr({column}, '{BEN}') > 0");
        assert_eq!(stage.number(&query).await, 0, "{table}.{column}");
    }
    rows.close().await;
    assert_eq!(stage.number("SELECT count(*) FROM ballot WHERE voter_name = 'a former member'").await, 1);
    // The lookups of others held the words, too.
    stage.alter("DELETE FROM lookup").await;
    stage.alter("PRAGMA wal_checkpoint(TRUNCATE)").await;
    for word in ["quizzacious", "obstreperous"] {
        wait_gone(&stage, word).await;
    }
    has(&stage.told(ADA, DECISIONS, "decisions", json!({})).await, &["Decision 1"]);
    assert!(!stage.public(bens).is_empty(), "what is on Discord stays");
    stage.nothing_amiss();
    bot.kill().await;
}

/// Whatever a member added to sessions of others: context and a solution, evidence and what was to be made clear, a word
/// on a finding.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_member_added_to_others_sessions_goes_and_the_sessions_stay() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let mediated = stage.mediate(json!({"problem": "Do we run a ferry to Brunnen?"})).await;
    stage.add_context(BEN, mediated, "The pusillanimous ferryman of Brunnen is for sale.").await;
    stage.model.let_go();
    wait_for_end(&stage, mediated).await;
    propose(&stage, BEN, mediated, "Hire the ferryman's boat for a summer").await;

    stage.model.hold(|call| call.kind() == "turn_case");
    let debated = stage.debate(json!({"preset": "quick"})).await;
    stage.model.wait_calls(2, |call| call.kind() == "turn_case").await;
    let evidence =
        [("claim", "A lachrymose captain told me of the storms."), ("source", "Lachrymose Gazette")];
    stage.fill_in(BEN, debated, "Add evidence", &evidence).await;
    stage.fill_in(BEN, debated, "Clarify", &[("text", "What counts as a sesquipedalian pier?")]).await;
    stage.model.let_go();
    wait_for_end(&stage, debated).await;

    let critiqued = stage.critique("plan.md", PLAN, json!({"depth": 1})).await;
    wait_for_end(&stage, critiqued).await;
    let verb = format!("v1:{}:triage_accept:finding/1", stage.session(critiqued));
    let message = stage.forged_buttons(critiqued, &[&verb]).await;
    let client = stage.discord.client();
    let pressed = client.click(BEN, critiqued, message, &verb).unwrap();
    has(&said(&client.wait_reply(pressed).await, BEN), &["F1 is accepted"]);

    let kept = [
        ("(SELECT * FROM brought WHERE kind = 'note')", "author_name"),
        ("(SELECT * FROM brought WHERE kind = 'evidence')", "author_name"),
        ("(SELECT * FROM brought WHERE kind = 'clarification')", "author_name"),
        ("(SELECT * FROM brought WHERE kind = 'triage')", "author_name"),
        ("solution", "raised_by"),
    ];
    let named = |table: &str, column: &str, name: &str| {
        format!("SELECT count(*) FROM {table} WHERE instr({column}, '{name}') > 0")
    };
    for (table, column) in kept {
        assert_eq!(stage.number(&named(table, column, "Ben")).await, 1, "{table}");
    }
    let told = read(&answer(&stage, BEN, GENERAL, "privacy", json!({})).await);
    has_not(&told, &["Nothing."]);
    stage
        .alter(
            "UPDATE vote SET state = 'counted', closed_ms = 2, closed_why = 'deadline', remind_ms = NULL
             WHERE state = 'open'",
        )
        .await;

    has(&delete(&stage, BEN, "Delete my data").await, &["Your data here is being deleted"]);
    stage.wait_number("SELECT count(*) FROM erasure", 0).await;
    has(&read(&answer(&stage, BEN, GENERAL, "privacy", json!({})).await), &["Nothing."]);
    for (table, column) in kept {
        assert_eq!(stage.number(&named(table, column, "Ben")).await, 0, "{table}");
    }
    assert_eq!(stage.number("SELECT count(*) FROM brought WHERE kind = 'note'").await, 0);
    assert_eq!(stage.number("SELECT count(*) FROM brought WHERE kind = 'clarification'").await, 0);
    // What others have answered, voted for or gone by stays, and is nobody's.
    for (table, column) in [kept[1], kept[3], kept[4]] {
        assert_eq!(stage.number(&named(table, column, "a former member")).await, 1, "{table}");
    }
    assert_eq!(stage.number("SELECT count(*) FROM session WHERE state = 'done'").await, 3);
    for (table, column) in [
        ("outbox", "payload"),
        ("step", "output"),
        ("session", "plan"),
        ("brought", "author_id"),
        ("solution", "proposer_id"),
    ] {
        assert_eq!(stage.number(&named(table, column, &BEN.to_string())).await, 0, "{table}.{column}");
    }
    stage.alter("PRAGMA wal_checkpoint(TRUNCATE)").await;
    for word in ["pusillanimous", "lachrymose", "sesquipedalian"] {
        wait_gone(&stage, word).await;
        has(&search(&stage, ADA, GENERAL, word).await, &["Nothing was found"]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

/// A member proposes a solution in an open vote.
async fn propose(stage: &Stage, member: Id, thread: Id, title: &str) {
    let panel = stage.wait_for(thread, "[Propose]").await;
    let (_, custom_id) = buttons(&panel).into_iter().find(|(label, _)| label == "Propose").unwrap();
    let client = stage.discord.client();
    let opened = client.click(member, thread, id(&panel["id"]), &custom_id).unwrap();
    assert!(client.wait_reply(opened).await.modal.is_some(), "a form opens");
    let sent = client.submit_modal(member, opened, &[("title", title), ("description", "")]).unwrap();
    client.wait_reply(sent).await;
    stage.wait_number("SELECT count(*) FROM solution WHERE proposer_id IS NOT NULL", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_servers_data_goes_for_whoever_manages_it_and_no_other_servers() {
    let mut stage = Stage::start().await;
    let bot = stage.bot().await;
    with_ben(&stage).await;
    ended(&stage, DMITRI, SECOND_DECISIONS, "Do we charter a zeppelin?").await;
    bot.kill().await;
    // One that waits for somebody; it is cancelled.
    stage.settings.budgets.session.calls = 2;
    let bot = stage.bot().await;
    let open = stage.mediate(json!({"problem": "Do we keep bees?"})).await;
    stage.wait_for(open, "[Go]").await;

    let message = stage.forged_buttons(DECISIONS, &["v1:-:forget_server_sure:"]).await;
    let client = stage.discord.client();
    let pressed = client.click(BEN, DECISIONS, message, "v1:-:forget_server_sure:").unwrap();
    has(&said(&client.wait_reply(pressed).await, BEN), &["Manage Server"]);
    assert_eq!(stage.number("SELECT count(*) FROM erasure").await, 0);

    let shown = answer(&stage, ADA, DECISIONS, "privacy", json!({})).await;
    has(&read(&shown), &["Of this server", "2 sessions started", "1 decision record"]);
    let asked = turn(&stage, ADA, DECISIONS, &shown, "Delete this server's data").await;
    has(&read(&asked), &["One of the sessions is not over yet. It is cancelled."]);
    has(&sure(&stage, ADA, &asked).await, &["being deleted"]);
    stage.wait_number("SELECT count(*) FROM erasure", 0).await;
    for table in ["session", "decision", "settings_change", "guild_settings"] {
        let left = stage.number(&format!("SELECT count(*) FROM {table} WHERE guild_id = {RIVERSIDE}")).await;
        assert_eq!(left, 0, "{table}");
    }
    has(&search(&stage, ADA, GENERAL, "Brunnen").await, &["Nothing was found"]);
    has(&search(&stage, DMITRI, SECOND_DECISIONS, "zeppelin").await, &["One session"]);
    stage.wait_card(open, "Cancelled").await;
    stage.alter("DELETE FROM lookup").await;
    stage.alter("PRAGMA wal_checkpoint(TRUNCATE)").await;
    wait_gone(&stage, "Brunnen").await;
    assert!(on_disk(&stage, "zeppelin"));
    stage.nothing_amiss();
    bot.kill().await;
}

/// Killed at each commit between the press and its effect: what was asked for is done by the next process, and what was not
/// taken down is not begun.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_between_press_and_deletion_loses_neither() {
    let stage = Stage::start().await;
    let mut bot = Some(stage.bot().await);
    with_ben(&stage).await;
    let (mut untouched, mut done) = (0, 0);
    for commits in 0..12 {
        let shown = answer(&stage, BEN, DECISIONS, "privacy", json!({})).await;
        let asked = turn(&stage, BEN, DECISIONS, &shown, "Delete my data").await;
        let (_, sure) = buttons(&asked).into_iter().find(|(label, _)| label == "Yes, delete it all").unwrap();
        let live = bot.take().unwrap();
        let last = live.store.commits() + commits;
        live.store.halt_after(last);
        stage.discord.client().click(BEN, DECISIONS, id(&asked["id"]), &sure).unwrap();
        // Not even the first of these commits is made where none may be.
        live.commits_or_rests(last + u64::from(commits == 0)).await;
        live.kill().await;
        let wanted = stage.number("SELECT count(*) FROM inbound WHERE kind = 'erase'").await;
        bot = Some(stage.bot().await);
        if wanted == 0 {
            untouched += 1;
            assert_eq!(stage.number("SELECT count(*) FROM ballot WHERE voter_name = 'Ben'").await, 1);
            continue;
        }
        done += 1;
        stage.wait_number("SELECT count(*) FROM erasure", 0).await;
        assert_eq!(stage.number("SELECT count(*) FROM ballot WHERE voter_name = 'Ben'").await, 0);
        assert_eq!(stage.number("SELECT count(*) FROM brought WHERE kind = 'question'").await, 0);
        assert_eq!(stage.number("SELECT count(*) FROM ballot").await, 1);
        // Asked for again, there is nothing left to do, and it is done.
        stage.alter("DELETE FROM inbound WHERE kind = 'erase'").await;
        if done == 3 {
            break;
        }
        stage.alter(&format!("UPDATE ballot SET voter_id = {BEN}, voter_name = 'Ben'")).await;
    }
    assert!(untouched > 0 && done > 0, "{untouched} untouched, {done} done");
    bot.unwrap().kill().await;
}
