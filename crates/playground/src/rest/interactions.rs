//! Answering interactions over REST: the callback, the original, follow-ups.

use serde_json::{Value, json};

use super::messages::{change, not_blank, written};
use super::refusal::unknown_message;
use super::{Answer, Call, Refusal, Reply};
use crate::draft::Draft;
use crate::events::Audience;
use crate::interaction::{AUTOCOMPLETE, COMMAND, COMPONENT, Interaction, MODAL};
use crate::mentions::Unless;
use crate::message::{EPHEMERAL, LOADING, Message, kind};
use crate::snowflake::{Id, created_ms, now_ms};
use crate::validate::{self, Body, Check};
use crate::world::World;

fn unknown_interaction() -> Refusal {
    Refusal::new(404, 10062, "Unknown interaction")
}

/// `POST /interactions/{id}/{token}/callback`.
pub(super) fn callback(call: &mut Call, id: Id, token: &str) -> Answer {
    let shared = call.shared.clone();
    let mut world = shared.world();
    let found = world.interactions.get(&id).filter(|i| i.token == token);
    let interaction = found.ok_or_else(unknown_interaction)?.clone();
    if interaction.failed.is_some() {
        return Err(unknown_interaction());
    }
    if interaction.acknowledged.is_some() {
        return Err(Refusal::new(400, 40060, "Interaction has already been acknowledged."));
    }
    let mut check = Check::default();
    check.known("", &call.body, &["type", "data"]);
    let from_component = interaction.source.is_some() && matches!(interaction.kind, COMPONENT | MODAL);
    let fits = match (call.body["type"].as_u64(), interaction.kind) {
        (Some(4 | 5), COMMAND | COMPONENT | MODAL)
        | (Some(8), AUTOCOMPLETE)
        | (Some(9), COMMAND | COMPONENT) => true,
        (Some(6 | 7), _) => from_component,
        _ => false,
    };
    if !fits {
        check.error("type", "BASE_TYPE_CHOICES", "This callback type cannot answer this interaction.");
    }
    call.checked(&check)?;
    let kind = call.body["type"].as_u64().and_then(|kind| u8::try_from(kind).ok()).unwrap_or(0);
    let data = call.body["data"].take();
    let answered = match kind {
        4 => {
            call.body = data;
            Some(reply(call, &mut world, &interaction, Body::Callback)?)
        }
        5 => Some(defer(call, &mut world, &interaction, &data)),
        6 => interaction.source,
        7 => {
            call.body = data;
            let source = interaction.source.ok_or_else(unknown_message)?;
            change(call, &mut world, interaction.channel, source, Body::Callback)?;
            Some(source)
        }
        8 => {
            autocomplete(call, &mut world, id, &data)?;
            None
        }
        _ => {
            let mut check = Check::default();
            validate::modal(&mut check, &data);
            call.checked(&check)?;
            world.tell_pages(
                Audience::Member(interaction.user),
                || json!({"type": "modal", "interaction_id": id.to_string(), "modal": data}),
            );
            if let Some(stored) = world.interactions.get_mut(&id) {
                stored.modal = Some(data);
            }
            None
        }
    };
    if let Some(stored) = world.interactions.get_mut(&id) {
        stored.acknowledged = Some(kind);
        stored.acknowledged_after_ms = Some(now_ms().saturating_sub(created_ms(id)));
        stored.original = answered;
        if matches!(kind, 4 | 5) {
            stored.replies.extend(answered);
        }
    }
    world.touch();
    world.interaction_done(id);
    if call.query.get("with_response").map(String::as_str) != Some("true") {
        return Reply::none();
    }
    let message = answered.filter(|_| matches!(kind, 4 | 5 | 7));
    let mut interaction_json = json!({"id": id.to_string(), "type": interaction.kind});
    let mut resource = json!({"type": kind});
    if let Some(message) = message {
        interaction_json["response_message_id"] = message.to_string().into();
        resource["message"] = written(&world, interaction.channel, message)?.body.unwrap_or_default();
    }
    Reply::ok(json!({"interaction": interaction_json, "resource": resource}))
}

fn autocomplete(call: &Call, world: &mut World, id: Id, data: &Value) -> Result<(), Refusal> {
    let mut check = Check::default();
    check.known("data", data, &["choices"]);
    let choices = check.list("data", data, "choices", 25);
    for (n, choice) in choices.iter().enumerate() {
        let path = format!("data.choices.{n}");
        check.required_text(&path, choice, "name", 100);
        if choice["value"].is_string() {
            check.required_text(&path, choice, "value", 100);
        } else if !choice["value"].is_number() {
            check.error(format!("{path}.value"), "BASE_TYPE_REQUIRED", "This field is required");
        }
    }
    call.checked(&check)?;
    if let Some(stored) = world.interactions.get_mut(&id) {
        stored.choices = Some(choices.to_vec());
    }
    Ok(())
}

/// Posts an answer: the first reply or a follow-up.
fn reply(call: &mut Call, world: &mut World, interaction: &Interaction, place: Body) -> Result<Id, Refusal> {
    call.check_body(place, &[])?;
    let content = call.body["content"].as_str().unwrap_or_default();
    call.check_pings(&call.body, content, Unless::Interaction);
    let id = world.new_id();
    let (kind, reference) = match place {
        Body::Callback => interaction.reply_kind(),
        _ => (kind::DEFAULT, None),
    };
    let mut message = Message::new(id, interaction.channel, world.bot, kind);
    message.reference = reference;
    message.answering = Some(interaction.answering());
    let files = std::mem::take(&mut call.files);
    world.fill(&mut message, Draft { body: &call.body, files, mentions: Unless::Interaction }, false);
    not_blank(&message)?;
    if message.flags & EPHEMERAL != 0 {
        message.ephemeral_for = Some(interaction.user);
    }
    world.post(message);
    Ok(id)
}

fn defer(call: &Call, world: &mut World, interaction: &Interaction, data: &Value) -> Id {
    let flags = data["flags"].as_u64().unwrap_or(0);
    if flags & !EPHEMERAL != 0 {
        call.violation("a deferred reply may only set the flag EPHEMERAL");
    }
    let id = world.new_id();
    let (kind, reference) = interaction.reply_kind();
    let mut message = Message::new(id, interaction.channel, world.bot, kind);
    message.reference = reference;
    message.answering = Some(interaction.answering());
    message.flags = LOADING | flags & EPHEMERAL;
    if flags & EPHEMERAL != 0 {
        message.ephemeral_for = Some(interaction.user);
    }
    world.post(message);
    id
}

/// The interaction of a webhook's token, while the token lives.
fn of_token(call: &Call, world: &World, application: &str, token: &str) -> Result<Interaction, Refusal> {
    let found = world.by_token.get(token).and_then(|id| world.interactions.get(id));
    let known = found.filter(|_| application == world.bot.to_string());
    let interaction = known.ok_or_else(|| Refusal::new(404, 10015, "Unknown Webhook"))?;
    if !interaction.token_alive(call.shared.options.token_life) {
        return Err(Refusal::new(401, 50027, "Invalid Webhook Token"));
    }
    if interaction.acknowledged.is_none() {
        return Err(Refusal::new(404, 10015, "Unknown Webhook"));
    }
    Ok(interaction.clone())
}

/// `POST /webhooks/{application}/{token}`: a follow-up. The first one after "thinking…" takes its place.
pub(super) fn follow_up(call: &mut Call, application: &str, token: &str) -> Answer {
    let shared = call.shared.clone();
    let mut world = shared.world();
    let interaction = of_token(call, &world, application, token)?;
    let thinking = interaction
        .original
        .filter(|id| world.message(interaction.channel, *id).is_some_and(|m| m.flags & LOADING != 0));
    if let Some(original) = thinking {
        change(call, &mut world, interaction.channel, original, Body::Webhook)?;
        interaction.changed.notify_waiters();
        return written(&world, interaction.channel, original);
    }
    let id = reply(call, &mut world, &interaction, Body::Webhook)?;
    if let Some(stored) = world.interactions.get_mut(&interaction.id) {
        stored.replies.push(id);
        stored.changed.notify_waiters();
    }
    written(&world, interaction.channel, id)
}

/// `GET` and `PATCH /webhooks/{application}/{token}/messages/{@original or id}`.
pub(super) fn webhook_message(call: &mut Call, application: &str, token: &str, which: &str) -> Answer {
    let shared = call.shared.clone();
    let mut world = shared.world();
    let interaction = of_token(call, &world, application, token)?;
    let id = if which == "@original" {
        interaction.original
    } else {
        let id = which.parse().ok();
        id.filter(|id| interaction.replies.contains(id) || interaction.original == Some(*id))
    };
    let id = id.ok_or_else(unknown_message)?;
    if world.message(interaction.channel, id).is_none() {
        return Err(unknown_message());
    }
    if call.method == "PATCH" {
        change(call, &mut world, interaction.channel, id, Body::Webhook)?;
        interaction.changed.notify_waiters();
    }
    written(&world, interaction.channel, id)
}
