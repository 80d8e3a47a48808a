//! What somebody types at the terminal.

use std::io::{self, IsTerminal as _};

use console::Term;

use crate::app::terminal;
use domain::Secret;

/// Where answers come from: a person at a terminal, or lines of a file or another program.
pub(super) enum Answers {
    Person(Term),
    Lines(io::Lines<io::StdinLock<'static>>),
}

impl Answers {
    /// Those of whoever started this program.
    pub(super) fn of_the_terminal() -> Self {
        if io::stdin().is_terminal() {
            Self::Person(Term::stderr())
        } else {
            Self::Lines(io::stdin().lines())
        }
    }

    /// A secret, which is not shown while it is typed. `None`: an empty line, or no more of them.
    pub(super) fn secret(&mut self, question: &str) -> Option<Secret> {
        let line = match self {
            Self::Person(terminal) => {
                terminal.write_str(question).and_then(|()| terminal.read_secure_line()).ok()?
            }
            Self::Lines(lines) => {
                terminal::say(question);
                lines.next()?.ok()?
            }
        };
        let secret = Secret::new(&line);
        (!secret.reveal().is_empty()).then_some(secret)
    }
}
