//! What a live card shows, and when it is worth an edit that nothing but words has changed.

use std::{future::pending, time::Instant};

use super::{
    Live, World,
    card::Planned,
    underway::{LOOKS_AGAIN, WORDS_AT_MOST_EVERY, takes_words},
};
use domain::{ChannelId, MessageId, Pace, Status, Writing};

/// What is known of a card while it is kept.
#[derive(Default)]
pub(super) struct Card {
    /// What which message shows.
    pub(super) shown: Option<(MessageId, Status)>,
    /// What which message was too old to show.
    pub(super) refused: Option<(MessageId, Status)>,
    /// When it was edited last, and where.
    pub(super) edited: Option<(ChannelId, Instant)>,
    /// Read once, for the plan may hold a whole document.
    pub(super) planned: Option<Planned>,
}

impl Card {
    /// The words that a message may show now: for words alone, one that took no edit is not asked again.
    pub(super) fn writing(&self, live: &Live, world: &World, message: MessageId) -> Option<Writing> {
        let took_edits = self.shown.is_none() || self.edited.is_some();
        let takes_edits = self.refused.is_none() && took_edits && takes_words(message, world.now_ms());
        live.underway.writing(world.pace).filter(|_| takes_edits)
    }

    /// Whether nothing but words is new, and that too soon after the last edit.
    pub(super) fn can_wait(&self, (message, status): &(MessageId, Status), pace: Pace) -> bool {
        let (Some((shown_by, shown)), Some((_, edited))) = (&self.shown, self.edited) else { return false };
        let soon = edited.elapsed() < pace.of(WORDS_AT_MOST_EVERY);
        soon && shown_by == message
            && status.writing.is_some()
            && *shown == Status { writing: shown.writing.clone(), ..status.clone() }
    }

    /// Returns once there are other words to show than it does, and nothing else waits for Discord: words take nothing
    /// from posts.
    pub(super) async fn words_change(&self, world: &World, live: &Live) {
        let (Some((message, shown)), Some((channel, edited))) = (&self.shown, self.edited) else {
            return pending().await;
        };
        // A call that begins rings the bell.
        if live.underway.is_empty() {
            return pending().await;
        }
        let pace = world.pace;
        tokio::time::sleep(pace.of(WORDS_AT_MOST_EVERY).saturating_sub(edited.elapsed())).await;
        while self.writing(live, world, *message) == shown.writing || !world.discord.can_spare_edit(channel) {
            tokio::time::sleep(pace.of(LOOKS_AGAIN)).await;
        }
    }
}

/// The same with nothing of an answer that is coming.
pub(super) fn wordless((message, status): (MessageId, Status)) -> (MessageId, Status) {
    (message, Status { writing: None, ..status })
}
