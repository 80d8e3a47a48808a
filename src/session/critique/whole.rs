//! The whole text behind a critique's cards.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Sessions, brief};
use crate::{
    domain::{Assessment, CritiqueBrief, DocumentSection, Estimate, SelfCritique, StepKey, Tree},
    render,
    store::{SessionRow, StepRow},
};

/// Title and text of the whole side of a card, where it is one of a critique's.
pub(in crate::session) async fn whole_of(
    sessions: &Sessions,
    row: &SessionRow,
    key: &StepKey,
    step: &StepRow,
) -> anyhow::Result<Option<(String, String)>> {
    let output = step.output.as_ref();
    Ok(match key.as_str() {
        "self-critique" => {
            let trees: Vec<Tree> = sessions.made(&row.id, "critique/").await?;
            output
                .and_then(read::<Vec<SelfCritique>>)
                .map(|critiques| render::critique::whole_self_critiques(&critiques, &trees))
        }
        "assessment" => match output.and_then(read::<Assessment>) {
            Some(assessment) => {
                let brief: CritiqueBrief = brief(row)?;
                let sections = sections(sessions, row).await?;
                Some(render::critique::whole_assessment(&assessment, &brief.document, &sections))
            }
            None => None,
        },
        member if member.starts_with("critique/") => match output.and_then(read::<Tree>) {
            Some(tree) => {
                let brief: CritiqueBrief = brief(row)?;
                let sections = sections(sessions, row).await?;
                Some(render::critique::whole_tree(&tree, &brief.document, &sections))
            }
            None => None,
        },
        _ => None,
    })
}

/// The sections as they were when the critique was planned, which an upgrade does not change.
async fn sections(sessions: &Sessions, row: &SessionRow) -> anyhow::Result<Vec<DocumentSection>> {
    let plans: Vec<Estimate> = sessions.made(&row.id, "plan").await?;
    Ok(plans.into_iter().next().map(|plan| plan.sections).unwrap_or_default())
}

fn read<T: DeserializeOwned>(output: &Value) -> Option<T> {
    serde_json::from_value(output.clone()).ok()
}
