//! The ping for those who wanted to be told that a session stands still.

use super::{came_out, markdown, status};
use domain::{Pings, Post, SessionState, Status, UserId};

/// Most of what came out that is said with the ping, in characters: a phone shows it on its locked screen.
const SAID: usize = 240;

/// One message for all of them.
#[must_use]
pub fn ping(told: &[UserId], stands: &Status) -> Post {
    let who: Vec<String> = told.iter().map(|user| format!("<@{user}>")).collect();
    let said = match stands.state {
        SessionState::Done => match stands.came_out.as_ref().map(came_out::said) {
            Some(said) if !said.is_empty() => format!("it is done. {}", markdown::short(&said, SAID)),
            _ => "it is done.".to_owned(),
        },
        SessionState::Waiting => match &stands.waiting {
            Some(waiting) => format!("it waits. {}", status::waits_for(waiting)),
            None => "it waits for somebody.".to_owned(),
        },
        SessionState::Paused => "it is paused. The status card says why and how it goes on.".to_owned(),
        SessionState::Cancelled => "it was cancelled.".to_owned(),
        SessionState::Failed | SessionState::Parked => {
            "it could not go on. The status card says why and what to do.".to_owned()
        }
        SessionState::Running => "it goes on.".to_owned(),
    };
    Post {
        content: format!("🔔 {} {said}", who.join(" ")),
        pings: Pings { users: told.to_vec(), ..Pings::default() },
        ..Post::default()
    }
}
