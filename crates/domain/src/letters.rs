//! Letters under which a reader was given what others wrote: *Response A*, *Analyses A and B*. They are the reader's
//! own; what leaves the reader says who is meant.

/// What may stand between two letters of a list.
const BETWEEN: [&str; 8] = [", and ", ", or ", " and ", " or ", " & ", ", ", "/", "+"];

/// A text with names in place of one of the words and a letter, or a list of letters, behind it. `who` gives the name
/// for a capital letter; a letter for which it has none, and letters anywhere else, stay as they are: *does not answer a
/// threat* names nobody. The word is found in any case, as it is and with an `s`.
#[must_use]
pub fn without_letters(text: &str, words: &[&str], who: impl Fn(char) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let in_word = out.chars().next_back().is_some_and(char::is_alphanumeric);
        let list = if in_word { None } else { words.iter().find_map(|word| behind(rest, word)) };
        if let Some((names, after)) = list.and_then(|after| letters(after, &who)) {
            out.push_str(&names);
            rest = after;
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// What follows `Response ` or `Responses `, in any case.
fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    if !head.chars().flat_map(char::to_lowercase).eq(word.chars()) {
        return None;
    }
    let rest = rest.strip_prefix(['s', 'S']).unwrap_or(rest);
    rest.strip_prefix([' ', '\u{a0}'])
}

/// A list of letters as names, and what follows it.
fn letters<'a>(text: &'a str, who: &impl Fn(char) -> Option<String>) -> Option<(String, &'a str)> {
    let (mut names, mut rest) = letter(text, who)?;
    while let Some((between, (name, after))) =
        BETWEEN.iter().find_map(|&between| Some((between, letter(rest.strip_prefix(between)?, who)?)))
    {
        names.push_str(between);
        names.push_str(&name);
        rest = after;
    }
    Some((names, rest))
}

/// A letter on its own that stands for somebody, and what follows it.
fn letter<'a>(text: &'a str, who: &impl Fn(char) -> Option<String>) -> Option<(String, &'a str)> {
    let letter = text.chars().next().filter(|letter| letter.is_uppercase())?;
    let name = who(letter)?;
    let rest = &text[letter.len_utf8()..];
    let alone = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    alone.then_some((name, rest))
}
