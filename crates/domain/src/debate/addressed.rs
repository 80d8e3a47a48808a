//! Whom a question is put to by its first word: “Pro, why?”, “Con: how much?”, “moderator what is open?”.

use super::Addressee;

/// Between the name and the question.
const MARKS: [char; 8] = [',', ':', ';', '.', '!', '–', '—', '-'];

/// What follows a name without a mark where the name is no address: it is talked about (“Pro says …”), it is one of
/// several (“Pro and Con”), or it is another word altogether (“pro bono”).
const NO_ADDRESS: [&str; 44] = [
    "and",
    "or",
    "nor",
    "vs",
    "vs.",
    "versus",
    "against",
    "&",
    "/",
    "+",
    "und",
    "oder",
    "et",
    "ou",
    "y",
    "o",
    "bono",
    "rata",
    "forma",
    "artist",
    "artists",
    "argument",
    "arguments",
    "case",
    "position",
    "side",
    "point",
    "points",
    "closing",
    "opening",
    "rebuttal",
    "was",
    "has",
    "had",
    "is",
    "said",
    "says",
    "claims",
    "claimed",
    "argues",
    "argued",
    "wins",
    "won",
    "thinks",
];

/// The addressee that a question begins with, and the question without it. Only a whole word counts, in any case, and
/// none counts where two are named at once, for a question is put to one.
#[must_use]
pub fn addressed(text: &str) -> (Option<Addressee>, &str) {
    let text = text.trim();
    match leading(text) {
        Some((to, rest)) if leading(rest).is_none() => (Some(to), rest),
        _ => (None, text),
    }
}

fn leading(text: &str) -> Option<(Addressee, &str)> {
    let named = text.strip_prefix('@').unwrap_or(text);
    let end = named.find(|c: char| !c.is_alphabetic()).unwrap_or(named.len());
    let (name, rest) = named.split_at(end);
    let to = Addressee::parse(name)?;
    let after = rest.trim_start();
    // “Pro-nuclear” is a word, “Pro - why” is not.
    let spaced = after.len() < rest.len();
    let mark = after.chars().next().filter(|c| MARKS.contains(c) && (*c != '-' || spaced));
    if let Some(mark) = mark {
        return Some((to, after[mark.len_utf8()..].trim_start()));
    }
    let next = after.split_whitespace().next().unwrap_or_default().to_lowercase();
    let word = next.trim_end_matches(|c: char| c.is_ascii_punctuation());
    let talked_about = [word, &next].iter().any(|word| NO_ADDRESS.contains(word));
    (after.is_empty() || (spaced && !talked_about)).then_some((to, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    #[test]
    fn the_first_word_says_whom_and_nothing_else_does() {
        let (pro, con) = (Some(Addressee::Advocate(Side::Pro)), Some(Addressee::Advocate(Side::Con)));
        let moderator = Some(Addressee::Moderator);
        for (text, to, rest) in [
            ("Pro, why the jobs?", pro, "why the jobs?"),
            ("  pro: why?", pro, "why?"),
            ("PRO – why?", pro, "why?"),
            ("Pro - why?", pro, "why?"),
            ("Pro—why?", pro, "why?"),
            ("@Pro why?", pro, "why?"),
            ("Con:why?", con, "why?"),
            ("con why not?", con, "why not?"),
            ("Con\nwhy not?", con, "why not?"),
            ("moderator what is open?", moderator, "what is open?"),
            ("Moderator,what is open?", moderator, "what is open?"),
            ("Pro", pro, ""),
            ("Con:", con, ""),
            ("Con, professionals do it; why not we?", con, "professionals do it; why not we?"),
        ] {
            assert_eq!(addressed(text), (to, rest), "{text}");
        }
        for text in [
            "",
            "Why?",
            "Pro and con of wood?",
            "Pro, Con: what do you both say?",
            "Pro/Con of wood?",
            "Pro – Con: a list?",
            "Pros of wood?",
            "Professional builders?",
            "Pro-nuclear people say what?",
            "Pro's second argument?",
            "pro bono work?",
            "Con artists?",
            "Pro says it pays. Does it?",
            "Constructive round: what was said?",
            "Contra, why?",
            "moderators?",
            "Why, Pro?",
            "ask Pro, why?",
        ] {
            assert_eq!(addressed(text), (None, text), "{text}");
        }
    }
}
