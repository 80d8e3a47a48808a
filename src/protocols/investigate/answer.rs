//! The answer: several answer the question, each alone, and one draft is made of theirs; every scout reads it by what was found
//! since and says what has to be mended in it; the special checks that it needs look at it, too. One writes the answer from it,
//! held by code to what one scout alone says.

use super::{
    Case, Found,
    checks::{self, Doubt},
};
use crate::{
    prompt::{
        self, asked_of_draft, asked_of_drafts,
        investigate::{self as prompts, Record, asked_of_answer},
        reply::investigate::{AnswerBounds, read_answer},
    },
    protocols::drafts::{Choice, Draft, Drafting, Merging, Reader},
    render,
    steps::{Answered, Failure, Question, Steps, Stop, Try},
};
use domain::{
    Check, CheckFinding, Checking, ChosenDraft, Compared, ContextNote, Countable, Critic, Entry, FirstAnswer,
    Given, InvestigateBrief, InvestigationAnswer, InvestigatorTool, LoneClaim, Objection, Piece, Reply,
    ScoutAnswer, Seat, SourceList, StepKey, Written, citations::without_marks, ledger,
};

/// The step in which it is kept.
pub(super) const ANSWER: &str = "answer";

/// Its drafts, kept below this step, made one where they are enough. Nothing where nobody is to write an answer.
pub(super) async fn drafts(
    steps: &Steps,
    brief: &InvestigateBrief,
    step: &str,
    notes: &[ContextNote],
) -> Result<Vec<Draft>, Stop> {
    if brief.checking == Checking::VerifyOnly {
        return Ok(Vec::new());
    }
    let drafting = Drafting {
        step,
        who: "First answer",
        writer: &brief.investigator,
        seats: &brief.scouts,
        many: FirstAnswer::asked(Written::Answer, brief.effort),
        prompt: prompts::first_answer(steps.prompts(), brief, notes),
        asked: asked_of_draft(Written::Answer, brief.effort),
        of: Written::Answer,
    };
    let drafts = drafting.ask(steps).await?;
    let merging = Merging {
        key: StepKey::from(step).child("merged"),
        who: "First answer",
        seat: &brief.investigator,
        asked: asked_of_draft(Written::Answer, brief.effort),
        of: Written::Answer,
    };
    merging
        .make(steps, drafts, |answers| prompts::merged_answer(steps.prompts(), brief, notes, answers))
        .await
}

/// Writes the answer and shows it with its ledger.
pub(super) async fn write(
    case: &Case<'_>,
    (compared, found): (&Compared, &Found),
    drafts: Vec<Draft>,
) -> Result<InvestigationAnswer, Stop> {
    let Case { steps, brief, answers } = *case;
    let key = StepKey::from(ANSWER);
    let notes = steps.notes(key.child("notes")).await?;
    let (sources, checks) = cited(found);
    let records = prompts::records(&found.calls, &checks);
    let entries = &ledger(compared, &checks);
    let desk = Desk { case, compared, found, entries, records: &records, notes: &notes, sources: &sources };
    super::phase(steps, 4, "Every scout reads the draft");
    let draft = desk.chosen(&key, drafts).await?;
    super::phase(steps, 5, "Answer, and the ground of each claim");
    let written = match steps.kept::<InvestigationAnswer>(key.child("kept")).await? {
        Some(kept) => kept,
        None => desk.written(&key, draft).await?,
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
    async fn written(
        &self,
        key: &StepKey,
        mut draft: Option<ChosenDraft>,
    ) -> Result<InvestigationAnswer, Stop> {
        if self.case.brief.checking == Checking::VerifyOnly {
            return Ok(InvestigationAnswer::of_scouts(self.compared, None));
        }
        if let Some(draft) = &mut draft {
            self.criticise(key, draft).await?;
        }
        let given = self.given();
        let first = draft.as_ref().map(ChosenDraft::whole);
        let given = Given { text: &given, first: first.as_deref() };
        let Ok(answer) = self.ask(key.clone(), draft.as_ref(), &given).await? else {
            let draft = first.as_deref().map(without_marks);
            return Ok(InvestigationAnswer::of_scouts(self.compared, draft.as_deref()));
        };
        // What still states as a fact what one scout alone says is left out, and the card says so.
        let alone = self.alone(&answer, &given);
        Ok(if alone.is_empty() { answer } else { answer.without(&alone) })
    }

    /// The sentences of an answer that state as a fact what one scout alone says.
    fn alone(&self, answer: &InvestigationAnswer, given: &Given<'_>) -> Vec<String> {
        answer.unconfirmed(self.compared, &self.found.checks, given)
    }

    /// The draft that stands first by the scouts' marks, with what they object to it.
    async fn chosen(&self, key: &StepKey, drafts: Vec<Draft>) -> Result<Option<ChosenDraft>, Stop> {
        let Case { steps, brief, answers } = *self.case;
        let seat = |own: &ScoutAnswer| brief.scouts.get(usize::from(own.scout.0).checked_sub(1)?);
        let seated = answers.iter().filter_map(|own| Some((own, seat(own)?)));
        let seated: Vec<(&ScoutAnswer, &Seat)> = seated.collect();
        let readers = seated.iter().map(|(own, seat)| Reader {
            name: own.scout.title(),
            step: format!("check-{}", own.scout),
            seat,
        });
        let choice = Choice {
            key: key.child("draft"),
            read_below: key.clone(),
            of: Written::Answer,
            readers: readers.collect(),
            asked: asked_of_drafts(brief.effort, drafts.len()).when("found", true),
            // Nobody of them sees the list of pages.
            pages: 0,
        };
        let prompt = |place: usize, drafts: &[_], order: &[usize]| {
            self.with_found(|found| {
                prompts::choice(steps.prompts(), brief, (seated[place].0, found), (drafts, order))
            })
        };
        choice.make(steps, drafts, prompt, |_| Vec::new()).await
    }

    /// Adds what the special checks find wrong in a draft, numbered after what its readers object to.
    async fn criticise(&self, key: &StepKey, draft: &mut ChosenDraft) -> Result<(), Stop> {
        for (from, text) in self.criticised(key, &draft.whole()).await? {
            let number = u32::try_from(draft.objections.len() + 1).unwrap_or(u32::MAX);
            draft.objections.push(Objection { number, from, text });
        }
        Ok(())
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

    async fn ask(
        &self,
        key: StepKey,
        draft: Option<&ChosenDraft>,
        given: &Given<'_>,
    ) -> Result<Result<InvestigationAnswer, Failure>, Stop> {
        let Case { steps, brief, .. } = *self.case;
        let prompt = self.with_found(|found| prompts::answer(steps.prompts(), brief, found, draft));
        let question = Question { key: key.clone(), who: "Answer".to_owned(), prompt };
        let calls: Vec<usize> =
            self.records.iter().filter(|record| record.answered).map(|record| record.number).collect();
        let asked = asked_of_answer(brief, draft);
        let read = |reply: &Reply, attempt| {
            let first = attempt == Try::First;
            let bounds = AnswerBounds { asked: &asked, calls: &calls, draft, sources: self.sources, first };
            let answer = read_answer(&reply.text, &bounds, &reply.answered)?;
            let alone = self.alone(&answer, given);
            if alone.is_empty() || !first {
                return Ok(answer);
            }
            let alone: Vec<String> = alone.iter().map(|sentence| format!("“{sentence}”")).collect();
            Err(prompt::ParseError::Shape(format!(
                "it states as a fact a number that one scout alone says and nobody confirmed: {}; leave it out, say whose claim it is without its number, or work it out before your readers",
                alone.join(", ")
            )))
        };
        let said = steps.ask_seat(&brief.investigator, question, read, |_, _, _| Vec::new()).await?;
        let Answered { value, stand_in } = match said {
            Ok(answered) => answered,
            Err(failure) => return Ok(Err(failure)),
        };
        steps.note_degraded(key, Piece::Answer.stood_in(stand_in.as_ref())).await?;
        Ok(Ok(value))
    }

    fn with_found<T>(&self, with: impl FnOnce(&prompts::Found<'_>) -> T) -> T {
        let checks = &self.found.checks;
        let open = |lone: &&LoneClaim| !checks.iter().any(|check| check.confirms(&lone.claim));
        let alone: Vec<&LoneClaim> = self.compared.lone.iter().filter(open).collect();
        let conclusion = prompts::conclusion_text(&self.found.calls);
        with(&prompts::Found {
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

    /// What the special checks find wrong in a draft, each with what is right.
    async fn criticised(&self, key: &StepKey, draft: &str) -> Result<Vec<(String, String)>, Stop> {
        let mut critics = self.found.critics.clone();
        let needed = Critic::needed_by(draft).into_iter();
        critics.extend(needed.filter(|critic| !self.found.critics.contains(critic)));
        let looked = (1..).zip(&critics).map(|(number, critic)| {
            let doubt = Doubt {
                topic: format!("{}:\n{draft}", critic.topic()),
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
