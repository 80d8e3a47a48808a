//! From a reply to a value: found, read, cleaned, held to its lengths.

use serde_json::Value;

use super::{
    Asked, Form, Kind, ParseError, Shape,
    clean::{Cleaner, is_said},
    parse,
    shape::{Field, Range},
};

/// How much longer than asked for a text may be before it is asked for again, in percent.
const TOLERANCE: usize = 140;

/// A reply as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read<T> {
    /// What it says.
    pub said: T,
    /// Marks, links and sources that were taken out, because there is no page of theirs.
    pub dropped: u32,
}

/// Reads a reply whose marks may cite pages 1 to `offered`. The first time, `first`, a text that is far too long is an
/// error, so that the model writes it shorter; after that it stays whole.
pub fn read<T: Form>(text: &str, asked: &Asked, offered: usize, first: bool) -> Result<Read<T>, ParseError> {
    let shape = Shape::of::<T>();
    let mut value = as_value(&parse::<T>(text)?)?;
    let mut reading = Reading { asked, clean: Cleaner::offering(offered), long: Vec::new(), words: 0 };
    reading.fields(&shape.fields, &mut value)?;
    if first && !reading.long.is_empty() {
        return Err(ParseError::Long(reading.long.join("; ")));
    }
    let said = serde_json::from_value(value).map_err(|error| ParseError::Shape(error.to_string()))?;
    Ok(Read { said, dropped: reading.clean.dropped })
}

fn as_value<T: Form>(said: &T) -> Result<Value, ParseError> {
    serde_json::to_value(said).map_err(|error| ParseError::Shape(error.to_string()))
}

struct Reading<'a> {
    asked: &'a Asked,
    clean: Cleaner,
    /// What is too long, a phrase each.
    long: Vec<String>,
    /// Words read so far.
    words: usize,
}

impl Reading<'_> {
    /// Notes what has far more words than were asked for.
    fn measure(&mut self, key: &str, has: usize, words: Option<Range>) {
        let most = words.map(|words| words.most as usize);
        if let Some(most) = most.filter(|most| has > most * TOLERANCE / 100 + 5) {
            self.long.push(format!("`{key}` has {has} words, at most {most} were asked for"));
        }
    }

    fn fields(&mut self, fields: &[Field], value: &mut Value) -> Result<(), ParseError> {
        let Some(object) = value.as_object_mut() else { return Ok(()) };
        let mut absent = Vec::new();
        for field in fields {
            let Some(value) = object.get_mut(&field.key) else { continue };
            if !self.asked.takes(field) {
                // Nobody asked: as if it were not there.
                absent.push(field.key.clone());
                continue;
            }
            self.kind(&field.key, &field.kind, value)?;
            let is_empty = value.as_str().is_some_and(|text| !is_said(&[text]));
            if is_empty && field.needed {
                return Err(ParseError::Missing(field.key.clone()));
            }
            if is_empty && field.nullable {
                *value = Value::Null;
            }
        }
        object.retain(|key, _| !absent.contains(key));
        Ok(())
    }

    fn kind(&mut self, key: &str, kind: &Kind, value: &mut Value) -> Result<(), ParseError> {
        match (kind, value) {
            (Kind::Text { words, line, verbatim }, Value::String(text)) => {
                *text = match (verbatim, line) {
                    (true, _) => text.trim().to_owned(),
                    (false, true) => self.clean.line(text),
                    (false, false) => self.clean.text(text),
                };
                self.words += count(text);
                self.measure(key, count(text), words.map(|words| self.asked.words_of(*line, words)));
            }
            (Kind::List { words, each, .. }, Value::Array(items)) => {
                let before = self.words;
                let mut kept: Vec<Value> = Vec::new();
                for mut item in std::mem::take(items) {
                    self.kind(key, each, &mut item)?;
                    let says_nothing = item.as_str().is_some_and(|text| !is_said(&[text]));
                    if !says_nothing && !kept.contains(&item) {
                        kept.push(item);
                    }
                }
                *items = kept;
                self.measure(key, self.words - before, words.map(|words| words.at(self.asked.effort)));
            }
            (Kind::Group(fields), value) => self.fields(fields, value)?,
            (Kind::Number(range), value) => {
                let number = value.as_u64().unwrap_or_default();
                let held = number.clamp(range.least.into(), range.most.into());
                if held != number {
                    self.long.push(format!(
                        "`{key}` is {number}, from {} to {} was asked for",
                        range.least, range.most
                    ));
                    *value = held.into();
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// How many words a text has. Two characters of a script that sets no spaces between them count as one.
fn count(text: &str) -> usize {
    let unspaced = |c: &char| matches!(u32::from(*c), 0x0E00..=0x0EFF | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF);
    text.split_whitespace().map(|word| (word.chars().filter(unspaced).count() / 2).max(1)).sum()
}
