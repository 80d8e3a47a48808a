//! The assessment: code has put the findings together, one call words them. Where no model can, they stand in the
//! members' own words; where there are none, nothing is asked and the card says so plainly.

use super::{council::Council, tree::Critiques};
use crate::{
    prompt::{
        self,
        critique::DocumentPlan,
        reply::critique::{AssessmentReply, unworded},
    },
    render,
    steps::{Answered, Question, Stop, Try},
};
use domain::{
    Assessment, CallPlan, Consolidated, ContextNote, Countable, Degraded, Philosopher, Piece, SectionId,
    Skipped, StepKey, Tree,
};

/// The step in which it is kept.
pub(super) const ASSESSMENT: &str = "assessment";

/// The assessment. Once kept, a retry of what came after asks nobody again.
pub(super) async fn write(
    council: &Council<'_>,
    critiques: &Critiques,
    consolidated: Consolidated,
    notes: &[ContextNote],
) -> Result<Assessment, Stop> {
    let Council { steps, brief, .. } = *council;
    let key = StepKey::from(ASSESSMENT);
    let assessment = if let Some(kept) = steps.kept::<Assessment>(key.clone()).await? {
        kept
    } else {
        let unread = unread(council, &critiques.trees);
        let skipped = skipped(&unread, &critiques.trees);
        let missing: Vec<Philosopher> = critiques.missing.iter().map(|(member, _)| *member).collect();
        // What was not read after all is told like what was not to be read.
        let read = CallPlan { unread: unread.clone(), ..council.plan().clone() };
        let reading = DocumentPlan { plan: &read, ..council.document_plan() };
        let worded = word(council, reading, &consolidated, &missing, notes).await?;
        let assessment = Assessment { unread, missing, skipped, ..worded };
        let (document, sections) = (&brief.document, council.sections());
        let cards =
            render::critique::assessment_cards(steps.session(), &key, &assessment, document, sections);
        steps.keep(key.clone(), &assessment, cards).await?
    };
    steps.note_degraded(key, degraded(council.plan(), &assessment)).await?;
    Ok(assessment)
}

/// Has the findings put into words, where there are any; the members' own words where no model can.
async fn word(
    council: &Council<'_>,
    reading: DocumentPlan<'_>,
    consolidated: &Consolidated,
    missing: &[Philosopher],
    notes: &[ContextNote],
) -> Result<Assessment, Stop> {
    let Council { steps, brief, .. } = *council;
    if consolidated.findings.is_empty() {
        // The card says what was read, and that nothing was found.
        return Ok(Assessment { text: String::new(), ..unworded(consolidated) });
    }
    let key = StepKey::from(ASSESSMENT).child("worded");
    let question = Question {
        key: key.clone(),
        who: "Assessor".to_owned(),
        prompt: prompt::critique::assessment(steps.prompts(), reading, consolidated, missing, notes),
    };
    let written = steps.ask_seat(
        &brief.assessor,
        question,
        |reply, attempt| {
            let said = prompt::parse::<AssessmentReply>(&reply.text)?;
            said.into_assessment(consolidated, &reply.answered, attempt == Try::First)
        },
        |_, _, _| Vec::new(),
    );
    let Ok(Answered { value, stand_in }) = written.await? else { return Ok(unworded(consolidated)) };
    steps.note_degraded(key, Piece::Assessment.stood_in(stand_in.as_ref())).await?;
    Ok(value)
}

/// What is to be said of the assessment and of what it rests on.
fn degraded(plan: &CallPlan, assessment: &Assessment) -> Vec<Degraded> {
    let nobody: Vec<SectionId> =
        assessment.unread.iter().copied().filter(|section| plan.read.contains(section)).collect();
    let unreadable = (!nobody.is_empty()).then_some(Degraded::Unreadable(nobody));
    let skipped = assessment.skipped.iter().map(|Skipped { member, sections }| Degraded::Skipped {
        member: *member,
        sections: sections.clone(),
    });
    let unworded = assessment.answered_by.is_none() && !assessment.no_findings();
    let unworded = unworded.then(|| Piece::Assessment.missing(None));
    let sentences = Countable::MarkedSentences.counted(assessment.marked);
    unreadable.into_iter().chain(skipped).chain(unworded).chain(sentences).collect()
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
