//! /debate.

use poise::serenity_prelude as serenity;
use serde::{Deserialize, Serialize};

use super::{
    By, Context,
    altered::one_of,
    choice::Choice,
    given::Given,
    opening::complete_model,
    voting::Chosen,
    wish::{Usual, Wish, begun},
};
use crate::{bot::Error, session::Wanted};
use domain::{Effort, GuildSettings, OptionName, OptionWords, Preset, Searching};

/// Pro and Con argue a question; a moderator sums up what it depends on and never picks a winner.
#[poise::command(slash_command)]
#[allow(clippy::too_many_arguments)] // the command's options
pub(super) async fn debate(
    ctx: Context<'_>,
    #[description = "A question to be for or against (up to 500 characters); without it, a form with a large box opens"]
    proposition: Option<String>,
    #[description = "How long it is; quick unless you choose"] preset: Option<Choice<Preset>>,
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
    let options = Options { preset: preset.map(|Choice(preset)| preset).unwrap_or_default(), search };
    let usual = Usual {
        model,
        effort: effort.map(|Choice(effort)| effort),
        voting: Chosen { hours: vote_hours, voters, quorum },
        given: Given::of([document, document2, document3], message, thread_document),
        ask_first: false,
    };
    begun(ctx, Wish { by: By::Debate(options), usual }, proposition).await
}

/// What can be chosen for a debate alone.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Options {
    preset: Preset,
    search: Option<bool>,
}

impl Options {
    /// As they were set again.
    pub(super) fn read(words: &OptionWords) -> anyhow::Result<Self> {
        Ok(Self {
            preset: one_of(words, OptionName::Preset)?.unwrap_or_default(),
            search: words.switched(OptionName::Search),
        })
    }

    /// What is wanted, on a server with these settings.
    pub(super) fn wanted(&self, settings: &GuildSettings) -> Wanted {
        let search = self.search.unwrap_or(settings.search);
        Wanted::debate(self.preset, if search { Searching::On } else { Searching::Off })
    }
}
