//! Posts of forums, as Discord takes them.

use playground::{Id, Playground, bits, ids};
use serde_json::{Value, json};

use crate::wire::{Answer, Gateway, INTENTS, call, silent, without_limits};

async fn open(discord: &Playground, forum: Id, body: Value) -> Answer {
    call(discord, "POST", &format!("/channels/{forum}/threads"), body).await
}

fn body(tags: &[Id]) -> Value {
    let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
    json!({"name": "t", "applied_tags": tags, "message": silent(json!({"content": "first"}))})
}

#[tokio::test]
async fn a_post_is_opened_with_its_first_message_which_has_its_number() {
    let discord = without_limits().await;
    let forum = discord.client().add_channel(ids::RIVERSIDE, 15, "ideas");
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    for (wrong, what) in [
        (json!({"name": "t"}), "no message"),
        (json!({"name": "", "message": silent(json!({"content": "x"}))}), "no name"),
        (json!({"name": "x".repeat(101), "message": silent(json!({"content": "x"}))}), "a long name"),
        (json!({"name": "t", "message": silent(json!({"content": "x".repeat(2_001)}))}), "a long text"),
        (body(&[1, 2, 3, 4, 5, 6]), "six tags"),
    ] {
        assert_eq!(open(&discord, forum, wrong).await.code(), 50035, "{what}");
    }
    let empty = json!({"name": "t", "message": silent(json!({}))});
    assert_eq!(open(&discord, forum, empty).await.code(), 50006);
    let made = open(&discord, forum, body(&[])).await;
    assert_eq!(made.status, 201);
    let post = made.id();
    assert_eq!(made.body["message"]["id"], post.to_string());
    assert_eq!(made.body["parent_id"], forum.to_string());
    assert_eq!(made.body["owner_id"], ids::BOT.to_string());
    assert_eq!(gateway.event("THREAD_CREATE").await["id"], post.to_string());
    assert_eq!(gateway.event("MESSAGE_CREATE").await["channel_id"], post.to_string());
    let first = call(&discord, "GET", &format!("/channels/{post}/messages/{post}"), Value::Null).await;
    assert_eq!(first.body["content"], "first");
    assert_eq!(discord.messages(forum).len(), 0, "a forum has no messages of its own");

    let path = format!("/channels/{forum}/threads/archived/public");
    let archived = async || call(&discord, "GET", &path, Value::Null).await.body["threads"].clone();
    assert_eq!(archived().await, json!([]));
    discord.faults().set_thread(post, true, false);
    assert_eq!(archived().await[0]["id"], post.to_string());

    discord.faults().deny(forum, bits::SEND_MESSAGES, true);
    assert_eq!(open(&discord, forum, body(&[])).await.code(), 50013);
}

#[tokio::test]
async fn tags_are_the_forums_own_and_some_are_for_moderators() {
    let discord = without_limits().await;
    let client = discord.client();
    let forum = client.add_channel(ids::RIVERSIDE, 15, "ideas");
    let tags = client.set_tags(forum, &[("Running", false), ("Decided", true)], true);
    assert_eq!(open(&discord, forum, body(&[])).await.code(), 40067);
    assert_eq!(open(&discord, forum, body(&[7])).await.code(), 10087);
    assert_eq!(open(&discord, forum, body(&tags[1..])).await.code(), 50013);
    let post = open(&discord, forum, body(&tags[..1])).await.id();
    assert_eq!(discord.channel(post).unwrap()["applied_tags"], json!([tags[0].to_string()]));
    let change = async |of: Id, tags: &[Id]| {
        let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
        call(&discord, "PATCH", &format!("/channels/{of}"), json!({"applied_tags": tags})).await.code()
    };
    assert_eq!(change(post, &tags).await, 50013, "one for moderators");
    assert_eq!(change(post, &[]).await, 40067);
    client.tag_post(post, &tags);
    assert_eq!(change(post, &tags[..1]).await, 50013, "nor is it taken away");
    let theirs = client.open_thread(ids::BEN, forum, "Ben's", false);
    assert_eq!(change(theirs, &tags[..1]).await, 50013, "somebody else's post");
    let only_theirs = client.set_tags(forum, &[("Decided", true)], true);
    assert_eq!(open(&discord, forum, body(&[])).await.code(), 40066);
    assert_eq!(discord.channel(forum).unwrap()["available_tags"][0]["id"], only_theirs[0].to_string());
}
