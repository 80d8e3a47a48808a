//! Identifiers, each its own type so that a channel can never be passed where a member is meant.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Declares a newtype over a Discord snowflake (64 bits, milliseconds since 2015 in the upper 42), written
/// as a decimal string in JSON as Discord does.
macro_rules! snowflake {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u64);

        impl $name {
            /// The number as `SQLite` keeps it. Snowflakes use 63 bits until the year 2084.
            #[must_use]
            pub fn as_i64(self) -> i64 {
                self.0.cast_signed()
            }

            /// Back from the number as `SQLite` keeps it.
            #[must_use]
            pub fn from_i64(number: i64) -> Self {
                Self(number.cast_unsigned())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map(Self).map_err(serde::de::Error::custom)
            }
        }
    };
}

snowflake!(
    /// A Discord server.
    GuildId
);
snowflake!(
    /// A channel, or a thread (Discord treats a thread as a channel).
    ChannelId
);
/// Milliseconds from 1970 to Discord's first, 2015-01-01 (documentation, reference: snowflakes).
const DISCORD_EPOCH_MS: u64 = 1_420_070_400_000;

/// When Discord gave a number out, in milliseconds since 1970.
fn made_ms(snowflake: u64) -> i64 {
    (snowflake >> 22).saturating_add(DISCORD_EPOCH_MS).cast_signed()
}

impl MessageId {
    /// When Discord made it, in milliseconds since 1970.
    #[must_use]
    pub fn made_ms(self) -> i64 {
        made_ms(self.0)
    }
}

impl InteractionId {
    /// When somebody used what it is of, in milliseconds since 1970.
    #[must_use]
    pub fn made_ms(self) -> i64 {
        made_ms(self.0)
    }
}

snowflake!(
    /// A message. A thread started from a message has the message's number as its own.
    MessageId
);
snowflake!(
    /// A member or a bot.
    UserId
);

snowflake!(
    /// A tag that posts of a forum can carry.
    TagId
);

impl UserId {
    /// Reads a number as Discord writes it: decimal digits, and not nothing.
    #[must_use]
    pub fn parse(number: &str) -> Option<Self> {
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        number.parse().ok().filter(|number| digits && *number > 0).map(Self)
    }

    /// How a text mentions them.
    #[must_use]
    pub fn mention(self) -> String {
        format!("<@{self}>")
    }

    /// Whom a text mentions that is a mention and nothing else.
    #[must_use]
    pub fn mentioned(text: &str) -> Option<Self> {
        Self::parse(text.strip_prefix("<@")?.strip_suffix('>')?)
    }
}

snowflake!(
    /// A role of a server.
    RoleId
);
snowflake!(
    /// One use of a command, button, select or modal.
    InteractionId
);

/// A session's name: ten characters of `a-z2-7`, chosen by chance when it starts. It stands in `custom_id`s
/// and footers, so it is short and has no separator in it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
pub struct SessionId(String);

impl SessionId {
    /// Length in characters.
    pub const LENGTH: usize = 10;
    const ALPHABET: &'static [u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

    /// The name spelled by 50 of the given random bits.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        let spell = |place: usize| char::from(Self::ALPHABET[(bits >> (place * 5) & 31) as usize]);
        Self((0..Self::LENGTH).map(spell).collect())
    }

    /// Reads a name that came from outside; `None` unless it has exactly the form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = text.len() == Self::LENGTH && text.bytes().all(|b| Self::ALPHABET.contains(&b));
        fits.then(|| Self(text.to_owned()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for SessionId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not a session id"))
    }
}

/// A step's hand-written name, unique in its session: `round-2/market`. Never a counter, so that a step
/// keeps its name when others are added around it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepKey(String);

impl StepKey {
    /// Longest key in characters: it has to fit a `custom_id` (100) beside the session and the verb.
    pub const MAX: usize = 64;

    /// A key from text; characters outside `a-z0-9-/` become `-`, and what is too long is cut.
    #[must_use]
    pub fn new(text: impl AsRef<str>) -> Self {
        let allowed = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-' | '/');
        let spell = |c: char| if allowed(c) { c } else { '-' };
        Self(text.as_ref().to_lowercase().chars().map(spell).take(Self::MAX).collect())
    }

    /// A key below this one: `round-2` and `market` give `round-2/market`.
    #[must_use]
    pub fn child(&self, name: impl fmt::Display) -> Self {
        Self::new(format!("{}/{name}", self.0))
    }

    /// The call that a step belongs to, with all that were tried in its place: `round-2/market` of
    /// `round-2/market/fallback-1`.
    #[must_use]
    pub fn call(&self) -> Self {
        let instead =
            |part: &str| part == "simpler" || part.starts_with("fallback") || part.starts_with("by-");
        self.without(instead)
    }

    /// The card that a step belongs to: a card has the key with which those of its calls begin.
    #[must_use]
    pub fn card(&self) -> Self {
        let below = |part: &str| {
            matches!(part, "simpler" | "short" | "missing" | "lost" | "plain" | "stock" | "typed")
                || ["fallback", "by-", "try-", "check-", "judge-"]
                    .iter()
                    .any(|begins| part.starts_with(begins))
        };
        self.without(below)
    }

    fn without(&self, part: impl Fn(&str) -> bool) -> Self {
        let mut key = self.as_str();
        while let Some((above, _)) = key.rsplit_once('/').filter(|(_, last)| part(last)) {
            key = above;
        }
        Self(key.to_owned())
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for StepKey {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Display for StepKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_ids_read_back_and_refuse_anything_else() {
        let id = SessionId::from_bits(0x0123_4567_89ab_cdef);
        assert_eq!(SessionId::parse(id.as_str()), Some(id));
        for wrong in ["", "short", "ABCDEFGHIJ", "abcdefghi:", "abcdefghijk", "abcdefghi1"] {
            assert_eq!(SessionId::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_step_leads_to_its_call_and_to_its_card() {
        for (step, call, card) in [
            ("round-1/tech/simpler", "round-1/tech", "round-1/tech"),
            ("round-1/tech/by-market", "round-1/tech", "round-1/tech"),
            ("round-1/tech/lost", "round-1/tech/lost", "round-1/tech"),
            ("round-1/tech", "round-1/tech", "round-1/tech"),
            ("synthesis/fallback-1", "synthesis", "synthesis"),
            ("notary/plain", "notary/plain", "notary"),
            ("analysis/expert-1/fallback-2", "analysis/expert-1", "analysis/expert-1"),
            ("analysis/expert-1/missing", "analysis/expert-1/missing", "analysis/expert-1"),
            ("points/risk", "points/risk", "points/risk"),
            ("critique/kant/2/1-2/fallback-1", "critique/kant/2/1-2", "critique/kant/2/1-2"),
            ("critique/kant/missing", "critique/kant/missing", "critique/kant"),
            ("turn/opening/pro/try-2/fallback-1", "turn/opening/pro/try-2", "turn/opening/pro"),
            (
                "turn/rebuttal/con/try-2/short/fallback-1",
                "turn/rebuttal/con/try-2/short",
                "turn/rebuttal/con",
            ),
            ("turn/opening/con/check-1/fallback-1", "turn/opening/con/check-1", "turn/opening/con"),
            ("synthesis/judge-2", "synthesis/judge-2", "synthesis"),
            ("synthesis/short/try-3", "synthesis/short/try-3", "synthesis"),
            ("followup/12/try-1", "followup/12/try-1", "followup/12"),
            ("hinge/2/11/try-1/fallback-1", "hinge/2/11/try-1", "hinge/2/11"),
            ("normalise/typed", "normalise/typed", "normalise"),
            ("missing", "missing", "missing"),
        ] {
            let key = StepKey::from(step);
            assert_eq!((key.call().as_str(), key.card().as_str()), (call, card), "{step}");
        }
    }

    #[test]
    fn step_keys_hold_no_separator_of_a_custom_id() {
        assert_eq!(StepKey::new("Round 2:market").as_str(), "round-2-market");
        assert_eq!(StepKey::from("round-2").child("market").as_str(), "round-2/market");
        assert_eq!(StepKey::new("x".repeat(200)).as_str().len(), StepKey::MAX);
    }
}
