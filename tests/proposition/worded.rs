//! The proposition: edited, started, refused.

use playground::ids::{ADA, BEN, DECISIONS};
use serde_json::{Value, json};

use crate::{
    proposition::scene::{Debating, TYPED, custom_id, plain},
    support::{Stage, model::debate::QUESTION, play::read},
};

const START: &str = "[Start]";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_debated_is_refused_privately_and_starts_nothing() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    for (proposition, said) in [
        ("  ", "The proposition is empty"),
        ("hello", "“hello” is not something one can be for or against. Write a question such as"),
        ("Why not", "not something one can be for or against"),
        (&*"Should we? ".repeat(60), "at most 500 fit"),
    ] {
        let told = stage.told(ADA, DECISIONS, "debate", json!({"proposition": proposition})).await;
        assert!(told.contains(said), "{told}");
    }
    let options = json!({"proposition": "Should we move out?", "model": "openai/none"});
    let told = stage.told(ADA, DECISIONS, "debate", options).await;
    assert!(told.contains("is not one of the models here"), "{told}");
    let options = json!({"proposition": "Should we move out?", "voters": "<@1>", "quorum": 2});
    let told = stage.told(ADA, DECISIONS, "debate", options).await;
    assert!(told.contains("quorum"), "{told}");
    assert!(stage.is_untouched(&bot).await);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edited_proposition_is_shown_and_is_the_one_that_is_debated() {
    let debate = Debating::proposed(plain()).await;
    let said = debate
        .edit(ADA, &[("question", "Should the town buy  @everyone bicycles"), ("whom", "riders, <@1>")])
        .await;
    assert!(said.text().contains("Saved") && said.text().contains("press Start"), "{}", said.text());
    let shown = debate.shows("bicycles?", true).await;
    assert!(shown.contains("edited by Ada") && shown.contains("riders") && shown.contains(START), "{shown}");
    // The form holds what it is now.
    debate.stage.everyone_decides().await;
    let opener = debate.click(BEN, "prop_edit");
    let form = debate.stage.discord.client().wait_reply(opener).await.modal.unwrap().to_string();
    assert!(form.contains("@everyone bicycles?") && form.contains("riders, <@1>"), "{form}");
    debate.press(BEN, "prop_start").await;
    debate.ended().await;
    let turns = debate.stage.model.calls().into_iter().filter(|call| call.kind().starts_with("turn_"));
    for call in turns {
        assert!(call.user.contains("bicycles?") && !call.user.contains(QUESTION), "{}", call.user);
    }
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_starts_a_debate_on_words_they_have_not_read() {
    let debate = Debating::proposed(plain()).await;
    let read_before = custom_id(&debate.message(debate.card), "prop_start", "").unwrap();
    debate.edit(ADA, &[("question", "Should the town buy bicycles?")]).await;
    debate.shows("bicycles?", true).await;
    // The button on a phone that has not seen the edit yet.
    let old = debate.stage.forged_buttons(debate.thread, &[&read_before]).await;
    let told = debate.told(ADA, debate.click_on(ADA, old, &read_before)).await;
    assert!(told.contains("edited since you read it") && told.contains("nothing was started"), "{told}");
    debate.stage.wait_card(debate.thread, "Waiting for an answer").await;
    // What is asked meanwhile is asked of the proposition as it is now.
    debate.stage.told(BEN, debate.thread, "ask", json!({"question": "Whose bicycles?"})).await;
    debate.stage.wait_for(debate.thread, "Whose bicycles?").await;
    let calls = debate.stage.model.calls();
    let asked = calls.iter().find(|call| call.kind() == "debate_answer").unwrap();
    assert!(asked.user.contains("buy bicycles?") && !asked.user.contains(QUESTION), "{}", asked.user);
    debate.press(ADA, "prop_start").await;
    debate.shows("Started by Ada", true).await;
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_with_an_error_leaves_it_and_gives_the_text_back() {
    let debate = Debating::proposed(plain()).await;
    let long = "y".repeat(501);
    let cases = [
        ("question", "Why not", "not something one can be for or against"),
        ("question", "\u{200b} ", "is empty"),
        ("question", &*format!("Should we {long}"), "at most 500 fit"),
        ("background", &*long.repeat(4), "“Background” has 2004 characters; at most 1500 fit"),
    ];
    for (name, text, problem) in cases {
        let seen = debate.edit(ADA, &[(name, text), ("where", "Brno and nowhere else")]).await;
        let said: String = seen.messages.iter().map(read).collect();
        assert!(said.contains(problem) && said.contains("as it was"), "{said}");
        assert!(said.contains("[Open the form again]"), "{said}");
        let files: Vec<&Value> =
            seen.messages.iter().flat_map(|m| m["attachments"].as_array().into_iter().flatten()).collect();
        assert!(said.contains("Brno and nowhere else") || !files.is_empty(), "nothing is lost: {said}");
    }
    assert!(debate.shown().contains(QUESTION) && !debate.shown().contains("Brno"), "{}", debate.shown());
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_gatekeeper_objects_to_is_started_only_once_it_is_edited() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "proposition").then(|| {
            call.reply(|reply| {
                reply["objection"] = "It greets somebody and asks nothing.".into();
                reply["normalized_question"] = "hello there you".into();
            })
        })
    });
    let debate = Debating::on(stage, plain()).await;
    let shown = debate.shown();
    assert!(
        shown.contains("greets somebody") && !shown.contains(START) && !shown.contains("[For]"),
        "{shown}"
    );
    let forged = format!("v1:{}:prop_start:0", debate.session);
    let old = debate.stage.forged_buttons(debate.thread, &[&forged]).await;
    let told = debate.told(ADA, debate.click_on(ADA, old, &forged)).await;
    assert!(told.contains("greets somebody") && told.contains("Press **Edit**"), "{told}");
    debate.stage.wait_card(debate.thread, "Waiting for an answer").await;
    debate.edit(ADA, &[("question", "Should we greet everybody?")]).await;
    debate.shows(START, true).await;
    debate.press(ADA, "prop_start").await;
    debate.ended().await;
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loaded_proposition_is_shown_as_it_was_typed_and_as_a_neutral_question_before_anybody_starts_it() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "proposition").then(|| {
            call.reply(|reply| {
                reply["normalized_question"] = "Should the town end its wood heating grants?".into();
                reply["changed"] = "“Wasteful” was taken out.".into();
            })
        })
    });
    let debate = Debating::on(stage, plain()).await;
    let shown = debate.shown();
    for has in [
        "Should the town end its wood heating grants?",
        &format!("**Typed:** {TYPED}"),
        "**Changed to make it neutral:** “Wasteful” was taken out.",
        START,
        "[For]",
    ] {
        assert!(shown.contains(has), "{has}: {shown}");
    }
    assert_eq!(debate.stage.model.calls().len(), 1, "nothing else is spent before it is started");
    debate.press(ADA, "prop_start").await;
    debate.shows("[For]", false).await;
    debate.ended().await;
    let turns = debate.stage.model.calls().into_iter().filter(|call| call.kind().starts_with("turn_"));
    for call in turns {
        assert!(call.user.contains("end its wood heating grants?"), "{}", call.user);
    }
    debate.stage.nothing_amiss_but_repeats();
}
