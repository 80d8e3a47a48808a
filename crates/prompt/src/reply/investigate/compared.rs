//! A comparison as a model writes it: scouts by what it calls them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    ParseError,
    words::{Cleaner, MAX_ITEMS, is_said},
};
use domain::{
    Compared, LoneClaim, ScoutAnswer, ScoutId, ScoutSplit, SharedAnswer, SharedClaim, SplitKind, SplitSide,
    Understood,
};

/// A text and the scouts that stand behind it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupReply {
    /// The text.
    #[schemars(length(max = 240))]
    pub text: String,
    /// Who.
    #[schemars(length(min = 1, max = 5))]
    pub scouts: Vec<String>,
}

/// Something that several say, and the claims in which they say it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedReply {
    /// What they say.
    #[schemars(length(max = 240))]
    pub text: String,
    /// Their claims, by number.
    #[schemars(length(min = 2, max = 8))]
    pub claims: Vec<String>,
}

/// Whether a disagreement can be settled by looking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KindReply {
    /// By a calculation, a page or a fact.
    Verifiable,
    /// By what somebody values.
    Judgement,
}

/// A disagreement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SplitReply {
    /// What it is about.
    #[schemars(length(max = 160))]
    pub topic: String,
    /// Whether it can be settled by looking.
    pub kind: KindReply,
    /// The sides.
    #[schemars(length(min = 2, max = 5))]
    pub sides: Vec<GroupReply>,
}

/// A claim of one scout alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoneReply {
    /// The claim.
    #[schemars(length(max = 240))]
    pub claim: String,
    /// Whose.
    pub scout: String,
    /// Whether an answer hangs on it.
    pub matters: bool,
}

/// The comparison.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparedReply {
    /// The readings of the question.
    #[schemars(length(min = 1, max = 5))]
    pub readings: Vec<GroupReply>,
    /// The distinct answers.
    #[schemars(length(min = 1, max = 5))]
    pub answers: Vec<GroupReply>,
    /// What two or more say.
    #[schemars(length(max = 8))]
    pub consensus: Vec<SharedReply>,
    /// What they differ on.
    #[schemars(length(max = 6))]
    pub splits: Vec<SplitReply>,
    /// What one says alone.
    #[schemars(length(max = 8))]
    pub lone: Vec<LoneReply>,
}

impl ComparedReply {
    /// The comparison, held to the scouts that answered; one in which no group names any of them is an error.
    pub fn into_compared(self, answers: &[ScoutAnswer], answered_by: &str) -> Result<Compared, ParseError> {
        let mut clean = Cleaner::default();
        let named = |group: &GroupReply| {
            group.scouts.iter().any(|name| {
                ScoutId::read(name).is_some_and(|scout| answers.iter().any(|answer| answer.scout == scout))
            })
        };
        if !self.answers.iter().any(named) {
            let known: Vec<String> = answers.iter().map(|answer| answer.scout.to_string()).collect();
            return Err(ParseError::Shape(format!("`answers` names nobody; they are {}", known.join(", "))));
        }
        let groups = |clean: &mut Cleaner, groups: Vec<GroupReply>| -> Vec<(String, Vec<ScoutId>)> {
            let read = |group: GroupReply| {
                let scouts = group.scouts.iter().filter_map(|name| ScoutId::read(name)).collect();
                (clean.line(&group.text), scouts)
            };
            groups.into_iter().map(read).filter(|(text, _)| is_said(&[text])).take(MAX_ITEMS).collect()
        };
        let readings = groups(&mut clean, self.readings);
        let shared = groups(&mut clean, self.answers);
        // What is shared is in claims that were made: nobody says what they are said to say.
        let made = |name: &String| {
            let name = name.trim().to_lowercase();
            answers
                .iter()
                .find(|answer| answer.claim_ids().contains(&name))
                .map(|answer| answer.scout.to_string())
        };
        let consensus = self.consensus.into_iter().map(|shared| {
            let scouts = shared.claims.iter().filter_map(made).collect();
            GroupReply { text: shared.text, scouts }
        });
        let consensus: Vec<GroupReply> = consensus.filter(|shared| !shared.scouts.is_empty()).collect();
        let consensus = groups(&mut clean, consensus);
        let mut splits = Vec::new();
        for split in self.splits.into_iter().take(MAX_ITEMS) {
            let sides = groups(&mut clean, split.sides);
            let topic = clean.line(&split.topic);
            if is_said(&[&topic]) {
                splits.push(ScoutSplit {
                    topic,
                    sides: sides
                        .into_iter()
                        .map(|(position, scouts)| SplitSide { position, scouts })
                        .collect(),
                    kind: match split.kind {
                        KindReply::Verifiable => SplitKind::Verifiable,
                        KindReply::Judgement => SplitKind::Judgement,
                    },
                });
            }
        }
        let mut lone = Vec::new();
        for one in self.lone.into_iter().take(MAX_ITEMS) {
            let claim = clean.line(&one.claim);
            if let Some(scout) = ScoutId::read(&one.scout).filter(|_| is_said(&[&claim])) {
                lone.push(LoneClaim { claim, scout, matters: one.matters });
            }
        }
        let compared = Compared {
            readings: readings
                .into_iter()
                .map(|(question, scouts)| Understood { question, scouts })
                .collect(),
            answers: shared.into_iter().map(|(answer, scouts)| SharedAnswer { answer, scouts }).collect(),
            consensus: consensus.into_iter().map(|(claim, scouts)| SharedClaim { claim, scouts }).collect(),
            splits,
            lone,
            answered_by: Some(answered_by.to_owned()),
        };
        Ok(compared.held_to(answers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, sample::investigate as sample};

    #[test]
    fn groups_name_scouts_that_answered() {
        let answers = [sample::answer(1, "42"), sample::answer(2, "41")];
        let reply = r#"{"readings":[{"text":"What it is","scouts":["scout-1","2"]}],
            "answers":[{"text":"42 [1]","scouts":["Scout 1"]},{"text":" ","scouts":["scout-2"]}],
            "consensus":[{"text":"It is a number","claims":["scout-1.1","scout-7.1"]},{"text":"The rent is known","claims":["Scout-1.1","scout-2.1"]},{"text":"All are right","claims":["scout-1.9","scout-2.0"]}],
            "splits":[{"topic":"the size","kind":"verifiable","sides":[{"text":"42","scouts":["scout-1"]},{"text":"41","scouts":["scout-2"]}]}],
            "lone":[{"claim":"It is prime","scout":"scout-2","matters":true},{"claim":"?","scout":"nobody","matters":true}]}"#;
        let compared = parse::<ComparedReply>(reply).unwrap().into_compared(&answers, "m").unwrap();
        assert_eq!(compared.answers.len(), 2, "a scout in no group has an answer of its own");
        let shared: Vec<&str> = compared.consensus.iter().map(|shared| shared.claim.as_str()).collect();
        assert_eq!(shared, ["The rent is known"], "what stands in no claim that was made is said by nobody");
        assert_eq!((compared.splits.len(), compared.lone.len()), (1, 2));
        let nobody = reply.replace("Scout 1", "the first").replace(
            "\"scouts\":[\"scout-2\"]}],\n            \"consensus",
            "\"scouts\":[\"x\"]}],\n            \"consensus",
        );
        let error = parse::<ComparedReply>(&nobody).unwrap().into_compared(&answers, "m");
        assert!(matches!(error, Err(ParseError::Shape(why)) if why.contains("scout-1, scout-2")));
    }
}
