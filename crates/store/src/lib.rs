//! The journal and everything else that must outlive the process: one `SQLite` file, a Rust file for each
//! aggregate, SQL inline.
//!
//! Invariants: there is one writer, each of its transactions is on the disk (`synchronous=FULL`) before
//! anybody is told of it, tried again while the disk does not take it, and refused once another process has taken the
//! database over. What must
//! never happen twice is a unique key; what must never be exceeded is a check. Called by `steps`, `session`
//! and `app`; nobody else sees SQL.

mod account;
mod added;
mod attempt;
mod ballot;
mod bell;
mod brought;
mod came_out;
mod card;
mod caught;
mod decision;
mod degraded;
mod elsewhere;
mod erasure;
mod evidence;
mod former;
mod inbound;
mod journal;
mod known_posts;
mod lease;
mod lesson;
mod note;
mod open;
mod opening;
mod outbox;
mod outside;
mod panel;
mod part;
mod participant;
mod pause;
mod pending_reply;
mod privacy;
mod private;
mod prune;
mod question;
mod quota;
mod quotations;
mod readable;
mod readers;
mod retention;
mod row;
mod script;
mod searchable;
mod sequel;
mod session;
mod settings;
mod solution;
mod sound;
mod space;
mod standing;
mod statement;
mod tally;
mod thread_name;
mod timing;
mod trace;
mod transaction;
mod triage;
mod trust;
mod version;
mod vote;
mod vote_end;
mod wait;
mod writer;

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use sqlx::{
    Connection as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteSynchronous},
};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use readers::Readers;

use crate::statement::sql;
use domain::{ColumnError, SessionId, SettingError, WholeBot};

pub use account::{AccountScope, BudgetRefusal, Reserve, Short};
pub use attempt::{AskedSoFar, AttemptEnd, AttemptRow, NewAttempt};
pub use ballot::{Cast, NewBallot};
pub use bell::MOST_TOLD;
pub use brought::Brought;
pub use card::{CardAt, OnCard, next_card};
pub use caught::{Panicked, caught};
pub use decision::{DecisionRow, NewDecision, Pin, Unpinned};
pub use elsewhere::Elsewhere;
pub use erasure::{Erased, Erasure, PLACES, Place};
pub use evidence::{TOO_LATE, TakenIn};
pub use inbound::Inbound;
pub use journal::{NewPanel, PanelEffect, Settled, StepRow, StepState};
pub use known_posts::{KnownPosts, OpenThread};
pub use lesson::KeptLesson;
pub use opening::Opening;
pub use outbox::{NewPost, OutboxRow, Target, ThreadPost};
pub use outside::Outside;
pub use panel::{PanelMessage, PanelRow};
pub use participant::MOST_ADDED;
pub use pause::{PAUSED_BY_MODERATOR, Pause};
pub use pending_reply::PendingReply;
pub use question::QuestionRow;
pub use quota::{OpenSession, Quota, Starts};
pub use searchable::{FoundRow, STILL_ASKED, SearchText};
pub use sequel::{NewSequel, sequel_key};
pub use session::{NewSession, SessionRow};
pub use settings::NewSettings;
pub use solution::NewSolution;
pub use space::Space;
pub use standing::Standing;
pub use tally::{Charged, Tally};
pub use thread_name::ThreadName;
pub use timing::CommitTimes;
pub use trace::{FromOthers, Quoted};
pub use triage::CallTimes;
pub use vote::{NewVote, VoteRefusal, VoteRow};
pub use vote_end::Closing;
pub use wait::{Asked, NewDraft, NewWait, WaitRow, answer_kind};
pub use writer::Ahead;

/// What can go wrong, as far as a caller does something about it.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file was found to be damaged while it was in use; the log says how.
    #[error("the database is damaged. Restore a backup, or move the file away to start afresh")]
    Damaged,
    /// Another process has taken the database over; this one has to stop.
    #[error("another Quorum process has taken over this database")]
    Superseded,
    /// The session is not in a state in which this may happen.
    #[error("the session is {0}")]
    NotRunning(String),
    /// A budget would be exceeded.
    #[error(transparent)]
    Budget(#[from] BudgetRefusal),
    /// A vote does not take it.
    #[error(transparent)]
    Vote(#[from] VoteRefusal),
    /// What somebody confirms was edited since they read it.
    #[error("it was edited since it was read")]
    Reread,
    /// It would be too much; the sentence is for people.
    #[error(transparent)]
    Quota(#[from] Quota),
    /// Settings cannot be changed so; the sentence is for people.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Another session takes up already what this one was to go on with, or is in its thread.
    #[error("session {0} was there before")]
    TakenUp(SessionId),
    /// The event was applied before; this is what was said then.
    #[error("this event was applied before")]
    Duplicate(String),
    /// There is no such row.
    #[error("no such {0}")]
    Missing(&'static str),
    /// A row that cannot be read back.
    #[error("a stored value cannot be read: {0}")]
    Corrupt(String),
    /// A session of a protocol that this version does not know.
    #[error("the protocol {0} is not known to this version")]
    UnknownProtocol(String),
    /// The disk takes nothing now: the file is locked from outside, there is no room, or it cannot be read or
    /// written. It may pass.
    #[error("the disk does not take it: {0}")]
    Disk(String),
    /// The database itself.
    #[error(transparent)]
    Database(sqlx::Error),
    /// The transaction could not be kept; nothing of it was.
    #[error("the database refused a transaction: {0}")]
    Failed(String),
    /// What was to be written, or read, panicked; nothing of it was kept.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// The writer has stopped.
    #[error("nothing can be written to the database any more")]
    Closed,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            // What a column's type says of its value, else what sqlx says.
            sqlx::Error::ColumnDecode { index, source } => {
                match source.downcast::<ColumnError>().map(|told| *told) {
                    Ok(ColumnError::UnknownProtocol(protocol)) => Self::UnknownProtocol(protocol),
                    Ok(unreadable) => Self::Corrupt(unreadable.to_string()),
                    Err(source) => Self::Corrupt(format!("{index}: {source}")),
                }
            }
            other if passes(&other) => Self::Disk(other.to_string()),
            other => Self::Database(other),
        }
    }
}

/// Whether the same may go well once the disk is as it should be: `SQLITE_BUSY` (5), `SQLITE_LOCKED` (6),
/// `SQLITE_IOERR` (10), `SQLITE_FULL` (13), `SQLITE_CANTOPEN` (14), by sqlite.org/rescode.html.
fn passes(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Io(_)) || matches!(primary_code(error), Some(5 | 6 | 10 | 13 | 14))
}

/// `SQLite`'s code for an error, without what it adds to tell its kinds apart.
fn primary_code(error: &sqlx::Error) -> Option<i64> {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code)?;
    Some(code.parse::<i64>().ok()? & 0xff)
}

impl StoreError {
    /// The same for the next who is told of it: what ends a run in peace stays what it is, all else is a transaction that
    /// was not kept.
    #[must_use]
    pub fn again(&self) -> Self {
        match self {
            Self::NotRunning(state) => Self::NotRunning(state.clone()),
            Self::Superseded => Self::Superseded,
            other => Self::Failed(other.to_string()),
        }
    }

    /// Whether the same may go well when it is tried again.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Disk(_) | Self::Database(_) | Self::Failed(_) | Self::Panicked(_))
    }
}

/// How long a start waits for another program that has the database locked, such as a backup.
const LOCKED_LONGEST: Duration = Duration::from_mins(1);

/// Why the database cannot be opened; each says what to do.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Somebody has it.
    #[error(
        "another Quorum process is using {0}. Stop it first, or choose another database with DATABASE_URL."
    )]
    InUse(PathBuf),
    /// Another program, which is no Quorum, has it locked.
    #[error(
        "another program has had the database {0} locked for over a minute (a backup, or somebody's SQLite shell). End that program, then start again."
    )]
    Locked(PathBuf),
    /// Cannot be created or written.
    #[error(
        "cannot write the database {path}: {problem}. Check the folder and its permissions, or set DATABASE_URL."
    )]
    Unwritable {
        /// The database's path.
        path: PathBuf,
        /// What the system said.
        problem: String,
    },
    /// Written by a later Quorum.
    #[error(
        "{0} was written by a newer version of Quorum. Start that version, or restore a backup made before the upgrade."
    )]
    Newer(PathBuf),
    /// Damaged or not a database.
    #[error(
        "{path} cannot be used as Quorum's database: {problem}. Restore a backup, or move the file away to start afresh."
    )]
    Damaged {
        /// The database's path.
        path: PathBuf,
        /// What `SQLite` said.
        problem: String,
    },
}

impl OpenError {
    /// Of a file that is no database of Quorum's.
    fn foreign(path: &Path) -> Self {
        Self::Damaged { path: path.to_owned(), problem: "it is another program's".to_owned() }
    }
}

/// The database: cheap to clone, one writer behind it, readers apart.
#[derive(Clone)]
pub struct Store {
    writer: writer::Writer,
    readers: Readers,
    epoch: i64,
    path: Arc<Path>,
    /// Cancelled once the file is found to be damaged.
    damaged: CancellationToken,
    /// Servers that another process serves, and their sessions; not set: there are none.
    elsewhere: Arc<OnceLock<elsewhere::LetBe>>,
    /// What all servers may use together; not set: as much as each of them may.
    whole: Arc<OnceLock<WholeBot>>,
    /// What cannot be read.
    unreadable: readable::Unreadable,
    /// What the disk has, where it is not asked.
    given_space: Option<Space>,
    _lock: Arc<Option<File>>,
}

/// How a store is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreOptions {
    /// For tests of recovery: after this many commits the writer stands still for ever, as if the process had
    /// been killed at that instant.
    pub halt_after_commits: Option<u64>,
    /// For tests of the lease: do not take the lock file that keeps a second process of this machine out.
    pub without_lock: bool,
    /// For tests of a disk that runs low: what it has.
    pub space: Option<Space>,
}

/// What each connection that reads keeps of the file, in KiB where it is negative (sqlite.org/pragma.html). It is a quarter of
/// what is usual: with each commit SQLite throws it away, and the system keeps the file's pages once for all of them.
const READERS_CACHE: &str = "-512";

impl Store {
    /// Opens the file, creating it if need be, brings it up to date and takes it over: writes of an earlier
    /// holder are refused from here on.
    pub async fn open(path: &Path, options: StoreOptions, now_ms: i64) -> Result<Self, OpenError> {
        let lock = Arc::new(if options.without_lock { None } else { Some(lease::lock(path)?) });
        let begun = Instant::now();
        let mut told = false;
        loop {
            match Self::open_now(path, options, now_ms, &lock).await {
                Err(OpenError::Locked(_)) if begun.elapsed() < LOCKED_LONGEST => {
                    if !told {
                        tracing::warn!(path = %path.display(), "another program has the database locked; waiting for it");
                    }
                    told = true;
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
                opened => return opened,
            }
        }
    }

    /// Opens it, if nobody has it locked for longer than a moment. What was done before that was found out is whole, so it
    /// can be begun again.
    async fn open_now(
        path: &Path,
        options: StoreOptions,
        now_ms: i64,
        lock: &Arc<Option<File>>,
    ) -> Result<Self, OpenError> {
        private::make_private(path)
            .map_err(|error| OpenError::Unwritable { path: path.to_owned(), problem: error.to_string() })?;
        let connect = SqliteConnectOptions::new()
            .filename(path)
            // What is deleted is overwritten.
            .pragma("secure_delete", "ON")
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(5));
        let refused = |error: sqlx::Error| opening(path, &error);
        let mut writer = SqliteConnection::connect_with(&connect).await.map_err(refused)?;
        let read = sound::is_read_at_start(path);
        if read {
            sound::check(&mut writer, path).await?;
        }
        version::refuse_unknown(&mut writer, path).await?;
        // Both stay with the file, and write that into it; the first is for a file that is empty yet.
        for stays in ["PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA journal_mode = WAL"] {
            sqlx::query(stays).execute(&mut writer).await.map_err(refused)?;
        }
        version::bring_up_to_date(&mut writer, path).await?;
        let epoch = lease::take(&mut writer, now_ms).await.map_err(refused)?;
        // The writer waits for the disk by itself, and says so meanwhile.
        sql!("PRAGMA busy_timeout = 1000").execute(&mut writer).await.map_err(refused)?;
        let reads = connect.read_only(true).create_if_missing(false).pragma("cache_size", READERS_CACHE);
        let readers = Readers::open(&reads).await.map_err(refused)?;
        let writer = writer::Writer::start(writer, epoch, options.halt_after_commits)
            .map_err(|error| refused(error.into()))?;
        let damaged = CancellationToken::new();
        if !read {
            sound::check_beside(readers.clone(), path.to_owned(), damaged.clone());
        }
        Ok(Self {
            writer,
            readers,
            epoch,
            path: path.into(),
            damaged,
            elsewhere: Arc::default(),
            whole: Arc::default(),
            unreadable: readable::Unreadable::default(),
            given_space: options.space,
            _lock: Arc::clone(lock),
        })
    }

    /// What the disk has at this moment.
    fn space(&self) -> Option<Space> {
        self.given_space.or_else(|| Space::of(&self.path))
    }

    /// The epoch this process writes under; each start of a process has a higher one.
    #[must_use]
    pub fn epoch(&self) -> i64 {
        self.epoch
    }

    /// How many transactions were committed since the start; tests of recovery count with it.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.writer.commits()
    }

    /// Nothing is written any more, for the process ends: its tasks go one by one, in any order, and one that is still there
    /// would write down as failed what it did with one that is gone.
    pub fn stand_still(&self) {
        self.writer.halt_after(0);
    }

    /// For tests of recovery: lets a writer that stands still go on until it has made so many commits.
    pub fn halt_after(&self, commits: u64) {
        self.writer.halt_after(commits);
    }

    /// Writes a compact, consistent copy of a database to a new file, also while a process uses it.
    pub async fn backup(from: &Path, to: &Path) -> Result<(), StoreError> {
        let connect =
            SqliteConnectOptions::new().filename(from).read_only(true).busy_timeout(Duration::from_secs(5));
        let pool = pool(1).connect_with(connect).await?;
        if !to.exists() {
            private::make_private(to).map_err(sqlx::Error::Io)?;
        }
        sql!("VACUUM INTO ?1", to.to_string_lossy().into_owned()).execute(&pool).await?;
        Ok(())
    }
}

/// So many connections to a file, which neither age nor idle. Without these two limits no task looks after them either:
/// that of sqlx 0.9.0 counts below zero if the pool is closed at the wrong instant, and then keeps a processor busy for good.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new().max_connections(connections).idle_timeout(None).max_lifetime(None)
}

/// A file beside the database, such as its log.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// `SQLITE_BUSY` (5) or `SQLITE_LOCKED` (6).
fn is_locked(error: &sqlx::Error) -> bool {
    matches!(primary_code(error), Some(5 | 6))
}

fn opening(path: &Path, error: &sqlx::Error) -> OpenError {
    let problem = error.to_string();
    // 11 is SQLITE_CORRUPT, 26 SQLITE_NOTADB (sqlite.org/rescode.html).
    match primary_code(error) {
        Some(11 | 26) => OpenError::Damaged { path: path.to_owned(), problem },
        _ if is_locked(error) => OpenError::Locked(path.to_owned()),
        _ => OpenError::Unwritable { path: path.to_owned(), problem },
    }
}
