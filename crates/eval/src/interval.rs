//! How sure a share is that was counted on few cases.

/// A share with the bounds between which the true one lies, 95 times of 100.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Share {
    /// Of them.
    pub right: usize,
    /// All.
    pub of: usize,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The standard normal deviate that 2.5 % lie above.
const Z: f64 = 1.959_963_984_540_054;

impl Share {
    /// Wilson's score interval, which stays within 0 and 1 and holds for few cases too (E. B. Wilson, 1927).
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // nobody asks 2^52 questions
    pub(super) fn of(right: usize, of: usize) -> Self {
        if of == 0 {
            return Self { right, of, low: 0.0, high: 1.0 };
        }
        let (n, p) = (of as f64, right as f64 / of as f64);
        let squared = Z * Z;
        let middle = (p + squared / (2.0 * n)) / (1.0 + squared / n);
        let half = Z / (1.0 + squared / n) * (p * (1.0 - p) / n + squared / (4.0 * n * n)).sqrt();
        Self { right, of, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }

    /// `9/12 75 % [47, 91]`; `—` where there was nothing to count.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub(super) fn told(self) -> String {
        if self.of == 0 {
            return "—".to_owned();
        }
        let share = self.right as f64 / self.of as f64;
        let percent = |share: f64| format!("{:.0}", share * 100.0);
        format!(
            "{}/{} {} % [{}, {}]",
            self.right,
            self.of,
            percent(share),
            percent(self.low),
            percent(self.high)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_are_those_of_the_books() {
        // By R's prop.test(x, n, correct = FALSE).
        for (right, of, low, high) in [
            (0, 10, 0.0, 0.277_5),
            (10, 10, 0.722_5, 1.0),
            (5, 10, 0.236_6, 0.763_4),
            (9, 12, 0.467_7, 0.911_1),
            (81, 263, 0.255_3, 0.366_2),
            (1, 1, 0.206_5, 1.0),
        ] {
            let share = Share::of(right, of);
            assert!(
                (share.low - low).abs() < 1e-4 && (share.high - high).abs() < 1e-4,
                "{right}/{of}: {share:?}"
            );
        }
        assert_eq!(Share::of(9, 12).told(), "9/12 75 % [47, 91]");
        assert_eq!(Share::of(0, 0).told(), "—");
    }
}
