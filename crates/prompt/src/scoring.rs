//! What scorers are shown, whatever the protocol: the solutions in an order of their own, and a
//! schema that knows their numbers.

use forms::{Asked, Shape};

use super::{fence, reply::PointsReply};
use domain::{Schema, Score, Solution};

/// Options as a scorer sees them.
pub(super) struct Options {
    /// The options, a line each, fenced.
    pub(super) text: String,
    /// What the task says of the fields of a [`PointsReply`].
    pub(super) fields: String,
    /// The schema of the [`PointsReply`].
    pub(super) schema: Schema,
    /// Most tokens of it.
    pub(super) tokens: u32,
}

/// The solutions in `order`, under the numbers that people know them by: letters of a list of one's own would mean nothing to
/// anybody who reads the reasons.
pub(super) fn options(solutions: &[Solution], order: &[usize], asked: Asked) -> Options {
    let (mut lines, mut labels) = (Vec::new(), Vec::new());
    for solution in order.iter().filter_map(|&at| solutions.get(at)) {
        let label = solution.id.to_string();
        let sharper = solution.provenance.sharper.iter();
        let sharper = sharper.map(|one| format!("\n   Found out since, on {}: {}", one.topic, one.text));
        let sharper: String = sharper.collect();
        lines.push(format!("{label}. {}: {}{sharper}", solution.title, solution.description));
        labels.push(label);
    }
    let asked = asked.naming("options", labels);
    let shape = Shape::of::<PointsReply>();
    Options {
        text: fence("options", &lines.join("\n")),
        fields: shape.list(&asked),
        schema: shape.schema(&asked),
        tokens: shape.tokens(&asked),
    }
}

/// Who gave what to which solution, with the chance it sees where it said one, fenced.
pub(super) fn record(solutions: &[Solution], given: &[Score]) -> String {
    let mut lines = vec!["Each scorer gave 10 points.".to_owned()];
    for (place, solution) in solutions.iter().enumerate() {
        lines.push(format!("{} {}: {}", solution.id, solution.title, solution.description));
        let points: Vec<String> = given
            .iter()
            .filter_map(|score| {
                let chance = score.chances.get(place).copied().flatten();
                let chance = chance.map(|chance| format!(" (chance of success {chance} %)"));
                let points = score.allocation.points().get(place)?;
                Some(format!("{} {points}{}", score.scorer, chance.unwrap_or_default()))
            })
            .collect();
        if !points.is_empty() {
            lines.push(format!("   points: {}", points.join(", ")));
        }
    }
    fence("scoring", &lines.join("\n"))
}
