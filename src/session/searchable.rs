//! The text of sessions that have ended, for `/history`: read from their cards as a report reads them, in the background and
//! whenever somebody looks for something, the newest first.

use std::time::Duration;

use super::{Sessions, report::report};
use crate::{
    report::{Audience, Report, Section},
    store::{SearchText, StoreError},
};
use domain::{GuildId, Protocol, SessionId, indexed};

/// How often it is looked for sessions that are to be read.
const EVERY: Duration = Duration::from_secs(30);
/// Between two of them, so that whoever waits for something comes first.
const PAUSE: Duration = Duration::from_millis(20);
/// Sessions read at once.
const AT_ONCE: i64 = 20;

/// Most characters of each part of a text that are found.
const TITLE: usize = 4_000;
const OUTCOME: usize = 40_000;
const REST: usize = 60_000;

impl Sessions {
    pub(super) async fn watch_texts(self) {
        loop {
            loop {
                match self.read_texts(None).await {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) => {
                        tracing::error!(%error, "sessions could not be read for the search");
                        break;
                    }
                }
            }
            tokio::time::sleep(self.pace().of(EVERY)).await;
        }
    }

    /// Reads some of the sessions whose text the search does not know as it is now; `true` if there may be more.
    pub(super) async fn read_texts(&self, guild: Option<GuildId>) -> Result<bool, StoreError> {
        let unread = self.store().unread_sessions(guild, AT_ONCE).await?;
        for (session, changed) in &unread {
            let text = self.text_of(session).await;
            self.store().put_text(session, *changed, text).await?;
            if guild.is_none() {
                tokio::time::sleep(self.pace().of(PAUSE)).await;
            }
        }
        Ok(i64::try_from(unread.len()).is_ok_and(|read| read == AT_ONCE))
    }

    /// What a session says. One that cannot be read is found by its title alone, or, if it is of a protocol that this
    /// version does not know, not at all.
    async fn text_of(&self, id: &SessionId) -> SearchText {
        let row = match self.store().session(id).await {
            Ok(row) => row,
            Err(error) => {
                tracing::warn!(session = %id, %error, "a session cannot be read for the search");
                return SearchText::default();
            }
        };
        match report(self.store(), &row, Audience::Internal).await {
            Ok(report) => text(&report),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(session = %id, error, "a session can be found by its title alone");
                SearchText { title: indexed(&row.title, TITLE), ..SearchText::default() }
            }
        }
    }
}

fn text(report: &Report) -> SearchText {
    // An open vote says mostly how one votes; what is voted on stands elsewhere, and in its result.
    let sections = report.sections.iter().filter(|section| !matches!(&*section.key, "vote" | "opinion"));
    let (outcome, rest): (Vec<&Section>, Vec<&Section>) =
        sections.partition(|section| came_out(section, report.protocol));
    let title: Vec<&str> = [report.heading.as_str()].into_iter().chain(report.problem.as_deref()).collect();
    let outcome: Vec<String> = outcome.into_iter().map(|section| told(section, true)).collect();
    let rest: Vec<String> = rest.into_iter().map(|section| told(section, false)).collect();
    SearchText {
        title: indexed(&title.join("\n"), TITLE),
        outcome: indexed(&outcome.join("\n"), OUTCOME),
        rest: indexed(&rest.join("\n"), REST),
    }
}

/// Whether a card says what came out, or what was made of it.
fn came_out(section: &Section, protocol: Protocol) -> bool {
    let first = section.key.split('/').next().unwrap_or_default();
    matches!(first, "vote" | "opinion" | "decision") || protocol.words().outcome.contains(&first)
}

/// A card as it shows it; with the whole text behind it where that is wanted.
fn told(section: &Section, whole: bool) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for card in &section.cards {
        lines.extend([card.title.as_str(), card.text.as_str()]);
        lines.extend(card.fields.iter().flat_map(|field| [field.name.as_str(), field.text.as_str()]));
    }
    lines.extend(section.whole.as_ref().filter(|_| whole).map(|whole| whole.text.as_str()));
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}
