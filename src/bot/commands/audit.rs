//! /audit.

use super::{Context, session::steered};
use crate::bot::Error;

/// Check what an ended session said: its prompts, its citations, the pages behind them, new facts.
#[poise::command(slash_command)]
pub(super) async fn audit(
    ctx: Context<'_>,
    #[description = "Look anew, even if it was audited before (no unless you choose)"] again: Option<bool>,
    #[description = "The session's name; not needed in its thread"] session: Option<String>,
) -> Result<(), Error> {
    let (call, row, by) = steered(ctx, session).await?;
    let told = ctx.data().sessions.audit(&row, &by, again.unwrap_or_default()).await?;
    call.finish(&told).await
}
