//! A round of the modules: all speak at once, and a module that cannot is re-delegated, never silently
//! missing.

use crate::{
    domain::{
        ContextNote, MediateBrief, ModelName, ModuleName, ModuleOutput, Prompt, Redelegation, Round, StepKey,
    },
    prompt::{
        self,
        reply::{ModuleReply, RevisionReply},
    },
    render,
    steps::{Ask, Failure, Steps, Stop},
};

/// What was said in a round, and how gaps were filled.
pub(super) struct RoundOutputs {
    pub(super) outputs: Vec<ModuleOutput>,
    pub(super) redelegations: Vec<Redelegation>,
}

impl RoundOutputs {
    pub(super) fn and(mut self, later: Self) -> Self {
        self.outputs.extend(later.outputs);
        self.redelegations.extend(later.redelegations);
        self
    }
}

/// A module's place in a round: filled, and how if not by its own call; or empty, and why.
struct Place {
    output: Result<ModuleOutput, Failure>,
    redelegation: Option<Redelegation>,
}

/// What a place's calls have in common.
struct Seat<'a> {
    steps: &'a Steps,
    brief: &'a MediateBrief,
    at: usize,
    module: &'a ModuleName,
    round: Round,
    first: &'a [ModuleOutput],
    notes: &'a [ContextNote],
    seed: u64,
}

/// Has every module of the panel speak. `first` holds round 1's outputs in round 2 and is empty before.
pub(super) async fn speak(
    steps: &Steps,
    brief: &MediateBrief,
    round: Round,
    first: &[ModuleOutput],
    notes: &[ContextNote],
) -> Result<RoundOutputs, Stop> {
    let seed = steps.seed(&format!("round-{}/order", round.number()));
    let seats: Vec<Seat<'_>> = (brief.panel.seats.iter().enumerate())
        .map(|(at, seat)| Seat { steps, brief, at, module: &seat.module, round, first, notes, seed })
        .collect();
    let places = steps.all(seats.iter().map(Seat::fill)).await?;
    let lost: Vec<ModuleName> = (seats.iter().zip(&places))
        .filter(|(_, place)| place.output.is_err())
        .map(|(seat, _)| seat.module.clone())
        .collect();

    let mut spoken = RoundOutputs { outputs: Vec::new(), redelegations: Vec::new() };
    for (seat, mut place) in seats.iter().zip(places) {
        if let Err(failure) = &place.output {
            place = seat.hand_over(&lost, failure).await?;
        }
        spoken.redelegations.extend(place.redelegation);
        spoken.outputs.extend(place.output);
    }
    Ok(spoken)
}

impl Seat<'_> {
    fn key(&self) -> StepKey {
        StepKey::new(format!("round-{}/{}", self.round.number(), self.module))
    }

    fn model(&self) -> &ModelName {
        &self.brief.seats[self.at].model
    }

    /// The module's own call; failing that a shorter, simpler prompt; failing that another model.
    async fn fill(&self) -> Result<Place, Stop> {
        let (module, round) = (self.module.clone(), self.round);
        let own = self.ask(self.key(), self.model(), self.prompt(), None).await?;
        if own.output.is_ok() {
            return Ok(own);
        }
        let simpler = Redelegation::Simpler { module: module.clone(), round };
        let again =
            self.ask(self.key().child("simpler"), self.model(), self.simpler(), Some(simpler)).await?;
        if again.output.is_ok() {
            return Ok(again);
        }
        let Some(model) = self.brief.seats[self.at].fallbacks.first() else { return Ok(again) };
        let fallback = Redelegation::Fallback { module, round, model: model.clone() };
        self.ask(self.key().child("fallback"), model, self.prompt(), Some(fallback)).await
    }

    /// Gives a lost module's concerns to its nearest relative that has spoken; a card says what became of it.
    async fn hand_over(&self, lost: &[ModuleName], failure: &Failure) -> Result<Place, Stop> {
        let (module, round) = (self.module.clone(), self.round);
        if let Some(heir) = self.brief.panel.heir(&module, lost).map(|seat| seat.module.clone()) {
            let at = self.brief.panel.seats.iter().position(|seat| seat.module == heir).unwrap_or_default();
            let own = self.first.iter().find(|output| output.module == heir);
            let prompt =
                prompt::mediate::addendum(self.steps.prompts(), self.brief, &heir, &module, own, self.notes);
            let redelegation = Redelegation::Heir { module: module.clone(), round, heir: heir.clone() };
            let key = self.key().child(format!("by-{heir}"));
            let place = self.ask(key, &self.brief.seats[at].model, prompt, Some(redelegation)).await?;
            if place.output.is_ok() {
                return Ok(place);
            }
        }
        let card = render::mediate::lost_card(&module, round, failure.sentence());
        self.steps.post(self.key().child("lost"), card).await?;
        Ok(Place { output: Err(failure.clone()), redelegation: Some(Redelegation::Lost { module, round }) })
    }

    fn prompt(&self) -> Prompt {
        let (prompts, brief, module) = (self.steps.prompts(), self.brief, self.module);
        match self.round {
            Round::Independent => prompt::mediate::independent(prompts, brief, module, self.notes),
            Round::Revision => prompt::mediate::revision(
                prompts,
                brief,
                module,
                self.first,
                self.reader_seed(),
                self.notes,
                &[],
            ),
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

    async fn ask(
        &self,
        key: StepKey,
        model: &ModelName,
        prompt: Prompt,
        redelegation: Option<Redelegation>,
    ) -> Result<Place, Stop> {
        let ask = Ask { key, who: self.module.title().to_owned(), model: model.clone(), prompt };
        // An addendum has the form of a first analysis even in round 2.
        let revises =
            self.round == Round::Revision && !matches!(redelegation, Some(Redelegation::Heir { .. }));
        let first = self.first.iter().find(|output| output.module == *self.module);
        let output = self
            .steps
            .ask(
                ask,
                |reply, _| {
                    let (module, round) = (self.module.clone(), self.round);
                    if revises {
                        prompt::parse::<RevisionReply>(&reply.text)?.value.into_output(
                            module,
                            round,
                            &reply.answered,
                        )
                    } else {
                        prompt::parse::<ModuleReply>(&reply.text)?.value.into_output(
                            module,
                            round,
                            &reply.answered,
                        )
                    }
                },
                |outcome| match outcome {
                    Ok(output) => render::mediate::module_card(
                        self.steps.session(),
                        &self.key(),
                        output,
                        first,
                        redelegation.as_ref(),
                    ),
                    Err(_) => Vec::new(),
                },
            )
            .await?;
        let redelegation = redelegation.filter(|_| output.is_ok());
        Ok(Place { output, redelegation })
    }
}
