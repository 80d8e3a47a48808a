//! A server's settings: what they are, what each means, and who changed what.

use super::{card, limits, text};
use crate::domain::{
    Caps, Change, Color, Embed, GuildSettings, ModelName, Money, Part, Post, Setting, SettingsChange,
};

/// Settings with all that is shown beside them.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// The settings.
    pub settings: GuildSettings,
    /// The last change of each that was ever changed.
    pub last: Vec<SettingsChange>,
    /// What a session may use at most, by whoever runs the bot.
    pub allowed: Caps,
    /// The models the bot has.
    pub models: Vec<ModelName>,
    /// Calls and known cost of this month so far.
    pub month: (i64, Money),
}

/// These parts, an embed each.
#[must_use]
pub fn show(shown: &Shown, parts: &[Part]) -> Vec<Post> {
    let mut embeds: Vec<Embed> = parts.iter().map(|part| embed(shown, *part)).collect();
    if let Some(last) = embeds.last_mut() {
        "Running sessions keep what they were started with.".clone_into(&mut last.footer);
    }
    limits::fit(Post { embeds, ..Post::default() })
}

fn embed(shown: &Shown, part: Part) -> Embed {
    let lines = Setting::ALL.into_iter().filter(|setting| setting.part() == part).map(|s| line(shown, s));
    let (title, about) = match part {
        Part::People => ("👤 People", "Moderators (Manage Threads or Manage Server) always may."),
        Part::Models => ("🧠 Models", "Used where a command does not say otherwise."),
        Part::Voting => ("🗳️ Voting", "Used where a command does not say otherwise."),
        Part::Budget => {
            ("💵 Budget", "Calls whose price is not known count as calls, but cost nothing here.")
        }
        Part::Answers => ("💬 Answers", ""),
    };
    let change = format!("Change: `/settings {}`", part.name());
    let about = if about.is_empty() { change } else { format!("{about} {change}") };
    let mut blocks = vec![about];
    blocks.extend(lines);
    Embed {
        title: title.to_owned(),
        description: blocks.join("\n\n"),
        color: Color::Neutral,
        ..Embed::default()
    }
}

fn line(shown: &Shown, setting: Setting) -> String {
    let value = value(shown, setting);
    let changed = shown.last.iter().find(|last| last.change.setting == setting).map_or_else(
        || "never changed".to_owned(),
        |last| format!("changed by {} <t:{}:R>", text::label(&last.by, 40), last.at),
    );
    format!("**{}:** {value}\n{}\n-# `{}` · {changed}", setting.title(), meaning(setting), setting.name())
}

/// The value, with what it comes to where that is not in the setting itself.
fn value(shown: &Shown, setting: Setting) -> String {
    let words = setting.words(&shown.settings);
    let (settings, allowed) = (&shown.settings, shown.allowed);
    match setting {
        // What whoever runs the bot allows may have become less than what was set.
        Setting::SessionMoney if settings.session_money.is_none_or(|most| most > allowed.money) => {
            format!("{}, which the bot allows", allowed.money)
        }
        Setting::SessionCalls if settings.session_calls.is_none_or(|most| most > allowed.calls) => {
            format!("{}, which the bot allows", allowed.calls)
        }
        Setting::MonthMoney => format!("{words} ({} so far this month)", shown.month.1),
        Setting::MonthCalls => format!("{words} ({} so far this month)", shown.month.0),
        Setting::Models => {
            let gone = settings.models.iter().filter(|model| !shown.models.contains(model));
            let gone: Vec<String> = gone.map(|model| format!("`{model}`")).collect();
            if gone.is_empty() {
                words
            } else {
                format!("{words} (the bot has {} no more, so it is passed over)", gone.join(", "))
            }
        }
        _ => words,
    }
}

/// What a setting means, in a line.
fn meaning(setting: Setting) -> &'static str {
    match setting {
        Setting::Start => "Others can read along, vote and ask.",
        Setting::Vote => "Holds for votes of sessions that start from now on.",
        Setting::Decide => "Close a vote, confirm roles, record a decision, say how it turned out.",
        Setting::Models => "Who is asked. The first also mediates, and only these stand in for one another.",
        Setting::Modules => "Which sides a mediation looks at. `/modules` lists them.",
        Setting::Hours => "1 to 336.",
        Setting::Quorum => "With fewer ballots, the result is marked as not binding. 0 to 1,000.",
        Setting::Standings => "What the team gave so far, while ballots still come in.",
        Setting::Reminder => "Hours before a vote closes; 0 sends none.",
        Setting::Pings => "Only the reminder may ever ping.",
        Setting::SessionMoney | Setting::SessionCalls => "Never more than whoever runs the bot allows.",
        Setting::MonthMoney | Setting::MonthCalls => "Of all sessions here, in a calendar month (UTC).",
        Setting::Language => "Of the experts and the mediator.",
        Setting::Retention => "Then they are deleted. Decision records and Discord's messages stay.",
    }
}

/// What is said about changes, for whoever made them.
#[must_use]
pub fn said(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "Nothing changed: that is how it was already.".to_owned();
    }
    let lines =
        changes.iter().map(|change| format!("**{}:** {} → {}", change.setting, change.before, change.after));
    let month = |change: &Change| matches!(change.setting, Setting::MonthMoney | Setting::MonthCalls);
    let when = if changes.iter().any(month) {
        "Sessions that start from now on follow it; the month's budget holds at once, for those that run too."
    } else {
        "Sessions that start from now on follow it."
    };
    format!("Changed. {when}\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// What [`said`] made, as a card. It holds only words of settings, so role mentions in it are meant.
#[must_use]
pub fn changed(said: &str) -> Post {
    card::post(Embed {
        description: format!("✅ {}", text::cut(said, limits::DESCRIPTION / 2)),
        color: Color::Good,
        ..Embed::default()
    })
}

/// The last changes, newest first as they are given.
#[must_use]
pub fn log(changes: &[SettingsChange]) -> Vec<Post> {
    let line = |made: &SettingsChange| {
        let Change { setting, before, after } = &made.change;
        format!(
            "<t:{}:f> · {}\n**{setting}:** {} → {}",
            made.at,
            text::label(&made.by, 40),
            text::cut(before, 300),
            text::cut(after, 300)
        )
    };
    let description = if changes.is_empty() {
        "Nothing was changed yet: everything is as the bot was set up.".to_owned()
    } else {
        changes.iter().map(line).collect::<Vec<_>>().join("\n\n")
    };
    limits::fit(card::post(Embed {
        title: "📜 Changes of the settings".to_owned(),
        description,
        color: Color::Neutral,
        ..Embed::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Edit, Grant, RoleId, changes};

    fn shown(settings: GuildSettings) -> Shown {
        Shown {
            settings,
            last: Vec::new(),
            allowed: Caps { money: Money(2_000_000), tokens: 400_000, calls: 80 },
            models: vec!["openai/alpha".parse().unwrap()],
            month: (12, Money(340_000)),
        }
    }

    fn text(posts: &[Post]) -> String {
        let embeds = posts.iter().flat_map(|post| &post.embeds);
        let shown = embeds.map(|embed| [&*embed.title, &embed.description, &embed.footer].join("\n"));
        shown.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_setting_is_shown_with_its_meaning_and_the_option_that_changes_it() {
        let all = text(&show(&shown(GuildSettings::default()), &Part::ALL));
        for setting in Setting::ALL {
            assert!(all.contains(&format!("**{}:**", setting.title())), "{setting}: {all}");
            assert!(all.contains(&format!("`{}`", setting.name())), "{setting}: {all}");
            assert!(all.contains(meaning(setting)), "{setting}: {all}");
        }
        assert!(
            all.contains("$2.00, which the bot allows") && all.contains("80, which the bot allows"),
            "{all}"
        );
        assert!(
            all.contains("no limit ($0.34 so far this month)") && all.contains("no limit (12 so far"),
            "{all}"
        );
        let voting = text(&show(&shown(GuildSettings::default()), &[Part::Voting]));
        assert!(voting.contains("24 hours") && !voting.contains("Who may start"), "{voting}");
    }

    #[test]
    fn what_cannot_hold_any_more_is_shown_as_it_is() {
        let settings = GuildSettings {
            session_money: Some(Money(3_000_000)),
            models: vec!["openai/alpha".parse().unwrap(), "openai/gone".parse().unwrap()],
            ..GuildSettings::default()
        };
        let all = text(&show(&shown(settings), &Part::ALL));
        assert!(all.contains("$2.00, which the bot allows"), "{all}");
        assert!(all.contains("the bot has `openai/gone` no more"), "{all}");
    }

    #[test]
    fn changes_name_roles_and_nobody_can_forge_a_mention_with_a_name() {
        let mut after = GuildSettings::default();
        Edit::Start(Grant::Role(RoleId(7))).apply(&mut after);
        let changes = changes(&GuildSettings::default(), &after);
        let sentence = said(&changes);
        assert!(sentence.contains("**Who may start sessions:** everyone → <@&7>"), "{sentence}");
        assert!(changed(&sentence).embeds[0].description.contains("<@&7>"));
        let made = SettingsChange { change: changes[0].clone(), by: "<@&9> **x**".to_owned(), at: 5 };
        let log = text(&log(std::slice::from_ref(&made)));
        assert!(
            log.contains("everyone → <@&7>") && log.contains("<t:5:f>") && !log.contains("<@&9>"),
            "{log}"
        );
        let shown = Shown { last: vec![made], ..shown(after) };
        let all = text(&show(&shown, &[Part::People]));
        assert!(all.contains("<t:5:R>") && !all.contains("<@&9>"), "{all}");
    }
}
