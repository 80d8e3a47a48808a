//! What a session will take, worked out before it starts.

use super::Sessions;
use crate::{
    domain::{Brief, Caps, Estimate, ModelName, Planned, Rates, estimate},
    protocols::calls,
    steps::{prices, rates},
};

impl Sessions {
    /// What a session takes, if people are told that because it has a document, or asked because it is much; then with
    /// what it takes at less effort. A critique works it out itself.
    pub(super) async fn estimated(&self, brief: &Brief, caps: &Caps) -> anyhow::Result<Option<Planned>> {
        if matches!(brief, Brief::Critique(_)) {
            return Ok(None);
        }
        let (world, prompts) = (&self.0.world, &self.0.settings.prompts);
        let models: Vec<ModelName> = brief.models().iter().filter_map(|model| model.parse().ok()).collect();
        let takes = |brief: &Brief, rates: Rates| Estimate {
            effort: Some(brief.effort()),
            ..estimate(&calls(prompts, brief), rates)
        };
        // How long it takes is looked up only where it is told.
        let asks = takes(brief, prices(&world.llm, &models, brief.effort())).needs_go(caps);
        if !asks && brief.document().is_none() {
            return Ok(None);
        }
        let mut estimates = Vec::new();
        for effort in brief.effort().and_below().take(if asks { usize::MAX } else { 1 }) {
            let rates = rates(world, &models, effort).await?;
            estimates.push(takes(&brief.clone().with_effort(effort), rates));
        }
        Ok(Estimate::chain(estimates.into_iter()).map(|estimate| Planned { estimate, asks }))
    }
}
