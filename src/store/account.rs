//! Budgets: reserved at the worst case before a call is sent, settled at what it used, enforced by checks in
//! the schema. Money, tokens and calls; for the session, for the member that day, for the server that day.

use serde::{Deserialize, Serialize};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};
use thiserror::Error;

use super::{Store, StoreError};
use crate::domain::{Caps, GuildId, Ledger, Money, SessionId, UserId};

/// Whose budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum AccountScope {
    /// This session's.
    Session,
    /// The member's who started it or asked, that day.
    Member,
    /// The server's, that day.
    Guild,
}

impl AccountScope {
    fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Member => "member",
            Self::Guild => "guild",
        }
    }
}

/// A reservation that does not fit; the sentence is for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{whose} budget of {what} is used up", whose = match scope {
    AccountScope::Session => "this session's",
    AccountScope::Member => "today's personal",
    AccountScope::Guild => "this server's daily",
})]
pub struct BudgetRefusal {
    /// Whose budget.
    pub scope: AccountScope,
    /// Of what: `calls`, `tokens` or `money`.
    pub what: &'static str,
}

/// The worst case of one call, and the accounts it is held on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reserve {
    /// The session.
    pub session: SessionId,
    /// The server.
    pub guild: GuildId,
    /// The member whose doing it is.
    pub member: UserId,
    /// The day (UTC), `YYYY-MM-DD`.
    pub day: String,
    /// Tokens at most.
    pub tokens: i64,
    /// Money at most; 0 where the price is not known.
    pub money: Money,
    /// Caps for session, member and server, in this order.
    pub caps: [Caps; 3],
}

impl Reserve {
    fn accounts(&self) -> [(AccountScope, String, &str, Caps); 3] {
        let [session, member, guild] = self.caps;
        [
            (AccountScope::Session, self.session.to_string(), "", session),
            (AccountScope::Member, format!("{}/{}", self.guild, self.member), &self.day, member),
            (AccountScope::Guild, self.guild.to_string(), &self.day, guild),
        ]
    }
}

/// What a call came to in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Charge {
    pub(super) tokens: i64,
    /// `None`: the price is not known.
    pub(super) money: Option<Money>,
    pub(super) lost: bool,
}

/// Most tokens, and most money, that one call is charged, whatever its provider says: beyond all budgets, and
/// small enough that the sum of all calls fits the column.
const MOST: i64 = 1_000_000_000_000;

/// Holds a call's worst case on all three accounts, or none. Two statements for all three: under load the
/// writer's time is what the way to the database's thread and back costs, statement by statement.
pub(super) async fn hold(connection: &mut SqliteConnection, reserve: &Reserve) -> Result<(), StoreError> {
    let accounts = reserve.accounts();
    let mut open = sqlx::query(
        "INSERT INTO account (scope, owner, day, calls_cap, tokens_cap, money_cap)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6), (?7, ?8, ?9, ?10, ?11, ?12), (?13, ?14, ?15, ?16, ?17, ?18)
         ON CONFLICT (scope, owner, day) DO UPDATE SET
            calls_cap = max(excluded.calls_cap, calls_used + calls_held),
            tokens_cap = max(excluded.tokens_cap, tokens_used + tokens_held),
            money_cap = max(excluded.money_cap, money_used + money_held)
         RETURNING scope, calls_cap - calls_used - calls_held AS calls,
                   tokens_cap - tokens_used - tokens_held - tokens_over AS tokens,
                   money_cap - money_used - money_held - money_over AS money",
    );
    for (scope, owner, day, caps) in &accounts {
        open = open.bind(scope.as_str()).bind(owner).bind(*day);
        open = open.bind(caps.calls).bind(caps.tokens).bind(caps.money.0);
    }
    let rows = open.fetch_all(&mut *connection).await?;
    for (scope, ..) in &accounts {
        // The database may give the rows in any order; people are told of the narrowest account first.
        let row = rows.iter().find(|row| row.get::<&str, _>("scope") == scope.as_str());
        let row = row.ok_or(StoreError::Missing("account"))?;
        let (calls, tokens, money): (i64, i64, i64) = (row.get("calls"), row.get("tokens"), row.get("money"));
        let refused = match () {
            () if calls < 1 => Some("calls"),
            () if tokens < reserve.tokens => Some("tokens"),
            () if money < reserve.money.0 => Some("money"),
            () => None,
        };
        if let Some(what) = refused {
            return Err(BudgetRefusal { scope: *scope, what }.into());
        }
    }
    let mut held = sqlx::query(
        "UPDATE account SET calls_held = calls_held + 1, tokens_held = tokens_held + ?1, money_held = money_held + ?2
         WHERE (scope = ?3 AND owner = ?4 AND day = ?5) OR (scope = ?6 AND owner = ?7 AND day = ?8)
            OR (scope = ?9 AND owner = ?10 AND day = ?11)",
    )
    .bind(reserve.tokens)
    .bind(reserve.money.0);
    for (scope, owner, day, _) in &accounts {
        held = held.bind(scope.as_str()).bind(owner).bind(*day);
    }
    held.execute(connection).await?;
    Ok(())
}

/// Turns what an attempt held into what it used, on the three accounts it was held on. `held` has the attempt's
/// `day`, `member_id`, `reserved_tokens` and `reserved_money`, and its server as `guild_id`.
pub(super) async fn settle(
    connection: &mut SqliteConnection,
    session: &SessionId,
    held: &SqliteRow,
    charge: Charge,
) -> Result<(), StoreError> {
    let (tokens, money): (i64, i64) = (held.get("reserved_tokens"), held.get("reserved_money"));
    let (guild, member): (i64, i64) = (held.get("guild_id"), held.get("member_id"));
    let owners = [
        session.to_string(),
        format!("{}/{}", GuildId::from_i64(guild), UserId::from_i64(member)),
        GuildId::from_i64(guild).to_string(),
    ];
    let (took, spent) =
        (charge.tokens.clamp(0, MOST), charge.money.map_or(0, |money| money.0.clamp(0, MOST)));
    let day: String = held.get("day");
    let mut used = sqlx::query(
        "UPDATE account SET
            calls_held = calls_held - 1, calls_used = calls_used + 1,
            tokens_held = tokens_held - ?1, tokens_used = tokens_used + min(?1, ?2),
            tokens_over = tokens_over + max(0, ?2 - ?1),
            money_held = money_held - ?3, money_used = money_used + min(?3, ?4),
            money_over = money_over + max(0, ?4 - ?3),
            unpriced = unpriced + ?5, lost = lost + ?6
         WHERE (scope = ?7 AND owner = ?8 AND day = ?9) OR (scope = ?10 AND owner = ?11 AND day = ?12)
            OR (scope = ?13 AND owner = ?14 AND day = ?15)",
    )
    .bind(tokens)
    .bind(took)
    .bind(money)
    .bind(spent)
    .bind(i64::from(charge.money.is_none()))
    .bind(i64::from(charge.lost));
    for (scope, owner) in ["session", "member", "guild"].into_iter().zip(owners) {
        let day = if scope == "session" { String::new() } else { day.clone() };
        used = used.bind(scope).bind(owner).bind(day);
    }
    used.execute(connection).await?;
    Ok(())
}

impl Store {
    /// What a session has used and may use. All zero before its first call.
    pub async fn ledger(&self, session: &SessionId) -> Result<Ledger, StoreError> {
        self.account("session", session.as_str(), "").await
    }

    /// What a server has used today (`day` in UTC).
    pub async fn guild_ledger(&self, guild: GuildId, day: &str) -> Result<Ledger, StoreError> {
        self.account("guild", &guild.to_string(), day).await
    }

    async fn account(&self, scope: &str, owner: &str, day: &str) -> Result<Ledger, StoreError> {
        let row = sqlx::query("SELECT * FROM account WHERE scope = ?1 AND owner = ?2 AND day = ?3")
            .bind(scope)
            .bind(owner)
            .bind(day)
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.map_or_else(Ledger::default, |row| Ledger {
            calls: row.get::<i64, _>("calls_used") + row.get::<i64, _>("calls_held"),
            calls_cap: row.get("calls_cap"),
            tokens: row.get::<i64, _>("tokens_used") + row.get::<i64, _>("tokens_over"),
            tokens_cap: row.get("tokens_cap"),
            cost: Money(row.get::<i64, _>("money_used") + row.get::<i64, _>("money_over")),
            cost_cap: Money(row.get("money_cap")),
            unpriced_calls: row.get("unpriced"),
            lost_calls: row.get("lost"),
        }))
    }
}
