//! The book of servers: how real servers answer, each as somebody reported it, and a whole session on each. Every seat is
//! kept, in the calls that it takes; what is refused is asked otherwise once, and remembered.

mod book;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use futures::{StreamExt as _, stream};
use serde_json::json;

use crate::cli::quorum;
use crate::support::{
    Actor, Stage, has,
    model::{Answer, Call, ModelServer, default_reply},
    play::{MEDIATION_CALLS, PROBLEM, Part, read},
    wait_for_end,
};
use book::{BOOK, Server};

/// Seats of a round, which are asked at the same moment: each may be refused before one of them has been answered.
const SEATS: usize = 3;
/// Stages that are played on side by side.
const AT_ONCE: usize = 3;

/// A stage on which every seat is a model of this server, and how many requests it has refused so far.
async fn stage_on(server: &'static Server) -> (Stage, Arc<AtomicUsize>) {
    let mut stage = Stage::start().await;
    let model = server.model.parse().unwrap();
    for seat in [
        &mut stage.settings.appointed.mediator,
        &mut stage.settings.appointed.moderator,
        &mut stage.settings.appointed.gatekeeper,
        &mut stage.settings.appointed.notary,
        &mut stage.settings.appointed.cheap,
    ] {
        clone_into(&model, seat);
    }
    stage.settings.appointed.panel = vec![model];
    let refused = Arc::new(AtomicUsize::new(0));
    let count = refused.clone();
    stage.model.on(move |call: &Call| {
        let answer = (server.answer)(call);
        if let Answer::Raw { status, body, .. } = &answer
            && (*status >= 400 || body.contains("\"error\""))
        {
            count.fetch_add(1, Ordering::SeqCst);
        }
        Some(answer)
    });
    (stage, refused)
}

fn clone_into<T: Clone>(from: &T, into: &mut T) {
    from.clone_into(into);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_session_on_each_keeps_every_seat_in_the_calls_that_it_needs() {
    let session = async |server: &'static Server| {
        let name = server.name;
        let (stage, refused) = stage_on(server).await;
        let bot: Actor = stage.bot().await;
        let thread = stage.mediate(json!({})).await;
        let end = wait_for_end(&stage, thread).await;
        assert!(end.contains("Nothing was degraded"), "{name}: {}", stage.read(thread));
        let (calls, refusals) = (stage.model.calls().len(), refused.load(Ordering::SeqCst));
        // A model of one's own is asked for less: one draft.
        let made = if server.model.starts_with("local/") { MEDIATION_CALLS - 4 } else { MEDIATION_CALLS };
        assert_eq!(calls - refusals, made, "{name}: {refusals} of {calls} were refused");
        assert!(refusals <= server.refusals * SEATS, "{name}: refused {refusals} times");

        assert_eq!(stage.discord.violations(), Vec::<String>::new(), "{name}");

        let strays: Vec<String> =
            stage.model.strays().into_iter().filter(|stray| !stray.starts_with("GET")).collect();
        assert_eq!(strays, Vec::<String>::new(), "{name}");
        bot.kill().await;

        // What was learned is in the file, so that the next process is refused nothing. Seen of those that refuse most.
        if server.refusals < 2 {
            return;
        }
        let bot = stage.bot().await;
        refused.store(0, Ordering::SeqCst);
        let thread = stage.mediate(json!({})).await;
        wait_for_end(&stage, thread).await;
        let again = refused.load(Ordering::SeqCst);
        assert!(again <= server.each_time * SEATS * 2, "{name}: refused {again} times in the next process");
        bot.kill().await;
    };
    stream::iter(&BOOK).for_each_concurrent(AT_ONCE, session).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_may_not_be_used_loses_its_place_to_another_and_the_notice_says_why() {
    for (body, why) in [
        (
            r#"{"error":{"message":"The model `m` is blocked at the organization level.","type":"permissions_error","code":"model_permission_blocked_org"}}"#,
            "is blocked at the organization level",
        ),
        (
            r#"{"error":{"message":"This model is not available in your region.","code":403}}"#,
            "not available in your region",
        ),
    ] {
        let mut stage = Stage::start().await;
        stage.settings.appointed.panel =
            ["openai/barred", "openai/other"].map(|name| name.parse().unwrap()).to_vec();
        stage.model.on(move |call| {
            (call.model == "barred").then(|| Answer::Raw {
                status: 403,
                headers: vec![("content-type".to_owned(), "application/json".to_owned())],
                body: body.to_owned(),
            })
        });
        let bot = stage.bot().await;
        let thread = stage.mediate(json!({})).await;
        wait_for_end(&stage, thread).await;
        let closing = read(&stage.message(thread, "Degraded:**"));
        assert!(closing.contains("openai/barred cannot be used here") && closing.contains(why), "{closing}");
        assert!(!stage.read(thread).contains("API key"), "the key is not blamed");
        assert!(closing.contains("points were given by openai/other"), "{closing}");
        assert!(!closing.contains("gave no points"), "{closing}");
        let barred = stage.model.calls().into_iter().filter(|call| call.model == "barred");
        let mut prompts: Vec<u64> = barred.map(|call| call.seed()).collect();
        let asked = prompts.len();
        prompts.sort_unstable();
        prompts.dedup();
        assert_eq!(prompts.len(), asked, "nothing is asked of it twice, and nothing shorter");
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_model_may_be_used_the_failure_says_what_the_servers_said() {
    let stage = Stage::start().await;
    stage.model.on(|_| {
        let body = json!({"error": {"message": "This model is not available in your region.", "code": 403}});
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Some(Answer::Raw { status: 403, headers, body: body.to_string() })
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "The session could not go on").await;
    let failed = read(&stage.message(thread, "The session could not go on"));
    has(
        &failed,
        &[
            "No module could answer",
            "openai/alpha cannot be used here: openai answered 403: This model is not available in your region.",
        ],
    );
    bot.kill().await;
}

/// What is too much for a model alone is answered by another, and the server's words say why.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_can_take_in_nothing_is_stood_in_for_and_its_servers_words_stand_in_the_notice() {
    let mut stage = Stage::start().await;
    stage.settings.appointed.panel =
        ["openai/small", "openai/other"].map(|name| name.parse().unwrap()).to_vec();
    stage.model.on(|call| {
        (call.model == "small").then(|| Answer::Raw {
            status: 200,
            headers: vec![("content-type".to_owned(), "text/event-stream".to_owned())],
            body: "event: error\ndata: {\"error\":{\"message\":\"Trying to keep the first 15857 tokens when context overflows. However, the model is loaded with context length of only 4096 tokens.\"}}\n\n".to_owned(),
        })
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let closing = read(&stage.message(thread, "Degraded:**"));
    for said in [
        "openai/small did not take a request",
        "context length of only 4096",
        "points were given by openai/other",
    ] {
        assert!(closing.contains(said), "{said}: {closing}");
    }
    bot.kill().await;
}

/// LM Studio and others put a whole answer among the thoughts: one with a slip in it is asked for again, as any other is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_among_the_thoughts_that_cannot_be_read_is_asked_for_again_once() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let asked = call.part() == Part::First && call.module() == "cost";
        asked.then(|| {
            let mut said = default_reply(call);
            if !call.is_repair() {
                said["analysis"] = "".into();
            }
            let message = json!({"role": "assistant", "content": "", "reasoning_content": said.to_string()});
            let choices = json!([{"index": 0, "message": message, "finish_reason": "stop"}]);
            let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
            Answer::Raw {
                status: 200,
                headers,
                body: json!({"id": "c1", "model": "m", "choices": choices}).to_string(),
            }
        })
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    has(&wait_for_end(&stage, thread).await, &["Nothing was degraded"]);
    let asked = stage.model.calls().into_iter();
    let asked = asked.filter(|call| call.part() == Part::First && call.module() == "cost").count();
    assert_eq!(asked, 2, "once, and once more");
    bot.kill().await;
}

/// Groq keeps back what it takes for no JSON of the shape asked for; where it is that all the same, nobody is asked again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_provider_kept_back_is_taken_where_it_is_whole() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let first = call.part() == Part::First && call.module() == "cost";
        first.then(|| {
            let error = json!({"message": "Failed to generate JSON.", "code": "json_validate_failed",
                               "failed_generation": format!("```json\n{}\n```", default_reply(call))});
            let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
            Answer::Raw { status: 400, headers, body: json!({"error": error}).to_string() }
        })
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    let end = wait_for_end(&stage, thread).await;
    assert!(end.contains("Nothing was degraded"), "{end}");
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS);
    bot.kill().await;
}

/// Ollama counts what is left after the cut (<https://github.com/ollama/ollama/issues/17427>).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_was_cut_without_a_word_is_told() {
    let ollama = BOOK.iter().find(|server| server.name == "Ollama").unwrap();
    let (stage, _) = stage_on(ollama).await;
    stage.model.on(|call| {
        let Answer::Raw { status, headers, body } = (ollama.answer)(call) else { return None };
        let counted = json!(call.text().len() / 4 + 1).to_string();
        // Not quite the same each time.
        let left = format!("\"prompt_tokens\":{}", 514 + call.seed() % 2);
        let body = body.replace(&format!("\"prompt_tokens\":{counted}"), &left);
        Some(Answer::Raw { status, headers, body })
    });
    let bot = stage.bot().await;
    let problem = format!("{PROBLEM}. {}", "It rains there in autumn, too. ".repeat(125));
    let thread = stage.mediate(json!({"problem": problem})).await;
    wait_for_end(&stage, thread).await;
    let closing = read(&stage.message(thread, "Degraded:**"));
    assert!(
        closing.matches("of a longer request").count() == 1
            && closing.contains("read only 51")
            && closing.contains(r"num\_ctx"),
        "{closing}"
    );
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_says_in_a_line_what_was_learned() {
    for (name, told) in [
        ("Mistral", "ok     openai/m, learned: no max_completion_tokens; no stream_options"),
        ("DeepSeek", "ok     openai/m, learned: no role developer; schema in words"),
        (
            "OpenAI, a model without roles for rules",
            "ok     openai/m, learned: no role developer; no system role",
        ),
        ("SGLang", "ok     openai/m, learned: schema in words"),
    ] {
        let server = BOOK.iter().find(|server| server.name == name).unwrap();
        let models = ModelServer::start().await;
        models.on(|call| Some((server.answer)(call)));
        let folder = tempfile::tempdir().unwrap();
        let base = models.openai_base().to_string();
        let settings = [
            ("DISCORD_TOKEN", "t"),
            ("DISCORD_API_BASE", "http://127.0.0.1:9"),
            ("OPENAI_BASE_URL", base.as_str()),
            ("QUORUM_MODELS", "openai/m"),
        ];
        let told_by = tokio::task::block_in_place(|| quorum(folder.path(), &["doctor"], &settings));
        let said = String::from_utf8(told_by.stdout).unwrap();
        assert!(said.contains(told), "{name}: {said}");
        assert!(
            said.contains("ok     openai/m, plain") && said.contains("ok     openai/m, structured"),
            "{said}"
        );
    }
}
