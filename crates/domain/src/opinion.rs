//! What members think of a question, and who changed their mind between two votes on it. It says what the team thinks
//! and never who was right.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::UserId;

/// What somebody thinks.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    IntoStaticStr,
    EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Opinion {
    /// For what is asked.
    For,
    /// Not sure.
    Undecided,
    /// Against it.
    Against,
}

impl Opinion {
    /// All, in the order in which they always stand, whatever was counted.
    pub const ALL: [Self; 3] = [Self::For, Self::Undecided, Self::Against];

    /// As buttons spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads that.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    /// As people read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::For => "For",
            Self::Undecided => "Undecided",
            Self::Against => "Against",
        }
    }
}

/// How many think what, in the order of [`Opinion::ALL`].
pub type Opinions = [u32; 3];

/// How opinions moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Swing {
    /// Of everybody who said so before.
    pub before: Opinions,
    /// Of everybody who said so after.
    pub after: Opinions,
    /// Of those who said so both times: `moved[from][to]`.
    pub moved: [Opinions; 3],
}

impl Swing {
    /// Fewest who must have said so both times for it to be said who moved where.
    pub const FEWEST: u32 = 3;

    /// Counts what members thought; one opinion a member and vote.
    #[must_use]
    pub fn of(before: &[(UserId, Opinion)], after: &[(UserId, Opinion)]) -> Self {
        let mut swing = Self::default();
        let earlier: BTreeMap<UserId, Opinion> = before.iter().copied().collect();
        let later: BTreeMap<UserId, Opinion> = after.iter().copied().collect();
        for opinion in earlier.values() {
            swing.before[*opinion as usize] += 1;
        }
        for (member, opinion) in &later {
            swing.after[*opinion as usize] += 1;
            if let Some(from) = earlier.get(member) {
                swing.moved[*from as usize][*opinion as usize] += 1;
            }
        }
        swing
    }

    /// How many said so both times.
    #[must_use]
    pub fn both(&self) -> u32 {
        self.moved.iter().flatten().sum()
    }

    /// Whether it may be said who moved where. Of one or two who said so both times, everybody who sees the thread
    /// would know whose secret opinion it is.
    #[must_use]
    pub fn shows_moves(&self) -> bool {
        self.both() >= Self::FEWEST
    }

    /// How many of those think otherwise now.
    #[must_use]
    pub fn changed(&self) -> u32 {
        self.both() - (0..3).map(|at| self.moved[at][at]).sum::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_are_read_back() {
        for opinion in Opinion::ALL {
            assert_eq!(Opinion::parse(opinion.as_str()), Some(opinion));
        }
        assert_eq!(Opinion::parse("For"), None);
    }

    #[test]
    fn a_swing_counts_who_moved_where() {
        use Opinion::{Against, For, Undecided};
        let (ada, bob, cyd, dan) = (UserId(1), UserId(2), UserId(3), UserId(4));
        let swing = Swing::of(
            &[(ada, For), (bob, Undecided), (cyd, Undecided)],
            &[(bob, For), (cyd, Undecided), (dan, Against)],
        );
        assert_eq!((swing.before, swing.after), ([1, 2, 0], [1, 1, 1]));
        assert_eq!(swing.moved, [[0, 0, 0], [1, 1, 0], [0, 0, 0]]);
        assert_eq!((swing.both(), swing.changed()), (2, 1));
        assert_eq!(Swing::of(&[], &[]), Swing::default());
    }

    /// Opinions of some of a few members, one each.
    fn opinions() -> impl Strategy<Value = Vec<(UserId, Opinion)>> {
        let opinion = prop::sample::select(Opinion::ALL.to_vec());
        let ballots = prop::collection::btree_map(0u64..12, opinion, 0..12);
        ballots.prop_map(|ballots| {
            ballots.into_iter().map(|(member, opinion)| (UserId(member), opinion)).collect()
        })
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn a_swing_adds_up(before in opinions(), after in opinions()) {
            let swing = Swing::of(&before, &after);
            let count = |opinions: &Opinions| opinions.iter().sum::<u32>() as usize;
            prop_assert_eq!((count(&swing.before), count(&swing.after)), (before.len(), after.len()));
            let stayed = before.iter().filter(|ballot| after.contains(ballot)).count();
            let both = before.iter().filter(|(member, _)| after.iter().any(|(other, _)| other == member)).count();
            prop_assert_eq!((swing.both() as usize, swing.changed() as usize), (both, both - stayed));
            for opinion in 0..3 {
                // Nobody moves from or to where nobody was.
                prop_assert!(swing.moved[opinion].iter().sum::<u32>() <= swing.before[opinion]);
                prop_assert!((0..3).map(|from| swing.moved[from][opinion]).sum::<u32>() <= swing.after[opinion]);
            }
        }

        #[test]
        fn the_order_of_ballots_makes_no_difference(before in opinions(), after in opinions(), turn in 0usize..12) {
            let turned = |ballots: &[(UserId, Opinion)]| {
                let mut ballots: Vec<_> = ballots.iter().rev().copied().collect();
                let middle = turn.min(ballots.len());
                ballots.rotate_left(middle);
                ballots
            };
            prop_assert_eq!(Swing::of(&turned(&before), &turned(&after)), Swing::of(&before, &after));
        }

        #[test]
        fn backwards_everybody_moves_back(before in opinions(), after in opinions()) {
            let (there, back) = (Swing::of(&before, &after), Swing::of(&after, &before));
            prop_assert_eq!((there.before, there.after), (back.after, back.before));
            for from in 0..3 {
                for to in 0..3 {
                    prop_assert_eq!(there.moved[from][to], back.moved[to][from]);
                }
            }
        }
    }
}
