//! Deep research: every grave conflict and every red flag that belongs to none is looked into once more, all at once: what
//! the web has on it, and what that supports. It comes before the scoring, so that experts and team choose by it.

use super::search;
use crate::{
    prompt::{reply::read_resolution, table::Table},
    protocols::searching::Seeker,
    render,
    steps::{Answered, Journal, Question, Steps, Stop, Try},
};
use domain::{
    ConflictResolution, Degraded, MOST_RESEARCHED, Matter, ModuleOutput, Piece, Reply, Research, Solution,
    SourceList, StepKey, Synthesis, shortened,
};

/// The step that holds all that came of it; each matter has its number below.
pub(super) const RESEARCH: &str = "research";

/// What a matter is looked into with: all that was said until then.
struct Desk<'a> {
    steps: &'a Steps,
    table: Table<'a>,
    outputs: &'a [ModuleOutput],
    solutions: &'a [Solution],
    sources: &'a SourceList,
}

/// What came of it so far; nothing where nobody wanted it.
pub(super) async fn kept(journal: &Journal) -> Result<Option<Research>, Stop> {
    journal.kept(&RESEARCH.into()).await
}

/// Looks into what is grave and shows what came of it; says so where nothing is grave or nothing can be looked up.
/// Nothing where nobody wanted it.
pub(super) async fn research(
    steps: &Steps,
    table: Table<'_>,
    (outputs, synthesis, solutions): (&[ModuleOutput], &Synthesis, &[Solution]),
    mut sources: SourceList,
) -> Result<Option<Research>, Stop> {
    let brief = table.brief;
    if !brief.extras.deep_research {
        return Ok(None);
    }
    let key = StepKey::from(RESEARCH);
    if !brief.extras.researches() {
        let searching = brief.extras.searching;
        steps.post(key.clone(), render::table::no_research_card(searching)).await?;
        steps.note_degraded(key, [Degraded::Unresearched(searching)]).await?;
        return Ok(None);
    }
    let mut matters = Matter::of(synthesis);
    let left_out = matters.split_off(matters.len().min(MOST_RESEARCHED));
    let desk = Desk { steps, table, outputs, solutions, sources: &sources };
    let looked_into = (1..).zip(&matters).map(|(number, matter)| desk.look_into(number, matter));
    let resolutions = steps.all(looked_into).await?;
    let dropped = resolutions.iter().map(|one| one.dropped_citations).fold(0, u32::saturating_add);
    let resolutions: Vec<_> = resolutions.into_iter().map(|one| sources.take_in(one)).collect();
    let research = Research {
        sources: sources.cited_in(resolutions.iter().flat_map(ConflictResolution::texts)),
        resolutions,
        left_out: left_out.into_iter().map(|matter| matter.topic).collect(),
    };
    let cards = render::table::research_cards(steps.session(), &key, &research, solutions);
    let research = steps.keep(key.clone(), &research, cards).await?;
    let left_out = Some(&research.left_out).filter(|topics| !topics.is_empty());
    let left_out = left_out.map(|topics| Degraded::MattersLeftOut(topics.clone()));
    let citations = search::taken_out(brief).counted(dropped);
    steps.note_degraded(key, left_out.into_iter().chain(citations)).await?;
    Ok(Some(research))
}

impl Desk<'_> {
    /// One matter. Where nothing was found, nobody is asked: there is nothing to go by.
    async fn look_into(&self, number: usize, matter: &Matter) -> Result<ConflictResolution, Stop> {
        let Self { steps, table, outputs, solutions, sources } = *self;
        let brief = table.brief;
        let (key, who) =
            (StepKey::from(RESEARCH).child(number), format!("On {}", shortened(&matter.topic, 40)));
        let model = &brief.writer_seat.model;
        let searching = brief.extras.searching;
        let seeker = Seeker { steps, key: key.clone(), who: &who, model, searching };
        let queries = || table.research_queries(matter, outputs);
        let note = |searched| Degraded::MatterUnsearched { topic: matter.topic.clone(), searched };
        let (found, searched) = seeker.look_up(queries, note).await?;
        if found.is_empty() {
            return Ok(ConflictResolution::silent(matter, None, searched));
        }
        let offered = sources.offering(found);
        let said = (outputs, solutions);
        let prompt = table.resolution(matter, said, &offered);
        let asked = table.asked_of_resolution(matter, solutions);
        let read = |reply: &Reply, attempt| {
            let found = (&offered, searched.clone());
            read_resolution(
                (&reply.text, &reply.answered),
                (matter, &asked),
                found,
                solutions.len(),
                attempt == Try::First,
            )
        };
        let question = Question { key: key.clone(), who, prompt };
        let piece = Piece::Resolution(matter.topic.clone());
        match steps.ask_seat(&brief.writer_seat, question, read, |_, _, _| Vec::new()).await? {
            Ok(Answered { value, stand_in }) => {
                steps.note_degraded(key, piece.stood_in(stand_in.as_ref())).await?;
                Ok(value)
            }
            Err(failure) => {
                let why = failure.sentence();
                steps.note_degraded(key, [piece.missing(Some(why))]).await?;
                Ok(ConflictResolution::silent(matter, Some(why.to_owned()), searched))
            }
        }
    }
}

/// How many matters were looked into and how many are settled, for the last line of a session.
pub(in crate::protocols) async fn in_the_end(journal: &Journal) -> Result<Option<String>, Stop> {
    Ok(kept(journal).await?.as_ref().map(render::table::research_in_short))
}
