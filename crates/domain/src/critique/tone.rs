//! The tone of a review: objective and impersonal. No "I", no praise, no advice beyond what a finding needs.
//!
//! The phrases are few, in English, German, French, Spanish and Portuguese. What they find is pointed out once; what still stands is
//! kept and marked, for a sentence that goes may have told a finding.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::own_sentences;

/// Whoever writes speaks of itself, advises whoever reads, or praises.
static PHRASES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let personal = r"I (?:think|believe|find|feel|would|recommend|suggest|consider|agree|am)|in (?:my|our) (?:view|opinion)|we (?:think|believe|find|recommend|suggest|consider)|ich (?:finde|denke|meine|glaube|empfehle)|meiner meinung nach|wir (?:finden|empfehlen|meinen)|je (?:pense|trouve|recommande|crois)|à mon avis|nous (?:pensons|recommandons)|(?:yo )?(?:creo|pienso|recomiendo) que|en mi opinión|(?:eu )?(?:acho|creio|penso|recomendo) que|na minha opinião";
    let advice = r"you (?:should|must|need to|ought to|may want to|might want to|could)|it is (?:recommended|advisable) (?:to|that)|the authors? (?:should|must|ought to)|consider (?:adding|including|rewriting|revising)|sie sollten|vous devriez|usted debería|você deve(?:ria)?";
    let praise = r"well[- ](?:written|argued|structured|researched)|impressive(?:ly)?|brilliant(?:ly)?|admirabl[ey]|excellent (?:work|text|paper|document|plan|job)|(?:great|good) (?:work|job)|commendabl[ey]|hervorragend\w*|excelente trabajo|remarquablement|excelente texto|muito bem escrito";
    Regex::new(&format!(r"(?i)\b(?:{personal}|{advice}|{praise})\b")).ok()
});

/// The sentences that speak of a person, advise or praise, each on one line. What stands in quotation marks is the text's
/// and is let pass.
#[must_use]
pub fn lapses(text: &str) -> Vec<String> {
    let lapses = |sentence: &String| PHRASES.as_ref().is_some_and(|phrases| phrases.is_match(sentence));
    own_sentences(text, &[]).into_iter().filter(lapses).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_personal_advises_or_praises_is_pointed_out() {
        for text in [
            "I think that the cost is missing.",
            "In my view, the price is too low.",
            "You should name the source.",
            "It is recommended to add a source.",
            "The text is well written, but names no price.",
            "Ich finde den Preis zu hoch.",
            "Sie sollten den Preis nennen, und vous devriez aussi.",
            "À mon avis, le prix manque.",
            "Na minha opinião, falta o preço.",
            "Você deveria citar a fonte.",
        ] {
            assert_eq!(lapses(&format!("The price is missing. {text}")).len(), 1, "{text:?}");
        }
        for text in [
            "",
            "Article I of the statute is quoted without its date.",
            "The exemplary case does not carry the general claim.",
            "Why the readers should agree is not said.",
            "The document says “we think it is brilliant” without a reason.",
            "The plan calls itself excellent and names no measure.",
            "Nobody is said to recommend it.",
        ] {
            assert_eq!(lapses(text), Vec::<String>::new(), "{text:?}");
        }
        assert!(PHRASES.is_some());
    }
}
