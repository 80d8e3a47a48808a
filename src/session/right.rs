//! Who may do what, and the sentence for whoever may not.

use super::{Actor, Sessions};
use crate::{error::UserError, store::SessionRow};
use domain::{Brings, Grant, Right};

impl Actor {
    /// Pausing, ending and trying again is for who started the session and for moderators.
    pub(super) fn may_steer(&self, row: &SessionRow) -> anyhow::Result<()> {
        if self.user == row.starter || self.moderator {
            return Ok(());
        }
        let add = match row.protocol.words().brings {
            Brings::Evidence => "evidence",
            Brings::Context => "context",
        };
        UserError::of(format!(
            "Only {} (who started this session) or a moderator can do that. You can add {add} or ask a question.",
            row.starter_name
        ))
    }
}

impl Sessions {
    /// Whether somebody has a right to what a button does. Votes look themselves who may vote, when they take a press.
    pub async fn may(&self, row: &SessionRow, actor: &Actor, right: Right) -> anyhow::Result<()> {
        match right {
            Right::Anyone | Right::Voters => Ok(()),
            Right::Starter => actor.may_steer(row),
            Right::Deciders(what) => self.may_decide(row, actor, what).await,
        }
    }

    /// Whether a server's settings let somebody decide for a session; `what` says what they want, in a sentence that
    /// says who may.
    pub(super) async fn may_decide(&self, row: &SessionRow, actor: &Actor, what: &str) -> anyhow::Result<()> {
        let grant = self.guild_settings(row.guild).await?.may_decide;
        if actor.may(grant, Some(row.starter)) {
            return Ok(());
        }
        let who = match grant {
            Grant::Role(role) => format!("members with <@&{role}>"),
            Grant::Starter | Grant::Everyone => format!("{} (who started this session)", row.starter_name),
        };
        UserError::of(format!(
            "Only {who} or a moderator may {what}. You can vote, and ask a question in the thread."
        ))
    }
}
