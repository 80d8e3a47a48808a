//! How long cards are: a turn, the synthesis and an open question are whole in their thread.

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
    assert!(shown(&posts).contains("At its strongest") && shown(&posts).contains("Against it"));
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

/// Lengthens each text of a synthesis but the moderator's word on itself; each ends with a mark of its own.
fn lengthen(value: &mut Value, marks: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains(' ') => {
            let (number, more) = (marks.len(), "and more of it, again and again, ".repeat(18));
            marks.push(format!("end{number}x"));
            *text = format!("{text} Then {more}and so on to end{number}x");
        }
        Value::Array(items) => items.iter_mut().for_each(|item| lengthen(item, marks)),
        Value::Object(fields) => {
            fields
                .iter_mut()
                .filter(|(name, _)| *name != "neutrality_check")
                .for_each(|(_, item)| lengthen(item, marks));
        }
        _ => {}
    }
}

/// What was judged to be neutral is what is shown: a half that is left away may be the one that helps a side.
#[test]
fn a_paper_stands_whole_in_the_thread_and_all_else_behind_its_button() {
    let posted = sample::synthesis();
    let mut said = serde_json::to_value(&posted.synthesis).unwrap();
    let mut marks = Vec::new();
    lengthen(&mut said, &mut marks);
    let synthesis: domain::DebateSynthesis = serde_json::from_value(said).unwrap();
    let posted = domain::NeutralSynthesis { synthesis, ..posted };
    let mut cards =
        synthesis_cards(&session(), &"synthesis".into(), &posted, (None, &sample::brief(Preset::Full)));
    assert_fit(&cards, OWN);
    // The open questions stand on their panel; so many words as these are no longer whole on one.
    for hinges in posted.synthesis.decision_hinges.chunks(2) {
        cards.push(hinges_panel(&session(), hinges, &[], true));
    }
    let (text, (_, behind)) = (shown(&cards), super::super::whole_synthesis(&posted));
    for mark in &marks {
        assert!(behind.contains(mark.as_str()), "{mark} is missing: {behind}");
    }
    assert!(marks.len() > 15, "{marks:?}");
    let before_all = |mark: &&String| posted.synthesis.executive_summary.contains(mark.as_str());
    let paper: Vec<&String> = marks.iter().filter(before_all).collect();
    assert!(!paper.is_empty() && paper.iter().all(|mark| text.contains(mark.as_str())), "{paper:?}: {text}");
    assert!(text.matches("If true:").count() == posted.synthesis.decision_hinges.len(), "{text}");
}

#[test]
fn an_open_question_that_is_looked_at_again_shows_all_of_what_it_was_and_is() {
    let long =
        |words: &str| format!("{} {words}", "On the one hand it is so, on the other it is not.".repeat(30));
    let before = domain::Hinge {
        current_evidence: long("before it ends"),
        ..sample::synthesis().synthesis.decision_hinges[0].clone()
    };
    let after = domain::Hinge { current_evidence: long("now it ends"), ..before.clone() };
    let evidence = sample::evidence(4, Some(1));
    let cards = hinge_card(
        &session(),
        &"hinge/1/4".into(),
        1,
        (&before, &after),
        &evidence,
        ("m", &Judgement::default()),
        None,
    );
    assert_fit(&cards, &[OWN, MEMBERS].concat());
    let text = shown(&cards);
    assert!(text.contains("before it ends") && text.contains("now it ends"), "{text}");
}
