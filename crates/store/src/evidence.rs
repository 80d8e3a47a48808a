//! What members bring into a debate: evidence, and what they want made clear. Each is taken once, however often its
//! form is delivered, and its post is written with it.

use serde_json::{Value, json};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    Brought, Inbound, NewPost, Settled, Store, StoreError,
    brought::{self, NewBrought, Particulars},
    inbound, journal, outbox, panel,
    session::allowed,
};
use crate::statement::sql_scalar;
use domain::{Clarification, Evidence, SessionId, SessionState};

/// The panel that shows the hinges and what was brought on them.
const HINGES: &str = "hinges";

/// States in which the advocates may still speak.
const LIVE: &[SessionState] = &[SessionState::Running, SessionState::Paused, SessionState::Waiting];

/// Stands for the session's state where it goes on, but takes nothing in any more.
pub const TOO_LATE: &str = "too late";

/// What a step takes in of all that members have brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TakenIn {
    /// The evidence for the advocates.
    Evidence,
    /// What members want made clear.
    Clarifications,
}

impl Store {
    /// Settles a step with what members have brought so far as its output, in one transaction: what is brought later
    /// can tell that it comes too late for it. Gives the output, which is the earlier one if it was settled before.
    pub async fn take_in(
        &self,
        session: &SessionId,
        what: TakenIn,
        settled: Settled,
        at_ms: i64,
    ) -> Result<Value, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let output = match what {
                    TakenIn::Evidence => {
                        let rows = brought::select(&mut *tx, &session, Brought::Evidence).await?;
                        let all = rows.iter().map(read_evidence);
                        json!(all.filter(|evidence| evidence.hinge.is_none()).collect::<Vec<_>>())
                    }
                    TakenIn::Clarifications => {
                        let rows = brought::select(&mut *tx, &session, Brought::Clarifications).await?;
                        json!(rows.iter().map(read_clarification).collect::<Vec<_>>())
                    }
                };
                let settled = Settled { output, ..settled };
                journal::settle(tx, &session, None, &settled, at_ms).await?;
                let kept: String = sql_scalar!(
                    "SELECT output FROM step WHERE session_id = ?1 AND key = ?2",
                    (session.as_str(), settled.key.as_str())
                )
                .fetch_one(tx)
                .await?;
                serde_json::from_str(&kept).map_err(|error| StoreError::Corrupt(error.to_string()))
            })
        })
        .await
    }

    /// Takes a piece of evidence under the next number of its session, together with the posts that `write` makes of
    /// it; gives what `write` says, which is said again if the event comes again. Evidence for the advocates is
    /// refused with [`StoreError::NotRunning`] once the session is over or the step `last` has begun, which takes
    /// evidence in for the last time; evidence on a hinge never is.
    pub async fn add_evidence(
        &self,
        session: &SessionId,
        event: Inbound,
        (mut evidence, last): (Evidence, &'static str),
        write: impl Fn(&Evidence) -> (String, Vec<NewPost>),
        at_ms: i64,
    ) -> Result<String, StoreError> {
        loop {
            let newest = brought::newest(&self.readers, session, Brought::Evidence).await?;
            evidence.number = newest + 1;
            // Cards are drawn here, where nobody's writes wait for them. If other evidence has taken the number
            // meanwhile, they are drawn again.
            let (effect, posts) = write(&evidence);
            let event = Inbound { effect: effect.clone(), ..event.clone() };
            if self.add_numbered(session, event, (evidence.clone(), last), posts, at_ms).await? {
                return Ok(effect);
            }
        }
    }

    /// `false`: other evidence has its number, or it is not the next one.
    async fn add_numbered(
        &self,
        session: &SessionId,
        event: Inbound,
        (evidence, last): (Evidence, &'static str),
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                let newest = brought::newest(&mut *tx, &session, Brought::Evidence).await?;
                if evidence.number != newest + 1 {
                    return Ok(false);
                }
                inbound::record(tx, &event, at_ms).await?;
                if evidence.hinge.is_none() {
                    allowed(tx, &session, LIVE).await?;
                    before(tx, &session, last).await?;
                }
                let on_hinge = evidence.hinge.is_some();
                let new = NewBrought {
                    event: event.id,
                    kind: Brought::Evidence,
                    author: evidence.author,
                    author_name: evidence.author_name,
                    text: evidence.claim,
                    particulars: Particulars {
                        number: Some(evidence.number),
                        source: Some(evidence.source),
                        hinge: evidence.hinge,
                        ..Particulars::default()
                    },
                };
                brought::insert(tx, &session, new, at_ms).await?;
                if on_hinge {
                    panel::changed(tx, &session, HINGES).await?;
                }
                outbox::insert(tx, &session, &posts).await?;
                Ok(true)
            })
        })
        .await
    }

    /// All evidence of a session, oldest first.
    pub async fn evidence(&self, id: &SessionId) -> Result<Vec<Evidence>, StoreError> {
        let rows = brought::select(&self.readers, id, Brought::Evidence).await?;
        Ok(rows.iter().map(read_evidence).collect())
    }

    /// The oldest evidence of a session that was brought on a hinge which was not looked at again since.
    pub async fn open_evidence(&self, id: &SessionId) -> Result<Option<Evidence>, StoreError> {
        let open = brought::select_open(&self.readers, id, Brought::Evidence).await?;
        Ok(open.first().map(read_evidence))
    }

    /// Notes that a hinge was looked at again in the light of a piece of evidence, or that this was given up, with
    /// the posts that say so. Evidence that is closed already stays as it is.
    pub async fn close_evidence(
        &self,
        session: &SessionId,
        number: u32,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                if !brought::close(tx, &session, (Brought::Evidence, number.into()), at_ms).await? {
                    return Ok(());
                }
                panel::changed(tx, &session, HINGES).await?;
                outbox::insert(tx, &session, &posts).await
            })
        })
        .await
    }

    /// Takes down what a member of a live session wants made clear, with the posts that say so. Refused with
    /// [`StoreError::NotRunning`] once the session is over or the step `last` has begun, which takes in what is open
    /// for the last time.
    pub async fn clarify(
        &self,
        session: &SessionId,
        event: Inbound,
        asked: Clarification,
        (posts, last): (Vec<NewPost>, &'static str),
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                allowed(tx, &session, LIVE).await?;
                before(tx, &session, last).await?;
                let new = NewBrought {
                    event: event.id,
                    kind: Brought::Clarifications,
                    author: asked.author,
                    author_name: asked.author_name,
                    text: asked.text,
                    particulars: Particulars::default(),
                };
                brought::insert(tx, &session, new, at_ms).await?;
                outbox::insert(tx, &session, &posts).await
            })
        })
        .await
    }

    /// All that members of a session wanted made clear, oldest first, unanswered.
    pub async fn clarifications(&self, id: &SessionId) -> Result<Vec<Clarification>, StoreError> {
        let rows = brought::select(&self.readers, id, Brought::Clarifications).await?;
        Ok(rows.iter().map(read_clarification).collect())
    }
}

/// Refuses what comes after the step that would have taken it in.
async fn before(tx: &mut SqliteConnection, session: &SessionId, last: &str) -> Result<(), StoreError> {
    let begun: i64 =
        sql_scalar!("SELECT count(*) FROM step WHERE session_id = ?1 AND key = ?2", (session.as_str(), last))
            .fetch_one(tx)
            .await?;
    if begun == 0 { Ok(()) } else { Err(StoreError::NotRunning(TOO_LATE.to_owned())) }
}

fn read_evidence(row: &SqliteRow) -> Evidence {
    let (author, author_name) = brought::author(row);
    Evidence {
        number: row.get("number"),
        author,
        author_name,
        claim: row.get("text"),
        source: row.get("source"),
        hinge: row.get("hinge"),
        at: row.get::<i64, _>("at_ms") / 1000,
    }
}

fn read_clarification(row: &SqliteRow) -> Clarification {
    let (author, author_name) = brought::author(row);
    Clarification {
        id: row.get::<i64, _>("id").cast_unsigned(),
        author,
        author_name,
        text: row.get("text"),
        answer: None,
        at: row.get::<i64, _>("at_ms") / 1000,
    }
}
