//! Cutting a turn that ran on: at sentences, and so that every part keeps something.

use super::{bounds, parts_mut};
use crate::{
    DebateTurn, Mark,
    text::{count_words as words, is_han, is_south_east, sentence_ends},
};

/// How much more than its most words a turn may have before it is cut, in percent.
const ROOM_PERCENT: u32 = 120;

/// The turn, cut at sentences to at most 120 % of its words, and marked if it had to be. Each part keeps its first
/// sentence, and what room is left is shared among them by how much more they have to say; only where the first
/// sentences alone are too long is a part cut at a word, with an ellipsis. A part is never emptied, so a turn of more
/// parts than words it may have would stay longer; no form of a turn has that many.
#[must_use]
pub fn cut(mut turn: DebateTurn) -> DebateTurn {
    let (had, most) = (super::words(&turn.body), *bounds(turn.slot.act).end());
    let limit = most * ROOM_PERCENT / 100;
    if had <= limit {
        return turn;
    }
    let parts: Vec<Part> = super::parts(&turn.body).into_iter().map(Part::of).collect();
    let kept = shortened(&parts, limit);
    for (text, kept) in parts_mut(&mut turn.body).into_iter().zip(kept) {
        *text = kept;
    }
    // That it was long is said by its being cut.
    turn.marks.retain(|mark| !matches!(mark, Mark::Long { .. } | Mark::Cut { .. }));
    turn.marks.push(Mark::Cut { words: had, most });
    turn
}

/// A text with what it has, in words, up to the end of each sentence.
struct Part<'a> {
    text: &'a str,
    ends: Vec<(usize, u32)>,
}

impl<'a> Part<'a> {
    fn of(text: &'a str) -> Self {
        let ends = sentence_ends(text).into_iter().map(|end| (end, words(&text[..end]))).collect();
        Self { text, ends }
    }

    fn words(&self) -> u32 {
        self.ends.last().map_or(0, |(_, words)| *words)
    }

    fn first(&self) -> u32 {
        self.ends.first().map_or(0, |(_, words)| *words)
    }

    /// How many whole sentences fit into so many words.
    fn fits(&self, room: u32) -> usize {
        self.ends.iter().take_while(|(_, words)| *words <= room).count()
    }

    /// The words of its first so many sentences.
    fn upto(&self, sentences: usize) -> u32 {
        sentences.checked_sub(1).and_then(|at| self.ends.get(at)).map_or(0, |(_, words)| *words)
    }
}

/// The texts of the parts, with at most `limit` words in all.
fn shortened(parts: &[Part], limit: u32) -> Vec<String> {
    let firsts: u32 = parts.iter().map(Part::first).sum();
    if firsts > limit {
        // Not even a sentence each.
        let rooms = parts.iter().map(|part| share(limit, part.first(), firsts).max(1));
        let mut over = parts
            .iter()
            .zip(rooms.clone())
            .map(|(part, room)| room.min(part.first()))
            .sum::<u32>()
            .saturating_sub(limit);
        return parts
            .iter()
            .zip(rooms)
            .map(|(part, room)| {
                // What the shortest parts have more than their share, the others give.
                let given = over.min(room.saturating_sub(1));
                over -= given;
                if room - given >= part.first() {
                    up_to(part, 1)
                } else {
                    first_words(part.text, room - given)
                }
            })
            .collect();
    }
    let (left, more) = (limit - firsts, parts.iter().map(|part| part.words() - part.first()).sum());
    let room = |part: &Part| part.first() + share(left, part.words() - part.first(), more);
    let mut kept: Vec<usize> = parts.iter().map(|part| part.fits(room(part))).collect();
    let mut unused = limit - parts.iter().zip(&kept).map(|(part, kept)| part.upto(*kept)).sum::<u32>();
    // What one could not use for a whole sentence, another may.
    for (part, kept) in parts.iter().zip(&mut kept) {
        let fits = part.fits(part.upto(*kept) + unused).max(*kept);
        unused -= part.upto(fits) - part.upto(*kept);
        *kept = fits;
    }
    parts.iter().zip(kept).map(|(part, kept)| up_to(part, kept)).collect()
}

/// `room` times `part` by `whole`, rounded down.
fn share(room: u32, part: u32, whole: u32) -> u32 {
    let share = u64::from(room) * u64::from(part) / u64::from(whole.max(1));
    u32::try_from(share).unwrap_or(u32::MAX)
}

fn up_to(part: &Part, sentences: usize) -> String {
    match sentences.checked_sub(1).and_then(|at| part.ends.get(at)) {
        Some((end, _)) if *end < part.text.len() => closed(part.text[..*end].trim_end()),
        _ => part.text.to_owned(),
    }
}

/// The first so many words of a text, with an ellipsis if there are more.
fn first_words(text: &str, room: u32) -> String {
    if words(text) <= room {
        return text.to_owned();
    }
    let divides = |at: usize| {
        let (before, after) = text.split_at(at);
        after.starts_with(char::is_whitespace) || before.ends_with(is_han) || before.ends_with(is_south_east)
    };
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    // Words only grow along a text, so the last place with few enough can be searched by halves.
    let few = places.partition_point(|at| words(&text[..*at]) <= room);
    let fitting = &places[..few];
    // Between two words; within one only if it is the first.
    let end = fitting.iter().rev().find(|at| divides(**at) && words(&text[..**at]) > 0).or(fitting.last());
    let end = end.copied().unwrap_or_default();
    let kept = text[..end].trim_end();
    let kept = kept.trim_end_matches([',', ';', ':', '.', '-', '–', '—']);
    closed(&format!("{kept}…"))
}

/// A text that was cut, with the code or emphasis that is open in it closed.
fn closed(text: &str) -> String {
    let mut text = text.to_owned();
    if text.lines().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1 {
        text.push_str("\n```");
        return text;
    }
    for mark in ["**", "`"] {
        if !text.contains("```") && text.matches(mark).count() % 2 == 1 {
            text.push_str(mark);
        }
    }
    text
}
