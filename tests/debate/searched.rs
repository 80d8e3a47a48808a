//! What advocates look up and cite, read by a checker that knows nothing of how the bot renumbers, and what is said where
//! nothing could be looked up.

use playground::{
    Id,
    ids::{ADA, DECISIONS},
};
use serde_json::json;

use crate::{
    debate::scene::{asked, asked_of, behind, closing, full, has, quick, turns},
    search::{cited, citing, every_citation_is_right, listed, whole},
    support::{
        Stage, has_not,
        model::{Answer, Call, Fault},
        play::read,
        search::Found,
        wait_for_end,
    },
};

/// A stage whose advocates look up one thing each time, claim facts with and without a page, and cite all they are shown.
async fn stage() -> Stage {
    let stage = Stage::searching().await;
    stage.model.on(says);
    stage
}

fn says(call: &Call) -> Option<Answer> {
    let cites = |place: &str| {
        call.reply(|reply| {
            let text = reply.pointer_mut(place).unwrap();
            *text = format!("{} {}", text.as_str().unwrap(), citing(call)).into();
        })
    };
    match call.kind() {
        "search_queries" => Some(Answer::Json(json!({ "queries": [query(call)] }))),
        "turn_opening" => Some(cites("/position")),
        "turn_case" | "turn_arguments" => Some(call.reply(|reply| {
            for place in [0, 1] {
                reply["arguments"][place]["evidence_type"] = "fact".into();
            }
            let claim = reply["arguments"][0]["reasoning"].as_str().unwrap();
            reply["arguments"][0]["reasoning"] = format!("{claim} {}", citing(call)).into();
        })),
        "turn_answers" => Some(cites("/answers/0/answer")),
        "turn_rebuttal" => Some(call.reply(|reply| {
            let answer = reply["points"][0]["answer"].as_str().unwrap();
            reply["points"][0]["answer"] = format!("{answer} {}", citing(call)).into();
            // What the other side said stands there with the numbers of this request.
            let theirs = call.user.split_once(" has said:").unwrap().1;
            if let Some((_, claim)) = theirs.split_once("So says ") {
                let claim = claim.split_once(". ").unwrap().0;
                reply["points"][0]["quotation"] = format!("So says {claim}.").into();
            }
        })),
        "turn_closing" => Some(cites("/uncertainty")),
        _ => None,
    }
}

/// What a side looks up, by its name and the theme of its turn.
fn query(call: &Call) -> String {
    let theme = call.user.split_once("The theme of your turn is ").map_or("rebuttal", |(_, rest)| rest);
    let theme = theme.split_whitespace().next().unwrap();
    format!("{} on {theme}", call.side().unwrap())
}

const SIDES: [(&str, &str); 2] = [("🔵 Pro", "Pro"), ("🔶 Con", "Con")];

/// All of a turn, whose citations are right; gives how many there are.
async fn right(stage: &Stage, thread: Id, title: &str) -> usize {
    let card = read(&stage.message(thread, title));
    // Where the card has no room for all pages, they stand behind its button.
    let text =
        if card.contains("[Whole turn]") { whole(stage, thread, title, "Whole turn").await } else { card };
    has_not(&text, &["[77]"]);
    every_citation_is_right(&text, &text)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_citation_of_an_advocate_leads_to_the_page_that_was_meant() {
    let stage = stage().await;
    let bot = stage.bot().await;
    let thread = stage.debate(full()).await;
    wait_for_end(&stage, thread).await;
    let said = closing(&stage, thread);
    // Of the openings, for which nothing was searched, and of the other turns.
    has(&said, &["2 citations were taken out, because nothing was searched"]);
    has(&said, &["14 citations were taken out, because they named no page that was found"]);
    has_not(&said, &["missing", "without a search"]);

    assert_eq!(asked(&stage, "search_queries").len(), 8, "each side before four of its turns");
    assert_eq!(stage.web().asked().len(), 8);
    assert_eq!(turns(&stage).len(), 20, "nobody had to speak twice");
    for (sign, side) in SIDES {
        let other = if side == "Pro" { "Con" } else { "Pro" };
        for (round, theme) in
            ["economic and technical", "ethical and social", "practical implications"].iter().enumerate()
        {
            let title = format!("{sign} · arguments: {theme}");
            assert!(right(&stage, thread, &title).await >= 3 + 2 * round, "{title} cites what it knows");
            let card = read(&stage.message(thread, &title));
            has(
                &card,
                &["🔎 Sources", "1 search found 3 pages: “", "” · 1 citation removed that named no page"],
            );
            let claims: Vec<&str> =
                card.lines().filter(|line| line.starts_with("**1. ") || line.starts_with("**2. ")).collect();
            assert_eq!(
                claims.iter().map(|claim| claim.ends_with("· ⚠️ no source")).collect::<Vec<_>>(),
                [false, true],
                "{card}"
            );
        }
        // Until it may answer, a side sees no page that the other found.
        for call in asked_of(&stage, "turn_arguments", side) {
            has_not(&call.user, &[&format!("found on {other}")]);
        }
        let rebuttal = format!("{sign} · rebuttal");
        assert!(right(&stage, thread, &rebuttal).await > 10, "both sides' pages");
        has(&read(&stage.message(thread, &rebuttal)), &["> So says «", "1 search found 3 pages"]);
        has(&asked_of(&stage, "turn_rebuttal", side)[0].user, &[&format!("found on {other}")]);
        assert!(right(&stage, thread, &format!("{sign} · closing")).await > 10);
        let answers = format!("{sign} · answers to {other}");
        assert!(right(&stage, thread, &answers).await > 5);
        has(&read(&stage.message(thread, &answers)), &["1 citation removed that named no page"]);
        has_not(&read(&stage.message(thread, &format!("{sign} · opening"))), &["Sources", "[1]"]);
    }
    // What models read is right too, and each page is listed once.
    for call in stage.model.calls().iter().filter(|call| call.kind().starts_with("turn_")) {
        every_citation_is_right(&call.user, &call.user);
        assert!(call.user.matches("https://common.example/overview\n").count() <= 1, "{}", call.user);
    }
    // The moderator cites nothing, and is told what stands without a source.
    let synthesis = asked(&stage, "debate_synthesis").remove(0).text();
    has(&synthesis, &["Rests on: fact. Confidence", "Rests on: fact, without a source.", "So says «"]);
    assert!(cited(&synthesis).is_empty() && listed(&synthesis).is_empty(), "{synthesis}");
    has(
        &behind(&stage, thread, "🔶 Con · rebuttal", "Raw output").await,
        &["turn/rebuttal/con", "steel_man", "turn/rebuttal/con/search"],
    );
    let charged = "SELECT sum(money) FROM attempt JOIN step USING (session_id, key) WHERE kind = 'search'";
    assert_eq!(stage.number(charged).await, 8 * 8_000);

    stage.told(ADA, thread, "export", json!({})).await;
    let report = stage.wait_for(thread, "📄 The report").await;
    let file = reqwest::get(report["attachments"][0]["url"].as_str().unwrap()).await.unwrap();
    let report = file.text().await.unwrap().replace('\\', "");
    has(&report, &["⚠️ no source", "🔎 Sources"]);
    has_not(&report, &["[77]"]);
    let right = report.split("\n## ").map(|section| every_citation_is_right(section, section)).sum::<usize>();
    assert!(right > 60, "{right} citations in\n{report}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_turn_needs_is_looked_up_while_the_one_before_it_is_written() {
    let stage = stage().await;
    let bot = stage.bot().await;
    stage.model.hold(|call| call.kind() == "turn_opening");
    let thread = stage.debate(full()).await;
    stage.model.wait_calls(2, |call| call.kind() == "turn_opening").await;
    stage.model.wait_calls(2, |call| call.kind() == "search_queries").await;
    stage.model.hold(|call| call.is_turn("turn_rebuttal", "Con"));
    stage.model.wait_calls(1, |call| call.is_turn("turn_rebuttal", "Con")).await;
    // Pro's query on Con's case came without waiting for what Con answers.
    stage.model.wait_calls(8, |call| call.kind() == "search_queries").await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    assert_eq!((asked(&stage, "search_queries").len(), stage.web().asked().len()), (8, 8));
    let queries = asked(&stage, "search_queries");
    has(&queries[7].user, &["has claimed so far", "In short: "]);
    assert!(queries.iter().all(|call| cited(&call.user).is_empty()), "marks of two lists");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debate_goes_on_where_nothing_can_be_looked_up_and_says_so() {
    for (answer, card, last) in [
        (
            Found::Status(401, String::new()),
            "No search: it refused the bot's key",
            "the search refused the bot's key",
        ),
        (Found::Status(503, String::new()), "No search: it did not answer", "the search did not answer"),
    ] {
        let stage = stage().await;
        stage.web().on(move |_| Some(answer.clone()));
        let bot = stage.bot().await;
        let thread = stage.debate(quick()).await;
        wait_for_end(&stage, thread).await;
        let said = closing(&stage, thread);
        has(&said, &["Pro spoke without a search (case)", "Con spoke without a search (rebuttal)", last]);
        let case = read(&stage.message(thread, "🔵 Pro · case"));
        has(&case, &[card, "⚠️ no source"]);
        has(&read(&stage.message(thread, "🔶 Con · rebuttal")), &[card]);
        has_not(&stage.read(thread), &["[77]", "Sources", "tvly-test"]);
        bot.kill().await;
    }
    let stage = stage().await;
    stage.model.on(|call| match (call.kind(), call.side()) {
        ("search_queries", Some("Con")) => Some(Answer::Fault(Fault::BadRequest("no".to_owned()))),
        _ => says(call),
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    has(&closing(&stage, thread), &["Con spoke without a search (rebuttal): its model wrote no queries."]);
    has(&read(&stage.message(thread, "🔶 Con · case")), &["No search: the model wrote no queries"]);
    has(&read(&stage.message(thread, "🔵 Pro · case")), &["1 search found 3 pages"]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_advocate_searches_where_nobody_wants_it_or_the_bot_has_no_search() {
    let stage = stage().await;
    let bot = stage.bot().await;
    stage.told(ADA, DECISIONS, "settings answers", json!({ "search": false })).await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    has(&read(&stage.message(thread, "🔵 Pro · case")), &["made-up citation removed: nothing was searched"]);
    has_not(&shown, &["no source", "🔎 Sources", "[77]"]);
    assert_eq!((asked(&stage, "search_queries").len(), stage.web().asked().len()), (0, 0));
    let thread = stage.debate(json!({ "preset": "quick", "search": true })).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(stage.web().asked().len(), 4, "a command goes before the server's setting");
    bot.kill().await;

    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.debate(json!({ "preset": "quick", "search": true })).await;
    has(&wait_for_end(&stage, thread).await, &["Nothing was degraded"]);
    has(&read(&stage.message(thread, "🔶 Con · rebuttal")), &["No search: none is set up"]);
    has_not(&read(&stage.message(thread, "🔶 Con · closing")), &["No search"]);
    bot.kill().await;
}
