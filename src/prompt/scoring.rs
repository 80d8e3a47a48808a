//! What scorers are shown, whatever the protocol: the solutions as lettered options in an order of their own, and a
//! schema that knows the letters.

use serde_json::json;

use super::{
    fence,
    reply::{PointsReply, label},
    schema,
};
use crate::domain::{Schema, Solution};

/// Most tokens of a scorer's reply: two or three sentences and ten numbers.
pub(super) const MAX_SCORING_TOKENS: u32 = 300;

/// Options as a scorer sees them.
pub(super) struct Options {
    /// The options, a line each, fenced.
    pub(super) text: String,
    /// Their letters.
    pub(super) labels: Vec<String>,
    /// The schema of the [`PointsReply`].
    pub(super) schema: Schema,
}

/// The solutions as A, B, C … in `order`: the k-th label is `solutions[order[k]]`.
pub(super) fn options(solutions: &[Solution], order: &[usize]) -> Options {
    let mut lines = Vec::new();
    let mut schema = schema::strict::<PointsReply>("points");
    let mut letters = serde_json::Map::new();
    for (place, solution) in order.iter().filter_map(|&at| solutions.get(at)).enumerate() {
        let label = label(place);
        lines.push(format!("{label}. {}: {}", solution.title, solution.description));
        letters.insert(label, json!({ "type": "integer", "minimum": 0, "maximum": 10 }));
    }
    let labels: Vec<String> = letters.keys().cloned().collect();
    schema.json["properties"]["points"] = json!({
        "type": "object",
        "description": "Whole points for each option; together exactly 10.",
        "properties": letters,
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
