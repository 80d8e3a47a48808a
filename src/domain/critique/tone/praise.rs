//! Whether a sentence praises.

use super::words::{Word, phrase};

/// Praise in whatever it is said of.
const PRAISE: [&str; 41] = [
    "impressive|impressively",
    "commendable|commendably",
    "praiseworthy",
    "laudable|laudably",
    "admirable|admirably",
    "excellent|excellently",
    "superb|superbly",
    "brilliant|brilliantly",
    "exemplary",
    "masterful|masterfully",
    "insightful|insightfully",
    "fantastic",
    "wonderful|wonderfully",
    "amazing|amazingly",
    "top notch",
    "thought provoking",
    "well written",
    "well structured",
    "well crafted",
    "well organized|organised",
    "well argued",
    "well reasoned",
    "well researched",
    "well thought out",
    "well articulated",
    "well presented",
    "beautifully|elegantly|clearly|nicely|skilfully|skillfully written|structured|argued|organized|organised",
    "well done",
    "good|great|nice job|work",
    "kudos",
    "congratulations",
    "deserves|deserve|merits praise|credit|applause|recognition",
    "to be commended|applauded|praised|congratulated",
    "hervorragend|hervorragende|hervorragender|hervorragendes",
    "lobenswert|lobenswerte|beeindruckend|beeindruckende",
    "gut geschrieben|strukturiert|gegliedert",
    "excellente|excellents|excellentes",
    "impressionnant|impressionnante",
    "bien écrit|écrite|structuré|structurée",
    "excelente|excelentes|impresionante",
    "bien escrito|escrita|estructurado|estructurada",
];

/// Words that praise a document and what is in it, and are innocent of anything else: `a great plan`, but `a great risk`.
const GOOD: [&str; 13] = [
    "outstanding",
    "remarkable",
    "great",
    "strong",
    "solid",
    "good",
    "fine",
    "nice",
    "compelling",
    "thorough",
    "thoughtful",
    "lovely",
    "terrific",
];

/// What they praise.
const PRAISED: [&str; 24] = [
    "document",
    "documents",
    "report",
    "paper",
    "text",
    "essay",
    "proposal",
    "draft",
    "piece",
    "write",
    "writeup",
    "analysis",
    "overview",
    "summary",
    "contribution",
    "effort",
    "clarity",
    "structure",
    "prose",
    "style",
    "achievement",
    "plan",
    "read",
    "document's",
];

/// What may stand between the two.
const BETWEEN: [&str; 14] = [
    "and",
    "very",
    "overall",
    "clear",
    "concise",
    "detailed",
    "written",
    "strategic",
    "technical",
    "first",
    "initial",
    "policy",
    "strong",
    "good",
];

/// What praises a document that *is* so: `the plan is great.`
const PREDICATE: &str =
    "is|are really|truly|very|quite|simply? great|outstanding|wonderful|strong|solid|good";

/// After a word of praise, something that is none: `brilliant white`, `excellent` as a grade.
const INNOCENT_AFTER: [&str; 15] = [
    "white",
    "blue",
    "green",
    "red",
    "rating",
    "ratings",
    "grade",
    "grades",
    "score",
    "scores",
    "credit",
    "category",
    "conditions",
    "practice",
    "practices",
];

/// Before it, what says that it is a grade.
const GRADED: [&str; 8] = ["rated", "graded", "ranked", "scored", "rating", "grade", "labelled", "labeled"];

/// What denies it, among the few words before.
const DENIED: [&str; 24] = [
    "not",
    "t",
    "no",
    "never",
    "nor",
    "neither",
    "hardly",
    "barely",
    "without",
    "lack",
    "lacks",
    "lacking",
    "less",
    "nothing",
    "cannot",
    "nicht",
    "kein",
    "keine",
    "pas",
    "sans",
    "sin",
    "anything",
    "far",
    "insufficiently",
];

/// What says that it is the text's own praise, or somebody's.
const CLAIMED: [&str; 52] = [
    "claim",
    "claims",
    "claimed",
    "claiming",
    "describe",
    "describes",
    "described",
    "describing",
    "call",
    "calls",
    "called",
    "calling",
    "assert",
    "asserts",
    "asserted",
    "state",
    "states",
    "stated",
    "promise",
    "promises",
    "promised",
    "promising",
    "assume",
    "assumes",
    "assumed",
    "present",
    "presents",
    "presented",
    "presupposes",
    "advertise",
    "advertises",
    "advertised",
    "says",
    "said",
    "whether",
    "if",
    "word",
    "words",
    "term",
    "terms",
    "adjective",
    "adjectives",
    "supposedly",
    "allegedly",
    "purportedly",
    "purported",
    "alleged",
    "declares",
    "according",
    "define",
    "defines",
    "defined",
];

/// How many words before praise may deny it.
const REACH: usize = 4;

/// What follows praise where it says how something ought to be, or is not: `a thorough analysis is absent`.
const WANTED: [&str; 13] = [
    "would", "missing", "absent", "lacking", "lacks", "not", "needed", "required", "requires", "needs",
    "wanting", "nowhere", "damages",
];

/// What begins another thought.
const TURNS: [&str; 5] = ["but", "yet", "although", "though", "while"];

/// Whether it praises.
pub(super) fn praises(words: &[Word]) -> bool {
    (0..words.len()).any(|at| {
        let said = PRAISE.iter().any(|one| phrase(words, at, one));
        (said || praises_noun(words, at) || praises_subject(words, at)) && !is_innocent(words, at)
    })
}

fn among(list: &[&str], word: &Word) -> bool {
    list.contains(&word.lower.as_str())
}

/// `A strong document`, `a great and concise plan`.
fn praises_noun(words: &[Word], at: usize) -> bool {
    let joined = |word: &&Word| matches!(word.before, ' ' | ',');
    let between =
        words.iter().skip(at + 1).take(2).take_while(joined).take_while(|word| among(&BETWEEN, word)).count();
    let praised = words.get(at + 1 + between).filter(joined).is_some_and(|word| among(&PRAISED, word));
    among(&GOOD, &words[at]) && praised
}

/// `The document is great.` and no more: `the plan is strong on cost` weighs it.
fn praises_subject(words: &[Word], at: usize) -> bool {
    let ends = |word: &Word| matches!(word.after, '.' | '!' | ',');
    among(&PRAISED, &words[at])
        && phrase(words, at + 1, PREDICATE)
        && words.iter().skip(at + 2).take(2).any(ends)
}

fn is_innocent(words: &[Word], at: usize) -> bool {
    let before = words.get(..at).unwrap_or_default();
    let denied = before.iter().rev().take(REACH).any(|word| among(&DENIED, word));
    let claimed = before.iter().any(|word| among(&CLAIMED, word));
    let graded = before.iter().rev().take(2).any(|word| among(&GRADED, word));
    let conceded = before.last().is_some_and(|word| word.lower == "however" && word.after == ' ');
    let after = || words.iter().skip(at + 1).take_while(|word| matches!(word.before, ' ' | '-' | '\''));
    let something_else = after().take(2).any(|word| among(&INNOCENT_AFTER, word));
    let wanted =
        after().take(REACH + 1).take_while(|word| !among(&TURNS, word)).any(|word| among(&WANTED, word));
    denied || claimed || graded || conceded || something_else || wanted
}
