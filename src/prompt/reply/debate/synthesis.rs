//! The moderator's analysis, and a hinge that is looked at again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_said;
use crate::{
    domain::{
        Agreement, AssumptionConflict, CoreDisagreement, DebateSynthesis, EvidenceGap, Favors, Hinge,
        Knowledge, Level, RootCause,
    },
    prompt::reply::{
        ParseError,
        words::{Cleaner, MAX_ITEMS, word},
    },
};

/// Something both sides hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgreementReply {
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

/// Where the sides part: what each holds before why they part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DisagreementReply {
    /// About what, in a few words.
    #[schemars(length(max = 100))]
    pub topic: String,
    /// What Pro holds.
    #[schemars(length(max = 300))]
    pub pro_position: String,
    /// What Con holds.
    #[schemars(length(max = 300))]
    pub con_position: String,
    /// Why they part. factual: what is so; values: what is good; priorities: which good comes first; assumptions: what
    /// is taken for granted; `evidence_interpretation`: what the same evidence means.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "RootCause")]
    pub root_cause: RootCause,
    /// Whether some finding or arrangement could bring them together.
    pub bridgeable: bool,
}

/// Two assumptions that cannot both hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConflictReply {
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

/// What one would have to know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GapReply {
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

/// Something the answer hangs on: what is known of it before whom it would help.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HingeReply {
    /// What may or may not be so, as a statement.
    #[schemars(length(max = 260))]
    pub if_true: String,
    /// What the debate holds on it so far.
    #[schemars(length(max = 320))]
    pub current_evidence: String,
    /// Whose case it would help if it is so; neutral: neither's, or both alike.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Favors")]
    pub then_favors: Favors,
    /// How sure one can be today that it is so.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Level")]
    pub confidence: Level,
}

/// What the moderator writes: the parts before the summary that rests on them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SynthesisReply {
    /// Where the sides meet.
    #[schemars(length(max = 3))]
    pub areas_of_agreement: Vec<AgreementReply>,
    /// Where they part.
    #[schemars(length(min = 1, max = 4))]
    pub core_disagreements: Vec<DisagreementReply>,
    /// What they take for granted against one another.
    #[schemars(length(max = 3))]
    pub assumption_conflicts: Vec<ConflictReply>,
    /// What one would have to know.
    #[schemars(length(max = 4))]
    pub evidence_gaps: Vec<GapReply>,
    /// What the answer hangs on.
    #[schemars(length(min = 2, max = 6))]
    pub decision_hinges: Vec<HingeReply>,
    /// How hard the question is, and why.
    #[schemars(length(max = 400))]
    pub complexity_assessment: String,
    /// The whole in short, in Markdown.
    #[schemars(length(max = 900))]
    pub executive_summary: String,
    /// How it was made sure that no side is taken.
    #[schemars(length(max = 260))]
    pub neutrality_check: String,
}

impl HingeReply {
    /// The hinge; one that says nothing is an error.
    pub fn into_hinge(self) -> Result<Hinge, ParseError> {
        self.read(&mut Cleaner::default()).ok_or(ParseError::Empty("if_true"))
    }

    fn read(self, clean: &mut Cleaner) -> Option<Hinge> {
        let if_true = clean.line(&self.if_true);
        is_said(&[&if_true]).then(|| Hinge {
            if_true,
            then_favors: self.then_favors,
            current_evidence: clean.text(&self.current_evidence),
            confidence: self.confidence,
        })
    }
}

impl SynthesisReply {
    /// The analysis. Items that say nothing are left out; where nothing is left at all, it is an error.
    pub fn into_synthesis(self, answered_by: &str) -> Result<DebateSynthesis, ParseError> {
        let mut clean = Cleaner::default();
        let clean = &mut clean;
        let mut areas_of_agreement: Vec<Agreement> = (self.areas_of_agreement.into_iter())
            .map(|reply| Agreement {
                topic: clean.line(&reply.topic),
                description: clean.text(&reply.description),
                shared_evidence: clean.lines(&reply.shared_evidence),
            })
            .filter(|agreement| is_said(&[&agreement.topic, &agreement.description]))
            .collect();
        let mut core_disagreements: Vec<CoreDisagreement> = (self.core_disagreements.into_iter())
            .map(|reply| CoreDisagreement {
                topic: clean.line(&reply.topic),
                pro_position: clean.text(&reply.pro_position),
                con_position: clean.text(&reply.con_position),
                root_cause: reply.root_cause,
                bridgeable: reply.bridgeable,
            })
            .filter(|part| is_said(&[&part.topic, &part.pro_position, &part.con_position]))
            .collect();
        let mut assumption_conflicts: Vec<AssumptionConflict> = (self.assumption_conflicts.into_iter())
            .map(|reply| AssumptionConflict {
                pro_assumption: clean.text(&reply.pro_assumption),
                con_assumption: clean.text(&reply.con_assumption),
                impact_on_debate: clean.text(&reply.impact_on_debate),
            })
            .filter(|conflict| is_said(&[&conflict.pro_assumption, &conflict.con_assumption]))
            .collect();
        let mut evidence_gaps: Vec<EvidenceGap> = (self.evidence_gaps.into_iter())
            .map(|reply| EvidenceGap {
                question: clean.line(&reply.question),
                why_it_matters: clean.text(&reply.why_it_matters),
                current_state: reply.current_state,
            })
            .filter(|gap| is_said(&[&gap.question]))
            .collect();
        let mut decision_hinges: Vec<Hinge> =
            self.decision_hinges.into_iter().filter_map(|reply| reply.read(clean)).collect();
        areas_of_agreement.truncate(MAX_ITEMS);
        core_disagreements.truncate(MAX_ITEMS);
        assumption_conflicts.truncate(MAX_ITEMS);
        evidence_gaps.truncate(MAX_ITEMS);
        decision_hinges.truncate(MAX_ITEMS);
        let executive_summary = clean.text(&self.executive_summary);
        if !is_said(&[&executive_summary]) && core_disagreements.is_empty() && decision_hinges.is_empty() {
            return Err(ParseError::Empty("executive_summary"));
        }
        Ok(DebateSynthesis {
            executive_summary,
            areas_of_agreement,
            core_disagreements,
            assumption_conflicts,
            evidence_gaps,
            decision_hinges,
            complexity_assessment: clean.text(&self.complexity_assessment),
            neutrality_check: clean.text(&self.neutrality_check),
            answered_by: answered_by.to_owned(),
            dropped_citations: clean.dropped,
        })
    }
}
