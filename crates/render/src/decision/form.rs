//! The form that records a decision, and the one that says how it turned out.

use super::{super::text, verdict};
use domain::{
    ChoiceInput, CustomId, Decision, Does, IN_OWN_WORDS, MAX_DISSENT, MAX_OUTCOME, MAX_RATIONALE,
    MemberInput, Modal, OWN_WORDS, SelectOption, SessionId, Tally, TextInput, Verdict, Vote, last_day_named,
    leading,
};

/// Most solutions that the list has room for beside the last option.
const LISTED: usize = 24;

/// Room for a line of an option, in characters.
const OPTION: usize = 100;

/// The form that records a decision; the team's leading solution is chosen already, and the last day that its text names, such
/// as that of its stop sign, is proposed for the review. `now` is in seconds since 1970.
#[must_use]
pub fn form(session: &SessionId, vote: &Vote, now: i64) -> Modal {
    let Tally { experts, team } = Tally::count(vote);
    let points = |place: usize, points: &[u32]| points.get(place).copied().unwrap_or_default();
    let described = vote.solutions.iter().enumerate().map(|(place, solution)| {
        let experts = if solution.proposed {
            "experts not asked".to_owned()
        } else {
            format!("experts {}", points(place, &experts.points))
        };
        format!("{experts}, team {}", points(place, &team.points))
    });
    let first = leading(vote).and_then(|id| vote.solutions.iter().find(|solution| solution.id == id));
    let review = first.and_then(|solution| last_day_named(&solution.description, now));
    recorded(session, vote, described, first.map(|solution| solution.id.to_string()), review)
}

/// The form that records a decision on what was debated. Nothing is chosen: it is not for the bot to lean.
#[must_use]
pub fn sides_form(session: &SessionId, vote: &Vote) -> Modal {
    let described =
        vote.solutions.iter().map(|solution| format!("What {} argued", solution.raised_by.join(", ")));
    recorded(session, vote, described, None, None)
}

fn recorded(
    session: &SessionId,
    vote: &Vote,
    described: impl Iterator<Item = String>,
    chosen: Option<String>,
    review: Option<String>,
) -> Modal {
    let option = |label: &str, value: String, description: &str| SelectOption {
        label: text::plain(label, OPTION),
        value,
        description: text::plain(description, OPTION),
    };
    let solutions = vote.solutions.iter().zip(described).take(LISTED).map(|(solution, description)| {
        option(&format!("{} · {}", solution.id, solution.title), solution.id.to_string(), &description)
    });
    let another = option(
        IN_OWN_WORDS,
        OWN_WORDS.to_owned(),
        "The first line under “Why” says what, the lines below it why",
    );
    let input = |id: &str, label: &str, placeholder: &str, max: usize| TextInput {
        id: id.to_owned(),
        label: label.to_owned(),
        placeholder: placeholder.to_owned(),
        value: String::new(),
        paragraph: false,
        required: false,
        max: u16::try_from(max).unwrap_or(u16::MAX),
    };
    let when = match review {
        Some(day) => format!("{day}, a day that it names; or 1 March, in 3 weeks"),
        None => "1 March, 2027-03-01, or: in 3 weeks".to_owned(),
    };
    let why = TextInput {
        paragraph: true,
        required: true,
        ..input("why", "Why", "What decided it, in a sentence or more", MAX_RATIONALE)
    };
    let dissent = TextInput {
        paragraph: true,
        ..input("dissent", "Who disagrees and why (optional)", "Their words, if you can", MAX_DISSENT)
    };
    Modal {
        id: CustomId::new(session, Does::DecideSent),
        title: "Record decision".to_owned(),
        inputs: vec![
            ChoiceInput {
                id: "solution".to_owned(),
                label: "What is chosen".to_owned(),
                description: String::new(),
                placeholder: "One of these, or something else".to_owned(),
                options: solutions.chain([another]).collect(),
                chosen: chosen.into_iter().collect(),
                range: (1, 1),
            }
            .into(),
            why.into(),
            MemberInput {
                id: "member".to_owned(),
                label: "Who sees to it (optional)".to_owned(),
                placeholder: "Anybody on this server; nobody is notified".to_owned(),
                chosen: None,
            }
            .into(),
            input("review", "Review on (optional)", &when, 40).into(),
            dissent.into(),
        ],
    }
}

/// The form that says how a decision turned out.
#[must_use]
pub fn outcome_form(session: &SessionId, decision: &Decision, of: Verdict) -> Modal {
    let (_, word) = verdict(of);
    Modal {
        id: CustomId::new(session, Does::OutcomeSent((decision.number, of))),
        title: format!("Decision {} · {word}", decision.number),
        inputs: vec![
            TextInput {
                id: "text".to_owned(),
                label: "What happened, in a sentence".to_owned(),
                placeholder: "How you can tell, and what you would do differently".to_owned(),
                value: String::new(),
                paragraph: true,
                required: true,
                max: u16::try_from(MAX_OUTCOME).unwrap_or(u16::MAX),
            }
            .into(),
        ],
    }
}
