//! What is chosen in the form's lists, and what was written into its boxes before it had any: such a form may have been
//! open while the bot was updated, and what stands in it is read as it was meant.

use super::{DecisionDraft, DecisionError, numbers, sides};
use crate::domain::{SolutionId, UserId, Vote, is_blank};

/// What the list says for "none of these".
pub const IN_OWN_WORDS: &str = "Another, as written below";

/// How it spells that.
pub const OWN_WORDS: &str = "own";

/// What was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// In the list: a solution's number, such as `S2`, or [`OWN_WORDS`].
    Picked(String),
    /// In a box: `S2`, `2`, a solution's title; after a debate also `yes`, or one's own words.
    Typed(String),
}

impl Default for Chosen {
    fn default() -> Self {
        Self::Typed(String::new())
    }
}

impl Chosen {
    /// As it is given back to whoever chose it.
    #[must_use]
    pub fn shown(&self) -> &str {
        match self {
            Self::Picked(value) if value == OWN_WORDS => IN_OWN_WORDS,
            Self::Picked(text) | Self::Typed(text) => text,
        }
    }
}

/// Who sees to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// In the list of members: a number, as Discord sent it; empty where nobody was chosen.
    Picked(String),
    /// In a box: names, or mentions.
    Typed(String),
}

impl Default for Owner {
    fn default() -> Self {
        Self::Picked(String::new())
    }
}

impl Owner {
    /// As a line in which a member is mentioned.
    pub(super) fn line(&self) -> Result<String, DecisionError> {
        match self {
            Self::Typed(text) => Ok(text.clone()),
            Self::Picked(none) if none.is_empty() => Ok(String::new()),
            Self::Picked(number) => UserId::parse(number).map(UserId::mention).ok_or(DecisionError::NoMember),
        }
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
    /// solution more, in the name of `by`. After a debate a side may have been written as `yes` or `no`.
    ///
    /// # Errors
    /// Where one's own words are missing or too long.
    pub fn among(mut self, vote: Vote, has_sides: bool, by: &str) -> Result<(Vote, Self), DecisionError> {
        let (vote, named) = match &self.chosen {
            Chosen::Picked(value) if value == OWN_WORDS => {
                let (title, reason) = self.rationale.trim().split_once('\n').unwrap_or_default();
                if is_blank(title) || is_blank(reason) {
                    return Err(DecisionError::NoOwnWords);
                }
                let found = sides::own(vote, "First line of Why", title, by)?;
                let reason = reason.trim().to_owned();
                self.rationale = reason;
                found
            }
            Chosen::Typed(text) if has_sides => sides::side_or_own(vote, text, by)?,
            _ => return Ok((vote, self)),
        };
        self.chosen = Chosen::Typed(named);
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
        for has_sides in [false, true] {
            let vote = vote(&["Start small", "Wait"], &[], &[&[10, 0]]);
            let own = draft(picked(OWN_WORDS), "\n Lease one van. \n\nIt is cheaper.\nBy far.");
            let (vote, draft) = own.among(vote, has_sides, "Ada").unwrap();
            let choice = draft.read(&vote, NOW).unwrap();
            assert_eq!((choice.chosen, &*choice.rationale), (SolutionId(3), "It is cheaper.\nBy far."));
            assert_eq!((&*vote.solutions[2].title, vote.solutions.len()), ("Lease one van.", 3));
        }
        let vote = vote(&["Start small", "Wait"], &[], &[]);
        let (same, named) =
            draft(picked(OWN_WORDS), "wait\nIt is winter.").among(vote.clone(), false, "Ada").unwrap();
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
            let said =
                draft(picked(OWN_WORDS), why).among(vote.clone(), false, "Ada").unwrap_err().to_string();
            assert!(said.contains(phrase), "{why}: {said}");
        }
    }

    #[test]
    fn an_owner_is_a_member_or_what_was_written_before_there_was_a_list() {
        let read = |owner: Owner| {
            let draft = DecisionDraft { owner, ..draft(picked("S1"), "Because.") };
            draft.read(&vote(&["Start small"], &[], &[]), NOW).map(|choice| choice.owner)
        };
        let picked = |number: &str| read(Owner::Picked(number.to_owned()));
        assert_eq!(picked("123456789012345678"), Ok("<@123456789012345678>".to_owned()));
        assert_eq!(picked(""), Ok(String::new()));
        assert_eq!(read(Owner::Typed(" Ben and <@7> ".to_owned())), Ok("Ben and <@7>".to_owned()));
        for forged in ["@everyone", "0", "-1", "1\n2", "99999999999999999999999"] {
            assert_eq!(picked(forged), Err(DecisionError::NoMember), "{forged}");
        }
    }
}
