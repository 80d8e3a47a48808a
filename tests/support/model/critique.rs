//! What a council says of a document unless a test scripts it otherwise: every member claims something of two sentences
//! that stand in what it was given to read, and wants to look deeper there; neighbours in the council hit upon the same
//! sentences, so that findings are shared.

use std::sync::OnceLock;

use quorum::prompt::Prompts;
use serde_json::{Value, json};

use super::{Call, instance::instance};

/// The council, in its order.
pub const COUNCIL: [&str; 6] = ["Aristotle", "Descartes", "Kant", "Leibniz", "Popper", "Russell"];

/// A sentence with fewer words than this is not quoted.
const WORDS: usize = 5;

impl Call {
    /// The member of the council that is asked, told by its method.
    pub fn member(&self) -> Option<&'static str> {
        static METHODS: OnceLock<Vec<(&'static str, String)>> = OnceLock::new();
        let methods = METHODS.get_or_init(|| {
            let prompts = Prompts::embedded();
            let method =
                |name: &str| prompts.files()[&format!("critique/members/{}.md", name.to_lowercase())].clone();
            COUNCIL.into_iter().map(|name| (name, method(name))).collect()
        });
        methods.iter().find(|(_, method)| self.user.contains(method.trim())).map(|(name, _)| *name)
    }

    /// Whether this asks for claims about a section or a segment.
    pub fn is_growing(&self) -> bool {
        matches!(self.kind(), "critique_look" | "critique_closer")
    }

    /// Whether this looks into a claim.
    pub fn is_deeper(&self) -> bool {
        self.kind() == "critique_closer"
    }

    /// What stands between tags of this name: `section`, `document`, `segment`, `topic`.
    pub fn fenced(&self, name: &str) -> Option<String> {
        let text = self.text();
        let open = text.match_indices(&format!("<{name}-")).map(|(at, _)| at).find(|&at| {
            // A tag stands alone on its line.
            text[at..].lines().next().is_some_and(|line| line.len() == name.len() + 11 && line.ends_with('>'))
        })?;
        let tag = text[open + 1..].split_once('>')?.0;
        let rest = &text[open + tag.len() + 3..];
        Some(rest.split_once(&format!("\n</{tag}>"))?.0.to_owned())
    }

    /// The part of the text that is to be examined, the first where there are two.
    pub fn segment(&self) -> String {
        let names: &[&str] = if self.is_deeper() { &["segment"] } else { &["section", "document", "stated"] };
        names
            .iter()
            .find_map(|name| self.fenced(name))
            .unwrap_or_else(|| panic!("no text in\n{}", self.text()))
    }
}

/// The sentences of a text that can be quoted, headings left out.
pub fn sentences(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let sentences = lines.flat_map(|line| line.split_inclusive(". ")).map(str::trim);
    sentences.filter(|sentence| sentence.split_whitespace().count() >= WORDS).map(str::to_owned).collect()
}

/// The beginning of a sentence, enough to tell it from others.
fn beginning(sentence: &str) -> String {
    let words: Vec<&str> = sentence.split_whitespace().take(10).collect();
    words.join(" ").trim_end_matches(['.', ',']).to_owned()
}

/// A claim about a sentence, the same whoever makes it.
pub fn claim(sentence: &str) -> Value {
    json!({
        "quotes": [sentence],
        "claim": format!("No ground is named for this: {}.", beginning(sentence)),
        "severity": "medium",
        "confidence": 70,
        "closer": "What the statement rests on",
        "closer_at": [sentence],
    })
}

/// What a member says of a segment: these claims, with no more fields than were asked for.
pub fn claims(call: &Call, claims: Vec<Value>) -> Value {
    let schema = call.schema.as_ref().expect("a schema");
    let fields = &schema["properties"]["claims"]["items"]["properties"];
    let trimmed = claims.into_iter().map(|mut claim| {
        if let (Some(map), Some(asked)) = (claim.as_object_mut(), fields.as_object()) {
            map.retain(|field, _| asked.contains_key(field));
        }
        claim
    });
    let mut reply =
        json!({"reading": "It sets out to show that the plan holds.", "claims": trimmed.collect::<Vec<_>>()});
    if call.is_deeper() {
        (reply["effect"], reply["restated"]) = (json!("stronger"), Value::Null);
        return reply;
    }
    (reply["plain"], reply["holds_up"]) = (json!([]), json!([]));
    if !schema["properties"]["stated"].is_null() {
        reply["stated"] = json!(sentences(&call.segment()).into_iter().take(2).collect::<Vec<_>>());
    }
    reply
}

/// The number under which a request tells a claim that says this, such as `#4`.
pub fn label(call: &Call, says: &str) -> String {
    let line = call.user.lines().find(|line| line.trim_start().starts_with('#') && line.contains(says));
    let line = line.unwrap_or_else(|| panic!("{says:?} is not told in\n{}", call.user));
    line.trim().split_once(". ").expect("a label").0.to_owned()
}

/// What a member makes of its own claims.
pub fn looked(adjustments: Value, same: Value, missed: Value) -> Value {
    json!({
        "reflection": "The method looks for what it always finds, and two of the claims lean on that habit more than on the words of the text.",
        "adjustments": adjustments, "same": same, "contradictions": [], "missed": missed,
    })
}

/// A change of a claim of one's own to so sure.
pub fn adjusted(call: &Call, says: &str, reasoning: &str, confidence: u8) -> Value {
    json!({
        "claim": label(call, says), "reasoning": reasoning, "confidence": confidence,
        "severity": "medium", "restated": null,
    })
}

/// The groups that the request for the review shows: the label, the number of the first claim, and what it says.
pub fn groups(call: &Call) -> Vec<(String, String, String)> {
    let text = call.fenced("groups").expect("the groups");
    let mut lines = text.lines();
    let mut groups = Vec::new();
    while let Some(line) = lines.next() {
        let Some((group, _)) = line.split_once(", held by ") else { continue };
        let (number, says) = lines.next().expect("a claim").split_once(". ").expect("its number");
        let says = says.split_once(") ").expect("its weight").1;
        groups.push((group.to_owned(), number.to_owned(), says.to_owned()));
    }
    groups
}

/// The review: each group in the words of its first claim.
pub fn reviewed(call: &Call) -> Value {
    let groups = groups(call);
    let findings = groups.iter().map(|(group, best, says)| {
        json!({
            "group": group, "also": [], "apart": [], "best": best, "theme": "Grounds", "title": format!("Ground of {}", beginning(says)),
            "line": format!("TOLD: {says}"),
        })
    });
    json!({
        "findings": findings.collect::<Vec<_>>(),
        "text": "## What stops it\n\nWRITTEN: what is built on a statement without a ground stays open until somebody names one, and no place of the text does.",
        "verdict": "REVIEWED: several statements of the text name no ground, so what is built on them is open, and nobody can tell from the text whether the plan does what it sets out to do.",
        "holds_up": [],
    })
}

/// The reply to a request of a critique; nothing for those of other protocols.
pub fn reply(call: &Call) -> Option<Value> {
    let place =
        || call.member().and_then(|name| COUNCIL.iter().position(|known| *known == name)).unwrap_or(0);
    Some(match call.kind() {
        // Nothing is found across sections.
        "critique_look" if call.fenced("stated").is_some() => claims(call, vec![]),
        "critique_look" | "critique_closer" => {
            let all = sentences(&call.segment());
            let at = |step: usize| all.get((place() / 2 + step) % all.len().max(1));
            // A closer look does not say once more what it looks into.
            let parent = call.fenced("claim").unwrap_or_default();
            let new = || all.iter().find(|sentence| !parent.contains(&beginning(sentence)));
            let said = if call.is_deeper() { vec![new()] } else { vec![at(0), at(2)] };
            claims(call, said.into_iter().flatten().map(|sentence| claim(sentence)).collect())
        }
        "critique_self" => {
            let own = call.fenced("own").expect("its own claims");
            let first = own.lines().find(|line| line.starts_with('#')).map(str::to_owned);
            let change = first.map(|line| {
                let sure =
                    line.split_once(", sure ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
                let less = sure.unwrap_or(70_u8).saturating_sub(10);
                adjusted(call, &line, "The quotation carries less than the claim says.", less)
            });
            looked(change.into_iter().collect(), json!([]), json!([]))
        }
        "critique_same" => json!({"groups": []}),
        "critique_review" => reviewed(call),
        _ => return None,
    })
}

/// The points of a scorer, whatever the order that it was shown: ten to the finding that this says.
pub fn all_on(call: &Call, finding: &str) -> Value {
    let schema = call.schema.as_ref().expect("a schema");
    let mut reply = instance(schema, 1);
    let letters: Vec<String> = reply["points"].as_object().expect("points").keys().cloned().collect();
    let on = letters.iter().find(|letter| {
        call.user
            .lines()
            .any(|line| line.strip_prefix(&format!("{letter}. ")).is_some_and(|rest| rest.contains(finding)))
    });
    for letter in &letters {
        reply["points"][letter] = json!(if Some(letter) == on.or(letters.first()) { 10 } else { 0 });
    }
    reply
}
