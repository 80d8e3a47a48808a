//! The form's lists: what is chosen there is taken or refused in words, stays when the form opens again, and no part that
//! nobody has heard of takes the bot down.

use playground::{
    Id, Seen,
    ids::{ADA, BEN, DMITRI},
};
use serde_json::{Value, json};

use super::scene::{count, form, press, record, record_parts, set, wait_said};
use crate::support::{
    Stage,
    play::{buttons, id, read},
};

/// What a person reads, buttons included.
fn told(seen: &Seen) -> String {
    seen.messages.iter().map(read).collect()
}

/// A part of a form below its label, as it is sent.
fn labelled(part: Value) -> Value {
    json!({"type": 18, "id": 1, "component": part})
}

/// The parts of a form whose list says this, with some words.
fn parts(solution: &str, member: &[&str]) -> Vec<Value> {
    vec![
        labelled(json!({"type": 3, "id": 2, "custom_id": "solution", "values": [solution]})),
        labelled(json!({"type": 4, "id": 4, "custom_id": "why", "value": "It is the smallest step."})),
        labelled(json!({"type": 5, "id": 6, "custom_id": "member", "values": member})),
        labelled(json!({"type": 4, "id": 8, "custom_id": "review", "value": ""})),
        labelled(json!({"type": 4, "id": 10, "custom_id": "dissent", "value": ""})),
    ]
}

/// Presses *Open the form again* on what was given back; gives the press, and the parts of the form by their names.
async fn opened_again(stage: &Stage, thread: Id, seen: &Seen) -> (Id, impl Fn(&str) -> Value + use<>) {
    let card = seen.messages.last().unwrap();
    let again = buttons(card).into_iter().find(|(label, _)| label == "Open the form again").unwrap();
    let client = stage.discord.client();
    let pressed = client.click(ADA, thread, id(&card["id"]), &again.1).unwrap();
    let modal = client.wait_reply(pressed).await.modal.unwrap();
    let part = move |name: &str| {
        let parts = modal["components"].as_array().unwrap().iter();
        let found = parts.map(|part| &part["component"]).find(|part| part["custom_id"] == name);
        found.unwrap_or_else(|| panic!("no {name} in {modal}")).clone()
    };
    (pressed, part)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_chosen_and_written_stands_in_the_form_when_it_opens_again() {
    let (stage, bot, thread) = set().await;
    let why = "It is *cheap*:\n```\n2 < 3 @everyone\n```";
    let ben = BEN.to_string();
    let wrong = form(&[("solution", "S3"), ("why", why), ("member", &ben), ("review", "next spring")]);
    let seen = record(&stage, ADA, thread, &wrong).await;
    let said = told(&seen);
    assert!(said.contains("“next spring” is no date") && said.contains(&format!("<@{BEN}>")), "{said}");

    // Whatever has happened to the bot in between.
    bot.kill().await;
    let bot = stage.bot().await;
    let (pressed, part) = opened_again(&stage, thread, &seen).await;
    let options = part("solution")["options"].as_array().unwrap().clone();
    let chosen: Vec<&Value> = options.iter().filter(|option| option["default"] == true).collect();
    assert!(chosen.len() == 1 && chosen[0]["value"] == "S3", "{options:?}");
    assert_eq!(part("member")["default_values"], json!([{"type": "user", "id": ben}]));
    assert_eq!(part("why")["value"], why);
    assert_eq!(part("review")["value"], "next spring");
    assert_eq!(part("dissent")["value"], "Chloé would rather wait.");

    // Mended, and somebody taken out.
    let mended = form(&[("solution", "S3"), ("why", why), ("member", ""), ("review", "x"), ("dissent", "")]);
    let client = stage.discord.client();
    let sent = client.submit_modal(ADA, pressed, &mended).unwrap();
    let seen = client.wait_reply(sent).await;
    let (pressed, part) = opened_again(&stage, thread, &seen).await;
    assert!(part("member")["default_values"].is_null() && part("dissent")["value"].is_null());
    let sent =
        client.submit_modal(ADA, pressed, &form(&[("solution", "S3"), ("review", "in 3 weeks")])).unwrap();
    assert!(client.wait_reply(sent).await.text().contains("Recorded"));
    wait_said(&stage, thread, &["Decision 1: Wait 100 % of a year"]).await;
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn none_of_them_is_recorded_in_the_team_s_own_words() {
    let (stage, bot, thread) = set().await;
    let own = form(&[("solution", "own"), ("why", "Lease one van @everyone\nIt costs a tenth.")]);
    assert!(record(&stage, ADA, thread, &own).await.text().contains("Recorded"));
    let card = wait_said(&stage, thread, &["Decision 1: Lease one van @\u{200b}everyone"]).await;
    for phrase in [
        "It costs a tenth.",
        "✅ **S4 Lease one van @\u{200b}everyone** · experts\u{a0}not\u{a0}asked, team\u{a0}0",
        "3 of 3 voters gave it nothing",
    ] {
        assert!(card.contains(phrase), "{phrase:?} is not in\n{card}");
    }
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_stands_in_no_list_is_refused_in_words() {
    let (stage, bot, thread) = set().await;
    // Discord's own client lets nobody send such a thing.
    let (opener, _) = press(&stage, ADA, thread, "decide:").await;
    let client = stage.discord.client();
    for (name, value) in
        [("solution", "S4"), ("solution", ""), ("member", "7"), ("member", &DMITRI.to_string())]
    {
        let changed = [(name, value)];
        assert!(client.submit_modal(ADA, opener, &form(&changed)).is_err(), "{name}: {value}");
    }
    let nobody: &[&str] = &[];
    for (solution, member, phrase) in [
        ("S4", nobody, "What was chosen is none of this vote's solutions (S1 to S3)"),
        ("2", nobody, "none of this vote's solutions"),
        ("", nobody, "none of this vote's solutions"),
        ("@everyone ``` \u{202e}", nobody, "none of this vote's solutions"),
        ("S2", &["x"], "Who sees to it is no member that I know of"),
        ("S2", &["1", "2"], "Who sees to it is no member that I know of"),
    ] {
        let seen = record_parts(&stage, ADA, thread, &parts(solution, member).into()).await;
        let said = told(&seen);
        assert!(
            said.contains(phrase) && said.contains("It is the smallest step."),
            "{solution} {member:?}: {said}"
        );
        let _ = opened_again(&stage, thread, &seen).await;
    }
    assert_eq!(count(&stage, "SELECT count(*) FROM decision").await, 0);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parts_that_nobody_has_heard_of_are_passed_over() {
    let (stage, bot, thread) = set().await;
    let mut sent = parts("S2", &[&BEN.to_string()]);
    sent.extend([
        json!({"type": 99, "id": 20, "whatever": {"components": [{"type": 98}]}}),
        labelled(json!({"type": 97, "custom_id": "why", "value": {"not": "a text"}})),
        json!({"type": 1, "components": [{"type": 96, "custom_id": "invented", "values": [1, null]}, null]}),
        json!({"type": 18}),
        json!(null),
    ]);
    let said = record_parts(&stage, ADA, thread, &sent.into()).await.text();
    assert!(said.contains("Recorded"), "{said}");
    wait_said(&stage, thread, &["Decision 1:", &format!("<@{BEN}>")]).await;
    // A form of nothing else is answered too, over the same connection.
    for nothing in [json!([{"type": 99}]), json!({"type": 99}), json!(null)] {
        let said = record_parts(&stage, ADA, thread, &nothing).await.text();
        assert!(said.contains("none of this vote's solutions"), "{nothing}: {said}");
    }
    assert_eq!(stage.discord.connections(), 1, "the connection is the one there was");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}
