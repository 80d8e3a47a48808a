//! What can be wrong with a reply.

use thiserror::Error;

use domain::PointsError;

/// Why a reply cannot be used. Its text is a sentence that the model is told in the repair turn.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ParseError {
    /// More bytes than any honest reply has.
    #[error("the reply has {0} bytes, far more than was asked for")]
    TooLong(usize),
    /// Nested deeper than any shape asked for.
    #[error("the reply is nested far deeper than was asked for")]
    TooDeep,
    /// It ends in the middle.
    #[error("the reply breaks off before its JSON object ends; write less")]
    Truncated,
    /// No JSON object in it.
    #[error("the reply holds no JSON object")]
    NoObject,
    /// An object, but not of the shape asked for.
    #[error("the JSON does not have the shape that was asked for: {0}")]
    Shape(String),
    /// A field with nothing to read in it.
    #[error("the field `{0}` is empty, and it is needed")]
    Empty(&'static str),
    /// The same of a form's field.
    #[error("the field `{0}` is empty, and it is needed")]
    Missing(String),
    /// Texts that are far longer than was asked for.
    #[error(
        "it is too long: {0}. Write these texts again, shorter, in whole sentences, and keep what matters most"
    )]
    Long(String),
    /// Sentences that are personal, praise or advise, where none may.
    #[error(
        "these sentences speak of a person, praise or give advice; say the same impersonally or leave it out: {0}"
    )]
    Tone(String),
    /// Points that are no allocation of ten.
    #[error("{error}; give every option a whole number, ten in all")]
    Points {
        /// As given, in the common order of the solutions; `Allocation::scaled` may make ten of them.
        points: Vec<u32>,
        /// What is wrong with them.
        error: PointsError,
    },
}
