//! A round of the modules: all speak at once, and a module that cannot is re-delegated, never silently
//! missing. What they say stands on one message, which is edited as each comes.

use serde::{Deserialize, Serialize};

use super::search::{self, LookedUp};
use crate::{
    prompt::{self, ParseError, reply::Reading, table::Table},
    render::table::{LostSeat, SeatInRound, round_card},
    steps::{Failure, Journal, Steps, Stop, Try, Way},
};
use domain::{
    Degraded, ModuleName, ModuleOutput, Offered, Post, Prompt, Redelegation, Reply, Round, Seat, SourceList,
    StepKey,
};

/// A module's place in a round, and what its calls have in common.
pub(super) struct Place<'a> {
    pub(super) steps: &'a Steps,
    pub(super) table: Table<'a>,
    pub(super) seat: &'a Seat,
    pub(super) module: &'a ModuleName,
    pub(super) round: Round,
    pub(super) first: &'a [ModuleOutput],
    seed: u64,
}

/// The panel on which a round is shown, with the step of whose seats its key begins.
pub(super) fn panel_of(round: Round) -> StepKey {
    StepKey::new(format!("round-{}", round.number()))
}

/// Has every module of the panel but those who `spoke` in this round look up what it wants to know, and speak. `first` holds
/// round 1's outputs in round 2 and is empty before. What they cite comes onto the session's list, and their outputs are given
/// as others read them.
pub(super) async fn speak(
    steps: &Steps,
    table: Table<'_>,
    (round, spoke): (Round, &[ModuleName]),
    first: &[ModuleOutput],
    sources: &mut SourceList,
) -> Result<Vec<ModuleOutput>, Stop> {
    let seed = steps.seed(&format!("round-{}/order", round.number()));
    let brief = table.brief;
    let shown = &steps.onto(panel_of(round));
    let places: Vec<Place<'_>> = (brief.panel.seats.iter().zip(&brief.seats))
        .filter(|(of, _)| !spoke.contains(&of.module))
        .map(|(of, seat)| Place { steps: shown, table, seat, module: &of.module, round, first, seed })
        .collect();
    let said = steps.all(places.iter().map(|place| place.speak(sources))).await?;
    let lost: Vec<ModuleName> = (places.iter().zip(&said))
        .filter(|(_, said)| said.is_err())
        .map(|(place, _)| place.module.clone())
        .collect();

    let mut outputs = Vec::new();
    for (place, said) in places.iter().zip(said) {
        match said {
            Ok(output) => outputs.push(output),
            Err(failure) => outputs.extend(place.hand_over(&lost, &failure).await?),
        }
    }
    Ok(outputs.into_iter().map(|output| sources.take_in(output)).collect())
}

/// Round 1: every seat but those who `spoke` already, none having seen another.
pub(in crate::protocols) async fn alone(
    steps: &Steps,
    table: Table<'_>,
    spoke: &[ModuleName],
    sources: &mut SourceList,
) -> Result<Vec<ModuleOutput>, Stop> {
    speak(steps, table, (Round::Independent, spoke), &[], sources).await
}

/// The message of a round as it has to look now; nothing before anybody has spoken.
pub(super) async fn panel(journal: &Journal, round: Round) -> Result<Option<Post>, Stop> {
    let seated = super::seated(journal).await?;
    let said = |round| async move {
        let all: Vec<(StepKey, ModuleOutput)> =
            journal.all_stored(&format!("{}/", panel_of(round).as_str())).await?;
        Ok::<_, Stop>(all)
    };
    let (outputs, first) = (said(round).await?, said(Round::Independent).await?);
    let lost: Vec<(StepKey, Lost)> = journal.all_kept(&format!("{}/", panel_of(round).as_str())).await?;
    let order = |module: &ModuleName| seated.iter().position(|seat| seat == module);
    let mut seats: Vec<SeatInRound<'_>> = outputs
        .iter()
        .map(|(key, output)| SeatInRound {
            output,
            first: first.iter().map(|(_, first)| first).find(|first| is_before(first, output)),
            redelegation: output.filled.as_ref(),
            step: key.call(),
        })
        .collect();
    // Who joined after the brief was written sits behind the others.
    seats.sort_by_key(|seat| order(&seat.output.module).unwrap_or(usize::MAX));
    // Who was tried again and answered is lost no more.
    let spoke = |module: &ModuleName| outputs.iter().any(|(_, output)| output.module == *module);
    let lost: Vec<LostSeat<'_>> = lost
        .iter()
        .filter(|(_, lost)| !spoke(&lost.module))
        .map(|(_, lost)| LostSeat { module: &lost.module, reason: lost.reason.clone() })
        .collect();
    let is_there = !seats.is_empty() || !lost.is_empty();
    Ok(is_there.then(|| round_card(journal.session(), round, &seats, &lost)))
}

/// Whether this is what the module of an output said itself before: what another said for it is nothing it can move from.
fn is_before(first: &ModuleOutput, output: &ModuleOutput) -> bool {
    first.module == output.module && first.spoken_for_by.is_none()
}

/// A seat for which nobody could speak, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lost {
    module: ModuleName,
    reason: String,
}

impl Place<'_> {
    pub(super) fn key(&self) -> StepKey {
        StepKey::new(format!("round-{}/{}", self.round.number(), self.table.brief.panel.step_of(self.module)))
    }

    async fn speak(&self, sources: &SourceList) -> Result<Result<ModuleOutput, Failure>, Stop> {
        let looked_up = self.look_up(sources).await?;
        self.fill(&looked_up).await
    }

    /// The module's own call; failing that the other models, in order; failing that its own once more, asked for less.
    async fn fill(&self, looked_up: &LookedUp) -> Result<Result<ModuleOutput, Failure>, Stop> {
        let (module, round, seat) = (self.module.clone(), self.round, self.seat);
        // Another model with the whole question comes before the same model with a shorter one.
        let others = seat.fallbacks.iter().cloned();
        let others =
            others.map(|model| Some(Redelegation::Fallback { module: module.clone(), round, model }));
        let hows: Vec<Option<Redelegation>> = std::iter::once(None)
            .chain(others)
            .chain([Some(Redelegation::Simpler { module: module.clone(), round })])
            .collect();
        let way = |place: usize| {
            Some(match hows.get(place)? {
                None => Way {
                    key: self.key(),
                    model: seat.model.clone(),
                    prompt: self.prompt(&looked_up.offered),
                },
                Some(Redelegation::Fallback { model, .. }) => Way {
                    key: self.key().child(format!("fallback-{place}")),
                    model: model.clone(),
                    prompt: self.prompt(&looked_up.offered),
                },
                Some(_) => Way {
                    key: self.key().child("simpler"),
                    model: seat.model.clone(),
                    prompt: self.simpler(),
                },
            })
        };
        self.ask(way, &hows, Some(looked_up)).await
    }

    /// Gives a lost module's concerns to its nearest relative that has spoken; a card says what became of it.
    async fn hand_over(&self, lost: &[ModuleName], failure: &Failure) -> Result<Option<ModuleOutput>, Stop> {
        let (module, round, panel) = (self.module.clone(), self.round, &self.table.brief.panel);
        if let Some(heir) = panel.heir(&module, lost).map(|seat| seat.module.clone()) {
            let at = panel.seats.iter().position(|seat| seat.module == heir).unwrap_or_default();
            let own = self.first.iter().find(|output| output.module == heir);
            let way = |place| {
                (place == 0).then(|| Way {
                    key: self.key().child(format!("by-{}", panel.step_of(&heir))),
                    model: self.table.brief.seats[at].model.clone(),
                    prompt: self.table.addendum(&heir, &module, own),
                })
            };
            let how = Redelegation::Heir { module: module.clone(), round, heir: heir.clone() };
            if let Ok(output) = self.ask(way, &[Some(how)], None).await? {
                return Ok(Some(output));
            }
        }
        let gone = Lost { module: module.clone(), reason: failure.sentence().to_owned() };
        let seat = LostSeat { module: &gone.module, reason: gone.reason.clone() };
        let alone = round_card(self.steps.session(), round, &[], &[seat]);
        self.steps.keep_onto(&self.key().child("lost"), &gone, alone).await?;
        let lost = Degraded::Redelegated(Redelegation::Lost { module, round });
        self.steps.note_degraded(self.key(), [lost]).await?;
        Ok(None)
    }

    fn prompt(&self, offered: &Offered) -> Prompt {
        match self.round {
            Round::Independent => self.table.independent(self.module, offered),
            Round::Revision => self.table.challenge(self.module, (self.first, self.reader_seed()), offered),
        }
    }

    fn simpler(&self) -> Prompt {
        self.table.simpler(self.module, self.round, (self.first, self.reader_seed()))
    }

    /// Each reader gets the others in an order of its own.
    pub(super) fn reader_seed(&self) -> u64 {
        prompt::seed(&[&self.seed.to_string(), &self.module.0])
    }

    /// Asks in these ways until one works; `hows` says of each how it fills the module's place, if not as planned.
    async fn ask(
        &self,
        way: impl Fn(usize) -> Option<Way>,
        hows: &[Option<Redelegation>],
        looked_up: Option<&LookedUp>,
    ) -> Result<Result<ModuleOutput, Failure>, Stop> {
        // An addendum has the form of a first analysis even in round 2.
        let heir = if let [Some(Redelegation::Heir { heir, .. })] = hows { Some(heir) } else { None };
        let revises = self.round == Round::Revision && heir.is_none();
        let itself = |first: &&ModuleOutput| first.module == *self.module && first.spoken_for_by.is_none();
        let first = self.first.iter().find(itself);
        let letters = prompt::table::lettered(self.module, self.first, self.reader_seed());
        let (whole, less) = (self.table.asked(), self.table.asked_for_less());
        let read = |reply: &Reply, attempt, place: usize| -> Result<ModuleOutput, ParseError> {
            // A simpler request shows no pages, so its reply can cite none.
            let simpler = matches!(hows[place], Some(Redelegation::Simpler { .. }));
            let looked_up = looked_up.filter(|_| !simpler);
            let nothing = Offered::default();
            let reading = Reading {
                module: self.module,
                round: self.round,
                asked: if simpler || heir.is_some() { &less } else { &whole },
                offered: looked_up.map_or(&nothing, |looked_up| &looked_up.offered),
                first: attempt == Try::First,
                answered_by: &reply.answered,
            };
            let output = if revises {
                reading.challenge(&reply.text, &letters)?
            } else {
                reading.alone(&reply.text)?
            };
            let searched = looked_up.map(|looked_up| looked_up.searched.clone());
            let filled = hows[place].clone();
            Ok(ModuleOutput { spoken_for_by: heir.cloned(), searched, filled, ..output })
        };
        let cards = |output: &ModuleOutput, _: usize| {
            let seat = SeatInRound { output, first, redelegation: output.filled.as_ref(), step: self.key() };
            vec![round_card(self.steps.session(), self.round, &[seat], &[])]
        };
        let (output, place) = match self.steps.ask_ways(self.module.title(), way, read, cards).await? {
            Ok(said) => said,
            Err(failure) => return Ok(Err(failure)),
        };
        let how = hows[place].clone().map(Degraded::Redelegated);
        let citations = search::taken_out(self.table.brief).counted(output.dropped_citations);
        self.steps.note_degraded(self.key(), how.into_iter().chain(citations)).await?;
        Ok(Ok(output))
    }
}
