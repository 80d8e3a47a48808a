//! Triage: who says what of a finding.

use super::{Sessions, brief, is_critique};
use crate::{
    error::UserError,
    protocols::critique::{assessment, triage_key},
    render,
    session::Actor,
    steps::now_ms,
    store::{SessionRow, StoreError},
};
use domain::{
    Assessment, CritiqueBrief, Electorate, File, FindingId, Post, StepKey, Triage, TriageVerdict,
    TriagedFinding,
};

impl Sessions {
    /// Notes what somebody says of a finding. Whoever is of the electorate of the session's votes may say so, moderators
    /// too; once the session has its findings, for as long as its thread stands.
    pub async fn triage(
        &self,
        row: &SessionRow,
        actor: &Actor,
        finding: FindingId,
        verdict: TriageVerdict,
    ) -> anyhow::Result<String> {
        let store = &self.0.world.store;
        if let Some(said) = store.applied(actor.interaction.0).await? {
            return Ok(said);
        }
        let electorate = self.0.world.store.plan(&row.id).await?.voting.electorate;
        may_triage(electorate, actor)?;
        let assessment = self.findings(row).await?;
        has(&assessment, finding)?;
        let now = now_ms();
        let triage = Triage { finding, verdict, by: actor.user, by_name: actor.name.clone(), at: now / 1000 };
        let said = sentence(finding, verdict);
        let late =
            format!("Somebody has said something newer of {finding}, so that stands. The card shows it.");
        let event = actor.event("triage", &row.id, &said);
        let panels = panels(&assessment, finding);
        match store.triage(&row.id, event, late.clone(), triage, panels.clone(), now).await {
            Ok(true) => {
                for panel in &panels {
                    self.0.panels.kick(&row.id, panel.as_str());
                }
                Ok(said)
            }
            Ok(false) => Ok(late),
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::Missing(_)) if row.state.is_final() => UserError::of(
                "This session ended while its findings were being posted, so they cannot be triaged here.",
            ),
            Err(StoreError::Missing(_)) => {
                UserError::of("The findings are still being posted. Press again in a moment.")
            }
            Err(other) => Err(other.into()),
        }
    }

    /// The card of a finding that has none in the thread, with its buttons, for whoever chose it. It shows how things stand
    /// now and is not kept true.
    pub async fn finding_card(&self, row: &SessionRow, chosen: &str) -> anyhow::Result<Vec<Post>> {
        let assessment = self.findings(row).await?;
        let id = FindingId::of_key(chosen);
        let Some(finding) = assessment.findings.iter().find(|finding| Some(finding.id) == id) else {
            return UserError::of(
                "That finding is not in this critique. Choose one from the list on the triage card.",
            );
        };
        let CritiqueBrief { document, .. } = brief(&self.0.world.store, row).await?;
        let said = self.0.world.store.triage_of(&row.id).await?;
        let said = said.iter().find(|said| said.finding == finding.id);
        Ok(vec![render::critique::finding(&row.id, &assessment, finding, &document, said)])
    }

    /// The triage as files, for whoever asks.
    pub async fn triage_list(&self, row: &SessionRow) -> anyhow::Result<Vec<Post>> {
        let assessment = self.findings(row).await?;
        let said = self.0.world.store.triage_of(&row.id).await?;
        let files: Vec<File> = render::critique::triage_export(
            &row.title,
            &brief::<CritiqueBrief>(&self.0.world.store, row).await?.document,
            &assessment,
            &said,
        );
        let all = TriagedFinding::all(&assessment.findings, &said);
        let sorted = all.iter().filter(|finding| finding.triage.is_some()).count();
        let sentence = format!(
            "The findings as a list (Markdown) and as a table (CSV), as they stand now: {sorted} of {} have been triaged.",
            all.len()
        );
        Ok(vec![Post { files, ..render::notices::done(&sentence) }])
    }

    /// The assessment with its findings; a sentence before there is one, and where it has none.
    async fn findings(&self, row: &SessionRow) -> anyhow::Result<Assessment> {
        if !is_critique(row) {
            return UserError::of("Only a critique has findings to triage.");
        }
        match assessment(&self.journal(&row.id)).await? {
            Some(assessment) if assessment.no_findings() => {
                UserError::of("This critique has no significant findings, so there is nothing to triage.")
            }
            Some(assessment) => Ok(assessment),
            None if row.state.is_final() => UserError::of(
                "This critique ended before its assessment, so it has no findings to triage. **Try again**, on its card, asks once more for what failed.",
            ),
            None => UserError::of(
                "There is no assessment yet. Its findings come in the thread once the six have read and weighed.",
            ),
        }
    }
}

/// Findings are triaged by those who vote on them, and by moderators.
fn may_triage(electorate: Electorate, actor: &Actor) -> anyhow::Result<()> {
    if actor.moderator || electorate.admits(actor.user, &actor.roles) {
        return Ok(());
    }
    let who = match electorate {
        Electorate::Role(role) => format!("members with <@&{role}>"),
        Electorate::Named(_) | Electorate::Everyone => "the members whom the vote's panel names".to_owned(),
    };
    UserError::of(format!(
        "Those who may vote in this session triage its findings: {who}, and moderators. You can ask about a finding with `/ask` in the thread."
    ))
}

/// The panels that a word on a finding changes: the triage, and the finding's own card where it has one.
fn panels(assessment: &Assessment, finding: FindingId) -> Vec<StepKey> {
    let carded = assessment.voted().iter().any(|voted| voted.id == finding);
    carded.then(|| finding.key()).into_iter().chain([triage_key()]).collect()
}

fn has(assessment: &Assessment, finding: FindingId) -> anyhow::Result<()> {
    if assessment.findings.iter().any(|there| there.id == finding) {
        return Ok(());
    }
    UserError::of(match assessment.findings.len() {
        1 => format!("There is no finding {finding} in this critique; its only one is F1."),
        count => format!("There is no finding {finding} in this critique; they are numbered F1 to F{count}."),
    })
}

/// What is said to somebody whose word counts.
fn sentence(finding: FindingId, verdict: TriageVerdict) -> String {
    match verdict {
        TriageVerdict::Accepted => format!("Noted: {finding} is accepted. The card shows it with your name."),
        TriageVerdict::Rejected => format!("Noted: {finding} is rejected. The card shows it with your name."),
        TriageVerdict::Fixed => format!("Noted: {finding} is fixed. The card shows it with your name."),
        TriageVerdict::Open => {
            format!("Noted: {finding} is open, whatever was said of it before. The card shows it.")
        }
    }
}
