//! A mediation on servers that refuse, killed after every commit and at any instant: one model of the panel may not be used,
//! the other is asked otherwise than the rest. Whoever stands in is the same, what was degraded is noted once, and what was
//! learned is not learned again.

use std::sync::Arc;

use serde_json::json;
use sqlx::Row as _;

use crate::{
    resume::{
        people::Script,
        scene::{self, MEDIATE_CALLS, phase_of, posts, text_of, texts, thread, wait_over},
        sweep::{self, Play},
    },
    support::{
        Stage,
        model::{Answer, Call},
    },
};

#[derive(Clone, Copy)]
struct Refused;

/// Every other pair is killed again while it goes on.
const LIVES: &[&[u64]] = &[&[], &[1], &[], &[2], &[], &[4, 1], &[], &[1, 1, 1]];

fn refuse(status: u16, error: &serde_json::Value) -> Answer {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Answer::Raw { status, headers, body: json!({"error": error}).to_string() }
}

fn answer(call: &Call) -> Answer {
    if call.model == "barred" {
        return refuse(403, &json!({"message": "This model is not available in your region.", "code": 403}));
    }
    if !call.body["seed"].is_null() || !call.body["stream_options"].is_null() {
        return refuse(
            400,
            &json!({"message": "Unknown parameter: 'stream_options'.", "type": "invalid_request_error",
                    "param": "stream_options", "code": "unknown_parameter"}),
        );
    }
    scene::usual(call)
}

/// What is noted as degraded: the step, who notes it, the notes.
type Noted = Vec<(String, bool, String)>;

impl Play for Refused {
    type Outcome = Noted;

    fn script(self) -> Arc<Script> {
        Script::new(&[])
    }

    async fn stage(self, _: &Arc<Script>) -> Stage {
        let mut stage = scene::stage().await;
        stage.settings.appointed.panel =
            ["openai/barred", "openai/other"].map(|name| name.parse().unwrap()).to_vec();
        stage.model.on(|call| Some(answer(call)));
        stage
    }

    fn starts(self, stage: &Stage) {
        scene::mediate(stage);
    }

    fn calls(self) -> usize {
        MEDIATE_CALLS
    }

    fn is_decided(self) -> bool {
        false
    }

    fn is_refused(self) -> bool {
        true
    }

    async fn wait_settled(self, stage: &Stage) -> Noted {
        wait_over(stage, "Done").await;
        let pool = scene::snapshot(stage).await;
        let rows = sqlx::query("SELECT key, of_server, notes FROM degraded ORDER BY key, of_server");
        let noted = rows.fetch_all(&pool).await.unwrap();
        pool.close().await;
        noted.iter().map(|row| (row.get("key"), row.get("of_server"), row.get("notes"))).collect()
    }

    fn texts(self, stage: &Stage) -> Vec<String> {
        thread(stage).map(|thread| texts(stage, thread)).unwrap_or_default()
    }

    fn check(self, stage: &Stage, noted: &Noted) {
        let phases: Vec<usize> = self.texts(stage).iter().map(|text| phase_of(text)).collect();
        assert!(phases.is_sorted(), "out of order: {phases:?}");
        assert!(noted.iter().any(|(_, of_server, _)| *of_server), "the server's refusal is noted: {noted:?}");
        let posts = posts(stage, thread(stage).unwrap());
        let closing = posts.iter().map(text_of).find(|text| text.starts_with("✅ Done")).unwrap();
        // Two of three seats have the barred model.
        for (told, times) in [
            ("openai/barred cannot be used here", 1),
            ("not available in your region", 1),
            ("points were given by openai/other", 2),
        ] {
            assert_eq!(closing.matches(told).count(), times, "{told}: {closing}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mediation_on_servers_that_refuse_is_killed_after_every_commit_and_goes_on() {
    let (wanted, moments) = sweep::recorded(Refused).await;
    assert!(moments.len() > 30, "{} commits", moments.len());
    sweep::killed_after(Refused, (0..).zip(moments), LIVES, &wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mediation_on_servers_that_refuse_is_killed_at_any_instant_and_goes_on() {
    let wanted = sweep::undisturbed(Refused).await;
    sweep::killed_at_any_instant((0..9).map(|seed| (seed, Refused, Arc::clone(&wanted)))).await;
}
