//! What is counted for whoever watches the bot. The database keeps the counts itself, in triggers beside the rows
//! (`migrations/0025_tally.sql`): reading them is two short statements, however much there is.

use sqlx::Row;

use super::{Store, StoreError};
use crate::statement::{sql, sql_as};
use domain::Money;

/// What the database says of everything at one moment. It names nobody.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Under which epoch the database is written now; another one than [`Store::epoch`]: another process has it.
    pub epoch: i64,
    /// How many sessions are in each state, by its name.
    pub sessions: Vec<(String, i64)>,
    /// How many steps were settled so far, by how (`done`, `failed`).
    pub steps: Vec<(String, i64)>,
    /// What all servers were charged so far.
    pub charged: Charged,
    /// Posts that Discord has not taken yet.
    pub unsent_posts: i64,
    /// Members' questions that are not answered yet.
    pub open_questions: i64,
}

/// What was charged for calls and searches since this is counted; it never gets less.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Charged {
    /// Requests that left this machine.
    pub calls: i64,
    /// Tokens in and out.
    pub tokens: i64,
    /// Money, where the price is known.
    pub money: Money,
    /// Of the calls, those whose price is not known.
    pub unpriced: i64,
    /// Of the calls, those that the end of a process cut off.
    pub lost: i64,
}

impl Store {
    /// Counts everything; never waits for the writer.
    pub async fn tally(&self) -> Result<Tally, StoreError> {
        let now = sql!(
            "SELECT epoch, (SELECT count(*) FROM outbox WHERE state = 'pending') AS posts,
                    (SELECT count(*) FROM brought WHERE kind = 'question' AND closed_ms IS NULL) AS questions
             FROM lease"
        )
        .fetch_one(&self.readers)
        .await?;
        let mut tally = Tally {
            epoch: now.get("epoch"),
            unsent_posts: now.get("posts"),
            open_questions: now.get("questions"),
            ..Tally::default()
        };
        let counts: Vec<(String, String, i64)> =
            sql_as!("SELECT subject, what, n FROM tally").fetch_all(&self.readers).await?;
        for (subject, what, n) in counts {
            match (subject.as_str(), what.as_str()) {
                ("session", _) => tally.sessions.push((what, n)),
                ("step", _) => tally.steps.push((what, n)),
                (_, "calls") => tally.charged.calls = n,
                (_, "tokens") => tally.charged.tokens = n,
                (_, "money") => tally.charged.money = Money(n),
                (_, "unpriced") => tally.charged.unpriced = n,
                (_, _) => tally.charged.lost = n,
            }
        }
        Ok(tally)
    }
}
