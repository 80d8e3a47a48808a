//! Deep research: what is looked up on one grave matter, and what the pages found say to it.

use forms::Asked;
use minijinja::{Value, context};

use super::{MATERIAL, Table, last_word, request, search::shown};
use crate::{
    RULES, fence,
    length::Length,
    looked_up::MAX_QUERIES_TOKENS,
    quote::{output_text, short_text},
    reply::{QueriesReply, ResolutionReply},
    schema,
};
use domain::{Matter, ModuleOutput, Offered, Prompt, Solution};

impl Table<'_> {
    /// What the web is searched for on a matter. The reply is a [`QueriesReply`].
    #[must_use]
    pub fn research_queries(&self, matter: &Matter, outputs: &[ModuleOutput]) -> Prompt {
        let values = self.about(matter, outputs, false);
        let files = [RULES, MATERIAL, "table/research_queries.md"];
        let schema = schema::strict::<QueriesReply>("search_queries");
        let length = Length::fixed(self.brief.effort, MAX_QUERIES_TOKENS);
        request(self.prompts, self.brief, &files, &values, schema, length)
    }

    /// What a resolution is asked with.
    #[must_use]
    pub fn asked_of_resolution(&self, matter: &Matter, solutions: &[Solution]) -> Asked {
        let options = (1..=solutions.len()).map(|number| number.to_string());
        let asked = self.asked().naming("findings", matter.findings());
        asked.naming("options", ["none".to_owned()].into_iter().chain(options))
    }

    /// What was found, weighed. The reply is a [`ResolutionReply`].
    #[must_use]
    pub fn resolution(
        &self,
        matter: &Matter,
        (outputs, solutions): (&[ModuleOutput], &[Solution]),
        offered: &Offered,
    ) -> Prompt {
        let option = |(number, solution): (usize, &Solution)| {
            let text = fence("option", &format!("{}\n{}", solution.title, solution.description));
            context! { number, text }
        };
        let values = context! {
            options => (1..).zip(solutions).map(option).collect::<Vec<Value>>(),
            ..context! { ..shown(offered), ..self.about(matter, outputs, true) }
        };
        let files = [RULES, MATERIAL, "table/research.md"];
        self.request::<ResolutionReply>(&files, &values, &self.asked_of_resolution(matter, solutions))
    }

    /// The matter, and the last words of those whom it is between, whole where they are weighed.
    fn about(&self, matter: &Matter, outputs: &[ModuleOutput], whole: bool) -> Value {
        let last = matter.modules.iter().filter_map(|module| last_word(outputs, module));
        let last = last.map(|output| {
            let text = if whole { output_text("analysis", output) } else { short_text("analysis", output) };
            context! { module => output.module.0, text }
        });
        let matter_text = if matter.modules.is_empty() {
            matter.description.clone()
        } else {
            format!("{}\n{}", matter.topic, matter.description)
        };
        context! {
            matter => fence("matter", &matter_text),
            modules => matter.modules.iter().map(|module| module.0.clone()).collect::<Vec<_>>(),
            last => last.collect::<Vec<Value>>(),
            ..self.common()
        }
    }
}
