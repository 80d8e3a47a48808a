//! Forms of a vote.

use domain::{CustomId, Does, Draft, Modal, SessionId, TextInput, Vote};

/// A box in which points are typed, a solution a line (`points`). It holds the draft; sending it carries the draft
/// too, so that nothing is lost if what was typed cannot be used.
#[must_use]
pub fn typed_form(session: &SessionId, vote: &Vote, draft: &Draft) -> Modal {
    let line = |(place, solution): (usize, &domain::Solution)| {
        format!("{} {}", solution.id, draft.points.get(place).copied().unwrap_or_default())
    };
    let lines: Vec<String> = vote.solutions.iter().enumerate().map(line).collect();
    Modal {
        id: CustomId::new(session, Does::SpreadTyped(draft.clone())),
        title: "Spread 10 points".to_owned(),
        inputs: vec![
            TextInput {
                id: "points".to_owned(),
                label: "Points, 10 in all, one solution a line".to_owned(),
                placeholder: "S1 3".to_owned(),
                value: lines.join("\n"),
                paragraph: true,
                required: true,
                max: 400,
            }
            .into(),
        ],
    }
}

/// A solution of a member's own: `title` and `description`.
#[must_use]
pub fn propose_form(session: &SessionId) -> Modal {
    let input = |id: &str, label: &str, placeholder: &str, max: u16| TextInput {
        id: id.to_owned(),
        label: label.to_owned(),
        placeholder: placeholder.to_owned(),
        value: String::new(),
        paragraph: max > 100,
        required: max <= 100,
        max,
    };
    Modal {
        id: CustomId::new(session, Does::ProposeSent),
        title: "Propose a solution".to_owned(),
        inputs: vec![
            input("title", "Your solution in a few words", "Lease two vans instead of buying them", 100)
                .into(),
            input(
                "description",
                "What, how and why (optional)",
                "Everyone can vote for it. The experts do not score it.",
                1_000,
            )
            .into(),
        ],
    }
}
