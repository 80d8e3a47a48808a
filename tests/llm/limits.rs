//! How the room spares a provider: pauses, fewer calls at a time, the breaker.

use std::time::{Duration, Instant};

use models::Class;

use crate::{
    llm::{llm, send, send_task},
    support::model::{Answer, Fault, ModelServer, Money},
};

#[tokio::test]
async fn retry_after_is_handed_on_and_holds_that_model_back() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    server.on(|call| (call.user == "first").then_some(Answer::Fault(Fault::RateLimited(Some(1.5)))));
    let error = send_task(&llm, "openai/m", "first").await.unwrap_err();
    assert_eq!(error.retry_after, Some(Duration::from_millis(1500)));
    assert_eq!(error.pause(1, 0.0), Some(Duration::from_millis(1500)));
    let refused = Instant::now();
    send(&llm, "anthropic/m").await.unwrap();
    assert!(refused.elapsed() < Duration::from_millis(1200), "another provider goes on");
    send(&llm, "openai/other").await.unwrap();
    assert!(refused.elapsed() < Duration::from_millis(1200), "another model goes on, which may stand in");
    send(&llm, "openai/m").await.unwrap();
    assert!(refused.elapsed() >= Duration::from_millis(1490), "{:?}", refused.elapsed());
}

#[tokio::test]
async fn concurrency_adapts() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    server.latency(Duration::from_millis(150));
    let burst = |count: usize| {
        let llm = llm.clone();
        async move {
            let calls = (0..count).map(|i| {
                let llm = llm.clone();
                async move { send_task(&llm, "openai/m", &format!("task {i}")).await.is_ok() }
            });
            futures::future::join_all(calls).await.into_iter().filter(|ok| *ok).count()
        }
    };
    assert_eq!(burst(40).await, 40);
    let grown = server.concurrent_peak();
    assert!((9..=16).contains(&grown), "begins with 8 and grows: {grown}");
    server.on(|_| Some(Answer::Fault(Fault::RateLimited(None))));
    assert_eq!(burst(1).await, 0);
    server.on(|_| None);
    server.forget();
    assert_eq!(burst(12).await, 12);
    // 8, 9, 10 and 11 went well, so 12 became 6, and 7 after the first 6.
    assert!((5..=7).contains(&server.concurrent_peak()), "{} after {grown}", server.concurrent_peak());
}

#[tokio::test]
async fn the_breaker_spares_a_failing_model_and_no_other() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    server.on(|call| (call.model == "bad").then_some(Answer::Fault(Fault::Overloaded)));
    for _ in 0..5 {
        assert_eq!(send(&llm, "anthropic/bad").await.unwrap_err().class, Class::Overloaded);
    }
    let error = send(&llm, "anthropic/bad").await.unwrap_err();
    assert_eq!(error.class, Class::Unavailable);
    assert!(error.retry_after.unwrap() > Duration::from_secs(25));
    assert_eq!(server.calls().len(), 5, "it was not asked again");
    send(&llm, "anthropic/good").await.unwrap();

    server.on(|_| Some(Answer::Fault(Fault::Money(Money::Disguised))));
    for _ in 0..3 {
        let error = send(&llm, "openai/m").await.unwrap_err();
        assert!(error.class.pauses_session() && error.pause(1, 0.5).is_none());
    }
    assert_eq!(server.calls().iter().filter(|call| call.model == "m").count(), 1);
}
