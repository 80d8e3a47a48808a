//! The question and the table of a roundtable, changed before it begins: other words, an expert less and another one more,
//! and another model.

use playground::ids::{ADA, DECISIONS};
use serde_json::json;

use crate::{
    confirm::scene::{Asking, Edit, Kind, ROLES},
    support::{
        Stage, has, has_not,
        model::Call,
        play::{PROBLEM, Part, id},
        wait_for_end,
    },
};

const TABLE: Kind = Kind {
    edit: Some(Edit { verb: "table_edit", of: "restated", texts: [("One?", "One?"), ("Two?", "Two?")] }),
    ..ROLES
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn question_experts_and_models_are_changed_before_it_begins() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    let bot = Some(stage.bot().await);
    let options = json!({ "problem": PROBLEM, "experts": 2 });
    let thread = stage.started(ADA, DECISIONS, "roundtable", options).await;
    let card = id(&stage.wait_for(thread, "[Edit question and table]").await["id"]);
    stage.wait_card(thread, "Waiting for an answer").await;
    let mut asking = Asking { kind: &TABLE, stage, bot, thread, card };

    let boxes = asking.form(ADA).await.1;
    let names: Vec<&str> = boxes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["restated", "table", "added"]);
    has(&boxes[1].1, &["1 ", "openai/alpha\n2 ", "openai/beta"]);
    // What cannot be taken changes nothing and says what is valid.
    for (of, text, why) in [
        ("table", "1 openai/alpha", "There would be 1 experts"),
        ("table", "1 openai/alpha\n2 openai/gamma", "It may use: openai/alpha, openai/beta."),
        ("restated", " \u{200b}", "The question is empty"),
        ("added", "Only a name", "has one line"),
    ] {
        let told = asking.edit(ADA, &[(of, text)]).await.text();
        has(&told, &[why, "The roles are as they were."]);
    }
    let baker = "Baker\nAsks who gets up at three.";
    let changed = [("restated", "Bread by bicycle, yes or no?"), ("added", baker)];
    has(&asking.edit(ADA, &changed).await.text(), &["Saved"]);
    has(&asking.shows("3. Baker", true).await, &["Bread by bicycle, yes or no?"]);
    // Whoever's line is gone leaves; the other two think with the same model.
    let table = "3 Baker openai/beta\n2 openai/beta";
    has(&asking.edit(ADA, &[("table", table)]).await.text(), &["Saved"]);
    has_not(&asking.shows("1. ", false).await, &["openai/alpha"]);
    // It stands after the process is gone.
    asking.kill().await;
    asking.start().await;
    asking.press(ADA, ROLES.go).await;
    wait_for_end(&asking.stage, asking.thread).await;
    let calls = asking.stage.model.calls();
    let first: Vec<&Call> = calls.iter().filter(|call| call.part() == Part::First).collect();
    assert_eq!(first.len(), 2);
    for call in &first {
        assert_eq!(call.model, "beta");
    }
    assert!(first.iter().any(|call| call.role() == "Baker"));
    for call in calls.iter().filter(|call| call.part() != Part::Gatekeeper) {
        has(&call.text(), &["Bread by bicycle, yes or no?"]);
    }
    has(&asking.rest(), &["Baker · round 1", "All seats are one model"]);
    asking.stage.nothing_amiss_but_repeats();
}
