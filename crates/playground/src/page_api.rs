//! The page's own API: reading what a member sees, doing what a member does, and hearing what happens.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Multipart, Path, Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::{Stream, stream};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;

use super::Shared;
use super::actions::Writing;
use super::driver::Client;
use super::events::{Audience, PageEvent};
use super::files::Upload;
use super::guild::{Channel, Role, User};
use super::mentions::as_id;
use super::message::Viewer;
use super::options::Sentence;
use super::permissions::bits;
use super::pins::pinned_before;
use super::snowflake::Id;
use super::world::World;

type App = State<Arc<Shared>>;
type Params = Query<HashMap<String, String>>;

/// A sentence for the person, with status 400.
struct Refused(Sentence);

impl From<Sentence> for Refused {
    fn from(sentence: Sentence) -> Self {
        Self(sentence)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (StatusCode::BAD_REQUEST, Json(json!({"error": self.0}))).into_response()
    }
}

pub(super) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/state", get(state))
        .route("/channels/{id}", get(channel))
        .route("/channels/{id}/messages", get(messages))
        .route("/channels/{id}/pins", get(pins))
        .route("/events", get(events))
        .route("/messages", post(write))
        .route("/posts", post(write_post))
        .route("/commands", post(command))
        .route("/message_commands", post(message_command))
        .route("/autocomplete", post(autocomplete))
        .route("/components", post(component))
        .route("/modals", post(modal))
        .route("/pins", post(pin))
        .fallback(|| async { (StatusCode::NOT_FOUND, Json(json!({"error": "There is nothing here."}))) })
        .layer(axum::middleware::map_response(as_sentence))
}

/// Turns a refusal by the framework (a broken body, an id that is none) into the API's form of error.
async fn as_sentence(response: Response) -> Response {
    let kind = response.headers().get(axum::http::header::CONTENT_TYPE);
    let json =
        kind.and_then(|kind| kind.to_str().ok()).is_some_and(|kind| kind.starts_with("application/json"));
    if !response.status().is_client_error() || json {
        return response;
    }
    let reason = response.status().canonical_reason().unwrap_or("Bad request");
    let error = format!("The request could not be read: {}.", reason.to_lowercase());
    (response.status(), Json(json!({"error": error}))).into_response()
}

/// The member who looks: the one named, else the first.
fn viewer(world: &World, params: &HashMap<String, String>) -> Id {
    let named = params.get("as").and_then(|id| id.parse().ok());
    let known = named.filter(|id| world.users.get(id).is_some_and(|user| !user.bot));
    known.or_else(|| world.users.values().find(|user| !user.bot).map(|user| user.id)).unwrap_or(0)
}

async fn state(State(shared): App, Query(params): Params) -> Json<Value> {
    let world = shared.world();
    let me = viewer(&world, &params);
    let people = world.users.values().filter(|user| !user.bot);
    let members: Vec<Value> = people.map(|user| member_json(&world, user)).collect();
    let guilds = world.guilds.values().filter(|guild| guild.members.contains_key(&me));
    let guilds: Vec<Value> = guilds
        .map(|guild| {
            let seen = guild.channels.iter().filter(|id| world.sees(me, **id));
            let seen = seen.filter_map(|id| world.channel(*id));
            let channels: Vec<Value> = seen
                .map(|channel| {
                    let threads = guild.threads.iter().filter_map(|id| world.channel(*id));
                    let under = threads.filter(|thread| thread.parent == Some(channel.id));
                    let mut json = channel.page_json();
                    json["permissions"] = world.permissions(me, channel.id).to_string().into();
                    json["threads"] = under.map(Channel::page_json).collect();
                    json
                })
                .collect();
            json!({"id": guild.id.to_string(), "name": guild.name, "channels": channels,
                "roles": guild.roles.iter().map(Role::json).collect::<Vec<_>>(),
                "bot_present": world.bot_in(guild.id)})
        })
        .collect();
    Json(json!({
        "me": world.user_json(me), "bot": world.user_json(world.bot), "bot_online": world.bot_online(),
        "members": members, "guilds": guilds, "commands": world.all_commands(),
    }))
}

fn member_json(world: &World, user: &User) -> Value {
    let guilds = world.guilds.values().filter(|guild| guild.members.contains_key(&user.id));
    let (mut ids, mut roles, mut manages) = (Vec::new(), Vec::new(), false);
    for guild in guilds {
        ids.push(guild.id.to_string());
        let held = guild.members.get(&user.id).map_or(&[][..], |member| &member.roles);
        roles.extend(held.iter().map(ToString::to_string));
        let manage = bits::MANAGE_GUILD | bits::ADMINISTRATOR;
        manages |= world.server_permissions(user.id, guild.id) & manage != 0;
    }
    json!({"user": user.json(), "guild_ids": ids, "role_ids": roles, "color": user.color,
        "can_manage": manages})
}

async fn channel(
    State(shared): App,
    Path(id): Path<Id>,
    Query(params): Params,
) -> Result<Json<Value>, Refused> {
    let world = shared.world();
    let channel = world.may(viewer(&world, &params), id, 0, "see this channel")?;
    let mut json = channel.page_json();
    if let Some(starter) = channel.parent.and_then(|parent| world.message(parent, id)) {
        json["starter"] = world.message_json(starter, Viewer::Page);
    }
    Ok(Json(json))
}

async fn messages(
    State(shared): App,
    Path(id): Path<Id>,
    Query(params): Params,
) -> Result<Json<Value>, Refused> {
    let world = shared.world();
    let me = viewer(&world, &params);
    let channel = world.may(me, id, 0, "see this channel")?;
    let limit = params.get("limit").and_then(|limit| limit.parse().ok()).unwrap_or(100).min(500);
    let before = params.get("before").and_then(|id| id.parse().ok());
    Ok(Json(world.messages_for(channel, me, limit, before).into()))
}

/// Everything pinned in a channel, the newest pin first.
async fn pins(State(shared): App, Path(id): Path<Id>, Query(params): Params) -> Result<Json<Value>, Refused> {
    let world = shared.world();
    let channel = world.may(viewer(&world, &params), id, bits::READ_MESSAGE_HISTORY, "read this channel")?;
    let found = pinned_before(channel, None).map(|(message, _)| world.message_json(message, Viewer::Page));
    Ok(Json(found.collect()))
}

async fn events(
    State(shared): App,
    Query(params): Params,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let (me, inbox) = {
        let world = shared.world();
        (viewer(&world, &params), world.pages.subscribe())
    };
    let stop = shared.stop.subscribe();
    let stream = stream::unfold((shared, inbox, stop), move |(shared, mut inbox, mut stop)| async move {
        loop {
            let news = tokio::select! {
                news = inbox.recv() => news,
                _ = stop.changed() => return None,
            };
            match news {
                Ok(event) if concerns(&shared, &event, me) => {
                    return Some((Ok(Event::default().data(&event.data)), (shared, inbox, stop)));
                }
                Ok(_) => {}
                // Too far behind: the page connects again and reads everything anew.
                Err(RecvError::Lagged(_) | RecvError::Closed) => return None,
            }
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

fn concerns(shared: &Shared, event: &PageEvent, me: Id) -> bool {
    match event.to {
        Audience::Everyone => true,
        Audience::Member(member) => member == me,
        Audience::Channel(channel) => shared.world().sees(me, channel),
    }
}

/// A form's JSON part, and its files by field name in order.
async fn form(mut form: Multipart) -> Result<(Value, Vec<(String, Upload)>), Refused> {
    let (mut body, mut files) = (Value::Null, Vec::new());
    let broken = |_| Refused("The upload did not arrive whole, or is too large.".to_owned());
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        let filename = field.file_name().unwrap_or("unknown").to_owned();
        let content_type = field.content_type().map(str::to_owned);
        let bytes = field.bytes().await.map_err(broken)?;
        if name == "payload_json" {
            body = serde_json::from_slice(&bytes).map_err(|_| "payload_json is not JSON.".to_owned())?;
        } else {
            files.push((name, Upload { filename, content_type, bytes }));
        }
    }
    Ok((body, files))
}

fn id_of(body: &Value, name: &str) -> Result<Id, Refused> {
    as_id(&body[name]).ok_or_else(|| Refused(format!("{name} is missing.")))
}

/// The member who acts, who must be a person of this world.
fn actor(shared: &Shared, body: &Value) -> Result<Id, Refused> {
    let id = id_of(body, "as")?;
    let person = shared.world().users.get(&id).is_some_and(|user| !user.bot);
    if person { Ok(id) } else { Err(Refused("There is no such member.".to_owned())) }
}

fn interaction(id: Id) -> Json<Value> {
    Json(json!({"interaction_id": id.to_string()}))
}

async fn write(State(shared): App, multipart: Multipart) -> Result<Json<Value>, Refused> {
    let (body, files) = form(multipart).await?;
    let (member, channel) = (actor(&shared, &body)?, id_of(&body, "channel_id")?);
    let writing = Writing {
        content: body["content"].as_str().unwrap_or_default().to_owned(),
        reply_to: as_id(&body["reply_to"]),
        ping: body["ping"].as_bool().unwrap_or(true),
        files: files.into_iter().map(|(_, file)| file).collect(),
    };
    let id = shared.say(member, channel, writing)?;
    let world = shared.world();
    let message = world.message(channel, id).map(|m| world.message_json(m, Viewer::Page));
    Ok(Json(message.unwrap_or_default()))
}

async fn write_post(State(shared): App, Json(body): Json<Value>) -> Result<Json<Value>, Refused> {
    let (member, forum) = (actor(&shared, &body)?, id_of(&body, "channel_id")?);
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    let tags: Vec<Id> = body["tags"].as_array().into_iter().flatten().filter_map(as_id).collect();
    let id = shared.write_post(member, forum, (text("title"), text("content")), &tags)?;
    Ok(Json(shared.world().channel(id).map(Channel::page_json).unwrap_or_default()))
}

async fn command(State(shared): App, multipart: Multipart) -> Result<Json<Value>, Refused> {
    let (body, files) = form(multipart).await?;
    let named =
        files.into_iter().filter_map(|(name, file)| Some((name.strip_prefix("file:")?.to_owned(), file)));
    let (member, channel) = (actor(&shared, &body)?, id_of(&body, "channel_id")?);
    let command = id_of(&body, "command_id")?;
    Ok(interaction(shared.run_command(member, channel, command, &body["options"], named.collect())?))
}

async fn message_command(State(shared): App, Json(body): Json<Value>) -> Result<Json<Value>, Refused> {
    let (member, channel) = (actor(&shared, &body)?, id_of(&body, "channel_id")?);
    let (command, message) = (id_of(&body, "command_id")?, id_of(&body, "message_id")?);
    Ok(interaction(shared.message_command(member, channel, command, message)?))
}

async fn autocomplete(State(shared): App, Json(body): Json<Value>) -> Result<Json<Value>, Refused> {
    let (member, channel) = (actor(&shared, &body)?, id_of(&body, "channel_id")?);
    let id = shared.autocomplete(member, channel, id_of(&body, "command_id")?, &body["options"])?;
    let seen = Client::new(shared.clone()).wait_reply(id).await;
    Ok(Json(json!({"choices": seen.choices})))
}

async fn component(State(shared): App, Json(body): Json<Value>) -> Result<Json<Value>, Refused> {
    let (member, channel) = (actor(&shared, &body)?, id_of(&body, "channel_id")?);
    let message = id_of(&body, "message_id")?;
    let custom_id = body["custom_id"].as_str().unwrap_or_default();
    let values = body["values"].as_array().into_iter().flatten();
    let values: Vec<String> = values.filter_map(|value| value.as_str().map(str::to_owned)).collect();
    Ok(interaction(shared.press(member, channel, message, custom_id, &values)?))
}

async fn modal(State(shared): App, Json(body): Json<Value>) -> Result<Json<Value>, Refused> {
    let (member, opener) = (actor(&shared, &body)?, id_of(&body, "interaction_id")?);
    Ok(interaction(shared.submit(member, opener, &body["components"])?))
}

async fn pin(State(shared): App, Json(body): Json<Value>) -> Result<Json<Value>, Refused> {
    let (member, channel) = (actor(&shared, &body)?, id_of(&body, "channel_id")?);
    let pinned = body["pinned"].as_bool().unwrap_or(true);
    shared.pin(member, channel, id_of(&body, "message_id")?, pinned)?;
    Ok(Json(json!({"pinned": pinned})))
}
