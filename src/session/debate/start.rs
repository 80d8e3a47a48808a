//! A debate from its start: who argues, and who stands between them.

use crate::session::{Wanted, plan::Seating};
use domain::{Advocates, Brief, DebateBrief, Preset, Searching};

impl Wanted {
    /// `/debate` of this length, with or without a look into the web at what bears on it.
    #[must_use]
    pub fn debate(preset: Preset, searching: Searching) -> Self {
        Self::new(move |seating, problem, document| {
            let advocates = advocates(seating);
            let sides = [&advocates.pro.model, &advocates.con.model];
            let moderator = match seating.guild.mediator {
                Some(_) => seating.beside(&seating.settings.moderator),
                None => seating.apart(seating.beside(&seating.settings.moderator), &sides),
            };
            let checker = match seating.guild.checker {
                Some(_) => seating.checker(),
                None => seating.apart(seating.checker(), &sides),
            };
            Ok(Brief::Debate(DebateBrief {
                problem,
                preset,
                document,
                advocates,
                gatekeeper: seating.beside(&seating.settings.gatekeeper),
                moderator,
                checker,
                language: seating.language(),
                effort: seating.effort,
                today: seating.today(),
                searching: seating.searching(searching),
            }))
        })
    }
}

/// The first two models of the panel, one a side; where there is only one, it argues both.
fn advocates(seating: &Seating<'_>) -> Advocates {
    let models = seating.models();
    let of = |place: usize| models.get(place).or(models.first()).unwrap_or(&seating.settings.moderator);
    Advocates { pro: seating.seat(of(0)), con: seating.seat(of(1)) }
}
