//! The REST API, version 10: authentication, faults, rate limits, then the route itself.

mod commands;
mod forums;
mod interactions;
mod messages;
mod pins;
mod refusal;
mod route;
mod threads;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, FromRequest, Multipart, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use serde_json::{Value, json};

use super::Shared;
use super::draft::may_ping;
use super::faults::{Fault, Limited};
use super::files::Upload;
use super::mentions::Unless;
use super::ratelimit::{Verdict, limit_of};
use super::record;
use super::snowflake::{Id, now_ms};
use super::validate::{self, Check};
use super::wire::Connection;

use refusal::{Answer, Refusal, Reply};

pub(super) use messages::write_permission;

/// Largest request, in bytes (Discord, "Uploading Files").
const LARGEST_REQUEST: usize = 25 * 1024 * 1024;

/// A request taken apart.
struct Call {
    shared: Arc<Shared>,
    method: String,
    path: String,
    query: HashMap<String, String>,
    body: Value,
    files: Vec<(u64, Upload)>,
}

impl Call {
    fn violation(&self, sentence: &str) {
        self.shared.record().violation(format!("{} {}: {sentence}", self.method, self.path));
    }

    /// Turns what was found wrong into a refusal, and notes unknown properties.
    fn checked(&self, check: &Check) -> Result<(), Refusal> {
        if !check.unknown.is_empty() {
            let names: BTreeSet<&String> = check.unknown.iter().collect();
            self.violation(&format!("unknown properties {names:?}"));
        }
        if check.ok() {
            return Ok(());
        }
        self.violation(&check.line());
        Err(Refusal::invalid(check))
    }

    /// Checks the body as a message's.
    fn check_body(&self, place: validate::Body, kept: &[(Id, String)]) -> Result<(), Refusal> {
        self.check_message(place, &self.body, kept)
    }

    /// Checks a part of the body as a message's.
    fn check_message(
        &self,
        place: validate::Body,
        message: &Value,
        kept: &[(Id, String)],
    ) -> Result<(), Refusal> {
        let mut check = Check::default();
        validate::body(&mut check, place, message, &self.files, kept);
        if self.files.iter().any(|(_, file)| file.bytes.len() > super::files::LARGEST) {
            self.violation("a file is larger than 10 MiB");
            return Err(Refusal::new(413, 40005, "Request entity too large"));
        }
        self.checked(&check)
    }

    /// Notes a body whose text could ping somebody whom the bot does not name.
    fn check_pings(&self, body: &Value, text: &str, unless: Unless) {
        if let Some(sentence) = may_ping(body, text, unless) {
            self.violation(&sentence);
        }
    }

    /// How many rows are asked for, at most `most` and 50 where nothing is said.
    fn limit(&self, most: usize) -> Result<usize, Refusal> {
        match self.query.get("limit").map(|limit| limit.parse()) {
            None => Ok(50),
            Some(Ok(limit)) if (1..=most).contains(&limit) => Ok(limit),
            Some(_) => {
                let message = format!("int value should be between 1 and {most}.");
                Err(Refusal::form("limit", "NUMBER_TYPE_RANGE", &message))
            }
        }
    }
}

/// Answers every request under `/api`.
pub(super) async fn handle(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    request: Request,
) -> Response {
    let method = request.method().as_str().to_owned();
    let uri = request.uri().clone();
    let path = uri.path().strip_prefix("/api/v10").unwrap_or(uri.path()).to_owned();
    let query = Query::try_from_uri(&uri).map(|Query(query)| query).unwrap_or_default();
    let headers = request.headers().clone();
    let at_ms = now_ms();
    let read = read(request, &shared).await;
    let body = read.as_ref().map_or(&Value::Null, |(body, _)| body);
    let fault = shared.faults().take(&method, &path, body);
    match &fault {
        Some(Fault::Refuse) => return connection.cut(),
        Some(Fault::Stall(time)) => tokio::time::sleep(*time).await,
        _ => {}
    }
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let route = route::of(&method, &parts);
    let bucket = route.as_ref().map_or_else(String::new, |route| route.bucket.clone());
    let kept_body = match &read {
        Ok((body, _)) if shared.options.keep_bodies => Some(body.clone()),
        _ => None,
    };
    let note = |status: u16, shared: &Shared| {
        shared.record().request(record::Request {
            at_ms,
            method: method.clone(),
            path: path.clone(),
            bucket: bucket.clone(),
            status,
            body: kept_body.clone(),
        });
    };
    match &fault {
        Some(Fault::Limited(limited)) => {
            note(429, &shared);
            return too_many(limited, None);
        }
        Some(Fault::Status(status)) => {
            note(*status, &shared);
            return html(*status);
        }
        Some(Fault::Refused(status, code, message)) => {
            note(*status, &shared);
            let body = Refusal::new(*status, *code, message).json().to_string();
            return respond(*status, Some(body), "application/json");
        }
        _ => {}
    }
    let mut verdict = None;
    let underway = shared.underway();
    let answer = match (route, read) {
        (None, _) => Err(Refusal::new(404, 0, "404: Not Found")),
        (Some(_), Err(refusal)) => Err(refusal),
        (Some(route), Ok((body, files))) => {
            let exempt = route.interaction;
            if shared.options.rate_limits && !(exempt && route.template.starts_with("interactions")) {
                let limit = limit_of(&method, route.template);
                let taken = shared.limits().take(&route.bucket, limit, exempt, Instant::now());
                if !taken.allowed {
                    note(429, &shared);
                    return refused(&taken, &route.bucket);
                }
                if method == "PATCH" && route.template == "channels/{c}" && body["name"].is_string() {
                    let renames = format!("rename {}", route.bucket);
                    let taken =
                        shared.limits().take(&renames, super::ratelimit::RENAMES, true, Instant::now());
                    if !taken.allowed {
                        note(429, &shared);
                        let retry_after = taken.reset_after.as_secs_f64();
                        return too_many(&Limited { retry_after, ..Limited::default() }, None);
                    }
                }
                verdict = Some((taken, route.bucket));
            }
            let mut call = Call {
                shared: shared.clone(),
                method: method.clone(),
                path: path.clone(),
                query,
                body,
                files,
            };
            match allowed(&call, &headers, exempt) {
                Ok(()) => perform(&mut call, &parts),
                Err(refusal) => Err(refusal),
            }
        }
    };
    let (status, body) = match answer {
        Ok(Reply { status, body }) => (status, body),
        Err(refusal) => {
            if refusal.breaks_a_rule() && refusal.errors.is_none() {
                shared.record().violation(format!("{method} {path}: {} {}", refusal.status, refusal.message));
            }
            (refusal.status, Some(refusal.json()))
        }
    };
    let lost = fault == Some(Fault::LoseReply);
    note(if lost { 0 } else { status }, &shared);
    drop(underway);
    if method != "GET" {
        super::persist::settled(&shared).await;
    }
    if lost {
        return connection.cut();
    }
    if let Some(Fault::SlowReply(time)) = fault {
        tokio::time::sleep(time).await;
    }
    if let Some(Fault::Instead(text)) = fault {
        return respond(200, Some(text.to_owned()), "text/html; charset=UTF-8");
    }
    let mut response = respond(status, body.map(|body| body.to_string()), "application/json");
    if let Some((verdict, bucket)) = verdict {
        limit_headers(response.headers_mut(), &verdict, &bucket);
    }
    response
}

/// Refuses a request without the bot's token, and notes one without the `User-Agent` that Discord asks for.
fn allowed(call: &Call, headers: &HeaderMap, interaction: bool) -> Result<(), Refusal> {
    let text = |name: header::HeaderName| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default();
    if !text(header::USER_AGENT).starts_with("DiscordBot (") {
        call.violation("the User-Agent is not of the form \"DiscordBot (url, version)\"");
    }
    let open = interaction || call.path == "/gateway";
    let token = text(header::AUTHORIZATION).strip_prefix("Bot ").unwrap_or_default();
    if open || token == call.shared.options.token {
        return Ok(());
    }
    // That of a stand-in is no secret, and says which one's bot is here.
    if let Some((_, whose)) = token.split_once(".playgr.") {
        call.violation(&format!("it has the token of another stand-in ({whose})"));
    }
    Err(Refusal::new(401, 0, "401: Unauthorized"))
}

fn perform(call: &mut Call, parts: &[&str]) -> Answer {
    let method = call.method.clone();
    let id = |text: &str| {
        text.parse::<Id>().map_err(|_| Refusal::form("id", "NUMBER_TYPE_COERCE", "Value is not snowflake."))
    };
    match (method.as_str(), parts) {
        ("GET", ["gateway"]) => Reply::ok(json!({"url": call.shared.gateway_url()})),
        ("GET", ["gateway", "bot"]) => {
            let (remaining, reset_after) = call.shared.faults().starts_left.unwrap_or((999, 14_400_000));
            Reply::ok(json!({
                "url": call.shared.gateway_url(), "shards": call.shared.options.shards,
                "session_start_limit": {"total": 1000, "remaining": remaining, "reset_after": reset_after,
                    "max_concurrency": 1},
            }))
        }
        ("GET", ["users", "@me"]) => commands::me(call),
        ("GET", ["oauth2", "applications", "@me"] | ["applications", "@me"]) => commands::application(call),
        ("GET", ["applications", _, "commands"]) => commands::list(call, 0),
        ("PUT", ["applications", _, "commands"]) => commands::replace(call, 0),
        ("GET", ["applications", _, "guilds", guild, "commands"]) => commands::list(call, id(guild)?),
        ("PUT", ["applications", _, "guilds", guild, "commands"]) => commands::replace(call, id(guild)?),
        ("GET", ["guilds", guild]) => commands::get_guild(call, id(guild)?),
        ("GET", ["guilds", guild, "members", user]) => commands::get_member(call, id(guild)?, id(user)?),
        ("GET", ["guilds", guild, "threads", "active"]) => threads::active(call, id(guild)?),
        ("GET", ["channels", channel]) => threads::get_channel(call, id(channel)?),
        ("PATCH", ["channels", channel]) => threads::change_channel(call, id(channel)?),
        ("GET", ["channels", channel, "messages"]) => messages::list(call, id(channel)?),
        ("POST", ["channels", channel, "messages"]) => messages::create(call, id(channel)?),
        ("GET", ["channels", channel, "messages", "pins"]) => pins::list(call, id(channel)?),
        (
            "PUT" | "DELETE",
            ["channels", channel, "messages", "pins", message] | ["channels", channel, "pins", message],
        ) => pins::set(call, id(channel)?, id(message)?, method == "PUT"),
        ("GET", ["channels", channel, "messages", message]) => {
            messages::get(call, id(channel)?, id(message)?)
        }
        ("PATCH", ["channels", channel, "messages", message]) => {
            messages::edit(call, id(channel)?, id(message)?)
        }
        ("POST", ["channels", channel, "messages", message, "threads"]) => {
            threads::start_from_message(call, id(channel)?, id(message)?)
        }
        ("POST", ["channels", channel, "threads"]) => forums::create(call, id(channel)?),
        ("GET", ["channels", channel, "threads", "archived", "public"]) => {
            forums::archived(call, id(channel)?)
        }
        ("POST", ["channels", channel, "typing"]) => messages::typing(call, id(channel)?),
        ("POST", ["interactions", interaction, token, "callback"]) => {
            interactions::callback(call, id(interaction)?, token)
        }
        ("POST", ["webhooks", application, token]) => interactions::follow_up(call, application, token),
        ("GET" | "PATCH", ["webhooks", application, token, "messages", which]) => {
            interactions::webhook_message(call, application, token, which)
        }
        _ => Err(Refusal::new(405, 0, "405: Method Not Allowed")),
    }
}

/// Reads the body: JSON, or multipart with `payload_json` and `files[n]`.
async fn read(request: Request, shared: &Shared) -> Result<(Value, Vec<(u64, Upload)>), Refusal> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    if kind.starts_with("multipart/form-data") {
        let mut form = Multipart::from_request(request, &()).await.map_err(|_| not_json())?;
        return multipart(&mut form).await;
    }
    let bytes = to_bytes(request.into_body(), LARGEST_REQUEST).await.map_err(|_| {
        shared.record().violation("a request is larger than 25 MiB".to_owned());
        Refusal::new(413, 40005, "Request entity too large")
    })?;
    if bytes.is_empty() {
        return Ok((Value::Null, Vec::new()));
    }
    Ok((serde_json::from_slice(&bytes).map_err(|_| not_json())?, Vec::new()))
}

async fn multipart(form: &mut Multipart) -> Result<(Value, Vec<(u64, Upload)>), Refusal> {
    let (mut body, mut files) = (Value::Null, Vec::new());
    while let Some(field) = form.next_field().await.map_err(|_| not_json())? {
        let name = field.name().unwrap_or_default().to_owned();
        let filename = field.file_name().unwrap_or("unknown").to_owned();
        let content_type = field.content_type().map(str::to_owned);
        let bytes = field.bytes().await.map_err(|_| Refusal::new(413, 40005, "Request entity too large"))?;
        if name == "payload_json" {
            body = serde_json::from_slice(&bytes).map_err(|_| not_json())?;
            continue;
        }
        let number = name.strip_prefix("files[").and_then(|rest| rest.strip_suffix(']'));
        if let Some(number) = number.and_then(|n| n.parse().ok()) {
            files.push((number, Upload { filename, content_type, bytes }));
        }
    }
    // In a callback the attachments are named inside `data`; elsewhere at the top.
    Ok((body, files))
}

fn not_json() -> Refusal {
    Refusal::new(400, 50109, "The request body contains invalid JSON.")
}

fn respond(status: u16, body: Option<String>, content_type: &'static str) -> Response {
    let mut response = Response::new(body.map_or_else(Body::empty, Body::from));
    *response.status_mut() = axum::http::StatusCode::from_u16(status).unwrap_or_default();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn html(status: u16) -> Response {
    let page =
        format!("<html><head><title>{status}</title></head><body><h1>{status}</h1>cloudflare</body></html>");
    respond(status, Some(page), "text/html; charset=UTF-8")
}

fn set(headers: &mut HeaderMap, name: &'static str, value: impl std::fmt::Display) {
    if let Ok(value) = HeaderValue::from_str(&value.to_string()) {
        headers.insert(name, value);
    }
}

fn limit_headers(headers: &mut HeaderMap, verdict: &Verdict, bucket: &str) {
    let reset = Duration::from_millis(now_ms()) + verdict.reset_after;
    set(headers, "x-ratelimit-limit", verdict.limit.count);
    set(headers, "x-ratelimit-remaining", verdict.remaining);
    set(headers, "x-ratelimit-reset", format!("{:.3}", reset.as_secs_f64()));
    set(headers, "x-ratelimit-reset-after", format!("{:.3}", verdict.reset_after.as_secs_f64()));
    // The bucket's name is that of the route, the same for every channel.
    let route = bucket.rsplit_once(' ').map_or(bucket, |(route, _)| route);
    let hash = route.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    set(headers, "x-ratelimit-bucket", format!("{hash:016x}"));
}

fn refused(verdict: &Verdict, bucket: &str) -> Response {
    let limited = Limited {
        retry_after: (verdict.reset_after.as_secs_f64() * 1000.0).ceil() / 1000.0,
        scope: if verdict.global { "global" } else { "user" },
        ..Limited::default()
    };
    too_many(&limited, Some((verdict, bucket)))
}

fn too_many(limited: &Limited, verdict: Option<(&Verdict, &str)>) -> Response {
    let global = limited.scope == "global";
    let body = json!({"message": "You are being rate limited.", "retry_after": limited.retry_after,
        "global": global});
    let body = if limited.junk { "<html>error 1015</html>".to_owned() } else { body.to_string() };
    let mut response = respond(429, Some(body), if limited.junk { "text/html" } else { "application/json" });
    let headers = response.headers_mut();
    if limited.without_headers {
        return response;
    }
    if limited.junk {
        set(headers, "retry-after", "soon");
        set(headers, "x-ratelimit-reset-after", "NaN");
        return response;
    }
    set(headers, "retry-after", limited.retry_after.ceil());
    set(headers, "x-ratelimit-scope", limited.scope);
    if global {
        set(headers, "x-ratelimit-global", true);
    } else if let Some((verdict, bucket)) = verdict {
        limit_headers(headers, verdict, bucket);
    } else {
        set(headers, "x-ratelimit-reset-after", limited.retry_after);
    }
    response
}
