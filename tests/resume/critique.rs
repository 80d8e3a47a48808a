//! Critiques with everything in them, from the document to a pinned decision: what the models answer in every run, what
//! people do, and what the database holds of it.

use std::sync::Arc;

use playground::{
    Id, Upload,
    ids::{ADA, BEN, CHLOE, DECISIONS},
};
use serde_json::{Value, json};
use sqlx::Row;

use crate::{
    resume::{
        doing::{Doing, Then},
        people::Script,
        scene::{snapshot, stage},
        table::{Held, nameless},
    },
    support::{
        Stage,
        model::{
            Answer, Call,
            critique::{all_on, claim, claims},
            default_reply,
        },
    },
};

/// Model calls of the critique below that nothing disturbs: six members read; one claim of Kant's and two of Popper's
/// are looked into, and one of what is found there; six look at themselves, three review alone and one of that is chosen, one compares, one reviews, six score, one answers.
pub const CALLS: usize = 6 + 1 + 3 + 1 + 6 + (3 + 3) + 1 + 6 + 1;

const FEE: &str = "The fee for each order is four euros, so each hour of a rider brings in twelve euros.";
const DESK: &str = "The support desk is left out of this sum on all days of the week.";
const SUCCESS: &str = "The project counts as a success if those who use it are content with it.";

/// Two chapters of two paragraphs each, so that there is something to look into, and something in that.
fn plan() -> String {
    let rest =
        "What stands here beside it says nothing that anybody could hold against the plan of the town. ";
    let paragraph = |sentence: &str| format!("{sentence} {}", rest.repeat(4).trim_end());
    format!(
        "# Costs\n\n{}\n\n{}\n\n# Success\n\n{}\n\n{}\n",
        paragraph(FEE),
        paragraph(DESK),
        paragraph(SUCCESS),
        paragraph("The council will hear a report at the end of the first year.")
    )
}

/// Somebody opens a finding from the triage's list and says what becomes of it.
const fn says(
    member: Id,
    (finding, verb): (&'static [&'static str], &'static str),
    told: &'static str,
    stands: &'static str,
) -> Doing {
    let opened = Doing { choose: finding, ..Doing::press(member, "open_chosen:1") };
    opened.then(Then::SureOnce(verb)).promises(told, stands)
}

/// All that people do at a critique, each after the one before.
pub const CRITIQUE: &[Doing] = &[
    Doing::press(ADA, "estimate_go").then(Then::Once).promises(
        "Go. It begins",
        "SELECT count(*) FROM wait WHERE kind = 'estimate' AND value IS NOT NULL AND by_name = 'Ada'",
    ),
    Doing::ask(BEN, "What has been found so far?")
        .promises("The answer appears in the thread", "SELECT count(*) FROM brought WHERE kind = 'question' AND author_name = 'Ben'")
        .after("SELECT count(*) = 6 FROM step WHERE key LIKE 'critique/%' AND kind = 'keep'"),
    says(
        ADA,
        (&["finding/1"], "triage_accept:finding/1"),
        "F1 is accepted",
        "SELECT count(*) FROM brought WHERE kind = 'triage' AND number = 1 AND text = 'accepted' AND author_name = 'Ada'",
    ),
    says(
        BEN,
        (&["finding/2"], "triage_reject:finding/2"),
        "F2 is rejected",
        "SELECT count(*) FROM brought WHERE kind = 'triage' AND number = 2 AND text = 'rejected' AND author_name = 'Ben'",
    ),
    says(
        CHLOE,
        (&["finding/1"], "triage_fixed:finding/1"),
        "F1 is fixed",
        "SELECT count(*) FROM brought WHERE kind = 'triage' AND number = 1 AND text = 'fixed' AND author_name LIKE 'Chlo%'",
    ),
    says(
        ADA,
        (&["finding/2"], "triage_undo:finding/2"),
        "F2 is open, whatever was said of it before",
        "SELECT count(*) FROM brought WHERE kind = 'triage' AND number = 2 AND text = 'open' AND author_name = 'Ada'",
    ),
    says(
        CHLOE,
        (&["finding/2"], "triage_accept:finding/2"),
        "F2 is accepted",
        "SELECT count(*) FROM brought WHERE kind = 'triage' AND number = 2 AND text = 'accepted' AND author_name LIKE 'Chlo%'",
    ),
    Doing { choose: &["1"], ..Doing::press(ADA, "vote_all") }.promises(
        "Your vote counts: S1 10",
        "SELECT count(*) FROM ballot WHERE voter_name = 'Ada' AND json_extract(choice, '$[0]') = 10",
    ),
    Doing::press(ADA, "vote_close").then(Then::Sure("vote_close_sure")).promises(
        "The vote is closed. The result",
        "SELECT count(*) FROM vote WHERE state <> 'open' AND closed_why = 'person' AND closed_by_name = 'Ada'",
    ),
    Doing::press(ADA, "decide")
        .then(Then::SendOnce(&["S1", "It is the smallest step.", "1100000000000000012", "", "Chloé would rather row."]))
        .promises("Recorded", "SELECT count(*) FROM decision")
        .after("SELECT count(*) FROM vote WHERE state = 'counted'"),
];

/// Has the plan examined three levels deep, which somebody has to say Go to.
pub fn critique(stage: &Stage) -> Id {
    let files = [("document".to_owned(), Upload::new("plan.md", plan()))].into();
    let client = stage.discord.client();
    client.run_command_with(ADA, DECISIONS, "critique", json!({"depth": 3, "effort": "deep"}), files).unwrap()
}

/// A stage for a critique in which people do this: the models answer by what is asked of whom, and nobody looks at
/// itself before the question was put.
pub async fn stage_for(script: &Arc<Script>) -> Stage {
    let stage = stage().await;
    stage.model.on(|call| Some(Answer::Json(usual(call))));
    let script = Arc::clone(script);
    stage.model.hold(move |call| call.kind() == "critique_self" && !script.has_done(&["ask"]));
    stage
}

fn usual(call: &Call) -> Value {
    match call.kind() {
        "critique_look" | "critique_closer" => claims(call, said(call)),
        "points" => {
            all_on(call, if call.member() == Some("Popper") { "The project counts" } else { "The fee for" })
        }
        "first_answer" | "drafts_check" | "critique_self" | "critique_same" | "critique_review" => {
            default_reply(call)
        }
        _ => json!({"draws_on": ["document"], "answer": "Two things so far.", "not_in_material": null}),
    }
}

/// Kant claims one thing, Popper two, and where they look closer one thing more; others find nothing.
fn said(call: &Call) -> Vec<Value> {
    let leaf = |sentence: &str| {
        let mut claim = claim(sentence);
        (claim["closer"], claim["closer_at"]) = ("".into(), json!([]));
        claim
    };
    let (fee, desk) = (claim(FEE), claim(DESK));
    match (call.member(), call.is_deeper()) {
        (Some("Kant"), false) => vec![fee],
        (Some("Popper"), false) => vec![fee, claim(SUCCESS)],
        (Some("Kant" | "Popper"), true) => {
            let level = call.fenced("claim").unwrap_or_default();
            let kant = call.member() == Some("Kant");
            match (level.contains("The fee for"), kant) {
                // Kant alone wants to look closer once more.
                (true, true) => vec![desk],
                (true, false) => vec![leaf(DESK)],
                _ => vec![],
            }
        }
        _ => vec![],
    }
}

/// What the database holds of a critique: all that members said and all that was made of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What members said of findings, in its order.
    pub triage: Vec<String>,
    /// Who gave what.
    pub ballots: Vec<String>,
    /// Questions, and whether they are answered.
    pub questions: Vec<String>,
    /// The vote and why it closed.
    pub votes: Vec<String>,
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
                  + (SELECT count(*) FROM outbox WHERE state = 'pending')",
        );
        let outcome = Self {
            triage: all("SELECT number || ' ' || text || ' ' || author_name FROM brought WHERE kind = 'triage' ORDER BY id").await,
            ballots: all("SELECT voter_name || ' ' || choice FROM ballot ORDER BY voter_name").await,
            questions: all("SELECT author_name || ' ' || text || ' ' || (closed_ms IS NULL) FROM brought WHERE kind = 'question'").await,
            votes: all("SELECT state || ' ' || ifnull(closed_why, '-') FROM vote").await,
            steps: all("SELECT key FROM step WHERE state <> 'intent' ORDER BY key").await,
            posts: all("SELECT post_key || ' ' || part || ' ' || state FROM outbox ORDER BY post_key, part").await,
            order: all(
                "SELECT CASE WHEN post_key LIKE 'critique/%' THEN 'critique' ELSE post_key END
                 FROM outbox WHERE post_key NOT LIKE 'followup/%' AND post_key <> 'closing' ORDER BY message_id",
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
    }
}
