//! What is checked before a vote opens, over the wire: that no option stands there twice. What a check finds is shown and
//! takes nothing away.

use crate::{
    support::{
        Stage, has, has_not,
        model::{Answer, Call, Fault},
        play::{Part, asked, read},
        wait_for_end,
    },
    vote::scene,
};
use serde_json::{Value, json};

fn option(title: &str, module: &str) -> Value {
    let mut option = scene::option(title, &format!("{title}, from June on."), &[module]);
    option["cost"] = "some 400 a month".into();
    option
}

/// A mediator that writes one option twice.
fn mediator(call: &Call) -> Option<Answer> {
    (call.part() == Part::Synthesis).then(|| {
        call.reply(|reply| {
            reply["options"] = json!([
                option("Renew the lease for two years", "market"),
                option("Renew the lease for five years", "cost"),
                option("Extend the tenancy by 24 months", "risk"),
                option("Leave the building", "cost"),
            ]);
        })
    })
}

fn pair(one: u32, other: u32, difference: &str) -> Value {
    json!({ "one": one, "other": other, "difference": difference, "same": true })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_option_that_stands_there_twice_is_put_together_and_both_titles_are_shown() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let pairs = json!([pair(3, 1, "none"), pair(1, 2, "two years and five years")]);
        let check = (call.part() == Part::Duplicates).then(|| Answer::Json(json!({ "pairs": pairs })));
        check.or_else(|| mediator(call))
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(asked(&stage, Part::Duplicates).len(), 1, "it looks once");
    let both = [
        "S1 · Renew the lease for two years",
        "🔗 Put together with the same: “Extend the tenancy by 24 months”",
    ];
    let panel = read(&stage.message(thread, "[Spread 10 points]"));
    has(&panel, &both);
    has(&panel, &["S2 · Renew the lease for five years", "S3 · Leave the building"]);
    has_not(&panel, &["S4"]);
    for call in asked(&stage, Part::Scoring) {
        has(&call.user, &["\nS1. Renew the lease for two years: Renew", "\nS3. Leave the building: "]);
        has_not(&call.user, &["\nS4. "]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_that_finds_all_the_same_leaves_two_and_one_that_cannot_be_asked_takes_nothing() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let pairs = json!([pair(1, 2, ""), pair(2, 3, ""), pair(1, 3, ""), pair(1, 4, ""), pair(4, 1, "")]);
        let check = (call.part() == Part::Duplicates).then(|| Answer::Json(json!({ "pairs": pairs })));
        check.or_else(|| mediator(call))
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "[Spread 10 points]")), &["S1 · Renew", "S2 · Leave the building"]);

    let refused = |call: &Call| {
        (call.part() == Part::Duplicates).then(|| Answer::Fault(Fault::BadRequest("no".to_owned())))
    };
    stage.model.on(move |call| refused(call).or_else(|| mediator(call)));
    let thread = stage.mediate(json!({})).await;
    let end = wait_for_end(&stage, thread).await;
    has(&end, &["No model looked whether two of the solutions are the same."]);
    has(&read(&stage.message(thread, "[Spread 10 points]")), &["S3 · Extend", "S4 · Leave"]);
    stage.nothing_amiss();
    bot.kill().await;
}
