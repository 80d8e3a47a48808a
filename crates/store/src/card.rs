//! Where a session's live card stands: the message that opened the session, or the newest of those that took its
//! place because Discord let it be edited no longer. Read from the outbox alone, so that it is as durable as that.

use sqlx::{Row, SqliteConnection, types::Json};

use super::{NewPost, Store, StoreError, Target, account, added, open, outbox, script::Script};
use crate::statement::{add, sql, sql_scalar};
use domain::{Addition, Ledger, MessageId, Offer, SessionId, StatedQuestion, StepKey};

/// Where a live card is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardAt {
    /// It waits in the outbox, be it the first or one that takes another's place.
    Waiting,
    /// It is on Discord: in the channel the first, in the thread one that took its place.
    Posted(Target, MessageId),
    /// Discord took none.
    Never,
}

/// The key of the card that takes the place of another; there is one for each that can be edited no longer.
#[must_use]
pub fn next_card(instead_of: MessageId) -> StepKey {
    StepKey::new(format!("card/{instead_of}"))
}

/// Notes that a session's card shows less than is so, inside the transaction that makes it so: it is drawn again, after a
/// restart too.
pub(super) async fn outdated(tx: &mut SqliteConnection, session: &SessionId) -> Result<(), StoreError> {
    let noted = sql!("UPDATE session SET card_state = NULL WHERE id = ?1", session.as_str());
    noted.execute(tx).await?;
    Ok(())
}

/// What a live card shows beside its session's row, read together: it is drawn every few seconds.
#[derive(Clone, Debug)]
pub struct OnCard {
    /// What the session has used and may use.
    pub ledger: Ledger,
    /// Posts that Discord did not take and that can be tried again.
    pub untaken: usize,
    /// What people have added to its budget, first to last.
    pub added: Vec<Addition>,
    /// The question as it stands; nothing where its problem is one by itself.
    pub question: Option<StatedQuestion>,
    /// How its offer stands.
    pub offer: Offer,
}

/// How many posts of a session were given up and can be tried again.
const GIVEN_UP: &str = "SELECT count(*) AS posts FROM outbox
     WHERE session_id = ?1 AND post_key NOT LIKE '%/reminder' AND post_key NOT LIKE 'card/%'
       AND state = 'dead' AND substr(problem, 1, length(?2)) = ?2";

impl Store {
    /// What a session's live card shows beside its row.
    pub async fn on_card(&self, session: &SessionId) -> Result<OnCard, StoreError> {
        let mut script = Script::default();
        add!(script, open::STANDS, session.as_str());
        add!(script, account::OF_SESSION, session.as_str());
        add!(script, GIVEN_UP, (session.as_str(), outbox::UNDELIVERABLE));
        add!(script, added::ADDED, session.as_str());
        let came = script.run(&mut *self.readers.one().await).await?;
        let [stands, account, given_up, additions] =
            came.try_into().map_err(|_| StoreError::Missing("what a card shows"))?;
        let (question, offer) = open::of(stands.rows.first().ok_or(StoreError::Missing("session"))?)?;
        let untaken: i64 = given_up.rows.first().map_or(Ok(0), |row| row.try_get("posts"))?;
        let additions = additions.rows.iter().map(|row| Ok(row.try_get::<Json<Addition>, _>("output")?.0));
        Ok(OnCard {
            ledger: account.rows.first().map_or_else(Ledger::default, account::of),
            untaken: usize::try_from(untaken).unwrap_or_default(),
            added: additions.collect::<Result<_, StoreError>>()?,
            question,
            offer,
        })
    }

    /// Where a session's live card is.
    pub async fn card_at(&self, session: &SessionId) -> Result<CardAt, StoreError> {
        let row = sql!(
            "SELECT target, message_id FROM outbox
             WHERE session_id = ?1 AND (target = 'channel' OR post_key LIKE 'card/%') AND state <> 'dead'
             ORDER BY id DESC LIMIT 1",
            session.as_str()
        );
        let Some(row) = row.fetch_optional(&self.readers).await? else {
            return Ok(CardAt::Never);
        };
        let posted = row.try_get::<Option<i64>, _>("message_id")?;
        Ok(posted.map_or(CardAt::Waiting, |id| CardAt::Posted(row.get("target"), MessageId::from_i64(id))))
    }

    /// Has another card take the place of one, once. `false`: one was to, and Discord did not take it.
    pub async fn replace_card(&self, session: &SessionId, card: NewPost) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                outbox::insert(tx, &session, std::slice::from_ref(&card)).await?;
                let state: String = sql_scalar!(
                    "SELECT state FROM outbox WHERE session_id = ?1 AND post_key = ?2",
                    (session.as_str(), &card.key)
                )
                .fetch_one(tx)
                .await?;
                Ok(state != "dead")
            })
        })
        .await
    }
}
