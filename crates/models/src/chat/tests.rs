//! What is asked once something was refused, and where an answer, a thought and an error are found in what comes.

use super::{super::learned::Change, *};
use crate::Class;

fn prompt() -> Prompt {
    serde_json::from_value(json!({
        "rules": "Rules.", "shared": "Shared.", "task": "Task.", "turns": [], "max_tokens": 3_000, "room": 2_000,
        "schema": {"name": "x", "json": {"type": "string", "maxLength": 9}},
        "effort": "standard", "temperature": 0.2, "version": "",
    }))
    .unwrap()
}

fn asked(model: &str, changes: &[Change]) -> Value {
    let manner = changes.iter().copied().fold(Manner::default(), Manner::with);
    body(&model.parse().unwrap(), &prompt(), &manner, None)
}

/// What is made of chunks, and how the last of them counts.
fn heard(chunks: &[Value]) -> (Draft, Result<Progress, CallError>) {
    let mut draft = Draft::default();
    let mut last = Ok(Progress::None);
    for chunk in chunks {
        last = read(Provider::Local, &mut draft, chunk);
    }
    (draft, last)
}

fn delta(delta: &Value, finish: &str) -> Value {
    json!({"choices": [{"delta": delta, "finish_reason": finish}]})
}

/// The text and the end of a reply of these chunks.
fn replied(chunks: &[Value]) -> (String, Finish) {
    let (mut draft, last) = heard(chunks);
    last.unwrap();
    let reply = draft.reply(&"local/m".parse().unwrap()).unwrap();
    (reply.text, reply.finish)
}

fn class(chunk: &Value) -> Class {
    heard(std::slice::from_ref(chunk)).1.unwrap_err().class
}

#[test]
fn each_change_is_in_the_next_request() {
    use Change::{RulesBeforeTask, Schema, Shorter, ShorterNow, Unstreamed, Without};
    let usual = asked("openai/m", &[]);
    assert_eq!((&usual["stream"], &usual["max_completion_tokens"]), (&json!(true), &json!(5_000)));
    assert_eq!(usual["messages"][0], json!({"role": "developer", "content": "Rules.\n\nShared."}));
    assert_eq!(usual["response_format"]["json_schema"]["strict"], true);
    for (model, name, parameter) in [
        ("openai/m", "temperature", Parameter::Temperature),
        ("openai/m", "stream_options", Parameter::StreamOptions),
        ("openai/m", "prompt_cache_key", Parameter::CacheKey),
        ("openai/m", "max_completion_tokens", Parameter::CompletionTokens),
        ("local/m", "max_tokens", Parameter::MaxTokens),
        ("local/m", "frequency_penalty", Parameter::Extras),
        ("local/m", "cache_prompt", Parameter::Extras),
    ] {
        assert!(asked(model, &[]).get(name).is_some(), "{name}");
        assert_eq!(asked(model, &[Without(parameter)]).get(name), None, "{name}");
    }
    assert_eq!(asked("openai/m", &[Without(Parameter::CompletionTokens)])["max_tokens"], 5_000);
    assert_eq!(asked("local/m", &[Without(Parameter::MaxTokens)])["max_completion_tokens"], 5_000);
    assert_eq!(asked("openai/m", &[Shorter(900)])["max_completion_tokens"], 900);
    assert_eq!(asked("openai/m", &[ShorterNow(700), Shorter(900)])["max_completion_tokens"], 700);
    let whole = asked("openai/m", &[Unstreamed]);
    assert_eq!((&whole["stream"], whole.get("stream_options")), (&json!(false), None));

    let system = asked("openai/m", &[Without(Parameter::Developer)]);
    assert_eq!(system["messages"][0]["role"], "system");
    let before = asked("openai/m", &[RulesBeforeTask]);
    assert_eq!(before["messages"], json!([{"role": "user", "content": "Rules.\n\nShared.\n\nTask."}]));

    let plain = &asked("local/m", &[Schema(SchemaForm::Plain)])["response_format"]["json_schema"];
    assert_eq!(plain.get("strict"), None, "{plain}");
    assert_eq!(plain["schema"].get("maxLength"), None, "{plain}");
    let words = asked("local/m", &[Schema(SchemaForm::Words)]);
    assert_eq!(words.get("response_format"), None);
    assert!(words["messages"][1]["content"].as_str().unwrap().contains("\"maxLength\":9"), "{words}");
}

#[test]
fn an_answer_and_a_thought_are_told_apart_wherever_they_stand() {
    let stop = delta(&json!({}), "stop");
    for thought in [
        json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]}),
        json!({"content": [{"type": "thinking", "thinking": "Hm."}]}),
        json!({"reasoning_content": "Hm."}),
        json!({"reasoning": "Hm."}),
        json!({"content": "", "reasoning_content": "Hm.", "reasoning": "Hm."}),
    ] {
        let (draft, last) = heard(&[delta(&thought, "")]);
        assert_eq!((draft.received(), last.unwrap()), (0, Progress::Token), "{thought}");
        let alone = [delta(&thought, ""), stop.clone()];
        assert_eq!(replied(&alone), ("Hm.".to_owned(), Finish::InThoughts), "{thought}");
        for text in [json!({"content": "Yes."}), json!({"content": [{"type": "text", "text": "Yes."}]})] {
            let both = [delta(&thought, ""), delta(&text, ""), stop.clone()];
            assert_eq!(replied(&both), ("Yes.".to_owned(), Finish::Stop), "{thought} {text}");
        }
    }
    // What is cut off in its thoughts is no answer that stands among them.
    let cut = [delta(&json!({"reasoning": "Hm."}), ""), delta(&json!({}), "length")];
    assert_eq!(replied(&cut), (String::new(), Finish::Length));
    let error = heard(&[stop]).0.reply(&"local/m".parse().unwrap()).unwrap_err();
    assert_eq!(error.class, Class::Broken, "nothing at all is no answer");
}

#[test]
fn each_reason_to_stop_has_its_end() {
    for (reason, finish) in [
        ("stop", Finish::Stop),
        ("eos", Finish::Stop),
        ("length", Finish::Length),
        ("model_length", Finish::Length),
        ("content_filter", Finish::Refused),
        ("content_filter: SAFETY", Finish::Refused),
    ] {
        assert_eq!(replied(&[delta(&json!({"content": "Yes."}), reason)]).1, finish, "{reason}");
    }
    let declines = [delta(&json!({"refusal": "No."}), ""), delta(&json!({}), "stop")];
    assert_eq!(replied(&declines), ("No.".to_owned(), Finish::Refused));
    let filtered = [delta(&json!({}), "content_filter"), delta(&json!({"content": "Yes."}), "stop")];
    assert_eq!(replied(&filtered).1, Finish::Refused, "a refusal stays one");
    for (reason, expected) in [
        ("error", Class::Server),
        ("abort", Class::Server),
        ("insufficient_system_resource", Class::Overloaded),
    ] {
        assert_eq!(class(&delta(&json!({}), reason)), expected, "{reason}");
    }
}

#[test]
fn an_error_is_heard_wherever_it_stands() {
    for chunk in [
        json!({"error": {"code": 429, "message": "slower"}}),
        json!({"choices": [{"error": {"code": 429, "message": "slower"}}]}),
        json!({"x_groq": {"error": {"code": 429, "message": "slower"}}}),
        json!({"error": "slower", "code": 429}),
        json!({"type": "error", "code": 429, "message": "slower"}),
        json!({"object": "error", "code": 429, "message": "slower"}),
        json!({"error_type": "slower", "code": 429}),
        json!({"error_message": "slower", "code": 429}),
    ] {
        assert_eq!(class(&chunk), Class::RateLimited, "{chunk}");
    }
    assert_eq!(heard(&[json!({"error": null, "choices": []})]).1.unwrap(), Progress::None);
    let declined = json!({"error": {"code": "content_filter", "message": "No."}});
    assert_eq!(replied(&[declined]), ("No.".to_owned(), Finish::Refused));
}

#[test]
fn a_complaint_teaches_only_where_nothing_came_before_it() {
    let error = json!({"error": {"code": 400, "message": "temperature"}});
    for (before, teaches) in
        [(json!({}), true), (json!({"content": "Y"}), false), (json!({"reasoning": "H"}), false)]
    {
        let (mut draft, last) = heard(&[delta(&before, ""), error.clone()]);
        assert!(last.is_err());
        assert_eq!(draft.complaint_at_once().is_some(), teaches, "{before}");
    }
    let usage = json!({"prompt_tokens": 9, "completion_tokens": 3});
    for chunk in [json!({"usage": usage}), json!({"x_groq": {"usage": usage}})] {
        let (mut draft, _) = heard(&[chunk, delta(&json!({"content": "Y"}), "")]);
        assert_eq!(draft.usage.unwrap().output, 3);
        draft.start_over();
        assert_eq!((draft.usage, draft.received()), (None, 0), "what is refused costs nothing");
    }
    let told = [json!({"usage": {"cost": 0.5}}), json!({"usage": usage})];
    assert_eq!(heard(&told).0.cost, Some(Money::from_dollars(0.5)), "what it costs is told once");
}

#[test]
fn pictures_stand_behind_the_task_and_without_any_it_is_a_plain_text() {
    assert_eq!(asked("openai/m", &[])["messages"][1]["content"], "Task.");
    let picture = Picture { media: "image/png".to_owned(), base64: "iVBORw0".to_owned() };
    let prompt = Prompt { pictures: vec![picture], ..prompt() };
    let content = |body: Value| {
        body["messages"].as_array().unwrap().last().map(|last| last["content"].clone()).unwrap()
    };
    let url = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0"}});
    let chat = body(&"openai/m".parse().unwrap(), &prompt, &Manner::default(), None);
    assert_eq!(content(chat), json!([{"type": "text", "text": "Task."}, url]));
    let source = json!({"type": "base64", "media_type": "image/png", "data": "iVBORw0"});
    let messages = crate::anthropic::body(&"anthropic/m".parse().unwrap(), &prompt, &Manner::default(), None);
    let wanted = json!([{"type": "image", "source": source}, {"type": "text", "text": "Task."}]);
    assert_eq!(content(messages), wanted);
}
