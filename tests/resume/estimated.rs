//! A session of /delphi, killed after every third commit: the same thread comes out, nothing twice, and what was finished was
//! asked once.

use std::{sync::Arc, time::Duration};

use playground::{
    Id,
    ids::{ADA, DECISIONS},
};
use serde_json::json;

use crate::{
    resume::{
        people::Script,
        scene::{self, thread, wait_over},
        sweep::{self, Play},
    },
    support::{
        Stage,
        model::{Answer, Call},
    },
};

/// What is to be estimated.
pub const NUMBER: &str = "How many weeks will the move to the new billing take?";

/// Starts it with three estimators; gives the command's interaction.
pub fn estimate(stage: &Stage) -> Id {
    let options = json!({"question": NUMBER, "estimators": 3});
    stage.discord.client().run_command(ADA, DECISIONS, "delphi", options).unwrap()
}

/// The round that an estimator is asked in.
pub fn round(call: &Call) -> usize {
    let after = |mark: &str| call.user.split_once(mark)?.1.chars().next()?.to_digit(10);
    after("Task: round ").unwrap_or_default() as usize
}

/// What three models estimate in each round: they come nearer to one another.
pub const NUMBERS: [(&str, [[f64; 3]; 3]); 3] = [
    ("alpha", [[4.0, 6.0, 9.0], [6.0, 8.0, 12.0], [7.0, 9.5, 13.0]]),
    ("beta", [[8.0, 11.0, 16.0], [8.0, 11.0, 16.0], [8.0, 11.0, 15.0]]),
    ("gamma", [[16.0, 24.0, 40.0], [13.0, 19.0, 30.0], [12.0, 17.0, 26.0]]),
];

/// What is said in it; of each call the same in every run.
pub fn said(call: &Call) -> Answer {
    let reply = match call.kind() {
        "NumberAsked" => {
            json!({"question": "How many weeks pass until the last invoice comes from the new billing?",
            "unit": "weeks", "counts": "Weeks of the calendar from 1 January on; tests do not count."})
        }
        "SaidEstimate" => {
            let (model, numbers) = NUMBERS.into_iter().find(|(name, _)| call.model.contains(name)).unwrap();
            let round = round(call);
            let [low, middle, high] = numbers[round - 1];
            let mut reply = json!({"reasons": format!("REASON-OF-{model}-{round}: forty tables, two days each."),
                "assumes": [format!("ASSUMED-BY-{model}")], "low": low, "middle": middle, "high": high});
            if round > 1 {
                reply["moved"] = "A freeze was counted that was not before.".into();
            }
            reply
        }
        "Outlook" => {
            json!({"parted": "The high ones count the freeze.", "hangs_on": ["High: the freeze holds.",
            "Low: the data can be read."], "narrows": ["Move one customer by hand: two days."]})
        }
        _ => return scene::usual(call),
    };
    Answer::Json(reply)
}

/// Three models, so that each estimator is one.
pub async fn stage() -> Stage {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta", "openai/gamma"]);
    stage.model.on(|call| Some(said(call)));
    stage
}

#[derive(Clone, Copy)]
struct Delphi;

/// Every other pair is killed again while it goes on.
const LIVES: &[&[u64]] = &[&[], &[1], &[], &[3, 1], &[], &[5]];

impl Play for Delphi {
    type Outcome = ();

    fn script(self) -> Arc<Script> {
        Script::new(&[])
    }

    async fn stage(self, _: &Arc<Script>) -> Stage {
        let stage = stage().await;
        stage.model.latency(Duration::from_millis(20));
        stage
    }

    fn starts(self, stage: &Stage) {
        estimate(stage);
    }

    /// The number, three rounds of three, and what they part on: the points are the code's.
    fn calls(self) -> usize {
        1 + 3 * 3 + 1
    }

    fn is_decided(self) -> bool {
        false
    }

    async fn wait_settled(self, stage: &Stage) {
        wait_over(stage, "Done").await;
    }

    fn texts(self, stage: &Stage) -> Vec<String> {
        thread(stage).map(|thread| scene::texts(stage, thread)).unwrap_or_default()
    }

    fn check(self, _: &Stage, (): &()) {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_estimate_goes_on_in_the_same_thread() {
    let (wanted, moments) = sweep::recorded(Delphi).await;
    assert!(moments.len() > 15, "{} commits", moments.len());
    sweep::killed_after(Delphi, (0..).zip(moments), LIVES, &wanted).await;
}
