//! The labels by which a reader is shown claims, and what they stand for.

use crate::critique::{OWN, peer_letter};
use domain::{ClaimId, Tree};

/// What labels stand for, for one reader.
pub(super) struct Labels<'a> {
    /// One's own tree.
    pub(super) own: &'a Tree,
    /// The others', in the order of their letters.
    pub(super) order: &'a [&'a Tree],
}

impl Labels<'_> {
    /// The claim of a label, however it is written: `Y1.2`, `y 1.2`, `Claim Y1`, `1.2`, `Reader A1`. `None`: there is
    /// none of that label.
    pub(super) fn claim(&self, written: &str) -> Option<ClaimId> {
        let (letter, path) = read(written)?;
        let tree = match letter {
            None => self.own,
            Some(letter) if letter == OWN => self.own,
            Some(letter) => {
                let place = (0..self.order.len()).find(|place| peer_letter(*place) == letter)?;
                self.order.get(place)?
            }
        };
        let id = ClaimId { member: tree.member, path };
        tree.claim(&id).map(|claim| claim.id.clone())
    }

    /// A text in which labels of claims there are have become the claims' own: people see names, where the reader saw
    /// letters. `Reader A` becomes who that is. Anything else stays as it is.
    pub(super) fn named(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let in_word = out.chars().next_back().is_some_and(char::is_alphanumeric);
            let known = if in_word { None } else { self.label(rest).or_else(|| self.reader(rest)) };
            let (name, length) = known.unwrap_or_else(|| (first.to_string(), first.len_utf8()));
            out.push_str(&name);
            rest = &rest[length..];
        }
        out
    }

    /// The claim whose label a text begins with, as its name, and how long the label is in bytes.
    fn label(&self, text: &str) -> Option<(String, usize)> {
        let digits = text.strip_prefix(|c: char| c.is_ascii_uppercase())?;
        let number = digits.split(|c: char| !c.is_ascii_digit() && c != '.').next()?.trim_end_matches('.');
        let ends = !digits[number.len()..].starts_with(char::is_alphanumeric);
        let length = 1 + number.len();
        let id = (!number.is_empty() && ends).then(|| self.claim(&text[..length]))??;
        Some((id.to_string(), length))
    }

    /// The reader whom a text begins with, by name, and how long that is in bytes.
    fn reader(&self, text: &str) -> Option<(String, usize)> {
        let rest = text.strip_prefix("Reader ").or_else(|| text.strip_prefix("reader "))?;
        let letter = rest.chars().next().filter(char::is_ascii_uppercase)?;
        let ends = !rest[1..].starts_with(char::is_alphanumeric);
        let place = (0..self.order.len()).find(|place| peer_letter(*place) == letter.to_string())?;
        ends.then(|| (self.order[place].member.to_string(), "Reader A".len()))
    }
}

/// Words that may stand before the number of one's own claim.
const OF_ONES_OWN: [&str; 7] = ["claim", "claims", "my", "own", "your", "number", "no"];

/// The letter, if there is one, and the numbers of a label. `None`: it holds no number.
fn read(written: &str) -> Option<(Option<String>, Vec<u16>)> {
    let digits = written.find(|c: char| c.is_ascii_digit())?;
    let (before, numbers) = written.split_at(digits);
    let numbers = numbers.split(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).next()?;
    let path: Option<Vec<u16>> =
        numbers.split(['.', ',']).filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect();
    // The letter is what stands next to the number. Another word there must say that a claim follows, and whose.
    let word = before.split(|c: char| !c.is_alphabetic()).rfind(|word| !word.is_empty());
    let letter = match word {
        Some(word) if word.chars().count() == 1 => Some(word.to_uppercase()),
        Some(word) if !OF_ONES_OWN.contains(&word.to_lowercase().as_str()) => return None,
        _ => None,
    };
    path.map(|path| (letter, path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::critique as sample;
    use domain::{Claim, Philosopher};

    fn tree(member: Philosopher) -> Tree {
        let claim = |path: &[u16], children| Claim { children, ..sample::claim(member, path, None) };
        let claims = vec![claim(&[1], vec![claim(&[1, 2], vec![])]), claim(&[2], vec![])];
        Tree { claims, ..sample::tree(member) }
    }

    #[test]
    fn labels_become_names_where_they_stand_for_a_claim() {
        let (own, kant, russell) =
            (tree(Philosopher::Popper), tree(Philosopher::Kant), tree(Philosopher::Russell));
        let labels = Labels { own: &own, order: &[&russell, &kant] };
        for (said, named) in [
            ("Y1 and Y1.2 lean on it.", "Popper 1 and Popper 1.2 lean on it."),
            ("A1 says so, B2.", "Russell 1 says so, Kant 2."),
            ("Reader A has it, and readers do.", "Russell has it, and readers do."),
            ("See (Y2), “B1.2”!", "See (Popper 2), “Kant 1.2”!"),
            ("Reader Aristotle, Y9, C1, B2B, XY1, 2 of 6.", "Reader Aristotle, Y9, C1, B2B, XY1, 2 of 6."),
            ("Ünder Y1…", "Ünder Popper 1…"),
            ("", ""),
        ] {
            assert_eq!(labels.named(said), named);
        }
    }
}
