//! Asking until an answer may be shown: what takes a side is asked for again with what it broke, twice at most. What
//! still breaks a rule of code is for the caller to withhold; what only the judge holds against it is shown, marked.

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    prompt::{self, ParseError, debate::Transcript},
    steps::{Answered, Failure, Question, Steps, Stop, Try},
};
use domain::{
    DebateBrief, Prompt, Proposition, Reply, Seat, Section, StepKey,
    neutrality::{Judgement, SideTaken, Violation},
};

/// Most times a question is put.
const TRIES: u8 = 3;

/// What is to be said of an answer.
#[derive(Default)]
pub(super) struct Broken {
    /// What must not be shown.
    pub(super) violations: Vec<Violation>,
    /// What is asked for again once, and then shown as it is: an order in the second person each.
    pub(super) minor: Vec<String>,
    /// What of it a judge is to look at; nothing where whoever speaks may have a side.
    pub(super) passages: Vec<(Section, String)>,
}

/// What came of asking.
pub(super) enum Gated<T> {
    /// It may be shown, with what the judge says of it.
    Passed(Answered<T>, Judgement),
    /// Every try broke a rule. The one that does in the fewest parts, with what it breaks.
    Biased(Answered<T>, Vec<Violation>, Judgement),
    /// No model answered.
    Failed(Failure),
}

/// An answer with all that was found in it.
struct Candidate<T> {
    said: Answered<T>,
    violations: Vec<Violation>,
    judgement: Judgement,
    told: Vec<String>,
}

impl<T> Candidate<T> {
    /// How much is wrong with it, the worst first.
    fn faults(&self) -> (usize, usize) {
        (parts(&self.violations), self.judgement.sections().len())
    }
}

/// Whom to ask, and under which step; each try is one below it.
#[derive(Clone, Copy)]
pub(super) struct GatedAsk<'a> {
    pub(super) steps: &'a Steps,
    pub(super) brief: &'a DebateBrief,
    pub(super) proposition: &'a Proposition,
    pub(super) seat: &'a Seat,
    pub(super) key: &'a StepKey,
    pub(super) who: &'a str,
}

impl GatedAsk<'_> {
    /// Asks until neither `check` nor the judge finds anything. `prompt` is given how to tell the record, the try before
    /// and what to mend. A model that cannot take in the whole record is told it in short; which it was is said with
    /// the answer.
    pub(super) async fn ask<T, P, R, C>(
        &self,
        prompt: P,
        read: R,
        check: C,
    ) -> Result<(Gated<T>, Transcript), Stop>
    where
        T: Serialize + DeserializeOwned,
        P: Fn(Transcript, Option<(&T, &[String])>) -> Prompt,
        R: Fn(&Reply, Try) -> Result<T, ParseError>,
        C: Fn(&T) -> Broken,
    {
        let gated = self.tries(self.key, |mend| prompt(Transcript::Full, mend), &read, &check).await?;
        match gated {
            Gated::Failed(failure) if failure.may_be_its_length() => {
                let key = self.key.child("short");
                let gated =
                    self.tries(&key, |mend| prompt(Transcript::Condensed, mend), &read, &check).await?;
                Ok((gated, Transcript::Condensed))
            }
            other => Ok((other, Transcript::Full)),
        }
    }

    async fn tries<T, P, R, C>(&self, key: &StepKey, prompt: P, read: R, check: C) -> Result<Gated<T>, Stop>
    where
        T: Serialize + DeserializeOwned,
        P: Fn(Option<(&T, &[String])>) -> Prompt,
        R: Fn(&Reply, Try) -> Result<T, ParseError>,
        C: Fn(&T) -> Broken,
    {
        let mut candidates: Vec<Candidate<T>> = Vec::new();
        let steps = self.steps.unseen();
        for number in 1..=TRIES {
            let before = candidates.last().map(|last| (&last.said.value, &last.told[..]));
            let question = Question {
                key: key.child(format!("try-{number}")),
                who: self.who.to_owned(),
                prompt: prompt(before),
            };
            let asked = steps.ask_seat(
                self.seat,
                question,
                |reply, attempt| read(reply, attempt),
                |_, _, _| Vec::new(),
            );
            let said = match asked.await? {
                Ok(said) => said,
                // What an earlier try brought is better than nothing.
                Err(failure) if candidates.is_empty() => return Ok(Gated::Failed(failure)),
                Err(_) => break,
            };
            let Broken { violations, minor, passages } = check(&said.value);
            let judgement = self.judge(&key.child(format!("judge-{number}")), &passages).await?;
            let told: Vec<String> = (violations.iter().map(|violation| violation.told.clone()))
                .chain(judgement.taken.iter().map(SideTaken::told))
                .chain(minor)
                .collect();
            let neutral = violations.is_empty() && judgement.taken.is_empty();
            let done = neutral && (told.is_empty() || number > 1);
            candidates.push(Candidate { said, violations, judgement, told });
            if done {
                break;
            }
        }
        // Of tries with equally many faults the last, which was told most.
        candidates.reverse();
        let best = candidates.into_iter().min_by_key(Candidate::faults);
        let best = best.ok_or_else(|| Stop::Fail("The moderator was not asked.".to_owned()))?;
        let Candidate { said, violations, judgement, .. } = best;
        Ok(if violations.is_empty() {
            Gated::Passed(said, judgement)
        } else {
            Gated::Biased(said, violations, judgement)
        })
    }

    /// Has a cheap model look whether passages of the moderator's take a side. What it finds makes the moderator try
    /// again; it withholds nothing.
    async fn judge(&self, key: &StepKey, passages: &[(Section, String)]) -> Result<Judgement, Stop> {
        if passages.is_empty() {
            return Ok(Judgement::default());
        }
        let Self { steps, brief, proposition, .. } = self;
        let question = Question {
            key: key.clone(),
            who: "Neutrality check".to_owned(),
            prompt: prompt::debate::neutrality(steps.prompts(), brief, proposition, passages),
        };
        let read = |reply: &Reply, _| prompt::debate::read_neutrality(reply, passages);
        // It quotes what may have to be withheld.
        let asked = steps.unseen().ask_seat(&brief.checker, question, read, |_, _, _| Vec::new()).await?;
        Ok(match asked {
            Ok(Answered { value: taken, .. }) => Judgement { taken, unasked: false },
            Err(_) => Judgement { taken: Vec::new(), unasked: true },
        })
    }
}

/// How many parts have something in them that must not be shown.
fn parts(violations: &[Violation]) -> usize {
    let mut parts: Vec<_> = violations.iter().map(|violation| violation.section).collect();
    parts.sort();
    parts.dedup();
    parts.len()
}

/// What to say for people of violations, each rule once.
pub(super) fn reasons(violations: &[Violation]) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    for violation in violations {
        if !reasons.contains(&violation.shown) {
            reasons.push(violation.shown.clone());
        }
    }
    reasons
}

/// A text of the moderator's that is no synthesis, for the judge.
pub(super) fn passage(text: &str) -> Vec<(Section, String)> {
    if text.trim().is_empty() { Vec::new() } else { vec![(Section::Summary, text.to_owned())] }
}
