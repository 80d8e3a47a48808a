//! *Response A* in a rebuttal means another expert for each reader. People are shown who is meant; what is stored
//! keeps the letters.

use super::super::text;
use domain::{Letters, Proposal, without_letters};

/// A reader's Markdown with role names in place of *Response A* and of *Responses A and B*. Letters that stood for
/// nobody, and letters anywhere else, stay as they are.
#[must_use]
pub fn named(markdown: &str, reading: &Letters, proposal: &Proposal) -> String {
    without_letters(markdown, &["response"], |letter| {
        let (_, expert) = reading.letters().find(|(known, _)| *known == letter)?;
        Some(text::label(&proposal.name_of(expert), 80))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sample::roundtable as sample;
    use domain::ExpertId;

    fn proposal(names: [&str; 3]) -> Proposal {
        Proposal { roles: sample::roles(&names.map(|name| (name, "m"))), ..sample::proposal(0) }
    }

    fn read(text: &str) -> String {
        let reading = Letters { reader: ExpertId(1), others: vec![ExpertId(3), ExpertId(2)] };
        named(text, &reading, &proposal(["Ada", "Lawyer", "Cook"]))
    }

    #[test]
    fn letters_become_names_where_they_stand_for_somebody() {
        for (text, shown) in [
            ("Response A overlooks rent.", "Cook overlooks rent."),
            ("I side with response B's point; RESPONSE A, less.", "I side with Lawyer's point; Cook, less."),
            ("**Response B** (not Response A).", "**Lawyer** (not Cook)."),
            ("Responses A and B agree.", "Cook and Lawyer agree."),
            ("Both Responses A, B overlook it", "Both Cook, Lawyer overlook it"),
            ("Response\u{a0}A/B", "Cook/Lawyer"),
            ("- Response A\n- Response B\n", "- Cook\n- Lawyer\n"),
        ] {
            assert_eq!(read(text), shown);
        }
    }

    #[test]
    fn everything_else_stays() {
        for text in [
            "Response C was never there.",
            "In response a market grew; response AB, Response A1, Response A_x.",
            "Plan A and B2B; Correspondence A; the response And more; nonresponse A",
            "Response",
            "Responses",
            "Response ",
            "",
            "Rësponse A, ﷽ response",
        ] {
            assert_eq!(read(text), text);
        }
    }

    #[test]
    fn names_are_text_whatever_they_hold() {
        let reading = Letters { reader: ExpertId(1), others: vec![ExpertId(2)] };
        let shown = named("Response A", &reading, &proposal(["a", "**@everyone** Response B", "c"]));
        assert_eq!(shown, "\\*\\*@\u{200b}everyone\\*\\* Response B");
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn a_text_without_the_word_is_not_touched(text in any::<String>()) {
            prop_assume!(!text.to_ascii_lowercase().contains("response"));
            prop_assert_eq!(read(&text), text);
        }
    }
}
