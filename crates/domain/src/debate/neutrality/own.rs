//! Whether the moderator says a phrase in its own voice, or reports it of somebody, or leaves it open.
//!
//! That a side is named before it is no report: "Con had fair points, Pro is right" is the moderator's own. It takes a
//! verb of saying or holding, a word for whose view it is, or a condition, in the same clause.

use std::sync::LazyLock;

use regex::Regex;

/// Verbs by which somebody says or holds something, and that are nothing else.
const SAYS: &str = r"says?|said|stated|hold|holds|held|argu(?:e|es|ed|ing)|claimed|maintain(?:s|ed)?|insist(?:s|ed)?|believ(?:e|es|ed)|think|thinks|admit(?:s|ted)?|conced(?:e|es|ed)|agree(?:s|d)?|answered|replied|contend(?:s|ed)?|assert(?:s|ed)?|den(?:y|ies|ied)|disputed|doubted|accept(?:s|ed)?|acknowledg(?:e|es|ed)|expect(?:s|ed)?|warn(?:s|ed)?|objected|countered|regarded|consider(?:s|ed)?|ask(?:s|ed)?|point(?:s|ed)? out|writes?|wrote|hat gesagt|sagen|sagt|sagte|meint|meinen|findet|finden|hält|halten|behauptet|argumentiert|glaubt|erklärt|betont|räumt|gesteht|fordert|bestreitet|bezweifelt|disent|dit|estime|soutient|affirme|pense|juge|croit|admet|concède|reconnaît|prétend|considère|dice|sostiene|afirma|cree|opina|argumenta|admite|reconoce|mantiene|piensa|considera|diz|sustenta|acha|acredita|defende|reconhece|mantém";

/// Words that are such a verb right behind whoever says it, and a noun elsewhere (“Con's fears”).
const SAYS_BEHIND_A_NAME: &str = "states|claims?|grants?|answers?|reply|replies|disputes?|doubts?|fears?|feared|calls?|called|finds?|found|objects?|counters?|regards?|sees?|saw|thought";

/// What a side has that it is told as: `Con's view is that …`.
const VIEWS: &str = "view|views|reading|account|answer|reply|claim|position|opinion|belief|assumption|premise|argument|objection|charge|point|idea|expectation|judgement|judgment|hope|terms|figures|sense|eyes|standpoint|perspective|own words";

/// Whether what stands in the clause before a phrase makes it a report or leaves it open.
static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let side = "(?:pro|con|each|either|neither|both|the other|one|side|sides|advocates?|camps?)";
    let open = [
        // Somebody says it, or it is somebody's view.
        format!(r"\b(?:{SAYS})\b"),
        format!(
            r"\b(?:{side}|it|they|who|which|and|also|member|members|team) (?:{SAYS_BEHIND_A_NAME})\b"
        ),
        format!(r"\b{side}(?: side)? that\b"),
        format!(r"\b(?:{VIEWS})(?: \w+)? that\b"),
        format!(r"\b(?:in|on|by|from|under|to) (?:the )?(?:\w+ )?(?:pro|con)(?:'s)?(?: own)? (?:{VIEWS})\b"),
        format!(r"\bin (?:the )?(?:{VIEWS}) of\b"),
        r"\b(?:for|to) (?:pro|con)\b".to_owned(),
        r"\b(?:according to|laut|zufolge|nach ansicht|aus sicht|selon|d'après|según|segundo|de acordo com|pour (?:pro|con)|para (?:pro|con))\b"
            .to_owned(),
        // It may or may not be so.
        r"\b(?:whether|if|unless|until|suppose|supposing|assuming|provided|whoever|neither|ob|wenn|falls|sofern|sollte|weder|si|cuando|supuesto|ni|se|caso|nem)\b"
            .to_owned(),
        r"\bwould (?:\w+ )?(?:mean|show|make|prove|suggest|speak|follow)\b".to_owned(),
        r"^(?:only |but |and |then |so )?(?:when|where|once) ".to_owned(),
        r"\b(?:over|on|of|asks?|open|unclear|unknown|depends?|show|shows) (?:how|when|where|by whom|why)\b"
            .to_owned(),
        r"\b(?:not|nothing|nobody|no one|cannot|\w+n't|pas|personne|nada|nadie|nicht|nichts|niemand)\b[^,]{0,60}\bthat\b[^,]*$"
            .to_owned(),
    ];
    Regex::new(&format!("(?i){}", open.join("|"))).ok()
});

/// Words that look like a condition or a denial, and are none.
static CLOSED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:if anything|(?:cannot|can't|nobody can|no one can|not|hardly) (?:be )?(?:den(?:y|ied)|doubt(?:ed)?|disput(?:e|ed))|no doubt|(?:when|where|once) (?:all|everything|it comes|it matters|one|the two|both|they|these|those|you|we|weighed|taken|set|compared|measured|looked)|if (?:one|we|you|the reader) (?:is|are|weighs?|looks?|compares?|asks?) )",
    )
    .ok()
});

/// What leaves a phrase open that follows it at once: `Pro is right if demand doubles`.
static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^,? (?:then )?(?:only )?(?:if|unless|provided|so long as|as long as|to the extent|wenn|falls|sofern|si|se) (?:[^o]|o[^n]|on[^e])|^ (?:to|for) (?:those|a reader|readers|anyone|anybody|whoever|people|someone|somebody)\b",
    )
    .ok()
});

/// Words within a phrase by which it is what a side says of itself.
static REPORTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "claims?|claimed|says?|said|states|stated|holds|held|believes?|believed|maintains?|maintained|insists?|insisted|argues?|argued|thinks?|thought|den(?:y|ies|ied)";
    Regex::new(&format!(r"(?i)\b(?:{words})\b")).ok()
});

/// What begins a clause that grants something before the main one: `Although Con …, Pro …`.
const GRANTS: [&str; 27] = [
    "although ",
    "though ",
    "even though ",
    "even if ",
    "while ",
    "whilst ",
    "whereas ",
    "despite ",
    "in spite of ",
    "for all ",
    "of the two ",
    "granted",
    "obwohl ",
    "obgleich ",
    "auch wenn ",
    "selbst wenn ",
    "während ",
    "bien que ",
    "même si ",
    "quoique ",
    "aunque ",
    "si bien ",
    "embora ",
    "ainda que ",
    "mesmo que ",
    "apesar ",
    "a pesar ",
];

/// What ends what was said so far and turns to something of its own.
const TURNS: [&str; 20] = [
    ", but ",
    ", yet ",
    ", though ",
    ", although ",
    ", while ",
    ", whereas ",
    ", aber ",
    ", doch ",
    ", während ",
    ", obwohl ",
    ", mais ",
    ", alors que ",
    ", bien que ",
    ", pero ",
    ", mientras que ",
    ", aunque ",
    ", mas ",
    ", enquanto ",
    ", embora ",
    ", porém ",
];

/// Whether a phrase with this before and after it in its sentence is the moderator's own word, and settled.
pub(super) fn is_own(before: &str, phrase: &str, after: &str) -> bool {
    let open = |pattern: &LazyLock<Option<Regex>>, text: &str| {
        pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
    };
    let clause = clause(before);
    let closed = CLOSED.as_ref().is_some_and(|closed| closed.is_match(clause));
    let left_open = open(&BEFORE, clause) && !closed;
    !(left_open || open(&REPORTED, phrase) || open(&AFTER, after))
}

/// What a phrase is said under: the words before it, from the last that begin anew, without what is only granted
/// before. "Both made good points, but Con has the stronger case" leaves nothing open.
fn clause(before: &str) -> &str {
    let clause = before.rsplit([';', '—', '–', ':']).next().unwrap_or_default();
    let clause = TURNS.iter().fold(clause, |clause, turn| clause.rsplit(turn).next().unwrap_or_default());
    let clause = clause.trim_start();
    let grants =
        GRANTS.iter().any(|word| clause.get(..word.len()).is_some_and(|start| start.to_lowercase() == *word));
    match clause.split_once(',') {
        Some((_, main)) if grants => main.trim_start(),
        _ => clause,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for pattern in [&BEFORE, &CLOSED, &AFTER, &REPORTED] {
            assert!(pattern.is_some());
        }
    }

    #[test]
    fn what_is_granted_and_what_was_said_before_a_turn_is_no_condition() {
        for (before, told) in [
            ("Although Con holds that risks rise, ", ""),
            ("While Con says so, in the end ", "in the end "),
            ("Con says it twice, but ", ""),
            ("Pro says yes; ", ""),
            ("If costs fall, ", "If costs fall, "),
            ("Con holds that, all told, ", "Con holds that, all told, "),
        ] {
            assert_eq!(clause(before), told, "{before}");
        }
    }
}
