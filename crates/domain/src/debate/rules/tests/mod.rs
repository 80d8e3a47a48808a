//! The rules of the phases, case by case.

mod lengths;

use super::*;
use crate::{
    Acknowledgement, Aim, AnswerKind, Bearing, CrossAnswer, CrossQuestion, EvidenceKind, Level, UserId,
    sample::debate as sample, text::sentence_ends,
};

/// So many words in sentences of ten.
fn prose(words: usize) -> String {
    let words: Vec<String> = (1..=words)
        .map(|n| match n % 10 {
            0 => format!("w{n}."),
            1 => format!("W{n}"),
            _ => format!("w{n}"),
        })
        .collect();
    words.join(" ")
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn turn(act: Act, side: Side, body: Body) -> DebateTurn {
    sample::turn(act, side, "In short.", body)
}

fn debate(turns: Vec<DebateTurn>) -> Debate {
    Debate { turns, ..Debate::new(sample::proposition(), Preset::Full) }
}

fn opening(position: &str, preview: &[&str], assumptions: &[&str]) -> Body {
    Body::Opening { position: position.to_owned(), preview: texts(preview), assumptions: texts(assumptions) }
}

fn argument(claim: &str, reasoning: &str) -> Argument {
    Argument {
        claim: claim.to_owned(),
        reasoning: reasoning.to_owned(),
        evidence: EvidenceKind::Fact,
        confidence: Level::Medium,
        assumptions: texts(&["Demand grows."]),
        uncertainties: texts(&["By how much."]),
    }
}

fn questions(asked: &[&str]) -> Body {
    let ask = |question: &&str| CrossQuestion { aims_at: Aim::Logic, question: (*question).to_owned() };
    Body::Questions { questions: asked.iter().map(ask).collect() }
}

fn answers(given: &[(u8, &str)]) -> Body {
    let answer = |(question, answer): &(u8, &str)| CrossAnswer {
        question: *question,
        kind: AnswerKind::Direct,
        answer: (*answer).to_owned(),
    };
    Body::Answers { answers: given.iter().map(answer).collect() }
}

fn point(quotation: &str) -> RebuttalPoint {
    RebuttalPoint {
        quotation: quotation.to_owned(),
        steel_man: "At its best it says this.".to_owned(),
        answer: prose(300),
        even_if: "Even if it holds.".to_owned(),
    }
}

fn broken(turn: &DebateTurn) -> Vec<Mark> {
    breaks(turn, &debate(Vec::new()), &[], Effort::Deep)
}

#[test]
fn words_are_counted_in_every_writing() {
    for (text, words) in [
        ("", 0),
        (" \n\t", 0),
        ("one", 1),
        ("  one\ntwo  three ", 3),
        ("cost-benefit is one — a dash is none", 7),
        ("- a list\n- of **bold** words", 5),
        ("don’t", 1),
        ("40 % of 1,000", 3),
        ("数据中心", 2),
        ("数据中心。", 2),
        ("数据中", 2),
        ("データセンター", 4),
        ("AI数据中心", 3),
        ("데이터 센터", 2),
        ("ศูนย์ข้อมูล", 3),
        ("…", 0),
    ] {
        assert_eq!(count_words(text), words, "{text:?}");
    }
    assert_eq!(words(&opening("One two.", &["three", "four five"], &["six"])), 6);
    let all = Body::Arguments {
        position: None,
        framework: Some("Duty".to_owned()),
        arguments: vec![argument("A b.", "C d e.")],
    };
    assert_eq!(words(&all), 1 + 2 + 3 + 2 + 3);
    let closing = Body::Closing {
        why_we_disagree: "a".to_owned(),
        opponents_best_point: "b c".to_owned(),
        what_would_change_my_mind: "d".to_owned(),
        uncertainty: "e".to_owned(),
    };
    assert_eq!(words(&closing), 5);
}

#[test]
fn sentences_end_where_they_do() {
    for (text, sentences) in [
        ("", vec![]),
        ("One. Two! Three?", vec!["One.", " Two!", " Three?"]),
        ("No full stop", vec!["No full stop"]),
        ("Costs, e.g. Power, rise. Then.", vec!["Costs, e.g. Power, rise.", " Then."]),
        ("The U.S. Congress acts. So.", vec!["The U.S. Congress acts.", " So."]),
        ("It costs 3.5 billion. Yes.", vec!["It costs 3.5 billion.", " Yes."]),
        ("He said “no.” Then.", vec!["He said “no.”", " Then."]),
        ("**Bold.** Then.", vec!["**Bold.**", " Then."]),
        ("Wait… and see. So.", vec!["Wait…", " and see.", " So."]),
        ("一句。两句！三", vec!["一句。", "两句！", "三"]),
        ("1. One thing\n2. Another", vec!["1. One thing\n", "2. Another"]),
        ("A line\nthat goes on. End", vec!["A line\nthat goes on.", " End"]),
        ("Para\n\nNext", vec!["Para\n", "\nNext"]),
        ("See:\n```\na. B. c\n```\nThen.", vec!["See:\n", "```\na. B. c\n```\n", "Then."]),
    ] {
        let ends = sentence_ends(text);
        let starts = std::iter::once(0).chain(ends.clone());
        let found: Vec<&str> = starts.zip(ends.clone()).map(|(start, end)| &text[start..end]).collect();
        assert_eq!(found, sentences, "{text:?}");
    }
}

#[test]
fn a_sound_opening_breaks_nothing() {
    let sound =
        turn(Act::Opening, Side::Pro, opening(&prose(300), &["First.", "Second."], &["Demand grows."]));
    assert_eq!(broken(&sound), []);
}

#[test]
fn words_are_held_to_the_bounds_of_the_phase() {
    for (count, mark) in [
        (224, Some(Mark::Short { words: 224, least: 300 })),
        (225, None),
        (500, None),
        (501, Some(Mark::Long { words: 501, most: 400 })),
    ] {
        let body = opening(&prose(count - 3), &["one", "two"], &["three"]);
        assert_eq!(broken(&turn(Act::Opening, Side::Con, body)), Vec::from_iter(mark), "{count}");
    }
    for (effort, speech, answers, follow_up) in [
        (Effort::Brief, 120..=180, 60..=90, 0..=45),
        (Effort::Standard, 180..=260, 90..=130, 0..=65),
        (Effort::Deep, 300..=400, 150..=200, 0..=100),
    ] {
        assert_eq!(bounds(Act::Closing, Preset::Full, effort), speech);
        assert_eq!(bounds(Act::Answers, Preset::Full, effort), answers);
        assert_eq!(bounds(Act::FollowUp, Preset::Full, effort), follow_up);
        let quick = bounds(Act::Case, Preset::Quick, effort);
        assert_eq!(quick == speech, effort != Effort::Standard, "{effort:?}");
    }
    assert_eq!(bounds(Act::Rebuttal, Preset::Quick, Effort::Standard), 180..=190);
}

#[test]
fn every_part_that_a_phase_asks_for_has_to_be_there() {
    let missing = |body: Body, act| {
        let marks = broken(&turn(act, Side::Pro, body));
        let parts = marks.into_iter().filter(|mark| !matches!(mark, Mark::Short { .. } | Mark::Long { .. }));
        parts.map(|mark| mark.told()).collect::<Vec<_>>().join(" ")
    };
    let of_arguments = |framework: Option<&str>, arguments| Body::Arguments {
        position: None,
        framework: framework.map(str::to_owned),
        arguments,
    };
    let economic = Act::Constructive(Theme::Economic);
    let ethical = Act::Constructive(Theme::Ethical);
    for (body, act, part) in [
        (opening(" \u{200b}", &["a", "b"], &["c"]), Act::Opening, "`position`"),
        (opening("p", &["a", " "], &["c"]), Act::Opening, "`preview of two or three arguments`"),
        (opening("p", &["a", "b", "c", "d"], &["c"]), Act::Opening, "more than 3 arguments in its preview"),
        (opening("p", &["a", "b"], &[]), Act::Opening, "`assumptions`"),
        (of_arguments(None, vec![]), economic, "`arguments`"),
        (of_arguments(None, vec![argument("", "b")]), economic, "`claim of argument 1`"),
        (
            of_arguments(None, vec![argument("a", "b"), argument("a", "\n")]),
            economic,
            "`reasoning of argument 2`",
        ),
        (
            of_arguments(None, vec![Argument { assumptions: vec![], ..argument("a", "b") }]),
            economic,
            "`assumptions of argument 1`",
        ),
        (
            of_arguments(None, vec![Argument { uncertainties: vec![], ..argument("a", "b") }]),
            economic,
            "`uncertainties of argument 1`",
        ),
        (of_arguments(None, vec![argument("a", "b")]), ethical, "`framework`"),
        (of_arguments(Some(" "), vec![argument("a", "b")]), ethical, "`framework`"),
        (of_arguments(None, vec![argument("a", "b")]), Act::Case, "`position`"),
        (questions(&[]), Act::Questions, "`questions`"),
        (questions(&["A?", "B?", "C?", "D?"]), Act::Questions, "more than 3 questions"),
        (questions(&["A?", "B?"]), Act::FollowUp, "more than 1 question;"),
        (answers(&[]), Act::Answers, "`answers`"),
        (Body::Rebuttal { points: vec![] }, Act::Rebuttal, "`points`"),
        (Body::Rebuttal { points: vec![point("…")] }, Act::Rebuttal, "`quotation of point 1`"),
        (
            Body::Rebuttal { points: vec![RebuttalPoint { even_if: String::new(), ..point("…") }] },
            Act::Rebuttal,
            "`even_if of point 1`",
        ),
        (questions(&["A?"]), Act::Opening, "`opening`"),
    ] {
        let told = missing(body, act);
        assert!(told.contains(part), "{part}: {told:?}");
    }
    for (body, act) in [
        (of_arguments(None, vec![argument("a", "b")]), economic),
        (of_arguments(Some("Duty"), vec![argument("a", "b")]), ethical),
        (questions(&["A?", "B?", "C?"]), Act::Questions),
        (questions(&[]), Act::FollowUp),
    ] {
        assert_eq!(missing(body, act), "");
    }
    let closing = |at: usize| {
        let part = |n: usize| if n == at { " ".to_owned() } else { prose(100) };
        let body = Body::Closing {
            why_we_disagree: part(0),
            opponents_best_point: part(1),
            what_would_change_my_mind: part(2),
            uncertainty: part(3),
        };
        missing(body, Act::Closing)
    };
    assert!(closing(0).contains("`why_we_disagree`") && closing(1).contains("`opponents_best_point`"));
    assert!(closing(2).contains("`what_would_change_my_mind`") && closing(3).contains("`uncertainty`"));
    assert_eq!(closing(4), "");
}

#[test]
fn a_question_ends_with_its_mark() {
    for (question, fine) in [
        ("What would a moratorium cost per year?", true),
        ("**What would it cost?**", true),
        ("You assume that demand grows. On what does that rest?", true),
        ("电力从哪里来？", true),
        ("Would you still hold this if demand fell", false),
        ("It costs a lot.", false),
        ("?", false),
        ("", false),
        ("Costs rise. Jobs vanish. Why then?", true),
        ("How would prices, which clearly rise, be held down?", true),
        ("What would clearly count as failure?", true),
        ("What is it? It is nothing.", false),
    ] {
        assert_eq!(asks(question), fine, "{question:?}");
    }
    assert!(!asks(&format!("{}?", "why ".repeat(101))));
    let both = turn(Act::Questions, Side::Pro, questions(&[&format!("{}?", "why ".repeat(30)), "No."]));
    assert_eq!(broken(&both), [Mark::NoQuestion(2)]);
}

#[test]
fn each_question_of_the_other_side_is_answered() {
    let asked = turn(Act::Questions, Side::Pro, questions(&["A?", "B?", "C?"]));
    let own = turn(Act::Questions, Side::Con, questions(&["A?"]));
    let more = turn(Act::FollowUp, Side::Pro, questions(&["D?"]));
    let debate = debate(vec![own, asked, more]);
    let marks = |act, given: &[(u8, &str)]| {
        let marks = breaks(&turn(act, Side::Con, answers(given)), &debate, &[], Effort::Deep);
        marks.into_iter().filter(|mark| !matches!(mark, Mark::Short { .. })).collect::<Vec<_>>()
    };
    assert_eq!(marks(Act::Answers, &[(1, "a"), (2, "b"), (3, "c")]), []);
    assert_eq!(marks(Act::Answers, &[(3, "c"), (1, " ")]), [Mark::Unanswered(1), Mark::Unanswered(2)]);
    assert_eq!(marks(Act::FollowUpAnswer, &[(1, "d")]), []);
    assert_eq!(marks(Act::FollowUpAnswer, &[(2, "d")]), [Mark::Unanswered(1)]);
}

#[test]
fn a_quotation_was_really_said() {
    let said = "A moratorium **would raise** the cost of computing by 12%, and don’t forget jobs.\n\nIt *isn't* free; \
                see [the study](https://example.org/a)! 数据中心消耗大量电力，影响电网。";
    let other = turn(Act::Opening, Side::Pro, opening(said, &["Power is scarce here."], &[]));
    let own = turn(Act::Opening, Side::Con, opening("Only we said this sentence.", &[], &[]));
    let later = turn(Act::Answers, Side::Pro, answers(&[(1, "Water is scarce as well.")]));
    let debate = debate(vec![own, other, later]);
    for (quotation, really) in [
        ("A moratorium would raise the cost of computing", true),
        ("“a MORATORIUM  would\nraise the cost”", true),
        ("\"would raise the cost of computing by 12%\"", true),
        ("and don't forget jobs", true),
        ("It isn’t free; see the study", true),
        ("A moratorium … raise the cost", true),
        ("A moratorium would raise ... don't forget jobs.", true),
        ("A moratorium […] forget jobs", true),
        ("…would raise the cost…", true),
        ("forget jobs … a moratorium would", false),
        ("A moratorium would raise … water is scarce", false),
        ("A moratorium would lower the cost", false),
        ("A moratorium would raise … taxes", false),
        ("Only we said this sentence", false),
        ("Water is scarce as well", true),
        ("Power is scarce", true),
        ("job", false),
        ("jobs", true),
        ("rat", false),
        ("raise the", true),
        ("aise the", false),
        ("数据中心消耗大量电力", true),
        ("数据中心 消耗大量电力", true),
        ("数据中心不消耗电力", false),
        ("In short", true),
    ] {
        assert_eq!(said::is_said(quotation, &debate, Side::Pro), really, "{quotation:?}");
    }
    let rebuttal = |quotation: &str| {
        breaks(
            &turn(Act::Rebuttal, Side::Con, Body::Rebuttal { points: vec![point(quotation)] }),
            &debate,
            &[],
            Effort::Deep,
        )
    };
    assert_eq!(rebuttal("Power is scarce here."), []);
    assert_eq!(rebuttal("Power is plentiful."), [Mark::NotSaid("Power is plentiful.".to_owned())]);
}

#[test]
fn marks_of_sources_are_no_words_and_no_part_of_a_quotation() {
    let said = opening("Fees rose to 13 % [1][2]. Riders left [3], and two towns gave up.", &[], &[]);
    let other = turn(Act::Opening, Side::Pro, said.clone());
    let debate = debate(vec![other]);
    for quotation in [
        "Fees rose to 13 % [4][7]. Riders left",
        "Fees rose to 13 %. Riders left, and two towns",
        "rose to 13 % [2]",
    ] {
        assert!(said::is_said(quotation, &debate, Side::Pro), "{quotation:?}");
    }
    assert!(!said::is_said("Fees rose to 14 % [1]", &debate, Side::Pro));
    assert_eq!(
        words(&said),
        words(&opening("Fees rose to 13 %. Riders left, and two towns gave up.", &[], &[]))
    );
    let spaced = opening("Fees rose to 13 % [1] [2] .", &[], &[]);
    assert_eq!(words(&spaced), 4);
}

#[test]
fn evidence_of_the_team_is_acknowledged() {
    let evidence = |number| Evidence {
        number,
        author: UserId(1),
        author_name: "Ada".to_owned(),
        claim: "Prices doubled.".to_owned(),
        source: String::new(),
        hinge: None,
        at: 0,
    };
    let mut said = turn(Act::Opening, Side::Pro, opening(&prose(300), &["First.", "Second."], &["Third."]));
    let pending = [evidence(1), evidence(2)];
    let marks = |said: &DebateTurn| breaks(said, &debate(Vec::new()), &pending, Effort::Deep);
    assert_eq!(marks(&said), [Mark::Unacknowledged(1), Mark::Unacknowledged(2)]);
    let how = |evidence, how: &str| Acknowledgement { evidence, bearing: Bearing::Used, how: how.to_owned() };
    said.acknowledged = vec![how(2, "It shows the trend."), how(1, " \u{200b}")];
    assert_eq!(marks(&said), [Mark::Unacknowledged(1)]);
    said.acknowledged.push(how(1, "It does not bear."));
    assert_eq!(marks(&said), []);
}
