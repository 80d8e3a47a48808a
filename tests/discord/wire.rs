//! The JSON of posts: complete, and within Discord's documented limits when the post is.

use discord::wire;
use domain::{
    Button, ButtonStyle, Color, CustomId, Does, Embed, Field, Post, Row, Select, SelectOption, SessionId,
    StepKey,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn id(does: fn(StepKey) -> Does) -> CustomId {
    CustomId::new(&SessionId::from_bits(7), does(StepKey::from("round-1/market")))
}

#[test]
fn a_full_post_is_spelled_as_discord_spells_it() {
    let button = Button {
        id: id(Does::Raw),
        label: "Raw output".into(),
        style: ButtonStyle::Secondary,
        emoji: Some("📄".into()),
        disabled: true,
    };
    let option = SelectOption { label: "Market".into(), value: "market".into(), description: String::new() };
    let menu = Select {
        id: id(Does::Whole),
        placeholder: "Whole analysis…".into(),
        options: vec![option],
        range: (1, 1),
    };
    let embed = Embed {
        title: "Market".into(),
        description: "**Demand** is there".into(),
        color: Color::Caution,
        fields: vec![Field { name: "Flags".into(), value: "one".into(), inline: true, inside: false }],
        footer: "haaaaaaaaa".into(),
        author: "Round 1".into(),
        image: Some("points.png".into()),
    };
    let post = Post {
        content: "hello".into(),
        embeds: vec![embed, Embed { description: "only this".into(), ..Embed::default() }],
        rows: vec![Row::Buttons(vec![button]), Row::Select(menu)],
        files: Vec::new(),
        ..Post::default()
    };
    let expected = json!({
        "content": "hello",
        "embeds": [{
            "title": "Market", "description": "**Demand** is there", "color": 0xf0_b232,
            "fields": [{"name": "Flags", "value": "one", "inline": true}],
            "footer": {"text": "haaaaaaaaa"}, "author": {"name": "Round 1"},
            "image": {"url": "attachment://points.png"},
        }, {"description": "only this", "color": 0x80_848e}],
        "components": [
            {"type": 1, "components": [{
                "type": 2, "style": 2, "custom_id": "v1:haaaaaaaaa:raw:round-1/market", "label": "Raw output",
                "emoji": {"name": "📄"}, "disabled": true,
            }]},
            {"type": 1, "components": [{
                "type": 3, "custom_id": "v1:haaaaaaaaa:whole:round-1/market", "placeholder": "Whole analysis…",
                "options": [{"label": "Market", "value": "market"}], "min_values": 1, "max_values": 1,
            }]},
        ],
        "attachments": [],
        "allowed_mentions": {"parse": [], "replied_user": false},
    });
    assert_eq!(wire::message(&post, &[]), expected);
}

/// Every text in it with its path.
fn texts(value: &Value, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((path.to_owned(), text.clone())),
        Value::Array(all) => all.iter().for_each(|one| texts(one, path, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, one)| texts(one, &format!("{path}/{name}"), found));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn nothing_is_added_lost_or_left_empty(
        title in "\\PC{0,256}", description in "\\PC{0,400}", footer in "\\PC{0,200}", name in "\\PC{1,256}",
        value in "\\PC{1,400}", label in "\\PC{1,80}",
    ) {
        let embed = Embed {
            title: title.clone(), description: description.clone(), footer: footer.clone(),
            fields: vec![Field { name: name.clone(), value: value.clone(), inline: false, inside: false }],
            ..Embed::default()
        };
        let button = Button {
            id: id(Does::Raw), label: label.clone(), style: ButtonStyle::Primary, emoji: None, disabled: false,
        };
        let post = Post { embeds: vec![embed], rows: vec![Row::Buttons(vec![button])], ..Post::default() };
        let mut found = Vec::new();
        texts(&wire::message(&post, &[]), "", &mut found);
        let said = |path: &str| found.iter().find(|(at, _)| at == path).map_or("", |(_, text)| text);
        prop_assert_eq!(said("/embeds/title"), title);
        prop_assert_eq!(said("/embeds/description"), description);
        prop_assert_eq!(said("/embeds/footer/text"), footer);
        prop_assert_eq!(said("/embeds/fields/name"), name);
        prop_assert_eq!(said("/embeds/fields/value"), value);
        prop_assert_eq!(said("/components/components/label"), label);
        prop_assert!(said("/components/components/custom_id").len() <= 100);
        prop_assert!(found.iter().all(|(path, text)| path == "/content" || !text.is_empty()));
    }
}
