//! Sessions that an earlier version began: killed there, this version goes on with them in the same thread. It asks
//! for nothing that is paid for, posts nothing twice, and people's answers and buttons from before still count.
//!
//! The fixtures are databases (`*.db.gz`) and what stood in Discord (`*.json.gz`) as earlier versions left them, with
//! deadlines put off to the year 2100. They stay as they are: new versions add their own (`stopped`).

mod stopped;

use std::{collections::BTreeSet, io::Read, path::Path, time::Duration};

use flate2::read::GzDecoder;
use quorum::playground::{
    Id, Options, Playground,
    ids::{ADA, BEN, CHLOE, DECISIONS},
};
use serde_json::Value;

use crate::support::{
    Actor, Stage,
    play::{id, read},
};

/// The versions whose sessions are kept, by the last migration that each had: before there was one kind of vote; before
/// requests were kept in parts and turns were judged by a call; with both.
const VERSIONS: [&str; 3] = ["schema-04", "schema-13", "schema-15"];

/// A session of an earlier version, gone on with by this one.
struct Upgraded {
    stage: Stage,
    bot: Actor,
    thread: Id,
    /// When this version took over, in milliseconds since 1970.
    since: i64,
    /// Ids and first lines of what stood in the thread.
    before: Vec<(Id, String)>,
}

/// The bytes of a fixture.
pub fn unpacked(name: &str) -> Vec<u8> {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upgrade").join(name);
    let mut bytes = Vec::new();
    GzDecoder::new(&*std::fs::read(packed).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

fn first_line(message: &Value) -> String {
    read(message).lines().next().unwrap_or_default().to_owned()
}

impl Upgraded {
    async fn from(version: &str, name: &str) -> Self {
        let name = format!("{version}/{name}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("discord.json");
        std::fs::write(&path, unpacked(&format!("{name}.json.gz"))).unwrap();
        let kept = Options { state_path: Some(path), ..Options::default() };
        let kept = Playground::start(kept).await.unwrap().moment();
        let mut stage = Stage::start().await;
        // Not from the file itself: to that, every answer waits to be written.
        let options = Options { rate_limits: false, keep_bodies: true, ..Options::default() };
        stage.discord = Playground::start_from(options, &kept).await.unwrap();
        std::fs::write(stage.database(), unpacked(&format!("{name}.db.gz"))).unwrap();
        stage.model.latency(Duration::from_millis(5));
        let thread = id(&stage.discord.threads(DECISIONS)[0]["id"]);
        let posts = stage.public(thread);
        let before = posts.iter().map(|post| (id(&post["id"]), first_line(post))).collect();
        let since = quorum::steps::now_ms();
        let bot = stage.bot().await;
        Self { stage, bot, thread, since, before }
    }

    /// Waits for the closing line; gives the thread's text.
    async fn ended(&self) -> String {
        for _ in 0..4_000 {
            let text = self.stage.read(self.thread);
            if text.contains("Nothing was degraded") || text.contains("**Degraded:**") {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        panic!("no closing line within two minutes in\n{}", self.stage.read(self.thread));
    }

    async fn press(&self, member: Id, card: &str, label: &str) -> String {
        let message = self.stage.wait_for(self.thread, card).await;
        self.stage.press(member, self.thread, &message, label).await.text()
    }

    /// Closes the open vote on a panel with this button, and gives the thread's text once `counted` stands in it.
    async fn closed(&self, button: &str, counted: &str) -> String {
        let panel = self.stage.wait_for(self.thread, &format!("[{button}]")).await;
        let asked = self.stage.press(ADA, self.thread, &panel, button).await;
        assert!(asked.text().contains("Close"), "asks whether to close it: {}", asked.text());
        self.stage.press(ADA, self.thread, &asked.messages[0], "Close it for everyone").await;
        self.stage.wait_for(self.thread, counted).await;
        self.stage.read(self.thread)
    }

    /// What was asked of models now holds none of these phrases: those calls were paid for before.
    fn not_asked_again(&self, phrases: &[&str]) {
        for call in self.stage.model.calls() {
            let again = phrases.iter().find(|phrase| call.text().contains(**phrase));
            assert!(again.is_none(), "asked again: {}", again.unwrap());
        }
    }

    /// What stood in the thread stands there still, in its order, and no card is there twice.
    async fn stands_whole(self) {
        let posts = self.stage.public(self.thread);
        let now: Vec<Id> = posts.iter().map(|post| id(&post["id"])).collect();
        let kept: Vec<Id> = self.before.iter().map(|(id, _)| *id).collect();
        assert_eq!(now[..kept.len()], kept[..], "what stood there first stands there first");
        let mut seen = BTreeSet::new();
        for post in &posts {
            // Two cards of one seat differ in what they say; a card sent twice does not.
            let text = read(post);
            assert!(text.is_empty() || seen.insert(text.clone()), "twice in the thread:\n{text}");
        }
        self.stage.nothing_amiss();
        // A call that was answered then is not made again under the same key; `not_asked_again` looks at other keys.
        let paid_twice = format!(
            "SELECT count(*) FROM attempt paid JOIN attempt again USING (session_id, key)
             WHERE paid.state = 'ok' AND paid.started_ms < {since} AND again.started_ms >= {since}",
            since = self.since
        );
        assert_eq!(self.stage.number(&paid_twice).await, 0, "calls that were paid for already");
        self.bot.kill().await;
    }
}

/// What is tried with a session of each version, all of them at once.
async fn each(name: &str, go_on: impl AsyncFn(Upgraded)) {
    let go_on = &go_on;
    let all = VERSIONS.map(|version| async move {
        eprintln!("{version}/{name}"); // says which one it was where it fails
        go_on(Upgraded::from(version, name).await).await;
    });
    futures::future::join_all(all).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mediation_in_its_second_round() {
    each("mediate-round-2", async |old| {
        let text = old.ended().await;
        assert!(text.contains("Nothing was degraded"), "{text}");
        old.not_asked_again(&["you have seen nobody else's analysis"]);
        old.stands_whole().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mediation_whose_vote_is_open() {
    each("mediate-vote", async |old| {
        let text = old.closed("Close vote", "What the experts and the team chose").await;
        assert!(text.contains("1 voted."), "the ballot cast before counts: {text}");
        assert_eq!(old.stage.model.calls().len(), 0);
        old.stands_whole().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_roundtable_that_waits_for_its_roles() {
    each("roundtable-roles", async |old| {
        old.press(ADA, "What now", "Go").await;
        let text = old.ended().await;
        assert!(text.contains("Nothing was degraded"), "{text}");
        old.not_asked_again(&["You are the gatekeeper."]);
        old.stands_whole().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_roundtable_in_its_rebuttals() {
    each("roundtable-rebuttals", async |old| {
        let text = old.ended().await;
        assert!(text.contains("Nothing was degraded"), "{text}");
        old.not_asked_again(&["You are the gatekeeper.", "Task: the first of two turns."]);
        old.stands_whole().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debate_that_waits_for_its_start() {
    each("debate-proposition", async |old| {
        old.press(CHLOE, "[Start]", "Against").await;
        old.press(ADA, "[Start]", "Start").await;
        old.ended().await;
        old.press(BEN, "[Close]", "Undecided").await;
        old.press(CHLOE, "[Close]", "Against").await;
        old.closed("Close", "How the team's opinions moved").await;
        old.stands_whole().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debate_in_its_rebuttals() {
    each("debate-rounds", async |old| {
        let text = old.ended().await;
        assert!(!text.contains("never acknowledged"), "the evidence brought before is taken up: {text}");
        let again = |name: &str| old.stage.model.calls().iter().filter(|call| call.kind() == name).count();
        assert_eq!(
            [again("proposition"), again("turn_opening"), again("turn_arguments"), again("turn_questions")],
            [0; 4]
        );
        old.stands_whole().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debate_whose_team_is_asked_once_more() {
    each("debate-opinions", async |old| {
        old.closed("Close", "How the team's opinions moved").await;
        assert_eq!(old.stage.model.calls().len(), 0);
        old.stands_whole().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_that_waits_for_its_go() {
    each("critique-estimate", async |old| {
        assert_eq!(old.stage.model.calls().len(), 0);
        old.press(ADA, "Before it starts", "Go").await;
        old.ended().await;
        old.stands_whole().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_in_its_self_critique() {
    each("critique-trees", async |old| {
        old.ended().await;
        assert_eq!(old.stage.model.calls().iter().filter(|call| call.is_growing()).count(), 0);
        old.stands_whole().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_in_its_triage() {
    each("critique-triage", async |old| {
        old.stage.wait_for(old.thread, "**Accepted** by Ben").await;
        old.press(CHLOE, "[Reject]", "Reject").await;
        old.stage.wait_for(old.thread, "**Rejected** by Chloé").await;
        let text = old.closed("Close vote", "What the experts and the team chose").await;
        assert!(text.contains("1 voted."), "{text}");
        old.stands_whole().await;
    })
    .await;
}
