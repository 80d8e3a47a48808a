//! What scouts' answers have in common and where they differ, held to who said what: a group names scouts that answered,
//! a disagreement has two sides at least, and what one scout alone says is never taken for more.

use serde::{Deserialize, Serialize};

use super::{ScoutAnswer, ScoutId};
use crate::equal_words;

/// The share of scouts with one answer from which that counts as agreement, in percent.
const AGREEMENT: usize = 80;

/// Scouts with the same answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SharedAnswer {
    /// The answer in a few words.
    pub answer: String,
    /// Who gives it.
    pub scouts: Vec<ScoutId>,
}

/// A claim that several scouts make.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SharedClaim {
    /// The claim.
    pub claim: String,
    /// Who makes it: two at least.
    pub scouts: Vec<ScoutId>,
}

/// Whether a disagreement can be settled by looking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SplitKind {
    /// By a calculation, a source or a fact.
    Verifiable,
    /// By what somebody values or is willing to risk: it is shown, and not resolved.
    Judgement,
}

/// A side of a disagreement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SplitSide {
    /// What this side says.
    pub position: String,
    /// Who says it.
    pub scouts: Vec<ScoutId>,
}

/// A disagreement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScoutSplit {
    /// What it is about.
    pub topic: String,
    /// The sides, two at least, each with scouts of its own.
    pub sides: Vec<SplitSide>,
    /// Whether it can be settled by looking.
    pub kind: SplitKind,
}

/// A claim that one scout makes, and nobody else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoneClaim {
    /// The claim.
    pub claim: String,
    /// Who makes it.
    pub scout: ScoutId,
    /// Whether an answer hangs on it.
    pub matters: bool,
}

/// A reading of the question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Understood {
    /// The question as these scouts answered it.
    pub question: String,
    /// Who.
    pub scouts: Vec<ScoutId>,
}

/// What a comparison came to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Compared {
    /// The readings of the question, more than one where scouts answered different ones.
    pub readings: Vec<Understood>,
    /// The answers, the one with most scouts first.
    pub answers: Vec<SharedAnswer>,
    /// What several say.
    pub consensus: Vec<SharedClaim>,
    /// Where they differ.
    pub splits: Vec<ScoutSplit>,
    /// What one says alone.
    pub lone: Vec<LoneClaim>,
    /// The model that compared; `None` where nobody could be asked, and only equal words count as the same.
    pub answered_by: Option<String>,
}

impl Compared {
    /// The disagreement that can be checked and has this as its topic or as one of its sides.
    #[must_use]
    pub fn disputed(&self, text: &str) -> Option<&ScoutSplit> {
        self.verifiable().find(|split| {
            let mut words =
                std::iter::once(&split.topic).chain(split.sides.iter().map(|side| &side.position));
            words.any(|said| equal_words(said, text))
        })
    }

    /// Whether this is the topic of a disagreement that nobody can check, word for word.
    #[must_use]
    pub fn is_matter_of_judgement(&self, text: &str) -> bool {
        self.splits.iter().any(|split| split.kind == SplitKind::Judgement && equal_words(&split.topic, text))
    }

    /// The side or the topic of a disagreement that can be checked, or the claim of one or more scouts, that these words are, as it
    /// stands here.
    #[must_use]
    pub fn said(&self, text: &str) -> Option<&str> {
        let disputed = self.disputed(text).map(|split| {
            let side = split.sides.iter().find(|side| equal_words(&side.position, text));
            side.map_or(split.topic.as_str(), |side| &side.position)
        });
        let shared = self.consensus.iter().map(|shared| shared.claim.as_str());
        let mut claims = shared.chain(self.lone.iter().map(|lone| lone.claim.as_str()));
        disputed.or_else(|| claims.find(|claim| equal_words(claim, text)))
    }

    /// Who makes this claim, by the comparison's own words for it; nobody where it has none.
    #[must_use]
    pub fn who_say(&self, claim: &str) -> Vec<ScoutId> {
        let shared = self.consensus.iter().find(|shared| equal_words(&shared.claim, claim));
        let lone = || self.lone.iter().filter(|lone| equal_words(&lone.claim, claim)).map(|lone| lone.scout);
        shared.map_or_else(|| lone().collect(), |shared| shared.scouts.clone())
    }

    /// The comparison held to the scouts that answered.
    #[must_use]
    pub fn held_to(mut self, answers: &[ScoutAnswer]) -> Self {
        let known: Vec<ScoutId> = answers.iter().map(|answer| answer.scout).collect();
        let hold = |scouts: &mut Vec<ScoutId>| {
            scouts.retain(|scout| known.contains(scout));
            scouts.sort();
            scouts.dedup();
        };
        // Nobody gives two answers or stands on both sides: the first counts.
        let once = |groups: &mut dyn Iterator<Item = &mut Vec<ScoutId>>| {
            let mut taken: Vec<ScoutId> = Vec::new();
            for scouts in groups {
                hold(scouts);
                scouts.retain(|scout| !taken.contains(scout));
                taken.extend_from_slice(scouts);
            }
        };
        once(&mut self.readings.iter_mut().map(|reading| &mut reading.scouts));
        self.readings.retain(|reading| !reading.scouts.is_empty());
        once(&mut self.answers.iter_mut().map(|answer| &mut answer.scouts));
        self.answers.retain(|answer| !answer.scouts.is_empty());
        // A scout in no group has an answer of its own.
        for answer in answers {
            if !self.answers.iter().any(|group| group.scouts.contains(&answer.scout)) {
                self.answers.push(SharedAnswer { answer: answer.answer.clone(), scouts: vec![answer.scout] });
            }
        }
        self.answers.sort_by_key(|group| std::cmp::Reverse(group.scouts.len()));
        for split in &mut self.splits {
            once(&mut split.sides.iter_mut().map(|side| &mut side.scouts));
            split.sides.retain(|side| !side.scouts.is_empty());
        }
        self.splits.retain(|split| split.sides.len() > 1);
        // What a model calls shared and one scout says is that scout's alone.
        for shared in &mut self.consensus {
            hold(&mut shared.scouts);
        }
        let (shared, alone): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.consensus).into_iter().partition(|shared| shared.scouts.len() > 1);
        self.consensus = shared;
        let alone = alone.into_iter().filter_map(|shared| {
            let scout = shared.scouts.first().copied()?;
            Some(LoneClaim { claim: shared.claim, scout, matters: true })
        });
        self.lone.extend(alone);
        self.lone.retain(|lone| known.contains(&lone.scout));
        self
    }

    /// What can be said without a model: answers in equal words are the same, every claim is its scout's alone.
    #[must_use]
    pub fn by_words(answers: &[ScoutAnswer]) -> Self {
        let mut groups: Vec<SharedAnswer> = Vec::new();
        for answer in answers {
            match groups.iter_mut().find(|group| equal_words(&group.answer, &answer.answer)) {
                Some(group) => group.scouts.push(answer.scout),
                None => {
                    groups.push(SharedAnswer { answer: answer.answer.clone(), scouts: vec![answer.scout] });
                }
            }
        }
        let lone = answers.iter().flat_map(|answer| {
            answer.claims.iter().map(|claim| LoneClaim {
                claim: claim.clone(),
                scout: answer.scout,
                matters: false,
            })
        });
        Self { answers: groups, lone: lone.collect(), ..Self::default() }.held_to(answers)
    }

    /// How many scouts answered.
    #[must_use]
    pub fn scouts(&self) -> usize {
        self.answers.iter().map(|group| group.scouts.len()).sum()
    }

    /// Whether nothing is left to look at: most give one answer, and nothing that could be checked divides them.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let most = self.answers.first().map_or(0, |group| group.scouts.len());
        let scouts = self.scouts();
        let agreed = scouts > 1 && most * 100 >= scouts * AGREEMENT;
        agreed && self.verifiable().next().is_none()
    }

    /// Whether scouts answered different questions.
    #[must_use]
    pub fn is_of_different_questions(&self) -> bool {
        self.readings.len() > 1
    }

    /// The scouts that answered another question than the one that the team says is meant; all of them where its words are those
    /// of no reading, for then nobody can tell who answered it.
    #[must_use]
    pub fn of_another_question(&self, meant: &str) -> Vec<ScoutId> {
        let others = self.readings.iter().filter(|reading| !equal_words(&reading.question, meant));
        others.flat_map(|reading| reading.scouts.iter().copied()).collect()
    }

    /// The disagreements that can be checked.
    pub fn verifiable(&self) -> impl Iterator<Item = &ScoutSplit> {
        self.splits.iter().filter(|split| split.kind == SplitKind::Verifiable)
    }

    /// What one scout says alone and an answer hangs on, from each scout in turn: the first of every one before anybody's second.
    pub fn grave(&self) -> impl Iterator<Item = &LoneClaim> {
        let grave: Vec<&LoneClaim> = self.lone.iter().filter(|lone| lone.matters).collect();
        let nth = |place: usize| {
            grave.iter().take(place).filter(|earlier| earlier.scout == grave[place].scout).count()
        };
        let mut turns: Vec<(usize, &LoneClaim)> =
            grave.iter().enumerate().map(|(place, lone)| (nth(place), *lone)).collect();
        turns.sort_by_key(|(turn, lone)| (*turn, lone.scout));
        turns.into_iter().map(|(_, lone)| lone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::investigate as sample;

    fn scouts(ids: &[u8]) -> Vec<ScoutId> {
        ids.iter().map(|&id| ScoutId(id)).collect()
    }

    fn side(position: &str, ids: &[u8]) -> SplitSide {
        SplitSide { position: position.into(), scouts: scouts(ids) }
    }

    #[test]
    fn a_disagreement_is_found_by_its_topic_or_a_side_of_it() {
        let compared = sample::compared();
        let topic = |text| compared.disputed(text).map(|split| split.topic.as_str());
        for text in ["What it costs a year", "what it costs a year.", "48,000"] {
            assert_eq!(topic(text), Some("What it costs a year"), "{text}");
        }
        for text in ["48,001", "It is", "Whether meeting in person is worth it", ""] {
            assert_eq!(topic(text), None, "{text}");
        }
        assert!(compared.is_matter_of_judgement("whether meeting in person is worth it."));
        assert!(!compared.is_matter_of_judgement("What it costs a year"));
    }

    #[test]
    fn a_comparison_is_held_to_who_answered() {
        let answers = [sample::answer(1, "42"), sample::answer(2, "42"), sample::answer(3, "41")];
        let compared = Compared {
            answers: vec![
                SharedAnswer { answer: "41".into(), scouts: scouts(&[3]) },
                SharedAnswer { answer: "42".into(), scouts: scouts(&[1, 2, 3, 9]) },
            ],
            consensus: vec![
                SharedClaim { claim: "It is even.".into(), scouts: scouts(&[2, 1, 2]) },
                SharedClaim { claim: "It is old.".into(), scouts: scouts(&[3, 3, 8]) },
            ],
            splits: vec![
                ScoutSplit {
                    topic: "size".into(),
                    sides: vec![side("42", &[1, 2]), side("41", &[2, 3])],
                    kind: SplitKind::Verifiable,
                },
                ScoutSplit {
                    topic: "nobody".into(),
                    sides: vec![side("a", &[1]), side("b", &[7])],
                    kind: SplitKind::Judgement,
                },
            ],
            lone: vec![LoneClaim { claim: "x".into(), scout: ScoutId(9), matters: true }],
            ..Compared::default()
        }
        .held_to(&answers);
        assert_eq!(compared.answers[0].scouts, scouts(&[1, 2]));
        assert_eq!(compared.consensus.len(), 1);
        assert_eq!(compared.consensus[0].scouts, scouts(&[1, 2]));
        let lone = [LoneClaim { claim: "It is old.".into(), scout: ScoutId(3), matters: true }];
        assert_eq!(compared.lone, lone, "what one says alone is not shared, whatever a model calls it");
        assert_eq!(compared.splits.len(), 1);
        assert_eq!(compared.splits[0].sides[1].scouts, scouts(&[3]), "nobody stands on both sides");
    }

    #[test]
    fn grave_claims_come_from_each_scout_in_turn() {
        let lone =
            |claim: &str, scout, matters| LoneClaim { claim: claim.into(), scout: ScoutId(scout), matters };
        let lone = vec![
            lone("b", 2, true),
            lone("a1", 1, true),
            lone("a2", 1, true),
            lone("a3", 1, false),
            lone("a4", 1, true),
        ];
        let compared = Compared { lone, ..Compared::default() };
        let claims: Vec<&str> = compared.grave().map(|lone| lone.claim.as_str()).collect();
        assert_eq!(claims, ["a1", "b", "a2", "a4"]);
    }

    #[test]
    fn who_answered_another_question_is_asked_again_and_all_where_nobody_can_tell() {
        let reading =
            |question: &str, ids: &[u8]| Understood { question: question.into(), scouts: scouts(ids) };
        let compared = Compared {
            readings: vec![reading("What it costs.", &[1, 3]), reading("What it is worth.", &[2])],
            ..Compared::default()
        };
        assert_eq!(compared.of_another_question("what it costs"), scouts(&[2]));
        assert_eq!(compared.of_another_question("The costs, without the garage"), scouts(&[1, 3, 2]));
    }

    #[test]
    fn agreement_is_four_of_five_and_nothing_to_check() {
        let of = |groups: &[&[u8]], splits: Vec<ScoutSplit>| Compared {
            answers: groups
                .iter()
                .map(|ids| SharedAnswer { answer: "a".into(), scouts: scouts(ids) })
                .collect(),
            splits,
            ..Compared::default()
        };
        let split =
            |kind| ScoutSplit { topic: "t".into(), sides: vec![side("a", &[1]), side("b", &[2])], kind };
        for (compared, agrees) in [
            (of(&[&[1, 2, 3]], vec![]), true),
            (of(&[&[1, 2, 3, 4], &[5]], vec![]), true),
            (of(&[&[1, 2, 3], &[4]], vec![]), false),
            (of(&[&[1, 2], &[3]], vec![]), false),
            (of(&[&[1]], vec![]), false),
            (of(&[&[1, 2, 3]], vec![split(SplitKind::Judgement)]), true),
            (of(&[&[1, 2, 3]], vec![split(SplitKind::Verifiable)]), false),
        ] {
            assert_eq!(compared.agrees(), agrees, "{compared:?}");
        }
    }

    #[test]
    fn without_a_model_only_equal_words_are_the_same() {
        let answers =
            [sample::answer(1, "Yes, in March."), sample::answer(2, "yes in march"), sample::answer(3, "No")];
        let compared = Compared::by_words(&answers);
        assert_eq!(compared.answers.len(), 2);
        assert_eq!((compared.scouts(), compared.answered_by), (3, None));
        assert!(compared.consensus.is_empty() && compared.splits.is_empty());
    }
}
