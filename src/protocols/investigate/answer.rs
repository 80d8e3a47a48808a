//! The answer: drafted from what was found, checked by every scout and by the special checks it needs, held by code to what
//! one scout alone says; and written once more, with its draft and all that was found wrong in it, where anything was.

use super::{
    Case, Found,
    checks::{self, Doubt},
};
use crate::{
    prompt::{
        self,
        investigate::{Record, asked_of_answer},
        reply::investigate::{AnswerBounds, read_answer, read_draft_check},
    },
    protocols::first_answer::Alone,
    render,
    steps::{Answered, Failure, Question, Steps, Stop, Try},
};
use domain::{
    AnswerFault, Check, CheckFinding, Checking, Compared, ContextNote, Countable, DraftCheck, Entry,
    FirstAnswer, Given, InvestigateBrief, InvestigationAnswer, InvestigatorTool, LoneClaim, Piece, Reply,
    ScoutAnswer, SourceList, StepKey, Written, citations::without_marks, ledger,
};

/// The step in which it is kept.
pub(super) const ANSWER: &str = "answer";
/// Who finds what code finds.
const RECORD: &str = "The record";

/// What it begins with. `None` where nobody is to write an answer, or no model could say.
pub(super) async fn first(
    steps: &Steps,
    brief: &InvestigateBrief,
    notes: &[ContextNote],
) -> Result<Option<FirstAnswer>, Stop> {
    if brief.checking == Checking::VerifyOnly {
        return Ok(None);
    }
    let alone = Alone {
        step: ANSWER,
        who: "First answer",
        writer: &brief.investigator,
        seats: &brief.scouts,
        prompt: prompt::investigate::first_answer(steps.prompts(), brief, notes),
        asked: asked_of_answer(brief, false),
        begins: Written::Answer,
    };
    alone
        .ask(steps, |drafts, order| {
            prompt::investigate::first_choice(steps.prompts(), brief, notes, (drafts, order))
        })
        .await
}

/// Writes the answer and shows it with its ledger.
pub(super) async fn write(
    case: &Case<'_>,
    compared: &Compared,
    found: &Found,
) -> Result<InvestigationAnswer, Stop> {
    let Case { steps, brief, answers } = *case;
    let key = StepKey::from(ANSWER);
    let written = if let Some(kept) = steps.kept::<InvestigationAnswer>(key.child("kept")).await? {
        kept
    } else {
        let notes = steps.notes(key.child("notes")).await?;
        let (sources, checks) = cited(found);
        let records = prompt::investigate::records(&found.calls, &checks);
        let entries = &ledger(compared, &checks);
        let desk =
            Desk { case, compared, found, entries, records: &records, notes: &notes, sources: &sources };
        desk.written(&key).await?
    };
    let state =
        render::investigate::Ended { scouts: answers.len(), of: brief.scouts.len(), found: found.ended };
    let spent = steps.spent().await?;
    let card = render::investigate::answer_card(
        (steps.session(), &key),
        &written,
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

/// The pages that were found, checks' first, and the checks with the numbers that these have.
fn cited(found: &Found) -> (SourceList, Vec<Check>) {
    let mut sources = SourceList::default();
    let checks = found.checks.iter().map(|check| sources.take_in(check.clone())).collect();
    sources.add(found.calls.iter().flat_map(|call| call.pages.clone()));
    (sources, checks)
}

/// What the answer is written from.
struct Desk<'a> {
    case: &'a Case<'a>,
    compared: &'a Compared,
    found: &'a Found,
    entries: &'a [Entry],
    records: &'a [Record],
    notes: &'a [ContextNote],
    sources: &'a SourceList,
}

impl Desk<'_> {
    async fn written(&self, key: &StepKey) -> Result<InvestigationAnswer, Stop> {
        let Case { steps, brief, .. } = *self.case;
        if brief.checking == Checking::VerifyOnly {
            return Ok(InvestigationAnswer::of_scouts(self.compared));
        }
        let Ok(draft) = self.ask(key.clone(), None).await? else {
            return Ok(InvestigationAnswer::of_scouts(self.compared));
        };
        let faults = self.faults(key, &draft).await?;
        let given = self.given();
        let given = self.not_alone(&given);
        let last = if faults.is_empty() {
            draft
        } else {
            let again = key.child("try-2");
            match self.ask(again.clone(), Some((&draft, &faults))).await? {
                Ok(answer) => answer,
                Err(failure) => {
                    let missing = Piece::AnswerRevision.missing(Some(failure.sentence()));
                    steps.note_degraded(again, [missing]).await?;
                    let refused = faults.iter().map(|fault| format!("{}: {}", fault.from, fault.text));
                    InvestigationAnswer { refused: refused.collect(), ..draft }
                }
            }
        };
        // What still stands there is left out, and the card says so.
        let still = last.unconfirmed(self.compared, &self.found.checks, &given);
        if still.is_empty() {
            return Ok(last);
        }
        let mut held = last.without(&still);
        // Whatever it says of it, that was not corrected.
        held.corrected.retain(|told| !told.starts_with(RECORD));
        Ok(held)
    }

    /// What the question gives: its numbers are nobody's claim. What a model says is no such thing, whoever asked it.
    fn given(&self) -> String {
        let brief = self.case.brief;
        let document = brief.document.as_ref().map(|document| document.text.as_str()).unwrap_or_default();
        let notes = self.notes.iter().map(|note| note.text.as_str());
        let shown = self.found.calls.iter().filter_map(|call| match (&call.called, call.action.tool) {
            (
                domain::Called::Answered(text),
                InvestigatorTool::RunCode | InvestigatorTool::WebSearch | InvestigatorTool::AskTeam,
            ) => Some(text.as_str()),
            _ => None,
        });
        let all = [brief.problem.as_str(), document].into_iter().chain(notes).chain(shown);
        all.collect::<Vec<_>>().join("\n")
    }

    /// What is no claim of one scout alone: what is given, and what the writer said before it had read anybody.
    fn not_alone<'b>(&'b self, given: &'b str) -> Given<'b> {
        Given { text: given, first: self.found.first.as_ref().map(|first| first.text.as_str()) }
    }

    async fn ask(
        &self,
        key: StepKey,
        draft: Option<(&InvestigationAnswer, &[AnswerFault])>,
    ) -> Result<Result<InvestigationAnswer, Failure>, Stop> {
        let Case { steps, brief, .. } = *self.case;
        let prompt =
            self.with_found(|found| prompt::investigate::answer(steps.prompts(), brief, found, draft));
        let question = Question { key: key.clone(), who: "Answer".to_owned(), prompt };
        let calls: Vec<usize> =
            self.records.iter().filter(|record| record.answered).map(|record| record.number).collect();
        let asked = asked_of_answer(brief, draft.is_some());
        let read = |reply: &Reply, attempt| {
            let first = attempt == Try::First;
            let bounds = AnswerBounds { asked: &asked, calls: &calls, draft, sources: self.sources, first };
            read_answer(&reply.text, &bounds, &reply.answered)
        };
        let said = steps.ask_seat(&brief.investigator, question, read, |_, _, _| Vec::new()).await?;
        let Answered { value, stand_in } = match said {
            Ok(answered) => answered,
            Err(failure) => return Ok(Err(failure)),
        };
        let piece = if draft.is_some() { Piece::AnswerRevision } else { Piece::Answer };
        steps.note_degraded(key, piece.stood_in(stand_in.as_ref())).await?;
        Ok(Ok(value))
    }

    fn with_found<T>(&self, with: impl FnOnce(&prompt::investigate::Found<'_>) -> T) -> T {
        let checks = &self.found.checks;
        let open = |lone: &&LoneClaim| !checks.iter().any(|check| check.confirms(&lone.claim));
        let alone: Vec<&LoneClaim> = self.compared.lone.iter().filter(open).collect();
        let conclusion = prompt::investigate::conclusion_text(&self.found.calls);
        with(&prompt::investigate::Found {
            first: self.found.first.as_ref(),
            answers: self.case.answers,
            compared: self.compared,
            ledger: self.entries,
            records: self.records,
            begun: self.found.begun.as_deref(),
            conclusion: conclusion.as_deref(),
            ended: self.found.ended.map(domain::StopReason::words),
            alone: &alone,
            notes: self.notes,
            sources: self.sources.sources(),
        })
    }

    /// What code, every scout and the special checks find wrong in a draft, numbered in that order.
    async fn faults(&self, key: &StepKey, draft: &InvestigationAnswer) -> Result<Vec<AnswerFault>, Stop> {
        let alone = draft.unconfirmed(self.compared, &self.found.checks, &self.not_alone(&self.given()));
        let alone = alone.into_iter().map(|sentence| {
            let text = format!(
                "States as a fact a number that one scout alone says and nobody confirmed: “{sentence}” Leave it out, say whose claim it is without its number, or work it out before your readers."
            );
            (RECORD.to_owned(), text)
        });
        let (checked, criticised) = futures::join!(self.checked(key, draft), self.criticised(key, draft));
        let all = alone.chain(checked?).chain(criticised?);
        Ok((1..).zip(all).map(|(number, (from, text))| AnswerFault { number, from, text }).collect())
    }

    /// What every scout finds in the draft, in their order.
    async fn checked(
        &self,
        key: &StepKey,
        draft: &InvestigationAnswer,
    ) -> Result<Vec<(String, String)>, Stop> {
        let looked = self.case.answers.iter().map(|own| self.check(key, own, draft));
        let looked = self.case.steps.all(looked).await?;
        let named = |(scout, check): (String, Option<DraftCheck>)| {
            let faults = check.map(|check| check.faults()).unwrap_or_default();
            faults.into_iter().map(move |text| (scout.clone(), text))
        };
        Ok(looked.into_iter().flat_map(named).collect())
    }

    /// What a scout finds; nothing where it could not be asked.
    async fn check(
        &self,
        key: &StepKey,
        own: &ScoutAnswer,
        draft: &InvestigationAnswer,
    ) -> Result<(String, Option<DraftCheck>), Stop> {
        let Case { steps, brief, .. } = *self.case;
        let title = own.scout.title();
        let place = usize::from(own.scout.0).saturating_sub(1);
        let Some(seat) = brief.scouts.get(place) else { return Ok((title, None)) };
        let prompts = steps.prompts();
        let key = key.child(format!("check-{}", own.scout));
        let prompt =
            self.with_found(|found| prompt::investigate::draft_check(prompts, brief, (own, found), draft));
        let question = Question { key: key.clone(), who: title.clone(), prompt };
        let asked = asked_of_answer(brief, false);
        let read = |reply: &Reply, attempt| read_draft_check(&reply.text, &asked, attempt == Try::First);
        let (check, note) = match steps.ask_seat(seat, question, read, |_, _, _| Vec::new()).await? {
            Ok(Answered { value, stand_in }) => {
                (Some(value), Piece::DraftCheck(title.clone()).stood_in(stand_in.as_ref()))
            }
            Err(failure) => (None, Some(Piece::DraftCheck(title.clone()).missing(Some(failure.sentence())))),
        };
        steps.note_degraded(key, note).await?;
        Ok((title, check))
    }

    /// What the special checks find wrong in a draft, each with what is right.
    async fn criticised(
        &self,
        key: &StepKey,
        draft: &InvestigationAnswer,
    ) -> Result<Vec<(String, String)>, Stop> {
        let said = format!("{}\n\n{}", draft.answer, draft.text);
        let mut critics = self.found.critics.clone();
        critics.extend(draft.needs().into_iter().filter(|critic| !self.found.critics.contains(critic)));
        let looked = (1..).zip(&critics).map(|(number, critic)| {
            let doubt = Doubt {
                topic: format!("{}:\n{said}", critic.topic()),
                positions: vec![
                    "All of it is right.".to_owned(),
                    "Something in it is wrong: why says what, and what is right.".to_owned(),
                ],
                scouts: Vec::new(),
                lone: None,
            };
            let key = key.child(format!("critic-{number}"));
            async move {
                let found = checks::look(self.case, &key, &doubt, 1).await?;
                Ok::<_, Stop>(found.map(|check| (critic.topic().to_owned(), check)))
            }
        });
        let looked = self.case.steps.all(looked).await?;
        let wrong = looked.into_iter().flatten();
        let wrong = wrong.filter(|(_, check)| check.finding == CheckFinding::Holds(1));
        Ok(wrong.map(|(topic, check)| (topic, format!("Wrong: {}", without_marks(&check.why)))).collect())
    }
}
