//! Confirmations: edited and confirmed by people while the session waits. Each press is applied once, however often
//! Discord delivers it; the newest edit stands, in whatever order they arrive; and nobody confirms what was edited
//! since they read it.

use std::collections::BTreeMap;

use super::{Actor, Sessions, typed::told};
use crate::{
    error::UserError,
    render::roundtable,
    store::{Asked, NewDraft, SessionRow, StoreError},
};
use domain::{Confirmation, Modal, Plan, Proposal, SessionId, WaitKind, WaitOutcome};

/// What is to be confirmed instead of what was.
pub(super) struct Redrafted {
    pub(super) confirmation: Confirmation,
    /// The session's plan from now on, where that changes with it.
    pub(super) plan: Option<Plan>,
}

impl Sessions {
    /// What is confirmed as it stands, for the form in which it is edited. Refused to whoever may not edit it, and once
    /// it is fixed.
    pub async fn confirmation_draft(
        &self,
        row: &SessionRow,
        actor: &Actor,
        kind: WaitKind,
    ) -> anyhow::Result<Confirmation> {
        self.may_decide(row, actor, kind.terms().decide).await?;
        let asked = self.asked(&row.id, kind).await?;
        if !asked.is_open(self.now_ms()) {
            return self.too_late(&row.id, kind).await;
        }
        Ok(Confirmation::read(kind, asked.draft)?)
    }

    /// The form in which anybody answers what the proposed table cannot know.
    pub async fn open_points_form(&self, row: &SessionRow) -> anyhow::Result<Modal> {
        Ok(roundtable::open_points_form(&row.id, &self.proposal(row).await?))
    }

    /// Takes the answers as a note of the team: every expert reads it. They are those of the form, by its boxes.
    pub async fn answer_open_points(
        &self,
        row: &SessionRow,
        actor: &Actor,
        written: &BTreeMap<String, String>,
    ) -> anyhow::Result<String> {
        let proposal = self.proposal(row).await?;
        let answer = |place| written.get(&roundtable::open_point(place)).map_or("", String::as_str);
        let Some(said) = proposal.answered(answer) else {
            return UserError::of("You have not answered anything yet. Fill in at least one box.");
        };
        self.add_context(row, actor, &said).await
    }

    /// What the gatekeeper proposed, while it can be confirmed.
    async fn proposal(&self, row: &SessionRow) -> anyhow::Result<Proposal> {
        let asked = self.asked(&row.id, WaitKind::Roles).await?;
        let is_open = asked.is_open(self.now_ms());
        match Confirmation::read(WaitKind::Roles, asked.draft)? {
            Confirmation::Roles(proposal) if is_open => Ok(proposal),
            _ => self.too_late(&row.id, WaitKind::Roles).await,
        }
    }

    /// Changes it to what was written in the form, by the names of its boxes. With an error in any, all of it stays as
    /// it was. What members had voted on another question is forgotten.
    pub async fn edit_confirmation(
        &self,
        row: &SessionRow,
        actor: &Actor,
        kind: WaitKind,
        written: &BTreeMap<String, String>,
    ) -> anyhow::Result<String> {
        self.may_decide(row, actor, kind.terms().decide).await?;
        let asked = self.asked(&row.id, kind).await?;
        self.change(row, actor, kind, asked, written).await
    }

    /// Asks for less of the session than its estimate says. `read` is the edit of it on whose card they pressed, so that
    /// whoever presses twice gets what they saw.
    pub async fn make_smaller(&self, row: &SessionRow, actor: &Actor, read: i64) -> anyhow::Result<String> {
        let kind = WaitKind::Estimate;
        self.may_decide(row, actor, kind.terms().decide).await?;
        let asked = self.asked(&row.id, kind).await?;
        if asked.is_open(self.now_ms()) && asked.revision != read {
            return UserError::of(
                "Somebody has made it smaller since you read it. Look at the card in the thread, and press again if it is still too much.",
            );
        }
        self.change(row, actor, kind, asked, &BTreeMap::new()).await
    }

    async fn change(
        &self,
        row: &SessionRow,
        actor: &Actor,
        kind: WaitKind,
        asked: Asked,
        written: &BTreeMap<String, String>,
    ) -> anyhow::Result<String> {
        let Some(editing) = &kind.terms().edit else { anyhow::bail!("{kind:?} cannot be edited") };
        let confirmation = match Confirmation::read(kind, asked.draft)?.edited(written, &actor.name) {
            Ok(edited) => edited,
            Err(_) if asked.outcome != WaitOutcome::Open => return self.too_late(&row.id, kind).await,
            Err(why) => return UserError::of(format!("{why} {}", editing.kept)),
        };
        self.redraft(row, actor, kind, Redrafted { confirmation, plan: None }, editing.saved).await
    }

    /// Puts another draft in the place of what waits; `saved` is said to whoever wrote it.
    pub(super) async fn redraft(
        &self,
        row: &SessionRow,
        actor: &Actor,
        kind: WaitKind,
        to: Redrafted,
        saved: &str,
    ) -> anyhow::Result<String> {
        let Some(editing) = &kind.terms().edit else { anyhow::bail!("{kind:?} cannot be edited") };
        let new = NewDraft {
            question: to.confirmation.question().map(str::to_owned),
            draft: serde_json::to_value(to.confirmation)?,
            plan: to.plan.map(serde_json::to_value).transpose()?,
            late: editing.late.to_owned(),
        };
        let (key, event) = (kind.key(), actor.event(kind.as_str(), &row.id, saved));
        match self.0.world.store.change_draft((&row.id, &key), event, new, self.now_ms()).await {
            Ok(true) => {
                self.0.panels.kick(&row.id, key.as_str());
                Ok(saved.to_owned())
            }
            Ok(false) => Ok(editing.late.to_owned()),
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(_)) => self.too_late(&row.id, kind).await,
            Err(other) => Err(other.into()),
        }
    }

    /// Confirms it as it stands: the session goes on with it. `read` is the edit of it on whose card they pressed, 0 as
    /// it was posted first.
    pub async fn confirm(
        &self,
        row: &SessionRow,
        actor: &Actor,
        kind: WaitKind,
        read: i64,
    ) -> anyhow::Result<String> {
        let terms = kind.terms();
        self.may_decide(row, actor, terms.decide).await?;
        let asked = self.asked(&row.id, kind).await?;
        if asked.is_open(self.now_ms()) && asked.revision == read {
            // No other edit than this one is confirmed below, so this is what it hangs on.
            if let Some(objection) = Confirmation::read(kind, asked.draft)?.objection() {
                return UserError::of(objection);
            }
        }
        let (key, event) = (kind.key(), actor.event("confirm", &row.id, terms.begins));
        let (store, by) = (&self.0.world.store, (actor.user, actor.name.clone()));
        let most = self.0.settings.most_open;
        match store.answer_wait((&row.id, &key), read, event, by, most, self.now_ms()).await {
            Ok(()) => {
                self.spawn(&row.id);
                self.0.panels.kick(&row.id, key.as_str());
                self.redraw(&row.id);
                Ok(terms.begins.to_owned())
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::Reread) => {
                self.0.panels.kick(&row.id, key.as_str());
                UserError::of(format!(
                    "This was edited since you read it, so nothing was started. Read it again on the card in the thread, then press **{}**.",
                    terms.button
                ))
            }
            Err(StoreError::NotRunning(_)) => self.too_late(&row.id, kind).await,
            Err(other) => Err(told(other)),
        }
    }

    async fn asked(&self, session: &SessionId, kind: WaitKind) -> anyhow::Result<Asked> {
        match self.0.world.store.asked(session, &kind.key()).await? {
            Some(asked) => Ok(asked),
            None => UserError::of(kind.terms().absent),
        }
    }

    /// Why it can no longer be edited, confirmed or voted on. A deadline that has passed is kept at once.
    pub(super) async fn too_late<T>(&self, session: &SessionId, kind: WaitKind) -> anyhow::Result<T> {
        self.keep_wait(session).await?;
        let terms = kind.terms();
        UserError::of(match self.asked(session, kind).await?.outcome {
            WaitOutcome::Answered(by) => format!("{by} {}", terms.fixed),
            WaitOutcome::Expired => format!(
                "Nobody pressed {} within a day, so this session has ended. Start the command again for a new one.",
                terms.button
            ),
            WaitOutcome::Ended => {
                "This session has ended, so it cannot begin any more. Start the command again for a new one."
                    .to_owned()
            }
            WaitOutcome::Open => {
                "This has just been changed. Look at the card in the thread and press again.".to_owned()
            }
        })
    }
}
