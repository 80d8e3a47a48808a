//! What a critique holds: its panels as they have to look now, the whole texts behind its cards, and what is told to follow-ups,
//! audits and sessions that go on from it.

use super::{
    council::{SELF, TREES, step_of},
    look::{Lost, across_key},
    review::REVIEW,
};
use crate::{
    prompt::critique::parts,
    protocols::{followup::Held, points, said::Said},
    render,
    steps::{Journal, Steps, Stop},
};
use domain::{
    Claim, CritiqueBrief, DocumentSection, Estimate, OpenMatter, OpenMatters, Philosopher, Post, Review,
    Scored, Searching, SelfCritique, Speech, StepKey, Tree, TriageVerdict, TriagedFinding,
};

/// The panel of the triage.
#[must_use]
pub fn triage_key() -> StepKey {
    StepKey::from("triage")
}

/// A session's review, once it is kept.
pub async fn review(journal: &Journal) -> Result<Option<Review>, Stop> {
    journal.kept(&REVIEW.into()).await
}

/// The trees that stand so far, in the order of the council, with what was found across sections.
async fn trees(journal: &Journal) -> Result<Vec<Tree>, Stop> {
    let mut trees: Vec<Tree> = kept_below(journal, TREES).await?;
    trees.sort_by_key(|tree| tree.member);
    let across: Vec<Claim> = journal.kept(&across_key()).await?.unwrap_or_default();
    for claim in across {
        if let Some(tree) = trees.iter_mut().find(|tree| tree.member == claim.id.member) {
            tree.claims.push(claim);
        }
    }
    Ok(trees)
}

/// What members make of their trees so far, in the order of the council.
async fn critiques(journal: &Journal) -> Result<Vec<SelfCritique>, Stop> {
    let mut critiques: Vec<SelfCritique> = kept_below(journal, SELF).await?;
    critiques.sort_by_key(|critique| critique.member);
    Ok(critiques)
}

async fn kept_below<T: serde::de::DeserializeOwned>(journal: &Journal, panel: &str) -> Result<Vec<T>, Stop> {
    Ok(journal.all_kept(&format!("{panel}/")).await?.into_iter().map(|(_, kept)| kept).collect())
}

/// What one of its panels has to show now; nothing for a key that is none of them.
pub(in crate::protocols) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    let session = journal.session();
    if key == triage_key().as_str() {
        let said = journal.triage().await?;
        return Ok(review(journal).await?.map(|review| render::critique::triage(session, &review, &said)));
    }
    Ok(match key {
        TREES => {
            let lost: Vec<Lost> = kept_below(journal, TREES).await?;
            let lost: Vec<_> = lost.into_iter().map(|gone| (gone.member, gone.why)).collect();
            let (trees, sections) = (trees(journal).await?, sections(journal).await?);
            Some(render::critique::trees_card(session, &trees, &lost, &sections))
        }
        SELF => {
            let missing: Vec<Philosopher> = kept_below(journal, SELF).await?;
            let (said, trees) = (critiques(journal).await?, trees(journal).await?);
            Some(render::critique::critiques_card(session, &said, &missing, &trees))
        }
        _ => None,
    })
}

/// Title and text of a card, or of what was chosen from its list; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<(String, String)>, Stop> {
    if card.as_str() == points::POINTS {
        return Ok(journal.kept::<Scored>(card).await?.map(|scored| points::full_text(&scored)));
    }
    if card.as_str() == REVIEW {
        let Some(review) = review(journal).await? else { return Ok(None) };
        let CritiqueBrief { document, .. } = journal.brief().await?;
        return Ok(Some(render::critique::whole_review(&review, &document, &sections(journal).await?)));
    }
    if let Some(critique) = journal.kept::<SelfCritique>(card).await? {
        let trees = trees(journal).await?;
        let tree = trees.iter().find(|tree| tree.member == critique.member);
        return Ok(Some(render::critique::whole_self_critique(&critique, tree)));
    }
    let is = |tree: &Tree| step_of(TREES, tree.member) == *card;
    let Some(tree) = trees(journal).await?.into_iter().find(is) else { return Ok(None) };
    let CritiqueBrief { document, .. } = journal.brief().await?;
    Ok(Some(render::critique::whole_tree(&tree, &document, &sections(journal).await?)))
}

/// The sections as they were when the critique was planned.
async fn sections(journal: &Journal) -> Result<Vec<DocumentSection>, Stop> {
    let plan: Option<Estimate> = journal.kept(&"plan".into()).await?;
    Ok(plan.and_then(|plan| plan.reading).map(|reading| reading.sections).unwrap_or_default())
}

/// What has come about so far, for questions about it. Whoever writes the review, and is no member, answers.
pub(in crate::protocols) async fn material<'a>(
    steps: &Steps,
    brief: &'a CritiqueBrief,
) -> Result<Held<'a>, Stop> {
    let journal = steps.journal();
    let (trees, critiques) = (trees(&journal).await?, critiques(&journal).await?);
    let (review, triage) = (review(&journal).await?, journal.triage().await?);
    let parts = parts(brief, &trees, &critiques, review.as_ref(), &triage);
    // Where it is longer than what a model reads at once, what was found in it has to do, beside a map.
    let document = Some(&brief.document).filter(|document| document.text.chars().count() <= brief.at_once);
    Ok(Held { seat: &brief.reviewer, document, parts, summed_up: review.is_some() })
}

/// What was said, for whoever audits it: the members, what they make of their own claims after reading the others, and the
/// review. Nothing is searched, so nothing can be cited.
pub(in crate::protocols) async fn said(journal: &Journal) -> Result<Said, Stop> {
    let (trees, critiques) = (trees(journal).await?, critiques(journal).await?);
    let of_tree = |tree: &Tree| Speech::of_tree(step_of(TREES, tree.member).as_str(), tree);
    let mut speeches: Vec<Speech> = trees.iter().map(of_tree).collect();
    speeches.extend(
        critiques.iter().map(|said| Speech::of_self_critique(step_of(SELF, said.member).as_str(), said)),
    );
    speeches.extend(review(journal).await?.map(|review| Speech::of_review(REVIEW, &review)));
    Ok(Said { searching: Searching::NotSetUp, given: Vec::new(), speeches })
}

/// What a critique leaves open, for whoever wants to go on with it: findings that the team has not rejected, each of which says
/// that something in the text does not hold.
pub(in crate::protocols) async fn left_open(journal: &Journal) -> Result<OpenMatters, Stop> {
    let findings = review(journal).await?.map(|review| review.findings).unwrap_or_default();
    let triage = journal.triage().await?;
    let open = TriagedFinding::all(&findings, &triage).into_iter();
    let open = open.filter(|one| one.triage.is_none_or(|said| said.verdict != TriageVerdict::Rejected));
    let facts = open.map(|one| OpenMatter::new(&one.finding.line, ""));
    Ok(OpenMatters { facts: facts.collect(), ..OpenMatters::default() })
}
