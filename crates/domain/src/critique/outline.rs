//! Where in a text its parts begin: files, headings, pages, paragraphs, lines and sentences.

use crate::{Document, Landmark, Span, text::sentence_ends};

/// How strongly a place divides a text; the lower, the stronger. Headings stand between as 1 to 6.
pub(super) const FILE: u8 = 0;
/// A chapter or a sheet, as strong as the strongest heading.
pub(super) const CHAPTER: u8 = 1;
/// The weakest heading.
pub(super) const HEADING: u8 = 6;
/// A page of a file.
pub(super) const PAGE: u8 = 7;
/// A line after a blank one.
pub(super) const PARAGRAPH: u8 = 8;
/// Any other line that is not blank.
pub(super) const LINE: u8 = 9;

/// The beginning of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    /// Its first byte.
    pub at: usize,
    /// How strongly it divides.
    pub rank: u8,
}

/// A heading of Markdown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Heading<'a> {
    /// Its first byte.
    pub at: usize,
    /// 1 to 6.
    pub level: u8,
    /// What it says, with the marks in it.
    pub title: &'a str,
}

/// A text's parts.
pub(super) struct Outline<'a> {
    /// Where they begin, in order, each place once.
    pub marks: Vec<Mark>,
    /// Its headings, in order.
    pub headings: Vec<Heading<'a>>,
}

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Heading(u8),
    /// The line under a heading that is underlined.
    Underline,
    Text,
    /// Within a fenced block of code, its last fence among it.
    Code,
}

impl<'a> Outline<'a> {
    /// Of a document. What is in a fenced block of code is neither heading nor paragraph.
    pub(super) fn of(document: &'a Document) -> Self {
        let lines = lines(&document.text);
        let mut marks = Vec::new();
        let mut headings = Vec::new();
        let (mut after_blank, mut after_heading) = (false, false);
        for (at, line, kind) in &lines {
            match kind {
                Kind::Heading(level) => {
                    headings.push(Heading { at: *at, level: *level, title: title(line) });
                    marks.push(Mark { at: *at, rank: *level });
                }
                // A heading is never left behind by the first line under it.
                Kind::Text if after_blank && !after_heading => marks.push(Mark { at: *at, rank: PARAGRAPH }),
                Kind::Text | Kind::Code if !after_heading && !line.trim().is_empty() => {
                    marks.push(Mark { at: *at, rank: LINE });
                }
                _ => {}
            }
            match kind {
                Kind::Blank => after_blank = true,
                Kind::Heading(_) | Kind::Underline => (after_blank, after_heading) = (false, true),
                Kind::Text | Kind::Code => (after_blank, after_heading) = (false, false),
            }
        }
        for (at, landmark) in &document.landmarks {
            let rank = match landmark {
                Landmark::File { .. } => FILE,
                Landmark::Page(_) | Landmark::Slide(_) => PAGE,
                Landmark::Sheet { row: 0, .. } | Landmark::Chapter(_) => CHAPTER,
                Landmark::Sheet { .. } => PARAGRAPH,
            };
            if document.text.is_char_boundary(*at) {
                marks.push(Mark { at: *at, rank });
            }
        }
        // By place, and of several at one place the strongest.
        marks.sort_by_key(|mark| (mark.at, mark.rank));
        marks.dedup_by_key(|mark| mark.at);
        Self { marks, headings }
    }

    /// The marks of at most that rank within a span, its first byte left out.
    pub(super) fn within(&self, span: Span, rank: u8) -> impl Iterator<Item = usize> {
        let from = self.marks.partition_point(|mark| mark.at <= span.start);
        let to = self.marks.partition_point(|mark| mark.at < span.end);
        let marks = self.marks.get(from..to).unwrap_or_default();
        marks.iter().filter(move |mark| mark.rank <= rank).map(|mark| mark.at)
    }
}

/// A span cut at places within it, in order.
pub(super) fn pieces(span: Span, cuts: impl IntoIterator<Item = usize>) -> Vec<Span> {
    let mut start = span.start;
    let mut pieces = Vec::new();
    for end in cuts.into_iter().chain([span.end]) {
        if end > start {
            pieces.push(Span { start, end });
            start = end;
        }
    }
    pieces
}

/// Where sentences begin within a span, its first byte left out.
pub(super) fn sentence_starts(text: &str, span: Span) -> Vec<usize> {
    let part = text.get(span.start..span.end).unwrap_or_default();
    let starts = sentence_ends(part).into_iter().map(|end| {
        let rest = part.get(end..).unwrap_or_default();
        end + rest.len() - rest.trim_start().len()
    });
    starts.filter(|start| *start < part.len()).map(|start| span.start + start).collect()
}

/// Each line with where it begins, its end of line left out.
fn lines(text: &str) -> Vec<(usize, &str, Kind)> {
    let mut lines: Vec<(usize, &str, Kind)> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end_matches(['\n', '\r']);
        let kind = match (fence, fence_of(line)) {
            (Some((mark, length)), Some((closing, count, bare)))
                if closing == mark && count >= length && bare =>
            {
                fence = None;
                Kind::Code
            }
            (Some(_), _) => Kind::Code,
            (None, Some((mark, length, _))) => {
                fence = Some((mark, length));
                Kind::Text
            }
            (None, None) if line.trim().is_empty() => Kind::Blank,
            (None, None) => match (atx(line), underlines(line)) {
                (Some(level), _) => Kind::Heading(level),
                (None, Some(level)) if can_be_underlined(&lines) => {
                    if let Some(last) = lines.last_mut() {
                        last.2 = Kind::Heading(level);
                    }
                    Kind::Underline
                }
                _ => Kind::Text,
            },
        };
        lines.push((at, line, kind));
        at += whole.len();
    }
    lines
}

/// The mark of a fence, how many of them, and whether nothing follows them.
pub(super) fn fence_of(line: &str) -> Option<(char, usize, bool)> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let count = line.len() - rest.len();
    // Three marks with another behind them in the line are code within a text.
    (count >= 3 && !(mark == '`' && rest.contains('`'))).then(|| (mark, count, rest.trim().is_empty()))
}

/// The level of a heading that begins with `#`.
fn atx(line: &str) -> Option<u8> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let rest = line.trim_start_matches(' ').trim_start_matches('#');
    let level = u8::try_from(line.len() - indent - rest.len()).ok()?;
    let said = rest.starts_with([' ', '\t']) && !title(line).is_empty();
    (indent <= 3 && (1..=6).contains(&level) && said).then_some(level)
}

/// The level of the heading that a line of `===` or `---` would make of the line above it.
fn underlines(line: &str) -> Option<u8> {
    let marks = line.trim();
    let all = |mark: char, least: usize| marks.len() >= least && marks.chars().all(|c| c == mark);
    if all('=', 2) {
        Some(1)
    } else if all('-', 3) {
        Some(2)
    } else {
        None
    }
}

/// Whether the last line stands alone and is plain, so that a line under it makes it a heading.
fn can_be_underlined(lines: &[(usize, &str, Kind)]) -> bool {
    let Some(((_, line, Kind::Text), before)) = lines.split_last() else { return false };
    let alone = before.last().is_none_or(|(_, _, kind)| !matches!(kind, Kind::Text | Kind::Code));
    let listed = ["- ", "* ", "+ ", "> ", "|", "    ", "```", "~~~", "---", "***"];
    alone && !listed.iter().any(|mark| line.starts_with(mark))
}

/// What a heading says, without the marks around it.
fn title(line: &str) -> &str {
    let line = line.trim();
    let bare = line.trim_start_matches('#');
    if bare.len() == line.len() {
        return line;
    }
    let open = bare.trim_end();
    let closed = open.trim_end_matches('#');
    // `# C#` ends in no mark; `# Cost #` does.
    if closed.is_empty() || closed.ends_with([' ', '\t']) { closed.trim() } else { open.trim() }
}
