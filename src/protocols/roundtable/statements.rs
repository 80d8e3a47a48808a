//! What the experts say in their two turns: all at once, each card as its reply comes. An expert that cannot answer
//! is named missing, and the others go on.

use crate::{
    domain::{
        ContextNote, ExpertId, ModelName, Proposal, Reading, Role, RoundtableBrief, Seat, Stage, Statement,
        StepKey,
    },
    prompt::{
        self,
        reply::{AnalysisReply, RebuttalReply},
    },
    render,
    steps::{Answered, Failure, Question, Steps, Stop},
};

/// Who sits at the table, and by what they speak.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub(super) steps: &'a Steps,
    pub(super) brief: &'a RoundtableBrief,
    pub(super) proposal: &'a Proposal,
}

/// What was said in a turn, in the order of the table.
pub(super) struct TurnStatements {
    pub(super) statements: Vec<Statement>,
    /// Whose model could not answer, and which did.
    pub(super) stand_ins: Vec<(ExpertId, ModelName)>,
    /// Who could not be had to answer.
    pub(super) missing: Vec<ExpertId>,
}

impl TurnStatements {
    fn of(mut outcomes: Vec<(ExpertId, Result<Answered<Statement>, Failure>)>) -> Self {
        outcomes.sort_by_key(|(expert, _)| *expert);
        let mut spoken = Self { statements: Vec::new(), stand_ins: Vec::new(), missing: Vec::new() };
        for (expert, outcome) in outcomes {
            match outcome {
                Ok(Answered { value, stand_in }) => {
                    spoken.stand_ins.extend(stand_in.map(|model| (expert, model)));
                    spoken.statements.push(value);
                }
                Err(_) => spoken.missing.push(expert),
            }
        }
        spoken
    }
}

impl<'a> Table<'a> {
    /// The experts with their seats.
    pub(super) fn experts(&self) -> impl Iterator<Item = (&'a Role, &'a Seat)> {
        self.proposal.roles.iter().zip(&self.brief.experts)
    }

    /// The first turn: everybody alone. They start in an order by chance and post as they answer, so that no place
    /// at the table is always read first.
    pub(super) async fn analyses(&self, notes: &[ContextNote]) -> Result<TurnStatements, Stop> {
        let experts: Vec<_> = self.experts().collect();
        let order = prompt::shuffled(experts.len(), self.steps.seed("analysis/order"));
        let asked = order
            .iter()
            .filter_map(|&at| experts.get(at))
            .map(|(role, seat)| async { Ok((role.id, self.analysis(role, seat, notes).await?)) });
        Ok(TurnStatements::of(self.steps.all(asked).await?))
    }

    /// The second turn: everybody who has spoken reads the others under letters, in an order of its own, which is
    /// kept with the session. With one analysis only there is nothing to answer.
    pub(super) async fn rebuttals(
        &self,
        analyses: &[Statement],
        notes: &[ContextNote],
    ) -> Result<TurnStatements, Stop> {
        if let [only] = analyses {
            let card = render::roundtable::alone_card(only.expert, self.proposal);
            self.steps.post("rebuttal/none", card).await?;
            return Ok(TurnStatements::of(Vec::new()));
        }
        let readings = readings(analyses, self.steps.seed("rebuttal/labels"));
        let readings: Vec<Reading> = self.steps.keep("rebuttal/labels", &readings, Vec::new()).await?;
        let read = |(role, seat): (&'a Role, &'a Seat)| {
            Some((role, seat, readings.iter().find(|reading| reading.reader == role.id)?))
        };
        let asked = self.experts().filter_map(read).map(|(role, seat, reading)| async move {
            Ok((role.id, self.rebuttal(role, seat, (analyses, reading), notes).await?))
        });
        Ok(TurnStatements::of(self.steps.all(asked).await?))
    }

    async fn analysis(
        &self,
        role: &Role,
        seat: &Seat,
        notes: &[ContextNote],
    ) -> Result<Result<Answered<Statement>, Failure>, Stop> {
        let (steps, proposal) = (self.steps, self.proposal);
        let question = Question {
            key: key(role.id, Stage::Analysis),
            who: role.name.clone(),
            prompt: prompt::roundtable::analysis(steps.prompts(), self.brief, proposal, role, notes),
        };
        let said = steps.ask_seat(
            seat,
            question,
            |reply, _| {
                prompt::parse::<AnalysisReply>(&reply.text)?.value.into_statement(role.id, &reply.answered)
            },
            |key, said, stand_in| {
                render::roundtable::analysis_card(steps.session(), key, said, proposal, stand_in)
            },
        );
        self.or_missing(role.id, Stage::Analysis, said.await?).await
    }

    async fn rebuttal(
        &self,
        role: &Role,
        seat: &Seat,
        (analyses, reading): (&[Statement], &Reading),
        notes: &[ContextNote],
    ) -> Result<Result<Answered<Statement>, Failure>, Stop> {
        let (steps, proposal) = (self.steps, self.proposal);
        let read = (analyses, reading);
        let question = Question {
            key: key(role.id, Stage::Rebuttal),
            who: role.name.clone(),
            prompt: prompt::roundtable::rebuttal(steps.prompts(), self.brief, proposal, role, read, notes),
        };
        let said = steps.ask_seat(
            seat,
            question,
            |reply, _| {
                prompt::parse::<RebuttalReply>(&reply.text)?.value.into_statement(role.id, &reply.answered)
            },
            |key, said, stand_in| {
                render::roundtable::rebuttal_card(steps.session(), key, said, proposal, reading, stand_in)
            },
        );
        self.or_missing(role.id, Stage::Rebuttal, said.await?).await
    }

    /// Says at once on a card that an expert could not answer.
    async fn or_missing<T>(
        &self,
        expert: ExpertId,
        stage: Stage,
        said: Result<T, Failure>,
    ) -> Result<Result<T, Failure>, Stop> {
        if let Err(failure) = &said {
            let key = key(expert, stage);
            let (session, place, why) = (self.steps.session(), (expert, stage), failure.sentence());
            let card = render::roundtable::missing_card(session, &key, place, self.proposal, why);
            self.steps.post(key.child("missing"), card).await?;
        }
        Ok(said)
    }
}

fn key(expert: ExpertId, stage: Stage) -> StepKey {
    match stage {
        Stage::Analysis => StepKey::new(format!("analysis/{expert}")),
        Stage::Rebuttal => StepKey::new(format!("rebuttal/{expert}")),
    }
}

/// Who reads whom under which letter: everybody the others, in an order of its own.
fn readings(analyses: &[Statement], seed: u64) -> Vec<Reading> {
    let reading = |reader: ExpertId| {
        let others: Vec<ExpertId> =
            analyses.iter().map(|analysis| analysis.expert).filter(|other| *other != reader).collect();
        let order = prompt::shuffled(others.len(), prompt::seed(&[&seed.to_string(), &reader.to_string()]));
        Reading { reader, others: order.into_iter().filter_map(|at| others.get(at).copied()).collect() }
    };
    analyses.iter().map(|analysis| reading(analysis.expert)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn analysis(id: u8) -> Statement {
        Statement {
            expert: ExpertId(id),
            stage: Stage::Analysis,
            stance: "s".into(),
            summary: "s".into(),
            reasons: vec![],
            answered_by: "m".into(),
            dropped_citations: 0,
        }
    }

    #[test]
    fn everybody_reads_all_others_and_the_orders_differ() {
        let analyses: Vec<Statement> = [1, 2, 4, 5].map(analysis).into();
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
