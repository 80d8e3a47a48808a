//! The requests of a critique: one function for each place in its protocol at which a model is asked.
//!
//! Invariants: the document, or the section that is read, stands first in every request of that section, so that one
//! cached prefix serves every member and every level; a closer look holds the claim with its quotations and every passage that
//! it is about; claims stand under numbers that are the same for every reader of a session and tell nobody's name. Called by
//! `protocols::critique`.

mod anonymous;
mod claims;
mod labels;
mod look;
mod material;
mod parts;
mod review;
mod scoring;

use forms::{Asked, Form};
pub use labels::Labels;
use minijinja::{Value, context};
pub use parts::parts;
pub use review::group_label;

use crate::{Prompts, RULES, quote::notes_text};
use domain::{
    CallPlan, Claim, ContextNote, CritiqueBrief, DocumentSection, Philosopher, Prompt, SectionId, Span,
};
use material::{Shown, material};

/// A member holds to its method, and finds more than one thing with it.
const MEMBER: f32 = 0.5;
/// Whoever compares or puts together adds nothing.
const OTHER: f32 = 0.2;

/// Who says what the sections state that another could contradict, and looks across them: consistency is its method.
pub const ACROSS: Philosopher = Philosopher::Leibniz;

/// What the requests of a part of a critique have in common.
#[derive(Clone, Copy)]
pub struct Desk<'a> {
    /// The prompt files of the session.
    pub prompts: &'a Prompts,
    /// The brief with the document.
    pub brief: &'a CritiqueBrief,
    /// All sections.
    pub sections: &'a [DocumentSection],
    /// What is read of them, how deep.
    pub plan: &'a CallPlan,
    /// What members of the team have added by now.
    pub notes: &'a [ContextNote],
}

/// Where a branch is grown: segments within a section, and the claim that is looked into there.
#[derive(Clone, Debug)]
pub struct Branch<'a> {
    /// The section its request begins with.
    pub section: SectionId,
    /// The parts of the text to look at: the section, or one or two segments of it.
    pub segments: Vec<Span>,
    /// The claim that is looked into; `None` at the first level.
    pub parent: Option<&'a Claim>,
    /// The number that the first claim gets at its level.
    pub first: u16,
}

impl Desk<'_> {
    /// What a form is asked with for claims at this level, from 1, of a member.
    #[must_use]
    pub fn asked_of_claims(&self, member: Philosopher, level: usize) -> Asked {
        let deeper = level < usize::from(self.plan.depth.levels()) && self.plan.branches > 0;
        Asked::at(self.brief.effort)
            .when("deeper", deeper)
            .when("sections", member == ACROSS && self.plan.read.len() > 1)
    }

    /// A request for a form: rules and the text first, the task (the third file) last, its list of fields with it.
    fn request<T: Form>(&self, files: &[&str], shown: Shown, values: &Value, asked: &Asked) -> Prompt {
        let values = context! { notes => notes_text(self.notes), ..values.clone() };
        let files = [&[RULES, "critique/material.md"], files].concat();
        self.prompts.form::<T>(&files, (&material(*self, shown), &values), asked, asked.effort)
    }

    /// The same for a member, whose method stands in it.
    fn request_of<T: Form>(
        &self,
        member: Philosopher,
        file: &str,
        shown: Shown,
        values: &Value,
        asked: &Asked,
    ) -> Prompt {
        let persona = member_file(member);
        let values = context! { persona => self.prompts.member(&persona), ..values.clone() };
        let prompt = self.request::<T>(&[file, &persona], shown, &values, asked);
        Prompt { temperature: Some(MEMBER), ..prompt }
    }
}

/// The prompt file of a member.
fn member_file(member: Philosopher) -> String {
    format!("critique/members/{}.md", member.as_str())
}

#[cfg(test)]
mod tests;
