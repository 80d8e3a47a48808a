//! Where a session stands: its state, its phase, and what it has used.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::{
    AboutMessage, Addition, CameOut, ChannelId, Effort, GoesOnFrom, Grant, Money, Offer, Protocol,
    StatedQuestion, WaitKind, Writing,
};

/// A session's state. Each but the first three is final, though a failed one may be tried again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SessionState {
    /// Its protocol is being run.
    Running,
    /// Somebody paused it, or money or a key is missing; a row and nothing else until it is resumed.
    Paused,
    /// It waits for somebody's answer.
    Waiting,
    /// It has come to its end.
    Done,
    /// It could not go on; *Try again* asks for what failed once more.
    Failed,
    /// Somebody ended it.
    Cancelled,
    /// An upgrade changed its protocol under it; it is kept for reading.
    Parked,
}

impl SessionState {
    /// As the database spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the database's spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    /// Nothing more happens by itself.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Running | Self::Paused | Self::Waiting)
    }
}

/// Whether a session's thread is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThreadIs {
    /// It is.
    Open(ChannelId),
    /// It will be in a moment.
    Coming,
    /// Discord lets it be opened then, in seconds since 1970, and not before.
    Late(i64),
    /// It never will be, for the session ended before; with the reason where there is one.
    Never(Option<String>),
}

/// Where in its protocol a session is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Phase {
    /// From 1; 0 before the first.
    pub number: u8,
    /// How many there are.
    pub of: u8,
    /// `Round 1: independent analyses`.
    pub title: String,
}

/// What a session has used and may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// Model calls made, those that failed too.
    pub calls: i64,
    /// Most calls.
    pub calls_cap: i64,
    /// Tokens in and out.
    pub tokens: i64,
    /// Most tokens.
    pub tokens_cap: i64,
    /// Known cost.
    pub cost: Money,
    /// Most it may cost.
    pub cost_cap: Money,
    /// Calls whose price is not known; with any, the cost is a lower bound.
    pub unpriced_calls: i64,
    /// Calls that the end of a process cut off; they may have been billed.
    pub lost_calls: i64,
    /// Calls whose use nobody told: charged at the most they can have cost.
    pub uncounted_calls: i64,
}

impl Ledger {
    /// What is left of it without a part of it; caps stay away.
    #[must_use]
    pub fn without(&self, part: &Self) -> Self {
        Self {
            calls: self.calls - part.calls,
            tokens: self.tokens - part.tokens,
            cost: Money(self.cost.0 - part.cost.0),
            unpriced_calls: self.unpriced_calls - part.unpriced_calls,
            ..Self::default()
        }
    }
}

/// Whom a waiting session waits for, for what, and until when.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Waiting {
    /// For what.
    pub kind: WaitKind,
    /// Who may answer, beside moderators.
    pub grant: Grant,
    /// The name of whoever started the session.
    pub starter: String,
    /// The deadline, in seconds since 1970.
    pub until: i64,
}

/// A seat whose calls fail and are tried again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failing {
    /// Its title.
    pub who: String,
    /// How often one has failed in a row.
    pub times: u32,
    /// When the first of them did, in seconds since 1970.
    pub since: i64,
}

/// All that the live status card shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Status {
    /// By which protocol it deliberates.
    pub protocol: Protocol,
    /// The problem's beginning.
    pub title: String,
    /// What has to be decided, in a sentence; `None` where the title says it.
    pub question: Option<StatedQuestion>,
    /// Whether fitting modules may be asked for beside the usual ones.
    pub offer: Offer,
    /// Its state.
    pub state: SessionState,
    /// Where it is.
    pub phase: Phase,
    /// Titles of the seats that are thinking now.
    pub thinking: Vec<String>,
    /// Those among them whose calls fail and are tried again.
    pub failing: Vec<Failing>,
    /// Titles of the seats that have answered in this phase.
    pub answered: Vec<String>,
    /// What has come of the answer that is coming for longest, once that takes a while.
    pub writing: Option<Writing>,
    /// When it started, in seconds since 1970; Discord shows it in the reader's own time.
    pub started: i64,
    /// When it ended.
    pub ended: Option<i64>,
    /// What it used.
    pub ledger: Ledger,
    /// Models in use, as configured.
    pub models: Vec<String>,
    /// Set when all seats are one model.
    pub one_model: bool,
    /// How much is asked of everybody; `None` where the plan cannot be read.
    pub effort: Option<Effort>,
    /// How often it was resumed after a restart.
    pub restarts: i64,
    /// A sentence for the reader: why it is paused, failed or parked, or what was degraded.
    pub notice: Option<String>,
    /// How many of its posts Discord did not take, and can be tried again; 0 for one that failed, whose notice says why.
    pub untaken: usize,
    /// Set while it is paused because its own budget is used up.
    pub spent: bool,
    /// What people added to its budget, first to last.
    pub added: Vec<Addition>,
    /// Set while it waits for people.
    pub waiting: Option<Waiting>,
    /// When its thread opens, in seconds since 1970, if Discord takes none before.
    pub thread_late: Option<i64>,
    /// Which session left open what this one goes on with.
    pub goes_on_from: Option<GoesOnFrom>,
    /// The message that it is about.
    pub about: Option<AboutMessage>,
    /// What it came to, once it is done.
    pub came_out: Option<CameOut>,
}
