//! A bot in the raw that answers on the page what the page has to show: a panel with a select and buttons, a private
//! panel that changes in place, a form of five boxes, pins, mentions. It has nothing of the real bot's.

use std::time::Duration;

use playground::{Id, Playground, ids};
use serde_json::{Value, json};

use crate::wire::{Gateway, INTENTS, call, post, silent};

/// What stands for a chart: any picture will do, and this one is there.
const PICTURE: &[u8] = include_bytes!("screenshots/phone.png");

/// Registers the commands, posts the panel and answers whatever comes, until the task is dropped.
pub(crate) async fn serve(discord: &Playground) {
    register(discord).await;
    let (mut gateway, _) = Gateway::ready(discord, INTENTS).await;
    let panel = panel(discord).await;
    let mut voted = Vec::new();
    loop {
        let event = next(&mut gateway).await;
        let answer = answer(&event, &mut voted);
        let (id, token) = (event["id"].as_str().unwrap(), event["token"].as_str().unwrap());
        let path = format!("/interactions/{id}/{token}/callback");
        let done = call(discord, "POST", &path, answer).await;
        assert_eq!(done.status, 204, "{}", done.body);
        let path = format!("/channels/{}/messages/{panel}", ids::GENERAL);
        let turnout = json!({"content": "", "embeds": [card(voted.len())]});
        assert_eq!(call(discord, "PATCH", &path, silent(turnout)).await.status, 200);
    }
}

/// The next interaction, however long people take over it.
async fn next(gateway: &mut Gateway) -> Value {
    loop {
        let news = tokio::time::timeout(Duration::from_secs(5), gateway.event("INTERACTION_CREATE"));
        if let Ok(event) = news.await {
            return event;
        }
        let seq = gateway.seq;
        gateway.send(json!({"op": 1, "d": seq})).await;
    }
}

async fn register(discord: &Playground) {
    let text = |name: &str| json!({"type": 3, "name": name, "description": "In free text"});
    let people = json!({"type": 3, "name": "who", "description": "Who may decide: @names", "required": true,
        "min_length": 3, "max_length": 300});
    let commands = json!([
        {"name": "settings", "description": "The server's settings", "default_member_permissions": "32", "options": [
            {"type": 1, "name": "people", "description": "Who may decide", "options": [people]},
            {"type": 1, "name": "role", "description": "One role", "options": [
                {"type": 8, "name": "role", "description": "The role", "required": true}]},
            {"type": 1, "name": "vote", "description": "How votes go", "options": [
                {"type": 4, "name": "hours", "description": "How long a vote lasts", "min_value": 1, "max_value": 168},
                {"type": 5, "name": "live", "description": "Standings while it is open"},
                {"type": 10, "name": "quorum", "description": "Share that must vote", "min_value": 0, "max_value": 1}]},
            {"type": 1, "name": "show", "description": "All settings"},
        ]},
        {"name": "decisions", "description": "What was decided", "options": [
            {"type": 3, "name": "find", "description": "Words in it", "autocomplete": true}, text("note")]},
        {"name": "About this", "type": 3},
    ]);
    let path = format!("/applications/{}/commands", ids::BOT);
    assert_eq!(call(discord, "PUT", &path, commands).await.status, 200);
}

fn card(voted: usize) -> Value {
    json!({
        "title": "Vote: how do we deliver?", "color": 0x4c_5b_d4,
        "description": format!(
            "**{voted} of 3** voted · closes <t:4102444800:R>\nMay vote: <@&{}> and <@{}>",
            ids::PRODUCT_TEAM, ids::DMITRI
        ),
        "fields": [
            {"name": "S1 · Own riders", "value": "Even, 4 points", "inline": true},
            {"name": "S2 · A partner", "value": "Even, 3 points", "inline": true},
            {"name": "S3 · Pick up only", "value": "<t:4102444800:D>, <t:4102444800:f>", "inline": true},
        ],
    })
}

/// Posts what stands in #general: the panel, a pinned message, a ping, and a chart.
async fn panel(discord: &Playground) -> Id {
    let options: Vec<Value> = ["Own riders", "A partner", "Pick up only"]
        .iter()
        .enumerate()
        .map(|(n, name)| {
            json!({"label": format!("S{} · {name}", n + 1), "value": n.to_string(),
                "description": "What it means in one short sentence, cut where it gets too long for a phone"})
        })
        .collect();
    let button = |style: u8, label: &str, id: &str| json!({"type": 2, "style": style, "label": label, "custom_id": id});
    let mut off = button(4, "Close the vote", "close");
    off["disabled"] = true.into();
    let rows = json!([
        {"type": 1, "components": [{"type": 3, "custom_id": "all", "placeholder": "All 10 points to…", "options": options}]},
        {"type": 1, "components": [button(1, "Spread my points", "spread"), button(2, "Propose another", "propose"), off]},
    ]);
    for n in 0..30 {
        post(discord, ids::GENERAL, json!({"content": format!("Earlier message {n}")})).await;
    }
    let chart = reqwest::multipart::Form::new()
        .text(
            "payload_json",
            silent(json!({
                "embeds": [{"title": "Side by side", "image": {"url": "attachment://chart.png"}}],
                "attachments": [{"id": 0, "filename": "chart.png", "description": "Points by solution"}],
            }))
            .to_string(),
        )
        .part("files[0]", reqwest::multipart::Part::bytes(PICTURE).file_name("chart.png"));
    let path = format!("/channels/{}/messages", ids::GENERAL);
    let sent = crate::wire::request(discord, "POST", &path).multipart(chart);
    assert_eq!(crate::wire::send(sent).await.status, 200);
    let ping = json!({
        "content": format!("Two hours left, <@&{}>: please vote. <@{}> has.", ids::PRODUCT_TEAM, ids::ADA),
        "allowed_mentions": {"parse": [], "roles": [ids::PRODUCT_TEAM.to_string()]},
    });
    assert_eq!(call(discord, "POST", &path, ping).await.status, 200);
    let panel = post(discord, ids::GENERAL, json!({"embeds": [card(0)], "components": rows})).await.id();
    let path = format!("/channels/{}/messages/pins/{panel}", ids::GENERAL);
    assert_eq!(call(discord, "PUT", &path, Value::Null).await.status, 204);
    panel
}

/// The private panel: everything it shows is in its components' ids.
fn spread(selected: usize, points: &[u64]) -> Value {
    let left = 10 - points.iter().sum::<u64>();
    let state = |change: i64| {
        let mut next = points.to_vec();
        next[selected] = next[selected].saturating_add_signed(change);
        let parts: Vec<String> = next.iter().map(ToString::to_string).collect();
        format!("to:{selected}:{}", parts.join("."))
    };
    let step = |label: &str, change: u64, sign: i64, possible: bool, n: usize| {
        let change = i64::try_from(change).unwrap();
        let id = if possible { state(sign * change) } else { format!("off:{n}") };
        json!({"type": 2, "style": 2, "label": label, "custom_id": format!("{id}#{n}"), "disabled": !possible})
    };
    let options: Vec<Value> = points
        .iter()
        .enumerate()
        .map(|(n, given)| {
            json!({"label": format!("S{}", n + 1), "value": n.to_string(), "default": n == selected,
                "description": format!("{given} points")})
        })
        .collect();
    let rows = json!([
        {"type": 1, "components": [{"type": 3, "custom_id": format!("pick:{}", state(0)), "options": options}]},
        {"type": 1, "components": [
            step("−1", 1, -1, points[selected] > 0, 1),
            step("+1", 1, 1, left > 0, 2),
            step("All that is left", left, 1, left > 0, 3),
            {"type": 2, "style": 3, "label": "Cast my vote", "custom_id": "cast", "disabled": left > 0},
        ]},
    ]);
    let lines: Vec<String> =
        points.iter().enumerate().map(|(n, given)| format!("S{}: {given}", n + 1)).collect();
    silent(json!({"content": format!("{}\nLeft: {left}", lines.join("\n")), "components": rows, "flags": 64}))
}

fn read(state: &str) -> (usize, Vec<u64>) {
    let state = state.split('#').next().unwrap();
    let (selected, points) = state.rsplit_once("to:").unwrap().1.split_once(':').unwrap();
    (selected.parse().unwrap(), points.split('.').map(|part| part.parse().unwrap()).collect())
}

fn form() -> Value {
    let box_of = |n: usize, label: &str, long: bool, value: &str, required: bool| {
        json!({"type": 1, "components": [{"type": 4, "custom_id": format!("box{n}"), "label": label,
            "style": if long { 2 } else { 1 }, "max_length": if long { 600 } else { 80 }, "min_length": 4,
            "value": value, "required": required, "placeholder": "In your own words"}]})
    };
    json!({"custom_id": "sent", "title": "Propose another solution", "components": [
        box_of(1, "Name", false, "", true), box_of(2, "What it is", true, "Prefilled by the bot", true),
        box_of(3, "Why", true, "", true), box_of(4, "Against it", true, "", false), box_of(5, "Cost", false, "", false),
    ]})
}

fn answer(event: &Value, voted: &mut Vec<String>) -> Value {
    let custom_id = event["data"]["custom_id"].as_str().unwrap_or_default();
    let private = |text: String| json!({"type": 4, "data": silent(json!({"content": text, "components": [], "flags": 64}))});
    let here = |text: &str| json!({"type": 7, "data": silent(json!({"content": text, "components": []}))});
    let member = event["member"]["user"]["id"].as_str().unwrap().to_owned();
    if event["type"] == 4 {
        let choices: Vec<Value> = (1..=25)
            .map(
                |n| json!({"name": format!("Decision {n}: deliver within the town"), "value": n.to_string()}),
            )
            .collect();
        return json!({"type": 8, "data": {"choices": choices}});
    }
    if event["data"]["type"] == 3 {
        let target = event["data"]["target_id"].as_str().unwrap();
        let message = &event["data"]["resolved"]["messages"][target];
        let files = message["attachments"].as_array().unwrap().iter();
        let files: Vec<String> =
            files.map(|file| format!("{} of {}", file["filename"], file["size"])).collect();
        return private(format!("It says {} with {}", message["content"], files.join(", ")));
    }
    if custom_id == "all" || custom_id == "cast" {
        if !voted.contains(&member) {
            voted.push(member);
        }
        return if custom_id == "cast" {
            here("Your vote is in.")
        } else {
            private("All 10 points to it.".to_owned())
        };
    }
    if custom_id == "spread" {
        return json!({"type": 4, "data": spread(0, &[0, 0, 0])});
    }
    if custom_id == "propose" {
        return json!({"type": 9, "data": form()});
    }
    if custom_id.starts_with("pick:") {
        let (_, points) = read(custom_id);
        let selected = event["data"]["values"][0].as_str().unwrap().parse().unwrap();
        return json!({"type": 7, "data": spread(selected, &points)});
    }
    if custom_id.starts_with("to:") {
        let (selected, points) = read(custom_id);
        return json!({"type": 7, "data": spread(selected, &points)});
    }
    private(format!("Got `{}`", event["data"]))
}
