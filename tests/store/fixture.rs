//! A database in a folder of its own, and rows to fill it with.

use std::{path::PathBuf, sync::Arc};

use domain::{
    Caps, ChannelId, GuildId, Home, InteractionId, Money, OpenSessions, Post, PromptVersion, SessionId,
    SessionState, UserId,
};
use quorum::store::{
    AttemptEnd, FromOthers, Inbound, NewAttempt, NewPost, NewSession, Reserve, Settled, Store, StoreOptions,
    Target,
};
use serde_json::json;
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

/// More sessions than any test opens.
pub(super) const MANY: OpenSessions = OpenSessions { of_server: 1_000, of_member: 1_000 };
pub(super) const AT: i64 = 1_790_000_000_000;
pub(super) const DAY: &str = "2026-11-22";
pub(super) const GUILD: GuildId = GuildId(71);
pub(super) const MEMBER: UserId = UserId(31);
pub(super) const RUNNING: &[SessionState] = &[SessionState::Running];
pub(super) const LIVE: &[SessionState] =
    &[SessionState::Running, SessionState::Paused, SessionState::Waiting];
/// For a second process on the same file, which the lock would keep out.
pub(super) const TAKEOVER: StoreOptions =
    StoreOptions { halt_after_commits: None, without_lock: true, space: None };

/// An open database.
pub(super) struct Db {
    pub(super) store: Store,
    pub(super) path: PathBuf,
    pub(super) dir: TempDir,
}

impl Db {
    pub(super) async fn open() -> Self {
        Self::with(StoreOptions::default()).await
    }

    pub(super) async fn with(options: StoreOptions) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("quorum.db");
        let store = Store::open(&path, options, AT).await.unwrap();
        Self { store, path, dir }
    }

    /// Starts session `n`.
    pub(super) async fn start(&self, n: u64) -> SessionId {
        let new = new_session(n);
        let id = new.id.clone();
        self.store.start_session(new, AT).await.unwrap();
        id
    }

    /// Starts session `n` and takes it to `state`.
    pub(super) async fn start_in(&self, n: u64, state: SessionState) -> SessionId {
        let id = self.start(n).await;
        if state != SessionState::Running {
            self.store.move_session(&id, RUNNING, state, None, Vec::new(), AT).await.unwrap();
        }
        id
    }

    /// A connection of the test's own, with the schema's constraints on.
    pub(super) async fn raw(&self) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(&self.path).foreign_keys(true);
        SqliteConnection::connect_with(&options).await.unwrap()
    }

    /// The one number a query gives.
    pub(super) async fn number(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&mut self.raw().await).await.unwrap()
    }

    /// A session's plan, whether or not it is one that could be run.
    pub(super) async fn plan(&self, session: &SessionId) -> serde_json::Value {
        let plan = sqlx::query_scalar("SELECT plan FROM session WHERE id = ?1").bind(session.as_str());
        plan.fetch_one(&mut self.raw().await).await.unwrap()
    }

    /// The keys of a session's posts in the order in which they go out, the live card left out.
    pub(super) async fn posts(&self, session: &SessionId) -> Vec<String> {
        sqlx::query_scalar(
            "SELECT post_key FROM outbox WHERE session_id = ?1 AND target = 'thread' ORDER BY id",
        )
        .bind(session.as_str())
        .fetch_all(&mut self.raw().await)
        .await
        .unwrap()
    }
}

pub(super) fn id(n: u64) -> SessionId {
    SessionId::from_bits(n)
}

pub(super) fn new_session(n: u64) -> NewSession {
    NewSession {
        id: id(n),
        interaction: InteractionId(1_000_000 + n),
        guild: GUILD,
        home: Home::OwnThread { channel: ChannelId(500) },
        starter: MEMBER,
        starter_name: "Ada".to_owned(),
        protocol: domain::Protocol::Mediate,
        title: format!("Question {n}"),
        plan: json!({"problem": n}),
        pictures: Vec::new(),
        prompt_version: PromptVersion("v1".to_owned()),
        prompt_files: Arc::new([("table/rules.md".to_owned(), "Be brief.".to_owned())].into()),
        card: NewPost { target: Target::Channel, ..post(&id(n), "live") },
        sequel: None,
        from_others: FromOthers::default(),
        most_open: MANY,
    }
}

pub(super) fn post(session: &SessionId, key: &str) -> NewPost {
    NewPost {
        key: key.to_owned(),
        part: 0,
        target: Target::Thread,
        reply_to: None,
        post: Post { content: format!("{session}/{key}"), ..Post::default() },
        nonce: format!("{session}/{key}"),
    }
}

pub(super) fn posts(session: &SessionId, keys: &[&str]) -> Vec<NewPost> {
    keys.iter().map(|key| post(session, key)).collect()
}

pub(super) fn caps(calls: i64, tokens: i64, money: i64) -> Caps {
    Caps { calls, tokens, money: Money(money) }
}

/// A worst case of 100 tokens and 50 millionths under caps that nothing here reaches.
pub(super) fn reserve(session: &SessionId) -> Reserve {
    Reserve {
        session: session.clone(),
        guild: GUILD,
        member: MEMBER,
        day: DAY.to_owned(),
        tokens: 100,
        money: Money(50),
        caps: [caps(1_000, 1_000_000, 1_000_000); 3],
        month: None,
    }
}

pub(super) fn attempt(session: &SessionId, key: &str) -> NewAttempt {
    NewAttempt {
        key: key.into(),
        kind: "ask".to_owned(),
        reserve: reserve(session),
        model: "openai/asked".to_owned(),
        prompt_version: PromptVersion("v1".to_owned()),
        request: format!("request {key}"),
        allowed: RUNNING,
    }
}

/// An attempt that answered, using 40 tokens and 7 millionths.
pub(super) fn answered(key: &str, n: i64) -> AttemptEnd {
    AttemptEnd {
        key: key.into(),
        n,
        ok: true,
        sent: true,
        answered: Some("gpt-real".to_owned()),
        reply: Some(format!("reply {key} {n}")),
        problem: None,
        request_id: Some("req-1".to_owned()),
        tokens: Some((10, 20, 10)),
        money: Some(Money(7)),
    }
}

/// An attempt that reached nobody.
pub(super) fn unanswered(key: &str, n: i64) -> AttemptEnd {
    AttemptEnd {
        ok: false,
        answered: None,
        reply: None,
        problem: Some("network: refused".to_owned()),
        request_id: None,
        tokens: Some((0, 0, 0)),
        money: Some(Money(0)),
        ..answered(key, n)
    }
}

pub(super) fn settled(session: &SessionId, key: &str, post_keys: &[&str]) -> Settled {
    Settled {
        key: key.into(),
        kind: "ask".to_owned(),
        failed: false,
        output: json!({"of": key}),
        posts: posts(session, post_keys),
        panel: None,
        allowed: RUNNING,
    }
}

pub(super) fn event(n: u64, kind: &'static str) -> Inbound {
    Inbound { id: n, kind, session: None, by: None, effect: format!("{kind} {n}") }
}
