//! What is said in a debate unless a test scripts it otherwise: every reply keeps to the rules of its phase, and the
//! moderator takes no side.

use serde_json::{Value, json};

use super::Call;

/// The proposition as the gatekeeper puts it.
pub const QUESTION: &str = "Should the town of 40,000 build a food delivery app?";

/// What Pro says at first, and Con quotes.
pub const PRO_SAID: &str = "A delivery app of its own keeps the fees of every order inside the town.";

/// What Con says at first, and Pro quotes.
pub const CON_SAID: &str = "Two established services already reach nine of ten households in the centre.";

/// Nothing in them takes a side, commands or answers anybody.
const SENTENCES: [&str; 24] = [
    "A rider completes about three orders an hour in the evening.",
    "Restaurants in the centre work with margins of eight to twelve per cent.",
    "A pilot with twenty restaurants over eight weeks costs less than a full launch.",
    "The largest fixed cost lies in the support desk on Friday evenings.",
    "Demand falls by a third in summer, when the students leave.",
    "Paying by invoice once a month suits the canteens near the station.",
    "Maintenance runs at about a fifth of the first development every year.",
    "A subscription raises the number of orders and lowers the margin of each.",
    "Most complaints in comparable towns concern waiting time and not price.",
    "Electric bicycles reach nine addresses in ten within twenty minutes.",
    "Employed riders need four more orders an hour at the evening peak.",
    "Grocers share the fleet in the morning hours of the working week.",
    "The fibre network of the town makes a local server cheap at this size.",
    "Word of mouth brought sixty per cent of customers in a similar town.",
    "Break-even lies near four hundred orders a day in the first estimate.",
    "Cash is still a third of all payments in the outer districts.",
    "Evening traffic over the single bridge doubles the time to the west.",
    "A cooperative of restaurants owns the platform in one comparable town.",
    "Survey answers on willingness to pay differ from later behaviour by half.",
    "Data on orders shows where new lanes for bicycles are used most.",
    "Insurance for riders grew by a tenth in each of the last years.",
    "Kitchens without seats depend on delivery for nearly all their orders.",
    "The council spends a similar sum on its three public swimming pools.",
    "Older residents order by telephone more often than by any app.",
];

/// Whole sentences with at least so many words, beginning at the one with this number.
pub fn prose(from: u64, words: usize) -> String {
    let mut at = usize::try_from(from % 24).unwrap_or_default();
    let mut text = String::new();
    while text.split_whitespace().count() < words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(SENTENCES[at]);
        at = (at + 1) % SENTENCES.len();
    }
    text
}

impl Call {
    /// The name of the schema asked for; empty if none was.
    pub fn kind(&self) -> &str {
        self.schema_name.as_deref().unwrap_or_default()
    }

    /// Whether an advocate is asked who argues for the proposition (`Pro`) or against it (`Con`).
    pub fn side(&self) -> Option<&'static str> {
        ["Pro", "Con"].into_iter().find(|side| self.user.contains(&format!("You are {side}, ")))
    }

    /// Whether this asks for a follow-up question, or none.
    pub fn is_follow_up(&self) -> bool {
        self.user.contains("Task: a follow-up.")
    }

    /// Whether this is a turn of a side.
    pub fn is_turn(&self, kind: &str, side: &str) -> bool {
        self.kind() == kind && self.side() == Some(side)
    }
}

/// The reply to a request of a debate; nothing for those of other protocols.
pub fn reply(call: &Call) -> Option<Value> {
    let seed = call.seed();
    let said = |place: u64, words: usize| prose(seed.wrapping_add(place), words);
    let schema = call.schema.as_ref()?;
    let pro = call.side() != Some("Con");
    // A turn has as many words as it is asked for, which its prompt says.
    let words = asked_words(call).unwrap_or(350);
    let argument = |place, words| {
        json!({
            "claim": said(place, 8), "reasoning": said(place + 1, words),
            "assumptions": [said(place + 2, 8)], "uncertainties": [said(place + 3, 8)],
            "evidence_type": "projection", "confidence": "medium",
        })
    };
    let mut reply = match call.kind() {
        // A draft of the paper, as long as it is asked for.
        "first_answer" if call.user.contains("explain their vote tomorrow") => {
            let (least, most) = words_asked_of(call, "text")?;
            json!({"text": said(19, usize::midpoint(least, most))})
        }
        "proposition" => json!({
            "context": {"geography": "", "timeframe": "", "domain": "retail", "stakeholders": ["riders"], "background": ""},
            "normalized_question": QUESTION, "changed": "It is a question now.",
            "framing": "policy", "complexity": "medium", "objection": null,
        }),
        "turn_opening" => json!({
            "position": format!("{} {}", if pro { PRO_SAID } else { CON_SAID }, said(0, words.saturating_sub(80))),
            "preview": [said(22, 8), said(23, 8), said(24, 8)],
            "assumptions": [said(20, 8), said(21, 8)],
        }),
        "turn_case" => {
            let words = words.saturating_sub(110) / 2;
            json!({
                "position": format!("{} {}", if pro { PRO_SAID } else { CON_SAID }, said(20, 10)),
                "framework": null, "arguments": [argument(0, words), argument(12, words)],
            })
        }
        "turn_arguments" => {
            let words = words.saturating_sub(85) / 2;
            let mut reply = json!({"arguments": [argument(0, words), argument(12, words)]});
            if !schema["properties"]["framework"].is_null() {
                reply["framework"] = "utilitarian".into();
            }
            reply
        }
        "turn_questions" => {
            let asked = [
                "What does the case assume about the number of orders in the first year?",
                "Which evidence shows that restaurants pay the fee after the first months?",
                "How does the conclusion follow if demand falls by a third in summer?",
            ];
            let asked = asked.map(|question| json!({"aims_at": "assumptions", "question": question}));
            json!({"questions": asked[..if call.is_follow_up() { 1 } else { 3 }]})
        }
        "turn_answers" => {
            let numbers = &schema["properties"]["answers"]["items"]["properties"]["question"]["enum"];
            let asked = numbers.as_array().map_or(1, Vec::len) as u64;
            let words = (words / usize::try_from(asked).unwrap()).saturating_sub(6);
            let answer =
                |number| json!({"question": number, "answer": said(number * 7, words), "kind": "direct"});
            json!({"answers": (1..=asked).map(answer).collect::<Vec<_>>()})
        }
        "turn_rebuttal" => {
            let point = |place| {
                json!({
                    "quotation": if pro { CON_SAID } else { PRO_SAID },
                    "steel_man": said(place, words / 10), "answer": said(place + 8, words * 3 / 20),
                    "even_if": said(place + 17, words / 10),
                })
            };
            json!({"points": [point(0), point(3)]})
        }
        "turn_closing" => json!({
            "why_we_disagree": said(0, words / 4), "opponents_best_point": said(6, words / 5),
            "what_would_change_my_mind": said(12, words / 5), "uncertainty": said(18, words / 5),
        }),
        "conduct_check" => {
            let asked = &schema["properties"]["turns"]["items"]["properties"];
            let sound = |number| {
                let mut entry = json!({
                    "turn": number, "what_it_is_about": "a delivery app", "on_topic": true, "declines": false,
                });
                if !asked["answers_other_side"].is_null() {
                    entry["answers_other_side"] = false.into();
                }
                if !asked["arguing_questions"].is_null() {
                    entry["arguing_questions"] = json!([]);
                }
                entry
            };
            let turns = call.user.matches("\nTurn ").count();
            json!({ "turns": (1..=turns).map(sound).collect::<Vec<_>>() })
        }
        "neutrality_check" => {
            let passages = call.user.matches("\nPassage ").count();
            let neutral = |number| json!({"passage": number, "words": "", "takes_a_side": false});
            json!({"passages": (1..=passages).map(neutral).collect::<Vec<_>>()})
        }
        "debate_synthesis" => synthesis(call),
        "debate_answer" => json!({"draws_on": [], "answer": said(0, 70), "not_in_material": null}),
        "clarification" => json!({"answer": said(0, 40)}),
        "hinge" => json!({
            "if_true": said(0, 8), "current_evidence": said(1, 8), "then_favors": "neutral", "confidence": "high",
        }),
        _ => return None,
    };
    if call.kind().starts_with("turn_") {
        reply["in_short"] = said(11, 8).into();
        let pending = &schema["properties"]["acknowledged"]["items"]["properties"]["evidence"]["enum"];
        if let Some(pending) = pending.as_array() {
            let of = |number: &Value| json!({"evidence": number, "how": said(3, 8), "bearing": "used"});
            reply["acknowledged"] = pending.iter().map(of).collect();
        }
    }
    Some(reply)
}

/// How many words a turn is asked for: in the middle between the fewest and the most.
fn asked_words(call: &Call) -> Option<usize> {
    let (least, most) = words_allowed(call)?;
    Some(usize::midpoint(least, most))
}

/// Fewest and most words that a request asks for.
fn words_allowed(call: &Call) -> Option<(usize, usize)> {
    let (least, rest) = call.user.split_once("\nLength: ")?.1.split_once(" to ")?;
    Some((least.parse().ok()?, rest.split_once(" words")?.0.parse().ok()?))
}

/// Puts a sentence into the paper of a synthesis: in the place of the first one of its draft, or at the end of what it writes itself.
pub fn say_in_paper(call: &Call, reply: &mut Value, sentence: &str) {
    let Some((_, draft)) = call.user.split_once("<draft-") else {
        reply["executive_summary"] =
            format!("{} {sentence}", reply["executive_summary"].as_str().unwrap()).into();
        return;
    };
    let first = draft.lines().nth(1).unwrap().split(". ").next().unwrap();
    let sentence = sentence.trim_end_matches('.');
    reply["edits"] = json!([{"objection": 0, "stands": first, "becomes": sentence}]);
}

/// Fewest and most words that a form asks for of a field.
fn words_asked_of(call: &Call, field: &str) -> Option<(usize, usize)> {
    let (least, rest) = call.user.split_once(&format!("\n- {field}: "))?.1.split_once(" to ")?;
    Some((least.parse().ok()?, rest.split_once(" words")?.0.parse().ok()?))
}

/// The reply to a request for a turn or a synthesis, with all the words it may have and not one more.
pub fn longest(call: &Call) -> Option<Value> {
    let (_, most) = words_allowed(call)?;
    let mut reply = reply(call)?;
    let lasts = ["/arguments/1/reasoning", "/points/1/answer", "/uncertainty", "/executive_summary"];
    let last = lasts.into_iter().find(|last| reply.pointer(last).is_some())?;
    // Of a synthesis only the paper is counted.
    let paper = last == "/executive_summary";
    let others = if paper { 0 } else { counted(&reply) - counted(reply.pointer(last)?) };
    let text = reply.pointer_mut(last).unwrap();
    let words = format!("{} {}", text.as_str().unwrap(), prose(7, most));
    let words: Vec<&str> = words.split_whitespace().take(most - others).collect();
    *text = words.join(" ").into();
    if call.kind().starts_with("turn_") {
        let sentence = prose(11, 30);
        reply["in_short"] = sentence.split_whitespace().take(30).collect::<Vec<_>>().join(" ").into();
    }
    Some(reply)
}

/// Makes a case that begins with this sentence, and has fewer words than it should.
pub fn in_few_words(case: &mut Value, sentence: &str) {
    case["position"] = format!("{sentence} {}", prose(0, 10)).into();
    for place in [0, 1] {
        case["arguments"][place]["reasoning"] = prose(place as u64, 8).into();
    }
}

/// The words of a reply that count: without those beside the speech, and without those of a list to choose from.
fn counted(reply: &Value) -> usize {
    const BESIDE: [&str; 9] = [
        "in_short",
        "acknowledged",
        "neutrality_check",
        "evidence_type",
        "confidence",
        "root_cause",
        "current_state",
        "then_favors",
        "kind",
    ];
    match reply {
        Value::String(text) => text.split_whitespace().count(),
        Value::Array(items) => items.iter().map(counted).sum(),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| !BESIDE.contains(&name.as_str()));
            fields.map(|(_, field)| counted(field)).sum()
        }
        _ => 0,
    }
}

/// A synthesis whose paper has as many words as are asked for, with as many on one side as on the other.
fn synthesis(call: &Call) -> Value {
    let (seed, paper) = (call.seed(), asked_words(call).unwrap_or(650));
    let said = |place: u64, words: usize| prose(seed.wrapping_add(place), words);
    let parting = |place: u64| {
        json!({
            "topic": format!("point {place}"), "pro_position": said(place, 24), "con_position": said(place + 9, 24),
            "root_cause": "priorities", "bridgeable": true,
        })
    };
    let hinge = |place: u64, favors: &str| {
        json!({
            "if_true": said(place, 10), "current_evidence": said(place + 5, 10), "then_favors": favors, "confidence": "low",
        })
    };
    json!({
        "areas_of_agreement": [{"topic": "riders", "description": said(1, 30), "shared_evidence": [said(2, 10)]}],
        "core_disagreements": [parting(3), parting(6)],
        "between": [{
            "position": said(20, 8), "named_by": "Con's rebuttal", "pro_objection": said(21, 8), "con_objection": said(22, 8),
        }],
        "assumption_conflicts": [{
            "pro_assumption": said(7, 15), "con_assumption": said(10, 15), "impact_on_debate": said(13, 15),
        }],
        "evidence_gaps": [{"question": said(14, 12), "why_it_matters": said(15, 12), "current_state": "unknown"}],
        "decision_hinges": [hinge(4, "pro"), hinge(8, "con"), hinge(12, "neutral")],
        "complexity_assessment": said(16, 30),
        "edits": [],
        "executive_summary": said(19, paper),
        "neutrality_check": "Each position has as many words as the other.",
    })
}
