//! The cards of a mediation, in the order in which they appear.

mod module;
mod points;
mod synthesis;

pub use module::{lost_card, module_card};
pub use points::{all_points, points_card};
pub use synthesis::synthesis_cards;
