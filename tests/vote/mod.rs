//! A vote over the wire: members press, type and propose as on Discord, the bot is killed and started again, and
//! what counts in the end is checked in the database and in the thread.

mod casting;
mod closing;
mod out_of_reach;
mod proposing;
mod reminding;
mod restart;
pub(crate) mod scene;
mod spreading;
