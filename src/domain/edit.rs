//! What somebody wants to change of a server's settings, read from what they typed.

use thiserror::Error;

use super::{
    Caps, Electorate, Grant, GuildSettings, MAX_VOTE_HOURS, ModelName, ModuleName, Money, PanelError,
    Setting, one_line, parse_modules,
};

/// Most ballots that a vote may ask for.
pub const MAX_QUORUM: u32 = 1_000;
/// Longest that sessions are kept, in days: ten years. Beyond that, for ever.
pub const MAX_RETENTION_DAYS: u32 = 3_650;
/// Most models of a server's panel.
pub const MAX_MODELS: usize = 10;
/// Most that a month may cost: a million dollars.
const MAX_MONTH: Money = Money(1_000_000_000_000);
/// Most calls of a month.
const MAX_MONTH_CALLS: i64 = 10_000_000;
/// Longest name of a language, in characters.
const MAX_LANGUAGE: usize = 40;
/// What one types to have a setting as it was before anybody set it.
const DEFAULT: &str = "default";

/// Another value for one setting, within what is valid at all.
#[derive(Clone, PartialEq, Debug)]
pub enum Edit {
    /// Who may start sessions.
    Start(Grant),
    /// Who may vote.
    Vote(Electorate),
    /// Who may decide.
    Decide(Grant),
    /// The panel's models; empty: as configured.
    Models(Vec<ModelName>),
    /// The modules of a mediation; empty: the bot's own defaults.
    Modules(Vec<ModuleName>),
    /// How long votes stay open.
    Hours(u32),
    /// How many ballots make a vote binding.
    Quorum(u32),
    /// Whether standings are shown while a vote is open.
    Standings(bool),
    /// How many hours before its end a vote reminds; 0: never.
    Reminder(u32),
    /// Whether the reminder pings.
    Pings(bool),
    /// What a session may cost.
    SessionMoney(Option<Money>),
    /// How many calls a session may make.
    SessionCalls(Option<i64>),
    /// What a month may cost.
    MonthMoney(Option<Money>),
    /// How many calls a month may have.
    MonthCalls(Option<i64>),
    /// The language of answers.
    Language(Option<String>),
    /// How many days sessions are kept.
    Retention(Option<u32>),
    /// A setting as it was before anybody set it.
    Reset(Setting),
}

/// Why a setting cannot be given a value; each is a sentence with what is valid.
#[derive(Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the sentences say it
pub enum EditError {
    #[error("A vote stays open 1 to 336 hours (two weeks), not {0}.")]
    Hours(i64),
    #[error("A quorum is 0 to 1,000 ballots, not {0}; 0 asks for none.")]
    Quorum(i64),
    #[error("A reminder comes 1 to 335 hours before a vote closes, not {0}; 0 sends none.")]
    Reminder(i64),
    #[error(
        "Votes stay open for {hours} h, so a reminder {reminder} h before the end would never come. Give a smaller `reminder_hours`, or larger `hours`."
    )]
    ReminderTooEarly { reminder: u32, hours: u32 },
    #[error("`{0}` is not an amount of money. Write US dollars, such as `5` or `2.50`, or `default`.")]
    Money(String),
    #[error(
        "`{0}` would let nothing run. Write US dollars from 0.01 on, such as `5` or `2.50`, or `default`."
    )]
    NoMoney(String),
    #[error(
        "A session may cost at most {0} here, which whoever runs the bot has set. Write that or less, or `default`."
    )]
    SessionMoney(Money),
    #[error("A month's budget is at most $1,000,000. Write that or less, or `default` for no limit.")]
    MonthMoney,
    #[error("`{0}` is not a number of calls. Write a whole number from 1 on, such as `40`, or `default`.")]
    Calls(String),
    #[error(
        "A session may make at most {0} calls here, which whoever runs the bot has set. Write that or less, or `default`."
    )]
    SessionCalls(i64),
    #[error("A month's budget is at most 10,000,000 calls. Write that or less, or `default` for no limit.")]
    MonthCalls,
    #[error(
        "`{0}` is not the name of a language. Write one in letters (2 to 40), such as `German`, `Deutsch` or `العربية`, or `problem` to answer in the problem's own."
    )]
    Language(String),
    #[error("Sessions are kept 1 to 3,650 days, not {0}; 0 keeps them for ever.")]
    Retention(i64),
    #[error(
        "`{name}` is not one of the models here: {valid}. `default` takes all of them, as the bot is set up."
    )]
    Model { name: String, valid: String },
    #[error("At most 10 models fit a panel, and {0} are named. Leave some out.")]
    Models(usize),
    #[error("{0} `default` takes the usual ones.")]
    Module(PanelError),
}

impl Edit {
    /// Models by name, commas or spaces between, out of those there are; the first is also the mediator's.
    pub fn models(text: &str, there: &[ModelName]) -> Result<Self, EditError> {
        if is_default(text) {
            return Ok(Self::Models(Vec::new()));
        }
        let mut chosen: Vec<ModelName> = Vec::new();
        for name in names(text) {
            let found = there.iter().find(|model| model.to_string() == name);
            let model = found.ok_or_else(|| EditError::Model {
                name: shown(name),
                valid: there.iter().map(|model| format!("`{model}`")).collect::<Vec<_>>().join(", "),
            })?;
            if !chosen.contains(model) {
                chosen.push(model.clone());
            }
        }
        if chosen.len() > MAX_MODELS {
            Err(EditError::Models(chosen.len()))
        } else {
            Ok(Self::Models(chosen))
        }
    }

    /// Modules by name, commas or spaces between.
    pub fn modules(text: &str) -> Result<Self, EditError> {
        if is_default(text) {
            return Ok(Self::Modules(Vec::new()));
        }
        parse_modules(text).map(Self::Modules).map_err(EditError::Module)
    }

    /// Hours that votes stay open.
    pub fn hours(hours: i64) -> Result<Self, EditError> {
        within(hours, 1, MAX_VOTE_HOURS).map(Self::Hours).ok_or(EditError::Hours(hours))
    }

    /// Ballots.
    pub fn quorum(ballots: i64) -> Result<Self, EditError> {
        within(ballots, 0, MAX_QUORUM).map(Self::Quorum).ok_or(EditError::Quorum(ballots))
    }

    /// Hours before the end.
    pub fn reminder(hours: i64) -> Result<Self, EditError> {
        within(hours, 0, MAX_VOTE_HOURS - 1).map(Self::Reminder).ok_or(EditError::Reminder(hours))
    }

    /// Dollars for a session.
    pub fn session_money(text: &str) -> Result<Self, EditError> {
        dollars(text).map(Self::SessionMoney)
    }

    /// Dollars for a month.
    pub fn month_money(text: &str) -> Result<Self, EditError> {
        match dollars(text)? {
            Some(most) if most > MAX_MONTH => Err(EditError::MonthMoney),
            most => Ok(Self::MonthMoney(most)),
        }
    }

    /// Calls of a session.
    pub fn session_calls(text: &str) -> Result<Self, EditError> {
        calls(text).map(Self::SessionCalls)
    }

    /// Calls of a month.
    pub fn month_calls(text: &str) -> Result<Self, EditError> {
        match calls(text)? {
            Some(most) if most > MAX_MONTH_CALLS => Err(EditError::MonthCalls),
            most => Ok(Self::MonthCalls(most)),
        }
    }

    /// A language's name, in any script.
    pub fn language(text: &str) -> Result<Self, EditError> {
        let name = one_line(text);
        if is_default(&name) || name.eq_ignore_ascii_case("problem") {
            return Ok(Self::Language(None));
        }
        let count = name.chars().count();
        let letters = name.chars().filter(|c| c.is_alphabetic()).count();
        let fits =
            |c: char| c.is_alphabetic() || is_mark(c) || matches!(c, ' ' | '-' | '\'' | '’' | '(' | ')');
        if letters < 2 || count > MAX_LANGUAGE || !name.chars().all(fits) {
            return Err(EditError::Language(shown(&name)));
        }
        Ok(Self::Language(Some(name)))
    }

    /// Days that sessions are kept; 0: for ever.
    pub fn retention(days: i64) -> Result<Self, EditError> {
        let kept = within(days, 0, MAX_RETENTION_DAYS).ok_or(EditError::Retention(days))?;
        Ok(Self::Retention((kept > 0).then_some(kept)))
    }

    /// Gives the setting its value.
    pub fn apply(&self, to: &mut GuildSettings) {
        match self {
            Self::Start(grant) => to.may_start = *grant,
            Self::Vote(electorate) => to.voting.electorate = electorate.clone(),
            Self::Decide(grant) => to.may_decide = *grant,
            Self::Models(models) => to.models.clone_from(models),
            Self::Modules(modules) => to.modules.clone_from(modules),
            Self::Hours(hours) => to.voting.hours = *hours,
            Self::Quorum(ballots) => to.voting.quorum = *ballots,
            Self::Standings(live) => to.voting.live = *live,
            Self::Reminder(hours) => to.voting.remind_hours = *hours,
            Self::Pings(ping) => to.voting.ping = *ping,
            Self::SessionMoney(most) => to.session_money = *most,
            Self::SessionCalls(most) => to.session_calls = *most,
            Self::MonthMoney(most) => to.month_money = *most,
            Self::MonthCalls(most) => to.month_calls = *most,
            Self::Language(language) => to.language.clone_from(language),
            Self::Retention(days) => to.retention_days = *days,
            Self::Reset(setting) => setting.copy(&GuildSettings::default(), to),
        }
    }
}

/// The settings with all edits made; refused as a whole if one of them does not fit the others or what
/// whoever runs the bot allows a session.
pub fn edited(before: &GuildSettings, edits: &[Edit], allowed: Caps) -> Result<GuildSettings, EditError> {
    let mut after = before.clone();
    for edit in edits {
        match edit {
            Edit::SessionMoney(Some(most)) if *most > allowed.money => {
                return Err(EditError::SessionMoney(allowed.money));
            }
            Edit::SessionCalls(Some(most)) if *most > allowed.calls => {
                return Err(EditError::SessionCalls(allowed.calls));
            }
            _ => edit.apply(&mut after),
        }
    }
    // Shorter votes alone may make the reminder pointless, which does no harm; asking for one that never comes
    // is a mistake.
    let (reminder, hours) = (after.voting.remind_hours, after.voting.hours);
    if reminder >= hours && edits.iter().any(|edit| matches!(edit, Edit::Reminder(1..))) {
        return Err(EditError::ReminderTooEarly { reminder, hours });
    }
    Ok(after)
}

fn is_default(text: &str) -> bool {
    text.trim().is_empty() || text.trim().eq_ignore_ascii_case(DEFAULT)
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', ',', ';', '\n', '\t']).filter(|part| !part.is_empty())
}

/// What somebody typed, short, and so that it stays within backticks.
fn shown(text: &str) -> String {
    text.chars().filter(|c| *c != '`').take(60).collect()
}

fn within(number: i64, least: u32, most: u32) -> Option<u32> {
    u32::try_from(number).ok().filter(|number| (least..=most).contains(number))
}

/// `5`, `2.50`, `2,5`, `$5`, `5 USD`; cents at the finest. A comma before three digits could mean thousands, so
/// it is refused.
fn dollars(text: &str) -> Result<Option<Money>, EditError> {
    if is_default(text) {
        return Ok(None);
    }
    let wrong = || EditError::Money(shown(text.trim()));
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower.trim_start_matches('$').trim_end_matches("usd").trim_end_matches('$').trim();
    let (whole, cents) = bare.split_once(['.', ',']).unwrap_or((bare, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(cents) || cents.len() > 2 || (whole.is_empty() && cents.is_empty()) {
        return Err(wrong());
    }
    let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<i64>().ok() };
    let millionths = number(whole).and_then(|whole| {
        let cents = number(&format!("{cents:0<2}"))?;
        whole.checked_mul(100)?.checked_add(cents)?.checked_mul(10_000)
    });
    match millionths.ok_or_else(wrong)? {
        0 => Err(EditError::NoMoney(shown(text.trim()))),
        some => Ok(Some(Money(some))),
    }
}

fn calls(text: &str) -> Result<Option<i64>, EditError> {
    if is_default(text) {
        return Ok(None);
    }
    let number = text.trim().parse().ok().filter(|number| *number > 0);
    number.map(Some).ok_or_else(|| EditError::Calls(shown(text.trim())))
}

/// Marks without which names of languages cannot be spelled: accents apart from their letter, and the signs
/// that take the vowel off a letter in the scripts of South and Southeast Asia.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{93c}' | '\u{94d}' | '\u{9bc}' | '\u{9cd}'
        | '\u{a3c}' | '\u{a4d}' | '\u{abc}' | '\u{acd}' | '\u{b3c}' | '\u{b4d}' | '\u{bcd}' | '\u{c4d}'
        | '\u{cbc}' | '\u{ccd}' | '\u{d4d}' | '\u{dca}' | '\u{e47}'..='\u{e4e}' | '\u{ec8}'..='\u{ecd}'
        | '\u{f0b}' | '\u{f84}' | '\u{1037}' | '\u{1039}' | '\u{103a}' | '\u{17d2}')
}

#[cfg(test)]
mod tests;
