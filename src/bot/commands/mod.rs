//! Slash commands: those that begin a session are made of a table, the others have a file each, whose doc comments and
//! descriptions are what members read.

mod ask;
mod ask_about;
mod audit;
mod choice;
mod critique;
mod decisions;
mod export;
mod given;
mod link;
mod lists;
mod opening;
mod session;
mod sessions;
mod settings;
mod venue;
mod voting;
mod wish;

pub(super) use critique::on_message;
pub(super) use given::{About, Given};
pub(super) use opening::{may_begin, started};
pub(super) use wish::{Wish, set_again};

use self::critique::examined;
use super::{Context, Data, Error, caller::Caller, reply::Call};
use domain::{ChannelId, GuildId};

/// Every command, as it is registered.
pub(super) fn all() -> Vec<poise::Command<Data, Error>> {
    let others = [
        critique::critique_message(),
        ask_about::ask_about(),
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
    ];
    sessions::all().chain(others).collect()
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
