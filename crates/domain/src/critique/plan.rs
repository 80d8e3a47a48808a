//! How many calls a critique makes at most, fixed before it starts.

use serde::{Deserialize, Serialize};

use super::{DocumentSection, SectionId};
use crate::{Effort, FirstAnswer, Written};

/// How deep trees may grow, 1 to 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct TreeDepth(u8);

impl TreeDepth {
    /// The usual depth.
    pub const USUAL: Self = Self(2);

    /// 1 to 3; nothing else.
    #[must_use]
    pub fn new(levels: u8) -> Option<Self> {
        (1..=3).contains(&levels).then_some(Self(levels))
    }

    /// In levels.
    #[must_use]
    pub fn levels(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for TreeDepth {
    type Error = String;

    fn try_from(levels: u8) -> Result<Self, Self::Error> {
        Self::new(levels).ok_or_else(|| format!("a depth of {levels}"))
    }
}

impl From<TreeDepth> for u8 {
    fn from(depth: TreeDepth) -> Self {
        depth.0
    }
}

/// What will be called at most.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallPlan {
    /// The depth that was asked for.
    pub wanted: TreeDepth,
    /// The depth that fits; never more than was asked for.
    pub depth: TreeDepth,
    /// Most of a call's claims that are grown, 1 or 2 (0 at depth 1).
    pub branches: u8,
    /// Sections that are read by everybody.
    pub read: Vec<SectionId>,
    /// Sections that nobody reads, because the budget does not suffice.
    pub unread: Vec<SectionId>,
    /// Most calls at each stage, in their order: the tree's levels, the look across sections where there are several,
    /// self-critique, comparison, the reviews, scoring.
    pub stages: Vec<u32>,
}

/// What of a document is read, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reading {
    /// What will be called.
    pub plan: CallPlan,
    /// The sections of the text, those that will not be read too.
    pub sections: Vec<DocumentSection>,
}

impl Reading {
    /// Whether it is less than was asked for: sections that nobody reads, or less depth.
    #[must_use]
    pub fn falls_short(&self) -> bool {
        !self.plan.unread.is_empty() || self.plan.depth.levels() < self.plan.wanted.levels()
    }
}

/// Most claims of a call further down a tree, each of which may be grown; a call of the first level gives one more.
const CLAIMS_BELOW: u64 = 2;

/// Branches grown where the budget allows. What a second costs is at standard better spent on several who read the first reviews;
/// a third would make the deepest tree half as large again for the claim that its own member holds the least weighty of three.
fn usual_branches(effort: Effort) -> u8 {
    if effort == Effort::Deep { 2 } else { 1 }
}

/// The plan that fits `calls` (what the session may call, of which a fifth is kept for repairs): first fewer branches,
/// then less depth, then fewer sections, the longest kept first. `None` where not even one section at depth 1 fits.
#[must_use]
pub fn plan_calls(
    sections: &[DocumentSection],
    members: usize,
    (depth, effort): (TreeDepth, Effort),
    calls: i64,
) -> Option<CallPlan> {
    let members = u64::try_from(members).unwrap_or(u64::MAX);
    let room = u64::try_from(calls).ok()? / 5 * 4 + u64::try_from(calls).ok()? % 5 * 4 / 5;
    if members == 0 || sections.is_empty() {
        return None;
    }
    let all = u64::try_from(sections.len()).unwrap_or(u64::MAX);
    // What is read at once is reviewed alone as well, for the review to begin with.
    let drafts = u64::try_from(FirstAnswer::asked(Written::Review, effort)).unwrap_or(u64::MAX);
    // As many read them, where there are several.
    let alone = if all > 1 {
        0
    } else if drafts == 1 {
        1
    } else {
        2 * drafts
    };
    let shapes = (1..=depth.levels()).rev().flat_map(|levels| {
        let branches = if levels == 1 { 0..=0 } else { 1..=usual_branches(effort) };
        branches.rev().map(move |branches| (TreeDepth(levels), branches))
    });
    let (shape, read) = shapes
        .map(|shape| (shape, all))
        .find(|(shape, read)| sum(&stages(*shape, *read, members, alone)) <= room)
        .or_else(|| {
            let around = sum(&stages((TreeDepth(1), 0), all, members, alone)) - members.saturating_mul(all);
            let fitting = room.saturating_sub(around) / members;
            (fitting > 0).then_some(((TreeDepth(1), 0), fitting.min(all)))
        })?;
    let kept = longest(sections, usize::try_from(read).unwrap_or(usize::MAX));
    let ids = |wanted: bool| {
        let of = sections.iter().zip(&kept).filter(move |(_, kept)| **kept == wanted);
        of.map(|(section, _)| section.id).collect()
    };
    let stages = stages(shape, read, members, alone);
    Some(CallPlan {
        wanted: depth,
        depth: shape.0,
        branches: shape.1,
        read: ids(true),
        unread: ids(false),
        stages: stages.into_iter().map(|calls| u32::try_from(calls).unwrap_or(u32::MAX)).collect(),
    })
}

/// Most calls at each stage of a critique of that depth and branching; so many of them for what the review begins with.
fn stages((depth, branches): (TreeDepth, u8), sections: u64, members: u64, alone: u64) -> Vec<u64> {
    let branches = u64::from(branches);
    let first = members.saturating_mul(sections);
    let second = first.saturating_mul(branches);
    let third = second.saturating_mul(branches.min(CLAIMS_BELOW));
    let levels = [first, second, third].into_iter().take(usize::from(depth.levels()));
    let across = (sections > 1).then_some(1);
    levels.chain(across).chain([members, 1, alone + 1, members]).collect()
}

fn sum(stages: &[u64]) -> u64 {
    stages.iter().fold(0, |sum, calls| sum.saturating_add(*calls))
}

/// Which sections are kept if only so many can be: the longest, and of those that are as long the first.
fn longest(sections: &[DocumentSection], count: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..sections.len()).collect();
    // Stable, so that the first of equals comes first.
    order.sort_by_key(|place| std::cmp::Reverse(sections[*place].span.len()));
    let mut kept = vec![false; sections.len()];
    for place in order.into_iter().take(count) {
        kept[place] = true;
    }
    kept
}
