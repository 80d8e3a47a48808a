//! How long cards are: a turn is whole in its thread, a synthesis is short first with the rest behind a button.

use serde_json::Value;

use super::*;
use domain::DebateTurn;

/// What somebody reads on a card before they press anything.
fn read_on(post: &Post) -> usize {
    let texts = post.embeds.iter().flat_map(|embed| {
        let fields = embed.fields.iter().flat_map(|field| [&field.name, &field.value]);
        [&embed.title, &embed.description].into_iter().chain(fields)
    });
    texts.map(|text| text.chars().count()).sum()
}

/// The turn with each of its texts put anew by `write`, and what they are then.
fn rewritten(turn: &DebateTurn, mut write: impl FnMut(&str) -> String) -> (DebateTurn, Vec<String>) {
    fn walk(value: &mut Value, write: &mut dyn FnMut(&str) -> String, written: &mut Vec<String>) {
        match value {
            // What is no text but one of a few words has no space.
            Value::String(text) if text.contains(' ') => {
                *text = write(text);
                written.push(text.clone());
            }
            Value::Array(items) => items.iter_mut().for_each(|item| walk(item, write, written)),
            Value::Object(fields) => fields.values_mut().for_each(|item| walk(item, write, written)),
            _ => {}
        }
    }
    let (mut body, mut written) = (serde_json::to_value(&turn.body).unwrap(), Vec::new());
    walk(&mut body, &mut write, &mut written);
    (DebateTurn { body: serde_json::from_value(body).unwrap(), ..turn.clone() }, written)
}

/// A turn of 400 words, as long as a phase lets it be.
fn of_400_words(turn: &DebateTurn) -> (DebateTurn, Vec<String>) {
    let (_, texts) = rewritten(turn, str::to_owned);
    let (each, mut number) = (400 / texts.len().max(1), 0);
    rewritten(turn, |_| {
        number += 1;
        let words: Vec<String> = (2..each).map(|at| format!("word{number}x{at}")).collect();
        format!("Part{number} {} end{number}.", words.join(" "))
    })
}

#[test]
fn a_turn_of_400_words_stands_whole_on_its_card() {
    let debate = sample::debate();
    let mut posts = Vec::new();
    for turn in &debate.turns {
        let (turn, texts) = of_400_words(turn);
        let cards = turn_cards(&session(), &turn.slot.step(), &turn, &debate, None);
        assert_fit(&cards, OWN);
        let card = shown(&cards);
        assert_eq!(cards.len(), 1, "one message: {card}");
        assert_eq!(cards[0].embeds.len(), 1, "one embed: {card}");
        for word in texts.iter().flat_map(|text| text.split_whitespace()) {
            assert!(card.contains(word), "{}: {word} is missing: {card}", turn.slot);
        }
        assert!(!card.contains('…') && !card.contains("Whole turn"), "nothing is left for a button: {card}");
        posts.extend(cards);
    }
    assert!(shown(&posts).contains("In its strongest form") && shown(&posts).contains("Even if it holds"));
}

#[test]
fn what_no_message_could_hold_is_cut_at_a_sentence_with_a_button_to_the_whole() {
    let debate = sample::debate();
    for turn in &debate.turns {
        let (turn, texts) = rewritten(turn, |text| {
            format!("{text} {}", "More follows, and more of it again and again. ".repeat(120))
        });
        if texts.is_empty() {
            continue;
        }
        let cards = turn_cards(&session(), &turn.slot.step(), &turn, &debate, None);
        let card = shown(&cards);
        assert_eq!(cards.len(), 1, "{}: {card}", turn.slot);
        assert!(read_on(&cards[0]) > 3_000, "{}: {} characters", turn.slot, read_on(&cards[0]));
        assert!(card.contains(". …\n") && card.contains("Whole turn"), "{}: {card}", turn.slot);
    }
}

#[test]
fn a_synthesis_shows_each_disagreement_with_the_same_room_for_both_sides() {
    let mut posted = sample::synthesis();
    let said = &mut posted.synthesis;
    let (short, long) =
        ("Short. And more of it again and again. ".repeat(20), "Long and longer, on and on. ".repeat(30));
    let parting = domain::CoreDisagreement {
        pro_position: short,
        con_position: long,
        ..said.core_disagreements[0].clone()
    };
    said.core_disagreements = vec![parting; 3];
    let text = shown(&synthesis_cards(&session(), &"synthesis".into(), &posted, None));
    let room = |side: &str| -> Vec<usize> {
        text.lines().filter(|line| line.contains(side)).map(|line| line.chars().count()).collect()
    };
    let (pro, con) = (room("Pro holds"), room("Con holds"));
    assert_eq!((pro.len(), con.len()), (3, 3), "{text}");
    assert!(pro[0].abs_diff(con[0]) <= 12, "{pro:?} {con:?}");
}
