//! What a session will take, worked out before it starts.

use super::{Sessions, plan::Seating};
use crate::steps::{prices, rates, search_price};
use domain::{
    Brief, Caps, Estimate, ModelName, Planned, Provider, Rates, ReadInSections, Takes, estimate, takes,
};

/// Tokens that a model takes in of which nothing is known, on one's own machine and elsewhere.
const UNKNOWN_CONTEXT: (u32, u32) = (8_192, 128_000);

impl Sessions {
    /// How a session's document is read if it is longer than every seat's model takes in beside the task, the others'
    /// words and the answer: a third of its context, at three characters a token.
    pub(super) async fn in_sections(&self, brief: &Brief, seating: &Seating<'_>) -> Option<ReadInSections> {
        let document = brief.document().filter(|_| !brief.plans_its_reading())?;
        let mut at_once = u32::MAX;
        for model in brief.models().iter().filter_map(|model| model.parse::<ModelName>().ok()) {
            let (local, remote) = UNKNOWN_CONTEXT;
            let unknown = if model.provider == Provider::Local { local } else { remote };
            at_once = at_once.min(self.0.world.llm.context(&model).await.unwrap_or(unknown));
        }
        let at_once = usize::try_from(at_once).unwrap_or(usize::MAX);
        let reader = seating.beside(&seating.settings.mediator);
        (document.text.chars().count() > at_once).then_some(ReadInSections { at_once, reader })
    }

    /// What a session takes, if people are told that because it has a document, or asked because it is much or somebody wants
    /// to be asked first; then with what it takes where less is asked for. A critique works it out itself.
    pub(super) async fn estimated(
        &self,
        brief: &Brief,
        reading: Option<&ReadInSections>,
        caps: &Caps,
        ask_first: bool,
    ) -> anyhow::Result<Option<Planned>> {
        if brief.plans_its_reading() {
            return Ok(None);
        }
        let world = &self.0.world;
        let models: Vec<ModelName> = brief.models().iter().filter_map(|model| model.parse().ok()).collect();
        let (read, brief) = match reading.zip(brief.document()) {
            Some((how, document)) => {
                let (read, notes) = how.takes(document, caps.calls);
                (read, &brief.clone().with_document(notes))
            }
            None => (Takes::default(), brief),
        };
        let (named, selects) = (brief.left_out().len(), brief.selects());
        let of = |brief: &Brief, rates: Rates| {
            let asked =
                estimate(read.and(takes(brief)), rates).searching(brief.searches(), search_price(world));
            Estimate {
                effort: Some(brief.effort()),
                without: brief.left_out()[named..].to_vec(),
                usual_modules: selects && !brief.selects(),
                ..asked
            }
        };
        // How long it takes is looked up only where it is told.
        let needs = of(brief, prices(&world.llm, &models, brief.effort())).needs_go(caps);
        let asks = needs || ask_first;
        if !asks && brief.document().is_none() {
            return Ok(None);
        }
        let mut estimates = Vec::new();
        let briefs = std::iter::successors(Some(brief.clone()), Brief::smaller);
        for brief in briefs.take(if asks { usize::MAX } else { 1 }) {
            let rates = rates(world, &models, brief.effort()).await?;
            estimates.push(of(&brief, rates));
        }
        Ok(Estimate::chain(estimates.into_iter()).map(|estimate| estimate.planned(needs, ask_first)))
    }
}
