//! /decisions.

use super::{Caller, Context, begin, home, place};
use crate::bot::Error;

/// What was decided in this channel, and how it turned out.
#[poise::command(slash_command)]
pub(super) async fn decisions(
    ctx: Context<'_>,
    #[description = "Words that stand in the decision, its question, reasons, owner or outcome"]
    #[max_length = 200]
    search: Option<String>,
) -> Result<(), Error> {
    let call = begin(ctx).await?;
    let (guild, _) = place(ctx)?;
    let home = home(ctx)?;
    Caller::of_command(ctx).readable()?.may_read(home)?;
    call.finish(&ctx.data().sessions.decisions(guild, home, search.as_deref()).await?).await
}
