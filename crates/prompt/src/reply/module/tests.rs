use serde_json::{Value, json};

use super::*;
use domain::{Effort, FlagColor, Holding, Source};

fn offered(pages: usize) -> Offered {
    let page = |n| Source::new(&format!("Page {n}"), &format!("https://example.org/{n}"), "").unwrap();
    Offered { found: (1..=pages).map(page).collect(), ..Offered::default() }
}

fn alone(change: impl Fn(&mut Value), pages: usize) -> Result<ModuleOutput, ParseError> {
    let mut reply = json!({
        "reference": "None known.", "analysis": "It grows [1].\n\nSource: https://a.example",
        "position": {"option": "Start small", "success": 60, "crux": "Paid orders."},
        "flags": [{"color": "green", "text": "Up [3, 4]"}, {"color": "RED", "text": "Down"}, {"color": "red", "text": "down"}, {"color": "red", "text": " "}],
        "summary": "Yes [5]",
    });
    change(&mut reply);
    let (module, asked) = (ModuleName("market".into()), Asked::at(Effort::Brief));
    let offered = offered(pages);
    let reading = Reading {
        module: &module,
        round: Round::Independent,
        asked: &asked,
        offered: &offered,
        first: true,
        answered_by: "m",
    };
    reading.alone(&reply.to_string())
}

fn challenge(change: impl Fn(&mut Value)) -> Result<ModuleOutput, ParseError> {
    let mut reply = json!({
        "against": "Analysis A may be right.", "responses": [{"of": "b", "finding": "f", "verdict": "In part", "because": "b", "effect": "nothing"}],
        "position": {"option": "Start small", "success": 60, "crux": "As Analysis B says."},
        "analysis": "", "flags": [], "summary": "Yes.", "revised": "null",
    });
    change(&mut reply);
    let (module, asked) = (ModuleName("market".into()), Asked::at(Effort::Brief));
    let offered = Offered::default();
    let reading = Reading {
        module: &module,
        round: Round::Revision,
        asked: &asked,
        offered: &offered,
        first: true,
        answered_by: "m",
    };
    reading.challenge(&reply.to_string(), &[ModuleName("cost".into()), ModuleName("risk".into())])
}

#[test]
fn what_was_never_searched_for_is_taken_out_and_counted() {
    let output = alone(|_| {}, 0).unwrap();
    assert_eq!((output.analysis(), output.summary()), ("It grows.", "Yes"));
    let flags: Vec<_> = output.flags().iter().map(|flag| (flag.color, flag.text.as_str())).collect();
    assert_eq!(flags, [(FlagColor::Red, "Down"), (FlagColor::Green, "Up")]);
    assert!(output.dropped_citations >= 4, "{}", output.dropped_citations);
}

#[test]
fn what_was_found_is_cited_and_listed() {
    let output = alone(|reply| reply["analysis"] = json!("It grows [2], not [9]."), 2).unwrap();
    assert_eq!(output.analysis(), "It grows [1], not.");
    assert_eq!(output.sources, [offered(2).found[1].clone()]);
}

#[test]
fn an_analysis_is_needed_and_a_summary_is_made_of_it() {
    let empty = alone(|reply| reply["analysis"] = json!(" \n"), 0);
    assert_eq!(empty, Err(ParseError::Missing("analysis".into())));
    let unsummed = alone(|reply| reply["summary"] = json!(""), 0).unwrap();
    assert_eq!(unsummed.summary(), "It grows.");
}

#[test]
fn chances_are_whole_numbers_of_a_hundred() {
    for wrong in [json!("sixty"), json!(-1), json!(300), json!(null), json!(0.6)] {
        let said = alone(|reply| reply["position"]["success"] = wrong.clone(), 0);
        assert!(matches!(said, Err(ParseError::Shape(_))), "{wrong}");
    }
}

#[test]
fn what_is_far_too_long_is_asked_for_again_and_then_stays_whole() {
    let long = "word ".repeat(400);
    let first = alone(|reply| reply["analysis"] = json!(long), 0);
    assert!(
        matches!(&first, Err(ParseError::Long(why)) if why.contains("`analysis` has 400 words, at most 200")),
        "{first:?}"
    );
    let a_little = alone(|reply| reply["analysis"] = json!("word ".repeat(250)), 0);
    assert!(a_little.is_ok());
}

#[test]
fn a_letter_is_found_however_it_is_named() {
    let letters = [ModuleName("cost".into()), ModuleName("risk".into())];
    for (said, whose_it_is) in [
        ("B", "Risk"),
        ("b", "Risk"),
        ("Analysis B", "Risk"),
        ("analyse B.", "Risk"),
        ("(A)", "Cost"),
        ("Z", ""),
        ("", ""),
        ("cost", ""),
    ] {
        assert_eq!(whose(said, &letters), whose_it_is, "{said}");
    }
}

#[test]
fn letters_become_names_and_no_change_is_none() {
    let output = challenge(|_| {}).unwrap();
    let Spoken::Challenge(said) = &output.said else { panic!("{output:?}") };
    assert_eq!((said.responses[0].of.as_str(), said.responses[0].verdict), ("Risk", Holding::InPart));
    assert_eq!(said.against, "Cost may be right.");
    assert_eq!(said.position.crux, "As Risk says.");
    assert_eq!(output.revised(), None);
    let moved = challenge(|reply| reply["revised"] = json!("The fee, by 10 points.")).unwrap();
    assert_eq!(moved.revised(), Some("The fee, by 10 points."));
}
