//! The ranges of shards of all processes of one bot, which are a whole together.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{FleetError, GuildId, ShardRange, ShardRangeError, covers_all};

/// What every process of a bot runs: each shard is in exactly one of these ranges. Written `0-1/4,2-3/4`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges(Vec<ShardRange>);

/// Why something is not that; the rest of a sentence that begins with its name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RangesError {
    /// One of them is no range.
    #[error("has {written:?} in it, and that {error}")]
    Range {
        /// As it was written.
        written: String,
        /// What is wrong with it.
        error: ShardRangeError,
    },
    /// They are no whole.
    #[error("does not have every shard exactly once: {0}")]
    NoWhole(FleetError),
}

impl Ranges {
    /// One after another, as they were written; at least one.
    #[must_use]
    pub fn all(&self) -> &[ShardRange] {
        &self.0
    }

    /// Whether a process runs exactly this one.
    #[must_use]
    pub fn has(&self, range: ShardRange) -> bool {
        self.0.contains(&range)
    }

    /// The range that a server is in, whose process alone hears of it. `None` never comes of ranges that are a whole.
    #[must_use]
    pub fn of(&self, guild: GuildId) -> Option<ShardRange> {
        self.0.iter().copied().find(|range| range.holds(guild))
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges: Vec<String> = self.0.iter().map(ShardRange::to_string).collect();
        f.write_str(&ranges.join(","))
    }
}

impl FromStr for Ranges {
    type Err = RangesError;

    fn from_str(text: &str) -> Result<Self, RangesError> {
        let range = |written: &str| {
            written.parse().map_err(|error| RangesError::Range { written: written.trim().to_owned(), error })
        };
        let ranges = text.split(',').map(range).collect::<Result<Vec<ShardRange>, _>>()?;
        covers_all(&ranges).map_err(RangesError::NoWhole)?;
        Ok(Self(ranges))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_are_a_whole_say_who_has_a_server() {
        let ranges: Ranges = " 2-3/4, 0-1/4 ".parse().unwrap();
        assert_eq!(ranges.to_string(), "2-3/4,0-1/4");
        for (shard, whose) in [(0, "0-1/4"), (1, "0-1/4"), (2, "2-3/4"), (3, "2-3/4")] {
            let range = ranges.of(GuildId((shard << 22) + 5)).unwrap();
            assert_eq!(range.to_string(), whose, "shard {shard}");
            assert!(ranges.has(range));
        }
        assert!(!ranges.has(ShardRange::whole(4)));
        assert_eq!("0/1".parse::<Ranges>().unwrap().all(), [ShardRange::whole(1)]);
    }

    #[test]
    fn what_is_no_whole_says_what_is_wrong_with_it() {
        for (text, says) in [
            ("", "has \"\" in it, and that is not a range of shards"),
            ("0-1/4,", "has \"\" in it"),
            ("0-1/4;2-3/4", "and that is not a range of shards, such as 0-15/64"),
            ("0-1/4, 2-4/4", "has \"2-4/4\" in it, and that names shard 4, but of 4 shards the last is 3"),
            ("0-1/4,3/4", "does not have every shard exactly once: no range has shard 2"),
            ("0-2/4,2-3/4", "exactly once: 0-2/4 and 2-3/4 both have shard 2"),
            ("0-1/4,2-3/5", "exactly once: 0-1/4 and 2-3/5 are of different counts"),
        ] {
            let error = text.parse::<Ranges>().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
