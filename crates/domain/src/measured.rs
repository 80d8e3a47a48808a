//! What sessions took that were measured: the table that estimates are made of.
//!
//! Its figures are those that `cargo test --test whole -- --ignored cost:: --nocapture` printed on 30 November 2026, and
//! that stand in `src/protocols/README.md`: one session of each protocol at each effort, with no document and with one of
//! twenty pages, by scripted models that write what they are asked for, do not think first and repeat nothing. Whoever
//! changes what a protocol asks prints them anew and writes them down in both places; `tests/cost.rs` fails where a session
//! is no longer near them. What is no row of its own (more seats, options, other lengths) is worked out from these.

use super::{Brief, CritiqueBrief, Effort, MOST_RESEARCHED, Reading, TableBrief};

/// Calls, and what they send and write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Takes {
    /// Calls.
    pub calls: u32,
    /// How many of them follow one another, however many may run side by side.
    pub turns: u32,
    /// Tokens sent.
    pub sent: u64,
    /// Tokens of the answers, without what models think first.
    pub written: u64,
}

impl Takes {
    /// This and that.
    #[must_use]
    pub fn and(self, more: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(more.calls),
            turns: self.turns.saturating_add(more.turns),
            sent: self.sent.saturating_add(more.sent),
            written: self.written.saturating_add(more.written),
        }
    }

    /// So many searches of the web for somebody: a call that says what to look up, and what is found, read by the next.
    fn searches(searches: u32, turns: u32, call: u64) -> Self {
        let times = u64::from(searches);
        Self { calls: searches, turns, sent: (call + FOUND).saturating_mul(times), written: QUERIES * times }
    }
}

/// Bytes of the document of twenty pages.
const PAGES: u64 = 53_000;
/// Tokens of the pages that a search finds at most (eight, of 1,200 characters and their titles each), and of the reply
/// that asks for them: these were not measured.
const FOUND: u64 = 4_000;
const QUERIES: u64 = 100;

/// A session as it was measured.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Calls.
    calls: u32,
    /// Tokens sent without a document.
    sent: u64,
    /// Tokens sent with one of [`PAGES`].
    with_pages: u64,
    /// Tokens written: the mean of those with and without one.
    written: u64,
}

/// A protocol's sessions; its brief says which these are.
#[derive(Debug)]
pub(crate) struct Sessions {
    /// Who sat at the table.
    pub(crate) seats: u32,
    /// Calls that each of them takes; the others are made once.
    pub(crate) each: u32,
    /// Calls that follow one another.
    pub(crate) turns: u32,
    pub(crate) brief: Measured,
    pub(crate) standard: Measured,
    pub(crate) deep: Measured,
}

pub(crate) const fn measured(calls: u32, sent: u64, with_pages: u64, written: u64) -> Measured {
    Measured { calls, sent, with_pages, written }
}

pub(crate) const MEDIATE: Sessions = Sessions {
    seats: 3,
    each: 4,
    turns: 6,
    brief: measured(14, 47_000, 193_000, 6_000),
    standard: measured(18, 74_000, 274_000, 14_500),
    deep: measured(18, 121_000, 320_000, 26_000),
};

pub(crate) const ROUNDTABLE: Sessions = Sessions {
    seats: 2,
    each: 4,
    turns: 7,
    brief: measured(12, 34_000, 154_000, 5_000),
    standard: measured(16, 53_000, 226_000, 12_000),
    deep: measured(16, 82_000, 255_000, 21_000),
};

/// Of the full one.
pub(crate) const FULL_DEBATE: Sessions = Sessions {
    seats: 2,
    each: 0,
    turns: 36,
    brief: measured(39, 82_000, 374_000, 7_000),
    standard: measured(44, 124_000, 483_000, 12_000),
    deep: measured(44, 150_000, 508_000, 16_000),
};

/// Of a quick one: 6 turns and 3 checks instead of 20 and 16.
pub(crate) const QUICK_DEBATE: Sessions = Sessions {
    seats: 2,
    each: 0,
    turns: 11,
    brief: measured(12, 25_000, 131_000, 4_000),
    standard: measured(21, 53_000, 279_000, 12_000),
    deep: measured(21, 60_000, 287_000, 14_000),
};

/// At two levels; more or fewer are planned by their calls. It was measured with one page at the least; that page is taken off
/// here.
pub(crate) const CRITIQUE: Sessions = Sessions {
    seats: 6,
    each: 0,
    turns: 6,
    brief: measured(27, 85_000, 433_000, 10_000),
    standard: measured(32, 120_000, 535_000, 19_000),
    deep: measured(38, 211_000, 616_000, 37_000),
};

/// Three scouts who differ on a figure, and an investigator who makes four calls.
pub(crate) const INVESTIGATE: Sessions = Sessions {
    seats: 3,
    each: 3,
    turns: 15,
    brief: measured(22, 53_000, 305_000, 8_000),
    standard: measured(27, 74_000, 393_000, 17_000),
    deep: measured(27, 104_000, 424_000, 26_000),
};

impl Sessions {
    fn at(&self, effort: Effort) -> &Measured {
        match effort {
            Effort::Brief => &self.brief,
            Effort::Standard => &self.standard,
            Effort::Deep => &self.deep,
        }
    }
}

impl Measured {
    /// Tokens of so many calls; half of what is sent grows with the `seats` whose words are read, against those `measured`.
    fn times(&self, calls: u32, seats: u32, measured: u32) -> Takes {
        let part = |tokens: u64| tokens.saturating_mul(calls.into()) / u64::from(self.calls);
        let (seats, measured) = (u64::from(seats), u64::from(measured));
        Takes {
            calls,
            turns: 0,
            sent: part(self.sent).saturating_mul(seats + measured) / (2 * measured),
            written: part(self.written),
        }
    }

    /// Tokens of so many calls that read so many bytes of a document, as often as those measured did.
    fn reading(&self, calls: u32, bytes: usize) -> u64 {
        let read = u128::from(self.with_pages - self.sent) * u128::from(calls) * bytes as u128;
        u64::try_from(read / (u128::from(self.calls) * u128::from(PAGES))).unwrap_or(u64::MAX)
    }
}

/// What a session takes, but for what it searches the web itself; of a critique, as if it was read at once and two levels
/// deep. See [`takes_reading`].
#[must_use]
pub fn takes(brief: &Brief) -> Takes {
    let sessions = brief.measured();
    let at = sessions.at(brief.effort());
    let once = at.calls - sessions.each * sessions.seats;
    let seats = count(brief.seats());
    let usual = sessions.each.saturating_mul(seats).saturating_add(once);
    let (calls, turns) = match brief {
        Brief::Mediate(brief) => (usual + besides(brief), sessions.turns + besides(brief).min(3)),
        _ => (usual, sessions.turns),
    };
    // Of a roundtable the question is always asked, and was measured.
    let asks = brief.takes_a_question() && !matches!(brief, Brief::Roundtable(_));
    let calls = calls.saturating_add(u32::from(asks));
    let read = brief.document().map_or(0, |document| document.text.len()) + brief.problem().as_str().len();
    let took = at.times(calls, seats, sessions.seats);
    let took = Takes { turns, sent: took.sent.saturating_add(at.reading(calls, read)), ..took };
    // An investigation's searches are asked for by the calls that it has anyway.
    let asked = if matches!(brief, Brief::Investigate(_)) { 0 } else { brief.searches() };
    took.and(Takes::searches(asked, asked.div_ceil(seats.max(1)), took.sent / u64::from(calls.max(1))))
}

/// Calls of a mediation by its options: who sits is chosen, conflicts are weighed, the plain answer is had and compared.
fn besides(brief: &TableBrief) -> u32 {
    let weighed = if brief.extras.researches() { count(MOST_RESEARCHED) } else { 0 };
    let chosen = if brief.selects().is_some() { 2 } else { 0 };
    let compared = if brief.extras.baseline { 2 } else { 0 };
    weighed + chosen + compared
}

/// What a critique takes by the calls that are planned for it. Those of a tree read a section each; those after the trees
/// all of the text, or none of it where it is too long for that.
#[must_use]
pub fn takes_reading(brief: &CritiqueBrief, reading: &Reading) -> Takes {
    let at = CRITIQUE.at(brief.effort);
    let plan = &reading.plan;
    let (trees, later) = plan.stages.split_at(plan.stages.len().min(plan.depth.levels().into()));
    let sum = |stages: &[u32]| stages.iter().fold(0, |sum: u32, calls| sum.saturating_add(*calls));
    let (trees, later) = (sum(trees), sum(later));
    let read = reading.sections.iter().filter(|section| plan.read.contains(&section.id));
    let bytes: usize = read.map(|section| section.span.len()).sum();
    let text = &brief.document.text;
    let whole = if text.chars().count() <= brief.room() { text.len() } else { 0 };
    let took = at.times(trees.saturating_add(later), CRITIQUE.seats, CRITIQUE.seats);
    let documents =
        at.reading(trees, bytes / plan.read.len().max(1)).saturating_add(at.reading(later, whole));
    Takes { turns: count(plan.stages.len()), sent: took.sent.saturating_add(documents), ..took }
}

fn count(many: usize) -> u32 {
    u32::try_from(many).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        DebateBrief, InvestigateBrief, Preset, Problem, RoundtableBrief, Searching,
        sample::{self, debate, investigate, mediate, roundtable},
    };

    /// A mediation by three, as it was measured, with a document of so many bytes.
    fn mediation(effort: Effort, bytes: usize) -> Brief {
        let document = Some(sample::document(&"a".repeat(bytes)));
        Brief::Mediate(TableBrief { document, effort, ..three() })
    }

    /// Long problems are put in a sentence, by one more call.
    fn problem() -> Problem {
        Problem::new("Should the town get a delivery app?").unwrap()
    }

    fn three() -> TableBrief {
        TableBrief { problem: problem(), ..mediate::brief("") }
    }

    fn experts(number: usize) -> Brief {
        Brief::Roundtable(RoundtableBrief { problem: problem(), ..roundtable::brief(number) })
    }

    fn briefs() -> [Brief; 4] {
        [
            mediation(Effort::Deep, 0),
            experts(2).with_effort(Effort::Deep),
            Brief::Debate(DebateBrief { searching: Searching::Off, ..debate::brief(Preset::Full) })
                .with_effort(Effort::Deep),
            Brief::Investigate(InvestigateBrief { problem: problem(), ..investigate::brief(3) })
                .with_effort(Effort::Deep),
        ]
    }

    /// Holds two figures against each other, the problem's own length between them.
    fn near(took: u64, measured: u64) {
        assert!((measured..=measured + measured / 10).contains(&took), "{took} of {measured}");
    }

    #[test]
    fn a_session_as_it_was_measured_takes_what_was_measured() {
        for brief in briefs() {
            for effort in [Effort::Brief, Effort::Standard, Effort::Deep] {
                let brief = brief.clone().with_effort(effort);
                let at = brief.measured().at(effort);
                let took = takes(&brief);
                assert_eq!(
                    (took.calls, took.written),
                    (at.calls, at.written),
                    "{:?} {effort:?}",
                    brief.protocol()
                );
                near(took.sent, at.sent);
            }
        }
        near(takes(&mediation(Effort::Standard, 53_000)).sent, 271_000);
        near(takes(&mediation(Effort::Standard, 26_500)).sent, 171_000);
    }

    #[test]
    fn what_is_smaller_takes_less_and_more_seats_take_more() {
        for mut brief in briefs() {
            let mut before = takes(&brief);
            while let Some(smaller) = brief.smaller() {
                let took = takes(&smaller);
                assert!(took.sent < before.sent && took.written < before.written, "{took:?} {before:?}");
                (brief, before) = (smaller, took);
            }
        }
        let experts = |number| takes(&experts(number));
        assert_eq!((experts(5).calls, experts(2).calls), (24, 12));
        assert!(experts(5).sent > 2 * experts(2).sent, "they read one another");
        let quick = takes(&Brief::Debate(debate::brief(Preset::Quick)));
        assert!(quick.calls < takes(&Brief::Debate(debate::brief(Preset::Full))).calls);
    }

    #[test]
    fn options_take_the_calls_that_they_make() {
        let took = |change: fn(&mut TableBrief)| {
            let mut brief = three();
            change(&mut brief);
            takes(&Brief::Mediate(brief)).calls
        };
        assert_eq!((took(|_| ()), takes(&Brief::Mediate(mediate::brief(""))).calls), (14, 15));
        assert_eq!(took(|brief| brief.extras.baseline = true), 16);
        assert_eq!(took(|brief| brief.extras.searching = Searching::On), 20);
        // Seven of those that there are and three made for it, four calls each, and the two calls that choose them.
        assert_eq!(
            takes(&Brief::Mediate(TableBrief { problem: problem(), ..mediate::selecting("") })).calls,
            44
        );
        for (preset, calls, searches) in [(Preset::Full, 44, 8), (Preset::Quick, 21, 4)] {
            let brief = |searching| {
                let brief = debate::brief(preset);
                Brief::Debate(DebateBrief { searching, ..brief })
            };
            assert_eq!(takes(&brief(Searching::Off)).calls, calls);
            assert_eq!(takes(&brief(Searching::On)).calls, calls + searches);
        }
    }
}
