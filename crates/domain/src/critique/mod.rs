//! What a critique is made of: who reads, how the text is taken apart, the trees that grow over it, and what code makes
//! of them.
//!
//! Invariants: a quotation counts as one only where it really stands in the text; whose claim something is, how sure and
//! how severe it is, and what was merged is decided here, by what members say of one another's claims. Called by `prompt`, `protocols` and
//! `render`.

mod brief;
mod consolidate;
mod finding;
mod outline;
mod philosopher;
mod plan;
mod quote;
mod section;
mod segment;
mod self_critique;
mod spelling;
mod tone;
mod tree;
mod triage;

pub use brief::CritiqueBrief;
pub use consolidate::consolidate;
pub use finding::{Assessment, Consolidated, Contradiction, Finding, FindingId, MAX_FINDINGS, Skipped};
pub use philosopher::Philosopher;
pub use plan::{CallPlan, Reading, TreeDepth, plan_calls};
pub use quote::find_quote;
pub use section::{DocumentSection, SectionId, sections};
pub use segment::{MIN_SEGMENT, segment};
pub use self_critique::{Adjustment, Look, Opposition, Sameness, SelfCritique, adjusted};
pub use tone::lapses;
pub use tree::{Claim, ClaimId, Confidence, Deeper, Ended, Evidence as ClaimEvidence, Grown, Tree};
pub use triage::{Triage, TriageVerdict, TriagedFinding};

#[cfg(test)]
mod tests;
