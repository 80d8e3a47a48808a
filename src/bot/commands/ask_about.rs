//! *Ask the panel about this message* in the menu of any message.

use poise::serenity_prelude as serenity;

use super::{About, Call, Caller, Context};
use crate::bot::{Error, beginning};

/// Ask the panel about a message: its text and its attachments, by the protocol that you choose.
#[poise::command(context_menu_command = "Ask the panel about this message")]
pub(super) async fn ask_about(ctx: Context<'_>, message: serenity::Message) -> Result<(), Error> {
    let (caller, call) = (Caller::of_command(ctx), Call::command(ctx.data(), ctx.interaction));
    let is_own = ctx.data().me.get().is_some_and(|me| me.0 == message.author.id.get());
    beginning::offer(&caller, &call, About::of(&message), is_own).await;
    Ok(())
}
