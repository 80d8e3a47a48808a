//! What scorers are shown, whatever the protocol: the solutions in an order of their own, and a
//! schema that knows their numbers.

use serde_json::json;

use super::{fence, reply::PointsReply, schema};
use domain::{Schema, Solution};

/// Most tokens of a scorer's reply: 120 words and ten numbers.
pub(super) const MAX_SCORING_TOKENS: u32 = 400;

/// What the task says of the fields of a [`PointsReply`].
pub(super) const FIELDS: &str = "- reasoning: 60 to 120 words: your first choice and what decides for it, the strongest rival, and the fact that would swap the two.\n- points: a whole number for each option, by its number; together exactly 10.";

/// Options as a scorer sees them.
pub(super) struct Options {
    /// The options, a line each, fenced.
    pub(super) text: String,
    /// Their numbers: `S1`.
    pub(super) labels: Vec<String>,
    /// The schema of the [`PointsReply`].
    pub(super) schema: Schema,
}

/// The solutions in `order`, under the numbers that people know them by: letters of a list of one's own would mean nothing to
/// anybody who reads the reasons.
pub(super) fn options(solutions: &[Solution], order: &[usize]) -> Options {
    let mut lines = Vec::new();
    let mut schema = schema::strict::<PointsReply>("points");
    let mut numbers = serde_json::Map::new();
    for solution in order.iter().filter_map(|&at| solutions.get(at)) {
        let label = solution.id.to_string();
        let sharper = solution.provenance.sharper.iter();
        let sharper = sharper.map(|one| format!("\n   Found out since, on {}: {}", one.topic, one.text));
        let sharper: String = sharper.collect();
        lines.push(format!("{label}. {}: {}{sharper}", solution.title, solution.description));
        numbers.insert(label, json!({ "type": "integer", "minimum": 0, "maximum": 10 }));
    }
    let labels: Vec<String> = numbers.keys().cloned().collect();
    schema.json["properties"]["points"] = json!({
        "type": "object",
        "description": "Whole points for each option; together exactly 10.",
        "properties": numbers,
        "required": labels,
        "additionalProperties": false,
    });
    Options { text: fence("options", &lines.join("\n")), labels, schema }
}

/// Who gave what to which solution, fenced.
pub(super) fn record(solutions: &[Solution], given: &[(&str, &[u32])]) -> String {
    let mut lines = vec!["Each scorer gave 10 points.".to_owned()];
    for (place, solution) in solutions.iter().enumerate() {
        lines.push(format!("{} {}: {}", solution.id, solution.title, solution.description));
        let points: Vec<String> = given
            .iter()
            .filter_map(|(scorer, points)| points.get(place).map(|points| format!("{scorer} {points}")))
            .collect();
        if !points.is_empty() {
            lines.push(format!("   points: {}", points.join(", ")));
        }
    }
    fence("scoring", &lines.join("\n"))
}
