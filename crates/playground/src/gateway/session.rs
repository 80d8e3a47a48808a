//! A gateway session: its sequence of events, kept for a while so that it can be resumed.

use std::collections::VecDeque;

use tokio::sync::mpsc::UnboundedSender;

use crate::snowflake::{Id, now_ms};

/// Most events kept for replay.
const KEPT: usize = 2000;

/// What is written to a connection.
pub(crate) enum Frame {
    Text(String),
    Close(u16, &'static str),
}

/// Which part of the servers a session hears of (Discord, "Sharding").
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) number: u64,
    /// Of how many.
    pub(crate) of: u64,
}

impl Shard {
    /// Whether it hears of a server; of what belongs to none, the first does.
    pub(crate) fn hears(self, guild: Option<Id>) -> bool {
        guild.map_or(0, |guild| (guild >> 22) % self.of) == self.number
    }
}

/// One session; it outlives its connections.
#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) intents: u64,
    pub(crate) shard: Shard,
    /// Whether a new connection may take it up again.
    pub(crate) resumable: bool,
    seq: u64,
    events: VecDeque<(u64, String)>,
    out: Option<UnboundedSender<Frame>>,
    connection: u64,
    left_ms: u64,
}

impl Session {
    pub(super) fn new(intents: u64, shard: Shard, out: UnboundedSender<Frame>, connection: u64) -> Self {
        Self {
            intents,
            shard,
            resumable: true,
            seq: 0,
            events: VecDeque::new(),
            out: Some(out),
            connection,
            left_ms: 0,
        }
    }

    /// Number of the last event.
    pub(super) fn seq(&self) -> u64 {
        self.seq
    }

    /// Whether a connection is open.
    pub(crate) fn connected(&self) -> bool {
        self.out.is_some()
    }

    /// Sends an event and keeps it. `data` is its JSON.
    pub(crate) fn dispatch(&mut self, name: &str, data: &str) {
        self.seq += 1;
        let text = format!(r#"{{"op":0,"t":"{name}","s":{},"d":{data}}}"#, self.seq);
        self.send(Frame::Text(text.clone()));
        self.events.push_back((self.seq, text));
        if self.events.len() > KEPT {
            self.events.pop_front();
        }
    }

    /// Writes to the connection, if there is one.
    pub(crate) fn send(&mut self, frame: Frame) {
        if let Some(out) = &self.out {
            let _ = out.send(frame);
        }
    }

    /// Sends the last `count` events once more, under new numbers.
    pub(crate) fn repeat(&mut self, count: usize) {
        let skip = self.events.len().saturating_sub(count);
        let again: Vec<(u64, String)> = self.events.iter().skip(skip).cloned().collect();
        for (seq, text) in again {
            self.seq += 1;
            let text = text.replacen(&format!(r#""s":{seq},"#), &format!(r#""s":{},"#, self.seq), 1);
            self.send(Frame::Text(text.clone()));
            self.events.push_back((self.seq, text));
        }
    }

    /// Takes the session up on a new connection and replays what came after `seq`. False when that is not
    /// possible any more, or `seq` was never reached.
    pub(super) fn resume(&mut self, seq: u64, out: UnboundedSender<Frame>, connection: u64) -> bool {
        let oldest = self.events.front().map_or(self.seq + 1, |(oldest, _)| *oldest);
        if !self.resumable || seq > self.seq || seq + 1 < oldest {
            return false;
        }
        self.out = Some(out);
        self.connection = connection;
        let missed: Vec<String> =
            self.events.iter().filter(|(n, _)| *n > seq).map(|(_, text)| text.clone()).collect();
        for text in missed {
            self.send(Frame::Text(text));
        }
        self.dispatch("RESUMED", "{}");
        true
    }

    /// Notes that a connection ended. One that was already replaced changes nothing.
    pub(super) fn leave(&mut self, connection: u64) {
        if self.connection == connection {
            self.out = None;
            self.left_ms = now_ms();
        }
    }

    /// When it was left, for one without a connection.
    pub(super) fn left_ms(&self) -> Option<u64> {
        self.out.is_none().then_some(self.left_ms)
    }

    /// Whether it was left so long ago that nobody will come back.
    pub(super) fn stale(&self) -> bool {
        self.out.is_none() && (!self.resumable || now_ms().saturating_sub(self.left_ms) > 120_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc::unbounded_channel;

    const ONLY: Shard = Shard { number: 0, of: 1 };

    fn texts(inbox: &mut tokio::sync::mpsc::UnboundedReceiver<Frame>) -> Vec<String> {
        std::iter::from_fn(|| inbox.try_recv().ok())
            .filter_map(|frame| match frame {
                Frame::Text(text) => Some(text),
                Frame::Close(..) => None,
            })
            .collect()
    }

    #[test]
    fn what_was_missed_is_replayed() {
        let (out, _inbox) = unbounded_channel();
        let mut session = Session::new(0, ONLY, out, 1);
        session.dispatch("A", "1");
        session.leave(1);
        session.dispatch("B", "2");
        let (out, mut inbox) = unbounded_channel();
        assert!(session.resume(1, out, 2));
        let got = texts(&mut inbox);
        assert_eq!(got.len(), 2);
        assert!(got[0].contains(r#""t":"B","s":2"#) && got[1].contains("RESUMED"));
        let (out, _) = unbounded_channel();
        assert!(!session.resume(99, out, 3), "a number never reached");
    }

    #[test]
    fn repeated_events_have_new_numbers() {
        let (out, mut inbox) = unbounded_channel();
        let mut session = Session::new(0, ONLY, out, 1);
        session.dispatch("A", r#"{"x":1}"#);
        session.repeat(1);
        let got = texts(&mut inbox);
        assert_eq!(got[1], r#"{"op":0,"t":"A","s":2,"d":{"x":1}}"#);
    }
}
