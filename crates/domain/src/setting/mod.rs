//! What a server's managers can set, as a table: from it come the options of `/settings`, what is valid, what is shown,
//! the choices of a reset, and what is written down about a change.
//!
//! A new setting is a field of [`GuildSettings`], an entry of the table, and its use.

mod budget;
mod read;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;

use thiserror::Error;

use super::{Caps, Grant, GuildSettings, ModelName, Money};

pub(super) use read::{cents, whole};
pub use table::SETTING_GROUPS;

/// Settings that are shown and changed together: a subcommand of `/settings`.
#[derive(Debug)]
pub struct SettingGroup {
    /// The subcommand that changes it.
    pub name: &'static str,
    /// What the subcommand says of itself, at most 100 characters.
    pub help: &'static str,
    /// What it is called where it is shown.
    pub title: &'static str,
    /// What holds for all of it; may be nothing.
    pub about: &'static str,
    /// Its settings, as they are shown.
    pub settings: &'static [Setting],
}

/// What a server's managers can set, one by one.
pub struct Setting {
    /// The option that changes it; unique among all settings, and the name it is stored under.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What it means, in a line.
    pub meaning: &'static str,
    /// What its option says, at most 100 characters.
    pub help: &'static str,
    /// What its option takes, and how that is read.
    pub option: SettingOption,
    /// Whether a change holds at once for running sessions too; else for those that start from then on.
    pub at_once: bool,
    words: fn(&GuildSettings) -> String,
    shown: fn(&GuildSettings, &Beside) -> Option<String>,
    copy: fn(&GuildSettings, &mut GuildSettings),
    check: fn(&GuildSettings, &Bounds) -> Result<(), SettingError>,
}

/// What the option of a setting takes, with what reads it into the settings.
#[derive(Clone, Copy)]
pub enum SettingOption {
    /// A role, or `@everyone`.
    Role(fn(&mut GuildSettings, Grant)),
    /// A whole number.
    Number(fn(&mut GuildSettings, i64) -> Result<(), SettingError>),
    /// Yes or no.
    Switch(fn(&mut GuildSettings, bool)),
    /// Any text.
    Text(fn(&mut GuildSettings, &str) -> Result<(), SettingError>),
    /// Models by name.
    Models(fn(&mut GuildSettings, &str, &Bounds) -> Result<(), SettingError>),
    /// Modules by name.
    Modules(fn(&mut GuildSettings, &str) -> Result<(), SettingError>),
}

/// What was given for a setting's option.
#[derive(Clone, PartialEq, Debug)]
pub enum Typed {
    /// A role.
    Role(Grant),
    /// A number.
    Number(i64),
    /// Yes or no.
    Switch(bool),
    /// A text.
    Text(String),
}

/// What somebody wants to change of a server's settings.
#[derive(Clone, PartialEq, Debug)]
pub struct SettingChange {
    /// The setting that is changed.
    pub setting: &'static Setting,
    /// To what; `None`: as it was before anybody set it.
    pub to: Option<Typed>,
}

/// What whoever runs the bot allows and has.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds {
    /// What a session may use at most.
    pub session: Caps,
    /// The models there are.
    pub models: Vec<ModelName>,
}

/// What is shown beside settings.
#[derive(Clone, PartialEq, Debug)]
pub struct Beside {
    /// What whoever runs the bot allows and has.
    pub bounds: Bounds,
    /// Calls and known cost of this month so far.
    pub month: (i64, Money),
}

/// Why a setting cannot be given a value: a sentence with what is valid.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct SettingError(pub String);

/// A setting that was given another value, in words for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The setting that was changed.
    pub setting: &'static Setting,
    /// How it was.
    pub before: String,
    /// How it is now.
    pub after: String,
}

/// A change that somebody made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedChange {
    /// What came of it.
    pub changed: Changed,
    /// Who, by the name they went by.
    pub by: String,
    /// When, seconds since 1970.
    pub at: i64,
}

impl SettingGroup {
    /// The group of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        SETTING_GROUPS.iter().find(|group| group.name == name)
    }
}

impl Setting {
    /// All of them, as they are shown.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        SETTING_GROUPS.iter().flat_map(|group| group.settings)
    }

    /// The setting of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::all().find(|setting| setting.name == name)
    }

    /// A change of it to what was given.
    #[must_use]
    pub fn to(&'static self, typed: Typed) -> SettingChange {
        SettingChange { setting: self, to: Some(typed) }
    }

    /// A change of it to how it was before anybody set it.
    #[must_use]
    pub fn reset(&'static self) -> SettingChange {
        SettingChange { setting: self, to: None }
    }

    /// How it stands in these settings, in words. Role mentions and names of models are as Discord shows them.
    #[must_use]
    pub fn words(&self, of: &GuildSettings) -> String {
        (self.words)(of)
    }

    /// The same with what it comes to, where that is not in the settings themselves.
    #[must_use]
    pub fn shown(&self, of: &GuildSettings, beside: &Beside) -> String {
        (self.shown)(of, beside).unwrap_or_else(|| self.words(of))
    }

    fn read(&self, typed: &Typed, bounds: &Bounds, to: &mut GuildSettings) -> Result<(), SettingError> {
        match (self.option, typed) {
            (SettingOption::Role(set), Typed::Role(grant)) => set(to, *grant),
            (SettingOption::Number(set), Typed::Number(number)) => set(to, *number)?,
            (SettingOption::Switch(set), Typed::Switch(on)) => set(to, *on),
            (SettingOption::Text(set) | SettingOption::Modules(set), Typed::Text(text)) => set(to, text)?,
            (SettingOption::Models(set), Typed::Text(text)) => set(to, text, bounds)?,
            _ => return Err(SettingError(format!("`{}` takes another kind of value.", self.name))),
        }
        Ok(())
    }

    fn differs(&self, one: &GuildSettings, other: &GuildSettings) -> bool {
        let mut with = one.clone();
        (self.copy)(other, &mut with);
        with != *one
    }
}

impl PartialEq for Setting {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Setting {}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title)
    }
}

/// The settings with all changes made; refused as a whole if one of them is not valid, or does not fit the others or
/// what whoever runs the bot allows.
pub fn changed(
    before: &GuildSettings,
    changes: &[SettingChange],
    bounds: &Bounds,
) -> Result<GuildSettings, SettingError> {
    let mut after = before.clone();
    for SettingChange { setting, to } in changes {
        match to {
            Some(typed) => setting.read(typed, bounds, &mut after)?,
            None => (setting.copy)(&GuildSettings::default(), &mut after),
        }
    }
    for change in changes.iter().filter(|change| change.to.is_some()) {
        (change.setting.check)(&after, bounds)?;
    }
    Ok(after)
}

/// What is not the same in two settings, in the order in which settings are shown.
#[must_use]
pub fn differences(before: &GuildSettings, after: &GuildSettings) -> Vec<Changed> {
    let changed = Setting::all().filter(|setting| setting.differs(before, after));
    changed
        .map(|setting| Changed { setting, before: setting.words(before), after: setting.words(after) })
        .collect()
}
