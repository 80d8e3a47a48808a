//! A finished session for newcomers to a playground: what a team and a panel of specialists could have written, written
//! by hand, and carried out by the bot itself.
//!
//! Nothing of it is put into a database by hand. [`Desk`] answers the bot's questions as a model server would, from the
//! files in `/example`; [`act`] does what the members do, by the commands, buttons and forms that the page uses. So all
//! that it leaves behind is what any session leaves, and every button of it works.
//!
//! Invariants: it says of itself that it is written by hand, wherever a model's name stands; it asks no model. Called by
//! `app`, which puts a bot between the two, once in a playground's life.

mod desk;
mod team;
mod texts;

pub use desk::Desk;
pub use team::act;
pub use texts::{Team, table, welcome};

/// What the names of its models begin with; a seat's follows, as in `hand-written-market`.
const MODEL: &str = "hand-written-";
