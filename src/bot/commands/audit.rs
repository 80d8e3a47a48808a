//! /audit.

use super::{Context, choice::Choice, session::steered};
use crate::bot::Error;
use domain::AuditScope;

/// Check what an ended session said: its prompts, its citations, the pages behind them, new facts.
#[poise::command(slash_command)]
pub(super) async fn audit(
    ctx: Context<'_>,
    #[description = "What it looks at (all of it unless you choose)"] layer: Option<Choice<AuditScope>>,
    #[description = "Look anew, even if it was audited before (no unless you choose)"] again: Option<bool>,
    #[description = "The session's name; not needed in its thread"] session: Option<String>,
) -> Result<(), Error> {
    let (call, row, by) = steered(ctx, session).await?;
    let scope = layer.map_or(AuditScope::Whole, |chosen| chosen.0);
    let told = ctx.data().sessions.audit(&row, &by, scope, again.unwrap_or_default()).await?;
    call.finish(&told).await
}
