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
        self.kind() == "segment_claims"
    }

    /// Whether this looks into a claim.
    pub fn is_deeper(&self) -> bool {
        self.is_growing() && self.user.contains("A closer look.")
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

    /// The part of the text that is to be assessed.
    pub fn segment(&self) -> String {
        let names: &[&str] = if self.is_deeper() { &["segment"] } else { &["section", "document"] };
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
    let about = beginning(sentence);
    json!({
        "quote": sentence,
        "claim": format!("No ground is named for this: {about}."),
        "area": about.split_whitespace().take(3).collect::<Vec<_>>().join(" "),
        "severity": "medium",
        "confidence": 0.7,
        "deeper_passage": sentence,
        "deeper_topic": "What the statement rests on",
    })
}

/// What a member says of a segment: these claims, with no more fields than were asked for.
pub fn claims(call: &Call, claims: Vec<Value>) -> Value {
    let schema = call.schema.as_ref().expect("a schema");
    let fields = &schema["properties"]["claims"]["items"]["properties"];
    let fields = if fields.is_null() { &schema["$defs"]["ClaimReply"]["properties"] } else { fields };
    let trimmed = claims.into_iter().map(|mut claim| {
        if let (Some(map), Some(asked)) = (claim.as_object_mut(), fields.as_object()) {
            map.retain(|field, _| asked.contains_key(field));
        }
        claim
    });
    let mut reply =
        json!({"reading": "It sets out to show that the plan holds.", "claims": trimmed.collect::<Vec<_>>()});
    if !schema["properties"]["effect_on_claim"].is_null() {
        reply["effect_on_claim"] = json!(0.2);
    }
    reply
}

/// The labels that a field of the schema allows.
fn labels(schema: &Value, path: &str) -> Vec<Value> {
    schema.pointer(path).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// The reply to a request of a critique; nothing for those of other protocols.
pub fn reply(call: &Call) -> Option<Value> {
    let schema = call.schema.as_ref()?;
    let place =
        || call.member().and_then(|name| COUNCIL.iter().position(|known| *known == name)).unwrap_or(0);
    Some(match call.kind() {
        "segment_claims" => {
            let all = sentences(&call.segment());
            let at = |step: usize| all.get((place() / 2 + step) % all.len().max(1));
            // A closer look does not say once more what it looks into.
            let parent = call.fenced("claim").unwrap_or_default();
            let new = || all.iter().find(|sentence| !parent.contains(&beginning(sentence)));
            let said = if call.is_deeper() { vec![new()] } else { vec![at(0), at(2)] };
            claims(call, said.into_iter().flatten().map(|sentence| claim(sentence)).collect())
        }
        "self_critique" => {
            let own = labels(schema, "/properties/adjustments/items/properties/claim/enum");
            let adjusted = own.first().map(|label| {
                json!({"claim": label, "reasoning": "The quotation carries less than the claim says.", "confidence_delta": -0.1})
            });
            json!({
                "reflection": "The method looks for what it always finds.",
                "same_as": [],
                "contradictions": [],
                "missed": [],
                "adjustments": adjusted.into_iter().collect::<Vec<_>>(),
            })
        }
        "assessment" => {
            let points = (1..=10).filter_map(|number| Some((number, found(call, number)?)));
            let points = points.map(|(number, says)| {
                json!({"finding": format!("F{number}"), "area": format!("Ground of F{number}"), "critique": format!("WORDED: {says}")})
            });
            json!({
                "points": points.collect::<Vec<_>>(),
                "final_assessment": "ASSESSED: several statements of the text name no ground, so what is built on them is open.",
            })
        }
        _ => return None,
    })
}

/// What the request for the assessment says of a finding; nothing where there is none of this number.
fn found(call: &Call, number: usize) -> Option<String> {
    let findings = call.fenced("findings").expect("the findings");
    let label = format!("F{number}. ");
    let line = findings.lines().find(|line| line.starts_with(&label))?;
    Some(line.split_once("): ")?.1.to_owned())
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
