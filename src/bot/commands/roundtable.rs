//! /roundtable.

use poise::serenity_prelude as serenity;
use serde::{Deserialize, Serialize};

use super::{
    By, Context,
    altered::whole,
    choice::Choice,
    given::Given,
    opening::complete_model,
    voting::Chosen,
    wish::{Usual, Wish, begun},
};
use crate::{bot::Error, error::UserError, session::Wanted};
use domain::{EXPERTS, Effort, GuildSettings, OptionName, OptionWords, Searching};

/// Experts where nobody says how many.
const USUAL: usize = 2;

/// Experts made for your problem challenge one another, check a notary's memo, and all give points.
#[poise::command(slash_command)]
#[allow(clippy::too_many_arguments)] // the command's options
pub(super) async fn roundtable(
    ctx: Context<'_>,
    #[description = "What has to be decided (up to 4,000 characters); without it, a form with a large box opens"]
    problem: Option<String>,
    #[description = "How many experts sit at the table: 2 to 5, 2 unless you choose"]
    #[min = 2]
    #[max = 5]
    experts: Option<i64>,
    #[description = "A file that everybody reads: PDF, Office, EPUB, HTML, text or code (up to 25 MB)"]
    document: Option<serenity::Attachment>,
    #[description = "How much is asked for: brief, standard or deep (standard unless the server says otherwise)"]
    effort: Option<Choice<Effort>>,
    #[description = "One model for all seats of the panel; mediator and checks stay as set"]
    #[autocomplete = "complete_model"]
    model: Option<String>,
    #[description = "Whether experts search the web first (they do, unless the server says otherwise)"]
    search: Option<bool>,
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
    let usual = Usual {
        model,
        effort: effort.map(|Choice(effort)| effort),
        voting: Chosen { hours: vote_hours, voters, quorum },
        given: Given::of([document, document2, document3], message, thread_document),
        ask_first: false,
    };
    begun(ctx, Wish { by: By::Roundtable(Options { experts, search }), usual }, problem).await
}

/// What can be chosen for a roundtable alone.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Options {
    experts: Option<i64>,
    search: Option<bool>,
}

impl Options {
    /// As they were set again.
    pub(super) fn read(words: &OptionWords) -> anyhow::Result<Self> {
        Ok(Self { experts: whole(words, OptionName::Experts)?, search: words.switched(OptionName::Search) })
    }

    /// What is wanted, on a server with these settings.
    pub(super) fn wanted(&self, settings: &GuildSettings) -> anyhow::Result<Wanted> {
        let searching = if self.search.unwrap_or(settings.search) { Searching::On } else { Searching::Off };
        Ok(Wanted::roundtable(seats(self.experts)?, searching))
    }
}

/// How many experts are wanted. Discord keeps the number within its bounds; nothing else that speaks to me has to.
fn seats(experts: Option<i64>) -> anyhow::Result<usize> {
    let Some(asked) = experts else { return Ok(USUAL) };
    match usize::try_from(asked) {
        Ok(seats) if EXPERTS.contains(&seats) => Ok(seats),
        _ => UserError::of(format!(
            "{asked} experts do not fit the table: choose from {} to {}.",
            EXPERTS.start(),
            EXPERTS.end()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_two_to_five_seats() {
        assert_eq!(seats(None).unwrap(), 2);
        assert_eq!((seats(Some(2)).unwrap(), seats(Some(5)).unwrap()), (2, 5));
        for wrong in [-1, 0, 1, 6, i64::MAX, i64::MIN] {
            let told = seats(Some(wrong)).unwrap_err().to_string();
            assert!(told.contains("from 2 to 5"), "{told}");
        }
    }
}
