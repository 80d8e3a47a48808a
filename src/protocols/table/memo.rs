//! The memo: one without a side drafts it from all that was said, everybody at the table checks the draft, and it is written
//! as it stands, with an answer to each objection. Where nobody could check it, or it could not be written again,
//! the draft stands, and that is said.

use super::{RACI, SOLUTIONS, search};
use crate::{
    prompt::{
        self,
        reply::{MemoBounds, read_check, read_memo, unanswered},
        table::{Material, Objection, Table, asked_of_memo, last_word},
    },
    protocols::{first_answer::Alone, solutions},
    render,
    steps::{Answered, Failure, Question, Steps, Stop, Try},
};
use domain::{
    Degraded, FirstAnswer, MemoCheck, MemoOption, ModuleName, ModuleOutput, Piece, Problem, RaciRow,
    Redelegation, Reply, Solution, SourceList, StepKey, Synthesis, TableBrief, Writer, Written,
    citations::without_marks,
};

/// The step of the draft; the checks stand below it.
pub(super) const DRAFT: &str = "draft";

/// What the memo begins with, said before anybody has read anybody. `None` where no model could say.
pub(super) async fn first_answer(steps: &Steps, table: Table<'_>) -> Result<Option<FirstAnswer>, Stop> {
    let alone = Alone {
        step: DRAFT,
        who: table.brief.writer.title(),
        writer: &table.brief.writer_seat,
        seats: &table.brief.seats,
        prompt: table.first_answer(),
        asked: table.asked(),
        choice: &|answers| table.first_choice(answers),
        begins: Written::Memo,
    };
    alone.ask(steps).await
}

/// The memo and its options as they are voted on.
pub(super) async fn write(
    steps: &Steps,
    table: Table<'_>,
    (outputs, first): (&[ModuleOutput], Option<&FirstAnswer>),
    sources: &SourceList,
) -> Result<(Synthesis, Vec<Solution>), Stop> {
    let brief = table.brief;
    let redelegated = redelegated(steps, brief).await?;
    let raci = answering(steps, brief, outputs).await?;
    let material = Material { outputs, sources, redelegated: &redelegated, raci: &raci, first };
    let (memo, card) = match (Desk { steps, table, material }).draft().await? {
        Ok(draft) => (revised(steps, table, material, draft).await?, "synthesis"),
        // What was tried is the draft.
        Err(failure) => (plain(steps, brief, outputs, &failure).await?, DRAFT),
    };

    let (key, card) = (StepKey::from("synthesis"), StepKey::from(card));
    let solutions = Solution::distinct(&memo.options);
    let asked = table.question.and_then(|question| Problem::new(question).ok());
    let about = (asked.as_ref().unwrap_or(&brief.problem), &key);
    let solutions = solutions::without_duplicates(steps, &brief.checker, about, solutions).await?;
    let trusted = brief.trusted();
    let one_model = brief.only_model().is_some() && brief.seats.len() > 1;
    let posts = render::table::memo_cards(
        steps.session(),
        &card,
        (&memo, &solutions),
        (&brief.panel, trusted.as_deref()),
        &redelegated,
        &raci,
        one_model,
    );
    let solutions = steps.keep(key.child(SOLUTIONS), &solutions, posts).await?;
    Ok((memo, solutions))
}

/// The memo after all have checked its draft.
async fn revised(
    steps: &Steps,
    table: Table<'_>,
    material: Material<'_>,
    draft: Synthesis,
) -> Result<Synthesis, Stop> {
    super::phase(steps, table.brief, 4, "Everybody checks the draft");
    let notes = steps.notes("draft/notes").await?;
    let table = Table { notes: &notes, ..table };
    let objections = Desk { steps, table, material }.checked(&draft).await?;
    super::phase(steps, table.brief, 5, &format!("The {} writes the memo", table.brief.writer.word()));
    let notes = steps.notes("synthesis/notes").await?;
    let table = Table { notes: &notes, ..table };
    Desk { steps, table, material }.finish(draft, &objections).await
}

/// What stands where nobody could write a memo. A mediation waits there for somebody to press *Try again*; a roundtable goes on
/// with what each of its experts would do, in its own words.
async fn plain(
    steps: &Steps,
    brief: &TableBrief,
    outputs: &[ModuleOutput],
    failure: &Failure,
) -> Result<Synthesis, Stop> {
    let why = failure.sentence();
    if brief.writer == Writer::Mediator {
        return Err(Stop::Fail(format!(
            "The mediator could not write its memo: {why}. The modules' analyses stand."
        )));
    }
    let last = brief.panel.seats.iter().filter_map(|seat| last_word(outputs, &seat.module));
    let option = |output: &ModuleOutput| {
        let position = output.position();
        let crux = Some(&position.crux).filter(|crux| !crux.is_empty());
        let crux = crux.map(|crux| format!(" It would be changed by this: {crux}")).unwrap_or_default();
        MemoOption {
            title: without_marks(&position.option),
            action: without_marks(&format!("{}{crux}", output.summary())),
            raised_by: vec![output.module.clone()],
            ..MemoOption::default()
        }
    };
    let memo = Synthesis {
        answer: "Nobody could write a memo, so there is no answer of the table's. Each option is what one of the experts would do, in its own words; their whole texts stand behind the buttons of the two rounds.".to_owned(),
        options: last.map(option).collect(),
        ..Synthesis::default()
    };
    let key = StepKey::from("synthesis").child("plain");
    let memo = steps.keep(key.clone(), &memo, Vec::new()).await?;
    steps.note_degraded(key, [Piece::Memo.missing(Some(why))]).await?;
    Ok(memo)
}

/// How gaps were filled, in the order of the rounds and of the seats.
async fn redelegated(steps: &Steps, brief: &TableBrief) -> Result<Vec<Redelegation>, Stop> {
    let gap = |note| if let Degraded::Redelegated(how) = note { Some(how) } else { None };
    let mut gaps: Vec<Redelegation> = steps.degraded().await?.into_iter().filter_map(gap).collect();
    gaps.sort_by_key(|how| {
        let (module, round) = how.place();
        (round, brief.panel.seats.iter().position(|seat| seat.module == *module))
    });
    Ok(gaps)
}

/// Who answers for what among those who spoke for themselves; nothing where nobody asked for it.
async fn answering(
    steps: &Steps,
    brief: &TableBrief,
    outputs: &[ModuleOutput],
) -> Result<Vec<RaciRow>, Stop> {
    if !brief.extras.raci {
        return Ok(Vec::new());
    }
    let seated = brief.panel.seats.iter().map(|seat| &seat.module);
    let itself =
        |name: &&ModuleName| last_word(outputs, name).is_some_and(|last| last.spoken_for_by.is_none());
    let spoke: Vec<ModuleName> = seated.filter(itself).cloned().collect();
    steps.keep(StepKey::from(RACI), &RaciRow::rows(&brief.panel, &spoke), Vec::new()).await
}

/// Where the memo is written.
struct Desk<'a> {
    steps: &'a Steps,
    table: Table<'a>,
    material: Material<'a>,
}

impl Desk<'_> {
    /// The draft; where the writer's model fails, the others stand in, in order.
    async fn draft(&self) -> Result<Result<Synthesis, Failure>, Stop> {
        let Self { steps, table, material } = self;
        let key = StepKey::from(DRAFT);
        let question = Question {
            key: key.clone(),
            who: table.brief.writer.title().to_owned(),
            prompt: table.draft(material),
        };
        let read = |reply: &Reply, attempt| self.read(reply, attempt, None);
        let written = steps.ask_seat(&table.brief.writer_seat, question, read, |_, _, _| Vec::new());
        match written.await? {
            Ok(Answered { value, stand_in }) => {
                steps.note_degraded(key, Piece::MemoDraft.stood_in(stand_in.as_ref())).await?;
                Ok(Ok(value))
            }
            Err(failure) => Ok(Err(failure)),
        }
    }

    /// What everybody who spoke objects to in the draft, numbered in the order of the seats; shown as how many.
    async fn checked(&self, draft: &Synthesis) -> Result<Vec<Objection>, Stop> {
        let Self { steps, table, material } = self;
        let panel = &table.brief.panel;
        let seats = panel.seats.iter().zip(&table.brief.seats);
        let spoke: Vec<_> =
            seats.filter(|(seat, _)| last_word(material.outputs, &seat.module).is_some()).collect();
        let checks = spoke.iter().map(|(seat, model)| async move {
            let module = &seat.module;
            let question = Question {
                key: StepKey::from(DRAFT).child(format!("check-{}", panel.step_of(module))),
                who: module.title().to_owned(),
                prompt: table.check(module, draft, material.outputs),
            };
            let read = |reply: &Reply, attempt| {
                let offered = material.sources.sources().len();
                read_check(&reply.text, &table.asked(), offered, attempt == Try::First)
            };
            let key = question.key.clone();
            let check = match steps.ask_seat(model, question, read, |_, _, _| Vec::new()).await? {
                Ok(Answered { value, stand_in }) => {
                    let piece = Piece::MemoCheck(module.title().to_owned());
                    steps.note_degraded(key, piece.stood_in(stand_in.as_ref())).await?;
                    Some(value)
                }
                Err(_) => None,
            };
            Ok::<_, Stop>((module.clone(), check))
        });
        let checks: Vec<(ModuleName, Option<MemoCheck>)> = steps.all(checks).await?;
        let found = |(module, check): &(ModuleName, Option<MemoCheck>)| {
            let texts = check.as_ref().map(MemoCheck::objections)?;
            Some((module.clone(), texts))
        };
        let found: Vec<(ModuleName, Vec<String>)> = checks.iter().filter_map(found).collect();
        let absent = checks.iter().filter(|(_, check)| check.is_none());
        let absent: Vec<String> = absent.map(|(module, _)| module.title().to_owned()).collect();
        let counted: Vec<(String, usize)> =
            found.iter().map(|(module, texts)| (module.title().to_owned(), texts.len())).collect();
        let key = StepKey::from(DRAFT);
        let cards = render::table::check_card(steps.session(), &key, &counted, &absent);
        let checked = key.child("checked");
        steps.post(checked.clone(), cards).await?;
        let missing = absent.into_iter().map(|name| Piece::MemoCheck(name).missing(None));
        steps.note_degraded(checked, missing).await?;
        let each = found
            .into_iter()
            .flat_map(|(from, texts)| texts.into_iter().map(move |text| (from.clone(), text)));
        Ok((1..).zip(each).map(|(number, (from, text))| Objection { number, from, text }).collect())
    }

    /// The memo as it stands. Where the mediator cannot write it, the draft does, and it is said that nothing was taken.
    async fn finish(&self, draft: Synthesis, objections: &[Objection]) -> Result<Synthesis, Stop> {
        let Self { steps, table, material } = self;
        let key = StepKey::from("synthesis");
        let question = Question {
            key: key.clone(),
            who: table.brief.writer.title().to_owned(),
            prompt: table.finish(material, &draft, objections),
        };
        let read = |reply: &Reply, attempt| self.read(reply, attempt, Some(objections));
        let written = steps.ask_seat(&table.brief.writer_seat, question, read, |_, _, _| Vec::new());
        let (memo, stood_in) = match written.await? {
            Ok(Answered { value, stand_in }) => (value, Piece::Memo.stood_in(stand_in.as_ref())),
            Err(failure) => {
                let stands = Synthesis { unanswered: told(objections, |_| true), ..draft };
                let stands = steps.keep(key.child("plain"), &stands, Vec::new()).await?;
                (stands, Some(Piece::MemoRevision.missing(Some(failure.sentence()))))
            }
        };
        let citations = search::taken_out(table.brief).counted(memo.dropped_citations);
        steps.note_degraded(key, stood_in.into_iter().chain(citations)).await?;
        Ok(memo)
    }

    /// Reads a draft, or the memo that has to answer these objections.
    fn read(
        &self,
        reply: &Reply,
        attempt: Try,
        objections: Option<&[Objection]>,
    ) -> Result<Synthesis, prompt::ParseError> {
        let asked = asked_of_memo(&self.table, &self.material, objections.is_some());
        let objections = objections.unwrap_or_default();
        let bounds = MemoBounds {
            panel: &self.table.brief.panel,
            raci: self.material.raci,
            asked: &asked,
            sources: self.material.sources,
            objections: objections.len(),
            first: attempt == Try::First,
        };
        let memo = read_memo(&reply.text, &bounds, &reply.answered)?;
        let open = unanswered(&memo, objections.len());
        let unanswered = told(objections, |objection| open.contains(&(objection.number as usize)));
        let became = |objection: &Objection| {
            let answer = memo.resolutions.iter().find(|answer| answer.objection == objection.number)?;
            let taken = if answer.taken { "Taken" } else { "Not taken" };
            Some(format!(
                "**{}:** {} **{taken}:** {}",
                objection.from.title(),
                objection.text,
                answer.because
            ))
        };
        let objected = objections.iter().filter_map(became).collect();
        let memo = Synthesis { unanswered, objected, ..memo };
        Ok(Synthesis { sources: self.material.sources.cited_by(&memo), ..memo })
    }
}

/// Objections in words, with whose they are.
fn told(objections: &[Objection], which: impl Fn(&Objection) -> bool) -> Vec<String> {
    let which = objections.iter().filter(|objection| which(objection));
    which.map(|objection| format!("{}: {}", objection.from.title(), objection.text)).collect()
}
