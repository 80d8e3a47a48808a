//! The cards of a mediation, in the order in which they appear.

mod closing;
mod module;
mod points;
mod synthesis;

pub use closing::closing;
pub use module::{lost_card, module_card};
pub use points::{all_points, points_card};
pub use synthesis::synthesis_cards;
