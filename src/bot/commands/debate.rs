//! /debate.

use poise::serenity_prelude as serenity;

use super::{
    Context, begin,
    opening::{self, ChosenEffort, Opened, complete_model, user},
    voting::Chosen,
};
use crate::{
    bot::Error,
    domain::{Preset, debatable},
    session::{Request, Wanted},
};

/// How long a debate is, as members choose it: by name, for poise's own choices go by their place in the list, and a
/// Discord that still shows an older list would mean another one.
pub(super) struct Length(Preset);

#[serenity::async_trait]
impl poise::SlashArgument for Length {
    async fn extract(
        _: &serenity::Context,
        _: &serenity::CommandInteraction,
        value: &serenity::ResolvedValue<'_>,
    ) -> Result<Self, poise::SlashArgError> {
        let serenity::ResolvedValue::String(text) = value else {
            return Err(poise::SlashArgError::new_command_structure_mismatch("expected string"));
        };
        let preset = [Preset::Full, Preset::Quick].into_iter().find(|preset| preset.as_str() == *text);
        match preset {
            Some(preset) => Ok(Self(preset)),
            None => Err(poise::SlashArgError::new_command_structure_mismatch("no such preset")),
        }
    }

    fn create(option: serenity::CreateCommandOption) -> serenity::CreateCommandOption {
        option
            .kind(serenity::CommandOptionType::String)
            .add_string_choice("full: six phases, with cross-examination", Preset::Full.as_str())
            .add_string_choice(
                "quick: opening, one round of arguments, rebuttal, synthesis",
                Preset::Quick.as_str(),
            )
    }
}

/// Pro and Con argue a question; a moderator sums up what it depends on and never picks a winner.
#[poise::command(slash_command)]
#[allow(clippy::too_many_arguments)] // the command's options
pub(super) async fn debate(
    ctx: Context<'_>,
    #[description = "A question to be for or against, such as: Should we move to a four-day week? (up to 500 characters)"]
    proposition: String,
    #[description = "How long it is; full unless you choose"] preset: Option<Length>,
    #[description = "A file that both sides read: text, Markdown, PDF, DOCX, ODT, HTML or code (up to 25 MB)"]
    document: Option<serenity::Attachment>,
    #[description = "How much is asked for: brief, standard or deep (standard unless the server says otherwise)"]
    effort: Option<ChosenEffort>,
    #[description = "One model for all seats of the panel; mediator and checks stay as set"]
    #[autocomplete = "complete_model"]
    model: Option<String>,
    #[description = "How many hours the team can vote afterwards (24 unless the server says otherwise)"]
    #[min = 1]
    #[max = 336]
    vote_hours: Option<i64>,
    #[description = "Who may vote before and after: everyone, a role, or members, as mentions"]
    voters: Option<String>,
    #[description = "How many have to vote afterwards for the result to count as the team's"]
    #[min = 0]
    #[max = 1000]
    quorum: Option<i64>,
) -> Result<(), Error> {
    let call = begin(ctx).await;
    let Opened { actor, guild, channel, settings } = opening::admit(ctx).await?;
    let problem = debatable(&proposition).map_err(user)?;
    let voting =
        Chosen { hours: vote_hours, voters: voters.as_deref(), quorum }.over(settings.voting, guild)?;
    let model = opening::model(ctx, model.as_deref())?;
    let document = opening::document(ctx, document).await?;
    let wanted = Wanted::debate(preset.map(|Length(preset)| preset).unwrap_or_default());
    let request = Request {
        actor,
        guild,
        channel,
        problem,
        wanted,
        document,
        model,
        effort: effort.map(|ChosenEffort(effort)| effort),
        voting,
    };
    opening::start(ctx, &call, request).await
}
