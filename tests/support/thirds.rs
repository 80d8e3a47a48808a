//! Which moments of a sweep a run kills at: a third of them, and tomorrow another third, so that all are tried within three
//! days. A run of one day can be made again on another, and all of them at once: `.ci/nightly` does.

use std::{
    env,
    io::{self, Write as _},
    sync::LazyLock,
    time::SystemTime,
};

/// How many runs it takes until each moment was tried.
const RUNS: usize = 3;
/// Which third is tried: `0`, `1` or `2`, or `all` for every moment.
const SET_BY: &str = "QUORUM_TEST_THIRD";

/// The third that this run tries, if not all of them. Said once, past what keeps the output of tests that succeed.
static THIRD: LazyLock<Option<usize>> = LazyLock::new(|| {
    let set = env::var_os(SET_BY).map(|set| set.to_string_lossy().into_owned());
    let third = match set.as_deref() {
        Some("all") => None,
        Some(set) => {
            let third = set.parse().ok().filter(|third| *third < RUNS);
            Some(third.unwrap_or_else(|| panic!("{SET_BY} is 0, 1, 2 or all, not {set:?}")))
        }
        None => Some(today()),
    };
    let said = match third {
        None => "Kills: at every moment.".to_owned(),
        Some(third) => format!(
            "Kills: at every third moment. The same ones again: {SET_BY}={third}; every moment: {SET_BY}=all."
        ),
    };
    let _ = writeln!(io::stderr(), "{said}");
    third
});

fn today() -> usize {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a day after 1970");
    usize::try_from(since.as_secs() / (24 * 60 * 60)).expect("a day") % RUNS
}

/// Those of a sweep's moments that this run tries.
pub fn of_this_run<T>(moments: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let third = *THIRD;
    let all = moments.into_iter().enumerate();
    all.filter(move |(nth, _)| third.is_none_or(|third| is_in(*nth, third))).map(|(_, moment)| moment)
}

/// Whether a moment belongs to a third: of each three in a row one does, and not always the first, for what a sweep does at
/// every second or third moment has to be in each third.
fn is_in(nth: usize, third: usize) -> bool {
    nth % RUNS == (third + nth / RUNS) % RUNS
}

#[test]
fn each_moment_is_in_one_third_and_no_third_has_only_even_ones() {
    for nth in 0..90 {
        assert_eq!((0..RUNS).filter(|third| is_in(nth, *third)).count(), 1, "moment {nth}");
    }
    for third in 0..RUNS {
        for every in [2, 3] {
            for left in 0..every {
                let tried = (0..18).any(|nth| nth % every == left && is_in(nth, third));
                assert!(tried, "third {third}, {left} of every {every}");
            }
        }
    }
}
