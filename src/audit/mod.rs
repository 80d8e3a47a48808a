//! The audit: whether a session's prompts said what they must, its citations lead somewhere, the pages are there and say
//! what they are cited for, and whether facts came from nowhere. Five layers, by code where code can be certain.
//!
//! Invariant: everything here is pure. What has to be fetched or judged is given as a list of what to look at
//! ([`Grounds`], [`Candidate`]), and what came of it is handed back; a model's verdict counts only as far as what it shows
//! for it really stands where it says. A layer that could not be judged says so and lowers nothing. Called by `protocols`, for
//! a session that has ended, and by `app`, for the file of a report.

mod consistency;
mod figures;
mod grounding;
mod output;
mod prompts;
mod reach;
mod sentences;
#[cfg(test)]
mod tests;

pub use consistency::{Candidate, by_round, candidates, gist, known};
pub use grounding::{Claim, Grounds, bearing, grounds};
pub use prompts::asked_with;
pub use reach::{MOST_PAGES, pages_for};

use domain::{Audit, AuditFinding, AuditLayer, Dossier, Examined, Grounded, Judged, Page, Reached};

/// What was found out for the layers that code cannot decide alone.
#[derive(Clone, Debug, Default)]
pub struct Evidence<'a> {
    /// The pages that were looked at.
    pub pages: &'a [Page],
    /// For each of the [`Grounds`], what a model said of its claims; `None` where none could be asked.
    pub grounded: &'a [Option<Vec<Grounded>>],
    /// What a model said of the [`Candidate`]s; `None` where none could be asked.
    pub judged: Option<&'a [Judged]>,
    /// Why no model was asked, where none was for some of it.
    pub without_judge: Option<&'a str>,
    /// The model that judged.
    pub judge: Option<String>,
}

/// What the layers come to that are wanted.
#[must_use]
pub fn audit(dossier: &Dossier, wanted: &[AuditLayer], evidence: &Evidence<'_>) -> Audit {
    let mut audit = Audit { judge: evidence.judge.clone(), ..Audit::default() };
    for layer in wanted {
        let (examined, findings) = match layer {
            AuditLayer::Prompts => prompts::look(dossier),
            AuditLayer::Output => output::look(dossier),
            AuditLayer::Reach => reach::look(dossier, evidence.pages),
            AuditLayer::Grounding => {
                let (claims, looked) = grounding::look(dossier, evidence);
                audit.claims = claims;
                looked
            }
            AuditLayer::Consistency => consistency::look(dossier, evidence),
        };
        audit.layers.push(examined);
        audit.findings.extend(findings);
    }
    if wanted.contains(&AuditLayer::Reach) {
        let blocked = evidence.pages.iter().filter_map(|page| match page.reached {
            Reached::Blocked(status) => Some(format!("{} (status {status})", page.url)),
            _ => None,
        });
        audit.blocked = blocked.collect();
    }
    audit
}

/// A layer that was looked at, and what it found.
type Looked = (Examined, Vec<AuditFinding>);

fn examined(layer: AuditLayer, count: usize, unjudged: Vec<String>) -> Examined {
    Examined { layer, count, unjudged }
}
