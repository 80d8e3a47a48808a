//! What calls are charged that brought no reply, or one that nobody counted, over the wire: never less than they
//! can have cost, and nothing for what never left.

use std::time::Duration;

use crate::support::{
    Actor, Stage,
    model::{Answer, Fault},
    play::{Part, read},
    wait_for_end,
};
use domain::{Ledger, Money};
use playground::{
    Id,
    ids::{DECISIONS, RIVERSIDE},
};
use serde_json::json;
use sqlx::Row;

/// A cheap model whose price is known.
const PRICED: &str = "openai/gpt-4.1-mini";

async fn with(model: &str, answer: Option<Answer>) -> (Stage, Actor) {
    let mut stage = Stage::start().await;
    stage.panel(&[model]);
    stage.limits.remote.first_token = Duration::from_secs(2);
    stage.limits.remote.silence = Duration::from_secs(2);
    if let Some(answer) = answer {
        stage.model.on(move |_| Some(answer.clone()));
    }
    let bot = stage.bot().await;
    (stage, bot)
}

/// What the one session has used.
async fn ledger(bot: &Actor) -> Ledger {
    let rows = bot.sessions_in(RIVERSIDE, DECISIONS).await;
    bot.store.ledger(&rows[0].id).await.unwrap()
}

/// Waits until a session stands still; gives its last notice.
async fn stopped(stage: &Stage, thread: Id) -> String {
    for _ in 0..600 {
        let notice = stage
            .public(thread)
            .iter()
            .map(read)
            .find(|text| text.contains("**Paused.**") || text.contains("could not go on"));
        if let Some(notice) = notice {
            return notice;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it goes on:\n{}", stage.read(thread))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_are_cut_are_charged_their_worst_case_and_stop_at_the_budget() {
    for answer in [Answer::CutMidStream, Answer::Stall(3), Answer::Fault(Fault::Server)] {
        let what = format!("{answer:?}");
        let mut stage = Stage::start().await;
        stage.panel(&[PRICED]);
        stage.limits.remote.first_token = Duration::from_millis(300);
        stage.limits.remote.silence = Duration::from_millis(300);
        // Less than one question with its repetitions comes to.
        let most = 12_000;
        stage.settings.budgets.session.money = Money(most);
        stage.model.on(move |_| Some(answer.clone()));
        let bot = stage.bot().await;
        let thread = stage.mediate(json!({})).await;
        stage.go(thread).await;
        let notice = stopped(&stage, thread).await;
        assert!(notice.contains("budget of money is used up"), "{what}: {notice}");
        let used = ledger(&bot).await;
        let calls = i64::try_from(stage.model.calls().len()).unwrap();
        assert!(calls < 9, "{what}: the budget stopped nothing: {calls} calls");
        assert!(used.cost.0 > most / 3 && used.cost.0 <= most, "{what}: {used:?}");
        assert_eq!((used.uncounted_calls, used.unpriced_calls), (calls, 0), "{what}: {used:?}");
        let card = stage.wait_card(thread, "charged at the most they can have cost").await;
        assert!(card.contains("whose use nobody told"), "{what}: {card}");
        assert!(!card.contains("without a known price"), "{what}: {card}");
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_provider_says_that_it_charged_goes_before_any_table() {
    let (stage, bot) = with("openrouter/v/told-cost", None).await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let used = ledger(&bot).await;
    let calls = i64::try_from(stage.model.calls().len()).unwrap();
    assert_eq!((used.cost, used.unpriced_calls), (Money(12_500 * calls), 0), "{used:?}");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_counts_nothing_is_charged_the_worst_case() {
    let (stage, bot) = with(PRICED, None).await;
    stage.model.on(|call| {
        let Answer::Json(reply) = call.reply(|_| ()) else { return None };
        let choice =
            json!({"message": {"role": "assistant", "content": reply.to_string()}, "finish_reason": "stop"});
        Some(Answer::Raw {
            status: 200,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: json!({"id": "x", "model": call.model, "choices": [choice]}).to_string(),
        })
    });
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let used = ledger(&bot).await;
    assert_eq!((used.uncounted_calls, used.unpriced_calls), (used.calls, 0), "{used:?}");
    assert!(used.cost.0 > 10_000, "{used:?}");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_costs_what_the_model_costs_that_gave_it() {
    let cost = async |served: &'static str| {
        let (stage, bot) = with(PRICED, None).await;
        stage.model.on(move |call| {
            let Answer::Json(reply) = call.reply(|_| ()) else { return None };
            let choice = json!({"message": {"role": "assistant", "content": reply.to_string()}, "finish_reason": "stop"});
            let usage = json!({"prompt_tokens": 1000, "completion_tokens": 1000});
            Some(Answer::Raw {
                status: 200,
                headers: vec![("content-type".to_owned(), "application/json".to_owned())],
                body: json!({"id": "x", "model": served, "choices": [choice], "usage": usage}).to_string(),
            })
        });
        let thread = stage.mediate(json!({})).await;
        wait_for_end(&stage, thread).await;
        let used = ledger(&bot).await;
        bot.kill().await;
        assert_eq!(used.unpriced_calls, 0);
        used.cost.0
    };
    let (asked, dearer, unknown) =
        (cost("gpt-4.1-mini").await, cost("gpt-4.1").await, cost("gpt-9-nova").await);
    assert_eq!(unknown, asked, "a name without a price costs what was asked for");
    assert!(dearer >= 4 * asked, "{dearer} {asked}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_overload_costs_what_flowed_before_it_and_nothing_where_nothing_did() {
    for (answer, flowed) in
        [(Answer::FaultInStream(Fault::Overloaded), true), (Answer::Fault(Fault::Overloaded), false)]
    {
        let (stage, bot) = with(PRICED, None).await;
        stage
            .model
            .on(move |call| (call.part() == Part::First && call.module() == "cost").then(|| answer.clone()));
        let thread = stage.mediate(json!({})).await;
        wait_for_end(&stage, thread).await;
        let used = ledger(&bot).await;
        assert_eq!((used.uncounted_calls, used.unpriced_calls), (0, 0), "{used:?}");
        let rows = sqlx::query("SELECT money, reserved_money FROM attempt WHERE problem LIKE 'Overloaded%'")
            .fetch_all(&stage.rows().await)
            .await
            .unwrap();
        assert!(!rows.is_empty());
        for row in rows {
            let (money, worst): (i64, i64) = (row.get(0), row.get(1));
            assert!(money < worst / 2 && (money > 0) == flowed, "{money} of {worst}");
        }
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_our_own_breaker_refuses_is_no_call() {
    let (stage, bot) = with(PRICED, Some(Answer::Fault(Fault::Overloaded))).await;
    stage.mediate(json!({})).await;
    let rows = stage.rows().await;
    for _ in 0..400 {
        // Refused, and told to wait for half a minute: nothing is under way.
        let (tried, open): (i64, i64) =
            sqlx::query_as("SELECT count(*), coalesce(sum(state = 'sent'), 0) FROM attempt")
                .fetch_one(&rows)
                .await
                .unwrap();
        let used = ledger(&bot).await;
        let calls = i64::try_from(stage.model.calls().len()).unwrap();
        // Between these looks nothing began.
        if tried > calls && open == 0 && used.calls <= calls {
            assert!(calls >= 5, "{calls}");
            assert_eq!((used.calls, used.cost), (calls, Money(0)), "{used:?}");
            bot.kill().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the breaker refused nothing");
}
