//! Slash commands, a file each. Their doc comments and descriptions are what members read.

mod altered;
mod ask;
mod ask_about;
mod audit;
mod choice;
mod critique;
mod debate;
mod decisions;
mod export;
mod given;
mod investigate;
mod link;
mod lists;
mod mediate;
mod opening;
mod roundtable;
mod session;
mod settings;
mod venue;
mod voting;
mod wish;

pub(super) use altered::altered;
pub(super) use critique::on_message;
pub(super) use given::{About, Given};
pub(super) use opening::{may_begin, started};
pub(super) use wish::{Wish, usual};

use serde::{Deserialize, Serialize};

use self::opening::user;
use super::{Context, Data, Error, caller::Caller, reply::Call};
use crate::session::Wanted;
use domain::{ChannelId, GuildId, GuildSettings, OptionWords, Problem, Protocol, debatable};

/// Every command, as it is registered.
pub(super) fn all() -> Vec<poise::Command<Data, Error>> {
    vec![
        mediate::mediate(),
        roundtable::roundtable(),
        debate::debate(),
        critique::critique(),
        critique::critique_message(),
        ask_about::ask_about(),
        investigate::investigate(),
        ask::ask(),
        session::session(),
        export::export(),
        audit::audit(),
        decisions::decisions(),
        settings::settings(),
        lists::history(),
        lists::privacy(),
        lists::modules(),
        lists::help(),
    ]
}

/// A session that takes a text: by which protocol, with what is chosen for it alone.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum By {
    Mediate(mediate::Options),
    Roundtable(roundtable::Options),
    Debate(debate::Options),
    Investigate(investigate::Options),
}

impl By {
    /// With nothing chosen. `None` where a protocol takes no text of its own.
    fn of(protocol: Protocol) -> Option<Self> {
        Some(match protocol {
            Protocol::Mediate => Self::Mediate(mediate::Options::default()),
            Protocol::Roundtable => Self::Roundtable(roundtable::Options::default()),
            Protocol::Debate => Self::Debate(debate::Options::default()),
            Protocol::Investigate => Self::Investigate(investigate::Options::default()),
            Protocol::Critique => return None,
        })
    }

    fn protocol(&self) -> Protocol {
        match self {
            Self::Mediate(_) => Protocol::Mediate,
            Self::Roundtable(_) => Protocol::Roundtable,
            Self::Debate(_) => Protocol::Debate,
            Self::Investigate(_) => Protocol::Investigate,
        }
    }

    /// What is wanted, on a server with these settings.
    fn wanted(&self, settings: &GuildSettings) -> anyhow::Result<Wanted> {
        match self {
            Self::Mediate(options) => options.wanted(settings),
            Self::Roundtable(options) => options.wanted(settings),
            Self::Debate(options) => Ok(options.wanted(settings)),
            Self::Investigate(options) => options.wanted(settings),
        }
    }

    /// A text, as what it is about.
    fn problem(&self, text: &str) -> anyhow::Result<Problem> {
        match self {
            Self::Debate(_) => debatable(text).map_err(user),
            Self::Mediate(_) | Self::Roundtable(_) | Self::Investigate(_) => opening::problem(text),
        }
    }
}

/// What is wanted of a protocol whose options were set again.
fn set_again(protocol: Protocol, words: &OptionWords, settings: &GuildSettings) -> anyhow::Result<Wanted> {
    match protocol {
        Protocol::Mediate => mediate::Options::read(words, settings)?.wanted(settings),
        Protocol::Roundtable => roundtable::Options::read(words)?.wanted(settings),
        Protocol::Debate => Ok(debate::Options::read(words)?.wanted(settings)),
        Protocol::Critique => critique::read(words),
        Protocol::Investigate => investigate::Options::read(words)?.wanted(settings),
    }
}

/// The interaction of a command, acknowledged; one that another process has answered goes no further.
async fn begin(ctx: Context<'_>) -> anyhow::Result<Call<'_>> {
    let call = Call::command(ctx.data(), ctx.interaction);
    call.defer().await?;
    Ok(call)
}

/// Server and channel of a command; a private sentence in a direct message.
fn place(ctx: Context<'_>) -> anyhow::Result<(GuildId, ChannelId)> {
    Caller::of_command(ctx).place()
}

/// The channel a command belongs to: in a thread, the one it hangs from.
fn home(ctx: Context<'_>) -> anyhow::Result<ChannelId> {
    Caller::of_command(ctx).home()
}
