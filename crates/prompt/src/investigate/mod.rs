//! The requests of an investigation: one function for each place in its protocol at which a model is asked.

mod parts;
mod record;
mod tools;

use forms::{Asked, Form};
use minijinja::{Value, context};
pub use parts::parts;
pub use record::{Record, compared_text, conclusion_text, ledger_text, records};
use serde_json::json;
pub use tools::{Turn, turn};

use super::{
    ALONE, Prompts, RULES, asked_of_draft, asked_of_drafts, drafts, fence,
    length::Length,
    quote::{found_text, notes_text, plain_name, sources_text},
    reply::investigate::{CheckReply, CheckedReply, ComparedReply, SaidReply, ScoutReply, position_id},
    schema,
    scoring::{self, Options},
};
use domain::{
    ChosenDraft, Compared, ContextNote, DraftsCheck, Entry, FirstAnswer, InvestigateBrief,
    InvestigationAnswer, LoneClaim, Offered, Opening, Prompt, ScoutAnswer, Solution, Source, Written,
};

const MATERIAL: &str = "investigate/material.md";

/// Most tokens of a comparison: five answers, six disagreements, a sentence for each claim.
const MAX_COMPARED_TOKENS: u32 = 1_800;
/// Most tokens of a check: a short program, or a few sentences.
const MAX_CHECK_TOKENS: u32 = 900;
/// Most tokens of what a check showed.
const MAX_CHECKED_TOKENS: u32 = 300;
/// Most tokens of an opening.
const MAX_OPENING_TOKENS: u32 = 400;
/// Most tokens of what a model says to the investigator: 200 words in any language.
const MAX_SAID_TOKENS: u32 = 600;
/// Most characters of all scouts' answers together with which each is shown whole; of longer ones what they answer and what
/// that rests on.
const WHOLE_ANSWERS: usize = 40_000;

/// A scout's answer, alone. The reply is a [`ScoutReply`].
#[must_use]
pub fn scout(prompts: &Prompts, brief: &InvestigateBrief, place: usize, notes: &[ContextNote]) -> Prompt {
    let asked = Asked::at(brief.effort);
    let prompt = form::<ScoutReply>(prompts, brief, &["investigate/scout.md"], &common(brief, notes), &asked);
    Prompt { temperature: brief.temperature(place), ..prompt }
}

/// What whoever writes the answer would say if nobody else were asked. The reply is a [`FirstAnswer`].
#[must_use]
pub fn first_answer(prompts: &Prompts, brief: &InvestigateBrief, notes: &[ContextNote]) -> Prompt {
    let ([rules, alone], asked) = (ALONE, asked_of_draft(Written::Answer, brief.effort));
    let files = [rules, alone, "investigate/first_answer.md"];
    prompts.form::<FirstAnswer>(&files, (&material(brief), &common(brief, notes)), &asked, brief.effort)
}

/// One answer from several drafts of it. The reply is a [`FirstAnswer`].
#[must_use]
pub fn merged_answer(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    notes: &[ContextNote],
    answers: &[FirstAnswer],
) -> Prompt {
    let ([rules, alone], asked) = (ALONE, asked_of_draft(Written::Answer, brief.effort));
    let files = [rules, alone, "investigate/merge.md"];
    let values = context! { drafts => drafts::lettered("", answers), ..common(brief, notes) };
    prompts.form::<FirstAnswer>(&files, (&material(brief), &values), &asked, brief.effort)
}

/// What the answers have in common. The reply is a [`ComparedReply`].
#[must_use]
pub fn compare(prompts: &Prompts, brief: &InvestigateBrief, answers: &[ScoutAnswer]) -> Prompt {
    let shown: Vec<Value> = (answers.iter())
        .map(|answer| {
            let text = fence("answer", &told(answer, &numbered(answer)));
            context! { id => answer.scout.to_string(), text }
        })
        .collect();
    let mut schema = schema::strict::<ComparedReply>("comparison");
    let ids: Vec<String> = answers.iter().map(|answer| answer.scout.to_string()).collect();
    for list in ["readings", "answers"] {
        let path = format!("/properties/{list}/items/properties/scouts/items");
        schema::set(&mut schema, &path, "enum", json!(ids));
    }
    let claims: Vec<String> = answers.iter().flat_map(ScoutAnswer::claim_ids).collect();
    schema::set(&mut schema, "/properties/consensus/items/properties/claims/items", "enum", json!(claims));
    schema::set(
        &mut schema,
        "/properties/splits/items/properties/sides/items/properties/scouts/items",
        "enum",
        json!(ids),
    );
    schema::set(&mut schema, "/properties/lone/items/properties/scout", "enum", json!(ids));
    let values = context! { answers => shown, ..common(brief, &[]) };
    let length = Length::fixed(brief.effort, MAX_COMPARED_TOKENS);
    request(prompts, brief, &["investigate/compare.md"], &values, schema, length)
}

/// A matter that is checked: what it is about, and what could be so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matter<'a> {
    /// What it is about.
    pub topic: &'a str,
    /// The answers that are possible, each with a label. Code puts the answer's words where a model writes its label.
    pub positions: &'a [String],
}

impl Matter<'_> {
    fn values(&self) -> Value {
        let positions: Vec<Value> = (1..)
            .zip(self.positions)
            .map(|(number, text)| context! { id => position_id(number), text => fence("position", text) })
            .collect();
        context! { topic => fence("topic", self.topic), positions }
    }

    fn words(&self) -> Vec<String> {
        let ids = (1..=self.positions.len()).map(position_id);
        ids.chain(["none", "unsettled"].map(str::to_owned)).collect()
    }
}

/// How to check a matter, or what is known of it; `failed` is a program that was run for it and failed, with what it gave back.
/// The reply is a [`CheckReply`].
#[must_use]
pub fn check(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    (matter, failed): (&Matter<'_>, Option<(&str, &str)>),
    searching: bool,
) -> Prompt {
    let mut schema = schema::strict::<CheckReply>("check");
    let words: Vec<String> = matter.words().into_iter().chain([String::new()]).collect();
    schema::set(&mut schema, "/properties/holds", "enum", json!(words));
    let values = context! {
        searching,
        failed => failed.map(|(code, _)| fence("program", code)),
        gave => failed.map(|(_, gave)| fence("gave-back", gave)),
        ..context! { ..matter.values(), ..common(brief, &[]) }
    };
    let length = Length::fixed(brief.effort, MAX_CHECK_TOKENS);
    request(prompts, brief, &["investigate/check.md"], &values, schema, length)
}

/// What a check showed: what a program printed, or pages. The reply is a [`CheckedReply`].
#[must_use]
pub fn checked(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    matter: &Matter<'_>,
    ran: Option<(&str, &str)>,
    offered: &Offered,
) -> Prompt {
    let mut schema = schema::strict::<CheckedReply>("checked");
    schema::set(&mut schema, "/properties/holds", "enum", json!(matter.words()));
    let values = context! {
        code => ran.map(|(code, _)| fence("program", code)),
        printed => ran.map(|(_, printed)| fence("printed", printed)),
        found => found_text(offered),
        ..context! { ..matter.values(), ..common(brief, &[]) }
    };
    let length = Length::fixed(brief.effort, MAX_CHECKED_TOKENS);
    request(prompts, brief, &["investigate/checked.md"], &values, schema, length)
}

/// How to begin. The reply is an [`Opening`].
#[must_use]
pub fn opening(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    compared: &Compared,
    notes: &[ContextNote],
) -> Prompt {
    let schema = schema::strict::<Opening>("opening");
    let values = context! { compared => compared_text(compared), ..common(brief, notes) };
    let length = Length::fixed(brief.effort, MAX_OPENING_TOKENS);
    request(prompts, brief, &["investigate/opening.md"], &values, schema, length)
}

/// A question of the investigator to a model, in a role where it names one; beside what the scouts agree and differ on, the
/// model sees the calls that the question names. The reply is a [`SaidReply`].
#[must_use]
pub fn said(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    (role, asked): (&str, &str),
    (compared, records): (&Compared, &[Record]),
) -> Prompt {
    let schema = schema::strict::<SaidReply>("said");
    let role = (!role.is_empty()).then(|| fence("role", role));
    let calls: Vec<String> =
        record::named(records, asked).into_iter().map(|record| fence("call", &record.text)).collect();
    let values = context! {
        role,
        asked => fence("asked", asked),
        compared => compared_text(compared),
        calls,
        ..common(brief, &[])
    };
    let length = Length::fixed(brief.effort, MAX_SAID_TOKENS);
    request(prompts, brief, &["investigate/role.md"], &values, schema, length)
}

/// All that an answer is written from.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// What the scouts answered.
    pub answers: &'a [ScoutAnswer],
    /// What they agree and differ on.
    pub compared: &'a Compared,
    /// What each claim stands on.
    pub ledger: &'a [Entry],
    /// What was called and checked, by number.
    pub records: &'a [Record],
    /// How the investigator began; nothing where it said nothing.
    pub begun: Option<&'a str>,
    /// What the investigator came to, fenced.
    pub conclusion: Option<&'a str>,
    /// Why the loop ended; nothing where there was none.
    pub ended: Option<&'static str>,
    /// What one scout alone says and nobody confirmed.
    pub alone: &'a [&'a LoneClaim],
    /// What the team added.
    pub notes: &'a [ContextNote],
    /// The pages that were found, by number.
    pub sources: &'a [Source],
}

impl Found<'_> {
    fn values(&self) -> Value {
        context! {
            scouts => whole_answers(self.answers),
            compared => compared_text(self.compared),
            ledger => ledger_text(self.ledger),
            calls => self.records.iter().map(|record| fence("call", &record.text)).collect::<Vec<_>>(),
            begun => self.begun.map(|begun| fence("opening", begun)),
            sources => sources_text(self.sources),
            conclusion => self.conclusion,
            ended => self.ended,
            alone => self.alone.iter().map(|lone| fence("claim", &lone.claim)).collect::<Vec<_>>(),
        }
    }
}

/// What an answer is asked with that is written from a draft, if there is one.
#[must_use]
pub fn asked_of_answer(brief: &InvestigateBrief, draft: Option<&ChosenDraft>) -> Asked {
    Asked::at(brief.effort)
        .when("objected", draft.is_some_and(|draft| !draft.objections.is_empty()))
        .when(if draft.is_some() { "drafted" } else { "undrafted" }, true)
}

/// The answer, from its draft where there is one. The reply is an [`InvestigationAnswer`] that answers each objection.
#[must_use]
pub fn answer(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    found: &Found<'_>,
    draft: Option<&ChosenDraft>,
) -> Prompt {
    let values = context! {
        draft => draft.map(|draft| drafts::chosen(draft, brief.problem.as_str())),
        room => drafts::room(Written::Answer, brief.effort),
        ..context! { ..found.values(), ..common(brief, found.notes) }
    };
    let asked = asked_of_answer(brief, draft);
    let files = ["investigate/answer.md", drafts::DRAFT];
    form::<InvestigationAnswer>(prompts, brief, &files, &values, &asked)
}

/// A scout reads the drafts, in this order, beside its own answer and all that was found. The reply is a [`DraftsCheck`].
#[must_use]
pub fn choice(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    (own, found): (&ScoutAnswer, &Found<'_>),
    (drafts, order): (&[FirstAnswer], &[usize]),
) -> Prompt {
    let values = context! {
        own => fence("own", &scout_text(own)),
        several => drafts.len() > 1,
        drafts => drafts::lettered(brief.problem.as_str(), drafts::in_order(drafts, order)),
        ..context! { ..found.values(), ..common(brief, found.notes) }
    };
    let asked = asked_of_drafts(brief.effort, drafts.len()).when("found", true);
    form::<DraftsCheck>(prompts, brief, &["investigate/choice.md", drafts::READING], &values, &asked)
}

/// What the scouts answered, each fenced under its name: whole, unless that is more than a model should have to read again at
/// every step.
fn whole_answers(answers: &[ScoutAnswer]) -> Vec<Value> {
    let whole: usize = answers.iter().map(|answer| answer.reasoning.chars().count()).sum();
    let told = |answer: &ScoutAnswer| {
        if whole <= WHOLE_ANSWERS {
            return scout_text(answer);
        }
        scout_text(&ScoutAnswer { reasoning: String::new(), ..answer.clone() })
    };
    let shown = |answer: &ScoutAnswer| {
        context! { name => answer.scout.title(), text => fence("answer", &told(answer)) }
    };
    answers.iter().map(shown).collect()
}

/// Scoring: a scout, reminded of its own answer, spreads ten points over the answer and its rivals, shown as A, B, C … in
/// `order`. The reply is a [`PointsReply`](super::reply::PointsReply).
#[must_use]
pub fn scoring(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    (own, ledger): (&ScoutAnswer, &[Entry]),
    solutions: &[Solution],
    order: &[usize],
) -> Prompt {
    let asked = Asked::at(brief.effort);
    let Options { text, fields, schema, tokens } = scoring::options(solutions, order, asked);
    let values = context! {
        options => text,
        fields,
        own => fence("own", &scout_text(own)),
        ledger => ledger_text(ledger),
        ..common(brief, &[])
    };
    let undocumented = InvestigateBrief { document: None, ..brief.clone() };
    let length = Length::fixed(brief.effort, tokens);
    request(prompts, &undocumented, &["investigate/scoring.md"], &values, schema, length)
}

fn request(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    files: &[&str],
    values: &Value,
    schema: domain::Schema,
    length: Length,
) -> Prompt {
    prompts.request(&[&[RULES, MATERIAL], files].concat(), (&material(brief), values), schema, length)
}

/// What every call of a session shares, to the byte.
fn material(brief: &InvestigateBrief) -> Value {
    context! {
        problem => fence("question", brief.problem.as_str()),
        meant => brief.meant.as_ref().map(|meant| fence("meant", meant)),
        document => brief.document.as_ref().map(|document| fence("document", &document.text)),
        document_name => brief.document.as_ref().map(|document| plain_name(&document.name)),
        language => brief.language,
        today => brief.today,
    }
}

/// A request for a form, with its list of fields.
fn form<T: Form>(
    prompts: &Prompts,
    brief: &InvestigateBrief,
    files: &[&str],
    values: &Value,
    asked: &Asked,
) -> Prompt {
    let files = [&[RULES, MATERIAL], files].concat();
    prompts.form::<T>(&files, (&material(brief), values), asked, asked.effort)
}

/// What every task can use.
fn common(brief: &InvestigateBrief, notes: &[ContextNote]) -> Value {
    context! {
        notes => notes_text(notes),
        language => brief.language,
        question => fence("question-in-short", &brief.problem.title(200)),
    }
}

/// A scout's claims, each under its number.
fn numbered(answer: &ScoutAnswer) -> String {
    let lines = answer.claim_ids().into_iter().zip(&answer.claims);
    lines.map(|(id, claim)| format!("{id}: {claim}")).collect::<Vec<_>>().join("\n")
}

/// A scout's answer without its author.
fn scout_text(answer: &ScoutAnswer) -> String {
    let claims: Vec<String> = answer.claims.iter().map(|claim| format!("- {claim}")).collect();
    told(answer, &claims.join("\n"))
}

/// The same with its claims as they are written here.
fn told(answer: &ScoutAnswer, claims: &str) -> String {
    format!(
        "Understood as: {}\nAnswer: {}\n\n{}\n\nIt rests on:\n{claims}",
        answer.understood, answer.answer, answer.reasoning
    )
}

#[cfg(test)]
mod tests;
