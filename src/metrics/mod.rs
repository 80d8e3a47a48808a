//! How the bot does, for whoever runs it: `GET /healthz` and `GET /metrics` on a port of 127.0.0.1, where one is set.
//!
//! Invariants: it only reads, and never the writer's way; it names no person, server or text; its numbers come from
//! where they are kept (`Store::tally`, `Llm::asked`, `Discord::requests`, the writer's own times), and nothing is
//! counted here. The database is asked for two short statements, whose work does not grow with what it holds, at most
//! once a second however many ask, and for no longer than two seconds: one that hangs is told as a number
//! (`quorum_database_up 0`) and as a 503. All else is a look at some integers.
//!
//! No crate of the family of `metrics` and `prometheus`: those keep what is counted in a registry that every room would
//! have to be handed, or in one for the whole process, which two bots of a test would share; and half of what stands here
//! is in the database. What is left is the text format, which is `text.rs`. Called by `app`.

mod health;
mod page;
mod text;

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, OnceLock},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::Context as _;
use axum::{
    Router,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    middleware::map_response,
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::{net::TcpListener, sync::Mutex};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    bot::Connections,
    store::{Store, Tally},
};
use discord::Discord;
use models::Llm;

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long an answer of the database is told again.
const FRESH: Duration = Duration::from_secs(1);
/// The version of the text format (prometheus.io, exposition formats).
const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Where the numbers are kept.
pub struct Sources {
    /// The database.
    pub store: Store,
    /// The door to models.
    pub llm: Llm,
    /// The door to Discord.
    pub discord: Discord,
    /// Whether the bot hears anything.
    pub connections: Connections,
    /// Cancelled once the bot is told to stop.
    pub stop: CancellationToken,
}

/// What answers on the port. It ends with this value.
pub struct Watch {
    /// Where it is.
    pub address: SocketAddr,
    watched: Watched,
    _task: AbortOnDropHandle<()>,
}

impl Watch {
    /// Answers on this port of 127.0.0.1 (0: any that is free), at first that the bot is starting.
    pub async fn open(port: u16) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.with_context(|| {
            format!(
                "port {port} of 127.0.0.1, where QUORUM_METRICS_PORT wants /healthz and /metrics, cannot be used. \
                 End what listens there, set another port, or set none"
            )
        })?;
        let address = listener.local_addr()?;
        let watched = Watched(Arc::new(Shared {
            begun: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
            sources: OnceLock::new(),
            kept: Mutex::new(None),
        }));
        let router = Router::new()
            .route("/healthz", get(healthz))
            .route("/metrics", get(metrics))
            .fallback(async || (StatusCode::NOT_FOUND, "Here are /healthz and /metrics.\n"))
            .layer(map_response(hang_up))
            .with_state(watched.clone());
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "/healthz and /metrics are not served any more");
            }
        });
        tracing::info!("http://{address}/healthz and http://{address}/metrics tell how the bot does");
        Ok(Self { address, watched, _task: AbortOnDropHandle::new(task) })
    }

    /// Tells of this bot from here on; a second one is not taken.
    pub fn tell_of(&self, sources: Sources) {
        let _ = self.watched.0.sources.set(sources);
    }
}

#[derive(Clone)]
struct Watched(Arc<Shared>);

struct Shared {
    /// Since 1970.
    begun: Duration,
    /// None while the bot starts.
    sources: OnceLock<Sources>,
    /// What the database said last, and when.
    kept: Mutex<Option<(Instant, Arc<Tally>)>>,
}

impl Shared {
    /// What the database says, or why it does not, for people. Whoever asks meanwhile waits for the same answer.
    async fn tally(&self, store: &Store) -> Result<Arc<Tally>, String> {
        let read = async {
            let mut kept = self.kept.lock().await;
            if let Some((at, tally)) = kept.as_ref().filter(|(at, _)| at.elapsed() < FRESH) {
                return Ok((*at, Arc::clone(tally)));
            }
            let read = (Instant::now(), Arc::new(store.tally().await?));
            Ok(kept.insert(read).clone())
        };
        match tokio::time::timeout(PATIENCE, read).await {
            Ok(read) => {
                read.map(|(_, tally)| tally).map_err(|error: crate::store::StoreError| error.to_string())
            }
            Err(_) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
        }
    }
}

/// A question is a connection, so that those who asked once keep none of the few that the system lets the bot have.
async fn hang_up(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

async fn healthz(State(Watched(watched)): State<Watched>) -> impl IntoResponse {
    let Some(sources) = watched.sources.get() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "the bot is starting\n".to_owned());
    };
    let tally = watched.tally(&sources.store).await;
    let wrong = health::wrong(sources, tally.as_deref());
    if wrong.is_empty() {
        (StatusCode::OK, "ok\n".to_owned())
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, wrong.join("\n") + "\n")
    }
}

async fn metrics(State(Watched(watched)): State<Watched>) -> impl IntoResponse {
    let text = match watched.sources.get() {
        None => page::starting(watched.begun),
        Some(sources) => {
            let tally = watched.tally(&sources.store).await;
            page::whole(watched.begun, sources, tally.as_deref())
        }
    };
    ([(header::CONTENT_TYPE, TEXT_FORMAT)], text)
}
