//! What `/investigate` makes of who is there to sit.

use super::start::Wanted;
use domain::{Brief, Checking, InvestigateBrief, LoopLimits, Mode, SCOUTS, Searching};

/// Fewest scouts where nobody says how many: of two that differ nobody knows which is the odd one.
const USUAL: usize = 3;

impl Wanted {
    /// `/investigate` with so many scouts and calls; where nobody says, a scout for each model.
    #[must_use]
    pub fn investigate(
        scouts: Option<usize>,
        (mode, checking): (Mode, Checking),
        calls: Option<u32>,
        searching: Searching,
    ) -> Self {
        Self::new(move |seating, problem, document| {
            let models = seating.models().len();
            let scouts = scouts.unwrap_or(models.max(USUAL)).clamp(*SCOUTS.start(), *SCOUTS.end());
            Ok(Brief::Investigate(InvestigateBrief {
                problem,
                document,
                scouts: seating.panel(scouts),
                investigator: seating.beside(&seating.settings.mediator),
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
        })
    }
}
