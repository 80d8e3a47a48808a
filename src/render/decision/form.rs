//! The forms, and what is said when one could not be taken.

use super::{
    super::{card, limits, text},
    verdict,
};
use crate::domain::{
    Button, ButtonStyle, CustomId, Decision, Does, File, FileBody, MAX_DISSENT, MAX_OUTCOME, MAX_OWNER,
    MAX_RATIONALE, Modal, Post, Row, SessionId, TextInput, Verdict, Vote, leading, numbers,
};

/// Room for all that is given back of a form; more than its boxes take, and little enough for one message.
const GIVEN_BACK: usize = 3_400;

/// Longest text of a box, and of all, that is certain to be given back whole in a card, in characters.
const SHOWN: usize = 800;
const ALL_SHOWN: usize = 2_400;

/// The form that records a decision; the team's leading solution is filled in.
#[must_use]
pub fn form(session: &SessionId, vote: &Vote) -> Modal {
    let input = |id: &str, label: String, placeholder: &str, max: usize| TextInput {
        id: id.to_owned(),
        label,
        placeholder: placeholder.to_owned(),
        value: String::new(),
        paragraph: false,
        required: false,
        max: u16::try_from(max).unwrap_or(u16::MAX),
    };
    let chosen = TextInput {
        value: leading(vote).map(|solution| solution.to_string()).unwrap_or_default(),
        required: true,
        ..input(
            "chosen",
            format!("Chosen solution ({})", numbers(vote)),
            "Its number or its exact title",
            300,
        )
    };
    let why = TextInput {
        paragraph: true,
        required: true,
        ..input("why", "Why".to_owned(), "What decided it, in a sentence or more", MAX_RATIONALE)
    };
    let dissent = TextInput {
        paragraph: true,
        ..input(
            "dissent",
            "Who disagrees and why (optional)".to_owned(),
            "Their words, if you can",
            MAX_DISSENT,
        )
    };
    Modal {
        id: CustomId::new(session, Does::DecideSent),
        title: "Record decision".to_owned(),
        inputs: vec![
            chosen,
            why,
            input("owner", "Who sees to it (optional)".to_owned(), "Names, or a mention", MAX_OWNER),
            input("review", "Review on (optional)".to_owned(), "1 March, 2027-03-01, or: in 3 weeks", 40),
            dissent,
        ],
    }
}

/// The form that records a decision on what was debated. Nothing is filled in: it is not for the bot to lean.
#[must_use]
pub fn sides_form(session: &SessionId, vote: &Vote) -> Modal {
    let mut modal = form(session, vote);
    if let Some(chosen) = modal.inputs.first_mut() {
        "Chosen: S1 (yes), S2 (no) or own words".clone_into(&mut chosen.label);
        "S1, S2, or what you decided instead".clone_into(&mut chosen.placeholder);
        chosen.value.clear();
    }
    modal
}

/// The form that says how a decision turned out.
#[must_use]
pub fn outcome_form(session: &SessionId, decision: &Decision, of: Verdict) -> Modal {
    let (_, word) = verdict(of);
    Modal {
        id: CustomId::new(session, Does::OutcomeSent((decision.number, of))),
        title: format!("Decision {} · {word}", decision.number),
        inputs: vec![TextInput {
            id: "text".to_owned(),
            label: "What happened, in a sentence".to_owned(),
            placeholder: "How you can tell, and what you would do differently".to_owned(),
            value: String::new(),
            paragraph: true,
            required: true,
            max: u16::try_from(MAX_OUTCOME).unwrap_or(u16::MAX),
        }],
    }
}

/// A refusal that gives back what was written, for Discord closes a form when it is sent: each box under its name,
/// to be copied, and a button that opens the form again.
#[must_use]
pub fn give_back(refusal: Post, boxes: &[(&str, &str)], again: CustomId) -> Post {
    let mut post = refusal;
    let mut room = GIVEN_BACK;
    let mut fields = Vec::new();
    for (name, text) in boxes.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let text = text::clean(text).replace('\t', "    ");
        let text = text::defuse(&text::no_fence(&text));
        let text = text::cut(text.trim(), room.min(card::FIELD_ROOM - 8));
        room -= text::length(&text);
        fields.push(card::field(format!("You wrote · {name}"), format!("```\n{text}\n```")));
    }
    if let Some(embed) = post.embeds.first_mut() {
        embed.fields.extend(fields);
    }
    post.rows = vec![Row::Buttons(vec![Button {
        id: again,
        label: "Open the form again".to_owned(),
        style: ButtonStyle::Primary,
        emoji: None,
        disabled: false,
    }])];
    limits::fit(post).into_iter().next().unwrap_or_default()
}

/// As [`give_back`], for forms whose boxes take more than a card shows: what is too long comes as a file too.
#[must_use]
pub fn give_back_whole(refusal: Post, boxes: &[(&str, &str)], again: CustomId) -> Post {
    let mut post = give_back(refusal, boxes, again);
    let lengths = || boxes.iter().map(|(_, text)| text.chars().count());
    if lengths().any(|long| long > SHOWN) || lengths().sum::<usize>() > ALL_SHOWN {
        let whole: Vec<String> = boxes.iter().map(|(name, text)| format!("{name}\n{text}")).collect();
        post.files.push(File {
            name: "what-you-wrote.txt".to_owned(),
            alt: String::new(),
            body: FileBody::Text(whole.join("\n\n")),
        });
    }
    post
}
