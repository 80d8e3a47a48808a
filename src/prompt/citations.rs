//! Taking out sources that cannot exist: nothing has been searched, so a citation is invented, or points at
//! nothing a reader could open. Removed and counted in code, whatever the model was told.

/// Words that name a source, and sources, in the languages people set most; with a colon behind them they start a line of
/// sources. `Reference: …` is ordinary prose, so its word is none of them.
const SOURCE_WORDS: [&str; 40] = [
    "source",
    "sources",
    "references",
    "citations",
    "further reading",
    "quelle",
    "quellen",
    "quellenangabe",
    "quellenangaben",
    "referenzen",
    "références",
    "fuente",
    "fuentes",
    "referencias",
    "fonte",
    "fontes",
    "fonti",
    "referências",
    "riferimenti",
    "bron",
    "bronnen",
    "källa",
    "källor",
    "kilde",
    "kilder",
    "źródło",
    "źródła",
    "zdroj",
    "zdroje",
    "kaynak",
    "kaynaklar",
    "источник",
    "источники",
    "джерело",
    "джерела",
    "المصدر",
    "المصادر",
    "来源",
    "出典",
    "출처",
];

/// Words that are sources only as a heading over a list of them.
const HEADINGS: [&str; 16] = [
    "reference",
    "citation",
    "bibliography",
    "literatur",
    "literaturverzeichnis",
    "bibliographie",
    "bibliografía",
    "bibliografia",
    "literatuur",
    "referenser",
    "kaynakça",
    "библиография",
    "литература",
    "المراجع",
    "参考文献",
    "참고문헌",
];

/// The text without citations, and how many went. Other brackets stay: `[x]`, `[2024]`, `[sic]`; so does all
/// code. A link keeps its words, a bare address its host.
pub(super) fn remove(text: &str) -> (String, u32) {
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
        let (line, count) = inline(line);
        dropped += count;
        kept.push(line);
    }
    (kept.join("\n").trim().to_owned(), dropped)
}

/// `## Sources`, `**References**`
fn names_sources(line: &str) -> bool {
    let plain = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    SOURCE_WORDS.contains(&plain.as_str()) || HEADINGS.contains(&plain.as_str())
}

/// `Source: …`, `- **Sources:** …`
fn starts_with_source(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '*', '_', '-', '>', '(', '•']);
    let Some((word, _)) = line.split_once([':', '：']) else { return false };
    SOURCE_WORDS
        .contains(&word.trim_end_matches(['*', '_', ' ', '\u{a0}', '\u{202f}']).to_lowercase().as_str())
}

/// `[^1]: …`
fn defines_a_footnote(line: &str) -> bool {
    let line = line.trim_start();
    line.strip_prefix('[')
        .and_then(|rest| rest.split_once("]:"))
        .is_some_and(|(label, _)| is_number_list(label))
}

fn inline(line: &str) -> (String, u32) {
    let mut out = String::with_capacity(line.len());
    let mut dropped = 0;
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        if first == '`' {
            let end = code_span(rest);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if let Some((length, instead)) = citation(rest, out.chars().next_back()) {
            dropped += 1;
            rest = &rest[length..];
            if instead.is_empty()
                && rest.chars().next().is_none_or(|c| c.is_whitespace() || ".,;:!?)".contains(c))
            {
                out.truncate(out.trim_end_matches(' ').len());
            }
            out.push_str(&instead);
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

/// If a text starts with a citation: its length and what stands in its place.
fn citation(text: &str, before: Option<char>) -> Option<(usize, String)> {
    match text.as_bytes().first()? {
        b'[' => bracketed(text),
        b'(' => {
            let inside = text[1..].split_once(')')?.0;
            let bare = inside.trim_start_matches(['*', '_', ' ']);
            let is_source = starts_with_source(bare) || bare.to_lowercase().starts_with("see http");
            is_source.then(|| (inside.len() + 2, String::new()))
        }
        b'<' => {
            let inside = text[1..].split_once('>')?.0;
            let (length, host) = address(inside)?;
            (length == inside.len()).then_some((length + 2, host))
        }
        b'h' | b'H' if before.is_none_or(|c| !c.is_alphanumeric()) => address(text),
        // Full width, as Chinese and Japanese write them.
        0xef if text.starts_with('［') => {
            let end = text.find('］')?;
            is_number_list(&text['［'.len_utf8()..end]).then(|| (end + '］'.len_utf8(), String::new()))
        }
        // The marks that OpenAI's own search puts around a source: 【3†source】.
        0xe3 if text.starts_with('【') => {
            let end = text.find('】')?;
            let inside = &text['【'.len_utf8()..end];
            let is_mark = inside.starts_with(|c: char| c.is_ascii_digit());
            is_mark.then(|| (end + '】'.len_utf8(), String::new()))
        }
        _ => None,
    }
}

/// `[1]`, `[2, 3]`, `[1-4]`, `[^2]`, `[Quelle 1]`, or a link `[words](https://…)`.
fn bracketed(text: &str) -> Option<(usize, String)> {
    let close = closing_bracket(text)?;
    let label = &text[1..close];
    let after = &text[close + 1..];
    if let Some(target) =
        after.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(target, _)| target)
    {
        let is_address = address(target.trim_start()).is_some() || target.trim_start().starts_with("www.");
        if is_address {
            let instead = if is_number_list(label) { String::new() } else { label.to_owned() };
            return Some((close + 1 + target.len() + 2, instead));
        }
    }
    is_number_list(label).then(|| (close + 1, String::new()))
}

fn closing_bracket(text: &str) -> Option<usize> {
    let close = text.find(']')?;
    // A bracket inside a bracket is no citation; the inner one is looked at by itself.
    (!text[1..close].contains('[')).then_some(close)
}

/// Numbers of one to three digits of any script, apart by commas, dashes or spaces, with or without a word for a source
/// before them. Four digits are a year.
fn is_number_list(label: &str) -> bool {
    let label = label.trim().trim_start_matches('^').to_lowercase();
    let numbers = SOURCE_WORDS.iter().find_map(|word| label.strip_prefix(word)).unwrap_or(&label);
    let is_digit = |c: char| c.is_numeric() && !c.is_alphabetic();
    let number = |part: &str| part.chars().count() <= 3 && part.chars().all(is_digit);
    let mut parts =
        numbers.split([',', ';', '-', '–', ' ', '،', '、', '，']).filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(number)
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn citations_go_and_what_only_looks_like_one_stays() {
        for (text, want, count) in [
            ("It grows [1].", "It grows.", 1),
            ("It grows[1][2], fast", "It grows, fast", 2),
            ("A [2, 3] and [4-6] and [^7] end", "A and and end", 3),
            ("Seen【4†source】.", "Seen.", 1),
            ("See [the report](https://a.example/r) now", "See the report now", 1),
            ("See [1](https://a.example/r) now", "See now", 1),
            ("It grows (Source: https://a.example/x).", "It grows.", 1),
            ("At https://a.example/path?q=1, and <http://b.example>", "At a.example, and b.example", 2),
            ("Good.\nSource: https://a.example", "Good.", 1),
            ("Good.\n- **Sources:** McKinsey 2023", "Good.", 1),
            ("Gut [Quelle 1].\nQuellen: Statistisches Amt", "Gut.", 2),
            ("Bien [source 2].\nSource : Insee", "Bien.", 2),
            ("良い［1］。\n出典：総務省", "良い。", 2),
            ("جيد [١].\nالمصدر: البنك", "جيد.", 2),
            ("Gut.\n\n## Literatur\n- Müller 2019", "Gut.", 1),
            ("Reference: the lease of 2019 sets the rent.", "Reference: the lease of 2019 sets the rent.", 0),
            ("About 84 million (from memory, unverified).", "About 84 million (from memory, unverified).", 0),
            ("Good.\n\n## Sources\n1. A\n2. B\n\n## Next\nMore", "Good.\n\n## Next\nMore", 2),
            ("Good [^1]\n\n[^1]: A book", "Good", 2),
            (
                "- [ ] a\n- [x] b [2024] [sic] [A] [citation needed]",
                "- [ ] a\n- [x] b [2024] [sic] [A] [citation needed]",
                0,
            ),
            ("`a[1]` and ```b[2]``` stay, [3] goes", "`a[1]` and ```b[2]``` stay, goes", 1),
            ("```\nx[1] https://a.example\n```", "```\nx[1] https://a.example\n```", 0),
            ("Sources of income: fees", "Sources of income: fees", 0),
            ("[]() [][1 [ ( ] (a)", "[]() [][1 [ ( ] (a)", 0),
            ("(f(x)) [a](b) [a](#c)", "(f(x)) [a](b) [a](#c)", 0),
            ("https:// http", "https:// http", 0),
        ] {
            assert_eq!(remove(text), (want.to_owned(), count), "{text}");
        }
    }

    proptest! {
        #![proptest_config(crate::cases(256))]

        #[test]
        fn text_without_digits_addresses_or_source_words_is_left_alone(text in "[a-rt-z \\[\\](){}.,x-]{0,80}") {
            prop_assert_eq!(remove(&text), (text.trim().to_owned(), 0));
        }

        #[test]
        fn no_numbered_citation_survives(before in "[a-z ]{0,12}", n in 1u16..999, after in "[a-z .]{0,12}") {
            let (text, count) = remove(&format!("x{before}[{n}]{after}"));
            let mark = format!("[{n}]");
            prop_assert!(!text.contains(&mark));
            prop_assert_eq!(count, 1);
        }

        #[test]
        fn it_never_panics(text in any::<String>()) {
            remove(&text);
        }

        #[test]
        fn it_never_panics_on_the_signs_it_knows(text in "(\\[|\\]|\\(|\\)|1|,|<|>|`|https://|【|】|†|é|Source:|\n|#| ){0,40}") {
            remove(&text);
        }
    }
}
