//! The full text behind a table's cards.

use super::{
    memo::DRAFT,
    research::{self, RESEARCH},
};
use crate::{
    protocols::points,
    render,
    steps::{Journal, Stop},
};
use domain::{
    ChosenDraft, Edit, ExpertPoints, FullText, Influence, ModuleName, ModuleOutput, Score, Scored, Spoken,
    StepKey, Synthesis,
};

/// Title and text of a card; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<FullText>, Stop> {
    Ok(match card.as_str() {
        "points" => scored(journal).await?.map(|scored| points::full_text(&scored).into()),
        DRAFT => {
            journal.kept::<ChosenDraft>(&card.child("checked")).await?.map(|draft| draft_text(&draft).into())
        }
        "synthesis" => memo(journal).await?,
        RESEARCH => research::kept(journal).await?.map(|research| FullText {
            title: "Deep research".to_owned(),
            text: render::table::research_text(&research),
            sources: research.sources,
        }),
        _ => journal.stands::<ModuleOutput>(card).await?.map(|output| {
            let title = format!("{} · round {}", output.heading(), output.round.number());
            let text = match &output.said {
                Spoken::Alone(alone) => forms::whole(alone),
                Spoken::Challenge(challenge) => forms::whole(challenge),
            };
            FullText { title, sources: output.numbered(), text }
        }),
    })
}

/// The memo as it stands.
async fn memo(journal: &Journal) -> Result<Option<FullText>, Stop> {
    let whole = |memo: Synthesis| FullText {
        title: "Memo".to_owned(),
        text: memo_text(&memo),
        sources: memo.sources,
    };
    Ok(synthesis(journal).await?.map(whole))
}

/// The draft that the memo was written from, with what was objected to it.
fn draft_text(draft: &ChosenDraft) -> (String, String) {
    let objections = draft.objections.iter();
    let objected = objections.map(|one| format!("- **{}:** {}", one.from, one.text));
    let objected: Vec<String> = objected.collect();
    let below = if objected.is_empty() {
        String::new()
    } else {
        format!("\n\n**What was objected to it**\n{}", objected.join("\n"))
    };
    ("The draft, before anything in it was changed".to_owned(), format!("{}{below}", draft.whole()))
}

/// The memo with what was objected to its draft below it, in words, for its answers name objections by their numbers alone, and what
/// changed by it.
fn memo_text(memo: &Synthesis) -> String {
    let text = forms::whole(&Synthesis { resolutions: Vec::new(), edits: Vec::new(), ..memo.clone() });
    let list = |title: &str, lines: Vec<String>| {
        let lines: Vec<String> = lines.into_iter().map(|line| format!("- {line}")).collect();
        (!lines.is_empty()).then(|| format!("**{title}**\n{}", lines.join("\n")))
    };
    let objected = list("What was objected to its draft", memo.objected.clone());
    let changed = list("What changed in the draft", memo.edits.iter().map(Edit::told).collect());
    [Some(text), objected, changed].into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

async fn synthesis(journal: &Journal) -> Result<Option<Synthesis>, Stop> {
    Ok(journal.stored("synthesis").await?.pop())
}

/// What the modules gave, with their reasons.
async fn scored(journal: &Journal) -> Result<Option<Scored>, Stop> {
    let Some(synthesis) = synthesis(journal).await? else { return Ok(None) };
    let scores: Vec<Score> = journal.stored("points/").await?;
    let reasons = scores.iter().map(|score| score.reasoning.clone()).collect();
    let experts = scores.into_iter().map(|score| ExpertPoints {
        title: ModuleName(score.scorer).expert(),
        weight: 1.0,
        influence: Influence::default(),
        allocation: score.allocation,
        basis: score.basis,
        chances: score.chances,
    });
    let solutions = super::solutions(journal, &synthesis).await?;
    Ok(Some(Scored { solutions, experts: experts.collect(), reasons }))
}
