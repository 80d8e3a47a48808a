//! What a member makes of its own claims, with labels read back into claims.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{labels::Labels, number::change, words::says_something};
use crate::{
    domain::{Adjustment, Opposition, SelfCritique, Tree},
    prompt::{
        critique::{MAX_ADJUSTMENTS, MAX_OPPOSITIONS},
        reply::{ParseError, words::Cleaner},
    },
};

/// A change of how sure one's own claim is, reasons first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdjustmentReply {
    /// The label of one's own claim.
    #[schemars(length(max = 12))]
    pub claim: String,
    /// Why, in a sentence.
    #[schemars(length(max = 260))]
    pub reasoning: String,
    /// What is added to its confidence, -1 to 1.
    #[serde(deserialize_with = "change")]
    #[schemars(range(min = -1.0, max = 1.0))]
    pub confidence_delta: f64,
}

/// Two claims that cannot both hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OppositionReply {
    /// The label of one's own claim.
    #[schemars(length(max = 12))]
    pub own: String,
    /// The label of the other's.
    #[schemars(length(max = 12))]
    pub other: String,
    /// Why both cannot hold.
    #[schemars(length(max = 260))]
    pub why: String,
}

/// What a member says of its own tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelfCritiqueReply {
    /// Bias, misses, overstatements.
    #[schemars(length(max = 600))]
    pub reflection: String,
    /// Others' claims that contradict one's own.
    #[serde(default)]
    #[schemars(length(max = 3))]
    pub contradictions: Vec<OppositionReply>,
    /// What changes.
    #[serde(default)]
    #[schemars(length(max = 6))]
    pub adjustments: Vec<AdjustmentReply>,
}

impl SelfCritiqueReply {
    /// The self-critique, in which labels have become names; what names no claim there is, is dropped and counted. `order` as in the request.
    pub fn into_self_critique(
        self,
        own: &Tree,
        order: &[&Tree],
        answered_by: &str,
    ) -> Result<SelfCritique, ParseError> {
        let mut clean = Cleaner::default();
        let labels = Labels { own, order };
        let mut dropped = 0;
        let mut adjustments: Vec<Adjustment> = Vec::new();
        for reply in self.adjustments.into_iter().take(MAX_ADJUSTMENTS) {
            let target = labels.claim(&reply.claim).filter(|id| id.member == own.member);
            match target {
                Some(target) => adjustments.push(Adjustment {
                    target,
                    delta: reply.confidence_delta,
                    reasoning: labels.named(&clean.line(&reply.reasoning)),
                }),
                None => dropped += 1,
            }
        }
        let mut oppositions: Vec<Opposition> = Vec::new();
        for reply in self.contradictions.into_iter().take(MAX_OPPOSITIONS) {
            let mine = labels.claim(&reply.own).filter(|id| id.member == own.member);
            let other = labels.claim(&reply.other).filter(|id| id.member != own.member);
            match (mine, other) {
                (Some(own), Some(other)) => {
                    let again =
                        oppositions.iter().any(|earlier| earlier.own == own && earlier.other == other);
                    if !again {
                        oppositions.push(Opposition {
                            own,
                            other,
                            why: labels.named(&clean.line(&reply.why)),
                        });
                    }
                }
                _ => dropped += 1,
            }
        }
        let reflection = labels.named(&clean.text(&self.reflection));
        if !says_something(&reflection) && adjustments.is_empty() && oppositions.is_empty() {
            return Err(ParseError::Empty("reflection"));
        }
        Ok(SelfCritique {
            member: own.member,
            reflection,
            adjustments,
            oppositions,
            dropped,
            answered_by: answered_by.to_owned(),
        })
    }
}
