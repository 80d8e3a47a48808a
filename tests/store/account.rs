//! Budgets, case by case: what is refused, by whom, and what an answer costs in the end.

use domain::{Caps, GuildId, Ledger, Money, SessionId, UserId, WholeBot};
use quorum::store::{AccountScope, AttemptEnd, BudgetRefusal, NewAttempt, NewSession, Reserve, StoreError};

use super::fixture::{
    AT, DAY, Db, GUILD, answered, attempt, caps, new_session, reserve, settled, unanswered,
};

const WIDE: Caps = Caps { calls: 1_000, tokens: 1_000_000, money: Money(1_000_000) };

fn held(session: &SessionId, key: &str, reserve: Reserve) -> NewAttempt {
    NewAttempt { reserve, ..attempt(session, key) }
}

#[tokio::test]
async fn a_refusal_says_whose_budget_of_what_and_leaves_no_trace() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let limits = [("calls", caps(0, 100, 50)), ("tokens", caps(1, 99, 50)), ("money", caps(1, 100, 49))];
    let scopes = [AccountScope::Session, AccountScope::Member, AccountScope::Guild];
    for (place, scope) in scopes.into_iter().enumerate() {
        for (what, cap) in limits {
            let mut all = [WIDE; 3];
            all[place] = cap;
            let refused = db.store.intend(held(&id, what, Reserve { caps: all, ..reserve(&id) }), AT).await;
            let Err(StoreError::Budget(refusal)) = refused else { panic!("{scope:?} {what}: {refused:?}") };
            assert_eq!(refusal, BudgetRefusal { scope, what });
            assert!(refusal.to_string().ends_with(&format!("budget of {what} is used up")));
        }
    }
    assert_eq!(db.number("SELECT count(*) FROM step").await, 0);
    assert_eq!(db.number("SELECT count(*) FROM attempt").await, 0);
    assert_eq!(db.number("SELECT count(*) FROM account").await, 0);
    // What just fits is let in.
    let fits = Reserve { caps: [caps(1, 100, 50); 3], ..reserve(&id) };
    assert_eq!(db.store.intend(held(&id, "fits", fits.clone()), AT).await.unwrap(), 1);
    // A refusal changes nothing of what is held already, and lowers no cap.
    let lower = Reserve { caps: [WIDE, WIDE, caps(1, 1, 1)], ..fits };
    let refused = db.store.intend(held(&id, "more", lower), AT).await;
    assert!(matches!(refused, Err(StoreError::Budget(BudgetRefusal { scope: AccountScope::Guild, .. }))));
    assert_eq!(db.number("SELECT sum(calls_held) FROM account WHERE scope NOT LIKE 'bot%'").await, 3);
    assert_eq!(db.number("SELECT sum(tokens_cap) FROM account WHERE scope NOT LIKE 'bot%'").await, 300);
    assert!(db.store.step(&id, &"more".into()).await.unwrap().is_none());
}

#[tokio::test]
async fn each_refusal_is_a_sentence() {
    let say = |scope, what| BudgetRefusal { scope, what }.to_string();
    assert_eq!(say(AccountScope::Session, "money"), "this session's budget of money is used up");
    assert_eq!(say(AccountScope::Member, "calls"), "today's personal budget of calls is used up");
    assert_eq!(say(AccountScope::Guild, "tokens"), "this server's daily budget of tokens is used up");
    assert_eq!(say(AccountScope::Month, "money"), "this server's monthly budget of money is used up");
    assert_eq!(say(AccountScope::Bot, "money"), "the whole bot's daily budget of money is used up");
    assert_eq!(say(AccountScope::BotMonth, "calls"), "the whole bot's monthly budget of calls is used up");
}

/// Whoever invites the bot to many servers spends no more than is allowed for all of them.
#[tokio::test]
async fn all_servers_together_use_no_more_than_the_whole_bot_may() {
    for (whole, scope, days) in [
        (WholeBot { day: caps(3, 1_000_000, 120), ..WholeBot::NO_LIMIT }, AccountScope::Bot, [DAY, DAY, DAY]),
        (
            WholeBot { month: caps(3, 1_000_000, 120), ..WholeBot::NO_LIMIT },
            AccountScope::BotMonth,
            ["2026-11-01", "2026-11-02", "2026-11-30"],
        ),
    ] {
        let db = Db::open().await;
        db.store.keep_within(whole);
        for (n, day) in (1..).zip(days) {
            let server = NewSession { guild: GuildId(n), ..new_session(n) };
            let id = server.id.clone();
            db.store.start_session(server, AT).await.unwrap();
            // 50 millionths each; 120 are for two.
            let reserve = Reserve { guild: GuildId(n), day: day.to_owned(), ..reserve(&id) };
            let entered = db.store.intend(held(&id, "call", reserve.clone()), AT).await;
            if n < 3 {
                entered.unwrap();
                continue;
            }
            let Err(StoreError::Budget(refusal)) = entered else { panic!("{entered:?}") };
            assert_eq!(refusal, BudgetRefusal { scope, what: "money" });
            // What an answer did not need is there for all again.
            let first = new_session(1).id;
            db.store
                .settle(&first, Some(answered("call", 1)), settled(&first, "call", &[]), AT)
                .await
                .unwrap();
            db.store.intend(held(&id, "call", reserve), AT).await.unwrap();
        }
        // Of the next day or month nothing is used.
        let id = new_session(1).id;
        let reserve = Reserve { guild: GuildId(1), day: "2026-12-01".to_owned(), ..reserve(&id) };
        db.store.intend(held(&id, "later", reserve), AT).await.unwrap();
    }
}

#[tokio::test]
async fn members_servers_and_days_have_accounts_of_their_own() {
    let db = Db::open().await;
    let (one, two) = (db.start(1).await, db.start(2).await);
    let elsewhere = NewSession { guild: GuildId(72), ..new_session(3) };
    db.store.start_session(elsewhere.clone(), AT).await.unwrap();
    let tight =
        |session: &SessionId| Reserve { caps: [WIDE, caps(1, 1_000, 1_000), WIDE], ..reserve(session) };
    db.store.intend(held(&one, "a", tight(&one)), AT).await.unwrap();
    let refused = db.store.intend(held(&two, "a", tight(&two)), AT).await;
    assert!(matches!(refused, Err(StoreError::Budget(BudgetRefusal { scope: AccountScope::Member, .. }))));
    let colleague = Reserve { member: UserId(32), ..tight(&two) };
    db.store.intend(held(&two, "a", colleague), AT).await.unwrap();
    let tomorrow = Reserve { day: "2026-11-23".to_owned(), ..tight(&two) };
    db.store.intend(held(&two, "a", tomorrow), AT).await.unwrap();
    let other_server = Reserve { guild: GuildId(72), ..tight(&elsewhere.id) };
    db.store.intend(held(&elsewhere.id, "a", other_server), AT).await.unwrap();
    assert_eq!(db.store.guild_ledger(GUILD, DAY).await.unwrap().calls, 2);
    assert_eq!(db.store.guild_ledger(GUILD, "2026-11-23").await.unwrap().calls, 1);
    assert_eq!(db.store.guild_ledger(GuildId(72), DAY).await.unwrap().calls, 1);
    assert_eq!(db.store.guild_ledger(GuildId(73), DAY).await.unwrap(), Ledger::default());
    assert_eq!(db.store.ledger(&two).await.unwrap().calls, 2, "a session's own has no day");

    // Settled after midnight: on the accounts of the day it was held on.
    db.store.end_attempt(&two, answered("a", 2), AT).await.unwrap();
    assert_eq!(db.store.guild_ledger(GUILD, "2026-11-23").await.unwrap().tokens, 40);
    assert_eq!(db.store.guild_ledger(GUILD, DAY).await.unwrap().tokens, 0);
}

#[tokio::test]
async fn what_exceeded_the_worst_case_is_counted_and_blocks_what_comes_later() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let tight = Reserve { caps: [caps(9, 300, 200); 3], ..reserve(&id) };
    db.store.intend(held(&id, "a", tight.clone()), AT).await.unwrap();
    let beyond = AttemptEnd { tokens: Some((100, 50, 51)), money: Some(Money(160)), ..answered("a", 1) };
    db.store.settle(&id, Some(beyond), settled(&id, "a", &[]), AT).await.unwrap();
    let ledger = db.store.ledger(&id).await.unwrap();
    assert_eq!((ledger.tokens, ledger.cost), (201, Money(160)), "people are told all of it");
    assert_eq!(db.number("SELECT sum(tokens_over) FROM account WHERE scope NOT LIKE 'bot%'").await, 3 * 101);
    assert_eq!(db.number("SELECT sum(money_over) FROM account WHERE scope NOT LIKE 'bot%'").await, 3 * 110);
    // 99 tokens and 40 millionths are left.
    let refusal = async |tokens, money| {
        let more = Reserve { tokens, money: Money(money), ..tight.clone() };
        match db.store.intend(held(&id, "b", more), AT).await {
            Err(StoreError::Budget(refusal)) => Some(refusal.what),
            other => other.map(|_| None).unwrap(),
        }
    };
    assert_eq!(refusal(100, 40).await, Some("tokens"));
    assert_eq!(refusal(99, 41).await, Some("money"));
    assert_eq!(refusal(99, 40).await, None);
}

#[tokio::test]
async fn a_count_beyond_all_reason_is_charged_and_the_reply_kept() {
    let db = Db::open().await;
    let id = db.start(1).await;
    for key in ["a", "b"] {
        db.store.intend(attempt(&id, key), AT).await.unwrap();
    }
    let absurd = |key| AttemptEnd {
        tokens: Some((i64::MAX, i64::MAX, i64::MAX)),
        money: Some(Money(i64::MAX)),
        ..answered(key, 1)
    };
    for key in ["a", "b"] {
        db.store.settle(&id, Some(absurd(key)), settled(&id, key, &[]), AT).await.unwrap();
    }
    assert_eq!(db.store.steps(&id, "").await.unwrap().len(), 2);
    assert_eq!(db.number("SELECT sum(calls_held + tokens_held + money_held) FROM account").await, 0);
    let more = db.store.intend(attempt(&id, "c"), AT).await;
    assert!(matches!(more, Err(StoreError::Budget(_))), "{more:?}");
    assert!(db.store.ledger(&id).await.unwrap().tokens > 1_000_000_000);
}

#[tokio::test]
async fn an_unknown_price_is_counted_as_unknown_and_unknown_tokens_as_the_worst_case() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let unpriced = Reserve { money: Money(0), ..reserve(&id) };
    db.store.intend(held(&id, "a", unpriced), AT).await.unwrap();
    let end = AttemptEnd { money: None, tokens: None, ..answered("a", 1) };
    db.store.settle(&id, Some(end), settled(&id, "a", &[]), AT).await.unwrap();
    db.store.intend(attempt(&id, "b"), AT).await.unwrap();
    db.store.end_attempt(&id, unanswered("b", 1), AT).await.unwrap();
    db.store.end_attempt(&id, answered("b", 1), AT).await.unwrap(); // ended already
    let expected = Ledger {
        calls: 2,
        calls_cap: 1_000,
        tokens: 100,
        tokens_cap: 1_000_000,
        cost: Money(0),
        cost_cap: Money(1_000_000),
        unpriced_calls: 1,
        lost_calls: 0,
        uncounted_calls: 0,
    };
    assert_eq!(db.store.ledger(&id).await.unwrap(), expected);
    assert_eq!(db.store.guild_ledger(GUILD, DAY).await.unwrap(), expected);
}

#[tokio::test]
async fn of_two_hundred_at_once_exactly_as_many_get_through_as_fit() {
    let db = Db::open().await;
    let mut sessions = Vec::new();
    for n in 0..4 {
        sessions.push(db.start(n).await);
    }
    let tasks = (0..200).map(|n| {
        let (store, id) = (db.store.clone(), sessions[n % 4].clone());
        // 37 times 100 tokens fit, and a bit.
        let reserve = Reserve { caps: [WIDE, WIDE, caps(200, 3_799, 1_000_000)], ..reserve(&id) };
        tokio::spawn(async move { store.intend(held(&id, &format!("step-{n}"), reserve), AT).await })
    });
    let mut through = 0;
    for task in tasks.collect::<Vec<_>>() {
        match task.await.unwrap() {
            Ok(_) => through += 1,
            Err(StoreError::Budget(refusal)) => {
                assert_eq!(refusal, BudgetRefusal { scope: AccountScope::Guild, what: "tokens" });
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(through, 37);
    assert_eq!(db.number("SELECT count(*) FROM attempt").await, 37);
    assert_eq!(db.number("SELECT count(*) FROM step").await, 37);
    for total in [
        "SELECT sum(tokens_held) FROM account WHERE scope = 'session'",
        "SELECT sum(tokens_held) FROM account WHERE scope = 'member'",
        "SELECT sum(tokens_held) FROM account WHERE scope = 'guild'",
    ] {
        assert_eq!(db.number(total).await, 3_700, "{total}");
    }
}

#[tokio::test]
async fn a_month_has_an_account_only_where_it_has_a_budget() {
    let db = Db::open().await;
    let (one, two) = (db.start(1).await, db.start(2).await);
    db.store.intend(attempt(&one, "a"), AT).await.unwrap();
    assert_eq!(db.number("SELECT count(*) FROM account WHERE scope = 'month'").await, 0);

    // What the server used before counts: one call of 100 tokens is under way, one used 40 and cost 7.
    db.store.intend(attempt(&one, "b"), AT).await.unwrap();
    db.store.end_attempt(&one, answered("b", 1), AT).await.unwrap();
    let tight = |key: &str, day: &str| {
        let reserve = Reserve { day: day.to_owned(), month: Some(caps(3, 1_000, 1_000)), ..reserve(&two) };
        held(&two, key, reserve)
    };
    db.store.intend(tight("a", DAY), AT).await.unwrap();
    assert_eq!(db.number("SELECT calls_used FROM account WHERE scope = 'month'").await, 1);
    assert_eq!(db.number("SELECT money_used FROM account WHERE scope = 'month'").await, 7);
    db.store.intend(tight("b", "2026-11-30"), AT).await.unwrap();
    let refused = db.store.intend(tight("c", "2026-11-01"), AT).await;
    let month = BudgetRefusal { scope: AccountScope::Month, what: "calls" };
    assert!(matches!(refused, Err(StoreError::Budget(refusal)) if refusal == month), "one month, any day");
    // The next month, and another server, are their own.
    db.store.intend(tight("c", "2026-12-01"), AT).await.unwrap();

    // What was held on no month's account is settled on none.
    db.store.end_attempt(&one, answered("a", 1), AT).await.unwrap();
    let november =
        |column: &str| format!("SELECT {column} FROM account WHERE scope = 'month' AND day = '2026-11'");
    let number = async |query: String| -> i64 {
        sqlx::query_scalar(sqlx::AssertSqlSafe(query)).fetch_one(&mut db.raw().await).await.unwrap()
    };
    assert_eq!(number(november("calls_held * 100 + calls_used")).await, 201);
    db.store.end_attempt(&two, answered("a", 1), AT).await.unwrap();
    assert_eq!(number(november("calls_held * 100 + calls_used")).await, 102);
    assert_eq!(number(november("tokens_held * 1000 + tokens_used")).await, 100 * 1_000 + 80);

    let used = db.store.month_use(GUILD, "2026-11").await.unwrap();
    assert_eq!(used, (4, Money(21)), "of all sessions, with and without a budget for the month");
    assert_eq!(db.store.month_use(GUILD, "2026-10").await.unwrap(), (0, Money(0)));
}

#[tokio::test]
async fn a_month_counts_what_was_used_under_another_cap_or_none() {
    let db = Db::open().await;
    let session = db.start(1).await;
    let used = async |n: u64, month: Option<i64>| {
        let key = format!("step-{n}");
        let reserve = Reserve { month: month.map(|calls| caps(calls, 10_000, 10_000)), ..reserve(&session) };
        let refused = db.store.intend(held(&session, &key, reserve), AT).await.is_err();
        if !refused {
            db.store.end_attempt(&session, answered(&key, 1), AT).await.unwrap();
        }
        !refused
    };
    for n in 0..5 {
        assert!(used(n, None).await);
    }
    // Less than was used: nothing more. Raised, what was used still counts.
    assert!(!used(10, Some(2)).await);
    assert!(used(11, Some(7)).await);
    // Taken away and given again, what was used in between counts too.
    assert!(used(12, None).await);
    assert!(!used(13, Some(7)).await);
    assert!(used(14, Some(8)).await);
    assert_eq!(db.number("SELECT calls_used FROM account WHERE scope = 'month'").await, 8);
    assert_eq!(db.number("SELECT tokens_used FROM account WHERE scope = 'month'").await, 8 * 40);
}
