//! The tone of an assessment, sentence by sentence.

use proptest::prelude::*;

use super::*;
use crate::domain::critique::outline::fence_of;

fn lapse(sentence: &str) -> Option<Lapse> {
    lapses(sentence).into_iter().next().map(|(_, lapse)| lapse)
}

#[test]
fn what_speaks_of_itself_lapses_and_its_look_alikes_do_not() {
    for sentence in [
        "I find the argument weak.",
        "Hence I conclude that it fails.",
        "In my view the cost is not shown.",
        "My reading is that the cost is missing.",
        "We see no source for this.",
        "This strikes us as circular.",
        "To me this seems circular.",
        "Our analysis shows a gap.",
        "I'm not sure that this holds.",
        "I’ve found two contradictions.",
        "The part I think is weak is the second.",
        "**I** doubt it.",
        "As an AI language model, judging this is hard.",
        "The cost, I suspect, is too low.",
        "In other words we think it fails.",
        "The text is vague; I would not rely on it.",
        "Ich finde keinen Beleg.",
        "Wir sehen keinen Beleg.",
        "Je ne vois pas de preuve.",
        "J'ai trouvé deux contradictions.",
        "Nous pensons que la preuve manque.",
        "À mon avis la preuve manque.",
        "Creemos que falta la prueba.",
        "En mi opinión falta la prueba.",
    ] {
        assert_eq!(lapse(sentence), Some(Lapse::Personal), "{sentence}");
    }
    for sentence in [
        "Article I does not bind the buyer.",
        "The Roman numeral I is used twice.",
        "World War I is dated wrongly.",
        "Phase I was late.",
        "Phase I, which was late, is not costed.",
        "In Phase I the cost doubles.",
        "Type I errors are not counted.",
        "Patients with type I have no control group.",
        "Sections I and II contradict each other.",
        "I and II contradict each other.",
        "Chapters I–III name no source.",
        "Under George I the rule was another.",
        "I. The premise is missing.",
        "(I) The premise is missing.",
        "The I/O budget is missing.",
        "The I-beam is not rated.",
        "The text says “I am sure” without a reason.",
        "The text says \"we cannot fail\" without a reason.",
        "Le texte dit « nous pensons » sans raison.",
        "The variable `i` or `I` is never set.",
        "The US market is left out.",
        "The IT budget is left out.",
        "i.e. nothing is said of it.",
        "The About us page has another figure.",
        "The file my_notes.txt is named but not attached.",
        "The Ich-AG is not mentioned.",
        "Je nach Lesart fehlt der Beleg.",
        "It is itself unproven.",
        "The mine is not surveyed.",
        "ME/CFS is left undefined.",
        "The term nous is used in two senses.",
        "The pronoun 'we' changes its meaning twice.",
        "The pronoun we changes its meaning twice.",
        "If I is the identity, the proof is circular.",
        "The states' duty is stated as 'I owe nothing' and as a duty.",
    ] {
        assert_eq!(lapse(sentence), None, "{sentence}");
    }
}

#[test]
fn praise_lapses_and_its_look_alikes_do_not() {
    for sentence in [
        "The document is impressive.",
        "An excellent overview of the field.",
        "The plan is well written.",
        "The plan is *well-structured* and easy to follow.",
        "A commendable effort.",
        "This is a strong document overall.",
        "This is a great plan.",
        "The document is great.",
        "The report is truly outstanding.",
        "An outstanding analysis.",
        "Its candour is praiseworthy.",
        "The care taken is admirable.",
        "The argument is clearly written.",
        "The author is to be commended.",
        "Good work!",
        "The text makes insightful points.",
        "Der Text ist gut geschrieben.",
        "Eine hervorragende Arbeit.",
        "Le texte est bien écrit.",
        "Un excelente texto.",
        "It is a thorough, clear analysis.",
        "However, it is an impressive text.",
        "The document is excellent but lacks sources.",
    ] {
        assert_eq!(lapse(sentence), Some(Lapse::Praise), "{sentence}");
    }
    for sentence in [
        "A great deal of the cost is not shown.",
        "The cost is greater than stated.",
        "The risk is great.",
        "A great risk is left out.",
        "Great Britain is left out.",
        "The outstanding debt is not counted.",
        "The payment is outstanding.",
        "The outstanding work is not listed.",
        "The text calls itself “excellent”.",
        "The text calls its own results excellent without a measure.",
        "The report claims an impressive gain and gives no figure.",
        "Whether the results are impressive depends on the base.",
        "The section is not well written.",
        "The proof is far from brilliant.",
        "It lacks an excellent source.",
        "Bonds rated excellent are not defined.",
        "A strong assumption is left unstated.",
        "The strong claim in the second section has no source.",
        "Good faith is not defined.",
        "The brilliant white of the sample is not measured.",
        "The Centre of Excellence is not named.",
        "The plan is strong on cost and silent on time.",
        "A remarkable omission is the cost.",
        "A thorough analysis is absent.",
        "An excellent proposal would name its rivals.",
        "However impressive the figures are, no source is given.",
        "Exemplary damages are not capped.",
        "The first rate applies to firms only.",
        "Good work conditions are not defined.",
    ] {
        assert_eq!(lapse(sentence), None, "{sentence}");
    }
}

#[test]
fn advice_lapses_and_its_look_alikes_do_not() {
    for sentence in [
        "You should add a source.",
        "You must state the cost.",
        "you might want to state the cost.",
        "Your cost section should name a source.",
        "We recommend a second reading.",
        "I would suggest a second reading.",
        "Consider adding a source.",
        "Please add a source.",
        "Rewrite the second section.",
        "Add the missing source.",
        "**Clarify** the term.",
        "Make sure that the cost is stated.",
        "Use a table for this.",
        "Sie sollten den Beleg nennen.",
        "Wir empfehlen eine Quelle.",
        "Vous devriez citer la source.",
        "Nous recommandons une source.",
        "Recomendamos citar la fuente.",
    ] {
        assert_eq!(lapse(sentence), Some(Lapse::Advice), "{sentence}");
    }
    for sentence in [
        "The cost should be stated.",
        "The second section ought to be rewritten.",
        "The claim must be testable to count.",
        "Use of the term is inconsistent.",
        "State regulations are not cited.",
        "Check marks stand for two things.",
        "Rewrite rules are absent.",
        "Add-ons are not costed.",
        "The text says “you should trust us” without a reason.",
        "The reader is told that `you must` comply.",
        "Consideration of cost is absent.",
        "Additional costs are left out.",
        "The recommendation rests on one figure.",
        "If one follows the rule, the cost doubles.",
    ] {
        assert_eq!(lapse(sentence), None, "{sentence}");
    }
}

#[test]
fn sentences_that_lapse_go_and_the_markdown_stays() {
    for (text, kept, removed) in [
        ("The cost is missing.", "The cost is missing.", 0),
        ("I like it. The cost is missing.", "The cost is missing.", 1),
        (
            "The cost is missing. It is an excellent text. No source is given.",
            "The cost is missing. No source is given.",
            1,
        ),
        ("I like it.", "", 1),
        // Paragraphs and headings.
        ("A gap.\n\nI like it.\n\nAnother gap.", "A gap.\n\nAnother gap.", 1),
        ("## Impressive work\n\nA gap.", "A gap.", 1),
        ("## Cost\n\nI like it. A gap.\n", "## Cost\n\nA gap.", 1),
        // Lists.
        ("- I like it.\n- A gap.\n", "- A gap.", 1),
        ("- A gap. You should fill it.\n- Another.", "- A gap.\n- Another.", 1),
        ("1. Well written.\n2. A gap.\n   It is wide.", "2. A gap.\n   It is wide.", 1),
        ("- A gap.\n  - I like it.\n  - Another.", "- A gap.\n  - Another.", 1),
        ("- **Cost:** I like it.\n- **Time:** none.", "- **Time:** none.", 1),
        // Over the end of a line.
        ("The cost\nis missing. I like\nit. A gap.", "The cost\nis missing. A gap.", 1),
        // Emphasis over several sentences.
        ("**I like it. The cost is missing.**", "**The cost is missing.**", 1),
        ("**The cost is missing. I like it.** A gap.", "**The cost is missing.** A gap.", 1),
        ("A gap. **I like it. We do.** Another.", "A gap. Another.", 2),
        // Code, quotations and tables are the text's.
        ("```\nI like it.\n\n\n\nWe do.\n```\nI like it.", "```\nI like it.\n\n\n\nWe do.\n```", 1),
        ("> I like it.\n\nI like it too.", "> I like it.", 1),
        ("| I like it. | A gap. |\n|---|---|\n\nA gap.", "| I like it. | A gap. |\n|---|---|\n\nA gap.", 0),
        ("It says “I like it. We do.” without a reason.", "It says “I like it. We do.” without a reason.", 0),
        ("~~~\nI like it.", "~~~\nI like it.", 0),
        // As it was where nothing goes.
        ("  A gap.\n\n\n\nAnother.  ", "  A gap.\n\n\n\nAnother.  ", 0),
    ] {
        assert_eq!(impersonal(text), (kept.to_owned(), removed), "{text:?}");
    }
}

/// Texts of sentences, marks and breaks.
fn any_markdown() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "I like it.",
        "The cost is missing.",
        "You should stop.",
        "An excellent text!",
        "A gap",
        "- ",
        "1. ",
        "## ",
        "> ",
        "```",
        "```rust",
        "~~~",
        "\n",
        "\n\n",
        " ",
        "“",
        "”",
        "\"",
        "`",
        "``",
        "**",
        "*",
        "_",
        "We",
        "é",
        "契約。",
        "|",
        "…",
        "    ",
        "---",
        "* ",
        "\r\n",
        "😀",
        "e.g.",
        "my",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// The lines in blocks of code, with their fences.
fn code(text: &str) -> Vec<&str> {
    let mut open: Option<(char, usize)> = None;
    let mut code = Vec::new();
    for line in text.lines() {
        let fence = fence_of(line);
        if open.is_some() || fence.is_some() {
            code.push(line.trim());
        }
        open = match (open, fence) {
            (Some((mark, count)), Some((closing, length, true))) if mark == closing && length >= count => {
                None
            }
            (Some(open), _) => Some(open),
            (None, fence) => fence.map(|(mark, count, _)| (mark, count)),
        };
    }
    // Blank lines at the end of a fence that nobody closed may go.
    while code.last().is_some_and(|line| line.is_empty()) {
        code.pop();
    }
    code
}

proptest! {
    #![proptest_config(crate::cases(256))]

    #[test]
    fn nothing_is_lost_but_sentences_that_lapse(text in any_markdown()) {
        let (kept, removed) = impersonal(&text);
        prop_assert_eq!(usize::try_from(removed).unwrap(), lapses(&text).len());
        prop_assert!(removed > 0 || kept == text);
        prop_assert!(kept.len() <= text.len());
        prop_assert_eq!(code(&kept), code(&text), "{:?}\nkept {:?}", text, kept);
        // What is kept stands in the text in its order.
        let mut rest = text.chars();
        prop_assert!(kept.chars().all(|c| rest.any(|other| other == c)), "{:?}\nkept {:?}", text, kept);
    }

    #[test]
    fn any_text_can_be_judged(text in "\\PC{0,80}") {
        prop_assert!(lapses(&text).iter().all(|(sentence, _)| text.contains(sentence.as_str())));
        prop_assert!(impersonal(&text).0.len() <= text.len());
    }
}
