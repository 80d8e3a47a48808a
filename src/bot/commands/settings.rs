//! /settings, for those who manage the server. Its options come from the table of settings.

use std::borrow::Cow;

use poise::{SlashArgument as _, serenity_prelude as serenity};

use super::{Call, Context, begin, opening::complete_modules, place};
use crate::{
    bot::{Data, Error, reply::actor},
    error::UserError,
    render,
    session::Actor,
};
use domain::{
    Grant, GuildId, RoleId, SETTING_GROUPS, Setting, SettingChange, SettingGroup, SettingOption, Typed,
};

/// The last choice of a reset, which is no setting's title.
const EVERYTHING: &str = "Everything";

/// The command with a subcommand for each group of settings.
pub(super) fn settings() -> poise::Command<Data, Error> {
    let of_group = |group: &'static SettingGroup| poise::Command {
        name: group.name.into(),
        description: Some(group.help.into()),
        parameters: group.settings.iter().map(option).collect(),
        ..change()
    };
    let mut subcommands = vec![show()];
    subcommands.extend(SETTING_GROUPS.iter().map(of_group));
    subcommands.extend([poise::Command { parameters: vec![choice()], ..reset() }, log()]);
    poise::Command { subcommands, ..root() }
}

/// The option that changes a setting.
fn option(setting: &'static Setting) -> poise::CommandParameter<Data, Error> {
    let type_setter = match setting.option {
        SettingOption::Role(_) => serenity::Role::create,
        SettingOption::Number(_) => i64::create,
        SettingOption::Switch(_) => bool::create,
        SettingOption::Text(_) | SettingOption::Models(_) | SettingOption::Modules(_) => String::create,
    };
    let mut option = parameter(setting.name, setting.help, type_setter);
    match setting.option {
        SettingOption::Models(_) => {
            option.autocomplete_callback = Some(|ctx, partial| Box::pin(complete_models(ctx, partial)));
        }
        SettingOption::Modules(_) => {
            option.autocomplete_callback = Some(|ctx, partial| Box::pin(complete_modules(ctx, partial)));
        }
        _ => {}
    }
    option
}

/// The option of a reset: which setting, by its place among all. There are more than the 25 that Discord lets one choose from
/// at once, so they are found by typing.
fn choice() -> poise::CommandParameter<Data, Error> {
    let integer = |option: serenity::CreateCommandOption| option.kind(serenity::CommandOptionType::Integer);
    poise::CommandParameter {
        required: true,
        autocomplete_callback: Some(|_, partial| Box::pin(std::future::ready(complete_setting(partial)))),
        ..parameter("setting", "Which one: type a part of its name", integer)
    }
}

fn complete_setting(partial: &str) -> serenity::CreateAutocompleteResponse {
    let partial = partial.trim().to_lowercase();
    let titles = Setting::all().map(|setting| setting.title).chain([EVERYTHING]);
    let fits = titles.enumerate().filter(|(_, title)| title.to_lowercase().contains(&partial));
    let choices = fits.take(25).map(|(place, title)| serenity::AutocompleteChoice::new(title, place));
    serenity::CreateAutocompleteResponse::new().set_choices(choices.collect())
}

fn parameter(
    name: &'static str,
    description: &'static str,
    type_setter: fn(serenity::CreateCommandOption) -> serenity::CreateCommandOption,
) -> poise::CommandParameter<Data, Error> {
    poise::CommandParameter {
        name: name.into(),
        name_localizations: Cow::default(),
        description: Some(description.into()),
        description_localizations: Cow::default(),
        required: false,
        channel_types: None,
        choices: Cow::default(),
        type_setter: Some(type_setter),
        autocomplete_callback: None,
        __non_exhaustive: (),
    }
}

/// How I work on this server: who may do what, models, votes, budgets, language. For its managers.
#[poise::command(slash_command, guild_only, default_member_permissions = "MANAGE_GUILD", rename = "settings")]
#[allow(clippy::unused_async)]
async fn root(_ctx: Context<'_>) -> Result<(), Error> {
    Ok(())
}

/// Every setting: what it is, what it means, who changed it last.
#[poise::command(slash_command, guild_only)]
async fn show(ctx: Context<'_>) -> Result<(), Error> {
    let (call, guild, _) = managed(ctx).await?;
    call.finish(&ctx.data().sessions.show_settings(guild, &SETTING_GROUPS).await?).await
}

/// Changes what is given of a group of settings; shows the group where nothing is.
#[poise::command(slash_command, guild_only)]
async fn change(ctx: Context<'_>) -> Result<(), Error> {
    let (call, guild, by) = managed(ctx).await?;
    let Some(group) = SettingGroup::find(&ctx.command().name) else { return outdated() };
    let mut changes = Vec::new();
    for setting in group.settings {
        if let Some(given) = ctx.args.iter().find(|given| given.name == setting.name) {
            changes.push(setting.to(typed(guild, &given.value)?));
        }
    }
    if changes.is_empty() {
        let shown = ctx.data().sessions.show_settings(guild, std::slice::from_ref(group)).await?;
        return call.finish(&shown).await;
    }
    make(ctx, &call, (guild, by), changes).await
}

/// Set a setting back to how it was before anybody changed it.
#[poise::command(slash_command, guild_only)]
async fn reset(ctx: Context<'_>) -> Result<(), Error> {
    let (call, guild, by) = managed(ctx).await?;
    let Some(serenity::ResolvedValue::Integer(place)) = ctx.args.first().map(|given| &given.value) else {
        return outdated();
    };
    let one = usize::try_from(*place).ok().and_then(|place| Setting::all().nth(place));
    let which = one.map_or_else(|| Setting::all().collect(), |one| vec![one]);
    make(ctx, &call, (guild, by), which.into_iter().map(Setting::reset).collect()).await
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
    let call = begin(ctx).await?;
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

/// Makes the changes and says what they are.
async fn make(
    ctx: Context<'_>,
    call: &Call<'_>,
    (guild, by): (GuildId, Actor),
    changes: Vec<SettingChange>,
) -> Result<(), Error> {
    let said = ctx.data().sessions.change_settings(guild, by, changes).await?;
    call.finish(&[render::settings::changed(&said)]).await
}

fn typed(guild: GuildId, value: &serenity::ResolvedValue<'_>) -> anyhow::Result<Typed> {
    Ok(match value {
        serenity::ResolvedValue::Role(role) => Typed::Role(grant(guild, role)?),
        serenity::ResolvedValue::Integer(number) => Typed::Number(*number),
        serenity::ResolvedValue::Boolean(on) => Typed::Switch(*on),
        serenity::ResolvedValue::String(text) => Typed::Text((*text).to_owned()),
        _ => return outdated(),
    })
}

fn outdated<T>() -> anyhow::Result<T> {
    UserError::of(
        "This command was just changed. Reload Discord (Ctrl+R, or restart the app) and use it again.",
    )
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
