//! What members attach, as text: plain text, Markdown, code, PDF with text, DOCX, ODT, RTF, PPTX, XLSX, XLS, ODS, EPUB,
//! HTML and mails, told apart by their bytes and never by their names.
//!
//! Untrusted bytes are parsed in one place only, a child process (`reader`): this same program with a hidden
//! subcommand. The bot hands the bytes on as they come from Discord and never holds a whole file.
//!
//! Invariants:
//! * Only Discord's own attachment hosts are asked, by `https`, without redirects, without proxy; so that no
//!   link leads to a machine that only this one can reach.
//! * Sizes are counted on the bytes that arrive, after decompression, never believed.
//! * The child is shut in (`confine`) before it reads a byte. A panic, an abort, an overflow of its stack or a bomb ends
//!   it and nothing else, and whatever it answers is checked like any other untrusted answer.
//! * Every text is clean (`text`): `\n` ends lines, nothing in it is there only to be invisible.
//! * Every error is a sentence for the member: which file, what is wrong with it, what to do.
//!
//! Called by `bot`, when a command carries an attachment: its link expires, so it is read at once; and by whoever has
//! fetched a page of the web for an audit. [`read_in_child`] is called by `cli`, in the child.

mod archive;
mod blocks;
mod child;
pub mod confine;
mod docx;
mod encoding;
mod epub;
mod error;
mod extract;
mod fetch;
mod formula;
mod html;
mod joined;
mod levels;
mod mail;
mod numbering;
mod odt;
mod omitted;
mod package;
mod page;
mod pdf;
mod picture;
mod pptx;
mod reader;
mod relations;
mod remarks;
mod rtf;
pub mod sandbox;
mod sheet;
mod sniff;
mod text;
mod turn;

pub use confine::{Confine, WEAK};
pub use error::{DocumentError, Fault, Missing};
pub use fetch::Documents;
pub use joined::{joined, of_text};
pub use page::PagePlace;
pub use reader::{probe_in_child, read_in_child};
pub use sniff::Foreign;
pub use turn::Turn;

/// Largest file, in bytes.
pub const MAX_BYTES: usize = 25 << 20;

/// Most text of one document, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// Most bytes that the parts of one document are unpacked to.
pub const MAX_UNPACKED: u64 = 64 << 20;

/// Most time on the processor that one document takes, in seconds.
pub const PROCESSOR_SECONDS: u64 = 10;

/// Most memory of the child, in bytes.
const MEMORY: u64 = 512 << 20;

/// Most bytes of all pictures of one document, in base64.
pub const MAX_PICTURES: usize = 24 << 20;

/// The option by which the child is told to hand over pictures whose words nobody has read.
pub const PICTURES: &str = "pictures";

/// The hidden subcommand that reads a document in a child process.
pub const SUBCOMMAND: &str = "read-document";
