//! What a module looks up, and how what was found stands in its request.

use minijinja::{Value, context};

use super::{MATERIAL, Table, persona::persona, rounds::readings};
use crate::{
    RULES,
    quote::{found_text, known_text},
    reply::QueriesReply,
};
use domain::{ModuleName, ModuleOutput, Offered, Prompt, Round};

impl Table<'_> {
    /// What the web is searched for before a module writes in a round; in round 2 it has what was said in round 1, `first`, in
    /// its own order by `seed`. The reply is a [`QueriesReply`].
    #[must_use]
    pub fn queries(
        &self,
        (module, round): (&ModuleName, Round),
        (first, seed): (&[ModuleOutput], u64),
    ) -> Prompt {
        let (persona, file) = persona(self.prompts, &self.brief.panel, module);
        let values = context! {
            round => round.number(),
            persona => (round == Round::Independent).then_some(persona),
            ..context! { ..readings(module, first, seed, false), ..self.common_of(module) }
        };
        let files = [RULES, MATERIAL, "table/queries.md", &file];
        self.request::<QueriesReply>(&files, &values, &self.asked())
    }
}

/// What there is to cite: of what was found just now all that the search showed, of the rest only what it is.
pub(super) fn shown(offered: &Offered) -> Value {
    context! { known => known_text(offered), found => found_text(offered) }
}
