//! The options of a session's command, set again while its estimate waits for a *Go*: the session is planned anew by what it
//! is about, and shows what it takes now.

use super::{Actor, Choices, Sessions, confirm::Redrafted, plan::Making};
use crate::{
    error::UserError,
    protocols, render,
    steps::{Stop, rates_up_to},
    store::SessionRow,
};
use domain::{Confirmation, Estimate, Modal, ModelName, OptionWords, Plan, WaitKind};

/// What is confirmed.
const KIND: WaitKind = WaitKind::Estimate;
/// Said to whoever set them.
const SET: &str = "The options are set. Look at the card in the thread, and press **Go** when it is right.";

impl Sessions {
    /// The form for the options of a session, as it has them. Refused to whoever may not let it begin, and once it has begun.
    pub async fn options_form(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<Modal> {
        let words = self.options(row, actor).await?;
        Ok(render::options::form(&row.id, &words, &self.models()))
    }

    /// The options of a session whose estimate waits, as it has them now, with whatever was made smaller.
    pub async fn options(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<OptionWords> {
        let draft = self.confirmation_draft(row, actor, KIND).await?;
        let Plan { brief, voting, .. } = self.0.world.store.plan(&row.id).await?;
        let brief = match &draft {
            Confirmation::Estimate(estimate) => brief.as_confirmed(estimate),
            _ => brief,
        };
        Ok(OptionWords::of(&brief, &voting))
    }

    /// Has a session whose estimate waits begin with other options; what it takes then stands on its card. What was decided
    /// about earlier steps stays, for none but the wording of its question comes before.
    pub async fn set_options(
        &self,
        row: &SessionRow,
        actor: &Actor,
        chosen: Choices,
    ) -> anyhow::Result<String> {
        self.may_decide(row, actor, KIND.terms().decide).await?;
        let store = &self.0.world.store;
        let before = store.plan(&row.id).await?;
        let plan = self
            .plan(Making {
                guild: row.guild,
                settings: &self.guild_settings(row.guild).await?,
                budgets: before.budgets,
                of: (before.brief.problem().clone(), before.brief.document().cloned()),
                chosen: Choices { ask_first: true, ..chosen },
                about: before.about,
                goes_on_from: before.goes_on_from,
            })
            .await?;
        let plan = Plan { question: before.question, ..plan };
        let estimate = match &plan.estimate {
            Some(planned) => planned.estimate.clone(),
            None => self.worked_out(&plan).await?,
        };
        let new = Redrafted { confirmation: Confirmation::Estimate(estimate), plan: Some(plan) };
        let said = self.redraft(row, actor, KIND, new, SET).await?;
        self.redraw(&row.id);
        Ok(said)
    }

    /// What a session takes that plans by itself what it reads.
    async fn worked_out(&self, plan: &Plan) -> anyhow::Result<Estimate> {
        let (world, caps) = (&self.0.world, &plan.budgets.session);
        let models: Vec<ModelName> =
            plan.brief.models().iter().filter_map(|name| name.parse().ok()).collect();
        let rates = rates_up_to(world, &models, plan.brief.effort()).await?;
        match protocols::worked_out(&plan.brief, caps, &rates) {
            Ok(Some(estimate)) => {
                let needs = estimate.needs_go(caps);
                Ok(estimate.planned(needs, true).estimate)
            }
            Ok(None) => anyhow::bail!("nobody worked out what a session takes"),
            Err(Stop::Fail(why)) => UserError::of(why),
            Err(other) => Err(other.into()),
        }
    }
}
