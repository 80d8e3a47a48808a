//! What a server's managers can set for it. What they leave alone is as whoever runs the bot configured it.

use serde::{Deserialize, Serialize};

use super::{Effort, Electorate, ModelName, ModuleName, Money, RoleId, VoteRules};

/// Who may do something. Moderators (Manage Threads or Manage Server) always may.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// Every member of the server.
    Everyone,
    /// Whoever started the session.
    Starter,
    /// Whoever has a role.
    Role(RoleId),
}

/// Days that requests and replies are kept on a server that has set nothing.
const RAW_DAYS: u32 = 90;

/// A server's settings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct GuildSettings {
    /// Who may start sessions: everyone or a role.
    pub may_start: Grant,
    /// Who may close votes, confirm roles, record decisions and say how they turned out.
    pub may_decide: Grant,
    /// How votes are held unless a command says otherwise.
    pub voting: VoteRules,
    /// Models of the panel, out of those the bot has; empty: all of them, as configured.
    pub models: Vec<ModelName>,
    /// Who mediates, moderates, proposes roles and writes the record; `None`: as configured.
    pub mediator: Option<ModelName>,
    /// Who checks what others wrote; `None`: as configured.
    pub checker: Option<ModelName>,
    /// Modules of `/mediate` when nobody chooses; empty: the bot's own defaults.
    pub modules: Vec<ModuleName>,
    /// Whether `/mediate` chooses fitting modules when nobody names any.
    pub auto_select: bool,
    /// Most that one session may cost.
    pub session_money: Option<Money>,
    /// Most calls of one session.
    pub session_calls: Option<i64>,
    /// Most tokens of one session, in and out.
    pub session_tokens: Option<i64>,
    /// Most that all sessions may cost in a calendar month (UTC).
    pub month_money: Option<Money>,
    /// Most calls in a calendar month (UTC).
    pub month_calls: Option<i64>,
    /// Most tokens in a calendar month (UTC), in and out.
    pub month_tokens: Option<i64>,
    /// How much a session asks of its models unless a command says otherwise.
    pub effort: Effort,
    /// Whether modules and advocates search the web unless a command says otherwise, where the bot has a search.
    pub search: bool,
    /// Whether a module's earlier advice here decides how much it counts.
    pub trust: bool,
    /// Language of answers, as a name (`German`); `None`: that of the problem.
    pub language: Option<String>,
    /// Days after its end at which a session is deleted; `None`: kept. Decision records stay.
    pub retention_days: Option<u32>,
    /// Days after its end at which a session's requests and replies are deleted; 0: with the session.
    pub raw_days: u32,
}

impl Default for GuildSettings {
    fn default() -> Self {
        Self {
            may_start: Grant::Everyone,
            may_decide: Grant::Starter,
            voting: VoteRules { electorate: Electorate::Everyone, ..VoteRules::default() },
            models: Vec::new(),
            mediator: None,
            checker: None,
            modules: Vec::new(),
            auto_select: false,
            session_money: None,
            session_calls: None,
            session_tokens: None,
            month_money: None,
            month_calls: None,
            month_tokens: None,
            effort: Effort::Standard,
            search: true,
            trust: true,
            language: None,
            retention_days: None,
            raw_days: RAW_DAYS,
        }
    }
}
