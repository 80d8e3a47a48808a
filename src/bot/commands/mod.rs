//! Slash commands, a file each. Their doc comments and descriptions are what members read.

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

pub(super) use critique::on_message;
pub(super) use given::{About, Given};
pub(super) use opening::{may_begin, started};
pub(super) use wish::Wish;

use super::{Context, Data, Error, caller::Caller, reply::Call};
use crate::domain::{ChannelId, GuildId};

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

/// The interaction of a command, acknowledged.
async fn begin(ctx: Context<'_>) -> Call<'_> {
    let call = Call::command(ctx.data(), ctx.interaction);
    call.defer().await;
    call
}

/// Server and channel of a command; a private sentence in a direct message.
fn place(ctx: Context<'_>) -> anyhow::Result<(GuildId, ChannelId)> {
    Caller::of_command(ctx).place()
}

/// The channel a command belongs to: in a thread, the one it hangs from.
fn home(ctx: Context<'_>) -> anyhow::Result<ChannelId> {
    Caller::of_command(ctx).home()
}
