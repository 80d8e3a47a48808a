//! Layer 3: whether the pages are there that are cited.

use std::collections::BTreeSet;

use super::{
    Looked, examined,
    grounding::{claims, to_read},
    output::origin,
};
use domain::{AuditFault, AuditFinding, AuditLayer, Dossier, Page, Reached, SourceUrl};

/// Most pages that one audit asks for.
pub const MOST_PAGES: usize = 200;

/// The addresses to look at, each once, those that sentences cite first; and how many more there are than are looked at.
pub(super) fn addresses(dossier: &Dossier) -> (Vec<String>, usize) {
    let claims = claims(dossier);
    let cited = claims.iter().map(|claim| claim.url.as_str());
    let sources = dossier.said.iter().flat_map(|speech| &speech.sources).map(|source| source.url.as_str());
    let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
    for url in cited.chain(sources).filter(|url| SourceUrl::new(url).is_some()) {
        if seen.insert(url) {
            all.push(url.to_owned());
        }
    }
    let more = all.len().saturating_sub(MOST_PAGES);
    all.truncate(MOST_PAGES);
    (all, more)
}

/// The addresses that these layers look at, each with whether its page is read too: none where neither asks for pages.
#[must_use]
pub fn pages_for(dossier: &Dossier, layers: &[AuditLayer]) -> Vec<(String, bool)> {
    let reaches = layers.contains(&AuditLayer::Reach);
    let grounds = layers.contains(&AuditLayer::Grounding);
    let read = if grounds { to_read(dossier) } else { BTreeSet::new() };
    let all = if reaches || grounds { addresses(dossier).0 } else { Vec::new() };
    let asked = all.into_iter().map(|url| (read.contains(&url), url));
    asked.filter(|(read, _)| reaches || *read).map(|(read, url)| (url, read)).collect()
}

pub(super) fn look(dossier: &Dossier, pages: &[Page]) -> Looked {
    let (wanted, more) = addresses(dossier);
    let mut unjudged = Vec::new();
    if more > 0 {
        unjudged.push(format!("{more} more pages are cited than one audit asks for."));
    }
    let findings = pages.iter().filter_map(|page| {
        let (fault, why) = match &page.reached {
            Reached::There | Reached::Blocked(_) => return None,
            Reached::Status(status) => (AuditFault::Unreachable, format!("status {status}")),
            Reached::Failed(why) => (AuditFault::Unreachable, why.clone()),
            Reached::Refused(why) => (AuditFault::NotPublic, why.clone()),
        };
        let speech = dossier.said.iter().find(|speech| speech.sources.iter().any(|one| one.url == page.url));
        let title = speech.and_then(|speech| speech.sources.iter().find(|one| one.url == page.url));
        Some(AuditFinding {
            fault,
            at: speech.map(origin).unwrap_or_default(),
            quote: title.map(|source| source.title.clone()).unwrap_or_default(),
            detail: format!("{}: {why}", page.url),
        })
    });
    let findings = findings.collect();
    let missing = wanted.iter().filter(|url| !pages.iter().any(|page| page.url == **url)).count();
    if missing > 0 {
        unjudged.push(format!("{missing} pages were not asked for."));
    }
    (examined(AuditLayer::Reach, pages.len(), unjudged), findings)
}
