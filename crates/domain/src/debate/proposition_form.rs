//! The form in which a proposition is edited: what somebody wrote, and what is debated then.

use std::collections::BTreeMap;

use thiserror::Error;

use super::{MAX_PROPOSITION_CHARS, Proposition, PropositionContext, PropositionError, debatable};
use crate::{Editing, Terms, is_blank, one_line, readable};

/// Longest place and time within which a proposition is debated, in characters.
pub const MAX_BOUND_CHARS: usize = 200;
/// Longest list of those whom it concerns, in characters.
pub const MAX_STAKEHOLDERS_CHARS: usize = 500;
/// Longest background, in characters.
pub const MAX_BACKGROUND_CHARS: usize = 1_500;

/// Why a form cannot be taken; each says what is valid.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PropositionFormError {
    /// The question cannot be debated.
    #[error(transparent)]
    Question(#[from] PropositionError),
    /// Too long.
    #[error("“{what}” has {given} characters; at most {most} fit. Shorten it.")]
    Long {
        /// The box.
        what: &'static str,
        /// Characters written.
        given: usize,
        /// Characters that fit.
        most: usize,
    },
}

impl Proposition {
    /// What is said around its confirmation.
    pub const TERMS: Terms = Terms {
        button: "Start",
        under: "the proposition",
        phase: (0, "The proposition waits for Start"),
        decide: "change the proposition or start the debate",
        absent: "No proposition waits for its start in this session.",
        begins: "Started. Both sides prepare their openings.",
        confirmed: "Started",
        fixed: "has started the debate already, so the proposition is fixed. You can still press **Add evidence** or **Clarify** on the status card.",
        edit: Some(Editing {
            button: "Edit",
            what: "the proposition",
            saved: "Saved. The card in the thread shows the proposition as it is now; press Start when it is right. If the question itself has changed, everybody votes again.",
            late: "Somebody has edited the proposition after you, so theirs stands. The card in the thread shows it.",
            kept: "The proposition is as it was.",
        }),
    };

    /// Why no debate can be started on it as it stands, with what to do about it.
    #[must_use]
    pub fn cannot_start(&self) -> Option<String> {
        let objection = self.objection.as_ref()?.trim().trim_end_matches('.');
        Some(format!(
            "This cannot be debated as it stands: {objection}. Press **Edit** and make it a question that can be answered for or against."
        ))
    }

    /// The proposition as somebody wrote it, by the names of the form's boxes: `question`, `where`, `when`, `whom`
    /// (names with commas or on lines of their own) and `background`. A box that is not there leaves its text as it
    /// is. What kept it from being debated is gone with the edit.
    pub fn edited(&self, written: &BTreeMap<String, String>, by: &str) -> Result<Self, PropositionFormError> {
        let question = match written.get("question") {
            Some(text) => asked(text)?,
            None => self.question.clone(),
        };
        let context = &self.context;
        let text =
            |name: &str, before: &str| written.get(name).map_or_else(|| before.to_owned(), |t| readable(t));
        let stakeholders = match written.get("whom").map(|text| readable(text)) {
            Some(whom) => {
                within("Who is affected", &whom, MAX_STAKEHOLDERS_CHARS)?;
                let names = whom.split([',', ';', '\n', '、', '，']).map(one_line);
                names.filter(|name| !is_blank(name)).collect()
            }
            None => context.stakeholders.clone(),
        };
        let context = PropositionContext {
            geography: one_line(&text("where", &context.geography)),
            timeframe: one_line(&text("when", &context.timeframe)),
            background: text("background", &context.background),
            domain: context.domain.clone(),
            stakeholders,
        };
        within("Where", &context.geography, MAX_BOUND_CHARS)?;
        within("When", &context.timeframe, MAX_BOUND_CHARS)?;
        within("Background", &context.background, MAX_BACKGROUND_CHARS)?;
        // What was changed to make the earlier question neutral says nothing of another one.
        let changed = if question == self.question { self.changed.clone() } else { String::new() };
        Ok(Self {
            question,
            context,
            changed,
            objection: None,
            edited_by: Some(by.to_owned()),
            ..self.clone()
        })
    }
}

/// A text as a question on one line, of at most [`MAX_PROPOSITION_CHARS`].
fn asked(text: &str) -> Result<String, PropositionError> {
    let line = one_line(&readable(text));
    let mut question = debatable(&line)?.as_str().to_owned();
    if !question.ends_with(['?', '？', '؟']) {
        question = format!("{}?", question.trim_end_matches(['.', '!', ';', ':', ',', '…', ' ']));
    }
    match question.chars().count() {
        long if long > MAX_PROPOSITION_CHARS => Err(PropositionError::Long(long)),
        _ => Ok(question),
    }
}

fn within(what: &'static str, text: &str, most: usize) -> Result<(), PropositionFormError> {
    match text.chars().count() {
        given if given > most => Err(PropositionFormError::Long { what, given, most }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Framing, Level};

    fn proposition() -> Proposition {
        Proposition {
            raw: "4 day week??".into(),
            question: "Should the town move to a four-day week?".into(),
            context: PropositionContext {
                geography: "Brno".into(),
                domain: "work".into(),
                stakeholders: vec!["staff".into()],
                ..PropositionContext::default()
            },
            framing: Framing::Policy,
            complexity: Level::Medium,
            changed: "Spelled out.".into(),
            objection: Some("It asks nothing.".into()),
            answered_by: Some("alpha".into()),
            edited_by: None,
        }
    }

    fn edit(boxes: &[(&str, &str)]) -> Result<Proposition, PropositionFormError> {
        let written = boxes.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        proposition().edited(&written, "Ada")
    }

    #[test]
    fn what_is_written_stands_and_what_is_left_out_stays() {
        let edited = edit(&[
            ("question", "  Should we\nsell the bus. "),
            ("whom", "riders, drivers;\n the  council\n,"),
            ("when", ""),
        ])
        .unwrap();
        assert_eq!(edited.question, "Should we sell the bus?");
        assert_eq!(edited.context.stakeholders, ["riders", "drivers", "the council"]);
        assert_eq!((edited.context.geography.as_str(), edited.context.domain.as_str()), ("Brno", "work"));
        assert_eq!((edited.objection, edited.edited_by.as_deref()), (None, Some("Ada")));
        assert_eq!((edited.changed.as_str(), edited.raw.as_str()), ("", "4 day week??"));
        let same = edit(&[("where", "\u{200b}"), ("background", "It was tried.\nOnce.")]).unwrap();
        assert_eq!(
            (same.question.as_str(), same.changed.as_str()),
            (&*proposition().question, "Spelled out.")
        );
        assert_eq!(
            (same.context.geography.as_str(), same.context.background.as_str()),
            ("", "It was tried.\nOnce.")
        );
    }

    #[test]
    fn a_question_is_a_question_whatever_it_ends_with() {
        for (text, question) in [
            ("Should we do it?", "Should we do it?"),
            ("Should we do it", "Should we do it?"),
            ("Should we do it!!", "Should we do it?"),
            ("我们应该搬家吗？", "我们应该搬家吗？"),
        ] {
            assert_eq!(edit(&[("question", text)]).unwrap().question, question);
        }
    }

    #[test]
    fn what_cannot_be_debated_says_what_is_valid() {
        let long = "é".repeat(500);
        for (name, text, said) in [
            ("question", " \u{200b}", "is empty"),
            ("question", "Why not", "not something one can be for or against"),
            ("question", &*long, "501 characters; at most 500"),
            ("where", &long, "“Where” has 500 characters; at most 200"),
            ("when", &long, "“When”"),
            ("whom", &format!("{long}x"), "“Who is affected” has 501"),
            ("background", &long.repeat(4), "“Background” has 2000 characters; at most 1500"),
        ] {
            let told = edit(&[(name, text)]).unwrap_err().to_string();
            assert!(told.contains(said), "{told}");
        }
    }
}
