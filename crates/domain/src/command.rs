//! The table of the commands that begin a session: what each takes, and what members read about it. How Discord lists a
//! command and what is read of its use are made of these rows; what an option may be stands in `options.rs`, and what the form says
//! in which options are set again in `render/options.rs`.

use super::{OptionName, Protocol};

/// A command that begins a session; it has its protocol's name.
#[derive(Debug)]
pub struct SessionCommand {
    /// What it does, at most 100 characters.
    pub says: &'static str,
    /// What it takes beside what each of them takes.
    own: &'static [Parameter],
}

impl SessionCommand {
    /// What it takes, in the order in which Discord lists it; nothing has to be given.
    pub fn takes(&self) -> impl Iterator<Item = &'static Parameter> {
        self.own.iter().chain(&OF_EACH)
    }
}

/// Something that a command takes.
#[derive(Debug)]
pub struct Parameter {
    /// What it is.
    pub of: Takes,
    /// What members read about it, at most 100 characters.
    pub says: &'static str,
}

/// What a command may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// What the session is about, under this name.
    Text(&'static str),
    /// The text itself that is examined, of at most [`MAX_EXAMINED_CHARS`] characters.
    Examined,
    /// An option.
    Option(OptionName),
    /// A file, by its name.
    File(&'static str),
    /// A link to a message.
    Message,
    /// The document of the session in whose thread it is used.
    ThreadDocument,
}

/// Longest text that can be typed where it is itself examined; Discord's own bound for an option.
pub const MAX_EXAMINED_CHARS: u16 = 6_000;

/// The files that a command takes, in their order.
pub const FILES: [&str; 3] = ["document", "document2", "document3"];

impl Takes {
    /// As the command spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text(name) | Self::File(name) => name,
            Self::Examined => "text",
            Self::Option(option) => option.as_str(),
            Self::Message => "message",
            Self::ThreadDocument => "thread_document",
        }
    }
}

const fn text(name: &'static str, says: &'static str) -> Parameter {
    Parameter { of: Takes::Text(name), says }
}

const fn option(name: OptionName, says: &'static str) -> Parameter {
    Parameter { of: Takes::Option(name), says }
}

const fn file(says: &'static str) -> Parameter {
    Parameter { of: Takes::File(FILES[0]), says }
}

const PROBLEM: Parameter = text(
    "problem",
    "What has to be decided (up to 4,000 characters); without it, a form with a large box opens",
);
const EFFORT: Parameter = option(
    OptionName::Effort,
    "How much is asked for: brief, standard or deep (standard unless the server says otherwise)",
);
const MODEL: Parameter =
    option(OptionName::Model, "One model for all seats of the panel; mediator and checks stay as set");
const FOR_EVERYBODY: Parameter =
    file("A file that everybody reads: PDF, Office, EPUB, HTML, text or code (up to 25 MB)");
const VOTE_HOURS: Parameter =
    option(OptionName::VoteHours, "How many hours the team can vote (24 unless the server says otherwise)");
const VOTERS: Parameter =
    option(OptionName::Voters, "Who may vote: everyone, a role, or members, as mentions");
const QUORUM: Parameter = option(OptionName::Quorum, "How many have to vote for the result to bind");
/// What every command takes last.
const OF_EACH: [Parameter; 4] = [
    Parameter { of: Takes::File(FILES[1]), says: "A second file; all of them are read as one document" },
    Parameter { of: Takes::File(FILES[2]), says: "A third file" },
    Parameter { of: Takes::Message, says: "A link to a message of this server, to be read with its files" },
    Parameter {
        of: Takes::ThreadDocument,
        says: "In a session's thread: go on with the document of that session, in a new thread",
    },
];

const MEDIATE: SessionCommand = SessionCommand {
    says: "Specialists look at your problem from several sides, read one another, and a mediator sums it up.",
    own: &[
        PROBLEM,
        option(OptionName::Modules, "Who looks at it: market, cost, risk unless you choose (see /modules)"),
        option(
            OptionName::AutoSelect,
            "Have fitting modules chosen, and up to three made where none fits (not, unless the server says so)",
        ),
        option(OptionName::Weights, "How much each counts, such as legal=2 cost=0 (0 leaves a module out)"),
        EFFORT,
        MODEL,
        FOR_EVERYBODY,
        option(
            OptionName::Baseline,
            "Also ask one model plainly, and say in the end what the deliberation changed and cost",
        ),
        option(
            OptionName::Raci,
            "Where modules cannot all be right, the one whose side it is about carries it",
        ),
        option(
            OptionName::Search,
            "Whether modules search the web first (they do, unless the server says otherwise)",
        ),
        option(
            OptionName::DeepResearch,
            "Look into grave conflicts and red flags once more, on the web, before anybody votes",
        ),
        VOTE_HOURS,
        VOTERS,
        QUORUM,
    ],
};

const ROUNDTABLE: SessionCommand = SessionCommand {
    says: "Experts made for your problem challenge one another, check a notary's memo, and all give points.",
    own: &[
        PROBLEM,
        option(OptionName::Experts, "How many experts sit at the table: 2 to 5, 2 unless you choose"),
        FOR_EVERYBODY,
        EFFORT,
        MODEL,
        option(
            OptionName::Search,
            "Whether experts search the web first (they do, unless the server says otherwise)",
        ),
        VOTE_HOURS,
        VOTERS,
        QUORUM,
    ],
};

const DEBATE: SessionCommand = SessionCommand {
    says: "Pro and Con argue a question; a moderator sums up what it depends on and never picks a winner.",
    own: &[
        text(
            "proposition",
            "A question to be for or against (up to 500 characters); without it, a form with a large box opens",
        ),
        option(OptionName::Preset, "How long it is; quick unless you choose"),
        file("A file that both sides read: PDF, Office, EPUB, HTML, text or code (up to 25 MB)"),
        EFFORT,
        MODEL,
        option(
            OptionName::Search,
            "Whether both sides search the web for their cases (they do, unless the server says otherwise)",
        ),
        option(
            OptionName::VoteHours,
            "How many hours the team can vote afterwards (24 unless the server says otherwise)",
        ),
        option(
            OptionName::Voters,
            "Who may vote before and after: everyone, a role, or members, as mentions",
        ),
        option(OptionName::Quorum, "How many have to vote afterwards for the result to count as the team's"),
    ],
};

const CRITIQUE: SessionCommand = SessionCommand {
    says: "Six philosophers examine a document: what is wrong or missing, where, and how sure that is.",
    own: &[
        file("What to examine: PDF, Office, EPUB, HTML, text or code (up to 25 MB)"),
        Parameter { of: Takes::Examined, says: "Or the text itself (up to 6,000 characters)" },
        option(OptionName::Depth, "How deep they look: 1 to 3, 2 unless you choose; deeper takes more calls"),
        EFFORT,
        MODEL,
        VOTE_HOURS,
        option(OptionName::Voters, "Who may vote and triage: everyone, a role, or members, as mentions"),
        QUORUM,
    ],
};

const INVESTIGATE: SessionCommand = SessionCommand {
    says: "Several models answer alone; what they differ on is checked, and each claim has its ground.",
    own: &[
        text(
            "question",
            "What is to be found out (up to 4,000 characters); without it, a form with a large box opens",
        ),
        option(
            OptionName::Mode,
            "How freely: adaptive, structured or unstructured (adaptive unless you choose)",
        ),
        option(
            OptionName::Checks,
            "How much is checked: once, open matters once more, or checks alone without an answer",
        ),
        option(
            OptionName::Scouts,
            "How many answer alone first: 2 to 5 (as many as there are models, at least 3)",
        ),
        option(
            OptionName::Budget,
            "How many calls of tools the investigator has: 1 to 40, 15 unless you choose",
        ),
        option(
            OptionName::Search,
            "Whether the web may be searched (it may, unless the server says otherwise)",
        ),
        FOR_EVERYBODY,
        EFFORT,
        option(
            OptionName::Model,
            "One model for all scouts, asked at different temperatures; investigator and checks stay as set",
        ),
        VOTE_HOURS,
        VOTERS,
        QUORUM,
    ],
};

const DELPHI: SessionCommand = SessionCommand {
    says: "Several estimate a number alone, read one another's reasons, and estimate it anew, twice.",
    own: &[
        text("question", "Which number to estimate (up to 4,000 characters); without it, a form opens"),
        option(OptionName::Unit, "In what it is counted, such as weeks; found out unless you say it"),
        option(OptionName::Estimators, "How many estimate it: 3 to 7, 5 unless you choose"),
        FOR_EVERYBODY,
        EFFORT,
        MODEL,
        VOTE_HOURS,
        VOTERS,
        QUORUM,
    ],
};

impl Protocol {
    /// The command that begins a session of it.
    #[must_use]
    pub fn command(self) -> &'static SessionCommand {
        match self {
            Self::Mediate => &MEDIATE,
            Self::Roundtable => &ROUNDTABLE,
            Self::Debate => &DEBATE,
            Self::Critique => &CRITIQUE,
            Self::Investigate => &INVESTIGATE,
            Self::Delphi => &DELPHI,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Brief, OptionWords, VoteRules, sample};

    /// Discord's documentation, "Application Commands": names, descriptions and how many.
    #[test]
    fn every_command_is_one_that_discord_takes() {
        for protocol in Protocol::ALL {
            let command = protocol.command();
            let says = command.says.chars().count();
            assert!((1..=100).contains(&says) && command.takes().count() <= 25, "{protocol}");
            for Parameter { of, says } in command.takes() {
                let name = of.name();
                assert!(
                    name.len() <= 32 && name.chars().all(|c| c.is_ascii_lowercase() || "_23".contains(c))
                );
                assert!((1..=100).contains(&says.chars().count()), "{protocol} {name}: {says}");
                assert_eq!(
                    command.takes().filter(|other| other.of.name() == name).count(),
                    1,
                    "{protocol} {name}"
                );
            }
        }
    }

    /// What a command takes can be set again while its estimate waits, and nothing else.
    #[test]
    fn a_session_has_the_options_of_its_command() {
        let briefs = [
            Brief::Mediate(sample::mediate::brief("")),
            Brief::Roundtable(sample::roundtable::brief(2)),
            Brief::Debate(sample::debate::brief(crate::Preset::Quick)),
            Brief::Critique(sample::critique::session().brief),
            Brief::Investigate(sample::investigate::brief(3)),
            Brief::Delphi(sample::delphi::brief(5)),
        ];
        for brief in briefs {
            let protocol = brief.protocol();
            let options = protocol.command().takes().filter_map(|parameter| match parameter.of {
                Takes::Option(option) => Some(option),
                _ => None,
            });
            let mut options: Vec<OptionName> = options.collect();
            options.sort();
            let words = OptionWords::of(&brief, &VoteRules::default());
            assert_eq!(words.names().collect::<Vec<_>>(), options, "{protocol}");
        }
    }
}
