//! /mediate.

use std::time::Duration;

use poise::serenity_prelude as serenity;

use super::{Call, Context, begin, in_thread, place, voting::Chosen};
use crate::{
    bot::{Error, reply::actor},
    discord,
    domain::{InteractionId, MODULES, ModelName, Panel, Problem, SessionId, parse_modules, parse_weights},
    error::UserError,
    render,
    session::{Request, Wanted},
};

/// How long the answer waits for the thread to be there, so that it can link to it.
const THREAD_PATIENCE: Duration = Duration::from_secs(5);

/// Specialists look at your problem from several sides, read one another, and a mediator sums it up.
#[poise::command(slash_command)]
#[allow(clippy::too_many_arguments)] // each is an option that members see
pub(super) async fn mediate(
    ctx: Context<'_>,
    #[description = "What has to be decided, in a sentence or more (up to 4,000 characters)"] problem: String,
    #[description = "Who looks at it: market, cost, risk unless you choose (see /modules)"]
    #[autocomplete = "complete_modules"]
    modules: Option<String>,
    #[description = "How much each counts, such as legal=2 cost=0 (0 leaves a module out)"] weights: Option<
        String,
    >,
    #[description = "One model for all seats instead of the usual panel"]
    #[autocomplete = "complete_model"]
    model: Option<String>,
    #[description = "A text or Markdown file that everybody reads"] document: Option<serenity::Attachment>,
    #[description = "How many hours the team can vote (24 unless the server says otherwise)"]
    #[min = 1]
    #[max = 336]
    vote_hours: Option<i64>,
    #[description = "Who may vote: everyone, a role, or members, as mentions"] voters: Option<String>,
    #[description = "How many have to vote for the result to bind"]
    #[min = 0]
    #[max = 1000]
    quorum: Option<i64>,
) -> Result<(), Error> {
    let call = begin(ctx).await;
    let voting = Chosen { hours: vote_hours, voters: voters.as_deref(), quorum };
    let request =
        check(ctx, &problem, modules.as_deref(), weights.as_deref(), model.as_deref(), document, voting)
            .await?;
    let session = ctx.data().sessions.start(request).await?;
    answer(ctx, &call, &session).await
}

async fn check(
    ctx: Context<'_>,
    problem: &str,
    modules: Option<&str>,
    weights: Option<&str>,
    model: Option<&str>,
    document: Option<serenity::Attachment>,
    voting: Chosen<'_>,
) -> anyhow::Result<Request> {
    let (guild, channel) = place(ctx)?;
    if in_thread(ctx) {
        return UserError::of(
            "I cannot open a thread inside a thread. Use `/mediate` in a channel; in a session's thread, `/ask` takes questions.",
        );
    }
    let missing = discord::missing(ctx.interaction.app_permissions.unwrap_or_default().bits());
    if !missing.is_empty() {
        return UserError::of(format!(
            "I lack a permission in this channel: {}. Somebody who manages the server has to give it to me.",
            missing.join(", ")
        ));
    }
    let problem = Problem::new(problem).map_err(user)?;
    let modules = parse_modules(modules.unwrap_or_default()).map_err(user)?;
    let weights = parse_weights(weights.unwrap_or_default()).map_err(user)?;
    let settings = ctx.data().sessions.guild_settings(guild).await?;
    let voting = voting.over(settings.voting, guild)?;
    let modules = if modules.is_empty() { settings.modules } else { modules };
    let panel = Panel::seat(&modules, &weights).map_err(user)?;
    let model = model.map(|name| chosen_model(ctx, name)).transpose()?;
    let document = match document {
        Some(file) => Some(
            ctx.data()
                .documents
                .fetch(&file.url, &file.filename, u64::from(file.size))
                .await
                .map_err(user)?,
        ),
        None => None,
    };
    let by = actor(
        InteractionId(ctx.interaction.id.get()),
        &ctx.interaction.user,
        ctx.interaction.member.as_deref(),
    );
    Ok(Request {
        actor: by,
        guild,
        channel,
        problem,
        wanted: Wanted::Mediate(panel),
        document,
        model,
        voting,
    })
}

fn chosen_model(ctx: Context<'_>, name: &str) -> anyhow::Result<ModelName> {
    let models = ctx.data().sessions.models();
    if let Some(model) = models.iter().find(|model| model.to_string() == name.trim()) {
        return Ok(model.clone());
    }
    let names: Vec<String> = models.iter().map(|model| format!("`{model}`")).collect();
    let name: String = name.chars().take(60).collect();
    UserError::of(format!("`{name}` is not one of the models here: {}.", names.join(", ")))
}

async fn answer(ctx: Context<'_>, call: &Call<'_>, session: &SessionId) -> Result<(), Error> {
    match ctx.data().sessions.thread_of(session, THREAD_PATIENCE).await? {
        Some(thread) => call.finish(&[render::notices::started(thread)]).await,
        None => call.finish_with("It has begun. Its thread opens in this channel in a moment.").await,
    }
}

/// Completes the last name of a list of modules.
#[allow(clippy::unused_async)] // poise calls it so
async fn complete_modules(_ctx: Context<'_>, partial: &str) -> serenity::CreateAutocompleteResponse {
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

#[allow(clippy::unused_async)] // poise calls it so
async fn complete_model(ctx: Context<'_>, partial: &str) -> serenity::CreateAutocompleteResponse {
    let models = ctx.data().sessions.models().into_iter().map(|model| model.to_string());
    let fits = models.filter(|name| name.contains(partial.trim()) && name.chars().count() <= 100);
    let choices = fits.take(25).map(|name| serenity::AutocompleteChoice::new(name.clone(), name)).collect();
    serenity::CreateAutocompleteResponse::new().set_choices(choices)
}

fn user(error: impl std::fmt::Display) -> anyhow::Error {
    UserError(error.to_string()).into()
}
