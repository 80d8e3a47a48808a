//! The turns of a round, from the requests to their cards: asked for, checked by code and by a judge, asked for once more
//! with what they broke; and of each the try that breaks less is kept as it is, with what it breaks on its card.

use super::{
    check::check_key,
    running::DebateRun,
    spoken::{KeptTurn, Taken, asks_nothing},
};
use crate::{
    prompt::{self, debate::Transcript},
    render,
    steps::{Answered, Failure, Question, Steps, Stop},
};

use domain::{
    Act, Citing, Debate, DebateTurn, Evidence, Mark, Missing, Offered, Piece, Searched, Seat, Slot, StepKey,
};

/// What a side said, and how it was told what it answers to.
pub(super) struct Said {
    pub(super) answered: Answered<DebateTurn>,
    transcript: Transcript,
}

/// A try at a turn, which can be kept if nothing better comes.
pub(super) struct Candidate {
    pub(super) said: Said,
    pub(super) marks: Vec<Mark>,
    /// No model could judge it.
    pub(super) unchecked: bool,
}

impl Candidate {
    fn declines(&self) -> bool {
        self.marks.contains(&Mark::Declined)
    }

    /// How much it breaks.
    fn weight(&self) -> u32 {
        self.marks.iter().map(Mark::weight).sum()
    }
}

/// What a turn is asked for with.
pub(super) struct Request {
    slot: Slot,
    /// As its side reads it.
    pub(super) debate: Debate,
    pub(super) pending: Vec<Evidence>,
    /// What it may cite.
    offered: Offered,
    /// What became of looking that up.
    searched: Option<Searched>,
}

/// A turn that was asked for, with the best that its side has said, or why there is nothing, as a sentence without its
/// full stop.
pub(super) struct Place {
    pub(super) request: Request,
    best: Result<Candidate, String>,
}

impl Place {
    /// The try that has to be made once more, if there is one.
    fn broken(&self) -> Option<&Candidate> {
        self.best.as_ref().ok().filter(|best| !best.marks.is_empty())
    }

    fn declines(&self) -> bool {
        self.best.as_ref().is_ok_and(Candidate::declines)
    }
}

impl DebateRun<'_> {
    /// Has sides take their turns at once and posts them in this order, or says in a turn's place why it is missing. What was
    /// kept in an earlier run is given back.
    pub(super) async fn round(&self, slots: &[Slot]) -> Result<Vec<Taken>, Stop> {
        let steps = self.steps;
        let brought = slots.iter().map(|slot| steps.evidence(slot.step().child("evidence")));
        let brought = steps.all(brought).await?;
        let mut outcomes = Vec::with_capacity(slots.len());
        for slot in slots {
            outcomes.push(steps.kept::<KeptTurn>(slot.step()).await?.map(Ok));
        }
        if outcomes.iter().any(Option::is_none) {
            // Turns that were judged together are replayed together, from the journal; others that are kept stay.
            let together = match slots {
                [_] => true,
                _ => steps.journal().output(&check_key(slots, 1)).await?.is_some(),
            };
            let open = |place: &usize| together || outcomes[*place].is_none();
            let open: Vec<usize> = (0..slots.len()).filter(open).collect();
            let asked: Vec<_> =
                open.iter().map(|place| (slots[*place], brought[*place].as_slice())).collect();
            for (place, outcome) in open.into_iter().zip(self.speak(&asked).await?) {
                outcomes[place] = Some(outcome);
            }
        }
        let mut taken = Vec::with_capacity(slots.len());
        for ((slot, evidence), outcome) in slots.iter().zip(brought).zip(outcomes) {
            let Some(outcome) = outcome else { continue };
            if let Ok(spoken) = &outcome {
                steps.note_degraded(slot.step(), spoken.degraded(self.brief)).await?;
            }
            taken.push(Taken { slot: *slot, evidence, outcome: outcome.map(|spoken| spoken.turn) });
        }
        Ok(taken)
    }

    /// Has turns spoken, and posts them one after another.
    async fn speak(&self, slots: &[(Slot, &[Evidence])]) -> Result<Vec<Result<KeptTurn, String>>, Stop> {
        // Once it is said, a turn is checked and posted whole: a pause is between turns.
        let finishing = self.steps.finishing();
        let asked = slots.iter().map(|(slot, evidence)| self.open(*slot, evidence));
        let asked = self.steps.all(asked).await?;
        let mut places = self.checked(&finishing, 1, asked).await?;
        self.mend(&finishing, &mut places).await?;
        self.stand_in(&finishing, &mut places).await?;
        let mut outcomes = Vec::with_capacity(places.len());
        for place in places {
            outcomes.push(self.post(&finishing, place).await?);
        }
        Ok(outcomes)
    }

    /// Asks for a turn for the first time, once what it needs is looked up.
    async fn open(&self, slot: Slot, evidence: &[Evidence]) -> Result<(Request, Result<Said, String>), Stop> {
        // There is nothing to ask about and nothing to rebut where the other side never spoke.
        let other = slot.side.other();
        let mute = matches!(slot.act, Act::Questions | Act::Rebuttal) && !self.has_spoken(other);
        let (found, searched) = if mute { (Vec::new(), None) } else { self.look_up(slot).await? };
        // A follow-up may be left out, so nothing is demanded of it that has to be seen.
        let pending = if slot.act == Act::FollowUp { vec![] } else { self.pending(slot.side, evidence) };
        let (read, sources) = self.debate.read_for(slot);
        let debate = Debate { evidence: evidence.to_vec(), ..read };
        let request = Request { slot, debate, pending, offered: sources.offering(found), searched };
        if mute {
            let why = format!("{} has said nothing that could be answered", other.name());
            return Ok((request, Err(why)));
        }
        let seat = self.brief.advocates.of(slot.side);
        let said = self.put(self.steps, (&request, seat), (1, Transcript::Full), None).await?;
        Ok((request, said.map_err(|failure| failure.sentence().to_owned())))
    }

    /// Has what breaks something asked for once more, and keeps what breaks less.
    async fn mend(&self, steps: &Steps, places: &mut [Place]) -> Result<(), Stop> {
        let again = places.iter().enumerate().filter_map(|(at, place)| Some((at, place, place.broken()?)));
        let again = again.map(|(at, place, first)| async move {
            let mend = Some((&first.said.answered.value, &first.marks[..]));
            let seat = self.brief.advocates.of(place.request.slot.side);
            let asked = (&place.request, seat);
            Ok((at, self.put(steps, asked, (2, first.said.transcript), mend).await?))
        });
        let again: Vec<(usize, Result<Said, Failure>)> = self.steps.all(again).await?;
        let said = again.into_iter().filter_map(|(at, said)| Some((at, said.ok()?))).collect();
        for (at, second) in self.judged(steps, 2, places, said).await? {
            let breaks_less = |first: &Candidate| !second.declines() && second.weight() < first.weight();
            if places[at].best.as_ref().is_ok_and(breaks_less) {
                places[at].best = Ok(second);
            }
        }
        Ok(())
    }

    /// Has a side whose model declines in so many words argued by one that may stand in for it, as if it had refused. A
    /// side whose models all decline says nothing.
    async fn stand_in(&self, steps: &Steps, places: &mut [Place]) -> Result<(), Stop> {
        let declined = places.iter().enumerate().filter(|(_, place)| place.declines());
        let asked = declined.filter_map(|(at, place)| {
            let seat = self.brief.advocates.of(place.request.slot.side);
            let (model, fallbacks) = seat.fallbacks.split_first()?;
            Some((at, place, Seat { model: model.clone(), fallbacks: fallbacks.to_vec() }))
        });
        let asked = asked.map(|(at, place, seat)| async move {
            let transcript = place.best.as_ref().map_or(Transcript::Full, |best| best.said.transcript);
            let mut said = self.put(steps, (&place.request, &seat), (3, transcript), None).await?;
            if let Ok(said) = &mut said {
                said.answered.stand_in.get_or_insert(seat.model);
            }
            Ok((at, said))
        });
        let said: Vec<(usize, Result<Said, Failure>)> = self.steps.all(asked).await?;
        let said = said.into_iter().filter_map(|(at, said)| Some((at, said.ok()?))).collect();
        for (at, last) in self.judged(steps, 3, places, said).await? {
            places[at].best = Ok(last);
        }
        for place in places.iter_mut().filter(|place| place.declines()) {
            place.best = Err(Mark::Declined.shown());
        }
        Ok(())
    }

    /// Keeps a turn and posts it, or says in its place why it is missing; gives what was kept, or that sentence.
    async fn post(&self, steps: &Steps, place: Place) -> Result<Result<KeptTurn, String>, Stop> {
        let Place { request: Request { slot, debate, offered, searched, .. }, best } = place;
        let Candidate { said, mut marks, unchecked } = match best {
            Ok(best) => best,
            Err(why) => return Ok(Err(self.missing(slot, why).await?)),
        };
        if said.transcript == Transcript::Condensed {
            marks.push(Mark::ReadInShort);
        }
        let Answered { value, stand_in } = said.answered;
        let turn = DebateTurn { marks, searched, ..value }.citing(&offered);
        let key = slot.step();
        let cards = if slot.act == Act::FollowUp && asks_nothing(&turn.body) {
            Vec::new()
        } else {
            render::debate::turn_cards(self.steps.session(), &key, &turn, &debate, stand_in.as_ref())
        };
        let spoken = KeptTurn { turn, stand_in, unchecked };
        Ok(Ok(steps.keep(key, &spoken, cards).await?))
    }

    /// Asks for a turn once. A side whose models cannot take in all it answers to is told it in short.
    async fn put(
        &self,
        steps: &Steps,
        (request, seat): (&Request, &Seat),
        (number, transcript): (u8, Transcript),
        mend: Option<(&DebateTurn, &[Mark])>,
    ) -> Result<Result<Said, Failure>, Stop> {
        let key = request.slot.step().child(format!("try-{number}"));
        if transcript == Transcript::Full {
            match self.say(steps, (request, seat), (key.clone(), transcript), mend).await? {
                // What opens a debate answers to nothing that could be shorter.
                Err(failure)
                    if failure.may_be_its_length()
                        && !matches!(request.slot.act, Act::Case | Act::Opening) => {}
                said => return Ok(said),
            }
        }
        self.say(steps, (request, seat), (key.child("short"), Transcript::Condensed), mend).await
    }

    async fn say(
        &self,
        steps: &Steps,
        (request, seat): (&Request, &Seat),
        (key, transcript): (StepKey, Transcript),
        mend: Option<(&DebateTurn, &[Mark])>,
    ) -> Result<Result<Said, Failure>, Stop> {
        let Request { slot, debate, pending, offered, .. } = request;
        let question = Question {
            key,
            who: slot.side.name().to_owned(),
            prompt: prompt::debate::turn(
                steps.prompts(),
                self.brief,
                (debate, transcript),
                *slot,
                (pending, offered),
                mend,
            ),
        };
        let read = |reply: &domain::Reply, _| {
            let mut turn = prompt::debate::read_turn(*slot, reply, offered)?;
            // What nobody has brought cannot be acknowledged: once somebody brings it, it would pass for taken up.
            let known = |number| debate.evidence.iter().any(|evidence| evidence.number == number);
            turn.acknowledged.retain(|said| known(said.evidence));
            Ok(turn)
        };
        let said = steps.ask_seat(seat, question, read, |_, _, _| Vec::new()).await?;
        Ok(said.map(|answered| Said { answered, transcript }))
    }

    /// The places of a round, with what the first tries break.
    async fn checked(
        &self,
        steps: &Steps,
        number: u8,
        asked: Vec<(Request, Result<Said, String>)>,
    ) -> Result<Vec<Place>, Stop> {
        let mut said = Vec::new();
        let mut places = Vec::with_capacity(asked.len());
        for (at, (request, outcome)) in asked.into_iter().enumerate() {
            let why = match outcome {
                Ok(outcome) => {
                    said.push((at, outcome));
                    String::new()
                }
                Err(why) => why,
            };
            places.push(Place { request, best: Err(why) });
        }
        for (at, first) in self.judged(steps, number, &places, said).await? {
            places[at].best = Ok(first);
        }
        Ok(places)
    }

    /// Says in its place why a turn is missing; gives that sentence.
    async fn missing(&self, slot: Slot, why: String) -> Result<String, Stop> {
        let key = slot.step().child("missing");
        let cards = render::debate::missing_card(self.steps.session(), &slot.step(), slot, &why);
        let missing = self.steps.keep(key.clone(), &Missing { slot, why }, cards).await?;
        self.steps.note_degraded(key, [Piece::Turn(slot).missing(Some(&missing.why))]).await?;
        Ok(missing.why)
    }
}
