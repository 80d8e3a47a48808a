//! What the models of the page's test say about hens, which are no matter for the usual modules, and about two vans,
//! whose cost can be worked out.

use serde_json::{Value, json};

use crate::{
    story::option,
    support::{
        model::{Answer, Call, tools::only},
        play::Part,
    },
};

/// Answers as the story wants it; nothing where any plausible answer will do.
pub(crate) fn tell(call: &Call) -> Option<Answer> {
    if call.text().contains("nine sisters") { hens(call) } else { vans(call) }
}

/// Whether somebody of the usual modules is to say something about the hens for the first time.
pub(crate) fn is_first_of_hens(call: &Call) -> bool {
    call.text().contains("nine sisters") && call.part() == Part::First
}

fn kind(call: &Call) -> &str {
    if call.tools.is_empty() { call.schema_name.as_deref().unwrap_or_default() } else { "turn" }
}

/// The usual modules miss it: two more are chosen, and one is made.
fn hens(call: &Call) -> Option<Answer> {
    Some(match call.part() {
        Part::Question => Answer::Json(json!({
            "question": "Do we give the meadow to the school, and what becomes of the 200 hens?", "usual_fit": false,
        })),
        Part::Select => Answer::Json(json!({
            "reasoning": "A meadow that a village and animals both need: what is owed to whom, and what the law says of the lease.",
            "modules": [
                {"module": "ethics", "why": "Two promises stand against each other: to the village, and to the animals."},
                {"module": "legal", "why": "The lease says who may use the meadow and until when."},
            ],
        })),
        Part::Gaps => Answer::Json(json!({
            "reasoning": "Nobody speaks for the animals.",
            "specialists": [{
                "name": "Animal welfare", "looks_at": "how the hens fare where they go", "why": "They cannot say so themselves.",
                "nearest": "ethics", "instructions": "You find out how the hens would fare: space, stress of a move, who looks after them.",
            }],
            "open": ["What the children of the school would say; ask them"],
        })),
        Part::Synthesis => call.reply(|reply| {
            reply["options"] = json!([
                option(
                    "Share the meadow: school garden with a smaller flock",
                    "Eighty hens stay, the school gets two thirds of the ground and looks after them with us.",
                    &["market", "ethics"],
                ),
                option(
                    "Give the whole meadow, and the hens to two farms nearby",
                    "The quickest way for the school; the farms have room, and the sisters visit.",
                    &["cost", "legal"],
                ),
            ]);
            reply["anew"] = json!([{"answer": "The school can have most of the meadow this year. What decides is whether eighty hens may stay: \
                                the lease allows it, and it costs the school a third of the ground.", "text": "The lease allows it."}]);
        }),
        _ => return None,
    })
}

fn group(text: &str, scouts: &[&str]) -> Value {
    json!({"text": text, "scouts": scouts})
}

fn scout(answer: &str, reasoning: &str, claims: &[&str]) -> Answer {
    Answer::Json(json!({
        "understood": "Which of the two costs less in three years for 900 deliveries a month.", "reasoning": reasoning,
        "answer": answer, "key_claims": claims, "confidence": "high",
    }))
}

/// Three scouts, of whom one forgets the drivers; a calculation settles it.
fn vans(call: &Call) -> Option<Answer> {
    Some(match (kind(call), call.model.as_str()) {
        ("scout_answer", "gamma") => scout(
            "Two vans of our own, by far",
            "Two leases of 575 a month are **1,150**, the courier takes 5,760. The drivers are people whom we have anyway.",
            &["The vans cost 1,150 a month", "A van of this class loses 31 % of its value in a year"],
        ),
        ("scout_answer", model) => scout(
            "Two vans, but only by a little",
            "The courier takes 900 × 6.40 = **5,760** a month. Two leases of 575 and two part-time drivers of 1,950 are \
             **5,050**. Over three years the vans save about 25,000, as long as both drivers are there.",
            &[
                "The courier costs 5,760 a month",
                if model == "alpha" {
                    "The vans with their drivers cost 5,050 a month"
                } else {
                    "Vans and drivers cost 5,050 a month"
                },
                "Whether a driver who falls ill can be replaced is a risk that somebody has to take",
            ],
        ),
        ("comparison", _) => Answer::Json(json!({
            "readings": [group("Which costs less in three years", &["scout-1", "scout-2", "scout-3"])],
            "answers": [group("Two vans, by a little", &["scout-1", "scout-2"]), group("Two vans, by far", &["scout-3"])],
            "consensus": [{"text": "The courier costs 5,760 a month", "claims": ["scout-1.1", "scout-2.1"]}],
            "splits": [
                {"topic": "What the vans cost a month", "kind": "verifiable",
                 "sides": [group("5,050, with two drivers", &["scout-1", "scout-2"]), group("1,150, leases alone", &["scout-3"])]},
                {"topic": "Whether two drivers are enough", "kind": "judgement",
                 "sides": [group("A risk to think of", &["scout-1", "scout-2"]), group("People whom we have anyway", &["scout-3"])]},
            ],
            "lone": [{"claim": "A van of this class loses 31 % of its value in a year", "scout": "scout-3", "matters": true}],
        })),
        ("check", _) if call.user.contains("31 %") => Answer::Json(json!({
            "code": "", "query": "", "why": "The vans are leased, so that their value is not the team's matter, and I know of no such figure.",
            "holds": "unsettled",
        })),
        ("check", _) => Answer::Json(json!({
            "code": "print('courier', 900 * 6.40)\nprint('vans', 2 * 575 + 2 * 1950)", "query": "", "why": "", "holds": "",
        })),
        ("checked", _) => Answer::Json(json!({
            "why": "Two leases and two drivers are 5,050 a month; the question names the drivers, so that they count.", "holds": "position-1",
        })),
        ("opening", _) => Answer::Json(json!({
            "restated": "Which of the two costs less in three years for 900 deliveries a month.", "clarity": "high",
            "kind": "open", "critics": [], "first": "Work it out from the figures of the question.",
        })),
        ("question", _) => Answer::Json(
            json!({"question": "Courier or two vans: which costs less in three years?", "usual_fit": true}),
        ),
        ("turn", _) => turn(call),
        ("said", _) => Answer::Json(
            json!({"answer": "A driver who is missing: a replacement by the day costs about 200 more a day \
            than an employee, so that some four months of it use up what three years save."}),
        ),
        ("answer", _) => Answer::Json(json!({
            "edits": [],
            "anew": [{"answer": "Two leased vans with two part-time drivers cost 5,050 a month, the courier 5,760: 25,560 less in three \
                       years. It is close enough that a driver who is missing for months turns it round.", "text": "The courier takes **5,760** a month. Two leases and two part-time drivers are **5,050**, so that the \
                          vans save 710 a month, which is **25,560 in three years**. One answer had left the drivers out, \
                          whom the question names. What is saved is lost again with about four months in which a replacement \
                          has to be hired for one driver."}],
            "title": "Two vans, by 25,560 in three years",
            "sure": [{"of": "the sums", "chance": 95}, {"of": "that no driver is missing for long", "chance": 65}],
            "alternative": "Stay with the courier, who carries the risk of illness; it beats the vans if a driver is missing for long.",
            "would_change": "A courier's price below 5.61 a delivery.",
            "evidence": [
                {"text": "Both monthly sums were worked out from the question's figures", "tag": "observed", "calls": [1]},
                {"text": "Both drivers stay for three years", "tag": "assumed", "calls": []},
            ],
            "unresolved": ["Whether a driver who falls ill can be replaced within a week; nobody has asked."],
            "rivals": [{"title": "Stay with the courier", "description": "Costs 710 more a month, and illness is somebody else's matter."}],
        })),
        _ => return None,
    })
}

/// An investigator that calculates, looks for the contrary, and is done.
fn turn(call: &Call) -> Answer {
    let said = if !call.user.contains("verify_claim on the sums") {
        json!({"tool": "verify_claim", "purpose": "To see who is right about the vans", "path": "the sums",
            "text": "5,050, with two drivers"})
    } else if !call.user.contains("run_code on three years") {
        json!({"tool": "run_code", "purpose": "To see what that is in three years", "path": "three years",
            "text": "courier = 900 * 6.40\nvans = 2 * 575 + 2 * 1950\nprint('a month', courier, vans)\nprint('in three years', 36 * (courier - vans))"})
    } else if !call.user.contains("query_model on what speaks against") {
        json!({"tool": "query_model", "purpose": "To find what turns it round", "path": "what speaks against",
            "text": "What could make two vans dearer than the courier?", "model": 2, "disproves": true})
    } else {
        json!({"tool": "done", "text": "The sums are worked out, and what turns them round is known.",
            "hypothesis": "Two vans, by 25,560", "alternative": "The courier, if a driver is missing for long.",
            "would_change": "A courier's price below 5.61 a delivery.", "confidence": 80,
            "stop": "chain_complete", "why_stop": "Each sum is worked out from the question's own figures."})
    };
    Answer::Json(only(call, &said))
}
