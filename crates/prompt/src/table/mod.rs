//! The requests of a mediation: one function for each place in its protocol at which a model is asked.

mod baseline;
mod memo;
mod parts;
mod persona;
mod research;
mod rounds;
mod search;
mod selection;

pub use baseline::{plain, read_worth, worth};
pub use memo::{Material, asked_of_memo, has_gaps};
pub use parts::parts;
pub use rounds::lettered;
pub use selection::{gaps, select};

use forms::{Asked, Form};
use minijinja::{Value, context};
use persona::looks_at;

use super::{
    Prompts, fence,
    length::Length,
    quote::{notes_text, plain_name},
};
use domain::{ContextNote, ModuleName, ModuleOutput, Prompt, Schema, TableBrief};

const MATERIAL: &str = "table/material.md";

/// What the requests of a part of a mediation have in common.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// The prompt files of the session.
    pub prompts: &'a Prompts,
    /// What was asked for, and who sits there.
    pub brief: &'a TableBrief,
    /// What has to be decided, in a sentence, as people may have edited it; `None` before it is known.
    pub question: Option<&'a str>,
    /// What members have added by now.
    pub notes: &'a [ContextNote],
}

impl Table<'_> {
    /// What a form is asked with at this table: its effort, and the names of those who sit there.
    #[must_use]
    pub fn asked(&self) -> Asked {
        let seats = || self.brief.panel.seats.iter().map(|seat| seat.module.0.clone());
        Asked::at(self.brief.effort)
            .naming("seats", seats())
            .naming("raisers", seats().chain(["team".to_owned()]))
            .when("trust", self.brief.trust.is_some())
            .when("researches", self.brief.extras.researches())
    }

    /// A request for a form: rules and material first, the task (the third file) last, its list of fields with it.
    fn request<T: Form>(&self, files: &[&str], values: &Value, asked: &Asked) -> Prompt {
        self.prompts.form::<T>(files, (&material(self.brief), values), asked, asked.effort)
    }

    /// What every task can use.
    fn common(&self) -> Value {
        context! {
            notes => notes_text(self.notes),
            language => self.brief.language,
            today => self.brief.today,
            writer => self.brief.writer.word(),
            question => self.question.map(|question| fence("question", question)),
        }
    }

    /// The same for a task of a module.
    fn common_of(&self, module: &ModuleName) -> Value {
        context! { module => looks_at(&self.brief.panel, module), ..self.common() }
    }
}

/// What a module said last.
#[must_use]
pub fn last_word<'a>(outputs: &'a [ModuleOutput], module: &ModuleName) -> Option<&'a ModuleOutput> {
    outputs.iter().filter(|output| output.module == *module).max_by_key(|output| output.round)
}

/// Rules and material first, the task (the third file) last.
fn request(
    prompts: &Prompts,
    brief: &TableBrief,
    files: &[&str],
    values: &Value,
    schema: Schema,
    length: Length,
) -> Prompt {
    prompts.request(files, (&material(brief), values), schema, length)
}

/// What every call of a session shares, to the byte.
fn material(brief: &TableBrief) -> Value {
    context! {
        problem => fence("problem", brief.problem.as_str()),
        document => brief.document.as_ref().map(|document| fence("document", &document.text)),
        document_name => brief.document.as_ref().map(|document| plain_name(&document.name)),
        language => brief.language,
        today => brief.today,
        writer => brief.writer.word(),
        restated => brief.restated.as_deref().map(|restated| fence("restated", restated)),
        dimensions => dimensions(brief),
        panel => brief.panel.seats.iter().map(|seat| looks_at(&brief.panel, &seat.module)).collect::<Vec<_>>(),
    }
}

/// What the decision hangs on, as somebody said beforehand who solved nothing.
fn dimensions(brief: &TableBrief) -> Option<String> {
    let lines: Vec<String> = brief.dimensions.iter().map(|line| format!("- {line}")).collect();
    (!lines.is_empty()).then(|| fence("dimensions", &lines.join("\n")))
}

#[cfg(test)]
mod tests;
