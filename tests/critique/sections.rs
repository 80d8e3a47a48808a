//! A text that is longer than a model reads at once: in sections, with a map of the whole, and what is not read is
//! named.

use std::collections::BTreeSet;

use playground::ids::ADA;
use serde_json::json;

use crate::{
    critique::scene::{
        FEE, PLAN, SUCCESS, SURVEY, closing, depth, finding, has, has_not, saying, tree, with,
    },
    support::{Stage, model::Call, play::read, wait_for_end},
};

/// The calls that read sections, and not what they state.
fn growing(stage: &Stage) -> Vec<Call> {
    let all = crate::critique::scene::growing(stage).into_iter();
    all.filter(|call| call.fenced("stated").is_none()).collect()
}

/// A stage whose models read a chapter of the plan at once.
async fn near_sighted() -> Stage {
    let mut stage = Stage::start().await;
    stage.settings.document_chars = 1_000;
    stage
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_section_is_read_by_everybody_beside_a_map_of_the_whole() {
    let stage = near_sighted().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let calls = growing(&stage);
    assert_eq!(calls.len(), 18, "six members, three sections");
    let read: BTreeSet<(&str, String)> =
        calls.iter().map(|call| (call.member().unwrap(), call.segment())).collect();
    assert_eq!(read.len(), 18, "everybody reads each once");
    let sections: BTreeSet<String> = calls.iter().map(Call::segment).collect();
    assert_eq!(sections.len(), 3);
    for sentence in [SURVEY, FEE, SUCCESS] {
        assert_eq!(sections.iter().filter(|section| section.contains(sentence)).count(), 1, "{sentence}");
    }
    for call in &calls {
        has(&call.fenced("map").expect("a map"), &["Delivery in the town", "Costs", "Launch"]);
        assert!(call.segment().chars().count() <= 1_000);
    }
    has(&read_card(&stage, thread, "What it takes"), &["in 3 parts"]);
    // Claims are numbered through the sections.
    has(&tree(&stage, thread, "russell").await, &["Russell 1", "Russell 3", "Russell 5", "Costs"]);
    has(&closing(&stage, thread), &["Nothing was degraded"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_fit_between_sections_is_found_by_one_who_reads_what_they_state() {
    const APART: &str =
        "The fee of four euros and the nine thousand orders do not come to the sum of the costs.";
    let stage = near_sighted().await;
    stage.model.on(|call| {
        call.fenced("stated").map(|stated| {
            has(&stated, &["§1 ", "§2 ", "§3 ", SURVEY]);
            let mut said = saying(SURVEY, APART);
            said["quotes"] = json!([SURVEY, FEE]);
            (said["severity"], said["confidence"]) = ("critical".into(), 90.into());
            with(call, vec![said])
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let first = read(&finding(&stage, thread, 1).await);
    has(&first, &[APART, "Held by** Leibniz (1 of 6)", SURVEY, FEE, "line 5", "line 11"]);
    has(&tree(&stage, thread, "leibniz").await, &[APART]);
    let named = crate::critique::scene::growing(&stage)
        .into_iter()
        .filter(|call| call.schema.as_ref().is_some_and(|schema| !schema["properties"]["stated"].is_null()));
    assert!(
        named.map(|call| call.member()).all(|member| member == Some("Leibniz")),
        "one copies out what they state"
    );
    has(&closing(&stage, thread), &["Nothing was degraded"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_local_server_with_one_slot_all_read_a_section_before_the_next() {
    let mut stage = near_sighted().await;
    stage.panel(&["local/small"]);
    (stage.limits.local.start, stage.limits.local.max) = (1, 1);
    stage.model.latency(std::time::Duration::from_millis(60));
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let read: Vec<String> = growing(&stage).iter().map(Call::segment).collect();
    assert_eq!(read.len(), 18, "six members, three sections");
    let changes = read.windows(2).filter(|pair| pair[0] != pair[1]).count();
    // Two between three sections; one more where the first call went before the others had come.
    assert!(changes <= 3, "its one cached beginning was lost {changes} times");
    stage.nothing_amiss();
    bot.kill().await;
}

fn read_card(stage: &Stage, thread: playground::Id, title: &str) -> String {
    read(&stage.message(thread, title))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_that_reads_a_section_begins_with_the_same_bytes() {
    let stage = near_sighted().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    // More sections, more calls: it may have to be asked for.
    if let Some(estimate) = stage.public(thread).iter().find(|message| read(message).contains("[Go]")) {
        stage.press(ADA, thread, estimate, "Go").await;
    }
    go_if_asked(&stage, thread).await;
    wait_for_end(&stage, thread).await;
    let calls = growing(&stage);
    let mut systems: BTreeSet<String> = BTreeSet::new();
    for call in &calls {
        let section = call.fenced("section").expect("the section");
        let at = |part: &str| call.text().find(part).unwrap();
        let (text, task) = (at(&section), at("Task: "));
        assert!(text < task, "the text stands before the task");
        if let Some(segment) = call.fenced("segment") {
            assert!(section.contains(segment.trim()), "a segment is one of its section");
        }
        let system = call.system.clone();
        assert!(system.contains(&section), "the section is in the part that is cached");
        systems.insert(system);
    }
    assert_eq!(systems.len(), 3, "one beginning for each section, whoever reads and however deep");
    stage.nothing_amiss();
    bot.kill().await;
}

/// Presses Go where the estimate asks for it.
async fn go_if_asked(stage: &Stage, thread: playground::Id) {
    let estimate = stage.wait_for(thread, "plan.md").await;
    if read(&estimate).contains("[Go]") {
        stage.press(ADA, thread, &estimate, "Go").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_calls_do_not_suffice_for_is_named_and_not_read() {
    let mut stage = near_sighted().await;
    stage.settings.budgets.session.calls = 34;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    let estimate = stage.wait_for(thread, "[Go]").await;
    has(&read(&estimate), &["Will not be read"]);
    stage.press(ADA, thread, &estimate, "Go").await;
    wait_for_end(&stage, thread).await;
    let calls = growing(&stage);
    let sections: BTreeSet<String> = calls.iter().map(Call::segment).collect();
    assert!((1..3).contains(&sections.len()), "{} sections", sections.len());
    for call in &calls {
        has(&call.fenced("map").expect("a map"), &["(not read)", "Delivery in the town", "Costs", "Launch"]);
    }
    assert!(stage.model.calls().len() <= 34);
    has(&read_card(&stage, thread, "Review ·"), &["Not read"]);
    has(&closing(&stage, thread), &["not read, because the session's budget does not suffice", "§"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_could_not_read_even_one_section_is_not_started() {
    let mut stage = Stage::start().await;
    stage.settings.budgets.session.calls = 10;
    let bot = stage.bot().await;
    let files =
        std::collections::HashMap::from([("document".to_owned(), playground::Upload::new("plan.md", PLAN))]);
    let client = stage.discord.client();
    let ran = client.run_command_with(ADA, playground::ids::DECISIONS, "critique", json!({}), files).unwrap();
    let told = client.wait_reply(ran).await.text();
    has(&told, &["calls"]);
    has_not(&told, &["It has begun"]);
    assert!(stage.is_untouched(&bot).await);
    stage.nothing_amiss();
    bot.kill().await;
}
