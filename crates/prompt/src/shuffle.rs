//! Orders from a seed: the same seed gives the same order for ever, so a resumed session shows each reader
//! what it saw before.

use sha2::{Digest, Sha256};

/// A seed from words that name a place, such as the session and the reader. Two readers of a session get
/// different seeds.
#[must_use]
pub fn seed(parts: &[&str]) -> u64 {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(8).fold(0, |number, &byte| (number << 8) | u64::from(byte))
}

/// The numbers below `count` in an order that depends only on the seed (Fisher and Yates, with splitmix64 as
/// its source; its bias for a dozen places is below 2⁻⁵⁹).
#[must_use]
pub fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = seed;
    for last in (1..count).rev() {
        let bound = u64::try_from(last + 1).unwrap_or(u64::MAX);
        let chosen = usize::try_from(splitmix(&mut state) % bound).unwrap_or_default();
        order.swap(last, chosen);
    }
    order
}

/// splitmix64 (Steele, Lea, Flood, 2014).
fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn readers_get_different_orders() {
        let readers = ["market", "cost", "risk", "tech", "legal", "social"];
        let orders: BTreeSet<Vec<usize>> =
            readers.iter().map(|reader| shuffled(6, seed(&["abcdefghij", reader]))).collect();
        assert!(orders.len() >= 5, "{orders:?}");
        assert_ne!(seed(&["ab", "c"]), seed(&["a", "bc"]));
    }

    #[test]
    fn an_order_never_changes() {
        assert_eq!(splitmix(&mut 0), 0xe220_a839_7b1d_cdaf, "the published first number for seed 0");
        assert_eq!(shuffled(5, 42), shuffled(5, 42));
    }

    #[test]
    fn every_place_is_about_as_likely() {
        let mut first = [0; 3];
        for seed in 0..3_000 {
            first[shuffled(3, seed)[0]] += 1;
        }
        assert!(first.iter().all(|&times| (900..1_100).contains(&times)), "{first:?}");
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn it_is_a_permutation(count in 0usize..40, seed in any::<u64>()) {
            let mut order = shuffled(count, seed);
            order.sort_unstable();
            prop_assert_eq!(order, (0..count).collect::<Vec<_>>());
        }
    }
}
