//! What a critique is made of: who reads, how the text is taken apart, the trees that grow over it, and what code makes
//! of them.
//!
//! Invariants: a quotation counts as one only where it really stands in the text; whose claim something is, how sure and
//! how severe it is, and what is told as one is decided here, by what members say of their own and one another's claims; a
//! finding's words, severity and confidence are those of one claim. Called by `prompt`, `protocols` and
//! `render`.

mod brief;
mod finding;
mod group;
mod outline;
mod philosopher;
mod plan;
mod quote;
mod section;
mod segment;
mod self_critique;
mod spelling;
mod spoken;
mod tone;
mod tree;
mod triage;

pub use brief::CritiqueBrief;
pub use finding::{Finding, FindingId, MAX_FINDINGS, Review, Skipped, ranked};
pub use group::{Grouped, grouped, stayed};
pub use philosopher::Philosopher;
pub use plan::{CallPlan, Reading, TreeDepth, plan_calls};
pub use quote::{find_quote, misquoted};
pub use section::{DocumentSection, SectionId, sections};
pub use segment::{MIN_SEGMENT, segment};
pub use self_critique::{Adjustment, Opposition, SelfCritique, adjusted};
pub use spoken::{
    Effect, PlainClaim, SaidAdjustment, SaidClaim, SaidCloser, SaidFinding, SaidGroup, SaidLook,
    SaidOfItself, SaidOpposed, SaidReview, SaidSame, SaidToBeSame, SaidToHold,
};
pub use tone::lapses;
pub use tree::{Change, Claim, ClaimId, Confidence, Deeper, Ended, Evidence as ClaimEvidence, HoldsUp, Tree};
pub use triage::{Triage, TriageVerdict, TriagedFinding};

#[cfg(test)]
mod tests;
