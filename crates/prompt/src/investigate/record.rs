//! What was found out so far, as the investigator and whoever writes the answer read it.

use crate::fence;
use domain::{
    Call, Called, Check, CheckFinding, Compared, Entry, InvestigatorTool, LedgerTag, ScoutId, SplitKind,
    ToolAction,
};

/// Most of what a call gave back that is read again later, in characters.
const MOST_SHOWN: usize = 3_000;

/// Something that was called or checked, under its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// From 1, calls first.
    pub number: usize,
    /// What was wanted, and what came back.
    pub text: String,
    /// Whether anything did.
    pub answered: bool,
}

/// The calls, and after them the checks.
#[must_use]
pub fn records(calls: &[Call], checks: &[Check]) -> Vec<Record> {
    let called = calls.iter().map(|call| {
        let (what, text) = match &call.called {
            Called::Answered(text) => ("gave back", text),
            Called::Failed(text) => ("failed", text),
            Called::SentBack(text) => ("was sent back", text),
        };
        let action = &call.action;
        let mut lines = vec![format!("{} on {}: {}", action.tool.as_str(), action.path, action.purpose)];
        match action.tool {
            InvestigatorTool::Checkpoint => lines.push(format!(
                "Learnt: {}\nHeld to be so{}: {}\nWhat would change it: {}",
                action.text,
                if action.firm { " (firm)" } else { "" },
                action.hypothesis,
                action.would_change
            )),
            InvestigatorTool::Done => lines.push(concluded(action)),
            _ => lines.push(action.text.clone()),
        }
        if !text.is_empty() {
            lines.push(format!("It {what}:\n{}", cut(text)));
        }
        if !call.settled.is_empty() {
            lines.push(format!("A model read off it: {}", call.settled));
        }
        (lines.join("\n"), matches!(call.called, Called::Answered(_)) && action.tool.explores())
    });
    let checked = checks.iter().map(|check| {
        let found = match (&check.finding, check.holds()) {
            (_, Some(_)) if check.denies() => "Does not hold.".to_owned(),
            (_, Some(position)) => format!("Holds: {position}"),
            (CheckFinding::None, None) => "None of what was said holds.".to_owned(),
            _ => "Not settled.".to_owned(),
        };
        let text = format!("Checked {}: {}\n{found} {}", check.by.words(), check.topic, check.why);
        (text, check.is_settled())
    });
    (1..)
        .zip(called.chain(checked))
        .map(|(number, (text, answered))| Record { number, text: format!("{number}. {text}"), answered })
        .collect()
}

/// The records that a text names: `call 3`, `calls 3 and 4`.
pub(super) fn named<'a>(records: &'a [Record], text: &str) -> Vec<&'a Record> {
    let (mut numbers, mut names) = (Vec::new(), false);
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        match word.parse::<usize>() {
            Ok(number) if names => numbers.push(number),
            // Between two numbers may stand `and` or `to`.
            Err(_) if names && matches!(word, "and" | "or" | "to") => {}
            _ => names = matches!(word.to_lowercase().as_str(), "call" | "calls"),
        }
    }
    records.iter().filter(|record| numbers.contains(&record.number)).collect()
}

/// What the investigator came to, as it said at the end.
fn concluded(action: &ToolAction) -> String {
    let sure = action.confidence.map(|sure| format!(" (sure: {sure} of 100)")).unwrap_or_default();
    let stop = action.stop.map(|rule| format!("{}. {}", rule.words(), action.why_stop)).unwrap_or_default();
    let parts = [
        ("It is", &format!("{}{sure}", action.hypothesis)),
        ("Because", &action.text),
        ("The strongest other answer, and why this one beats it", &action.alternative),
        ("What would change it", &action.would_change),
        ("Why it stops here", &stop),
    ];
    let said = parts.iter().filter(|(_, text)| !text.trim().is_empty());
    said.map(|(label, text)| format!("{label}: {text}")).collect::<Vec<_>>().join("\n")
}

/// What the investigator came to, fenced, where it came to an end of its own.
#[must_use]
pub fn conclusion_text(calls: &[Call]) -> Option<String> {
    let done = calls.iter().rev().find(|call| call.action.tool == InvestigatorTool::Done)?;
    Some(fence("conclusion", &concluded(&done.action)))
}

fn cut(text: &str) -> String {
    let kept: String = text.chars().take(MOST_SHOWN).collect();
    if kept.len() < text.len() { format!("{kept} … (cut)") } else { kept }
}

/// What scouts agree and differ on, fenced.
#[must_use]
pub fn compared_text(compared: &Compared) -> String {
    let who = |scouts: &[ScoutId]| scouts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut lines = Vec::new();
    if compared.is_of_different_questions() {
        lines.push("They answered different questions:".to_owned());
        lines.extend(
            compared.readings.iter().map(|read| format!("- {} ({})", read.question, who(&read.scouts))),
        );
    }
    lines.push("Answers:".to_owned());
    lines.extend(compared.answers.iter().map(|group| format!("- {} ({})", group.answer, who(&group.scouts))));
    if !compared.consensus.is_empty() {
        lines.push("Said by two or more:".to_owned());
        lines.extend(
            compared.consensus.iter().map(|said| format!("- {} ({})", said.claim, who(&said.scouts))),
        );
    }
    for split in &compared.splits {
        let kind = match split.kind {
            SplitKind::Verifiable => "can be checked",
            SplitKind::Judgement => "a judgement",
        };
        lines.push(format!("They differ on {} ({kind}):", split.topic));
        lines.extend(split.sides.iter().map(|side| format!("- {} ({})", side.position, who(&side.scouts))));
    }
    if !compared.lone.is_empty() {
        lines.push("Said by one alone:".to_owned());
        lines.extend(compared.lone.iter().map(|lone| format!("- {} ({})", lone.claim, lone.scout)));
    }
    fence("comparison", &lines.join("\n"))
}

/// The ledger, fenced.
#[must_use]
pub fn ledger_text(entries: &[Entry]) -> String {
    let line = |entry: &Entry| {
        let tag = match &entry.tag {
            LedgerTag::Verified(by) => format!("VERIFIED {by}"),
            LedgerTag::Checked(by) => format!("CHECKED {by}"),
            LedgerTag::Consensus { held, of } => format!("CONSENSUS {held} of {of}"),
            LedgerTag::Judgment(sides) => {
                let sides = sides.iter().map(|(side, held)| format!("{side} ({held})"));
                format!("JUDGMENT {}", sides.collect::<Vec<_>>().join(" / "))
            }
            LedgerTag::Alone(who) => format!("ONE SCOUT ALONE {who}"),
            LedgerTag::NotSettled(why) => format!("NOT SETTLED {why}"),
            LedgerTag::NotChecked(said) => format!("NOT CHECKED {said}"),
        };
        format!("- {} — {tag}", entry.text)
    };
    let lines: Vec<String> = entries.iter().map(line).collect();
    let text = if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") };
    fence("ledger", &text)
}
