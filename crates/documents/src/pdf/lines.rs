//! The letters of a page as lines, words and paragraphs, by where they stand.

use std::collections::HashMap;

use hayro_interpret::kurbo::{Point, Rect};

use super::{
    columns,
    letters::{Letter, Text},
    order,
    strokes::Strokes,
};
use crate::{
    levels::{Level, Line as Levels, Set},
    text,
};

/// A step across the line by so much of the letters' size begins a new one.
const NEW_LINE: f64 = 0.7;

/// A gap by so much of the letters' size is a space.
const SPACE: f64 = 0.1;

/// So many letters of a line stand apart at least where it is spread.
const SPREAD: usize = 4;

/// A gap between two lines that is so much larger than most of them ends a paragraph.
const PARAGRAPH: f64 = 1.4;

/// The same letter again within so much of its size is the same one, drawn bolder.
const SAME: f64 = 0.12;

/// A letter is raised or lowered that is smaller than those of its line by so much, and stands higher by so much of their
/// size, or lower by so much.
const SMALLER: f64 = 0.88;
const HIGHER: f64 = 0.15;
const LOWER: f64 = 0.06;

/// Smallest side of a box that hides letters, in units of the page; so many of them are looked beneath on a page; and so
/// many letters beneath one are words.
const LEAST_BOX: f64 = 4.0;
const MOST_BOXES: usize = 64;
const HIDDEN: usize = 3;

/// Where one letter of so many is unknown, the text is not what the page says. Fewer are the ornaments that some
/// programs do not name.
const KNOWN: usize = 3;

/// So few letters may well all have accents.
const FEW: usize = 20;

/// What runs across the page in letters larger by so much is written over it, as `DRAFT` is.
const LARGE: f64 = 2.0;

/// Stands for a letter that nobody knows.
const UNKNOWN: char = '\u{fffd}';

/// Where a letter stands on a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Where it begins.
    pub(super) x: f64,
    /// Upwards.
    pub(super) y: f64,
    /// Where its line goes, one long.
    pub(super) direction: (f64, f64),
    /// How high it is.
    pub(super) size: f64,
    /// How far it goes along its line.
    pub(super) wide: f64,
}

/// A letter on its line.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// What it says; nothing for a space.
    pub(super) text: Text,
    /// Where it begins along its line.
    pub(super) along: f64,
    /// Where it ends.
    pub(super) end: f64,
    /// How high it is.
    pub(super) size: f64,
    /// How far down it stands, across its line.
    pub(super) across: f64,
    /// What it may be where it is not known.
    guess: Option<char>,
}

/// A line of a page.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) marks: Vec<Mark>,
    /// How far it stands below the line before it; less than nothing where it stands above it.
    pub(super) step: f64,
    /// How high its letters are.
    pub(super) size: f64,
    /// Where it goes, one long.
    pub(super) direction: (f64, f64),
}

/// Where the last letter ended: along its line, and across it.
#[derive(Clone, Copy)]
struct Pen {
    along: f64,
    across: f64,
    size: f64,
    direction: (f64, f64),
}

/// A page as it is drawn.
#[derive(Default)]
pub(super) struct Sheet {
    lines: Vec<Line>,
    pen: Option<Pen>,
    /// Where which letters stand.
    seen: HashMap<(u32, i32, i32), (f64, f64)>,
    known: usize,
    /// Letters that nobody knows.
    pub(super) unknown: usize,
    /// Letters that only few words of any language have: signs and accents of the west.
    strange: usize,
    /// A part of what it is drawn by could not be unpacked.
    pub(super) damaged: bool,
    /// It shows pictures.
    pub(super) pictures: bool,
    /// It shows lines or areas.
    pub(super) shapes: bool,
    /// Lines that are drawn on it.
    pub(super) strokes: Strokes,
    /// Dark boxes that were looked beneath.
    boxes: usize,
    /// Letters beneath one of them, as far as they were counted.
    hidden: usize,
}

impl Sheet {
    /// How many letters there are.
    pub(super) fn letters(&self) -> usize {
        self.known + self.unknown
    }

    /// Whether most letters are not what the page shows: its fonts do not say which they are, or say it of bytes of
    /// another encoding, as of Chinese that is taken for a western script.
    pub(super) fn is_nonsense(&self) -> bool {
        self.unknown * KNOWN > self.letters() || (self.letters() > FEW && self.strange * 2 > self.letters())
    }

    /// About how many bytes of text there are.
    pub(super) fn len(&self) -> usize {
        self.letters()
    }

    /// Adds a letter.
    pub(super) fn put(&mut self, letter: Letter, place: Place) {
        if self.was_there(&letter, &place) {
            return;
        }
        let (text, guess) = match letter {
            Letter::Known(text) => {
                self.known += 1;
                self.strange += usize::from(matches!(text, Text::One('\u{a1}'..='\u{ff}')));
                (text, None)
            }
            Letter::Space => (Text::One(' '), None),
            Letter::Unknown(guess) => {
                self.unknown += 1;
                (Text::One(UNKNOWN), guess)
            }
        };
        let Place { x, y, direction: (right, up), size, wide } = place;
        let along = x * right + y * up;
        let across = x * up - y * right;
        let turned = self.pen.is_some_and(|pen| pen.direction.0 * right + pen.direction.1 * up < 0.98);
        let step = self.pen.map_or(0.0, |pen| if turned { -size } else { across - pen.across });
        let large = !turned && self.is_large_first(&text, (along, across), size);
        let new_line = !large
            && self.pen.is_none_or(|pen| {
                let larger = size.max(pen.size);
                let back = along < pen.along - larger;
                turned || step.abs() > larger * NEW_LINE || (back && step.abs() > larger * 0.3)
            });
        if new_line {
            self.lines.push(Line { marks: Vec::new(), step, size, direction: (right, up) });
        }
        if let Some(line) = self.lines.last_mut() {
            line.size = line.size.max(size);
            line.marks.push(Mark { text, along, end: along + wide, size, across, guess });
        }
        if let Some(first) = self.lines.last_mut().and_then(|line| line.marks.first_mut()).filter(|_| large) {
            first.across = across;
        }
        // Letters that are raised or lowered leave the line where it is.
        let across = match self.pen {
            Some(pen) if !new_line && !large => pen.across,
            _ => across,
        };
        self.pen = Some(Pen { along: along + wide, across, size, direction: (right, up) });
    }

    /// Whether the last letter is a large one at the beginning of a paragraph, which reaches down over several of its lines, and this
    /// one stands behind it on the first of them.
    fn is_large_first(&self, text: &Text, (along, across): (f64, f64), size: f64) -> bool {
        let is_letter = |text: &Text| matches!(text, Text::One(one) if one.is_alphabetic());
        let Some([first]) = self.lines.last().map(|line| &line.marks[..]) else { return false };
        let up = first.across - across;
        is_letter(text)
            && is_letter(&first.text)
            && size < first.size * 0.5
            && (along - first.end).abs() < size * 2.0
            && (size..first.size).contains(&up)
    }

    /// Whether the same letter stands there already: filled first and then outlined, or drawn twice to look bold.
    fn was_there(&mut self, letter: &Letter, place: &Place) -> bool {
        let first = match letter {
            Letter::Known(Text::One(one)) => u32::from(*one),
            Letter::Known(Text::Many(many)) => many.chars().next().map_or(0, u32::from),
            // Two of them need not be the same.
            Letter::Unknown(_) => return false,
            // One that is out of the line may be of what is drawn again; gaps tell of the others.
            Letter::Space => return self.pen.is_some() && !self.goes_on(place),
        };
        let near = place.size * SAME;
        #[allow(clippy::cast_possible_truncation)] // what is so far away is on no page
        let (column, row) = ((place.x / near).floor() as i32, (place.y / near).floor() as i32);
        let is_near = |column: i32, row: i32| {
            let there = self.seen.get(&(first, column, row));
            there.is_some_and(|&(x, y)| (x - place.x).hypot(y - place.y) < near)
        };
        // What goes on where the last letter ended was not drawn there before: most letters do.
        let there = !self.goes_on(place)
            && (-1..=1).any(|aside| {
                (-1..=1).any(|above| is_near(column.saturating_add(aside), row.saturating_add(above)))
            });
        self.seen.insert((first, column, row), (place.x, place.y));
        there
    }

    /// Whether a letter stands behind the last one on its line.
    fn goes_on(&self, place: &Place) -> bool {
        let Place { x, y, direction: (right, up), size, .. } = *place;
        self.pen.is_some_and(|pen| {
            (x * up - y * right - pen.across).abs() < size * 0.3
                && x * right + y * up > pen.along - size * SAME
        })
    }

    /// A dark box is drawn: whether letters are beneath it.
    pub(super) fn paint_over(&mut self, area: Rect) {
        // A line beneath or through letters is no box.
        if self.is_painted_over()
            || area.width() < LEAST_BOX
            || area.height() < LEAST_BOX
            || self.boxes >= MOST_BOXES
        {
            return;
        }
        self.boxes += 1;
        let beneath = self.seen.values().filter(|(x, y)| area.contains(Point::new(*x, *y)));
        self.hidden = beneath.take(HIDDEN).count();
    }

    /// Whether words are hidden beneath a dark box.
    pub(super) fn is_painted_over(&self) -> bool {
        self.hidden >= HIDDEN
    }

    /// Takes the letters that may be known for known, where most others are, or where their shapes make it `likely`.
    pub(super) fn guess(&mut self, likely: bool) {
        if self.unknown * 2 >= self.letters() && !likely {
            return;
        }
        for mark in self.lines.iter_mut().flat_map(|line| &mut line.marks) {
            if let Some(guess) = mark.guess.take() {
                mark.text = Text::One(guess);
                self.unknown -= 1;
                self.known += 1;
            }
        }
    }

    /// How far the lines of a paragraph stand below one another on this page, in sizes of their letters: most
    /// pages have more steps within paragraphs than between them, and almost all have a quarter of them.
    fn usual_step(&self) -> f64 {
        let steps = self.lines.iter().filter(|line| line.step > 0.0 && line.size > 0.0);
        let mut steps: Vec<f64> = steps.map(|line| line.step / line.size).collect();
        steps.sort_by(f64::total_cmp);
        steps.get(steps.len() / 4).copied().unwrap_or(0.0)
    }

    /// The text of the page.
    pub(super) fn text(&self) -> String {
        let usual = self.usual_step();
        let letters = self.usual_size();
        let strokes = self.strokes.ordered();
        let mut page = String::new();
        let columns = columns::parted(&self.lines);
        for line in columns.as_deref().unwrap_or(&self.lines) {
            let struck = if line.is_level() { strokes.through(&line.marks) } else { Vec::new() };
            let text = text::clean(&written(&line.marks, &struck));
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let across = letters > 0.0 && line.size >= letters * LARGE && line.is_slanted();
            let text = if across { format!("Watermark: {text}") } else { text.to_owned() };
            let apart = line.step < 0.0 || (line.step > 0.0 && line.step > usual * PARAGRAPH * line.size);
            if !page.is_empty() {
                page.push_str(if apart { "\n\n" } else { "\n" });
            }
            page.push_str(&text);
        }
        page
    }

    /// How high most letters of the page's level lines are; nothing where there are few of them.
    fn usual_size(&self) -> f64 {
        let level = self.lines.iter().filter(|line| line.is_level());
        let mut sizes: Vec<(f64, usize)> = level.map(|line| (line.size, line.marks.len())).collect();
        sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
        let all: usize = sizes.iter().map(|(_, letters)| letters).sum();
        if all < FEW {
            return 0.0;
        }
        let mut before = 0;
        let middle = sizes.iter().find(|(_, letters)| {
            before += letters;
            before * 2 >= all
        });
        middle.map_or(0.0, |(size, _)| *size)
    }
}

impl Line {
    /// Whether it runs from left to right.
    pub(super) fn is_level(&self) -> bool {
        self.direction.0 > 0.999
    }

    /// Whether it runs across the page as only what is written over it does.
    fn is_slanted(&self) -> bool {
        let (right, up) = self.direction;
        right.abs().min(up.abs()) > 0.1
    }
}

/// The letters of a line as text; which of them are struck.
fn written(marks: &[Mark], struck: &[bool]) -> String {
    if marks.iter().any(|mark| order::is_right_to_left(&mark.text)) {
        return order::as_read(marks);
    }
    let base = Base::of(marks);
    let set = |at: usize, mark: &Mark| Set {
        level: base.level(mark),
        struck: struck.get(at).copied().unwrap_or_default(),
    };
    let gap = if is_spread(marks) { |_: &Mark, _: &Mark| false } else { is_gap };
    let mut line = Levels::default();
    let mut run = (Set::default(), String::new());
    let mut add = |set: Set, letters: &str| {
        if set != run.0 {
            line.add(run.0, &std::mem::take(&mut run.1));
            run.0 = set;
        }
        run.1.push_str(letters);
    };
    let mut last: Option<(Set, &Mark)> = None;
    let mut spaced = false;
    let mut rest = marks.iter().enumerate().peekable();
    while let Some((at, mark)) = rest.next() {
        let own = set(at, mark);
        if let Some((before, last)) = last
            && gap(last, mark)
            && !spaced
            && !begins_with_space(mark)
        {
            let level = if before.level == own.level { own.level } else { Level::On };
            add(Set { level, struck: before.struck && own.struck }, " ");
        }
        let mut text = String::new();
        // An accent that is drawn by itself stands over the letter after it.
        match (accent(mark), rest.peek()) {
            (Some(accent), Some(&(at, next))) if covers(next, mark) => {
                push(&mut text, &next.text);
                text.push(accent);
                rest.next();
                last = Some((set(at, next), next));
                add(set(at, next), &text);
            }
            _ => {
                push(&mut text, &mark.text);
                last = Some((own, mark));
                add(own, &text);
            }
        }
        spaced = text.ends_with(' ') || (text.is_empty() && spaced);
    }
    line.add(run.0, &run.1);
    line.take()
}

/// Where most letters of a line stand, and how high they are.
struct Base {
    across: f64,
    size: f64,
}

impl Base {
    fn of(marks: &[Mark]) -> Self {
        let middle = |mut all: Vec<f64>| {
            all.sort_by(f64::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or_default()
        };
        let drawn = || marks.iter().filter(|mark| !begins_with_space(mark));
        let size = middle(drawn().map(|mark| mark.size).collect());
        let across = drawn().filter(|mark| mark.size >= size * SMALLER).map(|mark| mark.across);
        Self { across: middle(across.collect()), size }
    }

    /// Where a letter stands.
    fn level(&self, mark: &Mark) -> Level {
        let below = (mark.across - self.across) / self.size.max(f64::MIN_POSITIVE);
        match below {
            _ if mark.size > self.size * SMALLER => Level::On,
            below if below < -HIGHER => Level::Raised,
            below if below > LOWER => Level::Lowered,
            _ => Level::On,
        }
    }
}

/// Whether there is a space between two letters that follow one another.
pub(super) fn is_gap(last: &Mark, mark: &Mark) -> bool {
    let back = mark.along < last.end - mark.size.max(last.size);
    back || mark.along > last.end + mark.size * SPACE
}

/// Whether the letters of a line stand apart, and its words are parted by spaces of their own: then a gap between letters parts
/// nothing.
fn is_spread(marks: &[Mark]) -> bool {
    let spaces = marks.iter().filter(|mark| begins_with_space(mark)).count();
    let pairs = || marks.windows(2).filter_map(|pair| pair.split_first_chunk::<2>().map(|(pair, _)| pair));
    let inside = || pairs().filter(|[last, mark]| !begins_with_space(last) && !begins_with_space(mark));
    let apart = inside().filter(|[last, mark]| is_gap(last, mark)).count();
    spaces > 0 && apart >= SPREAD && apart * 2 > inside().count()
}

pub(super) fn begins_with_space(mark: &Mark) -> bool {
    matches!(mark.text, Text::One(' '))
}

/// Adds what a letter says.
pub(super) fn push(line: &mut String, text: &Text) {
    match text {
        Text::One(one) => line.push(*one),
        Text::Many(many) => line.push_str(many),
    }
}

/// The accent that joins a letter, of one that stands alone.
fn accent(mark: &Mark) -> Option<char> {
    let Text::One(one) = mark.text else { return None };
    Some(match one {
        '`' => '\u{300}',
        '´' => '\u{301}',
        'ˆ' => '\u{302}',
        '˜' => '\u{303}',
        '¯' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        _ => return None,
    })
}

/// Whether an accent stands over (or under) a letter.
fn covers(letter: &Mark, accent: &Mark) -> bool {
    let Text::One(one) = letter.text else { return false };
    let middle = f64::midpoint(accent.along, accent.end);
    one.is_alphabetic() && (letter.along..=letter.end).contains(&middle)
}

#[cfg(test)]
mod tests;
