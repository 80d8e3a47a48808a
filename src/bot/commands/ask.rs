//! /ask.

use super::{Context, begin, place};
use crate::{
    bot::{Error, reply::actor},
    error::UserError,
    store::QuestionRow,
};

/// Ask about this session; the answer draws only on what was said here.
#[poise::command(slash_command)]
pub(super) async fn ask(
    ctx: Context<'_>,
    #[description = "What you want to know (up to 1,500 characters)"] question: String,
) -> Result<(), Error> {
    let call = begin(ctx).await;
    let (_, channel) = place(ctx)?;
    let Some(row) = ctx.data().sessions.of_thread(channel).await? else {
        return UserError::of(
            "`/ask` works in a session's thread. `/history` lists the sessions of this channel.",
        );
    };
    let by = actor(call.interaction, &ctx.interaction.user, ctx.interaction.member.as_deref());
    let question = QuestionRow {
        id: call.interaction.0,
        session: row.id.clone(),
        author: by.user,
        author_name: by.name,
        text: question,
        reply_to: None,
    };
    let said = ctx.data().sessions.ask(&row, question).await?;
    call.finish_with(&said).await
}
