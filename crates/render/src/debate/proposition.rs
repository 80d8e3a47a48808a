//! The proposition: the question, its bounds, and what people think of it before anything is spent.

use super::{
    super::{card, confirmation, markdown, text, vote::have_voted},
    bring, one, opinions,
};
use domain::{
    ButtonStyle, Color, CustomId, Does, Embed, Field, Framing, Level, Opens, Post, Preset, Proposition, Row,
    SessionId, Standing, StepKey, WaitKind, WaitOutcome,
};

/// The step that made it neutral, behind *Raw output*.
const NORMALISE: &str = "normalise";

/// What a proposition that is none should look like.
const EXAMPLE: &str = "Press **Edit** and write a question that one can be for or against, such as “Should we move \
                       to a four-day week?”.";

/// The proposition: with buttons while it can be edited and started. The revision rides in those, so that nobody votes on
/// words they have not read, or starts a debate on them.
#[must_use]
pub fn proposition(
    session: &SessionId,
    proposition: &Proposition,
    preset: Preset,
    standing: &Standing,
) -> Post {
    let (kind, said) = (WaitKind::Proposition, standing.voted);
    if let Some((color, state)) = confirmation::closed(kind, &standing.outcome) {
        return match standing.outcome {
            WaitOutcome::Answered(_) => started(session, (proposition, preset), color, &state, said),
            _ => {
                panel(session, (proposition, preset), color, vec![card::field("What now", state)], Vec::new())
            }
        };
    }
    if let Some(objection) = &proposition.objection {
        let why = card::field(
            "🚧 It cannot be debated as it stands",
            format!("{}\n\n{EXAMPLE}", markdown::inline(objection, 500)),
        );
        let wait =
            "If nobody edits and starts it within a day, the session ends. Nothing more is spent until then.";
        let fields = vec![why, card::field("What now", format!("⏳ {wait}"))];
        let rows = vec![confirmation::buttons(session, kind, None)];
        return panel(session, (proposition, preset), Color::Caution, fields, rows);
    }
    let revision = standing.revision;
    let rows = vec![
        confirmation::buttons(session, kind, Some(revision)),
        Row::Buttons(opinions(session, |opinion| Does::OpinionBefore((opinion, revision)))),
    ];
    let mut think = format!(
        "Vote before you read the debate, and once more after it: I then show in numbers, without names, how opinions \
         moved. Your vote is secret; you can change it until somebody presses **Start**.\n{}.",
        have_voted(said)
    );
    // An edit of the question clears what was said of the earlier words; of the bounds only, it does not.
    if let (Some(by), 0) = (&proposition.edited_by, said) {
        think = format!(
            "✏️ Edited by {}: please vote again. Votes on the earlier wording do not count.\n{think}",
            text::label(by, 100)
        );
    }
    let now = "⏳ Press **Start** to begin, or **Edit** it first. If nobody starts it within a day, the session ends. \
               Nothing more is spent until then.";
    let fields = vec![card::field("🗳️ What do you think?", think), card::field("What now", now)];
    panel(session, (proposition, preset), Color::Active, fields, rows)
}

fn started(
    session: &SessionId,
    debated: (&Proposition, Preset),
    color: Color,
    state: &str,
    said: usize,
) -> Post {
    let before = match said {
        0 => "Nobody voted before the start.".to_owned(),
        1 => "1 voted before the start; the vote stays secret.".to_owned(),
        said => format!("{} voted before the start; the votes stay secret.", card::thousands(said as u64)),
    };
    let clarify =
        card::button(CustomId::new(session, Opens::Clarify), "Clarify", "❔", ButtonStyle::Secondary);
    let rows = vec![Row::Buttons(vec![bring(session), clarify])];
    let fields = vec![card::field("What now", format!("{state} {before}"))];
    panel(session, debated, color, fields, rows)
}

/// The question big and first, then where it comes from, its bounds, and what `below` says of what is to be done.
fn panel(
    session: &SessionId,
    (proposition, preset): (&Proposition, Preset),
    color: Color,
    below: Vec<Field>,
    mut rows: Vec<Row>,
) -> Post {
    let mut description = format!("## {}", text::label(&proposition.question, 640));
    let typed = text::clean_line(&proposition.raw) != text::clean_line(&proposition.question);
    if typed {
        description = format!("{description}\n**Typed:** {}", text::label(&proposition.raw, 640));
    }
    if typed && !proposition.changed.trim().is_empty() {
        let changed = markdown::inline(&proposition.changed, 320);
        description = format!("{description}\n**Changed to make it neutral:** {changed}");
    }
    if let Some(by) = &proposition.edited_by {
        description = format!("{description}\n-# last edited by {}", text::label(by, 100));
    }
    let mut fields = Vec::new();
    if proposition.answered_by.is_none() {
        let stands = if proposition.edited_by.is_some() { "it was written here" } else { "it was typed" };
        let value = format!(
            "No model could reword it neutrally, so it stands as {stands}. Edit it before the start if it leans to one side."
        );
        fields.push(card::field("⚠️ Degraded", value).inside());
    }
    let bounds = bounds(proposition);
    if !bounds.is_empty() {
        // A model read them into a sentence or two; both sides will argue from them, so whoever starts it should look.
        let read = proposition.answered_by.is_some() && proposition.edited_by.is_none();
        let heading = if read { "Scope, as a model read it" } else { "Scope" };
        fields.push(card::field(heading, card::lines(&bounds, card::FIELD_ROOM, "in its form.")));
    }
    // Whoever reads the debate has it before them.
    if proposition.objection.is_none() && color == Color::Active {
        fields.push(card::field("Kind of question", kind(proposition)));
    }
    if proposition.objection.is_none() {
        let debate = format!("{}: {}", preset.as_str(), preset.meaning());
        fields.push(card::field("Debate", debate));
    }
    fields.extend(below);
    if proposition.answered_by.is_some() {
        rows.push(card::raw_only(session, &StepKey::from(NORMALISE)));
    }
    let embed = Embed {
        author: author(proposition),
        title: "⚖️ The proposition".to_owned(),
        description,
        color,
        fields,
        ..Embed::default()
    };
    one(Post { rows, ..card::post(embed) })
}

/// Stands above the title: the model that made it a neutral question, or found none.
fn author(proposition: &Proposition) -> String {
    let Some(model) = &proposition.answered_by else { return String::new() };
    let model = text::plain(model, 150);
    match proposition.objection {
        Some(_) => format!("Read by {model}"),
        None => format!("Put as a neutral question by {model}"),
    }
}

/// Where, when, whom it concerns, what one has to know: only what was said.
fn bounds(proposition: &Proposition) -> Vec<String> {
    let context = &proposition.context;
    let whom = context.stakeholders.join(", ");
    let parts = [
        ("Where", &context.geography, 140),
        ("When", &context.timeframe, 140),
        ("Field", &context.domain, 100),
        ("Who is affected", &whom, 240),
        ("Background", &context.background, 300),
    ];
    let shown = parts.into_iter().map(|(name, text, most)| (name, markdown::inline(text, most)));
    shown.filter(|(_, said)| !said.is_empty()).map(|(name, said)| format!("**{name}:** {said}")).collect()
}

/// For somebody who has never heard of framings.
fn kind(proposition: &Proposition) -> String {
    let framing = match proposition.framing {
        Framing::Policy => "Policy: what should be done",
        Framing::Ethical => "Ethics: what is right",
        Framing::Technical => "Technical: what works",
        Framing::Practical => "Practical: how to do it",
    };
    let complexity = match proposition.complexity {
        Level::Low => "few things to weigh",
        Level::Medium => "several things to weigh",
        Level::High => "many things to weigh",
    };
    format!("{framing} · {complexity}")
}
