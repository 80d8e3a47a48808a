//! The texts, as they stand in `/example`: a file for each seat, with a reply for each schema that it is asked to fill,
//! and one for what the members say. A long text is a list of its paragraphs.

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use domain::MODULES;
use playground::ids;

/// Each seat's file.
const SEATS: [(&str, &str); 6] = [
    ("market", include_str!("../../example/market.json")),
    ("cost", include_str!("../../example/cost.json")),
    ("social", include_str!("../../example/social.json")),
    ("operational", include_str!("../../example/operational.json")),
    ("mediator", include_str!("../../example/mediator.json")),
    ("checks", include_str!("../../example/checks.json")),
];

/// What the members say.
const TEAM: &str = include_str!("../../example/team.json");

/// What may be written as a list of paragraphs.
const LONG: [&str; 2] = ["analysis", "synthesis"];

/// What the seats say.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    seats: Vec<(&'static str, Value)>,
    /// The titles of what can be voted on, in the order in which they are given points.
    options: Vec<String>,
}

/// What the members say and do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// Said in the channel in the end.
    welcome: String,
    /// What has to be decided, in paragraphs.
    pub(super) problem: Vec<String>,
    /// The same in a sentence, in place of the one that the bot proposes.
    pub(super) question: String,
    /// What a member writes in the thread.
    pub(super) said: String,
    /// What a member adds while round 1 runs.
    pub(super) note: String,
    pub(super) ballots: Ballots,
    pub(super) decision: Decision,
}

/// Points as they are typed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ballots {
    pub(super) ben: String,
    pub(super) chloe: String,
}

/// The form of the decision, filled in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Decision {
    pub(super) chosen: String,
    pub(super) why: String,
    pub(super) review: String,
    pub(super) dissent: String,
}

impl Texts {
    /// Reads what was built in.
    pub(super) fn embedded() -> anyhow::Result<Self> {
        let read = |(seat, text): (&'static str, &str)| {
            let read = serde_json::from_str(text).with_context(|| format!("example/{seat}.json"))?;
            anyhow::Ok((seat, read))
        };
        let seats: Vec<(&str, Value)> = SEATS.into_iter().map(read).collect::<anyhow::Result<_>>()?;
        let mediator = seats.iter().find(|(seat, _)| *seat == "mediator").map(|(_, said)| said);
        let options = mediator.and_then(|said| said["synthesis"]["recommendations"].as_array());
        let title = |option: &Value| option["title"].as_str().map(str::to_owned);
        let options = options.into_iter().flatten().filter_map(title).collect();
        Ok(Self { seats, options })
    }

    /// The names of the seats: four at the table, the mediator, and who makes the small checks.
    pub(super) fn seats() -> impl Iterator<Item = &'static str> {
        SEATS.into_iter().map(|(seat, _)| seat)
    }

    /// What a seat replies where this schema is to be filled, the options in the order in which `task` shows them.
    /// Nothing where nobody wrote anything for it.
    pub(super) fn reply(&self, seat: &str, (name, schema): (&str, &Value), task: &str) -> Option<Value> {
        let (_, said) = self.seats.iter().find(|(known, _)| *known == seat)?;
        let mut reply = said.get(name)?.clone();
        for long in LONG {
            if let Some(paragraphs) = reply.get(long).and_then(Value::as_array) {
                let text = paragraphs.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n\n");
                reply[long] = text.into();
            }
        }
        if name == "points" {
            reply["points"] = self.points(&reply["points"], schema, task)?;
        }
        // What a schema does not ask for it does not take.
        let asked = schema["properties"].as_object()?;
        reply.as_object_mut()?.retain(|field, _| asked.contains_key(field));
        if asked.contains_key("sources") {
            reply["sources"] = json!([]);
        }
        Some(reply)
    }

    /// Points by the letters under which the options are shown: the first letter is the first of them in the task.
    fn points(&self, given: &Value, schema: &Value, task: &str) -> Option<Value> {
        let letters = schema["properties"]["points"]["properties"].as_object()?;
        let mut shown: Vec<(usize, &Value)> = (self.options.iter().zip(given.as_array()?))
            .map(|(title, given)| Some((task.rfind(title)?, given)))
            .collect::<Option<_>>()?;
        shown.sort_by_key(|(at, _)| *at);
        let by_letter = letters.keys().cloned().zip(shown.into_iter().map(|(_, given)| given.clone()));
        Some(Value::Object(by_letter.collect::<Map<_, _>>()))
    }
}

impl Team {
    /// Reads what was built in.
    pub fn embedded() -> anyhow::Result<Self> {
        serde_json::from_str(TEAM).context("example/team.json")
    }
}

/// Who sits at the table, in the order in which a panel seats them.
pub fn table() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|module| module.name).filter(|name| Texts::seats().any(|seat| seat == *name))
}

/// What stands at the end of the channel: that all of it is an example, and where one's own begins.
#[must_use]
pub fn welcome(team: &Team) -> String {
    team.welcome.replace("#DECISIONS", &format!("#{}", ids::DECISIONS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::reply::{DuplicatesReply, ModuleReply, PointsReply, QuestionReply, RevisionReply};
    use domain::Synthesis;

    /// The schema that a type asks for, as far as the texts look at it.
    fn schema<T: schemars::JsonSchema>() -> Value {
        serde_json::to_value(schemars::schema_for!(T)).unwrap()
    }

    fn said<T: schemars::JsonSchema + serde::de::DeserializeOwned>(seat: &str, name: &str) -> (T, Value) {
        let schema = schema::<T>();
        let reply = Texts::embedded().unwrap().reply(seat, (name, &schema), "").unwrap();
        check(&format!("{seat}, {name}"), &schema, &schema, &reply);
        (serde_json::from_value(reply.clone()).unwrap(), reply)
    }

    /// Every bound of a schema, for models are held to them and so is whoever writes in their place.
    fn check(place: &str, whole: &Value, schema: &Value, value: &Value) {
        if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
            return check(place, whole, &whole["$defs"][name], value);
        }
        let within = |length: usize, least: &str, most: &str| {
            let length = length as u64;
            let least = schema[least].as_u64().unwrap_or(0);
            let most = schema[most].as_u64().unwrap_or(u64::MAX);
            assert!((least..=most).contains(&length), "{place}: {length}, not {least} to {most}: {value}");
        };
        match value {
            Value::String(text) => within(text.chars().count(), "minLength", "maxLength"),
            Value::Array(items) => {
                within(items.len(), "minItems", "maxItems");
                for item in items {
                    check(place, whole, &schema["items"], item);
                }
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    check(&format!("{place}, {name}"), whole, &schema["properties"][name], value);
                }
            }
            _ => {}
        }
    }

    #[test]
    fn each_text_is_what_a_model_may_write_there() {
        for seat in table() {
            let (first, _) = said::<ModuleReply>(seat, "module_analysis");
            let (revised, _) = said::<RevisionReply>(seat, "module_revision");
            for text in [&first.analysis, &revised.analysis] {
                let words = text.split_whitespace().count();
                assert!((120..=220).contains(&words), "{seat}: {words} words");
            }
        }
        let (synthesis, _) = said::<Synthesis>("mediator", "synthesis");
        assert!((150..=250).contains(&synthesis.synthesis.split_whitespace().count()));
        assert_eq!(synthesis.recommendations.len(), 3);
        said::<QuestionReply>("checks", "question");
        said::<DuplicatesReply>("checks", "duplicates_check");
    }

    #[test]
    fn points_go_to_the_options_by_the_order_in_which_they_are_shown() {
        let texts = Texts::embedded().unwrap();
        let letters =
            json!({"properties": {"reasoning": {}, "points": {"properties": {"A": {}, "B": {}, "C": {}}}}});
        let [first, second, third] = &texts.options[..] else { panic!("three options") };
        let task = format!("A. {third}: x\nB. {first}: y\nC. {second}: z");
        for (seat, expected) in [("market", [0, 6, 4]), ("social", [1, 8, 1])] {
            let reply = texts.reply(seat, ("points", &letters), &task).unwrap();
            let reply: PointsReply = serde_json::from_value(reply).unwrap();
            assert_eq!(reply.points.into_values().collect::<Vec<_>>(), expected, "{seat}");
        }
        for seat in table() {
            let reply = texts.reply(seat, ("points", &letters), &task).unwrap();
            let sum: u64 = reply["points"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
            assert_eq!(sum, 10, "{seat}");
            assert!(reply["reasoning"].as_str().unwrap().chars().count() <= 400, "{seat}");
        }
    }

    #[test]
    fn nobody_names_a_day_that_passes_and_the_channel_is_named_by_its_number() {
        let team = Team::embedded().unwrap();
        assert!(welcome(&team).contains(&format!("<#{}>", ids::DECISIONS)));
        let texts = SEATS.map(|(_, text)| text).concat() + TEAM;
        assert!(!texts.contains("202"), "a year goes stale");
    }
}
