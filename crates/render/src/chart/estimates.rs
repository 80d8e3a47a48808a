//! How the estimators of a number moved, round after round.

use super::{Drawing, PAD, WIDTH, label};
use domain::{Estimates, Pooled};

/// Where bars begin, and how high an estimator's row is.
const BAR_X: f64 = PAD + 190.0;
const ROW: f64 = 20.0;
/// What is what, so that nothing hangs on colour.
const LEGEND: &str = "Bar: 10 to 90 % · white: middle · grey: half of them · yellow: median";

/// How they moved: for each round a row for everybody from low to high, a mark at the middle; behind them the middle half of the
/// panel, and its median.
#[must_use]
pub fn estimates(so_far: &Estimates) -> String {
    let all = || so_far.all.iter().flat_map(|one| one.numbers);
    let (least, most) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
    let at = |number: f64| {
        BAR_X + (number - least) / (most - least).max(f64::MIN_POSITIVE) * (WIDTH - PAD - BAR_X)
    };
    let mut drawing = Drawing { body: String::new(), y: 0.0 };
    for all in so_far.rounds() {
        let Some(pooled) = Pooled::of(all) else { continue };
        let [_, first, median, third, _] = pooled.middles;
        drawing.y += 36.0;
        let title = format!("Round {}: medians {}", all[0].round, short(pooled.numbers));
        drawing.text(PAD, drawing.y, 15.0, "font-weight=\"bold\" fill=\"#dbdee1\"", &title);
        drawing.y += 8.0;
        let high = all.iter().map(|_| ROW).sum();
        let (from, wide) = (at(first), (at(third) - at(first)).max(2.0));
        drawing.rect((from, drawing.y), (wide, high), "fill=\"#4e5058\"");
        drawing.rect((at(median) - 1.0, drawing.y), (2.0, high), "fill=\"#f0b232\"");
        for one in all {
            let [low, middle, high] = one.numbers.map(at);
            let told = label(&format!("{}: {}", one.estimator, short(one.numbers)), 28);
            drawing.text(PAD, drawing.y + 14.0, 13.0, "fill=\"#b5bac1\"", &told);
            drawing.patch((low, drawing.y + 6.0), ((high - low).max(2.0), 8.0), one.estimator.into());
            drawing.rect((middle - 2.0, drawing.y + 3.0), (4.0, 14.0), "fill=\"#f2f3f5\"");
            drawing.y += ROW;
        }
    }
    drawing.y += 22.0;
    drawing.text(PAD, drawing.y, 12.0, "fill=\"#b5bac1\"", LEGEND);
    drawing.y += 6.0;
    drawing.finish()
}

/// Low, middle and high, as short as a row has room for: `25 k · 32 k · 40.5 k`.
fn short(numbers: [f64; 3]) -> String {
    let one = |number: f64| {
        let sizes = [(1e12, " tn"), (1e9, " bn"), (1e6, " M"), (1e4, " k")];
        let (size, word) = sizes.into_iter().find(|(size, _)| number.abs() >= *size).unwrap_or((1.0, ""));
        let small = number != 0.0 && number.abs() < 0.01;
        let shown = if small { format!("{number:.1e}") } else { format!("{:.2}", number / size) };
        let shown = if small { &shown } else { shown.trim_end_matches('0').trim_end_matches('.') };
        format!("{shown}{word}")
    };
    numbers.map(one).join(" · ")
}
