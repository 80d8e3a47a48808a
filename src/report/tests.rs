//! Reports of made-up threads: who is told what, and what becomes of hostile text.

use proptest::prelude::*;

use std::collections::BTreeMap;

use super::*;
use domain::{Embed, Field, Money};

fn facts() -> Facts {
    Facts {
        session: SessionId::from_bits(7),
        protocol: Protocol::Mediate,
        title: "We bake bread for forty cafés".to_owned(),
        question: Some("Should we open on Sundays?".to_owned()),
        problem: "We bake bread for forty cafés.\nShould we open on Sundays?".to_owned(),
        state: SessionState::Done,
        started: 1_790_000_000,
        ended: Some(1_790_000_600),
        notice: None,
        starter: "Ada".to_owned(),
        models: vec!["claude-sonnet-4-5".to_owned()],
        effort: Effort::Standard,
        ledger: Ledger { calls: 11, tokens: 18_000, cost: Money(80_000), ..Ledger::default() },
        degraded: vec!["**Risk**, round 1: lost. Nobody looked at this side.".to_owned()],
        prompts: PromptVersion("1f2e".to_owned()),
        dossier: None,
    }
}

fn shown(key: &str, title: &str, text: &str) -> Shown {
    let field = |name: &str, value: &str| Field {
        name: name.to_owned(),
        value: value.to_owned(),
        inline: false,
        inside: false,
    };
    let embed = Embed {
        title: title.to_owned(),
        author: "Answered by claude-sonnet-4-5".to_owned(),
        description: text.to_owned(),
        fields: vec![
            field("What speaks for it", "- rent is paid anyway\n- two cafés asked"),
            field("⚠️ Degraded", "Risk was lost.").inside(),
        ],
        footer: "1 made-up citation removed".to_owned(),
        ..Embed::default()
    };
    Shown {
        key: StepKey::from(key),
        post: Post { embeds: vec![embed], ..Post::default() },
        said: BTreeMap::from([(key.to_owned(), serde_json::json!({ "title": title }))]),
        whole: Some((format!("{title} in full"), format!("# The whole of {key}\n\nLong."))),
    }
}

fn thread() -> Vec<Shown> {
    let picture = File {
        name: "vote.png".to_owned(),
        alt: "Experts 7, team 3".to_owned(),
        body: FileBody::Svg("<svg xmlns=\"http://www.w3.org/2000/svg\"><text>7</text></svg>".to_owned()),
    };
    let mut result =
        shown("vote/result", "What the experts and the team chose", "**Open** leads until <t:1790000000:f>");
    result.post.embeds[0].image = Some("vote.png".to_owned());
    result.post.files = vec![picture];
    result.whole = None;
    vec![
        shown("round-1/market", "📈 Market", "Sundays sell."),
        shown("synthesis/solutions", "🧩 Synthesis", "Open for a quarter.\n-# raised by Market and Cost"),
        shown("vote", "Vote", "Press a button"),
        shown("vote/reminder", "Vote soon", "Vote"),
        result,
        shown("decision/1", "Decision", "Decided by <@12> with <@&3> in <#4>"),
        shown("notice/paused-1", "Paused", "By Ben"),
        shown("closing", "Done", "11 calls"),
        shown("export/internal/9", "The report", "Earlier"),
    ]
}

fn texts(report: &Report) -> [String; 3] {
    let text = |file: File| match file.body {
        FileBody::Text(text) => text,
        other => panic!("{other:?}"),
    };
    let files: Vec<String> = report.files().into_iter().map(text).collect();
    files.try_into().unwrap()
}

#[test]
fn each_kind_of_reader_is_told_what_is_theirs() {
    let keys = |audience| {
        let report = Report::new(&facts(), &thread(), audience);
        report.sections.into_iter().map(|section| section.key).collect::<Vec<_>>()
    };
    assert_eq!(
        keys(Audience::Internal),
        ["round-1/market", "synthesis/solutions", "vote/result", "decision/1"]
    );
    assert_eq!(keys(Audience::Customer), ["decision/1", "synthesis/solutions", "vote/result"]);
    for text in texts(&Report::new(&facts(), &thread(), Audience::Customer)) {
        for inside in ["claude", "$0.08", "18000", "18,000", "Ada", "Market", "Degraded", "lost", "made-up"] {
            assert!(!text.contains(inside), "{inside} in {text}");
        }
        assert!(text.contains("Not everything went as planned"), "{text}");
    }
    for text in texts(&Report::new(&facts(), &thread(), Audience::Internal)) {
        for inside in ["claude-sonnet-4-5", "$0.08", "Ada", "raised by Market", "Risk was lost"] {
            assert!(text.contains(inside), "no {inside} in {text}");
        }
    }
}

#[test]
fn a_vote_that_is_open_is_told_of_until_it_is_counted() {
    let open: Vec<Shown> = thread().into_iter().filter(|card| card.key.as_str() != "vote/result").collect();
    let report = Report::new(&facts(), &open, Audience::Customer);
    assert!(report.sections.iter().any(|section| section.key == "vote"));
}

#[test]
fn what_ended_early_says_so_first() {
    for (state, says) in [
        (SessionState::Failed, "could not be brought to its end"),
        (SessionState::Cancelled, "Somebody ended this"),
        (SessionState::Parked, "An upgrade ended this"),
    ] {
        let facts = Facts { state, notice: Some("No **key**.".to_owned()), degraded: Vec::new(), ..facts() };
        let internal = Report::new(&facts, &[], Audience::Internal).caution.unwrap();
        assert!(internal.contains(says) && internal.contains("No **key**."), "{internal}");
        let customer = Report::new(&facts, &[], Audience::Customer).caution.unwrap();
        assert!(customer.contains(says) && !customer.contains("key"), "{customer}");
    }
}

#[test]
fn an_unknown_cost_is_not_zero() {
    let cost = |cost, unpriced_calls| {
        let ledger = Ledger { cost: Money(cost), unpriced_calls, ..Ledger::default() };
        let facts = Facts { ledger, ..facts() };
        Report::new(&facts, &[], Audience::Internal).inside.unwrap().cost
    };
    assert_eq!([cost(0, 3), cost(80_000, 3), cost(80_000, 0)], ["unknown", "at least $0.08", "$0.08"]);
}

#[test]
fn the_files_read_well() {
    let [markdown, json, html] = texts(&Report::new(&facts(), &thread(), Audience::Internal));
    insta::assert_snapshot!("markdown", markdown);
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["format"], 1);
    assert_eq!(read["sections"][1]["whole"]["title"], "🧩 Synthesis in full");
    let body = html.split_once("<body>").unwrap().1;
    insta::assert_snapshot!("page", body);
}

#[test]
fn discords_marks_are_written_out() {
    assert_eq!(section::plain("on <t:1790000000:R>, <@1>"), "on 21 September 2026, 14:13 UTC, a member");
    let date = "21 September 2026, 14:13 UTC";
    for twice in ["<t:1790000000:f>\n<t:1790000000:R>.", "<t:1790000000:R>\n<t:1790000000:f>."] {
        assert_eq!(section::plain(twice), format!("{date}."));
    }
    assert_eq!(
        section::plain("until <t:1790000000:f> (<t:1790000000:R>), then"),
        format!("until {date}, then")
    );
    assert_eq!(section::plain("<@&3> in <#4>; a < b > c <t:x>"), "a role in a channel; a < b > c <t:x>");
    assert_eq!(section::line("a \\*b\\* c\\d"), "a *b* c\\d");
    assert_eq!(
        section::readable("one\ntwo\n\n```\nx\ny\n```\n-# small"),
        "one  \ntwo\n\n```\nx\ny\n```\nsmall"
    );
}

#[test]
fn folders_are_named_by_titles() {
    let session = SessionId::from_bits(7);
    for (title, name) in [
        ("Should we open on Sundays?", "should-we-open-on-sundays"),
        ("  A/B: 50 % -- über?  ", "a-b-50-ber"),
        ("../../etc/passwd", "etc-passwd"),
        ("日曜日", session.as_str()),
        ("", session.as_str()),
    ] {
        assert_eq!(slug(title, &session), name);
    }
    assert_eq!(slug(&"x".repeat(300), &session).len(), 60);
}

proptest! {
    #![proptest_config(properties::cases(64))]

    /// Whatever is said, a page has no script, no tag and no link of a reader's own, and nothing of it is lost.
    #[test]
    fn no_text_becomes_markup(
        text in prop_oneof![
            "\\PC{0,60}",
            Just("<script>alert(1)</script> ![p](https://evil.org/x.png) [k](javascript:alert(1))".to_owned()),
            Just("</style></blockquote><img src=x onerror=alert(1)>\n# Heading\n<https://a.org>".to_owned()),
            "[<>&\"'`*#\\[\\]()!/a-z \n]{0,80}",
        ],
    ) {
        let mut facts = facts();
        facts.question = Some(text.clone());
        facts.problem.clone_from(&text);
        facts.starter.clone_from(&text);
        let mut card = shown("round-1/market", &text, &text);
        card.whole = Some((text.clone(), text.clone()));
        let [_, json, html] = texts(&Report::new(&facts, &[card], Audience::Internal));
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
        let body = html.split_once("<body>").unwrap().1;
        for tag in ["<script", "<img src=x", "</style", "<iframe", "src=\"http", "href=\"javascript", "onerror=alert(1)>"] {
            prop_assert!(!body.contains(tag), "{} in {}", tag, body);
        }
    }
}
