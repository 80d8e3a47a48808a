//! Trees as text: an indented list of claims under labels.

use super::anonymous::Anonymous;
use crate::quote::severity_name;
use domain::{Claim, ClaimId, Tree, one_line, shortened};

/// Most characters of a quotation in a tree that is told.
const MAX_QUOTE: usize = 200;
/// Most characters of a claim in a tree that is told in short.
const MAX_SHORT: usize = 200;

/// A tree as text.
pub(super) struct TreeText {
    text: String,
    /// The labels of its claims, as far as they are told.
    pub(super) labels: Vec<String>,
    /// Its claims that are left out because there is no room for them.
    left_out: usize,
}

impl TreeText {
    /// Its claims, a line or two each, and how many are left out.
    pub(super) fn text(&self) -> String {
        match (self.left_out, self.text.is_empty()) {
            (0, true) => "(no claims)".to_owned(),
            (0, false) => self.text.clone(),
            (n, _) => format!("{}\n({n} lesser claims are left out here.)", self.text),
        }
    }

    /// In characters.
    pub(super) fn length(&self) -> usize {
        self.text.chars().count()
    }
}

/// How a tree is told: the label of its claims is the prefix with the claim's number.
pub(super) struct Teller<'a> {
    /// Names to leave out; `None`: the reader's own tree, or a reader who may know.
    pub(super) anonymous: Option<&'a Anonymous>,
    /// Whether claims say which section they are about.
    pub(super) sections: bool,
    /// The prefix of the trees whose confidence is told; `None`: of all. How sure others are is no reason to follow
    /// them.
    pub(super) sure_of: Option<&'a str>,
}

impl Teller<'_> {
    /// The trees, within so many characters in all: with quotations if they fit, else without, else the weightiest
    /// claims of each only.
    pub(super) fn within(&self, room: usize, trees: &[(&str, &Tree)]) -> Vec<TreeText> {
        for short in [false, true] {
            let told: Vec<TreeText> =
                trees.iter().map(|(prefix, tree)| self.all(prefix, tree, short)).collect();
            if told.iter().map(TreeText::length).sum::<usize>() <= room {
                return told;
            }
        }
        let share = room / trees.len().max(1);
        trees.iter().map(|(prefix, tree)| self.weightiest(prefix, tree, share)).collect()
    }

    fn all(&self, prefix: &str, tree: &Tree, short: bool) -> TreeText {
        self.told(prefix, &tree.all(), short, 0)
    }

    fn weightiest(&self, prefix: &str, tree: &Tree, share: usize) -> TreeText {
        let claims = tree.all();
        let mut order: Vec<usize> = (0..claims.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (claims[a], claims[b]);
            a.severity.cmp(&b.severity).then(b.confidence.get().total_cmp(&a.confidence.get()))
        });
        let (mut used, mut kept) = (0, vec![false; claims.len()]);
        for at in order {
            let length = self.line(prefix, claims[at], true).chars().count() + 1;
            if used + length <= share || used == 0 {
                used += length;
                kept[at] = true;
            }
        }
        let told: Vec<&Claim> =
            claims.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(claim, _)| *claim).collect();
        self.told(prefix, &told, true, claims.len() - told.len())
    }

    fn told(&self, prefix: &str, claims: &[&Claim], short: bool, left_out: usize) -> TreeText {
        let lines: Vec<String> = claims.iter().map(|claim| self.line(prefix, claim, short)).collect();
        let labels = claims.iter().map(|claim| label_of(prefix, &claim.id)).collect();
        TreeText { text: lines.join("\n"), labels, left_out }
    }

    fn line(&self, prefix: &str, claim: &Claim, short: bool) -> String {
        let hide = |text: &str| self.anonymous.map_or_else(|| text.to_owned(), |names| names.text(text));
        let indent = "  ".repeat(claim.id.path.len().saturating_sub(1));
        let section = if self.sections { format!("{} ", claim.section) } else { String::new() };
        let weight = if self.sure_of.is_none_or(|sure_of| sure_of == prefix) {
            severity_and_confidence(claim)
        } else {
            severity_name(claim.severity).to_owned()
        };
        let said = if short { shortened(&claim.claim, MAX_SHORT) } else { claim.claim.clone() };
        let head = format!(
            "{indent}{}. {section}{} ({weight}): {}",
            label_of(prefix, &claim.id),
            hide(&claim.area),
            hide(&said)
        );
        let unquoted = claim.evidence.found.is_none();
        match (unquoted, short) {
            (true, _) => format!("{head} [its words are not in the text]"),
            (false, true) => head,
            (false, false) => {
                let quote = one_line(&claim.evidence.quote);
                format!("{head}\n{indent}  On: “{}”", shortened(&quote, MAX_QUOTE))
            }
        }
    }
}

/// `Y1.2`.
pub(super) fn label_of(prefix: &str, id: &ClaimId) -> String {
    format!("{prefix}{}", id.number())
}

/// `high, confidence 0.60`.
pub(super) fn severity_and_confidence(claim: &Claim) -> String {
    format!("{}, confidence {:.2}", severity_name(claim.severity), claim.confidence.get())
}
