//! A document that is longer than the seats read at once is read in sections, in every protocol, and what nobody read is
//! named.

use std::collections::HashMap;

use playground::{
    Id, Upload,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::{Value, json};

use crate::support::{
    Actor, Stage,
    files::thread_of,
    has, has_not,
    model::{Answer, Call, Fault, paragraph},
    play::{PROBLEM, buttons, read},
    wait_for_end,
};

/// Twelve chapters, each with a word of its own, of so many characters in all.
fn document(chars: usize) -> String {
    let chapter = |number: u64| {
        let mut text = format!("# Chapter {number}\n\nThe code word is ZEBRA{number}.\n\n");
        for part in 0.. {
            if text.len() > chars / 12 - 200 {
                return text;
            }
            text.push_str(&paragraph(number * 1_000 + part));
            text.push_str("\n\n");
        }
        text
    };
    (1..=12).map(chapter).collect()
}

/// A stage whose models take in so many tokens; whoever reads notes the chapter's own word.
async fn reading(tokens: u64) -> Stage {
    let mut stage = Stage::start().await;
    stage.panel(&["local/small"]);
    stage.model.page("/props", json!({"default_generation_settings": {"n_ctx": tokens}}));
    stage.model.on(noted);
    stage
}

fn noted(call: &Call) -> Option<Answer> {
    (call.kind() == "section_notes").then(|| {
        let text = call.text();
        let words = text.split("ZEBRA").skip(1).filter_map(|rest| rest.split('.').next());
        let lines: Vec<String> = words.map(|word| format!("- The code word is ZEBRA{word}.")).collect();
        call.reply(|reply| reply["notes"] = lines.join("\n").into())
    })
}

async fn started(stage: &Stage, protocol: &str, mut options: Value, text: String) -> Id {
    options[if protocol == "debate" { "proposition" } else { "problem" }] = PROBLEM.into();
    let files = HashMap::from([("document".to_owned(), Upload::new("plan.md", text))]);
    let client = stage.discord.client();
    let seen = client.run_command_with(ADA, DECISIONS, protocol, options, files).unwrap();
    thread_of(&client.wait_reply(seen).await, ADA)
}

/// Presses what waits for somebody, until the session has ended; gives its last line.
async fn ended(stage: &Stage, thread: Id) -> String {
    let mut pressed = Vec::new();
    for _ in 0..600 {
        for message in stage.public(thread) {
            for label in ["Go", "Start"] {
                let waits = buttons(&message).iter().any(|(shown, _)| shown == label);
                let press = (message["id"].to_string(), label);
                if waits && !pressed.contains(&press) {
                    stage.press(ADA, thread, &message, label).await;
                    pressed.push(press);
                }
            }
        }
        if stage.read(thread).contains("egraded") {
            return wait_for_end(stage, thread).await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("it did not end: {}", stage.read(thread));
}

fn readers(stage: &Stage) -> usize {
    stage.model.calls().iter().filter(|call| call.kind() == "section_notes").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_protocol_goes_on_with_notes_on_all_of_a_long_document() {
    let stage = reading(20_000).await;
    let bot = stage.bot().await;
    for (protocol, options) in
        [("mediate", json!({})), ("roundtable", json!({})), ("debate", json!({"preset": "quick"}))]
    {
        stage.model.forget();
        let thread = started(&stage, protocol, options, document(100_000)).await;
        let end = ended(&stage, thread).await;
        has(&end, &["Nothing was degraded"]);
        assert!((5..=12).contains(&readers(&stage)), "{protocol}: {}", readers(&stage));
        let later: Vec<Call> =
            stage.model.calls().into_iter().filter(|call| call.kind() != "section_notes").collect();
        assert!(later.iter().all(|call| call.text().len() < 40_000), "{protocol}: nobody is sent all of it");
        let informed = later.iter().filter(|call| call.text().contains("ZEBRA12")).count();
        assert!(informed >= 3, "{protocol}: {informed}");
        let card = stage.message(thread, "📄 plan.md · read in");
        has(&read(&card), &["Chapter 1", "longer than the panel can read at once"]);
        has_not(&read(&card), &["Read by nobody"]);
        let all = stage.press(BEN, thread, &card, "All notes").await;
        has(&all.messages.iter().map(read).collect::<String>(), &["ZEBRA3", "ZEBRA11"]);
        let raw = stage.press(BEN, thread, &card, "Raw output").await;
        has(&raw.messages.iter().map(read).collect::<String>(), &["🧾 reading", "the request and the reply"]);
        // A question is answered from the notes too.
        stage.model.forget();
        let question = "What is the word of chapter 12?";
        let to = if protocol == "debate" {
            json!({"question": question, "to": 2})
        } else {
            json!({"question": question})
        };
        stage.told(BEN, thread, "ask", to).await;
        stage.wait_for(thread, question).await;
        stage.model.wait_calls(1, |call| call.kind().contains("answer")).await;
        let asked = stage.model.calls().into_iter().find(|call| call.kind().contains("answer")).unwrap();
        has(&asked.text(), &["ZEBRA12"]);
        assert!(asked.text().len() < 60_000, "{protocol}: {} bytes", asked.text().len());
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_read_is_named() {
    let stage = reading(20_000).await;
    stage.model.on(|call| {
        let fails = call.kind() == "section_notes" && call.text().contains("ZEBRA7.");
        if fails { Some(Answer::Fault(Fault::TooLarge)) } else { noted(call) }
    });
    let bot = stage.bot().await;
    let thread = started(&stage, "mediate", json!({}), document(100_000)).await;
    let end = ended(&stage, thread).await;
    has(&end, &["longer than the panel reads at once", "read by nobody"]);
    let card = read(&stage.message(thread, "📄 plan.md · read in"));
    has(&card, &["Read by nobody", "Chapter 7"]);
    let round = stage.model.calls().into_iter().find(|call| call.kind() == "module_analysis").unwrap();
    has(&round.text(), &["Sections that nobody has read", "Chapter 7", "ZEBRA12"]);
    // A session may not spend all its calls on reading.
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_it_reads_it_reads_no_section_twice() {
    let stage = reading(20_000).await;
    stage.model.hold(|call| call.kind() == "section_notes" && call.text().contains("ZEBRA12."));
    let bot: Actor = stage.bot().await;
    let thread = started(&stage, "mediate", json!({}), document(100_000)).await;
    stage
        .model
        .wait_calls(1, |call| call.kind() == "section_notes" && call.text().contains("ZEBRA12."))
        .await;
    // Of the document's six sections all but one are answered and written down.
    let sections = 6;
    for _ in 0..400 {
        let done =
            stage.number("SELECT count(*) FROM step WHERE key LIKE 'reading/%' AND state = 'done'").await;
        if usize::try_from(done).unwrap() == sections - 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    assert_eq!(readers(&stage), sections);
    bot.kill().await;
    stage.model.let_go();
    let bot = stage.bot().await;
    has(&ended(&stage, thread).await, &["Nothing was degraded"]);
    assert_eq!(readers(&stage), sections + 1, "only the one that was under way is asked again");
    let cards = stage.public(thread).iter().filter(|post| read(post).contains("📄 plan.md")).count();
    assert_eq!(cards, 1);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_of_a_mebibyte_ends_no_session() {
    let stage = reading(65_536).await;
    let bot = stage.bot().await;
    let thread = started(&stage, "mediate", json!({"effort": "brief"}), document(1 << 20)).await;
    let end = ended(&stage, thread).await;
    has_not(&end, &["could not go on"]);
    has(&stage.wait_card(thread, "Done").await, &["Done"]);
    assert!(readers(&stage) <= 30, "a quarter of its calls at most");
    stage.nothing_amiss();
    bot.kill().await;
}
