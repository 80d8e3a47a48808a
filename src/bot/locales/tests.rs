use std::collections::BTreeSet;

use super::*;
use crate::bot::{commands, registration};

/// What the real commands say in English.
#[derive(Default)]
struct English {
    /// Of all commands and options.
    names: BTreeSet<String>,
    /// Those of them that are read and never typed: entries of menus.
    menu: BTreeSet<String>,
    descriptions: BTreeSet<String>,
    choices: BTreeSet<String>,
}

impl English {
    fn of_all_commands() -> Self {
        let mut english = Self::default();
        for command in registration::wanted(&commands::all()).unwrap() {
            if command["type"].as_u64().is_some_and(|kind| kind != 1) {
                english.menu.insert(command["name"].as_str().unwrap().to_owned());
            }
            english.add(&command);
        }
        english
    }

    fn add(&mut self, named: &Value) {
        let text = |of: &Value, field: &str| of[field].as_str().unwrap_or_default().to_owned();
        let items = |list: &str| named[list].as_array().cloned().unwrap_or_default();
        self.names.insert(text(named, "name"));
        self.descriptions.extend(Some(text(named, "description")).filter(|text| !text.is_empty()));
        self.choices.extend(items("choices").iter().map(|choice| text(choice, "name")));
        for option in &items("options") {
            self.add(option);
        }
    }
}

fn languages() -> Vec<(String, Catalogue)> {
    let read = |(codes, file): (&[&str], &str)| (codes.join(", "), Catalogue::read(file).unwrap());
    LANGUAGES.map(read).into()
}

/// Every translation: its language, the English and itself.
fn pairs() -> Vec<(String, String, String)> {
    let all = languages().into_iter().flat_map(|(language, catalogue)| {
        let words = [catalogue.names, catalogue.descriptions, catalogue.choices].into_iter().flatten();
        words.map(move |(english, said)| (language.clone(), english, said))
    });
    all.collect()
}

fn none(broken: Vec<String>, rule: &str) {
    assert!(broken.is_empty(), "{rule}\n  {}\n", broken.join("\n  "));
}

#[test]
fn every_language_says_all_that_the_commands_say_and_nothing_else() {
    let english = English::of_all_commands();
    assert!(english.menu.len() == 2 && english.descriptions.len() > 90 && english.choices.len() > 15);
    let mut broken = Vec::new();
    for (language, catalogue) in languages() {
        for (section, words, needed, known) in [
            ("names", &catalogue.names, &english.menu, &english.names),
            ("descriptions", &catalogue.descriptions, &english.descriptions, &english.descriptions),
            ("choices", &catalogue.choices, &english.choices, &english.choices),
        ] {
            let missing = needed.iter().filter(|text| !words.contains_key(*text));
            broken.extend(missing.map(|text| format!("{language}: missing in {section}: {text:?}")));
            let unknown = words.keys().filter(|text| !known.contains(*text));
            broken.extend(unknown.map(|text| format!("{language}: no command says, in {section}: {text:?}")));
        }
    }
    none(broken, "A catalogue in the folder `locales` does not fit the commands:");
}

#[test]
fn what_is_said_fits_discord_and_is_not_english() {
    let mut broken = Vec::new();
    for (language, catalogue) in languages() {
        for (words, most) in [(catalogue.names, 32), (catalogue.descriptions, 100), (catalogue.choices, 100)]
        {
            for (english, said) in words {
                let length = said.chars().count();
                if !(1..=most).contains(&length) || said.trim() != said {
                    broken.push(format!("{language}: {length} characters of 1 to {most}: {said:?}"));
                }
                if said == english {
                    broken.push(format!("{language}: still English: {said:?}"));
                }
            }
        }
    }
    none(broken, "A translation cannot be shown:");
}

/// What is typed, counted or looked for under its English word.
fn fixed(text: &str) -> Vec<String> {
    let between = regex::Regex::new(r"(\d)[.,\u{a0}](\d)").unwrap();
    let typed = regex::Regex::new(r"`[^`]+`|[/@][a-z]+( reset)?|[a-z]+=\d+|\d+[kM]?").unwrap();
    let joined = between.replace_all(text, "$1$2").into_owned();
    let mut found: Vec<String> = typed.find_iter(&joined).map(|found| found.as_str().to_owned()).collect();
    found.sort();
    found
}

#[test]
fn what_is_typed_and_every_number_stay_as_they_are() {
    let changed = pairs().into_iter().filter(|(_, english, said)| fixed(english) != fixed(said));
    let broken = changed.map(|(language, english, said)| format!("{language}: {english:?} is {said:?}"));
    none(broken.collect(), "A translation changes a number or a word that has to be typed:");
}

#[test]
fn a_choice_begins_with_the_word_by_which_cards_call_it() {
    let mut broken = Vec::new();
    for (language, catalogue) in languages() {
        for (english, said) in catalogue.choices {
            let word = english.split(':').next().unwrap();
            if !said.starts_with(&format!("{word} ")) {
                broken.push(format!("{language}: {said:?} does not begin with {word:?}"));
            }
        }
    }
    none(broken, "A choice is not to be recognised on the cards:");
}

/// So that a file has no entry twice, of which only the last would count, and changes show line by line.
#[test]
fn the_files_are_written_as_json_is_written() {
    for (codes, file) in LANGUAGES {
        let read: Value = serde_json::from_str(file).unwrap();
        let written = serde_json::to_string_pretty(&read).unwrap() + "\n";
        assert!(written == file, "{codes:?}: an entry stands twice, or the layout is not that of the others");
    }
}

#[test]
fn names_are_taken_wherever_a_catalogue_has_them() {
    let words = |english: &str, said: &str| Words::from([(english.to_owned(), said.to_owned())]);
    let catalogue = Catalogue {
        names: words("vote", "abstimmen"),
        descriptions: words("How long", "Wie lange"),
        choices: words("one", "eins"),
    };
    let mut command = serde_json::json!({"name": "vote", "description": "Other", "options": [
        {"name": "hours", "description": "How long", "choices": [{"name": "one", "value": 1}]}
    ]});
    catalogue.translate(&mut command, &["de", "xx"]);
    let expected = serde_json::json!({
        "name": "vote", "name_localizations": {"de": "abstimmen", "xx": "abstimmen"}, "description": "Other",
        "options": [{
            "name": "hours", "description": "How long",
            "description_localizations": {"de": "Wie lange", "xx": "Wie lange"},
            "choices": [{"name": "one", "name_localizations": {"de": "eins", "xx": "eins"}, "value": 1}]
        }]
    });
    assert_eq!(command, expected);
}
