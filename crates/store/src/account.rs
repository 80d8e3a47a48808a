//! Budgets: reserved at the worst case before a call is sent, settled at what it used, enforced by checks in
//! the schema. Money, tokens and calls; for the session, for the member that day, for the server that day, and
//! for the server that month where its managers have set a budget for it, and for all servers of this process together,
//! that day and that month: whoever invites the bot to many servers spends no more than whoever runs it allows.

use serde::{Deserialize, Serialize};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};
use strum::IntoStaticStr;
use thiserror::Error;

use super::{Store, StoreError, script::Script};
use crate::statement::sql;
use domain::{Budgets, Caps, GuildId, Ledger, Money, SessionId, UserId, WholeBot};

/// Whose budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AccountScope {
    /// This session's.
    Session,
    /// The member's who started it or asked, that day.
    Member,
    /// The server's, that day.
    Guild,
    /// The server's, that month.
    Month,
    /// Of all servers of this process, that day.
    Bot,
    /// Of all servers of this process, that month.
    BotMonth,
}

impl AccountScope {
    fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A reservation that does not fit; the sentence is for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{whose} budget of {what} is used up", whose = match scope {
    AccountScope::Session => "this session's",
    AccountScope::Member => "today's personal",
    AccountScope::Guild => "this server's daily",
    AccountScope::Month => "this server's monthly",
    AccountScope::Bot => "the whole bot's daily",
    AccountScope::BotMonth => "the whole bot's monthly",
})]
pub struct BudgetRefusal {
    /// Whose budget.
    pub scope: AccountScope,
    /// Of what: `calls`, `tokens` or `money`.
    pub what: &'static str,
}

impl BudgetRefusal {
    /// Whether calls under way may give back some of what is missing: they hold tokens and money at their worst case. A
    /// call that was made stays made.
    #[must_use]
    pub fn comes_back(self) -> bool {
        self.what != "calls"
    }
}

/// A call that did not fit, as it is kept with the pause that it led to. It was on the account of whoever started the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Short {
    /// Whose budget had too little left.
    pub scope: AccountScope,
    /// How many tokens it wanted.
    pub tokens: i64,
    /// How much money.
    pub money: Money,
}

impl Short {
    /// Of the reservation that was refused.
    #[must_use]
    pub fn of(refusal: BudgetRefusal, reserve: &Reserve) -> Self {
        Self { scope: refusal.scope, tokens: reserve.tokens, money: reserve.money }
    }
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
    /// The server's cap for the month, if it has one.
    pub month: Option<Caps>,
}

impl Reserve {
    /// The accounts of a server, narrowest first; the last is held on only with a cap for the month.
    fn of_server(&self) -> impl Iterator<Item = (AccountScope, String, &str, Caps)> {
        let [session, member, guild] = self.caps;
        let day = self.day.as_str();
        let own = (AccountScope::Session, self.session.to_string(), "", session);
        let member = (AccountScope::Member, format!("{}/{}", self.guild, self.member), day, member);
        let guild = (AccountScope::Guild, self.guild.to_string(), day, guild);
        let month = self.month.map(|caps| (AccountScope::Month, self.guild.to_string(), month_of(day), caps));
        [own, member, guild].into_iter().chain(month)
    }

    /// Those of all servers together.
    fn of_bot(&self, whole: WholeBot) -> [(AccountScope, String, &str, Caps); 2] {
        let day = self.day.as_str();
        [
            (AccountScope::Bot, String::new(), day, whole.day),
            (AccountScope::BotMonth, String::new(), month_of(day), whole.month),
        ]
    }

    /// The month that the call is also held on, `YYYY-MM`.
    pub(super) fn month(&self) -> Option<&str> {
        self.month.map(|_| month_of(&self.day))
    }
}

/// `YYYY-MM` of `YYYY-MM-DD`.
fn month_of(day: &str) -> &str {
    day.get(..7).unwrap_or(day)
}

/// What a call came to in the end. Money is `None` where the price is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Charge {
    /// It never left this machine: no call.
    NotSent,
    /// As it was counted.
    Counted { tokens: i64, money: Option<Money> },
    /// Nobody counted, so what was held for it; `lost`: it was under way when the process ended.
    Worst { tokens: i64, money: Option<Money>, lost: bool },
}

/// Most tokens, and most money, that one call is charged, whatever its provider says: beyond all budgets, and
/// small enough that the sum of all calls fits the column.
const MOST: i64 = 1_000_000_000_000;

/// Holds a call's worst case on all its accounts. What the first of its two statements gives says by [`fits`] whether it
/// fits; where it does not, the caller's transaction is not kept. Where there is no cap for the month, the last account's
/// values are NULL, and it is passed over.
pub(super) fn hold<'q>(script: &mut Script<'q>, reserve: &'q Reserve, whole: WholeBot) {
    // A month's account takes over what the server had used in the month while there was no cap, or another one;
    // of all other accounts nothing is taken over. What calls took beyond what was held for them raises no cap.
    script.add(
        "INSERT INTO account (scope, owner, day, calls_cap, tokens_cap, money_cap, calls_used, tokens_used, money_used)
         SELECT scope, owner, day, max(calls_cap, coalesce(calls, 0)), max(tokens_cap, coalesce(tokens, 0)),
                max(money_cap, coalesce(money, 0)), coalesce(calls, 0), coalesce(tokens, 0), coalesce(money, 0)
         FROM (SELECT column1 AS scope, column2 AS owner, column3 AS day,
                      column4 AS calls_cap, column5 AS tokens_cap, column6 AS money_cap
               FROM (VALUES (?1, ?2, ?3, ?4, ?5, ?6), (?7, ?8, ?9, ?10, ?11, ?12),
                            (?13, ?14, ?15, ?16, ?17, ?18), (?19, ?20, ?21, ?22, ?23, ?24),
                            (?25, ?26, ?27, ?28, ?29, ?30), (?31, ?32, ?33, ?34, ?35, ?36)))
         LEFT JOIN (SELECT sum(calls_used) AS calls, sum(tokens_used + tokens_over) AS tokens,
                           sum(money_used + money_over) AS money
                    FROM account WHERE ?19 IS NOT NULL AND scope = 'guild' AND owner = ?20
                                   AND day BETWEEN ?21 AND ?21 || '-99') ON scope = 'month'
         WHERE scope IS NOT NULL
         ON CONFLICT (scope, owner, day) DO UPDATE SET
            calls_used = max(account.calls_used, excluded.calls_used),
            tokens_used = max(account.tokens_used, excluded.tokens_used - account.tokens_over),
            money_used = max(account.money_used, excluded.money_used - account.money_over),
            calls_cap = max(iif(account.scope = 'month', ?22, excluded.calls_cap), account.calls_held + max(account.calls_used, excluded.calls_used)),
            tokens_cap = max(iif(account.scope = 'month', ?23, excluded.tokens_cap),
                account.tokens_held + max(account.tokens_used, excluded.tokens_used - account.tokens_over)),
            money_cap = max(iif(account.scope = 'month', ?24, excluded.money_cap),
                account.money_held + max(account.money_used, excluded.money_used - account.money_over))
         RETURNING scope, calls_cap - calls_used - calls_held AS calls,
                   tokens_cap - tokens_used - tokens_held - tokens_over AS tokens,
                   money_cap - money_used - money_held - money_over AS money",
    );
    for (scope, owner, day, caps) in reserve.of_server() {
        script.bind(scope.as_str()).bind(owner).bind(day);
        script.bind(caps.calls).bind(caps.tokens).bind(caps.money.0);
    }
    if reserve.month.is_none() {
        for _ in 0..6 {
            script.bind(None::<&str>);
        }
    }
    for (scope, owner, day, caps) in reserve.of_bot(whole) {
        script.bind(scope.as_str()).bind(owner).bind(day);
        script.bind(caps.calls).bind(caps.tokens).bind(caps.money.0);
    }
    script
        .add(
            "UPDATE account SET calls_held = calls_held + 1, tokens_held = tokens_held + ?1, money_held = money_held + ?2
             WHERE ((scope = ?3 AND owner = ?4 AND day = ?5) OR (scope = ?6 AND owner = ?7 AND day = ?8)
                OR (scope = ?9 AND owner = ?10 AND day = ?11) OR (scope = ?12 AND owner = ?13 AND day = ?14)
                OR (scope = ?15 AND owner = ?16 AND day = ?17) OR (scope = ?18 AND owner = ?19 AND day = ?20))
               AND calls_used + calls_held < calls_cap AND tokens_used + tokens_held + tokens_over + ?1 <= tokens_cap
               AND money_used + money_held + money_over + ?2 <= money_cap",
        )
        .bind(reserve.tokens)
        .bind(reserve.money.0);
    for (scope, owner, day, _) in reserve.of_server() {
        script.bind(scope.as_str()).bind(owner).bind(day);
    }
    if reserve.month.is_none() {
        for _ in 0..3 {
            script.bind(None::<&str>);
        }
    }
    for (scope, owner, day, _) in reserve.of_bot(whole) {
        script.bind(scope.as_str()).bind(owner).bind(day);
    }
}

/// Whether a call's worst case fits all its accounts, by what the first statement of [`hold`] gave.
pub(super) fn fits(accounts: &[SqliteRow], reserve: &Reserve) -> Result<(), StoreError> {
    for (scope, ..) in reserve.of_server().chain(reserve.of_bot(WholeBot::NO_LIMIT)) {
        // The database may give the rows in any order; people are told of the narrowest account first.
        let row = accounts.iter().find(|row| row.get::<&str, _>("scope") == scope.as_str());
        let row = row.ok_or(StoreError::Missing("account"))?;
        let (calls, tokens, money): (i64, i64, i64) = (row.get("calls"), row.get("tokens"), row.get("money"));
        let refused = match () {
            () if calls < 1 => Some("calls"),
            () if tokens < reserve.tokens => Some("tokens"),
            () if money < reserve.money.0 => Some("money"),
            () => None,
        };
        if let Some(what) = refused {
            return Err(BudgetRefusal { scope, what }.into());
        }
    }
    Ok(())
}

/// Turns what an attempt held into what it used, on the accounts it was held on. `held` has the attempt's
/// `day`, `month` (NULL where it was held on no month's account), `member_id`, `reserved_tokens` and
/// `reserved_money`, and its server as `guild_id`.
pub(super) fn settle(script: &mut Script<'_>, session: &SessionId, held: &SqliteRow, charge: Charge) {
    let (tokens, money): (i64, i64) = (held.get("reserved_tokens"), held.get("reserved_money"));
    let (guild, member): (i64, i64) = (held.get("guild_id"), held.get("member_id"));
    let (guild, member) = (GuildId::from_i64(guild), UserId::from_i64(member));
    let (called, took, price) = match charge {
        Charge::NotSent => (false, 0, Some(Money(0))),
        Charge::Counted { tokens, money } | Charge::Worst { tokens, money, .. } => (true, tokens, money),
    };
    let (took, spent) = (took.clamp(0, MOST), price.map_or(0, |money| money.0.clamp(0, MOST)));
    let day: Option<String> = held.get("day");
    let month: Option<String> = held.get("month");
    let accounts = [
        (AccountScope::Session, session.to_string(), Some(String::new())),
        (AccountScope::Member, format!("{guild}/{member}"), day.clone()),
        (AccountScope::Guild, guild.to_string(), day.clone()),
        (AccountScope::Month, guild.to_string(), month),
        (AccountScope::Bot, String::new(), day.clone()),
        (AccountScope::BotMonth, String::new(), day.as_deref().map(|day| month_of(day).to_owned())),
    ];
    script.add(
        "UPDATE account SET
            calls_held = iif(scope IN ('bot', 'bot_month'), max(0, calls_held - 1), calls_held - 1),
            calls_used = calls_used + ?25,
            tokens_held = iif(scope IN ('bot', 'bot_month'), max(0, tokens_held - ?1), tokens_held - ?1),
            tokens_used = tokens_used + min(?1, ?2),
            tokens_over = tokens_over + max(0, ?2 - ?1),
            money_held = iif(scope IN ('bot', 'bot_month'), max(0, money_held - ?3), money_held - ?3),
            money_used = money_used + min(?3, ?4),
            money_over = money_over + max(0, ?4 - ?3),
            unpriced = unpriced + ?5, lost = lost + ?6, uncounted = uncounted + ?26
         WHERE (scope = ?7 AND owner = ?8 AND day = ?9) OR (scope = ?10 AND owner = ?11 AND day = ?12)
            OR (scope = ?13 AND owner = ?14 AND day = ?15) OR (scope = ?16 AND owner = ?17 AND day = ?18)
            OR (scope = ?19 AND owner = ?20 AND day = ?21) OR (scope = ?22 AND owner = ?23 AND day = ?24)",
    );
    // The whole bot's begin anew where servers are taken out of the file: what those held is not theirs any more.
    let lost = matches!(charge, Charge::Worst { lost: true, .. });
    script.bind(tokens).bind(took).bind(money).bind(spent);
    script.bind(i64::from(price.is_none())).bind(i64::from(lost));
    for (scope, owner, day) in accounts {
        script.bind(scope.as_str()).bind(owner).bind(day);
    }
    let uncounted = matches!(charge, Charge::Worst { lost: false, money: Some(_), .. });
    script.bind(i64::from(called)).bind(i64::from(uncounted));
}

/// A session's account ([`of`]).
pub(super) const OF_SESSION: &str =
    "SELECT * FROM account WHERE scope = 'session' AND owner = ?1 AND day = ''";

impl Store {
    /// From here on, all servers together use no more than this: called before anything goes on, once. Without it they use
    /// as much as each of them may.
    pub fn keep_within(&self, whole: WholeBot) {
        let _ = self.whole.set(whole);
    }

    pub(super) fn whole_bot(&self) -> WholeBot {
        self.whole.get().copied().unwrap_or(WholeBot::NO_LIMIT)
    }

    /// What a session has used and may use. All zero before its first call.
    pub async fn ledger(&self, session: &SessionId) -> Result<Ledger, StoreError> {
        let row = sql!(OF_SESSION, session.as_str()).fetch_optional(&self.readers).await?;
        Ok(row.as_ref().map_or_else(Ledger::default, of))
    }

    /// What a member's sessions on a server have used today (`day` in UTC).
    pub async fn member_ledger(
        &self,
        guild: GuildId,
        member: UserId,
        day: &str,
    ) -> Result<Ledger, StoreError> {
        self.account("member", &format!("{guild}/{member}"), day).await
    }

    /// What a server has used today (`day` in UTC).
    pub async fn guild_ledger(&self, guild: GuildId, day: &str) -> Result<Ledger, StoreError> {
        self.account("guild", &guild.to_string(), day).await
    }

    /// What all of a server's sessions have used in a month (`YYYY-MM`, UTC), by its daily accounts.
    pub async fn month_use(&self, guild: GuildId, month: &str) -> Result<(i64, Money), StoreError> {
        let row = sql!(
            "SELECT coalesce(sum(calls_used + calls_held), 0) AS calls,
                    coalesce(sum(money_used + money_over), 0) AS money
             FROM account WHERE scope = 'guild' AND owner = ?1 AND day BETWEEN ?2 AND ?2 || '-99'",
            (guild.to_string(), month)
        )
        .fetch_one(&self.readers)
        .await?;
        Ok((row.get("calls"), Money(row.get("money"))))
    }

    async fn account(&self, scope: &str, owner: &str, day: &str) -> Result<Ledger, StoreError> {
        let row =
            sql!("SELECT * FROM account WHERE scope = ?1 AND owner = ?2 AND day = ?3", (scope, owner, day))
                .fetch_optional(&self.readers)
                .await?;
        Ok(row.as_ref().map_or_else(Ledger::default, of))
    }
}

/// Of what there is still too little for a call that did not fit, as far as these are the budgets now; the row of an account
/// is made with its first call.
pub(super) async fn still_short(
    tx: &mut SqliteConnection,
    (session, guild, starter): (&SessionId, GuildId, UserId),
    short: Short,
    (budgets, whole): (&Budgets, WholeBot),
    at_ms: i64,
) -> Result<Option<&'static str>, StoreError> {
    let no_limit = WholeBot::NO_LIMIT.day;
    let (owner, caps) = match short.scope {
        AccountScope::Session => (session.to_string(), budgets.session),
        AccountScope::Member => (format!("{guild}/{starter}"), budgets.member_day),
        AccountScope::Guild => (guild.to_string(), budgets.server_day),
        AccountScope::Month => (guild.to_string(), budgets.server_month.unwrap_or(no_limit)),
        AccountScope::Bot => (String::new(), whole.day),
        AccountScope::BotMonth => (String::new(), whole.month),
    };
    let day = match short.scope {
        AccountScope::Session => "SELECT ''",
        AccountScope::Member | AccountScope::Guild | AccountScope::Bot => {
            "SELECT date(?1 / 1000, 'unixepoch')"
        }
        AccountScope::Month | AccountScope::BotMonth => "SELECT strftime('%Y-%m', ?1 / 1000, 'unixepoch')",
    };
    let day: String = sqlx::query_scalar(day).bind(at_ms).fetch_one(&mut *tx).await?;
    let used = sql!(
        "SELECT calls_used + calls_held AS calls, tokens_used + tokens_held + tokens_over AS tokens,
                money_used + money_held + money_over AS money
         FROM account WHERE scope = ?1 AND owner = ?2 AND day = ?3",
        (short.scope.as_str(), owner, day)
    );
    let used = used.fetch_optional(tx).await?;
    let Some(used) = used else { return Ok(None) };
    let (calls, tokens, money): (i64, i64, i64) = (used.get("calls"), used.get("tokens"), used.get("money"));
    Ok(match () {
        () if calls >= caps.calls => Some("calls"),
        () if tokens.saturating_add(short.tokens) > caps.tokens => Some("tokens"),
        () if money.saturating_add(short.money.0) > caps.money.0 => Some("money"),
        () => None,
    })
}

/// What a row of the accounts says.
pub(super) fn of(row: &SqliteRow) -> Ledger {
    Ledger {
        calls: row.get::<i64, _>("calls_used") + row.get::<i64, _>("calls_held"),
        calls_cap: row.get("calls_cap"),
        tokens: row.get::<i64, _>("tokens_used") + row.get::<i64, _>("tokens_over"),
        tokens_cap: row.get("tokens_cap"),
        cost: Money(row.get::<i64, _>("money_used") + row.get::<i64, _>("money_over")),
        cost_cap: Money(row.get("money_cap")),
        unpriced_calls: row.get("unpriced"),
        lost_calls: row.get("lost"),
        uncounted_calls: row.get("uncounted"),
    }
}
