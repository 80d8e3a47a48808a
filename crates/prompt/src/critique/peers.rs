//! The request for a self-critique: a member's own tree, and the others' under letters.

use minijinja::{Value, context};
use serde_json::json;

use super::{
    DocumentPlan, MAX_SELF_CRITIQUE_TOKENS, MEMBER,
    anonymous::Anonymous,
    material::{beside, material},
    member_file,
    tree::{Teller, TreeText},
};
use crate::{
    Prompts, RULES, fence,
    length::Length,
    quote::notes_text,
    reply::{critique::SelfCritiqueReply, label},
    schema,
};
use domain::{ContextNote, Look, Prompt, Schema, Tree};

/// Stands before the numbers of one's own claims: Y for yours, and no letter that a peer could have.
pub(crate) const OWN: &str = "Y";

/// Most labels that a schema lists; longer ones are checked by code only.
const MAX_LISTED: usize = 150;

/// The letter of the k-th peer in the reader's order.
pub(crate) fn peer_letter(place: usize) -> String {
    label(place)
}

/// A member reads its own tree and the others', in `order` under letters. The reply is a
/// [`SelfCritiqueReply`](crate::reply::critique::SelfCritiqueReply).
#[must_use]
pub fn self_critique(
    prompts: &Prompts,
    reading: DocumentPlan<'_>,
    look: Look,
    own: &Tree,
    order: &[&Tree],
    notes: &[ContextNote],
) -> Prompt {
    let names = Anonymous::new(&reading.brief.document.text);
    let letters: Vec<String> = (0..order.len()).map(peer_letter).collect();
    let trees: Vec<(&str, &Tree)> = [(OWN, own)]
        .into_iter()
        .chain(letters.iter().map(String::as_str).zip(order.iter().copied()))
        .collect();
    // One's own tree is told without names too: it is the same for whoever compares.
    let teller = Teller { anonymous: Some(&names), sections: reading.sections.len() > 1, sure_of: Some(OWN) };
    let mut told = teller.within(reading.brief.room(), &trees);
    let length = told.iter().map(TreeText::length).sum();
    let schema = schema(&told);
    let others = told.split_off(1);
    let peers: Vec<Value> = letters
        .iter()
        .zip(&others)
        .map(|(letter, told)| context! { label => letter, text => fence("claims", &told.text()) })
        .collect();
    let persona = member_file(own.member);
    let values = context! {
        own => told.first().map(|told| fence("own", &told.text())),
        peers,
        again => look == Look::Second,
        example => told.first().and_then(|told| told.labels.first()),
        notes => notes_text(notes),
        persona => prompts.member(&persona),
    };
    let files = [RULES, "critique/material.md", "critique/self_critique.md", &persona];
    let shared = material(reading, beside(reading, length));
    let prompt = prompts.request(
        &files,
        (&shared, &values),
        schema,
        Length::growing(reading.brief.effort, MAX_SELF_CRITIQUE_TOKENS),
    );
    Prompt { temperature: Some(MEMBER), ..prompt }
}

/// The schema with the labels there are, one's own first, so that no other can be named.
fn schema(told: &[TreeText]) -> Schema {
    let mut schema = schema::strict::<SelfCritiqueReply>("self_critique");
    let labels =
        |told: &[TreeText]| -> Vec<String> { told.iter().flat_map(|told| told.labels.clone()).collect() };
    let (mine, others) = told.split_at(1.min(told.len()));
    let (mine, others) = (labels(mine), labels(others));
    if mine.is_empty() {
        schema::set(&mut schema, "/properties/adjustments", "maxItems", json!(0));
    }
    if mine.is_empty() || others.is_empty() {
        schema::set(&mut schema, "/properties/contradictions", "maxItems", json!(0));
        schema::set(&mut schema, "/properties/same_as", "maxItems", json!(0));
    }
    for (path, labels) in [
        ("/properties/adjustments/items/properties/claim", &mine),
        ("/properties/same_as/items/properties/own", &mine),
        ("/properties/same_as/items/properties/other", &others),
        ("/properties/contradictions/items/properties/own", &mine),
        ("/properties/contradictions/items/properties/other", &others),
    ] {
        if (1..=MAX_LISTED).contains(&labels.len()) {
            schema::set(&mut schema, path, "enum", json!(labels));
        }
    }
    schema
}
