//! Whoever takes part in a session is in its thread, is not pinged for it, and nothing of how they got there stays.

use std::time::Duration;

use playground::{
    Fault, Id, Options,
    ids::{ADA, BEN, BOT, CHLOE, DECISIONS, EXTRA_MEMBER},
};
use serde_json::json;

use crate::{
    support::{
        Moment, Stage, has, nothing_comes,
        play::{Part, id, read},
        thirds, wait_for_end,
    },
    vote::scene::Voting,
};

/// What a message says for a moment while it adds somebody.
const LINE: &str = "In this thread";

/// Waits until exactly these are in a thread, beside the bot; then nothing of how they got there is left, and nobody was
/// pinged.
async fn wait_members(stage: &Stage, thread: Id, wanted: &[Id]) {
    let mut wanted = wanted.to_vec();
    wanted.sort_unstable();
    let members = || {
        let mut members = stage.discord.thread_members(thread);
        members.retain(|member| *member != BOT);
        members.sort_unstable();
        members
    };
    stage
        .wait_until(thread, &format!("{wanted:?} are in it, not {:?}", members()), async || {
            members() == wanted
                && stage.number("SELECT count(*) FROM mention").await == 0
                && stage.number("SELECT count(*) FROM participant WHERE added = 0").await == 0
        })
        .await;
    for message in stage.public(thread) {
        assert!(!read(&message).contains(LINE), "{}", read(&message));
        assert_eq!(stage.discord.pinged(thread, id(&message["id"])), [0; 0], "{}", read(&message));
    }
    stage.nothing_amiss();
}

/// The edits that mentioned members to add them, and whom each mentioned.
fn added_by(stage: &Stage) -> Vec<Vec<Id>> {
    let edits = stage.discord.requests().into_iter().filter(|asked| asked.method == "PATCH");
    let bodies = edits.filter_map(|asked| asked.body);
    let mentioned = bodies.map(|body| {
        body["allowed_mentions"]["users"].as_array().map(|users| users.iter().map(id).collect::<Vec<_>>())
    });
    mentioned.flatten().filter(|users| !users.is_empty()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_starts_asks_or_adds_is_in_the_thread_and_whoever_looks_or_is_named_is_not() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|call| call.part() == Part::Revision);
    let named = format!("Do we open on Sundays? Ask <@{CHLOE}> and <@&1100000000000000107>, @everyone.");
    let thread = stage.mediate(json!({ "problem": named })).await;
    wait_members(&stage, thread, &[ADA]).await;
    assert_eq!(added_by(&stage), [[ADA]]);

    // Who reads is not in it: what is shown to them alone changes nothing.
    stage.told(CHLOE, thread, "session show", json!({})).await;
    stage.add_context(BEN, thread, &format!("Ask <@{CHLOE}>, who bakes.")).await;
    wait_members(&stage, thread, &[ADA, BEN]).await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    let panel = stage.wait_for(thread, "[Spread 10 points]").await;
    // Once somebody is in it, what they do further costs no edit.
    stage.choose(BEN, thread, &panel, "All 10 points to…", "1").await;
    stage.told(CHLOE, thread, "ask", json!({"question": "Who bakes?"})).await;
    wait_members(&stage, thread, &[ADA, BEN, CHLOE]).await;
    assert_eq!(added_by(&stage), [[ADA], [BEN], [CHLOE]]);
    bot.kill().await;

    // Seen to: the next start has nothing to do.
    stage.discord.clear_record();
    let bot = stage.bot().await;
    nothing_comes(Duration::from_secs(1)).await;
    assert!(added_by(&stage).is_empty());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_brings_evidence_edits_or_confirms_is_in_the_thread() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|call| call.kind() == "turn_case");
    let thread = stage.debate(json!({"preset": "quick"})).await;
    wait_members(&stage, thread, &[ADA]).await;
    let evidence = [("claim", "A captain told me of the storms."), ("source", "The Gazette")];
    stage.fill_in(BEN, thread, "Add evidence", &evidence).await;
    wait_members(&stage, thread, &[ADA, BEN]).await;
    stage.press_card(CHLOE, thread, "Tell me when it is done").await;
    wait_members(&stage, thread, &[ADA, BEN, CHLOE]).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_voters_cost_few_edits() {
    let options = Options { rate_limits: false, keep_bodies: true, extra_members: 200, ..Options::default() };
    let mut voting = Voting::on(Stage::with(options).await, json!({})).await;
    wait_members(&voting.stage, voting.thread, &[ADA]).await;
    let voters: Vec<Id> = (0..200).map(|n| EXTRA_MEMBER + n).collect();
    let begun = tokio::time::Instant::now();
    let cast: Vec<Id> = voters.iter().map(|voter| voting.start_all(*voter, "1")).collect();
    for (voter, cast) in voters.iter().zip(cast) {
        has(&voting.private(*voter, cast).await, &["Your vote counts"]);
    }
    let all: Vec<Id> = voters.iter().copied().chain([ADA]).collect();
    wait_members(&voting.stage, voting.thread, &all).await;
    let edits = added_by(&voting.stage);
    // One for all who came since it was looked last, ten seconds before, and one before the first vote: however long the votes
    // take on this machine.
    let looked = begun.elapsed().as_millis() / voting.stage.pace.of(Duration::from_secs(10)).as_millis();
    assert!(edits.len() as u128 <= looked + 3, "{} edits in {looked} looks", edits.len());
    assert_eq!(edits.iter().map(Vec::len).sum::<usize>(), 201, "each of them once");
    voting.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn within_a_thread_that_is_there_too() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let thread = client.open_thread(CHLOE, DECISIONS, "Sundays", false);
    stage.started(ADA, thread, "mediate", json!({})).await;
    wait_for_end(&stage, thread).await;
    wait_members(&stage, thread, &[ADA, CHLOE]).await;
    // Who writes is in it by that.
    client.say(BEN, thread, "I am here.").unwrap();
    wait_members(&stage, thread, &[ADA, BEN, CHLOE]).await;
    assert_eq!(added_by(&stage), [[ADA]]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_thread_is_let_be_and_a_deleted_message_is_passed_over() {
    let voting = Voting::open(json!({})).await;
    let (stage, thread) = (&voting.stage, voting.thread);
    wait_members(stage, thread, &[ADA]).await;
    let path = format!("/channels/{thread}/messages/*");
    // As a locked thread answers.
    let locked = Fault::Refused(400, 160_005, "Thread is locked");
    stage.discord.faults().on("PATCH", &path, usize::MAX, locked);
    voting.all(BEN, "1").await;
    let edits = || added_by(stage).into_iter().filter(|users| users.contains(&BEN)).count();
    stage.wait_until(thread, "it was tried", async || edits() > 0).await;
    nothing_comes(Duration::from_secs(2)).await;
    assert_eq!(edits(), 1, "what was refused is not asked for again");
    stage.discord.faults().clear();

    // Somebody else comes, and the first card is gone.
    let first = stage.public(thread).into_iter().find(|post| post["type"] == 0).unwrap();
    stage.discord.faults().delete_message(thread, id(&first["id"]));
    voting.all(CHLOE, "1").await;
    wait_members(stage, thread, &[ADA, BEN, CHLOE]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_their_data_deleted_is_none_of_them_any_more() {
    let voting = Voting::open(json!({})).await;
    let (stage, thread) = (&voting.stage, voting.thread);
    voting.all(BEN, "1").await;
    wait_members(stage, thread, &[ADA, BEN]).await;
    let client = stage.discord.client();
    let shown = client.wait_reply(client.run_command(BEN, thread, "privacy", json!({})).unwrap()).await;
    has(&shown.text(), &["1 place in a session's thread"]);
    let message = stage.forged_buttons(DECISIONS, &["v1:-:forget_me_sure:"]).await;
    client.wait_reply(client.click(BEN, DECISIONS, message, "v1:-:forget_me_sure:").unwrap()).await;
    let of_ben = format!("SELECT count(*) FROM participant WHERE user_id = {BEN}");
    stage.wait_until(thread, "he is forgotten", async || stage.number(&of_ben).await == 0).await;
    assert_eq!(stage.number("SELECT count(*) FROM participant").await, 1);
}

/// A session of which Ada is in the thread and Ben is about to be, for he has added something.
async fn about_to() -> (Moment, Id) {
    let stage = Stage::start().await;
    stage.model.hold(|call| call.part() == Part::Revision);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_members(&stage, thread, &[ADA]).await;
    // Nobody is added while the door is shut.
    stage.discord.faults().on("PATCH", &in_thread(thread), usize::MAX, Fault::Status(503));
    stage.add_context(BEN, thread, "We own a van.").await;
    bot.kill().await;
    (stage.moment(), thread)
}

fn in_thread(thread: Id) -> String {
    format!("/channels/{thread}/messages/*")
}

/// Whether a message of the thread says who was added.
fn says_so(stage: &Stage, thread: Id) -> bool {
    stage.public(thread).iter().any(|post| read(post).contains(LINE))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_any_commit_they_are_in_it_and_no_line_is_left() {
    let (moment, thread) = about_to().await;
    for commits in thirds::of_this_run(1..=8) {
        let stage = Stage::start().await.back_to(&moment).await;
        stage.model.hold(|call| call.part() == Part::Revision);
        let posts = stage.public(thread).len();
        let over = || stage.discord.thread_members(thread).contains(&BEN) && !says_so(&stage, thread);
        stage.bot_killed_after(commits, over).await;
        let bot = stage.bot().await;
        wait_members(&stage, thread, &[ADA, BEN]).await;
        assert_eq!(stage.public(thread).len(), posts, "nothing was posted for it");
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_before_the_line_is_taken_back_the_next_process_takes_it_back() {
    let (moment, thread) = about_to().await;
    let stage = Stage::start().await.back_to(&moment).await;
    stage.model.hold(|call| call.part() == Part::Revision);
    let stall = Fault::Stall(Duration::from_mins(1));
    stage.discord.faults().saying("PATCH", &in_thread(thread), r#""content":"""#, stall);
    let bot = stage.bot().await;
    stage.wait_until(thread, "the line stands there", async || says_so(&stage, thread)).await;
    bot.kill().await;
    assert!(says_so(&stage, thread));
    stage.discord.faults().clear();

    // Even if all of them are forgotten meanwhile.
    stage.alter("DELETE FROM participant").await;
    let bot = stage.bot().await;
    stage.wait_until(thread, "it is taken back", async || !says_so(&stage, thread)).await;
    stage
        .wait_until(thread, "and that is noted", async || {
            stage.number("SELECT count(*) FROM mention").await == 0
        })
        .await;
    assert!(stage.discord.thread_members(thread).contains(&BEN));
    bot.kill().await;
}
