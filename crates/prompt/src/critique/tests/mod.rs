//! What the requests hold, and what they must not.

use super::{Branch, DocumentPlan, assess, assessment, scoring, self_critique};
use crate::{
    Prompts,
    sample::{critique as sample, notes, vote::solution},
};
use domain::{Finding, Look, Philosopher, Prompt, Solution};

mod members;
mod parts;
mod requests;
mod room;

impl sample::Session {
    /// What its requests read.
    pub(crate) fn document_plan(&self) -> DocumentPlan<'_> {
        DocumentPlan { brief: &self.brief, sections: &self.sections, plan: &self.plan }
    }
}

fn show(prompt: &Prompt) -> String {
    let most = format!("at most {} tokens", prompt.max_tokens);
    format!("=== shared\n{}\n=== task\n{}\n=== {most}", prompt.shared, prompt.task)
}

fn solutions() -> Vec<Solution> {
    let scored = |finding: Finding| Solution {
        description: finding.critique,
        ..solution(finding.id.0, &finding.area)
    };
    sample::consolidated().findings.into_iter().map(scored).collect()
}

/// The member whose requests are shown.
const POPPER: Philosopher = Philosopher::Popper;

/// A request of each kind in a session: a section, a segment of it, a self-critique, the assessment, the points.
fn one_of_each(session: &sample::Session) -> Vec<(&'static str, Prompt)> {
    let (prompts, reading, notes) = (Prompts::embedded(), session.document_plan(), notes());
    let trees = sample::trees();
    let section = &session.sections[0];
    let top = Branch { section: section.id, segment: section.span, parent: None, first: 1, most: 3 };
    let segment = sample::span("Each order earns 3 euros and costs 4.20 euros to bring.");
    let below = Branch { segment, parent: Some(&trees[4].claims[0]), most: 2, ..top };
    let order = [&trees[5], &trees[0], &trees[2], &trees[3], &trees[1]];
    vec![
        ("assess", assess(&prompts, reading, POPPER, &top, &notes)),
        ("deeper", assess(&prompts, reading, POPPER, &below, &[])),
        ("self-critique", self_critique(&prompts, reading, Look::First, &trees[4], &order, &[])),
        ("assessment", assessment(&prompts, reading, &sample::consolidated(), &[], &notes)),
        (
            "scoring",
            scoring(&prompts, reading, &trees[4], Some("The order loses money."), &solutions(), &[1, 0]),
        ),
    ]
}
