use std::{collections::BTreeMap, sync::LazyLock};

use forms::Shape;

use super::*;
use crate::{
    sample::{self as samples, mediate as sample},
    {schema::violations, seed},
};
use domain::{
    ChosenDraft, FirstAnswer, Influences, MODULES, Matter, Offered, Panel, Problem, RaciRow, Redelegation,
    Round, Searching, Source, SourceList, TableExtras,
};
use serde_json::json;

fn nothing() -> Offered {
    Offered::default()
}

fn uncited() -> SourceList {
    SourceList::default()
}

/// Three pages, of which the first is on the session's list.
fn offered() -> Offered {
    let mut pages = sample::pages();
    Offered { found: pages.split_off(1), known: pages, ..Offered::default() }
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

fn table<'a>(prompts: &'a Prompts, brief: &'a TableBrief, notes: &'a [ContextNote]) -> Table<'a> {
    Table { prompts, brief, question: Some("Should the town have a delivery app?"), notes }
}

static DRAFTS: LazyLock<[FirstAnswer; 2]> = LazyLock::new(|| {
    ["Begin with a pilot of six weeks.", "Launch in one district."]
        .map(|text| FirstAnswer { text: text.to_owned(), ..FirstAnswer::default() })
});

fn material<'a>(
    outputs: &'a [ModuleOutput],
    sources: &'a SourceList,
    redelegated: &'a [Redelegation],
    raci: &'a [RaciRow],
) -> Material<'a> {
    let draft = Some(&*CHOSEN);
    Material { outputs, sources, redelegated, raci, draft }
}

fn both_rounds() -> Vec<ModuleOutput> {
    [sample::outputs(Round::Independent), sample::outputs(Round::Revision)].concat()
}

static CHOSEN: LazyLock<ChosenDraft> = LazyLock::new(|| {
    let objections = [("Cost", "Wrong: 3.50; worked out again 4.50."), ("Cost", "Missing: the winter.")];
    samples::draft(&DRAFTS[0].text, &["Cost"], &objections)
});

fn challenged(module: &str, session: &str) -> Prompt {
    let first = sample::outputs(Round::Independent);
    let (prompts, brief, module) = (Prompts::embedded(), sample::brief(""), sample::name(module));
    table(&prompts, &brief, &[]).challenge(&module, (&first, seed(&[session, &module.0])), &nothing())
}

/// Every request of a mediation, for checks that hold for all of them; the last has no document.
fn all(brief: &TableBrief) -> Vec<Prompt> {
    let (prompts, notes, market) = (Prompts::embedded(), samples::notes(), sample::name("market"));
    let (first, both, none) = (sample::outputs(Round::Independent), both_rounds(), uncited());
    let table = table(&prompts, brief, &notes);
    let (thin, answered) = (sample::redelegations(), sample::raci());
    let (with_gaps, with_raci) = (material(&both, &none, &thin, &[]), material(&both, &none, &[], &answered));
    let memo = sample::synthesis();
    vec![
        table.independent(&market, &nothing()),
        table.challenge(&market, (&first, 7), &nothing()),
        table.simpler(&market, Round::Independent, (&[], 7)),
        table.simpler(&market, Round::Revision, (&first, 7)),
        table.addendum(&market, &sample::name("legal"), first.first()),
        table.first_answer(),
        table.check(&market, (&*DRAFTS, &[1, 0]), &both),
        table.check(&market, (&DRAFTS[..1], &[0]), &both),
        table.memo(&with_gaps),
        table.memo(&Material { draft: Some(&samples::draft(&DRAFTS[0].text, &["cost"], &[])), ..with_raci }),
        table.memo(&Material { draft: None, ..with_raci }),
        table.queries((&market, Round::Independent), (&[], 7)),
        table.queries((&market, Round::Revision), (&first, 7)),
        table.independent(&market, &offered()),
        table.challenge(&market, (&first, 7), &offered()),
        table.research_queries(&matters()[0], &first),
        table.research_queries(&matters()[1], &first),
        table.resolution(&matters()[0], (&first, &sample::solutions()), &offered()),
        table.resolution(&matters()[1], (&first, &[]), &offered()),
        table.scoring((&market, Some(&both)), (&memo, None), (&sample::solutions(), &[2, 0, 1])),
    ]
}

/// A conflict and a red flag.
fn matters() -> Vec<Matter> {
    let matters = Matter::of(&sample::synthesis());
    assert_eq!(matters.iter().map(|matter| matter.modules.len()).collect::<Vec<_>>(), [2, 0]);
    matters
}

#[test]
fn every_form_is_declared_whole() {
    use domain::{Alone, Challenge, DraftsCheck, Synthesis};
    let faults = [
        Shape::of::<FirstAnswer>().faults(),
        Shape::of::<Alone>().faults(),
        Shape::of::<Challenge>().faults(),
        Shape::of::<Synthesis>().faults(),
        Shape::of::<DraftsCheck>().faults(),
        Shape::of::<crate::reply::QueriesReply>().faults(),
        Shape::of::<crate::reply::PointsReply>().faults(),
    ];
    assert_eq!(faults.concat(), Vec::<String>::new());
}

#[test]
fn whoever_scores_has_the_memo_and_all_that_it_said_itself() {
    let (prompts, brief, notes) = (Prompts::embedded(), sample::brief(""), samples::notes());
    let (outputs, memo, research) = (both_rounds(), sample::synthesis(), sample::research());
    let solutions = sample::solutions();
    let asked = |own: Option<&[ModuleOutput]>| {
        let cost = sample::name("cost");
        table(&prompts, &brief, &notes).scoring(
            (&cost, own),
            (&memo, Some(&research)),
            (&solutions, &[2, 0, 1]),
        )
    };
    let task = asked(Some(&outputs)).task;
    assert!(task.contains(&memo.answer) && task.contains(&research.resolutions[0].verdict));
    for round in [Round::Independent, Round::Revision] {
        let own = sample::output("cost", round);
        assert!(task.contains(&own.position().crux) && task.contains(own.summary()), "{round:?}");
    }
    assert!(notes.iter().all(|note| task.contains(&note.text)));
    assert!(!asked(None).task.contains("What you wrote"), "for a model that cannot take in all of it");
    let places: Vec<_> = ["S3. Do nothing yet", "S1. Start with one", "S2. Join a national"]
        .map(|option| task.find(option))
        .to_vec();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "in the scorer's order: {places:?}");
    let schema = asked(None).schema.unwrap().json;
    let labels: Vec<_> =
        schema["properties"]["points"]["properties"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(labels, ["S3", "S1", "S2"]);
    let chances = schema["properties"]["success"]["properties"].as_object().unwrap();
    assert!(
        chances.keys().eq(["S3", "S1", "S2"]) && task.contains("- success: 0 to 100 or null for each of")
    );
}

#[test]
fn prompts_read_as_they_should() {
    let (prompts, notes, first) =
        (Prompts::embedded(), samples::notes(), sample::outputs(Round::Independent));
    let (cost, both, none) = (sample::name("cost"), both_rounds(), uncited());
    let brief = sample::with_document(sample::brief(""));
    let at = table(&prompts, &brief, &notes);
    insta::assert_snapshot!("independent", show(&at.independent(&cost, &nothing())));
    insta::assert_snapshot!("challenge", show(&at.challenge(&cost, (&first, 7), &nothing())));
    let brief = sample::brief("");
    let at = table(&prompts, &brief, &[]);
    insta::assert_snapshot!("simpler-1", show(&at.simpler(&cost, Round::Independent, (&[], 7))));
    insta::assert_snapshot!("simpler-2", show(&at.simpler(&cost, Round::Revision, (&first, 7))));
    insta::assert_snapshot!("addendum", show(&at.addendum(&cost, &sample::name("legal"), first.get(1))));
    let memo = sample::synthesis();
    insta::assert_snapshot!("check", show(&at.check(&cost, (&*DRAFTS, &[1, 0]), &both)));
    let solutions = sample::solutions();
    let scoring = at.scoring((&cost, Some(&both)), (&memo, None), (&solutions, &[2, 0, 1]));
    insta::assert_snapshot!("scoring", show(&scoring));
    let brief = sample::brief("cost=2 legal=0");
    let at = table(&prompts, &brief, &notes);
    let thin = sample::redelegations();
    let found = material(&both, &none, &thin, &[]);
    insta::assert_snapshot!("first_answer", at.first_answer().task);
    insta::assert_snapshot!("memo", show(&at.memo(&found)));
    let raci = sample::raci();
    let undrafted = Material { draft: None, ..material(&both, &none, &[], &raci) };
    insta::assert_snapshot!("memo_raci", at.memo(&undrafted).task);
}

#[test]
fn rules_and_material_are_the_same_for_every_call_of_a_session() {
    let mut all = all(&sample::with_document(sample::brief("")));
    // Who is asked alone is asked plainly: the problem, and nothing of how the session works.
    let is_alone = |prompt: &Prompt| prompt.schema.as_ref().is_some_and(|one| one.name == "first_answer");
    let alone = all.remove(all.iter().position(is_alone).unwrap());
    assert!(alone.rules.contains("you alone") && alone.shared.contains("<document-"));
    assert!(alone.shared.contains("a town of 40,000") && alone.shared.contains("Today is 27 November 2026"));
    assert!(!alone.shared.contains("specialist"), "{}", alone.shared);
    // Whoever scores has read what was said of the document.
    let (scoring, others) = all.split_last().unwrap();
    assert!(all.iter().all(|prompt| prompt.rules == all[0].rules));
    assert!(others.iter().all(|prompt| prompt.shared == all[0].shared));
    assert!(all[0].shared.contains("<document-") && !scoring.shared.contains("<document-"));
    assert!(all.iter().all(|prompt| prompt.shared.contains("a town of 40,000")));
    assert!(all.iter().all(|prompt| prompt.shared.contains("Today is 27 November 2026")));
    assert!(all.iter().all(|prompt| prompt.version.0.len() == 12 && prompt.turns.is_empty()));
}

#[test]
fn every_schema_is_strict_and_its_fields_stand_in_the_task_in_the_same_order() {
    for weights in ["", "legal=0"] {
        for prompt in all(&sample::brief(weights)) {
            let schema = prompt.schema.unwrap();
            assert_eq!(violations(&schema.json, &schema.name), Vec::<String>::new());
            let fields: Vec<&str> =
                schema.json["properties"].as_object().unwrap().keys().map(String::as_str).collect();
            let first = match schema.name.as_str() {
                "module_analysis" => "reference",
                "module_revision" => "against",
                "memo" if prompt.task.contains("Objection 1, ") => "resolutions",
                "memo" if prompt.task.contains("`edits` names") => "edits",
                "memo" | "first_answer" => "answer",
                "drafts_check" => "read",
                "search_queries" => "queries",
                "resolution" => "evidence",
                _ => "reasoning",
            };
            assert_eq!(fields[0], first);
            let places: Vec<_> =
                fields.iter().map(|field| prompt.task.find(&format!("\n- {field}:"))).collect();
            assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}: {fields:?}", schema.name);
        }
    }
}

#[test]
fn readers_see_the_others_unsigned_and_each_in_its_own_order() {
    let seen = ["market", "cost", "risk"].map(|module| {
        let task = challenged(module, "abcdefghij").task;
        let (own, rest) = task.split_once("What the others").unwrap();
        assert!(own.contains(sample::output(module, Round::Independent).summary()), "{own}");
        let peers = rest.split("\nTask:").next().unwrap();
        assert!(!peers.contains("<own") && peers.contains("Analysis B:"));
        for name in ["market", "cost", "risk"] {
            assert!(!peers.contains(name), "{name} is named in {peers}");
        }
        peers.to_owned()
    });
    let task = challenged("market", "abcdefghij").task;
    assert_eq!(task, challenged("market", "abcdefghij").task);
    let other = (0..20).map(|n| challenged("market", &n.to_string()).task).find(|other| *other != task);
    assert!(other.is_some(), "the order never changes");
    assert_ne!(words(&seen[0]), words(&seen[1]), "nobody reads itself among the others");
}

/// The task and the schema of a memo.
fn memo_of(brief: &TableBrief, raci: &[RaciRow]) -> (String, serde_json::Value) {
    let (prompts, both, none) = (Prompts::embedded(), both_rounds(), uncited());
    let prompt = table(&prompts, brief, &[]).memo(&material(&both, &none, &[], raci));
    (prompt.task, prompt.schema.unwrap().json)
}

#[test]
fn a_conflict_has_a_side_exactly_where_somebody_answers_for_it() {
    let conflict =
        |raci: &[_]| memo_of(&sample::brief(""), raci).1["properties"]["conflicts"]["items"].clone();
    let with = conflict(&sample::raci());
    assert_eq!(with["properties"]["area"]["enum"], json!(["market", "cost", "risk"]));
    for field in ["area", "carries"] {
        assert!(with["required"].as_array().unwrap().contains(&json!(field)), "{with}");
        assert!(conflict(&[])["properties"][field].is_null());
    }
    assert!(!memo_of(&sample::brief(""), &[]).0.contains("accountable"));
}

#[test]
fn the_memo_must_speak_of_modules_left_out() {
    let (task, with) = memo_of(&sample::brief("legal=0"), &[]);
    assert_eq!(with["properties"]["deactivated_disclaimer"]["type"], "string");
    assert!(with["required"].as_array().unwrap().contains(&json!("deactivated_disclaimer")));
    assert!(task.contains("Left out by the team: legal (regulation"));
    let (task, without) = memo_of(&sample::brief(""), &[]);
    assert!(without["properties"]["deactivated_disclaimer"].is_null());
    assert!(!task.contains("Left out by"));
    let names = json!(["market", "cost", "risk"]);
    assert_eq!(without["properties"]["conflicts"]["items"]["properties"]["modules"]["items"]["enum"], names);
}

#[test]
fn weights_by_earlier_advice_are_told_and_flags_name_their_modules_where_a_server_keeps_that() {
    let ask = |trust: Option<&str>, weights| {
        let trust = trust.map(|kept| serde_json::from_str::<Influences>(kept).unwrap());
        memo_of(&TableBrief { trust, ..sample::brief(weights) }, &[])
    };
    let flag = |schema: &serde_json::Value| schema["properties"]["flags"]["items"].clone();
    let (task, moved) = ask(Some(r#"{"market":1.12}"#), "cost=2");
    for told in ["(weight 1.12)", "(weight 2)", "(weight 1)", "from how their earlier advice", "raised_by:"] {
        assert!(task.contains(told), "{told}: {task}");
    }
    assert_eq!(flag(&moved)["required"], json!(["color", "text", "raised_by"]));
    assert_eq!(flag(&moved)["properties"]["raised_by"]["items"]["enum"], json!(["market", "cost", "risk"]));
    let (task, _) = ask(Some("{}"), "");
    assert!(!task.contains("weight 1") && !task.contains("earlier advice"));
    let (task, off) = ask(None, "cost=2");
    assert!(task.contains("The team gave the specialists weights: where reasons are equal"));
    assert!(flag(&off)["properties"]["raised_by"].is_null());
}

/// Three modules with replies as long as they may be at brief, and the longest problem, fit a context of 16,384 tokens. Four
/// characters a token is usual for English.
#[test]
fn three_modules_fit_a_small_context() {
    let mut brief = sample::brief("");
    brief.problem = domain::Problem::new(&"word ".repeat(800)).unwrap();
    let long = |round| {
        sample::outputs(round).into_iter().map(|mut output| {
            if let domain::Spoken::Alone(alone) = &mut output.said {
                alone.analysis = "word ".repeat(280);
            }
            output
        })
    };
    let first: Vec<_> = long(Round::Independent).collect();
    let both: Vec<_> = first.iter().cloned().chain(long(Round::Revision)).collect();
    let (prompts, none) = (Prompts::embedded(), uncited());
    let at = table(&prompts, &brief, &[]);
    for module in &MODULES {
        let found = material(&both, &none, &[], &[]);
        for prompt in [
            at.challenge(&module.name(), (&first, 1), &nothing()),
            at.check(&module.name(), (&*DRAFTS, &[0, 1]), &both),
            at.memo(&found),
        ] {
            let chars = prompt.rules.len() + prompt.shared.len() + prompt.task.len();
            let tokens = chars / 4 + usize::try_from(prompt.max_tokens).unwrap();
            assert!(tokens < 15_000, "{} needs {tokens} tokens", module.name);
        }
    }
}

#[test]
fn a_panel_of_one_and_names_outside_the_registry_work() {
    let mut brief = sample::brief("");
    brief.panel = Panel { seats: brief.panel.seats[..1].to_vec(), ..brief.panel };
    brief.panel.seats[0].module = sample::name("beekeeping");
    let (prompts, none) = (Prompts::embedded(), uncited());
    let at = table(&prompts, &brief, &[]);
    let prompt = at.independent(&sample::name("beekeeping"), &nothing());
    assert!(prompt.task.contains("You are the beekeeping specialist"));
    assert!(at.memo(&material(&[], &none, &[], &[])).task.contains("Seated but silent: beekeeping."));
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
    let at = table(&prompts, &brief, &[]);
    insta::assert_snapshot!("queries", at.queries((&cost, Round::Independent), (&[], 7)).task);
    insta::assert_snapshot!("queries_again", at.queries((&cost, Round::Revision), (&first, 7)).task);
    insta::assert_snapshot!("independent_searched", at.independent(&cost, &offered()).task);
    insta::assert_snapshot!("challenge_searched", at.challenge(&cost, (&first, 7), &offered()).task);
    let last = at.memo(&material(&first, &sources, &[], &[])).task;
    for shown in ["[1] Fees of delivery platforms", "[3] "] {
        assert!(last.contains(shown), "{shown} in\n{last}");
    }
}

#[test]
fn what_is_grave_is_looked_into_with_the_words_of_those_whom_it_is_between() {
    let (prompts, brief) = (Prompts::embedded(), sample::brief(""));
    let (first, matters) = (sample::outputs(Round::Independent), matters());
    for (name, matter) in ["conflict", "flag"].into_iter().zip(&matters) {
        let question = Some("Do we deliver in one district first?");
        let table = Table { prompts: &prompts, brief: &brief, question, notes: &[] };
        let asked = table.research_queries(matter, &first);
        let weighed = table.resolution(matter, (&first, &sample::solutions()), &offered());
        let both = [&asked, &weighed];
        assert!(both.iter().all(|prompt| prompt.task.contains("Do we deliver in one district first?")));
        insta::assert_snapshot!(format!("research_queries_{name}"), asked.task);
        insta::assert_snapshot!(format!("resolution_{name}"), weighed.task);
        let properties = &weighed.schema.as_ref().unwrap().json["properties"];
        assert_eq!(properties["supports"]["enum"], json!(matter.findings()));
        assert_eq!(properties["option"]["enum"], json!(["none", "1", "2", "3"]));
    }
}

#[test]
fn a_page_that_is_found_again_is_read_again() {
    let (prompts, brief) = (Prompts::embedded(), sample::brief(""));
    let first = sample::outputs(Round::Independent);
    let mut list = SourceList::default();
    list.add(sample::pages());
    let again = Source { excerpt: "What this search found in it.".to_owned(), ..sample::pages()[1].clone() };
    let offered = list.offering([vec![again], sample::pages().split_off(2)].concat());
    assert!(offered.found.is_empty(), "all of it is known");
    let table = Table { prompts: &prompts, brief: &brief, question: None, notes: &[] };
    let market = sample::name("market");
    let weighed = table.resolution(&matters()[0], (&first, &sample::solutions()), &offered).task;
    for task in [weighed, table.challenge(&market, (&first, 7), &offered).task] {
        let page = &sample::pages()[1];
        assert!(
            task.contains(&format!(
                "[2] {} — {}\n{}",
                page.title,
                page.url.as_str(),
                "What this search found in it."
            )),
            "{task}"
        );
        assert!(!task.contains(&page.excerpt) && !task.contains(&sample::pages()[0].excerpt), "{task}");
    }
}

#[test]
fn a_red_flag_says_to_which_conflict_it_belongs_exactly_where_that_is_looked_into() {
    let ask = |deep_research, searching| {
        let extras = TableExtras { searching, deep_research, ..TableExtras::default() };
        let (_, schema) = memo_of(&TableBrief { extras, ..sample::brief("") }, &[]);
        !schema["properties"]["flags"]["items"]["properties"]["conflict"].is_null()
    };
    assert!(ask(true, Searching::On));
    for (deep, searching) in [(true, Searching::Off), (true, Searching::NotSetUp), (false, Searching::On)] {
        assert!(!ask(deep, searching));
    }
}

#[test]
fn readers_and_mediator_are_told_which_figures_of_the_problem_a_draft_never_uses() {
    let (prompts, both, none) = (Prompts::embedded(), both_rounds(), uncited());
    let problem = Problem::new("The bank wants its 240,000 back within 36 months.").unwrap();
    let brief = TableBrief { problem, ..sample::brief("") };
    let at = table(&prompts, &brief, &[]);
    let says = |text: &str| FirstAnswer { text: text.to_owned(), ..FirstAnswer::default() };
    let [whole, short] = [says("240,000, back in 36 months."), says("Take the 240,000.")];
    let drafts = [whole.clone(), short.clone()];
    let check = at.check(&sample::name("cost"), (&drafts, &[0, 1]), &both).task;
    assert!(check.contains("figure that B never writes in digits"), "{check}");
    assert!(!check.contains("figure that A never writes"), "{check}");
    assert!(check.contains("240,000 back within 36 months."), "{check}");
    let memo = |draft: &FirstAnswer| {
        let draft = samples::draft(&draft.text, &["cost"], &[]);
        at.memo(&Material { draft: Some(&draft), ..material(&both, &none, &[], &[]) }).task
    };
    assert!(memo(&short).contains("240,000 back within 36 months."));
    assert!(!memo(&whole).contains("never writes in digits"));
}
