//! The request for points: a member spreads ten over the findings.

use forms::Asked;
use minijinja::context;

use super::{Desk, anonymous::Anonymous, claims::Teller, material::material, member_file};
use crate::{
    Prompts, RULES, fence,
    length::Length,
    scoring::{self, Options},
};
use domain::{Claim, Prompt, Solution, Tree};

/// Most characters of a member's own claims, of which it is only reminded.
const MAX_STANCE: usize = 3_000;

impl Desk<'_> {
    /// A member that has read the review (`told`; without it for a model that cannot take in all of it) spreads ten points over
    /// the findings, which stand in `order` under the numbers that people know. The reply is a
    /// [`PointsReply`](crate::reply::PointsReply).
    #[must_use]
    pub fn scoring(&self, own: &Tree, told: Option<&str>, solutions: &[Solution], order: &[usize]) -> Prompt {
        // Findings that kept a member's own words may name somebody.
        let names = Anonymous::new(&self.brief.document.text);
        let unsigned = |solution: &Solution| Solution {
            title: names.text(&solution.title),
            description: names.text(&solution.description),
            ..solution.clone()
        };
        let solutions: Vec<Solution> = solutions.iter().map(unsigned).collect();
        let asked = Asked::at(self.brief.effort);
        let Options { text, fields, schema, tokens } = scoring::options(&solutions, order, asked);
        let document = &self.brief.document;
        let teller = Teller { labels: None, anonymous: None, document, sections: false };
        let claims: Vec<&Claim> = own.claims.iter().collect();
        let stance = teller.within(MAX_STANCE, &[(&claims, true)]).into_iter().next();
        let stance = stance.filter(|_| !claims.is_empty()).map(|stance| fence("own", &stance));
        let told = told.filter(|told| !told.trim().is_empty()).map(|told| fence("review", &names.text(told)));
        let length = [Some(&text), told.as_ref(), stance.as_ref()].into_iter().flatten();
        let length = length.map(|text| text.chars().count()).sum();
        let persona = member_file(own.member);
        let values = context! {
            options => text,
            review => told,
            stance,
            persona => Prompts::member(self.prompts, &persona),
            fields,
        };
        let files = [RULES, "critique/material.md", "critique/scoring.md", &persona];
        let shared = material(*self, self.beside(length));
        let length = Length::fixed(self.brief.effort, tokens);
        self.prompts.request(&files, (&shared, &values), schema, length)
    }
}
