//! What a roundtable asks before its experts sit down: who should look at the problem. From there on it is a table as any
//! other ([`crate::table::Table`]).

use minijinja::context;
use serde_json::json;

use super::{
    Prompts, RULES, fence,
    followup::Part,
    length::Length,
    quote::{notes_text, plain_name},
    reply::GatekeeperReply,
    schema,
};
use domain::{ContextNote, Prompt, Proposal, RoundtableBrief};

/// Most tokens of the gatekeeper's reply: a restatement, what is open and five roles are some 800.
pub const MAX_GATEKEEPER_TOKENS: u32 = 1_300;

/// Before anybody speaks. The reply is a [`GatekeeperReply`].
#[must_use]
pub fn gatekeeper(prompts: &Prompts, brief: &RoundtableBrief, notes: &[ContextNote]) -> Prompt {
    let experts = brief.experts.len();
    let mut schema = schema::strict::<GatekeeperReply>("gatekeeper_proposal");
    schema::set(&mut schema, "/properties/roles", "minItems", json!(experts));
    schema::set(&mut schema, "/properties/roles", "maxItems", json!(experts));
    let material = context! {
        problem => fence("problem", brief.problem.as_str()),
        document => brief.document.as_ref().map(|document| fence("document", &document.text)),
        document_name => brief.document.as_ref().map(|document| plain_name(&document.name)),
        language => brief.language,
    };
    let values =
        context! { experts, notes => notes_text(notes), language => brief.language, today => brief.today };
    let files = [RULES, "roundtable/material.md", "roundtable/gatekeeper.md"];
    prompts.request(&files, (&material, &values), schema, Length::fixed(brief.effort, MAX_GATEKEEPER_TOKENS))
}

/// What a question about a roundtable is told of who sits there; the rest is the table's.
#[must_use]
pub fn proposed(proposal: &Proposal) -> Part {
    let mut lines = vec![proposal.restated.clone()];
    if !proposal.dimensions.is_empty() {
        lines.push(format!("It hangs on: {}", proposal.dimensions.join("; ")));
    }
    if !proposal.open.is_empty() {
        lines.push(format!("The team was asked, and need not have said: {}", proposal.open.join("; ")));
    }
    for role in &proposal.roles {
        lines.push(format!("{}: {}", role.name, role.mission));
    }
    Part::new("proposal", fence("proposal", &lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        sample::{self as samples, roundtable as sample},
        schema::violations,
    };

    #[test]
    fn the_gatekeeper_is_asked_for_the_question_and_so_many_experts() {
        let brief = RoundtableBrief {
            document: Some(samples::survey()),
            language: Some("German".into()),
            ..sample::brief(3)
        };
        let prompt = gatekeeper(&Prompts::embedded(), &brief, &samples::notes());
        let most = format!("at most {} tokens", prompt.max_tokens);
        insta::assert_snapshot!(
            "gatekeeper",
            format!("=== shared\n{}\n=== task\n{}\n=== {most}", prompt.shared, prompt.task)
        );
        let schema = prompt.schema.unwrap();
        assert_eq!(violations(&schema.json, &schema.name), Vec::<String>::new());
        let roles = &schema.json["properties"]["roles"];
        assert_eq!((&roles["minItems"], &roles["maxItems"]), (&json!(3), &json!(3)));
        let fields = schema.json["properties"].as_object().unwrap().keys();
        // Each field is explained in the task, in the same order.
        let places: Vec<_> = fields.map(|field| prompt.task.find(&format!("\n- {field}:"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    }
}
