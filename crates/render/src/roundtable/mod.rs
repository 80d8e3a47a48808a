//! The cards of a roundtable, in the order in which they appear.

mod letters;
mod minutes;
mod proposal;
mod statement;
#[cfg(test)]
mod tests;

pub use letters::named;
pub use minutes::{minutes_cards, whole_minutes};
pub use proposal::{proposal, roles_form, roles_refused, table_form, whole_proposal};
pub use statement::{alone_card, analysis_card, missing_card, rebuttal_card, whole_statement};
