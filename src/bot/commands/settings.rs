//! /settings, for those who manage the server.

use poise::serenity_prelude as serenity;

use super::{Call, Context, begin, mediate::complete_modules, place};
use crate::{
    bot::{Error, reply::actor},
    domain::{Edit, EditError, Electorate, Grant, GuildId, Part, RoleId, Setting},
    error::UserError,
    render,
    session::Actor,
};

/// How I work on this server: who may do what, models, votes, budgets, language. For its managers.
#[poise::command(
    slash_command,
    guild_only,
    default_member_permissions = "MANAGE_GUILD",
    subcommands("show", "people", "models", "voting", "budget", "answers", "reset", "log"),
    subcommand_required
)]
#[allow(clippy::unused_async)]
pub(super) async fn settings(_ctx: Context<'_>) -> Result<(), Error> {
    Ok(())
}

/// Every setting: what it is, what it means, who changed it last.
#[poise::command(slash_command, guild_only)]
async fn show(ctx: Context<'_>) -> Result<(), Error> {
    let (call, guild, _) = managed(ctx).await?;
    call.finish(&ctx.data().sessions.show_settings(guild, &Part::ALL).await?).await
}

/// Who may start sessions, vote and decide. Give only what you want to change.
#[poise::command(slash_command, guild_only)]
async fn people(
    ctx: Context<'_>,
    #[description = "The role whose members may start sessions; @everyone lets all"] start: Option<
        serenity::Role,
    >,
    #[description = "The role whose members may vote; @everyone lets all"] vote: Option<serenity::Role>,
    #[description = "The role that closes votes and records decisions; /settings reset: who started it"]
    decide: Option<serenity::Role>,
) -> Result<(), Error> {
    let (call, guild, by) = managed(ctx).await?;
    let mut edits = Vec::new();
    if let Some(role) = start {
        edits.push(Edit::Start(grant(guild, &role)?));
    }
    if let Some(role) = vote {
        edits.push(Edit::Vote(match grant(guild, &role)? {
            Grant::Role(role) => Electorate::Role(role),
            Grant::Everyone | Grant::Starter => Electorate::Everyone,
        }));
    }
    if let Some(role) = decide {
        edits.push(Edit::Decide(grant(guild, &role)?));
    }
    change(ctx, &call, (guild, by), Part::People, edits).await
}

/// Which models are asked, and from which sides. Give only what you want to change.
#[poise::command(slash_command, guild_only)]
async fn models(
    ctx: Context<'_>,
    #[description = "The panel's models, commas between; `default`: all the bot has"]
    #[autocomplete = "complete_models"]
    models: Option<String>,
    #[description = "Modules of /mediate when nobody chooses, commas between; `default`: the usual ones"]
    #[autocomplete = "complete_modules"]
    modules: Option<String>,
) -> Result<(), Error> {
    let (call, guild, by) = managed(ctx).await?;
    let there = ctx.data().sessions.models();
    let models = models.map(|text| Edit::models(&text, &there));
    let edits = valid([models, modules.map(|text| Edit::modules(&text))])?;
    change(ctx, &call, (guild, by), Part::Models, edits).await
}

/// How votes are held. Give only what you want to change.
#[poise::command(slash_command, guild_only)]
async fn voting(
    ctx: Context<'_>,
    #[description = "How many hours a vote stays open: 1 to 336"] hours: Option<i64>,
    #[description = "How many ballots make it binding: 0 to 1,000; 0 asks for none"] quorum: Option<i64>,
    #[description = "Whether everybody sees how it stands while it is open"] standings: Option<bool>,
    #[description = "How many hours before its end it reminds: 0 to 335; 0 never does"]
    reminder_hours: Option<i64>,
    #[description = "Whether that reminder may ping who may vote"] reminder_pings: Option<bool>,
) -> Result<(), Error> {
    let (call, guild, by) = managed(ctx).await?;
    let edits = valid([
        hours.map(Edit::hours),
        quorum.map(Edit::quorum),
        standings.map(|live| Ok(Edit::Standings(live))),
        reminder_hours.map(Edit::reminder),
        reminder_pings.map(|ping| Ok(Edit::Pings(ping))),
    ])?;
    change(ctx, &call, (guild, by), Part::Voting, edits).await
}

/// What sessions may use. Give only what you want to change; `default` takes a limit away.
#[poise::command(slash_command, guild_only)]
async fn budget(
    ctx: Context<'_>,
    #[description = "Most a session may cost in US dollars, such as 1.50, or `default`"] session_usd: Option<
        String,
    >,
    #[description = "Most calls of a session, such as 40, or `default`"] session_calls: Option<String>,
    #[description = "Most all sessions may cost in a month in US dollars, such as 20, or `default`"]
    month_usd: Option<String>,
    #[description = "Most calls of all sessions in a month, such as 2000, or `default`"] month_calls: Option<
        String,
    >,
) -> Result<(), Error> {
    let (call, guild, by) = managed(ctx).await?;
    let edits = valid([
        session_usd.map(|text| Edit::session_money(&text)),
        session_calls.map(|text| Edit::session_calls(&text)),
        month_usd.map(|text| Edit::month_money(&text)),
        month_calls.map(|text| Edit::month_calls(&text)),
    ])?;
    change(ctx, &call, (guild, by), Part::Budget, edits).await
}

/// The language of answers, and how long sessions are kept. Give only what you want to change.
#[poise::command(slash_command, guild_only)]
async fn answers(
    ctx: Context<'_>,
    #[description = "Such as German, Deutsch or العربية; `problem`: the language of the problem"]
    language: Option<String>,
    #[description = "Days after its end until a session is deleted: 1 to 3,650; 0 keeps it for ever"]
    retention_days: Option<i64>,
) -> Result<(), Error> {
    let (call, guild, by) = managed(ctx).await?;
    let edits = valid([language.map(|text| Edit::language(&text)), retention_days.map(Edit::retention)])?;
    change(ctx, &call, (guild, by), Part::Answers, edits).await
}

/// Set a setting back to how it was before anybody changed it.
#[poise::command(slash_command, guild_only)]
async fn reset(
    ctx: Context<'_>,
    #[description = "Which one"]
    #[choices(
        "Who may start sessions",
        "Who may vote",
        "Who may decide",
        "Models",
        "Modules of /mediate",
        "How long votes stay open",
        "Quorum",
        "Standings of an open vote",
        "Reminder before a vote closes",
        "Pings of the reminder",
        "Most a session may cost",
        "Most calls of a session",
        "Most all sessions may cost in a month",
        "Most calls of all sessions in a month",
        "Language of answers",
        "How long sessions are kept",
        "Everything"
    )]
    setting: &'static str,
) -> Result<(), Error> {
    let (call, guild, by) = managed(ctx).await?;
    // The last choice is no setting's title.
    let one = Setting::ALL.into_iter().find(|one| one.title() == setting);
    let (part, which) = one.map_or((Part::People, Setting::ALL.to_vec()), |one| (one.part(), vec![one]));
    change(ctx, &call, (guild, by), part, which.into_iter().map(Edit::Reset).collect()).await
}

/// The last changes: who changed what, when.
#[poise::command(slash_command, guild_only)]
async fn log(ctx: Context<'_>) -> Result<(), Error> {
    let (call, guild, _) = managed(ctx).await?;
    call.finish(&ctx.data().sessions.settings_log(guild).await?).await
}

/// The acknowledged call, its server, and who it is by, if they manage the server. Discord hides the command
/// from others, but a server can show it to whom it likes.
async fn managed(ctx: Context<'_>) -> anyhow::Result<(Call<'_>, GuildId, Actor)> {
    let call = begin(ctx).await;
    let (guild, _) = place(ctx)?;
    let member = ctx.interaction.member.as_deref();
    let has = member.and_then(|member| member.permissions).unwrap_or_default();
    if !has.administrator() && !has.manage_guild() {
        return UserError::of(
            "Settings are for those with the permission Manage Server. Ask one of them to change what you need.",
        );
    }
    let by = actor(call.interaction, &ctx.interaction.user, member);
    Ok((call, guild, by))
}

/// Makes the changes and says what they are; shows the part where nothing was given.
async fn change(
    ctx: Context<'_>,
    call: &Call<'_>,
    (guild, by): (GuildId, Actor),
    part: Part,
    edits: Vec<Edit>,
) -> Result<(), Error> {
    let sessions = &ctx.data().sessions;
    if edits.is_empty() {
        return call.finish(&sessions.show_settings(guild, &[part]).await?).await;
    }
    let said = sessions.change_settings(guild, by, edits).await?;
    call.finish(&[render::settings::changed(&said)]).await
}

/// The edits that were asked for, or the sentence about the first that cannot be.
fn valid(asked: impl IntoIterator<Item = Option<Result<Edit, EditError>>>) -> anyhow::Result<Vec<Edit>> {
    let edits: Result<Vec<Edit>, EditError> = asked.into_iter().flatten().collect();
    edits.map_err(|error| UserError(error.to_string()).into())
}

/// Whom a chosen role stands for. `@everyone` is the role that has the server's own id.
fn grant(guild: GuildId, role: &serenity::Role) -> anyhow::Result<Grant> {
    if role.id.get() == guild.0 {
        return Ok(Grant::Everyone);
    }
    if role.tags.bot_id.is_some() {
        return UserError::of(format!(
            "<@&{}> belongs to a bot, so no member can have it. Choose a role that members have, or @everyone.",
            role.id
        ));
    }
    Ok(Grant::Role(RoleId(role.id.get())))
}

/// Completes the last name of a list of models.
#[allow(clippy::unused_async)] // poise calls it so
async fn complete_models(ctx: Context<'_>, partial: &str) -> serenity::CreateAutocompleteResponse {
    let (before, last) =
        partial.rsplit_once([' ', ',']).map_or(("", partial), |(before, last)| (before.trim(), last.trim()));
    let before: Vec<&str> = before.split([' ', ',']).filter(|name| !name.is_empty()).collect();
    let models = ctx.data().sessions.models().into_iter().map(|model| model.to_string());
    let fits = models.filter(|name| name.contains(last) && !before.contains(&name.as_str()));
    let mut choices: Vec<String> = fits
        .map(|name| before.iter().copied().chain([name.as_str()]).collect::<Vec<_>>().join(", "))
        .collect();
    if before.is_empty() && "default".starts_with(last) {
        choices.push("default".to_owned());
    }
    choices.retain(|choice| choice.chars().count() <= 100);
    choices.truncate(25);
    let choices = choices.into_iter().map(|list| serenity::AutocompleteChoice::new(list.clone(), list));
    serenity::CreateAutocompleteResponse::new().set_choices(choices.collect())
}
