//! What a model says, declared once: a Rust type whose fields carry what the model reads about them, how long they may be
//! at each effort, and what people read above them. From that come the JSON schema, the prompt's list of fields, the
//! bound in tokens, the reading and cleaning of a reply, and the whole text.
//!
//! Invariant: pure. Nothing that a model wrote is cut here: a text that is too long is an error that names it, and the
//! model is asked again. Called by `prompt`, `render` and the protocols.
//!
//! # A walk
//! ```ignore
//! #[derive(Serialize, Deserialize, JsonSchema)]
//! struct Position {
//!     /// What you would do, beginning with a verb.
//!     #[schemars(extend("words" = "4-10", "line" = true, "label" = "Would do"))]
//!     option: String,
//!     /// The chance that it achieves what the team wants.
//!     #[schemars(range(min = 0, max = 100), extend("label" = "Chance"))]
//!     success: u8,
//! }
//! ```
//! - The doc comment is the sentence that the model reads, in the schema and in the prompt.
//! - `words`: how many are asked for, `least-most`, the same at every effort or `brief | standard | deep`. On a list they
//!   are counted over all its items, whose texts then need none of their own.
//! - `items_asked`: how many a list may have, in the same way.
//! - `line`: the text stands on one line; else it is Markdown.
//! - `verbatim`: the text is copied from what the request shows, and is kept as it is: a mark in it is no citation.
//! - `label`: what people read above it. A field without one is not shown in the whole text.
//! - `names`: the text is one of the names that the request gives under this word ([`Asked::names`]).
//! - `each`: a map with a whole number for each name that the request gives under this word, from `minimum` to `maximum`;
//!   `Option` in the map lets it be null.
//! - `when`: the field is asked for only where the request says so ([`Asked::when`]); it needs `#[serde(default)]`.
//! - `needed`: an empty text is an error.
//!
//! [`Shape::of`] reads the declaration once; [`read()`] makes a value of a reply; [`Shape::whole`] shows one.

pub mod clean;
mod error;
mod json;
mod read;
pub mod schema;
mod shape;
mod show;

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

pub use error::ParseError;
pub use json::{MAX_REPLY_BYTES, parse};
pub use read::{Read, read};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
pub use shape::{Asked, ByEffort, Field, Kind, Range, Shape};
pub use show::{each_text, whole};

/// Something that a model says: any type that has a schema and can be read and written. Its name is the schema's.
pub trait Form: JsonSchema + Serialize + DeserializeOwned + 'static {}

impl<T: JsonSchema + Serialize + DeserializeOwned + 'static> Form for T {}

/// Shapes that were read from their declarations.
static KNOWN: LazyLock<Mutex<HashMap<TypeId, &'static Shape>>> = LazyLock::new(Mutex::default);

impl Shape {
    /// The shape of a form.
    #[must_use]
    pub fn of<T: Form>() -> &'static Self {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        // One for each type there is, for as long as the program runs.
        known.entry(TypeId::of::<T>()).or_insert_with(|| Box::leak(Box::new(Self::declared::<T>())))
    }
}

#[cfg(test)]
mod tests;
