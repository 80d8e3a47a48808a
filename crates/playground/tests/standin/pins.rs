//! Pins: who may, how many, the notice, the lists.

use playground::{Id, Playground, bits, ids};
use serde_json::{Value, json};

use crate::wire::{Answer, call, post, without_limits};

async fn pin(discord: &Playground, method: &str, message: Id) -> Answer {
    let path = format!("/channels/{}/messages/pins/{message}", ids::GENERAL);
    call(discord, method, &path, Value::Null).await
}

async fn pins(discord: &Playground, query: &str) -> Answer {
    let path = format!("/channels/{}/messages/pins{query}", ids::GENERAL);
    call(discord, "GET", &path, Value::Null).await
}

#[tokio::test]
async fn a_pin_is_announced_and_listed() {
    let discord = without_limits().await;
    let first = post(&discord, ids::GENERAL, json!({"content": "first"})).await.id();
    let second = post(&discord, ids::GENERAL, json!({"content": "second"})).await.id();
    for id in [first, second, second] {
        assert_eq!(pin(&discord, "PUT", id).await.status, 204);
    }
    let messages = discord.messages(ids::GENERAL);
    assert_eq!(messages.len(), 4, "pinning again is no second notice");
    let notice = messages.last().unwrap();
    assert_eq!(
        (&notice["type"], &notice["message_reference"]["message_id"]),
        (&json!(6), &json!(second.to_string()))
    );
    let notice: Id = notice["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(pin(&discord, "PUT", notice).await.code(), 50021, "a notice cannot be pinned");

    let listed = pins(&discord, "").await.body;
    assert_eq!(listed["items"][0]["message"]["id"], second.to_string(), "the newest first");
    assert_eq!((listed["items"].as_array().unwrap().len(), &listed["has_more"]), (2, &json!(false)));
    let page = pins(&discord, "?limit=1").await.body;
    assert_eq!((page["items"].as_array().unwrap().len(), &page["has_more"]), (1, &json!(true)));
    let next = pins(&discord, &format!("?before={}", page["items"][0]["pinned_at"].as_str().unwrap())).await;
    assert_eq!(next.body["items"][0]["message"]["id"], first.to_string());
    assert_eq!(pins(&discord, "?limit=51").await.code(), 50035);

    assert_eq!(pin(&discord, "DELETE", second).await.status, 204);
    let url = format!("{}/page/api/channels/{}/pins?as={}", discord.url(), ids::GENERAL, ids::CHLOE);
    let shown = reqwest::get(url).await.unwrap().json::<Value>().await.unwrap();
    assert_eq!((shown.as_array().unwrap().len(), &shown[0]["content"]), (1, &json!("first")));
    let url = format!("{}/page/api/channels/{}/pins?as={}", discord.url(), ids::PRIVATE, ids::CHLOE);
    assert_eq!(reqwest::get(url).await.unwrap().status(), 400, "what she does not see has no pins for her");
}

#[tokio::test]
async fn pinning_takes_a_permission_and_room() {
    let discord = without_limits().await;
    let mut last = 0;
    for n in 0..=250 {
        last = post(&discord, ids::GENERAL, json!({"content": n.to_string()})).await.id();
        if n < 250 {
            assert_eq!(pin(&discord, "PUT", last).await.status, 204, "{n}");
        }
    }
    assert_eq!(pin(&discord, "PUT", last).await.code(), 30003);
    let client = discord.client();
    assert!(client.pin(ids::ADA, ids::GENERAL, last, true).unwrap_err().contains("250"));
    let first = discord.messages(ids::GENERAL)[0]["id"].as_str().unwrap().parse().unwrap();
    assert!(client.pin(ids::BEN, ids::GENERAL, first, false).unwrap_err().contains("permission"));
    client.pin(ids::ADA, ids::GENERAL, first, false).unwrap();
    assert_eq!(pin(&discord, "PUT", last).await.status, 204, "there is room again");
    discord.faults().deny(ids::GENERAL, bits::PIN_MESSAGES, true);
    assert_eq!(pin(&discord, "DELETE", last).await.code(), 50013);
}
