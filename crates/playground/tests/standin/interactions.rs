//! Interactions: acknowledging once and in time, callback types, follow-ups, modals, autocomplete, commands.

use std::time::Duration;

use playground::{Options, Playground, Upload, ids};
use serde_json::{Value, json};

use crate::wire::{Gateway, INTENTS, call, callback, callback_of, post, register, silent, without_limits};

fn webhook(event: &Value, rest: &str) -> String {
    format!("/webhooks/{}/{}{rest}", ids::BOT, event["token"].as_str().unwrap())
}

#[tokio::test]
async fn a_command_from_defer_to_follow_up() {
    let discord = without_limits().await;
    register(&discord).await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let client = discord.client();
    let file = [("document".to_owned(), Upload::new("plan.md", "# Plan"))].into();
    let run = client
        .run_command_with(ids::CHLOE, ids::GENERAL, "mediate", json!({"problem": "p", "rounds": 2}), file)
        .unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    assert_eq!((&event["locale"], &event["guild_locale"]), (&json!("fr"), &json!("en-US")));
    assert_eq!(event["attachment_size_limit"], 10 * 1024 * 1024);
    let options = event["data"]["options"].as_array().unwrap();
    assert_eq!((&options[1]["value"], options.len()), (&json!(2), 3));
    let attachment = &event["data"]["resolved"]["attachments"][options[2]["value"].as_str().unwrap()];
    let fetched = reqwest::get(attachment["url"].as_str().unwrap()).await.unwrap().text().await.unwrap();
    assert_eq!(fetched, "# Plan");

    assert_eq!(callback(&discord, &event, json!({"type": 5, "data": {"flags": 64}})).await.status, 204);
    assert_eq!(callback(&discord, &event, json!({"type": 5})).await.code(), 40060, "only once");
    let seen = client.wait_acknowledged(run).await;
    assert_eq!(
        (&seen.messages[0]["loading"], &seen.messages[0]["ephemeral_for"]),
        (&json!(true), &json!(ids::CHLOE.to_string()))
    );
    let original = webhook(&event, "/messages/@original");
    let edited = call(&discord, "PATCH", &original, silent(json!({"content": "Done"}))).await;
    assert_eq!((edited.status, &edited.body["content"]), (200, &json!("Done")));
    assert_eq!(client.wait_reply(run).await.text(), "Done");
    let more = call(&discord, "POST", &webhook(&event, ""), silent(json!({"content": "More"}))).await;
    assert_eq!(more.body["flags"], 0);
    let ephemeral = format!("/channels/{}/messages/{}", ids::GENERAL, edited.id());
    assert_eq!(call(&discord, "GET", &ephemeral, Value::Null).await.code(), 10008, "private to the member");
    client.redeliver(run).unwrap();
    assert_eq!(gateway.event("INTERACTION_CREATE").await["id"], event["id"]);
}

#[tokio::test]
async fn too_late_is_too_late() {
    let options = Options {
        acknowledge_within: Duration::from_millis(100),
        token_life: Duration::from_millis(600),
        rate_limits: false,
        ..Options::default()
    };
    let discord = Playground::start(options).await.unwrap();
    register(&discord).await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let client = discord.client();
    let run = client.run_command(ids::ADA, ids::GENERAL, "mediate", json!({"problem": "p"})).unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    let seen = client.wait_reply(run).await;
    assert_eq!(seen.failed.as_deref(), Some("The application did not respond"));
    let late = callback(&discord, &event, json!({"type": 5})).await;
    assert_eq!((late.status, late.code()), (404, 10062));
    assert!(discord.violations()[0].contains("Unknown interaction"));

    client.run_command(ids::ADA, ids::GENERAL, "mediate", json!({"problem": "p"})).unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    let early = call(&discord, "POST", &webhook(&event, ""), silent(json!({"content": "x"}))).await;
    assert_eq!(early.code(), 10015, "before the acknowledgement");
    callback(&discord, &event, json!({"type": 5})).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    let expired =
        call(&discord, "PATCH", &webhook(&event, "/messages/@original"), silent(json!({"content": "x"})))
            .await;
    assert_eq!(expired.code(), 50027);
}

#[tokio::test]
async fn components_and_modals() {
    let discord = without_limits().await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let client = discord.client();
    let select = json!({"type": 3, "custom_id": "s", "options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}]});
    let rows = json!([
        {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"},
            {"type": 2, "style": 2, "label": "Off", "custom_id": "off", "disabled": true}]},
        {"type": 1, "components": [select]},
    ]);
    let card = post(&discord, ids::GENERAL, json!({"content": "c", "components": rows})).await.id();
    assert!(client.click(ids::BEN, ids::GENERAL, card, "off").is_err());
    assert!(client.select(ids::BEN, ids::GENERAL, card, "s", &["c"]).is_err());
    assert!(client.click(ids::DMITRI, ids::GENERAL, card, "go").is_err(), "not in this server");

    let press = client.click(ids::BEN, ids::GENERAL, card, "go").unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    assert_eq!((&event["type"], &event["message"]["id"]), (&json!(3), &json!(card.to_string())));
    let wide = json!({"custom_id": "m", "title": "x".repeat(46), "components": []});
    assert_eq!(callback(&discord, &event, json!({"type": 9, "data": wide})).await.code(), 50035);
    let input = json!({"type": 4, "custom_id": "why", "style": 1, "label": "Why", "min_length": 2});
    let modal = json!({"custom_id": "m", "title": "T", "components": [{"type": 1, "components": [input]}]});
    assert_eq!(callback(&discord, &event, json!({"type": 9, "data": modal})).await.status, 204);
    assert_eq!(client.wait_reply(press).await.modal.unwrap()["title"], "T");
    assert!(client.submit_modal(ids::BEN, press, &[("why", "x")]).is_err(), "too short");
    assert!(client.submit_modal(ids::ADA, press, &[("why", "xx")]).is_err(), "not Ada's form");
    client.submit_modal(ids::BEN, press, &[("why", "because")]).unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    assert_eq!(event["data"]["components"][0]["components"][0]["value"], "because");
    assert_eq!(
        callback(&discord, &event, json!({"type": 9, "data": modal})).await.code(),
        50035,
        "no modal after a modal"
    );
    let update = json!({"type": 7, "data": silent(json!({"content": "changed", "components": []}))});
    let path = format!("{}?with_response=true", callback_of(&event));
    let answer = call(&discord, "POST", &path, update).await;
    assert_eq!(answer.body["resource"]["message"]["content"], "changed");

    let said = client.say(ids::ADA, ids::GENERAL, "unseen").unwrap();
    register(&discord).await;
    client.message_command(ids::ADA, ids::GENERAL, "About this", said).unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    assert_eq!(event["data"]["resolved"]["messages"][said.to_string()]["content"], "unseen");
    let wrong = callback(&discord, &event, json!({"type": 6})).await;
    assert_eq!(wrong.code(), 50035, "6 is for components");
}

#[tokio::test]
async fn commands_are_checked_on_both_sides() {
    let discord = without_limits().await;
    register(&discord).await;
    let client = discord.client();
    let run = |name: &str, options: Value| client.run_command(ids::ADA, ids::GENERAL, name, options);
    assert!(run("mediate", json!({})).unwrap_err().contains("required"));
    assert!(run("mediate", json!({"problem": "x".repeat(21)})).unwrap_err().contains("20"));
    assert!(run("mediate", json!({"problem": "x", "rounds": 4})).is_err());
    assert!(run("mediate", json!({"problem": "x", "nothing": 4})).is_err());
    assert!(run("session", json!({})).unwrap_err().contains("subcommand"));
    assert!(run("session show", json!({})).is_ok());
    let path = format!("/applications/{}/commands", ids::BOT);
    let before = call(&discord, "GET", &path, Value::Null).await;
    register(&discord).await;
    let after = call(&discord, "GET", &path, Value::Null).await;
    assert_eq!(before.body[0]["id"], after.body[0]["id"], "an unchanged name keeps its id");
}

/// Longer than a press may have been on its way.
const ON_ITS_WAY: Duration = Duration::from_millis(1_100);

#[tokio::test]
async fn a_private_message_changes_in_place() {
    let discord = without_limits().await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let client = discord.client();
    let row = |id: &str| {
        json!([{"type": 1, "components": [
            {"type": 2, "style": 1, "label": "+1", "custom_id": id, "emoji": {"name": "➕"}}]}])
    };
    let panel =
        post(&discord, ids::GENERAL, json!({"content": "panel", "components": row("open")})).await.id();
    let opened = client.click(ids::BEN, ids::GENERAL, panel, "open").unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    let data = silent(json!({"content": "0", "components": row("to 1"), "flags": 64}));
    assert_eq!(callback(&discord, &event, json!({"type": 4, "data": data})).await.status, 204);
    let private = client.wait_reply(opened).await.messages[0].clone();
    let id = private["id"].as_str().unwrap().parse().unwrap();
    assert!(client.click(ids::ADA, ids::GENERAL, id, "to 1").is_err(), "it is Ben's alone");

    let pressed = client.click(ids::BEN, ids::GENERAL, id, "to 1").unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    assert_eq!(event["message"]["flags"], 64);
    let twice =
        json!({"type": 1, "components": [row("a")[0]["components"][0], row("a")[0]["components"][0]]});
    let data = silent(json!({"content": "1", "components": [twice]}));
    assert_eq!(callback(&discord, &event, json!({"type": 7, "data": data})).await.code(), 50035);
    let data = silent(json!({"content": "1", "components": row("to 2")}));
    assert_eq!(callback(&discord, &event, json!({"type": 7, "data": data})).await.status, 204);
    let source = client.wait_reply(pressed).await.source.unwrap();
    assert_eq!((&source["id"], &source["content"]), (&private["id"], &json!("1")));
    assert_eq!(source["ephemeral_for"], ids::BEN.to_string());
    assert_eq!(source["components"].as_array().unwrap().len(), 1, "what was there before is replaced");
    // A press that was on its way when the message changed arrives; later there is nothing to press.
    client.click(ids::BEN, ids::GENERAL, id, "to 1").unwrap();
    assert_eq!(gateway.event("INTERACTION_CREATE").await["data"]["custom_id"], "to 1");
    tokio::time::sleep(ON_ITS_WAY).await;
    assert!(client.click(ids::BEN, ids::GENERAL, id, "to 1").unwrap_err().contains("gone"));
    assert_eq!(discord.messages(ids::GENERAL).len(), 2);

    let path = format!("/channels/{}/messages/{panel}", ids::GENERAL);
    let mut disabled = row("open");
    disabled[0]["components"][0]["disabled"] = true.into();
    let edit = silent(json!({"components": disabled}));
    assert_eq!(call(&discord, "PATCH", &path, edit).await.status, 200);
    client.click(ids::BEN, ids::GENERAL, panel, "open").unwrap();
    tokio::time::sleep(ON_ITS_WAY).await;
    assert!(client.click(ids::BEN, ids::GENERAL, panel, "open").unwrap_err().contains("disabled"));
    let edit = silent(json!({"components": []}));
    assert_eq!(call(&discord, "PATCH", &path, edit).await.body["components"], json!([]));
    assert!(client.click(ids::BEN, ids::GENERAL, panel, "open").unwrap_err().contains("gone"));
}

#[tokio::test]
async fn whoever_waits_hears_of_a_follow_up_in_the_place_of_thinking() {
    let discord = without_limits().await;
    register(&discord).await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let client = discord.client();
    let run = client.run_command(ids::ADA, ids::GENERAL, "mediate", json!({"problem": "p"})).unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    callback(&discord, &event, json!({"type": 5})).await;
    let path = webhook(&event, "");
    let (waited, sent) = tokio::join!(
        tokio::time::timeout(Duration::from_secs(5), client.wait_reply(run)),
        call(&discord, "POST", &path, silent(json!({"content": "Done"}))),
    );
    assert_eq!(sent.status, 200);
    assert_eq!(waited.expect("long before patience ends").text(), "Done");
}

#[tokio::test]
async fn a_bound_that_is_null_is_no_bound() {
    let discord = without_limits().await;
    let path = format!("/applications/{}/commands", ids::BOT);
    let problem =
        json!({"type": 3, "name": "problem", "description": "What", "min_length": null, "max_length": null});
    let group = json!({"type": 1, "name": "start", "description": "Start", "options": [problem]});
    let commands = json!([{"name": "mediate", "description": "Mediate", "options": [group]}]);
    assert_eq!(call(&discord, "PUT", &path, commands).await.status, 200);
    // The page's form is built from this: with the nulls in it, it said "at most null characters".
    let problem = &discord.commands()[0]["options"][0]["options"][0];
    assert_eq!(*problem, json!({"type": 3, "name": "problem", "description": "What"}));
}
