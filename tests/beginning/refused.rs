//! What cannot be: said before anybody types for nothing where that can be seen, and with the words given back where not.

use playground::{
    Upload, bits,
    ids::{ADA, BEN, DECISIONS, RIVERSIDE},
};
use serde_json::{Value, json};

use super::scene::{ENTRY, only_box};
use crate::support::{Stage, files::said, files::thread_of};

/// A text without anything in it, and one of which nobody can be for or against.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_is_none_is_given_back_with_what_to_do() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    for (command, text, phrase) in [
        ("mediate", " \u{200b}\n", "The problem is empty"),
        ("investigate", " \u{2003} ", "The problem is empty"),
        ("debate", "Yes?", "not something one can be for or against"),
    ] {
        let opened = client.run_command(ADA, DECISIONS, command, json!({})).unwrap();
        only_box(&client.wait_reply(opened).await);
        let refused = stage.send(ADA, opened, text).await;
        let told = said(&refused, ADA);
        assert!(told.contains(phrase), "{command}: {told}");
        let (_, form) = stage.open_again(ADA, DECISIONS, &refused).await;
        assert_eq!(only_box(&form)["value"].as_str().unwrap_or_default().trim(), text.trim());
    }
    // Discord itself keeps to the bound.
    let opened = client.run_command(ADA, DECISIONS, "debate", json!({})).unwrap();
    only_box(&client.wait_reply(opened).await);
    assert!(client.submit_modal(ADA, opened, &[("text", &"é".repeat(501))]).is_err());
    assert!(stage.is_untouched(&bot).await);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_and_places_that_cannot_be_open_no_form() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let rows: [(&str, Value, &str); 6] = [
        ("mediate", json!({"modules": "legal, astrology"}), "astrology"),
        ("mediate", json!({"modules": "legal", "auto_select": true}), "Leave out `auto_select`"),
        ("debate", json!({"model": "openai/none"}), "`openai/none` is not one"),
        ("roundtable", json!({"voters": "the board"}), "nobody I can ask"),
        ("investigate", json!({"voters": format!("<@{BEN}>"), "quorum": 2}), "1 may vote"),
        ("mediate", json!({"message": "that one"}), "Copy Message Link"),
    ];
    for (command, options, phrase) in rows {
        let told = stage.told(ADA, DECISIONS, command, options).await;
        assert!(told.contains(phrase), "{command}: {told}");
    }
    stage.discord.faults().deny(DECISIONS, bits::CREATE_PUBLIC_THREADS, true);
    let told = stage.told(ADA, DECISIONS, "mediate", json!({})).await;
    assert!(told.contains("Create Public Threads"), "{told}");
    stage.discord.faults().deny(DECISIONS, bits::CREATE_PUBLIC_THREADS, false);
    stage.discord.faults().direct_messages(true);
    let told = stage.told(ADA, DECISIONS, "debate", json!({})).await;
    assert!(told.contains("only in a channel of a server"), "{told}");
    stage.discord.faults().direct_messages(false);
    assert!(stage.is_untouched(&bot).await);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_thread_can_be_opened_the_nearest_channel_is_named() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let thread = stage.mediate(json!({})).await;
    let told = stage.told(ADA, thread, "roundtable", json!({})).await;
    assert!(told.contains("has its session already"), "{told}");
    // The chat of a voice channel, which has no threads.
    let voice = stage.discord.client().add_channel(RIVERSIDE, 2, "talk");
    let message = stage.attach(BEN, voice, "Should we move the depot?", vec![]);
    for told in [
        stage.told(ADA, voice, "debate", json!({})).await,
        stage.told(ADA, voice, "mediate", json!({"problem": "Where do we meet?"})).await,
        stage.told_about(voice, message).await,
    ] {
        assert!(
            told.contains("in a channel of this kind") && told.contains(&format!("in <#{DECISIONS}>")),
            "{told}"
        );
    }
    assert_eq!(stage.sessions().await, 1);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_cannot_be_read_costs_nobody_their_words() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let client = stage.discord.client();
    let picture = Upload::new("notes.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec());
    let files = [("document".to_owned(), picture)].into();
    let opened = client.run_command_with(ADA, DECISIONS, "mediate", json!({}), files).unwrap();
    only_box(&client.wait_reply(opened).await);
    let told = said(&stage.send(ADA, opened, "Where should the depot be?").await, ADA);
    assert!(
        told.contains("`notes.txt` is a picture") && told.contains("Where should the depot be?"),
        "{told}"
    );
    assert!(stage.is_untouched(&bot).await);
    // What only passes keeps the form: once it is over, the same words start it.
    let files = [("document".to_owned(), Upload::new("plan.md", "A plan of few words.".to_owned()))].into();
    let opened = client.run_command_with(ADA, DECISIONS, "mediate", json!({}), files).unwrap();
    only_box(&client.wait_reply(opened).await);
    stage.discord.faults().expire_links(true);
    let refused = stage.send(ADA, opened, "Where should the depot be?").await;
    assert!(said(&refused, ADA).contains("its link has expired"));
    stage.discord.faults().expire_links(false);
    let (again, form) = stage.open_again(ADA, DECISIONS, &refused).await;
    assert_eq!(only_box(&form)["value"], "Where should the depot be?");
    thread_of(&stage.send(ADA, again, "Where should the depot be?").await, ADA);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_goes_on_with_what_somebody_else_chose() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let opened = client.run_command(ADA, DECISIONS, "mediate", json!({})).unwrap();
    only_box(&client.wait_reply(opened).await);
    let message = stage.attach(BEN, DECISIONS, "Should we move the depot?", vec![]);
    let offered = client.message_command(ADA, DECISIONS, ENTRY, message).unwrap();
    client.wait_reply(offered).await;
    for (verb, of) in
        [("begin_write", opened), ("begin_about", offered), ("begin_about", opened), ("begin_sent", opened)]
    {
        let forged = format!("v1:-:{verb}:{of}");
        let on = stage.forged_buttons(DECISIONS, &[&forged]).await;
        let pressed = client.click(BEN, DECISIONS, on, &forged).unwrap();
        let told = said(&client.wait_reply(pressed).await, BEN);
        assert!(told.contains("nothing was started"), "{forged}: {told}");
    }
    assert!(stage.is_untouched(&bot).await);
    bot.kill().await;
}
