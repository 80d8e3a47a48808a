//! Commands on a message and files of members: what reaches the bot, how large a file may be, links that go dead.

use std::time::Duration;

use playground::{Fault, Playground, Upload, ids};
use serde_json::{Value, json};

use crate::wire::{Gateway, INTENTS, call, callback, post, register, without_limits};

const MIB: usize = 1 << 20;

#[tokio::test]
async fn a_command_on_a_message_carries_the_whole_message() {
    let discord = without_limits().await;
    register(&discord).await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let client = discord.client();
    let files = vec![Upload::new("the plan.docx", "not really"), Upload::new("notes.md", "# Notes")];
    let said = client.say_with(ids::BEN, ids::GENERAL, "Read *this*.", files).unwrap();
    let event = gateway.event("MESSAGE_CREATE").await;
    assert_eq!((&event["content"], &event["attachments"]), (&json!(""), &json!([])), "it has no such intent");

    let ran = client.message_command(ids::ADA, ids::GENERAL, "About this", said).unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    let data = &event["data"];
    assert_eq!((&event["type"], &data["type"], &data["name"]), (&json!(2), &json!(3), &json!("About this")));
    assert_eq!(data["target_id"], said.to_string());
    assert!(data.get("options").is_none() && event.get("message").is_none());
    let message = &data["resolved"]["messages"][said.to_string()];
    assert_eq!(message["content"], "Read *this*.");
    assert_eq!(message["author"]["id"], ids::BEN.to_string(), "whose it is, not who asks");
    assert_eq!(event["member"]["user"]["id"], ids::ADA.to_string());
    let attached = &message["attachments"];
    assert_eq!((&attached[0]["filename"], &attached[0]["size"]), (&json!("the_plan.docx"), &json!(10)));
    assert!(attached[0]["content_type"].as_str().unwrap().contains("wordprocessingml"));
    let fetched = reqwest::get(attached[1]["url"].as_str().unwrap()).await.unwrap();
    assert_eq!(fetched.text().await.unwrap(), "# Notes");

    let answer =
        json!({"type": 4, "data": {"content": "Seen", "flags": 64, "allowed_mentions": {"parse": []}}});
    callback(&discord, &event, answer).await;
    let seen = client.wait_reply(ran).await;
    assert_eq!((seen.text().as_str(), &seen.messages[0]["type"]), ("Seen", &json!(23)));
    assert_eq!(seen.messages[0]["ephemeral_for"], ids::ADA.to_string());
    assert_eq!(discord.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn who_may_use_a_command_on_which_message() {
    let discord = without_limits().await;
    register(&discord).await;
    let client = discord.client();
    let said = client.say(ids::ADA, ids::PRIVATE, "among us").unwrap();
    let on = |member, channel, message| client.message_command(member, channel, "About this", message);
    assert!(on(ids::CHLOE, ids::PRIVATE, said).is_err(), "she does not see the channel");
    assert!(on(ids::ADA, ids::GENERAL, said).unwrap_err().contains("gone"), "not in this channel");
    assert!(client.message_command(ids::ADA, ids::PRIVATE, "mediate", said).is_err(), "a slash command");
    assert!(client.run_command(ids::ADA, ids::PRIVATE, "About this", json!({})).is_err(), "not by typing");
    assert!(on(ids::BEN, ids::PRIVATE, said).is_ok());
    let own = post(&discord, ids::GENERAL, json!({"content": "the bot's own"})).await.id();
    assert!(on(ids::CHLOE, ids::GENERAL, own).is_ok());
    let path = format!("/applications/{}/commands", ids::BOT);
    let filled = json!([{"name": "About this", "type": 3,
        "options": [{"type": 3, "name": "why", "description": "Why"}]}]);
    assert_eq!(call(&discord, "PUT", &path, filled).await.code(), 50035);
}

/// Ben's and Dmitri's servers differ in their boosts.
#[tokio::test]
async fn how_large_a_file_may_be() {
    let discord = without_limits().await;
    register(&discord).await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let client = discord.client();
    let attach = |member, channel, size: usize| {
        let file = Upload::new("a.txt", vec![b'a'; size]);
        let files = [("document".to_owned(), file)].into();
        client.run_command_with(member, channel, "mediate", json!({"problem": "p"}), files)
    };
    assert!(attach(ids::BEN, ids::GENERAL, 10 * MIB).is_ok());
    assert_eq!(gateway.event("INTERACTION_CREATE").await["attachment_size_limit"], 10 * MIB);
    assert!(attach(ids::BEN, ids::GENERAL, 10 * MIB + 1).unwrap_err().contains("10 MiB"));
    let file = || vec![Upload::new("a.txt", vec![b'a'; 26 * MIB])];
    assert!(client.say_with(ids::BEN, ids::GENERAL, "", file()).unwrap_err().contains("10 MiB"));

    assert!(attach(ids::DMITRI, ids::SECOND_GENERAL, 26 * MIB).is_ok());
    let event = gateway.event("INTERACTION_CREATE").await;
    assert_eq!(event["attachment_size_limit"], 50 * MIB);
    let id = event["data"]["options"][1]["value"].as_str().unwrap();
    let attachment = &event["data"]["resolved"]["attachments"][id];
    assert_eq!(attachment["size"], 26 * MIB);
    let whole = reqwest::get(attachment["url"].as_str().unwrap()).await.unwrap().bytes().await.unwrap();
    assert_eq!(whole.len(), 26 * MIB);
    assert!(client.say_with(ids::DMITRI, ids::SECOND_GENERAL, "", file()).is_ok());
    assert!(attach(ids::DMITRI, ids::SECOND_GENERAL, 50 * MIB + 1).unwrap_err().contains("50 MiB"));
    let guild = call(&discord, "GET", &format!("/guilds/{}", ids::SECOND), Value::Null).await;
    assert_eq!(guild.body["premium_tier"], 2);
}

async fn fetch(url: &str) -> Result<(u16, String), reqwest::Error> {
    let reply = reqwest::get(url).await?;
    Ok((reply.status().as_u16(), reply.text().await?))
}

/// The address of a file that Ben attaches to a message.
fn address(discord: &Playground, text: &str) -> (playground::Id, String) {
    let said =
        discord.client().say_with(ids::BEN, ids::GENERAL, "", vec![Upload::new("a.txt", text.to_owned())]);
    let said = said.unwrap();
    let messages = discord.messages(ids::GENERAL);
    let message = messages.iter().find(|message| message["id"].as_str() == Some(&said.to_string())).unwrap();
    (said, message["attachments"][0]["url"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn links_that_go_dead() {
    let discord = without_limits().await;
    let (said, url) = address(&discord, "0123456789");
    assert_eq!(fetch(&url).await.unwrap(), (200, "0123456789".to_owned()));

    discord.faults().expire_links(true);
    assert_eq!(fetch(&url).await.unwrap().0, 404);
    let (_, later) = address(&discord, "x");
    assert_eq!(fetch(&later).await.unwrap().0, 404, "those handed out later as well");
    discord.faults().expire_links(false);
    assert_eq!(fetch(&url).await.unwrap().0, 200);

    discord.faults().on("GET", "/attachments/**", 1, Fault::Status(503));
    assert_eq!(fetch(&url).await.unwrap().0, 503);
    discord.faults().lose_reply("GET", "/attachments/**", 1);
    assert!(fetch(&url).await.is_err(), "it breaks off in its middle");
    discord.faults().on("GET", "/attachments/**", 1, Fault::Refuse);
    assert!(fetch(&url).await.is_err());
    discord.faults().on("GET", "/attachments/**", 1, Fault::Stall(Duration::from_mins(1)));
    let slow = tokio::time::timeout(Duration::from_millis(200), fetch(&url)).await;
    assert!(slow.is_err(), "nothing comes for a long time");
    assert_eq!(fetch(&url).await.unwrap().0, 200, "used up");

    discord.faults().delete_message(ids::GENERAL, said);
    assert_eq!(fetch(&url).await.unwrap().0, 404, "a file goes with its message");
}
