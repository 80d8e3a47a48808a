//! A server's settings: what they are, what each means, and who changed what.

use super::{card, limits, text};
use domain::{Beside, Changed, Color, Embed, GuildSettings, LoggedChange, Post, Setting, SettingGroup};

/// Settings with all that is shown beside them.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// The settings.
    pub settings: GuildSettings,
    /// The last change of each that was ever changed.
    pub last: Vec<LoggedChange>,
    /// What the settings come to with.
    pub beside: Beside,
}

/// These groups, an embed each.
#[must_use]
pub fn show(shown: &Shown, groups: &[SettingGroup]) -> Vec<Post> {
    let mut embeds: Vec<Embed> = groups.iter().map(|group| embed(shown, group)).collect();
    if let Some(last) = embeds.last_mut() {
        "Running sessions keep what they were started with.".clone_into(&mut last.footer);
    }
    limits::fit(Post { embeds, ..Post::default() })
}

fn embed(shown: &Shown, group: &SettingGroup) -> Embed {
    let about = format!("{} Change: `/settings {}`", group.about, group.name);
    let mut blocks = vec![about.trim_start().to_owned()];
    blocks.extend(group.settings.iter().map(|setting| line(shown, setting)));
    Embed {
        title: group.title.to_owned(),
        description: blocks.join("\n\n"),
        color: Color::Neutral,
        ..Embed::default()
    }
}

fn line(shown: &Shown, setting: &Setting) -> String {
    let value = setting.shown(&shown.settings, &shown.beside);
    let changed = shown.last.iter().find(|last| last.changed.setting == setting).map_or_else(
        || "never changed".to_owned(),
        |last| format!("changed by {} <t:{}:R>", text::label(&last.by, 40), last.at),
    );
    format!("**{setting}:** {value}\n{}\n-# `{}` · {changed}", setting.meaning, setting.name)
}

/// What is said about changes, for whoever made them.
#[must_use]
pub fn said(changes: &[Changed]) -> String {
    if changes.is_empty() {
        return "Nothing changed: that is how it was already.".to_owned();
    }
    let lines =
        changes.iter().map(|change| format!("**{}:** {} → {}", change.setting, change.before, change.after));
    let when = if changes.iter().any(|change| change.setting.at_once) {
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
pub fn log(changes: &[LoggedChange]) -> Vec<Post> {
    let line = |made: &LoggedChange| {
        let Changed { setting, before, after } = &made.changed;
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
    use domain::{Bounds, Caps, Grant, Money, RoleId, SETTING_GROUPS, differences};

    fn shown(settings: GuildSettings) -> Shown {
        Shown {
            settings,
            last: Vec::new(),
            beside: Beside {
                bounds: Bounds {
                    session: Caps { money: Money(2_000_000), tokens: 400_000, calls: 80 },
                    models: vec!["openai/alpha".parse().unwrap()],
                },
                month: (12, Money(340_000)),
            },
        }
    }

    fn text(posts: &[Post]) -> String {
        let embeds = posts.iter().flat_map(|post| &post.embeds);
        let shown = embeds.map(|embed| [&*embed.title, &embed.description, &embed.footer].join("\n"));
        shown.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_setting_is_shown_with_its_meaning_and_the_option_that_changes_it() {
        let all = text(&show(&shown(GuildSettings::default()), &SETTING_GROUPS));
        for setting in Setting::all() {
            assert!(all.contains(&format!("**{}:**", setting.title)), "{setting}: {all}");
            assert!(all.contains(&format!("`{}`", setting.name)), "{setting}: {all}");
            assert!(all.contains(setting.meaning), "{setting}: {all}");
        }
        assert!(
            all.contains("$2.00, which the bot allows") && all.contains("80, which the bot allows"),
            "{all}"
        );
        assert!(
            all.contains("no limit ($0.34 so far this month)") && all.contains("no limit (12 so far"),
            "{all}"
        );
        let group = SettingGroup::find("voting").unwrap();
        let voting = text(&show(&shown(GuildSettings::default()), std::slice::from_ref(group)));
        assert!(voting.contains("24 hours") && !voting.contains("Who may start"), "{voting}");
    }

    #[test]
    fn what_cannot_hold_any_more_is_shown_as_it_is() {
        let settings = GuildSettings {
            session_money: Some(Money(3_000_000)),
            models: vec!["openai/alpha".parse().unwrap(), "openai/gone".parse().unwrap()],
            ..GuildSettings::default()
        };
        let all = text(&show(&shown(settings), &SETTING_GROUPS));
        assert!(all.contains("$2.00, which the bot allows"), "{all}");
        assert!(all.contains("the bot has `openai/gone` no more"), "{all}");
    }

    #[test]
    fn changes_name_roles_and_nobody_can_forge_a_mention_with_a_name() {
        let after = GuildSettings { may_start: Grant::Role(RoleId(7)), ..GuildSettings::default() };
        let changes = differences(&GuildSettings::default(), &after);
        let sentence = said(&changes);
        assert!(sentence.contains("**Who may start sessions:** everyone → <@&7>"), "{sentence}");
        assert!(changed(&sentence).embeds[0].description.contains("<@&7>"));
        let made = LoggedChange { changed: changes[0].clone(), by: "<@&9> **x**".to_owned(), at: 5 };
        let log = text(&log(std::slice::from_ref(&made)));
        assert!(
            log.contains("everyone → <@&7>") && log.contains("<t:5:f>") && !log.contains("<@&9>"),
            "{log}"
        );
        let shown = Shown { last: vec![made], ..shown(after) };
        let all = text(&show(&shown, &SETTING_GROUPS[..1]));
        assert!(all.contains("<t:5:R>") && !all.contains("<@&9>"), "{all}");
    }
}
