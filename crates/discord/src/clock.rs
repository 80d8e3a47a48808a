//! What time it is by Discord, as the `Date` of its answers says (RFC 9110, 6.6.1: whoever has a clock sends it): the clock of
//! the machine may stand anywhere.

use std::sync::{Mutex, PoisonError};

use chrono::DateTime;
use reqwest::{
    Method,
    header::{DATE, HeaderMap},
};
use serde::de::IgnoredAny;
use tokio::time::Instant;

use super::{Discord, SendError, transport::Request};

/// The newest `Date`, in milliseconds since 1970, and when it was heard by a clock that never jumps.
#[derive(Default)]
pub(super) struct Heard(Mutex<Option<(i64, Instant)>>);

impl Heard {
    /// Takes note of what an answer says.
    pub(super) fn answered(&self, headers: &HeaderMap) {
        let said = headers.get(DATE).and_then(|date| date.to_str().ok());
        if let Some(date) = said.and_then(|said| DateTime::parse_from_rfc2822(said).ok()) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
                Some((date.timestamp_millis(), Instant::now()));
        }
    }

    fn now_ms(&self) -> Option<i64> {
        let heard = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.map(|(ms, at)| ms + i64::try_from(at.elapsed().as_millis()).unwrap_or_default())
    }
}

impl Discord {
    /// The time by Discord, in milliseconds since 1970; `None`: it has not said yet.
    #[must_use]
    pub fn time_ms(&self) -> Option<i64> {
        self.transport.heard().now_ms()
    }

    /// Has Discord say it anew.
    pub async fn ask_time(&self) -> Result<(), SendError> {
        if self.me.get().is_none() {
            return self.me().await.map(drop);
        }
        self.transport.send(Request::new(Method::GET, "/users/@me", &[])).await.map(|_: IgnoredAny| ())
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn the_date_of_an_answer_is_the_time_and_nonsense_is_none() {
        let heard = Heard::default();
        let answered = |date: &'static str| {
            heard.answered(&HeaderMap::from_iter([(DATE, HeaderValue::from_static(date))]));
            heard.now_ms()
        };
        assert_eq!(answered("yesterday"), None);
        let at = answered("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        assert!((784_111_777_000..784_111_837_000).contains(&at), "{at}");
        assert!(answered("").unwrap() >= at, "what says nothing changes nothing");
    }
}
