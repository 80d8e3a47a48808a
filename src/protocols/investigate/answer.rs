//! The answer: written from what was found, held to it by code, looked at by the special checks it needs, and written once
//! more where it states as a fact what one scout alone says or a special check finds it wrong.

use super::{
    Case, Found,
    checks::{self, Doubt},
};
use crate::{
    prompt::{
        self,
        investigate::Record,
        reply::investigate::{AnswerReply, Grounds},
    },
    render,
    steps::{Question, Stop},
};
use domain::{
    CheckFinding, Checking, Compared, Countable, Degraded, Entry, InvestigationAnswer, LoneClaim, Piece,
    Reply, StepKey, ledger,
};

/// The step in which it is kept.
pub(super) const ANSWER: &str = "answer";

/// Writes the answer and shows it with its ledger.
pub(super) async fn write(
    case: &Case<'_>,
    compared: &Compared,
    found: &Found,
) -> Result<InvestigationAnswer, Stop> {
    let Case { steps, brief, answers } = *case;
    let key = StepKey::from(ANSWER);
    let entries = ledger(compared, &found.checks);
    let written = if let Some(kept) = steps.kept::<InvestigationAnswer>(key.child("kept")).await? {
        kept
    } else {
        let notes = steps.notes(key.child("notes")).await?;
        let records = prompt::investigate::records(&found.calls, &found.checks);
        let desk = Desk { case, compared, found, entries: &entries, records: &records, notes: &notes };
        desk.written(&key).await?
    };
    let state =
        render::investigate::Ended { scouts: answers.len(), of: brief.scouts.len(), found: found.ended };
    let spent = steps.spent().await?;
    let card = render::investigate::answer_card(
        (steps.session(), &key),
        (&written, &entries),
        (&found.calls, &found.checks),
        &state,
        (brief, &spent),
    );
    let written = steps.keep(key.child("kept"), &written, card).await?;
    let left_out = u32::try_from(written.left_out.len()).unwrap_or(u32::MAX);
    let nobody = written.answered_by.is_none() && brief.checking != Checking::VerifyOnly;
    let notes = [
        Countable::LoneSentences.counted(left_out),
        Countable::Citations.counted(written.dropped_citations),
        nobody.then(|| Piece::Answer.missing(None)),
    ];
    steps.note_degraded(key.child("kept"), notes.into_iter().flatten()).await?;
    Ok(written)
}

/// What the answer is written from.
struct Desk<'a> {
    case: &'a Case<'a>,
    compared: &'a Compared,
    found: &'a Found,
    entries: &'a [Entry],
    records: &'a [Record],
    notes: &'a [domain::ContextNote],
}

impl Desk<'_> {
    async fn written(&self, key: &StepKey) -> Result<InvestigationAnswer, Stop> {
        let brief = self.case.brief;
        if brief.checking == Checking::VerifyOnly {
            return Ok(InvestigationAnswer::of_scouts(self.compared));
        }
        let Some(first) = self.ask(key.clone(), &[], &[]).await? else {
            return Ok(InvestigationAnswer::of_scouts(self.compared));
        };
        let given = self.given();
        let stated = first.unconfirmed(self.compared, &self.found.checks, &given);
        let wrong = self.criticised(&first).await?;
        if stated.is_empty() && wrong.is_empty() {
            return Ok(first);
        }
        let again = self.ask(key.child("try-2"), &stated, &wrong).await?.unwrap_or(first);
        // What still stands there is left out, and the card says so.
        let still = again.unconfirmed(self.compared, &self.found.checks, &given);
        Ok(if still.is_empty() { again } else { again.without(&still) })
    }

    /// What the question gives: its numbers are nobody's claim.
    fn given(&self) -> String {
        let brief = self.case.brief;
        let document = brief.document.as_ref().map(|document| document.text.as_str()).unwrap_or_default();
        let notes = self.notes.iter().map(|note| note.text.as_str());
        let printed = self.found.calls.iter().filter_map(|call| match &call.called {
            domain::Called::Answered(text) => Some(text.as_str()),
            _ => None,
        });
        let all = [brief.problem.as_str(), document].into_iter().chain(notes).chain(printed);
        all.collect::<Vec<_>>().join("\n")
    }

    async fn ask(
        &self,
        key: StepKey,
        stated: &[String],
        critics: &[String],
    ) -> Result<Option<InvestigationAnswer>, Stop> {
        let Case { steps, brief, .. } = *self.case;
        let alone: Vec<&LoneClaim> = (self.compared.lone.iter())
            .filter(|lone| !self.found.checks.iter().any(|check| check.confirms(&lone.claim)))
            .collect();
        let found = prompt::investigate::Found {
            compared: self.compared,
            ledger: self.entries,
            records: self.records,
            ended: self.found.ended.map(domain::StopReason::words),
            alone: &alone,
            stated,
            critics,
            notes: self.notes,
        };
        let question = Question {
            key: key.clone(),
            who: "Answer".to_owned(),
            prompt: prompt::investigate::answer(steps.prompts(), brief, &found),
        };
        let answered: Vec<usize> =
            self.records.iter().filter(|record| record.answered).map(|record| record.number).collect();
        let read = |reply: &Reply, _| {
            let grounds = Grounds { pages: 0, calls: &answered };
            prompt::parse::<AnswerReply>(&reply.text)?.into_answer(grounds, &reply.answered)
        };
        let said = steps.ask_seat(&brief.investigator, question, read, |_, _, _| Vec::new()).await?;
        let Ok(said) = said else { return Ok(None) };
        let stood_in: Option<Degraded> = Piece::Answer.stood_in(said.stand_in.as_ref());
        steps.note_degraded(key, stood_in).await?;
        Ok(Some(said.value))
    }

    /// What the special checks find wrong in an answer, in sentences.
    async fn criticised(&self, answer: &InvestigationAnswer) -> Result<Vec<String>, Stop> {
        let said = format!("{}\n\n{}", answer.answer, answer.reasoning);
        let looked = (1..).zip(&self.found.critics).map(|(number, critic)| {
            let doubt = Doubt {
                topic: format!("{}:\n{said}", critic.topic()),
                positions: vec!["It is right.".to_owned(), "It is wrong.".to_owned()],
                scouts: Vec::new(),
                lone: None,
            };
            async move {
                let key = StepKey::from(checks::CHECKS).child(format!("critic-{number}"));
                checks::check(self.case, key, &doubt, 1).await
            }
        });
        let looked = self.case.steps.all(looked).await?;
        let wrong = looked.into_iter().flatten().filter(|check| check.finding == CheckFinding::Holds(1));
        Ok(wrong.map(|check| check.why).collect())
    }
}
