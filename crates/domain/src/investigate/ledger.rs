//! The evidence ledger: each claim with the ground it stands on. Worked out by code from who said what and what was
//! checked; no model writes it.

use serde::{Deserialize, Serialize};

use super::{Check, CheckedBy, Compared, LoneClaim, ScoutSplit, SharedClaim, SplitKind, SplitSide};
use crate::enumerated;

/// The ground that a claim stands on: what happened, and no more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerTag {
    /// By a calculation, or by a page that says it.
    Verified(String),
    /// A model was asked alone and says so from memory, which.
    Checked(String),
    /// So many scouts of so many say it, and nobody checked.
    Consensus {
        /// Who say it.
        held: usize,
        /// How many answered.
        of: usize,
    },
    /// Scouts differ by what they value; each side with its number.
    Judgment(Vec<(String, usize)>),
    /// One scout alone says it, and what became of a check.
    Alone(String),
    /// It was looked at and could not be told, and why.
    NotSettled(String),
    /// Nobody looked at it, and what is said.
    NotChecked(String),
}

/// A line of the ledger.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The claim, or what is disputed.
    pub text: String,
    /// Its ground.
    pub tag: LedgerTag,
}

/// The ledger of a comparison after its checks: what was verified first, what nobody looked at last.
#[must_use]
pub fn ledger(compared: &Compared, checks: &[Check]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = compared.splits.iter().map(|split| of_split(split, checks)).collect();
    entries.extend(compared.consensus.iter().map(|shared| of_shared(shared, compared, checks)));
    entries.extend(compared.grave().map(|lone| of_lone(lone, checks)));
    // Claims that the investigator had checked beside what scouts said.
    let known = |check: &&Check| {
        compared.splits.iter().any(|split| split.topic == check.topic)
            || compared.grave().any(|lone| lone.claim == check.topic)
            || compared.consensus.iter().any(|shared| shared.claim == check.topic)
    };
    entries.extend(checks.iter().filter(|check| check.is_settled() && !known(check)).map(settled));
    entries.sort_by_key(|entry| match entry.tag {
        LedgerTag::Verified(_) => 0,
        LedgerTag::Checked(_) => 1,
        LedgerTag::Consensus { .. } => 2,
        LedgerTag::Judgment(_) => 3,
        LedgerTag::Alone(_) => 4,
        LedgerTag::NotSettled(_) => 5,
        LedgerTag::NotChecked(_) => 6,
    });
    entries
}

/// The last check of a topic that found something; else the last that did not.
fn on<'a>(topic: &str, checks: &'a [Check]) -> Option<&'a Check> {
    let mut of = checks.iter().rev().filter(|check| check.topic == topic);
    of.clone().find(|check| check.is_settled()).or_else(|| of.next())
}

fn of_split(split: &ScoutSplit, checks: &[Check]) -> Entry {
    let text = split.topic.clone();
    if split.kind == SplitKind::Judgement {
        // What somebody values is not settled by whatever was checked.
        return Entry { text, tag: LedgerTag::Judgment(sides(split)) };
    }
    let said = || {
        let sides = sides(split).into_iter().map(|(side, held)| format!("{side} ({held})"));
        sides.collect::<Vec<_>>().join(" / ")
    };
    match on(&split.topic, checks) {
        Some(check) if check.is_settled() => {
            let entry = settled(check);
            let wrong = refuted(split, check).map(|side| {
                let who: Vec<String> = side.scouts.iter().map(|scout| scout.title()).collect();
                format!("{} said {}", enumerated(&who), side.position.trim_end_matches('.'))
            });
            let wrong = wrong.collect::<Vec<_>>().join("; ");
            Entry { text: format!("{}. {wrong}.", entry.text.trim_end_matches('.')), ..entry }
        }
        Some(check) => Entry {
            text,
            tag: LedgerTag::NotSettled(format!("{}; looked at {}: {}", said(), check.by.words(), check.why)),
        },
        None => Entry { text, tag: LedgerTag::NotChecked(said()) },
    }
}

/// The sides of a disagreement that this check found wrong.
fn refuted<'a>(split: &'a ScoutSplit, check: &'a Check) -> impl Iterator<Item = &'a SplitSide> {
    split.sides.iter().filter(|side| check.holds() != Some(side.position.as_str()))
}

/// What several say: as a check found it that was about that, else as weak evidence; where a check found all of them wrong on
/// something that others saw otherwise, with that, for it may be the ground of what they say here.
fn of_shared(shared: &SharedClaim, compared: &Compared, checks: &[Check]) -> Entry {
    let who: Vec<String> = shared.scouts.iter().map(|scout| scout.title()).collect();
    let who = enumerated(&who);
    if let Some(check) = on(&shared.claim, checks).filter(|check| check.is_settled()) {
        let entry = settled(check);
        let denied = || format!("Not so, though {who} say it: {}", check.topic);
        return Entry { text: if check.denies() { denied() } else { entry.text }, ..entry };
    }
    let split = compared.verifiable().find(|split| {
        // What a model says from memory finds nobody wrong.
        let checked = on(&split.topic, checks).filter(|check| !matches!(check.by, CheckedBy::Model(_)));
        let Some(check) = checked.filter(|check| check.is_settled()) else { return false };
        refuted(split, check).any(|side| shared.scouts.iter().all(|scout| side.scouts.contains(scout)))
    });
    let text = split.map_or_else(
        || shared.claim.clone(),
        |split| {
            let topic = split.topic.trim_end_matches(['.', '?', ':']);
            format!("{}. {who} were wrong on: {topic}.", shared.claim.trim_end_matches('.'))
        },
    );
    Entry { text, tag: LedgerTag::Consensus { held: shared.scouts.len(), of: compared.scouts() } }
}

fn of_lone(lone: &LoneClaim, checks: &[Check]) -> Entry {
    let who = lone.scout.title();
    match on(&lone.claim, checks) {
        Some(check) if check.is_settled() => settled(check),
        Some(check) => {
            let why = format!("{who}; looked at {}, and not settled", check.by.words());
            Entry { text: lone.claim.clone(), tag: LedgerTag::Alone(why) }
        }
        None => {
            Entry { text: lone.claim.clone(), tag: LedgerTag::Alone(format!("{who}; no check of its own")) }
        }
    }
}

/// What a check that found something found, by what.
fn settled(check: &Check) -> Entry {
    let topic = check.topic.trim_end_matches(['.', '?', ':']);
    let text = match check.holds() {
        Some(position) if position == check.topic => position.to_owned(),
        _ if check.denies() => match check.lone {
            Some(scout) => format!("Not so, though {} says it: {}", scout.title(), check.topic),
            None => format!("Not so: {}", check.topic),
        },
        Some(position) => format!("{topic}: {position}"),
        None => format!("{topic}: none of what was said holds"),
    };
    let tag = match &check.by {
        CheckedBy::Code { .. } | CheckedBy::Pages => LedgerTag::Verified(check.by.words()),
        CheckedBy::Model(_) if check.independent => LedgerTag::Checked(check.by.words()),
        CheckedBy::Model(_) => {
            LedgerTag::Checked(format!("{}, which may have said it itself", check.by.words()))
        }
    };
    Entry { text, tag }
}

fn sides(split: &ScoutSplit) -> Vec<(String, usize)> {
    split.sides.iter().map(|side| (side.position.clone(), side.scouts.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckFinding, ScoutId, sample::investigate as sample};

    #[test]
    fn every_claim_has_its_ground_and_a_lone_one_is_uncertain_until_checked() {
        let compared = sample::compared();
        let tags = |checks: &[Check]| -> Vec<(String, LedgerTag)> {
            ledger(&compared, checks).into_iter().map(|entry| (entry.text, entry.tag)).collect()
        };
        let before = tags(&[]);
        let looked = |tag: &LedgerTag| {
            matches!(tag, LedgerTag::Verified(_) | LedgerTag::Checked(_) | LedgerTag::NotSettled(_))
        };
        assert!(before.iter().all(|(_, tag)| !looked(tag)), "nobody looked: {before:?}");
        let alone = LedgerTag::Alone("Scout 3; no check of its own".into());
        assert!(before.contains(&("A grant covers it all.".into(), alone)));
        let open = LedgerTag::NotChecked("84,000 (2) / 48,000 (1)".into());
        assert!(before.contains(&("What it costs a year".into(), open)));
        assert!(before.iter().any(|(_, tag)| matches!(tag, LedgerTag::Judgment(sides) if sides.len() == 2)));
        let check = sample::check("What it costs a year", &["84,000", "48,000"], CheckFinding::Holds(0));
        let after = tags(std::slice::from_ref(&check));
        let text = "What it costs a year: 84,000. Scout 3 said 48,000.";
        assert_eq!(after[0], (text.into(), LedgerTag::Verified("by a calculation".into())));
        let unsettled = Check { finding: CheckFinding::Unsettled, ..check };
        let after = tags(&[unsettled]);
        assert!(
            after.iter().any(|(_, tag)| matches!(tag, LedgerTag::NotSettled(why) if why.contains("looked at by a calculation"))),
            "what was looked at is not what nobody looked at: {after:?}"
        );
        let valued = "Whether meeting in person is worth it";
        let judged = sample::check(valued, &["It is", "It is not"], CheckFinding::Holds(0));
        assert_eq!(tags(&[judged]), before, "what somebody values is settled by nothing");
    }

    #[test]
    fn what_several_say_who_were_found_wrong_is_told_with_that() {
        let side = |position: &str, ids: &[u8]| SplitSide {
            position: position.into(),
            scouts: ids.iter().map(|&id| ScoutId(id)).collect(),
        };
        let shared =
            |claim: &str, ids: &[u8]| SharedClaim { claim: claim.into(), scouts: side("", ids).scouts };
        let compared = Compared {
            consensus: vec![
                shared("The new bakers waste flour.", &[1, 2]),
                shared("Rolls weigh 60 g.", &[1, 3]),
            ],
            splits: vec![ScoutSplit {
                topic: "What makes the surplus?".into(),
                sides: vec![side("The bakers", &[1, 2]), side("The scale", &[3])],
                kind: SplitKind::Verifiable,
            }],
            ..Compared::default()
        };
        let told = |checks: &[Check]| -> Vec<String> {
            let shared = ledger(&compared, checks).into_iter();
            shared
                .filter(|entry| matches!(entry.tag, LedgerTag::Consensus { .. }))
                .map(|entry| entry.text)
                .collect()
        };
        assert_eq!(told(&[]), ["The new bakers waste flour.", "Rolls weigh 60 g."]);
        let check = |found| sample::check("What makes the surplus?", &["The bakers", "The scale"], found);
        let refuted =
            "The new bakers waste flour. Scout 1 and Scout 2 were wrong on: What makes the surplus.";
        assert_eq!(told(&[check(CheckFinding::Holds(1))]), [refuted, "Rolls weigh 60 g."]);
        let by = CheckedBy::Model("local/m".parse().unwrap());
        let from_memory = Check { by, ..check(CheckFinding::Holds(1)) };
        assert_eq!(told(&[from_memory])[0], "The new bakers waste flour.", "no check but a memory");
        assert_eq!(told(&[check(CheckFinding::Unsettled)])[0], "The new bakers waste flour.");
        assert_eq!(told(&[check(CheckFinding::Holds(0))])[0], "The new bakers waste flour.");
    }

    #[test]
    fn what_several_say_and_a_check_was_about_is_told_as_it_found_it() {
        let claim = "A fan takes half a kilowatt.";
        let shared = SharedClaim { claim: claim.into(), scouts: vec![ScoutId(1), ScoutId(2)] };
        let compared = Compared { consensus: vec![shared], ..Compared::default() };
        let told = |found| ledger(&compared, &[sample::check(claim, &[claim, "That is not so."], found)]);
        let by = || LedgerTag::Verified("by a calculation".into());
        let denied = "Not so, though Scout 1 and Scout 2 say it: A fan takes half a kilowatt.";
        for (found, text) in [(CheckFinding::Holds(0), claim), (CheckFinding::Holds(1), denied)] {
            assert_eq!(told(found), [Entry { text: text.into(), tag: by() }]);
        }
        let open = LedgerTag::Consensus { held: 2, of: 0 };
        assert_eq!(told(CheckFinding::Unsettled), [Entry { text: claim.into(), tag: open }]);
    }

    #[test]
    fn a_claim_on_which_nothing_hangs_is_told_where_it_was_settled() {
        let claim = "The lease is from 2019.";
        let lone = LoneClaim { claim: claim.into(), scout: ScoutId(2), matters: false };
        let compared = Compared { lone: vec![lone], ..Compared::default() };
        assert_eq!(compared.who_say("the lease is from 2019"), [ScoutId(2)]);
        assert_eq!(ledger(&compared, &[]), []);
        let check = sample::check(claim, &[claim, "That is not so."], CheckFinding::Holds(0));
        assert_eq!(ledger(&compared, &[check]).len(), 1, "whoever named it is told what came of it");
    }

    #[test]
    fn what_a_model_says_from_memory_is_not_verified_and_what_it_denies_is_told_whole() {
        let compared = sample::compared();
        let claim = "A grant covers it all.";
        let of = |finding, independent| {
            let check = Check {
                by: CheckedBy::Model("local/m".parse().unwrap()),
                lone: Some(crate::ScoutId(3)),
                independent,
                ..sample::check(claim, &[claim, "That is not so."], finding)
            };
            let entry = ledger(&compared, &[check]).remove(0);
            let LedgerTag::Checked(by) = entry.tag else { panic!("{:?}", entry.tag) };
            (entry.text, by)
        };
        let (text, by) = of(CheckFinding::Holds(0), true);
        assert_eq!(text, claim);
        assert!(by.contains("from memory") && !by.contains("itself"), "{by}");
        let (text, by) = of(CheckFinding::Holds(1), false);
        assert_eq!(text, "Not so, though Scout 3 says it: A grant covers it all.");
        assert!(by.contains("may have said it itself"), "{by}");
    }
}
