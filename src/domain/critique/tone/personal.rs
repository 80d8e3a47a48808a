//! Whether a sentence speaks of whoever wrote it.

use super::words::{Word, any, phrase};

/// Words for oneself that are nothing else.
const PRONOUNS: [&str; 16] = [
    "my",
    "myself",
    "we",
    "our",
    "ours",
    "ourselves",
    "ich",
    "wir",
    "uns",
    "unser",
    "unsere",
    "unserer",
    "unserem",
    "unseren",
    "meiner",
    "meinem",
];

/// More of them that take more than a word.
const PHRASES: [&str; 14] = [
    "as an ai|language model|assistant",
    "as an ai language model",
    "as a large? language model",
    "of mine",
    "meines erachtens",
    "j ai|aime|estime|observe",
    "je ne|pense|crois|trouve|recommande|considère|suis|note|constate|dirais",
    "nous ne|avons|pensons|croyons|trouvons|recommandons|considérons|estimons|constatons|notons",
    "à mon|notre avis",
    "selon moi|nous",
    "en mi|nuestra opinión",
    "a mi|nuestro juicio|parecer",
    "yo creo|pienso|considero|diría",
    "creemos|consideramos|recomendamos|pensamos|opinamos que?",
];

/// After `us` it names a page or a firm.
const US_NAMED: [&str; 6] = ["page", "form", "section", "link", "button", "tab"];

/// What is numbered with Roman numerals.
const NUMBERED: [&str; 42] = [
    "article", "articles", "part", "parts", "section", "sections", "chapter", "chapters", "phase", "phases",
    "type", "types", "class", "title", "appendix", "annex", "book", "volume", "vol", "war", "level", "stage",
    "stages", "category", "table", "figure", "fig", "tier", "group", "grade", "schedule", "act", "scene",
    "numeral", "numerals", "option", "module", "step", "cohort", "study", "trial", "plan",
];

/// What only follows `I` where it is the one who speaks.
const SPOKEN: [&str; 37] = [
    "am",
    "m",
    "ve",
    "ll",
    "d",
    "have",
    "do",
    "don",
    "think",
    "believe",
    "find",
    "found",
    "feel",
    "felt",
    "see",
    "saw",
    "note",
    "noted",
    "noticed",
    "suggest",
    "recommend",
    "consider",
    "would",
    "cannot",
    "want",
    "wish",
    "agree",
    "disagree",
    "doubt",
    "suspect",
    "conclude",
    "assume",
    "argue",
    "appreciate",
    "hope",
    "propose",
    "read",
];

/// The same, but what is numbered may do it too: `patients with type I have`.
const SHARED: [&str; 4] = ["would", "found", "have", "saw"];

/// What follows a sign or a name: `if I is the identity`.
const THIRD: [&str; 12] = [
    "is", "has", "does", "equals", "denotes", "contains", "refers", "follows", "implies", "holds", "applies",
    "stands",
];

/// Before a word, what says that the word itself is spoken of: `the pronoun we`.
const MENTIONS: [&str; 6] = ["pronoun", "pronouns", "word", "words", "term", "person"];

/// Whether it speaks of itself.
pub(super) fn speaks_of_itself(words: &[Word]) -> bool {
    words.iter().enumerate().any(|(at, word)| is_personal(words, at, word)) || any(words, &PHRASES)
}

fn is_personal(words: &[Word], at: usize, word: &Word) -> bool {
    let next = words.get(at + 1);
    let shouted = word.written.chars().count() > 1 && word.written.chars().all(char::is_uppercase);
    // Part of a name with hyphens, an address or a path: `Ich-AG`, `our.example`.
    let joined = |mark: char| matches!(mark, '-' | '/' | '@' | '\\' | '=' | '#' | '$' | '&');
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let mentioned =
        before.is_some_and(|before| MENTIONS.contains(&before.lower.as_str()) && word.before == ' ');
    // `In other words we`, `the terms we`: what follows speaks.
    let spoken = next.is_some_and(|next| SPOKEN.contains(&next.lower.as_str()));
    if shouted || joined(word.before) || joined(word.after) || (mentioned && !spoken) {
        return false;
    }
    match word.lower.as_str() {
        "i" => word.written == "I" && is_speaker(words, at),
        "us" => !next.is_some_and(|next| US_NAMED.contains(&next.lower.as_str())),
        "me" => !phrase(words, at, "me too"),
        lower => PRONOUNS.contains(&lower),
    }
}

/// Whether the `I` at that place is no numeral.
fn is_speaker(words: &[Word], at: usize) -> bool {
    let next = words.get(at + 1).map_or("", |word| word.lower.as_str());
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let numbered = before.filter(|_| words[at].before == ' ').is_some_and(|before| {
        // A name within a sentence, such as `George I`; at its start it is any word.
        NUMBERED.contains(&before.lower.as_str())
            || (before.is_capital() && at > 1 && !is_roman(&before.written))
    });
    let listed =
        matches!(words[at].before, '(' | ')' | ':' | ',' | '.') && matches!(words[at].after, ')' | '.' | ',');
    let roman = |word: Option<&Word>| word.is_some_and(|word| is_roman(&word.written) && word.written != "I");
    let ranged = roman(words.get(at + 1))
        || (matches!(next, "and" | "or" | "to" | "through") && roman(words.get(at + 2)))
        || matches!(words[at].after, '–' | '—') && roman(words.get(at + 1));
    if ranged || (listed && at == 0) || THIRD.contains(&next) {
        return false;
    }
    if numbered {
        return SPOKEN.contains(&next) && !SHARED.contains(&next);
    }
    // Alone between marks, or at the end, it is a sign: `(I)`, `axis I.`
    words[at].after == ' '
        || words[at].after == '\''
        || words[at].after == ',' && at == 0
        || SPOKEN.contains(&next)
}

fn is_roman(word: &str) -> bool {
    word.chars().all(|c| matches!(c, 'I' | 'V' | 'X'))
}
