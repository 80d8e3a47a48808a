//! Budgets: how much a session, a member, a server and all servers together may use.

use serde::{Deserialize, Serialize};

use super::Money;

/// Most that may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Caps {
    /// Known cost.
    pub money: Money,
    /// Tokens in and out.
    pub tokens: i64,
    /// Model calls, those that failed too.
    pub calls: i64,
}

impl Caps {
    /// So much that nothing ever reaches it; half of what fits, so that sums with it fit too.
    pub const NO_LIMIT: i64 = i64::MAX / 2;
}

/// What all servers of one process may use together, whoever invited the bot to how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WholeBot {
    /// A day (UTC).
    pub day: Caps,
    /// A calendar month (UTC).
    pub month: Caps,
}

impl WholeBot {
    /// As much as its servers may.
    pub const NO_LIMIT: Self = {
        let caps = Caps { money: Money(Caps::NO_LIMIT), tokens: Caps::NO_LIMIT, calls: Caps::NO_LIMIT };
        Self { day: caps, month: caps }
    };
}

impl Default for WholeBot {
    /// As much a day as two servers may, and ten times that a month.
    fn default() -> Self {
        Self {
            day: Caps { money: Money(100_000_000), tokens: 100_000_000, calls: 4_000 },
            month: Caps { money: Money(1_000_000_000), tokens: 1_000_000_000, calls: 40_000 },
        }
    }
}

/// How many sessions may be open at once, in one server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenSessions {
    /// Of all its members, without those that wait for people or are paused.
    pub of_server: u32,
    /// Of one member, with those.
    pub of_member: u32,
}

/// The caps that hold for a session all its life, for a member and a server each day, and for a server each
/// month (UTC).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Budgets {
    /// Of one session, follow-ups included.
    pub session: Caps,
    /// Of all sessions that one member started in one server, a day.
    pub member_day: Caps,
    /// Of all sessions of one server, a day.
    pub server_day: Caps,
    /// Of all sessions of one server, a calendar month (UTC), where its managers have set that.
    pub server_month: Option<Caps>,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            session: Caps { money: Money(2_000_000), tokens: 2_000_000, calls: 120 },
            member_day: Caps { money: Money(10_000_000), tokens: 10_000_000, calls: 400 },
            server_day: Caps { money: Money(50_000_000), tokens: 50_000_000, calls: 2_000 },
            server_month: None,
        }
    }
}
