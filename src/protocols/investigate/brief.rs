//! What an investigation begins with: how many answer alone, how freely it goes, and how much it checks.

use crate::protocols::seating::{Wanted, searching, user};
use domain::{
    Brief, Checking, GuildSettings, InvestigateBrief, LoopLimits, Mode, OptionName, OptionWords, SCOUTS,
};

/// Fewest scouts where nobody says how many: of two that differ nobody knows which is the odd one.
const USUAL: usize = 3;

/// What these options make of it, on a server with these settings; where nobody says how many, a scout for each model.
pub(in crate::protocols) fn wanted(words: &OptionWords, settings: &GuildSettings) -> anyhow::Result<Wanted> {
    let mode: Mode = words.one_of(OptionName::Mode).map_err(user)?.unwrap_or_default();
    let checking: Checking = words.one_of(OptionName::Checks).map_err(user)?.unwrap_or_default();
    let scouts = words.whole(OptionName::Scouts).map_err(user)?.map(|scouts| scouts as usize);
    let calls = words.whole(OptionName::Budget).map_err(user)?;
    let searching = searching(words, settings);
    Ok(Wanted::new(move |seating, problem, document| {
        let models = seating.models().len();
        let scouts = scouts.unwrap_or(models.max(USUAL)).clamp(*SCOUTS.start(), *SCOUTS.end());
        Ok(Brief::Investigate(InvestigateBrief {
            problem,
            document,
            scouts: seating.panel(scouts),
            investigator: seating.beside(&seating.appointed.mediator),
            checker: seating.checker(),
            mode,
            checking,
            limits: LoopLimits::of(calls.unwrap_or(LoopLimits::default().calls), seating.effort),
            searching: seating.searching(searching),
            language: seating.language(),
            effort: seating.effort,
            today: seating.today(),
            meant: None,
        }))
    }))
}
