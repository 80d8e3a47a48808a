//! What can be decided after a debate: one side, the other, or something in the team's own words. There are no points;
//! the record sets what the team thought before and after beside it.

use super::{DecisionError, chosen};
use crate::{Solution, SolutionId, Vote, VoteKind, one_line};

/// Longest decision in one's own words, in characters.
pub const MAX_OWN_WORDS: usize = 300;

/// The two sides of a question that was debated, as what can be chosen: S1 is yes, S2 is no. Nobody's points are with
/// them, and nobody's opinion is named.
#[must_use]
pub fn sides(asked: Vote) -> Vote {
    let side = |number: u8, answer: &str, raised_by: &str| Solution {
        id: SolutionId(number),
        title: format!("{answer} to “{}”", asked.question),
        description: String::new(),
        raised_by: vec![raised_by.to_owned()],
        proposed: false,
        provenance: crate::Provenance::default(),
    };
    let solutions = vec![side(1, "Yes", "Pro"), side(2, "No", "Con")];
    Vote { kind: VoteKind::Points, solutions, ballots: Vec::new(), earlier: Vec::new(), ..asked }
}

/// Reads what somebody wrote for a choice: a number or a solution's whole title names that solution; anything else that
/// is no number becomes one solution more. Gives the vote with it and the text that names it.
pub(super) fn own(mut vote: Vote, text: &str, by: &str) -> Result<(Vote, String), DecisionError> {
    let text = one_line(text);
    let number = text.strip_prefix(['S', 's']).unwrap_or(&text).trim().bytes().all(|b| b.is_ascii_digit());
    if number || !matches!(chosen(&text, &vote), Err(DecisionError::Unknown { .. })) {
        return Ok((vote, text));
    }
    let given = text.chars().count();
    if given > MAX_OWN_WORDS {
        return Err(DecisionError::Long { what: "First line of Why", given, most: MAX_OWN_WORDS });
    }
    let last = vote.solutions.iter().map(|solution| solution.id.0).max().unwrap_or_default();
    let own = SolutionId(last.saturating_add(1));
    vote.solutions.push(Solution {
        id: own,
        title: text,
        description: String::new(),
        raised_by: vec![by.to_owned()],
        proposed: true,
        provenance: crate::Provenance::default(),
    });
    Ok((vote, own.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ballot, BallotChoice, Closed, Opinion, UserId, VoteState};

    fn vote() -> Vote {
        let choice = BallotChoice::Opinion(Opinion::For);
        sides(Vote {
            kind: VoteKind::Opinion,
            question: "Should we move?".to_owned(),
            state: VoteState::Closed(Closed::Everyone),
            deadline: Some(7),
            ballots: vec![Ballot { voter: UserId(1), voter_name: "Ada".to_owned(), choice }],
            ..Vote::default()
        })
    }

    #[test]
    fn what_is_written_after_a_debate_names_a_side_or_is_ones_own_words() {
        assert!(vote().ballots.is_empty() && vote().state == VoteState::Closed(Closed::Everyone));
        for (text, id, title) in [
            ("S1", 1, "Yes to “Should we move?”"),
            (" 2 ", 2, "No to “Should we move?”"),
            ("no to  “should we move?”", 2, "No to “Should we move?”"),
            ("Try it for\na month first.", 3, "Try it for a month first."),
        ] {
            let (vote, text) = own(vote(), text, "Ada").unwrap();
            let chosen = chosen(&text, &vote).unwrap();
            assert_eq!(chosen, SolutionId(id), "{text}");
            assert_eq!(vote.solutions[usize::from(id) - 1].title, title);
            assert_eq!(vote.solutions.len(), usize::from(id.max(2)));
        }
    }

    #[test]
    fn numbers_there_are_not_are_refused_and_are_nobodys_words() {
        for text in ["S3", "7"] {
            let (vote, text) = own(vote(), text, "Ada").unwrap();
            assert_eq!(vote.solutions.len(), 2);
            assert!(chosen(&text, &vote).is_err(), "{text}");
        }
        let long = own(vote(), &"é".repeat(301), "Ada").unwrap_err().to_string();
        assert!(long.contains("301 characters; at most 300"), "{long}");
    }
}
