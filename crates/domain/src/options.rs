//! The options of a command, by name and as they are typed, so that they can be set again where a session waits for a *Go*.

use std::{collections::BTreeMap, ops::RangeInclusive, str::FromStr};

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoEnumIterator as _, IntoStaticStr, VariantArray};
use thiserror::Error;

use super::{Brief, Checking, Effort, MAX_VOTE_HOURS, Mode, Preset, VoteRules};

/// An option of a command, by the name that it has there. What a session is about, and what it reads, is none of these.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    IntoStaticStr,
    EnumString,
    VariantArray,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum OptionName {
    /// Who looks at it.
    Modules,
    /// How many experts sit at the table.
    Experts,
    /// How long a debate is.
    Preset,
    /// How deep the trees of a critique may grow.
    Depth,
    /// How freely an investigation goes.
    Mode,
    /// How much it checks.
    Checks,
    /// How much is asked of everybody.
    Effort,
    /// One model for all seats of the panel.
    Model,
    /// Fitting modules are chosen.
    AutoSelect,
    /// One plain call beside the session, to compare it with.
    Baseline,
    /// Where modules cannot all be right, one carries it.
    Raci,
    /// What is grave is looked into once more.
    DeepResearch,
    /// The web is searched.
    Search,
    /// How much each module counts.
    Weights,
    /// How many answer alone first.
    Scouts,
    /// How many calls of tools an investigator has.
    Budget,
    /// In what a number is counted.
    Unit,
    /// How many estimate it.
    Estimators,
    /// For how many hours the team votes.
    VoteHours,
    /// Who votes.
    Voters,
    /// How many have to.
    Quorum,
}

/// What an option may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValues {
    /// One of these words, each with what it means.
    Words(Vec<(&'static str, &'static str)>),
    /// A whole number within these bounds.
    Whole(RangeInclusive<u32>),
    /// On or off.
    Switch,
    /// Names, mentions or a model.
    Text,
}

impl OptionName {
    /// What it may be.
    #[must_use]
    pub fn values(self) -> OptionValues {
        match self {
            Self::Effort => {
                OptionValues::Words(Effort::iter().map(|one| (one.as_str(), one.meaning())).collect())
            }
            Self::Preset => OptionValues::Words(Preset::ALL.map(|one| (one.as_str(), one.meaning())).into()),
            Self::Mode => OptionValues::Words(Mode::ALL.map(|one| (one.as_str(), one.meaning())).into()),
            Self::Checks => {
                OptionValues::Words(Checking::ALL.map(|one| (one.as_str(), one.meaning())).into())
            }
            Self::Experts | Self::Scouts => OptionValues::Whole(2..=5),
            Self::Estimators => OptionValues::Whole(3..=7),
            Self::Depth => OptionValues::Whole(1..=3),
            Self::Budget => OptionValues::Whole(1..=40),
            Self::VoteHours => OptionValues::Whole(1..=MAX_VOTE_HOURS),
            Self::Quorum => OptionValues::Whole(0..=MAX_QUORUM),
            Self::AutoSelect | Self::Baseline | Self::Raci | Self::DeepResearch | Self::Search => {
                OptionValues::Switch
            }
            Self::Modules | Self::Model | Self::Weights | Self::Unit | Self::Voters => OptionValues::Text,
        }
    }

    /// All of them, in the order in which a form has them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// As commands spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// A switch as a value.
    #[must_use]
    pub fn switch(on: bool) -> String {
        if on { "yes" } else { "no" }.to_owned()
    }

    /// Whether it is either on or off.
    #[must_use]
    pub fn is_switch(self) -> bool {
        self.values() == OptionValues::Switch
    }
}

/// Highest quorum that can be asked for.
const MAX_QUORUM: u32 = 1_000;

/// Why options cannot be taken as they were given.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum OptionsError {
    /// A line without a name.
    #[error("“{0}” is not an option with its value. Write a line such as `vote_hours: 48`; there are {1}.")]
    Line(String, String),
    /// No such option here.
    #[error("There is no option `{0}` to be written here; there are {1}.")]
    Name(String, String),
    /// An option on two lines.
    #[error("`{0}` is written twice. Leave one of the lines.")]
    Twice(&'static str),
    /// Neither on nor off.
    #[error("`{0}` is yes or no.")]
    Switch(&'static str),
    /// No number, or out of its bounds.
    #[error("`{0}` is a whole number from {1} to {2}.")]
    Whole(&'static str, u32, u32),
    /// Not one of its words.
    #[error("`{0}` is one of these: {1}.")]
    Word(&'static str, String),
}

/// What is chosen for a session: a value for each option of its command. An empty one is as the server has it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OptionWords {
    values: BTreeMap<OptionName, String>,
    /// Whether they were set again in a form, which shows all of them: what is not on in its lists is off.
    #[serde(default)]
    set_again: bool,
}

impl FromIterator<(OptionName, String)> for OptionWords {
    /// As they were given with a command.
    fn from_iter<I: IntoIterator<Item = (OptionName, String)>>(given: I) -> Self {
        Self { values: given.into_iter().collect(), set_again: false }
    }
}

/// The name of the list in the form that holds all that is on or off.
pub const SWITCHES: &str = "switches";
/// The name of the box in the form for what has no list.
pub const THE_REST: &str = "rest";

impl OptionWords {
    /// As a session has them that is asked this, and whose vote is held so.
    #[must_use]
    pub fn of(brief: &Brief, voting: &VoteRules) -> Self {
        use OptionName as Name;
        let model = brief.sole_model().map(ToString::to_string);
        let usual = [
            (Name::Effort, brief.effort().as_str().to_owned()),
            (Name::Model, model.unwrap_or_default()),
            (Name::VoteHours, voting.hours.to_string()),
            (Name::Voters, voting.electorate.typed()),
            (Name::Quorum, voting.quorum.to_string()),
        ];
        brief.own_options().into_iter().chain(usual).collect()
    }

    /// Whether they were set again in a form, which shows all of them.
    #[must_use]
    pub fn were_set_again(&self) -> bool {
        self.set_again
    }

    /// Its options, in the order in which a form has them.
    pub fn names(&self) -> impl Iterator<Item = OptionName> {
        self.values.keys().copied()
    }

    /// What an option is; nothing where it is as the server has it.
    #[must_use]
    pub fn get(&self, name: OptionName) -> Option<&str> {
        self.values.get(&name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether a switch is on or off; nothing where it is as the server has it.
    #[must_use]
    pub fn switched(&self, name: OptionName) -> Option<bool> {
        self.get(name).map(|value| value == "yes")
    }

    /// Whether a switch is on.
    #[must_use]
    pub fn is_on(&self, name: OptionName) -> bool {
        self.get(name) == Some("yes")
    }

    /// The same as somebody wrote it into the form: a list for some by their name, one for all that is on or off
    /// ([`SWITCHES`]), and a box with a line for each of the others ([`THE_REST`]). What has no line is as the server has it.
    pub fn written(&self, form: &BTreeMap<String, String>) -> Result<Self, OptionsError> {
        let listed = |name: OptionName| form.get(name.as_str()).map(|value| value.trim().replace('\n', " "));
        let mut words: BTreeMap<OptionName, String> =
            self.names().filter_map(|name| Some((name, listed(name)?))).collect();
        if let Some(on) = form.get(SWITCHES) {
            let on: Vec<&str> = on.split_whitespace().collect();
            let is_on = |name: OptionName| OptionName::switch(on.contains(&name.as_str()));
            words.extend(self.names().filter(|name| name.is_switch()).map(|name| (name, is_on(name))));
        }
        let open: Vec<OptionName> = self.names().filter(|name| !words.contains_key(name)).collect();
        let there_are =
            || open.iter().map(|name| format!("`{}`", name.as_str())).collect::<Vec<_>>().join(", ");
        let lines = form.get(THE_REST).map(String::as_str).unwrap_or_default().lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty()) {
            let short = |text: &str| text.chars().take(40).collect::<String>();
            let Some((name, value)) = line.split_once([':', '=']) else {
                return Err(OptionsError::Line(short(line), there_are()));
            };
            let name = name.trim().to_lowercase().replace([' ', '-'], "_");
            let Some(name) = name.parse().ok().filter(|name| open.contains(name)) else {
                return Err(OptionsError::Name(short(&name), there_are()));
            };
            let value = if name.is_switch() { on_or_off(name, value.trim())? } else { value.trim() };
            if words.insert(name, value.to_owned()).is_some() {
                return Err(OptionsError::Twice(name.as_str()));
            }
        }
        Ok(Self { values: words, set_again: true })
    }

    /// An option that is a whole number.
    pub fn whole(&self, name: OptionName) -> Result<Option<u32>, OptionsError> {
        let (Some(text), OptionValues::Whole(bounds)) = (self.get(name), name.values()) else {
            return Ok(None);
        };
        match text.parse() {
            Ok(number) if bounds.contains(&number) => Ok(Some(number)),
            _ => Err(OptionsError::Whole(name.as_str(), *bounds.start(), *bounds.end())),
        }
    }

    /// An option that is one of a few words.
    pub fn one_of<T: FromStr>(&self, name: OptionName) -> Result<Option<T>, OptionsError> {
        let (Some(text), OptionValues::Words(words)) = (self.get(name), name.values()) else {
            return Ok(None);
        };
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        match text.parse() {
            Ok(one) if known.contains(&text) => Ok(Some(one)),
            _ => Err(OptionsError::Word(name.as_str(), known.join(", "))),
        }
    }
}

fn on_or_off(name: OptionName, value: &str) -> Result<&'static str, OptionsError> {
    match value.to_lowercase().as_str() {
        "yes" | "true" | "on" => Ok("yes"),
        "no" | "false" | "off" => Ok("no"),
        "" => Ok(""),
        _ => Err(OptionsError::Switch(name.as_str())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Electorate, sample};

    fn written(form: &[(&str, &str)]) -> BTreeMap<String, String> {
        form.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn mediate() -> OptionWords {
        OptionWords::of(&Brief::Mediate(sample::mediate::brief("")), &VoteRules::default())
    }

    #[test]
    fn what_is_in_a_list_a_switch_or_a_line_is_read() {
        let form = written(&[
            ("modules", "market\nlegal"),
            ("effort", "deep"),
            ("model", ""),
            (SWITCHES, "baseline\nsearch"),
            (THE_REST, "weights: legal=2 cost=0\n\n Vote hours : 48 \nquorum=3"),
        ]);
        let words = mediate().written(&form).unwrap();
        for (name, value) in [
            (OptionName::Modules, Some("market legal")),
            (OptionName::Effort, Some("deep")),
            (OptionName::Model, None),
            (OptionName::Weights, Some("legal=2 cost=0")),
            (OptionName::VoteHours, Some("48")),
            (OptionName::Quorum, Some("3")),
            (OptionName::Voters, None),
        ] {
            assert_eq!(words.get(name), value, "{name:?}");
        }
        let on = |name| words.is_on(name);
        assert!(on(OptionName::Baseline) && on(OptionName::Search));
        assert!(!on(OptionName::Raci) && !on(OptionName::DeepResearch) && !on(OptionName::AutoSelect));
    }

    #[test]
    fn what_cannot_be_read_says_what_can() {
        for (line, said) in [
            ("faster please", "is not an option with its value"),
            ("depth: 3", "There is no option `depth`"),
            ("effort: deep", "There is no option `effort`"),
            ("quorum: 1\nQuorum: 2", "`quorum` is written twice"),
        ] {
            let form = written(&[("effort", "deep"), (THE_REST, line)]);
            let told = mediate().written(&form).unwrap_err().to_string();
            assert!(told.contains(said), "{line}: {told}");
        }
        let form = written(&[(THE_REST, "search: maybe")]);
        assert_eq!(mediate().written(&form), Err(OptionsError::Switch("search")));
        for (word, value) in [("Yes", "yes"), ("off", "no"), ("", "")] {
            let words = mediate().written(&written(&[(THE_REST, &format!("search: {word}"))])).unwrap();
            assert_eq!(words.get(OptionName::Search).unwrap_or_default(), value);
        }
    }

    #[test]
    fn numbers_and_words_are_within_what_the_option_may_be() {
        let words = |name: OptionName, value: &str| OptionWords::from_iter([(name, value.to_owned())]);
        for (name, least, most) in [
            (OptionName::Experts, 2, 5),
            (OptionName::Scouts, 2, 5),
            (OptionName::Estimators, 3, 7),
            (OptionName::Depth, 1, 3),
            (OptionName::Budget, 1, 40),
            (OptionName::VoteHours, 1, 336),
            (OptionName::Quorum, 0, 1_000),
        ] {
            for inside in [least, most] {
                assert_eq!(words(name, &inside.to_string()).whole(name), Ok(Some(inside)));
            }
            for wrong in ["-1", "four", "2.5", "9999", &(most + 1).to_string()] {
                assert_eq!(
                    words(name, wrong).whole(name),
                    Err(OptionsError::Whole(name.as_str(), least, most))
                );
            }
            assert_eq!(OptionWords::default().whole(name), Ok(None), "as it is usual");
        }
        assert_eq!(
            words(OptionName::Mode, "structured").one_of(OptionName::Mode),
            Ok(Some(Mode::Structured))
        );
        let wild = words(OptionName::Mode, "wild").one_of::<Mode>(OptionName::Mode).unwrap_err();
        assert_eq!(wild.to_string(), "`mode` is one of these: adaptive, structured, unstructured.");
    }

    #[test]
    fn what_was_chosen_is_kept_until_there_is_a_text() {
        let words = OptionWords::from_iter([(OptionName::DeepResearch, "yes".to_owned())]);
        let kept = serde_json::to_value(&words).unwrap();
        assert_eq!(kept["values"]["deep_research"], "yes");
        assert_eq!(serde_json::from_value::<OptionWords>(kept).unwrap(), words);
    }

    #[test]
    fn who_votes_is_typed_as_it_is_read() {
        for typed in ["everyone", "<@&9>", "<@1> <@2>"] {
            let voting = VoteRules { electorate: Electorate::parse(typed).unwrap(), ..VoteRules::default() };
            let words = OptionWords::of(&Brief::Mediate(sample::mediate::brief("")), &voting);
            assert_eq!(words.get(OptionName::Voters), Some(typed));
        }
    }
}
