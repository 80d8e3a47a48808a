//! What is said in a critique: by members, by whoever compares their claims, and by whoever writes the review.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Severity,
    written::{any_case, word},
};

/// Something wrong or missing, as a member writes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidClaim {
    /// The words it rests on, 5 to 30 in one piece, copied letter by letter; two pieces if it rests on two places. For
    /// something missing, the words beside which it should stand.
    #[schemars(extend("items_asked" = "1-2", "verbatim" = true, "label" = "On"))]
    pub quotes: Vec<String>,
    /// What is wrong or missing, why, and what follows from it. Whoever reads only this knows what is meant: it says in its
    /// own words what the passage says.
    #[schemars(extend("line" = true, "label" = "Claim"))]
    pub claim: String,
    /// low: a blemish. medium: weakens a part. high: a main point does not hold. critical: the text fails in its purpose, or
    /// whoever acts on it comes to harm.
    #[serde(deserialize_with = "any_case")]
    #[schemars(with = "Severity", extend("label" = "Severity"))]
    pub severity: Severity,
    /// How sure it is that the claim holds, of 100: 90 where the words alone show it, 60 where another reading is possible.
    #[schemars(range(min = 1, max = 99), extend("label" = "Sure, of 100"))]
    pub confidence: u8,
    /// What a closer look at the text could settle or find, in a few words; empty where nothing is gained by it.
    #[serde(default)]
    #[schemars(extend("line" = true, "when" = "deeper"))]
    pub closer: String,
    /// Where to look closer: one or two passages of 5 to 20 words, copied letter by letter.
    #[serde(default)]
    #[schemars(extend("items_asked" = "0-2", "verbatim" = true, "when" = "deeper"))]
    pub closer_at: Vec<String>,
}

/// A fault that every careful reader sees, in a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlainClaim {
    /// The words it rests on, copied letter by letter.
    #[schemars(extend("verbatim" = true, "label" = "On"))]
    pub quote: String,
    /// The fault, in one sentence that stands by itself.
    #[schemars(extend("line" = true, "label" = "Claim"))]
    pub claim: String,
    /// As for claims.
    #[serde(deserialize_with = "any_case")]
    #[schemars(with = "Severity", extend("label" = "Severity"))]
    pub severity: Severity,
    /// As for claims.
    #[schemars(range(min = 1, max = 99), extend("label" = "Sure, of 100"))]
    pub confidence: u8,
}

/// A passage that holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidToHold {
    /// Its first 5 to 20 words, copied letter by letter.
    #[schemars(extend("verbatim" = true, "label" = "On"))]
    pub quote: String,
    /// What the method tried on it, and why it holds; no praise.
    #[schemars(extend("line" = true, "label" = "Holds"))]
    pub why: String,
}

/// What a member says of a section, or of the whole text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "critique_look")]
pub struct SaidLook {
    /// What the text sets out to show or settle, and what that hangs on.
    #[schemars(extend("words" = "10-30 | 15-50 | 30-90", "label" = "Reading"))]
    pub reading: String,
    /// What is wrong or missing, the weightiest first. At least half of them are faults that your method is likely to see and
    /// other readers are not. An empty list is a fair answer.
    #[schemars(extend("items_asked" = "0-4 | 0-6 | 0-8", "words" = "0-500 | 0-900 | 0-2000", "label" = "Claims"))]
    pub claims: Vec<SaidClaim>,
    /// What is wrong and every careful reader sees as well: named in a line each, so that it is not lost, and without taking a
    /// claim's place. Nothing that stands among the claims.
    #[serde(default)]
    #[schemars(extend("items_asked" = "0-3 | 0-3 | 0-6", "words" = "0-90 | 0-120 | 0-240", "label" = "Plain faults"))]
    pub plain: Vec<PlainClaim>,
    /// The passages that hold up best under your method.
    #[serde(default)]
    #[schemars(extend("items_asked" = "0-2", "words" = "0-60 | 0-90 | 0-140", "label" = "What holds up"))]
    pub holds_up: Vec<SaidToHold>,
    /// What another section could contradict: numbers, dates, sums, names, duties and promises, one a line with what it is
    /// of, copied exactly.
    #[serde(default)]
    #[schemars(extend(
        "items_asked" = "0-40", "words" = "0-300 | 0-400 | 0-600", "verbatim" = true, "when" = "sections"
    ))]
    pub stated: Vec<String>,
}

/// What a closer look makes of the claim that was looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// It does not hold.
    Refuted,
    /// It holds less.
    Weaker,
    /// Nothing.
    #[default]
    Nothing,
    /// It holds more.
    Stronger,
    /// It is borne out.
    BorneOut,
}

impl Effect {
    /// −1 to 1.
    #[must_use]
    pub fn share(self) -> f64 {
        match self {
            Self::Refuted => -1.0,
            Self::Weaker => -0.5,
            Self::Nothing => 0.0,
            Self::Stronger => 0.5,
            Self::BorneOut => 1.0,
        }
    }
}

/// What a closer look found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "critique_closer")]
pub struct SaidCloser {
    /// What the passages say on the matter, and whether it carries the claim.
    #[schemars(extend("words" = "15-40 | 20-60 | 30-110", "line" = true, "label" = "Looked at"))]
    pub reading: String,
    /// What the look makes of the claim. refuted: it does not hold. weaker: it holds, but milder or in part;
    /// restated to what holds, it stays as sure as it was. nothing: no change. stronger: more speaks for it. `borne_out`: the passages show it.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Effect", extend("label" = "Effect"))]
    pub effect: Effect,
    /// The claim as it should read after this look, whole and understood by itself; null if its words stand.
    #[schemars(extend("words" = "0-50 | 0-90 | 0-150", "line" = true, "label" = "Restated"))]
    pub restated: Option<String>,
    /// Further faults that only the closer look shows. Usually none.
    #[schemars(extend("items_asked" = "0-2 | 0-2 | 0-3", "words" = "0-200 | 0-300 | 0-600", "label" = "Claims"))]
    pub claims: Vec<SaidClaim>,
}

/// A change of one of a member's own claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidAdjustment {
    /// The number of your claim, such as #4.
    #[schemars(extend("line" = true, "label" = "Claim"))]
    pub claim: String,
    /// The fact or argument that moves you, in a sentence.
    #[schemars(extend("line" = true, "label" = "Because"))]
    pub reasoning: String,
    /// How sure it is now, of 100.
    #[schemars(range(min = 1, max = 99), extend("label" = "Sure now, of 100"))]
    pub confidence: u8,
    /// How grave it is now: as it was, or lower.
    #[serde(deserialize_with = "any_case")]
    #[schemars(with = "Severity", extend("label" = "Severity now"))]
    pub severity: Severity,
    /// The claim narrowed to what holds, whole and understood by itself; null if its words stand.
    #[schemars(extend("line" = true, "label" = "Narrowed"))]
    pub restated: Option<String>,
}

/// Two claims that say the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidSame {
    /// The number of your claim.
    #[schemars(extend("line" = true))]
    pub own: String,
    /// The number of the claim that says the same.
    #[schemars(extend("line" = true))]
    pub other: String,
}

/// Two claims that cannot both hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidOpposed {
    /// The number of your claim.
    #[schemars(extend("line" = true))]
    pub own: String,
    /// The number of the other's.
    #[schemars(extend("line" = true))]
    pub other: String,
    /// Why both cannot be so.
    #[schemars(extend("line" = true, "label" = "Why"))]
    pub why: String,
    /// What would settle it.
    #[schemars(extend("line" = true, "label" = "Settled by"))]
    pub settles: String,
}

/// What a member says of its own claims beside the others'.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "critique_self")]
pub struct SaidOfItself {
    /// Where your own claims show the habit of your method, overstate, or rest on a reading that the others' show to be wrong;
    /// if nowhere, say so. Name claims by what they say.
    #[schemars(extend("words" = "15-50 | 25-80 | 50-160", "line" = true, "label" = "Of itself", "needed" = true))]
    pub reflection: String,
    /// Your claims that change, as many as need it.
    #[schemars(extend("items_asked" = "0-6 | 0-8 | 0-12", "words" = "0-250 | 0-450 | 0-900", "label" = "Changed"))]
    pub adjustments: Vec<SaidAdjustment>,
    /// Each claim of another reader that says the same as one of yours, and each two of your own that say the same: all such
    /// pairs.
    #[schemars(extend("items_asked" = "0-40", "words" = "0-80"))]
    pub same: Vec<SaidSame>,
    /// Claims of others that cannot hold together with one of yours.
    #[schemars(extend("items_asked" = "0-3", "words" = "0-120 | 0-160 | 0-240", "label" = "Cannot both hold"))]
    pub contradictions: Vec<SaidOpposed>,
    /// What is wrong or missing and no claim of anybody says.
    #[schemars(extend("items_asked" = "0-2 | 0-3 | 0-4", "words" = "0-120 | 0-220 | 0-400", "label" = "Missed"))]
    pub missed: Vec<PlainClaim>,
}

/// Claims that say the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidGroup {
    /// The one fault that all of them name, in at most twelve words.
    #[schemars(extend("line" = true))]
    pub fault: String,
    /// Their numbers, two or more.
    #[schemars(extend("items_asked" = "2-12", "line" = true))]
    pub claims: Vec<String>,
}

/// Which claims say the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "critique_same")]
pub struct SaidToBeSame {
    /// Every group of two or more. What says the same as nothing else stands in none.
    #[schemars(extend("items_asked" = "0-60", "words" = "0-500 | 0-700 | 0-1000"))]
    pub groups: Vec<SaidGroup>,
}

/// A finding as the review tells it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidFinding {
    /// The label of the group, such as G3.
    #[schemars(extend("line" = true))]
    pub group: String,
    /// The labels of other groups that tell this same fault, though they were not put together: they are told here and not
    /// again. Usually none.
    #[serde(default)]
    #[schemars(extend("items_asked" = "0-6", "line" = true))]
    pub also: Vec<String>,
    /// The numbers of those of its claims that name another fault than the rest, and so stand apart. Usually none.
    #[schemars(extend("items_asked" = "0-11", "line" = true))]
    pub apart: Vec<String>,
    /// The number of the one of its claims that says it best and weighs it rightly. Its words, severity and confidence stand.
    #[schemars(extend("line" = true))]
    pub best: String,
    /// One to three words, the same for all findings that belong together; three to six themes in all.
    #[schemars(extend("line" = true, "label" = "Theme"))]
    pub theme: String,
    /// At most eight words that name the fault and not only its field. People choose by it what to mend, and see it alone.
    #[schemars(extend("line" = true, "label" = "Title"))]
    pub title: String,
    /// The fault in one sentence of at most eighteen words, with its figure and what follows, understood by itself: people vote
    /// by it, and read it without its title.
    #[serde(default)]
    #[schemars(extend("line" = true, "label" = "Finding"))]
    pub line: String,
}

/// The review.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "critique_review")]
pub struct SaidReview {
    /// Whether the text does what it sets out to do, and the two or three faults on which that fails: what somebody should know
    /// who reads nothing else. It stands above `text`, which does not say it again.
    #[schemars(extend("words" = "25-50 | 35-55 | 60-120", "label" = "Verdict", "needed" = true))]
    pub verdict: String,
    /// Markdown: the review, under headings (`##`) of your own: what can be asked for or decided now; what stops it; what changes
    /// the decision; what else whoever acts on it will need, in short; last all that is to be put in, place by place, ready.
    #[schemars(extend("words" = "380-500 | 740-920 | 1200-1800", "label" = "The review", "needed" = true))]
    pub text: String,
    /// Every group once, by itself or in `also`.
    #[schemars(extend(
        "items_asked" = "0-90", "words" = "0-500 | 0-1000 | 0-2200", "label" = "Findings"
    ))]
    pub findings: Vec<SaidFinding>,
    /// What holds up, of what the readers say holds: one sentence each, which says what was tried on it. No praise.
    #[schemars(extend("items_asked" = "0-1 | 0-2 | 0-4", "words" = "0-25 | 0-50 | 0-120", "line" = true, "label" = "What holds up"))]
    pub holds_up: Vec<String>,
}
