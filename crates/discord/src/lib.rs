//! The outbound door to Discord: posts, edits, threads, pins, look-ups and the answers to interactions, over
//! HTTP. (What comes in from Discord arrives at the room `bot`, by the gateway.)
//!
//! Invariants:
//! * Every message written here, new or edited, can mention nobody but those whom its post names one by one:
//!   `allowed_mentions` parses nothing.
//! * A request that may have created something is sent once per call. Whether to repeat it, with the same
//!   [`Nonce`], is the outbox's decision: it alone knows what was intended.
//! * The service's rate limits are kept by its own headers, here or by a proxy for all processes; headers that are missing or
//!   make no sense never lead to a repetition.
//! * Neither the bot's token nor an interaction's appears in an error or in the log.
//!
//! Called by `bot` (acknowledgements), `steps` (the outbox) and the command `doctor`.

mod bucket;
mod clock;
mod commands;
mod counted;
mod edit;
mod error;
mod forum;
mod gateway;
mod interaction;
mod limit;
pub mod markdown;
mod member;
mod message;
mod nonce;
mod pace;
mod permission;
mod raster;
mod refusal;
pub mod text;
mod thread;
mod transport;
pub mod wire;

use std::{fmt, sync::Arc};

use tokio::sync::OnceCell;
use url::Url;

pub use counted::Requests;
pub use edit::EditTurn;
pub use error::{Kind, SendError};
pub use gateway::{Gateway, SessionStarts};
pub use interaction::{Ack, ApplicationId};
pub use message::{Attached, Forwarded, Seen, Upload};
pub use nonce::Nonce;
pub use pace::Urgency;
pub use permission::{CREATE_THREADS, PERMISSIONS, Permission, invitation, missing};
pub use raster::Rasterizer;
pub use thread::{Channel, Me};

use domain::{Pace, RestRate, Secret};
use transport::Transport;

/// The door. Cheap to clone; all clones share one connection pool and one account of the rate limits.
#[derive(Clone)]
pub struct Discord {
    transport: Arc<Transport>,
    /// Who the bot is, once Discord has said so.
    me: Arc<OnceCell<Me>>,
}

impl Discord {
    /// A door to the service at `base`, an origin such as `https://discord.com` (the path `/api/v10` is added),
    /// for the bot that has this token; pauses of its own pass at this pace. Fails if the token cannot stand in a header.
    pub fn new(base: Url, token: Secret, pace: Pace) -> anyhow::Result<Self> {
        Self::at_rate(base, token, pace, RestRate::default())
    }

    /// The same, with rate limits that are kept so.
    pub fn at_rate(base: Url, token: Secret, pace: Pace, rate: RestRate) -> anyhow::Result<Self> {
        let transport = Arc::new(Transport::new(&base, &token, pace, rate)?);
        Ok(Self { transport, me: Arc::default() })
    }
}

impl fmt::Debug for Discord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Discord({})", self.transport.base())
    }
}
