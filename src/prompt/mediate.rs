//! The requests of a mediation: one function for each place in its protocol at which a model is asked.

use minijinja::{Value, context};
use serde_json::json;

use super::{
    Prompts, fence,
    quote::{looks_at, notes_text, output_text, plain_name, redelegations, round_name},
    reply::{ModuleReply, PointsReply, RevisionReply, SynthesisReply},
    schema, shuffled,
};
use crate::domain::{
    Brief, ContextNote, ModuleName, ModuleOutput, Prompt, Redelegation, Round, Schema, Solution,
};

/// Most tokens of a module's reply: the schema's limits come to about 3,500 characters, which are some 900
/// tokens of English. Three modules' replies and the synthesis of them fit 8,192 tokens.
pub const MAX_MODULE_TOKENS: u32 = 900;

/// Most tokens of a reply to a simpler prompt or an addendum: two thirds, for a model that has just failed.
pub const MAX_SIMPLER_TOKENS: u32 = 600;

/// Most tokens of the synthesis: conflicts, flags, six recommendations and the text.
pub const MAX_SYNTHESIS_TOKENS: u32 = 1_400;

/// Most tokens of a scorer's reply: two or three sentences and ten numbers.
pub const MAX_SCORING_TOKENS: u32 = 200;

const RULES: &str = "rules.md";
const MATERIAL: &str = "mediate/material.md";

/// Round 1: a module alone with the problem. The reply is a [`ModuleReply`].
#[must_use]
pub fn independent(prompts: &Prompts, brief: &Brief, module: &ModuleName, notes: &[ContextNote]) -> Prompt {
    let values = context! { persona => prompts.persona(module), ..common(brief, module, notes) };
    let persona = Prompts::persona_file(module);
    let files = [RULES, MATERIAL, "mediate/independent.md", &persona];
    request(
        prompts,
        brief,
        &files,
        &values,
        schema::strict::<ModuleReply>("module_analysis"),
        MAX_MODULE_TOKENS,
    )
}

/// Round 2: a module that has its own analysis and the others', anonymous and in an order of its own (made
/// of `seed`; see [`super::seed`]). It stands in the task, not in the shared part: an order that differs by
/// reader could not be cached, and what is shared stays the same as in round 1. `addenda` are the modules
/// lost in round 1 whose concerns this one takes over. The reply is a [`RevisionReply`].
#[must_use]
pub fn revision(
    prompts: &Prompts,
    brief: &Brief,
    module: &ModuleName,
    first: &[ModuleOutput],
    seed: u64,
    notes: &[ContextNote],
    addenda: &[ModuleName],
) -> Prompt {
    let values = context! {
        persona => prompts.persona(module),
        addenda => addenda.iter().map(|lost| looks_at(lost)).collect::<Vec<_>>(),
        ..context! { ..readings(module, first, seed, true), ..common(brief, module, notes) }
    };
    let persona = Prompts::persona_file(module);
    let files = [RULES, MATERIAL, "mediate/revision.md", &persona];
    request(
        prompts,
        brief,
        &files,
        &values,
        schema::strict::<RevisionReply>("module_revision"),
        MAX_MODULE_TOKENS,
    )
}

/// The second try after a failure, in either round: a line for a persona, of the others only summaries and
/// key points. The reply has the same type as the first try's: [`ModuleReply`] in round 1, [`RevisionReply`]
/// in round 2. In round 1 `first` is empty.
#[must_use]
pub fn simpler(
    prompts: &Prompts,
    brief: &Brief,
    module: &ModuleName,
    round: Round,
    first: &[ModuleOutput],
    seed: u64,
    notes: &[ContextNote],
) -> Prompt {
    let values = context! {
        round => round.number(),
        ..context! { ..readings(module, first, seed, false), ..common(brief, module, notes) }
    };
    let schema = match round {
        Round::Independent => schema::strict::<ModuleReply>("module_analysis"),
        Round::Revision => schema::strict::<RevisionReply>("module_revision"),
    };
    let files = [RULES, MATERIAL, "mediate/simpler.md"];
    request(prompts, brief, &files, &values, schema, MAX_SIMPLER_TOKENS)
}

/// An heir speaks for a module that could not answer: only of the lost module's concerns, with `own` as what
/// the heir itself said. The reply is a [`ModuleReply`], kept as the lost module's output with
/// `Redelegation::Heir` beside it.
#[must_use]
pub fn addendum(
    prompts: &Prompts,
    brief: &Brief,
    heir: &ModuleName,
    lost: &ModuleName,
    own: Option<&ModuleOutput>,
    notes: &[ContextNote],
) -> Prompt {
    let values = context! {
        lost => looks_at(lost),
        persona => prompts.persona(lost),
        own => own.map(|own| output_text("own", own, false)),
        ..common(brief, heir, notes)
    };
    let persona = Prompts::persona_file(lost);
    let files = [RULES, MATERIAL, "mediate/addendum.md", &persona];
    request(
        prompts,
        brief,
        &files,
        &values,
        schema::strict::<ModuleReply>("module_analysis"),
        MAX_SIMPLER_TOKENS,
    )
}

/// Round 3: the mediator has everything, with names and weights. A module's last word stands whole; of an
/// earlier round only what tells how it came to change, because the last word holds the rest. The reply is a
/// [`SynthesisReply`] whose schema knows the panel: only active modules can be named, and the disclaimer is
/// there, and needed, exactly when modules were left out.
#[must_use]
pub fn synthesis(
    prompts: &Prompts,
    brief: &Brief,
    outputs: &[ModuleOutput],
    redelegated: &[Redelegation],
    notes: &[ContextNote],
) -> Prompt {
    let last = |seat: &ModuleName| {
        let of_module = outputs.iter().filter(|output| output.module == *seat);
        of_module.max_by_key(|output| output.round)
    };
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
                weight => seat.weight.get().to_string(),
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
        .map(|seat| looks_at(&seat.module))
        .collect();
    let values = context! {
        analyses,
        silent,
        weighted => brief.panel.seats.windows(2).any(|pair| pair[0].weight != pair[1].weight),
        redelegations => redelegations(redelegated),
        deactivated => brief.panel.deactivated.iter().map(looks_at).collect::<Vec<_>>(),
        notes => notes_text(notes),
        language => brief.language,
        question => question(brief),
    };
    let files = [RULES, MATERIAL, "mediate/synthesis.md"];
    request(prompts, brief, &files, &values, synthesis_schema(brief), MAX_SYNTHESIS_TOKENS)
}

/// Scoring: a module spreads ten points over the solutions, shown as A, B, C … in `order`: the k-th label is
/// `solutions[order[k]]`. The reply is a [`PointsReply`].
#[must_use]
pub fn scoring(
    prompts: &Prompts,
    brief: &Brief,
    module: &ModuleName,
    solutions: &[Solution],
    order: &[usize],
) -> Prompt {
    let mut options = String::new();
    let mut schema = schema::strict::<PointsReply>("points");
    let mut labels = serde_json::Map::new();
    for (place, solution) in order.iter().filter_map(|&at| solutions.get(at)).enumerate() {
        let label = super::reply::label(place);
        options += &format!("{label}. {}: {}\n", solution.title, solution.description);
        labels.insert(label, json!({ "type": "integer", "minimum": 0, "maximum": 10 }));
    }
    let names: Vec<String> = labels.keys().cloned().collect();
    schema.json["properties"]["points"] = json!({
        "type": "object",
        "description": "Whole points for each option; together exactly 10.",
        "properties": labels,
        "required": names,
        "additionalProperties": false,
    });
    let values = context! {
        options => fence("options", &options),
        labels => names,
        persona => prompts.persona(module),
        ..common(brief, module, &[])
    };
    let persona = Prompts::persona_file(module);
    let files = [RULES, MATERIAL, "mediate/scoring.md", &persona];
    request(prompts, brief, &files, &values, schema, MAX_SCORING_TOKENS)
}

fn synthesis_schema(brief: &Brief) -> Schema {
    let mut schema = schema::strict::<SynthesisReply>("synthesis");
    let seated: Vec<&str> = brief.panel.seats.iter().map(|seat| seat.module.0.as_str()).collect();
    for list in ["conflicts/items/properties/modules", "recommendations/items/properties/raised_by"] {
        schema::set(&mut schema, &format!("/properties/{list}/items"), "enum", json!(seated));
    }
    if seated.len() < 2 {
        schema::set(&mut schema, "/properties/conflicts", "maxItems", json!(0));
    }
    if brief.panel.deactivated.is_empty() {
        schema::remove(&mut schema, "deactivated_disclaimer");
    } else {
        schema::set(&mut schema, "/properties/deactivated_disclaimer", "type", json!("string"));
        schema::set(&mut schema, "/properties/deactivated_disclaimer", "minLength", json!(20));
    }
    schema
}

/// Rules and material first, the task (the third file) last.
fn request(
    prompts: &Prompts,
    brief: &Brief,
    files: &[&str],
    values: &Value,
    schema: Schema,
    max_tokens: u32,
) -> Prompt {
    let task = files.get(2).copied().unwrap_or_default();
    Prompt {
        rules: prompts.render(RULES, &context! {}),
        shared: prompts.render(MATERIAL, &material(brief)),
        task: prompts.render(task, values),
        turns: Vec::new(),
        schema: Some(schema),
        max_tokens,
        temperature: None,
        version: prompts.version_of(files),
    }
}

/// What every call of a session shares, to the byte.
fn material(brief: &Brief) -> Value {
    context! {
        problem => fence("problem", brief.problem.as_str()),
        document => brief.document.as_ref().map(|document| fence("document", &document.text)),
        document_name => brief.document.as_ref().map(|document| plain_name(&document.name)),
        language => brief.language,
        panel => brief.panel.seats.iter().map(|seat| looks_at(&seat.module)).collect::<Vec<_>>(),
    }
}

/// What every task of a module can use.
fn common(brief: &Brief, module: &ModuleName, notes: &[ContextNote]) -> Value {
    context! {
        module => looks_at(module),
        notes => notes_text(notes),
        language => brief.language,
        question => question(brief),
    }
}

/// The problem's first words again, at the end of long tasks: models drift from a question asked thousands
/// of tokens ago. The whole of it stands in the shared part.
fn question(brief: &Brief) -> String {
    fence("problem-in-short", &brief.problem.title(200))
}

/// The reader's own analysis and the others', anonymous and shuffled.
fn readings(reader: &ModuleName, first: &[ModuleOutput], seed: u64, whole: bool) -> Value {
    let own = first.iter().find(|output| output.module == *reader);
    let others: Vec<&ModuleOutput> = first.iter().filter(|output| output.module != *reader).collect();
    let peers: Vec<Value> = shuffled(others.len(), seed)
        .into_iter()
        .filter_map(|at| others.get(at))
        .enumerate()
        .map(|(place, output)| {
            let label = super::reply::label(place);
            context! { text => output_text("peer", output, whole), label }
        })
        .collect();
    context! { own => own.map(|own| output_text("own", own, whole)), peers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{MODULES, Panel},
        prompt::{sample, schema::violations, seed},
    };

    fn show(prompt: &Prompt) -> String {
        let most = format!("at most {} tokens", prompt.max_tokens);
        format!(
            "=== rules\n{}\n=== shared\n{}\n=== task\n{}\n=== {most}",
            prompt.rules, prompt.shared, prompt.task
        )
    }

    fn revise(module: &str, session: &str) -> Prompt {
        let first = sample::outputs(Round::Independent);
        let (brief, module) = (sample::brief(""), sample::name(module));
        revision(&Prompts::embedded(), &brief, &module, &first, seed(&[session, &module.0]), &[], &[])
    }

    /// Every request of a mediation, for checks that hold for all of them.
    fn all(brief: &Brief) -> Vec<Prompt> {
        let (prompts, notes, market) = (Prompts::embedded(), sample::notes(), sample::name("market"));
        let first = sample::outputs(Round::Independent);
        let own = first.first();
        vec![
            independent(&prompts, brief, &market, &notes),
            revision(&prompts, brief, &market, &first, 7, &notes, &[sample::name("legal")]),
            simpler(&prompts, brief, &market, Round::Independent, &[], 7, &notes),
            simpler(&prompts, brief, &market, Round::Revision, &first, 7, &notes),
            addendum(&prompts, brief, &market, &sample::name("legal"), own, &notes),
            synthesis(&prompts, brief, &first, &sample::redelegations(), &notes),
            scoring(&prompts, brief, &market, &sample::solutions(), &[2, 0, 1]),
        ]
    }

    #[test]
    fn prompts_read_as_they_should() {
        let (prompts, brief) = (Prompts::embedded(), sample::with_document(sample::brief("")));
        let (notes, first) = (sample::notes(), sample::outputs(Round::Independent));
        let cost = sample::name("cost");
        insta::assert_snapshot!("independent", show(&independent(&prompts, &brief, &cost, &notes)));
        let lost = [sample::name("legal")];
        insta::assert_snapshot!(
            "revision",
            show(&revision(&prompts, &brief, &cost, &first, 7, &notes, &lost))
        );
        let brief = sample::brief("");
        insta::assert_snapshot!(
            "simpler-1",
            show(&simpler(&prompts, &brief, &cost, Round::Independent, &[], 7, &[]))
        );
        insta::assert_snapshot!(
            "simpler-2",
            show(&simpler(&prompts, &brief, &cost, Round::Revision, &first, 7, &[]))
        );
        insta::assert_snapshot!(
            "addendum",
            show(&addendum(&prompts, &brief, &cost, &lost[0], first.get(1), &[]))
        );
        let order = [2, 0, 1];
        insta::assert_snapshot!(
            "scoring",
            show(&scoring(&prompts, &brief, &cost, &sample::solutions(), &order))
        );
        let brief = sample::brief("cost=2 legal=0");
        let both = [first, sample::outputs(Round::Revision)].concat();
        insta::assert_snapshot!(
            "synthesis",
            show(&synthesis(&prompts, &brief, &both, &sample::redelegations(), &notes))
        );
    }

    #[test]
    fn rules_and_material_are_the_same_for_every_call_of_a_session() {
        let all = all(&sample::with_document(sample::brief("")));
        assert!(all.iter().all(|prompt| prompt.rules == all[0].rules && prompt.shared == all[0].shared));
        assert!(all.iter().all(|prompt| prompt.shared.contains("a town of 40,000")));
        assert!(all.iter().all(|prompt| prompt.version.0.len() == 12 && prompt.turns.is_empty()));
    }

    #[test]
    fn every_schema_is_strict_and_thinks_before_it_judges() {
        for weights in ["", "legal=0"] {
            for prompt in all(&sample::brief(weights)) {
                let schema = prompt.schema.unwrap();
                assert_eq!(violations(&schema.json, &schema.name), Vec::<String>::new());
                let fields: Vec<&str> =
                    schema.json["properties"].as_object().unwrap().keys().map(String::as_str).collect();
                let first = match schema.name.as_str() {
                    "module_analysis" => "analysis",
                    "module_revision" => "weighed",
                    "synthesis" => "conflicts",
                    _ => "reasoning",
                };
                assert_eq!(fields[0], first);
                // Each field is explained in the task, in the same order.
                let places: Vec<_> =
                    fields.iter().map(|field| prompt.task.find(&format!("\n- {field}:"))).collect();
                assert!(
                    places.iter().all(Option::is_some) && places.is_sorted(),
                    "{}: {fields:?}",
                    schema.name
                );
            }
        }
    }

    #[test]
    fn readers_see_the_others_unsigned_and_each_in_its_own_order() {
        let seen = ["market", "cost", "risk"].map(|module| {
            let task = revise(module, "abcdefghij").task;
            let (own, rest) = task.split_once("What the others").unwrap();
            assert!(own.contains(&sample::output(module, Round::Independent).summary), "{own}");
            let peers = rest.split("\nYou are the ").next().unwrap();
            assert!(!peers.contains("<own") && peers.contains("Analysis B:"));
            for name in ["market", "cost", "risk"] {
                assert!(!peers.contains(name), "{name} is named in {peers}");
            }
            peers.to_owned()
        });
        let task = revise("market", "abcdefghij").task;
        assert_eq!(task, revise("market", "abcdefghij").task);
        let other = (0..20).map(|n| revise("market", &n.to_string()).task).find(|other| *other != task);
        assert!(other.is_some(), "the order never changes");
        assert_ne!(sample::words(&seen[0]), sample::words(&seen[1]), "nobody reads itself among the others");
    }

    #[test]
    fn the_synthesis_must_speak_of_modules_left_out() {
        let prompts = Prompts::embedded();
        let ask = |weights| {
            synthesis(&prompts, &sample::brief(weights), &sample::outputs(Round::Revision), &[], &[])
        };
        let with = ask("legal=0").schema.unwrap().json;
        assert_eq!(with["properties"]["deactivated_disclaimer"]["type"], "string");
        assert!(with["required"].as_array().unwrap().contains(&json!("deactivated_disclaimer")));
        assert!(ask("legal=0").task.contains("left out legal (regulation"));
        let without = ask("").schema.unwrap().json;
        assert!(!without.to_string().contains("deactivated_disclaimer"));
        assert!(!ask("").task.contains("left out"));
        let names = json!(["market", "cost", "risk"]);
        assert_eq!(
            without["properties"]["conflicts"]["items"]["properties"]["modules"]["items"]["enum"],
            names
        );
    }

    #[test]
    fn options_stand_in_the_scorers_order() {
        let prompt = scoring(
            &Prompts::embedded(),
            &sample::brief(""),
            &sample::name("risk"),
            &sample::solutions(),
            &[2, 0, 1],
        );
        let (a, b) =
            (prompt.task.find("A. Do nothing yet").unwrap(), prompt.task.find("B. Start with one").unwrap());
        assert!(a < b && prompt.task.contains("C. Join a national"));
        let labels: Vec<_> = prompt.schema.unwrap().json["properties"]["points"]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        assert_eq!(labels, ["A", "B", "C"]);
    }

    /// Three modules with replies as long as they may be, and the longest problem, fit a context of 8,192
    /// tokens. Four characters a token is usual for English.
    #[test]
    fn three_modules_fit_a_small_context() {
        let mut brief = sample::brief("");
        brief.problem = crate::domain::Problem::new(&"word ".repeat(800)).unwrap();
        let long = |round| {
            sample::outputs(round).into_iter().map(|mut output| {
                output.analysis = "word ".repeat(usize::try_from(MAX_MODULE_TOKENS).unwrap() * 4 / 5 - 150);
                output
            })
        };
        let first: Vec<_> = long(Round::Independent).collect();
        let both: Vec<_> = first.iter().cloned().chain(long(Round::Revision)).collect();
        let prompts = Prompts::embedded();
        for module in &MODULES {
            let revise = revision(&prompts, &brief, &module.name(), &first, 1, &[], &[]);
            for prompt in [revise, synthesis(&prompts, &brief, &both, &[], &[])] {
                let chars = prompt.rules.len() + prompt.shared.len() + prompt.task.len();
                let tokens = chars / 4 + usize::try_from(prompt.max_tokens).unwrap();
                assert!(tokens < 7_900, "{} needs {tokens} tokens", module.name);
            }
        }
    }

    #[test]
    fn a_panel_of_one_and_names_outside_the_registry_work() {
        let mut brief = sample::brief("");
        brief.panel = Panel { seats: brief.panel.seats[..1].to_vec(), deactivated: Vec::new() };
        brief.panel.seats[0].module = sample::name("beekeeping");
        let prompts = Prompts::embedded();
        let prompt = independent(&prompts, &brief, &sample::name("beekeeping"), &[]);
        assert!(prompt.task.contains("You are the beekeeping specialist"));
        let last = synthesis(&prompts, &brief, &[], &[], &[]);
        assert!(last.task.contains("Seated but silent: beekeeping."));
        assert_eq!(last.schema.unwrap().json["properties"]["conflicts"]["maxItems"], 0);
    }
}
