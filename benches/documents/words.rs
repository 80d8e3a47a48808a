//! Words of a text, counted, so that two readings can be compared whatever their order is.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;

/// How often which word stands in a text.
pub struct Words {
    counts: HashMap<String, usize>,
    /// How many there are.
    pub total: usize,
}

impl Words {
    /// Those of a text: letters and digits that follow one another, whatever their form and case.
    pub fn of(text: &str) -> Self {
        let text: String = text.nfkc().collect();
        let mut counts = HashMap::<String, usize>::new();
        let mut total = 0;
        for word in text.split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty()) {
            *counts.entry(word.to_lowercase()).or_default() += 1;
            total += 1;
        }
        Self { counts, total }
    }

    /// How many of them the other text has, too.
    fn shared(&self, other: &Self) -> usize {
        self.counts.iter().map(|(word, &count)| count.min(other.counts.get(word).copied().unwrap_or(0))).sum()
    }

    /// Which share of them the other text has, too.
    #[allow(clippy::cast_precision_loss)] // a share
    pub fn found_in(&self, other: &Self) -> f64 {
        if self.total == 0 { 1.0 } else { self.shared(other) as f64 / self.total as f64 }
    }
}
