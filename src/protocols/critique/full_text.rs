//! The full text behind a critique's cards.

use super::material::trees;
use crate::{
    protocols::points,
    render,
    steps::{Journal, Stop},
};
use domain::{
    Assessment, CritiqueBrief, DocumentSection, Estimate, Look, Scored, SelfCritique, StepKey, Tree, adjusted,
};

/// Title and text of a card; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<(String, String)>, Stop> {
    for look in [Look::First, Look::Second].into_iter().filter(|look| look.key() == card.as_str()) {
        let Some(critiques) = journal.kept::<Vec<SelfCritique>>(card).await? else { continue };
        let before = match look {
            Look::First => Vec::new(),
            Look::Second => journal.kept(&Look::First.key().into()).await?.unwrap_or_default(),
        };
        let trees = adjusted(&trees(journal).await?, &before);
        return Ok(Some(render::critique::whole_self_critiques(look, &critiques, &trees)));
    }
    Ok(match card.as_str() {
        "assessment" => match journal.kept::<Assessment>(card).await? {
            Some(assessment) => {
                let CritiqueBrief { document, .. } = journal.brief().await?;
                let sections = sections(journal).await?;
                Some(render::critique::whole_assessment(&assessment, &document, &sections))
            }
            None => None,
        },
        "points" => journal.kept::<Scored>(card).await?.map(|scored| points::full_text(&scored)),
        _ => match journal.kept::<Tree>(card).await? {
            Some(tree) => {
                let CritiqueBrief { document, .. } = journal.brief().await?;
                Some(render::critique::whole_tree(&tree, &document, &sections(journal).await?))
            }
            None => None,
        },
    })
}

/// The sections as they were when the critique was planned.
async fn sections(journal: &Journal) -> Result<Vec<DocumentSection>, Stop> {
    let plan: Option<Estimate> = journal.kept(&"plan".into()).await?;
    Ok(plan.and_then(|plan| plan.reading).map(|reading| reading.sections).unwrap_or_default())
}
