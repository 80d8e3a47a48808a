//! The full text behind an investigation's cards.

use super::{
    answer::ANSWER,
    checks::CHECKS,
    compare::{COMPARED, COMPARED_AGAIN},
    enquiry::{CALLS, ENQUIRY, OPENING},
    material::{Kept, checks, kept, numbered},
    scouts::SCOUTS,
};
use crate::{
    protocols::points,
    render,
    steps::{Journal, Stop},
};
use domain::{Opening, Scored, ScoutAnswer, StepKey, ledger};

/// Title and text of a card; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<(String, String)>, Stop> {
    Ok(match card.as_str().split('/').next() {
        Some(SCOUTS) => journal
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
        Some(CHECKS | ENQUIRY) => {
            let (sources, checks) = numbered(checks(journal).await?);
            let check = checks.iter().find(|(step, _)| step == card);
            check
                .map(|(_, check)| ("The check".to_owned(), render::investigate::whole_check(check, &sources)))
        }
        Some(CALLS) => {
            let Kept { calls, .. } = kept(journal).await?;
            (!calls.is_empty())
                .then(|| ("The log of calls".to_owned(), render::investigate::whole_calls(&calls)))
        }
        Some(ANSWER) => {
            let Kept { compared, calls, checks, answer, .. } = kept(journal).await?;
            let entries = compared.as_ref().map(|compared| ledger(compared, &checks)).unwrap_or_default();
            answer.map(|answer| {
                let text = render::investigate::whole_answer(&answer, &entries, (&calls, &checks));
                ("The whole answer".to_owned(), text)
            })
        }
        Some("points") => journal.kept::<Scored>(card).await?.map(|scored| points::full_text(&scored)),
        _ => None,
    })
}
