//! What every command that opens a session has in common: where it may be used, its problem and document, its model,
//! and the answer with the thread.

use poise::serenity_prelude as serenity;

use super::{Call, Context, place, venue::venue};
use crate::{
    bot::{
        Error,
        reply::{THREAD_PATIENCE, actor},
    },
    discord,
    domain::{GuildId, GuildSettings, InteractionId, ModelName, Problem},
    error::UserError,
    render,
    session::{Actor, Home, Request},
};

/// Where and by whom a session is opened.
pub(super) struct Opened {
    pub(super) actor: Actor,
    pub(super) guild: GuildId,
    pub(super) channel: Home,
    pub(super) settings: GuildSettings,
}

/// Checks that a session can begin here, and that whoever wants one may start it now. In a session's thread, one that goes on
/// with its document begins in the channel that the thread hangs from.
pub(super) async fn admit(ctx: Context<'_>, with_document_here: bool) -> anyhow::Result<Opened> {
    let (guild, _) = place(ctx)?;
    let channel = venue(ctx, with_document_here).await?;
    let mut missing = discord::missing(ctx.interaction.app_permissions.unwrap_or_default().bits());
    // It needs no thread of its own there.
    missing.retain(|name| channel.inside.is_none() || *name != discord::CREATE_THREADS);
    if !missing.is_empty() {
        return UserError::of(format!(
            "I lack a permission in this channel: {}. Somebody who manages the server has to give it to me.",
            missing.join(", ")
        ));
    }
    let actor = actor(
        InteractionId(ctx.interaction.id.get()),
        &ctx.interaction.user,
        ctx.interaction.member.as_deref(),
    );
    let settings = ctx.data().sessions.admit(&actor, guild).await?;
    Ok(Opened { actor, guild, channel, settings })
}

/// What has to be decided, as it was typed.
pub(super) fn problem(text: &str) -> anyhow::Result<Problem> {
    Problem::new(text).map_err(user)
}

/// The one model that was asked for, if it is one there is.
pub(super) fn model(ctx: Context<'_>, name: Option<&str>) -> anyhow::Result<Option<ModelName>> {
    let Some(name) = name else { return Ok(None) };
    let models = ctx.data().sessions.models();
    if let Some(model) = models.iter().find(|model| model.to_string() == name.trim()) {
        return Ok(Some(model.clone()));
    }
    let names: Vec<String> = models.iter().map(|model| format!("`{model}`")).collect();
    let name: String = name.chars().take(60).collect();
    UserError::of(format!("`{name}` is not one of the models here: {}.", names.join(", ")))
}

/// Starts a session, and says where it is and which parts of its document nobody gets to read.
pub(super) async fn start(ctx: Context<'_>, call: &Call<'_>, request: Request) -> Result<(), Error> {
    let sessions = &ctx.data().sessions;
    let omissions = request.document.as_ref().map(|document| document.omissions.clone()).unwrap_or_default();
    let session = sessions.start(request).await?;
    let thread = sessions.thread_of(&session, THREAD_PATIENCE).await?;
    call.finish(&[render::notices::started(thread, &omissions)]).await
}

#[allow(clippy::unused_async)] // poise calls it so
pub(super) async fn complete_model(ctx: Context<'_>, partial: &str) -> serenity::CreateAutocompleteResponse {
    let models = ctx.data().sessions.models().into_iter().map(|model| model.to_string());
    let fits = models.filter(|name| name.contains(partial.trim()) && name.chars().count() <= 100);
    let choices = fits.take(25).map(|name| serenity::AutocompleteChoice::new(name.clone(), name)).collect();
    serenity::CreateAutocompleteResponse::new().set_choices(choices)
}

/// A sentence for the person, made of an error of the domain.
pub(super) fn user(error: impl std::fmt::Display) -> anyhow::Error {
    UserError(error.to_string()).into()
}
