//! What the experts say in their two turns: all at once, each card as its reply comes. An expert that cannot answer
//! is named missing, and the others go on.

use crate::{
    prompt::{
        self,
        reply::{AnalysisReply, RebuttalReply},
    },
    render,
    steps::{Answered, Failure, Question, Steps, Stop},
};
use domain::{
    ContextNote, Countable, Degraded, ExpertId, Letters, ModelName, Piece, Prompt, Proposal, Reply, Role,
    RoundtableBrief, Seat, Stage, Statement, StepKey,
};

/// Who sits at the table, and by what they speak.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub(super) steps: &'a Steps,
    pub(super) brief: &'a RoundtableBrief,
    pub(super) proposal: &'a Proposal,
    /// The seat of each of its experts.
    pub(super) seats: &'a [Seat],
}

impl<'a> Table<'a> {
    /// The experts with their seats.
    pub(super) fn experts(&self) -> impl Iterator<Item = (&'a Role, &'a Seat)> {
        self.proposal.roles.iter().zip(self.seats)
    }

    /// The first turn: everybody alone. They start in an order by chance and post as they answer, so that no place
    /// at the table is always read first.
    pub(super) async fn analyses(&self, notes: &[ContextNote]) -> Result<Vec<Statement>, Stop> {
        let experts: Vec<_> = self.experts().collect();
        let order = prompt::shuffled(experts.len(), self.steps.seed("analysis/order"));
        let asked = order
            .iter()
            .filter_map(|&at| experts.get(at))
            .map(|(role, seat)| self.analysis(role, seat, notes));
        Ok(at_the_table(self.steps.all(asked).await?))
    }

    /// The second turn: everybody who has spoken reads the others under letters, in an order of its own, which is
    /// kept with the session. With one analysis only there is nothing to answer.
    pub(super) async fn rebuttals(
        &self,
        analyses: &[Statement],
        notes: &[ContextNote],
    ) -> Result<Vec<Statement>, Stop> {
        if let [only] = analyses {
            let card = render::roundtable::alone_card(only.expert, self.proposal);
            self.steps.post("rebuttal/none", card).await?;
            self.steps.note_degraded("rebuttal/none", [Degraded::OneExpert]).await?;
            return Ok(Vec::new());
        }
        let readings = readings(analyses, self.steps.seed("rebuttal/labels"));
        let readings: Vec<Letters> = self.steps.keep("rebuttal/labels", &readings, Vec::new()).await?;
        let read = |(role, seat): (&'a Role, &'a Seat)| {
            Some((role, seat, readings.iter().find(|reading| reading.reader == role.id)?))
        };
        let asked = (self.experts().filter_map(read))
            .map(|(role, seat, reading)| self.rebuttal(role, seat, (analyses, reading), notes));
        Ok(at_the_table(self.steps.all(asked).await?))
    }

    async fn analysis(
        &self,
        role: &Role,
        seat: &Seat,
        notes: &[ContextNote],
    ) -> Result<Option<Statement>, Stop> {
        let (steps, proposal) = (self.steps, self.proposal);
        let prompt = prompt::roundtable::analysis(steps.prompts(), self.brief, proposal, role, notes);
        let read = |reply: &Reply, _| {
            prompt::parse::<AnalysisReply>(&reply.text)?.into_statement(role.id, &reply.answered)
        };
        let cards = |key: &StepKey, said: &Statement, stand_in: Option<&ModelName>| {
            render::roundtable::analysis_card(steps.session(), key, said, proposal, stand_in)
        };
        let said = steps.ask_seat(seat, question(role, Stage::Analysis, prompt), read, cards).await?;
        self.or_missing(role, Stage::Analysis, said).await
    }

    async fn rebuttal(
        &self,
        role: &Role,
        seat: &Seat,
        (analyses, reading): (&[Statement], &Letters),
        notes: &[ContextNote],
    ) -> Result<Option<Statement>, Stop> {
        let (steps, proposal) = (self.steps, self.proposal);
        let heard = (analyses, reading);
        let prompt = prompt::roundtable::rebuttal(steps.prompts(), self.brief, proposal, role, heard, notes);
        let read = |reply: &Reply, _| {
            prompt::parse::<RebuttalReply>(&reply.text)?.into_statement(role.id, &reply.answered)
        };
        let cards = |key: &StepKey, said: &Statement, stand_in: Option<&ModelName>| {
            render::roundtable::rebuttal_card(steps.session(), key, said, proposal, reading, stand_in)
        };
        let said = steps.ask_seat(seat, question(role, Stage::Rebuttal, prompt), read, cards).await?;
        self.or_missing(role, Stage::Rebuttal, said).await
    }

    /// Notes who stood in for an expert; where nobody could, says so at once on a card.
    async fn or_missing(
        &self,
        role: &Role,
        stage: Stage,
        said: Result<Answered<Statement>, Failure>,
    ) -> Result<Option<Statement>, Stop> {
        let (steps, key, name) = (self.steps, key(role.id, stage), role.name.clone());
        let piece = match stage {
            Stage::Analysis => Piece::Analysis(name),
            Stage::Rebuttal => Piece::Rebuttal(name),
        };
        match said {
            Ok(Answered { value, stand_in }) => {
                let stood_in = piece.stood_in(stand_in.as_ref());
                let citations = Countable::Citations.counted(value.dropped_citations);
                steps.note_degraded(key, stood_in.into_iter().chain(citations)).await?;
                Ok(Some(value))
            }
            Err(failure) => {
                let (place, why) = ((role.id, stage), failure.sentence());
                let card = render::roundtable::missing_card(steps.session(), &key, place, self.proposal, why);
                steps.post(key.child("missing"), card).await?;
                steps.note_degraded(key, [piece.missing(Some(why))]).await?;
                Ok(None)
            }
        }
    }
}

fn question(role: &Role, stage: Stage, prompt: Prompt) -> Question {
    Question { key: key(role.id, stage), who: role.name.clone(), prompt }
}

/// What was said, in the order of the table.
fn at_the_table(said: Vec<Option<Statement>>) -> Vec<Statement> {
    let mut said: Vec<Statement> = said.into_iter().flatten().collect();
    said.sort_by_key(|statement| statement.expert);
    said
}

fn key(expert: ExpertId, stage: Stage) -> StepKey {
    match stage {
        Stage::Analysis => StepKey::new(format!("analysis/{expert}")),
        Stage::Rebuttal => StepKey::new(format!("rebuttal/{expert}")),
    }
}

/// Who reads whom under which letter: everybody the others, in an order of its own.
fn readings(analyses: &[Statement], seed: u64) -> Vec<Letters> {
    let reading = |reader: ExpertId| {
        let others: Vec<ExpertId> =
            analyses.iter().map(|analysis| analysis.expert).filter(|other| *other != reader).collect();
        let order = prompt::shuffled(others.len(), prompt::seed(&[&seed.to_string(), &reader.to_string()]));
        Letters { reader, others: order.into_iter().filter_map(|at| others.get(at).copied()).collect() }
    };
    analyses.iter().map(|analysis| reading(analysis.expert)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::sample::roundtable::statement;

    #[test]
    fn everybody_reads_all_others_and_the_orders_differ() {
        let analyses: Vec<Statement> = [1, 2, 4, 5].map(|expert| statement(expert, Stage::Analysis)).into();
        let mut orders = BTreeSet::new();
        for seed in 0..20 {
            let readings = readings(&analyses, seed);
            assert_eq!(readings.len(), 4);
            for reading in &readings {
                let mut all = [&reading.others[..], &[reading.reader]].concat();
                all.sort();
                assert_eq!(
                    all,
                    [1, 2, 4, 5].map(ExpertId),
                    "expert 3 was not heard, and nobody reads itself"
                );
            }
            orders.insert(readings[0].others.clone());
        }
        assert!(orders.len() > 3, "{orders:?}");
    }
}
