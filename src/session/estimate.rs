//! What a session will take, worked out before it starts.

use super::Sessions;
use crate::{
    protocols::Seating,
    steps::{prices, rates, search_price},
};
use domain::{
    Brief, Caps, Effort, Estimate, ModelName, Pictured, Planned, Provider, Rates, ReadInSections,
    ReadPictures, Takes, estimate, takes,
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
        let reader = seating.beside(&seating.appointed.mediator);
        // How long it is shows once its pictures were read.
        let long = document.text.chars().count() > at_once || !document.pictures.is_empty();
        long.then_some(ReadInSections { at_once, reader })
    }

    /// What it takes to read a document's pictures, and who reads them.
    async fn picture_reading(
        &self,
        how: &ReadPictures,
        brief: &Brief,
    ) -> anyhow::Result<(Estimate, ModelName)> {
        let model = how.reader.model.clone();
        let number = brief.document().map_or(0, |document| document.pictures.len());
        let rates = rates(&self.0.world, std::slice::from_ref(&model), Effort::Brief).await?;
        Ok((estimate(Pictured::takes(number), rates), model))
    }

    /// What a session takes, if people are told that because it has a document, or asked because it is much or somebody wants
    /// to be asked first; then with what it takes where less is asked for. A critique works it out itself.
    pub(super) async fn estimated(
        &self,
        brief: &Brief,
        (pictures, reading): (Option<&ReadPictures>, Option<&ReadInSections>),
        caps: &Caps,
        ask_first: bool,
    ) -> anyhow::Result<Option<Planned>> {
        if brief.plans_its_reading() {
            return Ok(None);
        }
        let world = &self.0.world;
        let models: Vec<ModelName> = brief.models().iter().filter_map(|model| model.parse().ok()).collect();
        let seen = match pictures {
            Some(how) => Some(self.picture_reading(how, brief).await?),
            None => None,
        };
        let brief = &match brief.document().filter(|document| !document.pictures.is_empty()) {
            Some(document) => brief.clone().with_document(document.as_expected()),
            None => brief.clone(),
        };
        let (read, brief) = match reading.zip(brief.document()) {
            Some((how, document)) if document.text.chars().count() > how.at_once => {
                let (read, notes) = how.takes(document, caps.calls);
                (read, &brief.clone().with_document(notes))
            }
            _ => (Takes::default(), brief),
        };
        let (named, selects) = (brief.left_out().len(), brief.selects());
        let of = |brief: &Brief, rates: Rates| {
            let asked =
                estimate(read.and(takes(brief)), rates).searching(brief.searches(), search_price(world));
            let asked = match &seen {
                Some((reading, model)) => asked.after_pictures(reading, model.clone()),
                None => asked,
            };
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
