//! What somebody at the table says in a round: alone, and after reading the others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Flag, Redelegation, Round};
use crate::{ModuleName, Searched, Source, written::word};

/// What somebody at the table would do.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// What you would do, understandable alone; in round 2 in the same words as before if it is the same.
    #[schemars(extend("words" = "4-10", "line" = true, "label" = "Choice", "needed" = true))]
    pub option: String,
    /// The chance that it achieves what the team wants in the time that matters. Where the team does not say what that is,
    /// count: as well off as today or better, two years after the date by which it has to decide. In round 2 it counts the
    /// same thing.
    #[schemars(range(min = 0, max = 100), extend("label" = "Chance, of 100"))]
    pub success: u8,
    /// The one finding that would change your choice, and to what.
    #[schemars(extend("words" = "7-14", "line" = true, "label" = "Would change it"))]
    pub crux: String,
}

/// What somebody writes alone, in round 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "module_analysis")]
pub struct Alone {
    /// The kind of past case that this is, how such cases usually end, as a range, and why this one may differ. If you know
    /// of none, write "none known" and why.
    #[schemars(extend("words" = "30-50 | 50-80 | 80-140", "label" = "Past cases"))]
    pub reference: String,
    /// Markdown, short paragraphs or lists, no heading for the whole. What decides the matter first, with its sum, as a
    /// worked threshold in the team's own figures where they are not given. Then your way, with half of the words: who does
    /// what, its first step, the safety net while it runs, what each of those whom the problem names is offered, the stage
    /// that likely follows with its cost, the sign to turn back and what is done then. Last, in a sentence each, when
    /// another way would be right.
    #[schemars(extend("words" = "120-200 | 320-440 | 800-1300", "label" = "Analysis", "needed" = true))]
    pub analysis: String,
    /// Your choice, once you have written all that.
    #[schemars(extend("label" = "Position"))]
    pub position: Position,
    /// First the one thing that the team could lose for good, by acting now or by waiting, in whatever field, by which act
    /// or day, and who has to be asked or told before. Then only what must not be overlooked.
    #[schemars(extend("items_asked" = "1-3 | 1-4 | 1-6", "words" = "10-60 | 15-85 | 20-140", "label" = "Flags"))]
    pub flags: Vec<Flag>,
    /// What you would tell somebody who reads nothing else: the finding that decides, not the choice again.
    #[schemars(extend("words" = "12-20", "line" = true, "label" = "In short"))]
    pub summary: String,
}

/// What a challenge found of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Holding {
    /// It holds.
    Holds,
    /// It holds in part.
    InPart,
    /// It fails.
    Fails,
    /// It cannot be told.
    CannotTell,
}

/// An answer to a finding of somebody else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rejoinder {
    /// The letter of the analysis that has it.
    #[schemars(extend("words" = "1-1", "line" = true, "label" = "Of"))]
    pub of: String,
    /// The finding, with its figure, without the letter.
    #[schemars(extend("line" = true, "label" = "Finding"))]
    pub finding: String,
    /// Whether it holds.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Holding", extend("label" = "Verdict"))]
    pub verdict: Holding,
    /// The fact, the sum or the argument that decides it; a sum is written out.
    #[schemars(extend("label" = "Because"))]
    pub because: String,
    /// What changes in yours by it, or "nothing".
    #[schemars(extend("line" = true, "label" = "Effect"))]
    pub effect: String,
}

/// What somebody writes after reading the others, in round 2.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "module_revision")]
pub struct Challenge {
    /// The best case that your own round 1 is wrong, with a reason that nobody gave, carried through to what it would cost
    /// the team.
    #[schemars(extend("words" = "40-70 | 60-100 | 110-190", "label" = "Against itself"))]
    pub against: String,
    /// What of the others bears most on the choice, the strongest challenge to yours first.
    #[schemars(extend(
        "items_asked" = "1-2 | 1-4 | 2-4",
        "words" = "60-120 | 120-240 | 240-420",
        "label" = "Answers to the others"
    ))]
    pub responses: Vec<Rejoinder>,
    /// Your choice now.
    #[schemars(extend("label" = "Position"))]
    pub position: Position,
    /// Markdown: only what changed since round 1, what shows when two sides are put together, with the sums worked again,
    /// and what the likeliest way still lacks to be carried out. Empty if nothing did. Nothing that stood in round 1 or in
    /// `responses`.
    #[schemars(extend("words" = "0-100 | 0-220 | 0-600", "label" = "What changed"))]
    pub analysis: String,
    /// Your flags as they stand now, whole, first again what could be lost for good; those of round 1 that no longer hold
    /// are left out.
    #[schemars(extend("items_asked" = "1-3 | 1-4 | 1-6", "words" = "10-60 | 15-85 | 20-140", "label" = "Flags"))]
    pub flags: Vec<Flag>,
    /// What you would tell somebody now who reads nothing else.
    #[schemars(extend("words" = "8-15", "line" = true, "label" = "In short", "needed" = true))]
    pub summary: String,
    /// What moved you: the fact, sum or argument, in a sentence without the numbers of the chances; null if your choice and its chance stand.
    #[schemars(extend("words" = "6-12", "line" = true, "label" = "What moved"))]
    pub revised: Option<String>,
}

/// What a module said in a round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModuleOutput {
    /// The module that spoke.
    pub module: ModuleName,
    /// The round in which it spoke.
    pub round: Round,
    /// What it said.
    pub said: Spoken,
    /// What it cites, by the numbers of its marks from 1; none once they stand on the session's list.
    pub sources: Vec<Source>,
    /// What became of searching for it; `None` where nothing was looked up for it.
    pub searched: Option<Searched>,
    /// How its place was filled, if not as planned.
    pub filled: Option<Redelegation>,
    /// Who spoke for the module where it could not itself.
    pub spoken_for_by: Option<ModuleName>,
    /// The model the provider says answered.
    pub answered_by: String,
    /// Sources and citations the code took out because there is no source of theirs.
    pub dropped_citations: u32,
}

/// What somebody at the table says, by its form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spoken {
    /// Alone with the problem.
    Alone(Alone),
    /// After reading the others.
    Challenge(Challenge),
}

impl ModuleOutput {
    /// Whose view it is, and who spoke for it: `Risk`, `Risk, spoken for by Cost`.
    #[must_use]
    pub fn heading(&self) -> String {
        let by = self.spoken_for_by.as_ref().map(|by| format!(", spoken for by {}", by.title()));
        format!("{}{}", self.module.title(), by.unwrap_or_default())
    }

    /// The finding in a sentence or two.
    #[must_use]
    pub fn summary(&self) -> &str {
        match &self.said {
            Spoken::Alone(alone) => &alone.summary,
            Spoken::Challenge(challenge) => &challenge.summary,
        }
    }

    /// The analysis of round 1; in round 2 what changed in it.
    #[must_use]
    pub fn analysis(&self) -> &str {
        match &self.said {
            Spoken::Alone(alone) => &alone.analysis,
            Spoken::Challenge(challenge) => &challenge.analysis,
        }
    }

    /// What not to overlook.
    #[must_use]
    pub fn flags(&self) -> &[Flag] {
        match &self.said {
            Spoken::Alone(alone) => &alone.flags,
            Spoken::Challenge(challenge) => &challenge.flags,
        }
    }

    /// What it would do.
    #[must_use]
    pub fn position(&self) -> &Position {
        match &self.said {
            Spoken::Alone(alone) => &alone.position,
            Spoken::Challenge(challenge) => &challenge.position,
        }
    }

    /// In round 2: that it moved, and why.
    #[must_use]
    pub fn revised(&self) -> Option<&str> {
        match &self.said {
            Spoken::Alone(_) => None,
            Spoken::Challenge(challenge) => challenge.revised.as_deref(),
        }
    }
}
