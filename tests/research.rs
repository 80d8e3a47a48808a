//! /mediate with deep research: what is grave is looked into once more before anybody votes, and what cannot be settled is
//! said to be unsettled.

use playground::{
    Id,
    ids::{BEN, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    search::{citing, says, whole},
    support::{
        Stage,
        citations::{cited, every_citation_is_right, listed},
        has, has_not,
        model::{Answer, Call, Fault},
        play::{Part, asked, read},
        search::Found,
        wait_for_end,
    },
};

/// The matter that a call is about.
fn matter(call: &Call) -> &str {
    let text = call.user.split_once("<matter-").and_then(|(_, rest)| rest.split_once("</matter-"));
    text.unwrap_or_else(|| panic!("no matter in\n{}", call.user)).0
}

/// Whether a call is about the conflict on the fee.
fn on_the_fee(call: &Call) -> bool {
    matter(call).contains("The fee")
}

fn conflict(modules: [&str; 2], topic: &str, severity: &str) -> Value {
    json!({ "modules": modules, "topic": topic, "description": "This or that.", "severity": severity })
}

/// Two grave conflicts and one that is not; a red flag of its own, and one that belongs to a grave conflict.
fn conflicts(reply: &mut Value) {
    reply["conflicts"] = json!([
        conflict(["cost", "risk"], "The colour", "low"),
        conflict(["market", "cost"], "The fee", "critical"),
        conflict(["market", "risk"], "How soon", "high"),
    ]);
    reply["flags"] = json!([
        { "color": "red", "text": "Cash runs out.", "conflict": 0 },
        { "color": "red", "text": "The fee is too low.", "conflict": 2 },
        { "color": "yellow", "text": "Care.", "conflict": 0 },
    ]);
}

/// What the pages are said to support: of a conflict its second module, of a flag that it is so.
fn resolved(call: &Call) -> Value {
    let supports = if matter(call).contains("Cash") { "confirmed" } else { "in_part" };
    let pages = listed(&call.user);
    let (number, page) = pages.iter().next_back().unwrap();
    json!({
        "evidence": citing(call),
        "supports": if on_the_fee(call) { "cost" } else { supports },
        "verdict": format!("It is so «{page}»[{number}]."),
        "recommendation": format!("Ask for 12 % by May «{page}»[{number}]."),
        "option": if on_the_fee(call) { "2" } else { "none" },
    })
}

/// What everybody says where nothing goes wrong.
pub fn script(call: &Call) -> Option<Answer> {
    match call.part() {
        Part::Synthesis => match says(call) {
            Some(Answer::Json(mut reply)) => {
                conflicts(&mut reply);
                Some(Answer::Json(reply))
            }
            other => other,
        },
        Part::MatterQueries => {
            let about = ["fee", "soon", "Cash"].into_iter().find(|word| matter(call).contains(word)).unwrap();
            Some(Answer::Json(
                json!({ "queries": [format!("{about} borne out"), format!("{about} refuted")] }),
            ))
        }
        Part::Resolution => Some(Answer::Json(resolved(call))),
        _ => says(call),
    }
}

/// What goes wrong with a call.
type Wrong = fn(&Call) -> Answer;

fn silent(_: &Call) -> Answer {
    Answer::Fault(Fault::BadRequest("no".to_owned()))
}

fn with(call: &Call, field: &str, value: Value) -> Answer {
    let mut reply = resolved(call);
    reply[field] = value;
    Answer::Json(reply)
}

async fn stage() -> Stage {
    let stage = Stage::searching().await;
    stage.model.on(script);
    stage
}

fn card(stage: &Stage, thread: Id) -> String {
    read(&stage.message(thread, "eep research\n"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_grave_is_looked_into_before_anybody_votes_and_every_citation_is_right() {
    let stage = stage().await;
    let bot = stage.bot().await;
    let options = json!({ "deep_research": true, "raci": true, "baseline": true });
    let thread = stage.mediate(options).await;
    let last = wait_for_end(&stage, thread).await;
    has(
        &last,
        &["Deep research: 2 conflicts and 1 red flag looked into, 3 settled by pages that were found."],
    );

    let looked_into: Vec<String> =
        asked(&stage, Part::Resolution).iter().map(|call| matter(call).to_owned()).collect();
    assert_eq!((asked(&stage, Part::MatterQueries).len(), looked_into.len()), (3, 3), "{looked_into:?}");
    assert_eq!(stage.web().asked().len(), 18 + 6);
    for other in ["The colour", "too low"] {
        assert!(looked_into.iter().all(|matter| !matter.contains(other)), "{looked_into:?}");
    }

    let shown = card(&stage, thread);
    has(
        &shown,
        &[
            "🟥 Critical · The fee",
            "The evidence supports Cost",
            "🔴 Red flag · Cash runs out",
            "The evidence bears it out",
        ],
    );
    has(&shown, &["🟧 High · How soon", "supports each in part", "(stands beside S2)", "Sources"]);
    let places = ["The fee", "Cash runs out", "How soon"].map(|topic| shown.find(topic).unwrap());
    assert!(places.is_sorted(), "the gravest first");
    let text = whole(&stage, thread, "🔬 Deep research", "Whole research").await;
    assert!(every_citation_is_right(&text, &text) > 9, "{text}");
    has_not(&text, &["[77]"]);
    for call in asked(&stage, Part::Resolution) {
        // Of a flag no module's words are shown, and so no marks.
        let marks = every_citation_is_right(&call.user, &call.user);
        assert!(marks > 2 || matter(&call).contains("Cash"), "{}", call.user);
    }

    // Experts choose by it, and so does the team: the option as it was written, and what was found out beside it.
    for call in asked(&stage, Part::Scoring) {
        has(&call.user, &["Found out since, on The fee: Ask for 12 % by May"]);
        has(&call.text(), &["<deep-research-", "Looked into: The fee: the pages found support cost"]);
    }
    let panel = read(&stage.message(thread, "[Spread 10 points]"));
    has(&panel, &["🔬 Found out since on “The fee”: Ask for 12 % by May"]);
    // The numbers on the panel are those of the card.
    let sharpened = panel.lines().find(|line| line.contains("Found out since")).unwrap();
    let pages = listed(&text);
    for (page, number) in cited(sharpened) {
        assert_eq!(pages.get(&number), Some(&page));
    }
    let places = ["🧩 Do this", "🔬 Deep research", "[Spread 10 points]"];
    let cards = stage.read(thread);
    assert!(places.map(|place| cards.find(place).unwrap()).is_sorted(), "before the vote");

    // Of the two conflicts only one went against somebody; of the other each has a part, and a flag has no sides.
    let refuted = "SELECT count(*) FROM trust_event WHERE kind = 'refuted'";
    assert_eq!(stage.number(refuted).await, 1);
    let against = "SELECT bad FROM trust_event WHERE kind = 'refuted' AND module = 'market'";
    assert_eq!(stage.number(against).await, 35);
    has(
        &stage.told(BEN, DECISIONS, "modules", json!({})).await,
        &["**Market** counts 0.", "pages that were found spoke against its position"],
    );

    stage
        .discord
        .client()
        .run_command(BEN, thread, "ask", json!({ "question": "What of the fee?" }))
        .unwrap();
    stage.wait_for(thread, "What of the fee?").await;
    stage.wait_until(thread, "it is answered", async || !asked(&stage, Part::FollowUp).is_empty()).await;
    has(&asked(&stage, Part::FollowUp)[0].text(), &["deep research", "the pages found support cost"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_goes_wrong_with_one_matter_is_said_of_it_and_stops_no_other() {
    let table: [(&str, Part, Wrong, &str, &str); 6] = [
        (
            "no model weighs it",
            Part::Resolution,
            silent,
            "Not settled: no model weighed what was found",
            "Nobody weighed what was found on “The fee”",
        ),
        (
            "no queries",
            Part::MatterQueries,
            silent,
            "No search: the model wrote no queries",
            "Nothing was looked up on “The fee”: its model wrote no queries.",
        ),
        (
            "no citation",
            Part::Resolution,
            |call| with(call, "verdict", json!("It is so.")),
            "Not settled: the verdict names no page that was found",
            "2 settled",
        ),
        (
            "out of range",
            Part::Resolution,
            |call| with(call, "verdict", json!("It is so [88].")),
            "Not settled: the verdict names no page that was found",
            "citations were taken out, because they named no page that was found",
        ),
        (
            "honest",
            Part::Resolution,
            |call| with(call, "supports", json!("unsettled")),
            "The evidence found does not settle it",
            "2 settled",
        ),
        (
            "a word there is not",
            Part::Resolution,
            |call| {
                let word = if call.is_repair() { &resolved(call)["supports"] } else { &json!("everybody") };
                with(call, "supports", word.clone())
            },
            "The evidence supports Cost",
            "3 settled",
        ),
    ];
    for (name, part, wrong, on_card, at_end) in table {
        let stage = stage().await;
        stage.model.on(move |call| {
            let here = call.part() == part && on_the_fee(call);
            here.then(|| wrong(call)).or_else(|| script(call))
        });
        let bot = stage.bot().await;
        let thread = stage.mediate(json!({ "deep_research": true })).await;
        let last = wait_for_end(&stage, thread).await;
        let shown = card(&stage, thread);
        assert!(shown.contains(on_card), "{name}: {on_card:?} is not in\n{shown}");
        assert!(last.contains(at_end), "{name}: {at_end:?} is not in\n{last}");
        has(&shown, &["🔴 Red flag · Cash runs out", "The evidence bears it out"]);
        let sharpened = read(&stage.message(thread, "[Spread 10 points]")).contains("Found out since");
        assert_eq!(
            sharpened,
            on_card.ends_with("Cost"),
            "{name}: only what is settled stands beside an option"
        );
        has_not(&stage.read(thread), &["[88]"]);
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_that_is_down_for_one_matter_leaves_that_one_open() {
    let stage = stage().await;
    stage.web().on(|asked| asked.query.starts_with("fee ").then(|| Found::Status(503, String::new())));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({ "deep_research": true })).await;
    let last = wait_for_end(&stage, thread).await;
    has(&last, &["2 settled", "Nothing was looked up on “The fee”: the search did not answer."]);
    let shown = card(&stage, thread);
    has(
        &shown,
        &["Not settled: there is nothing to go by", "No search: it did not answer", "supports each in part"],
    );
    assert_eq!(asked(&stage, Part::Resolution).len(), 2, "nobody weighs nothing");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_there_is_no_room_for_is_named_and_nothing_grave_is_no_fault() {
    let stage = stage().await;
    let grave = |number: usize| conflict(["market", "cost"], &format!("Matter fee {number}"), "high");
    stage.model.on(move |call| match call.part() {
        Part::Synthesis => Some(call.reply(|reply| {
            reply["conflicts"] = json!((1..=8).map(grave).collect::<Vec<_>>());
            reply["flags"] = json!([{ "color": "red", "text": "Cash runs out.", "conflict": 9 }]);
        })),
        _ => script(call),
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({ "deep_research": true })).await;
    let last = wait_for_end(&stage, thread).await;
    has(&last, &["Deep research had no room for “Matter fee 6”, “Matter fee 7” and “Matter fee 8”."]);
    let shown = card(&stage, thread);
    has(&shown, &["Red flag · Cash runs out", "Matter fee 5", "No room was left for", "- Matter fee 8"]);
    assert_eq!(asked(&stage, Part::Resolution).len(), 6);

    stage.model.on(|call| match call.part() {
        Part::Synthesis => Some(call.reply(|reply| {
            reply["conflicts"] = json!([conflict(["market", "cost"], "The colour", "medium")]);
            reply["flags"] = json!([]);
        })),
        _ => script(call),
    });
    let thread = stage.mediate(json!({ "deep_research": true })).await;
    has(&wait_for_end(&stage, thread).await, &["Deep research: nothing was grave enough to be looked into."]);
    has(&card(&stage, thread), &["There was nothing to look into"]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nothing_can_be_looked_up_that_is_said_plainly() {
    for (stage, options, why) in [
        (stage().await, json!({ "deep_research": true, "search": false }), "the search was off"),
        (
            Stage::start().await,
            json!({ "deep_research": true }),
            "whoever runs this bot has set up no search",
        ),
    ] {
        let bot = stage.bot().await;
        let thread = stage.mediate(options).await;
        has(&wait_for_end(&stage, thread).await, &["There was no deep research", why]);
        has(&card(&stage, thread), &["🔬 No deep research", "It was asked for, but", why]);
        assert_eq!(asked(&stage, Part::MatterQueries).len(), 0);
        bot.kill().await;
    }
}
