//! How a turn speaks: whether it declines to argue, answers the other side before its time, or asks without
//! arguing. These rules know words of English and a few of German, French and Spanish; in other languages they find
//! nothing, and what they would have marked goes through unmarked.

use super::said::plain;
use crate::domain::{
    Body, Side,
    text::{count_words, sentence_ends},
};

/// Whether a turn begins with a refusal to argue its side instead of an argument.
pub(super) fn declines(body: &Body) -> bool {
    match body {
        Body::Opening { position, .. } => refuses(position),
        Body::Arguments { arguments, .. } => {
            arguments.iter().any(|argument| refuses(&argument.claim) || refuses(&argument.reasoning))
        }
        Body::Questions { questions } => questions.iter().any(|question| refuses(&question.question)),
        Body::Answers { answers } => answers.iter().any(|answer| refuses(&answer.answer)),
        Body::Rebuttal { points } => {
            points.iter().any(|point| refuses(&point.steel_man) || refuses(&point.answer))
        }
        Body::Closing { why_we_disagree, opponents_best_point, .. } => {
            refuses(why_we_disagree) || refuses(opponents_best_point)
        }
    }
}

/// What is said before a refusal.
const LEADS: [&str; 14] = [
    "im sorry but",
    "im sorry",
    "i am sorry but",
    "i am sorry",
    "sorry but",
    "sorry",
    "unfortunately",
    "i apologize but",
    "i apologise but",
    "im afraid that",
    "im afraid",
    "i am afraid",
    "with respect",
    "respectfully",
];

/// Who says that it is a program; up to three words may follow before `I`, such as `language model`.
const MACHINES: [&str; 5] =
    ["as an ai", "as a language model", "as a large language model", "being an ai", "as an assistant"];

/// That one cannot or will not.
const CANNOTS: [&str; 26] = [
    "cannot",
    "cant",
    "can not",
    "wont be able to",
    "will not be able to",
    "wont",
    "will not",
    "am unable to",
    "m unable to",
    "am not able to",
    "m not able to",
    "am not comfortable",
    "m not comfortable",
    "dont feel comfortable",
    "do not feel comfortable",
    "must decline to",
    "have to decline to",
    "must respectfully decline to",
    "respectfully decline to",
    "decline to",
    "refuse to",
    "am not willing to",
    "m not willing to",
    "would rather not",
    "must refuse to",
    "should not",
];

/// What one cannot do who refuses to debate. “I cannot argue that this is cheap” or “I cannot support a ban that …” is
/// arguing, so only what names the task counts.
const TASKS: [&str; 50] = [
    "argue for",
    "argue against",
    "argue in favor",
    "argue in favour",
    "argue this",
    "argue the pro",
    "argue the con",
    "argue either",
    "argue on behalf",
    "arguing for",
    "arguing against",
    "arguing this",
    "advocate for",
    "advocate against",
    "take a side",
    "take sides",
    "take the side",
    "take a position",
    "take this position",
    "take that position",
    "take the position",
    "take a stance",
    "take this stance",
    "taking a side",
    "taking sides",
    "taking a position",
    "make a case",
    "make the case",
    "make this case",
    "make that case",
    "make an argument",
    "make arguments",
    "help with",
    "help you",
    "assist with",
    "assist you",
    "comply",
    "fulfill this",
    "fulfil this",
    "provide an argument",
    "provide arguments",
    "provide a case",
    "provide assistance",
    "generate arguments",
    "generate an argument",
    "write an argument",
    "participate in",
    "engage in this",
    "defend this position",
    "debate this",
];

/// The same in other languages.
const ELSEWHERE: [&str; 12] = [
    "ich kann dafür nicht argumentieren",
    "ich kann dagegen nicht argumentieren",
    "ich kann nicht für",
    "ich kann nicht gegen",
    "als ki kann ich nicht",
    "als ki kann ich keine",
    "je ne peux pas argumenter",
    "je ne peux pas défendre",
    "en tant quia je ne peux",
    "no puedo argumentar",
    "no puedo defender esta",
    "como ia no puedo",
];

/// Whether a text begins with a refusal; one that is quoted, or somebody else's, is none.
pub(super) fn refuses(text: &str) -> bool {
    let quoted = text.trim_start().trim_start_matches(['*', '_']).starts_with(['"', '“', '«', '‘', '„', '>']);
    let text = plain(text);
    if quoted {
        return false;
    }
    if ELSEWHERE.iter().any(|refusal| starts(&text, refusal).is_some()) {
        return true;
    }
    let mut rest = text.as_str();
    for _ in 0..2 {
        rest = LEADS.iter().find_map(|lead| starts(rest, lead)).unwrap_or(rest);
        if let Some(after) = MACHINES.iter().find_map(|lead| starts(rest, lead)) {
            // `As an AI language model developed by …, I`.
            let words = after.split(' ').take(8).position(|word| matches!(word, "i" | "im"));
            rest = words.map_or(after, |skipped| after_words(after, skipped));
        }
    }
    let said = starts(rest, "i").or_else(|| rest.strip_prefix('i').filter(|rest| rest.starts_with("m ")));
    let refused = said.and_then(|rest| CANNOTS.iter().find_map(|cannot| starts(rest, cannot)));
    // `I cannot in good conscience argue for`: the task follows closely.
    refused.is_some_and(|rest| {
        (0..=4).any(|skipped| TASKS.iter().any(|task| starts(after_words(rest, skipped), task).is_some()))
    })
}

/// What follows these words at the start of a text of plain words.
fn starts<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(words)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

fn after_words(text: &str, count: usize) -> &str {
    (0..count).fold(text, |rest, _| rest.split_once(' ').map_or("", |(_, after)| after))
}

/// What speaks to or of the other side of the debate, whichever it is.
const OPPONENTS: [&str; 24] = [
    "my opponent",
    "my opponents",
    "our opponent",
    "our opponents",
    "the opponent",
    "the opponents case",
    "the opposing side",
    "opposing side",
    "the opposing team",
    "my adversary",
    "my counterpart",
    "your argument",
    "your arguments",
    "your position",
    "your claim",
    "your claims",
    "you argue",
    "you claim",
    "you contend",
    "mein gegner",
    "die gegenseite",
    "mon adversaire",
    "la partie adverse",
    "mi oponente",
];

/// What follows the name of a side, or `the other side`, when it is answered.
const SPEAKS: [&str; 44] = [
    "argues",
    "argued",
    "argue",
    "claims",
    "claimed",
    "says",
    "said",
    "contends",
    "maintains",
    "asserts",
    "insists",
    "believes",
    "thinks",
    "assumes",
    "ignores",
    "overlooks",
    "fails",
    "suggests",
    "states",
    "holds",
    "warns",
    "fears",
    "proposes",
    "points",
    "notes",
    "wants",
    "will",
    "would",
    "may",
    "might",
    "has",
    "is",
    "s",
    "case",
    "argument",
    "arguments",
    "position",
    "claim",
    "view",
    "side",
    "behauptet",
    "soutient",
    "sostiene",
    "afirma",
];

/// Whether a text of a side speaks of the other one as its opponent in the debate. Whole words only, and
/// `pros and cons` names nobody; people in the world who oppose something are no opponents in the debate.
pub(super) fn answers_other_side(text: &str, side: Side) -> bool {
    let words = plain(text);
    let spaced = format!(" {words} ");
    if OPPONENTS.iter().any(|opponent| spaced.contains(&format!(" {opponent} "))) {
        return true;
    }
    let name = side.other().name();
    let unmarked: String = text.chars().filter(|c| !matches!(c, '*' | '_' | '`')).collect();
    let tokens: Vec<&str> =
        unmarked.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty()).collect();
    let speaks =
        |word: Option<&&str>| word.is_some_and(|word| SPEAKS.contains(&word.to_lowercase().as_str()));
    let named = tokens.iter().enumerate().any(|(at, word)| {
        let is_name = *word == name || *word == name.to_uppercase();
        is_name
            && (speaks(tokens.get(at + 1)) || speaks(tokens.get(at + 2)) && tokens[at + 1].ends_with("ly"))
    });
    // `the other side of the coin` speaks of nobody.
    let other = ["the other side ", "the other sides ", "the other team "];
    let elsewhere = other.iter().any(|other| {
        spaced.match_indices(&format!(" {other}")).any(|(at, found)| {
            let next = spaced[at + found.len()..].split(' ').next();
            other.contains("sides ") || speaks(next.as_ref())
        })
    });
    named || elsewhere
}

/// What argues or decides in a question instead of asking.
const ARGUING: [&str; 24] = [
    "isnt it obvious",
    "isnt it clear",
    "is it not obvious",
    "is it not clear",
    "surely",
    "clearly",
    "obviously",
    "you are wrong",
    "you are mistaken",
    "is simply wrong",
    "is plainly wrong",
    "this proves",
    "this shows that",
    "which proves",
    "the truth is",
    "the fact is",
    "the fact remains",
    "your argument fails",
    "your argument collapses",
    "this means that",
    "it follows that",
    "dont you agree",
    "wouldnt you agree",
    "admit that",
];

/// Most words of a question and of what leads to it.
const MAX_QUESTION_WORDS: u32 = 100;

/// Whether a question asks: it ends with a question mark, at most one sentence leads to it, and it neither concludes
/// nor tells the answer.
pub(super) fn asks(question: &str) -> bool {
    let closing =
        |c: char| c.is_whitespace() || matches!(c, '"' | '”' | '’' | '\'' | '»' | ')' | '*' | '_' | '`');
    let bare = question.trim_end_matches(closing);
    let spaced = format!(" {} ", plain(question));
    let stated = sentences(question)
        .filter(|sentence| !sentence.trim_end_matches(closing).ends_with(QUESTION_MARKS))
        .count();
    bare.ends_with(QUESTION_MARKS)
        && count_words(question) > 0
        && count_words(question) <= MAX_QUESTION_WORDS
        && stated <= 1
        && !ARGUING.iter().any(|words| spaced.contains(&format!(" {words} ")))
}

/// Of Latin, Chinese, Arabic and Greek writing.
const QUESTION_MARKS: [char; 4] = ['?', '？', '؟', '\u{37e}'];

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = sentence_ends(text);
    let starts = std::iter::once(0).chain(ends.clone());
    starts
        .zip(ends)
        .filter_map(|(start, end)| text.get(start..end))
        .filter(|sentence| count_words(sentence) > 0)
}
