//! The options of a command, by name and as they are typed, so that they can be set again where a session waits for a *Go*.

use std::collections::BTreeMap;

use strum::{EnumString, IntoStaticStr};
use thiserror::Error;

use super::{Brief, VoteRules};

/// An option of a command, by the name that it has there. What a session is about, and what it reads, is none of these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, IntoStaticStr, EnumString)]
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
    /// For how many hours the team votes.
    VoteHours,
    /// Who votes.
    Voters,
    /// How many have to.
    Quorum,
}

impl OptionName {
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
        matches!(self, Self::AutoSelect | Self::Baseline | Self::Raci | Self::DeepResearch | Self::Search)
    }
}

/// Why what was written in the form of the options cannot be taken.
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
}

/// What is chosen for a session: a value for each option of its command. An empty one is as the server has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionWords(BTreeMap<OptionName, String>);

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
        Self(brief.own_options().into_iter().chain(usual).collect())
    }

    /// Its options, in the order in which a form has them.
    pub fn names(&self) -> impl Iterator<Item = OptionName> {
        self.0.keys().copied()
    }

    /// What an option is; nothing where it is as the server has it.
    #[must_use]
    pub fn get(&self, name: OptionName) -> Option<&str> {
        self.0.get(&name).map(String::as_str).filter(|value| !value.is_empty())
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
        Ok(Self(words))
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
    fn who_votes_is_typed_as_it_is_read() {
        for typed in ["everyone", "<@&9>", "<@1> <@2>"] {
            let voting = VoteRules { electorate: Electorate::parse(typed).unwrap(), ..VoteRules::default() };
            let words = OptionWords::of(&Brief::Mediate(sample::mediate::brief("")), &voting);
            assert_eq!(words.get(OptionName::Voters), Some(typed));
        }
    }
}
