//! Layer 2: every source has an address, every citation leads to a source, and nothing is cited where nothing was searched.

use super::{Looked, examined, sentences::sentences};
use domain::{
    AuditFault, AuditFinding, AuditLayer, Dossier, Origin, Searching, SourceUrl, Speech,
    citations::{cited, within},
    shortened,
};

/// Most characters of a quotation.
const QUOTED: usize = 240;

/// Where a speech was held.
pub(super) fn origin(speech: &Speech) -> Origin {
    Origin { step: speech.step.clone(), by: speech.by.clone(), round: speech.round }
}

pub(super) fn look(dossier: &Dossier) -> Looked {
    let mut findings = Vec::new();
    let mut count = 0;
    for speech in &dossier.said {
        count += speech.texts.len();
        let searched = dossier.searching == Searching::On;
        let mut add = |fault, quote: &str, detail: String| {
            findings.push(AuditFinding {
                fault,
                at: origin(speech),
                quote: shortened(quote, QUOTED),
                detail,
            });
        };
        for source in &speech.sources {
            if !searched {
                add(AuditFault::Unsearched, &source.title, format!("[{}] {}", source.number, source.url));
            } else if SourceUrl::new(&source.url).is_none() {
                let url = if source.url.trim().is_empty() { "no address" } else { source.url.as_str() };
                add(AuditFault::NoAddress, &source.title, format!("[{}] {url}", source.number));
            }
        }
        let most = speech.sources.iter().map(|source| source.number).max().unwrap_or_default();
        let fault = if searched { AuditFault::OutOfRange } else { AuditFault::Unsearched };
        for text in &speech.texts {
            for sentence in strays(text, most) {
                add(fault, &sentence, String::new());
            }
            for sentence in sentences(text) {
                let lost = cited(&sentence).into_iter().filter(|number| *number <= most);
                for number in lost.filter(|number| speech.page(*number).is_none()) {
                    add(fault, &sentence, format!("[{number}]"));
                }
            }
        }
    }
    (examined(AuditLayer::Output, count, Vec::new()), findings)
}

/// The sentences with marks beyond the last source, or with sources of their own. That rule is the one by which they are
/// taken out before anybody reads them, so there is one only where something went wrong.
fn strays(text: &str, most: usize) -> Vec<String> {
    let (_, dropped) = within(text, most);
    if dropped == 0 {
        return Vec::new();
    }
    let found: Vec<String> =
        sentences(text).into_iter().filter(|sentence| within(sentence, most).1 > 0).collect();
    if found.is_empty() { vec![text.to_owned()] } else { found }
}
