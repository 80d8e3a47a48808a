//! Columns that are drawn line by line across the page, as some programs do: what stands side by side there is no one sentence.
//!
//! The rows of a table are drawn the same way, and stay rows. Columns show by a gap that all of several lines have in one place,
//! evenly below one another, and by lines on both sides of it that go on within a sentence.

use super::{
    letters::Text,
    lines::{Line, Mark, begins_with_space},
};

/// Narrowest gap between columns, in sizes of the letters.
const GAP: f64 = 1.0;

/// Fewest lines of columns.
const FEWEST: usize = 4;

/// Letters that a line of a column has at least, on the whole.
const LETTERS: usize = 15;

/// Lines of a column stand below one another by so much at most, and by the same but for so much, in sizes of the letters.
const STEP: f64 = 2.0;
const SAME: f64 = 0.2;

/// Most columns.
const MOST: usize = 4;

/// The lines with those of columns one column after the other; nothing where there are none.
pub(super) fn parted(lines: &[Line]) -> Option<Vec<Line>> {
    let (mut all, mut done, mut at) = (Vec::new(), 0, 0);
    while at < lines.len() {
        let (end, gaps) = region(lines, at);
        if gaps.is_empty() || !are_columns(&lines[at..end], &gaps) {
            at = end;
            continue;
        }
        all.extend_from_slice(&lines[done..at]);
        for column in 0..=gaps.len() {
            let size = lines[at].size;
            for (row, line) in lines[at..end].iter().enumerate() {
                let marks: Vec<Mark> = cell(line, &gaps, column).cloned().collect();
                // Each column but the first begins above where the one before it ended.
                let step = if row == 0 && column > 0 { -size } else { line.step };
                all.push(Line { marks, step, ..line.clone() });
            }
        }
        (done, at) = (end, end);
    }
    if done == 0 {
        return None;
    }
    all.extend_from_slice(&lines[done..]);
    Some(all)
}

/// How far lines go on that have gaps in the same places as this one, and where those are.
fn region(lines: &[Line], from: usize) -> (usize, Vec<(f64, f64)>) {
    let first = &lines[from];
    let wide = |gap: &(f64, f64)| gap.1 - gap.0 >= first.size * GAP;
    let mut gaps = free(first);
    gaps.retain(|gap| gap.0.is_finite() && gap.1.is_finite() && wide(gap));
    let mut end = from + 1;
    let mut usual = None;
    while let Some(line) = lines.get(end).filter(|_| !gaps.is_empty() && gaps.len() < MOST) {
        let step = *usual.get_or_insert(line.step);
        let even =
            line.step > 0.0 && line.step < first.size * STEP && (line.step - step).abs() < first.size * SAME;
        let common = both(&gaps, &free(line));
        let common: Vec<(f64, f64)> = common.into_iter().filter(wide).collect();
        if !even || common.is_empty() {
            break;
        }
        gaps = common;
        end += 1;
    }
    if gaps.len() >= MOST { (end, Vec::new()) } else { (end, gaps) }
}

/// Where a line that runs from left to right has no letters; nothing of one that does not, or goes back.
fn free(line: &Line) -> Vec<(f64, f64)> {
    let mut gaps = Vec::new();
    let mut at = f64::NEG_INFINITY;
    for mark in line.marks.iter().filter(|mark| !begins_with_space(mark)) {
        if mark.along < at - line.size * GAP || !line.is_level() {
            return Vec::new();
        }
        if mark.along - at >= line.size * GAP {
            gaps.push((at, mark.along));
        }
        at = at.max(mark.end);
    }
    gaps.push((at, f64::INFINITY));
    gaps
}

/// What is in both of two lists of intervals, each in order.
fn both(one: &[(f64, f64)], other: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (mut all, mut a, mut b) = (Vec::new(), 0, 0);
    while let (Some(left), Some(right)) = (one.get(a), other.get(b)) {
        let common = (left.0.max(right.0), left.1.min(right.1));
        if common.0 < common.1 {
            all.push(common);
        }
        if left.1 < right.1 { a += 1 } else { b += 1 }
    }
    all
}

/// The letters of a line in a column.
fn cell<'a>(line: &'a Line, gaps: &[(f64, f64)], column: usize) -> impl Iterator<Item = &'a Mark> {
    let left = column
        .checked_sub(1)
        .map_or(f64::NEG_INFINITY, |before| f64::midpoint(gaps[before].0, gaps[before].1));
    let right = gaps.get(column).map_or(f64::INFINITY, |gap| f64::midpoint(gap.0, gap.1));
    line.marks.iter().filter(move |mark| (left..right).contains(&mark.along))
}

/// Whether what is between the gaps of these lines reads as columns of text.
fn are_columns(lines: &[Line], gaps: &[(f64, f64)]) -> bool {
    (0..=gaps.len()).all(|column| {
        let (mut rows, mut letters, mut going_on) = (0, 0, 0);
        for line in lines {
            let mut cell = cell(line, gaps, column).filter(|mark| !begins_with_space(mark)).peekable();
            let Some(first) = cell.peek() else { continue };
            going_on += usize::from(rows > 0 && matches!(first.text, Text::One(one) if one.is_lowercase()));
            rows += 1;
            letters += cell.filter(|mark| !matches!(mark.text, Text::One(one) if one.is_numeric())).count();
        }
        rows >= FEWEST && letters >= rows * LETTERS && going_on * 2 >= rows - 1
    })
}
