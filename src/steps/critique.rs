//! What a critique does beside asking: what it will take is worked out and shown, findings are posted as cards that
//! follow the team's triage.

mod pace;

use super::{Steps, Stop, World, record::all_kept};
use crate::{
    domain::{
        Assessment, Brief, CritiqueBrief, Document, Estimate, FindingId, ModelName, Post, Price, Rates,
        SessionId, StepKey, Triage,
    },
    render,
    store::{Outcome, Store, StoreError},
};

/// The step in which the estimate is confirmed, and the panel that shows it.
#[must_use]
pub fn estimate_key() -> StepKey {
    StepKey::from("estimate")
}

/// The step in which the assessment is kept.
#[must_use]
pub fn assessment_key() -> StepKey {
    StepKey::from("assessment")
}

/// The panel of a finding.
#[must_use]
pub fn finding_key(finding: FindingId) -> StepKey {
    StepKey::new(format!("finding/{}", finding.0))
}

/// The finding that a panel's key names; nothing for a key that is not exactly one.
#[must_use]
pub fn finding_of(key: &str) -> Option<FindingId> {
    let number = key.strip_prefix("finding/")?;
    let finding = FindingId(number.parse().ok()?);
    (finding.0 > 0 && finding_key(finding).as_str() == key).then_some(finding)
}

/// The panel of the triage.
#[must_use]
pub fn triage_key() -> StepKey {
    StepKey::from("triage")
}

/// What a session that is a critique was asked.
pub async fn critique_brief(store: &Store, session: &SessionId) -> Result<CritiqueBrief, StoreError> {
    match store.plan(session).await?.brief {
        Brief::Critique(brief) => Ok(brief),
        _ => Err(StoreError::Corrupt(format!("the plan of critique {session} is another protocol's"))),
    }
}

/// A session's assessment, once it is kept.
pub async fn assessment(store: &Store, session: &SessionId) -> Result<Option<Assessment>, StoreError> {
    let kept = all_kept(store, session, assessment_key().as_str()).await?;
    Ok(kept.into_iter().find(|(key, _)| *key == assessment_key()).map(|(_, assessment)| assessment))
}

impl Steps {
    /// What is known of these models' prices and pace; measured on the calls in this database.
    pub async fn rates(&self, models: &[ModelName]) -> Result<Rates, Stop> {
        let World { llm, store, .. } = &*self.world;
        let prices: Option<Vec<Price>> = models.iter().map(|model| llm.price(model)).collect();
        // A round is as slow as its slowest seat.
        let parallel = models.iter().map(|model| llm.at_once(model)).min().unwrap_or(1);
        Ok(Rates {
            price: prices.and_then(|prices| prices.into_iter().reduce(dearest)),
            parallel: u32::try_from(parallel).unwrap_or(u32::MAX),
            call_ms: pace::usual_call_ms(store, llm, models).await?,
        })
    }

    /// Posts the findings and the triage, each once, each kept true from then on.
    pub async fn open_triage(&self, assessment: &Assessment, document: &Document) -> Result<(), Stop> {
        let session = self.session().clone();
        for finding in &assessment.findings {
            let post = render::critique::finding(&session, assessment, finding, document, None);
            self.post_panel(finding_key(finding.id), post).await?;
        }
        // Nobody's word is taken before this is open, so it begins with none.
        self.post_panel(triage_key(), render::critique::triage(&session, assessment, &[])).await
    }

    /// What the team has made of the findings up to this moment.
    pub async fn triage_now(&self) -> Result<Vec<Triage>, Stop> {
        Ok(self.world.store.triage_of(self.session()).await?)
    }
}

/// The dearer of two prices, part by part: what either costs at most.
fn dearest(one: Price, other: Price) -> Price {
    Price {
        input: one.input.max(other.input),
        cached: one.cached.max(other.cached),
        cache_write: one.cache_write.max(other.cache_write),
        output: one.output.max(other.output),
    }
}

/// The estimate as it stands: with buttons while somebody may still press them.
pub(super) async fn estimate_panel(world: &World, session: &SessionId) -> Result<Option<Post>, StoreError> {
    let Some(asked) = world.store.asked(session, &estimate_key()).await? else { return Ok(None) };
    let draft: Estimate =
        serde_json::from_value(asked.draft).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    let document = critique_brief(&world.store, session).await?.document;
    Ok(Some(match asked.outcome {
        Outcome::Open => render::critique::estimate(session, &document, &draft),
        Outcome::Answered(by) => render::critique::estimate_confirmed(&document, &draft, &by),
        Outcome::Expired => render::critique::estimate_ended(
            &document,
            &draft,
            "Nobody pressed Go within a day, so the session was ended.",
        ),
        Outcome::Ended => render::critique::estimate_ended(
            &document,
            &draft,
            "The session ended before anybody pressed Go.",
        ),
    }))
}

/// A finding as it stands, by its panel's key.
pub(super) async fn finding_panel(
    world: &World,
    session: &SessionId,
    key: &str,
) -> Result<Option<Post>, StoreError> {
    let (Some(id), Some(assessment)) = (finding_of(key), assessment(&world.store, session).await?) else {
        return Ok(None);
    };
    let Some(finding) = assessment.findings.iter().find(|finding| finding.id == id) else { return Ok(None) };
    let document = critique_brief(&world.store, session).await?.document;
    let said = world.store.triage_of(session).await?;
    let said = said.iter().find(|said| said.finding == id);
    Ok(Some(render::critique::finding(session, &assessment, finding, &document, said)))
}

/// The triage as it stands.
pub(super) async fn triage_panel(world: &World, session: &SessionId) -> Result<Option<Post>, StoreError> {
    let Some(assessment) = assessment(&world.store, session).await? else { return Ok(None) };
    let said = world.store.triage_of(session).await?;
    Ok(Some(render::critique::triage(session, &assessment, &said)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_of_a_finding_names_one() {
        assert_eq!(finding_of("finding/1"), Some(FindingId(1)));
        assert_eq!(finding_of(finding_key(FindingId(10)).as_str()), Some(FindingId(10)));
        for wrong in
            ["", "finding", "finding/", "finding/0", "finding/01", "finding/+1", "finding/-1", "finding/256"]
        {
            assert_eq!(finding_of(wrong), None, "{wrong}");
        }
        for wrong in ["finding/1/2", "finding/1 ", " finding/1", "findings/1", "Finding/1", "finding/١", "1"]
        {
            assert_eq!(finding_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_dearest_price_is_the_dearest_in_every_part() {
        let one = Price { input: 1, cached: 4, cache_write: 5, output: 20 };
        let other = Price { input: 3, cached: 2, cache_write: 6, output: 10 };
        assert_eq!(dearest(one, other), Price { input: 3, cached: 4, cache_write: 6, output: 20 });
    }
}
