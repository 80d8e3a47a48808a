//! A session's own budget on cards: that it is used up, the form that adds to it, and that it was added to.

use super::{card, markdown, notices, text};
use domain::{
    Addition, ButtonStyle, Caps, Color, CustomId, Does, Input, Ledger, Modal, Opens, Post, Row, SessionId,
    TextInput,
};

/// A session stands still because its own budget is used up; the reason as a sentence.
#[must_use]
pub fn spent(session: &SessionId, reason: &str) -> Post {
    let text = format!("⏸️ **Paused.** {}\nNothing is lost.", markdown::short(reason, 1_000));
    with_button(session, notices::notice(Color::Caution, text))
}

/// The same post with the button that adds to the session's budget.
#[must_use]
pub fn with_button(session: &SessionId, post: Post) -> Post {
    let id = CustomId::new(session, Opens::AddBudget);
    Post {
        rows: vec![Row::Buttons(vec![card::button(id, "Add budget", "💵", ButtonStyle::Primary)])],
        ..post
    }
}

/// The form behind *Add budget*, filled with a share. `before` is how often something was added by now.
#[must_use]
pub fn form(session: &SessionId, ledger: &Ledger, share: &Caps, before: usize) -> Modal {
    let of = |used: String, cap: i64, most: String| match cap {
        cap if cap >= Caps::NO_LIMIT => used,
        _ => format!("{used} of {most}"),
    };
    let calls = of(ledger.calls.to_string(), ledger.calls_cap, ledger.calls_cap.to_string());
    let tokens = of(card::tokens(ledger.tokens), ledger.tokens_cap, card::tokens(ledger.tokens_cap));
    let dollars = of(ledger.cost.short(), ledger.cost_cap.0, ledger.cost_cap.short());
    let input = |id: &str, what: &str, used: String, share: String, example: &str| TextInput {
        id: id.to_owned(),
        label: text::cut(&format!("More {what} (used: {used})"), 45),
        placeholder: format!("{example}, or empty for nothing more"),
        value: share,
        paragraph: false,
        required: false,
        max: 30,
    };
    let some = |amount: i64, text: String| if amount > 0 { text } else { String::new() };
    Modal {
        id: CustomId::new(session, Does::BudgetSent(u32::try_from(before).unwrap_or(u32::MAX))),
        title: "Add to this session's budget".to_owned(),
        inputs: [
            input("calls", "calls", calls, some(share.calls, share.calls.to_string()), "40"),
            input("tokens", "tokens", tokens, some(share.tokens, share.tokens.to_string()), "500k"),
            input("dollars", "dollars", dollars, some(share.money.0, plain(share)), "1.50"),
        ]
        .map(Input::Text)
        .into(),
    }
}

/// Somebody added to a session's budget.
#[must_use]
pub fn added(addition: &Addition) -> Post {
    notices::notice(Color::Active, format!("💵 {}.", line(addition)))
}

/// What was added, as the live card says it; the newest where there is more than it has room for.
pub(super) fn lines(additions: &[Addition]) -> String {
    const SHOWN: usize = 3;
    let left_out = additions.len().saturating_sub(SHOWN);
    let lines: Vec<String> =
        additions.iter().skip(left_out).map(|addition| format!("{}.", line(addition))).collect();
    let before = if left_out > 0 {
        format!("{} before; ", card::count(left_out.try_into().unwrap_or(i64::MAX), "addition"))
    } else {
        String::new()
    };
    format!("{before}{}", lines.join("\n"))
}

/// `Ada added 60 calls, 1M tokens and $1.00`.
fn line(Addition { by, more }: &Addition) -> String {
    let mut parts = Vec::new();
    if more.calls > 0 {
        parts.push(card::count(more.calls, "call"));
    }
    if more.tokens > 0 {
        parts.push(format!("{} tokens", card::tokens(more.tokens)));
    }
    if more.money.0 > 0 {
        parts.push(more.money.short());
    }
    let last = parts.pop().unwrap_or_else(|| "nothing".to_owned());
    let all = if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) };
    format!("{} added {all} to the budget", text::label(by, 60))
}

/// `1.50`.
fn plain(share: &Caps) -> String {
    let cents = share.money.0 / 10_000;
    format!("{}.{:02}", cents / 100, cents % 100)
}
