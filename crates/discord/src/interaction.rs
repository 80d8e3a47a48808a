//! Answers to interactions: they need no bot token, have their own, and do not count against the bot's global
//! rate limit.

use std::{fmt, time::Duration};

use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Discord, Kind, SendError, Upload, message::Written, transport::Request, wire};
use domain::{InteractionId, MessageId, Modal, Post};

/// The number of the bot's application, which stands in every interaction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ApplicationId(pub u64);

impl fmt::Display for ApplicationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The first answer to an interaction.
#[derive(Clone, PartialEq, Debug)]
pub enum Ack<'a> {
    /// "Thinking…", seen only by the person; [`Discord::edit_reply`] says the rest within 15 minutes.
    DeferPrivate,
    /// To a button or select: understood, nothing to see yet.
    DeferUpdate,
    /// A message seen only by the person.
    Private(&'a Post),
    /// To a button or select: its message now says this.
    Update(&'a Post),
    /// A form.
    Modal(&'a Modal),
    /// To an option being typed: at most 25 pairs of what is shown and what is sent.
    Choices(Vec<(String, String)>),
}

impl Ack<'_> {
    /// As Discord wants it (documentation, interactions/receiving-and-responding).
    #[must_use]
    pub fn wire(&self) -> Value {
        match self {
            Self::DeferPrivate => json!({"type": 5, "data": {"flags": wire::EPHEMERAL}}),
            Self::DeferUpdate => json!({"type": 6}),
            Self::Private(post) => json!({"type": 4, "data": wire::private_message(post, &[])}),
            Self::Update(post) => json!({"type": 7, "data": wire::message(post, &[])}),
            Self::Modal(modal) => json!({"type": 9, "data": wire::modal(modal)}),
            Self::Choices(choices) => {
                let choice =
                    |(name, value): &(String, String)| json!({"name": clip(name), "value": clip(value)});
                json!({"type": 8, "data": {"choices": choices.iter().take(25).map(choice).collect::<Vec<_>>()}})
            }
        }
    }
}

/// The first answer to an interaction, as far as it matters here.
#[derive(Deserialize)]
struct Original {
    #[serde(default)]
    flags: u64,
}

/// Discord takes 1 to 100 characters on both sides of a choice.
fn clip(text: &str) -> String {
    text.chars().take(100).collect()
}

/// Discord forgets an interaction that is not answered within 3 s of being sent; some of that was spent on the
/// way here.
const ACK_TIME: Duration = Duration::from_millis(2_500);

/// Where the first answer to an interaction stands.
const ORIGINAL: &str = "/webhooks/{}/{}/messages/@original";

impl Discord {
    /// Gives the first answer to an interaction, within 2.5 s or not at all. Repeated once if the connection
    /// breaks or Discord stumbles; an interaction that turns out to have been answered by the lost first
    /// attempt counts as answered.
    pub async fn acknowledge(
        &self,
        interaction: InteractionId,
        token: &str,
        ack: Ack<'_>,
    ) -> Result<(), SendError> {
        let request = Request {
            json: Some(ack.wire()),
            interaction: true,
            within: ACK_TIME,
            ..Request::new(Method::POST, "/interactions/{}/{}/callback", &[&interaction, &token])
        };
        let attempt = async {
            match self.transport.send_only(request.clone()).await {
                Err(error) if error.is_transient() => match self.transport.send_only(request).await {
                    Err(error) if error.kind == Kind::AlreadyAcknowledged => Ok(()),
                    other => other,
                },
                other => other,
            }
        };
        match tokio::time::timeout(ACK_TIME, attempt).await {
            Ok(outcome) => outcome,
            Err(_) => Err(SendError::new(Kind::Transient, "no answer within 2.5 s")),
        }
    }

    /// Fills in or changes the first answer to an interaction, up to 15 minutes after it.
    pub async fn edit_reply(
        &self,
        application: ApplicationId,
        token: &str,
        post: &Post,
        uploads: &[Upload],
    ) -> Result<(), SendError> {
        let request = Request {
            json: Some(wire::message(post, uploads)),
            uploads: uploads.to_vec(),
            numbered: true,
            interaction: true,
            ..Request::new(Method::PATCH, ORIGINAL, &[&application, &token])
        };
        self.transport.send_only(request).await
    }

    /// Whether the first answer to an interaction still is "thinking…" (documentation, message flags: `LOADING`).
    pub async fn reply_is_pending(&self, application: ApplicationId, token: &str) -> Result<bool, SendError> {
        const LOADING: u64 = 1 << 7;
        let request =
            Request { interaction: true, ..Request::new(Method::GET, ORIGINAL, &[&application, &token]) };
        Ok(self.transport.send::<Original>(request).await?.flags & LOADING != 0)
    }

    /// Says something more to the person who used an interaction, seen only by them. Discord has no nonce here:
    /// nothing that matters may be said only this way.
    pub async fn follow_up_private(
        &self,
        application: ApplicationId,
        token: &str,
        post: &Post,
        uploads: &[Upload],
    ) -> Result<MessageId, SendError> {
        let request = Request {
            json: Some(wire::private_message(post, uploads)),
            uploads: uploads.to_vec(),
            interaction: true,
            ..Request::new(Method::POST, "/webhooks/{}/{}", &[&application, &token])
        };
        Ok(self.transport.send::<Written>(request).await?.id)
    }
}
