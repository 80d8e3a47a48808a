//! The buttons under a critique's estimate, its findings and its triage.

use super::{Answer, Press, unknown};
use crate::{domain::TriageVerdict, protocols::critique::finding_of, render};

impl Press<'_> {
    pub(super) async fn estimate(&self) -> anyhow::Result<Answer> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        match self.id.verb.as_str() {
            "estimate_go" => sessions.confirm_estimate(row, actor).await.map(Answer::Said),
            "estimate_cancel" => {
                sessions.may_cancel(row, actor)?;
                Ok(Answer::Shown(vec![render::notices::confirm_cancel(&row.id)]))
            }
            _ => unknown(),
        }
    }

    pub(super) async fn triage(&self) -> anyhow::Result<Answer> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        let verdict = match self.id.verb.as_str() {
            "triage_list" => return sessions.triage_list(row).await.map(Answer::Shown),
            "triage_accept" => TriageVerdict::Accepted,
            "triage_reject" => TriageVerdict::Rejected,
            "triage_fixed" => TriageVerdict::Fixed,
            "triage_undo" => TriageVerdict::Open,
            _ => return unknown(),
        };
        let Some(finding) = finding_of(&self.id.argument) else { return unknown() };
        sessions.triage(row, actor, finding, verdict).await.map(Answer::Said)
    }
}
