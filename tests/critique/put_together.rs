//! What code makes of the trees: changes are applied, what says the same is told once, contradictions are named.

use serde_json::{Value, json};

use crate::{
    critique::scene::{
        FEE, PLAN, SUCCESS, SURVEY, asked, behind, closing, depth, embed, finding, has, has_not, plain,
        saying, self_critique, tree, whole_review, with,
    },
    support::{
        Stage,
        model::{
            Answer, Call,
            critique::{COUNCIL, adjusted, groups, label, looked, reviewed},
        },
        play::read,
        wait_for_end,
    },
};
use playground::ids::BEN;

const RIDERS: &str = "The pay of riders is stated without the hours that it is paid for.";
const COUNTED: &str = "The survey names no way in which its households were chosen.";

/// Popper alone speaks of riders, all others of the survey.
fn two_claims(call: &Call) -> Option<Answer> {
    call.is_growing().then(|| {
        let popper = call.member() == Some("Popper");
        let said = if popper { saying(FEE, RIDERS) } else { saying(SURVEY, COUNTED) };
        with(call, vec![said])
    })
}

fn of_itself(call: &Call, member: &str) -> bool {
    call.kind() == "critique_self" && call.member() == Some(member)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_member_takes_back_falls_away_and_what_it_narrows_stands_in_the_new_words() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        if of_itself(call, "Popper") {
            let less = adjusted(call, RIDERS, "The hours are named in the sentence before.", 20);
            return Some(Answer::Json(looked(json!([less]), json!([]), json!([]))));
        }
        if of_itself(call, "Kant") {
            let mut narrowed = adjusted(call, COUNTED, "May is named.", 70);
            narrowed["severity"] = "low".into();
            narrowed["restated"] = "The survey names its month and not its households.".into();
            return Some(Answer::Json(looked(json!([narrowed]), json!([]), json!([]))));
        }
        two_claims(call)
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let review = whole_review(&stage, thread).await;
    has(
        &review,
        &["6 claims, 1 of them taken back", COUNTED, "The survey names its month and not its households."],
    );
    has_not(&review, &[RIDERS]);
    has(&read(&finding(&stage, thread, 1).await), &[COUNTED, "(4 of 6)", "Medium"]);
    has(
        &read(&finding(&stage, thread, 2).await),
        &["Low", "It read: The survey names no way", "May is named."],
    );
    has_not(&asked(&stage, "critique_review")[0].text(), &[RIDERS]);
    // The tree keeps what was said, and the self-critique what was changed.
    has(&tree(&stage, thread, "popper").await, &[RIDERS, "70 %"]);
    has(&embed(&stage, thread, "Popper · self-critique"), &["Took back claim 1."]);
    has(&embed(&stage, thread, "Kant · self-critique"), &["Narrowed claim 1."]);
    has(&self_critique(&stage, thread, "popper").await, &["named in the sentence before", "70 % → 20 %"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// The same fault, in German and on an overlapping passage.
const CHOSEN: &str = "Wie die Haushalte der Umfrage gewählt wurden, wird nicht gesagt.";
const NO_FAILURE: &str = "Success is defined so that nothing can fail it.";

/// Kant and Popper find one fault, Russell another.
fn three_claims(call: &Call) -> Option<Answer> {
    call.is_growing().then(|| {
        let said = match call.member() {
            Some("Kant") => saying(SURVEY, COUNTED),
            Some("Popper") => saying("survey of May reached four hundred households in the centre", CHOSEN),
            Some("Russell") => saying(SUCCESS, NO_FAILURE),
            _ => return with(call, vec![]),
        };
        with(call, vec![said])
    })
}

/// What somebody says who calls two claims the same.
fn calls_same(call: &Call, own: &str, other: &str) -> Answer {
    let pair = json!([{"own": label(call, own), "other": label(call, other)}]);
    Answer::Json(looked(json!([]), pair, json!([])))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_two_call_the_same_is_one_finding_that_names_them() {
    let stage = Stage::start().await;
    stage.model.on(|call| match (call.kind(), call.member()) {
        ("critique_self", Some("Kant")) => Some(calls_same(call, COUNTED, CHOSEN)),
        ("critique_self", Some("Popper")) => Some(calls_same(call, CHOSEN, COUNTED)),
        // Nobody agrees with her.
        ("critique_self", Some("Russell")) => Some(calls_same(call, NO_FAILURE, COUNTED)),
        _ => three_claims(call),
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let one = read(&finding(&stage, thread, 1).await);
    has(&one, &["Held by** Kant and Popper (2 of 6)", "Popper 1** says the same", CHOSEN]);
    has(&read(&finding(&stage, thread, 2).await), &["Held by** Russell (1 of 6)"]);
    has(&read(&stage.message(thread, "Review ·")), &["3 claims.", "2 findings"]);
    has_not(&stage.read(thread), &["**F3 ·"]);
    // Whoever says nothing has still read, and scores.
    assert_eq!(asked(&stage, "points").len(), 6);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_missed_is_compared_like_any_claim_and_told_once() {
    const LOSS: &str = "Who pays for a loss is said nowhere.";
    const WHO_PAYS: &str = "No one is named who bears losses.";
    let missed = |says: &str| json!([{"quote": "", "claim": says, "severity": "critical", "confidence": 90}]);
    let stage = Stage::start().await;
    stage.model.on(move |call| match (call.kind(), call.member()) {
        ("critique_self", Some("Leibniz")) => Some(Answer::Json(looked(json!([]), json!([]), missed(LOSS)))),
        ("critique_self", Some("Kant")) => Some(Answer::Json(looked(json!([]), json!([]), missed(WHO_PAYS)))),
        ("critique_same", _) => {
            let group =
                json!({"fault": "who pays", "claims": [label(call, LOSS), label(call, WHO_PAYS), "#99"]});
            Some(Answer::Json(json!({"groups": [group]})))
        }
        _ => three_claims(call),
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&embed(&stage, thread, "Leibniz · self-critique"), &["Missed before:", LOSS]);
    has(
        &read(&finding(&stage, thread, 1).await),
        &["Critical", "Held by** Kant and Leibniz (2 of 6)", "Leibniz 1"],
    );
    // Not quoted, for nothing is there to be quoted, and as sure as it was said.
    has(&read(&finding(&stage, thread, 1).await), &["Not quoted", "90 %"]);
    has_not(&stage.read(thread), &["**F5 ·"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_writes_the_review_chooses_the_words_and_takes_apart_what_does_not_belong_together() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.kind() {
        "critique_same" => {
            let claims = [COUNTED, CHOSEN, NO_FAILURE].map(|says| label(call, says));
            Some(Answer::Json(json!({"groups": [{"fault": "all", "claims": claims}]})))
        }
        "critique_review" => {
            let mut reply = reviewed(call);
            reply["findings"][0]["best"] = label(call, CHOSEN).into();
            reply["findings"][0]["apart"] = json!([label(call, NO_FAILURE)]);
            reply["text"] = "## What stops it\n\n**BESIDE: the households stand for the town.** (G1)".into();
            Some(Answer::Json(reply))
        }
        _ => three_claims(call),
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let first = read(&finding(&stage, thread, 1).await);
    has(&first, &["Held by** Kant and Popper (2 of 6)", "Kant 1** says the same"]);
    // What weighs less and the text does not tell stands in the lists.
    let review = read(&stage.message(thread, "Review ·"));
    has(&review, &["BESIDE: the households stand for the town.** (F1)", "1 finding weighs less"]);
    has_not(&review, &["🟨 **F1"]);
    assert!(first.find(CHOSEN) < first.find(COUNTED), "the best put leads: {first}");
    has(&read(&finding(&stage, thread, 2).await), &[NO_FAILURE, "Held by** Russell (1 of 6)"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_findings_ten_are_voted_on_and_all_are_triaged() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        call.is_growing().then(|| {
            let of = |part: &str| {
                let who = call.member().unwrap();
                saying(SURVEY, &format!("The survey leaves out the {part} that {who} asks for."))
            };
            with(call, vec![of("sample"), of("source")])
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let panel = stage.message(thread, "🗂️ Triage · 0 of 12 triaged");
    has(&read(&panel), &["⬜ 12 open"]);
    has_not(&read(&panel), &["**F12 ·"]);
    let vote = read(&stage.message(thread, "What matters most in plan.md?"));
    assert_eq!(vote.matches("experts gave").count(), 10, "{vote}");
    let opened = finding(&stage, thread, 12).await;
    has(&read(&opened), &["F12 ·", "Held by**"]);
    let said = stage.press(BEN, thread, &opened, "Accept").await;
    let said: String = said.messages.iter().map(read).collect();
    has(&said, &["Noted: F12 is accepted"]);
    let panel = stage.wait_for(thread, "🗂️ Triage · 1 of 12 triaged").await;
    has(&read(&panel), &["**Accepted** by Ben"]);
    let list = behind(&stage, thread, "🗂️ Triage", "Export list").await;
    has(&list, &["F12", "accepted"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_contradiction_is_named_once_with_what_would_settle_it() {
    const TOO_FEW: &str = "Two hundred riders are too few for the orders that are planned.";
    const TOO_MANY: &str = "Two hundred riders are too many for the orders that are planned.";
    let quote = "Two hundred riders are hired in the month before the start";
    let stage = Stage::start().await;
    stage.model.on(move |call| {
        if call.is_growing() {
            let said = match call.member() {
                Some("Kant") => saying(quote, TOO_FEW),
                Some("Leibniz") => saying(FEE, TOO_MANY),
                _ => plain(SURVEY),
            };
            return Some(with(call, vec![said]));
        }
        // Both say so, and it is told once; that they are the same, which the comparison thinks, is not.
        let against = |own: &str, other: &str| -> Value {
            let mut said = looked(json!([]), json!([]), json!([]));
            said["contradictions"] = json!([{
                "own": label(call, own), "other": label(call, other),
                "why": "The same number cannot be too few and too many.", "settles": "Orders of one evening, counted.",
            }]);
            said
        };
        match (call.kind(), call.member()) {
            ("critique_self", Some("Kant")) => Some(Answer::Json(against(TOO_FEW, TOO_MANY))),
            ("critique_self", Some("Leibniz")) => Some(Answer::Json(against(TOO_MANY, TOO_FEW))),
            ("critique_same", _) => {
                let claims = [label(call, TOO_FEW), label(call, TOO_MANY)];
                Some(Answer::Json(json!({"groups": [{"fault": "riders", "claims": claims}]})))
            }
            _ => None,
        }
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let card = read(&stage.message(thread, "Cannot both hold"));
    has(&card, &["against **F", "cannot be too few and too many", "Settled by:* Orders of one evening"]);
    assert_eq!(card.matches("cannot be too few").count(), 1, "{card}");
    has(&asked(&stage, "critique_review")[0].text(), &["cannot both hold", "The same number cannot be"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claims_stand_under_the_same_numbers_for_everybody_and_under_nobodys_name() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let name = call.member()?;
        call.is_growing().then(|| {
            with(
                call,
                vec![saying(SURVEY, &format!("By {name} the statement {} is open.", name.len() * 1_000))],
            )
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let looks = asked(&stage, "critique_self");
    assert_eq!(looks.len(), 6);
    let mut numbers = std::collections::BTreeSet::new();
    let mut orders = std::collections::BTreeSet::new();
    for call in &looks {
        let me = call.member().unwrap();
        for name in COUNCIL.iter().filter(|name| **name != me) {
            has_not(&call.user.replace(&format!("{name}'s method"), ""), &[&format!("By {name}")]);
        }
        let told = call.user.lines().filter(|line| line.starts_with('#'));
        let order: Vec<String> = told.map(|line| line.split_once(". ").unwrap().0.to_owned()).collect();
        assert_eq!(order.len(), 6);
        numbers.insert((label(call, &format!("{} is open", me.len() * 1_000)), me));
        orders.insert(order);
    }
    assert!(orders.len() > 1, "each in an order of its own");
    assert!(!groups(&asked(&stage, "critique_review")[0]).is_empty());
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_claims_there_are_not_are_left_out_and_counted() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        if of_itself(call, "Kant") {
            let mut none = adjusted(call, COUNTED, "There is none.", 20);
            none["claim"] = "#99".into();
            let more = adjusted(call, COUNTED, "It holds all the more.", 80);
            return Some(Answer::Json(looked(json!([none, more]), json!([]), json!([]))));
        }
        two_claims(call)
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&embed(&stage, thread, "Kant · self-critique"), &["Surer of claim 1.", "1 remark left out"]);
    has(&closing(&stage, thread), &["1 remark of the self-critiques was left out"]);
    has(&read(&finding(&stage, thread, 1).await), &["80 %"]);
    stage.nothing_amiss();
    bot.kill().await;
}
