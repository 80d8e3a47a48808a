//! What holds for every text, whatever is in it.

use proptest::prelude::*;

use super::*;

/// Texts of words the gate knows, and some it does not.
fn any_text() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Pro",
        "Con",
        "Pro's",
        "Con’s",
        "the",
        "is",
        "right",
        "argues",
        "that",
        "states",
        "should",
        "must",
        "stronger",
        "argument",
        "wins",
        ".",
        ",",
        ";",
        ":",
        "but",
        "and",
        "both sides",
        "agree",
        "“",
        "”",
        "\"",
        "whether",
        "or",
        "not",
        "evidence",
        "favours",
        "recommend",
        "rightly",
        "in",
        "view",
        "according to",
        "for",
        "\n\n",
        "—",
        "(",
        ")",
        "if",
        "fails",
        "pros and cons",
        "water",
        "Con la",
        "neither",
        "nor",
        "proposition",
        "justified",
        "Should the United States impose a moratorium on new AI data centers?",
    ]);
    prop::collection::vec(words, 0..40).prop_map(|words| words.join(" "))
}

fn verdicts(text: &str) -> Vec<String> {
    of_text(text, &asking(QUESTION)).into_iter().map(|violation| violation.shown).collect()
}

fn swapped(text: &str) -> String {
    text.replace("Pro", "\u{1}")
        .replace("Con", "Pro")
        .replace('\u{1}', "Con")
        .replace("pros and cons", "cons and pros")
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,300}|(?s).{0,100}", question in "\\PC{0,80}") {
        let _ = of_text(&text, &asking(&question));
    }

    #[test]
    fn emphasis_and_white_space_make_no_difference(text in any_text(), mark in prop::sample::select(vec!["**", "*", "__", "~~", "`"])) {
        let plain = verdicts(&text);
        let marked: Vec<String> = text.split(' ').map(|word| {
            if word.chars().all(char::is_alphanumeric) && !word.is_empty() { format!("{mark}{word}{mark}") } else { word.to_owned() }
        }).collect();
        prop_assert_eq!(&verdicts(&marked.join(" ")), &plain);
        prop_assert_eq!(&verdicts(&format!("\n\n  {} \t\n", text.replace(' ', "  "))), &plain);
        prop_assert_eq!(&verdicts(&text.replace('\'', "’")), &plain);
    }

    #[test]
    fn both_sides_are_judged_alike(text in any_text(), at in 0..PLACES.len()) {
        prop_assert_eq!(verdicts(&text), verdicts(&swapped(&text)));
        {
            let (section, put) = PLACES[at];
            let (mut here, mut there) = (sound(), sound());
            put(&mut here, text.clone());
            // The same with the sides changed everywhere.
            there.executive_summary = swapped(&there.executive_summary);
            there.neutrality_check = swapped(&there.neutrality_check);
            put(&mut there, swapped(&text));
            let conflict = &mut there.assumption_conflicts[0];
            conflict.impact_on_debate = swapped(&conflict.impact_on_debate);
            std::mem::swap(&mut conflict.pro_assumption, &mut conflict.con_assumption);
            let between = &mut there.between[0];
            for text in [&mut between.position, &mut between.pro_objection, &mut between.con_objection] {
                *text = swapped(text);
            }
            std::mem::swap(&mut between.pro_objection, &mut between.con_objection);
            let position = &mut there.core_disagreements[0];
            std::mem::swap(&mut position.pro_position, &mut position.con_position);
            for hinge in &mut there.decision_hinges {
                hinge.then_favors = match hinge.then_favors {
                    Favors::Pro => Favors::Con,
                    Favors::Con => Favors::Pro,
                    Favors::Neutral => Favors::Neutral,
                };
            }
            let shown = |synthesis: &DebateSynthesis| -> Vec<(Section, String)> {
                let found = of_synthesis(synthesis, &asking(QUESTION));
                found.into_iter().map(|violation| (violation.section, violation.shown)).collect()
            };
            prop_assert_eq!(shown(&here), shown(&there), "{:?}", section);
        }
    }
}
