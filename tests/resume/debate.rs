//! Debates with everything in them, from the command to a pinned decision: what the models answer in every run, what
//! people do, and what the database holds of it.

use std::{fmt::Write as _, sync::Arc};

use playground::{
    Id,
    ids::{ADA, BEN, CHLOE, DECISIONS},
};
use serde_json::{Value, json};
use sqlx::Row;

use crate::{
    resume::{
        doing::{Doing, Then},
        people::Script,
        scene::{PROBLEM, snapshot, stage},
        table::{Held, nameless},
    },
    support::{
        Stage,
        model::{Answer, Call, debate, default_reply},
        search::SearchServer,
    },
};

/// Model calls of a quick debate that nothing disturbs: the proposition; two cases, two rebuttals and two closings, each
/// pair with one check; five drafts, made one, which both sides and one that has none read; a clarification, the synthesis, three answers, one hinge.
pub const QUICK_CALLS: usize = 1 + 3 * (2 + 1) + (5 + 1 + 3) + 1 + 1 + 3 + 1 + 4;
/// What the advocates of a quick one look up: each before its case and before its rebuttal, and on the hinge.
pub const QUERIES: usize = 2 * 2 + 1;
/// The same of a full one: three drafts fewer and none made of them, three rounds more to make a case, eight turns to ask and answer, and a check of its own
/// for each turn that another waits for.
pub const FULL_CALLS: usize = QUICK_CALLS - 4 + 3 * (2 + 1) + 2 * 8 + 2;

/// When both sides have set out to argue with what was brought in before, so that all that is brought in from then on
/// comes in their next turns.
const ARGUING: &str = "SELECT count(*) >= 2 FROM step WHERE key LIKE 'turn/constructive/%/evidence'
    OR key LIKE 'turn/case/%/evidence'";
/// What is asked for while both sides argue, by preset.
const ARGUES: [&str; 2] = ["turn_case", "turn_arguments"];
/// What is done while both sides argue; until then they are not answered.
const MEANWHILE: &[&str] = &["evidence", "clarify", "question:pro", "question:con", "pause"];

const BEN_IS_EARLY: Doing = Doing::press(BEN, "opinion_before:against")
    .then(Then::Once)
    .promises("Your vote: **Against**", "SELECT count(*) > 0 FROM inbound WHERE kind = 'ballot'");
const ADA_EDITS: Doing = Doing::press(ADA, "prop_edit")
    .then(Then::SendOnce(&[
        "Should the town of 40,000 build a food delivery app of its own?",
        "The town",
        "From next spring",
        "riders, restaurants",
        "Two services are there already.",
    ]))
    .promises(
        "Saved",
        "SELECT count(*) FROM wait WHERE kind = 'proposition' AND draft LIKE '%app of its own%'",
    );
/// The card shows the proposition as it was edited.
const EDITED: &str = "SELECT count(*) FROM panel WHERE key = 'proposition' AND shown >= revision";

/// Somebody says what they think: what it says, and that it stands.
const fn thinks(member: Id, verb: &'static str, said: &'static str, stands: &'static str) -> Doing {
    Doing::press(member, verb).then(Then::Once).promises(said, stands)
}

/// All that people do at a debate, each after the one before.
pub const DEBATE: &[Doing] = &[
    BEN_IS_EARLY,
    ADA_EDITS,
    thinks(
        ADA,
        "opinion_before:for",
        "Your vote: **For**",
        "SELECT count(*) FROM ballot WHERE key = 'proposition' AND voter_name = 'Ada' AND json_extract(choice, '$') = 'for'",
    )
    .after(EDITED),
    thinks(
        BEN,
        "opinion_before:undecided",
        "Your vote: **Undecided**",
        "SELECT count(*) FROM ballot WHERE key = 'proposition' AND voter_name = 'Ben' AND json_extract(choice, '$') = 'undecided'",
    ),
    thinks(
        CHLOE,
        "opinion_before:for",
        "Your vote: **For**",
        "SELECT count(*) FROM ballot WHERE key = 'proposition' AND voter_name LIKE 'Chlo%'",
    ),
    thinks(
        CHLOE,
        "opinion_before:against",
        "Your vote: **Against**",
        "SELECT count(*) FROM ballot
         WHERE key = 'proposition' AND voter_name LIKE 'Chlo%' AND json_extract(choice, '$') = 'against'",
    ),
    Doing::press(ADA, "prop_start").then(Then::Once).promises(
        "Started",
        "SELECT count(*) FROM wait WHERE kind = 'proposition' AND value = 'answered' AND by_name = 'Ada'",
    ),
    Doing::press(CHLOE, "evidence")
        .then(Then::SendOnce(&["The neighbouring town closed its app after two years.", "Gazette, page 3"]))
        .promises(
            "Noted as E1",
            "SELECT count(*) FROM brought WHERE kind = 'evidence' AND number = 1 AND hinge IS NULL AND author_name LIKE 'Chlo%'",
        )
        .after(ARGUING),
    Doing::press(BEN, "clarify")
        .then(Then::SendOnce(&["What counts as delivery?"]))
        .promises("Noted", "SELECT count(*) FROM brought WHERE kind = 'clarification'"),
    Doing::press(BEN, "question:pro")
        .then(Then::SendOnce(&["Who pays for the first year?"]))
        .promises("Asked Pro", "SELECT count(*) FROM brought WHERE kind = 'question' AND addressee = 'pro'"),
    Doing::press(CHLOE, "question:con")
        .then(Then::SendOnce(&["What would you do instead?"]))
        .promises("Asked Con", "SELECT count(*) FROM brought WHERE kind = 'question' AND addressee = 'con'"),
    Doing::press(ADA, "pause")
        .then(Then::Once)
        .promises("Paused", "SELECT count(*) FROM wait WHERE kind = 'pause'"),
    Doing::press(BEN, "resume")
        .then(Then::Once)
        .promises("Resumed", "SELECT count(*) FROM wait WHERE kind = 'pause' AND value IS NOT NULL"),
    Doing::press(BEN, "question:moderator")
        .then(Then::SendOnce(&["Where do they part?"]))
        .promises("Asked Moderator", "SELECT count(*) FROM brought WHERE kind = 'question' AND addressee = 'moderator'"),
    thinks(
        ADA,
        "opinion_after:undecided",
        "Your vote: **Undecided**",
        "SELECT count(*) FROM ballot WHERE key = 'opinion' AND voter_name = 'Ada' AND json_extract(choice, '$') = 'undecided'",
    ),
    thinks(
        BEN,
        "opinion_after:for",
        "Your vote: **For**",
        "SELECT count(*) FROM ballot WHERE key = 'opinion' AND voter_name = 'Ben' AND json_extract(choice, '$') = 'for'",
    ),
    CHLOE_AFTER,
    CHLOE_ON_HINGE,
    Doing::press(ADA, "opinion_close").then(Then::Sure("opinion_close_sure")).promises(
        "Closed. How opinions moved",
        "SELECT count(*) FROM vote WHERE key = 'opinion' AND closed_why = 'person'",
    ),
    ADA_DECIDES,
];

const CHLOE_AFTER: Doing = thinks(
    CHLOE,
    "opinion_after:against",
    "Your vote: **Against**",
    "SELECT count(*) FROM ballot WHERE key = 'opinion' AND voter_name LIKE 'Chlo%' AND json_extract(choice, '$') = 'against'",
);
const CHLOE_ON_HINGE: Doing = Doing { choose: &["2"], ..Doing::press(CHLOE, "hinge") }
    .then(Then::SendOnce(&["Riders were asked: one in three would stay.", "Survey of May"]))
    .promises(
        "Noted as E2 on open question 2",
        "SELECT count(*) FROM brought WHERE kind = 'evidence' AND number = 2 AND hinge = 2",
    );
const ADA_DECIDES: Doing = Doing::press(ADA, "decide")
    .then(Then::SendOnce(&[
        "S1",
        "It is the smallest step.",
        "1100000000000000012",
        "",
        "Chloé would rather row.",
    ]))
    .promises("Recorded", "SELECT count(*) FROM decision")
    .after("SELECT count(*) FROM vote WHERE key = 'opinion' AND state = 'counted'");

/// Starts a debate, quick or full.
pub fn debate(stage: &Stage, preset: &str) -> Id {
    let options = json!({"proposition": PROBLEM, "preset": preset});
    stage.discord.client().run_command(ADA, DECISIONS, "debate", options).unwrap()
}

/// A stage for a debate on which people do this: the models answer by what is asked of whom, and the arguments only
/// once everything is done that is done meanwhile.
pub async fn stage_for(script: &Arc<Script>, searching: bool) -> Stage {
    let mut stage = stage().await;
    if searching {
        stage.web = Some(SearchServer::start().await);
    }
    stage.model.on(|call| Some(Answer::Json(usual(call))));
    let script = Arc::clone(script);
    stage.model.hold(move |call| ARGUES.contains(&call.kind()) && !script.has_done(MEANWHILE));
    stage
}

fn usual(call: &Call) -> Value {
    if call.kind() == "search_queries" {
        return json!({ "queries": ["towns that tried"] });
    }
    let mut alike = call.clone();
    let schema = call.schema.as_ref().expect("a schema").to_string();
    // What may be drawn on is whatever has been said by then.
    let schema = if call.kind().starts_with("turn_") { schema } else { String::new() };
    alike.system = format!("{} {schema}", call.kind());
    alike.user = format!("You are {}, ", call.side().unwrap_or("nobody"));
    if call.is_follow_up() {
        alike.user.push_str("Task: a follow-up.");
    }
    // Each turn of a round is judged.
    alike.user.push_str(&"\nTurn ".repeat(call.user.matches("\nTurn ").count()));
    // Turns have as many words as they are asked for.
    if let Some((_, length)) = call.user.split_once("\nLength: ") {
        let _ = write!(alike.user, "\nLength: {}", length.lines().next().unwrap_or_default());
    }
    if ["first_answer", "drafts_check"].contains(&call.kind()) {
        // Who drafts has heard nobody, and who reads the drafts objects to nothing.
        alike.user.clone_from(&call.user);
        return default_reply(&alike);
    }
    let mut reply = debate::reply(&alike).unwrap_or_else(|| panic!("no part of a debate: {}", call.kind()));
    if ARGUES.contains(&call.kind()) && call.user.contains("<search-results-") {
        let argument = &mut reply["arguments"][0];
        let reasoning = argument["reasoning"].as_str().unwrap();
        argument["reasoning"] = format!("{reasoning} So it went in three towns [1][3].").into();
        for argument in reply["arguments"].as_array_mut().unwrap() {
            argument["evidence_type"] = "fact".into();
        }
    }
    reply
}

/// What the database holds of a debate: all that members said and all that was made of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Rows of what members said, by table, and what became of them.
    pub said: Vec<String>,
    /// The two askings: which, its state, why it closed.
    pub askings: Vec<String>,
    /// Finished steps by key.
    pub steps: Vec<String>,
    /// Posts by key and part, each with its state.
    pub posts: Vec<String>,
    /// What the protocol posts one after another, in the order in which it was sent.
    pub order: Vec<String>,
    /// Decisions with what became of their pins.
    pub decisions: Vec<String>,
    /// What is left to do.
    pub left: i64,
    /// States of sessions.
    pub sessions: Vec<String>,
}

impl Held for Outcome {
    async fn read(stage: &Stage) -> Self {
        let pool = snapshot(stage).await;
        let all = async |query: &'static str| {
            let rows = sqlx::query(query).fetch_all(&pool).await.unwrap();
            rows.iter().map(|row| nameless(row.get(0))).collect::<Vec<String>>()
        };
        let left = sqlx::query_scalar(
            "SELECT (SELECT count(*) FROM panel WHERE shown < revision)
                  + (SELECT count(*) FROM brought WHERE kind = 'question' AND closed_ms IS NULL)
                  + (SELECT count(*) FROM brought WHERE kind = 'evidence' AND hinge IS NOT NULL AND closed_ms IS NULL)
                  + (SELECT count(*) FROM outbox WHERE state = 'pending')",
        );
        let outcome = Self {
            said: all(
                "SELECT key || ' ' || voter_name || ' ' || choice AS line FROM ballot
                 UNION ALL SELECT 'E' || number || ' ' || author_name || ' ' || text || ' ' || source || ' '
                                  || ifnull(hinge, '-') || ' ' || (closed_ms IS NULL) FROM brought WHERE kind = 'evidence'
                 UNION ALL SELECT 'clarification ' || author_name || ' ' || text FROM brought WHERE kind = 'clarification'
                 UNION ALL SELECT 'question ' || author_name || ' ' || addressee || ' ' || text || ' '
                                  || (closed_ms IS NULL) FROM brought WHERE kind = 'question'
                 ORDER BY line",
            )
            .await,
            askings: all(
                "SELECT key || ' ' || state || ' ' || ifnull(closed_why, '-') FROM vote ORDER BY key DESC",
            )
            .await,
            steps: all("SELECT key FROM step WHERE state <> 'intent' ORDER BY key").await,
            posts: all("SELECT post_key || ' ' || part || ' ' || state FROM outbox ORDER BY post_key, part").await,
            order: all(
                "SELECT CASE WHEN post_key LIKE 'turn/case/%' OR post_key LIKE 'turn/opening/%' OR post_key LIKE 'turn/constructive/%'
                             THEN replace(replace(post_key, '/pro', ''), '/con', '') ELSE post_key END
                 FROM outbox
                 WHERE post_key IN ('proposition', 'synthesis', 'hinges', 'opinion', 'opinion/result') OR post_key LIKE 'turn/%'
                    OR post_key LIKE 'clarified/%' OR post_key LIKE 'decision%'
                 ORDER BY message_id",
            )
            .await,
            decisions: all("SELECT n || ' ' || pin FROM decision ORDER BY n").await,
            left: left.fetch_one(&pool).await.unwrap(),
            sessions: all("SELECT state FROM session").await,
        };
        pool.close().await;
        outcome
    }

    /// Nothing is left to do, down to a decision that is pinned.
    fn settled(&self) -> bool {
        self.left == 0
            && self.sessions == ["done"]
            && self.decisions.iter().any(|decision| decision.ends_with("done"))
            && self.askings.iter().any(|asking| asking.starts_with("opinion counted"))
    }
}
