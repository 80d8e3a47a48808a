//! What modules are asked in the two rounds: alone, and after reading the others.

use minijinja::{Value, context};

use super::{
    MATERIAL, Table,
    persona::{flags_mean, looks_at, persona},
    search,
};
use crate::{
    RULES,
    quote::{output_text, short_text},
    reply::label,
    shuffled,
};
use domain::{Alone, Challenge, Effort, ModuleName, ModuleOutput, Offered, Prompt, Round};
use forms::Asked;

impl Table<'_> {
    /// Round 1: a module alone with the problem and what was found for it. The reply is an [`Alone`].
    #[must_use]
    pub fn independent(&self, module: &ModuleName, offered: &Offered) -> Prompt {
        let (persona, file) = persona(self.prompts, &self.brief.panel, module);
        let values = context! { persona, ..context! { ..search::shown(offered), ..self.common_of(module) } };
        let files = [RULES, MATERIAL, "table/independent.md", &file];
        self.request::<Alone>(&files, &values, &self.asked())
    }

    /// Round 2: a module that has its own round 1 and the others', anonymous and in an order of its own (made of `seed`; see
    /// [`crate::seed`]). They stand in the task, not in the shared part: an order that differs by reader could not be
    /// cached, and what is shared stays the same as in round 1. The reply is a [`Challenge`].
    #[must_use]
    pub fn challenge(
        &self,
        module: &ModuleName,
        (first, seed): (&[ModuleOutput], u64),
        offered: &Offered,
    ) -> Prompt {
        let read = context! { ..readings(module, first, seed, true), ..search::shown(offered) };
        let (_, file) = persona(self.prompts, &self.brief.panel, module);
        let values = context! {
            flags_mean => flags_mean(self.prompts, &self.brief.panel, module),
            ..context! { ..read, ..self.common_of(module) }
        };
        let files = [RULES, MATERIAL, "table/challenge.md", &file];
        self.request::<Challenge>(&files, &values, &self.asked())
    }

    /// The last try after a failure, in either round: a line for a persona, of the others only summaries and positions, and
    /// the lengths of the effort below. The reply has the same type as the first try's. In round 1 `first` is empty.
    #[must_use]
    pub fn simpler(
        &self,
        module: &ModuleName,
        round: Round,
        (first, seed): (&[ModuleOutput], u64),
    ) -> Prompt {
        let values = context! {
            round => round.number(),
            ..context! { ..readings(module, first, seed, false), ..self.common_of(module) }
        };
        let files = [RULES, MATERIAL, "table/simpler.md"];
        match round {
            Round::Independent => self.request::<Alone>(&files, &values, &self.asked_for_less()),
            Round::Revision => self.request::<Challenge>(&files, &values, &self.asked_for_less()),
        }
    }

    /// An heir speaks for a module that could not answer: only of the lost module's concerns, with `own` as what the heir
    /// itself said. The reply is an [`Alone`], kept as the lost module's output with `Redelegation::Heir` beside it.
    #[must_use]
    pub fn addendum(&self, heir: &ModuleName, lost: &ModuleName, own: Option<&ModuleOutput>) -> Prompt {
        let (persona, file) = persona(self.prompts, &self.brief.panel, lost);
        let values = context! {
            lost => looks_at(&self.brief.panel, lost),
            persona,
            own => own.map(|own| short_text("own", own)),
            ..self.common_of(heir)
        };
        let files = [RULES, MATERIAL, "table/addendum.md", &file];
        self.request::<Alone>(&files, &values, &self.asked_for_less())
    }

    /// A form at the effort below, for who could not write as much.
    #[must_use]
    pub fn asked_for_less(&self) -> Asked {
        let effort = match self.brief.effort {
            Effort::Deep => Effort::Standard,
            Effort::Standard | Effort::Brief => Effort::Brief,
        };
        Asked { effort, ..self.asked() }
    }
}

/// The reader's own analysis and the others', anonymous and shuffled.
pub(super) fn readings(reader: &ModuleName, first: &[ModuleOutput], seed: u64, whole: bool) -> Value {
    let text = |name: &str, output: &ModuleOutput| {
        if whole { output_text(name, output) } else { short_text(name, output) }
    };
    let own = first.iter().find(|output| output.module == *reader);
    let peers: Vec<Value> = (others(reader, first, seed).into_iter().enumerate())
        .map(|(place, output)| context! { text => text("peer", output), label => label(place) })
        .collect();
    context! { own => own.map(|own| text("own", own)), peers }
}

/// The others' outputs in the reader's own order.
fn others<'a>(reader: &ModuleName, first: &'a [ModuleOutput], seed: u64) -> Vec<&'a ModuleOutput> {
    let others: Vec<&ModuleOutput> = first.iter().filter(|output| output.module != *reader).collect();
    shuffled(others.len(), seed).into_iter().filter_map(|at| others.get(at).copied()).collect()
}

/// Who stood under which letter for a reader of round 1: the first was *Analysis A*.
#[must_use]
pub fn lettered(reader: &ModuleName, first: &[ModuleOutput], seed: u64) -> Vec<ModuleName> {
    others(reader, first, seed).into_iter().map(|output| output.module.clone()).collect()
}
