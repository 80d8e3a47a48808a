//! Reports: a session that has ended, as one text to keep, send and print: Markdown, JSON or a page of HTML.
//!
//! Invariant: a report says what the thread says, no less and no more: its sections are the cards as they stand, with the
//! whole text behind each. What a model, a member or a document wrote becomes no markup of the page. The report for a
//! customer holds what came out, and nothing of who was asked, how, and at what cost. Everything here is pure: who calls
//! it (`session`, for the thread and for the command line) gathers the cards and says what time it is.

mod html;
mod markdown;
mod read;
mod section;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, fmt};

use chrono::DateTime;
use serde::Serialize;
use serde_json::Value;
use strum::{EnumIter, EnumString, IntoStaticStr};

pub use read::{NoReport, dossier};
pub use section::{Card, Named, Picture, Section, Whole};

use domain::{
    Dossier, Effort, File, FileBody, Ledger, Post, PromptVersion, Protocol, SessionId, SessionState, StepKey,
    thousands,
};

/// Of the form of `report.json`.
const FORMAT: u32 = 1;

/// Longest name of a report's folder, in characters.
const SLUG: usize = 60;

/// Whom a report is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, IntoStaticStr, EnumString, EnumIter)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Audience {
    /// The team: everything that was said, by whom, and what it took.
    #[default]
    Internal,
    /// People outside: what came out, the vote and the decision.
    Customer,
}

impl Audience {
    /// As commands spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// What it holds, for whoever chooses.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Internal => "everything that was said, by which model, at what cost",
            Self::Customer => "what came out, the vote and the decision; nothing of models and cost",
        }
    }
}

/// What a session was asked and how it ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Facts {
    /// Its name.
    pub session: SessionId,
    /// By which protocol.
    pub protocol: Protocol,
    /// Its title, which may be shorter than the problem.
    pub title: String,
    /// What had to be decided, in a sentence; `None` where the problem says it.
    pub question: Option<String>,
    /// The problem, in the words of whoever started it.
    pub problem: String,
    /// How it ended.
    pub state: SessionState,
    /// When it started, in seconds since 1970.
    pub started: i64,
    /// When it ended; `None` while it goes on.
    pub ended: Option<i64>,
    /// Why it did not end well, or what else its card said.
    pub notice: Option<String>,
    /// Who started it.
    pub starter: String,
    /// The models that answered.
    pub models: Vec<String>,
    /// How much was asked of everybody.
    pub effort: Effort,
    /// What it took.
    pub ledger: Ledger,
    /// What did not go as planned, a sentence each.
    pub degraded: Vec<String>,
    /// Which prompts were used.
    pub prompts: PromptVersion,
    /// What an audit looks at.
    pub dossier: Option<Dossier>,
}

/// A card of the thread: the step it came from, what it shows, and the whole text behind it with its title.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// Its step.
    pub key: StepKey,
    /// The post as it stands.
    pub post: Post,
    /// Title and text of what its button shows; `None` where the card shows everything.
    pub whole: Option<(String, String)>,
    /// What was said, field by field, under the key of each step behind the card.
    pub said: BTreeMap<String, Value>,
}

/// A session that has ended, for one kind of reader. Its fields are those of `report.json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Of the form of this file; raised when a field changes its meaning.
    pub format: u32,
    /// Whom it is for.
    pub audience: Audience,
    /// By which protocol.
    pub protocol: Protocol,
    /// The session's name.
    pub session: SessionId,
    /// What it is about, in a line.
    pub heading: String,
    /// The problem, where the heading is not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// `24 November 2026, 09:05 UTC`.
    pub started: String,
    /// Likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// What a reader has to know first: that it ended early, or that not everything went as planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caution: Option<String>,
    /// The cards, in the order of the thread; for a customer, decisions before all else.
    pub sections: Vec<Section>,
    /// How it came about; never in a customer's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<Inside>,
    /// What an audit looks at; never in a customer's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dossier: Option<Dossier>,
}

/// How a session came about: what is nobody's business outside the team.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Inside {
    /// Who started it.
    pub started_by: String,
    /// The models that answered.
    pub models: Vec<String>,
    /// How much was asked of everybody.
    pub effort: &'static str,
    /// Calls made, those that failed too.
    pub calls: i64,
    /// Tokens in and out.
    pub tokens: i64,
    /// `$0.08`, `at least $0.08`, `unknown`.
    pub cost: String,
    /// Which prompts were used.
    pub prompts: String,
    /// What did not go as planned, a sentence each.
    pub degraded: Vec<String>,
}

impl Report {
    /// The report on a session from the cards of its thread, in their order.
    #[must_use]
    pub fn new(facts: &Facts, cards: &[Shown], audience: Audience) -> Self {
        let counted = |vote: &str| cards.iter().any(|card| card.key.as_str() == format!("{vote}/result"));
        let told = cards.iter().filter(|card| {
            let open_vote = matches!(card.key.as_str(), "vote" | "opinion") && counted(card.key.as_str());
            !open_vote && is_told(&card.key, facts.protocol, audience)
        });
        let heading = facts.question.clone().unwrap_or_else(|| facts.title.clone());
        let heading = section::line(&heading);
        let mut sections = section::sections(told, audience);
        if audience == Audience::Customer {
            // What people outside ask first; the sort keeps the thread's order otherwise.
            sections.sort_by_key(|section| !section.key.starts_with("decision/"));
        }
        let problem = facts.problem.trim();
        Self {
            format: FORMAT,
            audience,
            protocol: facts.protocol,
            session: facts.session.clone(),
            problem: (section::line(problem) != heading && !problem.is_empty()).then(|| problem.to_owned()),
            heading,
            started: date(facts.started),
            ended: facts.ended.map(date),
            caution: caution(facts, audience),
            sections,
            inside: (audience == Audience::Internal).then(|| Inside::of(facts)),
            dossier: facts.dossier.clone().filter(|_| audience == Audience::Internal),
        }
    }

    /// The three files: `report.md`, `report.json`, `report.html`.
    #[must_use]
    pub fn files(&self) -> Vec<File> {
        let json = serde_json::to_string_pretty(self).unwrap_or_default();
        let file = |ending: &str, alt: &str, text: String| File {
            name: format!("report.{ending}"),
            alt: alt.to_owned(),
            body: FileBody::Text(text),
        };
        vec![
            file("md", "The report as Markdown", markdown::write(self)),
            file("json", "The report as JSON", json),
            file("html", "The report as a page for a browser, to read or print", html::write(self)),
        ]
    }
}

impl Inside {
    fn of(facts: &Facts) -> Self {
        let Ledger { cost, unpriced_calls, .. } = facts.ledger;
        Self {
            started_by: section::line(&facts.starter),
            models: facts.models.clone(),
            effort: facts.effort.as_str(),
            calls: facts.ledger.calls,
            tokens: facts.ledger.tokens,
            cost: match unpriced_calls {
                0 => cost.short(),
                _ if cost.0 == 0 => "unknown".to_owned(),
                _ => format!("at least {}", cost.short()),
            },
            prompts: facts.prompts.0.clone(),
            degraded: facts.degraded.iter().map(|said| section::plain(said)).collect(),
        }
    }
}

impl fmt::Display for Inside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { started_by, models, effort, calls, tokens, cost, prompts, .. } = self;
        let models = models.join(", ");
        let [calls, tokens] = [calls, tokens].map(|number| thousands(number.unsigned_abs()));
        write!(
            f,
            "Started by {started_by}. Models: {models}. Effort: {effort}. {calls} calls, {tokens} tokens, cost {cost}. Prompts {prompts}."
        )
    }
}

/// Whether a reader of this kind is told of a card. Reminders, notices and earlier reports belong to the thread alone;
/// what the last card says of models and cost stands at the report's end.
fn is_told(key: &StepKey, protocol: Protocol, audience: Audience) -> bool {
    let first = key.as_str().split('/').next().unwrap_or_default();
    let thread_only = matches!(first, "notice" | "card" | "export" | "closing" | "review")
        || key.as_str().ends_with("/reminder");
    match audience {
        _ if thread_only => false,
        Audience::Internal => true,
        Audience::Customer => {
            matches!(first, "vote" | "opinion" | "decision") || protocol.words().outcome.contains(&first)
        }
    }
}

/// What has to be known before the rest is read.
fn caution(facts: &Facts, audience: Audience) -> Option<String> {
    let early = match facts.state {
        SessionState::Done => None,
        SessionState::Cancelled => Some("Somebody ended this before it had come to its end."),
        SessionState::Failed => Some("This could not be brought to its end."),
        SessionState::Parked => Some("An upgrade ended this before it had come to its end."),
        SessionState::Running | SessionState::Paused | SessionState::Waiting => {
            Some("This is still going on.")
        }
    };
    let why = facts.notice.as_deref().filter(|_| early.is_some() && audience == Audience::Internal);
    let why = why.map(section::plain);
    let degraded = (audience == Audience::Customer && !facts.degraded.is_empty())
        .then_some("Not everything went as planned while this was worked out; whoever sent it can say what.");
    let sentences: Vec<&str> = early.into_iter().chain(why.as_deref()).chain(degraded).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// `24 November 2026, 09:05 UTC`.
fn date(seconds: i64) -> String {
    let date = DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    date.format("%-d %B %Y, %H:%M UTC").to_string()
}

/// The name of a report's folder: letters and digits in lower case, `-` for everything else, at most 60 characters;
/// the session's name where that leaves nothing.
#[must_use]
pub fn slug(title: &str, session: &SessionId) -> String {
    let mut slug = String::new();
    for c in title.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(SLUG);
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { session.to_string() } else { slug.to_owned() }
}
