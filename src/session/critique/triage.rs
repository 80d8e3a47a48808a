//! Triage: who says what of a finding.

use super::{Sessions, brief, is_critique};
use crate::{
    error::UserError,
    protocols::critique::{review, triage_key},
    render::{
        self,
        chosen::{Opened, opened},
    },
    session::{Actor, Shown, typed::told},
    store::{SessionRow, StoreError},
};
use domain::{
    CritiqueBrief, Electorate, File, FindingId, Post, Review, Triage, TriageVerdict, TriagedFinding,
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
        has(&self.findings(row).await?, finding)?;
        let now = self.now_ms();
        let triage = Triage { finding, verdict, by: actor.user, by_name: actor.name.clone(), at: now / 1000 };
        let said = sentence(finding, verdict);
        let late =
            format!("Somebody has said something newer of {finding}, so that stands. The triage shows it.");
        let event = actor.event("triage", &row.id, &said);
        let panel = triage_key();
        match store.triage(&row.id, event, late.clone(), triage, vec![panel.clone()], now).await {
            Ok(true) => {
                self.0.panels.kick(&row.id, panel.as_str());
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
            Err(other) => Err(told(other)),
        }
    }

    /// The whole of what somebody chose from a list: a finding with its buttons, as things stand now, or what a member said and
    /// how that came about.
    pub async fn opened(&self, row: &SessionRow, chosen: &str) -> anyhow::Result<Vec<Post>> {
        match opened(chosen) {
            Some(Opened::Whole(step)) => return self.inspect(&row.id, &step, Shown::Whole).await,
            Some(Opened::Raw(step)) => return self.inspect(&row.id, &step, Shown::Raw).await,
            None => {}
        }
        let review = self.findings(row).await?;
        let Some(finding) = FindingId::of_key(chosen).and_then(|id| review.finding(id)) else {
            return UserError::of("That finding is not in this critique. Choose one from the list.");
        };
        let CritiqueBrief { document, .. } = brief(&self.0.world.store, row).await?;
        let said = self.0.world.store.triage_of(&row.id).await?;
        let said = said.iter().find(|said| said.finding == finding.id);
        Ok(render::critique::finding(&row.id, &review, finding, &document, said))
    }

    /// The triage as files, for whoever asks.
    pub async fn triage_list(&self, row: &SessionRow) -> anyhow::Result<Vec<Post>> {
        let review = self.findings(row).await?;
        let said = self.0.world.store.triage_of(&row.id).await?;
        let files: Vec<File> = render::critique::triage_export(
            &row.title,
            &brief::<CritiqueBrief>(&self.0.world.store, row).await?.document,
            &review,
            &said,
        );
        let all = TriagedFinding::all(&review.findings, &said);
        let sorted = all.iter().filter(|finding| finding.triage.is_some()).count();
        let sentence = format!(
            "The findings as a list (Markdown) and as a table (CSV), as they stand now: {sorted} of {} have been triaged.",
            all.len()
        );
        Ok(vec![Post { files, ..render::notices::done(&sentence) }])
    }

    /// The review with its findings; a sentence before there is one, and where it has none.
    async fn findings(&self, row: &SessionRow) -> anyhow::Result<Review> {
        if !is_critique(row) {
            return UserError::of("Only a critique has findings to triage.");
        }
        match review(&self.journal(&row.id)).await? {
            Some(review) if review.no_findings() => {
                UserError::of("This critique has no significant findings, so there is nothing to triage.")
            }
            Some(review) => Ok(review),
            None if row.state.is_final() => UserError::of(
                "This critique ended before its review, so it has no findings to triage. **Try again**, on its card, asks once more for what failed.",
            ),
            None => UserError::of(
                "There is no review yet. Its findings come in the thread once the six have read and weighed.",
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

fn has(review: &Review, finding: FindingId) -> anyhow::Result<()> {
    if review.finding(finding).is_some() {
        return Ok(());
    }
    UserError::of(match review.findings.len() {
        1 => format!("There is no finding {finding} in this critique; its only one is F1."),
        count => format!("There is no finding {finding} in this critique; they are numbered F1 to F{count}."),
    })
}

/// What is said to somebody whose word counts.
fn sentence(finding: FindingId, verdict: TriageVerdict) -> String {
    match verdict {
        TriageVerdict::Accepted => {
            format!("Noted: {finding} is accepted. The triage shows it with your name.")
        }
        TriageVerdict::Rejected => {
            format!("Noted: {finding} is rejected. The triage shows it with your name.")
        }
        TriageVerdict::Fixed => format!("Noted: {finding} is fixed. The triage shows it with your name."),
        TriageVerdict::Open => {
            format!("Noted: {finding} is open, whatever was said of it before. The triage shows it.")
        }
    }
}
