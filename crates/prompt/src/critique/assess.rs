//! The request for claims: about a section, or about the segment that a claim points at.

use minijinja::context;
use serde_json::json;

use super::{
    Branch, DocumentPlan, MAX_SEGMENT_TOKENS, MEMBER, material::Shown, material::material, member_file,
    tree::severity_and_confidence,
};
use crate::{
    Prompts, RULES, fence, length::Length, quote::notes_text, reply::critique::SegmentReply, schema,
};
use domain::{Claim, ContextNote, Document, Philosopher, Prompt};

/// A member assesses a section, or the segment that one of its claims points at. The reply is a
/// [`SegmentReply`](crate::reply::critique::SegmentReply).
#[must_use]
pub fn assess(
    prompts: &Prompts,
    reading: DocumentPlan<'_>,
    member: Philosopher,
    branch: &Branch<'_>,
    notes: &[ContextNote],
) -> Prompt {
    let last = branch.level() >= usize::from(reading.plan.depth.levels()) || reading.plan.branches == 0;
    let persona = member_file(member);
    let values = context! {
        parent => branch.parent.map(|parent| parent_value(&reading.brief.document, parent, branch)),
        number => (reading.sections.len() > 1).then_some(branch.section.0),
        most => branch.most,
        deeper => !last,
        notes => notes_text(notes),
        persona => prompts.member(&persona),
    };
    let mut schema = schema::strict::<SegmentReply>("segment_claims");
    schema::set(&mut schema, "/properties/claims", "maxItems", json!(branch.most));
    if last {
        for field in ["deeper_passage", "deeper_topic"] {
            schema::remove_in(&mut schema, "/properties/claims/items", field);
        }
    }
    if branch.parent.is_none() {
        schema::remove(&mut schema, "effect_on_claim");
    }
    let files = [RULES, "critique/material.md", "critique/assess.md", &persona];
    let shared = material(reading, Shown::Section(branch.section));
    let prompt = prompts.request(
        &files,
        (&shared, &values),
        schema,
        Length::growing(reading.brief.effort, MAX_SEGMENT_TOKENS),
    );
    Prompt { temperature: Some(MEMBER), ..prompt }
}

/// The claim that is looked into, its sub-topic and the segment.
fn parent_value(document: &Document, parent: &Claim, branch: &Branch<'_>) -> minijinja::Value {
    let topic = parent.deeper.as_ref().map_or(parent.area.as_str(), |deeper| deeper.topic.as_str());
    let claim = format!("{} ({}): {}", parent.area, severity_and_confidence(parent), parent.claim);
    context! {
        claim => fence("claim", &claim),
        topic => fence("topic", topic),
        segment => fence("segment", document.part(branch.segment)),
    }
}
