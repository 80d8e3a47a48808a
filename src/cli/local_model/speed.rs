//! How fast a model is on this computer, and what that means for a session.

use std::fmt;

/// About what a `/mediate` of three modules sends and gets at `brief`, in tokens; what comes from the server's cache is left
/// out (the README's table of what sessions take).
const SENT: f64 = 23_000.0;
const WRITTEN: f64 = 5_000.0;

/// Tokens a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Speed {
    /// Of what it is sent.
    reads: f64,
    /// Of what it says.
    writes: f64,
}

impl Speed {
    /// Of two numbers as the server's script prints them; nothing where they tell nothing.
    pub(super) fn parse(reads: &str, writes: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok().filter(|speed: &f64| speed.is_finite() && *speed > 0.0);
        Some(Self { reads: number(reads)?, writes: number(writes)? })
    }

    /// How long a short session takes, in minutes, at least one.
    fn minutes(self) -> f64 {
        ((SENT / self.reads + WRITTEN / self.writes) / 60.0).max(1.0)
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reads, writes } = self;
        write!(f, "It reads {reads:.0} and writes {writes:.0} tokens a second here, ")?;
        match self.minutes().round() {
            long if long > 120.0 => {
                write!(f, "so that a /mediate at brief takes about {:.0} hours.", long / 60.0)
            }
            1.0 => write!(f, "so that a /mediate at brief takes about a minute."),
            minutes => write!(f, "so that a /mediate at brief takes about {minutes:.0} minutes."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_says_how_long_a_session_takes() {
        let said = |reads, writes| Speed::parse(reads, writes).map(|speed| speed.to_string());
        assert_eq!(
            said("100.0", "12.5").unwrap(),
            "It reads 100 and writes 12 tokens a second here, so that a /mediate at brief takes about 11 minutes."
        );
        assert!(said("4000", "900").unwrap().ends_with("about a minute."));
        assert!(said("2.0", "0.4").unwrap().ends_with("about 7 hours."));
        for (reads, writes) in [("", ""), ("0", "1"), ("1", "NaN"), ("inf", "1"), ("-1", "1"), ("x", "1")] {
            assert_eq!(said(reads, writes), None, "{reads} {writes}");
        }
    }
}
