//! The full text behind an investigation's cards.

use super::{
    answer::ANSWER,
    compare::{COMPARED, COMPARED_AGAIN},
    enquiry::{CALLS, OPENING},
    material::{Kept, kept},
};
use crate::{
    protocols::points,
    render,
    steps::{Journal, Stop},
};
use domain::{Check, Opening, Scored, ScoutAnswer, StepKey, ledger};

/// Title and text of a card; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<(String, String)>, Stop> {
    Ok(match card.as_str().split('/').next() {
        Some("scouts") => journal
            .stands::<ScoutAnswer>(card)
            .await?
            .map(|answer| (answer.scout.title(), render::investigate::whole_scout(&answer))),
        Some(COMPARED | COMPARED_AGAIN) => journal.stands::<domain::Compared>(card).await?.map(|compared| {
            (
                "What the scouts agree and differ on".to_owned(),
                render::investigate::whole_comparison(&compared),
            )
        }),
        Some(OPENING) => journal
            .stands::<Opening>(card)
            .await?
            .map(|opening| ("How it begins".to_owned(), render::investigate::whole_opening(&opening))),
        Some("checks" | "enquiry") => journal
            .kept::<Check>(&card.child("found"))
            .await?
            .map(|check| ("The check".to_owned(), render::investigate::whole_check(&check))),
        Some(CALLS) => {
            let Kept { calls, .. } = kept(journal).await?;
            (!calls.is_empty())
                .then(|| ("The log of calls".to_owned(), render::investigate::whole_calls(&calls)))
        }
        Some(ANSWER) => {
            let Kept { compared, calls, checks, answer, .. } = kept(journal).await?;
            let entries = compared.as_ref().map(|compared| ledger(compared, &checks)).unwrap_or_default();
            answer.map(|answer| {
                let text = render::investigate::whole_answer(&answer, &entries, &calls);
                ("The whole answer".to_owned(), text)
            })
        }
        Some("points") => journal.kept::<Scored>(card).await?.map(|scored| points::full_text(&scored)),
        _ => None,
    })
}
