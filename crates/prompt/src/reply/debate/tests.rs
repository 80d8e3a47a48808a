use serde_json::{Value, json};

use super::*;
use crate::{ParseError, parse};
use domain::{
    Act, Aim, Bearing, Body, CrossQuestion, DebateSynthesis, DebateTurn, Favors, Framing, Mark, Proposition,
    Section, Side, Slot, Theme,
};

fn by(act: Act) -> Speaker<'static> {
    Speaker { slot: Slot::new(act, Side::Con), model: "m", pages: 0 }
}

fn opening(reply: &Value) -> Result<DebateTurn, ParseError> {
    parse::<OpeningReply>(&reply.to_string())?.into_turn(by(Act::Opening))
}

fn proposition(reply: &Value) -> Result<Proposition, ParseError> {
    checked_proposition(parse::<Proposition>(&reply.to_string())?, "We should  finally\ndo it!", "m")
}

fn with(mut reply: Value, pointer: &str, value: Value) -> Value {
    *reply.pointer_mut(pointer).unwrap() = value;
    reply
}

fn neutral() -> Value {
    json!({
        "context": {
            "geography": "the town", "timeframe": "Not specified.", "domain": "transport",
            "stakeholders": ["riders", "None", "Unknown", "riders of [1] buses"], "background": "Thirty stops [2]."
        },
        "normalized_question": "Should the town\nrun a bus line?", "changed": "None",
        "framing": "Policy", "complexity": "MEDIUM", "objection": "null"
    })
}

#[test]
fn a_proposition_is_one_question_with_the_bounds_that_were_stated() {
    let read = proposition(&neutral()).unwrap();
    assert_eq!(read.question, "Should the town run a bus line?");
    assert_eq!(read.raw, "We should  finally\ndo it!");
    assert_eq!((read.context.timeframe.as_str(), read.context.geography.as_str()), ("", "the town"));
    assert_eq!(read.context.stakeholders, ["riders", "riders of buses"]);
    assert_eq!(read.context.background, "Thirty stops.");
    assert_eq!((read.changed.as_str(), read.objection, read.framing), ("", None, Framing::Policy));
    assert_eq!((read.answered_by.as_deref(), read.edited_by), (Some("m"), None));
}

#[test]
fn what_is_no_question_of_500_characters_is_told() {
    let set = |question: &str| with(neutral(), "/normalized_question", json!(question));
    for whole in ["Should it?", "应该这样做吗？", "هل يجب ذلك؟"] {
        assert_eq!(proposition(&set(whole)).unwrap().question, whole);
    }
    assert_eq!(proposition(&set(" … ")), Err(ParseError::Empty("normalized_question")));
    let numbers: Vec<String> = (100..300).map(|number| number.to_string()).collect();
    for (wrong, told) in [
        ("We should do it.", "ends with a question mark"),
        ("Should it? I think so", "ends with a question mark"),
        (&format!("Should {}?", numbers.join(" ")), "at most 500 fit"),
    ] {
        let error = proposition(&set(wrong)).unwrap_err();
        assert!(matches!(&error, ParseError::Shape(why) if why.contains(told)), "{error}");
        // What cannot be debated anyway stays as it was typed, and says why.
        let read = proposition(&with(set(wrong), "/objection", json!("Write a question."))).unwrap();
        assert_eq!(read.question, "We should finally do it!");
        assert_eq!(read.objection.as_deref(), Some("Write a question."));
    }
    assert!(proposition(&with(neutral(), "/framing", json!("political"))).is_err());
}

#[test]
fn bounds_of_any_length_are_kept_short() {
    let numbers = (100..900).map(|number| number.to_string()).collect::<Vec<_>>();
    let mut reply = with(neutral(), "/context/background", json!(numbers.join(" ")));
    reply = with(reply, "/context/stakeholders", json!(numbers));
    reply = with(reply, "/changed", json!(numbers.join(" ")));
    let read = proposition(&reply).unwrap();
    assert!(read.context.background.chars().count() <= 800 && read.context.background.ends_with('…'));
    assert_eq!(read.context.stakeholders.len(), 8);
    assert!(read.changed.chars().count() <= 400);
}

#[test]
fn a_turn_is_clean_and_whatever_is_usable_is_kept() {
    let said = json!({
        "position": "Yes [1].\n\nBecause.", "preview": ["One.", " ", "one."], "assumptions": [],
        "acknowledged": [
            { "evidence": "E3", "how": "It is\nold.", "bearing": "does not bear" },
            { "evidence": 1, "how": "Used above.", "bearing": "USED" },
            { "evidence": "e3", "how": "Again.", "bearing": "used" },
            { "evidence": "2", "how": " ", "bearing": "used" }
        ],
        "in_short": "Yes\nindeed [2]"
    });
    let read = opening(&said).unwrap();
    assert_eq!(read.in_short, "Yes indeed");
    assert_eq!((read.dropped_citations, read.answered_by.as_str(), read.marks.len()), (2, "m", 0));
    let Body::Opening { position, preview, assumptions } = &read.body else { panic!("{read:?}") };
    assert_eq!((position.as_str(), preview.len(), assumptions.len()), ("Yes.\n\nBecause.", 1, 0));
    let taken: Vec<_> = read.acknowledged.iter().map(|said| (said.evidence, said.bearing)).collect();
    assert_eq!(taken, [(1, Bearing::Used), (3, Bearing::DoesNotBear)]);
    assert_eq!(read.acknowledged[1].how, "It is old.");
    // A position alone, or a preview alone, is a turn; the domain marks what is missing.
    for usable in [
        with(with(said.clone(), "/position", json!("")), "/assumptions", json!(["That it works."])),
        with(said.clone(), "/preview", json!([])),
    ] {
        assert!(opening(&usable).is_ok());
    }
    let nothing = with(with(said.clone(), "/position", json!(" ")), "/preview", json!([""]));
    assert_eq!(opening(&nothing), Err(ParseError::Empty("position")));
    for wrong in ["Ex", "", "-1", "E"] {
        let odd = with(said.clone(), "/acknowledged/0/evidence", json!(wrong));
        assert!(matches!(opening(&odd), Err(ParseError::Shape(_))), "{wrong}");
    }
}

#[test]
fn arguments_are_read_in_any_case_and_a_claim_can_be_found_in_the_reasons() {
    let argument = |claim: &str, reasoning: &str| {
        json!({
            "claim": claim, "reasoning": reasoning, "assumptions": ["a"], "uncertainties": [],
            "evidence_type": "Projection", "confidence": "HIGH"
        })
    };
    let arguments = |list: Vec<Value>, framework: Value| {
        let reply = json!({ "framework": framework, "arguments": list, "in_short": "" });
        parse::<ArgumentsReply>(&reply.to_string()).unwrap().into_turn(by(Act::Constructive(Theme::Ethical)))
    };
    let list = vec![argument("", "It pays. And more."), argument(" ", "…"), argument("It lasts.", "")];
    let read = arguments(list, json!("Care")).unwrap();
    let Body::Arguments { framework, arguments: kept, .. } = read.body else { panic!() };
    assert_eq!(framework.as_deref(), Some("Care"));
    let claims: Vec<_> = kept.iter().map(|argument| argument.claim.as_str()).collect();
    assert_eq!(claims, ["It pays.", "It lasts."]);
    assert_eq!(arguments(vec![argument("", "")], json!(null)), Err(ParseError::Empty("arguments")));
    let many = (0..20).map(|n| argument(&format!("Claim {n}."), "r")).collect();
    let Body::Arguments { framework, arguments: kept, .. } = arguments(many, json!("n/a")).unwrap().body
    else {
        panic!()
    };
    assert_eq!((framework, kept.len()), (None, 6));
    let without = r#"{"arguments":[],"in_short":"x"}"#;
    assert!(parse::<ArgumentsReply>(without).is_ok(), "the framework is not asked for in every round");
}

#[test]
fn questions_and_answers_are_bounded_and_in_order() {
    let questions = |act, texts: &[&str]| {
        let list: Vec<Value> =
            texts.iter().map(|text| json!({ "aims_at": "Logic", "question": text })).collect();
        let reply = json!({ "questions": list, "in_short": "x" });
        let read = parse::<QuestionsReply>(&reply.to_string()).unwrap().into_turn(by(act))?;
        match read.body {
            Body::Questions { questions } => Ok(questions.len()),
            _ => panic!(),
        }
    };
    assert_eq!(questions(Act::Questions, &["a?", " ", "b?", "c?", "d?"]), Ok(3));
    assert_eq!(questions(Act::Questions, &["…"]), Err(ParseError::Empty("questions")));
    assert_eq!(questions(Act::FollowUp, &[]), Ok(0), "a follow-up may have none");
    assert_eq!(questions(Act::FollowUp, &["a?", "b?"]), Ok(1));
    let answers = |list: &[(Value, &str)]| {
        let list: Vec<Value> = list
            .iter()
            .map(|(number, text)| json!({ "question": number, "answer": text, "kind": "challenges-premise" }))
            .collect();
        let reply = json!({ "answers": list, "in_short": "x" });
        let read = parse::<AnswersReply>(&reply.to_string())?.into_turn(by(Act::Answers))?;
        match read.body {
            Body::Answers { answers } => Ok(answers.iter().map(|answer| answer.question).collect::<Vec<_>>()),
            _ => panic!(),
        }
    };
    let given =
        [(json!("Q2"), "b"), (json!(1), "a"), (json!(2), "again"), (json!(700), "x"), (json!(3), " ")];
    assert_eq!(answers(&given), Ok(vec![1, 2]));
    assert_eq!(answers(&[(json!(1), "")]), Err(ParseError::Empty("answers")));
    assert!(matches!(answers(&[(json!("first"), "a")]), Err(ParseError::Shape(_))));
}

#[test]
fn a_rebuttal_keeps_what_it_answers_and_a_closing_what_it_says() {
    let point = |quotation: &str, answer: &str| json!({ "quotation": quotation, "steel_man": "", "answer": answer, "even_if": "" });
    let rebuttal = |points: Vec<Value>| {
        let reply = json!({ "points": points, "in_short": "x" });
        parse::<RebuttalReply>(&reply.to_string()).unwrap().into_turn(by(Act::Rebuttal))
    };
    let read = rebuttal(vec![
        point("„Es kostet zu viel“", "No."),
        point("it's “cheap” they say", "No."),
        point("only quoted", " "),
        point("", "Answers nothing."),
    ]);
    let Body::Rebuttal { points } = read.unwrap().body else { panic!() };
    let quotations: Vec<_> = points.iter().map(|point| point.quotation.as_str()).collect();
    assert_eq!(quotations, ["Es kostet zu viel", "it's “cheap” they say", ""]);
    assert_eq!(rebuttal(vec![point("q", "")]), Err(ParseError::Empty("points")));
    let closing = |doubt: &str| {
        let reply = json!({
            "why_we_disagree": "", "opponents_best_point": " ", "what_would_change_my_mind": "…",
            "uncertainty": doubt, "in_short": "x"
        });
        parse::<ClosingReply>(&reply.to_string()).unwrap().into_turn(by(Act::Closing))
    };
    assert!(closing("Whether it pays.").is_ok());
    assert_eq!(closing(""), Err(ParseError::Empty("why_we_disagree")));
}

#[test]
fn a_synthesis_keeps_what_says_something() {
    let hinge = |text: &str| json!({ "if_true": text, "current_evidence": "None [3].", "then_favors": "Neutral", "confidence": "low" });
    let reply = json!({
        "areas_of_agreement": [{ "topic": "", "description": " ", "shared_evidence": [] }],
        "core_disagreements": [
            { "topic": "Cost", "pro_position": "Pro holds a.", "con_position": "Con holds b.",
              "root_cause": "evidence interpretation", "bridgeable": true }
        ],
        "assumption_conflicts": [], "evidence_gaps": [],
        "decision_hinges": (0..40).map(|n| hinge(&format!("Fact {n}"))).chain([hinge("")]).collect::<Vec<_>>(),
        "complexity_assessment": "Hard.", "executive_summary": "", "neutrality_check": ""
    });
    let read = |reply: &Value| checked_debate_synthesis(parse::<DebateSynthesis>(&reply.to_string())?, "m");
    let synthesis = read(&reply).unwrap();
    assert_eq!((synthesis.areas_of_agreement.len(), synthesis.decision_hinges.len()), (0, 12));
    assert_eq!(synthesis.decision_hinges[0].then_favors, Favors::Neutral);
    assert_eq!((synthesis.dropped_citations, synthesis.answered_by.as_str()), (40, "m"));
    let mut nothing = with(reply.clone(), "/core_disagreements", json!([]));
    nothing = with(nothing, "/decision_hinges", json!([hinge("…")]));
    assert_eq!(read(&nothing), Err(ParseError::Empty("executive_summary")));
    for (at, odd) in
        [("/decision_hinges/0/then_favors", "both"), ("/core_disagreements/0/root_cause", "taste")]
    {
        assert!(matches!(read(&with(reply.clone(), at, json!(odd))), Err(ParseError::Shape(_))), "{odd}");
    }
}

#[test]
fn the_check_of_a_turn_says_what_it_breaks() {
    let turn = |act, body| DebateTurn {
        slot: Slot::new(act, Side::Pro),
        in_short: String::new(),
        body,
        acknowledged: vec![],
        answered_by: String::new(),
        dropped_citations: 0,
        marks: vec![],
        sources: vec![],
        searched: None,
    };
    let asked = CrossQuestion { aims_at: Aim::Evidence, question: "Why?".into() };
    let asks = turn(Act::Questions, Body::Questions { questions: vec![asked.clone(), asked] });
    let opens =
        turn(Act::Opening, Body::Opening { position: "Yes.".into(), preview: vec![], assumptions: vec![] });
    let read = |turn: &DebateTurn, reply: Value| {
        let reply: ConductReply = serde_json::from_value(json!({ "turns": [reply] })).unwrap();
        reply.into_marks(&[turn]).unwrap().remove(0)
    };
    let off =
        |about: &str| json!({"turn": 1, "what_it_is_about": about, "on_topic": false, "declines": false});
    assert_eq!(read(&opens, off("horses\nand [1] carts")), [Mark::OffTopic("horses and carts".into())]);
    assert_eq!(read(&opens, off(" ")), [Mark::OffTopic("something else".into())]);
    let all = json!({
        "turn": "1", "what_it_is_about": "", "on_topic": true, "declines": true, "answers_other_side": true,
        "arguing_questions": [2, 3, 0],
    });
    assert_eq!(read(&opens, all.clone()), [Mark::Declined, Mark::RebutsTooEarly]);
    assert_eq!(read(&asks, all), [Mark::Declined, Mark::NoQuestion(2)], "only of questions that there are");
    assert!(
        parse::<ConductReply>(
            r#"{"turns":[{"turn":1,"what_it_is_about":"x","on_topic":"perhaps","declines":false}]}"#
        )
        .is_err()
    );
    // Of two turns each has its own, whatever their order in the reply; one that is passed over is not taken for sound.
    let both = |numbers: [u32; 2]| {
        let off = |number: u32| json!({"turn": number, "what_it_is_about": format!("matter {number}"), "on_topic": number == 1, "declines": false});
        let reply: ConductReply = serde_json::from_value(json!({ "turns": numbers.map(off) })).unwrap();
        reply.into_marks(&[&opens, &asks])
    };
    assert_eq!(both([2, 1]).unwrap(), [vec![], vec![Mark::OffTopic("matter 2".into())]]);
    assert!(both([1, 1]).is_err());
}

#[test]
fn a_judge_is_believed_as_far_as_it_quotes() {
    let passages = [
        (Section::Summary, "Pro convincingly shows that costs fall.".to_owned()),
        (Section::Gaps, "Con said: “of course it fails”.".to_owned()),
    ];
    let read = |reply: Value| {
        let reply: NeutralityReply = serde_json::from_value(json!({ "passages": reply })).unwrap();
        let taken = reply.into_taken(&passages);
        taken.into_iter().map(|taken| (taken.section, taken.words)).collect::<Vec<_>>()
    };
    let one = |passage: Value, words: &str, takes: bool| json!({"passage": passage, "words": words, "takes_a_side": takes});
    let shows = (Section::Summary, "convincingly shows".to_owned());
    assert_eq!(read(json!([one(json!(1), "convincingly shows", true)])), std::slice::from_ref(&shows));
    let twice = [one(json!("1"), "convincingly shows", true), one(json!(1), "convincingly shows", true)];
    assert_eq!(read(json!(twice)), [shows]);
    for nothing in [
        one(json!(1), "convincingly shows", false),
        one(json!(1), "", true),
        one(json!(1), "merely claims", true),
        one(json!(2), "of course", true),
        one(json!(0), "convincingly shows", true),
        one(json!(7), "convincingly shows", true),
    ] {
        assert_eq!(read(json!([nothing])), [], "{nothing}");
    }
}

/// Words beside the speech count for no rule, so a speech cannot be put there.
#[test]
fn a_sentence_beside_the_speech_is_no_speech() {
    let years: Vec<String> =
        (1..60).map(|year| format!("It would pay for itself {year} years on.")).collect();
    let speech = years.join(" ");
    let reply = json!({
        "position": "It pays.", "preview": ["It pays."], "assumptions": ["Demand holds."], "in_short": speech,
        "acknowledged": [{"evidence": "E1", "how": speech, "bearing": "used"}],
    });
    let turn = opening(&reply).unwrap();
    for text in [&turn.in_short, &turn.acknowledged[0].how] {
        assert!(text.chars().count() <= 500 && text.starts_with("It would pay"), "{text}");
    }
}

/// What is stored has the names of the domain, which are not those that models are asked for.
#[test]
fn what_was_stored_is_read_as_it_was() {
    let stored = json!({
        "raw": "we should do it", "question": "Should we?", "framing": "policy", "complexity": "low",
        "context": {"geography": "", "timeframe": "", "domain": "", "stakeholders": [], "background": ""},
        "changed": "", "objection": null, "answered_by": "m", "edited_by": "Ada"
    });
    let read: Proposition = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), stored);
    let stored = json!({
        "slot": Slot::new(Act::Constructive(Theme::Ethical), Side::Con), "in_short": "Yes.",
        "body": {"kind": "arguments", "framework": null, "arguments": [{
            "claim": "It pays.", "reasoning": "r", "evidence": "projection", "confidence": "high",
            "assumptions": [], "uncertainties": []
        }]},
        "acknowledged": [{"evidence": 3, "bearing": "does_not_bear", "how": "It is old."}],
        "answered_by": "m", "dropped_citations": 0, "marks": []
    });
    let read: DebateTurn = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), stored);
    let stored = json!({
        "text": "About 4.50.", "draws_on": [], "not_in_material": null, "answered_by": "m", "dropped_citations": 1
    });
    let read: crate::followup::Answer = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), stored);
}
