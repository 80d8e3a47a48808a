//! A declaration as it is used: fields in their order, each with its kind; and what a request makes of it.

use serde_json::{Map, Value, json};

use super::{Form, schema};
use domain::{Effort, Schema};

/// Tokens that a word takes at most in the languages that take most.
const TOKENS_A_WORD: u32 = 2;
/// Characters that a word takes, its space and twice the room included: a schema's bound keeps a model from never ending,
/// and cuts nobody short.
const CHARACTERS_A_WORD: u32 = 14;
/// Most items of a list for which no number was declared.
const ITEMS: u32 = 12;

/// Least and most.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Range {
    /// At least.
    pub least: u32,
    /// At most.
    pub most: u32,
}

impl Range {
    /// `60 to 120`; `3` where both are the same.
    fn said(self) -> String {
        if self.least == self.most {
            self.most.to_string()
        } else {
            format!("{} to {}", self.least, self.most)
        }
    }

    fn of(text: &str) -> Option<Self> {
        let (least, most) = text.trim().split_once('-')?;
        Some(Self { least: least.trim().parse().ok()?, most: most.trim().parse().ok()? })
    }
}

/// A range at each effort, brief first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByEffort([Range; 3]);

impl ByEffort {
    /// `4-10`, or `20-40 | 40-60 | 60-120`.
    fn of(text: &str) -> Option<Self> {
        let ranges: Option<Vec<Range>> = text.split('|').map(Range::of).collect();
        match ranges?.as_slice() {
            [one] => Some(Self([*one; 3])),
            [brief, standard, deep] => Some(Self([*brief, *standard, *deep])),
            _ => None,
        }
    }

    /// At an effort.
    #[must_use]
    pub fn at(self, effort: Effort) -> Range {
        let [brief, standard, deep] = self.0;
        match effort {
            Effort::Brief => brief,
            Effort::Standard => standard,
            Effort::Deep => deep,
        }
    }
}

/// What a field holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Words, on one `line` or as Markdown.
    Text {
        /// How many.
        words: Option<ByEffort>,
        /// Whether they stand on one line.
        line: bool,
        /// Whether they are copied from what was shown, and so kept as they are.
        verbatim: bool,
    },
    /// One of these words.
    Word(Vec<String>),
    /// One of the names that a request gives under this word.
    Name(String),
    /// A whole number.
    Number(Range),
    /// A whole number for each of the names that a request gives under this word.
    Each {
        /// The word.
        of: String,
        /// From what to what.
        range: Range,
        /// Whether it may be `null` for some.
        nullable: bool,
    },
    /// Yes or no.
    Truth,
    /// Several of a kind.
    List {
        /// How many.
        items: Option<ByEffort>,
        /// How many words in all of them together.
        words: Option<ByEffort>,
        /// Of what.
        each: Box<Kind>,
    },
    /// Fields of its own.
    Group(Vec<Field>),
}

/// A field of a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// As the reply spells it.
    pub key: String,
    /// What the model reads about it.
    pub says: String,
    /// What people read above it.
    pub label: Option<String>,
    /// What it holds.
    pub kind: Kind,
    /// Where it is asked for, if not everywhere.
    pub when: Option<String>,
    /// Whether it may be `null`.
    pub nullable: bool,
    /// Whether an empty text is an error.
    pub needed: bool,
}

/// What a request makes of a form.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// How much is asked for.
    pub effort: Effort,
    /// The names that may stand where a field takes `names`, under the word that it declares.
    pub names: Vec<(&'static str, Vec<String>)>,
    /// The conditions that hold, of those that fields declare as `when`.
    pub when: Vec<&'static str>,
    /// How many words a form's Markdown has instead of what it declares; for one that has a single such text.
    pub words: Option<Range>,
}

impl Asked {
    /// At an effort, without names and conditions.
    #[must_use]
    pub fn at(effort: Effort) -> Self {
        Self { effort, ..Self::default() }
    }

    /// With names under a word.
    #[must_use]
    pub fn naming(mut self, word: &'static str, names: impl IntoIterator<Item = String>) -> Self {
        self.names.push((word, names.into_iter().collect()));
        self
    }

    /// With a condition, where it holds.
    #[must_use]
    pub fn when(mut self, condition: &'static str, holds: bool) -> Self {
        self.when.extend(holds.then_some(condition));
        self
    }

    /// With so many words of Markdown, from `least` to `most`, whatever it declares.
    #[must_use]
    pub fn words(mut self, least: u32, most: u32) -> Self {
        self.words = Some(Range { least, most });
        self
    }

    /// How many words a text has, on one `line` or as Markdown, that declares so many.
    pub(super) fn words_of(&self, line: bool, declared: ByEffort) -> Range {
        self.words.filter(|_| !line).unwrap_or_else(|| declared.at(self.effort))
    }

    pub(super) fn takes(&self, field: &Field) -> bool {
        field.when.as_ref().is_none_or(|when| self.when.contains(&when.as_str()))
    }

    pub(super) fn names_of(&self, word: &str) -> &[String] {
        self.names.iter().find(|(known, _)| *known == word).map_or(&[], |(_, names)| names)
    }
}

/// A form as it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The name of its schema.
    pub name: String,
    /// What it asks for, in order.
    pub fields: Vec<Field>,
}

impl Shape {
    /// As a type declares it.
    pub(super) fn declared<T: Form>() -> Self {
        let json = schema::declared::<T>();
        Self { name: T::schema_name().into_owned(), fields: fields(&json) }
    }

    /// The schema, its properties in the order of the fields.
    #[must_use]
    pub fn schema(&self, asked: &Asked) -> Schema {
        Schema { name: self.name.clone(), json: group_schema(&self.fields, asked, None) }
    }

    /// The prompt's list of fields: a line each, with what is asked for at this effort.
    #[must_use]
    pub fn list(&self, asked: &Asked) -> String {
        let mut lines = Vec::new();
        list(&self.fields, asked, 0, &mut lines);
        lines.join("\n")
    }

    /// Most tokens of a reply.
    #[must_use]
    pub fn tokens(&self, asked: &Asked) -> u32 {
        let each: u32 = self
            .fields
            .iter()
            .filter(|field| asked.takes(field))
            .map(|field| tokens(&field.kind, asked))
            .sum();
        each + 60
    }

    /// What is wrong with the declaration; for a test of each form.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut found = Vec::new();
        faults(&self.fields, &self.name, false, &mut found);
        found
    }
}

fn fields(json: &Value) -> Vec<Field> {
    let properties = json.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(key, property)| field(key, property)).collect()
}

fn field(key: &str, property: &Value) -> Field {
    let word = |name: &str| property.get(name).and_then(Value::as_str).map(str::to_owned);
    let holds = |name: &str| property.get(name) == Some(&Value::Bool(true));
    let types = property.get("type");
    Field {
        key: key.to_owned(),
        says: word("description").unwrap_or_default().replace('\n', " "),
        label: word("label"),
        kind: kind(property, property),
        when: word("when"),
        nullable: types.and_then(Value::as_array).is_some_and(|types| types.contains(&json!("null"))),
        needed: holds("needed"),
    }
}

/// What each of a list is. Its words are counted over the list.
fn item(items: &Value, list: &Value) -> Kind {
    match kind(items, list) {
        Kind::Text { line, verbatim, .. } => Kind::Text { words: None, line, verbatim },
        other => other,
    }
}

/// `declared` is where lengths and names stand: the property itself, or the list whose item it is.
fn kind(property: &Value, declared: &Value) -> Kind {
    let word = |name: &str| declared.get(name).and_then(Value::as_str);
    let by_effort = |name: &str| word(name).and_then(ByEffort::of);
    if let Some(words) = property.get("enum").and_then(Value::as_array) {
        return Kind::Word(words.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    }
    let number =
        |name: &str| property.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    let is = |name: &str| match property.get("type") {
        Some(Value::String(known)) => known == name,
        Some(Value::Array(known)) => known.contains(&json!(name)),
        _ => false,
    };
    if is("array") {
        let line = Kind::Text { words: None, line: true, verbatim: false };
        let each = property.get("items").map_or(line, |items| item(items, property));
        return Kind::List {
            items: by_effort("items_asked"),
            words: by_effort("words"),
            each: Box::new(each),
        };
    }
    let range = Range { least: number("minimum").unwrap_or(0), most: number("maximum").unwrap_or(100) };
    if let Some(of) = word("each") {
        let nullable = property.pointer("/additionalProperties/type").is_some_and(Value::is_array);
        return Kind::Each { of: of.to_owned(), range, nullable };
    }
    if is("object") {
        return Kind::Group(fields(property));
    }
    if is("integer") {
        return Kind::Number(range);
    }
    if is("boolean") {
        return Kind::Truth;
    }
    if let Some(names) = word("names") {
        return Kind::Name(names.to_owned());
    }
    let holds = |name: &str| declared.get(name) == Some(&Value::Bool(true));
    Kind::Text { words: by_effort("words"), line: holds("line"), verbatim: holds("verbatim") }
}

/// `room`: the words that all of the list may have in which this stands.
fn group_schema(fields: &[Field], asked: &Asked, room: Option<u32>) -> Value {
    let mut properties = Map::new();
    for field in fields.iter().filter(|field| asked.takes(field)) {
        let mut property = kind_schema(&field.kind, asked, room);
        if let Some(map) = property.as_object_mut() {
            if field.nullable {
                let types = map.get("type").cloned().unwrap_or_default();
                map.insert("type".to_owned(), json!([types, "null"]));
            }
            map.insert("description".to_owned(), json!(field.says));
        }
        properties.insert(field.key.clone(), property);
    }
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "required": required, "properties": properties.clone(), "additionalProperties": false })
}

fn kind_schema(kind: &Kind, asked: &Asked, room: Option<u32>) -> Value {
    let at = |range: &ByEffort| range.at(asked.effort);
    match kind {
        Kind::Text { words, line, .. } => {
            let most = words.map(|words| asked.words_of(*line, words).most).or(room);
            let most = most.map(|words| words.saturating_mul(CHARACTERS_A_WORD) + 40);
            most.map_or_else(
                || json!({ "type": "string" }),
                |most| json!({ "type": "string", "maxLength": most }),
            )
        }
        Kind::Word(words) => json!({ "type": "string", "enum": words }),
        Kind::Name(word) => json!({ "type": "string", "enum": asked.names_of(word) }),
        Kind::Number(Range { least, most }) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::Each { of, range: Range { least, most }, nullable } => {
            let kind = if *nullable { json!(["integer", "null"]) } else { json!("integer") };
            let each = json!({ "type": kind, "minimum": least, "maximum": most });
            let names = asked.names_of(of);
            let properties: Map<String, Value> =
                names.iter().map(|name| (name.clone(), each.clone())).collect();
            json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
        }
        Kind::Truth => json!({ "type": "boolean" }),
        Kind::List { items, words, each } => {
            let items = items.as_ref().map_or(Range { least: 0, most: ITEMS }, at);
            let room = words.as_ref().map(|words| at(words).most).or(room);
            let each = kind_schema(each, asked, room);
            json!({ "type": "array", "items": each, "minItems": items.least, "maxItems": items.most })
        }
        Kind::Group(fields) => group_schema(fields, asked, room),
    }
}

fn list(fields: &[Field], asked: &Asked, depth: usize, lines: &mut Vec<String>) {
    for field in fields.iter().filter(|field| asked.takes(field)) {
        let inner = match &field.kind {
            Kind::Group(fields) => Some(fields),
            Kind::List { each, .. } => {
                if let Kind::Group(fields) = &**each {
                    Some(fields)
                } else {
                    None
                }
            }
            _ => None,
        };
        let with = if inner.is_some() { " Each with:" } else { "" };
        let with = if matches!(field.kind, Kind::Group(_)) { " With:" } else { with };
        let indent = "  ".repeat(depth);
        lines.push(format!("{indent}- {}: {}{}{with}", field.key, length(&field.kind, asked), field.says));
        if let Some(inner) = inner {
            list(inner, asked, depth + 1, lines);
        }
    }
}

/// How much of a field is asked for, as a sentence before what is said about it; nothing where that says it.
fn length(kind: &Kind, asked: &Asked) -> String {
    match kind {
        Kind::Text { words, line, .. } => {
            words.map_or_else(String::new, |words| format!("{} words. ", asked.words_of(*line, words).said()))
        }
        Kind::Word(of) => format!("one of {}. ", of.join(", ")),
        Kind::Name(word) => format!("one of {}. ", asked.names_of(word).join(", ")),
        Kind::Number(range) => format!("{}. ", range.said()),
        Kind::Each { of, range, nullable } => {
            let or_null = if *nullable { " or null" } else { "" };
            format!("{}{or_null} for each of {}. ", range.said(), asked.names_of(of).join(", "))
        }
        Kind::Truth => "true or false. ".to_owned(),
        Kind::List { items, words, each } => {
            let items = items.map_or_else(String::new, |items| items.at(asked.effort).said());
            let of = if let Kind::Name(word) = &**each {
                format!(" of {}", asked.names_of(word).join(", "))
            } else {
                String::new()
            };
            let words = words.map(|words| format!(", {} words in all", words.at(asked.effort).said()));
            format!("{items}{of}{}. ", words.unwrap_or_default())
        }
        Kind::Group(_) => String::new(),
    }
}

fn tokens(kind: &Kind, asked: &Asked) -> u32 {
    let most = |range: &ByEffort| range.at(asked.effort).most;
    // A key with its punctuation.
    8 + match kind {
        Kind::Text { words, line, .. } => {
            words.map_or(60, |words| asked.words_of(*line, words).most * TOKENS_A_WORD)
        }
        Kind::Word(_) | Kind::Name(_) | Kind::Number(_) | Kind::Truth => 4,
        Kind::Each { of, .. } => 8 * u32::try_from(asked.names_of(of).len()).unwrap_or(ITEMS),
        Kind::List { items, words, each } => {
            let items = items.as_ref().map_or(ITEMS, most);
            match words {
                // Keys and punctuation of each item, and the texts of all.
                Some(words) => most(words) * TOKENS_A_WORD + items * keys(each, asked),
                None => items * tokens(each, asked),
            }
        }
        Kind::Group(fields) => {
            fields.iter().filter(|field| asked.takes(field)).map(|field| tokens(&field.kind, asked)).sum()
        }
    }
}

/// Tokens of what an item has beside its texts.
fn keys(kind: &Kind, asked: &Asked) -> u32 {
    match kind {
        Kind::Group(fields) => {
            8 * u32::try_from(fields.iter().filter(|field| asked.takes(field)).count()).unwrap_or(ITEMS)
        }
        _ => 4,
    }
}

/// `counted`: the words of what this stands in are counted as a whole.
fn faults(fields: &[Field], at: &str, counted: bool, found: &mut Vec<String>) {
    for field in fields {
        let at = format!("{at}/{}", field.key);
        if field.says.is_empty() {
            found.push(format!("{at}: the model reads nothing about it"));
        }
        let (mut kind, mut counted) = (&field.kind, counted);
        if let Kind::List { items, words, each } = kind {
            if items.is_none() {
                found.push(format!("{at}: how many?"));
            }
            counted |= words.is_some();
            kind = each;
        }
        match kind {
            Kind::Text { words: None, .. } if !counted => found.push(format!("{at}: how many words?")),
            Kind::Group(fields) => faults(fields, &at, counted, found),
            _ => {}
        }
    }
}
