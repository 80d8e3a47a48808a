//! How long a text is in words, and where its sentences end.

/// The words of a text. What stands between white space is one if it has a letter or a digit; in writings that set no
/// spaces, two Chinese, Japanese or four Thai, Lao, Khmer or Burmese characters count as one. So the words of two texts
/// with a space between them are those of both.
#[must_use]
pub fn count_words(text: &str) -> u32 {
    let count: usize = text.split_whitespace().map(words_of_run).sum();
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn words_of_run(run: &str) -> usize {
    let (mut pairs, mut fours, mut spaced) = (0_usize, 0_usize, false);
    for c in run.chars() {
        match c {
            _ if is_han(c) => pairs += 1,
            _ if is_south_east(c) => fours += 1,
            _ => spaced |= c.is_alphanumeric(),
        }
    }
    pairs.div_ceil(2) + fours.div_ceil(4) + usize::from(spaced)
}

/// Chinese characters and Japanese syllables: about two to a word.
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
        && c != '・'
}

/// Thai, Lao, Burmese and Khmer: about four to a word.
pub(crate) fn is_south_east(c: char) -> bool {
    matches!(c, '\u{e01}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Abbreviations with a full stop after which a sentence goes on.
const ABBREVIATIONS: [&str; 22] = [
    "e.g", "i.e", "cf", "vs", "dr", "mr", "mrs", "ms", "prof", "st", "no", "fig", "approx", "etc", "al",
    "u.s", "u.k", "z.b", "d.h", "bzw", "ca", "p.ex",
];

/// Where each sentence of the text ends, in bytes, the last at its end; none if there is nothing in it. A block of
/// code is never divided, and a line of a list is a sentence even without a full stop.
pub(crate) fn sentence_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut fenced = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let fence = line.trim_start().starts_with("```");
        let was_fenced = fenced;
        fenced ^= fence;
        if !was_fenced && !fence {
            ends.extend(ends_in_line(line).into_iter().map(|at| start + at));
        }
        start += line.len();
        // Inside code the end of a line ends nothing; of running text, only where the next line begins something.
        if !fenced && (was_fenced || begins_anew(&text[start..])) {
            ends.push(start);
        }
    }
    if text.trim_end().is_empty() {
        return Vec::new();
    }
    ends.push(text.len());
    // Two ends with nothing between them are one. What has been looked at is not looked at again.
    let mut kept: Vec<usize> = Vec::new();
    let mut from = 0;
    for end in ends {
        if text.get(from..end).is_some_and(|piece| count_words(piece) > 0) {
            kept.push(end);
        }
        from = from.max(end);
    }
    match kept.last_mut() {
        Some(last) => *last = text.len(),
        None => kept.push(text.len()),
    }
    kept
}

/// The first sentence of a text, without the white space around it; all of it where no sentence ends.
#[must_use]
pub fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let end = sentence_ends(text).first().copied().unwrap_or(text.len());
    text[..end].trim()
}

/// As many whole sentences of a text as have at most `most` characters together; empty where not even the first has.
#[must_use]
pub fn whole_sentences(text: &str, most: usize) -> &str {
    let text = text.trim();
    // Only so far is there anything to look for.
    let reach = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let ends = sentence_ends(text);
    let end = ends.into_iter().take_while(|&end| end <= reach).last().unwrap_or(0);
    text[..end].trim_end()
}

/// Whether a new paragraph, line of a list, heading, quotation or block of code begins here.
fn begins_anew(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default().trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.is_empty()
        || ["- ", "* ", "+ ", "#", ">", "```"].iter().any(|mark| line.starts_with(mark))
        || (number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") ")))
}

fn ends_in_line(line: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    // Where the last run of closing signs ended: within it every sign has the same end, and is not looked for again, so
    // that a million full stops take as long as a million letters.
    let mut closed = 0;
    let mut past = |after: usize| {
        if after > closed {
            closed = past_closing(line, after);
        }
        closed
    };
    for (at, c) in line.char_indices() {
        let after = at + c.len_utf8();
        match c {
            '。' | '！' | '？' => ends.push(past(after)),
            '.' | '!' | '?' | '…' => {
                let end = past(after);
                let rest = &line[end..];
                if rest.starts_with(char::is_whitespace) && !(c == '.' && goes_on(&line[..at], rest)) {
                    ends.push(end);
                }
            }
            _ => {}
        }
    }
    ends
}

/// Past the quotation marks, brackets and emphasis that close right after a full stop.
fn past_closing(line: &str, from: usize) -> usize {
    let closing = |c: char| {
        matches!(c, '"' | '”' | '’' | '\'' | '»' | ')' | ']' | '*' | '_' | '」' | '』' | '.' | '!' | '?')
    };
    line.len() - line[from..].trim_start_matches(closing).len()
}

/// Whether a full stop ends an abbreviation or a number of a list rather than a sentence.
fn goes_on(before: &str, rest: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let lower = word.to_lowercase();
    let numbered =
        !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) && before.trim_start() == word;
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I";
    let small = rest.trim_start().starts_with(char::is_lowercase);
    numbered || initial || small || ABBREVIATIONS.contains(&lower.as_str())
}
