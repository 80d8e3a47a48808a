//! What is chosen in the form's lists: one of the vote's solutions or none of them, and who sees to it.

use super::{DecisionDraft, DecisionError, numbers, sides};
use crate::{SolutionId, UserId, Vote, is_blank};

/// What the list says for "none of these".
pub const IN_OWN_WORDS: &str = "Another, as written below";

/// How it spells that.
pub const OWN_WORDS: &str = "own";

/// What was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// In the list: a solution's number, such as `S2`, or [`OWN_WORDS`].
    Picked(String),
    /// By one's own words, where they name a solution: its number, or its title.
    Named(String),
}

impl Default for Chosen {
    fn default() -> Self {
        Self::Picked(String::new())
    }
}

impl Chosen {
    /// As it is given back to whoever chose it.
    #[must_use]
    pub fn shown(&self) -> &str {
        match self {
            Self::Picked(value) if value == OWN_WORDS => IN_OWN_WORDS,
            Self::Picked(text) | Self::Named(text) => text,
        }
    }
}

/// Who sees to it, chosen in the list of members: a number, as Discord sent it; empty where nobody was.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Owner(pub String);

impl Owner {
    /// As a line in which the member is mentioned; empty where there is none.
    pub(super) fn line(&self) -> Result<String, DecisionError> {
        if self.0.is_empty() {
            return Ok(String::new());
        }
        UserId::parse(&self.0).map(UserId::mention).ok_or(DecisionError::NoMember)
    }

    /// As it is given back to whoever chose it.
    #[must_use]
    pub fn shown(&self) -> String {
        self.line().unwrap_or_default()
    }
}

/// The solution that a value of the list stands for.
pub(super) fn among(value: &str, vote: &Vote) -> Result<SolutionId, DecisionError> {
    let found = vote.solutions.iter().find(|solution| solution.id.to_string() == value);
    found.map(|solution| solution.id).ok_or_else(|| DecisionError::NotListed(numbers(vote)))
}

impl DecisionDraft {
    /// The vote with what was decided among its solutions, and the form with that chosen: one's own words become one
    /// solution more, in the name of `by`.
    ///
    /// # Errors
    /// Where one's own words are missing or too long.
    pub fn among(mut self, vote: Vote, by: &str) -> Result<(Vote, Self), DecisionError> {
        if !matches!(&self.chosen, Chosen::Picked(value) if value == OWN_WORDS) {
            return Ok((vote, self));
        }
        let (title, reason) = self.rationale.trim().split_once('\n').unwrap_or_default();
        if is_blank(title) || is_blank(reason) {
            return Err(DecisionError::NoOwnWords);
        }
        let (vote, named) = sides::own(vote, title, by)?;
        let reason = reason.trim().to_owned();
        self.rationale = reason;
        self.chosen = Chosen::Named(named);
        Ok((vote, self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::vote::vote;

    const NOW: i64 = 1_795_334_400;

    fn draft(chosen: Chosen, why: &str) -> DecisionDraft {
        DecisionDraft { chosen, rationale: why.to_owned(), ..DecisionDraft::default() }
    }

    fn picked(value: &str) -> Chosen {
        Chosen::Picked(value.to_owned())
    }

    #[test]
    fn what_is_picked_is_one_of_the_list_and_nothing_else() {
        let vote = vote(&["Start small", "Wait", "S1"], &[], &[]);
        let read = |value: &str| draft(picked(value), "Because.").read(&vote, NOW);
        assert_eq!(read("S2").map(|choice| choice.chosen), Ok(SolutionId(2)));
        for forged in ["S4", "2", "s2", "Wait", "", "S1\nS2", OWN_WORDS] {
            let said = read(forged).unwrap_err().to_string();
            assert!(said.contains("none of this vote's solutions (S1 to S3)"), "{forged}: {said}");
        }
    }

    #[test]
    fn none_of_them_is_what_the_first_line_says() {
        let asked = vote(&["Start small", "Wait"], &[], &[&[10, 0]]);
        let own = draft(picked(OWN_WORDS), "\n Lease one van. \n\nIt is cheaper.\nBy far.");
        let (asked, own) = own.among(asked, "Ada").unwrap();
        let choice = own.read(&asked, NOW).unwrap();
        assert_eq!((choice.chosen, &*choice.rationale), (SolutionId(3), "It is cheaper.\nBy far."));
        assert_eq!((&*asked.solutions[2].title, asked.solutions.len()), ("Lease one van.", 3));
        let vote = vote(&["Start small", "Wait"], &[], &[]);
        let (same, named) =
            draft(picked(OWN_WORDS), "wait\nIt is winter.").among(vote.clone(), "Ada").unwrap();
        assert_eq!(
            named.read(&same, NOW).map(|choice| choice.chosen),
            Ok(SolutionId(2)),
            "it is one of them"
        );
        for (why, phrase) in [
            ("Lease one van.", "first line of “Why” what is decided, and below it the reason"),
            ("Lease one van.\n\u{200b}", "below it the reason"),
            ("", "below it the reason"),
            (&*format!("{}\nBecause.", "é".repeat(301)), "“First line of Why” has 301 characters"),
        ] {
            let said = draft(picked(OWN_WORDS), why).among(vote.clone(), "Ada").unwrap_err().to_string();
            assert!(said.contains(phrase), "{why}: {said}");
        }
    }

    #[test]
    fn an_owner_is_a_member_or_nobody() {
        let picked = |number: &str| {
            let owner = Owner(number.to_owned());
            let draft = DecisionDraft { owner, ..draft(picked("S1"), "Because.") };
            draft.read(&vote(&["Start small"], &[], &[]), NOW).map(|choice| choice.owner)
        };
        assert_eq!(picked("123456789012345678"), Ok("<@123456789012345678>".to_owned()));
        assert_eq!(picked(""), Ok(String::new()));
        for forged in ["@everyone", "0", "-1", "1\n2", "99999999999999999999999"] {
            assert_eq!(picked(forged), Err(DecisionError::NoMember), "{forged}");
        }
    }
}
