//! The council: six philosophers, each with a method.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// A member of the council.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Philosopher {
    /// Purpose, four causes, syllogistic form.
    Aristotle,
    /// Methodical doubt, foundations.
    Descartes,
    /// Preconditions, universalisability, clarity of concepts.
    Kant,
    /// Sufficient reason, consistency, completeness.
    Leibniz,
    /// Falsifiability, testability.
    Popper,
    /// Logical analysis, precise language.
    Russell,
}

impl Philosopher {
    /// All six, in the order of the alphabet, which is the order of seats and cards.
    pub const ALL: [Self; 6] =
        [Self::Aristotle, Self::Descartes, Self::Kant, Self::Leibniz, Self::Popper, Self::Russell];

    /// As keys, files and the database spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// As people read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Aristotle => "Aristotle",
            Self::Descartes => "Descartes",
            Self::Kant => "Kant",
            Self::Leibniz => "Leibniz",
            Self::Popper => "Popper",
            Self::Russell => "Russell",
        }
    }

    /// What it looks for, in a few words for a newcomer.
    #[must_use]
    pub fn looks_for(self) -> &'static str {
        match self {
            Self::Aristotle => "purpose, causes, valid form",
            Self::Descartes => "foundations that survive doubt",
            Self::Kant => "preconditions and clear concepts",
            Self::Leibniz => "sufficient reasons, completeness",
            Self::Popper => "what could prove it wrong",
            Self::Russell => "precise language, contradictions",
        }
    }
}

impl fmt::Display for Philosopher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
