//! The full text behind the cards that a mediation has beside those of its table.

use super::{baseline::BASELINE, select};
use crate::{
    protocols::table,
    render,
    steps::{Journal, Stop},
};
use domain::{FullText, PlainAnswer, SelectionMetadata, StepKey};

/// Title and text of a card; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<FullText>, Stop> {
    Ok(match card.as_str() {
        BASELINE => journal
            .stands::<PlainAnswer>(card)
            .await?
            .map(|plain| ("One plain call".to_owned(), plain.answer).into()),
        select::SELECT => journal
            .kept::<SelectionMetadata>(&select::kept_in())
            .await?
            .map(|chosen| render::table::whole_selection(&chosen).into()),
        _ => return table::full_text(journal, card).await,
    })
}
