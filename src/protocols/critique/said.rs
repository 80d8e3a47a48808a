//! What a critique said, for whoever audits it. Nothing is searched, so nothing can be cited.

use super::{assessment::ASSESSMENT, material::trees};
use crate::{
    protocols::said::Said,
    steps::{Journal, Stop},
};
use domain::{Assessment, Look, Searching, SelfCritique, Speech, StepKey, Tree};

/// The members, what they say of their own after reading the others, and how their findings were worded.
pub(in crate::protocols) async fn said(journal: &Journal) -> Result<Said, Stop> {
    let grown = trees(journal).await?;
    let of_tree = |tree: &Tree| {
        let key = StepKey::from("critique").child(tree.member.as_str());
        Speech::of_tree(key.as_str(), tree)
    };
    let mut speeches: Vec<Speech> = grown.iter().map(of_tree).collect();
    for (round, look) in (2..).zip([Look::First, Look::Second]) {
        let said: Vec<SelfCritique> = journal.kept(&look.key().into()).await?.unwrap_or_default();
        speeches.extend(said.iter().map(|said| {
            let key = StepKey::from(look.key()).child(said.member.as_str());
            Speech::of_self_critique(key.as_str(), round, said)
        }));
    }
    let assessment: Option<Assessment> = journal.kept(&ASSESSMENT.into()).await?;
    speeches.extend(assessment.map(|assessment| Speech::of_assessment(ASSESSMENT, &assessment)));
    Ok(Said { searching: Searching::NotSetUp, given: Vec::new(), speeches })
}
