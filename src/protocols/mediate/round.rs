//! A round of the modules: all speak at once, and a module that cannot is re-delegated, never silently
//! missing.

use super::search::{self, LookedUp};
use crate::{
    prompt::{
        self, ParseError,
        reply::{ModuleReply, RevisionReply},
    },
    render,
    steps::{Failure, Steps, Stop, Way},
};
use domain::{
    ContextNote, Degraded, MediateBrief, ModuleName, ModuleOutput, Offered, Prompt, Redelegation, Reply,
    Round, Seat, SourceList, StepKey,
};

/// A module's place in a round, and what its calls have in common.
pub(super) struct Place<'a> {
    pub(super) steps: &'a Steps,
    pub(super) brief: &'a MediateBrief,
    pub(super) seat: &'a Seat,
    pub(super) module: &'a ModuleName,
    pub(super) round: Round,
    pub(super) first: &'a [ModuleOutput],
    pub(super) notes: &'a [ContextNote],
    seed: u64,
}

/// Has every module of the panel but those who `spoke` in this round look up what it wants to know, and speak. `first` holds round 1's outputs in round 2 and
/// is empty before. What they cite comes onto the session's list, and their outputs are given as others read them.
pub(super) async fn speak(
    steps: &Steps,
    brief: &MediateBrief,
    (round, spoke): (Round, &[ModuleName]),
    first: &[ModuleOutput],
    sources: &mut SourceList,
    notes: &[ContextNote],
) -> Result<Vec<ModuleOutput>, Stop> {
    let seed = steps.seed(&format!("round-{}/order", round.number()));
    let places: Vec<Place<'_>> = (brief.panel.seats.iter().zip(&brief.seats))
        .filter(|(of, _)| !spoke.contains(&of.module))
        .map(|(of, seat)| Place { steps, brief, seat, module: &of.module, round, first, notes, seed })
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

impl Place<'_> {
    pub(super) fn key(&self) -> StepKey {
        StepKey::new(format!("round-{}/{}", self.round.number(), self.brief.panel.step_of(self.module)))
    }

    async fn speak(&self, sources: &SourceList) -> Result<Result<ModuleOutput, Failure>, Stop> {
        let looked_up = self.look_up(sources).await?;
        self.fill(&looked_up).await
    }

    /// The module's own call; failing that a shorter, simpler prompt; failing that the other models, in order.
    async fn fill(&self, looked_up: &LookedUp) -> Result<Result<ModuleOutput, Failure>, Stop> {
        let (module, round, seat) = (self.module.clone(), self.round, self.seat);
        let mut hows = vec![None, Some(Redelegation::Simpler { module: module.clone(), round })];
        let others = seat.fallbacks.iter().cloned();
        hows.extend(
            others.map(|model| Some(Redelegation::Fallback { module: module.clone(), round, model })),
        );
        let way = |place: usize| {
            Some(match hows.get(place)? {
                None => Way {
                    key: self.key(),
                    model: seat.model.clone(),
                    prompt: self.prompt(&looked_up.offered),
                },
                Some(Redelegation::Fallback { model, .. }) => {
                    let nth = place - 1;
                    let name = if nth == 1 { "fallback".to_owned() } else { format!("fallback-{nth}") };
                    Way {
                        key: self.key().child(name),
                        model: model.clone(),
                        prompt: self.prompt(&looked_up.offered),
                    }
                }
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
        let (module, round, panel) = (self.module.clone(), self.round, &self.brief.panel);
        if let Some(heir) = panel.heir(&module, lost).map(|seat| seat.module.clone()) {
            let at = panel.seats.iter().position(|seat| seat.module == heir).unwrap_or_default();
            let own = self.first.iter().find(|output| output.module == heir);
            let (prompts, notes) = (self.steps.prompts(), self.notes);
            let way = |place| {
                (place == 0).then(|| Way {
                    key: self.key().child(format!("by-{}", panel.step_of(&heir))),
                    model: self.brief.seats[at].model.clone(),
                    prompt: prompt::mediate::addendum(prompts, self.brief, &heir, &module, own, notes),
                })
            };
            let how = Redelegation::Heir { module: module.clone(), round, heir: heir.clone() };
            if let Ok(output) = self.ask(way, &[Some(how)], None).await? {
                return Ok(Some(output));
            }
        }
        let card = render::mediate::lost_card(&module, round, failure.sentence());
        self.steps.post(self.key().child("lost"), card).await?;
        let lost = Degraded::Redelegated(Redelegation::Lost { module, round });
        self.steps.note_degraded(self.key(), [lost]).await?;
        Ok(None)
    }

    fn prompt(&self, offered: &Offered) -> Prompt {
        let (prompts, brief, module) = (self.steps.prompts(), self.brief, self.module);
        match self.round {
            Round::Independent => prompt::mediate::independent(prompts, brief, module, offered, self.notes),
            Round::Revision => {
                let read = (self.first, self.reader_seed());
                prompt::mediate::revision(prompts, brief, module, read, offered, self.notes)
            }
        }
    }

    fn simpler(&self) -> Prompt {
        let (prompts, brief, seed) = (self.steps.prompts(), self.brief, self.reader_seed());
        prompt::mediate::simpler(prompts, brief, self.module, self.round, self.first, seed, self.notes)
    }

    /// Each reader gets the others in an order of its own.
    fn reader_seed(&self) -> u64 {
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
        let first = self.first.iter().find(|output| output.module == *self.module);
        let letters = prompt::mediate::lettered(self.module, self.first, self.reader_seed());
        let read = |reply: &Reply, _, place: usize| -> Result<ModuleOutput, ParseError> {
            let of = (self.module.clone(), self.round);
            // A simpler request shows no pages, so its reply can cite none.
            let simpler = matches!(hows[place], Some(Redelegation::Simpler { .. }));
            let looked_up = looked_up.filter(|_| !simpler);
            let nothing = Offered::default();
            let offered = looked_up.map_or(&nothing, |looked_up| &looked_up.offered);
            let output = if revises {
                let said = prompt::parse::<RevisionReply>(&reply.text)?;
                said.into_output(of, &letters, offered, &reply.answered)?
            } else {
                let said = prompt::parse::<ModuleReply>(&reply.text)?;
                said.into_output(of, offered, &reply.answered)?
            };
            let searched = looked_up.map(|looked_up| looked_up.searched);
            Ok(ModuleOutput { spoken_for_by: heir.cloned(), searched, ..output })
        };
        let cards = |output: &ModuleOutput, place: usize| {
            render::mediate::module_card(
                self.steps.session(),
                &self.key(),
                output,
                first,
                hows[place].as_ref(),
            )
        };
        let (output, place) = match self.steps.ask_ways(self.module.title(), way, read, cards).await? {
            Ok(said) => said,
            Err(failure) => return Ok(Err(failure)),
        };
        let how = hows[place].clone().map(Degraded::Redelegated);
        let citations = search::taken_out(self.brief).counted(output.dropped_citations);
        self.steps.note_degraded(self.key(), how.into_iter().chain(citations)).await?;
        Ok(Ok(output))
    }
}
