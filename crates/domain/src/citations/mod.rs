//! Citations: the marks in a text that point at sources, and the one rule for them: a mark stands only where there is a
//! source of its number. Everything else that names a source (a link, a `Source:` line, a number out of range) is taken
//! out and counted, whatever the model was told; text that was never searched for has no source, so nothing stays.

mod words;

use std::collections::BTreeSet;

use words::{SOURCE_WORDS, defines_a_footnote, names_sources, starts_with_source};

/// Most numbers that a range such as `[2-5]` is read as.
const MOST_IN_A_RANGE: usize = 20;

/// A text with marks only for sources 1 to `offered`, each as `[n]`, and how many others went. Other brackets stay: `[x]`,
/// `[2024]`, `[sic]`; so does all code. A link keeps its words, a bare address its host.
#[must_use]
pub fn within(text: &str, offered: usize) -> (String, u32) {
    let (mut text, mut dropped) = pass(text, offered);
    // What is taken out may leave a new mark behind: `[1[9]]`. Every pass that finds one takes characters out.
    loop {
        let (again, more) = pass(&text, offered);
        if again == text {
            return (text, dropped);
        }
        (text, dropped) = (again, dropped + more);
    }
}

/// The numbers that a text cites; it went through [`within`].
#[must_use]
pub fn cited(text: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    renumbered(text, |number| {
        found.insert(number);
        Some(number)
    });
    found
}

/// A text that went through [`within`] with other numbers in its marks; a mark without one goes.
pub fn renumbered(text: &str, mut number: impl FnMut(usize) -> Option<usize>) -> String {
    let mut code = false;
    let mut lines = text.split('\n').map(|line| {
        let fence = begins_fence(line);
        code ^= fence;
        if fence || code {
            return line.to_owned();
        }
        let line = renumbered_line(line, &mut number);
        // Where a mark went from before a run of backticks, they would open a block and make code of what is none.
        if begins_fence(&line) { format!("\\{}", line.trim_start()) } else { line }
    });
    let first = lines.next().unwrap_or_default();
    lines.fold(first, |text, line| text + "\n" + &line)
}

/// A text that went through [`within`] without its marks.
#[must_use]
pub fn without_marks(text: &str) -> String {
    renumbered(text, |_| None)
}

fn begins_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

fn renumbered_line(line: &str, number: &mut impl FnMut(usize) -> Option<usize>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['[', '`']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((length, old)) = mark(rest) {
            match number(old) {
                Some(new) => out.push_str(&shown(new)),
                // Not nothing: what stands around it could become a mark.
                None => out.push(' '),
            }
            rest = &rest[length..];
        } else {
            let end = if rest.starts_with('`') { code_span(rest) } else { 1 };
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    out + rest
}

/// A mark.
fn shown(number: usize) -> String {
    format!("[{number}]")
}

/// If a text starts with `[n]`: the length of that, and the number.
fn mark(text: &str) -> Option<(usize, usize)> {
    let label = text.strip_prefix('[')?.split_once(']')?.0;
    let is_number = (1..=3).contains(&label.len()) && label.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| label.parse().ok().map(|number| (label.len() + 2, number))).flatten()
}

/// Once through a text.
fn pass(text: &str, offered: usize) -> (String, u32) {
    let mut kept: Vec<String> = Vec::new();
    let mut dropped = 0;
    let (mut code, mut sources) = (false, false);
    for line in text.split('\n') {
        if line.trim_start().starts_with("```") {
            code = !code;
            sources = false;
        }
        if code || line.trim_start().starts_with("```") {
            kept.push(line.to_owned());
            continue;
        }
        let is_heading = line.trim_start().starts_with('#');
        sources = if is_heading { names_sources(line) } else { sources };
        let is_source = sources || starts_with_source(line) || defines_a_footnote(line);
        if is_source {
            dropped += u32::from(!is_heading && !line.trim().is_empty());
            continue;
        }
        let (line, count) = inline(line, offered);
        dropped += count;
        kept.push(line);
    }
    (kept.join("\n").trim().to_owned(), dropped)
}

/// Something in a text that names a source.
#[derive(Default)]
struct Named {
    /// How long it is, in bytes.
    length: usize,
    /// The numbers it names; none for an address.
    numbers: Vec<usize>,
    /// Words of it that stay.
    words: String,
}

fn inline(line: &str, offered: usize) -> (String, u32) {
    let mut out = String::with_capacity(line.len());
    let mut dropped = 0;
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        if first == '`' {
            let end = code_span(rest);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if let Some(Named { length, mut numbers, words }) = named(rest, out.chars().next_back()) {
            let all = numbers.len();
            numbers.retain(|number| (1..=offered).contains(number));
            dropped +=
                if numbers.is_empty() { 1 } else { u32::try_from(all - numbers.len()).unwrap_or(u32::MAX) };
            rest = &rest[length..];
            let marks: String = numbers.into_iter().map(shown).collect();
            if marks.is_empty()
                && words.is_empty()
                && rest.chars().next().is_none_or(|c| c.is_whitespace() || ".,;:!?)".contains(c))
            {
                out.truncate(out.trim_end_matches(' ').len());
            }
            out.push_str(&words);
            out.push_str(&marks);
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    (out, dropped)
}

/// Length of the code span that starts a text; 1 if it never ends.
fn code_span(text: &str) -> usize {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let fence = &text[..ticks];
    text[ticks..].find(fence).map_or(ticks, |end| ticks + end + ticks)
}

/// What names a source at the start of a text.
fn named(text: &str, before: Option<char>) -> Option<Named> {
    let host = |(length, words)| Named { length, words, ..Named::default() };
    match text.as_bytes().first()? {
        b'[' => bracketed(text),
        b'(' => {
            let inside = text[1..].split_once(')')?.0;
            let bare = inside.trim_start_matches(['*', '_', ' ']);
            let is_source = starts_with_source(bare) || bare.to_lowercase().starts_with("see http");
            let numbers = inside.match_indices('[').filter_map(|(at, _)| mark(&inside[at..])).map(|(_, n)| n);
            is_source.then(|| Named {
                length: inside.len() + 2,
                numbers: numbers.collect(),
                ..Named::default()
            })
        }
        b'<' => {
            let inside = text[1..].split_once('>')?.0;
            let (length, words) = address(inside)?;
            (length == inside.len()).then(|| host((length + 2, words)))
        }
        b'h' | b'H' if before.is_none_or(|c| !c.is_alphanumeric()) => address(text).map(host),
        // Full width, as Chinese and Japanese write them.
        0xef if text.starts_with('［') => {
            let end = text.find('］')?;
            let numbers = numbers(&text['［'.len_utf8()..end])?;
            Some(Named { length: end + '］'.len_utf8(), numbers, ..Named::default() })
        }
        // The marks that OpenAI's own search puts around a source: 【3†source】.
        0xe3 if text.starts_with('【') => {
            let end = text.find('】')?;
            let inside = &text['【'.len_utf8()..end];
            let digits: String = inside.chars().take_while(char::is_ascii_digit).take(4).collect();
            let number = digits.parse().ok()?;
            Some(Named { length: end + '】'.len_utf8(), numbers: vec![number], ..Named::default() })
        }
        _ => None,
    }
}

/// `[1]`, `[2, 3]`, `[1-4]`, `[^2]`, `[Quelle 1]`, or a link `[words](https://…)`.
fn bracketed(text: &str) -> Option<Named> {
    let close = closing_bracket(text)?;
    let label = &text[1..close];
    let after = &text[close + 1..];
    if let Some(target) =
        after.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(target, _)| target)
    {
        let is_address = address(target.trim_start()).is_some() || target.trim_start().starts_with("www.");
        if is_address {
            let length = close + 1 + target.len() + 2;
            return Some(match numbers(label) {
                Some(numbers) => Named { length, numbers, words: String::new() },
                None => Named { length, numbers: Vec::new(), words: label.to_owned() },
            });
        }
    }
    Some(Named { length: close + 1, numbers: numbers(label)?, words: String::new() })
}

fn closing_bracket(text: &str) -> Option<usize> {
    let close = text.find(']')?;
    // A bracket inside a bracket is no citation; the inner one is looked at by itself.
    (!text[1..close].contains('[')).then_some(close)
}

/// Numbers of one to three digits of any script, apart by commas, dashes or spaces, with or without a word for a source
/// before them. Four digits are a year. A number of another script than Latin's is 0: no source has it.
fn numbers(label: &str) -> Option<Vec<usize>> {
    let label = label.trim().trim_start_matches('^').to_lowercase();
    let list = SOURCE_WORDS.iter().find_map(|word| label.strip_prefix(word)).unwrap_or(&label);
    let is_digit = |c: char| c.is_numeric() && !c.is_alphabetic();
    let is_number = |part: &str| part.chars().count() <= 3 && part.chars().all(is_digit);
    let is_dash = |c: char| matches!(c, '-' | '–');
    let items = list.split([',', ';', ' ', '،', '、', '，']).filter(|item| !item.is_empty());
    let mut numbers: Vec<usize> = Vec::new();
    for item in items {
        let ends: Vec<&str> = item.split(is_dash).filter(|part| !part.is_empty()).collect();
        if !ends.iter().all(|part| is_number(part)) {
            return None;
        }
        let ends: Vec<usize> = ends.into_iter().map(|part| part.parse().unwrap_or_default()).collect();
        match ends[..] {
            [from, to] if from < to && to - from < MOST_IN_A_RANGE => numbers.extend(from..=to),
            _ => numbers.extend(ends),
        }
    }
    (!numbers.is_empty()).then_some(numbers)
}

/// If a text starts with a web address: its length and its host.
fn address(text: &str) -> Option<(usize, String)> {
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))?;
    let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | ')' | ']' | '|');
    let length = text.find(ends).unwrap_or(text.len());
    let length = text[..length].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '\'']).len();
    let rest = text.get(scheme.len()..length)?;
    let host = rest.split(['/', '?', '#', '@', '\\']).next().filter(|host| !host.is_empty())?;
    Some((length, host.to_owned()))
}

#[cfg(test)]
mod tests;
