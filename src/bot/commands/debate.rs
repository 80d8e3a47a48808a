//! /debate.

use poise::serenity_prelude as serenity;

use super::{
    Context, begin,
    choice::Choice,
    given::Given,
    opening::{self, Opened, complete_model, user},
    voting::Chosen,
};
use crate::{
    bot::Error,
    domain::{Effort, Preset, Searching, debatable},
    session::{Request, Wanted},
};

/// Pro and Con argue a question; a moderator sums up what it depends on and never picks a winner.
#[poise::command(slash_command)]
#[allow(clippy::too_many_arguments)] // the command's options
pub(super) async fn debate(
    ctx: Context<'_>,
    #[description = "A question to be for or against, such as: Should we move to a four-day week? (up to 500 characters)"]
    proposition: String,
    #[description = "How long it is; full unless you choose"] preset: Option<Choice<Preset>>,
    #[description = "A file that both sides read: PDF, Office, EPUB, HTML, text or code (up to 25 MB)"]
    document: Option<serenity::Attachment>,
    #[description = "How much is asked for: brief, standard or deep (standard unless the server says otherwise)"]
    effort: Option<Choice<Effort>>,
    #[description = "One model for all seats of the panel; mediator and checks stay as set"]
    #[autocomplete = "complete_model"]
    model: Option<String>,
    #[description = "Whether both sides search the web for their cases (they do, unless the server says otherwise)"]
    search: Option<bool>,
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
    #[description = "A second file; all of them are read as one document"] document2: Option<
        serenity::Attachment,
    >,
    #[description = "A third file"] document3: Option<serenity::Attachment>,
    #[description = "A link to a message of this server, to be read with its files"] message: Option<String>,
    #[description = "In a session's thread: go on with the document of that session, in a new thread"]
    thread_document: Option<bool>,
) -> Result<(), Error> {
    let call = begin(ctx).await;
    let given = Given::of([document, document2, document3], message, thread_document);
    let Opened { actor, guild, channel, settings } = opening::admit(ctx, given.of_thread).await?;
    let problem = debatable(&proposition).map_err(user)?;
    let voting =
        Chosen { hours: vote_hours, voters: voters.as_deref(), quorum }.over(settings.voting, guild)?;
    let model = opening::model(ctx, model.as_deref())?;
    let document = given.read(ctx).await?;
    let searching = if search.unwrap_or(settings.search) { Searching::On } else { Searching::Off };
    let wanted = Wanted::debate(preset.map(|Choice(preset)| preset).unwrap_or_default(), searching);
    let request = Request {
        actor,
        guild,
        channel,
        problem,
        wanted,
        document,
        model,
        effort: effort.map(|Choice(effort)| effort),
        voting,
    };
    opening::start(ctx, &call, request).await
}
