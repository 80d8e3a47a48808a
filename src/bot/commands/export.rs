//! /export.

use super::{Caller, Context, choice::Choice, session::steered};
use crate::{bot::Error, report::Audience};

/// Put a report on a session that has ended into its thread: Markdown, JSON and a page to print.
#[poise::command(slash_command)]
pub(super) async fn export(
    ctx: Context<'_>,
    #[description = "For whom: the team, or people outside (the team unless you choose)"] kind: Option<
        Choice<Audience>,
    >,
    #[description = "The session's name; not needed in its thread"] session: Option<String>,
) -> Result<(), Error> {
    let (call, row, by) = steered(ctx, session).await?;
    Caller::of_command(ctx).readable()?.may_read(row.channel)?;
    let audience = kind.map_or_else(Audience::default, |Choice(audience)| audience);
    let said = ctx.data().sessions.export(&row, &by, audience).await?;
    call.finish_with(&said).await
}
