//! What the moderator makes of a debate: where the sides meet, where and why they part, and what it hangs on. It
//! never says who is right.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Level, Mark, neutrality::Judgement};
use crate::{Citing, Edit, Numbered, Source, citations, one_line, written::word};

/// Something both sides hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// About what, in a few words.
    #[schemars(length(max = 100))]
    pub topic: String,
    /// What both hold.
    #[schemars(length(max = 260))]
    pub description: String,
    /// On what both rest it.
    #[schemars(length(max = 2), inner(length(max = 140)))]
    pub shared_evidence: Vec<String>,
}

/// Why the sides part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RootCause {
    /// They hold different things to be so.
    Factual,
    /// They hold different things to be good.
    Values,
    /// They put the same goods in another order.
    Priorities,
    /// They take different things for granted.
    Assumptions,
    /// They read the same evidence differently.
    EvidenceInterpretation,
}

/// Where the sides part: what each holds before why they part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoreDisagreement {
    /// About what, in a few words.
    #[schemars(length(max = 100))]
    pub topic: String,
    /// What Pro holds, with its condition and what it concedes, as Pro would put it; its name does not stand in it.
    #[schemars(length(max = 600))]
    pub pro_position: String,
    /// What Con holds, in the same way.
    #[schemars(length(max = 600))]
    pub con_position: String,
    /// Why they part. factual: what is so; values: what is good; priorities: which good comes first; assumptions: what
    /// is taken for granted; `evidence_interpretation`: what the same evidence means.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "RootCause")]
    pub root_cause: RootCause,
    /// Whether some finding or arrangement could bring them together.
    pub bridgeable: bool,
}

/// A position between the two that somebody named, with what each side holds against it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Between {
    /// The position: what would be done, in a sentence.
    #[schemars(length(max = 260))]
    pub position: String,
    /// Who or what names it: a side, a member, the document.
    #[schemars(length(max = 80))]
    pub named_by: String,
    /// What Pro would hold against it.
    #[schemars(length(max = 220))]
    pub pro_objection: String,
    /// What Con would hold against it.
    #[schemars(length(max = 220))]
    pub con_objection: String,
}

/// Two assumptions that cannot both hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssumptionConflict {
    /// Pro's.
    #[schemars(length(max = 220))]
    pub pro_assumption: String,
    /// Con's.
    #[schemars(length(max = 220))]
    pub con_assumption: String,
    /// What hangs on it.
    #[schemars(length(max = 220))]
    pub impact_on_debate: String,
}

/// How much is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Knowledge {
    /// Nobody knows.
    Unknown,
    /// Sources disagree.
    Contested,
    /// Expected, not seen.
    Projected,
}

/// What one would have to know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceGap {
    /// The question.
    #[schemars(length(max = 200))]
    pub question: String,
    /// What its answer would change.
    #[schemars(length(max = 220))]
    pub why_it_matters: String,
    /// unknown: nobody knows; contested: sources disagree; projected: expected, not seen.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Knowledge")]
    pub current_state: Knowledge,
}

/// Whom a hinge favours if it is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Favors {
    /// Towards Pro.
    Pro,
    /// Towards Con.
    Con,
    /// Towards neither side.
    Neutral,
}

/// Something the answer hangs on: what is known of it before whom it would help.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hinge {
    /// What may or may not be so, as a statement.
    #[schemars(length(max = 260))]
    pub if_true: String,
    /// What the debate holds on it so far.
    #[schemars(length(max = 420))]
    pub current_evidence: String,
    /// Whose case it would help if it is so; neutral: neither's, or both alike.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Favors")]
    pub then_favors: Favors,
    /// How sure one can be today that it is so.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Level")]
    pub confidence: Level,
    /// The pages that it cites, by the numbers of its marks from 1; only where it was looked at again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub sources: Vec<Source>,
}

impl Hinge {
    /// What its marks point at.
    #[must_use]
    pub fn numbered(&self) -> Vec<Numbered> {
        (1..).zip(&self.sources).map(|(number, source)| Numbered { number, source: source.clone() }).collect()
    }

    /// What is known of it, for where its pages are not listed: without marks.
    #[must_use]
    pub fn known(&self) -> String {
        one_line(&citations::within(&self.current_evidence, 0).0)
    }
}

impl Citing for Hinge {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        [&mut self.if_true, &mut self.current_evidence].into_iter().for_each(change);
    }

    fn sources(&mut self) -> &mut Vec<Source> {
        &mut self.sources
    }
}

/// The moderator's analysis of the whole debate, as it writes it: what the summary rests on before the summary. Where
/// there is a draft, code makes the summary of it and of its changes. Its
/// word on its own neutrality is shown; the code trusts its own check only.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DebateSynthesis {
    /// Where the sides meet.
    #[schemars(length(max = 3))]
    pub areas_of_agreement: Vec<Agreement>,
    /// Where they disagree.
    #[schemars(length(min = 1, max = 4))]
    pub core_disagreements: Vec<CoreDisagreement>,
    /// Positions between the two that somebody named; none is invented and none preferred.
    #[serde(default)]
    #[schemars(length(max = 2))]
    pub between: Vec<Between>,
    /// What they take for granted against one another.
    #[schemars(length(max = 3))]
    pub assumption_conflicts: Vec<AssumptionConflict>,
    /// What one would have to know.
    #[schemars(length(max = 4))]
    pub evidence_gaps: Vec<EvidenceGap>,
    /// What the answer hangs on.
    #[schemars(length(min = 2, max = 6))]
    pub decision_hinges: Vec<Hinge>,
    /// How hard the question is, and why.
    #[schemars(length(max = 400))]
    pub complexity_assessment: String,
    /// The changes to the draft: the paper that people vote by is the draft with these.
    #[serde(default)]
    #[schemars(length(max = 12))]
    pub edits: Vec<Edit>,
    /// The paper that people vote by, in Markdown: what is voted on, the figures, both cases, what to ask, how to explain a vote.
    #[serde(default)]
    #[schemars(length(max = 8000))]
    pub executive_summary: String,
    /// How it was made sure that no side is taken.
    #[schemars(length(max = 260))]
    pub neutrality_check: String,
    /// The model that answered, as its provider says.
    #[serde(default)]
    #[schemars(skip)]
    pub answered_by: String,
    /// Citations the code took out because nothing was searched.
    #[serde(default)]
    #[schemars(skip)]
    pub dropped_citations: u32,
}

impl DebateSynthesis {
    /// The same without a part.
    #[must_use]
    pub fn without(mut self, section: Section) -> Self {
        match section {
            Section::Summary => {
                self.executive_summary.clear();
                self.edits.clear();
            }
            Section::Agreements => self.areas_of_agreement.clear(),
            Section::Disagreements => self.core_disagreements.clear(),
            Section::Between => self.between.clear(),
            Section::Assumptions => self.assumption_conflicts.clear(),
            Section::Gaps => self.evidence_gaps.clear(),
            Section::Hinges => self.decision_hinges.clear(),
            Section::Complexity => self.complexity_assessment.clear(),
            Section::Check => self.neutrality_check.clear(),
        }
        self
    }
}

/// A part of the synthesis, as it is checked, shown and, if need be, withheld.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// The summary.
    Summary,
    /// Where the sides meet.
    Agreements,
    /// Where they disagree.
    Disagreements,
    /// What lies between the two.
    Between,
    /// What they take for granted.
    Assumptions,
    /// What is not known.
    Gaps,
    /// What it hangs on.
    Hinges,
    /// How hard it is.
    Complexity,
    /// The moderator's word on its own neutrality.
    Check,
}

impl Section {
    /// All, in the order in which they are read.
    pub const ALL: [Self; 9] = [
        Self::Summary,
        Self::Agreements,
        Self::Disagreements,
        Self::Between,
        Self::Assumptions,
        Self::Gaps,
        Self::Hinges,
        Self::Complexity,
        Self::Check,
    ];

    /// As people read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Summary => "Summary",
            Self::Agreements => "Where both sides agree",
            Self::Disagreements => "Where they disagree",
            Self::Between => "Positions between the two",
            Self::Assumptions => "Assumptions that clash",
            Self::Gaps => "What is not known",
            Self::Hinges => "What the answer depends on",
            Self::Complexity => "How hard the question is",
            Self::Check => "The moderator's own check",
        }
    }
}

/// A part that is not shown, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Withheld {
    /// The part that was withheld.
    pub section: Section,
    /// Which rules it broke, for people; nothing of its text.
    pub why: Vec<String>,
}

/// A synthesis of which only what passed the neutrality check is left: a withheld part is empty in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NeutralSynthesis {
    /// What passed.
    pub synthesis: DebateSynthesis,
    /// What did not.
    pub withheld: Vec<Withheld>,
    /// What it breaks of its phase's rules beside neutrality.
    pub marks: Vec<Mark>,
    /// What the judge holds against what is shown.
    pub judgement: Judgement,
}
