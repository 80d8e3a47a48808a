//! What properties are tried with: how often, and texts that mean harm. Used by the tests of every crate here, and by
//! nothing else.

mod hostile;

pub use hostile::{hostile, live};

use proptest::{prelude::ProptestConfig, test_runner::FileFailurePersistence};

/// What `PROPTEST_CASES` is where nobody sets it.
const PROPTESTS_OWN: u64 = 256;

/// So many cases of a property, 64 as a rule, and with `PROPTEST_CASES=25600` a hundred times as many, as `.ci/nightly` tries.
/// What once failed is kept beside the test and tried first.
#[must_use]
pub fn cases(cases: u32) -> ProptestConfig {
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
