//! What all confirmations show alike: their buttons, and what became of them. Each has a card of its own, and a form
//! where it can be edited.

use std::collections::BTreeMap;

use super::{card, debate, estimate, investigate, markdown, roundtable, text};
use domain::{
    Action, Brief, ButtonStyle, Color, Confirmation, CustomId, Does, Modal, Opens, Post, Row, SessionId,
    Standing, WaitKind, WaitOutcome,
};

/// The card of a confirmation.
#[must_use]
pub fn card(
    session: &SessionId,
    confirmation: &Confirmation,
    brief: &Brief,
    standing: &Standing,
) -> Option<Post> {
    match (confirmation, brief) {
        (Confirmation::Roles(proposal), _) => Some(roundtable::proposal(session, proposal, standing)),
        (Confirmation::Proposition(proposition), Brief::Debate(brief)) => {
            Some(debate::proposition(session, proposition, brief.preset, standing))
        }
        (Confirmation::Proposition(_), _) => None,
        (Confirmation::Team(asked), _) => Some(investigate::team_card(session, asked, standing)),
        (Confirmation::Estimate(takes), _) => Some(estimate::estimate(session, brief, takes, standing)),
    }
}

/// The form in which it is edited, if it can be.
#[must_use]
pub fn form(session: &SessionId, confirmation: &Confirmation) -> Option<Modal> {
    match confirmation {
        Confirmation::Roles(proposal) => Some(roundtable::roles_form(session, proposal)),
        Confirmation::Proposition(proposition) => Some(debate::proposition_form(session, proposition)),
        Confirmation::Team(asked) => Some(investigate::team_form(session, asked)),
        Confirmation::Estimate(_) => None,
    }
}

/// The form for what of it has no room in the first form, if there is one.
#[must_use]
pub fn table_form(session: &SessionId, confirmation: &Confirmation) -> Option<Modal> {
    match confirmation {
        Confirmation::Roles(proposal) => Some(roundtable::table_form(session, proposal)),
        Confirmation::Proposition(_) | Confirmation::Estimate(_) | Confirmation::Team(_) => None,
    }
}

/// A refusal of an edit. A form is gone once it is sent, so this gives back what was in it and opens it again.
#[must_use]
pub fn refused(
    session: &SessionId,
    kind: WaitKind,
    refusal: Post,
    written: &BTreeMap<String, String>,
) -> Post {
    match kind {
        WaitKind::Roles => roundtable::roles_refused(session, refusal, written),
        WaitKind::Proposition => debate::proposition_refused(session, refusal, written),
        WaitKind::Team => investigate::team_refused(session, refusal, written),
        WaitKind::Estimate => refusal,
    }
}

/// The buttons by which it is edited, confirmed and cancelled. `revision`, the edit that the card shows, rides in the one
/// that confirms it, so that nobody confirms what they have not read; without one it cannot be confirmed.
pub(super) fn buttons(session: &SessionId, kind: WaitKind, revision: Option<i64>) -> Row {
    let (edit, go, cancel): (Option<Action>, Option<Action>, Does) = match kind {
        WaitKind::Roles => (
            Some(Opens::RolesEdit.into()),
            revision.map(|read| Does::RolesGo(read).into()),
            Does::RolesCancel,
        ),
        WaitKind::Proposition => (
            Some(Opens::PropositionEdit.into()),
            revision.map(|read| Does::PropositionStart(read).into()),
            Does::PropositionCancel,
        ),
        WaitKind::Team => {
            (Some(Opens::TeamAnswer.into()), revision.map(|read| Does::TeamGo(read).into()), Does::TeamCancel)
        }
        WaitKind::Estimate => {
            let smaller = revision.map(|read| Does::EstimateSmaller(read).into());
            (smaller, revision.map(|read| Does::EstimateGo(read).into()), Does::EstimateCancel)
        }
    };
    let of = |action, label, emoji, style| card::button(CustomId::new(session, action), label, emoji, style);
    let terms = kind.terms();
    let edit = edit.zip(terms.edit.as_ref());
    let sign = if kind == WaitKind::Estimate { "➖" } else { "✏️" };
    let edit = edit.map(|(action, editing)| of(action, editing.button, sign, ButtonStyle::Secondary));
    let go = go.map(|action| of(action, terms.button, "▶️", ButtonStyle::Success));
    let cancel = of(cancel.into(), "Cancel", "🛑", ButtonStyle::Danger);
    let more = match kind {
        WaitKind::Roles => Some((Opens::TableEdit, "Edit question and table", "🪑")),
        WaitKind::Estimate => Some((Opens::EstimateOptions, "Options", "⚙️")),
        WaitKind::Proposition | WaitKind::Team => None,
    };
    let more = more.map(|(form, label, emoji)| of(form.into(), label, emoji, ButtonStyle::Secondary));
    Row::Buttons(edit.into_iter().chain(more).chain(go).chain([cancel]).collect())
}

/// Colour and sentence of one that cannot be confirmed any more; nothing while it can be.
pub(super) fn closed(kind: WaitKind, outcome: &WaitOutcome) -> Option<(Color, String)> {
    let terms = kind.terms();
    let why = match outcome {
        WaitOutcome::Open => return None,
        WaitOutcome::Answered(by) => {
            return Some((Color::Good, format!("✅ {} by {}.", terms.confirmed, text::label(by, 100))));
        }
        WaitOutcome::Expired => {
            format!("Nobody pressed {} within a day, so the session was ended.", terms.button)
        }
        WaitOutcome::Ended => format!("The session ended before anybody pressed {}.", terms.button),
    };
    Some((Color::Neutral, format!("⛔ {}", markdown::inline(&why, 300))))
}
