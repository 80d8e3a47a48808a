//! The assessment: code has put the findings together, one call words them. Where no model can, they stand in the
//! members' own words; where there are none, nothing is asked and the card says so plainly.

use super::{council::Council, tree::Critiques};
use crate::{
    domain::{
        Assessment, CallPlan, Consolidated, ContextNote, ModelName, Philosopher, SectionId, Skipped, StepKey,
        Tree,
    },
    prompt::{
        self,
        critique::Reading,
        reply::critique::{AssessmentReply, unworded},
    },
    render,
    steps::{Answered, Question, Stop, Try},
};

/// The step in which it is kept.
pub(super) const ASSESSMENT: &str = "assessment";

/// The assessment, and the model that stood in for the assessor's if one did.
pub(super) async fn write(
    council: &Council<'_>,
    critiques: &Critiques,
    consolidated: Consolidated,
    notes: &[ContextNote],
) -> Result<(Assessment, Option<ModelName>), Stop> {
    let Council { steps, brief, .. } = *council;
    // Kept first, so that a retry of what came after asks nobody again.
    if let (Some(kept), Some(stand_in)) =
        (steps.kept(ASSESSMENT).await?, steps.kept::<Option<ModelName>>("assess/course").await?)
    {
        return Ok((kept, stand_in));
    }
    let unread = unread(council, &critiques.trees);
    // What was not read after all is told like what was not to be read.
    let read = CallPlan { unread: unread.clone(), ..council.plan().clone() };
    let skipped = skipped(&unread, &critiques.trees);
    let missing: Vec<Philosopher> = critiques.missing.iter().map(|(member, _)| *member).collect();
    let (worded, stand_in) = if consolidated.findings.is_empty() {
        // Nothing is to be worded: the card says what was read, and that nothing was found.
        (Assessment { text: String::new(), ..unworded(&consolidated) }, None)
    } else {
        let question = Question {
            key: StepKey::from(ASSESSMENT).child("worded"),
            who: "Assessor".to_owned(),
            prompt: prompt::critique::assessment(
                steps.prompts(),
                Reading { plan: &read, ..council.reading() },
                &consolidated,
                &missing,
                notes,
            ),
        };
        let written = steps.ask_seat(
            &brief.assessor,
            question,
            |reply, attempt| {
                let said = prompt::parse::<AssessmentReply>(&reply.text)?.value;
                said.into_assessment(&consolidated, &reply.answered, attempt == Try::First)
            },
            |_, _, _| Vec::new(),
        );
        match written.await? {
            Ok(Answered { value, stand_in }) => (value, stand_in),
            Err(_) => (unworded(&consolidated), None),
        }
    };
    let stand_in = steps.keep("assess/course", &stand_in, Vec::new()).await?;
    let assessment = Assessment { unread, missing, skipped, ..worded };
    let (key, document) = (StepKey::from(ASSESSMENT), &brief.document);
    let cards =
        render::critique::assessment_cards(steps.session(), &key, &assessment, document, council.sections());
    Ok((steps.keep(key, &assessment, cards).await?, stand_in))
}

/// What nobody read: what the plan leaves out, and sections at which every member's call failed.
fn unread(council: &Council<'_>, trees: &[Tree]) -> Vec<SectionId> {
    let plan = council.plan();
    let failed = |section: &&SectionId| trees.iter().all(|tree| tree.failed.contains(section));
    let mut unread = plan.unread.clone();
    unread.extend(plan.read.iter().filter(failed));
    unread.sort();
    unread
}

/// What single members did not read though others did.
fn skipped(unread: &[SectionId], trees: &[Tree]) -> Vec<Skipped> {
    let skips = |tree: &Tree| {
        let sections: Vec<SectionId> =
            tree.failed.iter().copied().filter(|section| !unread.contains(section)).collect();
        (!sections.is_empty()).then_some(Skipped { member: tree.member, sections })
    };
    trees.iter().filter_map(skips).collect()
}
