//! What a session takes, of each protocol, at each effort, with and without a document of twenty pages: the table in the
//! README. Scripted models write what they are asked for; what a provider finds in its cache is worked out from the
//! requests. Estimates are made of it (`crates/domain/src/measured.rs`). Run with `cargo test --test whole -- --ignored cost:: --nocapture`.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use domain::{Caps, Money, Plan, takes};
use playground::{
    Id, Upload,
    ids::{ADA, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    resume::investigated,
    support::{
        Stage,
        model::{Answer, Call, default_reply, paragraph},
        play::{PROBLEM, buttons, read, thread_of},
        text_of,
    },
};

/// Characters of a token, as budgets and providers count English.
const CHARS: usize = 4;
/// A provider keeps no shorter beginning of a request in its cache.
const LEAST_CACHED: usize = 1_024;
/// Dollars for a million tokens: what Claude Sonnet 5.5 and GPT-6.1 Sol cost.
const INPUT: f64 = 2.0;
const CACHED: f64 = 0.1;
const OUTPUT: f64 = 10.0;
/// Fields that repeat somebody else's words, or are held against them.
const VERBATIM: [&str; 8] =
    ["quot", "passage", "words", "title", "topic", "label", "description", "question"];

/// Fields of a form that name something, or repeat what was shown.
const LABELS: [&str; 8] = ["group", "groups", "best", "own", "other", "quote", "theme", "title"];

/// A plausible reply, with texts as long as they are asked for: the schema's bounds leave a quarter above it.
pub fn reply(call: &Call) -> Value {
    const INVESTIGATION: [&str; 7] =
        ["scout_answer", "comparison", "check", "checked", "opening", "said", "answer"];
    let mut reply = match call.schema_name.as_deref() {
        // Scouts differ, and so there is something to check: a plausible reply would have nobody differ, or all.
        name if !call.tools.is_empty()
            || name.is_some_and(|name| INVESTIGATION.contains(&name))
            || name == Some("drafts_check") && call.user.contains("What you answered alone") =>
        {
            let Answer::Json(mut reply) = investigated::said(call) else {
                unreachable!("it answers in JSON")
            };
            // Nothing is searched for here, and so nothing is cited.
            if let Some(Value::String(why)) = reply.get_mut("why") {
                *why = why.replace(" [1]", "");
            }
            reply
        }
        _ => default_reply(call),
    };
    // A review tells each finding in a line, and not in all the words of its claim.
    for finding in reply.get_mut("findings").and_then(Value::as_array_mut).into_iter().flatten() {
        for text in ["line", "title"] {
            let words = finding[text].as_str().unwrap_or_default().split_whitespace();
            finding[text] = words.take(8).collect::<Vec<_>>().join(" ").into();
        }
    }
    // Debaters and their moderator are asked for so many words, and write them.
    let counted = call.kind().starts_with("turn_") || call.kind() == "debate_synthesis";
    if let Some(schema) = call.schema.as_ref().filter(|_| !counted) {
        // What counts the words of a form as a whole bounds each of its texts by all of them.
        let form = ["module_", "memo", "first_", "drafts_", "critique_", "points"];
        let form = ["answer", "scout_answer", "NumberAsked", "SaidEstimate", "Outlook"]
            .contains(&call.kind())
            || form.iter().any(|begins| call.kind().starts_with(begins));
        if form { fill(&mut reply, schema, 1) } else { lengthen(&mut reply, schema, "") }
    }
    reply
}

/// Lengthens the texts of a form, `share` of which have the words of one between them.
fn fill(value: &mut Value, schema: &Value, share: usize) {
    match value {
        Value::String(text) => {
            // A quarter more than 14 characters a word and 40 more, of which a word takes some six; most write a little less
            // than they may.
            let most = longest(schema).unwrap_or_default().saturating_sub(40);
            let asked = usize::try_from(most).unwrap() * 4 / 14 / share;
            let more = paragraph(text.len() as u64);
            for word in more.split_whitespace().cycle() {
                if text.chars().count() + word.len() >= asked {
                    break;
                }
                text.push(' ');
                text.push_str(word);
            }
        }
        // A list within a list has titles in it.
        Value::Array(_) if share > 1 => {}
        Value::Array(items) => {
            let texts = |item: &Value| {
                item.as_object().map_or(1, |item| item.values().filter(|text| text.is_string()).count())
            };
            let share = items.iter().map(texts).sum::<usize>().max(1);
            for item in items {
                fill(item, &schema["items"], share);
            }
        }
        Value::Object(fields) => {
            let texts = fields.iter_mut().filter(|(name, _)| !LABELS.contains(&name.as_str()));
            texts.for_each(|(name, field)| fill(field, &schema["properties"][name.as_str()], share));
        }
        _ => {}
    }
}

/// Most characters of a text, which Anthropic's dialect has to say in words.
fn longest(schema: &Value) -> Option<u64> {
    schema["maxLength"].as_u64().or_else(|| {
        let said = schema["description"].as_str()?.split("maxLength=").nth(1)?;
        said.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
    })
}

fn lengthen(value: &mut Value, schema: &Value, name: &str) {
    match value {
        Value::String(text) if !VERBATIM.iter().any(|word| name.contains(word)) => {
            let most = longest(schema);
            let asked = most.map_or(0, |most| usize::try_from(most).unwrap() * 3 / 4);
            for part in (0..).take_while(|_| asked >= 150) {
                let more = paragraph(part + text.len() as u64);
                if text.chars().count() + more.chars().count() > asked {
                    break;
                }
                text.push_str(if part % 3 == 2 { "\n\n" } else { " " });
                text.push_str(&more);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| lengthen(item, &schema["items"], name)),
        Value::Object(fields) => {
            fields
                .iter_mut()
                .for_each(|(name, field)| lengthen(field, &schema["properties"][name.as_str()], name));
        }
        _ => {}
    }
}

/// A page of 450 words under a heading.
fn page(number: u64) -> String {
    let paragraphs: Vec<String> = (0..12).map(|part| paragraph(number * 31 + part * 7)).collect();
    let mut page = format!("# Part {number}\n\n");
    for paragraph in paragraphs.iter().cycle() {
        if page.split_whitespace().count() >= 450 {
            break;
        }
        page.push_str(paragraph);
        page.push_str("\n\n");
    }
    page
}

/// A document of one page.
pub fn one_page() -> String {
    page(1)
}

fn twenty_pages() -> String {
    (1..=20).map(page).collect()
}

/// Presses whatever waits for somebody, until the session has ended.
async fn play(stage: &Stage, thread: Id) {
    let mut pressed = HashSet::new();
    for _ in 0..2_400 {
        let text = text_of(stage, thread);
        if text.contains("Nothing was degraded") || text.contains("**Degraded:**") {
            return;
        }
        for message in stage.public(thread) {
            for label in ["Go", "Start"] {
                let waits = buttons(&message).iter().any(|(shown, _)| shown == label);
                if waits && pressed.insert((message["id"].to_string(), label)) {
                    stage.press(ADA, thread, &message, label).await;
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it did not end: {}", stage.read(thread));
}

/// Tokens of each request, and those of them that a cache held: what an earlier request began with, whose answer had begun
/// when this one was sent.
fn sent(calls: &[Call]) -> Vec<(usize, usize)> {
    let texts: Vec<String> = calls.iter().map(Call::text).collect();
    let sent = calls.iter().zip(&texts).map(|(call, text)| {
        let begins =
            |other: &String| text.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
        let earlier =
            calls.iter().zip(&texts).filter(|(other, _)| other.begun.is_some_and(|begun| begun < call.at));
        let held = earlier.map(|(_, other)| begins(other) / CHARS).max().unwrap_or(0);
        (text.len() / CHARS, if held >= LEAST_CACHED { held } else { 0 })
    });
    sent.collect()
}

/// Tokens of all requests, those of them that a cache held, and tokens of all answers.
fn tokens(calls: &[Call]) -> (usize, usize, usize) {
    let sent = sent(calls);
    let output = calls.iter().map(|call| reply(call).to_string().len() / CHARS).sum();
    (sent.iter().map(|(input, _)| input).sum(), sent.iter().map(|(_, cached)| cached).sum(), output)
}

/// Of the tokens sent by the second and later calls of each round, the share that a cache held, in per cent; a round is
/// the calls that are asked for the same kind of reply.
fn cached_of_later_calls(calls: &[Call]) -> usize {
    let (mut begun, mut input, mut cached) = (HashSet::new(), 0, 0);
    for (call, (sent, held)) in calls.iter().zip(sent(calls)) {
        if !begun.insert(call.kind()) {
            input += sent;
            cached += held;
        }
    }
    cached * 100 / input.max(1)
}

/// A debate through all its phases.
const FULL: &str = "debate preset: full";

/// A stage for one session of a protocol at an effort, as it was played to its end, and how many transactions that took;
/// `pages` of a document.
pub async fn played(protocol: &str, (models, effort): (&[&str], &str), pages: u8) -> (Stage, u64) {
    let mut stage = Stage::start().await;
    stage.panel(models);
    stage.settings.budgets.session = Caps { money: Money(1_000_000_000), tokens: 100_000_000, calls: 10_000 };
    stage.settings.budgets.member_day = stage.settings.budgets.session;
    stage.settings.budgets.server_day = stage.settings.budgets.session;
    stage.model.on(|call| Some(Answer::Json(reply(call))));
    let bot = stage.bot().await;
    let mut options = json!({ "effort": effort });
    let protocol = match protocol {
        FULL => {
            options["preset"] = "full".into();
            "debate"
        }
        other => other,
    };
    match protocol {
        "debate" => options["proposition"] = PROBLEM.into(),
        "critique" => {}
        "investigate" | "delphi" => options["question"] = PROBLEM.into(),
        _ => options["problem"] = PROBLEM.into(),
    }
    // A critique needs something to read.
    let text = if pages == 0 { one_page() } else { twenty_pages() };
    let files = match (protocol, pages) {
        (_, 20) | ("critique", _) => HashMap::from([("document".to_owned(), Upload::new("plan.md", text))]),
        _ => HashMap::new(),
    };
    let client = stage.discord.client();
    let started = client.run_command_with(ADA, DECISIONS, protocol, options, files).unwrap();
    let thread = thread_of(&client.wait_reply(started).await, ADA);
    play(&stage, thread).await;
    let end = read(&stage.message(thread, "egraded"));
    assert!(end.contains("Nothing was degraded"), "{protocol} {effort}: {end}");
    let commits = bot.store.commits();
    bot.kill().await;
    (stage, commits)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_takes_what_is_estimated_and_most_of_what_later_calls_of_a_round_send_is_in_the_cache() {
    for protocol in ["mediate", "debate", FULL, "roundtable", "critique", "investigate", "delphi"] {
        // An investigation by one model says that its scouts are not independent.
        let panel = ["anthropic/claude-sonnet-5-5", "anthropic/claude-opus-5", "anthropic/claude-haiku-5"];
        let models = if protocol == "investigate" { &panel[..] } else { &panel[..1] };
        let (stage, _) = played(protocol, (models, "standard"), 20).await;
        let plan: String =
            sqlx::query_scalar("SELECT plan FROM session").fetch_one(&stage.rows().await).await.unwrap();
        let told = takes(&serde_json::from_str::<Plan>(&plan).unwrap().brief);
        let calls = stage.model.calls();
        let (sent, _, written) = tokens(&calls);
        let as_told = [(told.calls.into(), calls.len()), (told.sent, sent), (told.written, written)];
        for (told, took) in as_told.map(|(told, took): (u64, usize)| (told, took as u64)) {
            assert!(took * 5 >= told * 4 && took * 5 <= told * 6, "/{protocol} takes {took} of {told}");
        }
        let cached = cached_of_later_calls(&calls);
        println!("/{protocol}, 20 pages: {cached} % of what later calls of a round send is in the cache");
        // Where every step pauses by chance, calls that wait for the first of their round come too late or too soon for it.
        let steady = std::env::var_os("UNSTEADY").is_none();
        assert!(!steady || cached >= 70, "/{protocol}: {cached} %");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints the README's table; it holds nothing to anything"]
async fn table_of_tokens_and_cost() {
    println!(
        "| | effort | calls | tokens sent, of them cached | tokens written | cost |\n|---|---|---|---|---|---|"
    );
    for protocol in ["mediate", "debate", FULL, "roundtable", "critique", "investigate", "delphi"] {
        for pages in [0, 20] {
            for effort in ["brief", "standard", "deep"] {
                // An investigation by one model says that its scouts are not independent.
                let panel = ["openai/gpt-6.1-sol", "openai/beta", "openai/gamma"];
                let models = if protocol == "investigate" { &panel[..] } else { &panel[..1] };
                let (stage, _) = played(protocol, (models, effort), pages).await;
                let calls = stage.model.calls();
                let (sent, cached, written) = tokens(&calls);
                let million = |tokens: usize| f64::from(u32::try_from(tokens).unwrap()) / 1e6;
                let cost =
                    million(sent - cached) * INPUT + million(cached) * CACHED + million(written) * OUTPUT;
                let document = match (protocol, pages) {
                    ("critique", 0) => ", 1 page",
                    (_, 0) => "",
                    _ => ", 20 pages",
                };
                println!(
                    "| `/{protocol}`{document} | {effort} | {} | {} k, {} k | {} k | ${cost:.2} |",
                    calls.len(),
                    sent.div_ceil(1_000),
                    cached / 1_000,
                    written.div_ceil(1_000)
                );
            }
        }
    }
}
