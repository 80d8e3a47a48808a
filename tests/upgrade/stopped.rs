//! How the fixtures are made: ten sessions of this version, stopped in the middle as a kill stops them. Whoever changes
//! what a running session's rows hold (a migration, a step's key, the type that a reply or a plan is read into) makes
//! them first, with the version before the change, and adds their folder to `VERSIONS`:
//!
//! `QUORUM_FIXTURES=tests/upgrade/schema-NN cargo test --test whole -- --ignored upgrade::stopped`

use std::{io::Write, path::PathBuf, time::Duration};

use flate2::{Compression, write::GzEncoder};
use quorum::playground::{
    Id, Options,
    ids::{ADA, BEN, CHLOE, DECISIONS},
};
use serde_json::json;
use tempfile::TempDir;

use crate::{
    critique::scene::{PLAN, depth},
    support::{
        Actor, Stage,
        model::{Call, End},
        play::{Part, id},
        wait_for_end,
    },
    vote::scene::{component, two_solutions},
};

/// Deadlines of a fixture: the first day of 2100, in milliseconds.
const FAR: &str = "4102444800000";

/// A stage that is kept in files, with a bot on it.
struct Scene {
    stage: Stage,
    bot: Actor,
    files: TempDir,
}

#[expect(clippy::disallowed_methods, reason = "whoever makes fixtures says where to")]
fn packed(name: &str, bytes: &[u8]) {
    let folder = PathBuf::from(std::env::var("QUORUM_FIXTURES").expect("QUORUM_FIXTURES says where to"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).unwrap();
    std::fs::write(folder.join(name), packer.finish().unwrap()).unwrap();
}

impl Scene {
    async fn new() -> Self {
        let files = tempfile::tempdir().unwrap();
        let state_path = Some(files.path().join("discord.json"));
        let options = Options { rate_limits: false, keep_bodies: true, state_path, ..Options::default() };
        let stage = Stage::with(options).await;
        let bot = stage.bot().await;
        Self { stage, bot, files }
    }

    /// From here on calls like these are not answered; goes on once one of them has come.
    async fn stop_at(&self, like: fn(&Call) -> bool) {
        self.stage.model.hold(like);
        self.stage.model.wait_calls(1, like).await;
        // Whatever is answered meanwhile is written and posted, so that the step before is whole.
        let answered = || self.stage.model.calls().iter().filter(|call| call.end == End::Sent).count();
        let mut before = usize::MAX;
        while before != answered() {
            before = answered();
            tokio::time::sleep(Duration::from_millis(700)).await;
        }
    }

    /// A member gives the first solution all ten points.
    async fn vote(&self, member: Id, thread: Id) {
        let panel = self.stage.wait_for(thread, "[Close vote]").await;
        let (all, client) = (component(&panel, "vote_all").unwrap(), self.stage.discord.client());
        let chosen = client.select(member, thread, id(&panel["id"]), &all, &["1"]).unwrap();
        assert!(client.wait_reply(chosen).await.text().contains("10"), "the ballot was taken");
    }

    /// Kills the bot and writes what it leaves.
    async fn keep(self, name: &str) {
        // What a press led to is drawn a moment later.
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.bot.kill().await;
        let (whole, state) = (self.files.path().join("whole.db"), self.files.path().join("discord.json"));
        let rows = self.stage.rows().await;
        for sql in [
            format!("UPDATE wait SET deadline_ms = {FAR} WHERE value IS NULL"),
            format!("UPDATE vote SET deadline_ms = {FAR} WHERE state = 'open' AND deadline_ms IS NOT NULL"),
            "UPDATE vote SET remind_ms = NULL".to_owned(),
            format!("VACUUM INTO '{}'", whole.display()),
        ] {
            sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&rows).await.unwrap();
        }
        rows.close().await;
        self.stage.discord.stop().await;
        packed(&format!("{name}.db.gz"), &std::fs::read(whole).unwrap());
        packed(&format!("{name}.json.gz"), &std::fs::read(state).unwrap());
    }
}

async fn mediations() {
    let scene = Scene::new().await;
    scene.stage.model.hold(|call| call.part() == Part::Revision && call.module() != "market");
    scene.stage.mediate(json!({})).await;
    scene.stop_at(|call| call.part() == Part::Revision && call.module() != "market").await;
    scene.keep("mediate-round-2").await;

    let scene = Scene::new().await;
    two_solutions(&scene.stage);
    let thread = scene.stage.mediate(json!({})).await;
    wait_for_end(&scene.stage, thread).await;
    scene.vote(BEN, thread).await;
    scene.keep("mediate-vote").await;
}

async fn roundtables() {
    let scene = Scene::new().await;
    let thread = scene.stage.started(ADA, DECISIONS, "roundtable", json!({})).await;
    scene.stage.wait_for(thread, "What now").await;
    scene.keep("roundtable-roles").await;

    let scene = Scene::new().await;
    scene.stage.model.hold(|call| call.part() == Part::Rebuttal);
    scene.stage.roundtable(json!({})).await;
    scene.stop_at(|call| call.part() == Part::Rebuttal).await;
    scene.keep("roundtable-rebuttals").await;
}

async fn debates() {
    let scene = Scene::new().await;
    let thread = scene.stage.started(ADA, DECISIONS, "debate", json!({})).await;
    let card = scene.stage.wait_for(thread, "[Start]").await;
    scene.stage.press(BEN, thread, &card, "For").await;
    scene.keep("debate-proposition").await;

    let scene = Scene::new().await;
    scene.stage.model.hold(|call| call.kind() == "turn_questions");
    let thread = scene.stage.debate(json!({})).await;
    scene.stop_at(|call| call.kind() == "turn_questions").await;
    let evidence = [("claim", "The next town lost money on its app."), ("source", "Gazette")];
    scene.stage.fill_in(BEN, thread, "Add evidence", &evidence).await;
    scene.stop_at(|call| call.kind() == "turn_rebuttal").await;
    scene.keep("debate-rounds").await;

    let scene = Scene::new().await;
    let thread = scene.stage.started(ADA, DECISIONS, "debate", json!({"preset": "quick"})).await;
    let card = scene.stage.wait_for(thread, "[Start]").await;
    scene.stage.press(BEN, thread, &card, "For").await;
    scene.stage.press(CHLOE, thread, &card, "Undecided").await;
    scene.stage.start_debate(thread).await;
    wait_for_end(&scene.stage, thread).await;
    let panel = scene.stage.wait_for(thread, "[Close]").await;
    scene.stage.press(BEN, thread, &panel, "Against").await;
    scene.keep("debate-opinions").await;
}

async fn critiques() {
    let scene = Scene::new().await;
    let thread = scene.stage.critique("plan.md", PLAN, depth(3)).await;
    scene.stage.wait_for(thread, "[Go]").await;
    scene.keep("critique-estimate").await;

    let scene = Scene::new().await;
    scene.stage.model.hold(|call| call.kind() == "self_critique");
    scene.stage.critique("plan.md", PLAN, json!({})).await;
    scene.stop_at(|call| call.kind() == "self_critique").await;
    scene.keep("critique-trees").await;

    let scene = Scene::new().await;
    let thread = scene.stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&scene.stage, thread).await;
    let card = scene.stage.wait_for(thread, "[Accept]").await;
    scene.stage.press(BEN, thread, &card, "Accept").await;
    scene.vote(BEN, thread).await;
    scene.keep("critique-triage").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "makes fixtures for the versions to come"]
async fn sessions_in_the_middle() {
    tokio::join!(mediations(), roundtables(), debates(), critiques());
}
