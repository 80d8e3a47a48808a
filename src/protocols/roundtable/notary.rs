//! The notary: it writes down what was said, and adds nothing. Each of its solutions names the statements it comes from;
//! code sees that they were made, and a cheap model whether they say it, which is shown. Where the notary fails, the
//! experts' own sentences are the record and their recommendations are what is voted on.

use futures::join;

use super::statements::Table;
use crate::{
    prompt::{
        self,
        reply::{NotaryReply, unnamed},
    },
    protocols::solutions,
    render,
    steps::{Answered, Ask, Question, Stop, Try},
};
use domain::{
    ContextNote, Countable, ExpertId, Minutes, ModelName, Piece, Proposal, Provenance, Raised, Solution,
    Statement, StepKey, shortened,
};

/// Longest title of a solution that is made from an expert's summary, in characters.
const TITLE: usize = 120;

/// The step in which the record is kept as it was checked.
pub(super) fn record() -> StepKey {
    StepKey::from("notary").child("record")
}

/// The minutes, once they are checked.
pub(super) async fn write(
    table: &Table<'_>,
    statements: &[Statement],
    notes: &[ContextNote],
) -> Result<Minutes, Stop> {
    let Table { steps, brief, proposal, seats } = *table;
    let silent = |expert: ExpertId| !statements.iter().any(|statement| statement.expert == expert);
    let missing: Vec<String> =
        proposal.roles.iter().filter(|role| silent(role.id)).map(|role| role.name.clone()).collect();
    let one_model = seats.len() > 1 && seats.windows(2).all(|pair| pair[0].model == pair[1].model);
    let cards = |key: &StepKey, minutes: &Minutes, stand_in: Option<&ModelName>| {
        render::roundtable::minutes_cards(steps.session(), key, minutes, &missing, stand_in, one_model)
    };
    let key = StepKey::from("notary");
    let question = Question {
        key: key.clone(),
        who: "Notary".to_owned(),
        prompt: prompt::roundtable::notary(steps.prompts(), brief, proposal, statements, notes),
    };
    let written = steps.ask_seat(
        &brief.notary,
        question,
        |reply, reading| {
            let said = prompt::parse::<NotaryReply>(&reply.text)?;
            let minutes = said.into_minutes(proposal, statements, &reply.answered)?;
            let again = reading == Try::First && minutes.dropped_solutions > 0;
            if again { Err(unnamed(statements)) } else { Ok(minutes) }
        },
        |_, _, _| Vec::new(),
    );
    if let Ok(Answered { value, stand_in }) = written.await? {
        let notes = [
            Piece::Record.stood_in(stand_in.as_ref()),
            Countable::Solutions.counted(value.dropped_solutions),
            Countable::Citations.counted(value.dropped_citations),
        ];
        steps.note_degraded(key.clone(), notes.into_iter().flatten()).await?;
        let solutions = checked(table, statements, value.solutions).await?;
        let value = Minutes { solutions, ..value };
        let posts = cards(&key, &value, stand_in.as_ref());
        return steps.keep(record(), &value, posts).await;
    }
    let minutes = plain(proposal, statements);
    let posts = cards(&key, &minutes, None);
    let minutes = steps.keep(key.child("plain"), &minutes, posts).await?;
    steps.note_degraded(key.child("plain"), [Piece::Record.missing(None)]).await?;
    Ok(minutes)
}

/// The solutions with the words that nobody said, as far as a model could be asked, and without duplicates.
async fn checked(
    table: &Table<'_>,
    statements: &[Statement],
    solutions: Vec<Solution>,
) -> Result<Vec<Solution>, Stop> {
    let Table { steps, brief, .. } = *table;
    let card = StepKey::from("notary");
    let (unsaid, distinct) = join!(
        unsaid(table, statements, &solutions),
        solutions::without_duplicates(steps, &brief.checker, (&brief.problem, &card), solutions.clone())
    );
    let (unsaid, mut distinct) = (unsaid?, distinct?);
    for solution in &mut distinct {
        let written = solutions.iter().position(|written| written.title == solution.title);
        solution.provenance.unsaid = written.and_then(|place| unsaid.get(place).cloned().flatten());
    }
    Ok(distinct)
}

/// For each solution the words of it that stand in none of the statements it is said to come from.
async fn unsaid(
    table: &Table<'_>,
    statements: &[Statement],
    solutions: &[Solution],
) -> Result<Vec<Option<String>>, Stop> {
    let Table { steps, brief, .. } = *table;
    let key = StepKey::from("notary/check-said");
    let ask = Ask {
        key: key.clone(),
        who: "Was it said".to_owned(),
        model: brief.checker.model.clone(),
        prompt: prompt::solutions::said(steps.prompts(), &brief.problem, solutions, statements),
    };
    let read = |reply: &_, _| prompt::solutions::read_said(reply, solutions);
    if let Ok(unsaid) = steps.ask(ask, read, |_| Vec::new()).await? {
        return Ok(unsaid);
    }
    steps.note_degraded(key, [Piece::RecordsCheck.missing(None)]).await?;
    Ok(Vec::new())
}

/// A record without a notary: each expert's last word in its own sentence, and what it recommends as a solution.
fn plain(proposal: &Proposal, statements: &[Statement]) -> Minutes {
    let last: Vec<(String, &Statement)> = (proposal.roles.iter())
        .filter_map(|role| Some((role.name.clone(), last_word(statements, role.id)?)))
        .collect();
    let lines: Vec<String> =
        last.iter().map(|(name, statement)| format!("- {name}: {}", statement.summary)).collect();
    let raised = last.into_iter().map(|(name, statement)| Raised {
        title: shortened(statement.summary.trim().trim_end_matches('.'), TITLE),
        description: statement.stance.clone(),
        by: vec![name],
        provenance: Provenance { statements: vec![statement.id()], ..Provenance::default() },
    });
    Minutes {
        synthesis: lines.join("\n"),
        solutions: Solution::merged(raised),
        answered_by: None,
        dropped_solutions: 0,
        dropped_citations: 0,
    }
}

/// What an expert said last.
pub(super) fn last_word(statements: &[Statement], expert: ExpertId) -> Option<&Statement> {
    statements.iter().filter(|statement| statement.expert == expert).max_by_key(|statement| statement.stage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::roundtable as sample;
    use domain::Stage;

    #[test]
    fn without_a_notary_the_last_words_are_the_record_and_the_solutions() {
        let proposal = sample::proposal(4);
        let said = |id: u8, stage, summary: &str| Statement {
            stance: format!("{summary} And here is how."),
            summary: summary.into(),
            ..sample::statement(id, stage)
        };
        let minutes = plain(
            &proposal,
            &[
                said(1, Stage::Analysis, "Buy the bakery."),
                said(2, Stage::Analysis, "Rent the mill."),
                said(4, Stage::Analysis, &"Sell everything that is not nailed down ".repeat(6)),
                said(1, Stage::Rebuttal, "Rent the mill."),
            ],
        );
        assert!(
            minutes.synthesis.starts_with("- Pragmatic operator: Rent the mill.\n- Critical sceptic: Rent")
        );
        assert_eq!(minutes.solutions.len(), 2, "two that say the same are one");
        assert_eq!(minutes.solutions[0].raised_by, ["Pragmatic operator", "Critical sceptic"]);
        assert_eq!(minutes.solutions[0].title, "Rent the mill");
        assert!(
            minutes.solutions[1].title.chars().count() <= TITLE && minutes.solutions[1].title.ends_with('…')
        );
        assert_eq!(minutes.answered_by, None);
    }
}
