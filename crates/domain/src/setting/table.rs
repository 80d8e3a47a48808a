//! The table of settings.

use super::{
    Beside, Bounds, Setting, SettingError, SettingGroup,
    SettingOption::{Models, Modules, Number, Role, Switch, Text},
    budget::BUDGET,
    read,
};
use crate::{Electorate, Grant, GuildSettings, MAX_VOTE_HOURS};

/// Most ballots that a vote may ask for.
const MAX_QUORUM: u32 = 1_000;
/// Longest that sessions are kept, in days: ten years. Beyond that, for ever.
const MAX_RETENTION_DAYS: u32 = 3_650;

/// What most settings have in common.
pub(super) const PLAIN: Setting = Setting {
    name: "",
    title: "",
    meaning: "",
    help: "",
    option: Switch(|_, _| ()),
    at_once: false,
    words: |_| String::new(),
    shown: |_, _| None,
    copy: |_, _| (),
    check: |_, _| Ok(()),
};

/// Gives a field the value that it has in other settings.
macro_rules! copy {
    ($($field:ident).+) => { |from, to| to.$($field).+.clone_from(&from.$($field).+) };
}
pub(super) use copy;

/// All settings, in the groups and the order in which they are shown.
pub static SETTING_GROUPS: [SettingGroup; 5] = [
    SettingGroup {
        name: "people",
        help: "Who may start sessions, vote and decide. Give only what you want to change.",
        title: "👤 People",
        about: "Moderators (Manage Threads or Manage Server) always may.",
        settings: &[
            Setting {
                name: "start",
                title: "Who may start sessions",
                meaning: "Others can read along, vote and ask.",
                help: "The role whose members may start sessions; @everyone lets all",
                option: Role(|to, grant| to.may_start = grant),
                words: |of| granted(of.may_start),
                copy: copy!(may_start),
                ..PLAIN
            },
            Setting {
                name: "vote",
                title: "Who may vote",
                meaning: "Holds for votes of sessions that start from now on.",
                help: "The role whose members may vote; @everyone lets all",
                option: Role(|to, grant| {
                    to.voting.electorate = match grant {
                        Grant::Role(role) => Electorate::Role(role),
                        Grant::Everyone | Grant::Starter => Electorate::Everyone,
                    };
                }),
                words: |of| electorate(&of.voting.electorate),
                copy: copy!(voting.electorate),
                ..PLAIN
            },
            Setting {
                name: "decide",
                title: "Who may decide",
                meaning: "Close a vote, confirm roles, record a decision, say how it turned out.",
                help: "The role that closes votes and records decisions; /settings reset: who started it",
                option: Role(|to, grant| to.may_decide = grant),
                words: |of| granted(of.may_decide),
                copy: copy!(may_decide),
                ..PLAIN
            },
        ],
    },
    SettingGroup {
        name: "models",
        help: "Which models are asked, and from which sides. Give only what you want to change.",
        title: "🧠 Models",
        about: "Used where a command does not say otherwise.",
        settings: &[
            Setting {
                name: "models",
                title: "Models",
                meaning: "Who sits on panels. Only these stand in for one another.",
                help: "The panel's models, commas between; `default`: all the bot has",
                option: Models(|to, text, bounds| {
                    to.models = read::models(text, &bounds.models)?;
                    Ok(())
                }),
                words: |of| coded(&of.models, "as the bot is set up"),
                shown: with_models_that_are_gone,
                copy: copy!(models),
                ..PLAIN
            },
            Setting {
                name: "mediator",
                title: "Model beside the panel",
                meaning: "Mediates, moderates, proposes roles and writes the record. A command’s `model` leaves it as it is.",
                help: "The model that mediates, moderates and writes the record; `default`: as the bot is set up",
                option: Models(|to, text, bounds| {
                    to.mediator = read::model(text, &bounds.models)?;
                    Ok(())
                }),
                words: |of| coded(of.mediator.as_slice(), "as the bot is set up"),
                copy: copy!(mediator),
                ..PLAIN
            },
            Setting {
                name: "checker",
                title: "Model for checks",
                meaning: "Looks at what others wrote: a turn, a text, two solutions that may be one. A cheap one will do.",
                help: "The model that checks what others wrote; `default`: as the bot is set up",
                option: Models(|to, text, bounds| {
                    to.checker = read::model(text, &bounds.models)?;
                    Ok(())
                }),
                words: |of| coded(of.checker.as_slice(), "as the bot is set up"),
                copy: copy!(checker),
                ..PLAIN
            },
            Setting {
                name: "modules",
                title: "Modules of /mediate",
                meaning: "Which sides a mediation looks at. `/modules` lists them.",
                help: "Modules of /mediate when nobody chooses, commas between; `default`: the usual ones",
                option: Modules(|to, text| {
                    to.modules = read::modules(text)?;
                    Ok(())
                }),
                words: |of| coded(&of.modules, "the usual ones"),
                copy: copy!(modules),
                ..PLAIN
            },
            Setting {
                name: "auto_select",
                title: "Choice of modules for /mediate",
                meaning: "Fitting modules are chosen for each problem, and made where none fits: two calls more, and more seats.",
                help: "Whether /mediate chooses fitting modules where nobody names any",
                option: Switch(|to, choose| to.auto_select = choose),
                words: |of| either(of.auto_select, "chosen for each problem", "no, those above"),
                copy: copy!(auto_select),
                ..PLAIN
            },
        ],
    },
    SettingGroup {
        name: "voting",
        help: "How votes are held. Give only what you want to change.",
        title: "🗳️ Voting",
        about: "Used where a command does not say otherwise.",
        settings: &[
            Setting {
                name: "hours",
                title: "How long votes stay open",
                meaning: "1 to 336.",
                help: "How many hours a vote stays open: 1 to 336",
                option: Number(|to, hours| {
                    to.voting.hours = read::within(hours, 1..=MAX_VOTE_HOURS, |hours| {
                        format!("A vote stays open 1 to 336 hours (two weeks), not {hours}.")
                    })?;
                    Ok(())
                }),
                words: |of| counted(of.voting.hours, "hour"),
                copy: copy!(voting.hours),
                ..PLAIN
            },
            Setting {
                name: "quorum",
                title: "Quorum",
                meaning: "With fewer ballots, the result is marked as not binding. 0 to 1,000.",
                help: "How many ballots make it binding: 0 to 1,000; 0 asks for none",
                option: Number(|to, ballots| {
                    to.voting.quorum = read::within(ballots, 0..=MAX_QUORUM, |ballots| {
                        format!("A quorum is 0 to 1,000 ballots, not {ballots}; 0 asks for none.")
                    })?;
                    Ok(())
                }),
                words: |of| match of.voting.quorum {
                    0 => "none".to_owned(),
                    ballots => counted(ballots, "ballot"),
                },
                copy: copy!(voting.quorum),
                ..PLAIN
            },
            Setting {
                name: "standings",
                title: "Standings of an open vote",
                meaning: "What the team gave so far, while ballots still come in.",
                help: "Whether everybody sees how it stands while it is open",
                option: Switch(|to, live| to.voting.live = live),
                words: |of| either(of.voting.live, "shown to all", "secret until it closes"),
                copy: copy!(voting.live),
                ..PLAIN
            },
            Setting {
                name: "reminder_hours",
                title: "Reminder before a vote closes",
                meaning: "Hours before a vote closes; 0 sends none.",
                help: "How many hours before its end it reminds: 0 to 335; 0 never does",
                option: Number(|to, hours| {
                    to.voting.remind_hours = read::within(hours, 0..=MAX_VOTE_HOURS - 1, |hours| {
                        format!(
                            "A reminder comes 1 to 335 hours before a vote closes, not {hours}; 0 sends none."
                        )
                    })?;
                    Ok(())
                }),
                words: |of| match of.voting.remind_hours {
                    0 => "none".to_owned(),
                    hours => format!("{} before", counted(hours, "hour")),
                },
                copy: copy!(voting.remind_hours),
                check: reminder_comes,
                ..PLAIN
            },
            Setting {
                name: "reminder_pings",
                title: "Pings of the reminder",
                meaning: "Only the reminder may ever ping.",
                help: "Whether that reminder may ping who may vote",
                option: Switch(|to, ping| to.voting.ping = ping),
                words: |of| either(of.voting.ping, "it may ping who may vote", "it pings nobody"),
                copy: copy!(voting.ping),
                ..PLAIN
            },
        ],
    },
    BUDGET,
    SettingGroup {
        name: "answers",
        help: "The language of answers, and how long sessions are kept. Give only what you want to change.",
        title: "💬 Answers",
        about: "",
        settings: &[
            Setting {
                name: "effort",
                title: "How much is asked for",
                meaning: "Brief: a paragraph or two from each. Standard: a page. Deep: several pages, about six times the cost.",
                help: "brief, standard or deep, where a command does not say otherwise",
                option: Text(|to, text| {
                    to.effort = read::effort(text)?;
                    Ok(())
                }),
                words: |of| of.effort.as_str().to_owned(),
                copy: copy!(effort),
                ..PLAIN
            },
            Setting {
                name: "search",
                title: "Search of the web",
                meaning: "Modules, and both sides of a debate, look up what bears on their cases and cite it. Queries leave the team: they go to the bot's search engine.",
                help: "Whether /mediate and /debate search the web where a command does not say otherwise",
                option: Switch(|to, search| to.search = search),
                words: |of| either(of.search, "on, where the bot has a search", "off"),
                copy: copy!(search),
                ..PLAIN
            },
            Setting {
                name: "trust",
                title: "Trust in modules",
                meaning: "How a module’s earlier advice here turned out decides how much it counts: 0.5 to 1.5. `/modules` shows it.",
                help: "Whether modules of /mediate count more or less by how their advice here turned out",
                option: Switch(|to, trust| to.trust = trust),
                words: |of| either(of.trust, "by how their advice turned out", "off: each counts the same"),
                copy: copy!(trust),
                ..PLAIN
            },
            Setting {
                name: "language",
                title: "Language of answers",
                meaning: "Of the experts and the mediator.",
                help: "Such as German, Deutsch or العربية; `problem`: the language of the problem",
                option: Text(|to, text| {
                    to.language = read::language(text)?;
                    Ok(())
                }),
                words: |of| amount(of.language.as_ref(), "that of the problem"),
                copy: copy!(language),
                ..PLAIN
            },
            Setting {
                name: "retention_days",
                title: "How long sessions are kept",
                meaning: "Then they are deleted. Decision records and Discord's messages stay.",
                help: "Days after its end until a session is deleted: 1 to 3,650; 0 keeps it for ever",
                option: Number(|to, days| {
                    let kept = read::within(days, 0..=MAX_RETENTION_DAYS, |days| {
                        format!("Sessions are kept 1 to 3,650 days, not {days}; 0 keeps them for ever.")
                    })?;
                    to.retention_days = (kept > 0).then_some(kept);
                    Ok(())
                }),
                words: |of| match of.retention_days {
                    Some(days) => format!("{} after their end", counted(days, "day")),
                    None => "for ever".to_owned(),
                },
                copy: copy!(retention_days),
                ..PLAIN
            },
            Setting {
                name: "raw_days",
                title: "How long requests and replies are kept",
                meaning: "Then *Raw output* has only what replies were read as.",
                help: "Days after a session's end until requests and replies are deleted: 1 to 3,650; 0: with it",
                option: Number(|to, days| {
                    to.raw_days = read::within(days, 0..=MAX_RETENTION_DAYS, |days| {
                        format!(
                            "Requests and replies are kept 1 to 3,650 days, not {days}; 0 keeps them as long as their session."
                        )
                    })?;
                    Ok(())
                }),
                words: |of| match of.raw_days {
                    0 => "as long as their session".to_owned(),
                    days => format!("{} after its end", counted(days, "day")),
                },
                copy: copy!(raw_days),
                ..PLAIN
            },
        ],
    },
];

fn granted(grant: Grant) -> String {
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

/// `` `a`, `b` ``.
fn coded<T: ToString>(names: &[T], none: &str) -> String {
    if names.is_empty() {
        return none.to_owned();
    }
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    format!("`{}`", names.join("`, `"))
}

fn counted(number: u32, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

fn either(on: bool, yes: &str, no: &str) -> String {
    if on { yes.to_owned() } else { no.to_owned() }
}

pub(super) fn amount<T: ToString>(value: Option<T>, none: &str) -> String {
    value.map_or_else(|| none.to_owned(), |value| value.to_string())
}

pub(super) fn allowed(fits: bool, why_not: impl FnOnce() -> String) -> Result<(), SettingError> {
    if fits { Ok(()) } else { Err(SettingError(why_not())) }
}

fn with_models_that_are_gone(of: &GuildSettings, beside: &Beside) -> Option<String> {
    let gone = of.models.iter().filter(|model| !beside.bounds.models.contains(model));
    let gone: Vec<String> = gone.map(|model| format!("`{model}`")).collect();
    let words = coded(&of.models, "");
    (!gone.is_empty())
        .then(|| format!("{words} (the bot has {} no more, so it is passed over)", gone.join(", ")))
}

/// Shorter votes alone may make the reminder pointless, which does no harm; asking for one that never comes is a
/// mistake.
fn reminder_comes(of: &GuildSettings, _: &Bounds) -> Result<(), SettingError> {
    let (reminder, hours) = (of.voting.remind_hours, of.voting.hours);
    allowed(reminder < hours, || {
        format!(
            "Votes stay open for {hours} h, so a reminder {reminder} h before the end would never come. Give a smaller `reminder_hours`, or larger `hours`."
        )
    })
}
