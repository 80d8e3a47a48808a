//! An investigation's cards: scouts, what they agree and differ on, what was checked and called, the answer with its
//! ledger, and the question to the team.

mod answer;
mod calls;
mod check;
mod scout;
mod team;

pub use answer::{Ended, answer_card, whole_answer};
pub use calls::{calls_card, tool_words, whole_calls};
pub use check::{checks_card, whole_check};
pub use scout::{
    ScoutSeat, compared_card, opening_card, scouts_card, whole_comparison, whole_opening, whole_scout,
};
pub use team::{team_card, team_form, team_refused};

use domain::{Entry, LedgerTag, Level};

use super::markdown;

/// How sure, in capitals, with a sign of its own.
fn sure(level: Level) -> &'static str {
    match level {
        Level::High => "🟢 HIGH",
        Level::Medium => "🟡 MEDIUM",
        Level::Low => "🔴 LOW",
    }
}

/// A line of the ledger.
fn entry(entry: &Entry) -> String {
    let text = markdown::inline(&entry.text, 900);
    match &entry.tag {
        LedgerTag::Verified(by) => format!("✅ **VERIFIED** {text} ({by})"),
        LedgerTag::Checked(by) => format!("🧠 **CHECKED** {text} ({})", markdown::inline(by, 200)),
        LedgerTag::Consensus { held, of } => format!("🤝 **CONSENSUS {held} of {of}** {text}"),
        LedgerTag::Judgment(sides) => {
            let split: Vec<String> = sides.iter().map(|(_, held)| held.to_string()).collect();
            let both: Vec<String> = sides
                .iter()
                .map(|(side, held)| format!("{} ({held})", markdown::inline(side, 160)))
                .collect();
            format!("⚖️ **JUDGMENT {}** {text}: {}", split.join(" to "), both.join(" / "))
        }
        LedgerTag::Alone(who) => format!("1️⃣ **ONE SCOUT ALONE** {text} ({})", markdown::inline(who, 200)),
        LedgerTag::NotSettled(why) => format!("❔ **NOT SETTLED** {text} ({})", markdown::inline(why, 900)),
        LedgerTag::NotChecked(said) => format!("▫️ **NOT CHECKED** {text}: {}", markdown::inline(said, 400)),
    }
}

#[cfg(test)]
mod tests;
