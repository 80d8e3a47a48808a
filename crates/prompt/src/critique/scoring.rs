//! The request for points: a member spreads ten over the findings.

use minijinja::context;

use super::{
    DocumentPlan, OWN,
    anonymous::Anonymous,
    material::{beside, material},
    member_file,
    tree::Teller,
};
use crate::{
    Prompts, RULES, fence,
    length::Length,
    scoring::{self, MAX_SCORING_TOKENS, Options},
};
use domain::{Prompt, Solution, Tree};

/// Most characters of a member's own claims, of which it is only reminded.
const MAX_STANCE: usize = 1_500;

/// A member that has read the assessment (`told`; without it for a model that cannot take in all of it) spreads ten points
/// over the findings, shown as A, B, C … in `order`. The reply is a
/// [`PointsReply`](crate::reply::PointsReply).
#[must_use]
pub fn scoring(
    prompts: &Prompts,
    reading: DocumentPlan<'_>,
    own: &Tree,
    told: Option<&str>,
    solutions: &[Solution],
    order: &[usize],
) -> Prompt {
    // Findings that kept a member's own words may name somebody.
    let names = Anonymous::new(&reading.brief.document.text);
    let unsigned = |solution: &Solution| Solution {
        title: names.text(&solution.title),
        description: names.text(&solution.description),
        ..solution.clone()
    };
    let solutions: Vec<Solution> = solutions.iter().map(unsigned).collect();
    let Options { text, labels, schema } = scoring::options(&solutions, order);
    let teller = Teller { anonymous: None, sections: false, sure_of: None };
    let stance = teller.within(MAX_STANCE, &[(OWN, own)]).into_iter().next();
    let stance = stance.filter(|_| !own.claims.is_empty()).map(|told| told.text());
    let told = told.filter(|told| !told.trim().is_empty()).map(|told| fence("assessment", &names.text(told)));
    let length = text.chars().count()
        + told.as_ref().map_or(0, |told| told.chars().count())
        + stance.as_ref().map_or(0, |stance| stance.chars().count());
    let persona = member_file(own.member);
    let values = context! {
        options => text,
        labels,
        assessment => told,
        stance => stance.map(|stance| fence("own", &stance)),
        persona => prompts.member(&persona),
    };
    let files = [RULES, "critique/material.md", "critique/scoring.md", &persona];
    let shared = material(reading, beside(reading, length));
    prompts.request(
        &files,
        (&shared, &values),
        schema,
        Length::fixed(reading.brief.effort, MAX_SCORING_TOKENS),
    )
}
