//! What the answers of each method come to, beside those of a single model.

use domain::Money;

use super::{interval::Share, method::Method, record::Answered};

/// What one method came to.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Score {
    /// The method.
    pub method: Method,
    /// How many were right.
    pub accuracy: Share,
    /// Questions that a single model had right and this one had wrong, and the other way round; nothing without a single model.
    pub flips: Option<(usize, usize)>,
    /// Questions without an answer.
    pub silent: usize,
    /// All calls.
    pub calls: u32,
    /// All tokens; nothing where some were not told.
    pub tokens: Option<u64>,
    /// What all cost; nothing where some price is not known.
    pub money: Option<Money>,
    /// How long all took.
    pub seconds: f64,
}

/// The scores, in the order of the methods.
#[must_use]
pub(super) fn scores(answered: &[Answered]) -> Vec<Score> {
    let of = |method: Method| -> Vec<&Answered> {
        answered.iter().filter(|answered| answered.method == method).collect()
    };
    let single = of(Method::Single);
    Method::ALL
        .into_iter()
        .filter_map(|method| {
            let mine = of(method);
            let right = mine.iter().filter(|answered| answered.right).count();
            (!mine.is_empty()).then(|| Score {
                method,
                accuracy: Share::of(right, mine.len()),
                flips: flips(&single, &mine).filter(|_| method != Method::Single),
                silent: mine.iter().filter(|answered| answered.answer.is_none()).count(),
                calls: mine.iter().map(|answered| answered.calls).sum(),
                tokens: mine.iter().map(|answered| answered.tokens).sum(),
                money: mine
                    .iter()
                    .map(|answered| answered.money.map(|money| money.0))
                    .sum::<Option<i64>>()
                    .map(Money),
                seconds: mine.iter().map(|answered| answered.seconds).sum(),
            })
        })
        .collect()
}

/// Questions that turned from right to wrong, and from wrong to right.
fn flips(single: &[&Answered], other: &[&Answered]) -> Option<(usize, usize)> {
    let pairs: Vec<(bool, bool)> = other
        .iter()
        .filter_map(|answered| {
            let alone = single.iter().find(|single| single.id == answered.id)?;
            Some((alone.right, answered.right))
        })
        .collect();
    let count = |wanted| pairs.iter().filter(|pair| **pair == wanted).count();
    (!pairs.is_empty()).then(|| (count((true, false)), count((false, true))))
}

/// A table of them, as text.
#[must_use]
pub(super) fn table(scores: &[Score]) -> String {
    let head = [
        "method",
        "right [95 %]",
        "right→wrong",
        "wrong→right",
        "no answer",
        "calls",
        "tokens",
        "cost",
        "seconds",
    ];
    let unknown = || "unknown".to_owned();
    let rows = scores.iter().map(|score| {
        let flip = |flip: Option<usize>| flip.map_or_else(|| "—".to_owned(), |flip| flip.to_string());
        vec![
            score.method.name().to_owned(),
            score.accuracy.told(),
            flip(score.flips.map(|flips| flips.0)),
            flip(score.flips.map(|flips| flips.1)),
            score.silent.to_string(),
            score.calls.to_string(),
            score.tokens.map_or_else(unknown, |tokens| tokens.to_string()),
            score.money.map_or_else(unknown, |money| money.to_string()),
            format!("{:.1}", score.seconds),
        ]
    });
    let rows: Vec<Vec<String>> =
        std::iter::once(head.iter().map(ToString::to_string).collect()).chain(rows).collect();
    aligned(&rows)
}

/// Columns under one another: the first to the left, the others to the right.
pub(super) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(id: &str, method: Method, right: bool) -> Answered {
        Answered {
            id: id.to_owned(),
            method,
            models: Vec::new(),
            version: String::new(),
            answer: right.then(|| "5".to_owned()),
            right,
            note: None,
            calls: 2,
            tokens: Some(100),
            money: Some(Money(500_000)),
            seconds: 0.5,
        }
    }

    #[test]
    fn flips_are_counted_against_a_single_model() {
        use Method::{Majority, Single};
        let mut all: Vec<Answered> = [("a", true), ("b", true), ("c", false), ("d", false)]
            .map(|(id, right)| answered(id, Single, right))
            .into();
        all.extend(
            [("a", true), ("b", false), ("c", true), ("d", false), ("e", true)]
                .map(|(id, right)| answered(id, Majority, right)),
        );
        let scores = scores(&all);
        assert_eq!(scores.len(), 2);
        assert_eq!((scores[0].flips, scores[0].accuracy.right, scores[0].silent), (None, 2, 2));
        assert_eq!((scores[1].flips, scores[1].accuracy), (Some((1, 1)), Share::of(3, 5)));
        assert_eq!(
            (scores[1].calls, scores[1].tokens, scores[1].money),
            (10, Some(500), Some(Money(2_500_000)))
        );
        insta::assert_snapshot!("table", table(&scores));
        all[0].money = None;
        all[1].tokens = None;
        let unknown = &super::scores(&all)[0];
        assert_eq!((unknown.money, unknown.tokens), (None, None));
        assert!(super::scores(&[]).is_empty());
        let alone = super::scores(&all[4..]);
        assert_eq!(alone[0].flips, None);
    }
}
