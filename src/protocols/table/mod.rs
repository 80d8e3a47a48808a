//! The table that /mediate and /roundtable share: those who sit there look at the problem alone and challenge one another; one
//! without a side writes the memo from a draft that all have read; they spread ten points over its options, and the team
//! votes beside them.
//!
//! Independent first answers keep anybody from anchoring the others, the challenge lets a finding in one field change another
//! (the Delphi method), whoever writes the memo gets whole outputs, so that it is neither bottleneck nor censor, and whoever
//! it speaks for reads what it says before anybody votes on it.
//!
//! Invariant: who sits there is given and does not change here. Called by `mediate` and `roundtable`, which seat the table and
//! see to its first round.

mod full_text;
mod left_open;
mod material;
mod memo;
mod research;
mod round;
mod said;
mod scoring;
mod search;
mod trust;

pub(super) use full_text::full_text;
pub(super) use left_open::left_open;
pub(super) use material::material;
pub(super) use research::in_the_end;
pub(super) use round::alone;
pub(super) use said::said;

use futures::join;

use crate::{
    prompt::table::Table,
    protocols::roundtable,
    steps::{Journal, NewVote, Steps, Stop, vote_key},
};
use domain::{
    Brief, ModuleName, ModuleOutput, Post, Round, Solution, SourceList, StepKey, Synthesis, TableBrief,
    VoteRules,
};

/// The step that holds who answers for what.
const RACI: &str = "raci";

/// Below the step of the memo: its options as they are voted on.
const SOLUTIONS: &str = "solutions";

/// Says which of the table's five phases begins, the first being its first round.
pub(super) fn phase(steps: &Steps, brief: &TableBrief, number: u8, what: &str) {
    steps.phase(brief.writer.before() + number, brief.writer.phases(), what);
}

/// The solutions of a synthesis as they are voted on.
async fn solutions(journal: &Journal, synthesis: &Synthesis) -> Result<Vec<Solution>, Stop> {
    let kept = journal.kept(&StepKey::from("synthesis").child(SOLUTIONS)).await?;
    let solutions = kept.unwrap_or_else(|| Solution::distinct(&synthesis.options));
    let research = research::kept(journal).await?;
    Ok(research.iter().fold(solutions, |solutions, research| research.beside(solutions)))
}

/// What a table has after its first round.
pub(super) struct Opened {
    /// What each of them said alone.
    pub first: Vec<ModuleOutput>,
    /// What they cite.
    pub sources: SourceList,
    /// What has to be decided, in a sentence, as people may have edited it.
    pub question: String,
}

/// All that follows the first round; gives what it came to, on which the vote is open.
pub(super) async fn deliberate(
    steps: &Steps,
    brief: &TableBrief,
    opened: Opened,
    voting: &VoteRules,
) -> Result<(Synthesis, Vec<Solution>), Stop> {
    let Opened { first, mut sources, question } = opened;
    phase(steps, brief, 2, "Round 2: each challenges the others");
    let notes = steps.notes("round-2/notes").await?;
    let table = Table { prompts: steps.prompts(), brief, question: Some(&question), notes: &notes };
    let (second, drafts) = join!(
        round::speak(steps, table, (Round::Revision, &[]), &first, &mut sources),
        memo::drafts(steps, table)
    );
    let (second, drafts) = (second?, drafts?);

    let outputs = [first, second].concat();
    let (memo, solutions) = memo::write(steps, table, (&outputs, drafts), &sources).await?;
    let notes = steps.notes("synthesis/notes").await?;
    if brief.extras.researches() {
        phase(steps, brief, 4, "Looking into what is grave");
    }
    let said = (&outputs[..], &memo, &solutions[..]);
    let table = Table { notes: &notes, ..table };
    let research = research::research(steps, table, said, sources).await?;
    let solutions = research.iter().fold(solutions, |solutions, research| research.beside(solutions));

    phase(steps, brief, 5, "Scoring: ten points each");
    let notes = steps.notes("scoring/notes").await?;
    let table = Table { notes: &notes, ..table };
    let experts = scoring::score(steps, table, (&outputs, &memo, research.as_ref()), &solutions).await?;
    if !solutions.is_empty() {
        let (solutions, rules) = (solutions.clone(), voting.clone());
        let came_out = memo.answer.clone();
        let vote = NewVote { question, rules, solutions, experts, came_out, ..NewVote::default() };
        let vote = trust::judged(steps, brief, (&outputs, &memo, research.as_ref()), vote).await?;
        steps.open_vote(vote_key(), vote).await?;
    }
    Ok((memo, solutions))
}

/// Who sits at a session's table, in the order of the seats, but for those who joined later.
async fn seated(journal: &Journal) -> Result<Vec<ModuleName>, Stop> {
    let panel = match journal.plan().await?.brief {
        Brief::Mediate(brief) => brief.panel,
        Brief::Roundtable(_) => match roundtable::proposal(journal).await? {
            Some(proposal) => domain::Panel::of_roles(&proposal.roles),
            None => return Ok(Vec::new()),
        },
        _ => return Ok(Vec::new()),
    };
    Ok(panel.seats.into_iter().map(|seat| seat.module).collect())
}

/// What a panel of a round has to show now; nothing for a key that is none.
pub(super) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    let rounds = [Round::Independent, Round::Revision];
    match rounds.into_iter().find(|round| round::panel_of(*round).as_str() == key) {
        Some(round) => round::panel(journal, round).await,
        None => Ok(None),
    }
}
