//! A mediation with all that can be asked for more, killed after every commit, at random instants, and more than once.

use std::{sync::Arc, time::Duration};

use playground::{Fault, ids::DECISIONS};
use serde_json::{Value, json};

use crate::{
    resume::{
        people::Script,
        scene::{
            self, Journal, MEDIATE_CALLS, mediate, mediate_beside, phase_of, posts, texts, thread, usual,
            wait_over,
        },
        sweep::{self, Play},
    },
    support::{
        Stage,
        model::{Answer, Call},
        nothing_comes,
        play::Part,
        search::SearchServer,
    },
};

/// Modules that sit: three that are chosen, and one that is made for the question.
const SEATS: usize = 4;
/// Model calls of a mediation with a plain call beside it, whose modules are chosen and search in both rounds, and in which
/// two matters are looked into, if nothing disturbs it.
const CALLS: usize = MEDIATE_CALLS + 4 * (SEATS - 3) + 2 + 2 + SEARCHES + MATTERS;
/// Its searches, each of all that a module wants to know in a round, or that is to be known of a matter.
const SEARCHES: usize = SEATS * 2 + MATTERS;
/// A grave conflict and a red flag.
const MATTERS: usize = 2;

/// A stage that searches, whose modules cite the first two pages they are shown.
async fn stage() -> Stage {
    let mut stage = scene::stage().await;
    // As many as may be chosen, each with a search, may take more than half of what a session usually may: that would wait.
    stage.settings.budgets.session.calls = 1_000;
    stage.settings.budgets.session.tokens = 100_000_000;
    stage.web = Some(SearchServer::start().await);
    stage.model.on(|call| {
        let mut answer = chosen(call).unwrap_or_else(|| usual(call));
        let Answer::Json(reply) = &mut answer else { return Some(answer) };
        for field in ["analysis", "verdict"] {
            if let Some(Value::String(text)) = reply.get_mut(field) {
                text.push_str(" So it stands there [1], and there [2].");
            }
        }
        if call.part() == Part::Synthesis {
            let conflict = &mut reply["conflicts"][0];
            conflict["severity"] = json!("critical");
            conflict["modules"] = json!(["market", "cost"]);
            reply["conflicts"].as_array_mut().unwrap().truncate(1);
            reply["flags"] = json!([{ "color": "red", "text": "Cash runs out.", "conflict": 0 }]);
        }
        Some(answer)
    });
    stage
}

/// Who is chosen: the usual three, and one more that is made.
fn chosen(call: &Call) -> Option<Answer> {
    let pick = |module: &str| json!({ "module": module, "why": "Its side decides it." });
    let usual = ["market", "cost", "risk"].map(pick);
    match call.part() {
        Part::Select => Some(Answer::Json(json!({
            "reasoning": "A matter of money and of roads.", "modules": usual,
        }))),
        Part::Gaps => Some(Answer::Json(json!({
            "reasoning": "Nobody rides.", "open": [],
            "specialists": [{
                "name": "Riders’ safety", "looks_at": "roads and weather", "why": "One winter can end it.",
                "nearest": "risk", "instructions": "You find out what riding costs those who ride.",
            }],
        }))),
        _ => None,
    }
}

/// A mediation with all that can be asked for more.
#[derive(Clone, Copy)]
struct Beside;

/// Every other pair is killed again while it goes on.
const LIVES: &[&[u64]] = &[&[], &[1], &[], &[2], &[], &[3, 1], &[], &[5], &[], &[1, 1, 1, 2], &[], &[9, 4]];

impl Play for Beside {
    type Outcome = ();

    fn script(self) -> Arc<Script> {
        Script::new(&[])
    }

    async fn stage(self, _: &Arc<Script>) -> Stage {
        stage().await
    }

    fn starts(self, stage: &Stage) {
        mediate_beside(stage);
    }

    fn calls(self) -> usize {
        CALLS
    }

    fn is_decided(self) -> bool {
        false
    }

    fn searches(self) -> usize {
        SEARCHES
    }

    async fn wait_settled(self, stage: &Stage) {
        wait_over(stage, "Done").await;
    }

    fn texts(self, stage: &Stage) -> Vec<String> {
        thread(stage).map(|thread| texts(stage, thread)).unwrap_or_default()
    }

    fn check(self, stage: &Stage, (): &()) {
        let phases: Vec<usize> = self.texts(stage).iter().map(|text| phase_of(text)).collect();
        // The check, the memo in two posts, and what was looked into.
        assert_eq!(phases, [0, 1, 2, 3, 3, 3, 3, 4, 5, 6, 7]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mediation_killed_after_every_commit_goes_on_in_the_same_thread() {
    let (wanted, moments) = sweep::recorded(Beside).await;
    assert!(moments.len() > 30, "{} commits", moments.len());
    sweep::killed_after(Beside, (0..).zip(moments), LIVES, &wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mediation_killed_at_any_instant_loses_and_doubles_nothing() {
    let wanted = sweep::undisturbed(Beside).await;
    sweep::killed_at_any_instant((0..16).map(|seed| (seed, Beside, Arc::clone(&wanted)))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_was_never_taken_leaves_nothing_half_made() {
    let stage = scene::stage().await;
    let bot = stage.bot().await;
    stage.discord.faults().on("POST", "/interactions/**", 1, Fault::Stall(Duration::from_secs(20)));
    let command = mediate(&stage);
    // Its answer is on its way, which nobody sees of a request that stalls.
    tokio::time::sleep(Duration::from_millis(200)).await;
    bot.kill().await;
    assert_eq!(Journal::read(&stage).await.sessions, Vec::<String>::new());
    assert_eq!(posts(&stage, DECISIONS).len(), 0);

    // Discord tells whoever gave it that it failed, or delivers it again; either way it starts once.
    let bot = stage.bot().await;
    stage.discord.client().redeliver(command).unwrap();
    stage.discord.client().redeliver(command).unwrap();
    wait_over(&stage, "Done").await;
    stage.discord.client().redeliver(command).unwrap();
    nothing_comes(Duration::from_millis(300)).await;
    bot.kill().await;
    assert_eq!(Journal::read(&stage).await.sessions, ["done"]);
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
    assert_eq!(stage.model.calls().len(), MEDIATE_CALLS);
}
