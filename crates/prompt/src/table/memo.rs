//! The memo's requests: its drafts, the check by everybody at the table, the memo, and the points.

use forms::Asked;
use minijinja::{Value, context};

use super::{MATERIAL, Table, last_word, parts, persona::looks_at, request};
use crate::{
    ALONE, RULES, asked_of_draft, asked_of_drafts, drafts,
    length::Length,
    quote::{output_text, redelegations, sources_text},
    reply::CHANCES,
    scoring::{self, Options},
};
use domain::{
    ChosenDraft, DraftsCheck, Effort, FirstAnswer, ModuleName, ModuleOutput, Objection, Prompt, RaciRow,
    Redelegation, Research, Round, Solution, SourceList, Synthesis, TableBrief, Written,
};

/// What the mediator has to go by.
#[derive(Clone, Copy)]
pub struct Material<'a> {
    /// All that was said, in both rounds.
    pub outputs: &'a [ModuleOutput],
    /// The pages that it cites.
    pub sources: &'a SourceList,
    /// How gaps were filled.
    pub redelegated: &'a [Redelegation],
    /// Who answers for what; empty where nobody asked for it.
    pub raci: &'a [RaciRow],
    /// What the memo is written from, where there is one.
    pub draft: Option<&'a ChosenDraft>,
}

impl Material<'_> {
    /// What was objected to the draft; nothing where there is none.
    #[must_use]
    pub fn objections(&self) -> &[Objection] {
        self.draft.map(|draft| draft.objections.as_slice()).unwrap_or_default()
    }
}

/// What the memo is asked with.
#[must_use]
pub fn asked_of_memo(table: &Table<'_>, material: &Material<'_>) -> Asked {
    let brief = table.brief;
    table
        .asked()
        .naming("areas", material.raci.iter().map(|row| row.area.0.clone()))
        .when("raci", !material.raci.is_empty())
        .when("left_out", !brief.panel.deactivated.is_empty())
        .when("gaps", has_gaps(brief, material.outputs, material.redelegated))
        // Else the text has it, or it is left out: whoever acts today has no use for a second ending.
        .when("kept_against", brief.effort == Effort::Deep || !material.raci.is_empty())
        .when("objected", !material.objections().is_empty())
        .when(if material.draft.is_some() { "drafted" } else { "undrafted" }, true)
}

/// Whether somebody's view is thin, spoken for by another or missing, so that the memo has to speak of it. Another model in a
/// module's place is no gap.
#[must_use]
pub fn has_gaps(brief: &TableBrief, outputs: &[ModuleOutput], redelegated: &[Redelegation]) -> bool {
    let silent = brief.panel.seats.iter().any(|seat| last_word(outputs, &seat.module).is_none());
    silent || redelegated.iter().any(|how| !matches!(how, Redelegation::Fallback { .. }))
}

impl Table<'_> {
    /// A draft: what one would answer if nobody else were asked. The reply is a [`FirstAnswer`].
    #[must_use]
    pub fn first_answer(&self) -> Prompt {
        let [rules, material] = ALONE;
        self.request::<FirstAnswer>(
            &[rules, material, "table/first_answer.md"],
            &self.common(),
            &asked_of_draft(Written::Memo, self.brief.effort),
        )
    }

    /// What whoever reads so many drafts is asked with.
    #[must_use]
    pub fn asked_of_check(&self, drafts: usize) -> Asked {
        asked_of_drafts(self.brief.effort, drafts).when("found", true)
    }

    /// The check: a module reads the drafts, in this order, beside all that it said itself. The reply is a
    /// [`DraftsCheck`].
    #[must_use]
    pub fn check(
        &self,
        module: &ModuleName,
        (drafts, order): (&[FirstAnswer], &[usize]),
        outputs: &[ModuleOutput],
    ) -> Prompt {
        let drafts = drafts::in_order(drafts, order);
        let asked = self.asked_of_check(drafts.len());
        let values = context! {
            several => drafts.len() > 1,
            drafts => drafts::lettered(self.brief.problem.as_str(), drafts),
            own => own(outputs, module),
            ..self.common_of(module)
        };
        self.request::<DraftsCheck>(&[RULES, MATERIAL, "table/check.md", drafts::READING], &values, &asked)
    }

    /// The memo: everything of both rounds, with names and weights, its draft, and what everybody objects to in it. The reply is a
    /// [`Synthesis`] that answers each objection.
    #[must_use]
    pub fn memo(&self, material: &Material<'_>) -> Prompt {
        let values = context! {
            draft => material.draft.map(|draft| drafts::chosen(draft, self.brief.problem.as_str())),
            room => drafts::room(Written::Memo, self.brief.effort),
            ..self.found(material)
        };
        let files = [RULES, MATERIAL, "table/memo.md", "table/found.md", drafts::DRAFT];
        self.request::<Synthesis>(&files, &values, &asked_of_memo(self, material))
    }

    /// Scoring: a module that has the memo and all that it said itself spreads ten points over the solutions, which stand in
    /// `order` under the numbers that people know. Without `own` it is for a model that cannot take in all of it. No document:
    /// what counts of it was said. The reply is a [`PointsReply`](crate::reply::PointsReply).
    #[must_use]
    pub fn scoring(
        &self,
        (module, outputs): (&ModuleName, Option<&[ModuleOutput]>),
        (memo, research): (&Synthesis, Option<&Research>),
        (solutions, order): (&[Solution], &[usize]),
    ) -> Prompt {
        let asked = self.asked().when(CHANCES, true);
        let Options { text, fields, schema, tokens } = scoring::options(solutions, order, asked);
        let looked_into = research.and_then(parts::research_text).map(|text| format!("\n\n{text}"));
        let values = context! {
            options => text,
            memo => format!("{}{}", parts::memo_text(memo), looked_into.unwrap_or_default()),
            own => outputs.and_then(|outputs| own(outputs, module)),
            fields,
            ..self.common_of(module)
        };
        let files = [RULES, MATERIAL, "table/scoring.md"];
        let undocumented = TableBrief { document: None, ..self.brief.clone() };
        // It thinks as hard as in the rounds.
        let length = Length::fixed(self.brief.effort, tokens);
        request(self.prompts, &undocumented, &files, &values, schema, length)
    }

    /// What the mediator has to go by, as its requests show it.
    fn found(&self, material: &Material<'_>) -> Value {
        let Material { outputs, sources, redelegated, raci, .. } = *material;
        let brief = self.brief;
        let of = |module: &ModuleName, round| {
            outputs.iter().find(|output| output.module == *module && output.round == round)
        };
        let seats = &brief.panel.seats;
        let spoke = seats.iter().filter(|seat| last_word(outputs, &seat.module).is_some());
        let analyses: Vec<Value> = spoke
            .map(|seat| {
                let (first, second) =
                    (of(&seat.module, Round::Independent), of(&seat.module, Round::Revision));
                let by = |output: Option<&ModuleOutput>| {
                    output.and_then(|output| output.spoken_for_by.as_ref()).map(|by| by.0.clone())
                };
                context! {
                    module => seat.module.0,
                    by1 => by(first),
                    by2 => by(second),
                    weight => weight(brief.counts(seat)),
                    round1 => first.map(|output| output_text("analysis", output)),
                    round2 => second.map(|output| output_text("analysis", output)),
                }
            })
            .collect();
        let silent = seats.iter().filter(|seat| last_word(outputs, &seat.module).is_none());
        let named = |module: &ModuleName| looks_at(&brief.panel, module);
        context! {
            analyses,
            silent => silent.map(|seat| named(&seat.module)).collect::<Vec<_>>(),
            weighted => seats.windows(2).any(|pair| weight(brief.counts(&pair[0])) != weight(brief.counts(&pair[1]))),
            trusted => brief.trusted().is_some(),
            redelegations => redelegations(redelegated),
            deactivated => brief.panel.deactivated.iter().map(named).collect::<Vec<_>>(),
            sources => sources_text(sources.sources()),
            raci => raci.iter().map(|of| row(brief, of)).collect::<Vec<_>>(),
            ..self.common()
        }
    }
}

/// All that a module said, fenced; nothing where it said nothing.
fn own(outputs: &[ModuleOutput], module: &ModuleName) -> Option<String> {
    let own = outputs.iter().filter(|output| output.module == *module && output.spoken_for_by.is_none());
    let texts: Vec<String> = own.map(|output| output_text("own", output)).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// A weight as it is told: `2`, `1.12`.
fn weight(counts: f64) -> String {
    ((counts * 100.0).round() / 100.0).to_string()
}

/// A row of the matrix, its modules by name.
fn row(brief: &TableBrief, row: &RaciRow) -> Value {
    let names = |names: &[ModuleName]| names.iter().map(|name| name.0.clone()).collect::<Vec<_>>();
    context! {
        area => row.area.0,
        looks_at => looks_at(&brief.panel, &row.area).get_attr("looks_at").unwrap_or_default(),
        accountable => row.accountable.0,
        responsible => names(&row.responsible),
        consulted => names(&row.consulted),
        informed => names(&row.informed),
    }
}
