//! The card of a roundtable before its table sits down: the question, and who is to look at it.

mod proposal;
#[cfg(test)]
mod tests;

pub use proposal::{
    open_point, open_points_form, proposal, roles_form, roles_refused, table_form, whole_proposal,
};
