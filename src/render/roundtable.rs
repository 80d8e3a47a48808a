//! The roundtable's cards: the proposed roles, with buttons until they are confirmed.

use super::{card, markdown, text};
use crate::domain::{ButtonStyle, Color, CustomId, Embed, Modal, Post, Proposal, Row, SessionId, TextInput};

/// The proposal, to be confirmed.
#[must_use]
pub fn proposal(session: &SessionId, proposal: &Proposal) -> Post {
    let buttons = Row::Buttons(vec![
        card::button(CustomId::new(session, "roles_go"), "Go", "✅", ButtonStyle::Success),
        card::button(CustomId::new(session, "roles_edit"), "Edit roles", "✏️", ButtonStyle::Secondary),
        card::button(CustomId::new(session, "roles_cancel"), "Cancel", "⏹️", ButtonStyle::Danger),
    ]);
    Post { rows: vec![buttons], ..shown(proposal, Color::Active, "Press **Go** when the roles are right.") }
}

/// The proposal as somebody confirmed it.
#[must_use]
pub fn proposal_confirmed(_session: &SessionId, proposal: &Proposal, by: &str) -> Post {
    shown(proposal, Color::Good, &format!("✅ Confirmed by {}.", text::label(by, 100)))
}

/// A proposal that nobody confirmed; the sentence says why nobody can any more.
#[must_use]
pub fn proposal_ended(_session: &SessionId, proposal: &Proposal, why: &str) -> Post {
    shown(proposal, Color::Neutral, &format!("⏹️ {}", markdown::short(why, 300)))
}

/// The form behind *Edit roles*: two boxes for each expert.
#[must_use]
pub fn roles_form(session: &SessionId, proposal: &Proposal) -> Modal {
    let input = |role: &crate::domain::Role, what: &str, value: &str| TextInput {
        id: format!("{what}-{}", role.id.0),
        label: format!("Expert {}: {what}", role.id.0),
        placeholder: String::new(),
        value: value.to_owned(),
        paragraph: true,
        required: true,
        max: 4_000,
    };
    let inputs = proposal
        .roles
        .iter()
        .flat_map(|role| [input(role, "name", &role.name), input(role, "mission", &role.mission)]);
    Modal {
        id: CustomId::new(session, "roles_sent"),
        title: "Edit roles".to_owned(),
        inputs: inputs.collect(),
    }
}

fn shown(proposal: &Proposal, color: Color, below: &str) -> Post {
    let fields = proposal.roles.iter().map(|role| {
        card::field(
            text::label(&role.name, card::NAME_ROOM),
            markdown::inline(&role.mission, card::FIELD_ROOM),
        )
    });
    card::post(Embed {
        title: "Proposed roles".to_owned(),
        description: format!("{}\n\n{below}", markdown::short(&proposal.restated, 1_500)),
        color,
        fields: fields.collect(),
        ..Embed::default()
    })
}
