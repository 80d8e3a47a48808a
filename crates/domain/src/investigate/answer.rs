//! The answer of an investigation, and what may stand in it as a fact.

use serde::{Deserialize, Serialize};

use super::{Check, CheckedBy, Compared};
use crate::{Level, Provenance, Raised, Solution, equal_words};

/// How somebody knows what they say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceTag {
    /// Seen in what a tool or a page gave back.
    Observed,
    /// Follows from what was seen.
    Derived,
    /// Taken for granted.
    Assumed,
    /// A guess.
    Speculative,
}

impl EvidenceTag {
    /// As cards show it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Observed => "Observed",
            Self::Derived => "Derived",
            Self::Assumed => "Assumed",
            Self::Speculative => "Speculative",
        }
    }
}

/// On what a piece of evidence stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Basis {
    /// How it is known.
    pub tag: EvidenceTag,
    /// It was called observed or derived, and no call shows it.
    pub lowered: bool,
}

/// A piece of evidence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stated {
    /// What it says.
    pub text: String,
    /// On what it stands.
    pub basis: Basis,
    /// The calls that show it, from 1.
    pub calls: Vec<usize>,
}

impl Stated {
    /// Evidence held to the calls that gave something back: what was observed was observed in one of them.
    #[must_use]
    pub fn held_to(text: String, tag: EvidenceTag, calls: &[usize], answered: &[usize]) -> Self {
        let mut calls: Vec<usize> = calls.iter().copied().filter(|call| answered.contains(call)).collect();
        calls.sort_unstable();
        calls.dedup();
        let claims = matches!(tag, EvidenceTag::Observed | EvidenceTag::Derived);
        let lowered = claims && calls.is_empty();
        let tag = if lowered { EvidenceTag::Assumed } else { tag };
        Self { text, basis: Basis { tag, lowered }, calls }
    }
}

/// Another answer that was considered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rival {
    /// The answer in a few words.
    pub title: String,
    /// What speaks for it.
    pub description: String,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InvestigationAnswer {
    /// In a few words, for the vote.
    pub title: String,
    /// In two or three sentences.
    pub answer: String,
    /// Why, in Markdown.
    pub reasoning: String,
    /// How sure.
    pub confidence: Level,
    /// The strongest other answer, and why this one beats it.
    pub alternative: String,
    /// What would change it.
    pub would_change: String,
    /// What it stands on.
    pub evidence: Vec<Stated>,
    /// What is not resolved, and why.
    pub unresolved: Vec<String>,
    /// Other answers, for the vote.
    pub rivals: Vec<Rival>,
    /// The model that wrote it; `None`: nobody could, and it is the scouts' own.
    pub answered_by: Option<String>,
    /// Sentences that code left out, for they state as a fact what one scout alone says.
    pub left_out: Vec<String>,
    /// Citations the code took out.
    pub dropped_citations: u32,
}

impl InvestigationAnswer {
    /// The answer that most scouts give, where nobody writes one.
    #[must_use]
    pub fn of_scouts(compared: &Compared) -> Self {
        let mut groups = compared.answers.iter();
        let most = groups.next();
        let of = compared.scouts();
        let held = most.map_or(0, |group| group.scouts.len());
        let rivals = groups.map(|group| Rival {
            title: group.answer.clone(),
            description: format!("{} of {of} scouts answered this.", group.scouts.len()),
        });
        let answer = most.map(|group| group.answer.clone()).unwrap_or_default();
        Self {
            title: answer.clone(),
            answer,
            reasoning: format!("{held} of {of} scouts answered this; nobody summed it up."),
            confidence: if held * 2 > of { Level::Medium } else { Level::Low },
            alternative: String::new(),
            would_change: String::new(),
            evidence: Vec::new(),
            unresolved: Vec::new(),
            rivals: rivals.collect(),
            answered_by: None,
            left_out: Vec::new(),
            dropped_citations: 0,
        }
    }

    /// What is voted on: the answer and its rivals.
    #[must_use]
    pub fn solutions(&self, compared: &Compared) -> Vec<Solution> {
        // Whose answer it is follows from equal words only: whoever wrote it may have come to another than the scouts.
        let by = |title: &str| {
            let group = compared.answers.iter().find(|group| equal_words(&group.answer, title));
            group.into_iter().flat_map(|group| &group.scouts).map(|scout| scout.title()).collect::<Vec<_>>()
        };
        let own = Raised {
            title: self.title.clone(),
            description: self.answer.clone(),
            by: by(&self.title),
            provenance: Provenance::default(),
        };
        let rivals = self.rivals.iter().map(|rival| Raised {
            title: rival.title.clone(),
            description: rival.description.clone(),
            by: by(&rival.title),
            provenance: Provenance::default(),
        });
        Solution::merged(std::iter::once(own).chain(rivals))
    }

    /// The sentences that state as a fact what one scout alone says and nobody confirmed: those with a number that stands
    /// in such a claim only. Numbers are what code can be certain of; words are judged by a model.
    #[must_use]
    pub fn unconfirmed(&self, compared: &Compared, checks: &[Check], given: &str) -> Vec<String> {
        let lone = unconfirmed_numbers(compared, checks, given);
        let texts = [self.title.as_str(), self.answer.as_str(), self.reasoning.as_str()];
        let sentences = texts.iter().flat_map(|text| sentences(text));
        let stated = |sentence: &&str| numbers(sentence).iter().any(|number| lone.contains(number));
        sentences.filter(stated).map(|sentence| sentence.trim().to_owned()).collect()
    }

    /// The answer without these sentences, which it names. A title that goes becomes a plain one.
    #[must_use]
    pub fn without(mut self, sentences: &[String]) -> Self {
        let strip = |text: &mut String| {
            for sentence in sentences {
                text.replace(sentence.as_str(), "").trim().clone_into(text);
            }
        };
        strip(&mut self.title);
        strip(&mut self.answer);
        strip(&mut self.reasoning);
        if self.answer.is_empty() {
            "What the answer said rests on what one scout alone says, so it is not shown as an answer."
                .clone_into(&mut self.answer);
            self.confidence = Level::Low;
        }
        if self.title.is_empty() {
            "Nothing that is confirmed".clone_into(&mut self.title);
        }
        self.left_out = sentences.to_vec();
        self
    }
}

/// The numbers that only one scout's unconfirmed claims have; those of the question and of its document are given.
fn unconfirmed_numbers(compared: &Compared, checks: &[Check], given: &str) -> Vec<String> {
    let held = |claim: &str| checks.iter().any(|check| check.confirms(claim));
    let lone = compared.lone.iter().filter(|lone| !held(&lone.claim));
    let confirmed: Vec<String> = (compared.consensus.iter().map(|shared| shared.claim.as_str()))
        .chain(
            compared.answers.iter().filter(|group| group.scouts.len() > 1).map(|group| group.answer.as_str()),
        )
        .chain(compared.splits.iter().flat_map(|split| split.sides.iter().map(|side| side.position.as_str())))
        // What denies a claim says its numbers too.
        .chain(checks.iter().filter(|check| check.is_settled() && !check.denies()).flat_map(|check| {
            let printed = match &check.by {
                CheckedBy::Code { printed, .. } => printed.as_str(),
                CheckedBy::Pages | CheckedBy::Model(_) => "",
            };
            [check.why.as_str(), printed].into_iter().chain(check.holds())
        }))
        .chain([given])
        .flat_map(numbers)
        .collect();
    let mut alone: Vec<String> = lone.flat_map(|lone| numbers(&lone.claim)).collect();
    // A single digit stands in too much to say anything.
    alone.retain(|number| number.len() > 1 && !confirmed.contains(number));
    alone
}

/// The numbers of a text, without what groups their digits.
fn numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut number = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (place, &c) in chars.iter().enumerate() {
        let next_is_digit = chars.get(place + 1).is_some_and(char::is_ascii_digit);
        if c.is_ascii_digit() {
            number.push(c);
        } else if !number.is_empty() && next_is_digit && matches!(c, ',' | '.' | '\'' | '\u{a0}' | '\u{202f}')
        {
            // 84,000 and 84.000 are one number, and so are 1.5 and 1,5 however somebody writes them.
        } else if !number.is_empty() {
            found.push(std::mem::take(&mut number));
        }
    }
    if !number.is_empty() {
        found.push(number);
    }
    found
}

/// The sentences and lines of a text.
fn sentences(text: &str) -> Vec<&str> {
    use unicode_segmentation::UnicodeSegmentation as _;
    text.lines().flat_map(|line| line.unicode_sentences().collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckFinding, sample::investigate as sample};

    #[test]
    fn a_number_that_one_scout_alone_has_is_no_fact() {
        let compared = sample::compared();
        let answer = InvestigationAnswer {
            answer: "It costs 84,000 a year. A grant of 55.500 covers it. It takes 12 weeks.".into(),
            ..sample::written()
        };
        assert_eq!(
            answer.unconfirmed(&compared, &[], ""),
            ["It takes 12 weeks."],
            "the claim on the grant has no number"
        );
        let claim = "It takes 12 weeks.";
        for (checks, found) in [
            (vec![sample::check(claim, &[claim, "It does not"], CheckFinding::Holds(0))], 0),
            (vec![sample::check(claim, &[claim, "It does not"], CheckFinding::Unsettled)], 1),
            (vec![sample::check(claim, &[claim, "It does not"], CheckFinding::Holds(1))], 1),
        ] {
            assert_eq!(answer.unconfirmed(&compared, &checks, "").len(), found, "{checks:?}");
        }
        assert!(answer.unconfirmed(&compared, &[], "We have 12 weeks").is_empty(), "the question gives it");
        let without = answer.clone().without(&answer.unconfirmed(&compared, &[], ""));
        assert_eq!(without.answer, "It costs 84,000 a year. A grant of 55.500 covers it.");
        assert_eq!(without.left_out, ["It takes 12 weeks."]);
        let nothing = InvestigationAnswer { answer: "It takes 12 weeks.".into(), ..sample::written() };
        let without = nothing.clone().without(&nothing.unconfirmed(&compared, &[], ""));
        assert_eq!(without.confidence, Level::Low);
        assert!(without.answer.contains("one scout alone"));
    }

    #[test]
    fn an_answer_is_a_scouts_only_where_the_words_are() {
        let compared = sample::compared();
        let of = |title: &str| {
            let answer = InvestigationAnswer { title: title.into(), ..sample::written() };
            answer.solutions(&compared)[0].raised_by.clone()
        };
        assert_eq!(of("it costs 84,000 a year"), ["Scout 1", "Scout 2"]);
        assert!(of("It costs 36,000 a year").is_empty(), "most of them said something else");
    }

    #[test]
    fn numbers_are_read_however_they_are_grouped() {
        assert_eq!(numbers("84,000 € in 2027, 1.5 %; 7."), ["84000", "2027", "15", "7"]);
        assert!(numbers("none").is_empty());
    }

    #[test]
    fn what_was_observed_was_observed_in_a_call_that_answered() {
        let held = |tag, calls: &[usize]| {
            let stated = Stated::held_to("x".into(), tag, calls, &[1, 3]);
            (stated.basis.tag, stated.basis.lowered, stated.calls)
        };
        assert_eq!(held(EvidenceTag::Observed, &[3, 1, 3]), (EvidenceTag::Observed, false, vec![1, 3]));
        assert_eq!(held(EvidenceTag::Observed, &[2]), (EvidenceTag::Assumed, true, vec![]));
        assert_eq!(held(EvidenceTag::Derived, &[]), (EvidenceTag::Assumed, true, vec![]));
        assert_eq!(held(EvidenceTag::Speculative, &[]), (EvidenceTag::Speculative, false, vec![]));
    }
}
