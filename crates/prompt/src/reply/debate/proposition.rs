//! The proposition as it is put neutrally.

use crate::reply::{
    ParseError,
    module::is_a_change,
    words::{Cleaner, needed},
};
use domain::{MAX_PROPOSITION_CHARS, Proposition, one_line, shortened};

/// Longest bound that is kept, in characters.
const MAX_BOUND: usize = 200;
/// Longest background that is kept, in characters.
const MAX_BACKGROUND: usize = 800;
/// Most stakeholders that are kept.
const MAX_STAKEHOLDERS: usize = 8;
/// Longest sentence about the question that is kept, in characters.
const MAX_REMARK: usize = 400;

/// What a question ends with, in the scripts that have something for it.
const QUESTION_MARKS: [char; 4] = ['?', '？', '؟', '\u{37e}'];

/// As it is kept. Its question is one, of at most 500 characters; where it cannot be debated anyway, the text
/// as it was typed will do.
pub fn checked_proposition(
    mut proposition: Proposition,
    raw: &str,
    answered_by: &str,
) -> Result<Proposition, ParseError> {
    let mut clean = Cleaner::default();
    let said = |text: &str| if is_stated(text) { text.to_owned() } else { String::new() };
    let objection =
        proposition.objection.map(|text| said(&clean.line(&text))).filter(|text| !text.is_empty());
    proposition.question = match question(&clean.line(&proposition.question)) {
        Err(_) if objection.is_some() => one_line(raw),
        question => question?,
    };
    proposition.objection = objection.map(|text| shortened(&text, MAX_REMARK));
    let context = &mut proposition.context;
    let mut bound = |text: &mut String, most| *text = shortened(&said(&clean.line(text)), most);
    for text in [&mut context.geography, &mut context.timeframe, &mut context.domain] {
        bound(text, MAX_BOUND);
    }
    context.stakeholders.iter_mut().for_each(|text| bound(text, MAX_BOUND));
    context.stakeholders.retain(|text| !text.is_empty());
    context.stakeholders.truncate(MAX_STAKEHOLDERS);
    bound(&mut proposition.changed, MAX_REMARK);
    context.background = shortened(&said(&clean.text(&context.background)), MAX_BACKGROUND);
    raw.clone_into(&mut proposition.raw);
    proposition.answered_by = Some(answered_by.to_owned());
    proposition.edited_by = None;
    Ok(proposition)
}

/// One question, within its bounds.
fn question(text: &str) -> Result<String, ParseError> {
    needed("normalized_question", text)?;
    let long = text.chars().count();
    if long > MAX_PROPOSITION_CHARS {
        return Err(ParseError::Shape(format!(
            "`normalized_question` has {long} characters; at most {MAX_PROPOSITION_CHARS} fit"
        )));
    }
    if !text.ends_with(QUESTION_MARKS) {
        return Err(ParseError::Shape(
            "`normalized_question` has to be one question that ends with a question mark".to_owned(),
        ));
    }
    Ok(text.to_owned())
}

/// Whether a text says something: models write "none" or "not specified" where nothing was asked for.
fn is_stated(text: &str) -> bool {
    const NOTHING: [&str; 8] = [
        "unspecified",
        "not specified",
        "not stated",
        "not given",
        "none stated",
        "unknown",
        "not known",
        "not mentioned",
    ];
    let plain = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    is_a_change(text) && !NOTHING.contains(&plain.as_str())
}
