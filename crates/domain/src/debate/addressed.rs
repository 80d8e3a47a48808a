//! Whom a question is put to by its first word: “Pro, why?”, “Con: how much?”, “@Moderator what is open?”.

use super::Addressee;

/// Between the name and the question: without one the name is talked about (“Pro says …”, “Con admitted that …”).
const MARKS: [char; 4] = [',', ':', '，', '：'];

/// The addressee that a question begins with, and the question without it. Only a whole word counts, in any case, with a
/// comma or a colon behind it or an `@` before it, and none counts where two are named at once, for a question is put to one.
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
    if let Some(said) = after.strip_prefix(MARKS) {
        return Some((to, said.trim_start()));
    }
    let mentioned = text.starts_with('@') && after.len() < rest.len();
    (after.is_empty() || mentioned).then_some((to, after))
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
            ("@Pro why?", pro, "why?"),
            ("Con:why?", con, "why?"),
            ("PRO , why?", pro, "why?"),
            ("@moderator what is open?", moderator, "what is open?"),
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
            "Con admitted to Ben that it costs more. Is that so?",
            "con why not?",
            "Pro - why?",
            "Moderator what is open?",
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
