//! Lines that are drawn through letters: what they go through is struck out.

use hayro_interpret::kurbo::Rect;

use super::{
    letters::Text,
    lines::{Mark, begins_with_space},
};

/// Thickest line that is no box, in sizes of the letters.
const THICK: f64 = 0.16;

/// How far above the line that letters stand on it goes through them, in their sizes: below that it is beneath them, and above
/// it over them.
const THROUGH: std::ops::RangeInclusive<f64> = 0.15..=0.5;

/// It begins and ends where letters do, as far as so much of their size tells; one of a table or a drawing does not.
const ENDS: f64 = 0.5;

/// Most lines of a page, and most of them that may go through a line of text.
const MOST: usize = 4_096;
const MOST_OF_LINE: usize = 64;

/// The lines of a page that run from left to right.
#[derive(Default)]
pub(super) struct Strokes(Vec<Rect>);

impl Strokes {
    /// Adds what is drawn, if it is a line.
    pub(super) fn add(&mut self, area: Rect) {
        if self.0.len() < MOST && area.is_finite() && area.width() > area.height() * 2.0 {
            self.0.push(area);
        }
    }

    /// The same, ordered from below.
    pub(super) fn ordered(&self) -> Self {
        let mut all = self.0.clone();
        all.sort_by(|one, other| one.center().y.total_cmp(&other.center().y));
        Self(all)
    }

    /// Which letters of a line that runs from left to right are struck. The lines have to be ordered.
    pub(super) fn through(&self, marks: &[Mark]) -> Vec<bool> {
        let mut struck = vec![false; marks.len()];
        let height = |mark: &Mark, share: f64| mark.size.mul_add(share, -mark.across);
        let lowest = marks.iter().map(|mark| height(mark, *THROUGH.start())).fold(f64::MAX, f64::min);
        let highest = marks.iter().map(|mark| height(mark, *THROUGH.end())).fold(f64::MIN, f64::max);
        let from = self.0.partition_point(|area| area.center().y < lowest);
        let near = self.0[from..].iter().take_while(|area| area.center().y <= highest);
        for area in near.take(MOST_OF_LINE) {
            let y = area.center().y;
            let is_in = |mark: &Mark| {
                let middle = f64::midpoint(mark.along, mark.end);
                (area.x0..=area.x1).contains(&middle)
                    && (height(mark, *THROUGH.start())..=height(mark, *THROUGH.end())).contains(&y)
                    && area.height() <= mark.size * THICK
            };
            let drawn = || marks.iter().filter(|mark| !begins_with_space(mark) && is_in(mark));
            let (Some(first), Some(last)) = (drawn().next(), drawn().next_back()) else { continue };
            let fits = (area.x0 - first.along).abs() < first.size * ENDS
                && (area.x1 - last.end).abs() < last.size * ENDS;
            // A single stroke through one letter may be a part of it.
            let words =
                drawn().nth(1).is_some() || matches!(first.text, Text::One(one) if one.is_ascii_digit());
            if fits && words {
                for (mark, struck) in marks.iter().zip(&mut struck) {
                    *struck |= is_in(mark);
                }
            }
        }
        struck
    }
}
