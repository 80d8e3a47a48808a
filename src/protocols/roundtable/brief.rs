//! What a roundtable begins with: how many experts it has, and by which models.

use crate::protocols::seating::{Wanted, searching, user};
use domain::{Brief, GuildSettings, OptionName, OptionWords, RoundtableBrief};

/// Experts where nobody says how many.
const USUAL: u32 = 2;

/// What these options make of it, on a server with these settings.
pub(in crate::protocols) fn wanted(words: &OptionWords, settings: &GuildSettings) -> anyhow::Result<Wanted> {
    let experts = words.whole(OptionName::Experts).map_err(user)?.unwrap_or(USUAL) as usize;
    let searching = searching(words, settings);
    Ok(Wanted::new(move |seating, problem, document| {
        let experts = seating.panel(experts);
        Ok(Brief::Roundtable(RoundtableBrief {
            problem,
            document,
            gatekeeper: seating.beside(&seating.appointed.gatekeeper),
            notary: seating.beside_those(&seating.appointed.notary, &experts),
            experts,
            checker: seating.checker(),
            language: seating.language(),
            effort: seating.effort,
            today: seating.today(),
            searching: seating.searching(searching),
        }))
    }))
}
