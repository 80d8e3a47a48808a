//! People who take part in a session: each thing they do is done as soon as its button is there, at most once
//! while a bot lives, and again with the next one, as people press again what did not seem to work.

use std::{sync::Mutex, time::Duration};

use quorum::playground::{
    Client, Id, Seen,
    ids::{BOT, DECISIONS},
};
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::support::Stage;

/// How often people look at the thread.
const LOOK: Duration = Duration::from_millis(5);

/// What a press leads to.
#[derive(Clone, Copy)]
pub enum Then {
    /// Nothing more to do.
    Over,
    /// A form, which is sent with these texts, from its first box on.
    Send(&'static [&'static str]),
    /// A question whether they are sure, answered with the button that means this.
    Sure(&'static str),
}

/// Something that somebody does.
#[derive(Clone, Copy)]
pub struct Doing {
    /// Who.
    pub member: Id,
    /// What the button or select means, such as `roles_go`.
    pub verb: &'static str,
    /// What is chosen, where it is a select.
    pub choose: &'static [&'static str],
    /// What comes after.
    pub then: Then,
}

impl Doing {
    /// Somebody presses a button, and that is all.
    pub const fn press(member: Id, verb: &'static str) -> Self {
        Self { member, verb, choose: &[], then: Then::Over }
    }

    /// Does it with the control that is there; `false` if nobody answered.
    async fn happens(&self, client: &Client, thread: Id, (message, custom_id): (Id, String)) -> bool {
        let pressed = if self.choose.is_empty() {
            client.click(self.member, thread, message, &custom_id)
        } else {
            client.select(self.member, thread, message, &custom_id, self.choose)
        };
        // It may be gone by now.
        let Ok(pressed) = pressed else { return false };
        let seen = client.wait_reply(pressed).await;
        if seen.failed.is_some() {
            return false;
        }
        match self.then {
            Then::Over => true,
            Then::Send(texts) => self.sends(client, pressed, &seen, texts).await,
            Then::Sure(verb) => self.is_sure(client, thread, &seen, verb).await,
        }
    }

    /// Sends the form that opened. None opens where the person is told that it is too late; then that is all.
    async fn sends(&self, client: &Client, opener: Id, seen: &Seen, texts: &[&str]) -> bool {
        let Some(modal) = &seen.modal else { return true };
        let boxes: Vec<String> = inputs(modal);
        let written: Vec<(&str, &str)> =
            boxes.iter().map(String::as_str).zip(texts.iter().copied()).collect();
        match client.submit_modal(self.member, opener, &written) {
            Ok(sent) => client.wait_reply(sent).await.failed.is_none(),
            Err(problem) => panic!("the form behind {} takes no {written:?}: {problem}", self.verb),
        }
    }

    async fn is_sure(&self, client: &Client, thread: Id, seen: &Seen, verb: &str) -> bool {
        let asked = seen.messages.iter().find_map(|message| Some((message, control(message, verb)?)));
        // Told that it is too late.
        let Some((message, custom_id)) = asked else { return true };
        match client.click(self.member, thread, id(&message["id"]), &custom_id) {
            Ok(pressed) => client.wait_reply(pressed).await.failed.is_none(),
            Err(_) => false,
        }
    }
}

/// People who do what a script says, in its order wherever several things could be done: three votes come before the
/// vote is closed, and what nobody answered is done again before anything after it. What cannot be done any more
/// does not hold up what can.
pub struct People(JoinHandle<()>);

impl People {
    /// They look at the one session of #decisions from now on, until they are dropped: with the bot, whose next
    /// life has people of its own.
    pub fn follow(stage: &Stage, script: &'static [Doing]) -> Self {
        let client = stage.discord.client();
        Self(tokio::spawn(async move {
            let mut left: Vec<&Doing> = script.iter().collect();
            let opened = client.wait_thread(DECISIONS, Duration::from_mins(10), |_| true).await;
            let thread = id(&opened.expect("a thread")["id"]);
            while !left.is_empty() {
                let next = first_possible(&client, thread, &left).await;
                let happened = match next {
                    Some((place, control)) => {
                        left[place].happens(&client, thread, control).await.then_some(place)
                    }
                    None => None,
                };
                match happened {
                    Some(place) => drop(left.remove(place)),
                    None => tokio::time::sleep(LOOK).await,
                }
            }
        }))
    }
}

impl Drop for People {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The first thing of a script whose control is there, and the newest message that has it. The thread is looked at
/// once for all: what is posted between two looks would let a later thing be done before an earlier one.
async fn first_possible(client: &Client, thread: Id, script: &[&Doing]) -> Option<(usize, (Id, String))> {
    let bot = Value::from(BOT.to_string());
    let found: Mutex<Vec<Option<(Id, String)>>> = Mutex::new(vec![None; script.len()]);
    let look = |message: &Value| {
        if message["author"]["id"] == bot && message["ephemeral_for"].is_null() {
            for (doing, found) in script.iter().zip(found.lock().unwrap().iter_mut()) {
                let there = control(message, doing.verb).map(|custom_id| (id(&message["id"]), custom_id));
                *found = found.take().or(there);
            }
        }
        false
    };
    // No patience: what is not there now is looked for again soon.
    client.wait_message(thread, Duration::ZERO, look).await;
    let found = found.into_inner().unwrap();
    found.into_iter().enumerate().find_map(|(place, control)| Some((place, control?)))
}

/// The `custom_id` of a message's control that means `verb` and can be used.
fn control(message: &Value, verb: &str) -> Option<String> {
    let rows = message["components"].as_array()?;
    let controls = rows.iter().filter_map(|row| row["components"].as_array()).flatten();
    let usable = controls.filter(|control| control["disabled"] != true);
    let mut ids = usable.filter_map(|control| control["custom_id"].as_str());
    ids.find(|id| id.split(':').nth(2) == Some(verb)).map(str::to_owned)
}

/// The names of a form's boxes, from the top.
fn inputs(modal: &Value) -> Vec<String> {
    let rows = modal["components"].as_array().into_iter().flatten();
    let input = |row: &Value| row["components"][0]["custom_id"].as_str().map(str::to_owned);
    rows.filter_map(input).collect()
}

fn id(value: &Value) -> Id {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value} is no id"))
}
