//! Untrusted text made harmless and short. Every character here may have come from a model, a member or a
//! document.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

use domain::one_line;

/// Stands inside what would otherwise be a mention or a custom emoji, so that Discord shows it as text.
const BREAK: char = '\u{200b}';

/// Most characters without width that may follow one another; more is a prank that paints over other lines.
const MOST_MARKS: usize = 6;

/// A text's length as Discord may count it. The documentation does not say whether it counts UTF-16 units or
/// code points; units are never fewer, so they are safe.
#[must_use]
pub fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Removes what is not meant to be read: control characters and ANSI sequences, direction overrides, tag
/// characters, zero-width characters (joiners stay where scripts and emoji need them), stacked marks. Line
/// ends become `\n`, tabs stay.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut marks = 0;
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                if chars.next_if_eq(&'[').is_some() {
                    while chars.next_if(|c| matches!(c, '0'..='9' | ';' | '?')).is_some() {}
                    chars.next_if(char::is_ascii_alphabetic);
                }
            }
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{b}' | '\u{c}' => out.push('\n'),
            '\n' | '\t' => out.push(c),
            '\u{200c}' | '\u{200d}' => {
                let joins = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !c.is_whitespace());
                let twice = out.ends_with(['\u{200c}', '\u{200d}']);
                let next = chars.peek().copied().filter(|&c| !is_hidden(c) && !c.is_control());
                if !twice && joins(out.chars().next_back()) && joins(next) {
                    out.push(c);
                }
            }
            c if c.is_control() || is_hidden(c) => {}
            c => {
                marks = if c.width() == Some(0) { marks + 1 } else { 0 };
                if marks <= MOST_MARKS {
                    out.push(c);
                }
            }
        }
    }
    if out.ends_with(['\u{200c}', '\u{200d}']) {
        out.pop();
    }
    out
}

/// Characters that show nothing, or that change how others show.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{e000}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || matches!(u32::from(c) & 0xffff, 0xfffe | 0xffff)
}

/// Breaks up everything that Discord would show as a mention, a timestamp or a custom emoji: `@everyone`,
/// `@here`, `<@1>`, `<@&1>`, `<#1>`, `</name:1>`, `<id:…>`, `<t:…>`, `<:name:1>`. What it means is unchanged
/// for a reader.
#[must_use]
pub fn defuse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['@', '<']) {
        let after = &rest[at + 1..];
        out.push_str(&rest[..=at]);
        let live = if rest.as_bytes()[at] == b'@' {
            let word: String = after.chars().take(8).collect::<String>().to_lowercase();
            word.starts_with("everyone")
                || word.starts_with("here")
                || after.starts_with(['!', '&'])
                || after.starts_with(|c: char| c.is_ascii_digit())
        } else {
            let name: usize = after.chars().take_while(char::is_ascii_alphabetic).count();
            after.starts_with(['@', '#', '/', ':'])
                || (name > 0 && name <= 8 && after[name..].starts_with(':') && !is_web(after))
        };
        if live {
            out.push(BREAK);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A text in which Discord finds no address, of the web or of a program that it opens: `https://example.org/a` is
/// `example.org/a`, and `steam://run/1` is `run/1`.
#[must_use]
pub fn unlinked(text: &str) -> String {
    let mut out = text.to_owned();
    // From its beginning again each time, for what is left may be one: `hthttp://tp://example.org`.
    while let Some((at, end)) = scheme(&out) {
        out.replace_range(at..end, "");
    }
    out
}

/// A text without its addresses, with or without a scheme: what stands in place of each says that there was one. `None`:
/// there is none in it.
#[must_use]
pub fn without_addresses(text: &str) -> Option<String> {
    let ends = |c: char| c.is_whitespace() || "<>()[]\"'`".contains(c);
    let (mut out, mut found) = (String::new(), false);
    for piece in text.split_inclusive(ends) {
        let word = piece.trim_end_matches(ends);
        let address = is_address(word);
        found |= address;
        out.push_str(if address { "(address taken out)" } else { word });
        out.push_str(&piece[word.len()..]);
    }
    found.then_some(out)
}

/// Whether a word has a scheme, or begins like a host's name.
fn is_address(word: &str) -> bool {
    let host = word.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let host = host.trim_matches(|c: char| !c.is_alphanumeric());
    let named = host.rsplit_once('.').is_some_and(|(before, last)| {
        before.ends_with(char::is_alphanumeric)
            && last.len() >= 2
            && last.chars().all(|c| c.is_ascii_alphabetic())
    });
    named || scheme(word).is_some()
}

/// `https://example.org/a/?b#c` as `example.org/a?…`.
#[must_use]
pub fn host_and_path(url: &str) -> String {
    let bare = url.split_once("://").map_or(url, |(_, bare)| bare);
    let path = bare.split(['?', '#']).next().unwrap_or_default();
    let asked = if bare.contains('?') { "?…" } else { "" };
    format!("{}{asked}", path.trim_end_matches('/'))
}

/// Schemes of which Discord makes links: the web's, its own, and Steam's.
const SCHEMES: [&str; 4] = ["https", "http", "discord", "steam"];

/// From where to where the first scheme of a text that Discord makes a link of goes.
fn scheme(text: &str) -> Option<(usize, usize)> {
    text.match_indices("://").find_map(|(at, mark)| {
        let begins = |name: &str| {
            let start = at.checked_sub(name.len())?;
            text.get(start..at)?.eq_ignore_ascii_case(name).then_some(start)
        };
        Some((SCHEMES.into_iter().find_map(begins)?, at + mark.len()))
    })
}

/// Starts like an address of the web.
#[must_use]
pub fn is_web(text: &str) -> bool {
    let head: String = text.chars().take(8).collect::<String>().to_ascii_lowercase();
    head.starts_with("https://") || head.starts_with("http://")
}

/// At most `most` units of a text, cut between words where there is one in the last third, else between
/// graphemes, with `…` at the end to show it.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if length(text) <= most {
        return text.to_owned();
    }
    let Some(room) = most.checked_sub(1) else { return String::new() };
    let head = head(text, room);
    let word = head.rfind(char::is_whitespace).filter(|&at| at >= head.len() * 2 / 3);
    format!("{}…", head[..word.unwrap_or(head.len())].trim_end())
}

/// The longest start of a text of at most `most` units that ends between graphemes; where the first grapheme
/// alone is longer, between characters.
#[must_use]
pub fn head(text: &str, most: usize) -> &str {
    let mut used = 0;
    let mut end = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += length(grapheme);
        if used > most {
            break;
        }
        end = at + grapheme.len();
    }
    if end == 0 {
        let mut used = 0;
        for (at, c) in text.char_indices() {
            used += c.len_utf16();
            if used > most {
                break;
            }
            end = at + c.len_utf8();
        }
    }
    &text[..end]
}

/// A line for places where Discord shows no Markdown (footers, authors, labels of buttons, names of files):
/// clean, defused, white space collapsed, at most `most` units.
#[must_use]
pub fn plain(text: &str, most: usize) -> String {
    cut(&defuse(&no_fence(&unlinked(&clean_line(text)))), most)
}

/// A line for places where Discord shows Markdown but a name is meant (titles, names of fields): as
/// [`plain`], with everything escaped that would be markup.
#[must_use]
pub fn label(text: &str, most: usize) -> String {
    let line = unlinked(&clean_line(text));
    let mut shown = cut(&line, most);
    loop {
        let words = shown.split(' ').enumerate().map(|(at, word)| escape(word, at == 0));
        let mut escaped = defuse(&words.collect::<Vec<_>>().join(" "));
        // Nobody knows yet what a sentence puts behind it: a colon would make it an emoji's beginning.
        if escaped.ends_with('<') {
            escaped.push(BREAK);
        }
        let over = length(&escaped).saturating_sub(most);
        if over == 0 {
            return escaped;
        }
        let shorter = length(&shown).saturating_sub(over.div_ceil(2).max(1));
        shown = cut(&line, shorter);
    }
}

/// Clean, on one line.
#[must_use]
pub fn clean_line(text: &str) -> String {
    one_line(&clean(text))
}

/// A backslash before whatever could be markup, and at a line's start before what could begin a block.
#[must_use]
pub fn escape(word: &str, line_start: bool) -> String {
    let mut out = String::with_capacity(word.len() + 4);
    let only_hashes = word.bytes().all(|b| b == b'#');
    for (at, c) in word.char_indices() {
        let rest = &word[at + c.len_utf8()..];
        let markup = match c {
            '\\' | '*' | '_' | '~' | '|' | '`' | '[' | '<' => true,
            '#' => only_hashes || (at == 0 && line_start),
            '-' | '+' | '=' | '>' => at == 0 && line_start,
            ':' => at == 0 && line_start && rest.starts_with('-'),
            // A list's number ends its word: 0.8 begins none.
            '.' | ')' => {
                line_start
                    && rest.is_empty()
                    && (1..=9).contains(&at)
                    && word[..at].bytes().all(|b| b.is_ascii_digit())
            }
            '&' => is_entity(rest),
            _ => false,
        };
        if markup {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// What somebody wrote, of what [`clean`], [`no_fence`] and [`defuse`] have made of it.
#[must_use]
pub fn as_written(shown: &str) -> String {
    shown.replace(BREAK, "").replace('ˋ', "`")
}

/// Backticks that Discord could take for a fence or for the end of code, as a character that looks alike.
#[must_use]
pub fn no_fence(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut run = 0;
    for c in code.chars().chain(std::iter::once('\0')) {
        if c == '`' {
            run += 1;
            continue;
        }
        out.extend(std::iter::repeat_n(if run > 1 { 'ˋ' } else { '`' }, run));
        run = 0;
        if c != '\0' {
            out.push(c);
        }
    }
    out
}

/// `amp;`, `#60;`: what makes an `&` before it more than an `&`.
#[must_use]
pub fn is_entity(after: &str) -> bool {
    let name = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '#');
    name.is_some_and(|at| at > 0 && after[at..].starts_with(';'))
}

/// A reason as a sentence of its own: `The model declined to answer.`
pub fn sentence(reason: &str) -> String {
    let mut letters = reason.trim_end_matches('.').chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_meant_to_be_read_is_removed() {
        assert_eq!(clean("\u{1b}[31mred\u{1b}[0m\r\nline\0"), "red\nline");
        assert_eq!(clean("a\u{202e}b\u{2066}c\u{e0041}d\u{feff}"), "abcd");
        assert_eq!(clean("@every\u{200b}one and\u{200d} x"), "@everyone and x");
        // Joiners that belong to a script or to an emoji stay.
        assert_eq!(clean("می\u{200c}خواهم 👩\u{200d}🚒"), "می\u{200c}خواهم 👩\u{200d}🚒");
        assert_eq!(clean(&format!("e{}", "\u{301}".repeat(500))).chars().count(), 1 + MOST_MARKS);
    }

    #[test]
    fn mentions_are_text_and_other_words_stay() {
        for live in [
            "@everyone",
            "@HERE",
            "<@1>",
            "<@&1>",
            "<@!1>",
            "<#1>",
            "</a:1>",
            "<:a:1>",
            "<a:b:1>",
            "<t:0:R>",
            "<id:browse>",
        ] {
            let defused = defuse(live);
            assert_eq!(properties::live(&defused, &[]), None, "{defused}");
            assert_eq!(clean(&defused), live);
            assert_eq!(defuse(&defused), defused);
        }
        for plain in ["a@b.org", "@mara", "a < b", "<https://x.org>", "x <- y"] {
            assert_eq!(defuse(plain), plain);
        }
    }

    #[test]
    fn cuts_are_between_words_or_graphemes_and_show() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("one two three", 10), "one two…");
        assert_eq!(cut("oneverylongword", 5), "onev…");
        assert_eq!(cut("👩\u{200d}🚒👩\u{200d}🚒", 7), "👩\u{200d}🚒…");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(cut("abc", 1), "…");
    }

    #[test]
    fn labels_hold_no_markup_and_fit() {
        assert_eq!(label("**A** [b](c)\nd", 50), "\\*\\*A\\*\\* \\[b](c) d");
        assert!(length(&label(&"*".repeat(300), 100)) <= 100);
        assert_eq!(label("a <", 50), format!("a \\<{BREAK}"), "whatever stands behind it");
        assert_eq!(plain("```x``` @here", 50), "ˋˋˋxˋˋˋ @\u{200b}here");
    }

    #[test]
    fn no_scheme_of_which_discord_makes_a_link_is_left() {
        for live in ["steam://run/440", "see discord://-/channels/1", "DISCORD://x", "ststeam://eam://run"] {
            assert!(!unlinked(live).contains("://"), "{live}: {}", unlinked(live));
        }
        assert_eq!(
            without_addresses("a <https://b.org/c?d> e"),
            Some("a <(address taken out)> e".to_owned())
        );
        assert_eq!(without_addresses("of b.org/c, e"), Some("of (address taken out) e".to_owned()));
        assert_eq!(without_addresses("3.5 of 4, e.g. this. And that"), None);
    }
}
