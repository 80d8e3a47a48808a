//! Forms of a debate, and what is given back of one that could not be taken.

use std::collections::BTreeMap;

use super::super::{decision, text};
use domain::{
    Addressee, CustomId, Does, Input, MAX_PROPOSITION_CHARS, Modal, Opens, Post, Proposition, SessionId,
    Side, TextInput,
};

/// Longest text that a box of the proposition takes. More than it may have, so that one too long gets a sentence
/// about it rather than being cut by Discord.
const BOX: u16 = 4_000;

/// The boxes of the proposition's form and what they are called there.
const BOXES: [(&str, &str); 5] = [
    ("question", "A question to be for or against"),
    ("where", "Where (optional)"),
    ("when", "When (optional)"),
    ("whom", "Who is affected (optional)"),
    ("background", "Background (optional)"),
];

/// The form behind *Edit*.
#[must_use]
pub fn proposition_form(session: &SessionId, proposition: &Proposition) -> Modal {
    let context = &proposition.context;
    let filled = [
        (proposition.question.clone(), "Should we move to a four-day week?"),
        (context.geography.clone(), "Austria; our two offices"),
        (context.timeframe.clone(), "From next spring, for a year"),
        (context.stakeholders.join(", "), "Employees, customers, owners"),
        (context.background.clone(), "What you need to know to argue either side"),
    ];
    let inputs = BOXES.iter().zip(filled).map(|((id, label), (value, placeholder))| {
        let question = *id == "question";
        let long = question || *id == "background";
        let value = if long { text::clean(&value) } else { text::clean_line(&value) };
        TextInput {
            value: value.chars().take(usize::from(BOX)).collect(),
            required: question,
            ..input(id, label, placeholder, BOX, long)
        }
    });
    Modal {
        id: CustomId::new(session, Does::PropositionSent),
        title: format!("The proposition, up to {MAX_PROPOSITION_CHARS} characters"),
        inputs: inputs.map(Input::Text).collect(),
    }
}

/// A refusal of an edit that gives back what was written, by the names of the form's boxes.
#[must_use]
pub fn proposition_refused(session: &SessionId, refusal: Post, written: &BTreeMap<String, String>) -> Post {
    let named = BOXES.iter().filter_map(|(id, label)| Some((*label, written.get(*id)?.as_str())));
    let boxes: Vec<(&str, &str)> = named.collect();
    decision::give_back_whole(refusal, &boxes, CustomId::new(session, Opens::PropositionEdit))
}

/// The form behind *Add evidence* (`None`), or *Bring evidence on this* for a hinge, from 1.
#[must_use]
pub fn evidence_form(session: &SessionId, hinge: Option<u8>) -> Modal {
    let (id, title) = match hinge {
        None => (CustomId::new(session, Does::EvidenceSent), "Add evidence".to_owned()),
        Some(number) => {
            (CustomId::new(session, Does::HingeSent(number)), format!("Evidence on open question {number}"))
        }
    };
    let claim =
        input("claim", "What is so?", "A fact, a number, what happened; in a sentence or more", 1_000, true);
    let source = input("source", "Where from (optional)", "A link, a report, who saw it", 300, false);
    Modal { id, title, inputs: vec![TextInput { required: true, ..claim }.into(), source.into()] }
}

/// The form behind *Clarify*.
#[must_use]
pub fn clarify_form(session: &SessionId) -> Modal {
    let label = "What should be made clear?";
    let placeholder = "A word, a number, what is meant. The moderator answers before the next phase.";
    Modal {
        id: CustomId::new(session, Does::ClarifySent),
        title: "Clarify".to_owned(),
        inputs: vec![TextInput { required: true, ..input("text", label, placeholder, 500, true) }.into()],
    }
}

/// The form behind *Ask Pro*, *Ask Con* and *Ask Moderator*.
#[must_use]
pub fn question_form(session: &SessionId, to: Addressee) -> Modal {
    let (whom, placeholder) = match to {
        Addressee::Advocate(Side::Pro) => {
            ("Pro", "Pro answers in its role, from what was said in this debate.")
        }
        Addressee::Advocate(Side::Con) => {
            ("Con", "Con answers in its role, from what was said in this debate.")
        }
        Addressee::Moderator => {
            ("the moderator", "What both sides hold, what the answer depends on. It takes no side.")
        }
    };
    let id = CustomId::new(session, Does::QuestionSent(to));
    let asked = input("text", "Your question", placeholder, 1_500, true);
    Modal { id, title: format!("Ask {whom}"), inputs: vec![TextInput { required: true, ..asked }.into()] }
}

/// An empty box that may stay so.
fn input(id: &str, label: &str, placeholder: &str, max: u16, paragraph: bool) -> TextInput {
    TextInput {
        id: id.to_owned(),
        label: label.to_owned(),
        placeholder: placeholder.to_owned(),
        value: String::new(),
        paragraph,
        required: false,
        max,
    }
}
