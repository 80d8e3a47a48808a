//! What a debate begins with: how long it is, who argues, and who stands between them.

use crate::protocols::seating::{Seating, Wanted, searching, user};
use domain::{Advocates, Brief, DebateBrief, GuildSettings, OptionName, OptionWords, Preset};

/// What these options make of it, on a server with these settings.
pub(in crate::protocols) fn wanted(words: &OptionWords, settings: &GuildSettings) -> anyhow::Result<Wanted> {
    let preset: Preset = words.one_of(OptionName::Preset).map_err(user)?.unwrap_or_default();
    let searching = searching(words, settings);
    Ok(Wanted::new(move |seating, problem, document| {
        let advocates = advocates(seating);
        let sides = [&advocates.pro.model, &advocates.con.model];
        let moderator = match seating.guild.mediator {
            Some(_) => seating.beside(&seating.appointed.moderator),
            None => seating.apart(seating.beside(&seating.appointed.moderator), &sides),
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
            gatekeeper: seating.beside(&seating.appointed.gatekeeper),
            moderator,
            checker,
            language: seating.language(),
            effort: seating.effort,
            today: seating.today(),
            searching: seating.searching(searching),
        }))
    }))
}

/// The first two models of the panel, one a side; where there is only one, it argues both.
fn advocates(seating: &Seating<'_>) -> Advocates {
    let models = seating.models();
    let of = |place: usize| models.get(place).or(models.first()).unwrap_or(&seating.appointed.moderator);
    Advocates { pro: seating.seat(of(0)), con: seating.seat(of(1)) }
}
