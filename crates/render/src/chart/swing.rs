//! How opinions moved, in SVG: what was thought before at the left, after at the right, and bands from one to the
//! other for those who said so both times. For, Undecided and Against stand in this order whatever was counted, told
//! apart by place, name, colour and pattern; none is larger, brighter or greener than its number makes it.

use std::fmt::Write as _;

use super::measure::{width, wrap};
use super::{Drawing, MARKS, PAD, WIDTH, label};
use domain::{Opinion, Opinions, Swing};

const BRIGHT: &str = "#f2f3f5";
const SOFT: &str = "#dbdee1";
const DIM: &str = "#b5bac1";

/// Where the two bars stand and how wide they are; outside of them are their names.
const LEFT: f64 = PAD + 118.0;
const RIGHT: f64 = WIDTH - PAD - 118.0 - BAR;
const BAR: f64 = 34.0;
/// Height of a bar that holds everybody, what each opinion has at least, so that its name fits, and the gap between.
const HEIGHT: f64 = 230.0;
const LEAST: f64 = 30.0;
const GAP: f64 = 14.0;

/// An opinion's colour and pattern: those of its side, and grey with dots.
const LOOKS: [(&str, usize); 3] = [("#6cb6ff", 0), ("#a9bcd4", 2), ("#f2a541", 1)];

/// The drawing: the question, and the two bars. `moves`: with bands; without them only sums are told.
#[must_use]
pub fn swing(question: &str, swing: &Swing, moves: bool) -> String {
    let mut drawing = Drawing { body: String::new(), y: PAD };
    heading(&mut drawing, question);
    let everybody = sum(swing.before).max(sum(swing.after)).max(1);
    let unit = HEIGHT / f64::from(everybody);
    let top = drawing.y + 30.0;
    for (x, name, opinions) in [(LEFT, "Before", swing.before), (RIGHT, "After", swing.after)] {
        let told = format!("{name}: {}", sum(opinions));
        let style = format!("font-weight=\"bold\" text-anchor=\"middle\" fill=\"{SOFT}\"");
        drawing.text(x + BAR / 2.0, drawing.y + 12.0, 16.0, &style, &told);
    }
    let (left, right) = (places(swing.before, top, unit), places(swing.after, top, unit));
    if moves {
        bands(&mut drawing, swing, (&left, &right), unit);
    }
    side(&mut drawing, LEFT, swing.before, &left, unit);
    side(&mut drawing, RIGHT, swing.after, &right, unit);
    let end = |places: &[f64; 3], opinions: Opinions| places[2] + room(opinions[2], unit);
    drawing.y = end(&left, swing.before).max(end(&right, swing.after)) + 26.0;
    let told = if moves { "Bands: those who voted both times." } else { "Only totals are shown." };
    drawing.text(PAD, drawing.y, 14.0, &format!("fill=\"{DIM}\""), told);
    drawing.y += 2.0;
    drawing.finish()
}

fn sum(opinions: Opinions) -> u32 {
    opinions.iter().sum()
}

fn heading(drawing: &mut Drawing, question: &str) {
    let bold = format!("font-weight=\"bold\" fill=\"{BRIGHT}\"");
    for line in wrap(&label(question, 300), 20.0, true, WIDTH - 2.0 * PAD, 4) {
        drawing.y += 20.0;
        drawing.text(PAD, drawing.y, 20.0, &bold, &line);
        drawing.y += 6.0;
    }
    drawing.y += 18.0;
    let told = "The team's opinions, not a verdict";
    drawing.text(PAD, drawing.y, 15.0, &format!("fill=\"{DIM}\""), told);
    drawing.y += 16.0;
    drawing.rect((PAD, drawing.y), (WIDTH - 2.0 * PAD, 1.0), "fill=\"#4e5058\"");
    drawing.y += 22.0;
}

/// How much room an opinion takes: that of its bar, or of its name.
fn room(count: u32, unit: f64) -> f64 {
    (f64::from(count) * unit).max(LEAST)
}

/// Where each opinion of a side begins.
fn places(opinions: Opinions, top: f64, unit: f64) -> [f64; 3] {
    let second = top + room(opinions[0], unit) + GAP;
    [top, second, second + room(opinions[1], unit) + GAP]
}

/// A side's three bars, with name and number outside of them.
fn side(drawing: &mut Drawing, x: f64, opinions: Opinions, places: &[f64; 3], unit: f64) {
    for opinion in Opinion::ALL {
        let at = opinion as usize;
        let (count, top) = (opinions[at], places[at]);
        let high = f64::from(count) * unit;
        if count == 0 {
            let style = "rx=\"3\" fill=\"none\" stroke=\"#4e5058\" stroke-dasharray=\"4 4\"";
            drawing.rect((x + 0.5, top + 0.5), (BAR - 1.0, LEAST - 1.0), style);
        } else {
            patch(drawing, (x, top), (BAR, high.max(2.0)), opinion);
        }
        let middle = top + high.max(LEAST) / 2.0;
        let (x, anchor) = if x < WIDTH / 2.0 { (x - 10.0, "end") } else { (x + BAR + 10.0, "start") };
        let name = format!("text-anchor=\"{anchor}\" fill=\"{SOFT}\"");
        let number = format!("font-weight=\"bold\" text-anchor=\"{anchor}\" fill=\"{BRIGHT}\"");
        drawing.text(x, middle - 2.0, 15.0, &name, opinion.name());
        drawing.text(x, middle + 14.0, 15.0, &number, &count.to_string());
    }
}

/// A band for each pair of opinions that somebody held before and after; whoever moved stands out from who did not.
fn bands(drawing: &mut Drawing, swing: &Swing, (left, right): (&[f64; 3], &[f64; 3]), unit: f64) {
    let (mut from_y, mut to_y) = (*left, *right);
    let mut numbers = Vec::new();
    for from in Opinion::ALL {
        for to in Opinion::ALL {
            let count = swing.moved[from as usize][to as usize];
            if count == 0 {
                continue;
            }
            let high = f64::from(count) * unit;
            let (a, b) = (from_y[from as usize], to_y[to as usize]);
            from_y[from as usize] += high;
            to_y[to as usize] += high;
            band(drawing, (a, b), high, from, from != to);
            if from != to && high >= 18.0 {
                numbers.push(((a, b), high, count));
            }
        }
    }
    // Above all bands, for they cross.
    for (at, high, count) in numbers {
        number(drawing, at, high, count);
    }
}

fn band(drawing: &mut Drawing, (a, b): (f64, f64), high: f64, from: Opinion, moved: bool) {
    let (x, end, middle) = (LEFT + BAR, RIGHT, f64::midpoint(LEFT + BAR, RIGHT));
    let (fill, kind) = LOOKS[from as usize];
    let path = format!(
        "M{x:.1},{a:.1}C{middle:.1},{a:.1} {middle:.1},{b:.1} {end:.1},{b:.1}V{:.1}C{middle:.1},{:.1} {middle:.1},{:.1} \
         {x:.1},{:.1}Z",
        b + high,
        b + high,
        a + high,
        a + high
    );
    let clear = if moved { 0.6 } else { 0.22 };
    // Writing to a String cannot fail.
    let _ = writeln!(
        drawing.body,
        "<path d=\"{path}\" fill=\"{fill}\" fill-opacity=\"{clear}\" stroke=\"#2b2d31\"/>"
    );
    if moved && !MARKS[kind].is_empty() {
        let _ = writeln!(drawing.body, "<path d=\"{path}\" fill=\"url(#m{kind})\"/>");
    }
}

/// How many moved, on their band near where it begins: further on bands cross.
fn number(drawing: &mut Drawing, (a, b): (f64, f64), high: f64, count: u32) {
    // On the curve, at 8 % of its way.
    let (x, y) = (LEFT + BAR + (RIGHT - LEFT - BAR) * 0.111, a + (b - a) * 0.018 + high / 2.0);
    let told = count.to_string();
    let wide = width(&told, 13.0, true) + 10.0;
    drawing.rect((x - wide / 2.0, y - 8.5), (wide, 17.0), "rx=\"4\" fill=\"#1e1f22\"");
    let style = format!("font-weight=\"bold\" text-anchor=\"middle\" fill=\"{BRIGHT}\"");
    drawing.text(x, y + 4.6, 13.0, &style, &told);
}

/// A field in an opinion's colour and pattern.
fn patch(drawing: &mut Drawing, at: (f64, f64), area: (f64, f64), opinion: Opinion) {
    let (fill, kind) = LOOKS[opinion as usize];
    drawing.rect(at, area, &format!("rx=\"3\" fill=\"{fill}\""));
    if !MARKS[kind].is_empty() {
        drawing.rect(at, area, &format!("rx=\"3\" fill=\"url(#m{kind})\""));
    }
}
