//! What a session will take, told before it starts by what was measured: confirmed where it is much, and smaller where
//! somebody wants that.

use std::collections::HashMap;

use playground::{
    Id, Upload,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::{Value, json};

use crate::support::{
    Stage,
    files::said,
    has, has_not,
    model::paragraph,
    play::{PROBLEM, buttons, read, thread_of},
    wait_for_end,
};

/// So many words of a plan.
fn document(words: u64) -> String {
    (0..words / 12).map(paragraph).collect::<Vec<_>>().join("\n\n")
}

/// Starts a session with a document.
async fn started_with(stage: &Stage, protocol: &str, mut options: Value, text: &str) -> Id {
    options[if protocol == "debate" { "proposition" } else { "problem" }] = PROBLEM.into();
    let files = HashMap::from([("document".to_owned(), Upload::new("plan.md", text.to_owned()))]);
    let client = stage.discord.client();
    let seen = client.run_command_with(ADA, DECISIONS, protocol, options, files).unwrap();
    thread_of(&client.wait_reply(seen).await, ADA)
}

/// The calls and tokens of a card: `About 11 calls, and some repeats · about 212k tokens`.
fn told(card: &str) -> (usize, f64) {
    let number =
        |text: &str| -> f64 { text.replace(',', "").parse().unwrap_or_else(|_| panic!("{text} in {card}")) };
    let between = |before: &str, after: &str| {
        let rest = &card[card.find(before).unwrap_or_else(|| panic!("{before} in {card}")) + before.len()..];
        rest[..rest.find(after).unwrap()].to_owned()
    };
    let tokens = between("about ", " tokens");
    let (tokens, thousands) = match tokens.strip_suffix('k') {
        Some(thousands) => (number(thousands), 1_000.0),
        None => (number(&tokens), 1.0),
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of calls")]
    let calls = number(&between("About ", " call")) as usize;
    (calls, tokens * thousands)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_document_every_session_says_beforehand_about_what_it_takes() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    for (protocol, options) in [
        ("mediate", json!({})),
        ("mediate", json!({ "effort": "brief" })),
        ("roundtable", json!({})),
        ("debate", json!({ "preset": "quick" })),
        ("debate", json!({ "effort": "deep", "preset": "full" })),
    ] {
        stage.model.forget();
        let thread = started_with(&stage, protocol, options.clone(), &document(2_000)).await;
        let card = read(&stage.wait_for(thread, "What it takes · plan.md").await);
        has(&card, &["By sessions measured before"]);
        assert!(buttons(&stage.message(thread, "What it takes")).is_empty(), "nobody is asked: {card}");
        match protocol {
            "roundtable" => {
                let card = stage.wait_for(thread, "[Go]").await;
                stage.press(ADA, thread, &card, "Go").await;
            }
            "debate" => stage.start_debate(thread).await,
            _ => {}
        }
        wait_for_end(&stage, thread).await;
        let (calls, tokens) = told(&card);
        let made = stage.model.calls();
        assert!((calls / 2..=calls * 2).contains(&made.len()), "{protocol}: {} calls of {calls}", made.len());
        let bytes: usize = made.iter().map(|call| call.text().len()).sum();
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let used = bytes as f64 / 4.0;
        assert!(used < 2.0 * tokens && tokens < 3.0 * used, "{protocol} {options}: {used} sent of {tokens}");
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_take_half_of_a_budget_waits_for_a_go_and_can_be_made_smaller() {
    let mut stage = Stage::start().await;
    stage.settings.budgets.session.tokens = 60_000;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({ "effort": "deep" })).await;
    let card = stage.wait_for(thread, "Before it starts").await;
    has(&read(&card), &["more than half of what a session may use", "**Effort:** deep", "[Go]", "[Smaller]"]);
    has(&stage.wait_card(thread, "Waiting for an answer").await, &["mediate · deep"]);
    // Not everybody decides, and whoever presses what somebody else has changed is told.
    let others = said(&stage.press(BEN, thread, &card, "Smaller").await, BEN);
    has_not(&others, &["Less is asked for now"]);
    stage.press(ADA, thread, &card, "Smaller").await;
    let smaller = stage.wait_for(thread, "**Effort:** standard").await;
    let of = |verb: &str| format!("v1:{}:{verb}:0", stage.session(thread));
    let ids = [of("estimate_smaller"), of("estimate_go")];
    let old = stage.forged_buttons(thread, &[&ids[0], &ids[1]]).await;
    for (id, why) in ids.iter().zip(["made it smaller since you read it", "edited since you read it"]) {
        let pressed = stage.discord.client().click(ADA, thread, old, id).unwrap();
        has(&said(&stage.discord.client().wait_reply(pressed).await, ADA), &[why]);
    }
    assert!(stage.model.calls().is_empty(), "nothing is spent before somebody says Go");
    // What was chosen outlives the process.
    bot.kill().await;
    let bot = stage.bot().await;
    stage.press(ADA, thread, &smaller, "Smaller").await;
    let brief = stage.wait_for(thread, "**Effort:** brief").await;
    has_not(&read(&brief), &["Left out"]);
    // Where effort cannot be less, somebody is left out; two stay, for one has nobody to differ with.
    stage.press(ADA, thread, &brief, "Smaller").await;
    let least = stage.wait_for(thread, "**Left out:** Risk").await;
    has_not(&read(&least), &["[Smaller]"]);
    stage.press(ADA, thread, &least, "Go").await;
    wait_for_end(&stage, thread).await;
    has_not(&stage.read(thread), &["Risk · round 1"]);
    has(&read(&stage.message(thread, "🧩 Do this")), &["Left out by the team: **Risk**."]);
    has(&read(&stage.message(thread, "Before it starts")), &["Confirmed by Ada"]);
    has(&stage.model.calls()[0].text(), &["120 to 200 words"]);
    has(&stage.wait_card(thread, "Done").await, &["mediate · brief"]);
    stage.nothing_amiss();
    bot.kill().await;
}
