//! What members bring into a debate, over the wire: evidence, questions to one of the three, evidence on a hinge; each
//! taken once, given back where it cannot be taken, and looked behind without anything that took a side.

use std::time::Duration;

use crate::support::{
    Stage,
    model::{
        Call,
        debate::{in_few_words, say_in_paper},
    },
    play::{PATIENCE, asked_kind, buttons, id, is_private, read},
    wait_for_end,
};
use playground::{
    Id, Seen,
    ids::{ADA, BEN, BOT, CHLOE, DECISIONS},
};
use serde_json::{Value, json};

const QUESTIONS: &str = "🔎 Open questions";

/// A quick debate whose proposition waits for its start.
async fn proposed(stage: &Stage) -> Id {
    let thread = stage.started(ADA, DECISIONS, "debate", json!({"preset": "quick"})).await;
    stage.wait_for(thread, "[Start]").await;
    stage.wait_card(thread, "Waiting for an answer").await;
    thread
}

/// A quick debate that is over.
async fn debated(stage: &Stage) -> Id {
    let thread = proposed(stage).await;
    stage.press(ADA, thread, &stage.message(thread, "[Start]"), "Start").await;
    assert!(wait_for_end(stage, thread).await.contains("Done"));
    thread
}

/// Opens a form by a message's button, fills it in and gives what is answered.
async fn fill(stage: &Stage, who: Id, of: (Id, &Value), label: &str, boxes: &[(&str, &str)]) -> Seen {
    let (_, seen) = filled(stage, who, of, label, boxes).await;
    seen
}

async fn filled(
    stage: &Stage,
    who: Id,
    (channel, message): (Id, &Value),
    label: &str,
    boxes: &[(&str, &str)],
) -> (Id, Seen) {
    let (_, custom_id) = buttons(message).into_iter().find(|(shown, _)| shown.contains(label)).unwrap();
    let client = stage.discord.client();
    let opener = client.click(who, channel, id(&message["id"]), &custom_id).unwrap();
    assert!(client.wait_reply(opener).await.modal.is_some(), "{label} opens a form");
    sent(stage, who, opener, boxes).await
}

async fn sent(stage: &Stage, who: Id, opener: Id, boxes: &[(&str, &str)]) -> (Id, Seen) {
    let client = stage.discord.client();
    let form = client.submit_modal(who, opener, boxes).unwrap();
    let seen = client.wait_reply(form).await;
    assert!(is_private(&seen, who), "{:?}", seen.messages);
    (form, seen)
}

/// Fills in a form of the live card.
async fn on_card(stage: &Stage, who: Id, thread: Id, label: &str, boxes: &[(&str, &str)]) -> (Id, Seen) {
    filled(stage, who, (DECISIONS, &stage.card(thread)), label, boxes).await
}

fn evidence_cards(stage: &Stage, thread: Id) -> usize {
    stage.public(thread).iter().filter(|message| read(message).contains("evidence from")).count()
}

/// Waits until somebody was asked this often to answer a question, and gives the calls.
async fn wait_calls(stage: &Stage, kind: &str, count: usize) -> Vec<Call> {
    stage.model.wait_calls(count, |call| call.kind() == kind).await;
    asked_kind(stage, kind)
}

/// Whose role the last answer was asked in, once there are so many.
async fn asked_in_role(stage: &Stage, count: usize) -> (&'static str, String) {
    let calls = wait_calls(stage, "debate_answer", count).await;
    assert_eq!(calls.len(), count);
    let last = calls.last().unwrap();
    (last.side().unwrap_or("Moderator"), last.user.clone())
}

/// Waits for the card that answers this question.
async fn wait_answer(stage: &Stage, thread: Id, question: &str) -> Value {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let answers = |message: &Value| {
            let text = read(message);
            (text.contains("💬 Answer") || text.contains(" answers ")) && text.contains(question)
        };
        if let Some(found) = stage.public(thread).into_iter().find(answers) {
            return found;
        }
        assert!(tokio::time::Instant::now() < until, "{question} is not answered in\n{}", stage.read(thread));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until no evidence is open any more.
async fn wait_closed(bot: &crate::support::Actor) {
    let until = tokio::time::Instant::now() + PATIENCE;
    while !bot.store.unfinished_sessions().await.unwrap().is_empty() {
        assert!(tokio::time::Instant::now() < until, "the evidence stays open");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Chooses a hinge in the panel and fills in the form that opens.
async fn bring(stage: &Stage, who: Id, thread: Id, hinge: &str, boxes: &[(&str, &str)]) -> (Id, Seen) {
    let panel = stage.wait_for(thread, QUESTIONS).await;
    let custom_id = format!("v1:{}:hinge:", stage.session(thread));
    let client = stage.discord.client();
    let opener = client.select(who, thread, id(&panel["id"]), &custom_id, &[hinge]).unwrap();
    assert!(client.wait_reply(opener).await.modal.is_some(), "the select opens a form");
    sent(stage, who, opener, boxes).await
}

/// What is behind a card's button, with the files.
async fn behind(stage: &Stage, thread: Id, card: &Value, label: &str) -> String {
    let seen = stage.press(BEN, thread, card, label).await;
    let mut shown: String = seen.messages.iter().map(read).collect();
    for message in &seen.messages {
        for file in message["attachments"].as_array().unwrap() {
            let file = reqwest::get(file["url"].as_str().unwrap()).await.unwrap();
            shown.push_str(&String::from_utf8_lossy(&file.bytes().await.unwrap()));
        }
    }
    shown
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evidence_is_taken_once_and_given_back_where_it_cannot_be() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = proposed(&stage).await;

    // Discord itself keeps boxes from being empty, and not from holding nothing to read.
    for blank in [" ", "\u{200b}\u{2800}", "\u{ad}"] {
        let boxes = [("claim", blank), ("source", "Gazette of 3 May")];
        let (_, seen) = on_card(&stage, BEN, thread, "Add evidence", &boxes).await;
        let text = read(&seen.messages[0]);
        assert!(text.contains("Evidence needs a claim") && text.contains("Gazette of 3 May"), "{text}");
        assert!(text.contains("[Open the form again]"), "{text}");
        let again = (DECISIONS, &seen.messages[0]);
        let again = fill(&stage, BEN, again, "Open the form again", &[("claim", blank)]).await;
        assert!(again.text().contains("Evidence needs a claim"));
    }
    assert_eq!(evidence_cards(&stage, thread), 0);

    let boxes = [("claim", "@everyone 412 of 900 answered.\u{7}"), ("source", "")];
    let (form, seen) = on_card(&stage, BEN, thread, "Add evidence", &boxes).await;
    let said = "Noted as E1. Pro and Con each take it up in their next turn: they use it, or say why";
    assert!(seen.text().contains(said), "{}", seen.text());
    stage.wait_for(thread, "evidence from Ben").await;
    stage.discord.client().redeliver(form).unwrap();
    // Another member's comes after whatever the first delivery would have made.
    let (_, seen) =
        on_card(&stage, CHLOE, thread, "Add evidence", &[("claim", "A second."), ("source", "")]).await;
    assert!(seen.text().contains("Noted as E2"), "{}", seen.text());
    stage.wait_for(thread, "evidence from Chloé").await;
    assert_eq!(evidence_cards(&stage, thread), 2);
    assert_eq!(stage.discord.client().look(form).text().matches("Noted as").count(), 1);

    stage.press(ADA, thread, &stage.message(thread, "[Start]"), "Start").await;
    assert!(wait_for_end(&stage, thread).await.contains("Done"));
    // After the end there is nobody to take it up; an old card's button still says where to go.
    let old = stage.forged_buttons(thread, &[&format!("v1:{}:evidence:", stage.session(thread))]).await;
    let client = stage.discord.client();
    let pressed = client.click(BEN, thread, old, &format!("v1:{}:evidence:", stage.session(thread))).unwrap();
    let text = client.wait_reply(pressed).await.text();
    assert!(text.contains("This debate is over") && text.contains("Bring evidence on"), "{text}");
    let asks = format!("v1:{}:clarify:", stage.session(thread));
    let old = stage.forged_buttons(thread, &[&asks]).await;
    let pressed = client.click(BEN, thread, old, &asks).unwrap();
    let text = client.wait_reply(pressed).await.text();
    assert!(text.contains("has ended") && text.contains("/ask"), "{text}");
    stage.nothing_amiss_but_repeats();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_goes_to_whom_it_names_else_to_whoever_wrote_what_it_replies_to() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = debated(&stage).await;
    let client = stage.discord.client();
    let con = id(&stage.message(thread, "Con · case")["id"]);
    let pro = id(&stage.message(thread, "Pro · case")["id"]);
    let synthesis = id(&stage.message(thread, "Where they disagree")["id"]);
    let at = |text: &str| format!("<@{BOT}> {text}");

    client.say(BEN, thread, &at("Pro, what of the fees?")).unwrap();
    let (role, request) = asked_in_role(&stage, 1).await;
    assert_eq!(role, "Pro");
    assert!(request.contains("Pro, what of the fees?"), "as it was asked: {request}");
    let answer = wait_answer(&stage, thread, "Pro, what of the fees?").await;

    client.reply(BEN, thread, con, "What of the riders?", true).unwrap();
    assert_eq!(asked_in_role(&stage, 2).await.0, "Con", "whoever wrote the card");
    client.reply(BEN, thread, con, &at("Moderator: where do you part?"), true).unwrap();
    assert_eq!(asked_in_role(&stage, 3).await.0, "Moderator", "a name counts before the card");
    client.reply(BEN, thread, synthesis, "What is open?", true).unwrap();
    assert_eq!(asked_in_role(&stage, 4).await.0, "Moderator");
    client.reply(BEN, thread, id(&answer["id"]), "And in winter?", true).unwrap();
    assert_eq!(asked_in_role(&stage, 5).await.0, "Pro", "an answer of Pro's is Pro's");
    client.say(BEN, thread, &at("Pro and con of a subsidy?")).unwrap();
    assert_eq!(asked_in_role(&stage, 6).await.0, "Moderator");
    let options = json!({"question": "Why not wait?", "to": 1});
    let ran = stage.discord.client().run_command(BEN, thread, "ask", options);
    let ran = ran.unwrap();
    assert!(client.wait_reply(ran).await.text().contains("Asked Con. The answer appears in the thread"));
    assert_eq!(asked_in_role(&stage, 7).await.0, "Con");
    let card = stage.message(thread, "Con · case");
    let (_, seen) = filled(&stage, BEN, (thread, &card), "Ask Con", &[("text", "By button?")]).await;
    assert!(seen.text().contains("Asked Con."), "{}", seen.text());
    assert_eq!(asked_in_role(&stage, 8).await.0, "Con");

    // Nothing asked.
    client.reply(BEN, thread, pro, &at("Pro:"), true).unwrap();
    stage.wait_for(thread, "That asks Pro nothing").await;
    let (_, seen) = filled(&stage, BEN, (thread, &card), "Ask Con", &[("text", "\u{200b}")]).await;
    assert!(seen.text().contains("empty") && read(&seen.messages[0]).contains("[Open the form again]"));
    assert_eq!(asked_in_role(&stage, 8).await.0, "Con");
    stage.nothing_amiss_but_repeats();

    // While the bot is away, a reply to a card of Con's.
    wait_answer(&stage, thread, "By button?").await;
    bot.kill().await;
    client.reply(CHLOE, thread, con, "Asked while you slept?", true).unwrap();
    let bot = stage.bot().await;
    wait_answer(&stage, thread, "Asked while you slept?").await;
    assert_eq!(asked_in_role(&stage, 9).await.0, "Con", "caught up with whom it is for");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_a_debate_has_sides_to_ask_and_takes_evidence() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    assert!(wait_for_end(&stage, thread).await.contains("Done"));
    let calls = stage.model.calls().len();
    let told = stage.told(BEN, thread, "ask", json!({"question": "Why?", "to": 0})).await;
    assert!(told.contains("Only a debate has Pro, Con and a moderator"), "{told}");
    let session = stage.session(thread);
    for (verb, argument, sentence) in [
        ("evidence", "", "Only a debate takes evidence"),
        ("clarify", "", "Only a debate has a moderator"),
        ("question", "pro", "Only a debate has Pro, Con and a moderator"),
        ("question", "judge", "another version"),
        ("hinge", "1", "Only a debate takes evidence"),
    ] {
        let custom_id = format!("v1:{session}:{verb}:{argument}");
        let old = stage.forged_buttons(thread, &[&custom_id]).await;
        let client = stage.discord.client();
        let pressed = client.click(BEN, thread, old, &custom_id).unwrap();
        let seen = client.wait_reply(pressed).await;
        assert!(seen.modal.is_none() && seen.text().contains(sentence), "{verb}: {}", seen.text());
    }
    assert_eq!(stage.model.calls().len(), calls);

    // A mediation's "Pro, …" is a question like any other.
    stage.discord.client().say(BEN, thread, &format!("<@{BOT}> Pro, why?")).unwrap();
    wait_answer(&stage, thread, "Pro, why?").await;
    stage.nothing_amiss_but_repeats();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evidence_on_an_open_question_is_weighed_once_and_again_after_a_restart() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = debated(&stage).await;
    let (_, seen) = bring(&stage, BEN, thread, "2", &[("claim", "\u{200b}"), ("source", "My notes")]).await;
    let text = read(&seen.messages[0]);
    assert!(text.contains("Evidence needs a claim") && text.contains("My notes"), "{text}");
    let again = [("claim", " "), ("source", "")];
    let again = fill(&stage, BEN, (thread, &seen.messages[0]), "Open the form again", &again).await;
    assert!(again.text().contains("Evidence needs a claim"));

    stage.model.latency(Duration::from_secs(20));
    let boxes = [("claim", "412 of 900 answered."), ("source", "")];
    let (form, seen) = bring(&stage, BEN, thread, "2", &boxes).await;
    assert!(seen.text().contains("Noted as E1 on open question 2."), "{}", seen.text());
    let (_, seen) = bring(&stage, CHLOE, thread, "2", &[("claim", "Only 90 did."), ("source", "")]).await;
    assert!(seen.text().contains("Noted as E2 on open question 2."), "{}", seen.text());
    wait_calls(&stage, "hinge", 1).await;
    bot.kill().await;
    assert!(!stage.read(thread).contains("looked at again"));

    stage.model.latency(Duration::from_millis(20));
    let bot = stage.bot().await;
    stage.wait_for(thread, "Because of **E2**").await;
    stage.discord.client().redeliver(form).unwrap();
    let (_, seen) = bring(&stage, ADA, thread, "1", &[("claim", "A third."), ("source", "")]).await;
    assert!(seen.text().contains("Noted as E3"), "{}", seen.text());
    stage.wait_for(thread, "Because of **E3**").await;
    let text = stage.read(thread);
    let places: Vec<usize> =
        ["E1", "E2", "E3"].map(|number| text.find(&format!("Because of **{number}**")).unwrap()).to_vec();
    assert!(places.is_sorted(), "in the order in which it was brought");
    assert_eq!(text.matches("Because of **E1**").count(), 1);
    assert_eq!(wait_calls(&stage, "hinge", 4).await.len(), 4, "one was cut off, and three");
    wait_closed(&bot).await;
    stage.nothing_amiss_but_repeats();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evidence_that_no_model_weighs_is_said_and_not_tried_for_ever() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = debated(&stage).await;
    stage.model.on(|call| {
        (call.kind() == "hinge")
            .then(|| crate::support::model::Answer::Refusal("I would rather not.".to_owned()))
    });
    bring(&stage, BEN, thread, "1", &[("claim", "412 of 900 answered."), ("source", "")]).await;
    stage.wait_for(thread, "Bring it again in a moment").await;
    wait_closed(&bot).await;
    stage.nothing_amiss_but_repeats();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_card_are_its_tries_and_nothing_that_took_a_side() {
    const BIASED: &str = "Pro clearly has the stronger argument about violet zeppelins.";
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let first = !call.user.contains("zeppelins");
        match call.kind() {
            "debate_synthesis" if first => Some(call.reply(|reply| say_in_paper(call, reply, BIASED))),
            "turn_case" if call.side() == Some("Pro") && !call.user.contains("too short") => {
                Some(call.reply(|reply| in_few_words(reply, "It is too short.")))
            }
            _ => None,
        }
    });
    let bot = stage.bot().await;
    let thread = debated(&stage).await;
    let shown = behind(&stage, thread, &stage.message(thread, "Where they disagree"), "Raw output").await;
    assert!(!shown.contains("zeppelins"), "{shown}");
    for part in
        ["did not pass the neutrality check", "repeats a reply", "decision_hinges", "\"tokens\"", "Prompt"]
    {
        assert!(shown.contains(part), "{part} is missing from\n{shown}");
    }
    let whole =
        behind(&stage, thread, &stage.message(thread, "Where they disagree"), "Where they disagree").await;
    assert!(!whole.contains("zeppelins"), "{whole}");
    stage.wait_card(thread, "Done").await;
    assert!(stage.press_card(ADA, thread, "Whole analysis").await.text().contains("### Summary"), "{whole}");
    // Whatever a forged button leads to, a try of the moderator's is not shown.
    let session = stage.session(thread);
    for (verb, step) in [("raw", "synthesis/try-1"), ("whole", "synthesis/try-1")] {
        let custom_id = format!("v1:{session}:{verb}:{step}");
        let old = stage.forged_buttons(thread, &[&custom_id]).await;
        let card = stage.public(thread).into_iter().find(|message| id(&message["id"]) == old).unwrap();
        let shown = behind(&stage, thread, &card, "x").await;
        assert!(!shown.contains("zeppelins") && !shown.is_empty(), "{verb}: {shown}");
    }
    // A side's own tries are all there.
    let shown = behind(&stage, thread, &stage.message(thread, "Pro · case"), "Raw output").await;
    for part in ["It is too short.", "turn/case/pro/try-1", "turn/case/pro/check-2"] {
        assert!(shown.contains(part), "{part} is missing from\n{shown}");
    }
    bot.kill().await;
}
