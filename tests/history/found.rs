//! What is found, by whom, and by which words.

use playground::{
    Id,
    ids::{ADA, BEN, CHLOE, DECISIONS, DMITRI, GENERAL, PRIVATE, SECOND_DECISIONS, SECOND_GENERAL},
};
use serde_json::json;

use super::scene::{answer, ended, pick, search, turn};
use crate::support::{
    Stage,
    files::said,
    has, has_not,
    play::{buttons, id, read},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_finds_a_session_of_a_channel_they_cannot_read_or_of_another_server() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    ended(&stage, ADA, DECISIONS, "Do we run a ferry to Brunnen?").await;
    let private = ended(&stage, ADA, PRIVATE, "Do we buy the clandestine xylophone?").await;
    ended(&stage, DMITRI, SECOND_DECISIONS, "Do we charter a zeppelin?").await;

    // Whoever can read its channel, from wherever they ask.
    for (member, channel, words, question) in [
        (ADA, GENERAL, "xylophone", "clandestine xylophone"),
        (BEN, DECISIONS, "clandestine xylo", "clandestine xylophone"),
        (CHLOE, GENERAL, "FERRY brunn", "ferry to Brunnen"),
        (DMITRI, SECOND_GENERAL, "zeppelin", "charter a zeppelin"),
    ] {
        let found = search(&stage, member, channel, words).await;
        has(&found, &["One session", question, "Done", "mediate", "[Open](https://discord.com/channels/"]);
    }
    // To all others it is as if there were none: the same words as for what nobody ever said.
    let nothing = search(&stage, CHLOE, GENERAL, "qqqqqqqqq").await;
    has(&nothing, &["Nothing was found", "Only channels that you can read are looked through"]);
    for (member, channel, words) in [
        (CHLOE, GENERAL, "xylophone"),
        (CHLOE, DECISIONS, "clandestine"),
        (ADA, DECISIONS, "zeppelin"),
        (DMITRI, SECOND_DECISIONS, "ferry"),
        (DMITRI, SECOND_DECISIONS, "xylophone"),
    ] {
        let found = search(&stage, member, channel, words).await;
        assert_eq!(found, nothing.replace("qqqqqqqqq", words), "{member} looks for {words}");
    }
    // What comes from the board of every session is found in each that is readable, and counted without the others.
    has(&search(&stage, CHLOE, GENERAL, "no objection").await, &["One session", "ferry"]);
    has(&search(&stage, BEN, GENERAL, "no objection").await, &["2 sessions", "ferry", "xylophone"]);

    // Buttons that name the session are worth nothing to whoever cannot read its channel.
    let session = stage.session(private);
    let forged = [
        format!("v1:-:history_show:{session}/l1/0"),
        format!("v1:-:history_export:{session}"),
        format!("v1:-:history_delete:{session}/l1/0"),
        format!("v1:-:history_delete_sure:{session}"),
    ];
    let ids: Vec<&str> = forged.iter().map(String::as_str).collect();
    let message = stage.forged_buttons(GENERAL, &ids).await;
    for custom_id in &ids {
        let client = stage.discord.client();
        let pressed = client.click(CHLOE, GENERAL, message, custom_id).unwrap();
        has(&said(&client.wait_reply(pressed).await, CHLOE), &["no such session on this server"]);
    }
    // Nor the page of somebody else's search, nor the list of a channel they cannot read.
    let lookup = stage.number("SELECT max(id) FROM lookup").await;
    let message = stage
        .forged_buttons(
            GENERAL,
            &[&format!("v1:-:history_page:l{lookup}/0"), &format!("v1:-:history_page:c{PRIVATE}/0")],
        )
        .await;
    let client = stage.discord.client();
    let pressed = client.click(CHLOE, GENERAL, message, &format!("v1:-:history_page:l{lookup}/0")).unwrap();
    has(&said(&client.wait_reply(pressed).await, CHLOE), &["kept for a day"]);
    let pressed = client.click(CHLOE, GENERAL, message, &format!("v1:-:history_page:c{PRIVATE}/0")).unwrap();
    client.wait_reply(pressed).await;
    let shown = read(&stage.message(GENERAL, "📜 Sessions"));
    has(&shown, &["none yet"]);
    assert_eq!(stage.number("SELECT count(*) FROM session").await, 3);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_typed_is_words() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    ended(&stage, ADA, DECISIONS, "来月の会議で決定しますか? 🚀 Café, C++ and co-op: a*b \"quoted\" words")
        .await;
    for (typed, found) in [
        ("AND (", true),
        ("\"", false),
        ("NEAR(qqzz", false),
        ("quoted:", true),
        ("title:words", false),
        ("\"quoted\" w", true),
        ("cafe", true),
        ("CAFÉ", true),
        ("co-op", true),
        ("決定", true),
        ("会議", true),
        ("決会", false),
        ("🚀", true),
        ("🛶", false),
        ("*", false),
        ("( ) - ^ {", false),
        ("'; DROP TABLE session; --", false),
        ("w*rds", false),
    ] {
        let answer = search(&stage, BEN, GENERAL, typed).await;
        has(&answer, &["🔎 Sessions", if found { "One session" } else { "Nothing was found" }]);
    }
    // None, and very many.
    let listed = read(&answer(&stage, BEN, DECISIONS, "history", json!({"search": "  "})).await);
    has(&listed, &["📜 Sessions", "決定"]);
    let long = "words ".repeat(667);
    has(&search(&stage, BEN, GENERAL, &long[..4_000]).await, &["One session"]);
    has(&search(&stage, BEN, GENERAL, &"x".repeat(4_000)).await, &["Nothing was found"]);
    // What was found stands out, and cannot do anything there.
    has(&search(&stage, BEN, GENERAL, "決定").await, &["**決定**"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_are_found_in_pages_over_a_restart() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = ended(&stage, ADA, DECISIONS, "Do we plant a walnut?").await;
    search(&stage, ADA, DECISIONS, "walnut").await;
    for n in 0..11 {
        let copy = format!("aaaaaaaaa{}", char::from(b'a' + n));
        let columns = "guild_id, channel_id, starter_id, starter_name, protocol, plan, prompt_version, state, ended_ms, card_state";
        stage.alter(&format!("INSERT INTO session (id, title, started_ms, {columns}) SELECT '{copy}', 'Walnut {n}', {n}, {columns} FROM session WHERE id = '{}'", stage.session(thread))).await;
        stage
            .alter(&format!(
                "INSERT INTO searchable (session_id, seen, title) VALUES ('{copy}', 1, 'Walnut {n}')"
            ))
            .await;
    }
    let first = answer(&stage, BEN, DECISIONS, "history", json!({"search": "walnut"})).await;
    has(&read(&first), &["12 sessions · page 1 of 3", "[More]"]);
    has_not(&read(&first), &["[Back]"]);
    let second = turn(&stage, BEN, DECISIONS, &first, "More").await;
    has(&read(&second), &["page 2 of 3", "[Back]", "[More]"]);
    bot.kill().await;
    let bot = stage.bot().await;
    let third = turn(&stage, BEN, DECISIONS, &second, "More").await;
    has(&read(&third), &["page 3 of 3"]);
    has_not(&read(&third), &["[More]"]);
    // One of them; Ben did not start it and does not manage the server, so he cannot delete it.
    let one = pick(&stage, BEN, DECISIONS, &third, "aaaaaaaaaa").await;
    has(&read(&one), &["Walnut 0", "[All that was found]"]);
    has_not(&read(&one), &["[Delete]"]);
    let back = turn(&stage, BEN, DECISIONS, &one, "All that was found").await;
    has(&read(&back), &["page 3 of 3"]);
    let listed = answer(&stage, ADA, DECISIONS, "history", json!({})).await;
    let picked = pick(&stage, ADA, DECISIONS, &listed, &stage.session(thread)).await;
    has(&read(&picked), &["[Export]", "[Delete]", "[All sessions]"]);
    let (_, export) = buttons(&picked).into_iter().find(|(label, _)| label == "Export").unwrap();
    let client = stage.discord.client();
    let pressed = client.click(ADA, DECISIONS, id(&picked["id"]), &export).unwrap();
    has(&said(&client.wait_reply(pressed).await, ADA), &["The report is in <#"]);
    stage.wait_for(thread, "📄 The report").await;
    stage.nothing_amiss();
    bot.kill().await;
}

/// Whoever may write in a channel and not read what was said there earlier is shown nothing of it by any way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_read_message_history_nothing_of_the_channel_one_stands_in_is_shown() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = ended(&stage, ADA, DECISIONS, "Do we run a ferry to Brunnen?").await;
    has(&answer_text(&stage, CHLOE, "history", json!({})).await, &["ferry"]);
    stage.discord.faults().deny_member(DECISIONS, CHLOE, playground::bits::READ_MESSAGE_HISTORY);
    let none = "You cannot read what was said earlier in this channel";
    let heard = async || answer_text(&stage, CHLOE, "history", json!({})).await.contains(none);
    stage.wait_until(thread, "the bot hears of it", heard).await;
    has(&answer_text(&stage, CHLOE, "decisions", json!({})).await, &[none]);
    has(&stage.told(CHLOE, thread, "export", json!({})).await, &[none]);
    has(&stage.told(CHLOE, thread, "session show", json!({})).await, &[none]);
    let pressed = stage.press_card(CHLOE, thread, "Export").await;
    has(&pressed.text(), &[none]);
    assert_eq!(stage.number("SELECT count(*) FROM outbox WHERE post_key LIKE 'export/%'").await, 0);
    has(&answer_text(&stage, BEN, "history", json!({})).await, &["ferry"]);
    bot.kill().await;
}

async fn answer_text(stage: &Stage, member: Id, command: &str, options: serde_json::Value) -> String {
    read(&answer(stage, member, DECISIONS, command, options).await)
}
