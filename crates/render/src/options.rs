//! The form in which the options of a session's command are set again, while its estimate waits for a *Go*.

use super::text;
use domain::{
    ChoiceInput, CustomId, Does, Input, MODULES, Modal, ModelName, OptionName, OptionValues, OptionWords,
    SWITCHES, SelectOption, SessionId, THE_REST, TextInput,
};

/// Most lists of the form: Discord gives it five parts, and one is the box for the rest.
const LISTS: usize = 4;
/// Most options of a list (Discord's documentation, "String Select").
const LISTED: usize = 25;
/// Room for a line of an option, in characters.
const LINE: usize = 100;
/// Longest text of the box for the rest, in characters.
const REST: u16 = 1_500;
/// What the box for the rest says while it is empty.
const PLACEHOLDER: &str = "vote_hours: 48";

/// The form, as the session has its options; `models` are those that there are.
#[must_use]
pub fn form(session: &SessionId, words: &OptionWords, models: &[ModelName]) -> Modal {
    let switches: Vec<OptionName> = words.names().filter(|name| name.is_switch()).collect();
    let mut inputs: Vec<Input> = Vec::new();
    let mut rest = Vec::new();
    for name in words.names().filter(|name| !name.is_switch()) {
        match list(name, words.get(name), models).filter(|_| inputs.len() < LISTS) {
            Some(list) => inputs.push(list.into()),
            None => rest.push(name),
        }
    }
    if !switches.is_empty() && inputs.len() < LISTS {
        inputs.push(switched(words, &switches).into());
    } else {
        rest.extend(switches);
    }
    let line = |name: &OptionName| format!("{}: {}", name.as_str(), words.get(*name).unwrap_or_default());
    inputs.push(
        TextInput {
            id: THE_REST.to_owned(),
            label: "The rest, a line each (optional)".to_owned(),
            placeholder: PLACEHOLDER.to_owned(),
            value: rest.iter().map(line).collect::<Vec<_>>().join("\n"),
            paragraph: true,
            required: false,
            max: REST,
        }
        .into(),
    );
    Modal {
        id: CustomId::new(session, Does::EstimateOptionsSent),
        title: "Options of this session".to_owned(),
        inputs,
    }
}

/// The list for an option that is one or some of a few words.
fn list(name: OptionName, chosen: Option<&str>, models: &[ModelName]) -> Option<ChoiceInput> {
    let (label, description) = match name {
        OptionName::Modules => ("Who looks at it (optional)", "None chosen: the usual ones"),
        OptionName::Experts => ("Experts at the table", ""),
        OptionName::Preset => ("How long it is", ""),
        OptionName::Depth => ("How deep they look", "Deeper takes more calls"),
        OptionName::Mode => ("How freely it is looked into", ""),
        OptionName::Checks => ("How much is checked", ""),
        OptionName::Effort => ("How much is asked for", ""),
        OptionName::Model => ("One model for the whole panel (optional)", "None chosen: as it is set here"),
        _ => return None,
    };
    let options: Vec<SelectOption> = match name.values() {
        OptionValues::Words(words) => {
            words.into_iter().map(|(value, meaning)| option(value, value, meaning)).collect()
        }
        OptionValues::Whole(counts) => counts.map(|count| whole(name, count)).collect(),
        _ if name == OptionName::Model => of_models(chosen, models),
        _ => MODULES.iter().map(|module| option(module.name, module.title, module.looks_at)).collect(),
    };
    let several = name == OptionName::Modules;
    let optional = several || name == OptionName::Model;
    let chosen = chosen.into_iter().flat_map(str::split_whitespace).map(str::to_owned);
    let chosen: Vec<String> =
        chosen.filter(|one| options.iter().any(|option| option.value == *one)).collect();
    let most = if several { u8::try_from(options.len()).unwrap_or(u8::MAX) } else { 1 };
    Some(ChoiceInput {
        id: name.as_str().to_owned(),
        label: label.to_owned(),
        description: description.to_owned(),
        placeholder: if optional { "None chosen" } else { "Choose one" }.to_owned(),
        options,
        chosen,
        range: (u8::from(!optional), most),
    })
}

/// The models that there are, the chosen one among them, as many as a list takes.
fn of_models(chosen: Option<&str>, models: &[ModelName]) -> Vec<SelectOption> {
    let mut names: Vec<String> =
        models.iter().map(ToString::to_string).filter(|name| name.len() <= LINE).collect();
    names.sort_by_key(|name| Some(name.as_str()) != chosen);
    names.truncate(LISTED);
    names.iter().map(|name| option(name, name, "")).collect()
}

/// The list of what is on or off.
fn switched(words: &OptionWords, switches: &[OptionName]) -> ChoiceInput {
    let options = switches.iter().map(|name| {
        let (label, description) = match name {
            OptionName::AutoSelect => {
                ("auto_select", "Have fitting modules chosen, and some made where none fits")
            }
            OptionName::Baseline => ("baseline", "Also ask one model plainly, and compare in the end"),
            OptionName::Raci => ("raci", "Where modules cannot all be right, the one it is about carries it"),
            OptionName::DeepResearch => ("deep_research", "Look into grave matters once more, on the web"),
            _ => ("search", "The web may be searched"),
        };
        option(name.as_str(), label, description)
    });
    let on = switches.iter().filter(|name| words.is_on(**name));
    ChoiceInput {
        id: SWITCHES.to_owned(),
        label: "What is switched on (optional)".to_owned(),
        description: String::new(),
        placeholder: "None of these".to_owned(),
        options: options.collect(),
        chosen: on.map(|name| name.as_str().to_owned()).collect(),
        range: (0, u8::try_from(switches.len()).unwrap_or(u8::MAX)),
    }
}

/// A number of a list.
fn whole(name: OptionName, count: u32) -> SelectOption {
    let label = match (name, count) {
        (OptionName::Depth, 1) => "One look".to_owned(),
        (OptionName::Depth, 2) => "The usual".to_owned(),
        (OptionName::Depth, _) => "The deepest".to_owned(),
        _ => format!("{count} experts"),
    };
    option(&count.to_string(), &label, "")
}

fn option(value: &str, label: &str, description: &str) -> SelectOption {
    SelectOption {
        label: text::plain(label, LINE),
        value: value.to_owned(),
        description: text::plain(description, LINE),
    }
}

#[cfg(test)]
mod tests {
    use super::super::support::{assert_form, form_shown};
    use super::*;
    use crate::sample;
    use domain::{Brief, Preset, VoteRules};

    const SESSION: u64 = 7;

    fn shown(brief: Brief) -> String {
        let models = ["anthropic/claude-sonnet-5-5", "openai/gpt-6-1-sol"].map(|name| name.parse().unwrap());
        let words = OptionWords::of(&brief, &VoteRules::default());
        let form = form(&SessionId::from_bits(SESSION), &words, &models);
        assert_form(&form);
        form_shown(&form)
    }

    #[test]
    fn every_option_of_a_command_has_its_place_in_the_form() {
        let all = [
            Brief::Mediate(sample::mediate::brief("legal=2 cost=0")),
            Brief::Mediate(sample::mediate::selecting("tech=3")),
            Brief::Roundtable(sample::roundtable::brief(3)),
            Brief::Debate(sample::debate::brief(Preset::Quick)),
            Brief::Critique(sample::critique::session().brief),
            Brief::Investigate(sample::investigate::brief(3)),
            Brief::Delphi(sample::delphi::brief(5)),
        ];
        let all = all.map(shown).join("\n\n");
        insta::assert_snapshot!(all);
    }

    #[test]
    fn of_many_models_the_chosen_one_is_there() {
        let models: Vec<ModelName> = (0..40).map(|n| format!("openai/m{n:02}").parse().unwrap()).collect();
        let listed = of_models(Some("openai/m39"), &models);
        assert_eq!((listed.len(), listed[0].value.as_str()), (LISTED, "openai/m39"));
    }
}
