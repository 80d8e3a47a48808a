//! What a debate said, for whoever audits it.

use super::{
    record,
    spoken::{KeptTurn, asks_nothing},
};
use crate::{
    protocols::said::Said,
    steps::{Journal, Stop},
};
use domain::{Clarification, DebateBrief, Hinge, NeutralSynthesis, Speech};

/// The turns, what the moderator made clear, what it wrote of the whole, and open questions that it looked at again. What
/// the team brought and the proposition with its bounds are given.
pub(in crate::protocols) async fn said(journal: &Journal, brief: &DebateBrief) -> Result<Said, Stop> {
    let mut given = Vec::new();
    if let Some(proposition) = record::proposed(journal).await? {
        let context = proposition.context;
        given.extend([proposition.question, context.geography, context.timeframe, context.background]);
        given.extend(context.stakeholders);
    }
    for evidence in journal.evidence().await? {
        given.extend([evidence.claim, evidence.source]);
    }
    let turns: Vec<(_, KeptTurn)> = journal.all_kept("turn/").await?;
    let turns = turns.iter().filter(|(_, kept)| !asks_nothing(&kept.turn.body));
    let mut speeches: Vec<Speech> =
        turns.map(|(key, kept)| Speech::of_turn(key.card().as_str(), &kept.turn, brief.preset)).collect();
    let clarified: Vec<(_, Clarification)> = journal.all_kept("clarified/").await?;
    let answers = clarified.iter().filter_map(|(key, one)| Speech::of_clarification(key.as_str(), one));
    speeches.extend(answers);
    let key = record::synthesis_key();
    let synthesis: Option<NeutralSynthesis> = journal.kept(&key).await?;
    speeches.extend(synthesis.map(|kept| Speech::of_neutral(key.as_str(), &kept.synthesis)));
    let hinges: Vec<(_, Hinge)> = journal.all_kept("hinge/").await?;
    speeches.extend(hinges.iter().map(|(key, hinge)| Speech::of_hinge(key.as_str(), hinge)));
    // What has no figure before it in its round has none because of its place in the journal.
    speeches.sort_by_key(|speech| speech.round);
    Ok(Said { searching: brief.searching, given, speeches })
}
