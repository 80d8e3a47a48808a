//! What goes wrong at the provider or on the way, and by which name.

use std::time::{Duration, Instant};

use domain::{Finish, Provider};
use models::{Class, Endpoint, Endpoints, Limits, Llm, Pace, Prices};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};
use tokio_util::sync::CancellationToken;

use crate::{
    llm::{ALL, KEY, limits, llm, llm_within, name, prompt, send},
    support::model::{Answer, End, Fault, ModelServer, Money},
};

#[tokio::test]
async fn every_error_response_has_its_class() {
    let server = ModelServer::start().await;
    let rows: &[(Fault, Class)] = &[
        (Fault::RateLimited(None), Class::RateLimited),
        (Fault::Overloaded, Class::Overloaded),
        (Fault::Server, Class::Server),
        (Fault::Timeout, Class::Timeout),
        (Fault::Auth, Class::Auth),
        (Fault::NotFound, Class::NotFound),
        (Fault::BadRequest("messages: wrong".to_owned()), Class::BadRequest),
        (Fault::TooLarge, Class::TooLarge),
        (Fault::Money(Money::Disguised), Class::MoneyGone),
        (Fault::Money(Money::Sentence), Class::MoneyGone),
        (Fault::Money(Money::Status), Class::MoneyGone),
    ];
    for model in ALL {
        for (fault, class) in rows {
            // A fresh door for each, as the breaker would remember.
            let door = llm(&server);
            let answer = Answer::Fault(fault.clone());
            server.on(move |_| Some(answer.clone()));
            server.forget();
            let error = send(&door, model).await.unwrap_err();
            assert_eq!(error.class, *class, "{model} {fault:?}: {error}");
            assert_eq!(server.calls().len(), 1, "one attempt is one request");
            assert!(error.request_id.is_some(), "{error:?}");

            if !matches!(fault, Fault::BadRequest(_)) {
                let door = llm(&server);
                let answer = Answer::FaultInStream(fault.clone());
                server.on(move |_| Some(answer.clone()));
                let error = send(&door, model).await.unwrap_err();
                let expected: &[Class] = match fault {
                    // Inside a stream there is no status, so what has no code of its own is a failure.
                    Fault::TooLarge | Fault::Money(_) => &[*class, Class::BadRequest],
                    _ => &[*class],
                };
                assert!(expected.contains(&error.class), "{model} {fault:?} in the stream: {error:?}");
            }
        }
        let llm = llm(&server);
        server.on(|_| Some(Answer::Fault(Fault::Moderated)));
        assert_eq!(send(&llm, model).await.unwrap().finish, Finish::Refused, "{model}");
    }
}

#[tokio::test]
async fn every_fault_of_a_stream_ends_in_time_and_by_name() {
    let rows: &[(Answer, Class)] = &[
        (Answer::Stall(0), Class::Timeout),
        (Answer::Stall(2), Class::Timeout),
        (Answer::OnlyPings, Class::Timeout),
        (Answer::CutMidStream, Class::Broken),
        (Answer::NoTerminator, Class::Broken),
        (Answer::Empty, Class::Broken),
        (Answer::Html(200), Class::Broken),
        (Answer::Html(502), Class::Server),
        (Answer::Huge(1 << 21), Class::Broken),
        (Answer::EndlessEvent, Class::Broken),
    ];
    // At the same time, as most of it is waiting.
    let runs = ALL.map(|model| async move {
        let server = ModelServer::start().await;
        for (answer, class) in rows {
            // Only a clock that has to run out is short: a busy machine reads megabytes for longer.
            let short = limits();
            let patient =
                Pace { first_token: short.remote.total, silence: short.remote.total, ..short.remote };
            let limits = match class {
                Class::Timeout => short,
                _ => Limits { remote: patient, local: patient, ..short },
            };
            let llm = llm_within(&server, limits);
            let scripted = answer.clone();
            server.on(move |_| Some(scripted.clone()));
            let began = Instant::now();
            let error = send(&llm, model).await.unwrap_err();
            let wanted = match (answer, name(model).provider) {
                (Answer::Html(502), Provider::Openrouter) => Class::Overloaded,
                _ => *class,
            };
            assert_eq!(error.class, wanted, "{model} {answer:?}: {error}");
            assert!(began.elapsed() < Duration::from_secs(8), "{model} {answer:?}: {:?}", began.elapsed());
            assert!(error.message.chars().count() <= 300);
            let counted = matches!(answer, Answer::Stall(2) | Answer::CutMidStream | Answer::NoTerminator);
            if counted && name(model).provider == Provider::Anthropic {
                let usage = error.usage.expect("a broken stream is paid for");
                assert!(usage.input > 0 && usage.output > 0, "{usage:?}");
            }
        }
    });
    futures::future::join_all(runs).await;
}

#[tokio::test]
async fn a_model_that_thinks_without_a_sign_is_given_the_time_of_its_thoughts() {
    let server = ModelServer::start().await;
    // Later than a first word may come.
    server.latency(Duration::from_millis(2_500));
    let mut limits = limits();
    // 10,000 tokens of a standard session in two seconds.
    limits.remote.thinks = 5_000.try_into().unwrap();
    let endpoint = Some(Endpoint::new(server.openai_base(), None));
    let endpoints = Endpoints { openai: endpoint, ..Endpoints::default() };
    let llm = Llm::new(endpoints, limits, Prices::embedded()).unwrap();
    for (model, expected) in
        [("openai/gpt-6-sol", Ok(Finish::Stop)), ("openai/gpt-4.1-mini", Err(Class::Timeout))]
    {
        let mut prompt = prompt("You are the market analyst.");
        prompt.room = llm.room(&name(model), &prompt);
        let outcome = llm.send(&name(model), &prompt, &CancellationToken::new()).await;
        assert_eq!(outcome.map(|reply| reply.finish).map_err(|error| error.class), expected, "{model}");
    }
}

#[tokio::test]
async fn x_should_retry_false_ends_it() {
    let server = ModelServer::start().await;
    let headers = vec![("x-should-retry".to_owned(), "false".to_owned())];
    server.on(move |_| Some(Answer::Raw { status: 500, headers: headers.clone(), body: "{}".to_owned() }));
    let error = send(&llm(&server), "openai/m").await.unwrap_err();
    assert_eq!((error.class, error.pause(1, 0.5)), (Class::Server, None));
}

#[tokio::test]
async fn cancelling_closes_the_connection_at_once() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    server.on(|_| Some(Answer::Slow("word ".repeat(400), Duration::from_millis(50))));
    for model in ["anthropic/m", "openai/m"] {
        let cancel = CancellationToken::new();
        let (began, later) = (Instant::now(), cancel.clone());
        tokio::spawn(async move {
            // In the midst of an answer of twenty seconds.
            tokio::time::sleep(Duration::from_millis(150)).await;
            later.cancel();
        });
        let error = llm.send(&name(model), &prompt("x"), &cancel).await.unwrap_err();
        assert_eq!((error.class, error.pause(1, 0.5)), (Class::Cancelled, None));
        assert!(began.elapsed() < Duration::from_millis(450), "{:?}", began.elapsed());
        assert_eq!(error.usage.is_some(), model.starts_with("anthropic"), "what was used is known or is not");
        let dropped = || server.calls().iter().all(|call| call.end == End::Dropped);
        while !dropped() {
            assert!(began.elapsed() < Duration::from_secs(3), "the server was never told");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let done = CancellationToken::new();
    done.cancel();
    assert_eq!(llm.send(&name("local/m"), &prompt("x"), &done).await.unwrap_err().class, Class::Cancelled);
    assert_eq!(server.calls().len(), 2, "cancelled before, nothing is sent");
}

#[tokio::test]
async fn redirects_are_not_followed_and_closed_doors_are_named() {
    let (server, elsewhere) = (ModelServer::start().await, ModelServer::start().await);
    let location = elsewhere.openai_base().to_string();
    server.on(move |_| {
        let headers = vec![("location".to_owned(), location.clone())];
        Some(Answer::Raw { status: 307, headers, body: String::new() })
    });
    assert_eq!(send(&llm(&server), "openai/m").await.unwrap_err().class, Class::BadRequest);
    assert!(elsewhere.calls().is_empty() && elsewhere.strays().is_empty());

    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let base = url::Url::parse(&format!("http://user:{KEY}@{closed}/v1")).unwrap();
    let endpoints = Endpoints { openai: Some(Endpoint::new(base, None)), ..Endpoints::default() };
    let llm = Llm::new(endpoints, limits(), Prices::embedded()).unwrap();
    let error = send(&llm, "openai/m").await.unwrap_err();
    assert_eq!(error.class, Class::Unavailable, "{error}");
    assert!(error.message.contains("refused") && !error.message.contains(KEY), "{error}");
    assert_eq!(send(&llm, "anthropic/m").await.unwrap_err().class, Class::Auth, "not configured");
}

/// As llama.cpp's server does it: it says that the connection stays, and closes it after a reply that it streamed.
#[tokio::test]
async fn a_server_on_this_machine_that_closes_each_connection_cuts_no_call_off() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = url::Url::parse(&format!("http://{}/v1", listener.local_addr().unwrap())).unwrap();
    let server = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer_once(stream));
        }
    });
    let endpoints = Endpoints { local: Some(Endpoint::new(base, None)), ..Endpoints::default() };
    let llm = Llm::new(endpoints, limits(), Prices::embedded()).unwrap();
    for call in 0..20 {
        let reply = send(&llm, "local/m").await.unwrap_or_else(|error| panic!("call {call}: {error}"));
        assert_eq!(reply.text, "Yes.");
    }
    server.abort();
}

/// Reads a request, streams a reply, and soon afterwards closes the connection, with whatever came meanwhile.
async fn answer_once(stream: TcpStream) {
    let mut stream = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while stream.read_line(&mut line).await.unwrap() > 2 {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    stream.read_exact(&mut vec![0; length]).await.unwrap();
    let choice = json!({"delta": {"content": "Yes."}, "finish_reason": "stop", "index": 0});
    let event = format!("data: {}\n\ndata: [DONE]\n\n", json!({"choices": [choice]}));
    let said = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nKeep-Alive: timeout=5, max=100\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{event}\r\n0\r\n\r\n",
        event.len()
    );
    stream.write_all(said.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
}
