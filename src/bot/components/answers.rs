//! What each button, select and form leads to: an arm for each case, so that the compiler finds one nobody answers.

use super::{Answer, Press, unknown};
use crate::{
    bot::reply::THREAD_PATIENCE,
    error::UserError,
    protocols::debate::opinion_key,
    render,
    report::Audience,
    session::{Shown, takes_context},
    steps::vote_key,
};
use domain::{AuditScope, Changes, Does, Modal, Opens, Post, SolutionId, StepKey, TriageVerdict, WaitKind};

impl Press<'_> {
    /// The form that a press opens.
    pub(super) async fn opens(&self, action: Opens) -> anyhow::Result<Modal> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        match action {
            Opens::Context => self.context_form(),
            Opens::Reword => sessions.reword_form(row).await,
            Opens::SpreadType(draft) => sessions.typed_form(row, actor, draft).await,
            Opens::Propose => sessions.propose_form(row, actor).await,
            Opens::AddBudget => sessions.budget_form(row).await,
            Opens::RolesEdit => self.confirmation_form(WaitKind::Roles).await,
            Opens::TableEdit => self.table_form().await,
            Opens::OpenPoints => sessions.open_points_form(row).await,
            Opens::PropositionEdit => self.confirmation_form(WaitKind::Proposition).await,
            Opens::EstimateOptions => sessions.options_form(row, actor).await,
            Opens::TeamAnswer => self.confirmation_form(WaitKind::Team).await,
            Opens::Decide => sessions.decision_form(row).await,
            Opens::Outcome((number, verdict)) => sessions.outcome_form(row, number, verdict).await,
            Opens::Evidence => sessions.evidence_form(row),
            Opens::Clarify => sessions.clarify_form(row),
            Opens::Question(to) => sessions.question_form(row, to),
            // Chosen in the select; a button that opens the form again says it itself.
            Opens::Hinge(hinge) => match self.chosen.first().map_or(hinge, |chosen| chosen.parse().ok()) {
                Some(hinge) => sessions.hinge_form(row, hinge).await,
                None => unknown(),
            },
        }
    }

    /// What the private message that was pressed on says now. The whole draft rides in the button, so that nothing is
    /// lost when the bot restarts in between.
    pub(super) async fn changes(&self, action: Changes) -> anyhow::Result<Post> {
        let draft = match action {
            Changes::Spread(draft) => draft,
            Changes::SpreadPick(draft) => match self.choice().parse() {
                Ok(chosen) => draft.pick(SolutionId(chosen)),
                Err(_) => return unknown(),
            },
        };
        self.data.sessions.spread(&self.row, &self.actor, Some(draft)).await
    }

    /// What a press or a sent form does.
    pub(super) async fn does(&self, action: Does) -> anyhow::Result<Answer> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        let said = match action {
            Does::Whole(step) => {
                return sessions.inspect(&row.id, &step, Shown::Whole).await.map(Answer::Shown);
            }
            Does::Raw(step) => return sessions.inspect(&row.id, &step, Shown::Raw).await.map(Answer::Shown),
            Does::Result => {
                let step = StepKey::from(row.protocol.words().result.step);
                return sessions.inspect(&row.id, &step, Shown::Whole).await.map(Answer::Shown);
            }
            Does::Export => sessions.export(row, actor, Audience::Internal).await?,
            Does::GoOn => return Ok(Answer::Shown(vec![sessions.sequels(row).await?])),
            Does::GoOnWith => {
                let begun = sessions.go_on_with(row, actor, self.choice(), self.allowed).await?;
                let thread = sessions.thread_of(&begun, THREAD_PATIENCE).await?;
                return Ok(Answer::Shown(vec![render::notices::started(thread, &[])]));
            }
            Does::TellMe => sessions.tell_me(row, actor).await?,
            Does::Audit => {
                return sessions.audit(row, actor, AuditScope::Whole, false).await.map(Answer::Shown);
            }
            Does::Note => sessions.add_context(row, actor, self.only_box()).await?,
            Does::Reworded => return Ok(self.reworded().await),
            Does::ChooseModules => sessions.choose_modules(row, actor).await?,
            Does::Pause => sessions.pause(row, actor).await?,
            Does::Resume => sessions.resume(row, actor).await?,
            Does::Retry => sessions.retry(row, actor).await?,
            Does::Cancel
            | Does::RolesCancel
            | Does::PropositionCancel
            | Does::EstimateCancel
            | Does::TeamCancel => {
                sessions.may_cancel(row, actor)?;
                return Ok(Answer::Shown(vec![render::notices::confirm_cancel(&row.id)]));
            }
            Does::CancelSure => sessions.cancel(row, actor).await?,
            Does::BudgetSent(before) => return Ok(self.budget_written(before).await),

            Does::VoteAll => sessions.cast_all(row, actor, self.choice()).await?,
            Does::VoteSpread => return Ok(Answer::Shown(vec![sessions.spread(row, actor, None).await?])),
            Does::SpreadCast(draft) => sessions.cast_draft(row, actor, &draft).await?,
            Does::SpreadTyped(_) => sessions.cast_typed(row, actor, self.only_box()).await?,
            Does::SpreadOffMinus | Does::SpreadOffPlus | Does::SpreadOffAll => return unknown(),
            Does::ProposeSent => return Ok(self.proposed().await),
            Does::VoteClose => {
                return Ok(Answer::Shown(vec![sessions.may_close(row, actor, &vote_key()).await?]));
            }
            Does::VoteCloseSure => sessions.close_vote(row, actor, &vote_key()).await?,

            Does::RolesGo(read) => sessions.confirm(row, actor, WaitKind::Roles, read).await?,
            Does::PropositionStart(read) => sessions.confirm(row, actor, WaitKind::Proposition, read).await?,
            Does::EstimateSmaller(read) => sessions.make_smaller(row, actor, read).await?,
            Does::EstimateGo(read) => sessions.confirm(row, actor, WaitKind::Estimate, read).await?,
            Does::EstimateOptionsSent => return Ok(self.options_written().await),
            Does::TeamGo(read) => sessions.confirm(row, actor, WaitKind::Team, read).await?,
            Does::TeamSent => return Ok(self.confirmation_written(WaitKind::Team).await),
            Does::RolesSent => return Ok(self.confirmation_written(WaitKind::Roles).await),
            Does::OpenPointsSent => return Ok(self.open_points_answered().await),
            Does::PropositionSent => return Ok(self.confirmation_written(WaitKind::Proposition).await),

            Does::OpinionBefore((opinion, revision)) => {
                sessions.opine_before(row, actor, opinion, revision).await?
            }
            Does::OpinionAfter(opinion) => sessions.opine_after(row, actor, opinion).await?,
            Does::OpinionClose => {
                return Ok(Answer::Shown(vec![sessions.may_close(row, actor, &opinion_key()).await?]));
            }
            Does::OpinionCloseSure => sessions.close_vote(row, actor, &opinion_key()).await?,

            Does::TriageAccept(finding) => {
                sessions.triage(row, actor, finding, TriageVerdict::Accepted).await?
            }
            Does::TriageReject(finding) => {
                sessions.triage(row, actor, finding, TriageVerdict::Rejected).await?
            }
            Does::TriageFixed(finding) => sessions.triage(row, actor, finding, TriageVerdict::Fixed).await?,
            Does::TriageUndo(finding) => sessions.triage(row, actor, finding, TriageVerdict::Open).await?,
            Does::OpenChosen(_) => return sessions.opened(row, self.choice()).await.map(Answer::Shown),
            Does::TriageList => return sessions.triage_list(row).await.map(Answer::Shown),

            Does::DecideSent => return Ok(self.decided().await),
            Does::OutcomeSent(of) => return Ok(self.turned_out(of).await),

            Does::EvidenceSent => return Ok(self.evidence(None).await),
            Does::HingeSent(hinge) => return Ok(self.evidence(Some(hinge)).await),
            Does::ClarifySent => return Ok(self.clarified().await),
            Does::QuestionSent(to) => return Ok(self.asked(to).await),
        };
        Ok(Answer::Said(said))
    }

    /// The form in which something is edited that waits to be confirmed.
    async fn confirmation_form(&self, kind: WaitKind) -> anyhow::Result<Modal> {
        let draft = self.data.sessions.confirmation_draft(&self.row, &self.actor, kind).await?;
        render::confirmation::form(&self.row.id, &draft).map_or_else(unknown, Ok)
    }

    /// The form for the question and the table of a roundtable.
    async fn table_form(&self) -> anyhow::Result<Modal> {
        let draft = self.data.sessions.confirmation_draft(&self.row, &self.actor, WaitKind::Roles).await?;
        render::confirmation::table_form(&self.row.id, &draft).map_or_else(unknown, Ok)
    }

    fn context_form(&self) -> anyhow::Result<Modal> {
        if self.row.state.is_final() {
            return UserError::of(
                "This session is over, so nothing can be added to it. Ask about it with `/ask` in its thread.",
            );
        }
        takes_context(&self.row)?;
        Ok(render::status::context_form(&self.row.id))
    }

    /// What was chosen in a select of which one option can be chosen.
    fn choice(&self) -> &str {
        self.chosen.first().map(String::as_str).unwrap_or_default()
    }

    /// What was written in a form of one box, whatever it is called.
    fn only_box(&self) -> &str {
        self.written.values().next().map(String::as_str).unwrap_or_default()
    }
}
