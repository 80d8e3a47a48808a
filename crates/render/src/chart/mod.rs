//! Drawings, in SVG: the experts' points as a bar for each solution, stacked by expert; experts and team side by
//! side; how a team's opinions moved, and how estimators did.
//!
//! Invariant: a drawing has its own dark ground, so that it reads in Discord's light theme too; nothing is told by
//! colour alone, but by pattern and, where there is room, by name; it is drawn at twice its size, for phones. Called
//! by the cards, and turned into pixels only when it is sent.

mod estimates;
mod measure;
mod sides;
mod swing;

use std::fmt::Write as _;

use self::measure::{width, wrap};
pub use self::{estimates::estimates, sides::sides, swing::swing};
use super::{
    card::{self, factor, number},
    text,
};
use domain::{ExpertPoints, Solution, Totals};

/// Size of the drawing's ground, in its units; a picture has two pixels for each.
const WIDTH: f64 = 560.0;
const SCALE: f64 = 2.0;
const PAD: f64 = 22.0;

/// Colours of experts, bright enough for dark numbers on them.
const COLORS: [&str; 12] = [
    "#6cb6ff", "#f2a541", "#57d09a", "#f287b7", "#b9a1f5", "#e8d85a", "#62d8dc", "#e88d67", "#a9bcd4",
    "#a3dc6a", "#ff9d9d", "#d2b48c",
];

/// Marks that tell experts apart without colour; drawn over the colour, in a tile of 8 by 8.
const MARKS: [&str; 12] = [
    "",
    "M-2,2l4,-4M0,8l8,-8M6,10l4,-4",
    "M4,3v2M0,-1v2M8,-1v2M0,7v2M8,7v2",
    "M-2,6l4,4M0,0l8,8M6,-2l4,4",
    "M0,4h8",
    "M4,0v8",
    "M0,4h8M4,0v8",
    "M0,0l8,8M0,8l8,-8",
    "M0,2h8M0,6h8",
    "M2,0v8M6,0v8",
    "M0,6l4,-4l4,4",
    "M2,2h4v4h-4z",
];

/// An expert's part in the drawing.
struct Voter {
    title: String,
    weight: f64,
    points: Vec<u32>,
}

/// The drawing. Bars stand best first; where weights differ they show weighted points, and say so.
#[must_use]
pub fn points(solutions: &[Solution], experts: &[&ExpertPoints], totals: &Totals) -> String {
    let voters: Vec<Voter> = experts
        .iter()
        .map(|expert| Voter {
            title: label(&expert.title, 24),
            weight: expert.weight,
            points: expert.allocation.points().to_vec(),
        })
        .collect();
    let weighted = voters.iter().any(|voter| (voter.weight - 1.0).abs() > 1e-9);
    let ranks = totals.ranks();
    let mut order: Vec<usize> = (0..solutions.len()).collect();
    order.sort_by_key(|&at| ranks.get(at).copied().unwrap_or(usize::MAX));

    let mut drawing = Drawing { body: String::new(), y: PAD };
    drawing.heading(&voters, weighted);
    let total = |at: usize| voters.iter().map(|voter| share(voter, at)).sum::<f64>();
    let most = (0..solutions.len()).map(total).fold(1.0, f64::max);
    for at in order {
        let rank = ranks.get(at).copied().unwrap_or_default();
        let tied = ranks.iter().filter(|&&other| other == rank).count() > 1;
        drawing.bar(&solutions[at], at, &voters, most, weighted, &place(rank, tied, total(at)));
    }
    drawing.legend(&voters);
    drawing.finish()
}

/// A voter's points for a solution, times its weight.
fn share(voter: &Voter, at: usize) -> f64 {
    f64::from(voter.points.get(at).copied().unwrap_or_default()) * voter.weight
}

/// `1st`, `tied 2nd`; nothing for what got nothing.
fn place(rank: usize, tied: bool, total: f64) -> String {
    if total <= 0.0 {
        return String::new();
    }
    let ending = match (rank % 10, rank % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{}{rank}{ending}", if tied { "tied " } else { "" })
}

/// A text for the drawing: on one line, pictographs left out, for most fonts lack them.
fn label(raw: &str, most: usize) -> String {
    let picture = |c: char| matches!(u32::from(c), 0x1f000..=0x1faff | 0x2600..=0x27bf | 0xfe0f | 0x20e3);
    let plain: String = text::clean(raw).chars().filter(|&c| !picture(c)).collect();
    text::cut(&text::clean_line(&plain), most)
}

fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

struct Drawing {
    body: String,
    /// Where the next thing goes.
    y: f64,
}

impl Drawing {
    fn text(&mut self, x: f64, y: f64, size: f64, style: &str, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" {style}>{}</text>",
            xml(text)
        );
    }

    fn rect(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), style: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" {style}/>"
        );
    }

    /// A field in an expert's colour and pattern.
    fn patch(&mut self, at: (f64, f64), size: (f64, f64), voter: usize) {
        let kind = voter % COLORS.len();
        self.rect(at, size, &format!("fill=\"{}\"", COLORS[kind]));
        if !MARKS[kind].is_empty() {
            self.rect(at, size, &format!("fill=\"url(#m{kind})\""));
        }
    }

    fn heading(&mut self, voters: &[Voter], weighted: bool) {
        self.text(PAD, self.y + 16.0, 20.0, "font-weight=\"bold\" fill=\"#f2f3f5\"", "The experts' points");
        let mut told = match voters.len() {
            0 => "No expert gave any points".to_owned(),
            experts => format!("{} with 10 points each", card::count(experts as u64, "expert")),
        };
        if weighted {
            told.push_str(" · bars count each expert's weight");
        }
        self.text(PAD, self.y + 38.0, 14.0, "fill=\"#b5bac1\"", &told);
        self.y += 72.0;
    }

    fn bar(
        &mut self,
        solution: &Solution,
        at: usize,
        voters: &[Voter],
        most: f64,
        weighted: bool,
        place: &str,
    ) {
        let id = solution.id.to_string();
        let indent = width("S10", 16.0, true) + 8.0;
        let room = WIDTH - 2.0 * PAD - indent - width("tied 10th", 14.0, true) - 10.0;
        let lines = wrap(&label(&solution.title, 240), 16.0, false, room, 2);
        self.text(PAD, self.y, 16.0, "font-weight=\"bold\" fill=\"#f2f3f5\"", &id);
        let gold = if place.ends_with("1st") && !place.ends_with("11st") { "#f0b232" } else { "#b5bac1" };
        let style = format!("font-weight=\"bold\" text-anchor=\"end\" fill=\"{gold}\"");
        self.text(WIDTH - PAD, self.y, 14.0, &style, place);
        for (row, line) in lines.iter().enumerate() {
            let y = self.y + row_offset(row);
            self.text(PAD + indent, y, 16.0, "fill=\"#dbdee1\"", line);
        }
        let top = self.y + row_offset(lines.len().saturating_sub(1)) + 9.0;
        let total: f64 = voters.iter().map(|voter| share(voter, at)).sum();
        let given: u32 = voters.iter().filter_map(|voter| voter.points.get(at)).sum();
        let told = if weighted { format!("{} ({given})", number(total)) } else { number(total) };
        let room = WIDTH - 2.0 * PAD - width("100.5 (100)", 16.0, true) * if weighted { 1.0 } else { 0.45 };
        self.rect((PAD, top), (room, 26.0), "rx=\"4\" fill=\"#1e1f22\"");
        let mut x = PAD;
        for (kind, voter) in voters.iter().enumerate() {
            let wide = share(voter, at) / most * room;
            if wide <= 0.0 {
                continue;
            }
            self.patch((x, top), ((wide - 1.5).max(0.5), 26.0), kind);
            self.number((x, top), wide - 1.5, kind, voter, at);
            x += wide;
        }
        let style = "font-weight=\"bold\" text-anchor=\"end\" fill=\"#f2f3f5\"";
        self.text(WIDTH - PAD, top + 19.0, 16.0, style, &told);
        self.y = top + 26.0 + 30.0;
    }

    /// The number, and where there is room the name, in the middle of an expert's part of a bar.
    fn number(&mut self, (x, top): (f64, f64), wide: f64, kind: usize, voter: &Voter, at: usize) {
        let points = voter.points.get(at).copied().unwrap_or_default();
        let named = format!("{} {points}", voter.title);
        let fits = |text: &str| width(text, 13.0, true) + 12.0 <= wide;
        let told = [named, points.to_string()].into_iter().find(|told| fits(told));
        let Some(told) = told else { return };
        let pill = width(&told, 13.0, true) + 8.0;
        let middle = x + wide / 2.0;
        let color = COLORS[kind % COLORS.len()];
        self.rect((middle - pill / 2.0, top + 4.0), (pill, 18.0), &format!("rx=\"4\" fill=\"{color}\""));
        let style = "font-weight=\"bold\" text-anchor=\"middle\" fill=\"#111214\"";
        self.text(middle, top + 17.8, 13.0, style, &told);
    }

    fn legend(&mut self, voters: &[Voter]) {
        let mut x = PAD;
        let mut y = self.y - 12.0;
        for (kind, voter) in voters.iter().enumerate() {
            let told = if (voter.weight - 1.0).abs() > 1e-9 {
                format!("{} ×{}", voter.title, factor(voter.weight))
            } else {
                voter.title.clone()
            };
            let needed = 22.0 + width(&told, 14.0, false) + 18.0;
            if x > PAD && x + needed > WIDTH - PAD {
                x = PAD;
                y += 24.0;
            }
            self.patch((x, y), (16.0, 16.0), kind);
            self.text(x + 22.0, y + 13.0, 14.0, "fill=\"#dbdee1\"", &told);
            x += needed;
        }
        self.y = y + if voters.is_empty() { 0.0 } else { 16.0 };
    }

    fn finish(self) -> String {
        let height = self.y + PAD;
        let mut marks = String::new();
        for (kind, path) in MARKS.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            let _ = write!(
                marks,
                "<pattern id=\"m{kind}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><path d=\"{path}\" \
                 fill=\"none\" stroke=\"#111214\" stroke-opacity=\"0.5\" stroke-width=\"1.6\"/></pattern>"
            );
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"0 0 {WIDTH} \
             {height:.1}\" font-family=\"DejaVu Sans\"><defs>{marks}</defs><rect width=\"{WIDTH}\" \
             height=\"{height:.1}\" rx=\"10\" fill=\"#2b2d31\"/>\n{}</svg>",
            WIDTH * SCALE,
            height * SCALE,
            self.body
        )
    }
}

/// How far below a label's first line another stands.
fn row_offset(row: usize) -> f64 {
    f64::from(u8::try_from(row).unwrap_or(u8::MAX)) * 21.0
}
