//! A plausible instance of any schema, the same for the same seed.

use std::{
    cell::Cell,
    hash::{DefaultHasher, Hash, Hasher},
};

use serde_json::{Map, Value, json};

/// Every voter spreads this many points.
const POINTS: u64 = 10;

const SENTENCES: [&str; 23] = [
    "Two established services already cover the centre, so the first customers must come from the outer districts.",
    "A rider completes about three orders an hour, and below that the delivery fee does not cover the wage.",
    "Restaurants here work with margins of eight to twelve per cent and will not accept a commission of thirty.",
    "A pilot with twenty restaurants over eight weeks answers the open questions for less than a full launch costs.",
    "The largest fixed cost is not the app but the support desk on Friday and Saturday evenings.",
    "Demand falls by a third in summer, when the students leave, and the plan has no answer to that yet.",
    "Food safety rules make the carrier answerable for the temperature on the way, which calls for insulated boxes.",
    "Paying by invoice once a month suits the canteens, which order more per head than households do.",
    "The estimate for development leaves out maintenance, which runs at about a fifth of it every year.",
    "A subscription for free delivery raises the number of orders per customer but lowers the margin of each.",
    "Most complaints in comparable towns concern waiting time and not price.",
    "Electric bicycles reach nine addresses in ten within twenty minutes, and cost a quarter of what a car costs.",
    "If the riders are employed, the plan needs four more orders an hour at peak to break even.",
    "The data protection officer should see the tracking of riders before anything is signed.",
    "Grocers could share the fleet in the morning hours, in which it would otherwise stand still.",
    "Nobody has asked the restaurants yet which of their own delivery arrangements they would give up.",
    "The town's own fibre network makes a local server cheaper than a hosted one at this size.",
    "A competitor with deep pockets could undercut the fee for a year, so loyalty has to come from service.",
    "Word of mouth brought sixty per cent of customers in a similar town; advertising brought fifteen.",
    "Allergens must be shown before the order is placed, which the menu import does not support.",
    "The break-even point lies near four hundred orders a day, twice what the survey promises for the first year.",
    "Cash is still a third of all payments here, and riders who carry it need insurance.",
    "Evening traffic over the single bridge doubles the time to the western quarter.",
];

const PHRASES: [&str; 13] = [
    "Pilot with twenty restaurants",
    "Start with canteens and offices",
    "Cooperative owned by the restaurants",
    "Shared fleet with the grocers",
    "Subscription for regular customers",
    "Pick-up points instead of delivery",
    "Licence an existing platform",
    "Evening service on weekends only",
    "Electric cargo bicycles",
    "Fixed fee instead of commission",
    "Employed riders with a guaranteed wage",
    "Launch in the outer districts",
    "Survey before any development",
];

/// An instance of `schema` in which strings vary with `seed`.
pub fn instance(schema: &Value, seed: u64) -> Value {
    Maker { root: schema, seed, terse: false, listed: Cell::new(false) }.make(schema, "", 0)
}

/// The same with a few words for each text of a list's items: for forms that count the words of a list as a whole.
pub fn terse_instance(schema: &Value, seed: u64) -> Value {
    Maker { root: schema, seed, terse: true, listed: Cell::new(false) }.make(schema, "", 0)
}

/// A few sentences.
pub fn paragraph(seed: u64) -> String {
    let at = usize::try_from(seed % 23).unwrap_or_default();
    format!("{} {} {}", SENTENCES[at], SENTENCES[(at + 5) % 23], SENTENCES[(at + 11) % 23])
}

struct Maker<'a> {
    root: &'a Value,
    seed: u64,
    /// Whether texts of a list's items have a few words.
    terse: bool,
    /// Whether such an item is being made.
    listed: Cell<bool>,
}

impl Maker<'_> {
    fn hash(&self, of: impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.seed, of).hash(&mut hasher);
        hasher.finish()
    }

    /// `name` is the property's name, `nth` the place in the array around it.
    fn make(&self, schema: &Value, name: &str, nth: u64) -> Value {
        if let Some(path) = schema["$ref"].as_str() {
            let target = self.root.pointer(path.trim_start_matches('#')).unwrap_or(&Value::Null);
            return self.make(target, name, nth);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = schema["enum"].as_array() {
            return pick(values, self.hash(("enum", name)) + nth).cloned().unwrap_or_default();
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            if let Some(choices) = schema[key].as_array() {
                let choices: Vec<&Value> = choices.iter().filter(|choice| choice["type"] != "null").collect();
                let choice = pick(&choices, self.hash(("choice", name)) + nth);
                return choice.map_or(Value::Null, |choice| self.make(choice, name, nth));
            }
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
            kind => kind.as_str(),
        };
        match kind {
            Some("array") => self.array(schema, name, nth),
            Some("string") => Value::from(self.string(schema, name, nth)),
            Some("integer" | "number") => self.integer(schema, name, nth).into(),
            Some("boolean") => Value::from((self.hash(("bool", name)) + nth).is_multiple_of(2)),
            Some("null") => Value::Null,
            _ => self.object(schema, name, nth),
        }
    }

    fn object(&self, schema: &Value, name: &str, nth: u64) -> Value {
        let mut object = Map::new();
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            object.insert(key.clone(), self.make(property, key, nth));
        }
        if name == "points" && !object.is_empty() && object.values().all(Value::is_u64) {
            for (value, points) in
                object.values_mut().zip(self.spread(schema["properties"].as_object().map_or(0, Map::len)))
            {
                *value = points.into();
            }
        }
        Value::Object(object)
    }

    fn array(&self, schema: &Value, name: &str, nth: u64) -> Value {
        let least = bound(schema, "minItems");
        let most = bound(schema, "maxItems").unwrap_or(u64::MAX);
        // Nothing may be cited that was not found.
        if least.is_none() && matches!(name, "sources" | "citations") {
            return json!([]);
        }
        let count = (2 + self.hash(("count", name, nth)) % 3).clamp(least.unwrap_or(0).min(most), most);
        let outside = self.listed.replace(true);
        let mut items: Vec<Value> = (0..count).map(|i| self.make(&schema["items"], name, nth + i)).collect();
        self.listed.set(outside);
        let spread = self.spread(items.len());
        for (item, points) in items.iter_mut().zip(spread) {
            if name == "points" && item.is_u64() {
                *item = points.into();
            } else if item["points"].is_u64() {
                item["points"] = points.into();
            }
        }
        Value::Array(items)
    }

    /// Ten points over so many places.
    fn spread(&self, places: usize) -> Vec<u64> {
        let mut points = vec![0; places];
        for point in 0..POINTS {
            // Squared, so that the points differ: the first places of the order get more.
            let place =
                (self.hash(("point", point)) % 97).pow(2) % (u64::try_from(places).unwrap_or(1).max(1));
            if let Some(place) = points.get_mut(usize::try_from(place).unwrap_or_default()) {
                *place += 1;
            }
        }
        points
    }

    fn integer(&self, schema: &Value, name: &str, nth: u64) -> u64 {
        let least = bound(schema, "minimum").unwrap_or(0);
        let most = bound(schema, "maximum").unwrap_or(least + 10).max(least);
        least + (self.hash(("integer", name)) + nth) % (most - least + 1)
    }

    fn string(&self, schema: &Value, name: &str, nth: u64) -> String {
        let short = ["title", "name", "label", "topic", "heading"].iter().any(|word| name.contains(word))
            || self.terse && (self.listed.get() || matches!(name, "option" | "of"));
        let at = self.hash(("string", name)) % 1000 + nth;
        let mut text = match (short, name.contains("analysis") || name.contains("synthesis")) {
            (true, _) => (*pick(&PHRASES, at).unwrap_or(&"")).to_owned(),
            (_, true) => paragraph(at),
            _ => (*pick(&SENTENCES, at).unwrap_or(&"")).to_owned(),
        };
        while let Some(least) = bound(schema, "minLength")
            && (text.chars().count() as u64) < least
        {
            text = format!("{text} {}", SENTENCES[0]);
        }
        if let Some(most) = bound(schema, "maxLength") {
            text = text.chars().take(usize::try_from(most).unwrap_or(usize::MAX)).collect();
        }
        text
    }
}

fn pick<T>(stock: &[T], at: u64) -> Option<&T> {
    let len = u64::try_from(stock.len()).ok().filter(|len| *len > 0)?;
    stock.get(usize::try_from(at % len).ok()?)
}

/// A limit from the schema, or from its description, where Anthropic's dialect has to say it in words.
fn bound(schema: &Value, keyword: &str) -> Option<u64> {
    schema[keyword].as_u64().or_else(|| {
        let said = schema["description"].as_str()?.split(&format!("{keyword}=")).nth(1)?;
        said.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
    })
}
