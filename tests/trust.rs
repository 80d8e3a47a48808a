//! Trust over the wire: what a session, its vote and the outcome of its decision say of who championed what; what the next
//! session makes of it; and where nothing of it is there.

use std::time::{Duration, Instant};

use domain::{Brief, GuildId, Influences, SessionId, TrustKind};
use playground::{
    Id,
    ids::{ADA, DECISIONS, DMITRI, RIVERSIDE, SECOND, SECOND_DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    decision::scene::{form, press, record, wait_pinned},
    support::{
        Actor, Stage, has, has_not,
        model::Call,
        play::{Part, asked, read},
        wait_for_end,
    },
    vote::scene::{Voting, component},
};

const DISTRICT: &str = "Start with one district";
const PARTNERS: &str = "Partner with local restaurants";

/// Market stands for the one thing, Cost and Risk for the other; Risk alone flagged what the synthesis has.
fn script(stage: &Stage) {
    stage.model.on(|call| match call.part() {
        Part::Synthesis => Some(call.reply(|reply| {
            let some = |title: &str, by: &[&str]| {
                json!({
                    "title": title, "action": "So.", "cost": "Ten hours.",
                    "stop": "Below ten.", "raised_by": by, "combines": [],
                })
            };
            reply["options"] = json!([some(DISTRICT, &["market"]), some(PARTNERS, &["cost"])]);
            reply["flags"] = json!([{"color": "red", "text": "Couriers leave.", "raised_by": ["risk"]}]);
        })),
        Part::Scoring => Some(call.reply(|reply| reply["points"] = points(call))),
        _ => None,
    });
}

/// All ten to one's own, under the numbers that this scorer was shown.
fn points(call: &Call) -> Value {
    let own = if call.module() == "market" { DISTRICT } else { PARTNERS };
    let options = call.user.lines().filter_map(|line| {
        let (number, rest) = line.split_once(". ")?;
        let known = rest.starts_with(DISTRICT) || rest.starts_with(PARTNERS);
        let points = if rest.starts_with(own) { 10 } else { 0 };
        (number.starts_with('S') && known).then(|| (number.to_owned(), json!(points)))
    });
    Value::Object(options.collect())
}

/// A session of Ada's whose vote is closed, all ten points of the one ballot for Market's, and decided so.
async fn decided(stage: Stage, bot: Actor) -> (Voting, Id) {
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let session = SessionId::parse(&stage.session(thread)).unwrap();
    let voting = Voting { stage, bot: Some(bot), thread, session };
    let shown = || voting.stage.public(thread).iter().any(|message| component(message, "vote_all").is_some());
    voting.wait("the panel is there", async || shown()).await;
    has(&voting.all(ADA, "1").await, &["Your vote counts"]);
    voting.close().await;
    voting.wait_counted().await;
    record(&voting.stage, ADA, thread, &form(&[("solution", "S1")])).await;
    wait_pinned(&voting.stage, thread, "Decision 1:").await;
    (voting, thread)
}

/// Ada says how the decision turned out; gives the interaction that did.
async fn outcome(stage: &Stage, thread: Id, verdict: &str) -> Id {
    let (opener, _) = press(stage, ADA, thread, &format!("outcome:1/{verdict}")).await;
    let client = stage.discord.client();
    let sent = client.submit_modal(ADA, opener, &[("text", "So it went.")]).unwrap();
    has(&client.wait_reply(sent).await.text(), &["Noted"]);
    sent
}

/// What moved modules on a server in one way: who, for and against, by name.
async fn moved(bot: &Actor, guild: Id, kind: TrustKind) -> Vec<(String, u32, u32)> {
    let events = bot.store.trust_events(GuildId(guild)).await.unwrap();
    let of_kind = events.into_iter().map(|event| event.moved).filter(|moved| moved.kind == kind);
    let mut of_kind: Vec<_> =
        of_kind.map(|moved| (moved.module.0, moved.evidence.good, moved.evidence.bad)).collect();
    of_kind.sort();
    of_kind
}

fn by_name(expected: &[(&str, u32, u32)]) -> Vec<(String, u32, u32)> {
    expected.iter().map(|(name, good, bad)| ((*name).to_owned(), *good, *bad)).collect()
}

/// How much modules count in a session, as it was fixed at its start.
async fn fixed(stage: &Stage, bot: &Actor, thread: Id) -> Option<Influences> {
    let id = SessionId::parse(&stage.session(thread)).unwrap();
    let Brief::Mediate(brief) = bot.store.plan(&id).await.unwrap().brief else { panic!("a mediation") };
    brief.trust
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outcome_moves_who_championed_what_was_chosen_and_the_next_session_counts_it() {
    let stage = Stage::start().await;
    script(&stage);
    let bot = stage.bot().await;
    let modules = stage.told(ADA, DECISIONS, "modules", json!({})).await;
    has(&modules, &["No history here yet", "Market, Cost, Risk"]);
    let (voting, thread) = decided(stage, bot).await;
    let (stage, bot) = (&voting.stage, voting.bot());

    // A module without history is told and counted as ever.
    assert_eq!(fixed(stage, bot, thread).await, Some(Influences::default()));
    has_not(&asked(stage, Part::Synthesis)[0].user, &["weight 1", "earlier advice"]);
    has(&asked(stage, Part::Synthesis)[0].user, &["those who flagged it themselves"]);
    has_not(&stage.read(thread), &["earlier advice", "Weighed in"]);
    assert!(moved(bot, RIVERSIDE, TrustKind::Flags).await.contains(&("risk".to_owned(), 12, 0)));
    let points = by_name(&[("cost", 0, 30), ("market", 30, 0), ("risk", 0, 30)]);
    assert_eq!(moved(bot, RIVERSIDE, TrustKind::Points).await, points);
    assert_eq!(moved(bot, RIVERSIDE, TrustKind::Outcome).await, []);

    let sent = outcome(stage, thread, "worked").await;
    let worked = by_name(&[("market", 100, 0)]);
    assert_eq!(moved(bot, RIVERSIDE, TrustKind::Outcome).await, worked);
    // Told twice it counts once, told otherwise it counts otherwise.
    voting.deliver_again(sent).await;
    assert_eq!(moved(bot, RIVERSIDE, TrustKind::Outcome).await, worked);
    outcome(stage, thread, "did_not").await;
    assert_eq!(moved(bot, RIVERSIDE, TrustKind::Outcome).await, by_name(&[("market", 0, 100)]));
    outcome(stage, thread, "worked").await;
    assert_eq!(moved(bot, RIVERSIDE, TrustKind::Outcome).await, worked);
    assert_eq!(moved(bot, RIVERSIDE, TrustKind::Points).await, points, "nothing else is moved by it");

    let events = bot.store.trust_events(GuildId(RIVERSIDE)).await.unwrap();
    let expected = Influences::of(&events);
    let of = |name: &str| expected.of_module(&domain::ModuleName(name.to_owned())).get();
    assert!(of("market") > 1.0 && of("cost") < 1.0, "{expected:?}");
    let modules = stage.told(ADA, DECISIONS, "modules", json!({})).await;
    let counts = format!("**Market** counts {}, a little more than usual · 1 session", of("market"));
    has(&modules, &[&counts, "a decision it championed worked out", "No history here yet", "Legal"]);

    let next = stage.mediate(json!({"weights": "cost=2"})).await;
    wait_for_end(stage, next).await;
    assert_eq!(fixed(stage, bot, next).await, Some(expected.clone()));
    let counts = format!("Market counts {}, Cost {}", of("market"), of("cost"));
    has(&read(&stage.card(next)), &[&counts, "by how their earlier advice here turned out"]);
    has(&read(&stage.message(next, "📊 The experts' points")), &["By earlier advice", "counts"]);
    let weighed = format!("📒 Weighed in here: {counts}");
    has(&read(&stage.message(next, "🧩 Do this")), &[&weighed]);
    let weight = format!("weight {}", 2.0 * of("cost"));
    let told = asked(stage, Part::Synthesis);
    has(&told.last().unwrap().user, &[&weight, "from how their earlier advice to it turned out"]);
    // What was fixed at its start stays, whatever happens meanwhile.
    outcome(stage, thread, "did_not").await;
    assert_eq!(fixed(stage, bot, next).await, Some(expected));
    stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn switched_off_nothing_is_noted_and_nobody_counts_differently() {
    let stage = Stage::start().await;
    script(&stage);
    let bot = stage.bot().await;
    has(&stage.told(ADA, DECISIONS, "settings answers", json!({"trust": false})).await, &["Changed."]);
    stage.alter(&history(RIVERSIDE)).await;
    let (voting, thread) = decided(stage, bot).await;
    let (stage, bot) = (&voting.stage, voting.bot());
    outcome(stage, thread, "worked").await;
    assert_eq!(fixed(stage, bot, thread).await, None);
    assert_eq!(bot.store.trust_events(GuildId(RIVERSIDE)).await.unwrap().len(), 1, "what was there before");
    has_not(&asked(stage, Part::Synthesis)[0].user, &["those who flagged it themselves", "weight 1"]);
    has_not(&stage.read(thread), &["earlier advice"]);
    let modules = stage.told(ADA, DECISIONS, "modules", json!({})).await;
    has(&modules, &["Switched off on this server"]);
    has_not(&modules, &["counts 1.", "· 1 session", "No history here yet"]);
    stage.nothing_amiss();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_servers_history_is_nothing_to_another() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.alter(&history(SECOND)).await;
    let modules = stage.told(ADA, DECISIONS, "modules", json!({})).await;
    has_not(&modules, &["**Market** counts"]);
    let modules = stage.told(DMITRI, SECOND_DECISIONS, "modules", json!({})).await;
    has(&modules, &["**Market** counts 1.06, a little more than usual · 1 session"]);
    let here = stage.mediate(json!({})).await;
    let there = stage.mediate_as(DMITRI, SECOND_DECISIONS, json!({})).await;
    for thread in [here, there] {
        wait_for_end(&stage, thread).await;
    }
    assert_eq!(fixed(&stage, &bot, here).await, Some(Influences::default()));
    has(&read(&stage.card(there)), &["Market counts 1.06, by how its earlier advice here turned out."]);
    stage.nothing_amiss();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_any_two_commits_everything_is_noted_once() {
    let stage = Stage::start().await;
    script(&stage);
    let bot = stage.bot().await;
    let (mut voting, thread) = decided(stage, bot).await;
    voting.kill().await;
    // The count once more, by lives of few commits each.
    voting.stage.alter("DELETE FROM trust_event WHERE kind = 'points'").await;
    voting.stage.alter("DELETE FROM outbox WHERE post_key = 'vote/result'").await;
    voting.stage.alter("UPDATE vote SET state = 'closed' WHERE state = 'counted'").await;
    let noted = "SELECT count(*) FROM trust_event WHERE kind = 'points'";
    let counted = "SELECT count(*) FROM vote WHERE state = 'counted'";
    for commits in [1, 2, 1, 3] {
        let since = Instant::now();
        voting.stage.bot_killed_after(commits, || since.elapsed() > Duration::from_secs(3)).await;
        let (noted, counted) = (voting.stage.number(noted).await, voting.stage.number(counted).await);
        assert_eq!(noted, counted * 3, "both or neither");
    }
    voting.start().await;
    for commits in 1..=3 {
        voting.bot().rests().await;
        voting.kill().await;
        let bot = voting.stage.bot_that_halts(Some(commits)).await;
        voting.stage.connected().await;
        let (opener, _) = press(&voting.stage, ADA, thread, "outcome:1/worked").await;
        let client = voting.stage.discord.client();
        let sent = client.submit_modal(ADA, opener, &[("text", "So it went.")]).unwrap();
        while bot.store.commits() < commits && bot.store.applied(sent).await.unwrap().is_none() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        bot.kill().await;
        voting.start().await;
        voting.deliver_late(sent).await;
        let outcomes = moved(voting.bot(), RIVERSIDE, TrustKind::Outcome).await;
        assert_eq!(outcomes, by_name(&[("market", 100, 0)]), "after {commits} commits");
    }
    assert_eq!(voting.stage.number(counted).await, 1);
    assert_eq!(voting.stage.number(noted).await, 3);
}

/// One decision of Market's that worked out on a server.
fn history(guild: Id) -> String {
    format!(
        "INSERT INTO trust_event (guild_id, session_id, module, kind, decision, good, bad, at_ms)
         VALUES ({guild}, 'aaaaaaaaaa', 'market', 'outcome', 1, 100, 0, 1790000000000)"
    )
}
