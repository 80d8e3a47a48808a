//! Cards are short first: about a phone's screen, whatever a model wrote, with the rest behind a button.

use super::*;
use crate::domain::{Argument, Body, DebateTurn, RebuttalPoint};

/// What somebody reads on a card before they press anything.
fn read_on(post: &Post) -> usize {
    let texts = post.embeds.iter().flat_map(|embed| {
        let fields = embed.fields.iter().flat_map(|field| [&field.name, &field.value]);
        [&embed.title, &embed.description].into_iter().chain(fields)
    });
    texts.map(|text| text.chars().count()).sum()
}

/// As long as the form of a turn lets it be: three or more sentences wherever one is asked for.
fn long(body: &Body) -> Body {
    let text = |text: &str| format!("{text} {}", "More follows, and more of it again and again. ".repeat(12));
    let texts = |texts: &[String]| texts.iter().cycle().take(3).map(|said| text(said)).collect();
    match body.clone() {
        Body::Opening { position, preview, assumptions } => Body::Opening {
            position: text(&position),
            preview: texts(&preview),
            assumptions: texts(&assumptions),
        },
        Body::Arguments { framework, arguments } => Body::Arguments {
            framework: framework.map(|framework| text(&framework)),
            arguments: (arguments.into_iter().cycle().take(3))
                .map(|said| Argument { claim: text(&said.claim), ..said })
                .collect(),
        },
        Body::Questions { mut questions } => {
            for asked in &mut questions {
                asked.question = text(&asked.question);
            }
            Body::Questions { questions }
        }
        Body::Answers { mut answers } => {
            for answer in &mut answers {
                answer.answer = text(&answer.answer);
            }
            Body::Answers { answers }
        }
        Body::Rebuttal { points } => Body::Rebuttal {
            points: (points.into_iter().cycle().take(5))
                .map(|point| RebuttalPoint {
                    quotation: text(&point.quotation),
                    steel_man: text("STEELMAN."),
                    answer: text(&point.answer),
                    even_if: text("EVENIF."),
                })
                .collect(),
        },
        Body::Closing { why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty } => {
            Body::Closing {
                why_we_disagree: text(&why_we_disagree),
                opponents_best_point: text(&opponents_best_point),
                what_would_change_my_mind: text(&what_would_change_my_mind),
                uncertainty: text(&uncertainty),
            }
        }
    }
}

#[test]
fn a_turn_is_about_a_phones_screen_long_and_its_whole_has_the_rest() {
    let debate = sample::debate();
    for turn in &debate.turns {
        let turn = DebateTurn { body: long(&turn.body), in_short: turn.in_short.repeat(9), ..turn.clone() };
        let post = turn_cards(&session(), &turn.slot.step(), &turn, &debate, None).remove(0);
        assert!(read_on(&post) <= 1_200, "{}: {} characters", turn.slot, read_on(&post));
        let card = shown(std::slice::from_ref(&post));
        assert!(!card.contains("STEELMAN") && !card.contains("EVENIF"), "{card}");
        let (_, whole) = whole_turn(&turn);
        if let Body::Rebuttal { .. } = turn.body {
            assert!(
                card.contains("…and 2 more") && card.contains("All 5 stand in the whole turn."),
                "{card}"
            );
            assert!(
                whole.contains("STEELMAN") && whole.contains("EVENIF") && whole.contains("Point 5"),
                "{whole}"
            );
        }
    }
}

#[test]
fn a_synthesis_shows_each_disagreement_with_the_same_room_for_both_sides() {
    let mut posted = sample::synthesis();
    let said = &mut posted.synthesis;
    let (short, long) =
        ("Short. And more of it again and again. ".repeat(20), "Long and longer, on and on. ".repeat(30));
    let parting = crate::domain::CoreDisagreement {
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
