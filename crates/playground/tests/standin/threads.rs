//! Threads and what outlives a restart.

use playground::{Options, Playground, Upload, bits, ids};
use serde_json::{Value, json};

use crate::wire::{Gateway, INTENTS, call, post, silent, without_limits};

#[tokio::test]
async fn a_thread_from_a_message() {
    let discord = without_limits().await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let starter = post(&discord, ids::DECISIONS, json!({"content": "s"})).await.id();
    let path = format!("/channels/{}/messages/{starter}/threads", ids::DECISIONS);
    assert_eq!(call(&discord, "POST", &path, json!({"name": "x".repeat(101)})).await.code(), 50035);
    assert_eq!(
        call(&discord, "POST", &path, json!({"name": "t", "auto_archive_duration": 61})).await.code(),
        50035
    );
    let made = call(&discord, "POST", &path, json!({"name": "t", "auto_archive_duration": 1440})).await;
    assert_eq!((made.status, made.id()), (201, starter), "it has the message's id");
    assert_eq!(gateway.event("THREAD_CREATE").await["id"], starter.to_string());
    assert_eq!(call(&discord, "POST", &path, json!({"name": "t"})).await.code(), 160_004);
    post(&discord, starter, json!({"content": "in it"})).await;
    let list = call(&discord, "GET", &format!("/channels/{starter}/messages"), Value::Null).await;
    assert_eq!(list.body[1]["type"], 21, "the notice of the start");
    assert_eq!(list.body[1]["referenced_message"]["id"], starter.to_string());
    let parent =
        call(&discord, "GET", &format!("/channels/{}/messages/{starter}", ids::DECISIONS), Value::Null).await;
    assert_eq!((&parent.body["thread"]["name"], &parent.body["flags"]), (&json!("t"), &json!(32)));
    let active =
        call(&discord, "GET", &format!("/guilds/{}/threads/active", ids::RIVERSIDE), Value::Null).await;
    assert_eq!(active.body["threads"][0]["id"], starter.to_string());
}

#[tokio::test]
async fn archived_locked_and_deleted() {
    let discord = without_limits().await;
    let starter = post(&discord, ids::DECISIONS, json!({"content": "s"})).await.id();
    let path = format!("/channels/{}/messages/{starter}/threads", ids::DECISIONS);
    call(&discord, "POST", &path, json!({"name": "t"})).await;
    let card = post(&discord, starter, json!({"content": "card"})).await.id();
    let (thread, edit) = (format!("/channels/{starter}"), format!("/channels/{starter}/messages/{card}"));
    let change = || silent(json!({"content": "new"}));

    assert_eq!(
        call(&discord, "PATCH", &thread, json!({"archived": true})).await.status,
        200,
        "it is the bot's own"
    );
    assert_eq!(call(&discord, "PATCH", &edit, change()).await.code(), 50083);
    assert_eq!(call(&discord, "PATCH", &thread, json!({"name": "n"})).await.code(), 50083);
    assert_eq!(post(&discord, starter, json!({"content": "wakes it"})).await.status, 200);
    assert_eq!(discord.channel(starter).unwrap()["thread_metadata"]["archived"], false);
    assert_eq!(call(&discord, "PATCH", &thread, json!({"locked": true})).await.code(), 50013);

    discord.faults().set_thread(starter, true, true);
    assert_eq!(post(&discord, starter, json!({"content": "c"})).await.code(), 160_005);
    assert_eq!(call(&discord, "PATCH", &thread, json!({"archived": false})).await.code(), 50013);
    discord.faults().set_thread(starter, false, true);
    assert_eq!(call(&discord, "PATCH", &edit, change()).await.code(), 160_005);
    discord.faults().set_thread(starter, false, false);
    discord.faults().deny(ids::DECISIONS, bits::SEND_MESSAGES, true);
    assert_eq!(
        post(&discord, starter, json!({"content": "c"})).await.status,
        200,
        "not the thread's permission"
    );
    discord.faults().deny(ids::DECISIONS, bits::SEND_MESSAGES_IN_THREADS, true);
    assert_eq!(post(&discord, starter, json!({"content": "c"})).await.code(), 50013);
    discord.faults().deny(ids::DECISIONS, u64::MAX, false);

    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    discord.faults().delete_channel(starter);
    assert_eq!(gateway.event("THREAD_DELETE").await["id"], starter.to_string());
    assert_eq!(post(&discord, starter, json!({"content": "c"})).await.code(), 10003);
}

#[tokio::test]
async fn everything_outlives_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { state_path: Some(folder.path().join("world.json")), ..Options::default() };
    let discord = Playground::start(options.clone()).await.unwrap();
    let body = json!({"content": "kept", "nonce": "n", "enforce_nonce": true});
    let message = post(&discord, ids::DECISIONS, body.clone()).await.id();
    let path = format!("/channels/{}/messages/{message}/threads", ids::DECISIONS);
    call(&discord, "POST", &path, json!({"name": "t"})).await;
    let file = vec![Upload::new("a.txt", "bytes")];
    discord.client().say_with(ids::ADA, message, "see", file).unwrap();
    let last = post(&discord, ids::GENERAL, json!({"content": "last"})).await.id();
    // What a kill leaves is what lies on the disk now; what the bot was told is done has to be in it.
    let copy = tempfile::tempdir().unwrap();
    let status =
        std::process::Command::new("cp").arg("-r").arg(folder.path()).arg(copy.path()).status().unwrap();
    assert!(status.success());
    drop(discord);

    let copied = copy.path().join(folder.path().file_name().unwrap()).join("world.json");
    let files = copied.with_file_name("world.json.files");
    let modes = |folder: &std::path::Path| {
        use std::os::unix::fs::PermissionsExt as _;
        let all =
            std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).chain([folder.to_owned()]);
        let mode = |path: std::path::PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        all.map(mode).collect::<Vec<_>>()
    };
    assert_eq!(modes(&folder.path().join("world.json.files")), [0o600, 0o700], "their owner's alone");
    // Of an earlier version, or of a kill in the middle.
    let chmod = std::process::Command::new("chmod").args(["-R", "a+rX"]).arg(&files).status().unwrap();
    assert!(chmod.success());
    let half = files.join("1.new");
    std::fs::write(&half, "half").unwrap();
    let discord = Playground::start(Options { state_path: Some(copied), ..options }).await.unwrap();
    assert!(!half.exists());
    assert_eq!(modes(&files), [0o600, 0o700]);
    assert_eq!(discord.threads(ids::DECISIONS)[0]["id"], message.to_string());
    assert_eq!(discord.messages(ids::GENERAL)[0]["id"], last.to_string());
    let said = &discord.messages(message)[1];
    let url = said["attachments"][0]["url"].as_str().unwrap();
    assert_eq!(reqwest::get(url).await.unwrap().text().await.unwrap(), "bytes");
    assert_eq!(post(&discord, ids::DECISIONS, body).await.id(), message, "the nonce is remembered");
    let later = post(&discord, ids::DECISIONS, json!({"content": "later"})).await.id();
    assert!(later > said["id"].as_str().unwrap().parse().unwrap());
}

#[tokio::test]
async fn whoever_writes_or_is_mentioned_is_in_it_and_an_edit_pings_nobody() {
    let discord = without_limits().await;
    let client = discord.client();
    let starter = post(&discord, ids::DECISIONS, json!({"content": "s"})).await.id();
    let path = format!("/channels/{}/messages/{starter}/threads", ids::DECISIONS);
    call(&discord, "POST", &path, json!({"name": "t"})).await;
    let card = post(&discord, starter, json!({"content": "card"})).await.id();
    assert_eq!(discord.thread_members(starter), [ids::BOT]);

    let edit = format!("/channels/{starter}/messages/{card}");
    let everyone = format!("<@{}> <@{}> <@{}>", ids::ADA, ids::BEN, ids::DMITRI);
    call(&discord, "PATCH", &edit, silent(json!({ "content": everyone }))).await;
    assert_eq!(discord.thread_members(starter), [ids::BOT], "a mention that is none adds nobody");
    let named = json!({"parse": [], "users": [ids::BEN.to_string(), ids::DMITRI.to_string()]});
    let body = json!({"content": everyone, "allowed_mentions": named});
    assert_eq!(call(&discord, "PATCH", &edit, body).await.status, 200);
    assert_eq!(
        discord.thread_members(starter),
        [ids::BOT, ids::BEN],
        "nor one of whoever is not on the server"
    );
    assert_eq!(discord.pinged(starter, card), [0; 0]);
    call(&discord, "PATCH", &edit, silent(json!({"content": "as before"}))).await;
    client.say(ids::CHLOE, starter, "I write.").unwrap();
    assert_eq!(discord.thread_members(starter), [ids::BOT, ids::BEN, ids::CHLOE], "and nobody is taken out");
    assert_eq!(discord.channel(starter).unwrap()["member_count"], 3);
    assert_eq!(discord.violations(), Vec::<String>::new());
}
