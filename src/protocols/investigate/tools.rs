//! The investigator's tools. What one fails at is told as its result; nothing of it stops the session.

use super::{
    Case,
    checks::{self, Doubt, Shown},
};
use crate::{
    prompt::{self, investigate::Record, reply::investigate::SaidReply},
    steps::{Ask, Stop},
};
use domain::{
    Call, Called, Check, Compared, InvestigatorTool, ModelName, Offered, Reply, ScoutAnswer, Searched,
    Searching, Source, StepKey, TeamQuestion, ToolAction, WaitKind, citations::without_marks, equal_words,
};

/// What a tool is used on.
#[derive(Clone, Copy)]
pub(super) struct Enquiry<'a> {
    pub(super) case: &'a Case<'a>,
    pub(super) compared: &'a Compared,
    /// What was called so far.
    pub(super) records: &'a [Record],
}

/// What a tool gave back.
pub(super) struct Done {
    pub(super) called: Called,
    /// Tokens of whom it asked.
    pub(super) tokens: u64,
    pub(super) check: Option<Check>,
    /// The pages that it found.
    pub(super) pages: Vec<Source>,
    /// What a model read off as settled by it.
    pub(super) settled: String,
}

impl Done {
    fn answered(text: impl Into<String>) -> Self {
        Self {
            called: Called::Answered(text.into()),
            tokens: 0,
            check: None,
            pages: Vec::new(),
            settled: String::new(),
        }
    }

    fn failed(text: impl Into<String>) -> Self {
        Self { called: Called::Failed(text.into()), ..Self::answered("") }
    }
}

/// Whether it can look things up.
pub(super) fn searches(case: &Case<'_>) -> bool {
    case.brief.searching == Searching::On
}

/// Whether the team was asked before, by the loop or because scouts answered different questions.
pub(super) async fn has_asked(case: &Case<'_>, calls: &[Call]) -> Result<bool, Stop> {
    let by_loop = calls.iter().any(|call| call.action.tool == InvestigatorTool::AskTeam);
    Ok(by_loop || case.steps.confirmation::<TeamQuestion>(WaitKind::Team).await?.is_some())
}

/// Carries an action out.
pub(super) async fn carry_out(
    enquiry: Enquiry<'_>,
    key: &StepKey,
    action: &ToolAction,
) -> Result<Done, Stop> {
    let Enquiry { case, compared, .. } = enquiry;
    let steps = case.steps;
    let text = &action.text;
    match action.tool {
        InvestigatorTool::QueryModel => {
            say(enquiry, key.child("said"), pick(case, action.model), ("", text)).await
        }
        InvestigatorTool::QueryModelAsRole => {
            say(enquiry, key.child("said"), pick(case, action.model), (&action.role, text)).await
        }
        InvestigatorTool::VerifyClaim => verify(case, compared, key, text).await,
        InvestigatorTool::RunCode => {
            let ran = steps.run_code(key.child("code"), "Calculation", text).await?;
            if ran.error.is_some() {
                return Ok(Done::failed(ran.told()));
            }
            let shown = Shown { ran: Some((text.clone(), ran.told())), offered: Offered::default() };
            settling(enquiry, key, &action.settles, (Done::answered(ran.told()), shown)).await
        }
        InvestigatorTool::WebSearch => {
            let done = search(case, key, text).await?;
            let offered = Offered { found: done.pages.clone(), ..Offered::default() };
            settling(enquiry, key, &action.settles, (done, Shown { ran: None, offered })).await
        }
        InvestigatorTool::Argue => argue(enquiry, key, action).await,
        InvestigatorTool::AskTeam => ask_team(case, key, action).await,
        InvestigatorTool::Checkpoint => Ok(Done::answered("Noted.")),
        InvestigatorTool::Done => Ok(Done::answered("")),
    }
}

/// The model of a number, from 1; the checker's for any other.
fn pick(case: &Case<'_>, number: usize) -> ModelName {
    let named = number.checked_sub(1).and_then(|place| case.models().get(place).cloned());
    named.unwrap_or_else(|| case.brief.checker.model.clone())
}

async fn say(
    Enquiry { case, compared, records }: Enquiry<'_>,
    key: StepKey,
    model: ModelName,
    (role, text): (&str, &str),
) -> Result<Done, Stop> {
    let Case { steps, brief, .. } = *case;
    let prompt = prompt::investigate::said(steps.prompts(), brief, (role, text), (compared, records));
    let sent = tokens_of(text);
    let name = model.to_string();
    let ask = Ask { key, who: domain::short_model(&name).to_owned(), model, prompt };
    let read = |reply: &Reply, _| {
        Ok((prompt::parse::<SaidReply>(&reply.text)?.checked()?, sent + tokens_of(&reply.text)))
    };
    Ok(match steps.ask(ask, read, |_| Vec::new()).await? {
        Ok((said, tokens)) => Done { tokens, ..Done::answered(format!("{name} says:\n{said}")) },
        Err(failure) => Done { tokens: sent, ..Done::failed(format!("{name}: {}", failure.sentence())) },
    })
}

/// What a call gave back, with what it settles by it: a disagreement or what a scout claims, as a model reads it that has no part in
/// it, so that the ledger says by what it was settled. Where nothing came back, or it names neither, the call is all.
async fn settling(
    Enquiry { case, compared, .. }: Enquiry<'_>,
    key: &StepKey,
    settles: &str,
    (done, shown): (Done, Shown),
) -> Result<Done, Stop> {
    let nothing = shown.ran.is_none() && shown.offered.is_empty();
    let answered = matches!(done.called, Called::Answered(_));
    let Some(matter) = compared.said(settles).filter(|_| answered && !nothing) else { return Ok(done) };
    let check = checks::settle(case, key.child("settles"), &doubt(case, compared, matter), shown).await?;
    let settled = said_of(&check, matter);
    Ok(Done { tokens: done.tokens + tokens_of(&settled), check: Some(check), settled, ..done })
}

/// What is to be looked at where somebody names a disagreement, one of its sides or a claim: whoever makes that does not judge it.
fn doubt(case: &Case<'_>, compared: &Compared, text: &str) -> Doubt {
    compared.disputed(text).map_or_else(
        || {
            let mut scouts = compared.who_say(text);
            if scouts.is_empty() {
                let made = |answer: &&ScoutAnswer| answer.claims.iter().any(|own| equal_words(own, text));
                scouts = case.answers.iter().filter(made).map(|answer| answer.scout).collect();
            }
            let lone = if let [only] = scouts[..] { Some(only) } else { None };
            Doubt::of_claim(text, scouts, lone)
        },
        Doubt::of_split,
    )
}

/// What a check of this found, as the investigator reads it.
fn said_of(check: &Check, text: &str) -> String {
    let found = match check.holds() {
        Some(position) if equal_words(position, text) => "It holds.".to_owned(),
        Some(position) if !check.denies() => format!("This holds: {}.", position.trim_end_matches('.')),
        _ if check.is_settled() => "It does not hold.".to_owned(),
        _ => "It could not be settled.".to_owned(),
    };
    let note = if check.independent {
        ""
    } else {
        " Each model that could judge it may have made the claim itself."
    };
    format!("{found} Checked {}. {}{note}", check.by.words(), without_marks(&check.why))
}

/// A claim, by a model that did not make it: of whom else than the scout could it be, that one is asked. One that is a side
/// of a disagreement is looked at beside the other sides, so that what is found settles the disagreement.
async fn verify(case: &Case<'_>, compared: &Compared, key: &StepKey, claim: &str) -> Result<Done, Stop> {
    if compared.is_matter_of_judgement(claim) {
        return Ok(Done::failed(
            "That is a matter of judgement, which no check settles. Name a fact on which one of its sides rests.",
        ));
    }
    let doubt = doubt(case, compared, claim);
    Ok(match checks::check(case, key.child("verify"), &doubt, 1).await? {
        None => Done::failed("No model could be asked."),
        Some(check) => {
            let text = said_of(&check, claim);
            Done { tokens: tokens_of(&text), check: Some(check), ..Done::answered(text) }
        }
    })
}

async fn search(case: &Case<'_>, key: &StepKey, query: &str) -> Result<Done, Stop> {
    if !searches(case) {
        return Ok(Done::failed("There is no search in this session."));
    }
    let query = domain::shortened(&domain::one_line(query), 300);
    let found = case.steps.search(key.child("search"), "Search", vec![query]).await?;
    if let Searched::Failed(fault) = found.outcome() {
        return Ok(Done::failed(format!("The search {}.", fault.words())));
    }
    if found.sources.is_empty() {
        return Ok(Done::answered("Nothing was found."));
    }
    let pages: Vec<String> = found
        .sources
        .iter()
        .map(|page| format!("- {} — {}\n  {}", page.title, page.url.as_str(), page.excerpt))
        .collect();
    let told = format!("Pages (anybody may have written them):\n{}", pages.join("\n"));
    Ok(Done { pages: found.sources, ..Done::answered(told) })
}

/// Two models, once each: the second has read the first.
async fn argue(enquiry: Enquiry<'_>, key: &StepKey, action: &ToolAction) -> Result<Done, Stop> {
    let case = enquiry.case;
    let first = pick(case, action.model);
    let other = case.models().into_iter().find(|model| *model != first).unwrap_or_else(|| first.clone());
    let asked = format!("Argue for what you hold on this: {}", action.text);
    let one = say(enquiry, key.child("one"), first, ("", &asked)).await?;
    let Called::Answered(said) = &one.called else { return Ok(one) };
    let answer = format!(
        "On this: {}\n\nSomebody said:\n{said}\n\nSay where that is wrong, and where it is right.",
        action.text
    );
    let two = say(enquiry, key.child("other"), other, ("", &answer)).await?;
    let tokens = one.tokens + two.tokens;
    let replied = match &two.called {
        Called::Answered(text) | Called::Failed(text) | Called::SentBack(text) => text,
    };
    Ok(Done { tokens, ..Done::answered(format!("{said}\n\n{replied}")) })
}

/// The team, once in a session: the session waits for a day at most.
async fn ask_team(case: &Case<'_>, key: &StepKey, action: &ToolAction) -> Result<Done, Stop> {
    // Whether somebody was asked before is remembered with the first to ask, so that a run that goes on asks the same.
    let mine = key.to_string();
    let first: String = case.steps.keep("enquiry/asked", &mine, Vec::new()).await?;
    let earlier: Option<TeamQuestion> = case.steps.confirmation(WaitKind::Team).await?;
    if first != mine || earlier.as_ref().is_some_and(|asked| asked.question != action.text) {
        return Ok(Done::failed("The team was asked before; once is all."));
    }
    let why = if action.purpose.is_empty() { Vec::new() } else { vec![action.purpose.clone()] };
    let draft = TeamQuestion { question: action.text.clone(), why, answer: None, by: String::new() };
    let asked: TeamQuestion = case.steps.confirmed(WaitKind::Team, &draft).await?;
    Ok(match asked.answer {
        Some(answer) => Done::answered(format!("{} of the team answered:\n{answer}", asked.by)),
        None => Done::answered("Nobody answered; go on without."),
    })
}

/// About how many tokens a text has: so many are counted for it whatever stands beside it in a request, and whatever a model
/// thinks, so that more effort leaves no fewer calls.
pub(super) fn tokens_of(text: &str) -> u64 {
    text.len() as u64 / 3
}
