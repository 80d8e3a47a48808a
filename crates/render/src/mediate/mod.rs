//! The cards of a mediation, in the order in which they appear.

mod module;
mod research;
mod selection;
mod synthesis;
mod worth;

pub use module::{lost_card, module_card};
pub use research::{no_research_card, research_cards, research_in_short, research_text};
pub use selection::{Choice, selection_card, whole_selection};
pub use synthesis::synthesis_cards;
pub(crate) use synthesis::{checked, solution_list};
pub use worth::worth_card;

#[cfg(test)]
mod tests;
