//! The memo: several answer the whole question, each alone; everybody at the table reads these drafts by what both rounds found,
//! says which one the team should get, and what has to be mended in it; one without a side writes the memo from it, with an answer to
//! each objection. Where nobody could draft anything, the memo is written from the rounds alone, and that is said.

use super::{RACI, SOLUTIONS, search};
use crate::{
    prompt::{
        self, asked_of_draft,
        reply::{MemoBounds, read_memo, unanswered},
        table::{Material, Table, asked_of_memo, last_word},
    },
    protocols::{
        drafts::{Choice, Draft, Drafting, Reader},
        solutions,
    },
    render::{self, table::Seated},
    steps::{Answered, Failure, Question, Steps, Stop, Try},
};
use domain::{
    ChosenDraft, Degraded, FirstAnswer, MemoOption, ModuleName, ModuleOutput, Objection, Piece, Problem,
    RaciRow, Redelegation, Reply, Solution, SourceList, StepKey, Synthesis, TableBrief, Writer, Written,
    citations::without_marks,
};

/// The step of the draft; first answers and checks stand below it.
pub(super) const DRAFT: &str = "draft";
/// The step of the memo.
const MEMO: &str = "synthesis";

/// The drafts of the memo, written before anybody at the table has read anybody.
pub(super) async fn drafts(steps: &Steps, table: Table<'_>) -> Result<Vec<Draft>, Stop> {
    let drafting = Drafting {
        step: DRAFT,
        who: table.brief.writer.title(),
        writer: &table.brief.writer_seat,
        seats: &table.brief.seats,
        many: FirstAnswer::asked(Written::Memo, table.brief.effort),
        prompt: table.first_answer(),
        asked: asked_of_draft(Written::Memo, table.brief.effort),
        of: Written::Memo,
    };
    drafting.ask(steps).await
}

/// The memo and its options as they are voted on.
pub(super) async fn write(
    steps: &Steps,
    table: Table<'_>,
    (outputs, drafts): (&[ModuleOutput], Vec<Draft>),
    sources: &SourceList,
) -> Result<(Synthesis, Vec<Solution>), Stop> {
    let brief = table.brief;
    super::phase(steps, brief, 3, "Everybody reads the drafts");
    let notes = steps.notes("draft/notes").await?;
    let draft = chosen(steps, Table { notes: &notes, ..table }, (outputs, sources), drafts).await?;

    super::phase(steps, brief, 4, &format!("The {} writes the memo", brief.writer.word()));
    let notes = steps.notes("synthesis/notes").await?;
    let table = Table { notes: &notes, ..table };
    let redelegated = redelegated(steps, brief).await?;
    let raci = answering(steps, brief, outputs).await?;
    let (redelegated, raci, draft) = (&redelegated[..], &raci[..], draft.as_ref());
    let material = Material { outputs, sources, redelegated, raci, draft };
    let (memo, stand_in) = match written(steps, table, &material).await? {
        Ok(answered) => (answered.value, answered.stand_in),
        Err(failure) => (plain(steps, brief, &material, &failure).await?, None),
    };

    let key = StepKey::from(MEMO);
    let solutions = Solution::distinct(&memo.options);
    let asked = table.question.and_then(|question| Problem::new(question).ok());
    let about = (asked.as_ref().unwrap_or(&brief.problem), &key);
    let solutions = solutions::without_duplicates(steps, &brief.checker, about, solutions).await?;
    let trusted = brief.trusted();
    let shared = brief.seats_of(stand_in.as_ref().unwrap_or(&brief.writer_seat.model));
    let seated = match brief.only_model() {
        Some(_) if brief.seats.len() > 1 => Seated::OneModel,
        _ if shared.is_empty() => Seated::Apart,
        _ => Seated::WriterShares(&shared),
    };
    let posts = render::table::memo_cards(
        steps.session(),
        &key,
        (&memo, &solutions),
        (&brief.panel, trusted.as_deref()),
        redelegated,
        raci,
        seated,
    );
    let solutions = steps.keep(key.child(SOLUTIONS), &solutions, posts).await?;
    Ok((memo, solutions))
}

/// What stands where nobody could write a memo. A mediation waits there for somebody to press *Try again*; a roundtable goes on
/// with what each of its experts would do, in its own words.
async fn plain(
    steps: &Steps,
    brief: &TableBrief,
    material: &Material<'_>,
    failure: &Failure,
) -> Result<Synthesis, Stop> {
    let why = failure.sentence();
    if brief.writer == Writer::Mediator {
        return Err(Stop::Fail(format!(
            "The mediator could not write its memo: {why}. The modules' analyses stand."
        )));
    }
    let last = brief.panel.seats.iter().filter_map(|seat| last_word(material.outputs, &seat.module));
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
    let drafted = if material.draft.is_some() {
        " The text below is the draft, as one model wrote it alone; nobody has mended it."
    } else {
        ""
    };
    let memo = Synthesis {
        answer: format!(
            "Nobody could write a memo, so there is no answer of the table's. Each option is what one of the experts would do, in its own words; their whole texts stand behind the buttons of the two rounds.{drafted}"
        ),
        text: material.draft.map(|draft| without_marks(&draft.whole())).unwrap_or_default(),
        unanswered: told(material.objections(), |_| true),
        options: last.map(option).collect(),
        ..Synthesis::default()
    };
    let key = StepKey::from(MEMO).child("plain");
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

/// The draft that stands first by the marks of all at the table, with what they object to in it, which a card shows. `None` where there is no draft.
async fn chosen(
    steps: &Steps,
    table: Table<'_>,
    (outputs, sources): (&[ModuleOutput], &SourceList),
    drafts: Vec<Draft>,
) -> Result<Option<ChosenDraft>, Stop> {
    let key = StepKey::from(DRAFT);
    let panel = &table.brief.panel;
    let seats = panel.seats.iter().zip(&table.brief.seats);
    let spoke: Vec<_> = seats.filter(|(seat, _)| last_word(outputs, &seat.module).is_some()).collect();
    let readers = spoke.iter().map(|(seat, model)| Reader {
        name: seat.module.title().to_owned(),
        step: format!("check-{}", panel.step_of(&seat.module)),
        seat: model,
    });
    let choice = Choice {
        key: key.child("checked"),
        read_below: key.clone(),
        of: Written::Memo,
        readers: readers.collect(),
        asked: table.asked_of_check(drafts.len()),
        pages: sources.sources().len(),
    };
    let prompt = |place: usize, drafts: &[_], order: &[usize]| {
        table.check(&spoke[place].0.module, (drafts, order), outputs)
    };
    choice
        .make(steps, drafts, prompt, |chosen| render::table::check_card(steps.session(), &key, chosen))
        .await
}

/// The memo; where the writer's model fails, the others stand in, in order.
async fn written(
    steps: &Steps,
    table: Table<'_>,
    material: &Material<'_>,
) -> Result<Result<Answered<Synthesis>, Failure>, Stop> {
    let key = StepKey::from(MEMO);
    let question = Question {
        key: key.clone(),
        who: table.brief.writer.title().to_owned(),
        prompt: table.memo(material),
    };
    let read = |reply: &Reply, attempt| read(table, material, reply, attempt);
    let written = steps.ask_seat(&table.brief.writer_seat, question, read, |_, _, _| Vec::new());
    let answered = match written.await? {
        Ok(answered) => answered,
        Err(failure) => return Ok(Err(failure)),
    };
    let citations = search::taken_out(table.brief).counted(answered.value.dropped_citations);
    let stood_in = Piece::Memo.stood_in(answered.stand_in.as_ref());
    steps.note_degraded(key, stood_in.into_iter().chain(citations)).await?;
    Ok(Ok(answered))
}

/// Reads the memo, which has to answer each objection to its draft.
fn read(
    table: Table<'_>,
    material: &Material<'_>,
    reply: &Reply,
    attempt: Try,
) -> Result<Synthesis, prompt::ParseError> {
    let objections = material.objections();
    let bounds = MemoBounds {
        panel: &table.brief.panel,
        raci: material.raci,
        asked: &asked_of_memo(&table, material),
        sources: material.sources,
        draft: material.draft,
        first: attempt == Try::First,
    };
    let memo = read_memo(&reply.text, &bounds, &reply.answered)?;
    let open = unanswered(&memo, objections.len());
    let unanswered = told(objections, |objection| open.contains(&(objection.number as usize)));
    let became = |objection: &Objection| {
        let answer = memo.resolutions.iter().find(|answer| answer.objection == objection.number)?;
        let taken = if answer.taken { "Taken" } else { "Not taken" };
        let from = &objection.from;
        Some(format!("**{from}:** {} **{taken}:** {}", objection.text, answer.because))
    };
    let objected = objections.iter().filter_map(became).collect();
    let memo = Synthesis { unanswered, objected, ..memo };
    Ok(Synthesis { sources: material.sources.cited_by(&memo), ..memo })
}

/// Objections in words, with whose they are.
fn told(objections: &[Objection], which: impl Fn(&Objection) -> bool) -> Vec<String> {
    let which = objections.iter().filter(|objection| which(objection));
    which.map(|objection| format!("{}: {}", objection.from, objection.text)).collect()
}
