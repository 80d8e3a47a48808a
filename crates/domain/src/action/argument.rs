//! What a button is about, and how its `custom_id` spells it.

use crate::{Addressee, Draft, FindingId, InteractionId, Listing, Opinion, SessionId, StepKey, Verdict};

/// What a button is about, as its `custom_id` spells it.
pub(super) trait Argument: Sized {
    fn spelled(&self) -> String;
    fn read(text: &str) -> Option<Self>;
}

/// Spelled as [`fmt::Display`] does and read as [`str::parse`] does.
macro_rules! numbers {
    ($($type:ty)*) => {
        $(impl Argument for $type {
            fn spelled(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        })*
    };
}

numbers!(u8 u32 i64);

/// Spelled by their own words.
macro_rules! worded {
    ($($type:ty)*) => {
        $(impl Argument for $type {
            fn spelled(&self) -> String {
                self.as_str().to_owned()
            }

            fn read(text: &str) -> Option<Self> {
                Self::parse(text)
            }
        })*
    };
}

worded!(Addressee Opinion Verdict);

impl Argument for InteractionId {
    fn spelled(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
}

impl Argument for SessionId {
    fn spelled(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Argument for Listing {
    fn spelled(&self) -> String {
        Self::spelled(*self)
    }

    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Argument for StepKey {
    fn spelled(&self) -> String {
        self.as_str().to_owned()
    }

    fn read(text: &str) -> Option<Self> {
        Some(Self::new(text))
    }
}

impl Argument for Draft {
    fn spelled(&self) -> String {
        self.arg()
    }

    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

/// As the key of its card: `finding/3`.
impl Argument for FindingId {
    fn spelled(&self) -> String {
        self.key().as_str().to_owned()
    }

    fn read(text: &str) -> Option<Self> {
        Self::of_key(text)
    }
}

/// Nothing where there is none; what cannot be read is none.
impl<T: Argument> Argument for Option<T> {
    fn spelled(&self) -> String {
        self.as_ref().map(T::spelled).unwrap_or_default()
    }

    fn read(text: &str) -> Option<Self> {
        Some(T::read(text))
    }
}

/// `for/1287`, `2/did_not`.
impl<A: Argument, B: Argument> Argument for (A, B) {
    fn spelled(&self) -> String {
        format!("{}/{}", self.0.spelled(), self.1.spelled())
    }

    fn read(text: &str) -> Option<Self> {
        let (first, second) = text.split_once('/')?;
        Some((A::read(first)?, B::read(second)?))
    }
}
