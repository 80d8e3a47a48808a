//! Shards: Discord shares a bot's servers out among so many connections by a server's number, and a process that runs a range
//! of them has those servers and no others.

use std::{fmt, num::NonZeroU32, str::FromStr};

use thiserror::Error;

use super::GuildId;

/// Most shards that a bot can have here. Discord names no bound; this many would carry a hundred million servers.
const MOST_SHARDS: u32 = 100_000;

/// The shard on which Discord tells of a server where there are so many (documentation, topics/gateway, Sharding:
/// `shard_id = (guild_id >> 22) % num_shards`). What belongs to no server, such as direct messages, comes on shard 0.
#[must_use]
pub fn shard_of(guild: GuildId, of: NonZeroU32) -> u32 {
    // A rest is smaller than what it is the rest of.
    u32::try_from((guild.0 >> 22) % u64::from(of.get())).unwrap_or_default()
}

/// The shards that a process runs: some that follow one another, at least one, of all there are. Written `0-15/64`, one
/// alone `3/4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ShardRange {
    first: u32,
    /// At least `first`, below `of`.
    last: u32,
    of: NonZeroU32,
}

/// Why something is no range of shards; the rest of a sentence that begins with its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ShardRangeError {
    /// Another form.
    #[error("is not a range of shards, such as 0-15/64 (the first, the last, of how many) or 3/4")]
    Form,
    /// Of none.
    #[error("is a range of no shards: after the / stands how many there are in all, at least 1")]
    OfNone,
    /// Of more than there can be.
    #[error("is a range of more than {MOST_SHARDS} shards, which no bot has")]
    OfTooMany,
    /// The last before the first.
    #[error("goes backwards: write the lower number first, {last}-{first}/{of}")]
    Backwards {
        /// As it was written.
        first: u32,
        /// As it was written.
        last: u32,
        /// Of how many.
        of: u32,
    },
    /// Beyond all there are.
    #[error("names shard {shard}, but of {of} shards the last is {}: they are counted from 0", of - 1)]
    Outside {
        /// The one that does not exist.
        shard: u32,
        /// How many do, at least 1.
        of: u32,
    },
}

impl ShardRange {
    /// All of so many; of one if there are none.
    #[must_use]
    pub fn whole(of: u32) -> Self {
        let of = NonZeroU32::new(of).unwrap_or(NonZeroU32::MIN);
        Self { first: 0, last: of.get() - 1, of }
    }

    /// The shards from the first to the last, both of them included, of so many.
    pub fn new(first: u32, last: u32, of: u32) -> Result<Self, ShardRangeError> {
        let all = NonZeroU32::new(of).ok_or(ShardRangeError::OfNone)?;
        if of > MOST_SHARDS {
            return Err(ShardRangeError::OfTooMany);
        }
        if let Some(shard) = [first, last].into_iter().find(|shard| *shard >= of) {
            return Err(ShardRangeError::Outside { shard, of });
        }
        if last < first {
            return Err(ShardRangeError::Backwards { first, last, of });
        }
        Ok(Self { first, last, of: all })
    }

    /// The first shard.
    #[must_use]
    pub fn first(self) -> u32 {
        self.first
    }

    /// The last one, which belongs to it.
    #[must_use]
    pub fn last(self) -> u32 {
        self.last
    }

    /// How many shards there are in all.
    #[must_use]
    pub fn of(self) -> u32 {
        self.of.get()
    }

    /// How many it has, at least one.
    #[must_use]
    pub fn count(self) -> u32 {
        self.last - self.first + 1
    }

    /// Whether direct messages come here, and whoever has it registers the commands for all.
    #[must_use]
    pub fn has_first(self) -> bool {
        self.first == 0
    }

    /// Whether these are all there are.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.count() == self.of()
    }

    /// The shard of a server, in this range or in another's.
    #[must_use]
    pub fn shard_of(self, guild: GuildId) -> u32 {
        shard_of(guild, self.of)
    }

    /// Whether a server is told of here.
    #[must_use]
    pub fn holds(self, guild: GuildId) -> bool {
        (self.first..=self.last).contains(&self.shard_of(guild))
    }
}

impl fmt::Display for ShardRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { first, last, of } if first == last => write!(f, "{first}/{of}"),
            Self { first, last, of } => write!(f, "{first}-{last}/{of}"),
        }
    }
}

impl FromStr for ShardRange {
    type Err = ShardRangeError;

    fn from_str(text: &str) -> Result<Self, ShardRangeError> {
        let number = |text: &str| {
            let text = text.trim();
            // What `parse` takes beyond digits, such as a plus, nobody means.
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if digits { Ok(text.parse().unwrap_or(u32::MAX)) } else { Err(ShardRangeError::Form) }
        };
        let (shards, of) = text.split_once('/').ok_or(ShardRangeError::Form)?;
        let (first, last) = shards.split_once('-').unwrap_or((shards, shards));
        Self::new(number(first)?, number(last)?, number(of)?)
    }
}

/// What is wrong with several ranges that are to be a whole together; a sentence for whoever set them.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FleetError {
    /// They count the shards differently.
    #[error("{one} and {other} are of different counts; every process needs the same number after the /")]
    Counts {
        /// A range.
        one: ShardRange,
        /// One of another count.
        other: ShardRange,
    },
    /// Two have the same shard.
    #[error("{one} and {other} both have shard {shard}: its servers would be served twice. Cut them apart")]
    Overlap {
        /// A range.
        one: ShardRange,
        /// Another.
        other: ShardRange,
        /// What both have.
        shard: u32,
    },
    /// None has this one.
    #[error("no range has shard {}: nobody serves its servers. Give it to one of them", missing(*.first, *.last))]
    Gap {
        /// The first that is missing.
        first: u32,
        /// The last of those that follow it and are missing too.
        last: u32,
    },
}

fn missing(first: u32, last: u32) -> String {
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}

/// Whether these ranges have every shard exactly once; gives how many there are (1 where there are no ranges).
pub fn covers_all(ranges: &[ShardRange]) -> Result<u32, FleetError> {
    let mut sorted = ranges.to_vec();
    sorted.sort_by_key(|range| range.first);
    let Some(one) = sorted.first().copied() else { return Err(FleetError::Gap { first: 0, last: 0 }) };
    if let Some(other) = sorted.iter().copied().find(|range| range.of != one.of) {
        return Err(FleetError::Counts { one, other });
    }
    let mut before: Option<ShardRange> = None;
    for range in sorted {
        let next = before.map_or(0, |before| before.last + 1);
        if let Some(before) = before.filter(|_| range.first < next) {
            return Err(FleetError::Overlap { one: before, other: range, shard: range.first });
        }
        if range.first > next {
            return Err(FleetError::Gap { first: next, last: range.first - 1 });
        }
        before = Some(range);
    }
    let next = before.map_or(0, |before| before.last + 1);
    if next < one.of() { Err(FleetError::Gap { first: next, last: one.of() - 1 }) } else { Ok(one.of()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> ShardRange {
        text.parse().unwrap()
    }

    #[test]
    fn a_range_is_read_and_written_alike() {
        for text in ["0-15/64", "3/4", "0/1", "0-63/64", "99999/100000"] {
            assert_eq!(read(text).to_string(), text);
        }
        assert_eq!(read(" 2 - 3 / 4 ").to_string(), "2-3/4");
        assert_eq!(read("3-3/4").to_string(), "3/4");
        let range = read("2-5/8");
        assert_eq!((range.first(), range.last(), range.of(), range.count()), (2, 5, 8, 4));
        assert!(!range.has_first() && !range.is_whole() && read("0-7/8").is_whole());
        assert_eq!(ShardRange::whole(0).to_string(), "0/1");
        assert_eq!(ShardRange::whole(4).to_string(), "0-3/4");
    }

    #[test]
    fn what_is_no_range_says_what_is_wrong_with_it() {
        for (text, says) in [
            ("", "such as 0-15/64"),
            ("3", "such as 0-15/64"),
            ("a-b/c", "such as 0-15/64"),
            ("0-1-2/4", "such as 0-15/64"),
            ("+1/4", "such as 0-15/64"),
            ("-1/4", "such as 0-15/64"),
            ("0/0", "of no shards"),
            ("5-3/8", "goes backwards: write the lower number first, 3-5/8"),
            ("0-4/4", "names shard 4, but of 4 shards the last is 3"),
            ("4/4", "names shard 4"),
            ("9-8/4", "names shard 9"),
            ("0-99999999999999/4", "names shard 4294967295"),
            ("0/100001", "more than 100000 shards"),
        ] {
            let error = text.parse::<ShardRange>().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    /// The numbers are Discord's own example server's and others', reckoned by hand from its formula.
    #[test]
    fn servers_are_shared_out_by_discords_formula() {
        for (guild, of, shard) in [
            (197_038_439_483_310_086, 4, 2),
            (197_038_439_483_310_086, 1, 0),
            (1 << 22, 4, 1),
            (7 << 22, 4, 3),
        ] {
            let all = ShardRange::whole(of);
            assert_eq!(all.shard_of(GuildId(guild)), shard, "{guild} of {of}");
        }
        assert_eq!(read("0-1/4").shard_of(GuildId((3 << 22) + 5)), 3);
        assert!(!read("0-1/4").holds(GuildId(3 << 22)) && read("2-3/4").holds(GuildId(3 << 22)));
    }

    #[test]
    fn ranges_that_are_no_whole_say_why() {
        let all = |texts: &[&str]| covers_all(&texts.iter().map(|text| read(text)).collect::<Vec<_>>());
        assert_eq!(all(&["0-1/4", "2-3/4"]), Ok(4));
        assert_eq!(all(&["2-3/4", "0/4", "1/4"]), Ok(4));
        for (texts, says) in [
            (&["0-1/4", "2-3/5"][..], "0-1/4 and 2-3/5 are of different counts"),
            (&["0-2/4", "2-3/4"], "0-2/4 and 2-3/4 both have shard 2"),
            (&["0-1/4", "0-1/4", "2-3/4"], "both have shard 0"),
            (&["1-3/4"], "no range has shard 0:"),
            (&["0-1/8", "4-7/8"], "no range has shard 2 to 3:"),
            (&["0-2/4"], "no range has shard 3:"),
            (&[], "no range has shard 0:"),
        ] {
            let error = all(texts).unwrap_err().to_string();
            assert!(error.contains(says), "{texts:?}: {error}");
        }
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn ranges_that_are_a_whole_have_every_server_once(
            guild in any::<u64>(), of in 2_u32..200, cut in 1_u32..199
        ) {
            prop_assume!(cut < of);
            let ranges = [ShardRange::new(0, cut - 1, of).unwrap(), ShardRange::new(cut, of - 1, of).unwrap()];
            prop_assert_eq!(covers_all(&ranges), Ok(of));
            let have = ranges.iter().filter(|range| range.holds(GuildId(guild))).count();
            prop_assert_eq!(have, 1);
        }
    }
}
