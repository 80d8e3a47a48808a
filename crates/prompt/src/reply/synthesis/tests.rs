use std::sync::LazyLock;

use serde_json::{Value, json};

use super::*;
use crate::sample;
use domain::{Effort, FlagColor, Severity};

fn reply() -> Value {
    let option = |title: &str, action: &str, raised_by: &[&str]| {
        json!({ "title": title, "action": action, "cost": "",
                "stop": "", "raised_by": raised_by, "combines": [] })
    };
    json!({
        "conflicts": [
            { "modules": ["Market", "legal"], "topic": "Gone", "description": "legal did not speak", "settles": "x", "severity": "critical" },
            { "modules": ["market", "COST", "cost"], "topic": "Fee [1]", "description": "3 or 4.50", "settles": "x", "severity": "medium" },
            { "modules": ["risk", "cost"], "topic": "Couriers", "description": "own or not", "settles": "x", "severity": "High" },
        ],
        "unknown": [],
        "options": [
            option("Start small", "One district [2].", &["market", "legal", "nobody"]),
            option(" ", "Ask first. Then decide.", &["Team"]),
            option("", "", &[]),
        ],
        "answer": "Start **small** [2].",
        "text": "## Why\n\nIt costs less.",
        "kept_against": [],
        "flags": [
            { "color": "green", "text": "Go" },
            { "color": "yellow", "text": "Care" },
            { "color": "red", "text": "Stop", "raised_by": ["RISK", "legal", "risk"] },
            { "color": "red", "text": " " },
        ],
    })
}

static NONE: LazyLock<SourceList> = LazyLock::new(SourceList::default);

fn asked(when: &[&'static str]) -> Asked {
    let asked = Asked::at(Effort::Brief).when("trust", true);
    when.iter().fold(asked, |asked, condition| asked.when(condition, true))
}

fn read_with(
    reply: &Value,
    when: &[&'static str],
    raci: &[RaciRow],
    draft: Option<&ChosenDraft>,
    first: bool,
) -> Result<Synthesis, ParseError> {
    let (panel, asked) = (sample::mediate::panel(""), asked(when));
    let asked = asked.when(if draft.is_some() { "drafted" } else { "undrafted" }, true);
    let bounds = MemoBounds { panel: &panel, raci, asked: &asked, sources: &NONE, draft, first };
    read_memo(&reply.to_string(), &bounds, "m")
}

fn read(reply: &Value) -> Result<Synthesis, ParseError> {
    read_with(reply, &[], &[], None, true)
}

#[test]
fn conflicts_flags_and_options_are_held_to_the_panel() {
    let memo = read(&reply()).unwrap();
    let conflicts: Vec<_> =
        memo.conflicts.iter().map(|c| (c.severity, c.topic.as_str(), c.modules.len())).collect();
    assert_eq!(conflicts, [(Severity::High, "Couriers", 2), (Severity::Medium, "Fee", 2)]);
    let colors: Vec<_> = memo.flags.iter().map(|flag| flag.color).collect();
    assert_eq!(colors, [FlagColor::Red, FlagColor::Yellow, FlagColor::Green]);
    assert_eq!(memo.flags[0].raised_by, [sample::mediate::name("risk")]);
    let titles: Vec<_> = memo.options.iter().map(|option| option.title.as_str()).collect();
    assert_eq!(titles, ["Start small", "Ask first."]);
    assert_eq!(memo.options[0].raised_by, [sample::mediate::name("market")]);
    assert_eq!(memo.options[1].raised_by, [sample::mediate::name("team")], "the team's own is the team's");
    assert_eq!(memo.text, "## Why\n\nIt costs less.");
    assert_eq!((memo.answer.as_str(), memo.dropped_citations), ("Start **small**.", 3));
}

#[test]
fn whose_position_carries_is_held_to_who_answers_for_what() {
    let mut told = reply();
    let areas = [("market", "Gone."), ("Cost", "4.50 [1], as it said."), ("legal", "Nobody's side.")];
    for (conflict, (area, carries)) in told["conflicts"].as_array_mut().unwrap().iter_mut().zip(areas) {
        (conflict["area"], conflict["carries"]) = (json!(area), json!(carries));
    }
    let read = |told: &Value, when: &[&'static str], raci: &[RaciRow]| {
        let said = read_with(told, when, raci, None, true).unwrap().conflicts.into_iter();
        said.map(|one| (one.area.map(|area| area.0), one.carries)).collect::<Vec<_>>()
    };
    let cost = |carries: Option<&str>| (Some("cost".to_owned()), carries.map(str::to_owned));
    let raci = sample::mediate::raci();
    assert_eq!(read(&told, &["raci"], &raci), [(None, None), cost(Some("4.50, as it said."))]);
    assert_eq!(read(&told, &[], &[]), [(None, None), (None, None)], "nobody asked for it");
    told["conflicts"][1]["carries"] = json!("Nothing.");
    assert_eq!(read(&told, &["raci"], &raci)[1], cost(None));
}

#[test]
fn what_was_left_out_or_is_thin_is_spoken_of_exactly_where_it_is_so() {
    for (field, condition) in [("deactivated_disclaimer", "left_out"), ("gaps", "gaps")] {
        let mut said = reply();
        for nothing in [json!(null), json!(" "), json!("None.")] {
            said[field] = nothing;
            assert_eq!(read_with(&said, &[condition], &[], None, true), Err(ParseError::Empty(field)));
        }
        said[field] = json!("Law was not looked at.");
        let told = |memo: Synthesis| if field == "gaps" { memo.gaps } else { memo.deactivated_disclaimer };
        assert_eq!(
            told(read_with(&said, &[condition], &[], None, true).unwrap()).as_deref(),
            Some("Law was not looked at.")
        );
        assert_eq!(told(read(&said).unwrap()), None, "nobody asked");
    }
}

fn draft() -> ChosenDraft {
    let objections = [("Cost", "Wrong: it costs more."), ("Risk", "Missing: the winter.")];
    ChosenDraft {
        opening: "Start at once.".into(),
        ..sample::draft("## Why\n\nIt costs 3.", &["Cost"], &objections)
    }
}

#[test]
fn a_memo_is_its_draft_with_what_was_changed_in_it() {
    let mut said = reply();
    said["edits"] = json!([{ "objection": 1, "stands": "It costs 3.", "becomes": "It costs 4 [2]." }]);
    let memo = read_with(&said, &["objected"], &[], Some(&draft()), false).unwrap();
    assert_eq!((memo.answer.as_str(), memo.text.as_str()), ("Start at once.", "## Why\n\nIt costs 4."));
    said["changed"] = json!("It costs 4, not 3.");
    let changed = |said: &Value| read_with(said, &["objected"], &[], Some(&draft()), false).unwrap().changed;
    assert_eq!(changed(&said), "It costs 4, not 3.");
    let made_up = json!({ "objection": 2, "stands": "It is summer.", "becomes": "It is winter." });
    said["edits"].as_array_mut().unwrap().push(made_up);
    assert_eq!(changed(&said), "", "what could not be changed is not told as changed");
    said["anew"] = json!([{ "answer": "Stay.", "text": "It is winter." }]);
    let memo = read_with(&said, &["objected"], &[], Some(&draft()), false).unwrap();
    assert_eq!((memo.answer.as_str(), memo.text.as_str()), ("Stay.", "It is winter."));
    assert_eq!((memo.edits.len(), memo.anew.len()), (0, 0), "it is told once");
}

#[test]
fn an_objection_without_an_answer_is_asked_for_once() {
    let draft = &draft();
    let mut said = reply();
    said["resolutions"] = json!([
        { "objection": 1, "taken": true, "because": "It is right." },
        { "objection": 9, "taken": true, "because": "There is none." },
    ]);
    let first = read_with(&said, &["objected"], &[], Some(draft), true);
    assert_eq!(first, Err(ParseError::Shape("no answer to objection 2".into())));
    let then = read_with(&said, &["objected"], &[], Some(draft), false).unwrap();
    assert_eq!(unanswered(&then, 2), [2]);
    assert_eq!(then.resolutions.len(), 1);
}

#[test]
fn nothing_in_whatever_words_is_no_objection() {
    let said = |nothing: &str| {
        let read = |draft| json!({"draft": draft, "act": "Sell.", "wrong": nothing, "keep": nothing});
        json!({"read": [read("A"), read("B")], "marks": {"A": 40, "B": 60}, "missing": nothing}).to_string()
    };
    let letters = asked(&["found", "several"]).naming("answers", ["A".to_owned(), "B".to_owned()]);
    let objections =
        |words: &str| read_check(&said(words), &letters, (&[0, 1], 0), true).map(|check| check.objections(0));
    for nothing in ["", "None.", "nothing", "n/a"] {
        assert_eq!(objections(nothing).unwrap(), Vec::<String>::new(), "{nothing}");
    }
    assert_eq!(objections("The winter.").unwrap().len(), 3);
    let three = |first| read_check(&said("The winter."), &letters, (&[0, 1, 2], 0), first);
    assert!(matches!(three(true), Err(ParseError::Shape(told)) if told.contains("an entry for each text")));
    let marked = |read: DraftsRead| (read.marks.clone(), read.objections(1).len());
    let three = three(false).map(|read| (read.marks.clone(), read.objections(2).len()));
    assert_eq!(three, Ok((vec![Some(40), Some(60), None], 3)));
    let none = said("The winter.").replace("\"B\":60", "\"Z\":60");
    let none = |first| read_check(&none, &letters, (&[0, 1], 0), first);
    assert!(matches!(none(true), Err(ParseError::Shape(told)) if told.contains("`marks`")));
    assert_eq!(none(false).map(marked), Ok((vec![Some(40), None], 3)));
}

#[test]
fn a_memo_without_answer_or_options_is_none() {
    let mut broken = reply();
    broken["answer"] = json!(" ");
    assert_eq!(read(&broken), Err(ParseError::Missing("answer".into())));
    let mut broken = reply();
    broken["options"] = json!([]);
    assert_eq!(read(&broken), Err(ParseError::Empty("options")));
    let mut broken = reply();
    broken["conflicts"][0]["severity"] = json!("catastrophic");
    assert!(matches!(read(&broken), Err(ParseError::Shape(why)) if why.contains("catastrophic")));
}
