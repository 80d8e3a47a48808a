//! Mentions in what members write, over the wire: models read names, and the number of whoever is not found stays.

use crate::support::{
    Stage, has,
    play::{Part, asked, read},
    wait_for_end,
};
use playground::{
    Id,
    ids::{ADA, BEN, BOT, CHLOE, DECISIONS, GENERAL, PRIVATE, PRODUCT_TEAM},
};
use serde_json::json;

/// Somebody whom nobody knows.
const NOBODY: Id = 1_100_000_000_000_000_999;

/// What a model was asked as the question of this number.
async fn question(stage: &Stage, count: usize) -> String {
    stage.model.wait_calls(count, |call| call.part() == Part::FollowUp).await;
    asked(stage, Part::FollowUp)[count - 1].user.clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn models_read_names_in_problems_notes_and_questions() {
    let stage = Stage::start().await;
    stage.model.hold(|call| call.part() == Part::First);
    let bot = stage.bot().await;
    let problem = format!(
        "Do <@{BEN}> and <@!{CHLOE}> of <@&{PRODUCT_TEAM}> move to <#{GENERAL}>, <@{NOBODY}>? <:cart:{NOBODY}> <t:7>"
    );
    let read_as = format!("Do @Ben and @Chloé of @Product team move to #general, <@{NOBODY}>? :cart: <t:7>");
    let thread = stage.mediate(json!({ "problem": problem })).await;
    stage.model.wait_calls(3, |call| call.part() == Part::First).await;
    for call in asked(&stage, Part::First) {
        has(&call.text(), &[&read_as]);
    }
    stage.add_context(BEN, thread, &format!("<@{ADA}> has the keys, <@&{NOBODY}>.")).await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    for call in asked(&stage, Part::Revision) {
        has(&call.text(), &[&format!("@Ada has the keys, <@&{NOBODY}>."), &read_as]);
    }

    // Who cannot read a channel does not learn its name.
    let client = stage.discord.client();
    let words = format!("What do <@{CHLOE}> and <@{NOBODY}> say in <#{PRIVATE}>?");
    client.say(BEN, thread, &format!("<@{BOT}> {words}")).unwrap();
    has(&question(&stage, 1).await, &[&format!("What do @Chloé and <@{NOBODY}> say in #private?")]);
    client.say(CHLOE, thread, &format!("<@{BOT}> Who is in <#{PRIVATE}>, <@{ADA}>?")).unwrap();
    has(&question(&stage, 2).await, &[&format!("Who is in <#{PRIVATE}>, @Ada?")]);
    let command = json!({ "question": format!("Where is <@{CHLOE}>, in <#{thread}>?") });
    stage.told(ADA, thread, "ask", command).await;
    let name = stage.discord.channel(thread).unwrap()["name"].as_str().unwrap().to_owned();
    assert!(name.starts_with("Do @Ben and @Chloé"), "{name}");
    has(&question(&stage, 3).await, &["Where is @Chloé, in #Do @Ben and @Chloé"]);
    stage.wait_for(thread, "Where is @Chloé").await;
    stage
        .wait_number("SELECT count(*) FROM brought WHERE kind = 'question' AND closed_ms IS NOT NULL", 3)
        .await;
    bot.kill().await;

    // What was asked meanwhile is read back.
    client.say(BEN, thread, &format!("<@{BOT}> Does <@{CHLOE}> agree with <@{NOBODY}>?")).unwrap();
    let bot = stage.bot().await;
    has(&question(&stage, 4).await, &[&format!("Does @Chloé agree with <@{NOBODY}>?")]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_asked_about_is_read_with_names() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let text = format!("Should <@{CHLOE}> and <@&{PRODUCT_TEAM}> move to <#{GENERAL}>, <@{NOBODY}>?");
    let offer = stage.offered(stage.ben_says(&text)).await;
    has(&read(&offer), &["Should @Chloé and"]);
    let client = stage.discord.client();
    client.wait_reply(stage.chosen(&offer, "mediate")).await;
    let read_as = format!("Should @Chloé and @Product team move to #general, <@{NOBODY}>?");
    has(&stage.only_plan().await, &[&read_as]);
    let options = json!({ "problem": "Do we move?", "voters": format!("<@{BEN}>") });
    stage.mediate_as(ADA, DECISIONS, options).await;
    let may_vote = format!("SELECT count(*) FROM session WHERE instr(plan, '{BEN}') > 0");
    assert_eq!(stage.number(&may_vote).await, 1, "who may vote is meant by number");
    stage.nothing_amiss();
    bot.kill().await;
}
