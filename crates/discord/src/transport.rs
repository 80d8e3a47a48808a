//! Sends one request: turns, time-outs, repetitions, and the reading of what came back.

use std::{
    fmt::Display,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::Context;
use bytes::Bytes;
use rand::Rng;
use reqwest::{
    Client, Method, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
    multipart::{Form, Part},
    redirect::Policy,
};
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;
use tokio::time::{Instant, sleep};
use url::Url;

use super::{
    Kind, SendError, Upload,
    clock::Heard,
    counted::Counted,
    error::NOT_ITS_OWN,
    limit::{LONGEST_WAIT, Limiter, Permit, Route, seconds},
    pace::Urgency,
    refusal::Refusals,
};
use domain::{Pace, RestRate, Secret};

/// A request, before it is known when it goes.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) route: Route,
    pub(super) path: String,
    pub(super) query: Vec<(&'static str, String)>,
    pub(super) json: Option<Value>,
    pub(super) uploads: Vec<Upload>,
    /// What the bot most likely lacks if Discord says that it lacks a permission, but not which.
    pub(super) permission: Option<&'static str>,
    /// Doing it twice is the same as doing it once, though it may be a POST.
    pub(super) repeatable: bool,
    /// Authorised by a token in its path, and outside the bot's global limit.
    pub(super) interaction: bool,
    /// What it makes or changes is answered as it stands now, with its number: an answer without one is not Discord's.
    pub(super) numbered: bool,
    /// How urgent it is beside the bot's other requests.
    pub(super) urgency: Urgency,
    /// Of use only within this time.
    pub(super) within: Duration,
    /// Longest wait for Discord's limits here; what takes longer is the caller's to wait for, and to speak of.
    pub(super) patience: Duration,
}

/// Most time for one attempt.
const ATTEMPT: Duration = Duration::from_secs(15);
const CONNECT: Duration = Duration::from_secs(5);

/// Attempts at a request that is answered 429 again and again.
const MOST_LIMITED: u32 = 5;

/// Repetitions of a request that can be repeated without harm.
const MOST_REPEATED: u32 = 3;

impl Request {
    /// `kind` is the path with `{}` for each of its `parts`. Rate limits are kept apart by the channel, server or
    /// application that the first of them names; answers to an interaction, by its token.
    pub(super) fn new(method: Method, kind: &str, parts: &[&dyn Display]) -> Self {
        let mut path = kind.to_owned();
        for part in parts {
            path = path.replacen("{}", &part.to_string(), 1);
        }
        let major = if kind.starts_with("/webhooks") { parts.get(1) } else { parts.first() };
        Self {
            route: Route {
                kind: format!("{method} {kind}"),
                major: major.map(ToString::to_string).unwrap_or_default(),
            },
            path,
            query: Vec::new(),
            json: None,
            uploads: Vec::new(),
            permission: None,
            repeatable: matches!(method, Method::GET | Method::PATCH | Method::PUT),
            interaction: false,
            numbered: false,
            urgency: Urgency::Now,
            within: ATTEMPT,
            patience: LONGEST_WAIT,
            method,
        }
    }
}

/// The connections to one service and the account of its limits.
pub(super) struct Transport {
    client: Client,
    base: Url,
    authorization: HeaderValue,
    limiter: Limiter,
    refusals: Mutex<Refusals>,
    pace: Pace,
    counted: Counted,
    heard: Heard,
}

/// What came back.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Transport {
    pub(super) fn new(base: &Url, token: &Secret, pace: Pace, rate: RestRate) -> anyhow::Result<Self> {
        let mut authorization = HeaderValue::try_from(format!("Bot {}", token.reveal()))
            .map_err(|_| anyhow::anyhow!("the Discord token contains characters that no token has"))?;
        authorization.set_sensitive(true);
        let client = tls::client()
            // Discord asks for this form, with an address and a version; the project has no address yet.
            .user_agent(concat!("DiscordBot (https://quorum.invalid, ", env!("CARGO_PKG_VERSION"), ")"))
            .connect_timeout(CONNECT)
            .tcp_keepalive(Duration::from_secs(30))
            // A redirect would carry the token to wherever it points; Discord's API has none.
            .redirect(Policy::none())
            // Only the room `config` reads the environment.
            .no_proxy()
            .build()
            .context("the HTTP client for Discord cannot be set up")?;
        let base = base.join("/api/v10/").context("the base URL of Discord's API is not an origin")?;
        let (limiter, refusals) = (Limiter::at(rate), Mutex::default());
        Ok(Self {
            client,
            base,
            authorization,
            limiter,
            refusals,
            pace,
            counted: Counted::default(),
            heard: Heard::default(),
        })
    }

    pub(super) fn counted(&self) -> &Counted {
        &self.counted
    }

    pub(super) fn heard(&self) -> &Heard {
        &self.heard
    }

    pub(super) fn base(&self) -> &Url {
        &self.base
    }

    /// Sends and reads the answer.
    pub(super) async fn send<T: DeserializeOwned>(&self, request: Request) -> Result<T, SendError> {
        let kind = request.route.kind.clone();
        let body = self.deliver(request).await?;
        serde_json::from_slice(&body).map_err(|error| {
            // It was accepted: what it should have done is done.
            SendError::new(Kind::Transient, format!("the answer to {kind} cannot be read: {error}"))
        })
    }

    /// Sends; what an answer of success says does not matter.
    pub(super) async fn send_only(&self, request: Request) -> Result<(), SendError> {
        self.deliver(request).await.map(drop)
    }

    /// The same in a turn that was waited for.
    pub(super) async fn send_only_in(&self, turn: Permit<'_>, request: Request) -> Result<(), SendError> {
        self.deliver_in(Some(turn), request).await.map(drop)
    }

    /// Waits for a request's turn.
    pub(super) async fn turn(&self, request: &Request) -> Result<Permit<'_>, SendError> {
        // Whoever pressed a button is answered whatever was refused of other things: one interaction is one
        // request or two, and cannot be what goes wrong again and again.
        if !request.interaction {
            self.refusals.lock().unwrap_or_else(PoisonError::into_inner).check(Instant::now())?;
        }
        let _waits = self.counted.waits();
        let shared = (!request.interaction).then_some(request.urgency);
        self.limiter.turn(request.route.clone(), shared, request.patience).await
    }

    /// Whether such a request could go now without that another one has to wait for it.
    pub(super) fn can_spare(&self, request: &Request) -> bool {
        self.limiter.can_spare(&request.route)
    }

    async fn deliver(&self, request: Request) -> Result<Bytes, SendError> {
        self.deliver_in(None, request).await
    }

    async fn deliver_in(&self, mut turn: Option<Permit<'_>>, request: Request) -> Result<Bytes, SendError> {
        let (mut limited, mut repeated) = (0, 0);
        loop {
            let mut permit = match turn.take() {
                Some(turn) => turn,
                None => self.turn(&request).await?,
            };
            let attempted = self.attempt(&request).await;
            self.counted.ended(attempted.as_ref().ok().map(|answer| answer.status));
            let error = match attempted {
                Ok(answer) => {
                    permit.answered(&answer.headers);
                    self.heard.answered(&answer.headers);
                    match answer.status.is_success() {
                        true if is_discords(&answer.body, request.numbered) => return Ok(answer.body),
                        // It may be done all the same: a proxy can lose the answer as well as the request.
                        true => SendError::new(
                            Kind::Transient,
                            format!("HTTP {}: {NOT_ITS_OWN}", answer.status.as_u16()),
                        ),
                        false => self.refused(&request, &permit, &answer, limited),
                    }
                }
                Err(error) => error,
            };
            drop(permit);
            tracing::debug!(request = request.route.kind, %error, "Discord did not do it");
            match error.kind {
                // The limiter holds the next turn back for as long as Discord said.
                Kind::RateLimited if error.retry_after.is_some_and(|wait| wait <= request.patience) => {
                    limited += 1;
                    if limited >= MOST_LIMITED {
                        return Err(error);
                    }
                }
                Kind::Transient if request.repeatable && repeated < MOST_REPEATED => {
                    let pause = Duration::from_millis(250) * 2_u32.pow(repeated);
                    let pause = pause.mul_f64(rand::rng().random_range(0.5..1.0));
                    sleep(self.pace.of(pause)).await;
                    repeated += 1;
                }
                _ => return Err(error),
            }
        }
    }

    async fn attempt(&self, request: &Request) -> Result<Answer, SendError> {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(request.path.trim_start_matches('/').split('/'));
        }
        let mut builder = self.client.request(request.method.clone(), url).timeout(request.within);
        if !request.query.is_empty() {
            builder = builder.query(&request.query);
        }
        if !request.interaction {
            builder = builder.header(AUTHORIZATION, self.authorization.clone());
        }
        builder = match &request.json {
            Some(json) if !request.uploads.is_empty() => builder.multipart(form(json, &request.uploads)?),
            Some(json) => builder.header(CONTENT_TYPE, "application/json").body(json.to_string()),
            // Discord wants a length also where there is nothing.
            None if request.method != Method::GET => builder.body(""),
            None => builder,
        };
        let response = builder.send().await.map_err(|error| broken(&request.route, error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        match response.bytes().await {
            Ok(body) => Ok(Answer { status, headers, body }),
            // Without its explanation nobody knows who refused it.
            Err(_) if status.is_client_error() => Ok(Answer { status, headers, body: Bytes::new() }),
            Err(error) => Err(broken(&request.route, error)),
        }
    }

    /// Reads a refusal and closes what it closes.
    fn refused(&self, request: &Request, permit: &Permit<'_>, answer: &Answer, limited: u32) -> SendError {
        let header =
            |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
        let scope = header("x-ratelimit-scope");
        let mut error = SendError::read(answer.status.as_u16(), &answer.body, request.permission);
        // An old message is nobody's fault, is let be after one refusal, and must not close the brake for all servers.
        let counts = scope != Some("shared") && error.kind != Kind::TooOldToEdit;
        if matches!(answer.status.as_u16(), 401 | 403 | 429) && counts {
            self.refusals.lock().unwrap_or_else(PoisonError::into_inner).add(Instant::now());
        }
        if error.kind != Kind::RateLimited {
            return error;
        }
        let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let said = body.as_ref().and_then(|body| body["retry_after"].as_f64());
        let number = |name| header(name).and_then(|text| text.parse().ok());
        let wait = said
            .and_then(seconds)
            .or_else(|| number("retry-after").and_then(seconds))
            .or_else(|| number("x-ratelimit-reset-after").and_then(seconds))
            .unwrap_or_else(|| Duration::from_secs(1) * 2_u32.pow(limited));
        // An answer that is not Discord's own JSON is from the network before it and means everything.
        let global = scope == Some("global")
            || header("x-ratelimit-global").is_some_and(|flag| flag.eq_ignore_ascii_case("true"))
            || body.is_none_or(|body| body["global"] == true);
        if global && !request.interaction {
            self.limiter.block_everything(wait);
        } else {
            permit.block(wait);
        }
        tracing::warn!(request = request.route.kind, ?wait, scope, "Discord asks to wait");
        error.retry_after = Some(wait);
        error
    }
}

/// Whether an answer of success can be Discord's: it is JSON or nothing at all (documentation, reference: HTTP API), and of
/// what has a number, it has that. A page of whatever stands before Discord is not, whatever its status.
fn is_discords(body: &[u8], numbered: bool) -> bool {
    if numbered {
        return serde_json::from_slice::<Numbered>(body).is_ok();
    }
    body.is_empty() || serde_json::from_slice::<IgnoredAny>(body).is_ok()
}

/// What has a number, as far as it matters here.
#[derive(Deserialize)]
struct Numbered {
    #[serde(rename = "id")]
    _id: String,
}

/// `payload_json` and the files, as multipart (documentation, reference: uploading files).
fn form(json: &Value, uploads: &[Upload]) -> Result<Form, SendError> {
    let typed = |part: Part, mime: &str| {
        part.mime_str(mime)
            .map_err(|_| SendError::new(Kind::Invalid, format!("{mime:?} is not a media type")))
    };
    let mut form = Form::new().part("payload_json", typed(Part::text(json.to_string()), "application/json")?);
    for (at, upload) in uploads.iter().enumerate() {
        let length = upload.bytes.len() as u64;
        let part = Part::stream_with_length(upload.bytes.clone(), length).file_name(upload.name.clone());
        form = form.part(format!("files[{at}]"), typed(part, &upload.mime)?);
    }
    Ok(form)
}

/// A request that got no answer. The URL is left out: an interaction's token stands in it.
fn broken(route: &Route, error: reqwest::Error) -> SendError {
    let what = if error.is_timeout() {
        "timed out"
    } else if error.is_connect() {
        "could not connect"
    } else {
        "broke off"
    };
    let error = error.without_url();
    let cause = std::error::Error::source(&error).map(|cause| format!(" ({cause})")).unwrap_or_default();
    SendError::new(Kind::Transient, format!("{} {what}: {error}{cause}", route.kind))
}
