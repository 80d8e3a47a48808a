//! What a side looked up, as its card says it.

use super::*;
use crate::sample::mediate::pages;
use domain::{Body, DebateTurn, EvidenceKind, Post, SearchFault, Searched};

/// A turn of arguments, two of which claim facts and one of which cites pages for it.
fn searched() -> DebateTurn {
    let mut turn = DebateTurn {
        sources: pages()[..2].to_vec(),
        searched: Some(Searched::Found { queries: vec!["rents at exit 14".into()], pages: 5 }),
        ..sample::debate().turns[1].clone()
    };
    let Body::Arguments { arguments, .. } = &mut turn.body else { panic!("{turn:?}") };
    arguments[0].reasoning.push_str(" So say two counts [1][2].");
    arguments[1].evidence = EvidenceKind::Fact;
    turn
}

fn cards(turn: &DebateTurn) -> Vec<Post> {
    turn_cards(&session(), &turn.slot.step(), turn, &sample::debate(), None)
}

#[test]
fn a_fact_has_its_source_or_is_marked_as_without() {
    let turn = searched();
    let mut posts = cards(&turn);
    let (title, text) = whole_turn(&turn);
    posts.extend(inspect::whole(&title, &text, &turn.numbered()));
    insta::assert_snapshot!("turn_cited", shown(&posts));
    let marked = |searched| {
        let mut turn = DebateTurn { searched, ..searched_nothing() };
        turn.dropped_citations = 1;
        shown(&cards(&turn)).matches("no source").count()
    };
    // Where a search was wanted and failed, they are without; where nobody wanted one, the card says that alone.
    assert_eq!(marked(Some(Searched::Failed(SearchFault::Down))), 2);
    assert_eq!(marked(Some(Searched::Nothing)), 2);
    assert_eq!([None, Some(Searched::Off), Some(Searched::NotSetUp)].map(marked), [0, 0, 0]);
}

fn searched_nothing() -> DebateTurn {
    let mut turn = searched();
    turn.sources.clear();
    let Body::Arguments { arguments, .. } = &mut turn.body else { panic!("{turn:?}") };
    arguments[0].reasoning.truncate(20);
    turn
}

#[test]
fn a_question_has_no_numbers_of_another_card() {
    let mut debate = sample::debate();
    let Body::Questions { questions } = &mut debate.turns[2].body else { panic!("questions") };
    questions[0].question = "Where does [3] say so?".into();
    let answers = debate.turns[3].clone();
    let text = shown(&turn_cards(&session(), &answers.slot.step(), &answers, &debate, None));
    assert!(text.contains("1. Where does") && !text.contains("[3"), "{text}");
}
