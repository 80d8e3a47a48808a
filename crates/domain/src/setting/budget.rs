//! What sessions may use, as far as a server's managers can set it.

use super::{
    Beside, Setting, SettingGroup,
    SettingOption::Text,
    read,
    table::{PLAIN, allowed, amount, copy},
};
use crate::{Caps, Money, thousands};

/// Most that a month may cost: a million dollars.
const MAX_MONTH: Money = Money(1_000_000_000_000);
/// Most calls of a month.
const MAX_MONTH_CALLS: i64 = 10_000_000;
/// Most tokens of a month.
const MAX_MONTH_TOKENS: i64 = 1_000_000_000_000;

/// The budgets of a server.
pub(super) const BUDGET: SettingGroup = SettingGroup {
    name: "budget",
    help: "What sessions may use. Give only what you want to change; `default` takes a limit away.",
    title: "💵 Budget",
    about: "Calls whose price is not known count as calls, but cost nothing here.",
    settings: &[
        Setting {
            name: "session_usd",
            title: "Most a session may cost",
            meaning: "Never more than whoever runs the bot allows.",
            help: "Most a session may cost in US dollars, such as 1.50, or `default`",
            option: Text(|to, text| {
                to.session_money = read::dollars(text)?;
                Ok(())
            }),
            words: |of| amount(of.session_money, "as the bot allows"),
            // What whoever runs the bot allows may have become less than what was set.
            shown: |of, Beside { bounds, .. }| {
                let most = bounds.session.money;
                let more = of.session_money.is_none_or(|set| set > most);
                more.then(|| format!("{most}, which the bot allows"))
            },
            copy: copy!(session_money),
            check: |of, bounds| {
                let most = bounds.session.money;
                allowed(of.session_money.is_none_or(|set| set <= most), || {
                    format!(
                        "A session may cost at most {most} here, which whoever runs the bot has set. Write that or less, or `default`."
                    )
                })
            },
            ..PLAIN
        },
        Setting {
            name: "session_calls",
            title: "Most calls of a session",
            meaning: "Never more than whoever runs the bot allows.",
            help: "Most calls of a session, such as 40, or `default`",
            option: Text(|to, text| {
                to.session_calls = read::count(text, "calls")?;
                Ok(())
            }),
            words: |of| amount(of.session_calls, "as the bot allows"),
            shown: |of, Beside { bounds, .. }| {
                let most = bounds.session.calls;
                let more = of.session_calls.is_none_or(|set| set > most);
                more.then(|| format!("{most}, which the bot allows"))
            },
            copy: copy!(session_calls),
            check: |of, bounds| {
                let most = bounds.session.calls;
                allowed(of.session_calls.is_none_or(|set| set <= most), || {
                    format!(
                        "A session may make at most {most} calls here, which whoever runs the bot has set. Write that or less, or `default`."
                    )
                })
            },
            ..PLAIN
        },
        Setting {
            name: "session_tokens",
            title: "Most tokens of a session",
            meaning: "In and out. Never more than whoever runs the bot allows.",
            help: "Most tokens of a session, in and out, such as 500k, or `default`",
            option: Text(|to, text| {
                to.session_tokens = read::count(text, "tokens")?;
                Ok(())
            }),
            words: |of| of.session_tokens.map_or_else(|| "as the bot allows".to_owned(), grouped),
            shown: |of, Beside { bounds, .. }| {
                let most = bounds.session.tokens;
                let more = of.session_tokens.is_none_or(|set| set > most);
                more.then(|| format!("{}, which the bot allows", grouped(most)))
            },
            copy: copy!(session_tokens),
            check: |of, bounds| {
                let most = bounds.session.tokens;
                allowed(of.session_tokens.is_none_or(|set| set <= most), || {
                    format!(
                        "A session may take at most {} tokens here, which whoever runs the bot has set. Write that or less, or `default`.",
                        grouped(most)
                    )
                })
            },
            ..PLAIN
        },
        Setting {
            name: "month_usd",
            title: "Most all sessions may cost in a month",
            meaning: "Of all sessions here, in a calendar month (UTC).",
            help: "Most all sessions may cost in a month in US dollars, such as 20, or `default`",
            option: Text(|to, text| {
                let most = read::dollars(text)?;
                allowed(most.is_none_or(|most| most <= MAX_MONTH), || {
                    "A month's budget is at most $1,000,000. Write that or less, or `default` for no limit."
                        .to_owned()
                })?;
                to.month_money = most;
                Ok(())
            }),
            at_once: true,
            words: |of| amount(of.month_money, "no limit"),
            shown: |of, Beside { month: (_, cost), .. }| {
                Some(format!("{} ({cost} so far this month)", amount(of.month_money, "no limit")))
            },
            copy: copy!(month_money),
            ..PLAIN
        },
        Setting {
            name: "month_calls",
            title: "Most calls of all sessions in a month",
            meaning: "Of all sessions here, in a calendar month (UTC).",
            help: "Most calls of all sessions in a month, such as 2000, or `default`",
            option: Text(|to, text| {
                let most = read::count(text, "calls")?;
                allowed(most.is_none_or(|most| most <= MAX_MONTH_CALLS), || {
                    "A month's budget is at most 10,000,000 calls. Write that or less, or `default` for no limit.".to_owned()
                })?;
                to.month_calls = most;
                Ok(())
            }),
            at_once: true,
            words: |of| amount(of.month_calls, "no limit"),
            shown: |of, Beside { month: (calls, _), .. }| {
                Some(format!("{} ({calls} so far this month)", amount(of.month_calls, "no limit")))
            },
            copy: copy!(month_calls),
            ..PLAIN
        },
        Setting {
            name: "month_tokens",
            title: "Most tokens of all sessions in a month",
            meaning: "Of all sessions here, in and out, in a calendar month (UTC).",
            help: "Most tokens of all sessions in a month, such as 20M, or `default`",
            option: Text(|to, text| {
                let most = read::count(text, "tokens")?;
                allowed(most.is_none_or(|most| most <= MAX_MONTH_TOKENS), || {
                    "A month's budget is at most 1,000,000,000,000 tokens. Write that or less, or `default` for no limit.".to_owned()
                })?;
                to.month_tokens = most;
                Ok(())
            }),
            at_once: true,
            words: |of| of.month_tokens.map_or_else(|| "no limit".to_owned(), grouped),
            copy: copy!(month_tokens),
            ..PLAIN
        },
    ],
};

/// A number with its thousands set apart; without a limit, in words.
fn grouped(number: i64) -> String {
    if number >= Caps::NO_LIMIT {
        return "no limit".to_owned();
    }
    thousands(number.unsigned_abs())
}
