//! What one expert said in one of its turns.

use super::{
    super::{card, limits, markdown, text},
    named,
};
use domain::{
    Color, Embed, ExpertId, Letters, ModelName, Post, Proposal, SessionId, Stage, Statement, StepKey,
};

/// An expert's analysis. `stand_in` answered where the expert's own model could not.
#[must_use]
pub fn analysis_card(
    session: &SessionId,
    step: &StepKey,
    statement: &Statement,
    proposal: &Proposal,
    stand_in: Option<&ModelName>,
) -> Vec<Post> {
    let embed = embed(statement, proposal, stand_in, str::to_owned);
    let rows = vec![card::whole_and_raw(session, step, "Whole analysis")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// An expert's rebuttal, with whom it answers. The letters it uses are shown as names.
#[must_use]
pub fn rebuttal_card(
    session: &SessionId,
    step: &StepKey,
    statement: &Statement,
    proposal: &Proposal,
    reading: &Letters,
    stand_in: Option<&ModelName>,
) -> Vec<Post> {
    let mut embed = embed(statement, proposal, stand_in, |text| named(text, reading, proposal));
    let answered: Vec<String> = (reading.letters())
        .map(|(letter, other)| format!("**{}** ({letter})", text::label(&proposal.name_of(other), 100)))
        .collect();
    if !answered.is_empty() {
        embed.description = format!("Answers {}\n\n{}", card::listed(&answered), embed.description);
    }
    let letters = "The experts saw letters only, no names.";
    embed.footer =
        if embed.footer.is_empty() { letters.to_owned() } else { format!("{letters} {}", embed.footer) };
    let rows = vec![card::whole_and_raw(session, step, "Whole rebuttal")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// The card of an expert that could not answer, with the reason as a sentence.
#[must_use]
pub fn missing_card(
    session: &SessionId,
    step: &StepKey,
    (expert, stage): (ExpertId, Stage),
    proposal: &Proposal,
    reason: &str,
) -> Vec<Post> {
    let what_now = match stage {
        Stage::Analysis => "The others go on without it, and it gives no points.",
        Stage::Rebuttal => "Its analysis stands as it was.",
    };
    let description = format!("❌ **No answer:** {}. {what_now}", markdown::inline(reason, 600));
    let title = title(&proposal.name_of(expert), stage);
    let rows = vec![card::raw_only(session, step)];
    let embed = Embed { title, description, color: Color::Danger, ..Embed::default() };
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// Stands in place of rebuttals where only one expert has spoken.
#[must_use]
pub fn alone_card(expert: ExpertId, proposal: &Proposal) -> Vec<Post> {
    let description = format!(
        "Only **{}** has spoken, so there is nothing to answer and no rebuttals are written.",
        text::label(&proposal.name_of(expert), 100)
    );
    let title = "⚠️ No rebuttals".to_owned();
    limits::fit(card::post(Embed { title, description, color: Color::Caution, ..Embed::default() }))
}

/// The whole statement as Markdown; of a rebuttal with names in place of letters.
#[must_use]
pub fn whole_statement(
    statement: &Statement,
    reading: Option<&Letters>,
    proposal: &Proposal,
) -> (String, String) {
    let mut lines = vec![statement.stance.clone(), String::new()];
    lines.extend(statement.reasons.iter().map(|reason| format!("- {reason}")));
    let text = lines.join("\n");
    let text = reading.map_or_else(|| text.clone(), |reading| named(&text, reading, proposal));
    let stage = match statement.stage {
        Stage::Analysis => "analysis",
        Stage::Rebuttal => "rebuttal",
    };
    (format!("{} · {stage}", proposal.name_of(statement.expert)), text)
}

fn title(name: &str, stage: Stage) -> String {
    let name = text::label(name, 160);
    match stage {
        Stage::Analysis => format!("🗣️ {name} · analysis"),
        Stage::Rebuttal => format!("↩️ {name} · rebuttal"),
    }
}

/// What both turns show; `shown` is how the expert's words are put before people.
fn embed(
    statement: &Statement,
    proposal: &Proposal,
    stand_in: Option<&ModelName>,
    shown: impl Fn(&str) -> String,
) -> Embed {
    let mut fields = Vec::new();
    if let Some(model) = stand_in {
        let model = text::label(&model.shown(), 80);
        let value = format!("Its own model could not answer; {model} answered instead.");
        fields.push(card::field("⚠️ Degraded", value));
    }
    let reasons: Vec<String> = (statement.reasons.iter())
        .map(|reason| format!("- {}", markdown::inline(&shown(reason), 280)))
        .collect();
    if !reasons.is_empty() {
        fields.push(card::field("Why", card::lines(&reasons, card::FIELD_ROOM, "behind the button.")));
    }
    Embed {
        author: card::answered_by(&statement.answered_by),
        title: title(&proposal.name_of(statement.expert), statement.stage),
        description: markdown::short(&shown(&statement.summary), 1_200),
        color: if stand_in.is_some() { Color::Caution } else { Color::Neutral },
        fields,
        footer: card::dropped(statement.dropped_citations),
        ..Embed::default()
    }
}
