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
mod full_text;
mod material;
mod plan;
mod said;
mod scoring;
mod self_critique;
mod tree;
mod triage;

use council::Council;
pub(super) use full_text::full_text;
pub(super) use material::material;
pub use plan::{at_once, work_out};
pub(super) use said::said;
pub(super) use triage::left_open;
pub use triage::{assessment, triage_key};

use crate::steps::{Journal, NewVote, Steps, Stop, vote_key};
use domain::{CritiqueBrief, Post, VoteRules, adjusted, consolidate};

/// How many phases the live card counts.
const PHASES: u8 = 4;

/// Runs the whole critique.
pub(super) async fn run(steps: &Steps, brief: &CritiqueBrief, voting: &VoteRules) -> Result<(), Stop> {
    steps.phase(1, PHASES, "Critique: what it will take");
    let (reading, brief) = plan::planned(steps, brief).await?;
    let council = Council { steps, brief: &brief, reading: &reading };

    steps.phase(1, PHASES, "Critique: the six critics read");
    let notes = steps.notes("critique/notes").await?;
    let critiques = tree::grow(&council, &notes).await?;
    if critiques.trees.is_empty() {
        return Err(Stop::Fail(
            "None of the six critics could read the document, so there is nothing to go on with.".to_owned(),
        ));
    }

    steps.phase(2, PHASES, "Self-critique: each beside the others");
    let looked = self_critique::look(&council, &critiques.trees).await?;

    steps.phase(3, PHASES, "Assessment: what is left");
    let notes = steps.notes("assess/notes").await?;
    let trees = adjusted(&critiques.trees, &looked);
    let consolidated = consolidate(&trees, &looked);
    let assessment = assessment::write(&council, &critiques, consolidated, &notes).await?;
    if assessment.no_findings() {
        return Ok(());
    }
    triage::open(steps, &assessment, &brief.document).await?;

    steps.phase(4, PHASES, "Scoring: ten points each");
    let scored = scoring::score(&council, &trees, &assessment).await?;
    let vote = NewVote {
        question: scoring::question(&brief.document),
        solutions: scored.solutions,
        experts: scored.experts,
        rules: voting.clone(),
        came_out: assessment.text.clone(),
        ..NewVote::default()
    };
    steps.open_vote(vote_key(), vote).await
}

/// What one of its panels has to show now; nothing for a key that is none of them.
pub(super) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    triage::panel(journal, key).await
}
