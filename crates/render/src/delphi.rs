//! A session of /delphi as people see it: a card for each round, and the answer with the drawing of how the estimators moved.
//! The figures are the code's; what a model says of them stands below.

use super::{card, chart, chosen, limits, markdown, text};
use domain::{Color, Embed, Estimated, Estimates, File, FileBody, Pooled, Post, SessionId, StepKey, figures};

/// Room for why all of them say so, in characters: a message has 6,000. A hundred words of each of seven fit.
const WHY: usize = 5_000;

/// A round, so far: everybody's three numbers, each with its step, and why they moved, or else their reasons.
#[must_use]
pub fn round_card(session: &SessionId, unit: &str, all: &[(StepKey, Estimated)]) -> Post {
    let embed = |(_, one): &(StepKey, Estimated)| {
        // Whole as they are asked for; all reasons are a press away.
        let said = [&one.said.moved, &one.said.because, &one.said.reasons];
        let why = said.into_iter().find(|text| !text.is_empty()).unwrap_or(&one.said.reasons);
        let numbers = figures(one.numbers);
        Embed {
            author: card::answered_by(&one.answered_by),
            title: format!("📐 {} · round {}", one.title(), one.round),
            description: format!(
                "**{numbers}** {} (10 · 50 · 90 %)\n{}",
                text::label(unit, 80),
                markdown::short(why, WHY / all.len().max(5))
            ),
            footer: card::dropped(one.dropped_citations),
            ..Embed::default()
        }
    };
    let steps: Vec<_> = all.iter().map(|(step, one)| (one.title(), step.clone())).collect();
    let round = all.first().map_or(1, |(_, one)| one.round);
    // No two of these lists have one number.
    let list = (13 + round, "Open an estimate, or how it came about…", "whole estimate");
    let rows = chosen::list(session, list, &steps, &steps);
    limits::one(Post { embeds: all.iter().map(embed).collect(), rows, ..Post::default() })
}

/// The whole of an estimate as Markdown.
#[must_use]
pub fn whole_estimate(one: &Estimated) -> String {
    format!("**10 % · 50 % · 90 %**\n{}\n\n{}", figures(one.numbers), forms::whole(&one.said))
}

/// The answer with its picture.
#[must_use]
pub fn answer_card(session: &SessionId, step: &StepKey, so_far: &Estimates) -> Vec<Post> {
    let alt = "How the estimates moved from round to round; the answer's text has the figures.".to_owned();
    let picture =
        File { name: "estimates.png".to_owned(), alt, body: FileBody::Svg(chart::estimates(so_far)) };
    let embed = Embed {
        title: "🎯 The answer".to_owned(),
        description: markdown::short(&whole_answer(so_far), limits::DESCRIPTION - 96),
        color: if so_far.outlook.is_some() { Color::Synthesis } else { Color::Caution },
        image: Some(picture.name.clone()),
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "Whole answer")];
    limits::fit(Post { rows, files: vec![picture], ..card::post(embed) })
}

/// The answer first, then how far they part and on what, and everybody's numbers, as Markdown.
#[must_use]
pub fn whole_answer(so_far: &Estimates) -> String {
    let Some(pooled) = Pooled::of(&so_far.last()) else { return String::new() };
    let told = pooled.told(&text::label(&so_far.number.unit, 80));
    let asked = format!("{}\nCounted: {}", so_far.number.question, so_far.number.counts);
    let outlook = so_far.outlook.as_ref().map(forms::whole);
    let outlook = outlook.unwrap_or_else(|| "⚠️ No model could say what they part on.".to_owned());
    let round = |all: &[Estimated]| {
        let each: Vec<String> =
            all.iter().map(|one| format!("{}: {}", one.estimator, figures(one.numbers))).collect();
        format!("\n- Round {}: {}", all[0].round, each.join("; "))
    };
    let moved: String = so_far.rounds().map(round).collect();
    format!("{told}\n\n{asked}\n\n{outlook}\n\n**How they moved** (each estimator: 10 · 50 · 90 %){moved}")
}

#[cfg(test)]
mod tests;
