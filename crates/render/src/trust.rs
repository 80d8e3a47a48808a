//! How much modules count on a server by how their advice turned out there, and what moved them.

use super::card;
use domain::{Color, Embed, MODULES, Module, ModuleName, ModuleTrust};

/// Room for the list, with margin below what a post of two embeds takes.
const ROOM: usize = 3_300;

/// The modules that have a history here, each with what moved it most; those that have none in a line. `None`: switched
/// off.
#[must_use]
pub(super) fn history(trust: Option<&[ModuleTrust]>) -> Embed {
    let description = match trust {
        None => "Switched off on this server (`/settings answers`): in sessions that start now every module counts \
                 the same, and nothing is noted of them."
            .to_owned(),
        Some(known) => {
            let about = "From 0.5 to 1.5 by what the synthesis took up, what pages spoke against, what the \
                         team gave points to and how decisions turned out; 1 is usual. `weights` multiply it.";
            let mut lines: Vec<String> = known.iter().map(line).collect();
            lines.extend(without(known));
            format!("{about}\n\n{}", card::lines(&lines, ROOM, "that have a history."))
        }
    };
    Embed {
        title: "📒 How their advice turned out here".to_owned(),
        description,
        color: Color::Neutral,
        ..Embed::default()
    }
}

/// `📈 **Market** counts 1.12, a little more than usual · 7 sessions`, and below it what moved it most.
fn line(trust: &ModuleTrust) -> String {
    let more = match trust.influence.get() {
        counts if counts >= 1.2 => "more than usual",
        counts if counts >= 1.05 => "a little more than usual",
        counts if counts <= 0.8 => "less than usual",
        counts if counts <= 0.95 => "a little less than usual",
        _ => "about as usual",
    };
    let moved = trust.moved_most.iter().map(|event| format!("\n-# <t:{}:d> {}", event.at, event.told()));
    format!(
        "{} **{}** counts {}, {more} · {}{}",
        trust.module.emoji(),
        trust.module.title(),
        card::factor(trust.influence.get()),
        card::count(trust.sessions as u64, "session"),
        moved.collect::<String>()
    )
}

fn without(known: &[ModuleTrust]) -> Option<String> {
    let names = MODULES.iter().map(Module::name);
    let none: Vec<ModuleName> =
        names.filter(|name| known.iter().all(|trust| trust.module != *name)).collect();
    (!none.is_empty())
        .then(|| format!("**No history here yet**, so each counts 1: {}.", card::modules(&none)))
}

#[cfg(test)]
mod tests {
    use crate::{
        lists,
        support::{assert_fit, shown},
    };
    use domain::{
        MODULES, Module, ModuleTrust, Moved, Post, SessionId, TrustEvent, TrustEvidence, TrustKind,
    };

    fn event(session: u64, module: &Module, kind: TrustKind, (good, bad): (u32, u32)) -> TrustEvent {
        let evidence = TrustEvidence { good, bad };
        let moved = Moved { module: module.name(), kind, decision: 0, evidence };
        TrustEvent {
            session: SessionId::from_bits(session),
            moved,
            at: 1_790_000_000 + i64::try_from(session).unwrap(),
        }
    }

    fn card(events: &[TrustEvent]) -> Vec<Post> {
        lists::modules(Some(&ModuleTrust::all(events)))
    }

    #[test]
    fn a_module_shows_what_moved_it_and_one_without_history_says_so() {
        let [market, cost, risk] = [&MODULES[0], &MODULES[1], &MODULES[2]];
        let events = [
            event(1, market, TrustKind::Outcome, (100, 0)),
            event(1, market, TrustKind::Specific, (5, 0)),
            event(2, market, TrustKind::Points, (40, 0)),
            event(2, cost, TrustKind::Points, (0, 45)),
            event(2, cost, TrustKind::Flags, (0, 10)),
            event(3, cost, TrustKind::Contradicted, (0, 20)),
            event(3, cost, TrustKind::Refuted, (0, 35)),
            event(3, risk, TrustKind::Outcome, (50, 50)),
        ];
        insta::assert_snapshot!("modules", shown(&card(&events)));
        insta::assert_snapshot!("modules_switched_off", shown(&lists::modules(None)[..]));
    }

    #[test]
    fn twelve_modules_with_the_longest_history_fit() {
        let kinds = [TrustKind::Specific, TrustKind::Contradicted, TrustKind::Refuted, TrustKind::Points];
        let all = MODULES
            .iter()
            .flat_map(|module| kinds.into_iter().map(move |kind| event(0, module, kind, (0, 33))));
        let posts = card(&all.collect::<Vec<_>>());
        assert_fit(&posts, &["<t:1790000000:d>"]);
        assert!(!shown(&posts).contains("that have a history"), "nothing is left out");
    }
}
