//! Posts that are on Discord and not known to be: sent by a process that was killed before it could write so, or after
//! a backup was taken that was then restored. They are looked for from the last message that is known, by messages'
//! numbers alone: neither this machine's clock nor the one that dated the database is trusted for that.
//! What a model was asked again after that may say something else, so a card is known by the step that its buttons name;
//! what has no such button, by its text.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    Outbox,
    behind::{Behind, Lost, Unknown, after, unknown_after},
    ending::CLOSING,
    thread_posts,
};
use crate::{
    render,
    store::{OutboxRow, SessionRow, StoreError, Target},
};
use discord::Seen;
use domain::{Action, ChannelId, CustomId, Does, MessageId, Post, Row, SessionId, StepKey};

/// What was found in the threads that were read in this life of the bot, and is no known post.
#[derive(Clone, Default)]
pub(super) struct Strays(Arc<Mutex<HashMap<SessionId, Vec<Seen>>>>);

/// A message that a post is.
pub(super) struct Stray {
    pub(super) message: MessageId,
    /// It says something else than the post: it was asked for again.
    pub(super) differs: bool,
}

impl Strays {
    /// A session that was opened in this life has none.
    pub(super) fn none(&self, session: &SessionId) {
        self.lock().insert(session.clone(), Vec::new());
    }

    /// Whether the session's thread was read in this life.
    pub(super) fn are_known(&self, session: &SessionId) -> bool {
        self.lock().contains_key(session)
    }

    /// Takes the message that a post is, if there is one.
    fn take(&self, session: &SessionId, key: &str, post: &Post) -> Option<Stray> {
        let mut all = self.lock();
        let strays = all.get_mut(session)?;
        let at = strays.iter().position(|message| is_of(message, post));
        if let Some(at) = at {
            return Some(Stray { message: strays.remove(at).id, differs: false });
        }
        if key == CLOSING {
            // Its figures may be others: what was asked again was paid again.
            let at = strays.iter().position(|message| is_last_line(message, post))?;
            return Some(Stray { message: strays.remove(at).id, differs: true });
        }
        let step = step_of(post_actions(post))?;
        // On a panel of several steps, others may have come first, and more since.
        let panel = format!("{key}/");
        let is_same = |other: StepKey| {
            other == step || step.as_str().starts_with(&panel) && other.as_str().starts_with(&panel)
        };
        let at = strays.iter().position(|message| step_of(message.actions.iter()).is_some_and(is_same))?;
        Some(Stray { message: strays.remove(at).id, differs: true })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Vec<Seen>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outbox {
    /// The message that a thread's post is, if an earlier life of the bot sent it. The thread is read once in each life.
    pub(super) async fn posted_in_another_life(
        &self,
        home: &SessionRow,
        channel: ChannelId,
        row: &OutboxRow,
    ) -> Result<Option<Stray>, Lost> {
        if row.target == Target::Channel {
            return Ok(None);
        }
        if !self.strays.are_known(&home.id) {
            let unknown = self.unknown_after(home, channel, row).await?;
            if let Some(behind) = unknown.behind() {
                self.tell_behind(&home.id, behind).await?;
            }
            self.strays.lock().insert(home.id.clone(), unknown.own);
        }
        Ok(self.strays.take(&home.id, row.key.as_str(), &row.post))
    }

    /// Looks whether a post of unknown fate is on Discord, by its text, among what is not known to be another.
    pub(super) async fn find(
        &self,
        home: &SessionRow,
        channel: ChannelId,
        row: &OutboxRow,
    ) -> Result<Option<Stray>, Lost> {
        let unknown = self.unknown_after(home, channel, row).await?;
        let found = unknown.own.iter().find(|message| is_of(message, &row.post));
        Ok(found.map(|message| Stray { message: message.id, differs: false }))
    }

    /// The bot's messages that no post is known to be, from the last known one before this post on.
    async fn unknown_after(
        &self,
        home: &SessionRow,
        channel: ChannelId,
        row: &OutboxRow,
    ) -> Result<Unknown, Lost> {
        let known = self.world.store.known_posts();
        let last = known.last_before(&home.id, row.id, row.target).await?;
        let after = match row.target {
            Target::Thread => after(last, home.status_message, channel),
            Target::Channel => last.unwrap_or(MessageId(0)),
        };
        unknown_after((&self.world.discord, &known), (&home.id, channel), row.id, after).await
    }

    /// Tells whoever runs the bot, and those in the thread, that the database is older than what stands there.
    async fn tell_behind(&self, session: &SessionId, behind: Behind) -> Result<(), StoreError> {
        tracing::warn!(
            %session,
            "the database is older than what is on Discord: {behind}. They are not posted again. What was asked of models \
             and is not in the file is asked and paid for again; what people did after the copy ended, such as votes and \
             notes, is not in it and has to be done again"
        );
        let card = render::notices::behind(behind.known.made_ms() / 1000);
        let key = StepKey::new(format!("{BEHIND}{}", behind.newest));
        let posts = thread_posts(session, &key, None, vec![card]);
        self.world.store.post_unless_later(session, (BEHIND, behind.newest), posts).await
    }
}

/// What the keys of posts begin with that say that the database was behind the thread.
const BEHIND: &str = "notice/behind-";

/// What can be pressed on a post.
fn post_actions(post: &Post) -> impl Iterator<Item = &CustomId> {
    post.rows.iter().flat_map(|row| match row {
        Row::Buttons(buttons) => buttons.iter().map(|button| &button.id).collect(),
        Row::Select(select) => vec![&select.id],
    })
}

/// The step that a card was made by, as its buttons name it.
fn step_of<'a>(mut actions: impl Iterator<Item = &'a CustomId>) -> Option<StepKey> {
    actions.find_map(|id| match id.action()? {
        Action::Does(Does::Raw(step) | Does::Whole(step)) => Some(step),
        _ => None,
    })
}

/// Whether a message is a session's last line, with whatever figures: it has the title of one, and nothing to press.
fn is_last_line(message: &Seen, post: &Post) -> bool {
    let title = post.embeds.first().map_or("", |embed| embed.title.as_str());
    message.embeds == 1
        && message.content.is_empty()
        && message.first_embed.0 == title
        && message.footer.is_empty()
        && message.actions.is_empty()
}

/// Whether a message on Discord is this post: the same text, white space aside. A live card's footer names its
/// session, for otherwise two sessions about the same problem look alike.
fn is_of(message: &Seen, post: &Post) -> bool {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = post.embeds.first();
    squeezed(&message.content) == squeezed(&post.content)
        && squeezed(&message.first_embed.0) == squeezed(first.map_or("", |embed| &embed.title))
        && squeezed(&message.first_embed.1) == squeezed(first.map_or("", |embed| &embed.description))
        && squeezed(&message.footer) == squeezed(first.map_or("", |embed| &embed.footer))
        && message.embeds == post.embeds.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Button, ButtonStyle, Embed, UserId};

    fn post(text: &str, step: Option<&str>) -> Post {
        let raw = |step: &str| Button {
            id: CustomId::new(&SessionId::from_bits(7), Does::Raw(StepKey::new(step))),
            label: "Raw output".to_owned(),
            style: ButtonStyle::Secondary,
            emoji: None,
            disabled: false,
        };
        let embed = Embed { description: text.to_owned(), ..Embed::default() };
        let rows = step.map(|step| Row::Buttons(vec![raw(step)])).into_iter().collect();
        Post { embeds: vec![embed], rows, ..Post::default() }
    }

    fn seen(id: u64, text: &str, step: Option<&str>) -> Seen {
        let post = post(text, step);
        Seen {
            id: MessageId(id),
            author: UserId(1),
            by_bot: true,
            written: true,
            nonce: None,
            content: String::new(),
            first_embed: (String::new(), text.to_owned()),
            footer: String::new(),
            embeds: 1,
            actions: post_actions(&post).cloned().collect(),
            mentions: Vec::new(),
            replies_to: None,
            author_name: String::new(),
            attachments: Vec::new(),
            forwarded: Vec::new(),
        }
    }

    #[test]
    fn what_was_just_being_sent_is_no_sign_of_an_older_copy() {
        let behind = |own: usize, tried: usize| {
            let own = (1..).take(own).map(|id| seen(id << 22, "It pays.", None)).collect();
            Unknown { after: MessageId(0), own, tried }.behind()
        };
        assert_eq!(behind(0, 0), None);
        assert_eq!(behind(1, 1), None, "a process was killed before it heard that the post is there");
        assert_eq!(behind(0, 1), None, "or before it was there");
        let newest = MessageId(3 << 22);
        assert_eq!(behind(3, 1), Some(Behind { posts: 2, known: MessageId(0), newest }));
    }

    #[test]
    fn a_post_is_known_by_its_text_or_by_its_step_and_each_message_is_one_post() {
        let session = SessionId::from_bits(7);
        let strays = Strays::default();
        let there = [
            seen(1, "Ben added a note.", None),
            seen(2, "It pays.", Some("round-1/cost")),
            seen(3, "Ben added a note.", None),
        ];
        strays.lock().insert(session.clone(), there.to_vec());
        let take_of = |key: &str, text: &str, step| {
            let stray = strays.take(&session, key, &post(text, step));
            stray.map(|stray| (stray.message.0, stray.differs))
        };
        let take = |text: &str, step| take_of("card", text, step);
        // White space is as Discord leaves it.
        assert_eq!(take("Ben  added\na note. ", None), Some((1, false)));
        assert_eq!(take("Ben added a note.", None), Some((3, false)), "two that say the same are two");
        assert_eq!(take("Ben added a note.", None), None);
        assert_eq!(take("It does not pay.", Some("round-1/risk")), None, "another's card");
        assert_eq!(take("It does not pay.", Some("round-1/cost")), Some((2, true)), "asked again");
        assert_eq!(take("It pays.", Some("round-1/cost")), None);
        // The last line, whose figures are others'; a card of the same words that can be pressed is none.
        let done = |text: &str| {
            let mut line = post(text, None);
            line.embeds[0].title = "Done".to_owned();
            line
        };
        let titled = |id: u64, step| Seen {
            first_embed: ("Done".to_owned(), "2 calls · $0.10".to_owned()),
            ..seen(id, "", step)
        };
        strays.lock().insert(session.clone(), vec![titled(5, Some("round-3")), titled(6, None)]);
        let take_done = |key: &str| {
            let stray = strays.take(&session, key, &done("3 calls · $0.15"));
            stray.map(|stray| (stray.message.0, stray.differs))
        };
        assert_eq!(take_done("round-3"), None);
        assert_eq!(take_done(CLOSING), Some((6, true)));
        assert_eq!(take_done(CLOSING), None);
        // Onto the panel of a round another came first, before the backup was taken.
        strays.lock().insert(session.clone(), vec![seen(4, "It pays.", Some("round-2/cost"))]);
        assert_eq!(take_of("round-1", "It rains.", Some("round-1/risk")), None);
        assert_eq!(take_of("round-2", "It rains.", Some("round-2/risk")), Some((4, true)));
    }
}
