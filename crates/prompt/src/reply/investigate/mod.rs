//! What models write in an investigation.

mod action;
mod answer;
mod compared;

pub use action::ActionReply;
pub use answer::{AnswerBounds, read_answer};
pub use compared::ComparedReply;
use forms::Asked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    words::{Cleaner, is_said, needed},
};
use domain::{CheckFinding, Critic, Level, Opening, ScoutAnswer, ScoutId, replace_word};

/// A scout's answer: the reasoning before what follows from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "scout_answer")]
pub struct ScoutReply {
    /// The question as you understand it, in one sentence.
    #[schemars(extend("words" = "5-25", "line" = true, "label" = "The question as it understood it"))]
    pub understood: String,
    /// Markdown: how you come to the answer, with the numbers worked.
    #[schemars(extend("words" = "60-150 | 200-350 | 500-900", "label" = "Why"))]
    pub reasoning: String,
    /// The answer in two sentences, without hedging words; if it cannot be told, that, and what would tell.
    #[schemars(extend("words" = "10-35 | 15-45 | 20-60", "label" = "Answer", "needed" = true))]
    pub answer: String,
    /// Sentences on which the answer rests. Each stands alone, says one thing, and could be checked: with its number, unit, date
    /// or name. What could part it from the strongest other answer counts too.
    #[schemars(extend(
        "items_asked" = "2-4 | 3-6 | 4-8",
        "words" = "20-90 | 30-130 | 40-200",
        "line" = true,
        "label" = "It rests on"
    ))]
    pub key_claims: Vec<String>,
    /// low, medium or high: how often you would be right with answers that you are as sure of.
    pub confidence: Level,
}

/// A scout's answer as it is kept, citations taken out and counted; one that says nothing is an error.
pub fn read_scout(
    text: &str,
    (asked, first): (&Asked, bool),
    scout: ScoutId,
    answered_by: &str,
) -> Result<ScoutAnswer, ParseError> {
    let read = forms::read::<ScoutReply>(text, asked, 0, first)?;
    let ScoutReply { understood, reasoning, answer, key_claims, confidence } = read.said;
    let mut claims: Vec<String> = Vec::new();
    for claim in key_claims {
        if !claims.iter().any(|earlier| earlier.eq_ignore_ascii_case(&claim)) {
            claims.push(claim);
        }
    }
    Ok(ScoutAnswer {
        scout,
        understood,
        reasoning,
        answer,
        claims,
        confidence,
        answered_by: answered_by.to_owned(),
        dropped_citations: read.dropped,
        stand_in: None,
    })
}

/// How to check a matter, and what is known of it without.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckReply {
    /// A program that settles it.
    #[schemars(length(max = 2000))]
    pub code: String,
    /// What to look up.
    #[schemars(length(max = 200))]
    pub query: String,
    /// What decides it.
    #[schemars(length(max = 300))]
    pub why: String,
    /// Which position holds: its label, `none` or `unsettled`.
    pub holds: String,
}

/// What a check showed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckedReply {
    /// What decides it.
    #[schemars(length(max = 300))]
    pub why: String,
    /// Which position holds: its label, `none` or `unsettled`.
    pub holds: String,
}

/// How a position is labelled, from 1: by nothing that could be a word of a sentence.
pub(crate) fn position_id(number: usize) -> String {
    format!("position-{number}")
}

/// What was found, of so many positions, by the label or the word for it.
pub fn finding(holds: &str, positions: usize) -> Result<CheckFinding, ParseError> {
    let word = holds.trim().trim_matches(['"', '.', ':']).to_lowercase();
    let number = word.strip_prefix("position").unwrap_or(&word).trim_start_matches(['-', ' ', '_']).parse();
    match (word.as_str(), number) {
        ("none" | "neither", _) => Ok(CheckFinding::None),
        ("unsettled" | "", _) => Ok(CheckFinding::Unsettled),
        (_, Ok(number)) if (1..=positions).contains(&number) => Ok(CheckFinding::Holds(number - 1)),
        _ => Err(ParseError::Shape(format!(
            "`holds` is {holds:?} and neither one of the labels nor none nor unsettled"
        ))),
    }
}

/// A reason as people read it: they see no labels, so what each stands for is in its place.
#[must_use]
pub fn without_labels(why: &str, positions: &[String]) -> String {
    let said = |why: String, (number, position): (usize, &String)| {
        let label = position_id(number);
        let words = format!("“{}”", position.trim_end_matches('.'));
        let spellings = [label.clone(), label.replace('-', " ")];
        let spellings = spellings.iter().flat_map(|label| [label.clone(), label.replacen('p', "P", 1)]);
        spellings.fold(why, |why, label| replace_word(&why, &label, &words))
    };
    (1..).zip(positions).fold(why.to_owned(), said)
}

/// A program without the fence that somebody put around it. What it says in backticks of its own stays.
pub(super) fn program(text: &str) -> String {
    let text = text.trim();
    let Some(fenced) = text.strip_prefix("```") else {
        return text.to_owned();
    };
    let code = match fenced.split_once('\n') {
        Some((language, code)) if language.trim().chars().all(char::is_alphanumeric) => code,
        _ => fenced,
    };
    code.trim_end_matches("```").trim().to_owned()
}

impl CheckReply {
    /// It without what no reader needs. Reasons are needed only where it decides at once. Where nothing is searched, whatever it
    /// would look up is no plan, and what it says of the matter counts.
    pub fn checked(self, positions: usize, searching: bool) -> Result<Self, ParseError> {
        let mut clean = Cleaner::default();
        let code = program(&self.code);
        let query = if searching { clean.line(&self.query) } else { String::new() };
        let why = clean.line(&self.why);
        if !is_said(&[&code, &query]) {
            needed("why", &why)?;
            finding(&self.holds, positions)?;
        }
        Ok(Self { code, query, why, holds: self.holds })
    }
}

impl CheckedReply {
    /// What it found, why, and how many citations went; marks stay for so many pages.
    pub fn into_finding(
        self,
        positions: usize,
        offered: usize,
    ) -> Result<(CheckFinding, String, u32), ParseError> {
        let mut clean = Cleaner::offering(offered);
        let why = clean.line(&self.why);
        needed("why", &why)?;
        Ok((finding(&self.holds, positions)?, why, clean.dropped))
    }
}

/// How to begin, without what no reader needs; one that restates nothing is an error.
pub fn opening(mut said: Opening) -> Result<Opening, ParseError> {
    Cleaner::default().one_line([&mut said.restated, &mut said.first]);
    needed("restated", &said.restated)?;
    let mut critics: Vec<Critic> = Vec::new();
    for critic in said.critics {
        if !critics.contains(&critic) {
            critics.push(critic);
        }
    }
    Ok(Opening { critics, ..said })
}

/// What a model says to the investigator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidReply {
    /// Its answer.
    #[schemars(length(max = 1300))]
    pub answer: String,
}

impl SaidReply {
    /// The answer; one that says nothing is an error.
    pub fn checked(self) -> Result<String, ParseError> {
        let answer = Cleaner::default().text(&self.answer);
        needed("answer", &answer)?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_the_label_of_a_position_or_a_word() {
        for (word, found) in [
            ("position-1", CheckFinding::Holds(0)),
            (" Position 2.", CheckFinding::Holds(1)),
            ("2", CheckFinding::Holds(1)),
            ("none", CheckFinding::None),
            ("Unsettled", CheckFinding::Unsettled),
            ("", CheckFinding::Unsettled),
        ] {
            assert_eq!(finding(word, 2), Ok(found), "{word}");
        }
        for word in ["position-3", "position-0", "AB", "both", "A", "position-1 and 2"] {
            assert!(finding(word, 2).is_err(), "{word}");
        }
    }

    #[test]
    fn nobody_reads_a_label_that_a_model_was_shown() {
        let positions = ["84,000.".to_owned(), "48,000".to_owned()];
        let why = "Position-1 holds: a year has twelve months; position 2 leaves some out.";
        let told = "“84,000” holds: a year has twelve months; “48,000” leaves some out.";
        assert_eq!(without_labels(why, &positions), told);
        assert_eq!(
            without_labels("Position 12, superposition-1.", &positions),
            "Position 12, superposition-1."
        );
    }

    #[test]
    fn a_check_that_decides_at_once_has_a_reason() {
        let of = |code: &str, why: &str, holds: &str| {
            CheckReply { code: code.into(), query: String::new(), why: why.into(), holds: holds.into() }
                .checked(2, true)
        };
        let query = |searching| {
            CheckReply {
                code: String::new(),
                query: "rents".into(),
                why: String::new(),
                holds: "position-1".into(),
            }
            .checked(2, searching)
        };
        assert_eq!(query(true).unwrap().query, "rents");
        assert_eq!(query(false), Err(ParseError::Empty("why")), "nothing is looked up, so it decides");
        assert_eq!(of("", "", "1"), Err(ParseError::Empty("why")));
        assert!(of("", "It is so.", "Z").is_err());
        assert_eq!(of("```js\n6 * 7\n```", "", "").unwrap().code, "6 * 7");
    }

    #[test]
    fn a_program_loses_its_fence_and_no_backtick_of_its_own() {
        for (said, code) in [
            ("`${6 * 7}`", "`${6 * 7}`"),
            ("```javascript\n`${6 * 7}`\n```", "`${6 * 7}`"),
            (" ```\n6 * 7\n```\n", "6 * 7"),
            ("```6 * 7```", "6 * 7"),
            ("```js\n6 * 7", "6 * 7"),
        ] {
            assert_eq!(program(said), code, "{said}");
        }
    }

    #[test]
    fn a_scouts_answer_cites_nothing_and_says_something() {
        let reply = r#"{"understood":"What it is","reasoning":"As a study [1] says.","answer":"42 [2].","key_claims":["It is 42","it is 42"," "],"confidence":"high"}"#;
        let asked = Asked::at(domain::Effort::Brief);
        let answer = read_scout(reply, (&asked, true), ScoutId(1), "m").unwrap();
        assert_eq!((answer.answer.as_str(), answer.dropped_citations), ("42.", 2));
        assert_eq!(answer.claims, ["It is 42"]);
    }
}
