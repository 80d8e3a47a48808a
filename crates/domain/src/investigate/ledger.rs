//! The evidence ledger: each claim with the ground it stands on. Worked out by code from who said what and what was
//! checked; no model writes it.

use serde::{Deserialize, Serialize};

use super::{Check, Compared, ScoutSplit, SplitKind};

/// The ground that a claim stands on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerTag {
    /// It was checked, by what.
    Verified(String),
    /// So many scouts of so many say it, and nobody checked.
    Consensus {
        /// Who say it.
        held: usize,
        /// How many answered.
        of: usize,
    },
    /// Scouts differ by what they value; each side with its number.
    Judgment(Vec<(String, usize)>),
    /// Nobody can tell, and why.
    Uncertain(String),
}

/// A line of the ledger.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The claim, or what is disputed.
    pub text: String,
    /// Its ground.
    pub tag: LedgerTag,
}

/// The ledger of a comparison after its checks: what was verified first, what is uncertain last.
#[must_use]
pub fn ledger(compared: &Compared, checks: &[Check]) -> Vec<Entry> {
    let of = compared.scouts();
    let on = |topic: &str| checks.iter().rev().find(|check| check.topic == topic && check.is_settled());
    let mut entries: Vec<Entry> = Vec::new();
    for split in &compared.splits {
        entries.push(match (split.kind, on(&split.topic)) {
            (SplitKind::Verifiable, Some(check)) => settled(check),
            // What somebody values is not settled by whatever was checked.
            (SplitKind::Judgement, _) => {
                Entry { text: split.topic.clone(), tag: LedgerTag::Judgment(sides(split)) }
            }
            (SplitKind::Verifiable, None) => {
                let sides = sides(split).into_iter().map(|(side, held)| format!("{side} ({held})"));
                let why = format!("not settled: {}", sides.collect::<Vec<_>>().join(" / "));
                Entry { text: split.topic.clone(), tag: LedgerTag::Uncertain(why) }
            }
        });
    }
    for shared in &compared.consensus {
        entries.push(Entry {
            text: shared.claim.clone(),
            tag: LedgerTag::Consensus { held: shared.scouts.len(), of },
        });
    }
    for lone in compared.grave() {
        entries.push(match on(&lone.claim) {
            Some(check) => settled(check),
            None => Entry {
                text: lone.claim.clone(),
                tag: LedgerTag::Uncertain(format!("only {} says so", lone.scout.title())),
            },
        });
    }
    // Claims that the investigator had checked beside what scouts said.
    let known = |check: &&Check| {
        compared.splits.iter().any(|split| split.topic == check.topic)
            || compared.lone.iter().any(|lone| lone.claim == check.topic)
    };
    entries.extend(checks.iter().filter(|check| check.is_settled() && !known(check)).map(settled));
    entries.sort_by_key(|entry| match entry.tag {
        LedgerTag::Verified(_) => 0,
        LedgerTag::Consensus { .. } => 1,
        LedgerTag::Judgment(_) => 2,
        LedgerTag::Uncertain(_) => 3,
    });
    entries
}

fn settled(check: &Check) -> Entry {
    let text = match check.holds() {
        Some(position) if check.positions.len() > 1 && position != check.topic => {
            format!("{}: {position}", check.topic.trim_end_matches(['.', '?', ':']))
        }
        Some(position) => position.to_owned(),
        None => format!("{}: none of what was said holds", check.topic.trim_end_matches(['.', '?', ':'])),
    };
    Entry { text, tag: LedgerTag::Verified(check.by.words()) }
}

fn sides(split: &ScoutSplit) -> Vec<(String, usize)> {
    split.sides.iter().map(|side| (side.position.clone(), side.scouts.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckFinding, sample::investigate as sample};

    #[test]
    fn every_claim_has_its_ground_and_a_lone_one_is_uncertain_until_checked() {
        let compared = sample::compared();
        let tags = |checks: &[Check]| -> Vec<(String, LedgerTag)> {
            ledger(&compared, checks).into_iter().map(|entry| (entry.text, entry.tag)).collect()
        };
        let before = tags(&[]);
        assert!(before.iter().all(|(_, tag)| !matches!(tag, LedgerTag::Verified(_))), "{before:?}");
        assert!(before.contains(&(
            "A grant covers it all.".into(),
            LedgerTag::Uncertain("only Scout 3 says so".into())
        )));
        assert!(before.iter().any(|(_, tag)| matches!(tag, LedgerTag::Judgment(sides) if sides.len() == 2)));
        let check = sample::check("What it costs a year", &["84,000", "48,000"], CheckFinding::Holds(0));
        let after = tags(&[check]);
        assert_eq!(
            after[0],
            ("What it costs a year: 84,000".into(), LedgerTag::Verified("by a calculation".into()))
        );
        let unsettled = sample::check("What it costs a year", &["84,000", "48,000"], CheckFinding::Unsettled);
        assert_eq!(tags(&[unsettled]), before, "what settles nothing changes nothing");
        let valued = "Whether meeting in person is worth it";
        let judged = sample::check(valued, &["It is", "It is not"], CheckFinding::Holds(0));
        assert_eq!(tags(&[judged]), before, "what somebody values is settled by nothing");
    }
}
