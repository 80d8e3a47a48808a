//! Small replies: what turns do, whether the moderator takes a side, and what was made clear.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::reply::{
    ParseError,
    words::{Cleaner, needed},
};
use domain::{Body, DebateTurn, Mark, Section, neutrality::SideTaken, shortened, written::number};

/// What the turns of a round do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConductReply {
    /// One entry for each turn.
    pub turns: Vec<TurnCheckReply>,
}

impl ConductReply {
    /// What each of the turns breaks of its phase's rules, in their order; one of which nothing is said is an error.
    pub fn into_marks(self, turns: &[&DebateTurn]) -> Result<Vec<Vec<Mark>>, ParseError> {
        let marks = (1..).zip(turns).map(|(number, turn)| {
            let of_it = self.turns.iter().find(|entry| entry.turn == number);
            Ok(of_it.cloned().ok_or(ParseError::Empty("turns"))?.into_marks(turn))
        });
        marks.collect()
    }
}

/// What a turn does: what it is about comes first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnCheckReply {
    /// Its number.
    #[serde(deserialize_with = "number")]
    pub turn: u32,
    /// What the turn is about, in a few words.
    #[schemars(length(max = 160))]
    pub what_it_is_about: String,
    /// Whether that bears on the proposition.
    pub on_topic: bool,
    /// Whether its author refuses to argue this side.
    pub declines: bool,
    /// Whether it answers the other side; asked where it may not yet.
    #[serde(default)]
    pub answers_other_side: bool,
    /// Which of its questions argue, from 1; asked where there are questions.
    #[serde(default)]
    pub arguing_questions: Vec<u8>,
}

impl TurnCheckReply {
    /// What the turn breaks of its phase's rules.
    #[must_use]
    pub fn into_marks(self, turn: &DebateTurn) -> Vec<Mark> {
        let mut marks = Vec::new();
        if self.declines {
            marks.push(Mark::Declined);
        }
        if !self.on_topic {
            let about = Cleaner::default().line(&self.what_it_is_about);
            let about = if about.is_empty() { "something else".to_owned() } else { about };
            marks.push(Mark::OffTopic(about));
        }
        if self.answers_other_side && turn.slot.act.is_early() {
            marks.push(Mark::RebutsTooEarly);
        }
        if let Body::Questions { questions } = &turn.body {
            let asked = 1..=u8::try_from(questions.len()).unwrap_or(u8::MAX);
            let arguing = asked.filter(|number| self.arguing_questions.contains(number));
            marks.extend(arguing.map(Mark::NoQuestion));
        }
        marks
    }
}

/// Whether the moderator takes a side, passage by passage.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NeutralityReply {
    /// One entry for each passage.
    pub passages: Vec<PassageReply>,
}

/// Whether a passage takes a side: the words before the verdict that rests on them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PassageReply {
    /// Its number.
    #[serde(deserialize_with = "number")]
    pub passage: u32,
    /// The words that take a side; empty if none do.
    pub words: String,
    /// Whether it takes a side.
    pub takes_a_side: bool,
}

impl NeutralityReply {
    /// The words that take a side, as far as they really stand in their passage, each once. A verdict without words and
    /// words without a verdict are contradictions, and say nothing.
    #[must_use]
    pub fn into_taken(self, passages: &[(Section, String)]) -> Vec<SideTaken> {
        let mut taken: Vec<SideTaken> = Vec::new();
        for PassageReply { passage, words, takes_a_side } in self.passages {
            let place = usize::try_from(passage).ok().and_then(|number| number.checked_sub(1));
            let Some((section, text)) = place.and_then(|place| passages.get(place)) else { continue };
            let words = shortened(&Cleaner::default().line(&words), MAX_WORDS_QUOTED);
            let found = SideTaken { section: *section, words: words.trim_end_matches('…').to_owned() };
            if takes_a_side && found.stands_in(text) && !taken.contains(&found) {
                taken.push(found);
            }
        }
        taken
    }
}

/// Most characters of what a judge quotes.
const MAX_WORDS_QUOTED: usize = 160;

/// What the moderator made clear.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClarificationReply {
    /// The answer.
    #[schemars(length(max = 700))]
    pub answer: String,
}

impl ClarificationReply {
    /// The answer; an empty one is an error.
    pub fn into_answer(self) -> Result<String, ParseError> {
        let answer = Cleaner::default().text(&self.answer);
        needed("answer", &answer)?;
        Ok(answer)
    }
}
