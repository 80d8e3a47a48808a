//! /mediate with all that can be asked for at once: modules that are chosen and made, a search, who answers for what, and
//! deep research. In its report every citation leads to the page that was meant.

use std::path::Path;

use domain::{AuditFinding, AuditLayer, RaciRow};
use models::pages::Reach;
use playground::{Id, ids::BEN};
use quorum::{app, config::Config};
use serde_json::{Value, json};

use crate::{
    report::newest,
    research::script,
    support::{
        Stage,
        citations::{every_citation_is_right, listed},
        has, has_not,
        model::{Answer, Call},
        play::{Part, asked, read},
        wait_for_end,
    },
};

/// The usual three are chosen, and one more is made.
fn says(call: &Call) -> Option<Answer> {
    let pick = |module: &str| json!({ "module": module, "why": "Its side decides it." });
    let three = ["market", "cost", "risk"].map(pick);
    match call.part() {
        Part::Select => Some(Answer::Json(json!({
            "reasoning": "A matter of money and of roads.",
            "modules": three,
        }))),
        Part::Gaps => Some(Answer::Json(json!({
            "reasoning": "Nobody rides.", "open": [],
            "specialists": [{
                "name": "Riders", "looks_at": "roads and weather", "why": "One winter can end it.",
                "nearest": "risk", "instructions": "You find out what riding costs those who ride.",
            }],
        }))),
        _ => script(call),
    }
}

/// A stage on which all of it has ended; gives its thread.
async fn mediated() -> (Stage, Id) {
    let mut stage = Stage::searching().await;
    stage.settings.budgets.session.calls = 1_000;
    stage.settings.budgets.session.tokens = 100_000_000;
    stage.model.on(says);
    let bot = stage.bot().await;
    let options = json!({ "search": true, "auto_select": true, "raci": true, "deep_research": true });
    let thread = stage.mediate(options).await;
    has(&wait_for_end(&stage, thread).await, &["2 conflicts and 1 red flag looked into, 3 settled"]);
    has(&stage.told(BEN, thread, "export", json!({})).await, &["The report is in <#"]);
    stage.wait_for(thread, "📄 The report").await;
    bot.kill().await;
    (stage, thread)
}

/// All text of a section of `report.json`.
fn text_of(section: &Value) -> String {
    let cards = section["cards"].as_array().unwrap().iter();
    let of_card = cards.flat_map(|card| {
        let fields = card["fields"].as_array().into_iter().flatten().map(|field| &field["text"]);
        std::iter::once(&card["text"]).chain(fields)
    });
    let texts = of_card.chain([&section["whole"]["text"]]).filter_map(Value::as_str);
    texts.collect::<Vec<_>>().join("\n")
}

/// A section's analyses apart from one another: a round is one section, and each analysis in it has a list of its own.
fn apart(section: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in section.lines() {
        if line.contains(" · round ") {
            parts.push(String::new());
        }
        let part = parts.last_mut().unwrap();
        part.push_str(line);
        part.push('\n');
    }
    parts
}

/// That each citation of these texts is right by the list in it, or, where it has none, by that of deep research, whose
/// numbers are the session's; gives how many there are in each.
fn right_in(texts: &[String]) -> Vec<usize> {
    // The memo's pages stand below its last message; its numbers are the session's, too.
    let session = |text: &&String| text.contains("The evidence supports") || text.contains("**Do this**");
    let session = texts.iter().filter(session).cloned().collect::<Vec<_>>().join("\n");
    let right = |text: &String| {
        let list = if listed(text).is_empty() { &session } else { text };
        every_citation_is_right(text, list)
    };
    texts.iter().map(right).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_the_report_of_all_of_it_every_citation_leads_to_the_page_that_was_meant() {
    let (stage, thread) = mediated().await;
    assert_eq!(asked(&stage, Part::First).len(), 4);
    assert_eq!(
        stage.web().asked().len(),
        4 * 2 * 3 + 3 * 2,
        "three queries in each round, two for each matter"
    );
    let [markdown, json, html] = newest(&stage, thread, 1).await;
    for text in [&markdown, &json, &html] {
        // What names no page that there is was taken out.
        has_not(text, &["[77]", "[99]"]);
        has(text, &["Who looks at it", "Riders", "RACI", "Deep research", "Found out since on"]);
    }

    let report: Value = serde_json::from_str(&json).unwrap();
    let sections = report["sections"].as_array().unwrap().iter();
    let texts: Vec<String> = sections.flat_map(|section| apart(&text_of(section))).collect();
    let counts = right_in(&texts);
    // Eight analyses, the memo, deep research, and the vote, which repeats what that found out.
    assert!(counts.iter().filter(|count| **count > 0).count() >= 11, "{counts:?}");
    assert!(counts.iter().sum::<usize>() > 60, "{counts:?}");

    let sections: Vec<String> = markdown.split("\n## ").flat_map(apart).collect();
    assert_eq!(right_in(&sections).iter().sum::<usize>(), counts.iter().sum::<usize>());

    // What an audit would look at says the same.
    for speech in report["dossier"]["said"].as_array().unwrap() {
        let of_page = |page: &Value| format!("[{}] {}", page["number"], page["url"].as_str().unwrap());
        let pages: Vec<String> = speech["sources"].as_array().unwrap().iter().map(of_page).collect();
        let texts: Vec<&str> =
            speech["texts"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
        assert!(every_citation_is_right(&texts.join("\n"), &pages.join("\n")) > 1, "{speech}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    std::fs::write(&file, &json).unwrap();
    let config = Config::from_lookup(|_| None).unwrap();
    let doors = (Reach::default(), Path::new(env!("CARGO_BIN_EXE_quorum")));
    let audit = app::audited(&config, &file, AuditLayer::numbered(2), doors).await.unwrap();
    assert_eq!(audit.findings, Vec::<AuditFinding>::new());
    stage.nothing_amiss();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_side_has_one_who_answers_for_it_among_those_who_sit() {
    let (stage, thread) = mediated().await;
    let rows = stage.rows().await;
    let kept: String =
        sqlx::query_scalar("SELECT output FROM step WHERE key = 'raci'").fetch_one(&rows).await.unwrap();
    let mut rows: Vec<RaciRow> = serde_json::from_str(&kept).unwrap();
    rows.sort_by(|one, other| one.area.cmp(&other.area));
    let areas: Vec<&str> = rows.iter().map(|row| row.area.0.as_str()).collect();
    assert_eq!(areas, ["Riders", "cost", "market", "risk"], "each once, those who were made too");
    for row in &rows {
        assert_eq!(row.accountable, row.area, "who speaks answers for its own side");
        let others = [&row.responsible, &row.consulted, &row.informed];
        assert!(others.iter().all(|names| !names.contains(&row.accountable)), "{row:?}");
        assert_eq!(
            others.iter().map(|names| names.len()).sum::<usize>(),
            3,
            "everybody has one part: {row:?}"
        );
    }
    has(&read(&stage.message(thread, "🧩 Do this")), &["Riders: **A** Riders"]);
}
