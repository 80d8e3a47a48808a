//! A turn, from the request to its card: asked for, checked by code and by a judge, asked for once more with what
//! it broke; and the try that breaks less is kept as it is, with what it breaks on its card.

use super::{
    running::DebateRun,
    spoken::{KeptTurn, Taken, asks_nothing},
};
use crate::{
    prompt::{self, debate::Transcript},
    render,
    steps::{Answered, Failure, Question, Steps, Stop},
};
use futures::channel::oneshot::{Receiver, Sender};

use domain::{Act, Citing, Debate, DebateTurn, Evidence, Mark, Missing, Offered, Piece, Seat, Slot, StepKey};

/// A turn that can be kept if nothing better comes.
struct Candidate {
    said: Answered<DebateTurn>,
    /// How its side was told what it answers to.
    transcript: Transcript,
    marks: Vec<Mark>,
    /// No model could judge it.
    unchecked: bool,
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
struct Request<'a> {
    slot: Slot,
    /// As its side reads it.
    debate: &'a Debate,
    pending: &'a [Evidence],
    /// What it may cite.
    offered: &'a Offered,
}

impl DebateRun<'_> {
    /// Has a side take its turn and posts it, or says in its place why it is missing. What was kept in an earlier run
    /// is given back.
    /// Its card waits for that of the turn `before`; whoever waits for this one goes on when `done` is dropped.
    pub(super) async fn take(
        &self,
        slot: Slot,
        before: Option<Receiver<()>>,
        _done: Sender<()>,
    ) -> Result<Taken, Stop> {
        let key = slot.step();
        let evidence = self.steps.evidence(key.child("evidence")).await?;
        let spoken = match self.steps.kept::<KeptTurn>(key.clone()).await? {
            Some(spoken) => Ok(spoken),
            None => self.speak(slot, &evidence, before).await?,
        };
        if let Ok(spoken) = &spoken {
            self.steps.note_degraded(key, spoken.degraded(self.brief)).await?;
        }
        Ok(Taken { slot, evidence, outcome: spoken.map(|spoken| spoken.turn) })
    }

    async fn speak(
        &self,
        slot: Slot,
        evidence: &[Evidence],
        before: Option<Receiver<()>>,
    ) -> Result<Result<KeptTurn, String>, Stop> {
        // There is nothing to ask about and nothing to rebut where the other side never spoke.
        let other = slot.side.other();
        if matches!(slot.act, Act::Questions | Act::Rebuttal) && !self.has_spoken(other) {
            let why = format!("{} has said nothing that could be answered", other.name());
            return Ok(Err(self.missing(slot, why).await?));
        }
        // A follow-up may be left out, so nothing is demanded of it that has to be seen.
        let pending = if slot.act == Act::FollowUp { vec![] } else { self.pending(slot.side, evidence) };
        let (found, searched) = self.look_up(slot).await?;
        let (read, sources) = self.debate.read_for(slot);
        let debate = Debate { evidence: evidence.to_vec(), ..read };
        let offered = sources.offering(found);
        let request = Request { slot, debate: &debate, pending: &pending, offered: &offered };
        // Once it is said, a turn is checked and posted whole: a pause is between turns.
        let finishing = self.steps.finishing();
        let best = self.best(&request, &finishing).await?;
        if let Some(before) = before {
            // It is dropped without a word.
            let _ = before.await;
        }
        let Candidate { said: Answered { value, stand_in }, transcript, mut marks, unchecked } = match best {
            Ok(best) => best,
            Err(why) => return Ok(Err(self.missing(slot, why).await?)),
        };
        if transcript == Transcript::Condensed {
            marks.push(Mark::ReadInShort);
        }
        let turn = DebateTurn { marks, searched, ..value }.citing(&offered);
        let key = slot.step();
        let cards = if slot.act == Act::FollowUp && asks_nothing(&turn.body) {
            Vec::new()
        } else {
            render::debate::turn_cards(self.steps.session(), &key, &turn, &debate, stand_in.as_ref())
        };
        let spoken = KeptTurn { turn, stand_in, unchecked };
        Ok(Ok(finishing.keep(key, &spoken, cards).await?))
    }

    /// The first try, unless it breaks something and the second breaks less. A side whose models all decline,
    /// or of which none answers, says nothing.
    async fn best(
        &self,
        request: &Request<'_>,
        finishing: &Steps,
    ) -> Result<Result<Candidate, String>, Stop> {
        let seat = self.brief.advocates.of(request.slot.side);
        let (said, transcript) =
            match self.put(self.steps, (request, seat), (1, Transcript::Full), None).await? {
                Ok(first) => first,
                Err(failure) => return Ok(Err(failure.sentence().to_owned())),
            };
        let first = self.checked(finishing, request, 1, (said, transcript)).await?;
        if first.marks.is_empty() {
            return Ok(Ok(first));
        }
        let mend = Some((&first.said.value, &first.marks[..]));
        if let Ok(again) = self.put(finishing, (request, seat), (2, transcript), mend).await? {
            let second = self.checked(finishing, request, 2, again).await?;
            if !second.declines() && second.weight() < first.weight() {
                return Ok(Ok(second));
            }
        }
        if first.declines() { self.stand_in(request, transcript, finishing).await } else { Ok(Ok(first)) }
    }

    /// Has a side whose model declines in so many words argued by one that may stand in for it, as if it had refused.
    async fn stand_in(
        &self,
        request: &Request<'_>,
        transcript: Transcript,
        finishing: &Steps,
    ) -> Result<Result<Candidate, String>, Stop> {
        let declined = || Ok(Err(Mark::Declined.shown()));
        let seat = self.brief.advocates.of(request.slot.side);
        let Some((model, fallbacks)) = seat.fallbacks.split_first() else { return declined() };
        let seat = Seat { model: model.clone(), fallbacks: fallbacks.to_vec() };
        let Ok((mut said, transcript)) = self.put(finishing, (request, &seat), (3, transcript), None).await?
        else {
            return declined();
        };
        said.stand_in.get_or_insert(seat.model);
        let last = self.checked(finishing, request, 3, (said, transcript)).await?;
        if last.declines() { declined() } else { Ok(Ok(last)) }
    }

    /// Asks for a turn once. A side whose models cannot take in all it answers to is told it in short.
    async fn put(
        &self,
        steps: &Steps,
        (request, seat): (&Request<'_>, &Seat),
        (number, transcript): (u8, Transcript),
        mend: Option<(&DebateTurn, &[Mark])>,
    ) -> Result<Result<(Answered<DebateTurn>, Transcript), Failure>, Stop> {
        let key = request.slot.step().child(format!("try-{number}"));
        if transcript == Transcript::Full {
            match self.say(steps, (request, seat), (key.clone(), transcript), mend).await? {
                // What opens a debate answers to nothing that could be shorter.
                Err(failure)
                    if failure.may_be_its_length()
                        && !matches!(request.slot.act, Act::Case | Act::Opening) => {}
                said => return Ok(said.map(|said| (said, transcript))),
            }
        }
        let said =
            self.say(steps, (request, seat), (key.child("short"), Transcript::Condensed), mend).await?;
        Ok(said.map(|said| (said, Transcript::Condensed)))
    }

    async fn say(
        &self,
        steps: &Steps,
        (request, seat): (&Request<'_>, &Seat),
        (key, transcript): (StepKey, Transcript),
        mend: Option<(&DebateTurn, &[Mark])>,
    ) -> Result<Result<Answered<DebateTurn>, Failure>, Stop> {
        let (&Request { slot, debate, pending, offered }, brief) = (request, self.brief);
        let question = Question {
            key,
            who: slot.side.name().to_owned(),
            prompt: prompt::debate::turn(
                steps.prompts(),
                brief,
                (debate, transcript),
                slot,
                (pending, offered),
                mend,
            ),
        };
        let read = |reply: &domain::Reply, _| {
            let mut turn = prompt::debate::read_turn(slot, reply, offered)?;
            // What nobody has brought cannot be acknowledged: once somebody brings it, it would pass for taken up.
            let known = |number| debate.evidence.iter().any(|evidence| evidence.number == number);
            turn.acknowledged.retain(|said| known(said.evidence));
            Ok(turn)
        };
        steps.ask_seat(seat, question, read, |_, _, _| Vec::new()).await
    }

    /// What a try breaks: by the rules that code is certain of, and by the judgement of a cheap model.
    async fn checked(
        &self,
        steps: &Steps,
        request: &Request<'_>,
        number: u8,
        (said, transcript): (Answered<DebateTurn>, Transcript),
    ) -> Result<Candidate, Stop> {
        let mut marks = domain::breaks(&said.value, request.debate, request.pending, self.brief.effort);
        let mut unchecked = false;
        if !asks_nothing(&said.value.body) {
            match self
                .judged(steps, &request.slot.step().child(format!("check-{number}")), &said.value)
                .await?
            {
                Ok(judged) => {
                    for mark in judged {
                        if !marks.contains(&mark) {
                            marks.push(mark);
                        }
                    }
                }
                Err(_) => unchecked = true,
            }
        }
        Ok(Candidate { said, transcript, marks, unchecked })
    }

    /// Has a cheap model look whether a turn keeps to the proposition, argues its side and does no more than its phase
    /// allows. The debate goes on without it.
    async fn judged(
        &self,
        steps: &Steps,
        key: &StepKey,
        turn: &DebateTurn,
    ) -> Result<Result<Vec<Mark>, Failure>, Stop> {
        let Self { brief, debate, .. } = self;
        let question = Question {
            key: key.clone(),
            who: format!("Check of {}", turn.slot.side.name()),
            prompt: prompt::debate::turn_check(steps.prompts(), brief, &debate.proposition, turn),
        };
        let read = |reply: &domain::Reply, _| prompt::debate::read_turn_check(reply, turn);
        let asked = steps.ask_seat(&brief.checker, question, read, |_, _, _| Vec::new()).await?;
        Ok(asked.map(|answered| answered.value))
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
