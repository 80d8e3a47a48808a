//! Rate limits.

use std::{
    collections::HashMap,
    sync::Mutex,
    time::{Duration, Instant},
};

use axum::{body::Body, http::Response};
use discord::{Ack, Discord, Kind, Nonce, SendError};
use domain::{ChannelId, InteractionId, MessageId, SessionId, StepKey};
use futures::future::join_all;
use serde_json::json;

use crate::discord::server::{Asked, Server, answer, post, written};

async fn write(discord: &Discord, channel: u64, part: usize) -> Result<MessageId, SendError> {
    let nonce = Nonce::new(&SessionId::from_bits(7), &StepKey::from("x"), part);
    discord.create_message(ChannelId(channel), &post("x"), &[], &nonce, None).await
}

/// Discord's windows: so many requests per channel, from the first of them on.
struct Windows {
    limit: u32,
    length: Duration,
    open: Mutex<HashMap<u64, (Instant, u32)>>,
}

impl Windows {
    fn new(limit: u32, length: Duration) -> Self {
        Self { limit, length, open: Mutex::default() }
    }

    fn answer(&self, asked: &Asked) -> Response<Body> {
        let mut open = self.open.lock().unwrap();
        let now = Instant::now();
        let window = open.entry(asked.channel()).or_insert((now, 0));
        if now.duration_since(window.0) >= self.length {
            *window = (now, 0);
        }
        let left = self.length.saturating_sub(now.duration_since(window.0)).as_secs_f64();
        let (limit, after) = (self.limit.to_string(), format!("{left:.3}"));
        let remaining = self.limit.saturating_sub(window.1 + 1).to_string();
        let headers = [
            ("x-ratelimit-limit", &*limit),
            ("x-ratelimit-remaining", &*remaining),
            ("x-ratelimit-reset-after", &*after),
            ("x-ratelimit-bucket", "messages"),
        ];
        if window.1 >= self.limit {
            return answer(
                429,
                &headers,
                json!({"message": "slow", "retry_after": left, "global": false}).to_string(),
            );
        }
        window.1 += 1;
        answer(200, &headers, json!({"id": "7"}).to_string())
    }
}

/// How many of them went out in any one second, at most.
fn busiest_second(asked: &[Asked]) -> usize {
    let within = |first: &Asked| {
        asked
            .iter()
            .filter(|other| other.at >= first.at && other.at - first.at < Duration::from_secs(1))
            .count()
    };
    asked.iter().map(within).max().unwrap_or(0)
}

#[tokio::test]
async fn a_bucket_of_five_in_five_seconds_is_never_overdrawn() {
    let windows = Windows::new(5, Duration::from_secs(5));
    let server = Server::start(move |_, asked| windows.answer(asked)).await;
    let discord = server.discord();
    let start = Instant::now();
    let all = join_all((0..7).map(|part| write(&discord, 100, part))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!(server.asked().len(), 7, "no 429, so no repetition");
    let took = start.elapsed();
    assert!((Duration::from_secs(5)..Duration::from_secs(8)).contains(&took), "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_channels_at_once_are_kept_apart_and_never_overdrawn() {
    let windows = Windows::new(3, Duration::from_millis(700));
    let server = Server::start(move |_, asked| windows.answer(asked)).await;
    let discord = server.discord();
    let all = (0..80).map(|n| write(&discord, 100 + (n as u64 % 8), n));
    let start = Instant::now();
    assert!(join_all(all).await.iter().all(Result::is_ok));
    assert_eq!(server.asked().len(), 80, "no 429, so no repetition");
    // 10 in each channel, 3 to a window: three windows and a bit, if the channels do not wait for each other.
    assert!(start.elapsed() < Duration::from_secs(7), "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_second_has_more_than_fifty_requests_except_for_interactions() {
    let server = Server::start(|_, _| written(7)).await;
    let discord = server.discord();
    assert!(join_all((0..120).map(|n| write(&discord, n as u64, n))).await.iter().all(Result::is_ok));
    let asked = server.asked();
    assert_eq!(asked.len(), 120);
    assert!(busiest_second(&asked) <= 50, "{}", busiest_second(&asked));
    let took = asked[119].at - asked[0].at;
    assert!((Duration::from_millis(2_500)..Duration::from_secs(5)).contains(&took), "{took:?}");
    let start = Instant::now();
    let acks = (0..120).map(|n| discord.acknowledge(InteractionId(n), "t", Ack::DeferUpdate));
    assert!(join_all(acks).await.iter().all(Result::is_ok));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_429_is_waited_out_as_long_as_it_says() {
    for (headers, body, wait) in [
        (vec![], "{\"retry_after\": 0.4, \"global\": false}", 400),
        (vec![("retry-after", "1")], "{\"retry_after\": 0.4}", 400),
        (vec![("retry-after", "1")], "<html>from the network", 1_000),
        (vec![("x-ratelimit-scope", "shared")], "{\"retry_after\": 0.4}", 400),
        (vec![("x-ratelimit-scope", "global")], "{\"retry_after\": 0.4, \"global\": true}", 400),
        (vec![("retry-after", "soon")], "{\"retry_after\": \"soon\"}", 1_000),
        (vec![("retry-after", "-5")], "{\"retry_after\": -5}", 1_000),
        (vec![("retry-after", "NaN"), ("x-ratelimit-reset-after", "inf")], "{}", 1_000),
        (vec![], "", 1_000),
    ] {
        let said = format!("{headers:?} {body}");
        let server = Server::start(move |number, _| match number {
            0 => answer(429, &headers, body),
            _ => written(7),
        })
        .await;
        let start = Instant::now();
        assert_eq!(write(&server.discord(), 100, 0).await, Ok(MessageId(7)), "{said}");
        let (took, wait) = (start.elapsed(), Duration::from_millis(wait));
        assert!(took >= wait && took < wait + Duration::from_millis(900), "{said}: {took:?}");
        assert_eq!(server.asked().len(), 2, "{said}");
    }
}

#[tokio::test]
async fn a_429_too_long_to_wait_is_handed_back_and_remembered() {
    for body in ["{\"retry_after\": 1e300}", "{\"retry_after\": 90000}"] {
        let server = Server::start(move |_, _| answer(429, &[], body)).await;
        let discord = server.discord();
        let error = write(&discord, 100, 0).await.unwrap_err();
        assert_eq!((error.kind, error.retry_after), (Kind::RateLimited, Some(Duration::from_hours(1))));
        assert!(!error.is_final() && !error.is_transient());
        let error = write(&discord, 100, 0).await.unwrap_err();
        assert_eq!(error.kind, Kind::RateLimited);
        assert!(error.retry_after.is_some_and(|wait| wait > Duration::from_mins(10)), "{error:?}");
        assert_eq!(server.asked().len(), 1, "the second was not sent at all");
    }
}

#[tokio::test]
async fn a_429_that_never_ends_is_given_up() {
    let server = Server::start(|_, _| answer(429, &[], "{\"retry_after\": 0.02}")).await;
    assert_eq!(write(&server.discord(), 100, 0).await.unwrap_err().kind, Kind::RateLimited);
    assert_eq!(server.asked().len(), 5);
}

#[tokio::test]
async fn a_global_429_holds_everything_and_a_bucket_s_only_the_bucket() {
    for (global, held) in [(true, true), (false, false)] {
        let body = json!({"retry_after": 0.8, "global": global}).to_string();
        let server = Server::start(move |number, _| match number {
            0 => answer(429, &[], body.clone()),
            _ => written(7),
        })
        .await;
        let discord = server.discord();
        let first = write(&discord, 100, 0);
        let second = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            let start = Instant::now();
            write(&discord, 101, 1).await.unwrap();
            start.elapsed()
        };
        let (first, waited) = tokio::join!(first, second);
        assert_eq!(first, Ok(MessageId(7)));
        assert_eq!(waited > Duration::from_millis(400), held, "{waited:?}");
    }
}

#[tokio::test]
async fn headers_that_make_no_sense_change_nothing() {
    for headers in [
        [("x-ratelimit-limit", "banana"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset-after", "9")],
        [("x-ratelimit-limit", "5"), ("x-ratelimit-remaining", "-1"), ("x-ratelimit-reset-after", "9")],
        [("x-ratelimit-limit", "5"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset-after", "NaN")],
        [("x-ratelimit-limit", "5"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset-after", "-9")],
        [("x-ratelimit-limit", ""), ("x-ratelimit-remaining", ""), ("x-ratelimit-reset-after", "")],
        [("x-ratelimit-limit", "0"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset-after", "0")],
    ] {
        let said = format!("{headers:?}");
        let server = Server::start(move |_, _| answer(200, &headers, "{\"id\":\"7\"}")).await;
        let discord = server.discord();
        let start = Instant::now();
        for part in 0..3 {
            assert_eq!(write(&discord, 100, part).await, Ok(MessageId(7)), "{said}");
        }
        assert_eq!(server.asked().len(), 3, "{said}");
        assert!(start.elapsed() < Duration::from_secs(2), "{said}");
    }
}

#[tokio::test]
async fn a_turn_that_is_abandoned_holds_up_nobody() {
    let windows = Windows::new(5, Duration::from_millis(500));
    let server = Server::start(move |_, asked| windows.answer(asked)).await;
    let discord = server.discord();
    for part in 0..20 {
        let wait = Duration::from_micros(part as u64 * 100);
        let _ = tokio::time::timeout(wait, write(&discord, 100, part)).await;
    }
    let all = join_all((0..6).map(|part| write(&discord, 100, part)));
    let all = tokio::time::timeout(Duration::from_secs(5), all).await.unwrap();
    assert!(all.iter().all(Result::is_ok));
}

#[tokio::test]
async fn names_of_buckets_that_contain_the_channel_confuse_nothing() {
    let windows = Windows::new(5, Duration::from_secs(1));
    let server = Server::start(move |_, asked| {
        let mut answer = windows.answer(asked);
        let name = format!("messages:{}", asked.channel());
        answer.headers_mut().insert("x-ratelimit-bucket", name.parse().unwrap());
        answer
    })
    .await;
    let discord = server.discord();
    for part in 0..16 {
        write(&discord, 100 + part as u64 % 2, part).await.unwrap();
    }
    assert_eq!(server.asked().len(), 16, "no 429, so no repetition");
}

#[tokio::test]
async fn kinds_of_requests_that_share_a_bucket_share_its_allowance() {
    let windows = Windows::new(4, Duration::from_millis(800));
    let server = Server::start(move |_, asked| windows.answer(asked)).await;
    let discord = server.discord();
    let channel = ChannelId(100);
    let posts = join_all((0..6).map(|part| write(&discord, 100, part)));
    let edits = join_all((0..6).map(|_| {
        let discord = &discord;
        async move { discord.edit_message(channel, MessageId(7), &post("x"), &[]).await }
    }));
    let (posts, edits) = tokio::join!(posts, edits);
    assert!(posts.iter().all(Result::is_ok) && edits.iter().all(Result::is_ok));
    assert_eq!(server.asked().len(), 12, "no 429, so no repetition");
}
