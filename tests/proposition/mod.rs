//! What a team does around a debate, over the wire: it words the proposition and starts it, says what it thinks before
//! and after, and records what it decides.

mod afterwards;
mod before;
mod recorded;
mod scene;
mod worded;
