//! What a roundtable holds for questions about it.

use super::full_text::proposal;
use crate::{
    prompt::roundtable,
    protocols::{followup::Held, table},
    steps::{Steps, Stop},
};
use domain::{Panel, RoundtableBrief};

/// What has come about so far. The notary, who has no side, answers.
pub(in crate::protocols) async fn material<'a>(
    steps: &Steps,
    brief: &'a RoundtableBrief,
) -> Result<Held<'a>, Stop> {
    let proposed = proposal(&steps.journal()).await?;
    let panel = proposed.as_ref().map(|proposed| Panel::of_roles(&proposed.roles));
    let seats = panel.map(|panel| panel.seats).unwrap_or_default();
    let mut held = table::material(steps, &brief.notary, brief.document.as_ref(), &seats).await?;
    held.parts.splice(..0, proposed.as_ref().map(roundtable::proposed));
    Ok(held)
}
