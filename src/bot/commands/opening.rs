//! What every command that opens a session has in common: where it may be used, its model, and the answer with the
//! thread.

use poise::serenity_prelude as serenity;

use super::{Caller, Context, Data, venue::venue};
use crate::{
    bot::reply::THREAD_PATIENCE,
    error::UserError,
    render,
    session::{Actor, Request},
};
use domain::{GuildId, GuildSettings, Home, MODULES, ModelName, Omission, Post, SessionId};

/// Where and by whom a session is opened.
pub(super) struct Opened {
    pub(super) actor: Actor,
    pub(super) guild: GuildId,
    pub(super) channel: Home,
    pub(super) settings: GuildSettings,
}

/// Checks that a session can begin here, and that whoever wants one may start it now. In a session's thread, one that goes on
/// with its document or with a message there begins `beside` that. `used` is what they use, as a sentence names it.
pub(super) async fn admit(caller: &Caller<'_>, beside: bool, used: &str) -> anyhow::Result<Opened> {
    let (guild, _) = caller.place()?;
    let channel = venue(caller, beside, used).await?;
    caller.allowed().begin(channel)?;
    let actor = caller.actor();
    let settings = caller.data.sessions.admit(&actor, guild).await?;
    Ok(Opened { actor, guild, channel, settings })
}

/// The one model that was asked for, if it is one there is.
pub(super) fn model(data: &Data, name: Option<&str>) -> anyhow::Result<Option<ModelName>> {
    let Some(name) = name else { return Ok(None) };
    let models = data.sessions.models();
    if let Some(model) = models.iter().find(|model| model.to_string() == name.trim()) {
        return Ok(Some(model.clone()));
    }
    let names: Vec<String> = models.iter().map(|model| format!("`{model}`")).collect();
    let name: String = name.chars().take(60).collect();
    UserError::of(format!("`{name}` is not one of the models here: {}.", names.join(", ")))
}

/// Whether somebody could start a session on a message here and now.
pub(in crate::bot) async fn may_begin(caller: &Caller<'_>, used: &str) -> anyhow::Result<()> {
    admit(caller, true, used).await.map(drop)
}

/// Starts a session, and says where it is and which parts of its document nobody gets to read.
pub(super) async fn start(caller: &Caller<'_>, request: Request) -> anyhow::Result<Post> {
    let omissions = request.document.as_ref().map(|document| document.omissions.clone()).unwrap_or_default();
    let session = caller.data.sessions.start(request).await?;
    started(caller.data, &session, &omissions).await
}

/// Says where a session is, once its thread is there.
pub(in crate::bot) async fn started(
    data: &Data,
    session: &SessionId,
    omissions: &[Omission],
) -> anyhow::Result<Post> {
    let thread = data.sessions.thread_of(session, THREAD_PATIENCE).await?;
    Ok(render::notices::started(thread, omissions))
}

#[allow(clippy::unused_async)] // poise calls it so
pub(super) async fn complete_model(ctx: Context<'_>, partial: &str) -> serenity::CreateAutocompleteResponse {
    let models = ctx.data().sessions.models().into_iter().map(|model| model.to_string());
    let fits = models.filter(|name| name.contains(partial.trim()) && name.chars().count() <= 100);
    let choices = fits.take(25).map(|name| serenity::AutocompleteChoice::new(name.clone(), name)).collect();
    serenity::CreateAutocompleteResponse::new().set_choices(choices)
}

/// Completes the last name of a list of modules.
#[allow(clippy::unused_async)] // poise calls it so
pub(super) async fn complete_modules(
    _ctx: Context<'_>,
    partial: &str,
) -> serenity::CreateAutocompleteResponse {
    let (before, last) =
        partial.rsplit_once([' ', ',']).map_or(("", partial), |(before, last)| (before.trim(), last));
    let chosen: Vec<&str> = before.split([' ', ',']).filter(|name| !name.is_empty()).collect();
    let fits = |name: &str| name.starts_with(&last.trim().to_lowercase()) && !chosen.contains(&name);
    let choices = MODULES
        .iter()
        .filter(|module| fits(module.name))
        .map(|module| {
            let mut names = chosen.clone();
            names.push(module.name);
            let value = names.join(", ");
            let shown: String = format!("{value} ({})", module.looks_at).chars().take(100).collect();
            serenity::AutocompleteChoice::new(shown, value)
        })
        .collect();
    serenity::CreateAutocompleteResponse::new().set_choices(choices)
}

/// A sentence for the person, made of an error of the domain.
pub(super) fn user(error: impl std::fmt::Display) -> anyhow::Error {
    UserError(error.to_string()).into()
}
