use std::collections::BTreeMap;

use super::*;
use crate::{
    sample::{self as samples, mediate as sample},
    {schema::violations, seed},
};
use domain::{Influences, MODULES, Matter, MediateExtras, Panel, Searching, SourceList};

fn nothing() -> Offered {
    Offered::default()
}

fn uncited() -> SourceList {
    SourceList::default()
}

/// Three pages, of which the first is on the session's list.
fn offered() -> Offered {
    let mut pages = sample::pages();
    Offered { found: pages.split_off(1), known: pages }
}

fn show(prompt: &Prompt) -> String {
    let most = format!("at most {} tokens", prompt.max_tokens);
    format!(
        "=== rules\n{}\n=== shared\n{}\n=== task\n{}\n=== {most}",
        prompt.rules, prompt.shared, prompt.task
    )
}

/// The same words, whatever their order.
fn words(text: &str) -> BTreeMap<&str, usize> {
    let mut words = BTreeMap::new();
    for word in text.split_whitespace() {
        *words.entry(word).or_default() += 1;
    }
    words
}

fn revise(module: &str, session: &str) -> Prompt {
    let first = sample::outputs(Round::Independent);
    let (brief, module) = (sample::brief(""), sample::name(module));
    revision(&Prompts::embedded(), &brief, &module, (&first, seed(&[session, &module.0])), &nothing(), &[])
}

/// Every request of a mediation, for checks that hold for all of them.
fn all(brief: &MediateBrief) -> Vec<Prompt> {
    let (prompts, notes, market) = (Prompts::embedded(), samples::notes(), sample::name("market"));
    let first = sample::outputs(Round::Independent);
    let own = first.first();
    vec![
        independent(&prompts, brief, &market, &nothing(), &notes),
        revision(&prompts, brief, &market, (&first, 7), &nothing(), &notes),
        simpler(&prompts, brief, &market, Round::Independent, &[], 7, &notes),
        simpler(&prompts, brief, &market, Round::Revision, &first, 7, &notes),
        addendum(&prompts, brief, &market, &sample::name("legal"), own, &notes),
        synthesis(&prompts, brief, (&first, &uncited()), &sample::redelegations(), &[], &notes),
        synthesis(&prompts, brief, (&first, &uncited()), &[], &sample::raci(), &notes),
        queries(&prompts, brief, (&market, Round::Independent), None, &notes),
        queries(&prompts, brief, (&market, Round::Revision), own, &notes),
        independent(&prompts, brief, &market, &offered(), &notes),
        revision(&prompts, brief, &market, (&first, 7), &offered(), &notes),
        research_queries(&prompts, brief, &matters()[0], &first, &notes),
        research_queries(&prompts, brief, &matters()[1], &first, &notes),
        resolution(&prompts, brief, &matters()[0], (&first, &sample::solutions()), &offered(), &notes),
        resolution(&prompts, brief, &matters()[1], (&first, &[]), &offered(), &notes),
        scoring(&prompts, brief, (&market, own), None, &sample::solutions(), &[2, 0, 1]),
    ]
}

/// A conflict and a red flag.
fn matters() -> Vec<Matter> {
    let matters = Matter::of(&sample::synthesis());
    assert_eq!(matters.iter().map(|matter| matter.modules.len()).collect::<Vec<_>>(), [2, 0]);
    matters
}

/// A scorer's request after two rounds and the synthesis.
fn after_all(brief: &MediateBrief, module: &ModuleName, order: &[usize]) -> Prompt {
    let prompts = Prompts::embedded();
    let outputs = [sample::outputs(Round::Independent), sample::outputs(Round::Revision)].concat();
    let synthesis = sample::synthesis();
    let told =
        deliberation(&prompts, (&outputs, &synthesis, Some(&sample::research())), &samples::notes(), 7);
    let own = last_word(&outputs, module);
    scoring(&prompts, brief, (module, own), Some(&told), &sample::solutions(), order)
}

#[test]
fn whoever_scores_has_read_all_of_it_and_shares_what_was_read() {
    let brief = sample::brief("");
    let [cost, market] = ["cost", "market"].map(|name| after_all(&brief, &sample::name(name), &[2, 0, 1]));
    assert_eq!(cost.shared, market.shared, "one prefix for all, so that it is cached");
    let outputs = sample::outputs(Round::Revision);
    for output in &outputs {
        assert_eq!(cost.shared.matches(&output.analysis).count(), 1, "each last word once");
        assert!(!cost.shared.contains(&format!("{}:\n<analysis", output.module.title())), "unsigned");
    }
    assert!(cost.shared.contains(&sample::synthesis().summary));
    assert!(samples::notes().iter().all(|note| cost.shared.contains(&note.text)));
    let own = outputs.iter().find(|output| output.module.0 == "cost").unwrap();
    assert!(cost.task.contains(&own.summary) && !market.task.contains(&own.summary));
}

#[test]
fn prompts_read_as_they_should() {
    let (prompts, brief) = (Prompts::embedded(), sample::with_document(sample::brief("")));
    let (notes, first) = (samples::notes(), sample::outputs(Round::Independent));
    let cost = sample::name("cost");
    insta::assert_snapshot!("independent", show(&independent(&prompts, &brief, &cost, &nothing(), &notes)));
    let lost = [sample::name("legal")];
    insta::assert_snapshot!(
        "revision",
        show(&revision(&prompts, &brief, &cost, (&first, 7), &nothing(), &notes))
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
    insta::assert_snapshot!("scoring", show(&after_all(&brief, &cost, &order)));
    let brief = sample::brief("cost=2 legal=0");
    let both = [first, sample::outputs(Round::Revision)].concat();
    insta::assert_snapshot!(
        "synthesis",
        show(&synthesis(&prompts, &brief, (&both, &uncited()), &sample::redelegations(), &[], &notes))
    );
    let answered = synthesis(&prompts, &brief, (&both, &uncited()), &[], &sample::raci(), &[]);
    insta::assert_snapshot!("synthesis_raci", answered.task);
}

#[test]
fn rules_and_material_are_the_same_for_every_call_of_a_session() {
    let all = all(&sample::with_document(sample::brief("")));
    // Whoever scores has read what was said of the document.
    let (scoring, others) = all.split_last().unwrap();
    assert!(all.iter().all(|prompt| prompt.rules == all[0].rules));
    assert!(others.iter().all(|prompt| prompt.shared == all[0].shared));
    assert!(all[0].shared.contains("<document-") && !scoring.shared.contains("<document-"));
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
                "search_queries" => "queries",
                "resolution" => "evidence",
                _ => "reasoning",
            };
            assert_eq!(fields[0], first);
            // Each field is explained in the task, in the same order.
            let places: Vec<_> =
                fields.iter().map(|field| prompt.task.find(&format!("\n- {field}:"))).collect();
            assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}: {fields:?}", schema.name);
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
    assert_ne!(words(&seen[0]), words(&seen[1]), "nobody reads itself among the others");
}

#[test]
fn a_conflict_has_a_side_exactly_where_somebody_answers_for_it() {
    let (prompts, outputs) = (Prompts::embedded(), sample::outputs(Round::Revision));
    let ask = |raci: &[_]| synthesis(&prompts, &sample::brief(""), (&outputs, &uncited()), &[], raci, &[]);
    let conflict =
        |prompt: &Prompt| prompt.schema.as_ref().unwrap().json["properties"]["conflicts"]["items"].clone();
    let with = conflict(&ask(&sample::raci()));
    assert_eq!(with["properties"]["area"]["enum"], json!(["market", "cost", "risk"]));
    for field in ["area", "carries"] {
        assert!(with["required"].as_array().unwrap().contains(&json!(field)), "{with}");
        assert!(!conflict(&ask(&[])).to_string().contains(field));
    }
    assert!(!ask(&[]).task.contains("accountable"));
}

#[test]
fn the_synthesis_must_speak_of_modules_left_out() {
    let prompts = Prompts::embedded();
    let ask = |weights| {
        synthesis(
            &prompts,
            &sample::brief(weights),
            (&sample::outputs(Round::Revision), &uncited()),
            &[],
            &[],
            &[],
        )
    };
    let with = ask("legal=0").schema.unwrap().json;
    assert_eq!(with["properties"]["deactivated_disclaimer"]["type"], "string");
    assert!(with["required"].as_array().unwrap().contains(&json!("deactivated_disclaimer")));
    assert!(ask("legal=0").task.contains("left out legal (regulation"));
    let without = ask("").schema.unwrap().json;
    assert!(!without.to_string().contains("deactivated_disclaimer"));
    assert!(!ask("").task.contains("left out"));
    let names = json!(["market", "cost", "risk"]);
    assert_eq!(without["properties"]["conflicts"]["items"]["properties"]["modules"]["items"]["enum"], names);
}

#[test]
fn weights_by_earlier_advice_are_told_and_flags_name_their_modules_where_a_server_keeps_that() {
    let ask = |trust: Option<&str>, weights| {
        let trust = trust.map(|kept| serde_json::from_str::<Influences>(kept).unwrap());
        let brief = MediateBrief { trust, ..sample::brief(weights) };
        synthesis(
            &Prompts::embedded(),
            &brief,
            (&sample::outputs(Round::Revision), &uncited()),
            &[],
            &[],
            &[],
        )
    };
    let flag = |prompt: &Prompt| prompt.schema.as_ref().unwrap().json["properties"]["flags"]["items"].clone();
    let moved = ask(Some(r#"{"market":1.12}"#), "cost=2");
    for told in [
        "weight 1.12)",
        "weight 2)",
        "weight 1)",
        "from how their earlier advice",
        "raised_by: the modules that",
    ] {
        assert!(moved.task.contains(told), "{told}: {}", moved.task);
    }
    assert_eq!(flag(&moved)["required"], json!(["color", "text", "raised_by"]));
    assert_eq!(flag(&moved)["properties"]["raised_by"]["items"]["enum"], json!(["market", "cost", "risk"]));
    let without_history = ask(Some("{}"), "");
    assert!(!without_history.task.contains("weight 1") && !without_history.task.contains("earlier advice"));
    let off = ask(None, "cost=2");
    assert!(off.task.contains("- The team gave the modules weights: where reasons are equal"));
    assert!(
        !off.task.contains("the modules that flagged") && flag(&off)["properties"]["raised_by"].is_null()
    );
}

#[test]
fn options_stand_in_the_scorers_order() {
    let prompt = scoring(
        &Prompts::embedded(),
        &sample::brief(""),
        (&sample::name("risk"), None),
        None,
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
    brief.problem = domain::Problem::new(&"word ".repeat(800)).unwrap();
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
        let revise = revision(&prompts, &brief, &module.name(), (&first, 1), &nothing(), &[]);
        for prompt in [revise, synthesis(&prompts, &brief, (&both, &uncited()), &[], &[], &[])] {
            let chars = prompt.rules.len() + prompt.shared.len() + prompt.task.len();
            let tokens = chars / 4 + usize::try_from(prompt.max_tokens).unwrap();
            assert!(tokens < 7_900, "{} needs {tokens} tokens", module.name);
        }
    }
}

#[test]
fn a_panel_of_one_and_names_outside_the_registry_work() {
    let mut brief = sample::brief("");
    brief.panel = Panel { seats: brief.panel.seats[..1].to_vec(), ..brief.panel };
    brief.panel.seats[0].module = sample::name("beekeeping");
    let prompts = Prompts::embedded();
    let prompt = independent(&prompts, &brief, &sample::name("beekeeping"), &nothing(), &[]);
    assert!(prompt.task.contains("You are the beekeeping specialist"));
    let last = synthesis(&prompts, &brief, (&[], &uncited()), &[], &[], &[]);
    assert!(last.task.contains("Seated but silent: beekeeping."));
    assert_eq!(last.schema.unwrap().json["properties"]["conflicts"]["maxItems"], 0);
}

#[test]
fn what_a_search_found_is_shown_as_data_by_number_and_may_be_cited() {
    let (prompts, brief) = (Prompts::embedded(), sample::brief(""));
    let (cost, first) = (sample::name("cost"), sample::outputs(Round::Independent));
    let mut sources = uncited();
    for page in sample::pages() {
        let cites = ModuleOutput { sources: vec![page], ..sample::output("cost", Round::Independent) };
        let _ = sources.take_in(cites);
    }
    insta::assert_snapshot!(
        "queries",
        queries(&prompts, &brief, (&cost, Round::Independent), None, &[]).task
    );
    insta::assert_snapshot!(
        "queries_again",
        queries(&prompts, &brief, (&cost, Round::Revision), first.first(), &[]).task
    );
    insta::assert_snapshot!(
        "independent_searched",
        independent(&prompts, &brief, &cost, &offered(), &[]).task
    );
    insta::assert_snapshot!(
        "revision_searched",
        revision(&prompts, &brief, &cost, (&first, 7), &offered(), &[]).task
    );
    let last = synthesis(&prompts, &brief, (&first, &sources), &[], &[], &[]).task;
    for shown in ["[1] Fees of delivery platforms", "[3] ", "keep the mark behind it"] {
        assert!(last.contains(shown), "{shown} in\n{last}");
    }
    assert!(
        !synthesis(&prompts, &brief, (&first, &uncited()), &[], &[], &[]).task.contains("the mark behind it")
    );
}

#[test]
fn what_is_grave_is_looked_into_with_the_words_of_those_whom_it_is_between() {
    let (prompts, brief) = (Prompts::embedded(), sample::brief(""));
    let (first, matters) = (sample::outputs(Round::Independent), matters());
    for (name, matter) in ["conflict", "flag"].into_iter().zip(&matters) {
        let asked = research_queries(&prompts, &brief, matter, &first, &[]);
        let weighed = resolution(&prompts, &brief, matter, (&first, &sample::solutions()), &offered(), &[]);
        insta::assert_snapshot!(format!("research_queries_{name}"), asked.task);
        insta::assert_snapshot!(format!("resolution_{name}"), weighed.task);
        let properties = &weighed.schema.as_ref().unwrap().json["properties"];
        assert_eq!(properties["supports"]["enum"], json!(matter.findings()));
        assert_eq!(properties["option"]["maximum"], 3);
    }
}

#[test]
fn a_red_flag_says_to_which_conflict_it_belongs_exactly_where_that_is_looked_into() {
    let (prompts, outputs) = (Prompts::embedded(), sample::outputs(Round::Revision));
    let ask = |deep_research, searching| {
        let extras = MediateExtras { searching, deep_research, ..MediateExtras::default() };
        let brief = MediateBrief { extras, ..sample::brief("") };
        let prompt = synthesis(&prompts, &brief, (&outputs, &uncited()), &[], &[], &[]);
        let flag = prompt.schema.unwrap().json["properties"]["flags"]["items"].clone();
        (prompt.task.contains("the number of the conflict above"), flag.to_string().contains("\"conflict\""))
    };
    assert_eq!(ask(true, Searching::On), (true, true));
    for (deep, searching) in [(true, Searching::Off), (true, Searching::NotSetUp), (false, Searching::On)] {
        assert_eq!(ask(deep, searching), (false, false));
    }
}
