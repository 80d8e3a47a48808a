//! What scouts find in a draft of the answer, and what becomes of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What somebody finds who checks the draft of an answer. Empty is an answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "draft_check")]
pub struct DraftCheck {
    /// The number that the draft's advice rests on most, and the next, each worked out again from what the question gives. An
    /// empty list if it rests on none.
    #[schemars(extend("items_asked" = "0-1 | 0-2 | 0-2", "words" = "0-50 | 0-110 | 0-160", "label" = "Sums"))]
    pub sums: Vec<Sum>,
    /// What else is wrong in it: a fact, a unit, a step that does not follow, a reading that does not mean what it says, a
    /// command that would do harm or not run. Empty if nothing.
    #[schemars(extend("items_asked" = "0-1 | 0-2 | 0-3", "words" = "0-50 | 0-90 | 0-160", "label" = "Wrong"))]
    pub wrong: Vec<DraftFault>,
    /// The one thing that you had found or that the calls found, that the draft has lost, and that whoever acts on it would
    /// miss; with the sentence that puts it in. Empty if there is none.
    #[schemars(extend("words" = "0-40 | 0-60 | 0-90", "label" = "Missing"))]
    pub missing: String,
}

impl DraftCheck {
    /// What it finds, each a text for whoever writes the answer: sums that do not hold first.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let sums = self.sums.iter().filter(|sum| !sum.holds);
        let sums = sums.map(|sum| format!("Does not hold: {} Worked out again: {}", sum.number, sum.again));
        let wrong = self.wrong.iter().filter(|wrong| !wrong.what.is_empty() || !wrong.right.is_empty());
        let missing = Some(&self.missing).filter(|text| !text.is_empty());
        sums.chain(wrong.map(|wrong| format!("Wrong: {} Right is: {}", wrong.what, wrong.right)))
            .chain(missing.map(|text| format!("Missing: {text}")))
            .collect()
    }
}

/// A fault of the draft.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnswerFault {
    /// From 1.
    pub number: u32,
    /// Who found it: `Scout 2`, `The record`.
    pub from: String,
    /// What it is.
    pub text: String,
}

/// A sum of the draft, worked out again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The number as the draft has it, and for what.
    #[schemars(extend("line" = true, "label" = "Number"))]
    pub number: String,
    /// The working and the result; whether what the draft concludes follows, and whether its plan does what the sum counts
    /// on.
    #[schemars(extend("label" = "Worked out again"))]
    pub again: String,
    /// Whether number and conclusion both hold.
    #[schemars(extend("label" = "Holds"))]
    pub holds: bool,
}

/// A fault in a draft.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftFault {
    /// What the draft says, and where.
    #[schemars(extend("line" = true, "label" = "Wrong"))]
    pub what: String,
    /// What is right, with its working, ready to be put in.
    #[schemars(extend("line" = true, "label" = "Right"))]
    pub right: String,
}
