//! Effort over the wire: what whoever starts a session chooses reaches every request of it, in its words and in its
//! bounds; a server has its own usual one; a model of small context is asked for little, and the card says so.

use domain::Money;
use playground::{
    Id,
    ids::{ADA, DECISIONS},
};
use serde_json::{Value, json};

use crate::support::{
    Stage, has, has_not,
    model::Call,
    play::{Part, asked},
    wait_for_end,
};

const DOCUMENT: &str = "# Plan\n\nThe shop opens in May because the pilot of two weeks went well. Each order earns \
    three euros and costs four euros to bring. The team hires ten people before the first order.";

/// A session of each protocol, ended; gives its thread.
async fn played(stage: &Stage, protocol: &str, mut options: Value) -> Id {
    let thread = match protocol {
        "mediate" => stage.mediate(options).await,
        "roundtable" => stage.roundtable(options).await,
        "debate" => {
            options["preset"] = "quick".into();
            stage.debate(options).await
        }
        _ => {
            options["depth"] = 1.into();
            stage.critique("plan.md", DOCUMENT, options).await
        }
    };
    wait_for_end(stage, thread).await;
    thread
}

/// All seats on a server of one's own: those alone are held to a schema's lengths.
async fn with_large_local_models() -> Stage {
    let mut stage = Stage::start().await;
    stage.panel(&["local/large"]);
    stage.model.page("/props", json!({"default_generation_settings": {"n_ctx": 65_536}}));
    stage
}

/// Output tokens that a request allows in all.
fn bound(call: &Call) -> u64 {
    call.body["max_tokens"].as_u64().or_else(|| call.body["max_completion_tokens"].as_u64()).expect("a bound")
}

/// Most characters of a field at the top of an answer.
fn most(call: &Call, field: &str) -> u64 {
    call.schema.as_ref().expect("a schema")["properties"][field]["maxLength"]
        .as_u64()
        .unwrap_or_else(|| panic!("{field} has no length"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_chosen_reaches_the_words_and_the_bounds_of_every_protocol() {
    let stage = with_large_local_models().await;
    let bot = stage.bot().await;
    for (protocol, field, words) in [
        ("mediate", "analysis", ["120 to 200", "320 to 440", "800 to 1300"]),
        ("roundtable", "analysis", ["120 to 200", "320 to 440", "800 to 1300"]),
        ("critique", "verdict", ["25 to 50", "35 to 55", "60 to 120"]),
        ("debate", "complexity_assessment", ["290 to 350", "grows by 15", "grows by 30"]),
    ] {
        let mut bounds: Vec<(u64, u64)> = Vec::new();
        for (effort, words) in ["brief", "standard", "deep"].into_iter().zip(words) {
            stage.model.forget();
            // Standard is what nobody has to choose.
            let options = if effort == "standard" { json!({}) } else { json!({ "effort": effort }) };
            let thread = played(&stage, protocol, options).await;
            let all = stage.model.calls();
            let asked = all.iter().find(|call| {
                call.schema.as_ref().is_some_and(|schema| schema["properties"].get(field).is_some())
            });
            let asked = asked.unwrap_or_else(|| panic!("{protocol}: nobody is asked for {field}"));
            has(&asked.text(), &[&format!("{words} words")]);
            bounds.push((bound(asked), most(asked, field)));
            has(&stage.wait_card(thread, "Done").await, &[&format!("{protocol} · {effort} · session")]);
        }
        assert!(
            bounds.is_sorted_by(|less, more| less.0 < more.0 && less.1 < more.1),
            "{protocol}: {bounds:?}"
        );
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_has_its_own_usual_effort_and_a_word_that_is_none_changes_nothing() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let set = async |effort: &str| {
        stage.told(ADA, DECISIONS, "settings answers", json!({ "effort": effort })).await
    };
    has(&set("thorough").await, &["`thorough` is no effort: write `brief`, `standard` or `deep`."]);
    has(&set("brief").await, &["standard → brief"]);
    let thread = played(&stage, "mediate", json!({})).await;
    has(&asked(&stage, Part::First)[0].text(), &["120 to 200 words"]);
    has(&stage.wait_card(thread, "Done").await, &["mediate · brief"]);
    // What somebody chooses goes before what is usual.
    stage.model.forget();
    played(&stage, "mediate", json!({ "effort": "deep" })).await;
    has(&asked(&stage, Part::First)[0].text(), &["800 to 1300 words"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_of_small_context_is_asked_for_little_and_the_card_says_so() {
    let mut stage = Stage::start().await;
    stage.panel(&["local/small"]);
    let bot = stage.bot().await;
    for (context, said) in [
        (None, "`local/small` does not say how much it takes in at a time"),
        (Some(8_192), "`local/small` takes in only 8,192 tokens at a time"),
        // Ollama says it only while the model is in memory.
        (None, "`local/small` takes in only 8,192 tokens at a time"),
    ] {
        let page =
            context.map_or(json!({}), |tokens| json!({"default_generation_settings": {"n_ctx": tokens}}));
        stage.model.page("/props", page);
        stage.model.forget();
        let thread = played(&stage, "mediate", json!({ "effort": "deep" })).await;
        has(&asked(&stage, Part::First)[0].text(), &["120 to 200 words"]);
        has(&stage.wait_card(thread, "Done").await, &["Kept brief instead of deep", said, "mediate · brief"]);
    }
    stage.model.page("/props", json!({"default_generation_settings": {"n_ctx": 65_536}}));
    stage.model.forget();
    let thread = played(&stage, "mediate", json!({ "effort": "deep" })).await;
    has(&asked(&stage, Part::First)[0].text(), &["800 to 1300 words"]);
    has_not(&stage.wait_card(thread, "Done").await, &["Kept brief"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// A round of calls that think holds more than a small budget has left, and needs far less of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_find_too_little_left_wait_for_those_that_hold_it() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/gpt-6-sol"]);
    stage.settings.budgets.session.money = Money(20_000_000);
    stage.settings.budgets.session.tokens = 75_000;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.go(thread).await;
    wait_for_end(&stage, thread).await;
    let first = asked(&stage, Part::First);
    let ends: Vec<_> = first.iter().map(|call| (call.at, call.ended.expect("an answer"))).collect();
    assert!(ends.iter().any(|(at, _)| ends.iter().any(|(_, ended)| ended <= at)), "one waited: {ends:?}");
    has_not(&stage.read(thread), &["budget of tokens is used up"]);
    stage.nothing_amiss();
    bot.kill().await;
}
