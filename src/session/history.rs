//! `/history`: the sessions of a channel, or those that hold some words, a page at a time; and what can be done with one.
//! Nothing is shown of a session to whoever cannot read its channel, and it is said in the same words whether it exists.

use super::{Actor, Sessions, typed::told};
use crate::{
    error::UserError,
    render::history::{self, HistoryPage, HistorySession},
    report::Audience,
    store::{FoundRow, Inbound, STILL_ASKED, SessionRow, StoreError},
};
use domain::{ChannelId, FoundOn, GuildId, Listing, PageOf, Post, SessionId, VoteState, shortened, wanted};

/// Sessions of a page of a channel's list, and of a page of what was found.
const PAGE: (u32, u32) = (15, 5);
/// Most characters of what somebody typed that are kept.
const WORDS: usize = 1_000;

/// The channels that somebody can read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Readable {
    /// These.
    pub channels: Vec<ChannelId>,
    /// Whether the server's channels are known; else they are only the one that the person is in.
    pub all_known: bool,
}

impl Readable {
    /// Refuses whoever cannot read what was said in a channel.
    pub fn may_read(&self, channel: ChannelId) -> anyhow::Result<()> {
        if self.channels.contains(&channel) {
            return Ok(());
        }
        UserError::of(
            "You cannot read what was said earlier in this channel (*View Channel* and *Read Message History*), so I show nothing of it either.",
        )
    }
}

/// Who asks for something that is about more than one session, and where.
#[derive(Clone, Debug)]
pub struct Asker {
    /// Who.
    pub actor: Actor,
    /// On which server.
    pub guild: GuildId,
    /// In which channel; in a thread, the one it hangs from.
    pub home: ChannelId,
    /// What they can read.
    pub readable: Readable,
}

impl Asker {
    fn reads(&self, channel: ChannelId) -> bool {
        self.readable.channels.contains(&channel)
    }

    /// An event of theirs that is about no session any more once it was applied.
    pub(super) fn event(&self, kind: &'static str, said: &str) -> Inbound {
        Inbound { id: self.actor.interaction.0, kind, session: None, by: None, effect: said.to_owned() }
    }
}

impl Sessions {
    /// The newest sessions of a channel, or those that hold the words of a search.
    pub async fn history(&self, asker: &Asker, search: Option<&str>) -> anyhow::Result<Post> {
        let Some(words) = search.map(str::trim).filter(|words| !words.is_empty()) else {
            asker.readable.may_read(asker.home)?;
            return self.history_page(asker, (Listing::Channel(asker.home), 0)).await;
        };
        let words = shortened(words, WORDS);
        let id = asker.actor.interaction.0;
        self.store().keep_lookup(id, asker.guild, asker.actor.user, &words).await?;
        // What has just ended is found at once.
        self.read_texts(Some(asker.guild)).await?;
        self.history_page(asker, (Listing::Lookup(id), 0)).await
    }

    /// A page of a list.
    pub async fn history_page(&self, asker: &Asker, (listing, page): PageOf) -> anyhow::Result<Post> {
        let guild = asker.guild;
        let (search, size) = match listing {
            Listing::Channel(_) => (None, PAGE.0),
            Listing::Lookup(_) => (Some(self.words(asker, listing).await?), PAGE.1),
        };
        let place = (page.saturating_mul(size), size);
        let mut still_reading = false;
        let (rows, found) = match (listing, search.as_deref().map(wanted)) {
            (Listing::Channel(channel), _) if asker.reads(channel) => {
                self.store().sessions_of_channel(guild, channel, place).await?
            }
            (_, Some(Some(wanted))) => {
                still_reading = !self.store().unread_sessions(Some(guild), 1).await?.is_empty();
                self.store().search(guild, &asker.readable.channels, &wanted, place).await?
            }
            _ => (Vec::new(), 0),
        };
        let pages = u32::try_from(found).unwrap_or(u32::MAX).div_ceil(size);
        Ok(history::page(&HistoryPage {
            rows: rows.into_iter().map(|row| shown(row, guild)).collect(),
            found,
            at: (listing, page),
            pages,
            words: search,
            still_reading,
            all_known: asker.readable.all_known,
        }))
    }

    /// What somebody looked for.
    async fn words(&self, asker: &Asker, listing: Listing) -> anyhow::Result<String> {
        let Listing::Lookup(id) = listing else { return Ok(String::new()) };
        match self.store().lookup(id, asker.guild, asker.actor.user).await? {
            Some(words) => Ok(words),
            None => UserError::of(
                "What you looked for here is kept for a day, and that is over. Use `/history` with the same words again.",
            ),
        }
    }

    /// One session, with what can be done with it.
    pub async fn history_session(&self, asker: &Asker, (id, at): FoundOn) -> anyhow::Result<Post> {
        let row = self.readable(asker, &id).await?;
        let (may_delete, exportable) =
            (may_delete(asker, &row), row.state.is_final() && row.thread.is_some());
        Ok(history::session(&self.listed(&row, asker.guild).await?, at, exportable, may_delete))
    }

    /// Puts a report on a session into its thread.
    pub async fn history_export(&self, asker: &Asker, id: &SessionId) -> anyhow::Result<String> {
        let row = self.readable(asker, id).await?;
        self.export(&row, &asker.actor, Audience::Internal).await
    }

    /// Asks whether a session should really be deleted.
    pub async fn history_delete(&self, asker: &Asker, (id, at): FoundOn) -> anyhow::Result<Post> {
        let row = self.readable(asker, &id).await?;
        deletable(asker, &row)?;
        let vote = self.store().deciding_vote(&id).await?;
        let open_vote = vote.is_some_and(|row| row.vote.state == VoteState::Open);
        let decisions = self.store().decisions_of(&id).await?.len();
        Ok(history::confirm_delete(&self.listed(&row, asker.guild).await?, at, open_vote, decisions))
    }

    /// Deletes a session that is over, with all that hangs on it; gives what to say.
    pub async fn history_delete_sure(&self, asker: &Asker, id: &SessionId) -> anyhow::Result<String> {
        if let Some(said) = self.store().applied(asker.actor.interaction.0).await? {
            return Ok(said);
        }
        let row = self.readable(asker, id).await?;
        deletable(asker, &row)?;
        let said = "Deleted, and no search finds it any more. What is posted on Discord stays until somebody deletes it there; its decision records stay in `/decisions`.";
        match self.store().delete_session(id, asker.event("delete", said), self.now_ms()).await {
            Ok(()) => {
                self.sweep();
                Ok(said.to_owned())
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::Missing(_)) => no_session(),
            Err(StoreError::NotRunning(state)) if state == STILL_ASKED => {
                UserError::of("A question in its thread is just being answered. Try again in a minute.")
            }
            Err(StoreError::NotRunning(_)) => cancel_first(),
            Err(other) => Err(told(other)),
        }
    }

    /// A session of this server, if it is of a channel that they can read; else there is none.
    async fn readable(&self, asker: &Asker, id: &SessionId) -> anyhow::Result<SessionRow> {
        match self.find(id, asker.guild).await {
            Ok(row) if !asker.reads(row.channel) => no_session(),
            other => other,
        }
    }

    async fn listed(&self, row: &SessionRow, guild: GuildId) -> Result<HistorySession, StoreError> {
        let question = self.store().stated_question(&row.id).await?.and_then(|stated| stated.text);
        Ok(HistorySession {
            session: row.id.clone(),
            guild,
            channel: row.channel,
            thread: row.thread,
            protocol: row.protocol,
            title: question.unwrap_or_else(|| row.title.clone()),
            state: row.state,
            started: row.started_ms / 1000,
            excerpt: String::new(),
        })
    }
}

fn shown(row: FoundRow, guild: GuildId) -> HistorySession {
    HistorySession {
        session: row.session,
        guild,
        channel: row.channel,
        thread: row.thread,
        protocol: row.protocol,
        title: row.title,
        state: row.state,
        started: row.started_ms / 1000,
        excerpt: domain::excerpt(&row.excerpt),
    }
}

fn may_delete(asker: &Asker, row: &SessionRow) -> bool {
    row.state.is_final() && (asker.actor.manages || asker.actor.user == row.starter)
}

fn deletable(asker: &Asker, row: &SessionRow) -> anyhow::Result<()> {
    if !asker.actor.manages && asker.actor.user != row.starter {
        return UserError::of(format!(
            "Only {} (who started this session) or somebody who manages the server can delete it.",
            row.starter_name
        ));
    }
    if row.state.is_final() { Ok(()) } else { cancel_first() }
}

fn cancel_first<T>() -> anyhow::Result<T> {
    UserError::of("This session is not over yet. Cancel it first (`/session cancel`), then delete it.")
}

/// As [`Sessions::find`] says it of one that does not exist.
fn no_session<T>() -> anyhow::Result<T> {
    UserError::of("There is no such session on this server. `/history` lists the ones of this channel.")
}
