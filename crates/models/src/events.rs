//! Server-sent events, as far as servers of models use them: only their data (HTML Standard, 9.2.6).

use std::collections::VecDeque;

use bytes::Bytes;
use futures::{Stream, StreamExt as _};

/// Most bytes of a single event.
const MOST: usize = 4 << 20;

/// What goes wrong.
#[derive(Debug)]
pub(super) enum EventsError<E> {
    /// The connection broke.
    Transport(E),
    /// A line is not UTF-8.
    NotText,
    /// An event is too long.
    Endless,
}

/// The data of each event that has some.
pub(super) struct Events<S, E> {
    bytes: S,
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    /// Of the event that is being read.
    data: Option<String>,
    /// What came and was not asked for yet.
    ready: VecDeque<Result<String, EventsError<E>>>,
    /// How many bytes came since an event was given.
    unread: usize,
    begun: bool,
    ended: bool,
}

impl<S, E> Events<S, E>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
{
    pub(super) fn new(bytes: S) -> Self {
        Self {
            bytes,
            line: Vec::new(),
            data: None,
            ready: VecDeque::new(),
            unread: 0,
            begun: false,
            ended: false,
        }
    }

    /// The next event; `None`: the stream has ended. Whoever stops waiting loses nothing.
    pub(super) async fn next(&mut self) -> Option<Result<String, EventsError<E>>> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                self.unread = 0;
                return Some(ready);
            }
            if self.ended {
                return None;
            }
            match self.bytes.next().await {
                Some(Ok(piece)) => {
                    self.unread += piece.len();
                    if self.unread > MOST { self.fail(EventsError::Endless) } else { self.take(&piece) }
                }
                Some(Err(error)) => self.fail(EventsError::Transport(error)),
                None => {
                    // Some servers leave out the empty line after their last event.
                    self.take(b"\n\n");
                    self.ended = true;
                }
            }
        }
    }

    fn fail(&mut self, error: EventsError<E>) {
        self.ready.push_back(Err(error));
        self.ended = true;
    }

    /// Only what is new is looked through for the end of a line: a server that never ends one keeps no core busy.
    fn take(&mut self, piece: &[u8]) {
        let Some(end) = piece.iter().rposition(|byte| *byte == b'\n') else {
            self.line.extend_from_slice(piece);
            return;
        };
        self.line.extend_from_slice(&piece[..end]);
        let lines = std::mem::replace(&mut self.line, piece[end + 1..].to_vec());
        for line in lines.split(|byte| *byte == b'\n') {
            let Ok(line) = str::from_utf8(line) else { return self.fail(EventsError::NotText) };
            let line = if self.begun { line } else { line.strip_prefix('\u{feff}').unwrap_or(line) };
            self.begun = true;
            // A line may end in a carriage return, too, or in both.
            line.strip_suffix('\r').unwrap_or(line).split('\r').for_each(|line| self.read(line));
        }
    }

    fn read(&mut self, line: &str) {
        if line.is_empty() {
            self.ready.extend(self.data.take().filter(|data| !data.is_empty()).map(Ok));
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) => data.extend(["\n", value]),
                None => self.data = Some(value.to_owned()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::stream;

    use super::*;

    async fn read(pieces: Vec<Vec<u8>>) -> Vec<String> {
        let pieces = pieces.into_iter().map(|piece| Ok::<_, ()>(Bytes::from(piece)));
        let mut events = Events::new(stream::iter(pieces));
        let mut found = Vec::new();
        while let Some(event) = events.next().await {
            found.push(event.unwrap_or_else(|error| format!("{error:?}")));
        }
        found
    }

    #[tokio::test]
    async fn events_are_the_same_however_they_are_cut() {
        let text = "\u{feff}: waiting\nevent: a\r\ndata: {\"é\":1}\r\n\r\nid: 3\ndata:x\ndata\ndata:  y\n\n\
                    data:\n\nretry: 5\n\ndata: [DONE]";
        let expected = ["{\"é\":1}", "x\n\n y", "[DONE]"];
        for size in 1..=text.len() {
            let pieces = text.as_bytes().chunks(size).map(<[u8]>::to_vec).collect();
            assert_eq!(read(pieces).await, expected, "in pieces of {size}");
        }
        assert_eq!(read(vec![text.replace("\r\n", "\n").replace('\n', "\r").into_bytes()]).await, expected);
    }

    #[tokio::test]
    async fn what_is_no_text_or_has_no_end_is_said_once() {
        assert_eq!(read(vec![b"data: a\n\ndata: \xff\n\ndata: b\n\n".to_vec()]).await, ["a", "NotText"]);
        let half = vec![b'x'; MOST / 2];
        assert_eq!(read(vec![half.clone(), half.clone(), vec![b'x']]).await, ["Endless"]);
        let fits = vec![half.clone(), b"\ndata: a\n\n".to_vec(), half];
        assert_eq!(read(fits).await, ["a"], "what has ended is not counted");
    }
}
