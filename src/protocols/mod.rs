//! What each protocol does, each an async function that reads like its description and runs from its top every
//! time its session starts or goes on.
//!
//! Invariant: a protocol touches the world only through [`Steps`]; it has no clock, no
//! chance and no memory of its own, so running it again recalls what was done and does what was not. Called by
//! `session`.

mod audit;
pub mod critique;
pub mod debate;
mod delphi;
mod drafts;
mod estimate;
mod followup;
mod investigate;
mod mediate;
mod pictures;
mod points;
mod question;
mod raw_output;
mod reading;
mod roundtable;
mod running;
mod said;
mod searching;
mod seating;
mod solutions;
mod table;

pub use audit::{audit, dossier, last_audit};
pub use followup::Question;
use futures::future::BoxFuture;
use said::Said;
pub use seating::{Appointed, Seating, Wanted};

use crate::steps::{Journal, RatesAt, Steps, Stop};
use domain::{
    Brief, Caps, Estimate, FullText, GuildSettings, OpenMatters, OptionWords, Plan, Post, Protocol, StepKey,
};

/// Runs a session's protocol.
pub async fn run(steps: &Steps, plan: &Plan) -> Result<(), Stop> {
    let (voting, questioner) = (&plan.voting, plan.question.as_ref());
    let brief = running::settled(steps, plan).await?;
    match &brief {
        Brief::Mediate(brief) => Box::pin(mediate::run(steps, brief, questioner, voting)).await,
        Brief::Roundtable(brief) => roundtable::run(steps, brief, questioner, voting).await,
        Brief::Debate(brief) => debate::run(steps, brief, voting).await,
        Brief::Critique(brief) => critique::run(steps, brief, voting).await,
        Brief::Investigate(brief) => investigate::run(steps, brief, questioner, voting).await,
        Brief::Delphi(brief) => Box::pin(delphi::run(steps, brief, voting)).await,
    }
}

/// What these options make of a protocol, on a server with these settings: its brief, once somebody says who sits where.
pub fn wanted(protocol: Protocol, words: &OptionWords, settings: &GuildSettings) -> anyhow::Result<Wanted> {
    match protocol {
        Protocol::Mediate => mediate::wanted(words, settings),
        Protocol::Roundtable => roundtable::wanted(words, settings),
        Protocol::Debate => debate::wanted(words, settings),
        Protocol::Critique => critique::wanted(words),
        Protocol::Investigate => investigate::wanted(words, settings),
        Protocol::Delphi => delphi::wanted(words),
    }
}

/// What a session takes that plans its calls by what it may take, with `rates` of its models at an effort; nothing for the
/// others.
pub fn worked_out(brief: &Brief, caps: &Caps, rates: &RatesAt) -> Result<Option<Estimate>, Stop> {
    match brief {
        Brief::Critique(brief) => critique::work_out(brief, caps, rates).map(Some),
        _ => Ok(None),
    }
}

/// Answers a question about a session in its thread.
pub async fn answer(steps: &Steps, plan: &Plan, question: &Question<'_>) -> Result<(), Stop> {
    let brief = &running::as_it_stands(steps, plan).await?;
    let material = match brief {
        Brief::Mediate(brief) => {
            let (writer, document) = (&brief.writer_seat, brief.document.as_ref());
            table::material(steps, writer, document, &brief.panel.seats).await?
        }
        Brief::Roundtable(brief) => roundtable::material(steps, brief).await?,
        Brief::Critique(brief) => critique::material(steps, brief).await?,
        Brief::Investigate(brief) => investigate::material(steps, brief).await?,
        Brief::Delphi(brief) => delphi::material(steps, brief).await?,
        // Whoever is asked answers in a role of its own, and the moderator's words are checked.
        Brief::Debate(brief) => return debate::answer(steps, brief, question).await,
    };
    followup::answer(steps, brief, material, question).await
}

/// What was said in a session.
async fn said(journal: &Journal, brief: &Brief) -> Result<Said, Stop> {
    match brief {
        Brief::Mediate(brief) => Ok(Said {
            searching: brief.extras.searching,
            given: Vec::new(),
            speeches: table::said(journal).await?,
        }),
        Brief::Roundtable(brief) => Ok(Said {
            searching: brief.searching,
            given: roundtable::given(journal).await?,
            speeches: table::said(journal).await?,
        }),
        Brief::Debate(brief) => debate::said(journal, brief).await,
        Brief::Critique(_) => critique::said(journal).await,
        Brief::Investigate(brief) => investigate::said(journal, brief).await,
        Brief::Delphi(_) => delphi::said(journal).await,
    }
}

/// The full text of the card that a step made, with its title; nothing where the card says everything itself.
pub async fn full_text(
    journal: &Journal,
    protocol: Protocol,
    step: &StepKey,
) -> Result<Option<FullText>, Stop> {
    let card = &step.card();
    if let Some(audited) = audit::full_text(journal, card).await? {
        return Ok(Some(audited.into()));
    }
    if let Some(words) = pictures::full_text(journal, card).await? {
        return Ok(Some(words.into()));
    }
    if let Some(notes) = reading::full_text(journal, card).await? {
        return Ok(Some(notes.into()));
    }
    let plain = match protocol {
        Protocol::Mediate => return mediate::full_text(journal, card).await,
        Protocol::Roundtable => return roundtable::full_text(journal, card).await,
        Protocol::Debate => return debate::full_text(journal, card).await,
        Protocol::Critique => critique::full_text(journal, card).await,
        Protocol::Investigate => investigate::full_text(journal, card).await,
        Protocol::Delphi => delphi::full_text(journal, card).await,
    };
    Ok(plain?.map(FullText::from))
}

/// What the last line of a session says of what came out, beside what it took and what was degraded; mostly nothing.
pub async fn in_the_end(journal: &Journal, protocol: Protocol) -> Result<Option<String>, Stop> {
    match protocol {
        Protocol::Mediate | Protocol::Roundtable => table::in_the_end(journal).await,
        Protocol::Debate | Protocol::Critique | Protocol::Investigate | Protocol::Delphi => Ok(None),
    }
}

/// What a session that is done left open, for whoever wants to go on with it.
pub async fn left_open(journal: &Journal, protocol: Protocol) -> Result<OpenMatters, Stop> {
    match protocol {
        Protocol::Mediate | Protocol::Roundtable => table::left_open(journal).await,
        Protocol::Debate => debate::left_open(journal).await,
        Protocol::Critique => critique::left_open(journal).await,
        Protocol::Investigate => investigate::left_open(journal).await,
        Protocol::Delphi => Ok(OpenMatters::default()),
    }
}

/// How the card that a step made came about; nothing where no model was asked.
pub async fn raw_output(journal: &Journal, protocol: Protocol, step: &StepKey) -> Result<Vec<Post>, Stop> {
    let card = &step.card();
    match protocol {
        // Of the moderator's tries, those that took a side are withheld.
        Protocol::Debate => debate::raw_output(journal, card).await,
        _ => raw_output::of(journal, card).await,
    }
}

/// What a panel of a protocol's own has to show now; nothing for a key that is none of them.
#[must_use]
pub fn panel(
    journal: Journal,
    protocol: Protocol,
    key: String,
) -> BoxFuture<'static, Result<Option<Post>, Stop>> {
    Box::pin(async move {
        match protocol {
            Protocol::Mediate | Protocol::Roundtable => table::panel(&journal, &key).await,
            Protocol::Investigate => investigate::panel(&journal, &key).await,
            Protocol::Debate => debate::panel(&journal, &key).await,
            Protocol::Critique => critique::panel(&journal, &key).await,
            Protocol::Delphi => delphi::panel(&journal, &key).await,
        }
    })
}
