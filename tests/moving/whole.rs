//! A server with sessions of every protocol, over the wire, and the bots of both files.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use quorum::{
    domain::GuildId,
    playground::{
        Id,
        ids::{ADA, BEN, DECISIONS, DMITRI, RIVERSIDE, SECOND, SECOND_DECISIONS},
    },
    store::{Move, MoveError, Moved, Standing, Store, StoreOptions},
};
use serde_json::json;

use super::rows::{self, change, number};
use crate::{
    critique::scene::PLAN,
    decision::scene::{form, record, wait_pinned},
    support::{Stage, has, play::thread_of, wait_for_end},
};

/// Two servers in one file, and a file that has the second one alone.
struct Scene {
    stage: Stage,
    old: PathBuf,
    new: PathBuf,
    decided: Id,
    paused: Id,
    roles: Id,
}

/// What there is of a server in each table that nothing of the scene itself left anything in, of a session that is over.
const BY_HAND: &str = "
    INSERT INTO bell SELECT id, 5, NULL FROM over;
    INSERT INTO mention SELECT id, 6 FROM over;
    INSERT INTO note SELECT 7, id, 5, 'Eve', 'a note', 8 FROM over;
    INSERT INTO clarification SELECT 9, id, 5, 'Eve', 'it is so', 8 FROM over;
    INSERT INTO evidence SELECT 10, id, 1, 5, 'Eve', 'a claim', '', NULL, 8, NULL FROM over;
    INSERT INTO triage SELECT 11, id, 1, 'accepted', 5, 'Eve', 8 FROM over;
    INSERT INTO question SELECT 12, id, 5, 'Eve', 'why?', NULL, 8, 9, NULL, 0 FROM over;
    INSERT INTO sequel SELECT id, 'fact/1', (SELECT max(id) FROM session WHERE guild_id = over.guild_id) FROM over;
    INSERT INTO degraded (session_id, key, notes) SELECT id, (SELECT max(key) FROM step WHERE session_id = id), '[]' FROM over
        WHERE true ON CONFLICT DO NOTHING;
    INSERT INTO card_due SELECT id, 13 FROM over;
    INSERT INTO participant SELECT id, 14, 8, 1 FROM over;
    INSERT INTO trust_event SELECT guild_id, id, 'market', 'outcome', 1, 100, 0, 8 FROM over;
    INSERT INTO guild_settings SELECT guild_id, '{}', 8 FROM over;
    INSERT INTO settings_change SELECT 15, 'language', guild_id, 5, 'Eve', '', 'de', 8 FROM over;
    INSERT INTO inbound VALUES (15, 'settings', NULL, 'said', 8);
    INSERT INTO opening SELECT 16, guild_id, 5, '{}', NULL, NULL FROM over;
    INSERT INTO lookup SELECT 17, guild_id, 5, 'words' FROM over;
    INSERT INTO erasure SELECT 18, guild_id, 5, 0 FROM over;
    INSERT INTO account (scope, owner, day, calls_cap, tokens_cap, money_cap) SELECT 'month', guild_id, '2026-11', 1, 1, 1 FROM over;";

impl Scene {
    async fn new() -> Self {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        let decided = stage.mediate(json!({})).await;
        wait_for_end(&stage, decided).await;
        let panel = stage.wait_for(decided, "[Close vote]").await;
        stage.choose(BEN, decided, &panel, "All 10 points to…", "1").await;
        let sure = stage.press(ADA, decided, &panel, "Close vote").await;
        stage.press(ADA, decided, &sure.messages[0], "Close it for everyone").await;
        stage.wait_for(decided, "What the experts and the team chose").await;
        record(&stage, ADA, decided, &form(&[("solution", "S1")])).await;
        wait_pinned(&stage, decided, "Decision 1:").await;
        let asked = json!({"question": "Which van do we buy?"});
        let asked = stage.discord.client().run_command(ADA, DECISIONS, "investigate", asked).unwrap();
        let found = thread_of(&stage.discord.client().wait_reply(asked).await, ADA);
        wait_for_end(&stage, found).await;
        let second =
            stage.mediate_as(DMITRI, SECOND_DECISIONS, json!({"problem": "Do we charter a ship?"})).await;
        wait_for_end(&stage, second).await;
        let debate = stage.started(ADA, DECISIONS, "debate", json!({})).await;
        stage.wait_for(debate, "[Start]").await;
        let critique = stage.critique("plan.md", PLAN, json!({})).await;
        wait_for_end(&stage, critique).await;
        let roles = stage.started(ADA, DECISIONS, "roundtable", json!({})).await;
        stage.wait_for(roles, "What now").await;
        stage.model.latency(Duration::from_millis(400));
        let paused = stage.mediate(json!({"problem": "Do we buy bicycles?"})).await;
        stage.wait_for(paused, "Market · round 1").await;
        has(&stage.press_card(ADA, paused, "Pause").await.text(), &["Paused"]);
        stage.wait_card(paused, "⏸️ Paused").await;
        tokio::time::sleep(Duration::from_millis(900)).await;
        stage.model.latency(Duration::from_millis(5));
        bot.kill().await;

        let (old, new) = (stage.database().with_file_name("a.db"), stage.database().with_file_name("b.db"));
        set_aside(&stage.database(), &old);
        let over = format!(
            "CREATE TEMP TABLE over AS SELECT id, guild_id FROM session
             WHERE guild_id = {RIVERSIDE} AND json_extract(plan, '$.brief.protocol') = 'investigate';"
        );
        change(&old, &format!("{over}{BY_HAND}")).await;
        // So that the new file's own numbers are taken.
        drop(Store::open(&new, StoreOptions::default(), 1).await.unwrap());
        let moved = Move::between(GuildId(SECOND), &old, &new, 1).await.unwrap().run().await.unwrap();
        assert!(matches!(moved, Moved::Whole { sessions: 1, .. }), "{moved:?}");
        Self { stage, old, new, decided, paused, roles }
    }

    async fn moving(&self) -> Move {
        Move::between(GuildId(RIVERSIDE), &self.old, &self.new, 2).await.unwrap()
    }
}

/// Renames a database; what is in its log goes with it.
fn set_aside(from: &Path, to: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let named = |path: &Path| format!("{}{ending}", path.display());
        if Path::new(&named(from)).exists() {
            std::fs::rename(named(from), named(to)).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_of_a_server_goes_and_nothing_of_another_and_its_bot_goes_on() {
    let scene = Scene::new().await;
    let Scene { stage, old, new, .. } = &scene;
    let before = rows::of(old, RIVERSIDE).await;
    for (table, rows) in &before {
        assert!(!rows.is_empty(), "{table}: nothing there, so nothing is seen of it");
    }
    let reports = rows::reports(old, RIVERSIDE).await;
    assert_eq!(reports.len(), 3);
    let beside = rows::of(new, SECOND).await;
    let counted = "SELECT n FROM tally WHERE subject = 'session' AND what = 'waiting'";
    assert_eq!((number(old, counted).await, number(new, counted).await), (2, 0));
    let steps = "SELECT sum(n) FROM tally WHERE subject <> 'session'";
    let steps_before = number(new, steps).await;
    let triggers = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'";
    let triggers_before = number(new, triggers).await;

    let moved = scene.moving().await.run().await.unwrap();
    assert!(matches!(moved, Moved::Whole { sessions: 6, .. }), "{moved:?}");
    let after = rows::of(new, RIVERSIDE).await;
    for (table, rows) in &before {
        assert_eq!(&after[table], rows, "{table}");
    }
    assert_eq!(rows::reports(new, RIVERSIDE).await, reports, "each byte of each report");
    assert_eq!(rows::of(new, SECOND).await, beside, "what the file had before");
    for (table, rows) in rows::of(old, RIVERSIDE).await {
        assert_eq!(rows, Vec::<String>::new(), "{table} is left behind");
    }
    assert_eq!((number(old, counted).await, number(new, counted).await), (0, 2));
    assert_eq!(number(new, steps).await, steps_before, "nothing was done there that has to be counted");
    assert_eq!(number(new, triggers).await, triggers_before);
    // What was under way when the old file's bot ended is over, whatever number its life had there.
    let lives = "SELECT max(epoch) FROM attempt JOIN session ON session.id = session_id WHERE guild_id = ";
    assert_eq!(number(new, &format!("{lives}{RIVERSIDE}")).await, 0);
    assert_eq!(
        number(new, "SELECT count(*) FROM found WHERE found MATCH 'van'").await,
        1,
        "its words are found"
    );
    assert_eq!(number(old, "SELECT count(*) FROM found WHERE found MATCH 'van'").await, 0);
    assert!(matches!(scene.moving().await.run().await.unwrap(), Moved::Before));

    // The new file's bot has all of it.
    let calls = stage.model.calls().len();
    set_aside(new, &stage.database());
    let bot = stage.bot().await;
    has(&stage.press_card(ADA, scene.paused, "Resume").await.text(), &["Resumed"]);
    wait_for_end(stage, scene.paused).await;
    let proposal = stage.wait_for(scene.roles, "What now").await;
    stage.press(ADA, scene.roles, &proposal, "Go").await;
    wait_for_end(stage, scene.roles).await;
    assert!(stage.model.calls().len() > calls);
    has(&stage.told(BEN, scene.decided, "export", json!({})).await, &["The report is in <#"]);
    bot.kill().await;
    let market = stage.read(scene.paused).matches("Market · round 1").count();
    assert_eq!(market, 1, "what was said before is not said again");

    // The old one's knows nothing of it.
    set_aside(&stage.database(), new);
    set_aside(old, &stage.database());
    let (calls, said) = (stage.model.calls().len(), stage.read(scene.roles));
    let bot = stage.bot().await;
    let told = stage.told(BEN, scene.decided, "export", json!({})).await;
    assert!(!told.contains("The report is in"), "{told}");
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!((stage.model.calls().len(), stage.read(scene.roles)), (calls, said));
    bot.kill().await;
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_any_step_it_is_in_one_file_alone_and_a_repeated_move_ends_it() {
    let scene = Scene::new().await;
    let Scene { old, new, .. } = &scene;
    let mut before = rows::of(old, RIVERSIDE).await;
    let starts = async |path: &Path| Store::open(path, StoreOptions::default(), 3).await.map(drop);

    scene.moving().await.run_steps(1).await.unwrap();
    assert!(starts(old).await.is_ok(), "the old file still has it");
    let refused = starts(new).await.expect_err("no bot runs on what has arrived by half").to_string();
    has(&refused, &["was cut off", "Finish it: quorum move", "a.db --to", "b.db"]);
    // `doctor` says so too.
    assert_eq!(Store::standing(new).await.unwrap_err().to_string(), refused);
    assert_eq!(Store::standing(old).await.unwrap(), Standing::Current);
    // Whatever the old one's bot does meanwhile is what counts.
    change(
        old,
        &format!("UPDATE session SET title = 'Later' WHERE guild_id = {RIVERSIDE} AND state = 'waiting'"),
    )
    .await;
    before.insert("session".to_owned(), rows::of(old, RIVERSIDE).await.remove("session").unwrap());
    let back = Move::between(GuildId(RIVERSIDE), new, old, 2).await.unwrap().run().await;
    assert!(matches!(back, Err(MoveError::Unfinished { .. })), "{back:?}");

    scene.moving().await.run_steps(2).await.unwrap();
    assert!(starts(new).await.is_err());
    assert!(starts(old).await.is_ok(), "for its other servers");
    assert!(rows::of(old, RIVERSIDE).await.values().all(Vec::is_empty));
    assert_eq!(scene.moving().await.run().await.unwrap(), Moved::Finished);
    assert_eq!(scene.moving().await.run().await.unwrap(), Moved::Before);
    starts(new).await.unwrap();
    let mut after = rows::of(new, RIVERSIDE).await;
    // That the title is another one makes the card due.
    before.remove("card_due");
    after.remove("card_due");
    assert_eq!(after, before);

    // And back again.
    let back = Move::between(GuildId(RIVERSIDE), new, old, 4).await.unwrap().run().await.unwrap();
    assert!(matches!(back, Moved::Whole { sessions: 6, .. }), "{back:?}");
    let mut after = rows::of(old, RIVERSIDE).await;
    after.remove("card_due");
    assert_eq!(after, before);
}

/// The program itself, killed by the system at whatever instant.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_killed_in_the_middle_loses_and_doubles_nothing() {
    let scene = Scene::new().await;
    let before = rows::of(&scene.old, RIVERSIDE).await;
    let (mut cut_off, mut done) = (0, 0);
    // How long a move takes on this machine at this moment.
    let mut whole = Duration::ZERO;
    for n in 0..16_u32 {
        let old = rows::copy(&scene.old, &format!("a{n}.db")).await;
        let new = rows::copy(&scene.new, &format!("b{n}.db")).await;
        let folder = old.parent().unwrap();
        let program = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_quorum"));
            command.current_dir(folder).env_clear().args(["move", &RIVERSIDE.to_string(), "--from"]);
            command.arg(&old).arg("--to").arg(&new);
            command
        };
        let begun = Instant::now();
        if n == 0 {
            assert!(program().output().unwrap().status.success());
            whole = begun.elapsed();
            continue;
        }
        let mut killed = program().spawn().unwrap();
        tokio::time::sleep(whole * (20 + 5 * n) / 100).await;
        killed.kill().unwrap();
        killed.wait().unwrap();
        let half = Store::open(&new, StoreOptions::default(), 5).await.is_err();
        let has = async |path: &Path| {
            number(path, &format!("SELECT count(*) FROM session WHERE guild_id = {RIVERSIDE}")).await > 0
        };
        let (in_old, in_new) = (has(&old).await, has(&new).await && !half);
        assert!(!(in_old && in_new), "{n}: in both");
        assert!(in_old || has(&new).await, "{n}: in neither");
        if half {
            cut_off += 1;
        } else {
            done += usize::from(in_new);
        }
        let again = program().output().unwrap();
        assert!(again.status.success(), "{n}: {}", String::from_utf8_lossy(&again.stderr));
        assert_eq!(rows::of(&new, RIVERSIDE).await, before, "{n}");
        assert!(rows::of(&old, RIVERSIDE).await.values().all(Vec::is_empty), "{n}");
        Store::open(&new, StoreOptions::default(), 6).await.unwrap();
    }
    eprintln!(
        "of 15 moves {cut_off} were cut off in the middle, and {done} were done before they were killed"
    );
}
