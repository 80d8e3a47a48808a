//! The buttons under a critique's findings and its triage.

use super::{Answer, Press, unknown};
use crate::{domain::TriageVerdict, protocols::critique::finding_of};

impl Press<'_> {
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
