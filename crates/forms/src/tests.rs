use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Asked, ParseError, Shape, each_text, read, whole};
use domain::Effort;

/// How sure somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sure {
    /// Quite.
    Quite,
    /// Hardly.
    Hardly,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reason {
    /// What speaks for it.
    #[schemars(extend("line" = true, "label" = "Because"))]
    because: String,
    /// Whose it is.
    #[schemars(extend("names" = "seats", "label" = "Of"))]
    of: String,
}

/// What a witness says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "witness")]
struct Witness {
    /// All of it.
    #[schemars(extend("words" = "1-4 | 2-8 | 3-12", "label" = "Account", "needed" = true))]
    account: String,
    /// Quite or hardly.
    #[schemars(extend("label" = "Sure"))]
    sure: Sure,
    /// The chance.
    #[schemars(range(min = 0, max = 100), extend("label" = "Chance"))]
    chance: u8,
    /// What carries it.
    #[schemars(extend("items_asked" = "1-2 | 1-3 | 2-4", "words" = "2-10", "label" = "Reasons"))]
    reasons: Vec<Reason>,
    /// Who else was there; null if nobody.
    #[schemars(extend("words" = "1-5", "line" = true, "label" = "Also there"))]
    also: Option<String>,
    /// Under oath: what was left out.
    #[serde(default)]
    #[schemars(with = "String", extend("words" = "1-5", "when" = "oath", "label" = "Left out"))]
    left_out: Option<String>,
    /// How often each was there; null for one never seen.
    #[serde(default)]
    #[schemars(
        with = "BTreeMap<String, Option<u8>>",
        extend("each" = "seats", "minimum" = 0, "maximum" = 7, "when" = "counted")
    )]
    times: BTreeMap<String, Value>,
}

fn asked(effort: Effort) -> Asked {
    Asked::at(effort).naming("seats", ["ada".to_owned(), "ben".to_owned()])
}

fn reply(change: impl Fn(&mut Value)) -> String {
    let mut reply = json!({
        "account": "It rained [1] [7].", "sure": "quite", "chance": 60,
        "reasons": [{"because": " wet\nstreets", "of": "ada"}, {"because": "wet streets", "of": "ada"}],
        "also": " ",
    });
    change(&mut reply);
    reply.to_string()
}

#[test]
fn the_prompt_lists_what_the_schema_asks_for_in_the_same_order() {
    let shape = Shape::of::<Witness>();
    assert_eq!(shape.faults(), Vec::<String>::new());
    assert_eq!(
        shape.list(&asked(Effort::Standard)),
        "- account: 2 to 8 words. All of it.\n\
         - sure: one of quite, hardly. Quite or hardly.\n\
         - chance: 0 to 100. The chance.\n\
         - reasons: 1 to 3, 2 to 10 words in all. What carries it. Each with:\n  \
         - because: What speaks for it.\n  \
         - of: one of ada, ben. Whose it is.\n\
         - also: 1 to 5 words. Who else was there; null if nobody."
    );
    let schema = shape.schema(&asked(Effort::Standard));
    assert_eq!(schema.name, "witness");
    assert_eq!(super::schema::violations(&schema.json, "witness"), Vec::<String>::new());
    let properties = schema.json["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["account", "sure", "chance", "reasons", "also"]);
    assert_eq!(properties["also"]["type"], json!(["string", "null"]));
    assert_eq!(properties["reasons"]["maxItems"], 3);
    assert_eq!(properties["reasons"]["items"]["properties"]["of"]["enum"], json!(["ada", "ben"]));
    let sworn = shape.schema(&asked(Effort::Brief).when("oath", true)).json;
    assert_eq!(sworn["properties"]["left_out"]["type"], "string");
    assert!(shape.tokens(&asked(Effort::Deep)) > shape.tokens(&asked(Effort::Brief)));
}

#[test]
fn a_number_for_each_name_has_the_names_as_its_keys() {
    let (shape, asked) = (Shape::of::<Witness>(), asked(Effort::Brief).when("counted", true));
    let line =
        "- times: 0 to 7 or null for each of ada, ben. How often each was there; null for one never seen.";
    assert_eq!(shape.list(&asked).lines().last(), Some(line));
    let schema = shape.schema(&asked).json;
    assert_eq!(super::schema::violations(&schema, "witness"), Vec::<String>::new());
    let times = &schema["properties"]["times"]["properties"];
    assert_eq!(times["ben"], json!({"type": ["integer", "null"], "minimum": 0, "maximum": 7}));
    assert!(shape.tokens(&asked) > shape.tokens(&super::tests::asked(Effort::Brief)));
}

#[test]
fn a_reply_is_cleaned_and_what_nobody_asked_for_is_left_out() {
    let text = reply(|reply| reply["left_out"] = json!("The umbrella."));
    let said = read::<Witness>(&text, &asked(Effort::Brief), 2, true).unwrap();
    assert_eq!((said.said.account.as_str(), said.dropped), ("It rained [1].", 1));
    assert_eq!(said.said.reasons.len(), 1, "the same twice is once");
    assert_eq!((said.said.also, said.said.left_out), (None, None));
    let sworn = read::<Witness>(&text, &asked(Effort::Brief).when("oath", true), 2, true).unwrap();
    assert_eq!(sworn.said.left_out.as_deref(), Some("The umbrella."));
}

#[test]
fn what_is_far_too_long_is_an_error_once_and_then_whole() {
    for (change, told) in [
        ("account", "`account` has 20 words, at most 4"),
        ("reasons", "`reasons` has 20 words, at most 10"),
        ("also", "`also` has 20 words, at most 5"),
    ] {
        let long = "word ".repeat(20).trim().to_owned();
        let text = reply(|reply| match change {
            "reasons" => reply["reasons"][0]["because"] = json!(long.clone()),
            field => reply[field] = json!(long.clone()),
        });
        let first = read::<Witness>(&text, &asked(Effort::Brief), 2, true);
        assert!(
            matches!(&first, Err(ParseError::Long(why)) if why.contains(told.split(" has").next().unwrap())),
            "{first:?}"
        );
        assert!(read::<Witness>(&text, &asked(Effort::Brief), 2, false).is_ok());
    }
    // Japanese has no spaces: two characters count as a word.
    let japanese = reply(|reply| reply["account"] = json!("雨が降っていました雨が降っていました雨が降って"));
    assert!(matches!(read::<Witness>(&japanese, &asked(Effort::Brief), 0, true), Err(ParseError::Long(_))));
}

#[test]
fn what_is_needed_has_to_be_there() {
    let empty = reply(|reply| reply["account"] = json!(" … "));
    for first in [true, false] {
        let read = read::<Witness>(&empty, &asked(Effort::Brief), 0, first);
        assert_eq!(read, Err(ParseError::Missing("account".into())));
    }
}

#[test]
fn the_whole_stands_under_its_labels_and_each_text_can_be_changed() {
    let mut said = read::<Witness>(&reply(|_| {}), &asked(Effort::Brief), 2, true).unwrap().said;
    assert_eq!(
        whole(&said),
        "**Account**\nIt rained [1].\n\n**Sure**\nquite\n\n**Chance**\n60\n\n**Reasons**\n- wet streets\n  - Of: ada"
    );
    each_text(&mut said, &mut |text| *text = text.to_uppercase());
    assert_eq!((said.account.as_str(), said.reasons[0].because.as_str()), ("IT RAINED [1].", "WET STREETS"));
    assert_eq!(said.reasons[0].of, "ada", "a name is no text");
}
