//! Whose words are whose: what is quoted of the proposition, and what is said in the name of a side.

use super::reading::{Gap, SIDE_NOUNS, Word};
use crate::domain::Proposition;

/// Marks the words of the proposition and those said in the name of a side.
pub(super) fn mark(words: &mut [Word], proposition: &Proposition) {
    for text in [&proposition.question, &proposition.raw] {
        let asked: Vec<String> = super::reading::read(text).into_iter().map(|word| word.text).collect();
        if asked.len() >= 3 {
            mark_proposition(words, &asked);
        }
    }
    let mut start = 0;
    while start < words.len() {
        let after = words.iter().skip(start + 1).position(|word| word.gap == Gap::Sentence);
        let end = after.map_or(words.len(), |after| start + 1 + after);
        let named_before = words.get(start.saturating_sub(60)..start).is_some_and(|before| {
            before
                .iter()
                .rev()
                .scan(false, |over, word| {
                    let this = !*over;
                    *over |= word.gap == Gap::Sentence;
                    this.then_some(word)
                })
                .any(|word| word.side.is_some())
        });
        if let Some(sentence) = words.get_mut(start..end) {
            mark_sentence(sentence, named_before);
        }
        start = end;
    }
}

/// Fewest words of a shortened proposition beside its first, such as `should`.
const SHORTENED: usize = 4;

fn mark_proposition(words: &mut [Word], asked: &[String]) {
    let Some((first, rest)) = asked.split_first() else { return };
    for at in 0..words.len() {
        let matched = as_question(words, at, first, rest).or_else(|| as_clause(words, at, first, rest));
        for word in words.iter_mut().skip(at).take(matched.unwrap_or_default()) {
            word.proposed = true;
        }
    }
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}

/// How many words from here are the proposition's own question.
fn as_question(words: &[Word], at: usize, first: &str, rest: &[String]) -> Option<usize> {
    (words.get(at)?.text == *first).then_some(())?;
    let (read, matched, _) = follow(words, at + 1, rest, None);
    (matched >= SHORTENED.min(rest.len())).then_some(read + 1)
}

/// How many words from here are its clause after `whether`, in which the first word has moved: `whether the city
/// should build`. Without such a word before it the clause would be the moderator's own demand.
fn as_clause(words: &[Word], at: usize, first: &str, rest: &[String]) -> Option<usize> {
    let before =
        |back: usize| at.checked_sub(back).and_then(|at| words.get(at)).map_or("", |word| word.text.as_str());
    let open = |word: &str| matches!(word, "whether" | "if" | "ob" | "si");
    let named = |word: &str| {
        matches!(word, "proposition" | "question" | "motion" | "claim" | "statement" | "resolution")
    };
    let introduced = open(before(1))
        || (open(before(3)) && before(2) == "or" && before(1) == "not")
        || (named(before(2)) && before(1) == "that");
    introduced.then_some(())?;
    let (read, matched, moved) = follow(words, at, rest, Some(first));
    (moved && matched >= SHORTENED.min(rest.len())).then_some(read)
}

/// How many words from `at` follow `wanted`, how many of those were met, and whether `moved` stood once among them.
/// Articles may be missing or added.
fn follow(words: &[Word], at: usize, wanted: &[String], moved: Option<&str>) -> (usize, usize, bool) {
    let (mut read, mut matched, mut met) = (0, 0, false);
    while let Some(word) = words.get(at + read) {
        match wanted.get(matched) {
            Some(want) if *want == word.text => matched += 1,
            _ if !met && moved == Some(word.text.as_str()) => met = true,
            Some(want)
                if is_article(want) && wanted.get(matched + 1).is_some_and(|next| *next == word.text) =>
            {
                matched += 2;
            }
            Some(_) if is_article(&word.text) => {}
            _ => break,
        }
        read += 1;
    }
    (read, matched, met)
}

/// Begins of verbs with which somebody says what a side holds. Nothing here agrees with it.
const REPORTING: &str = "argu claim conten maintain assert insist believ think thought state stress emphasi warn suggest \
    propos call want see saw treat favor favour assum expect doubt deny denie reject accept agree \
    disagree conced repl respond counter ask question worr point note add urge recommend demand requir \
    fear hold held say said find prefer deem regard consider advocat defend reason observ answer \
    disput challeng grant admit acknowledg caution conclud predict view rest behaupt argumentier mein \
    sagt hält forder befürcht betont soutien affirm estim sostien afirm opin";

/// Nouns for what a side holds: `Pro's view is that …`.
const VIEWS: &str = "view position case argument claim concern point contention worry fear belief stance reasoning \
    thesis premise assumption perspective account answer demand proposal call reply opinion reading \
    standpoint objection conclusion";

/// What may stand between a side and its verb.
const BETWEEN: &str = "also both each then still thus here would does do not has have had in turn for its part own and \
    pro con likewise instead therefore however the by contrast";

/// Words that put what follows in the name of a side, at the beginning of a clause: `For Pro, …`.
const FOR: [&str; 12] =
    ["for", "to", "in", "from", "on", "under", "laut", "selon", "según", "für", "pour", "para"];

/// Words with which the moderator takes the floor again after a comma.
const TURNS: [&str; 12] = [
    "but",
    "yet",
    "so",
    "therefore",
    "thus",
    "hence",
    "however",
    "while",
    "whereas",
    "although",
    "though",
    "nevertheless",
];

/// Whom `, and …` names when it is no longer a side that speaks.
const OWN: [&str; 12] = [
    "i",
    "we",
    "you",
    "team",
    "reader",
    "readers",
    "moderator",
    "members",
    "voters",
    "everyone",
    "anyone",
    "one",
];

fn mark_sentence(words: &mut [Word], named_before: bool) {
    // From which word on a side speaks, and where the clause began.
    let mut speaks: Option<usize> = None;
    let mut begins = 0;
    for at in 0..words.len() {
        if ends_attribution(words, at) {
            speaks = None;
            begins = at;
        }
        let speaking = speaks.is_some_and(|from| from <= at);
        if !speaking && let Some(from) = marker(words, at, named_before) {
            speaks = Some(from);
        }
        let before = if trails(words, at) { begins..at } else { at..at };
        for word in words.get_mut(before).into_iter().flatten() {
            word.attributed = true;
        }
        if let Some(word) = words.get_mut(at) {
            word.attributed |= speaks.is_some_and(|from| from <= at);
        }
    }
}

/// Whether the side no longer speaks from here on.
fn ends_attribution(words: &[Word], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let next = |steps: usize| words.get(at + steps).map_or("", |word| word.text.as_str());
    let turns = TURNS.contains(&word.text.as_str());
    let and = word.text == "and" && (OWN.contains(&next(1)) || (next(1) == "the" && OWN.contains(&next(2))));
    match word.gap {
        Gap::Clause => word.text != "that",
        Gap::Comma => (turns && next(1) != "that") || and || OWN.contains(&word.text.as_str()),
        _ => matches!(word.text.as_str(), "but" | "whereas") && next(1) != "that",
    }
}

/// If something here puts what follows in the name of a side: from which word on.
fn marker(words: &[Word], at: usize, named_before: bool) -> Option<usize> {
    let word = words.get(at)?;
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let starts_clause = at == 0 || word.gap > Gap::None;
    if let Some(_side) = word.side {
        if word.possessive || SIDE_NOUNS.contains(&text(at + 1)) {
            // `Pro's cost argument is that …`
            let noun = (at + 1..at + 5).find(|at| VIEWS.split(' ').any(|view| view == text(*at)));
            let link = noun.map(|noun| noun + 1).filter(|link| {
                let named = matches!(text(*link), "that" | "is" | "was" | "to");
                named
                    || words.get(*link).is_some_and(|word| matches!(word.gap, Gap::Comma | Gap::Colon))
                    || reports(words, *link, false)
            });
            if link.is_some() {
                return link;
            }
        }
        if at == 0 && words.get(1).is_some_and(|word| word.gap == Gap::Colon) {
            return Some(1);
        }
        let pair = text(at + 1) == "and" && words.get(at + 2).is_some_and(|word| word.side.is_some());
        return verb_of(words, at + 1, pair || (at > 0 && text(at - 1) == "and"));
    }
    let several = matches!(word.text.as_str(), "both" | "each" | "either" | "neither" | "two");
    if several && matches!(text(at + 1), "sides" | "side" | "advocates" | "of") {
        return verb_of(words, at + 2, true);
    }
    if several
        || matches!(word.text.as_str(), "former" | "latter")
        || (word.text == "side" && text(at.wrapping_sub(1)) != "both")
    {
        return reports(words, at + 1, several).then_some(at + 1);
    }
    if named_before && at == 0 && matches!(word.text.as_str(), "it" | "they") {
        return verb_of(words, at + 1, word.text == "they");
    }
    let according = word.text == "according" && text(at + 1) == "to";
    if according || (starts_clause && FOR.contains(&word.text.as_str())) {
        let named = (at + 1..at + 4).find(|at| words.get(*at).is_some_and(|word| word.side.is_some()));
        let near = named.filter(|named| (at + 1..*named).all(|at| matches!(text(at), "to" | "the" | "both")));
        // `For Pro to win` is no position of Pro's.
        return near.filter(|named| according || text(named + 1) != "to").map(|named| named + 1);
    }
    None
}

/// The reporting verb of the side that stands before `from`.
fn verb_of(words: &[Word], from: usize, several: bool) -> Option<usize> {
    let mut apart = false;
    for at in from..from + 12 {
        let word = words.get(at)?;
        if reports(words, at, several) && (!apart || word.gap == Gap::Comma) {
            return Some(at);
        }
        // `Pro, citing a study, argues`.
        if word.gap == Gap::Comma {
            apart = !apart;
        }
        let passes = apart
            || BETWEEN.split(' ').any(|between| between == word.text)
            || SIDE_NOUNS.contains(&word.text.as_str())
            || word.text.ends_with("ly");
        if !passes || matches!(word.text.as_str(), "should" | "must") {
            return None;
        }
    }
    None
}

/// Whether the word is a verb that reports, rather than a noun such as in `the Pro claim should prevail`.
fn reports(words: &[Word], at: usize, several: bool) -> bool {
    let Some(word) = words.get(at) else { return false };
    let begins = REPORTING.split(' ').any(|verb| word.text.starts_with(verb));
    let inflected = several
        || word.text.ends_with(['s', 'd', 't'])
        || matches!(
            word.text.as_str(),
            "saw" | "soutient" | "sostiene" | "afirma" | "affirme" | "estime" | "opina"
        );
    let next = words.get(at + 1).map_or("", |word| word.text.as_str());
    let noun = matches!(next, "should" | "must" | "ought" | "is" | "are" | "was" | "were" | "wins" | "win");
    begins && inflected && !noun
}

/// Whether the sentence's end puts what came before in the name of a side: `…, Pro argues.`, `…, according to Con.`
fn trails(words: &[Word], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let side = |at: usize| words.get(at).is_some_and(|word| word.side.is_some());
    let left = words.len() - at;
    let comma = word.gap == Gap::Comma;
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    (comma
        && left == 2
        && ((side(at) && reports(words, at + 1, false)) || (side(at + 1) && reports(words, at, false))))
        || (left == 3 && word.text == "according" && text(at + 1) == "to" && side(at + 2))
        || (comma
            && left == 3
            && word.text == "as"
            && ((side(at + 1) && reports(words, at + 2, false))
                || (side(at + 2) && reports(words, at + 1, false))))
}
