//! Forms as people write them, and as nobody should.

use proptest::prelude::*;

use super::*;
use crate::{Closed, VoteState};

/// 2026-11-22, 08:00 UTC.
const NOW: i64 = 1_795_334_400;
const HOUR: i64 = 3_600;

fn vote(titles: &[&str], ballots: &[&[u32]]) -> Vote {
    Vote {
        state: VoteState::Closed(Closed::Deadline),
        deadline: Some(NOW),
        ..crate::sample::vote::vote(titles, &[], ballots)
    }
}

fn form(chosen: &str, review: &str) -> DecisionDraft {
    DecisionDraft {
        chosen: Chosen::Named(chosen.to_owned()),
        rationale: " Because. ".to_owned(),
        review: review.to_owned(),
        ..DecisionDraft::default()
    }
}

#[test]
fn a_solution_is_named_by_number_or_title() {
    let vote = vote(&["Start small", "Wait  a year", "wait a YEAR", "Sell"], &[]);
    for (given, chosen) in
        [("S1", 1), ("s 4", 4), (" 2 ", 2), ("Start small", 1), ("START  small", 1), ("Wait a year", 2)]
    {
        assert_eq!(form(given, "").read(&vote, NOW).map(|c| c.chosen), Ok(SolutionId(chosen)), "{given}");
    }
    for (given, phrase) in [
        ("S5", "“S5” is none of the solutions. Write a number, S1 to S4"),
        ("0", "none of the solutions"),
        ("S", "none of the solutions"),
        ("+1", "none of the solutions"),
        ("99999999999999", "none of the solutions"),
        ("WAIT A YEAR", "Several solutions have that title: S2, S3"),
        (&"x".repeat(500), "x…” is none"),
    ] {
        let said = form(given, "").read(&vote, NOW).unwrap_err().to_string();
        assert!(said.contains(phrase), "{given}: {said}");
    }
}

#[test]
fn a_review_is_a_day_ahead() {
    let vote = vote(&["Start small"], &[]);
    let at_nine = NOW + HOUR;
    let day = 24 * HOUR;
    for (given, at) in [
        ("", None),
        ("  ", None),
        ("2026-11-22", Some(at_nine)),
        ("2026-11-23", Some(at_nine + day)),
        ("2026-12-1", Some(at_nine + 9 * day)),
        ("in 3 weeks", Some(at_nine + 21 * day)),
        ("In  1 DAY", Some(at_nine + day)),
        ("a week", Some(at_nine + 7 * day)),
        ("in 2 months", Some(at_nine + 61 * day)),
        ("2031-11-22", Some(at_nine + 1_826 * day)),
        ("in 5 years", Some(at_nine + 1_826 * day)),
    ] {
        assert_eq!(form("1", given).read(&vote, NOW).map(|c| c.review), Ok(at), "{given}");
    }
    for (given, phrase) in [
        ("2026-11-21", "2026-11-21 is not in the future"),
        ("1970-01-01", "not in the future"),
        ("2031-11-23", "up to 2031-11-22"),
        ("9999-12-31", "five years"),
        ("in 61 months", "five years"),
        ("in 99999999999999999999 days", "five years"),
        ("in 4000000000 years", "five years"),
        ("2026-02-30", "“2026-02-30” is no date I can read"),
        ("2026-13-01", "such as 2027-02-22"),
        ("26-12-01", "no date"),
        ("01/03/2027", "no date"),
        ("2027-03-01-04", "no date"),
        ("-2027-03-01", "no date"),
        ("soon", "`in 3 weeks`"),
        ("in -3 weeks", "no date"),
        ("in three fortnights", "no date"),
    ] {
        let said = form("1", given).read(&vote, NOW).unwrap_err().to_string();
        assert!(said.contains(phrase), "{given}: {said}");
    }
    let late = form("1", "2026-11-22").read(&vote, at_nine).unwrap_err();
    assert!(matches!(late, DecisionError::Past(..)), "its hour is over: {late}");
}

#[test]
fn texts_are_trimmed_and_have_their_room() {
    let vote = vote(&["Start small"], &[]);
    let read = |change: &dyn Fn(&mut DecisionDraft)| {
        let mut form = form("1", "");
        change(&mut form);
        form.read(&vote, NOW)
    };
    assert_eq!(read(&|_| {}).map(|c| c.rationale), Ok("Because.".to_owned()));
    for empty in ["", " \n\t", "\u{200b}"] {
        let refused = read(&|form| empty.clone_into(&mut form.rationale));
        assert_eq!(refused, Err(DecisionError::NoRationale), "{empty:?}");
    }
    assert!(read(&|form| form.rationale = "ü".repeat(MAX_RATIONALE)).is_ok());
    let said = read(&|form| form.rationale = "ü".repeat(MAX_RATIONALE + 1)).unwrap_err().to_string();
    assert_eq!(said, "“Why” has 1001 characters; at most 1000 fit. Shorten it.");
    assert!(read(&|form| form.dissent = "x".repeat(MAX_DISSENT + 1)).is_err());
}

#[test]
fn the_leading_solution_is_the_teams_only_first() {
    let titles = ["Start small", "Wait"];
    assert_eq!(leading(&vote(&titles, &[])), None, "nobody voted");
    assert_eq!(leading(&vote(&titles, &[&[3, 7], &[4, 6]])), Some(SolutionId(2)));
    assert_eq!(leading(&vote(&titles, &[&[3, 7], &[7, 3]])), None, "a tie");
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn whatever_is_written_is_read_or_refused_in_words(
        chosen in ".{0,40}", picked: bool, rationale in ".{0,40}", owner in ".{0,40}", review in "(in |1 ma)?[0-9a-z. -]{0,30}", dissent in ".*",
        now in 0i64..4_000_000_000,
    ) {
        let vote = vote(&["Start small", "Wait"], &[]);
        let chosen = if picked { Chosen::Picked(chosen) } else { Chosen::Named(chosen) };
        let owner = Owner(owner);
        let form = DecisionDraft { chosen, rationale, owner, review, dissent };
        match form.read(&vote, now) {
            Ok(choice) => {
                prop_assert!(choice.chosen.0 == 1 || choice.chosen.0 == 2);
                prop_assert!(!choice.rationale.trim().is_empty());
                if let Some(at) = choice.review {
                    prop_assert!(at > now && at < now + 6 * 366 * 24 * HOUR);
                    prop_assert_eq!(at % (24 * HOUR), 9 * HOUR);
                }
            }
            Err(error) => prop_assert!(error.to_string().ends_with('.')),
        }
    }

    #[test]
    fn days_ahead_are_counted_as_the_calendar_does(days in 1u32..1_800) {
        let vote = vote(&["Start small"], &[]);
        let in_days = form("1", &format!("in {days} days")).read(&vote, NOW).unwrap().review.unwrap();
        prop_assert_eq!(in_days, NOW + HOUR + i64::from(days) * 24 * HOUR);
        let date = chrono::DateTime::from_timestamp(in_days, 0).unwrap().format("%Y-%m-%d").to_string();
        prop_assert_eq!(form("1", &date).read(&vote, NOW).unwrap().review, Some(in_days));
    }
}
