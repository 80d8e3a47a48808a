//! What an investigation that is done left open, for whoever wants to go on with it.

use super::material::kept;
use crate::steps::{Journal, Stop};
use domain::{Entry, LedgerTag, OpenMatter, OpenMatters, ledger};

/// What its ledger does not settle.
pub(in crate::protocols) async fn left_open(journal: &Journal) -> Result<OpenMatters, Stop> {
    let kept = kept(journal).await?;
    Ok(kept.compared.map(|compared| of(&ledger(&compared, &kept.checks))).unwrap_or_default())
}

/// Judgements that were shown and not resolved, and what nobody can tell yet.
fn of(entries: &[Entry]) -> OpenMatters {
    let mut open = OpenMatters::default();
    for entry in entries {
        match &entry.tag {
            LedgerTag::Judgment(sides) => {
                let sides: Vec<&str> = sides.iter().map(|(side, _)| side.as_str()).collect();
                open.conflicts.push(OpenMatter::new(&entry.text, &sides.join(" / ")));
            }
            LedgerTag::Alone(why) | LedgerTag::NotSettled(why) | LedgerTag::NotChecked(why) => {
                open.facts.push(OpenMatter::new(&entry.text, &format!("{} ({why})", entry.text)));
            }
            LedgerTag::Verified(_) | LedgerTag::Checked(_) | LedgerTag::Consensus { .. } => {}
        }
    }
    open
}
