//! The mediator's request: everything that was said, with names and weights, and a schema that knows the panel.

use minijinja::{Value, context};
use serde_json::json;

use super::{MATERIAL, MAX_SYNTHESIS_TOKENS, last_word, persona::looks_at, question, request};
use crate::{
    Prompts, RULES,
    length::Length,
    quote::{notes_text, output_text, redelegations, round_name, sources_text},
    schema,
};
use domain::{
    ContextNote, Effort, MediateBrief, ModuleName, ModuleOutput, Prompt, RaciRow, Redelegation, Schema,
    SourceList, Synthesis,
};

/// Round 3: the mediator has everything, with names and weights. A module's last word stands whole; of an
/// earlier round only what tells how it came to change, because the last word holds the rest. The reply is a
/// [`Synthesis`] whose schema knows the panel: only active modules can be named, and the disclaimer is
/// there, and needed, exactly when modules were left out; whose side a conflict is about, exactly when there is a matrix; to
/// which conflict a flag belongs, exactly when the grave ones are looked into.
#[must_use]
pub fn synthesis(
    prompts: &Prompts,
    brief: &MediateBrief,
    (outputs, sources): (&[ModuleOutput], &SourceList),
    redelegated: &[Redelegation],
    raci: &[RaciRow],
    notes: &[ContextNote],
) -> Prompt {
    let last = |seat: &ModuleName| last_word(outputs, seat);
    let analyses: Vec<Value> = brief
        .panel
        .seats
        .iter()
        .filter_map(|seat| last(&seat.module).map(|output| (seat, output)))
        .map(|(seat, output)| {
            let earlier =
                outputs.iter().find(|first| first.module == output.module && first.round < output.round);
            let earlier = earlier.filter(|_| output.revised.is_some());
            context! {
                module => seat.module.0,
                by => output.spoken_for_by.as_ref().map(|by| by.0.clone()),
                weight => weight(brief.counts(seat)),
                round => round_name(output.round),
                text => output_text("analysis", output, true),
                earlier => earlier.map(|first| output_text("earlier", first, false)),
            }
        })
        .collect();
    let silent: Vec<Value> = brief
        .panel
        .seats
        .iter()
        .filter(|seat| last(&seat.module).is_none())
        .map(|seat| looks_at(&brief.panel, &seat.module))
        .collect();
    let values = context! {
        analyses,
        silent,
        gaps => has_gaps(brief, outputs, redelegated),
        weighted => brief.panel.seats.windows(2).any(|pair| weight(brief.counts(&pair[0])) != weight(brief.counts(&pair[1]))),
        trusted => brief.trusted().is_some(),
        raised_by => brief.trust.is_some(),
        redelegations => redelegations(redelegated),
        deactivated => brief.panel.deactivated.iter().map(|module| looks_at(&brief.panel, module)).collect::<Vec<_>>(),
        sources => sources_text("sources", sources.sources(), 1, false),
        raci => raci.iter().map(|of| row(brief, of)).collect::<Vec<_>>(),
        researches => brief.extras.researches(),
        notes => notes_text(notes),
        language => brief.language,
        question => question(brief),
    };
    let files = [RULES, MATERIAL, "mediate/synthesis.md"];
    request(
        prompts,
        brief,
        &files,
        &values,
        synthesis_schema(brief, raci, has_gaps(brief, outputs, redelegated)),
        Length::growing(brief.effort, MAX_SYNTHESIS_TOKENS),
    )
}

/// Whether somebody's view is thin, spoken for by another or missing, so that the synthesis has to speak of it. Another
/// model in a module's place is no gap.
#[must_use]
pub fn has_gaps(brief: &MediateBrief, outputs: &[ModuleOutput], redelegated: &[Redelegation]) -> bool {
    let silent = brief.panel.seats.iter().any(|seat| last_word(outputs, &seat.module).is_none());
    silent || redelegated.iter().any(|how| !matches!(how, Redelegation::Fallback { .. }))
}

/// A weight as it is told: `2`, `1.12`.
fn weight(counts: f64) -> String {
    ((counts * 100.0).round() / 100.0).to_string()
}

/// A row of the matrix, its modules by name.
fn row(brief: &MediateBrief, row: &RaciRow) -> Value {
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

fn synthesis_schema(brief: &MediateBrief, raci: &[RaciRow], gaps: bool) -> Schema {
    let mut schema = schema::strict::<Synthesis>("synthesis");
    let seated: Vec<&str> = brief.panel.seats.iter().map(|seat| seat.module.0.as_str()).collect();
    for list in ["conflicts/items/properties/modules", "recommendations/items/properties/raised_by"] {
        schema::set(&mut schema, &format!("/properties/{list}/items"), "enum", json!(seated));
    }
    let flag = "/properties/flags/items";
    if brief.trust.is_some() {
        // Only here: a module's own flags are its own.
        let names = json!({
            "description": "The modules that flagged it themselves.",
            "type": "array", "items": { "type": "string", "enum": seated }, "maxItems": 6,
        });
        schema::set(&mut schema, &format!("{flag}/properties"), "raised_by", names);
        schema::set(&mut schema, flag, "required", json!(["color", "text", "raised_by"]));
    }
    let (conflicts, flags) = match brief.effort {
        Effort::Brief => (4, 6),
        Effort::Standard => (6, 8),
        Effort::Deep => (8, 10),
    };
    schema::set(&mut schema, "/properties/conflicts", "maxItems", json!(conflicts));
    schema::set(&mut schema, "/properties/flags", "maxItems", json!(flags));
    if seated.len() < 2 {
        schema::set(&mut schema, "/properties/conflicts", "maxItems", json!(0));
    }
    if !brief.extras.researches() {
        schema::remove_in(&mut schema, "/properties/flags/items", "conflict");
    }
    let conflict = "/properties/conflicts/items";
    if raci.is_empty() {
        schema::remove_in(&mut schema, conflict, "area");
        schema::remove_in(&mut schema, conflict, "carries");
    } else {
        let areas: Vec<&str> = raci.iter().map(|row| row.area.0.as_str()).collect();
        schema::set(&mut schema, &format!("{conflict}/properties/area"), "enum", json!(areas));
    }
    let left_out = !brief.panel.deactivated.is_empty();
    for (field, needed) in [("deactivated_disclaimer", left_out), ("gaps", gaps)] {
        if needed {
            schema::set(&mut schema, &format!("/properties/{field}"), "type", json!("string"));
            schema::set(&mut schema, &format!("/properties/{field}"), "minLength", json!(20));
        } else {
            schema::remove(&mut schema, field);
        }
    }
    schema
}
