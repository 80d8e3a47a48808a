//! Sessions to be found, and what a member sees of them.

use std::time::Duration;

use playground::Id;
use serde_json::{Value, json};

use crate::support::{
    Stage,
    play::{PATIENCE, is_private, read},
    wait_for_end,
};

/// A session of this question that has ended; gives its thread.
pub async fn ended(stage: &Stage, member: Id, channel: Id, problem: &str) -> Id {
    let thread = stage.mediate_as(member, channel, json!({"problem": problem})).await;
    wait_for_end(stage, thread).await;
    stage.wait_card(thread, "[Export]").await;
    thread
}

/// The private answer to a command.
pub async fn answer(stage: &Stage, member: Id, channel: Id, command: &str, options: Value) -> Value {
    let client = stage.discord.client();
    let ran = client.run_command(member, channel, command, options).unwrap();
    let seen = client.wait_reply(ran).await;
    assert!(is_private(&seen, member), "{:?}", seen.messages);
    seen.messages.into_iter().next().unwrap()
}

/// What a member sees of a search.
pub async fn search(stage: &Stage, member: Id, channel: Id, words: &str) -> String {
    read(&answer(stage, member, channel, "history", json!({"search": words})).await)
}

/// Chooses a session of an answer to `/history`; gives the answer as it is then.
pub async fn pick(stage: &Stage, member: Id, channel: Id, answer: &Value, session: &str) -> Value {
    let placeholder = "Open, export or delete one of these";
    stage.choose(member, channel, answer, placeholder, session).await;
    again(stage, channel, answer)
}

/// Presses a button of a private answer that changes it; gives the answer as it is then.
pub async fn turn(stage: &Stage, member: Id, channel: Id, answer: &Value, label: &str) -> Value {
    stage.press(member, channel, answer, label).await;
    again(stage, channel, answer)
}

/// A message as it is now.
pub fn again(stage: &Stage, channel: Id, message: &Value) -> Value {
    let messages = stage.discord.messages(channel).into_iter();
    messages.into_iter().find(|other| other["id"] == message["id"]).unwrap()
}

/// Whether some text stands anywhere in the database's files, in whatever place.
pub fn on_disk(stage: &Stage, text: &str) -> bool {
    let database = stage.database();
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    let files = [database.as_os_str().to_owned(), log];
    files
        .iter()
        .filter_map(|file| std::fs::read(file).ok())
        .any(|bytes| bytes.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text.as_bytes())))
}

/// Waits until a text is nowhere in the database's files.
pub async fn wait_gone(stage: &Stage, text: &str) {
    let until = tokio::time::Instant::now() + PATIENCE;
    while on_disk(stage, text) {
        assert!(tokio::time::Instant::now() < until, "{text} is still in the file");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
