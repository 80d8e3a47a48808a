//! Going on with what a session left open: what there is to go on with, and by which protocol each is taken up.

use serde::{Deserialize, Serialize};

use super::{
    ChannelId, Problem, ProblemError, Protocol, SessionId, Solution, SolutionId, one_line, shortened,
};

/// Most of each kind that are offered, so that all of them fit one select (Discord takes 25 options).
const MOST: usize = 6;

/// Longest problem made of a part of another session, in characters: a debate takes no longer question.
const PROBLEM: usize = 500;

/// What kind of thing was left open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsettled {
    /// A matter on which those who spoke part.
    Conflict,
    /// A fact that nobody has made sure of.
    Fact,
    /// A solution, to be examined by itself.
    Solution,
}

/// Something that a session left open, by its place among those of its kind, from 1. It never changes once the session
/// is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Left {
    /// A matter on which those who spoke part.
    Conflict(u8),
    /// A fact that nobody has made sure of.
    Fact(u8),
    /// A solution, to be examined by itself.
    Solution(SolutionId),
    /// The whole question, by another protocol.
    Whole(Protocol),
}

impl Left {
    /// By which protocol it is taken up.
    #[must_use]
    pub fn protocol(self) -> Protocol {
        match self {
            Self::Conflict(_) => Protocol::that_takes_up(Unsettled::Conflict),
            Self::Fact(_) => Protocol::that_takes_up(Unsettled::Fact),
            Self::Solution(_) => Protocol::that_takes_up(Unsettled::Solution),
            Self::Whole(protocol) => protocol,
        }
    }

    /// `conflict/1`, `fact/2`, `solution/3`, `whole/debate`.
    #[must_use]
    pub fn spelled(self) -> String {
        match self {
            Self::Conflict(place) => format!("conflict/{place}"),
            Self::Fact(place) => format!("fact/{place}"),
            Self::Solution(SolutionId(number)) => format!("solution/{number}"),
            Self::Whole(protocol) => format!("whole/{protocol}"),
        }
    }

    /// Reads what [`Left::spelled`] gives; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, which) = text.split_once('/')?;
        match kind {
            "conflict" => which.parse().ok().map(Self::Conflict),
            "fact" => which.parse().ok().map(Self::Fact),
            "solution" => which.parse().ok().map(|number| Self::Solution(SolutionId(number))),
            "whole" => Protocol::parse(which).map(Self::Whole),
            _ => None,
        }
    }
}

/// A matter, in the words of those who left it open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenMatter {
    /// About what.
    pub topic: String,
    /// What is said on it; may be empty.
    pub said: String,
}

impl OpenMatter {
    /// A matter, and what is said on it.
    #[must_use]
    pub fn new(topic: &str, said: &str) -> Self {
        Self { topic: topic.to_owned(), said: said.to_owned() }
    }
}

/// What a session left open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenMatters {
    /// On which those who spoke part.
    pub conflicts: Vec<OpenMatter>,
    /// That nobody has made sure of.
    pub facts: Vec<OpenMatter>,
}

/// Something to go on with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOpen {
    /// Which.
    pub left: Left,
    /// In a few words.
    pub topic: String,
    /// What was said on it; may be empty.
    pub said: String,
}

impl LeftOpen {
    /// All that a session of a protocol offers to go on with: what it left open, the solutions that were voted on, and its
    /// question, if it had one, by every other protocol that takes one.
    #[must_use]
    pub fn of(
        (protocol, question): (Protocol, &str),
        matters: OpenMatters,
        solutions: &[Solution],
    ) -> Vec<Self> {
        fn numbered(matters: &[OpenMatter], left: fn(u8) -> Left) -> impl Iterator<Item = LeftOpen> + '_ {
            let kept = matters.iter().filter(|matter| !matter.topic.trim().is_empty()).take(MOST);
            (1..).zip(kept).map(move |(place, matter)| LeftOpen {
                left: left(place),
                topic: one_line(&matter.topic),
                said: one_line(&matter.said),
            })
        }
        let solutions = solutions.iter().take(MOST).map(|solution| Self {
            left: Left::Solution(solution.id),
            topic: one_line(&solution.title),
            said: one_line(&solution.description),
        });
        // Who was given a text was asked no question.
        let asked = protocol.words().takes_a_question;
        let fits = |other: &Protocol| asked && *other != protocol && other.words().takes_a_question;
        let whole = Protocol::ALL.into_iter().filter(fits).map(|other| Self {
            left: Left::Whole(other),
            topic: one_line(question),
            said: String::new(),
        });
        numbered(&matters.conflicts, Left::Conflict)
            .chain(numbered(&matters.facts, Left::Fact))
            .chain(solutions)
            .chain(whole)
            .collect()
    }

    /// What the session that takes it up has to decide, in the words that were said, for they are in the language of the
    /// session.
    ///
    /// # Errors
    /// As [`Problem::new`]; a topic is never empty.
    pub fn problem(&self) -> Result<Problem, ProblemError> {
        let said = match self.said.as_str() {
            "" => self.topic.clone(),
            said if said.starts_with(self.topic.as_str()) => said.to_owned(),
            said => format!("{}: {said}", self.topic.trim_end_matches(['.', ':'])),
        };
        Problem::new(&shortened(&said, PROBLEM))
    }
}

/// Where a session goes on from: part of its plan, for its card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GoesOnFrom {
    /// The session that left it open.
    pub session: SessionId,
    /// That one's thread.
    pub thread: ChannelId,
    /// What was left open, in a few words.
    pub topic: String,
}

/// A session that goes on with what another left open, as that one shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequel {
    /// Which.
    pub session: SessionId,
    /// By which protocol.
    pub protocol: Protocol,
    /// What it has to decide, short.
    pub title: String,
    /// Its thread, once there is one.
    pub thread: Option<ChannelId>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn matter(topic: &str, said: &str) -> OpenMatter {
        OpenMatter { topic: topic.into(), said: said.into() }
    }

    #[test]
    fn what_is_left_open_is_spelled_in_one_way() {
        let every =
            [Left::Conflict(1), Left::Fact(6), Left::Solution(SolutionId(3)), Left::Whole(Protocol::Debate)];
        for left in every {
            assert_eq!(Left::parse(&left.spelled()), Some(left));
        }
        for other in
            ["", "conflict", "conflict/", "conflict/300", "fact/-1", "whole/chat", "solution/S1", "x/1"]
        {
            assert_eq!(Left::parse(other), None, "{other}");
        }
    }

    #[test]
    fn each_is_taken_up_by_the_protocol_that_fits() {
        let matters = OpenMatters {
            conflicts: vec![matter("Price", "Market wants it low, Cost cannot.")],
            facts: vec![matter("A permit is needed.", "A permit is needed. Nobody asked the town.")],
        };
        let offered = LeftOpen::of(
            (Protocol::Mediate, "Do we open?"),
            matters,
            &[sample::vote::solution(1, "Begin small")],
        );
        let by: Vec<Protocol> = offered.iter().map(|left| left.left.protocol()).collect();
        let whole = [Protocol::Roundtable, Protocol::Debate, Protocol::Investigate, Protocol::Delphi];
        assert_eq!(by[..3], [Protocol::Debate, Protocol::Investigate, Protocol::Critique]);
        assert_eq!(by[3..], whole, "its own protocol is not offered again for the whole");
        let asked: Vec<String> =
            offered.iter().map(|left| left.problem().unwrap().as_str().to_owned()).collect();
        assert_eq!(asked[0], "Price: Market wants it low, Cost cannot.");
        assert_eq!(asked[1], "A permit is needed. Nobody asked the town.", "nothing is said twice");
        assert_eq!(asked[3], "Do we open?");
    }

    #[test]
    fn a_select_has_room_for_all_of_it_and_a_debate_for_each() {
        let many: Vec<OpenMatter> =
            (0..40).map(|n| matter(&format!("{n} {}", "é".repeat(400)), &"ß".repeat(900))).collect();
        let solutions: Vec<Solution> = (1..=10).map(|n| sample::vote::solution(n, "Begin small")).collect();
        let matters = OpenMatters { conflicts: many.clone(), facts: many };
        let offered = LeftOpen::of((Protocol::Critique, &"w ".repeat(2_000)), matters, &solutions);
        assert!(offered.len() <= 25, "{}", offered.len());
        for left in offered {
            assert!(left.problem().unwrap().as_str().chars().count() <= 500, "{left:?}");
        }
        assert!(
            LeftOpen::of((Protocol::Critique, "Critique of plan.md"), OpenMatters::default(), &[]).is_empty()
        );
        let nothing = OpenMatters { conflicts: vec![matter(" \n", "x")], ..OpenMatters::default() };
        assert_eq!(
            LeftOpen::of((Protocol::Debate, "Q?"), nothing, &[]).len(),
            4,
            "what has no words is not offered"
        );
    }
}
