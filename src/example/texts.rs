//! The texts, as they stand in `/example`: a file for each seat, with a reply for each schema that it is asked to fill,
//! and one for what the members say. An analysis is a list of its paragraphs, and whose finding a seat answers is said by
//! that seat's name.

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;

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

/// What is written as a list of paragraphs.
const LONG: &str = "analysis";

/// What the seats say.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    seats: Vec<(&'static str, Value)>,
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
        Ok(Self { seats: SEATS.into_iter().map(read).collect::<anyhow::Result<_>>()? })
    }

    /// The names of the seats: four at the table, the mediator, and who makes the small checks.
    pub(super) fn seats() -> impl Iterator<Item = &'static str> {
        SEATS.into_iter().map(|(seat, _)| seat)
    }

    /// What a seat replies where this schema is to be filled, after it was `told` all of this. Nothing where nobody wrote
    /// anything for it.
    pub(super) fn reply(&self, seat: &str, (name, schema): (&str, &Value), told: &str) -> Option<Value> {
        let mut reply = self.said(seat)?.get(name)?.clone();
        if let Some(paragraphs) = reply.get(LONG).and_then(Value::as_array) {
            let text = paragraphs.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n\n");
            reply[LONG] = text.into();
        }
        for response in reply.get_mut("responses").and_then(Value::as_array_mut).into_iter().flatten() {
            let letter = self.letter(seat, response["of"].as_str()?, told)?;
            response["of"] = letter.into();
        }
        // What a schema does not ask for it does not take.
        let asked = schema["properties"].as_object()?;
        reply.as_object_mut()?.retain(|field, _| asked.contains_key(field));
        Some(reply)
    }

    /// The letter under which a reader knows what another wrote alone: A is whoever it was told of first. They are found by
    /// their summaries, so that no wording around them matters.
    fn letter(&self, reader: &str, of: &str, told: &str) -> Option<String> {
        let others = table().filter(|seat| *seat != reader);
        let mut known: Vec<(usize, &str)> =
            others.filter_map(|seat| Some((told.rfind(self.summary(seat)?)?, seat))).collect();
        known.sort_unstable();
        let place = known.iter().position(|(_, seat)| *seat == of)?;
        ('A'..='Z').nth(place).map(String::from)
    }

    /// What a seat's round 1 comes to.
    fn summary(&self, seat: &str) -> Option<&str> {
        self.said(seat)?["module_analysis"]["summary"].as_str()
    }

    /// All that a seat says, by the schema.
    fn said(&self, seat: &str) -> Option<&Value> {
        self.seats.iter().find(|(known, _)| *known == seat).map(|(_, said)| said)
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
    use schemars::JsonSchema;
    use serde::de::DeserializeOwned;
    use serde_json::json;

    use super::*;
    use crate::prompt::reply::{DuplicatesReply, PointsReply, QuestionReply};
    use domain::{Alone, Challenge, ChosenDraft, DraftsCheck, FirstAnswer, Synthesis};

    /// What a seat says where this form is asked for, by all bounds of the form.
    fn said<T: JsonSchema + DeserializeOwned>(seat: &str, name: &str) -> T {
        let schema = serde_json::to_value(schemars::schema_for!(T)).unwrap();
        let texts = Texts::embedded().unwrap();
        let told: Vec<&str> = table().filter_map(|seat| texts.summary(seat)).collect();
        let reply = texts.reply(seat, (name, &schema), &told.join("\n")).unwrap();
        check(&format!("{seat}, {name}"), &schema, &schema, &reply);
        serde_json::from_value(reply).unwrap()
    }

    /// Every bound of a schema, for models are held to them and so is whoever writes in their place; of words and items those
    /// at the effort of the example.
    fn check(place: &str, whole: &Value, declared: &Value, value: &Value) {
        let within = |length: usize, (least, most): (usize, usize)| {
            assert!((least..=most).contains(&length), "{place}: {length}, not {least} to {most}: {value}");
        };
        if let Some(bounds) = brief(declared, "words").filter(|_| !value.is_null()) {
            within(words(whole, declared, value), bounds);
        }
        let schema = resolved(whole, declared);
        let bound = |name: &str| schema[name].as_u64().and_then(|bound| usize::try_from(bound).ok());
        let bounds = |least, most| (bound(least).unwrap_or(0), bound(most).unwrap_or(usize::MAX));
        match value {
            Value::String(text) => within(text.chars().count(), bounds("minLength", "maxLength")),
            Value::Array(items) => {
                within(items.len(), bounds("minItems", "maxItems"));
                if let Some(asked) = brief(declared, "items_asked") {
                    within(items.len(), asked);
                }
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

    /// What a form asks for at brief effort, least and most: the first of `30-50 | 50-80 | 80-140`.
    fn brief(declared: &Value, keyword: &str) -> Option<(usize, usize)> {
        let (least, most) = declared[keyword].as_str()?.split('|').next()?.trim().split_once('-')?;
        Some((least.parse().ok()?, most.parse().ok()?))
    }

    /// The words of all texts in a value. Names and what is one of a few words count for none.
    fn words(whole: &Value, declared: &Value, value: &Value) -> usize {
        let schema = resolved(whole, declared);
        let is_chosen =
            declared["names"].is_string() || schema["enum"].is_array() || schema["oneOf"].is_array();
        match value {
            _ if is_chosen => 0,
            Value::String(text) => text.split_whitespace().count(),
            Value::Array(items) => items.iter().map(|item| words(whole, &schema["items"], item)).sum(),
            Value::Object(fields) => {
                let of = |(name, value): (&String, &Value)| words(whole, &schema["properties"][name], value);
                fields.iter().map(of).sum()
            }
            _ => 0,
        }
    }

    /// A schema in place of a reference to it.
    fn resolved<'a>(whole: &'a Value, declared: &'a Value) -> &'a Value {
        let name = declared["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/"));
        name.map_or(declared, |name| &whole["$defs"][name])
    }

    #[test]
    fn each_text_is_what_a_model_may_write_there() {
        for seat in table() {
            let alone = said::<Alone>(seat, "module_analysis");
            let challenge = said::<Challenge>(seat, "module_revision");
            let moved = alone.position.option != challenge.position.option
                || alone.position.success != challenge.position.success;
            assert_eq!(challenge.revised.is_some(), moved, "{seat}");
            said::<DraftsCheck>(seat, "drafts_check");
        }
        said::<FirstAnswer>("mediator", "first_answer");
        said::<QuestionReply>("checks", "question");
        said::<DuplicatesReply>("checks", "duplicates_check");
    }

    #[test]
    fn the_memo_answers_each_objection_and_not_all_are_taken() {
        let memo = said::<Synthesis>("mediator", "memo");
        let objections = |seat| said::<DraftsCheck>(seat, "drafts_check").by_place(&[0]).objections(0).len();
        let expected: Vec<usize> = (1..=table().map(objections).sum::<usize>()).collect();
        let answered: Vec<usize> = memo.resolutions.iter().map(|answer| answer.objection as usize).collect();
        assert_eq!(answered, expected);
        assert!(memo.resolutions.iter().any(|answer| answer.taken));
        assert!(memo.resolutions.iter().any(|answer| !answer.taken));
        let FirstAnswer { answer: opening, text } = said("mediator", "first_answer");
        let mended = ChosenDraft { opening, text, ..ChosenDraft::default() }.mended(&memo.edits);
        assert_eq!((mended.failed, mended.grown), (Vec::new(), 0));
        let titles: Vec<&String> = memo.options.iter().map(|option| &option.title).collect();
        assert_eq!(titles.len(), 3);
        assert!(memo.options.iter().flat_map(|option| &option.combines).all(|title| titles.contains(&title)));
    }

    #[test]
    fn ten_points_go_to_the_options_of_the_memo_by_their_numbers() {
        let options = said::<Synthesis>("mediator", "memo").options.len();
        let numbers: Vec<String> = (1..=options).map(|number| format!("S{number}")).collect();
        for seat in table() {
            let PointsReply { reasoning, points, success } = said::<PointsReply>(seat, "points");
            assert!((60..=120).contains(&reasoning.split_whitespace().count()), "{seat}");
            assert_eq!(points.values().sum::<u32>(), 10, "{seat}");
            let scored = points.iter().filter(|(_, points)| **points > 0).map(|(number, _)| number);
            assert!(scored.eq(success.keys()) && success.values().all(Value::is_u64), "{seat}");
            assert_eq!(points.into_keys().collect::<Vec<_>>(), numbers, "{seat}");
        }
    }

    #[test]
    fn whose_finding_is_answered_is_the_letter_under_which_it_was_read() {
        let texts = Texts::embedded().unwrap();
        let schema = json!({"properties": {"responses": {}}});
        for (read, letters) in
            [(["market", "cost", "operational"], ["A", "C"]), (["operational", "cost", "market"], ["C", "A"])]
        {
            let told = read.map(|seat| texts.summary(seat).unwrap()).join("\n");
            let reply = texts.reply("social", ("module_revision", &schema), &told).unwrap();
            let responses = reply["responses"].as_array().unwrap().iter();
            let of: Vec<&str> = responses.filter_map(|response| response["of"].as_str()).collect();
            assert_eq!(of, letters, "market, then operational");
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
