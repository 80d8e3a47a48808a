//! /investigate.

use poise::serenity_prelude as serenity;
use serde::{Deserialize, Serialize};

use super::{
    By, Context,
    altered::{one_of, whole},
    choice::Choice,
    given::Given,
    opening::complete_model,
    voting::Chosen,
    wish::{Usual, Wish, begun},
};
use crate::{bot::Error, error::UserError, session::Wanted};
use domain::{Checking, Effort, GuildSettings, Mode, OptionName, OptionWords, Searching};

/// Several models answer alone; what they differ on is checked, and each claim has its ground.
#[poise::command(slash_command)]
#[allow(clippy::too_many_arguments)] // each is an option that members see
pub(super) async fn investigate(
    ctx: Context<'_>,
    #[description = "What is to be found out (up to 4,000 characters); without it, a form with a large box opens"]
    question: Option<String>,
    #[description = "How freely: adaptive, structured or unstructured (adaptive unless you choose)"]
    mode: Option<Choice<Mode>>,
    #[description = "How much is checked: once, open matters once more, or checks alone without an answer"]
    checks: Option<Choice<Checking>>,
    #[description = "How many answer alone first: 2 to 5 (as many as there are models, at least 3)"]
    #[min = 2]
    #[max = 5]
    scouts: Option<i64>,
    #[description = "How many calls of tools the investigator has: 1 to 40, 15 unless you choose"]
    #[min = 1]
    #[max = 40]
    budget: Option<i64>,
    #[description = "Whether the web may be searched (it may, unless the server says otherwise)"]
    search: Option<bool>,
    #[description = "A file that everybody reads: PDF, Office, EPUB, HTML, text or code (up to 25 MB)"]
    document: Option<serenity::Attachment>,
    #[description = "How much is asked for: brief, standard or deep (standard unless the server says otherwise)"]
    effort: Option<Choice<Effort>>,
    #[description = "One model for all scouts, asked at different temperatures; investigator and checks stay as set"]
    #[autocomplete = "complete_model"]
    model: Option<String>,
    #[description = "How many hours the team can vote (24 unless the server says otherwise)"]
    #[min = 1]
    #[max = 336]
    vote_hours: Option<i64>,
    #[description = "Who may vote: everyone, a role, or members, as mentions"] voters: Option<String>,
    #[description = "How many have to vote for the result to bind"]
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
    let options = Options {
        mode: mode.map(|Choice(mode)| mode).unwrap_or_default(),
        checks: checks.map(|Choice(checks)| checks).unwrap_or_default(),
        scouts,
        budget,
        search,
    };
    let usual = Usual {
        model,
        effort: effort.map(|Choice(effort)| effort),
        voting: Chosen { hours: vote_hours, voters, quorum },
        given: Given::of([document, document2, document3], message, thread_document),
        ask_first: false,
    };
    begun(ctx, Wish { by: By::Investigate(options), usual }, question).await
}

/// What can be chosen for an investigation alone.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Options {
    mode: Mode,
    checks: Checking,
    scouts: Option<i64>,
    budget: Option<i64>,
    search: Option<bool>,
}

impl Options {
    /// As they were set again.
    pub(super) fn read(words: &OptionWords) -> anyhow::Result<Self> {
        Ok(Self {
            mode: one_of(words, OptionName::Mode)?.unwrap_or_default(),
            checks: one_of(words, OptionName::Checks)?.unwrap_or_default(),
            scouts: whole(words, OptionName::Scouts)?,
            budget: whole(words, OptionName::Budget)?,
            search: words.switched(OptionName::Search),
        })
    }

    /// What is wanted, on a server with these settings.
    pub(super) fn wanted(&self, settings: &GuildSettings) -> anyhow::Result<Wanted> {
        let scouts = within(self.scouts, 2, 5, "scouts")?;
        let calls = within(self.budget, 1, 40, "calls")?.and_then(|calls| u32::try_from(calls).ok());
        let search = self.search.unwrap_or(settings.search);
        let searching = if search { Searching::On } else { Searching::Off };
        Ok(Wanted::investigate(scouts, (self.mode, self.checks), calls, searching))
    }
}

/// A number that Discord keeps within its bounds; nothing else that speaks to me has to.
fn within(asked: Option<i64>, least: i64, most: i64, what: &str) -> anyhow::Result<Option<usize>> {
    match asked {
        None => Ok(None),
        Some(number) if (least..=most).contains(&number) => Ok(usize::try_from(number).ok()),
        Some(number) => UserError::of(format!("{number} {what} do not fit: choose from {least} to {most}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_bounds_are_told_with_the_bounds() {
        assert_eq!(within(None, 2, 5, "scouts").unwrap(), None);
        assert_eq!(within(Some(5), 2, 5, "scouts").unwrap(), Some(5));
        for wrong in [-1, 0, 1, 6, i64::MAX] {
            let told = within(Some(wrong), 2, 5, "scouts").unwrap_err().to_string();
            assert!(told.contains("from 2 to 5"), "{told}");
        }
    }
}
