//! The ways in which a question is answered that are compared.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// A way to come to an answer.
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
pub(super) enum Method {
    /// One model, once, which is told everything.
    Single,
    /// Several answers of which none has seen another; the most frequent one. Of facts that stand apart, each knows one.
    Majority,
    /// A session that looks where independent answers part and checks that, in fixed steps.
    Structured,
    /// The same, free while the question is unclear.
    Adaptive,
    /// A session of experts, rebuttals and points.
    Roundtable,
}

/// A session that stands for a method: the command that starts it, its options besides the problem, and the buttons that
/// somebody presses as they come up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sitting {
    /// The command's name.
    pub command: &'static str,
    /// The option that takes the question.
    pub asked: &'static str,
    /// Further options.
    pub options: &'static [(&'static str, &'static str)],
    /// Labels of buttons that let it go on.
    pub go_on: &'static [&'static str],
}

impl Method {
    /// All, in the order in which they are told of.
    pub(super) const ALL: [Self; 5] =
        [Self::Single, Self::Majority, Self::Structured, Self::Adaptive, Self::Roundtable];

    /// As people write it.
    #[must_use]
    pub(super) fn name(self) -> &'static str {
        self.into()
    }

    /// The session that stands for it; nothing where models are asked without one.
    #[must_use]
    pub(super) fn sitting(self) -> Option<Sitting> {
        const INVESTIGATE: Sitting =
            Sitting { command: "investigate", asked: "question", options: &[], go_on: &["Go", "Go on"] };
        match self {
            Self::Single | Self::Majority => None,
            Self::Structured => Some(Sitting { options: &[("mode", "structured")], ..INVESTIGATE }),
            Self::Adaptive => Some(Sitting { options: &[("mode", "adaptive")], ..INVESTIGATE }),
            Self::Roundtable => {
                Some(Sitting { command: "roundtable", asked: "problem", options: &[], go_on: &["Go"] })
            }
        }
    }
}
