//! The protocols, with the words in which what all of them share speaks of each.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    MAX_PROBLEM_CHARS, Problem, Unsettled,
    debate::{MAX_PROPOSITION_CHARS, debatable},
};

/// By which protocol a session deliberates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// `/mediate`.
    Mediate,
    /// `/roundtable`.
    Roundtable,
    /// `/debate`.
    Debate,
    /// `/critique`.
    Critique,
    /// `/investigate`.
    Investigate,
    /// `/delphi`.
    Delphi,
}

/// What members bring to those who deliberate, while they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brings {
    /// Notes, read from the next step on.
    Context,
    /// Evidence that is answered to, and what they want made clear.
    Evidence,
}

/// Where the whole text of what came out is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WholeResult {
    /// The step of its card.
    pub step: &'static str,
    /// What the button says that shows it.
    pub label: &'static str,
}

/// How cards and sentences speak of a protocol's sessions.
#[derive(Debug)]
pub struct Words {
    /// As the database, the command and people spell it.
    pub name: &'static str,
    /// What becomes of what is under way when a session is paused.
    pub under_way: &'static str,
    /// What members bring.
    pub brings: Brings,
    /// What it means that every seat of the panel is one model.
    pub one_model: &'static str,
    /// Whether something comes before the first phase, and is none.
    pub prelude: bool,
    /// First parts of the keys of the cards that say what came out, beside votes and decisions.
    pub outcome: &'static [&'static str],
    /// The whole text of what came out.
    pub result: WholeResult,
    /// What it is for, where somebody has a message and not yet a question; at most 100 characters.
    pub purpose: &'static str,
    /// What `/help` says of it.
    pub help: &'static str,
    /// How its text is asked for in a form.
    pub asks: Asks,
    /// Whether it takes a question, rather than a text to examine.
    pub takes_a_question: bool,
    /// Whether what is voted on are things that could be done, rather than findings or sides.
    pub votes_on_solutions: bool,
}

/// How a form asks for the text of a session.
#[derive(Debug)]
pub struct Asks {
    /// Above the form, at most 45 characters.
    pub title: &'static str,
    /// Over its box, at most 20 characters.
    pub label: &'static str,
    /// In the box while it is empty, at most 100 characters.
    pub placeholder: &'static str,
    /// Most characters of the text.
    pub most: usize,
    /// Takes a text as what a session is about; a sentence for whoever wrote it where it cannot be.
    pub takes: fn(&str) -> Result<Problem, String>,
}

fn problem(text: &str) -> Result<Problem, String> {
    Problem::new(text).map_err(|error| error.to_string())
}

const MEDIATE: Words = Words {
    name: "mediate",
    under_way: "Calls under way are finished and kept",
    brings: Brings::Context,
    one_model: "All seats are one model: the panel's agreement means less.",
    prelude: false,
    outcome: &["synthesis", "research"],
    result: WholeResult { step: "synthesis", label: "Whole memo" },
    purpose: "Weigh it from several sides, such as market, cost and risk; a mediator writes the memo that they check",
    help: "Start: describe the problem in a sentence or more, or send the command alone and a form with a large box opens. \
        I open a thread and work there. *Apps → Ask the panel about this message* starts this or another on a message.",
    asks: Asks {
        title: "What has to be decided?",
        label: "The problem",
        placeholder: "The situation, the ways you see, what matters to you, by when. The more they know, the better.",
        most: MAX_PROBLEM_CHARS,
        takes: problem,
    },
    takes_a_question: true,
    votes_on_solutions: true,
};

const ROUNDTABLE: Words = Words {
    name: "roundtable",
    purpose: "Have experts made for it challenge one another; a notary writes the memo that they check",
    help: "Start with experts made for your problem: I propose 2 to 5 roles, you change or confirm them.",
    ..MEDIATE
};

const DEBATE: Words = Words {
    name: "debate",
    under_way: "A turn under way is finished",
    brings: Brings::Evidence,
    one_model: "Pro and Con are the same model: where they agree, it means less.",
    prelude: true,
    outcome: &["proposition", "synthesis", "hinges"],
    result: WholeResult { step: "synthesis", label: "Whole analysis" },
    purpose: "Hear the best case for and against it, and what it depends on",
    help: "Start: give a question to be for or against. Pro and Con argue it in up to six phases; a moderator sums up \
        what the answer depends on and never picks a winner.",
    asks: Asks {
        title: "What should be debated?",
        label: "The proposition",
        placeholder: "A question to be for or against, such as: Should we move to a four-day week?",
        most: MAX_PROPOSITION_CHARS,
        takes: |text| debatable(text).map_err(|error| error.to_string()),
    },
    takes_a_question: true,
    votes_on_solutions: false,
};

const CRITIQUE: Words = Words {
    name: "critique",
    prelude: true,
    outcome: &["reviewed", "triage"],
    result: WholeResult { step: "reviewed", label: "Whole review" },
    purpose: "Have the text examined: what is wrong or missing in it, and where",
    help: "Start: attach a document or paste a text. Six critics, each in the manner of a philosopher, say what is \
        wrong or missing in it and on which words that rests. *Apps → Critique this message* does it too.",
    takes_a_question: false,
    votes_on_solutions: false,
    ..MEDIATE
};

const INVESTIGATE: Words = Words {
    name: "investigate",
    one_model: "All scouts are one model, asked at different temperatures: their agreement means less.",
    outcome: &["answer"],
    result: WholeResult { step: "answer", label: "Whole answer" },
    purpose: "Find out what is so: models answer alone, what they differ on is checked",
    help: "Start: ask what you want to find out. Several models answer alone; what they differ on is checked, and the \
        answer says what each claim stands on.",
    asks: Asks {
        title: "What is to be found out?",
        label: "The question",
        placeholder: "The question, what you know already, and what you need the answer for.",
        most: MAX_PROBLEM_CHARS,
        takes: problem,
    },
    ..MEDIATE
};

const DELPHI: Words = Words {
    name: "delphi",
    one_model: "All estimators are one model: their agreement means less.",
    purpose: "Have a number estimated: several estimate alone, read one another's reasons, and do it anew",
    help: "Start: ask for a number. Several models estimate it alone, read one another, and do it anew.",
    votes_on_solutions: false,
    asks: Asks {
        title: "Which number is looked for?",
        label: "The question",
        placeholder: "How many, how long or how much, of what and by when; and what you know of it already.",
        ..INVESTIGATE.asks
    },
    ..INVESTIGATE
};

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Mediate, Self::Roundtable, Self::Debate, Self::Critique, Self::Investigate, Self::Delphi];

    /// How cards and sentences speak of it.
    #[must_use]
    pub fn words(self) -> &'static Words {
        match self {
            Self::Mediate => &MEDIATE,
            Self::Roundtable => &ROUNDTABLE,
            Self::Debate => &DEBATE,
            Self::Critique => &CRITIQUE,
            Self::Investigate => &INVESTIGATE,
            Self::Delphi => &DELPHI,
        }
    }

    /// The one that takes up what another has left open: who part argue it out, a fact is looked into, a solution is examined.
    #[must_use]
    pub fn that_takes_up(unsettled: Unsettled) -> Self {
        match unsettled {
            Unsettled::Conflict => Self::Debate,
            Unsettled::Fact => Self::Investigate,
            Unsettled::Solution => Self::Critique,
        }
    }

    /// As the database spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.words().name
    }

    /// As it was spelled; `None` for what this version does not know.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.as_str() == text)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_is_spelled_in_one_way() {
        for protocol in Protocol::ALL {
            assert_eq!(Protocol::parse(protocol.as_str()), Some(protocol));
            assert_eq!(serde_json::to_value(protocol).unwrap(), protocol.as_str());
        }
        for unknown in ["", "Debate", "chat", "debate "] {
            assert_eq!(Protocol::parse(unknown), None, "{unknown}");
        }
    }
}
