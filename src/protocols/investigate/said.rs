//! What an investigation said, for whoever audits it: checks and the answer cite pages.

use super::{
    material::{Kept, kept},
    scouts,
};
use crate::{
    protocols::said::Said,
    steps::{Journal, Stop},
};
use domain::{Called, InvestigateBrief, ScoutAnswer, Speech};

/// The scouts, the checks, then the answer. What tools gave back counts as given.
pub(in crate::protocols) async fn said(journal: &Journal, brief: &InvestigateBrief) -> Result<Said, Stop> {
    let scouts = scouts::last_of_each(journal.all_stored::<ScoutAnswer>("scouts/").await?);
    let scouts = scouts.iter().map(|(key, answer)| Speech::of_scout(key.card().as_str(), answer));
    let mut speeches: Vec<Speech> = scouts.collect();
    let Kept { calls, checks, answer, .. } = kept(journal).await?;
    speeches.extend(checks.iter().map(|check| Speech::of_check("checks", check)));
    speeches.extend(answer.map(|answer| Speech::of_answer("answer", &answer)));
    let back = |called: &Called| match called {
        Called::Answered(text) | Called::Failed(text) => Some(text.clone()),
        Called::SentBack(_) => None,
    };
    let given = calls.iter().filter_map(|call| back(&call.called)).collect();
    Ok(Said { searching: brief.searching, given, speeches })
}
