//! /ask.

use super::{Caller, Context, begin};
use crate::{
    bot::{Error, reply::actor},
    error::UserError,
    store::QuestionRow,
};
use domain::{Addressee, Side};

/// Whom in a debate.
#[derive(Clone, Copy, poise::ChoiceParameter)]
enum To {
    #[name = "Pro"]
    Pro,
    #[name = "Con"]
    Con,
    #[name = "Moderator"]
    Moderator,
}

/// Ask about this session; the answer draws only on what was said here.
#[poise::command(slash_command)]
pub(super) async fn ask(
    ctx: Context<'_>,
    #[description = "What you want to know (up to 1,500 characters)"] question: String,
    #[description = "In a debate: who should answer (the moderator unless you choose)"] to: Option<To>,
) -> Result<(), Error> {
    let call = begin(ctx).await?;
    let caller = Caller::of_command(ctx);
    let (_, channel) = caller.place()?;
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
        text: caller.named(&question).await,
        reply_to: None,
        addressee: to.map(|to| match to {
            To::Pro => Addressee::Advocate(Side::Pro),
            To::Con => Addressee::Advocate(Side::Con),
            To::Moderator => Addressee::Moderator,
        }),
        audit: None,
    };
    let said = ctx.data().sessions.ask(&row, question, None).await?;
    call.finish_with(&said).await
}
