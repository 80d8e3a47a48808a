//! The full text behind a debate's cards: what was kept of each, and nothing of what was only tried.

use super::record;
use crate::{
    render,
    steps::{Journal, Stop},
};
use domain::{DebateTurn, FullText, NeutralSynthesis, StepKey};

/// Title and text of a card; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<FullText>, Stop> {
    Ok(match card.as_str().split('/').next() {
        Some("turn") => journal.kept::<DebateTurn>(card).await?.map(|turn| {
            let (title, text) = render::debate::whole_turn(&turn);
            FullText { title, text, sources: turn.numbered() }
        }),
        Some("synthesis") => journal
            .kept::<NeutralSynthesis>(card)
            .await?
            .map(|synthesis| render::debate::whole_synthesis(&synthesis).into()),
        Some("normalise" | "proposition") => record::proposed(journal)
            .await?
            .map(|proposition| render::debate::whole_proposition(&proposition).into()),
        _ => None,
    })
}
