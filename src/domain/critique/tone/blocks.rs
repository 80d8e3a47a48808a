//! A text of Markdown as blocks of sentences, so that a sentence can be taken out of it.

use crate::domain::{
    critique::outline::fence_of,
    text::{quoted, sentence_ends},
};

/// What stands for a quotation in a sentence that is judged.
const QUOTATION: &str = " \u{fffc} ";

/// Longest quotation with a space inside its marks, in bytes.
const LONGEST_QUOTATION: usize = 1_000;

/// Longest quotation in plain single marks, in bytes.
const LONGEST_SINGLE: usize = 120;

/// A paragraph, heading, item of a list, or what is kept as it is.
pub(super) struct Block<'a> {
    /// The indentation and the mark of a heading or an item.
    pub lead: &'a str,
    /// The rest of it, with the end of its last line.
    pub body: &'a str,
    /// Whether its sentences are judged: it is no blank line, code, quotation or table.
    read: bool,
}

impl<'a> Block<'a> {
    /// Its sentences as they are written, which make up the body, each with what is judged of it: the sentence without
    /// quotations and code. None of a block that is kept as it is.
    pub(super) fn sentences(&self) -> Vec<(&'a str, String)> {
        if !self.read {
            return Vec::new();
        }
        let exempt = exempt(self.body);
        let ends = sentence_ends(self.body).into_iter();
        let ends = ends.filter(|end| !exempt.iter().any(|(from, to)| from < end && end < to));
        let mut start = 0;
        ends.map(|end| {
            let from = std::mem::replace(&mut start, end);
            let written = self.body.get(from..end).unwrap_or_default();
            (written, without(written, from, &exempt))
        })
        .collect()
    }
}

/// The blocks of a text, which make it up.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    // Where each begins, where its body does, and whether it is read.
    let mut begins: Vec<(usize, usize, bool)> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut goes_on = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim();
        let opened = fence_of(line.trim_end());
        if let Some((mark, count)) = fence {
            if opened.is_some_and(|(closing, length, alone)| closing == mark && length >= count && alone) {
                fence = None;
            }
            continue;
        }
        fence = opened.map(|(mark, count, _)| (mark, count));
        let kept = fence.is_some() || bare.is_empty() || bare.starts_with(['>', '|']) || is_rule(bare);
        let lead = if kept { 0 } else { lead(line) };
        let is_item = lead > line.len() - line.trim_start().len();
        if kept || is_item || !goes_on {
            begins.push((start, start + lead, !kept));
        }
        // A heading ends with its line; a paragraph and an item go on.
        goes_on = !kept && !bare.starts_with('#');
    }
    let ends = begins.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]);
    let cut = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let blocks = begins.iter().zip(ends);
    blocks
        .map(|((start, body, read), end)| Block {
            lead: cut(*start, *body),
            body: cut(*body, end),
            read: *read,
        })
        .collect()
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && ["-", "*", "_", "="].iter().any(|mark| line.replace(mark, "").trim().is_empty())
}

/// Bytes of the indentation and the mark of a heading or an item at the start of a line.
fn lead(line: &str) -> usize {
    let bare = line.trim_start();
    let indent = line.len() - bare.len();
    let marked = |rest: &str| rest.starts_with([' ', '\t']).then(|| bare.len() - rest.trim_start().len());
    let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = (number.len() < bare.len()).then(|| number.strip_prefix(['.', ')'])).flatten();
    let heading = bare.starts_with('#').then(|| bare.trim_start_matches('#'));
    let rest = bare.strip_prefix(['-', '*', '+', '•']).or(numbered).or(heading);
    indent + rest.and_then(marked).unwrap_or_default()
}

/// Where quotations and code stand in a block, in bytes, with their marks.
fn exempt(body: &str) -> Vec<(usize, usize)> {
    let (places, chars): (Vec<usize>, Vec<char>) = body.char_indices().unzip();
    let behind = |place: usize| places.get(place).copied().unwrap_or(body.len());
    let quotations = quoted(&chars).into_iter().map(|(from, to)| (behind(from), behind(to + 1)));
    let others = code(body).into_iter().chain(spaced(body)).chain(single(body));
    let mut exempt: Vec<(usize, usize)> = quotations.chain(others).collect();
    exempt.sort_unstable();
    exempt
}

/// Where French quotations stand, which have a space inside their marks.
fn spaced(body: &str) -> impl Iterator<Item = (usize, usize)> {
    body.match_indices("« ")
        .chain(body.match_indices("«\u{a0}"))
        .chain(body.match_indices("«\u{202f}"))
        .filter_map(|(open, _)| {
            let rest = body.get(open..)?;
            let close = rest.find('»').filter(|close| *close <= LONGEST_QUOTATION)?;
            Some((open, open + close + '»'.len_utf8()))
        })
}

/// Where a few words stand in plain single quotation marks, such as `'we'`. A mark behind a letter is an apostrophe and
/// opens nothing.
fn single(body: &str) -> impl Iterator<Item = (usize, usize)> {
    body.match_indices('\'').filter_map(|(open, _)| {
        let after = body.get(open + 1..)?;
        let opens =
            !body[..open].ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric);
        let (close, _) = after
            .match_indices('\'')
            .take_while(|(at, _)| *at <= LONGEST_SINGLE && !after[..*at].contains('\n'))
            .find(|(at, _)| !after[at + 1..].starts_with(char::is_alphanumeric))?;
        opens.then_some((open, open + 1 + close + 1))
    })
}

/// Where code stands between as many marks on both sides.
fn code(body: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(open) = body[at..].find('`').map(|open| at + open) {
        let inside = &body[open..];
        let marks = inside.len() - inside.trim_start_matches('`').len();
        let after = open + marks;
        let close = body[after..]
            .match_indices(&body[open..after])
            .map(|(close, _)| after + close)
            .find(|close| !body[..*close].ends_with('`') && !body[close + marks..].starts_with('`'));
        if let Some(close) = close {
            spans.push((open, close + marks));
        }
        at = close.map_or(after, |close| close + marks);
    }
    spans
}

/// A sentence that begins at a byte of its block, without what is exempt.
fn without(sentence: &str, from: usize, exempt: &[(usize, usize)]) -> String {
    let mut said = String::new();
    let mut at = 0;
    for (start, end) in exempt {
        let (start, end) = (start.saturating_sub(from), end.saturating_sub(from).min(sentence.len()));
        if end > at && start < sentence.len() {
            said.push_str(sentence.get(at..start).unwrap_or_default());
            said.push_str(QUOTATION);
            at = end;
        }
    }
    said.push_str(sentence.get(at..).unwrap_or_default());
    said
}

/// What is left of a block's body: its sentences that stay, with the white space that the whole body had at its end.
/// Emphasis that began or ended in a sentence that goes begins or ends there still, and a mark that would begin a line
/// now, and make it another kind of block, goes.
pub(super) fn joined(sentences: &[(&str, bool)], body: &str) -> String {
    let mut text = String::new();
    let mut after_gap = false;
    for (sentence, stays) in sentences {
        let begins_line = text.is_empty() || text.ends_with('\n');
        match (stays, after_gap) {
            (true, true) if begins_line => text.push_str(plain_start(sentence)),
            (true, true) if EMPHASIS.iter().any(|mark| text.ends_with(mark) && is_open(&text, mark)) => {
                text.push_str(sentence.trim_start());
            }
            (true, _) => text.push_str(sentence),
            (false, _) => {
                let mut marks: Vec<&str> =
                    EMPHASIS.into_iter().filter(|mark| is_open(sentence, mark)).collect();
                marks.sort_by_key(|mark| sentence.find(mark));
                // The space before the sentence stands before the first mark that is kept of it.
                let mut space = &sentence[..sentence.len() - sentence.trim_start().len()];
                for mark in marks {
                    keep_emphasis(&mut text, mark, std::mem::take(&mut space));
                }
            }
        }
        after_gap = !stays;
    }
    text.truncate(text.trim_end().len());
    text.push_str(&body[body.trim_end().len()..]);
    text
}

/// Emphasis that may go on over several sentences.
const EMPHASIS: [&str; 2] = ["**", "__"];

fn is_open(text: &str, mark: &str) -> bool {
    text.matches(mark).count() % 2 == 1
}

/// Keeps a mark of a sentence that goes, as it only begins or only ends there.
fn keep_emphasis(text: &mut String, mark: &str, space: &str) {
    if !is_open(text, mark) {
        text.push_str(space);
        text.push_str(mark);
        return;
    }
    text.truncate(text.trim_end().len());
    if text.ends_with(mark) {
        text.truncate(text.len() - mark.len());
        text.truncate(text.trim_end().len());
    } else {
        text.push_str(mark);
    }
}

/// A sentence that begins a line now, without what would make that line a heading, an item, code or a quotation.
fn plain_start(sentence: &str) -> &str {
    let mut rest = sentence.trim_start();
    while blocks(rest).first().is_some_and(|block| !block.read || !block.lead.is_empty()) {
        let mut chars = rest.chars();
        chars.next();
        rest = chars.as_str().trim_start();
    }
    rest
}

/// A text with at most one blank line between its blocks, those in code as they are, and none at its ends.
pub(super) fn closed_up(text: &str) -> String {
    let mut closed = String::new();
    for block in blocks(text.trim()) {
        let blank = block.lead.is_empty() && block.body.trim().is_empty();
        if !(blank && (closed.is_empty() || closed.ends_with("\n\n"))) {
            closed.push_str(block.lead);
            closed.push_str(block.body);
        }
    }
    closed.truncate(closed.trim_end().len());
    closed
}
