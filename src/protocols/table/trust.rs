//! What a table says of its modules' advice, for how much they count in later ones on the server: written down with the
//! opening of the vote, and, by who championed what, with its count and the outcome of its decision.

use super::RACI;
use crate::{
    prompt,
    steps::{NewVote, Steps, Stop},
};
use domain::{ModuleName, ModuleOutput, RaciRow, Research, Synthesis, TableBrief, by_synthesis, champions};

/// The vote with what it says of the modules; as it is where the server keeps no trust. A module for which another spoke
/// answers for nothing.
pub(super) async fn judged(
    steps: &Steps,
    brief: &TableBrief,
    (outputs, synthesis, research): (&[ModuleOutput], &Synthesis, Option<&Research>),
    vote: NewVote,
) -> Result<NewVote, Stop> {
    if brief.trust.is_none() {
        return Ok(vote);
    }
    let seated = brief.panel.seats.iter();
    let last = seated.filter_map(|seat| prompt::table::last_word(outputs, &seat.module));
    let spoke: Vec<&ModuleOutput> = last.filter(|output| output.spoken_for_by.is_none()).collect();
    let raci = if brief.extras.raci { steps.kept::<Vec<RaciRow>>(RACI).await? } else { None };
    let verdicts = research.map_or(&[][..], |research| &research.resolutions);
    let modules: Vec<&ModuleName> = spoke.iter().map(|output| &output.module).collect();
    Ok(NewVote {
        champions: champions(modules, &vote.solutions, &vote.experts),
        moved: by_synthesis(&spoke, synthesis, &raci.unwrap_or_default(), verdicts),
        ..vote
    })
}
