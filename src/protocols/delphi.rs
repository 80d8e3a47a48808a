//! /delphi: a number is asked for plainly, several estimate it alone, read one another's reasons without names and estimate it
//! anew, twice; code says what they come to, one model what they part on, and the team votes beside them.
//!
//! Invariant: no figure of the answer is a model's word on other models: medians, ranges and points follow from what each
//! estimator gave itself. Whoever cannot answer is named, and what it said before stands. Called by `protocols`.

use forms::Asked;

use super::points::{self, POINTS};
use super::{followup::Held, said::Said, seating};
use crate::{
    prompt::{ParseError, delphi as prompts},
    render::{self, delphi as cards},
    steps::{Answered, Failure, Journal, NewVote, Question, Steps, Stop, Try, vote_key},
};
use domain::{
    Brief, Countable, Degraded, DelphiBrief, Estimated, Estimates, MAX_QUESTION, NumberAsked, OptionName,
    OptionWords, Outlook, Piece, Pooled, Post, ROUNDS, Reply, SaidEstimate, Scored, Searching, Seat, Speech,
    StepKey, VoteRules, one_line, shortened,
};

/// Most characters of a unit.
const UNIT: usize = 40;
/// The step of the answer, and what those of the rounds begin with.
const ANSWER: &str = "answer";
const ROUND: &str = "round-";

/// What these options make of it.
pub(super) fn wanted(words: &OptionWords) -> anyhow::Result<seating::Wanted> {
    let estimators = words.whole(OptionName::Estimators).map_err(seating::user)?.unwrap_or(5) as usize;
    let unit = words.get(OptionName::Unit).map(|unit| shortened(&one_line(unit), UNIT));
    Ok(seating::Wanted::new(move |seating, problem, document| {
        let (estimators, checker) = (seating.panel(estimators), seating.checker());
        let writer = seating.beside_those(&seating.appointed.mediator, &estimators);
        let (language, effort, today) = (seating.language(), seating.effort, seating.today());
        let brief =
            DelphiBrief { problem, document, unit, estimators, writer, checker, language, effort, today };
        Ok(Brief::Delphi(brief))
    }))
}

/// Runs the whole session.
pub(super) async fn run(steps: &Steps, brief: &DelphiBrief, voting: &VoteRules) -> Result<(), Stop> {
    let (last, prompts) = (ROUNDS + 2, steps.prompts());
    steps.phase(1, last, "The number, asked for plainly");
    let number = ask_number(steps, prompts::Desk { prompts, brief, notes: &[] }).await?;
    let mut so_far = Estimates { number, all: Vec::new(), outlook: None };
    for round in 1..=ROUNDS {
        steps.phase(round + 1, last, &format!("Round {round} of {ROUNDS}: each estimates"));
        let notes = &steps.notes(format!("{ROUND}{round}/notes").as_str()).await?;
        let asked = (1..).zip(&brief.estimators).map(|(estimator, seat)| {
            estimate(steps, prompts::Desk { prompts, brief, notes }, &so_far, Turn { round, estimator, seat })
        });
        let said = steps.all(asked).await?;
        so_far.all.extend(said.into_iter().flatten());
        // One alone has nobody to read.
        if so_far.last().len() < 2 {
            break;
        }
    }
    let Some(pooled) = Pooled::of(&so_far.last()) else {
        return Err(Stop::Fail("No estimator could answer, so there is nothing to go on with.".to_owned()));
    };
    steps.phase(last, last, "What they come to, and what they part on");
    let notes = &steps.notes("answer/notes").await?;
    write_answer(steps, prompts::Desk { prompts, brief, notes }, &mut so_far).await?;

    let (key, unit) = (StepKey::from(POINTS), &so_far.number.unit);
    let scored = pooled.scored(unit, &so_far.last());
    let card = render::points::points_card(steps.session(), &key, &scored.solutions, &scored.experts, &[]);
    let Scored { solutions, experts, .. } = steps.keep(key, &scored, card).await?;
    let (rules, came_out, question) = (voting.clone(), pooled.told(unit), so_far.number.question);
    let vote = NewVote { question, rules, solutions, experts, came_out, ..NewVote::default() };
    steps.open_vote(vote_key(), vote).await
}

/// The number, asked for plainly by a model, in the unit that somebody chose.
async fn ask_number(steps: &Steps, desk: prompts::Desk<'_>) -> Result<NumberAsked, Stop> {
    let (brief, prompt, asked) = (desk.brief, desk.number(), Asked::at(desk.brief.effort));
    let read = |reply: &Reply, attempt| {
        let said = forms::read::<NumberAsked>(&reply.text, &asked, 0, attempt == Try::First)?.said;
        let unit = shortened(brief.unit.as_ref().unwrap_or(&said.unit), UNIT);
        Ok(NumberAsked { question: shortened(&said.question, MAX_QUESTION), unit, ..said })
    };
    let question = Question { key: "number".into(), who: "The number".to_owned(), prompt };
    let number = steps.ask_seat(&brief.checker, question, read, |_, _, _| Vec::new()).await?;
    let Ok(Answered { value, .. }) = number else {
        return Err(Stop::Fail("No model could ask for the number plainly.".to_owned()));
    };
    steps.state_question(&value.question).await?;
    // Who estimates goes by it from here on, in whose words it is.
    let question = steps.fix_question().await?.unwrap_or(value.question);
    Ok(NumberAsked { question, ..value })
}

/// Whose word is asked for, and in which round; both from 1.
struct Turn<'a> {
    round: u8,
    estimator: u8,
    seat: &'a Seat,
}

/// An estimator's word in a round; nothing where it cannot answer, nor in later rounds of one that said nothing before.
async fn estimate(
    steps: &Steps,
    desk: prompts::Desk<'_>,
    so_far: &Estimates,
    Turn { round, estimator, seat }: Turn<'_>,
) -> Result<Option<Estimated>, Stop> {
    let last = so_far.last();
    let own = last.iter().find(|one| one.estimator == estimator);
    if round > 1 && own.is_none() {
        return Ok(None);
    }
    let panel = StepKey::new(format!("{ROUND}{round}"));
    let (key, who) = (panel.child(format!("estimator-{estimator}")), format!("Estimator {estimator}"));
    let asked = Asked::at(desk.brief.effort).when("again", own.is_some()).when("alone", own.is_none());
    let read = |reply: &Reply, attempt| {
        let read = forms::read::<SaidEstimate>(&reply.text, &asked, 0, attempt == Try::First)?;
        let (said, answered_by, dropped_citations) = (read.said, reply.answered.clone(), read.dropped);
        let numbers = said.numbers().map_err(|why| ParseError::Shape(why.to_owned()))?;
        Ok(Estimated { round, estimator, said, numbers, answered_by, dropped_citations })
    };
    let steps = &steps.onto(panel);
    let card = |key: &StepKey, one: &Estimated, _: Option<&_>| {
        vec![cards::round_card(steps.session(), &so_far.number.unit, &[(key.clone(), one.clone())])]
    };
    let prompt = desk.estimate(so_far, (round, own), steps.seed(key.as_str()));
    let piece = Piece::Scout(format!("{who} (round {round})"));
    let question = Question { key: key.clone(), who, prompt };
    let said = steps.ask_seat(seat, question, read, card).await?;
    let dropped = said.as_ref().map_or(0, |answered| answered.value.dropped_citations);
    let notes = [degraded(piece, &said), Countable::Citations.counted(dropped)];
    steps.note_degraded(key, notes.into_iter().flatten()).await?;
    Ok(said.ok().map(|answered| answered.value))
}

/// What is to be said of what a seat came to.
fn degraded<T>(piece: Piece, said: &Result<Answered<T>, Failure>) -> Option<Degraded> {
    match said {
        Ok(answered) => piece.stood_in(answered.stand_in.as_ref()),
        Err(failure) => Some(piece.missing(Some(failure.sentence()))),
    }
}

/// The answer: the figures by code, and what a model that estimates nothing says of them.
async fn write_answer(steps: &Steps, desk: prompts::Desk<'_>, so_far: &mut Estimates) -> Result<(), Stop> {
    let (brief, prompt) = (desk.brief, desk.outlook(so_far));
    let read = |reply: &Reply, attempt| {
        Ok(forms::read::<Outlook>(&reply.text, &Asked::at(brief.effort), 0, attempt == Try::First)?.said)
    };
    let question = Question { key: ANSWER.into(), who: "Answer".to_owned(), prompt };
    let said = steps.ask_seat(&brief.writer, question, read, |_, _, _| Vec::new()).await?;
    let degraded = degraded(Piece::Scout("The writer".to_owned()), &said);
    so_far.outlook = said.ok().map(|answered| answered.value);
    let card = cards::answer_card(steps.session(), &ANSWER.into(), so_far);
    steps.keep("answer/kept", &so_far.outlook.is_some(), card).await?;
    steps.note_degraded("answer/kept", degraded).await
}

/// What has come about so far; nothing before the number was asked for.
async fn so_far(journal: &Journal) -> Result<Option<Estimates>, Stop> {
    let Some(number) = journal.stands(&"number".into()).await? else { return Ok(None) };
    let (all, outlook) = (journal.stored(ROUND).await?, journal.stands(&ANSWER.into()).await?);
    Ok(Some(Estimates { number, all, outlook }))
}

/// What a round's message has to show now; nothing for a key that is none.
pub(super) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    let said: Vec<(StepKey, Estimated)> = journal.all_stored(&format!("{key}/")).await?;
    let said: Vec<_> = said.into_iter().map(|(key, one)| (key.call(), one)).collect();
    let so_far = so_far(journal).await?.filter(|_| !said.is_empty());
    Ok(so_far.map(|so_far| cards::round_card(journal.session(), &so_far.number.unit, &said)))
}

/// What has come about so far. Who writes the answer answers questions too.
pub(super) async fn material<'a>(steps: &Steps, brief: &'a DelphiBrief) -> Result<Held<'a>, Stop> {
    let so_far = so_far(&steps.journal()).await?;
    let summed_up = so_far.as_ref().is_some_and(|so_far| so_far.outlook.is_some());
    let parts = so_far.as_ref().map(prompts::parts).unwrap_or_default();
    Ok(Held { seat: &brief.writer, document: brief.document.as_ref(), parts, summed_up })
}

/// What was said, in the order of the rounds.
pub(super) async fn said(journal: &Journal) -> Result<Said, Stop> {
    let all: Vec<(StepKey, Estimated)> = journal.all_stored(ROUND).await?;
    let speech = |step: StepKey, by, round, text| {
        let (step, round, sources) = (step.to_string(), Some(round), Vec::new());
        Speech { step, by, round, texts: vec![text], sources }
    };
    let each = |(key, one): &(StepKey, Estimated)| {
        speech(key.card(), one.title(), one.round, cards::whole_estimate(one))
    };
    let mut speeches: Vec<Speech> = all.iter().map(each).collect();
    let outlook: Option<Outlook> = journal.stands(&ANSWER.into()).await?;
    let answer = |said| speech(ANSWER.into(), "Answer".to_owned(), ROUNDS + 1, forms::whole(said));
    speeches.extend(outlook.as_ref().map(answer));
    // Figures that stand on the answer's card and are the code's.
    let given = so_far(journal).await?.map(|so_far| {
        let pooled = Pooled::of(&so_far.last()).map(|pooled| pooled.told(&so_far.number.unit));
        [so_far.number.question, so_far.number.counts].into_iter().chain(pooled).collect()
    });
    Ok(Said { searching: Searching::Off, given: given.unwrap_or_default(), speeches })
}

/// Title and text of a card; nothing for a card that shows everything itself.
pub(super) async fn full_text(journal: &Journal, card: &StepKey) -> Result<Option<(String, String)>, Stop> {
    Ok(match card.as_str() {
        POINTS => journal.kept::<Scored>(card).await?.map(|scored| points::full_text(&scored)),
        ANSWER => so_far(journal).await?.map(|all| ("The answer".to_owned(), cards::whole_answer(&all))),
        _ => journal.stands::<Estimated>(card).await?.map(|one| (one.title(), cards::whole_estimate(&one))),
    })
}
