//! /critique: six philosophers read a document, each by its own method, and grow trees of claims over it; each then
//! looks at its own tree beside the others'; code puts together what is left, one call words it, and the six spread
//! ten points over what matters most.
//!
//! What it takes is worked out before the first call, and above a limit somebody has to say *Go*. A quotation counts
//! only where it stands in the text, how sure a claim is follows from what members say and from nothing else, and what
//! nobody read is named. Whatever one call fails at, the others go on.

mod assessment;
mod branching;
mod council;
mod degraded;
mod full_text;
mod material;
mod plan;
mod scoring;
mod self_critique;
mod tree;
mod triage;

use council::Council;
use degraded::{Course, degraded};
pub(super) use full_text::full_text;
pub(super) use material::material;
pub use plan::at_once;
pub use triage::{assessment, triage_key};

use crate::{
    domain::{CritiqueBrief, Post, StepKey, VoteRules, adjusted, consolidate},
    render,
    steps::{Journal, NewVote, Steps, Stop, vote_key},
};

/// How many phases the live card counts.
const PHASES: u8 = 4;

/// Runs the whole critique. Gives a sentence for each thing that was degraded.
pub(super) async fn run(
    steps: &Steps,
    brief: &CritiqueBrief,
    voting: &VoteRules,
) -> Result<Vec<String>, Stop> {
    steps.phase(1, PHASES, "Critique: what it will take");
    let estimate = plan::planned(steps, brief).await?;
    let council = Council { steps, brief, estimate: &estimate };

    steps.phase(1, PHASES, "Critique: the six critics read");
    let notes = steps.notes("critique/notes").await?;
    let critiques = tree::grow(&council, &notes).await?;
    if critiques.trees.is_empty() {
        return Err(Stop::Fail(
            "None of the six critics could read the document, so there is nothing to go on with.".to_owned(),
        ));
    }

    steps.phase(2, PHASES, "Self-critique: each beside the others");
    let notes = steps.notes("self/notes").await?;
    let looked = self_critique::look(&council, &critiques.trees, &notes).await?;

    steps.phase(3, PHASES, "Assessment: what is left");
    let notes = steps.notes("assess/notes").await?;
    let trees = adjusted(&critiques.trees, &looked.critiques);
    let consolidated = consolidate(&brief.document, &trees, &looked.critiques);
    let (assessment, assessor_stand_in) =
        assessment::write(&council, &critiques, consolidated, &notes).await?;
    let course = |points| {
        let (critiques, looked, assessment) = (&critiques, &looked, &assessment);
        Course { council: &council, critiques, looked, assessment, assessor_stand_in, points }
    };
    if assessment.no_findings() {
        return Ok(degraded(&course(&[])));
    }
    triage::open(steps, &assessment, &brief.document).await?;

    steps.phase(4, PHASES, "Scoring: ten points each");
    let scored = scoring::score(&council, &trees, &assessment).await?;
    let key = StepKey::from("points");
    let cards = render::points::points_card(steps.session(), &key, &scored.solutions, &scored.experts, &[]);
    let scored = steps.keep(key, &scored, cards).await?;

    let sentences = degraded(&course(&scored.experts));
    let vote = NewVote {
        question: scoring::question(&brief.document),
        solutions: scored.solutions,
        experts: scored.experts,
        rules: voting.clone(),
        ..NewVote::default()
    };
    steps.open_vote(vote_key(), vote).await?;
    Ok(sentences)
}

/// What one of its panels has to show now; nothing for a key that is none of them.
pub(super) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    triage::panel(journal, key).await
}
