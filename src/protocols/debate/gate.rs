//! Asking until an answer may be shown: what takes a side is asked for again with what it broke, twice at most, and
//! is then for the caller to withhold.

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    domain::{Prompt, Reply, Seat, StepKey, neutrality::Violation},
    prompt::{ParseError, debate::Transcript},
    steps::{Answered, Failure, Question, Steps, Stop},
};

/// Most times a question is put.
const TRIES: u8 = 3;

/// What an answer breaks.
#[derive(Default)]
pub(super) struct Broken {
    /// What must not be shown.
    pub(super) violations: Vec<Violation>,
    /// What is asked for again once, and then shown as it is: an order in the second person each.
    pub(super) minor: Vec<String>,
}

/// What came of asking.
pub(super) enum Gated<T> {
    /// It may be shown.
    Passed(Answered<T>),
    /// Every try took a side. The one that does in the fewest parts, with what it breaks.
    Biased(Answered<T>, Vec<Violation>),
    /// No model answered.
    Failed(Failure),
}

/// Whom to ask, and under which step; each try is one below it.
#[derive(Clone, Copy)]
pub(super) struct GatedAsk<'a> {
    pub(super) steps: &'a Steps,
    pub(super) seat: &'a Seat,
    pub(super) key: &'a StepKey,
    pub(super) who: &'a str,
}

impl GatedAsk<'_> {
    /// Asks until `check` finds nothing that must not be shown. `prompt` is given how to tell the record, the try
    /// before and what to mend. A model that cannot take in the whole record is told it in short; which it was is
    /// said with the answer.
    pub(super) async fn ask<T, P, R, C>(
        &self,
        prompt: P,
        read: R,
        check: C,
    ) -> Result<(Gated<T>, Transcript), Stop>
    where
        T: Serialize + DeserializeOwned,
        P: Fn(Transcript, Option<(&T, &[String])>) -> Prompt,
        R: Fn(&Reply) -> Result<T, ParseError>,
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
        R: Fn(&Reply) -> Result<T, ParseError>,
        C: Fn(&T) -> Broken,
    {
        let mut neutral: Option<Answered<T>> = None;
        let mut biased: Vec<(Answered<T>, Vec<Violation>)> = Vec::new();
        let mut last: Option<(bool, Vec<String>)> = None;
        for number in 1..=TRIES {
            let before = last.as_ref().and_then(|(was_neutral, told)| {
                let said = if *was_neutral { neutral.as_ref() } else { biased.last().map(|(said, _)| said) };
                Some((&said?.value, &told[..]))
            });
            let question = Question {
                key: key.child(format!("try-{number}")),
                who: self.who.to_owned(),
                prompt: prompt(before),
            };
            let asked =
                self.steps.ask_seat(self.seat, question, |reply, _| read(reply), |_, _, _| Vec::new());
            let said = match asked.await? {
                Ok(said) => said,
                // What an earlier try brought is better than nothing.
                Err(failure) if neutral.is_none() && biased.is_empty() => return Ok(Gated::Failed(failure)),
                Err(_) => break,
            };
            let Broken { violations, minor } = check(&said.value);
            if violations.is_empty() && (minor.is_empty() || number > 1) {
                return Ok(Gated::Passed(said));
            }
            let told = violations.iter().map(|violation| violation.told.clone()).chain(minor).collect();
            last = Some((violations.is_empty(), told));
            if violations.is_empty() {
                neutral = Some(said);
            } else {
                biased.push((said, violations));
            }
        }
        if let Some(said) = neutral {
            return Ok(Gated::Passed(said));
        }
        // Of tries that are equally one-sided the last, which was told most.
        biased.reverse();
        let (said, violations) = biased
            .into_iter()
            .min_by_key(|(_, violations)| parts(violations))
            .ok_or_else(|| Stop::Fail("The moderator was not asked.".to_owned()))?;
        Ok(Gated::Biased(said, violations))
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
