//! Budgets: how much a session, a member and a server may use.

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

/// The caps that hold for a session all its life, and for a member and a server each day (UTC).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Budgets {
    /// Of one session, follow-ups included.
    pub session: Caps,
    /// Of all sessions that one member started in one server, a day.
    pub member_day: Caps,
    /// Of all sessions of one server, a day.
    pub server_day: Caps,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            session: Caps { money: Money(2_000_000), tokens: 400_000, calls: 80 },
            member_day: Caps { money: Money(10_000_000), tokens: 2_000_000, calls: 400 },
            server_day: Caps { money: Money(50_000_000), tokens: 10_000_000, calls: 2_000 },
        }
    }
}
