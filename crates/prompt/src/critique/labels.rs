//! The numbers under which claims are told, the same for every reader of a session.

use crate::shuffled;
use domain::{ClaimId, Tree};

/// Which claim has which number: `#1`, `#2`, … over all trees, which stand in an order by chance, so that no number tells whose
/// claim it is.
#[derive(Clone, Debug)]
pub struct Labels {
    ids: Vec<ClaimId>,
}

impl Labels {
    /// For these trees; the same seed gives the same numbers.
    #[must_use]
    pub fn of(trees: &[Tree], seed: u64) -> Self {
        let order = shuffled(trees.len(), seed).into_iter().filter_map(|at| trees.get(at));
        Self { ids: order.flat_map(Tree::all).map(|claim| claim.id.clone()).collect() }
    }

    /// The number of a claim, such as `#4`.
    #[must_use]
    pub fn label(&self, id: &ClaimId) -> String {
        let place = self.ids.iter().position(|known| known == id);
        place.map_or_else(String::new, |place| format!("#{}", place + 1))
    }

    /// The claim of a number, however it is written: `#4`, `4`, `claim #4`. `None`: there is none of that number.
    #[must_use]
    pub fn claim(&self, written: &str) -> Option<&ClaimId> {
        let digits: String =
            written.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        self.ids.get(digits.parse::<usize>().ok()?.checked_sub(1)?)
    }

    /// A text in which numbers of claims have become the claims' names: people see `Popper 1.2` where a reader saw `#4`.
    #[must_use]
    pub fn named(&self, text: &str) -> String {
        let mut parts = text.split('#');
        let mut named = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            let (number, rest) = part.split_at(end);
            match self.claim(number).filter(|_| !rest.starts_with(char::is_alphanumeric)) {
                Some(id) => named.extend([id.to_string().as_str(), rest]),
                None => named.extend(["#", part]),
            }
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::critique as sample;
    use domain::Philosopher;

    #[test]
    fn every_claim_has_one_number_and_numbers_become_names() {
        let trees = [sample::tree(Philosopher::Popper), sample::tree(Philosopher::Kant)];
        let labels = Labels::of(&trees, 7);
        let all: Vec<&ClaimId> = trees.iter().flat_map(Tree::all).map(|claim| &claim.id).collect();
        for id in &all {
            assert_eq!(labels.claim(&labels.label(id)), Some(*id));
        }
        let of = |id: &ClaimId| labels.label(id);
        let (first, child) = (of(all[0]), of(all[1]));
        for (said, named) in [
            (format!("{first} and {child}."), "Popper 1 and Popper 1.1.".to_owned()),
            ("No. 4, #99, C# and #1a stay.".to_owned(), "No. 4, #99, C# and #1a stay.".to_owned()),
            (String::new(), String::new()),
        ] {
            assert_eq!(labels.named(&said), named);
        }
        for (written, place) in [("claim #2", 2), ("2", 2), ("#2.", 2)] {
            assert_eq!(labels.claim(written).map(|id| labels.label(id)), Some(format!("#{place}")));
        }
        assert_eq!((labels.claim("#0"), labels.claim("#7"), labels.claim("none")), (None, None, None));
        let orders: std::collections::BTreeSet<String> =
            (0..20).map(|seed| Labels::of(&trees, seed).label(all[0])).collect();
        assert!(orders.len() > 1, "a number tells nobody");
    }
}
