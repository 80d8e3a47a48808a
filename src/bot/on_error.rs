//! The end of everything that went wrong in a command: a private sentence for the person, a line in the log
//! for us.

use poise::FrameworkError;

use super::{Data, Error, reply::Call, rivals::AnsweredElsewhere};
use crate::error::UserError;

/// Says what went wrong to the person whose command it was.
pub(super) async fn on_error(error: FrameworkError<'_, Data, Error>) {
    match error {
        // It cannot fail.
        FrameworkError::Setup { error, .. } => {
            tracing::error!(error = %format!("{error:#}"), "setting up failed");
        }
        FrameworkError::EventHandler { error, event, .. } => {
            tracing::error!(error = %format!("{error:#}"), event = event.snake_case_name(), "an event was not handled");
        }
        FrameworkError::Command { error, ctx, .. } => tell(ctx, &error).await,
        FrameworkError::CommandPanic { payload, ctx, .. } => {
            let panic = payload.unwrap_or_else(|| "no message".to_owned());
            tell(ctx, &anyhow::anyhow!("a command panicked: {panic}")).await;
        }
        FrameworkError::GuildOnly { ctx, .. } => {
            let sentence =
                "This works only in a channel of a server, because sessions live in threads there.";
            greet_and_tell(ctx, &UserError(sentence.to_owned()).into()).await;
        }
        FrameworkError::ArgumentParse { error, input, ctx, .. } => {
            let what = input.map_or_else(String::new, |input| {
                format!(" `{}`", input.chars().take(60).collect::<String>())
            });
            greet_and_tell(ctx, &UserError(format!("I cannot read{what}: {error}")).into()).await;
        }
        FrameworkError::CommandStructureMismatch { description, ctx, .. } => {
            tracing::warn!(description, "Discord still has an older form of a command");
            let sentence = "This command was just changed. Reload Discord (Ctrl+R, or restart the app) and use it again.";
            let ctx = poise::Context::Application(ctx);
            greet_and_tell(ctx, &UserError(sentence.to_owned()).into()).await;
        }
        other => {
            if let Some(ctx) = other.ctx() {
                greet_and_tell(ctx, &anyhow::anyhow!("{other}")).await;
            } else {
                tracing::warn!(error = %other, "something that has no command went wrong");
            }
        }
    }
}

/// Acknowledges a command whose own code never ran.
async fn greet(ctx: poise::Context<'_, Data, Error>) -> Result<(), AnsweredElsewhere> {
    let poise::Context::Application(ctx) = ctx else { return Ok(()) };
    Call::command(ctx.data(), ctx.interaction).defer().await
}

async fn tell(ctx: poise::Context<'_, Data, Error>, error: &Error) {
    if error.is::<AnsweredElsewhere>() {
        // Whoever answered says the rest.
        return;
    }
    if let poise::Context::Application(ctx) = ctx {
        Call::command(ctx.data(), ctx.interaction).fail(error).await;
    }
}

/// Acknowledges a command whose own code never ran, and says why.
async fn greet_and_tell(ctx: poise::Context<'_, Data, Error>, error: &Error) {
    if greet(ctx).await.is_ok() {
        tell(ctx, error).await;
    }
}
