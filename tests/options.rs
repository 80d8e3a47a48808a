//! The options of a command, set again where a session waits for a *Go*: all of them, by whoever may, and whatever was
//! written is either taken or given back.

use std::{collections::BTreeSet, time::Duration};

use playground::{
    Id, Seen,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    critique::scene::{PLAN, depth},
    support::{
        Stage,
        files::said,
        has, has_not,
        play::{PROBLEM, buttons, id, read, thread_of},
        wait_for_end,
    },
};

/// Opens the form of the options on a card; gives the press and the form.
async fn opened(stage: &Stage, thread: Id, card: &Value) -> (Id, Value) {
    let (_, custom_id) = buttons(card).into_iter().find(|(label, _)| label == "Options").unwrap();
    let client = stage.discord.client();
    let pressed = client.click(ADA, thread, id(&card["id"]), &custom_id).unwrap();
    let seen = client.wait_reply(pressed).await;
    (pressed, seen.modal.unwrap_or_else(|| panic!("no form: {:?}", seen.messages)))
}

/// Sends the form that a press opened.
async fn sent(stage: &Stage, opener: Id, parts: &[(&str, &str)]) -> Seen {
    let client = stage.discord.client();
    client.wait_reply(client.submit_modal(ADA, opener, parts).unwrap()).await
}

/// What a part of a form holds: a text, or what is chosen in a list, a line each.
fn holds(form: &Value, name: &str) -> String {
    let parts = form["components"].as_array().unwrap().iter().map(|part| &part["component"]);
    let part = parts.into_iter().find(|part| part["custom_id"] == name);
    let part = part.unwrap_or_else(|| panic!("no {name} in {form}"));
    match part["options"].as_array() {
        Some(options) => {
            let chosen = options.iter().filter(|option| option["default"] == true);
            chosen.map(|option| option["value"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
        }
        None => part["value"].as_str().unwrap_or_default().to_owned(),
    }
}

/// The names of all options that a form has: its lists, what is on or off, and a line of the box for each of the rest.
fn names(form: &Value) -> BTreeSet<String> {
    let parts = form["components"].as_array().unwrap().iter().map(|part| &part["component"]);
    let mut names = BTreeSet::new();
    for part in parts {
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        match part["custom_id"].as_str().unwrap() {
            "switches" => {
                let options = part["options"].as_array().unwrap();
                names.extend(options.iter().map(|option| word(&option["value"])));
            }
            "rest" => {
                let lines = word(&part["value"]);
                names.extend(lines.lines().filter_map(|line| Some(line.split_once(':')?.0.to_owned())));
            }
            list => {
                names.insert(list.to_owned());
            }
        }
    }
    names
}

/// A session that Ada began with a form, to be asked first.
async fn begun_asked(stage: &Stage, command: &str, options: Value) -> Id {
    let client = stage.discord.client();
    let form = client.run_command(ADA, DECISIONS, command, options).unwrap();
    assert!(client.wait_reply(form).await.modal.is_some());
    thread_of(&sent(stage, form, &[("text", PROBLEM), ("start", "asked")]).await, ADA)
}

/// A mediation that Ada began with a form, to be asked first.
async fn asked_first(stage: &Stage) -> (Id, Value) {
    let thread = begun_asked(stage, "mediate", json!({ "modules": "market, risk" })).await;
    let card = stage.wait_for(thread, "Before it starts").await;
    (thread, card)
}

/// A command that gets one more option has it in the form as well: else whoever wants it there has to begin anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_form_has_all_options_of_each_command() {
    // What a session is about, and what it reads.
    let about = ["problem", "proposition", "question", "text", "message", "thread_document"];
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    for command in ["mediate", "roundtable", "debate", "investigate", "delphi", "critique"] {
        let thread = match command {
            "critique" => stage.critique("plan.md", PLAN, depth(3)).await,
            _ => begun_asked(&stage, command, json!({})).await,
        };
        let card = stage.wait_for(thread, "[Options]").await;
        let (_, form) = opened(&stage, thread, &card).await;
        let registered = stage.discord.commands();
        let registered = registered.iter().find(|one| one["name"] == command).unwrap();
        let options = registered["options"].as_array().unwrap().iter();
        let options = options.map(|option| option["name"].as_str().unwrap());
        let set = options.filter(|name| !about.contains(name) && !name.starts_with("document"));
        let wanted: BTreeSet<String> = set.map(str::to_owned).collect();
        assert_eq!(names(&form), wanted, "/{command}");
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_wants_to_be_asked_first_sets_every_option_there() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let (thread, card) = asked_first(&stage).await;
    has(&read(&card), &["somebody wanted to see this first", "**Effort:** standard", "[Options]", "[Go]"]);

    let (press, form) = opened(&stage, thread, &card).await;
    assert_eq!(holds(&form, "modules"), "market\nrisk", "as it was chosen with the command");
    let one_model = "openai/alpha".to_owned();
    assert_eq!((holds(&form, "effort"), holds(&form, "model")), ("standard".into(), one_model));
    has(&holds(&form, "rest"), &["weights: ", "vote_hours: 24", "voters: everyone", "quorum: 0"]);
    let set = [
        ("modules", "market\nlegal\ncost"),
        ("effort", "brief"),
        ("switches", "baseline"),
        ("rest", "weights: legal=2\nvote_hours: 48\nquorum: 2"),
    ];
    let told = said(&sent(&stage, press, &set).await, ADA);
    has(&told, &["The options are set"]);
    let card = stage.wait_for(thread, "**Effort:** brief").await;
    has(&read(&card), &["`modules: market cost legal`", "`weights: legal=2`", "`baseline`"]);
    assert!(stage.model.calls().is_empty(), "nothing is spent before somebody says Go");

    // It outlives the process, and the form shows it.
    bot.kill().await;
    let bot = stage.bot().await;
    let (_, form) = opened(&stage, thread, &card).await;
    assert_eq!(holds(&form, "modules"), "market\ncost\nlegal");
    assert_eq!((holds(&form, "effort"), holds(&form, "switches")), ("brief".into(), "baseline".into()));
    has(&holds(&form, "rest"), &["weights: legal=2", "vote_hours: 48", "quorum: 2"]);

    stage.press(ADA, thread, &card, "Go").await;
    wait_for_end(&stage, thread).await;
    let all = stage.read(thread);
    has(&all, &["Market · round 1", "Legal · round 1", "Cost · round 1", "Was it worth it"]);
    has_not(&all, &["Risk · round 1"]);
    let plan: String =
        sqlx::query_scalar("SELECT plan FROM session").fetch_one(&stage.rows().await).await.unwrap();
    has(&plan, &["\"hours\":48", "\"quorum\":2", "\"effort\":\"brief\""]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_set_is_given_back_and_others_may_not() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let (thread, card) = asked_first(&stage).await;
    let refused = said(&stage.press(BEN, thread, &card, "Options").await, BEN);
    has(&refused, &["let this session begin"]);

    for (rest, why) in [
        ("vote_hours: 900", "from 1 to 336"),
        ("voters: the board", "nobody I can ask"),
        ("weights: charm=2", "`charm`"),
        ("weights: tech=2", "not chosen in the list"),
        ("depth: 3", "There is no option `depth`"),
        ("soon", "is not an option with its value"),
    ] {
        let (press, _) = opened(&stage, thread, &card).await;
        let set = [("modules", "legal"), ("effort", "deep"), ("switches", "raci\nsearch"), ("rest", rest)];
        let told = sent(&stage, press, &set).await;
        has(&said(&told, ADA), &[why, rest]);
        // The form opens again as it was sent.
        let message = told.messages.last().unwrap();
        let (_, again) =
            buttons(message).into_iter().find(|(label, _)| label == "Open the form again").unwrap();
        let client = stage.discord.client();
        let pressed = client.click(ADA, thread, id(&message["id"]), &again).unwrap();
        let form = client.wait_reply(pressed).await.modal.unwrap();
        assert_eq!((holds(&form, "modules"), holds(&form, "effort")), ("legal".into(), "deep".into()));
        assert_eq!((holds(&form, "switches"), holds(&form, "rest")), ("raci\nsearch".into(), rest.into()));
    }
    has(&read(&stage.message(thread, "Before it starts")), &["**Effort:** standard"]);

    // Nobody sets what has begun.
    let (press, _) = opened(&stage, thread, &card).await;
    stage.press(ADA, thread, &card, "Go").await;
    let late = said(&sent(&stage, press, &[("effort", "brief")]).await, ADA);
    has(&late, &["has pressed Go already"]);
    wait_for_end(&stage, thread).await;
    has(&stage.wait_card(thread, "Done").await, &["mediate · standard"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_is_planned_anew_and_nobody_begins_what_they_have_not_read() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(3)).await;
    let card = stage.wait_for(thread, "Before it starts").await;
    has(&read(&card), &["3 levels"]);
    let old = id(&card["id"]);
    let (_, go) = buttons(&card).into_iter().find(|(label, _)| label == "Go").unwrap();
    let (press, form) = opened(&stage, thread, &card).await;
    assert_eq!(holds(&form, "depth"), "3");
    has(
        &said(&sent(&stage, press, &[("depth", "1"), ("effort", "brief")]).await, ADA),
        &["The options are set"],
    );
    let card = stage.wait_for(thread, "**Effort:** brief").await;
    has_not(&read(&card), &["3 levels"]);
    // A press of the button as it was before is refused: it stood under another estimate.
    let forged = stage.forged_buttons(thread, &[&go]).await;
    let client = stage.discord.client();
    let pressed = client.click(ADA, thread, forged, &go).unwrap();
    has(&said(&client.wait_reply(pressed).await, ADA), &["edited since you read it"]);
    assert_eq!(old, id(&card["id"]), "it is the same card");
    stage.press(ADA, thread, &card, "Go").await;
    wait_for_end(&stage, thread).await;
    let growing = crate::critique::scene::growing(&stage);
    assert!(!growing.is_empty() && growing.iter().all(|call| !call.is_deeper()), "one look");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_set_them_at_once_the_later_stands_and_a_kill_loses_neither_plan_nor_card() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let (thread, card) = asked_first(&stage).await;
    let (one, _) = opened(&stage, thread, &card).await;
    let (other, _) = opened(&stage, thread, &card).await;
    let client = stage.discord.client();
    let first = client.submit_modal(ADA, one, &[("effort", "deep")]).unwrap();
    let second = client.submit_modal(ADA, other, &[("effort", "brief")]).unwrap();
    client.wait_reply(first).await;
    client.wait_reply(second).await;
    bot.kill().await;
    let bot = stage.bot().await;
    let card = stage.wait_for(thread, "**Effort:** brief").await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    stage.press(ADA, thread, &card, "Go").await;
    wait_for_end(&stage, thread).await;
    has(&stage.wait_card(thread, "Done").await, &["mediate · brief"]);
    stage.nothing_amiss();
    bot.kill().await;
}
