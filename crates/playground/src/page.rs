//! The HTTP surface: which address goes where, who is let in, the page's files, and attachments.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, Query, Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};

use super::faults::Fault;
use super::snowflake::Id;
use super::wire::Connection;
use super::{Shared, assets, files, gateway, page_api, rest, unsteady};

/// Nothing is loaded from outside, nothing inline runs, nobody frames it.
const POLICY: &str = "default-src 'self'; style-src 'self'; img-src 'self' data: blob:; object-src 'none'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What stands where an attachment was.
const GONE: &str = "This content is no longer available.";

/// Largest upload from the page: ten files of 10 MiB, or two of 50, and a little.
const LARGEST_UPLOAD: usize = 101 * 1024 * 1024;

pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .nest("/page/api", page_api::router())
        .route("/page/{file}", get(|Path(file): Path<String>| async move { static_file(&file) }))
        .route("/", get(|| async { static_file("index.html") }))
        .route("/attachments/{channel}/{id}/{name}", get(attachment))
        .route("/gateway", any(connect))
        .route("/gateway/", any(connect))
        .route(
            "/api/{*path}",
            any(rest::handle).layer(from_fn_with_state(shared.clone(), unsteady::on_the_way)),
        )
        .layer(from_fn_with_state(shared.clone(), guard))
        .layer(DefaultBodyLimit::max(LARGEST_UPLOAD))
        .with_state(shared)
}

/// Refuses other hosts' names and foreign origins, so that no web page elsewhere can reach the stand-in through
/// its visitor's browser.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let port = shared.host.rsplit(':').next().unwrap_or_default();
    let own = [shared.host.clone(), format!("localhost:{port}")];
    let host = text(header::HOST).unwrap_or_default();
    let origin_fits = headers.get(header::ORIGIN).is_none()
        || text(header::ORIGIN).is_some_and(|origin| origin == format!("http://{host}"));
    if !own.iter().any(|name| name == host) || !origin_fits {
        let body = axum::Json(serde_json::json!({"error": "This is only for this computer's own page."}));
        return (StatusCode::FORBIDDEN, body).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn static_file(name: &str) -> Response {
    match assets::find(name) {
        Some(asset) => {
            let headers = [(header::CONTENT_TYPE, asset.media_type()), (header::CACHE_CONTROL, "no-cache")];
            (headers, asset.content).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn connect(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<HashMap<String, String>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    if shared.faults().refuse_connections {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let version = query.get("v").cloned();
    upgrade.on_upgrade(move |socket| gateway::serve(shared, socket, version))
}

/// Hands out an attachment to whoever has its signed address.
async fn attachment(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    Path((channel, id, name)): Path<(String, Id, String)>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let path = format!("/attachments/{channel}/{id}/{name}");
    let fault = shared.faults().take("GET", &path, &serde_json::Value::Null);
    match &fault {
        Some(Fault::Refuse) => return connection.cut(),
        Some(Fault::Limited(_)) => return StatusCode::TOO_MANY_REQUESTS.into_response(),
        Some(Fault::Status(status) | Fault::Refused(status, ..)) => {
            return (StatusCode::from_u16(*status).unwrap_or_default(), GONE).into_response();
        }
        Some(Fault::Instead(text)) => return (*text).into_response(),
        Some(Fault::Stall(time) | Fault::SlowReply(time)) => tokio::time::sleep(*time).await,
        Some(Fault::LoseReply) | None => {}
    }
    let part = |name: &str| query.get(name).map(String::as_str).unwrap_or_default();
    let found = shared.world().files.get(&id).cloned();
    let valid = files::address_valid(&path, part("ex"), part("hm"));
    let Some(bytes) = found.filter(|_| valid) else {
        return (StatusCode::NOT_FOUND, GONE).into_response();
    };
    if fault == Some(Fault::LoseReply) {
        let half = bytes.slice(..bytes.len() / 2);
        let parts = [Ok(half), Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset))];
        return Body::from_stream(futures::stream::iter(parts)).into_response();
    }
    let kind = files::type_of(&name).unwrap_or("application/octet-stream");
    let mut headers = HeaderMap::new();
    // Only images are shown in place: what someone uploaded must not run as a page of this origin.
    let shown = if kind.starts_with("image/") { "inline" } else { "attachment" };
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(shown));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600"));
    (headers, bytes).into_response()
}
