//! One setting of a server: what it is called, how its value reads, and what became of it.

use std::fmt;

use super::{Electorate, Grant, GuildSettings};

/// What a server's managers can set, one by one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Setting {
    /// Who may start sessions.
    Start,
    /// Who may vote.
    Vote,
    /// Who may close votes, confirm roles, record decisions and say how they turned out.
    Decide,
    /// The panel's models.
    Models,
    /// The modules of a mediation.
    Modules,
    /// How long votes stay open.
    Hours,
    /// How many ballots make a vote binding.
    Quorum,
    /// Whether standings are shown while a vote is open.
    Standings,
    /// When those who have not voted are reminded.
    Reminder,
    /// Whether the reminder pings.
    Pings,
    /// What a session may cost.
    SessionMoney,
    /// How many calls a session may make.
    SessionCalls,
    /// What all sessions may cost in a month.
    MonthMoney,
    /// How many calls all sessions may make in a month.
    MonthCalls,
    /// The language of answers.
    Language,
    /// How long sessions are kept.
    Retention,
}

/// Settings that are shown and changed together: a subcommand of `/settings`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Who may do what.
    People,
    /// Who is asked, and from which sides.
    Models,
    /// How votes are held.
    Voting,
    /// What may be used.
    Budget,
    /// How answers read and how long they are kept.
    Answers,
}

/// A setting that was given another value, in words for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Which.
    pub setting: Setting,
    /// How it was.
    pub before: String,
    /// How it is now.
    pub after: String,
}

/// A change that somebody made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsChange {
    /// What.
    pub change: Change,
    /// Who, by the name they went by.
    pub by: String,
    /// When, seconds since 1970.
    pub at: i64,
}

impl Part {
    /// All of them, as they are shown.
    pub const ALL: [Self; 5] = [Self::People, Self::Models, Self::Voting, Self::Budget, Self::Answers];

    /// The subcommand that changes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::Models => "models",
            Self::Voting => "voting",
            Self::Budget => "budget",
            Self::Answers => "answers",
        }
    }
}

impl Setting {
    /// All of them, as they are shown.
    pub const ALL: [Self; 16] = [
        Self::Start,
        Self::Vote,
        Self::Decide,
        Self::Models,
        Self::Modules,
        Self::Hours,
        Self::Quorum,
        Self::Standings,
        Self::Reminder,
        Self::Pings,
        Self::SessionMoney,
        Self::SessionCalls,
        Self::MonthMoney,
        Self::MonthCalls,
        Self::Language,
        Self::Retention,
    ];

    /// The option that changes it; unique among all settings, and the name it is stored under.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Vote => "vote",
            Self::Decide => "decide",
            Self::Models => "models",
            Self::Modules => "modules",
            Self::Hours => "hours",
            Self::Quorum => "quorum",
            Self::Standings => "standings",
            Self::Reminder => "reminder_hours",
            Self::Pings => "reminder_pings",
            Self::SessionMoney => "session_usd",
            Self::SessionCalls => "session_calls",
            Self::MonthMoney => "month_usd",
            Self::MonthCalls => "month_calls",
            Self::Language => "language",
            Self::Retention => "retention_days",
        }
    }

    /// The setting of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|setting| setting.name() == name)
    }

    /// The part it belongs to.
    #[must_use]
    pub fn part(self) -> Part {
        match self {
            Self::Start | Self::Vote | Self::Decide => Part::People,
            Self::Models | Self::Modules => Part::Models,
            Self::Hours | Self::Quorum | Self::Standings | Self::Reminder | Self::Pings => Part::Voting,
            Self::SessionMoney | Self::SessionCalls | Self::MonthMoney | Self::MonthCalls => Part::Budget,
            Self::Language | Self::Retention => Part::Answers,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Start => "Who may start sessions",
            Self::Vote => "Who may vote",
            Self::Decide => "Who may decide",
            Self::Models => "Models",
            Self::Modules => "Modules of /mediate",
            Self::Hours => "How long votes stay open",
            Self::Quorum => "Quorum",
            Self::Standings => "Standings of an open vote",
            Self::Reminder => "Reminder before a vote closes",
            Self::Pings => "Pings of the reminder",
            Self::SessionMoney => "Most a session may cost",
            Self::SessionCalls => "Most calls of a session",
            Self::MonthMoney => "Most all sessions may cost in a month",
            Self::MonthCalls => "Most calls of all sessions in a month",
            Self::Language => "Language of answers",
            Self::Retention => "How long sessions are kept",
        }
    }

    /// How it stands in these settings, in words. Role mentions and names of models are as Discord shows them.
    #[must_use]
    pub fn words(self, of: &GuildSettings) -> String {
        let counted =
            |number: u32, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
        let usual = |value: Option<String>, usual: &str| value.unwrap_or_else(|| usual.to_owned());
        let coded = |names: Vec<String>, none: &str| match &names[..] {
            [] => none.to_owned(),
            names => format!("`{}`", names.join("`, `")),
        };
        match self {
            Self::Start => grant(of.may_start),
            Self::Vote => electorate(&of.voting.electorate),
            Self::Decide => grant(of.may_decide),
            Self::Models => {
                coded(of.models.iter().map(ToString::to_string).collect(), "as the bot is set up")
            }
            Self::Modules => coded(of.modules.iter().map(ToString::to_string).collect(), "the usual ones"),
            Self::Hours => counted(of.voting.hours, "hour"),
            Self::Quorum if of.voting.quorum == 0 => "none".to_owned(),
            Self::Quorum => counted(of.voting.quorum, "ballot"),
            Self::Standings if of.voting.live => "shown to all".to_owned(),
            Self::Standings => "secret until it closes".to_owned(),
            Self::Reminder if of.voting.remind_hours == 0 => "none".to_owned(),
            Self::Reminder => format!("{} before", counted(of.voting.remind_hours, "hour")),
            Self::Pings if of.voting.ping => "it may ping who may vote".to_owned(),
            Self::Pings => "it pings nobody".to_owned(),
            Self::SessionMoney => usual(of.session_money.map(|most| most.to_string()), "as the bot allows"),
            Self::SessionCalls => usual(of.session_calls.map(|most| most.to_string()), "as the bot allows"),
            Self::MonthMoney => usual(of.month_money.map(|most| most.to_string()), "no limit"),
            Self::MonthCalls => usual(of.month_calls.map(|most| most.to_string()), "no limit"),
            Self::Language => usual(of.language.clone(), "that of the problem"),
            Self::Retention => usual(
                of.retention_days.map(|days| format!("{} after their end", counted(days, "day"))),
                "for ever",
            ),
        }
    }

    /// Gives it the value that it has in other settings.
    pub fn copy(self, from: &GuildSettings, to: &mut GuildSettings) {
        match self {
            Self::Start => to.may_start = from.may_start,
            Self::Vote => to.voting.electorate = from.voting.electorate.clone(),
            Self::Decide => to.may_decide = from.may_decide,
            Self::Models => to.models.clone_from(&from.models),
            Self::Modules => to.modules.clone_from(&from.modules),
            Self::Hours => to.voting.hours = from.voting.hours,
            Self::Quorum => to.voting.quorum = from.voting.quorum,
            Self::Standings => to.voting.live = from.voting.live,
            Self::Reminder => to.voting.remind_hours = from.voting.remind_hours,
            Self::Pings => to.voting.ping = from.voting.ping,
            Self::SessionMoney => to.session_money = from.session_money,
            Self::SessionCalls => to.session_calls = from.session_calls,
            Self::MonthMoney => to.month_money = from.month_money,
            Self::MonthCalls => to.month_calls = from.month_calls,
            Self::Language => to.language.clone_from(&from.language),
            Self::Retention => to.retention_days = from.retention_days,
        }
    }

    fn differs(self, one: &GuildSettings, other: &GuildSettings) -> bool {
        let mut with = one.clone();
        self.copy(other, &mut with);
        with != *one
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// What is not the same in two settings, in the order in which settings are shown.
#[must_use]
pub fn changes(before: &GuildSettings, after: &GuildSettings) -> Vec<Change> {
    let changed = Setting::ALL.into_iter().filter(|setting| setting.differs(before, after));
    changed
        .map(|setting| Change { setting, before: setting.words(before), after: setting.words(after) })
        .collect()
}

fn grant(grant: Grant) -> String {
    match grant {
        Grant::Everyone => "everyone".to_owned(),
        Grant::Starter => "whoever started the session".to_owned(),
        Grant::Role(role) => format!("<@&{role}>"),
    }
}

fn electorate(electorate: &Electorate) -> String {
    match electorate {
        Electorate::Everyone => "everyone".to_owned(),
        Electorate::Role(role) => format!("<@&{role}>"),
        Electorate::Named(members) => {
            members.iter().map(|member| format!("<@{member}>")).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{ModuleName, Money, RoleId, VoteRules};

    fn grants() -> impl Strategy<Value = Grant> {
        prop_oneof![
            Just(Grant::Everyone),
            Just(Grant::Starter),
            (1..4_u64).prop_map(|n| Grant::Role(RoleId(n)))
        ]
    }

    fn settings() -> impl Strategy<Value = GuildSettings> {
        let electorate =
            prop_oneof![Just(Electorate::Everyone), (1..3_u64).prop_map(|n| Electorate::Role(RoleId(n)))];
        let rules = (electorate, 1..4_u32, 0..3_u32, any::<bool>(), 0..3_u32, any::<bool>()).prop_map(
            |(electorate, hours, quorum, live, remind_hours, ping)| VoteRules {
                electorate,
                hours,
                quorum,
                live,
                remind_hours,
                ping,
            },
        );
        let models = proptest::collection::vec(0..3_u8, 0..3);
        let amount = || proptest::option::of(1..4_i64);
        let rest = (amount(), amount(), amount(), amount(), amount(), amount());
        (grants(), grants(), rules, models.clone(), models, rest).prop_map(
            |(may_start, may_decide, voting, models, modules, (a, b, c, d, language, days))| GuildSettings {
                may_start,
                may_decide,
                voting,
                models: models.iter().map(|n| format!("openai/m{n}").parse().unwrap()).collect(),
                modules: modules.iter().map(|n| ModuleName(format!("m{n}"))).collect(),
                session_money: a.map(|cents| Money(cents * 10_000)),
                session_calls: b,
                month_money: c.map(|cents| Money(cents * 10_000)),
                month_calls: d,
                language: language.map(|n| "L".repeat(usize::try_from(n).unwrap() + 1)),
                retention_days: days.map(|n| u32::try_from(n).unwrap()),
            },
        )
    }

    proptest! {
        #![proptest_config(crate::cases(256))]

        #[test]
        fn changes_are_exactly_what_is_not_the_same(before in settings(), after in settings()) {
            let changes = changes(&before, &after);
            prop_assert_eq!(changes.is_empty(), before == after);
            let mut rebuilt = before.clone();
            for change in &changes {
                prop_assert_ne!(&change.before, &change.after, "people see what changed");
                change.setting.copy(&after, &mut rebuilt);
            }
            prop_assert_eq!(rebuilt, after, "nothing else changed");
        }

        #[test]
        fn settings_are_read_back_as_they_were_stored(settings in settings()) {
            let text = serde_json::to_string(&settings).unwrap();
            prop_assert_eq!(serde_json::from_str::<GuildSettings>(&text).unwrap(), settings);
        }
    }

    #[test]
    fn names_are_unique_and_found_again() {
        for setting in Setting::ALL {
            assert_eq!(Setting::find(setting.name()), Some(setting));
            assert!(Part::ALL.contains(&setting.part()));
        }
        assert_eq!(Setting::find("everything"), None);
        assert!(Setting::ALL.is_sorted(), "shown in their order");
    }
}
