use super::*;
use crate::{
    sample::{self as samples, roundtable as sample},
    schema::violations,
};

fn show(prompt: &Prompt) -> String {
    let most = format!("at most {} tokens", prompt.max_tokens);
    format!("=== shared\n{}\n=== task\n{}\n=== {most}", prompt.shared, prompt.task)
}

fn reading(reader: u8, others: &[u8]) -> Letters {
    Letters { reader: ExpertId(reader), others: others.iter().map(|&id| ExpertId(id)).collect() }
}

/// Every request of a roundtable of three after the gatekeeper's.
fn after_go(brief: &RoundtableBrief) -> Vec<Prompt> {
    let (prompts, notes, proposal) = (Prompts::embedded(), samples::notes(), sample::proposal(3));
    let (statements, role) = (sample::statements(3), proposal.roles[0].clone());
    vec![
        analysis(&prompts, brief, &proposal, &role, &notes),
        rebuttal(&prompts, brief, &proposal, &role, (&statements, &reading(1, &[3, 2])), &notes),
        notary(&prompts, brief, &proposal, &statements, &notes),
        after_all(brief, &proposal, (&role, &statements[0])),
    ]
}

/// A scorer's request after the notary's record.
fn after_all(brief: &RoundtableBrief, proposal: &Proposal, own: (&Role, &Statement)) -> Prompt {
    let (prompts, statements) = (Prompts::embedded(), sample::statements(3));
    let minutes = sample::minutes();
    let last: Vec<&Statement> = statements.iter().collect();
    let told = deliberation(&prompts, (&last, &minutes), &samples::notes(), 7);
    scoring(&prompts, (brief, proposal), own, Some(&told), &minutes.solutions, &[2, 0, 1])
}

fn with_document(mut brief: RoundtableBrief) -> RoundtableBrief {
    (brief.document, brief.language) = (Some(samples::survey()), Some("German".into()));
    brief
}

#[test]
fn prompts_read_as_they_should() {
    let brief = with_document(sample::brief(3));
    let first = gatekeeper(&Prompts::embedded(), &brief, &samples::notes());
    insta::assert_snapshot!("gatekeeper", show(&first));
    let all = after_go(&sample::brief(3));
    for (name, prompt) in ["analysis", "rebuttal", "notary", "scoring"].iter().zip(&all) {
        insta::assert_snapshot!(*name, show(prompt));
    }
}

#[test]
fn rules_and_material_are_the_same_for_every_call_once_the_roles_are_confirmed() {
    let brief = with_document(sample::brief(3));
    let all = after_go(&brief);
    // Whoever scores has read what was said of the document, and all that was said.
    let (scoring, others) = all.split_last().unwrap();
    assert!(all.iter().all(|prompt| prompt.rules == all[0].rules));
    assert!(others.iter().all(|prompt| prompt.shared == all[0].shared));
    assert!(!scoring.shared.contains("<document-") && scoring.shared.contains(&sample::minutes().synthesis));
    let first = gatekeeper(&Prompts::embedded(), &brief, &[]);
    assert!(all[0].shared.starts_with(&first.shared), "the gatekeeper's prefix is cached for the others");
    for prompt in all.iter().chain([&first]) {
        assert!(prompt.shared.contains("a town of 40,000"), "the problem is restated in every prompt");
        assert!(prompt.version.0.len() == 12 && prompt.turns.is_empty());
    }
    let stock =
        Proposal { restated: brief.problem.as_str().into(), dimensions: vec![], ..sample::proposal(2) };
    let prompt = analysis(&Prompts::embedded(), &brief, &stock, &stock.roles[0], &[]);
    assert_eq!(prompt.shared, first.shared, "a problem that nobody restated stands there once");
}

#[test]
fn every_schema_is_strict_and_thinks_before_it_judges() {
    let first = gatekeeper(&Prompts::embedded(), &sample::brief(4), &[]);
    let roles = first.schema.as_ref().unwrap().json["properties"]["roles"].clone();
    assert_eq!((&roles["minItems"], &roles["maxItems"]), (&json!(4), &json!(4)));
    for prompt in after_go(&sample::brief(3)).into_iter().chain([first]) {
        let schema = prompt.schema.unwrap();
        assert_eq!(violations(&schema.json, &schema.name), Vec::<String>::new());
        let fields: Vec<&str> =
            schema.json["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let first = match schema.name.as_str() {
            "gatekeeper_proposal" => "restated_problem",
            "expert_analysis" | "expert_rebuttal" => "key_reasoning_points",
            "notary_minutes" => "synthesis",
            _ => "reasoning",
        };
        assert_eq!(fields[0], first);
        // Each field is explained in the task, in the same order.
        let places: Vec<_> = fields.iter().map(|field| prompt.task.find(&format!("\n- {field}:"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}: {fields:?}", schema.name);
    }
}

#[test]
fn readers_see_letters_in_their_own_order_and_nobodys_role_but_their_own() {
    let (prompts, brief, proposal) = (Prompts::embedded(), sample::brief(3), sample::proposal(3));
    let statements = sample::statements(3);
    for (role, order) in proposal.roles.iter().zip([[3, 2], [1, 3], [2, 1]]) {
        let reading = reading(role.id.0, &order);
        let prompt = rebuttal(&prompts, &brief, &proposal, role, (&statements, &reading), &[]);
        for other in proposal.roles.iter().filter(|other| other.id != role.id) {
            let text = format!("{}{}", prompt.shared, prompt.task);
            assert!(!text.contains(&other.name) && !text.contains(&other.mission), "{} is named", other.name);
            assert!(!text.contains(&other.id.to_string()));
        }
        let peers = prompt.task.split_once("What the others").unwrap().1;
        let place = |id: u8| peers.find(&statements[usize::from(id) - 1].summary).unwrap();
        assert!(peers.find("Response A:").unwrap() < place(order[0]));
        assert!(place(order[0]) < peers.find("Response B:").unwrap());
        assert!(peers.find("Response B:").unwrap() < place(order[1]));
        assert!(!peers.contains(&statements[usize::from(role.id.0) - 1].summary), "nobody answers itself");
    }
}

#[test]
fn the_notary_knows_who_spoke_and_who_did_not() {
    let (brief, proposal) = (sample::brief(3), sample::proposal(3));
    let prompt = notary(&Prompts::embedded(), &brief, &proposal, &sample::statements(2), &[]);
    assert!(prompt.task.contains("At the table but silent: expert-3."));
    let schema = prompt.schema.unwrap().json;
    let names = &schema["properties"]["solutions"]["items"]["properties"]["statements"]["items"]["enum"];
    assert_eq!(names, &json!(["expert-1.1", "expert-2.1"]));
}

/// Two experts with statements as long as they may be, and the longest problem, fit a context of 8,192 tokens. Four
/// characters a token is usual for English.
#[test]
fn two_experts_fit_a_small_context() {
    let mut brief = sample::brief(2);
    brief.problem = domain::Problem::new(&"word ".repeat(800)).unwrap();
    let proposal = sample::proposal(2);
    let long = |stage| {
        sample::statements(2).into_iter().map(move |statement| Statement {
            stage,
            stance: "word ".repeat(260),
            reasons: vec!["word ".repeat(44); 5],
            ..statement
        })
    };
    let first: Vec<_> = long(Stage::Analysis).collect();
    let both: Vec<_> = first.iter().cloned().chain(long(Stage::Rebuttal)).collect();
    let prompts = Prompts::embedded();
    let role = &proposal.roles[0];
    for prompt in [
        rebuttal(&prompts, &brief, &proposal, role, (&first, &reading(1, &[2])), &[]),
        notary(&prompts, &brief, &proposal, &both, &[]),
    ] {
        let chars = prompt.rules.len() + prompt.shared.len() + prompt.task.len();
        let tokens = chars / 4 + usize::try_from(prompt.max_tokens).unwrap();
        assert!(tokens < 7_900, "{tokens} tokens");
    }
}
