//! Keys never show: not in an error, not in a log line of any level, ours or the HTTP stack's.

use std::time::Duration;

use domain::{Prompt, Secret};
use models::{Endpoint, Endpoints, Limits, Llm, Prices};
use tokio_util::sync::CancellationToken;

use crate::{
    llm::{ALL, name, prompt},
    support::{
        log::Log,
        model::{Answer, Fault, ModelServer},
    },
};

const KEY: &str = "canary-51c0ffee";

#[tokio::test]
async fn a_key_shows_nowhere() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone());
    // The test runs on one thread, server and HTTP stack included.
    let _guard = tracing::subscriber::set_default(subscriber.finish());

    let server = ModelServer::start().await;
    let key = || Some(Secret::new(KEY));
    let endpoints = Endpoints {
        anthropic: Some(Endpoint::new(server.anthropic_base(), key())),
        openai: Some(Endpoint::new(server.openai_base(), key())),
        openrouter: Some(Endpoint::new(server.openai_base(), key())),
        azure: Some(Endpoint::new(server.openai_base(), key())),
        gemini: Some(Endpoint::new(server.openai_base(), key())),
        local: Some(Endpoint::new(server.openai_base(), key())),
    };
    let mut limits = Limits::default();
    limits.remote.first_token = Duration::from_millis(300);
    limits.local = limits.remote;
    tracing::info!(?endpoints, "settings as a log would show them");
    let llm = Llm::new(endpoints, limits, Prices::embedded()).unwrap();

    let echo = format!("Incorrect API key provided: {KEY}. You sent Bearer {KEY}");
    let lengthy = format!("{}{KEY}", "x ".repeat(145));
    // So that the end of a message falls into the key, at every place.
    let cut =
        (230..290).map(|pad| Answer::FaultInStream(Fault::BadRequest(format!("{}{KEY}", "x".repeat(pad)))));
    let answers = [
        Answer::Text("fine".to_owned()),
        Answer::Fault(Fault::BadRequest(echo.clone())),
        Answer::Fault(Fault::BadRequest(format!("temperature, which {KEY} may not choose"))),
        Answer::FaultInStream(Fault::BadRequest(echo.clone())),
        Answer::FaultInStream(Fault::BadRequest(lengthy.clone())),
        Answer::Fault(Fault::BadRequest(lengthy)),
        Answer::Raw { status: 500, headers: Vec::new(), body: echo },
        Answer::Fault(Fault::Auth),
        Answer::Stall(0),
        Answer::CutMidStream,
    ];
    let prompt = Prompt { schema: None, ..prompt("Say something.") };
    for answer in answers.into_iter().chain(cut) {
        server.on(move |_| Some(answer.clone()));
        for model in ALL.map(name) {
            let outcome = llm.send(&model, &prompt, &CancellationToken::new()).await;
            let shown = format!("{outcome:?} {}", llm.wire(&model, &prompt));
            assert!(!shown.contains("can"), "{shown}");
            let _ = llm.models(model.provider).await;
        }
    }
    assert!(server.calls().iter().all(|call| call.auth.as_deref() == Some(KEY)));
    let log = log.text();
    assert!(
        log.contains("hyper") && log.contains("refuses to be asked so"),
        "the log must be complete to prove it"
    );
    let line = log.lines().find(|line| line.contains("canary"));
    assert_eq!(line, None);
}
