//! The audit of a session: what it looks at, what it can find, and what that comes to.

mod dossier;
mod finding;
mod judged;
mod page;
mod speech;

pub use dossier::{CitedPage, DOSSIER_VERSION, Dossier, PromptText};
pub use finding::{
    Audit, AuditFault, AuditFinding, AuditLayer, AuditScope, CheckedClaim, ClaimVerdict, Examined, Origin,
};
pub use judged::{Grounded, Judged};
pub use page::{Page, PageText, Reached};
pub use speech::Speech;
