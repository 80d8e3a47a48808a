//! Quorum: a Discord bot with which teams decide things well.
//!
//! # Layout
//! Rooms lie along the flow of data, from left to right; nothing imports to its left, and the rooms on the
//! right never import one another.
//!
//! ```text
//! main -> cli, app, eval, example -> bot -> session -> protocols -> steps -> discord | llm | search | pages | documents | sandbox | store -> domain
//!                             session -> report, protocols -> prompt | render | audit     (pure)
//! ```
//!
//! * [`confine`]: a child process that is shut in; under `documents` and `sandbox`.
//! * [`domain`]: pure values and rules, named by the nouns of the field.
//! * [`metrics`]: how the bot does, for whoever runs it; under `app`, beside `bot`.
//! * [`example`]: a finished session for newcomers to the playground, written by hand.
//! * [`playground`]: a local stand-in for Discord; imports nothing of the rest.
//! * `sample`: for unit tests alone, one session of each kind.

pub mod app;
pub mod audit;
pub mod bot;
pub mod cli;
pub mod config;
pub mod confine;
pub mod discord;
pub mod documents;
pub mod domain;
pub mod error;
pub mod eval;
pub mod example;
pub mod llm;
pub mod metrics;
pub mod pages;
pub mod playground;
pub mod prompt;
pub mod protocols;
pub mod render;
pub mod report;
pub mod sandbox;
pub mod search;
pub mod session;
pub mod steps;
pub mod store;

#[cfg(test)]
mod sample;

/// What `PROPTEST_CASES` is where nobody sets it.
#[cfg(test)]
const PROPTESTS_OWN: u64 = 256;

/// So many cases of a property, 64 as a rule, and with `PROPTEST_CASES=25600` a hundred times as many, as `.ci/nightly` tries.
/// What once failed is kept beside the test and tried first.
#[cfg(test)]
pub(crate) fn cases(cases: u32) -> proptest::prelude::ProptestConfig {
    use proptest::{prelude::ProptestConfig, test_runner::FileFailurePersistence};
    let asked = ProptestConfig::default();
    let cases = u64::from(cases) * u64::from(asked.cases) / PROPTESTS_OWN;
    let cases = u32::try_from(cases).unwrap_or(u32::MAX).max(1);
    ProptestConfig {
        cases,
        // As many may be no case at all for each that is one, however many are asked for.
        max_global_rejects: asked.max_global_rejects.max(cases.saturating_mul(4)),
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..asked
    }
}
