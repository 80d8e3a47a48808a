//! Words that name a source, and lines that are one.

use super::numbers;

/// Words that name a source, and sources, in the languages people set most; with a colon behind them they start a line of
/// sources. `Reference: …` is ordinary prose, so its word is none of them.
pub(super) const SOURCE_WORDS: [&str; 40] = [
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

/// `## Sources`, `**References**`
pub(super) fn names_sources(line: &str) -> bool {
    let plain = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    SOURCE_WORDS.contains(&plain.as_str()) || HEADINGS.contains(&plain.as_str())
}

/// `Source: …`, `- **Sources:** …`
pub(super) fn starts_with_source(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '*', '_', '-', '>', '(', '•']);
    let Some((word, _)) = line.split_once([':', '：']) else { return false };
    SOURCE_WORDS
        .contains(&word.trim_end_matches(['*', '_', ' ', '\u{a0}', '\u{202f}']).to_lowercase().as_str())
}

/// `[^1]: …`
pub(super) fn defines_a_footnote(line: &str) -> bool {
    let line = line.trim_start();
    line.strip_prefix('[')
        .and_then(|rest| rest.split_once("]:"))
        .is_some_and(|(label, _)| numbers(label).is_some())
}
