//! Roles: who has which, who may use what because of it, and who is pinged.

use playground::{Id, Playground, bits, ids};
use serde_json::{Value, json};

use crate::wire::{Gateway, INTENTS, call, post, without_limits};

async fn send(discord: &Playground, content: &str, allowed: Value) -> Id {
    let path = format!("/channels/{}/messages", ids::GENERAL);
    let body = json!({"content": content, "allowed_mentions": allowed});
    call(discord, "POST", &path, body).await.id()
}

fn role(id: Id) -> String {
    format!("<@&{id}>")
}

#[tokio::test]
async fn an_interaction_says_which_roles_the_member_has() {
    let discord = without_limits().await;
    let path = format!("/applications/{}/commands", ids::BOT);
    let role = json!({"type": 8, "name": "role", "description": "Whose", "required": true});
    let who = json!({"type": 9, "name": "who", "description": "Whoever"});
    let commands = json!([{"name": "ask", "description": "Ask", "options": [role, who]}]);
    assert_eq!(call(&discord, "PUT", &path, commands).await.status, 200);
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let client = discord.client();
    let ask = |member: Id, role: Id| {
        let options = json!({"role": role.to_string(), "who": ids::BEN.to_string()});
        client.run_command(member, ids::GENERAL, "ask", options)
    };
    for (member, roles) in [
        (ids::ADA, vec![ids::ADMIN, ids::PRODUCT_TEAM]),
        (ids::BEN, vec![ids::PRODUCT_TEAM]),
        (ids::CHLOE, vec![ids::PRODUCT_TEAM]),
    ] {
        ask(member, ids::PRODUCT_TEAM).unwrap();
        let event = gateway.event("INTERACTION_CREATE").await;
        let roles: Vec<String> = roles.iter().map(ToString::to_string).collect();
        assert_eq!(event["member"]["roles"], json!(roles));
        let resolved = &event["data"]["resolved"];
        assert_eq!(resolved["roles"][ids::PRODUCT_TEAM.to_string()]["name"], "Product team");
        assert_eq!(resolved["users"][ids::BEN.to_string()]["username"], "ben");
    }
    assert!(ask(ids::BEN, ids::SECOND + 8).is_err(), "a role of another server");
    assert!(ask(ids::BEN, ids::ADA).is_err(), "a member is no role");

    let select = json!({"type": 6, "custom_id": "r"});
    let rows = json!([{"type": 1, "components": [select]}]);
    let card = post(&discord, ids::GENERAL, json!({"content": "c", "components": rows})).await.id();
    client.select(ids::BEN, ids::GENERAL, card, "r", &[&ids::PRODUCT_TEAM.to_string()]).unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    assert_eq!(event["data"]["resolved"]["roles"][ids::PRODUCT_TEAM.to_string()]["mentionable"], json!(true));
}

#[tokio::test]
async fn a_member_is_found_by_number_on_their_servers_alone() {
    let discord = without_limits().await;
    let path = |guild: Id, user: Id| format!("/guilds/{guild}/members/{user}");
    let ben = call(&discord, "GET", &path(ids::RIVERSIDE, ids::BEN), Value::Null).await;
    assert_eq!((&ben.body["user"]["global_name"], &ben.body["nick"]), (&json!("Ben"), &Value::Null));
    for (guild, user, code) in [(ids::RIVERSIDE, ids::DMITRI, 10007), (1, ids::BEN, 10004)] {
        assert_eq!(call(&discord, "GET", &path(guild, user), Value::Null).await.code(), code);
    }
    assert!(discord.violations().is_empty(), "somebody who has left is no fault");
}

#[tokio::test]
async fn commands_for_some_members_are_refused_to_others() {
    let discord = without_limits().await;
    let path = format!("/applications/{}/commands", ids::BOT);
    let command = |name: &str, needed: Value| json!({"name": name, "description": "d", "default_member_permissions": needed});
    let commands = json!([
        command("all", Value::Null),
        command("managers", bits::MANAGE_GUILD.to_string().into()),
        command("writers", bits::SEND_MESSAGES.to_string().into()),
        command("nobody", "0".into()),
    ]);
    assert_eq!(call(&discord, "PUT", &path, commands).await.status, 200);
    let client = discord.client();
    for (name, ben) in [("all", true), ("managers", false), ("writers", true), ("nobody", false)] {
        assert!(client.run_command(ids::ADA, ids::GENERAL, name, json!({})).is_ok(), "{name}, Ada");
        let refused = client.run_command(ids::BEN, ids::GENERAL, name, json!({}));
        assert_eq!(refused.is_ok(), ben, "{name}, Ben: {refused:?}");
    }
    let url = format!("{}/page/api/state?as={}", discord.url(), ids::BEN);
    let state = reqwest::get(url).await.unwrap().json::<Value>().await.unwrap();
    let has: u64 = state["guilds"][0]["channels"][0]["permissions"].as_str().unwrap().parse().unwrap();
    assert!(has & bits::SEND_MESSAGES != 0 && has & bits::MANAGE_GUILD == 0, "the page hides by this");
    assert_eq!(state["members"][1]["role_ids"], json!([ids::PRODUCT_TEAM.to_string()]));
    assert_eq!(state["members"][3]["role_ids"], json!([(ids::SECOND + 8).to_string()]), "Dmitri");
    let roles = state["guilds"][0]["roles"].as_array().unwrap();
    let names: Vec<&str> = roles.iter().filter_map(|role| role["name"].as_str()).collect();
    assert_eq!(names, ["@everyone", "Admin", "Quorum", "Product team"]);
}

#[tokio::test]
async fn whom_a_message_pinged_is_on_record() {
    let discord = without_limits().await;
    let all = format!("<@{}> {} @everyone", ids::BEN, role(ids::PRODUCT_TEAM));
    let team = vec![ids::ADA, ids::BEN, ids::CHLOE];
    let (ben, product) = (ids::BEN.to_string(), ids::PRODUCT_TEAM.to_string());
    for (allowed, pinged) in [
        (json!({"parse": []}), vec![]),
        (json!({"parse": [], "users": [ben]}), vec![ids::BEN]),
        (json!({"parse": [], "users": [ids::ADA.to_string()]}), vec![]),
        (json!({"parse": [], "roles": [product]}), team.clone()),
    ] {
        let id = send(&discord, &all, allowed.clone()).await;
        assert_eq!(discord.pinged(ids::GENERAL, id), pinged, "{allowed}");
    }
    assert_eq!(discord.violations(), Vec::<String>::new(), "members and roles named one by one are no slip");

    let messages = discord.messages(ids::GENERAL);
    let shown = &messages[3];
    assert_eq!(shown["mention_roles"], json!([ids::PRODUCT_TEAM.to_string()]));
    assert_eq!((&shown["mentions"], &shown["mention_everyone"]), (&json!([]), &json!(false)));
    assert_eq!(shown["pinged"].as_array().unwrap().len(), 3, "the page's form has them too");

    let both = json!({"parse": ["users"], "users": [ids::BEN.to_string()]});
    let path = format!("/channels/{}/messages", ids::GENERAL);
    let refused = call(&discord, "POST", &path, json!({"content": "c", "allowed_mentions": both})).await;
    assert_eq!(refused.code(), 50035);

    discord.clear_record();
    send(&discord, &all, json!({"parse": ["users", "roles", "everyone"]})).await;
    assert!(
        discord.violations()[0].contains("ping"),
        "whoever is named in a text: {:?}",
        discord.violations()
    );
}

#[tokio::test]
async fn only_what_may_be_pinged_is() {
    let discord = without_limits().await;
    let client = discord.client();
    let admin = send(&discord, &role(ids::ADMIN), json!({"roles": [ids::ADMIN.to_string()]})).await;
    assert_eq!(discord.pinged(ids::GENERAL, admin), [0; 0], "the role is not open to it");
    let mine = client.say(ids::ADA, ids::GENERAL, &role(ids::ADMIN)).unwrap();
    assert_eq!(discord.messages(ids::GENERAL).last().unwrap()["mention_roles"][0], ids::ADMIN.to_string());
    assert_eq!(discord.pinged(ids::GENERAL, mine), [0; 0], "nobody pings themselves");
    let theirs = client.say(ids::BEN, ids::GENERAL, &format!("{} @everyone", role(ids::ADMIN))).unwrap();
    assert_eq!(discord.pinged(ids::GENERAL, theirs), [0; 0], "Ben may ping neither");
    let everyone = client.say(ids::ADA, ids::GENERAL, "@everyone").unwrap();
    assert_eq!(discord.pinged(ids::GENERAL, everyone), [ids::BOT, ids::BEN, ids::CHLOE]);
    let private = client.say(ids::ADA, ids::PRIVATE, &role(ids::PRODUCT_TEAM)).unwrap();
    assert_eq!(discord.pinged(ids::PRIVATE, private), [ids::BEN], "Chloé does not see it");

    let allowed = json!({"parse": [], "users": [ids::BEN.to_string()]});
    let quiet = send(&discord, "soon", allowed.clone()).await;
    let path = format!("/channels/{}/messages/{quiet}", ids::GENERAL);
    let edit = json!({"content": format!("<@{}>", ids::BEN), "allowed_mentions": allowed});
    let edited = call(&discord, "PATCH", &path, edit).await;
    assert_eq!(edited.body["mentions"][0]["id"], ids::BEN.to_string());
    assert_eq!(discord.pinged(ids::GENERAL, quiet), [0; 0], "an edit pings nobody");
}
