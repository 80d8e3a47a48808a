//! The full text behind a mediation's cards.

use super::{
    baseline::BASELINE,
    research::{self, RESEARCH},
    select,
};
use crate::{
    protocols::points,
    render,
    steps::{Journal, Stop},
};
use domain::{
    ExpertPoints, FullText, Influence, ModuleName, ModuleOutput, PlainAnswer, Score, Scored,
    SelectionMetadata, StepKey, Synthesis,
};

/// Title and text of a card; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<FullText>, Stop> {
    Ok(match card.as_str() {
        "points" => scored(journal).await?.map(|scored| points::full_text(&scored).into()),
        "synthesis" => {
            let whole = |Synthesis { synthesis: text, sources, .. }| FullText {
                title: "Synthesis".to_owned(),
                text,
                sources,
            };
            synthesis(journal).await?.map(whole)
        }
        RESEARCH => research::kept(journal).await?.map(|research| FullText {
            title: "Deep research".to_owned(),
            text: render::mediate::research_text(&research),
            sources: research.sources,
        }),
        BASELINE => journal
            .stands::<PlainAnswer>(card)
            .await?
            .map(|plain| ("One plain call".to_owned(), plain.answer).into()),
        select::SELECT => journal
            .kept::<SelectionMetadata>(&select::kept_in())
            .await?
            .map(|chosen| render::mediate::whole_selection(&chosen).into()),
        _ => journal.stands::<ModuleOutput>(card).await?.map(|output| {
            let title = format!("{} · round {}", output.heading(), output.round.number());
            FullText { title, sources: output.numbered(), text: output.analysis }
        }),
    })
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
    });
    let solutions = super::solutions(journal, &synthesis).await?;
    Ok(Some(Scored { solutions, experts: experts.collect(), reasons }))
}
