//! Whether two claims say the same: by the passages they rest on and by their words.

use std::collections::BTreeSet;

use super::Claim;
use crate::domain::{Document, Span, text::sentence_ends};

/// Share of the fewer content words of two claims on one passage that must be in both.
const SOME_WORDS: f64 = 0.3;

/// Share of all content words of two claims that must be in both where nothing else speaks for it.
const SAME_WORDS: f64 = 0.6;

/// Fewest content words of a claim that is judged by its words alone.
const FEWEST_WORDS: usize = 3;

/// Share of all content words of two claims that must be in both for a denial, or a word against its opposite, to be what
/// tells them apart.
const OPPOSED_WORDS: f64 = 0.5;

/// The same where nothing but a denial does: that something is missing is said in many words, most of them denials.
const DENIED_WORDS: f64 = 0.8;

/// Where the sentences of a text end.
pub(super) struct Sentences(Vec<usize>);

impl Sentences {
    /// Of a document.
    pub(super) fn of(document: &Document) -> Self {
        Self(sentence_ends(&document.text))
    }

    /// The sentence that holds all of a span.
    fn holding(&self, span: Span) -> Option<usize> {
        let first = self.0.partition_point(|end| *end <= span.start);
        let last = self.0.partition_point(|end| *end < span.end);
        (first == last).then_some(first)
    }
}

/// A claim with what it is compared by.
pub(super) struct Said<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// The sentence its evidence stands in, if it is one.
    sentence: Option<usize>,
    words: BTreeSet<String>,
    /// Its words that have an opposite.
    poles: BTreeSet<&'static str>,
    /// Whether it says that something is not so.
    denies: bool,
    area: BTreeSet<String>,
}

impl<'a> Said<'a> {
    /// Of a claim.
    pub(super) fn of(claim: &'a Claim, sentences: &Sentences) -> Self {
        Self {
            claim,
            sentence: claim.evidence.found.and_then(|span| sentences.holding(span)),
            words: content(&claim.claim),
            poles: poles(&claim.claim),
            denies: words(&claim.claim).any(|word| DENIALS.contains(&word.as_str())),
            area: content(&claim.area),
        }
    }

    /// How alike two claims are, if they say the same; more is more.
    pub(super) fn likeness(&self, other: &Self) -> Option<f64> {
        if self.opposes(other) {
            return None;
        }
        let shared = self.words.intersection(&other.words).count();
        let fewer = self.words.len().min(other.words.len());
        let all = self.words.union(&other.words).count();
        let same_area = !self.area.is_empty() && self.area == other.area;
        let one_passage = self.on_one_passage(other);
        let near = share(shared, fewer) >= SOME_WORDS && shared > 1;
        let same = share(shared, all) >= SAME_WORDS && fewer >= FEWEST_WORDS && self.tells_alike(other);
        let is_one = (one_passage && (near || same_area)) || same;
        is_one.then(|| share(shared, all) + if one_passage { 1.0 } else { 0.0 })
    }

    /// Whether one says in the same words that it is so and the other that it is not, or that it is the opposite.
    fn opposes(&self, other: &Self) -> bool {
        let shared = self.words.intersection(&other.words).count();
        let same = share(shared, self.words.union(&other.words).count());
        let denied = same >= DENIED_WORDS && self.denies != other.denies;
        let turned = OPPOSITES.iter().any(|&(one, another)| {
            let only =
                |said: &Self, there: &str, not: &str| said.poles.contains(there) && !said.poles.contains(not);
            (only(self, one, another) && only(other, another, one))
                || (only(self, another, one) && only(other, one, another))
        });
        denied || (same >= OPPOSED_WORDS && turned && self.denies == other.denies)
    }

    fn on_one_passage(&self, other: &Self) -> bool {
        let (Some(a), Some(b)) = (self.claim.evidence.found, other.claim.evidence.found) else {
            return false;
        };
        let shared = a.shared(b);
        let half = shared > 0 && shared * 2 >= a.len().min(b.len());
        half || (self.sentence.is_some() && self.sentence == other.sentence)
    }

    /// Whether neither denies what the other says, and both name the same numbers.
    fn tells_alike(&self, other: &Self) -> bool {
        let numbers = |said: &Self| -> Vec<String> {
            said.words.iter().filter(|word| word.contains(|c: char| c.is_ascii_digit())).cloned().collect()
        };
        self.denies == other.denies && numbers(self) == numbers(other)
    }
}

#[allow(clippy::cast_precision_loss)] // words of a claim
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Words that turn what is said into its opposite. Most claims have one, so it is no sign of likeness.
const DENIALS: [&str; 14] = [
    "no", "not", "never", "none", "neither", "nor", "without", "cannot", "nothing", "nicht", "kein", "keine",
    "pas", "sin",
];

/// Words that say the opposite of one another.
const OPPOSITES: [(&str, &str); 24] = [
    ("high", "low"),
    ("higher", "lower"),
    ("much", "little"),
    ("many", "few"),
    ("more", "less"),
    ("more", "fewer"),
    ("large", "small"),
    ("long", "short"),
    ("early", "late"),
    ("fast", "slow"),
    ("strong", "weak"),
    ("over", "under"),
    ("above", "below"),
    ("overstated", "understated"),
    ("overestimated", "underestimated"),
    ("increase", "decrease"),
    ("rises", "falls"),
    ("true", "false"),
    ("possible", "impossible"),
    ("necessary", "unnecessary"),
    ("sufficient", "insufficient"),
    ("consistent", "inconsistent"),
    ("valid", "invalid"),
    ("clear", "unclear"),
];

/// Words that most claims about a text have in common.
const OF_TEXTS: [&str; 14] = [
    "document",
    "text",
    "author",
    "authors",
    "passage",
    "section",
    "claim",
    "claims",
    "claimed",
    "argument",
    "arguments",
    "statement",
    "sentence",
    "reader",
];

/// Words that say nothing of their own, in English, and the commonest of German, French and Spanish.
const EMPTY: [&str; 99] = [
    "a", "about", "also", "an", "and", "any", "are", "as", "at", "be", "because", "been", "being", "but",
    "by", "can", "could", "does", "do", "each", "for", "from", "has", "have", "how", "if", "in", "into",
    "is", "it", "its", "may", "might", "more", "of", "on", "only", "or", "other", "such", "so", "some",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "under",
    "was", "were", "what", "when", "where", "whether", "which", "while", "who", "why", "will", "with",
    "would", "der", "die", "das", "den", "dem", "des", "ein", "eine", "und", "ist", "von", "zu", "im", "mit",
    "auf", "le", "la", "les", "un", "une", "et", "est", "que", "qui", "dans", "el", "los", "las", "una",
    "es", "en",
];

/// The words of a text in small letters.
fn words(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase().replace("n't", " not").replace("n’t", " not");
    let words: Vec<String> = lower.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    words.into_iter().filter(|word| !word.is_empty())
}

/// The words of a text that have an opposite.
fn poles(text: &str) -> BTreeSet<&'static str> {
    let said: BTreeSet<String> = words(text).collect();
    let all = OPPOSITES.iter().flat_map(|&(one, another)| [one, another]);
    all.filter(|word| said.contains(*word)).collect()
}

/// The content words of a text, without their endings.
fn content(text: &str) -> BTreeSet<String> {
    let lists: [&[&str]; 3] = [&DENIALS, &OF_TEXTS, &EMPTY];
    let is_content = |word: &String| !lists.iter().any(|list| list.contains(&word.as_str()));
    words(text).filter(is_content).map(|word| stem(&word)).collect()
}

/// A word without the commonest English endings; enough that `assumes`, `assumed` and `assumption` are near each other
/// and no more.
fn stem(word: &str) -> String {
    if word.chars().count() < 5 || word.contains(|c: char| c.is_ascii_digit()) {
        return word.strip_suffix('s').filter(|rest| rest.len() > 2).unwrap_or(word).to_owned();
    }
    let endings =
        ["ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s", "e", "y"];
    let stemmed =
        endings.iter().find_map(|end| word.strip_suffix(end).filter(|rest| rest.chars().count() >= 3));
    stemmed.unwrap_or(word).to_owned()
}
