//! What did not go as planned, in sentences for the last line.

use super::{council::Council, self_critique::Looked, tree::Critiques};
use crate::domain::{Assessment, Basis, ExpertPoints, ModelName, SectionId, Skipped, enumerated};

/// How a critique went.
pub(super) struct Course<'a> {
    pub(super) council: &'a Council<'a>,
    pub(super) critiques: &'a Critiques,
    pub(super) looked: &'a Looked,
    pub(super) assessment: &'a Assessment,
    pub(super) assessor_stand_in: Option<ModelName>,
    pub(super) points: &'a [ExpertPoints],
}

/// One sentence for each thing that was degraded; empty if nothing was.
pub(super) fn degraded(course: &Course<'_>) -> Vec<String> {
    let mut sentences = of_plan(course);
    sentences.extend(of_trees(course));
    sentences.extend(of_self_critiques(course));
    sentences.extend(of_assessment(course));
    sentences.extend(of_points(course.points));
    sentences
}

/// Less than was asked for.
fn of_plan(course: &Course<'_>) -> Vec<String> {
    let plan = course.council.plan();
    let mut sentences = Vec::new();
    let (depth, wanted) = (plan.depth.levels(), plan.wanted.levels());
    if depth < wanted {
        sentences.push(format!(
            "The trees may grow to depth {depth} and not to {wanted}, because the session's budget does not suffice for more."
        ));
    }
    if !plan.unread.is_empty() {
        sentences.push(format!(
            "{} {} not read, because the session's budget does not suffice: {}.",
            counted(plan.unread.len(), "section", "sections"),
            were(plan.unread.len()),
            enumerated(&plan.unread)
        ));
    }
    sentences
}

fn of_trees(course: &Course<'_>) -> Vec<String> {
    let Course { critiques, assessment, .. } = course;
    let mut sentences: Vec<String> = (critiques.missing.iter())
        .map(|(member, why)| format!("{member} could not read and is missing: {why}."))
        .collect();
    sentences.extend(
        critiques
            .stand_ins
            .iter()
            .map(|(member, model)| format!("{model} stood in for {member}'s own model, which failed.")),
    );
    let read = &course.council.plan().read;
    let nobody: Vec<SectionId> =
        assessment.unread.iter().copied().filter(|section| read.contains(section)).collect();
    if !nobody.is_empty() {
        sentences.push(format!(
            "{} could be read by nobody, because every call for {} failed: {}.",
            counted(nobody.len(), "section", "sections"),
            if nobody.len() == 1 { "it" } else { "them" },
            enumerated(&nobody)
        ));
    }
    sentences.extend(assessment.skipped.iter().map(|Skipped { member, sections }| {
        let count = counted(sections.len(), "section", "sections");
        format!("{member} could not read {count}: {}.", enumerated(sections))
    }));
    let branches: u32 = critiques.trees.iter().map(|tree| tree.failed_branches).sum();
    if branches > 0 {
        let them = if branches == 1 { "its call" } else { "their calls" };
        sentences.push(format!(
            "{} {} not looked into, because {them} failed.",
            counted(branches as usize, "branch", "branches"),
            were(branches as usize)
        ));
    }
    if critiques.given_up > 0 {
        sentences.push(format!(
            "{} {} not looked into, because answers that had to be asked for again used up the calls for it.",
            counted(critiques.given_up as usize, "branch", "branches"),
            were(critiques.given_up as usize)
        ));
    }
    sentences
}

fn of_self_critiques(course: &Course<'_>) -> Vec<String> {
    let looked = course.looked;
    let mut sentences: Vec<String> =
        looked.missing.iter().map(|member| format!("{member} gave no self-critique.")).collect();
    sentences.extend(looked.stand_ins.iter().map(|(member, model)| {
        format!("{member}'s self-critique was written by {model}, because its own model failed.")
    }));
    let dropped: u32 = looked.critiques.iter().map(|critique| critique.dropped).sum();
    if dropped > 0 {
        let named = if dropped == 1 { "it named a claim" } else { "they named claims" };
        let exist = if dropped == 1 { "does not exist or is" } else { "do not exist or are" };
        sentences.push(format!(
            "{} of the self-critiques {} left out: {named} that {exist} not the critic's own.",
            counted(dropped as usize, "remark", "remarks"),
            were(dropped as usize)
        ));
    }
    sentences
}

fn of_assessment(course: &Course<'_>) -> Vec<String> {
    let assessment = course.assessment;
    let mut sentences = Vec::new();
    if assessment.answered_by.is_none() && !assessment.no_findings() {
        sentences.push(
            "No model could word the assessment; the findings stand in the critics' own words.".to_owned(),
        );
    }
    if let Some(model) = &course.assessor_stand_in {
        sentences.push(format!(
            "The assessment was written by {model}, because the model that writes the assessment failed."
        ));
    }
    if assessment.removed > 0 {
        sentences.push(format!(
            "{} that {} personal, praise or advice {} taken out of the assessment.",
            counted(assessment.removed as usize, "sentence", "sentences"),
            were(assessment.removed as usize),
            were(assessment.removed as usize)
        ));
    }
    sentences
}

fn of_points(points: &[ExpertPoints]) -> Vec<String> {
    let sentence = |member: &ExpertPoints| match member.basis {
        Basis::Given => None,
        Basis::Scaled => Some(format!("{}'s points did not add up to 10 and were scaled.", member.title)),
        Basis::Even => Some(format!(
            "{} gave no usable points; ten were spread evenly and are not counted.",
            member.title
        )),
    };
    points.iter().filter_map(sentence).collect()
}

fn were(number: usize) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

/// `1 branch`, `2 branches`.
fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
