//! The last words of the answer that has been coming for longest, on the live card: they move, they are harmless, they cost
//! few edits and none in short sessions, and nothing of them is left once the answer is there, or after a kill.

use std::time::Duration;

use domain::Pace;
use playground::{Fault, Id, ids::DECISIONS};
use serde_json::{Value, json};

use crate::support::{
    Stage,
    model::{Answer, Call, debate::say_in_paper, default_reply},
    nothing_comes,
    play::{Part, id},
    refused_edits, wait_for_end,
};

/// What stands above words that are still coming.
const DRAFT: &str = "a draft, unchecked";
/// How much faster the bot's pauses pass here.
const FASTER: u32 = 5;
/// How far apart edits are on which only words changed: 3 s, so much faster.
const APART_MS: u64 = 3_000 / FASTER as u64;

const WORDS: &str = "The town has forty thousand people, @everyone, and <@1> knows most of them. **Ask** [the bank](https://evil.example/x) \
    for its numbers before anybody signs.\n```\nNobody counts what a rider costs on a day of rain.\n# Then decide";

async fn stage() -> Stage {
    let mut stage = Stage::start().await;
    stage.pace = Pace::faster(FASTER);
    stage
}

fn is_cost(call: &Call) -> bool {
    call.part() == Part::First && call.module() == "cost"
}

/// The usual reply with these words in it.
fn saying(call: &Call, name: &str, words: &str) -> String {
    let mut reply = default_reply(call);
    reply[name] = words.into();
    reply.to_string()
}

/// What the live card was made to say, and when, oldest first.
fn edits(stage: &Stage, thread: Id) -> Vec<(u64, Value)> {
    let end = format!("/messages/{thread}");
    let asked = stage.discord.requests().into_iter();
    let asked = asked.filter(|asked| asked.method == "PATCH" && asked.path.ends_with(&end));
    asked.filter_map(|asked| Some((asked.at_ms, asked.body?))).collect()
}

/// The card's field on the answer that is coming.
fn field(card: &Value) -> Option<String> {
    let fields = card["embeds"][0]["fields"].as_array()?;
    let signs = ["✍️", "🤔"];
    let field = fields.iter().find(|field| {
        signs.iter().any(|sign| field["name"].as_str().is_some_and(|name| name.starts_with(sign)))
    })?;
    Some(format!("{}\n{}", field["name"].as_str()?, field["value"].as_str()?))
}

/// The same card with nothing of an answer that is coming.
fn without(card: &Value) -> Value {
    let mut card = card.clone();
    if let Some(fields) = card["embeds"][0]["fields"].as_array_mut() {
        fields.retain(|field| {
            !["✍️", "🤔"].iter().any(|sign| field["name"].as_str().unwrap().starts_with(sign))
        });
    }
    card
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_card_shows_the_slowest_seats_words_as_they_come_and_none_of_them_afterwards() {
    for model in ["openai/alpha", "anthropic/alpha"] {
        let mut stage = stage().await;
        stage.panel(&[model]);
        stage.model.on(|call| {
            is_cost(call).then(|| Answer::Slow(saying(call, "analysis", WORDS), Duration::from_millis(300)))
        });
        let bot = stage.bot().await;
        let thread = stage.mediate(json!({})).await;
        stage.wait_card(thread, DRAFT).await;
        stage.wait_for(thread, "Cost · round 1").await;
        wait_for_end(&stage, thread).await;
        stage.wait_card(thread, "✅ Done").await;
        let edits = edits(&stage, thread);
        let shown: Vec<String> = edits.iter().filter_map(|(_, card)| field(card)).collect();
        assert!(shown.len() >= 3, "{model}: the words moved: {shown:#?}");
        for shown in &shown {
            assert!(shown.starts_with("✍️ Cost · a draft, unchecked\n"), "{shown}");
            for syntax in
                ["{\"", "\\n", "\"analysis\"", "\":", "@everyone", "<@1>", "](", "https://", "```", "\n#"]
            {
                assert!(!shown.contains(syntax), "{model}: {syntax:?} in {shown:?}");
            }
            assert!(shown.encode_utf16().count() < 300, "short: {shown}");
        }
        // Each word that was seen is the seat's own, and nobody else's; which of them are is a matter of the moment.
        let call = stage.model.calls().into_iter().find(is_cost).unwrap();
        let reply = saying(&call, "analysis", WORDS);
        for shown in &shown {
            let (_, words) = shown.split_once('\n').unwrap();
            let mut words = words.split(|letter: char| !letter.is_alphanumeric());
            assert!(words.all(|word| reply.contains(word)), "{model}: {shown} of {reply}");
        }
        let said = ["forty thousand", "anybody signs", "rider costs"];
        assert!(shown.iter().any(|shown| said.iter().any(|words| shown.contains(words))), "{shown:#?}");
        for pair in edits.windows(2) {
            let [(before_ms, before), (after_ms, after)] = pair else { unreachable!() };
            // Words that are over go at once, whether or not the card knows yet what came of them.
            if without(before) == without(after) && field(after).is_some() {
                assert!(
                    after_ms - before_ms >= APART_MS,
                    "only words changed after {} ms",
                    after_ms - before_ms
                );
                assert_ne!(before, after, "an edit that changes nothing");
            }
        }
        let last = edits.iter().rposition(|(_, card)| field(card).is_some()).unwrap();
        assert!(last + 1 < edits.len(), "they were taken away");
        assert!(field(&stage.card(thread)).is_none());
        stage.nothing_amiss();
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn short_calls_cost_no_edit_and_of_late_ones_that_come_at_once_neither() {
    let stage = stage().await;
    stage.model.on(|call| {
        let short = Duration::from_millis(APART_MS / 60);
        (call.part() == Part::First).then(|| Answer::Slow(saying(call, "analysis", WORDS), short))
    });
    // Longer than that, and then all at once.
    stage.model.latency(Duration::from_millis(50));
    stage.model.hold(|call| call.part() == Part::Revision);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(6, |_| true).await;
    nothing_comes(Duration::from_millis(2 * APART_MS)).await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    stage.wait_card(thread, "✅ Done").await;
    let edits = edits(&stage, thread);
    assert!(edits.iter().all(|(_, card)| field(card).is_none()), "{edits:#?}");
    assert!(edits.windows(2).all(|pair| pair[0].1 != pair[1].1), "each edit had something to say");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_words_come_nothing_of_them_is_left_until_new_ones_do() {
    let stage = stage().await;
    stage.model.on(|call| {
        is_cost(call).then(|| Answer::Slow(saying(call, "analysis", WORDS), Duration::from_millis(300)))
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_card(thread, DRAFT).await;
    stage.model.hold(is_cost);
    bot.kill().await;
    assert!(field(&stage.card(thread)).is_some(), "nobody is there to take it away");
    // What it sent before it died has arrived by then.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let before = edits(&stage, thread).len();
    let bot = stage.bot().await;
    stage.model.wait_calls(2, is_cost).await;
    let gone = async || field(&stage.card(thread)).is_none();
    stage.wait_until(thread, "the words of before are gone", gone).await;
    nothing_comes(Duration::from_millis(2 * APART_MS)).await;
    let after = edits(&stage, thread);
    assert!(after[before..].iter().all(|(_, card)| field(card).is_none()), "silent, and nothing is made up");
    stage.model.let_go();
    stage.wait_card(thread, DRAFT).await;
    wait_for_end(&stage, thread).await;
    stage.wait_card(thread, "✅ Done").await;
    assert!(field(&stage.card(thread)).is_none());
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_thoughts_only_how_many_there_are_is_shown() {
    for model in ["openai/alpha", "anthropic/alpha"] {
        let mut stage = stage().await;
        stage.panel(&[model]);
        stage.model.on(|call| {
            is_cost(call)
                .then(|| Answer::Thinks(default_reply(call).to_string(), 12, Duration::from_millis(300)))
        });
        let bot = stage.bot().await;
        let thread = stage.mediate(json!({})).await;
        let card = stage.wait_card(thread, "Still thinking it over: about ").await;
        assert!(card.contains("🤔 Cost") && !card.contains("What would they say"), "{card}");
        wait_for_end(&stage, thread).await;
        let edits = edits(&stage, thread);
        let shown: Vec<String> = edits.iter().filter_map(|(_, card)| field(card)).collect();
        assert!(shown.len() >= 2 && shown.windows(2).all(|pair| pair[0] != pair[1]), "{shown:?}");
        stage.nothing_amiss();
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_word_of_the_moderators_is_seen_before_it_is_checked() {
    let stage = stage().await;
    stage.model.on(|call| {
        (call.kind() == "debate_synthesis").then(|| {
            let mut said = default_reply(call);
            say_in_paper(call, &mut said, "LEANING words that take a side, one after another.");
            Answer::Slow(said.to_string(), Duration::from_millis(200))
        })
    });
    let bot = stage.bot().await;
    let thread = stage.debate(json!({"preset": "quick"})).await;
    let card = stage.wait_card(thread, "It is shown once it is checked").await;
    assert!(card.contains("✍️ Moderator") && card.contains("Writing: about "), "{card}");
    wait_for_end(&stage, thread).await;
    stage.wait_card(thread, "✅ Done").await;
    let edits = edits(&stage, thread);
    assert!(id(&stage.card(thread)["id"]) == thread && !edits.is_empty());
    assert!(edits.iter().filter_map(|(_, card)| field(card)).all(|shown| !shown.contains("LEANING")));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_that_is_gone_is_not_asked_for_because_of_words() {
    let stage = stage().await;
    stage.model.on(|call| {
        is_cost(call)
            .then(|| Answer::Slow(saying(call, "analysis", &WORDS.repeat(6)), Duration::from_millis(300)))
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "Risk · round 1").await;
    stage.wait_card(thread, DRAFT).await;
    let path = format!("/channels/{DECISIONS}/messages/{thread}");
    stage.discord.faults().on("PATCH", &path, usize::MAX, Fault::Refused(404, 10_008, "Unknown Message"));
    stage.wait_for(thread, "Cost · round 1").await;
    let asked = refused_edits(&stage, thread);
    assert!((1..=2).contains(&asked), "refused {asked} times: {:#?}", edits(&stage, thread));
    bot.kill().await;
}
