//! What members attach, as text. For now plain text and Markdown.
//!
//! Invariants:
//! * Only Discord's own attachment hosts are asked, by `https`, without redirects, without proxy; so that no
//!   link leads to a machine that only this one can reach.
//! * Sizes are counted on the bytes that arrive, after decompression, never believed.
//! * Every error is a sentence for the member: which file, what is wrong with it, what to do.
//!
//! Called by `bot`, when a command carries an attachment: its link expires, so it is read at once.

mod error;
mod fetch;
mod sniff;
mod text;

pub use error::DocumentError;
pub use fetch::Documents;
pub use text::read;

/// Largest document, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
