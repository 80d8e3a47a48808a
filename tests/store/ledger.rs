//! Budgets, in any order of events: the accounts of the database beside a model of them in memory.

use std::collections::BTreeMap;

use domain::{GuildId, Money, UserId};
use proptest::{prelude::*, test_runner::TestCaseError};
use quorum::store::{
    AccountScope, AttemptEnd, BudgetRefusal, NewAttempt, NewSession, Reserve, Store, StoreError,
};
use sqlx::Row;

use super::fixture::{AT, DAY, Db, TAKEOVER, answered, attempt, caps, id, new_session, settled};

const SESSIONS: u64 = 4;
const WHAT: [&str; 3] = ["calls", "tokens", "money"];

#[derive(Clone, Debug)]
enum Event {
    /// A call is to be made; `wide` caps are twice the narrow ones.
    Intend { session: u64, member: u64, tokens: i64, money: i64, wide: bool },
    /// One of the calls under way ends; `None`: nobody counted, or the price is not known.
    End { which: usize, settles: bool, ok: bool, tokens: Option<i64>, money: Option<i64> },
    /// The process ends and another one takes over.
    Restart,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let intend = (0..SESSIONS, 1..3_u64, 1..60_i64, 0..60_i64, any::<bool>()).prop_map(
        |(session, member, tokens, money, wide)| Event::Intend { session, member, tokens, money, wide },
    );
    let counted = proptest::option::weighted(0.8, 0..90_i64);
    let end = (any::<usize>(), any::<bool>(), any::<bool>(), counted.clone(), counted)
        .prop_map(|(which, settles, ok, tokens, money)| Event::End { which, settles, ok, tokens, money });
    let event = prop_oneof![6 => intend, 4 => end, 1 => Just(Event::Restart)];
    proptest::collection::vec(event, 1..45)
}

/// Calls, tokens, money.
type Three = [i64; 3];

#[derive(Clone, Default, PartialEq, Debug)]
struct Account {
    cap: Three,
    held: Three,
    used: Three,
    over: Three,
    unpriced: i64,
    lost: i64,
    uncounted: i64,
}

#[derive(Clone, Debug)]
struct Call {
    session: u64,
    key: String,
    worst: Three,
    /// Of session, member and server, and of the server's month where the session has a budget for it.
    accounts: Vec<String>,
}

#[derive(Default)]
struct Model {
    accounts: BTreeMap<String, Account>,
    open: Vec<Call>,
    calls: i64,
}

fn guild(session: u64) -> u64 {
    70 + session / 2
}

/// On each server one session was started before there was a budget for the month, and one after.
fn has_month(session: u64) -> bool {
    session % 2 == 1
}

fn limits(wide: bool) -> [Three; 4] {
    let times = if wide { 2 } else { 1 };
    [[4, 150, 130], [6, 180, 200], [7, 250, 240], [6, 200, 210]].map(|caps| caps.map(|cap| cap * times))
}

impl Model {
    fn intend(&mut self, call: Call, wide: bool) -> Result<(), BudgetRefusal> {
        let mut after = self.accounts.clone();
        let scopes = [AccountScope::Session, AccountScope::Member, AccountScope::Guild, AccountScope::Month];
        for ((scope, name), limit) in scopes.into_iter().zip(&call.accounts).zip(limits(wide)) {
            let guild = self.accounts.get(&call.accounts[2]).cloned().unwrap_or_default();
            let account = after.entry(name.clone()).or_default();
            for (i, what) in WHAT.into_iter().enumerate() {
                // A month takes over what the server used without a budget for it.
                if scope == AccountScope::Month {
                    account.used[i] = account.used[i].max(guild.used[i] + guild.over[i] - account.over[i]);
                }
                let taken = account.used[i] + account.held[i];
                account.cap[i] = limit[i].max(taken);
                if account.cap[i] - taken - account.over[i] < call.worst[i] {
                    return Err(BudgetRefusal { scope, what });
                }
                account.held[i] += call.worst[i];
            }
        }
        self.accounts = after;
        self.open.push(call);
        self.calls += 1;
        Ok(())
    }

    fn charge(&mut self, call: &Call, tokens: Option<i64>, money: Option<i64>, lost: bool) {
        // What nobody counted is charged at what was held for it.
        let worst = call.worst[2];
        let money = money.or((tokens.is_none() && worst > 0).then_some(worst));
        let uncounted = !lost && tokens.is_none() && money.is_some();
        let tokens = tokens.unwrap_or(call.worst[1]);
        for name in &call.accounts {
            let account = self.accounts.get_mut(name).unwrap();
            for (i, real) in [1, tokens, money.unwrap_or(0)].into_iter().enumerate() {
                account.held[i] -= call.worst[i];
                account.used[i] += real.min(call.worst[i]);
                account.over[i] += (real - call.worst[i]).max(0);
            }
            account.unpriced += i64::from(money.is_none());
            account.lost += i64::from(lost);
            account.uncounted += i64::from(uncounted);
        }
    }
}

async fn stored(db: &Db) -> BTreeMap<String, Account> {
    let rows = sqlx::query("SELECT *, 0 AS calls_over FROM account WHERE scope NOT LIKE 'bot%'")
        .fetch_all(&mut db.raw().await)
        .await;
    let read = |row: &sqlx::sqlite::SqliteRow| {
        let three = |name: &str| WHAT.map(|what| row.get::<i64, _>(format!("{what}_{name}").as_str()));
        let name = format!("{} {}", row.get::<String, _>("scope"), row.get::<String, _>("owner"));
        let account = Account {
            cap: three("cap"),
            held: three("held"),
            used: three("used"),
            over: three("over"),
            unpriced: row.get("unpriced"),
            lost: row.get("lost"),
            uncounted: row.get("uncounted"),
        };
        (name, account)
    };
    rows.unwrap().iter().map(read).collect()
}

async fn apply(store: &mut Store, db: &Db, model: &mut Model, event: Event) -> Result<(), TestCaseError> {
    match event {
        Event::Intend { session, member, tokens, money, wide } => {
            let call = Call {
                session,
                key: format!("step-{}", model.calls),
                worst: [1, tokens, money],
                accounts: [
                    format!("session {}", id(session)),
                    format!("member {}/{member}", guild(session)),
                    format!("guild {}", guild(session)),
                ]
                .into_iter()
                .chain(has_month(session).then(|| format!("month {}", guild(session))))
                .collect(),
            };
            let [own, of_member, of_server, of_month] =
                limits(wide).map(|[calls, tokens, money]| caps(calls, tokens, money));
            let reserve = Reserve {
                session: id(session),
                guild: GuildId(guild(session)),
                member: UserId(member),
                day: DAY.to_owned(),
                tokens,
                money: Money(money),
                caps: [own, of_member, of_server],
                month: has_month(session).then_some(of_month),
            };
            let new = NewAttempt { reserve, ..attempt(&id(session), &call.key) };
            match (store.intend(new, AT).await, model.intend(call, wide)) {
                (Ok(1), Ok(())) => {}
                (Err(StoreError::Budget(refusal)), Err(expected)) => prop_assert_eq!(refusal, expected),
                other => prop_assert!(false, "{:?}", other),
            }
        }
        Event::End { which, settles, ok, tokens, money } if !model.open.is_empty() => {
            let call = model.open.remove(which % model.open.len());
            let tokens_split = tokens.map(|all| (all / 2, all / 4, all - all / 2 - all / 4));
            let end =
                AttemptEnd { ok, tokens: tokens_split, money: money.map(Money), ..answered(&call.key, 1) };
            let session = id(call.session);
            model.charge(&call, tokens, money, false);
            // Delivered twice: charged once.
            for _ in 0..2 {
                if settles {
                    let settled = settled(&session, &call.key, &[]);
                    store.settle(&session, Some(end.clone()), settled, AT).await.unwrap();
                } else {
                    store.end_attempt(&session, end.clone(), AT).await.unwrap();
                }
            }
        }
        Event::End { .. } => {}
        Event::Restart => {
            *store = Store::open(&db.path, TAKEOVER, AT).await.unwrap();
            for session in 0..SESSIONS {
                let lost: Vec<_> =
                    model.open.iter().filter(|call| call.session == session).cloned().collect();
                model.open.retain(|call| call.session != session);
                for call in &lost {
                    model.charge(call, None, None, true);
                }
                prop_assert_eq!(store.charge_lost(&id(session), AT).await.unwrap(), lost.len());
                prop_assert_eq!(store.charge_lost(&id(session), AT).await.unwrap(), 0);
            }
        }
    }
    Ok(())
}

async fn hold_through(events: Vec<Event>) -> Result<(), TestCaseError> {
    let db = Db::open().await;
    for n in 0..SESSIONS {
        let new = NewSession { guild: GuildId(guild(n)), ..new_session(n) };
        db.store.start_session(new, AT).await.unwrap();
    }
    let (mut store, mut model) = (db.store.clone(), Model::default());
    for event in events {
        apply(&mut store, &db, &mut model, event).await?;
        let accounts = stored(&db).await;
        for (name, account) in &accounts {
            for i in 0..3 {
                prop_assert!(account.used[i] + account.held[i] <= account.cap[i], "{}: {:?}", name, account);
            }
        }
        prop_assert_eq!(&accounts, &model.accounts);
        prop_assert_eq!(db.number("SELECT count(*) FROM attempt").await, model.calls);
        prop_assert_eq!(db.number("SELECT count(*) FROM step").await, model.calls);
    }
    while !model.open.is_empty() {
        let end = Event::End { which: 0, settles: true, ok: true, tokens: Some(1), money: Some(1) };
        apply(&mut store, &db, &mut model, end).await?;
    }
    for (name, account) in stored(&db).await {
        prop_assert_eq!(account.held, [0; 3], "{}", name);
    }
    Ok(())
}

/// A month that took over more than its cap, and more than was held: nothing is left of it, not even for what costs nothing.
#[tokio::test]
async fn what_a_month_took_over_beyond_what_was_held_raises_no_cap() {
    let intend =
        |session, member, tokens, money, wide| Event::Intend { session, member, tokens, money, wide };
    let end = |which, settles, tokens, money| Event::End {
        which,
        settles,
        ok: true,
        tokens: Some(tokens),
        money: Some(money),
    };
    let events = vec![
        intend(2, 1, 1, 0, false),
        end(0, false, 41, 84),
        intend(3, 2, 57, 57, false),
        intend(2, 2, 7, 31, true),
        Event::Restart,
        intend(3, 1, 57, 47, true),
        end(0, true, 23, 60),
        intend(3, 1, 27, 0, false),
    ];
    hold_through(events).await.unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 60, failure_persistence: None, ..crate::support::cases(12) })]
    #[test]
    fn accounts_hold_whatever_happens_in_whatever_order(events in events()) {
        tokio::runtime::Runtime::new().unwrap().block_on(hold_through(events))?;
    }
}
