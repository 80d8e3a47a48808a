//! Whether a sentence tells the reader what to do. That something *should be stated* is part of a finding and none.

use super::words::{Word, any, phrase};

/// Advice wherever it stands.
const PHRASES: [&str; 14] = [
    "you also|really|probably|perhaps? should|must|could|ought|need",
    "you might|may|will|would also? want|wish|like|consider|do|benefit|need",
    "i|we would|d|also|strongly|therefore? recommend|suggest|advise|propose|urge",
    "my|our recommendation|advice|suggestion",
    "du solltest|musst|könntest",
    "sie sollten|müssen|könnten",
    "wir|ich empfehle|empfehlen|rate|raten",
    "vous devriez|devez|pourriez",
    "nous recommandons|conseillons|suggérons",
    "je recommande|conseille|suggère",
    "usted debería|debe|podría",
    "le|les|te recomendamos|recomiendo|sugerimos",
    "deberías|deberíais",
    "recomendamos que?",
];

/// Verbs that command at the start of a sentence, whatever follows.
const COMMANDS: [&str; 28] = [
    "consider",
    "add",
    "rewrite",
    "remove",
    "clarify",
    "provide",
    "include",
    "revise",
    "ensure",
    "replace",
    "define",
    "specify",
    "explain",
    "cite",
    "avoid",
    "expand",
    "rephrase",
    "restructure",
    "delete",
    "reconsider",
    "strengthen",
    "shorten",
    "simplify",
    "elaborate",
    "incorporate",
    "rework",
    "verify",
    "justify",
];

/// Verbs that are nouns too, and command only where what is to be done follows.
const NOUNS_TOO: [&str; 16] = [
    "use", "check", "test", "state", "address", "document", "support", "quote", "limit", "detail", "name",
    "list", "break", "move", "cut", "make",
];

/// What follows a command and no noun.
const OBJECTS: [&str; 15] = [
    "a", "an", "the", "this", "that", "these", "those", "all", "each", "its", "any", "whether", "your",
    "sure", "more",
];

/// After a verb it is a title or a thing and commands nobody: `Rewrite rules are absent`.
const THINGS: [&str; 14] =
    ["of", "is", "are", "was", "were", "rules", "rule", "has", "have", "does", "do", "on", "ons", "in"];

/// What may stand before a command.
const POLITE: [&str; 5] = ["please", "instead", "also", "then", "so"];

/// Whether it advises.
pub(super) fn advises(words: &[Word]) -> bool {
    commands(words) || any(words, &PHRASES) || addresses(words)
}

fn commands(words: &[Word]) -> bool {
    let first = usize::from(words.first().is_some_and(|word| POLITE.contains(&word.lower.as_str())));
    let (Some(verb), Some(next)) = (words.get(first), words.get(first + 1)) else { return false };
    let (verb_is, next_is) = (
        |list: &[&str]| list.contains(&verb.lower.as_str()),
        |list: &[&str]| list.contains(&next.lower.as_str()),
    );
    if next.before != ' ' {
        return false;
    }
    (verb_is(&COMMANDS) && !next_is(&THINGS)) || (verb_is(&NOUNS_TOO) && next_is(&OBJECTS))
}

/// `Your cost section should`: up to three words of whatever it is.
fn addresses(words: &[Word]) -> bool {
    let told = ["should", "must", "could", "ought", "needs"];
    (0..words.len()).any(|at| {
        phrase(words, at, "your")
            && words
                .iter()
                .skip(at + 2)
                .take(3)
                .take_while(|word| word.before == ' ')
                .any(|word| told.contains(&word.lower.as_str()))
    })
}
