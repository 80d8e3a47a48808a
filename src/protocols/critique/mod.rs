//! /critique: six philosophers read a document, each by its own method, and grow trees of claims over it; each then looks for
//! faults in its own claims beside the others'; what says the same is put together; one who was no reader writes one review;
//! the six spread ten points over its findings, and the team says of each what becomes of it.
//!
//! What it takes is worked out before the first call, and above a limit somebody has to say *Go*. A quotation counts
//! only where it stands in the text, how sure a claim is follows from what members say and from nothing else, each fault is
//! told once, and what nobody read is named. Whatever one call fails at, the others go on.

mod branching;
mod brief;
mod council;
mod held;
mod look;
mod plan;
mod review;
mod scoring;
mod self_critique;

pub(super) use brief::wanted;
use council::Council;
use futures::join;
pub(super) use held::{full_text, left_open, material, panel, said};
pub use held::{review, triage_key};
pub use plan::{at_once, work_out};

use crate::{
    render,
    steps::{NewVote, Steps, Stop, vote_key},
};
use domain::{CritiqueBrief, VoteRules, adjusted};

/// How many phases the live card counts.
const PHASES: u8 = 5;

/// Runs the whole critique.
pub(super) async fn run(steps: &Steps, brief: &CritiqueBrief, voting: &VoteRules) -> Result<(), Stop> {
    steps.phase(1, PHASES, "Critique: what it will take");
    let (reading, brief) = plan::planned(steps, brief).await?;
    let council = Council { steps, brief: &brief, reading: &reading };

    steps.phase(1, PHASES, "Critique: the six critics read");
    let (trees, missing) = look::grow(&council).await?;

    let compared = async {
        steps.phase(2, PHASES, "Self-critique: each beside the others");
        let critiques = self_critique::look(&council, &trees).await?;
        let trees = adjusted(&trees, &critiques);

        steps.phase(3, PHASES, "Comparison: what says the same");
        let grouped = review::compare(&council, &trees, &critiques).await?;
        Ok::<_, Stop>((critiques, trees, grouped))
    };
    let (compared, draft) = join!(compared, review::draft(&council, &trees));
    let ((critiques, trees, grouped), draft) = (compared?, draft?);

    steps.phase(4, PHASES, "Review: each finding told once");
    let review = review::write(&council, grouped, (&trees, &missing), (&critiques, draft.as_ref())).await?;
    if review.no_findings() {
        return Ok(());
    }
    // Nobody's word is taken before this is open, so it begins with none.
    steps.post_panel(triage_key(), render::critique::triage(steps.session(), &review, &[])).await?;

    steps.phase(5, PHASES, "Scoring: ten points each");
    let scored = scoring::score(&council, &trees, &review).await?;
    let vote = NewVote {
        question: scoring::question(&brief.document),
        solutions: scored.solutions,
        experts: scored.experts,
        rules: voting.clone(),
        came_out: review.verdict.clone(),
        ..NewVote::default()
    };
    steps.open_vote(vote_key(), vote).await
}
