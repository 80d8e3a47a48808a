//! What a session that is done left open, for whoever wants to go on with it: where those who spoke part, and what nobody
//! has made sure of. Read from what the protocol has kept; nothing is asked.

use super::{critique, debate, investigate, mediate};
use crate::{
    domain::{
        Assessment, ConflictResolution, Entry, FlagColor, LedgerTag, NeutralSynthesis, OpenMatter,
        OpenMatters, Protocol, Research, Synthesis, ledger,
    },
    steps::{Journal, Stop},
};

/// What a session left open. A roundtable's minutes name nothing by itself: what its experts part on are its solutions.
pub async fn left_open(journal: &Journal, protocol: Protocol) -> Result<OpenMatters, Stop> {
    Ok(match protocol {
        Protocol::Mediate => {
            let synthesis = journal.stored::<Synthesis>("synthesis").await?.pop();
            let research = mediate::researched(journal).await?;
            synthesis.map(|synthesis| of_mediation(&synthesis, research.as_ref())).unwrap_or_default()
        }
        Protocol::Roundtable => OpenMatters::default(),
        Protocol::Debate => {
            let kept: Option<NeutralSynthesis> = journal.kept(&debate::synthesis_key()).await?;
            kept.map(|kept| of_debate(&kept)).unwrap_or_default()
        }
        Protocol::Critique => {
            let kept: Option<Assessment> = critique::assessment(journal).await?;
            kept.map(|assessment| of_critique(&assessment)).unwrap_or_default()
        }
        Protocol::Investigate => {
            let (compared, checks) = investigate::compared(journal).await?;
            compared.map(|compared| of_ledger(&ledger(&compared, &checks))).unwrap_or_default()
        }
    })
}

fn matter(topic: &str, said: &str) -> OpenMatter {
    OpenMatter { topic: topic.to_owned(), said: said.to_owned() }
}

/// Conflicts that no research has settled, and what is not known: what research could not settle, else the red flags.
fn of_mediation(synthesis: &Synthesis, research: Option<&Research>) -> OpenMatters {
    let looked_into = |topic: &str| {
        research.iter().flat_map(|research| &research.resolutions).find(|one| one.topic == topic)
    };
    let settled = |topic: &str| looked_into(topic).is_some_and(ConflictResolution::is_settled);
    let conflicts = synthesis.conflicts.iter().filter(|conflict| !settled(&conflict.topic));
    let flags = synthesis.flags.iter().filter(|flag| flag.color == FlagColor::Red && !settled(&flag.text));
    OpenMatters {
        conflicts: conflicts.map(|conflict| matter(&conflict.topic, &conflict.description)).collect(),
        facts: flags.map(|flag| matter(&flag.text, "")).collect(),
    }
}

/// Where the sides part, and what one would have to know.
fn of_debate(kept: &NeutralSynthesis) -> OpenMatters {
    let synthesis = &kept.synthesis;
    let positions = |pro: &str, con: &str| format!("Pro: {pro} Con: {con}");
    OpenMatters {
        conflicts: (synthesis.core_disagreements.iter())
            .map(|one| matter(&one.topic, &positions(&one.pro_position, &one.con_position)))
            .collect(),
        facts: (synthesis.evidence_gaps.iter())
            .map(|gap| matter(&gap.question, &format!("{} {}", gap.question, gap.why_it_matters)))
            .collect(),
    }
}

/// Findings, each of which says that something in the text does not hold.
fn of_critique(assessment: &Assessment) -> OpenMatters {
    let facts = assessment.findings.iter().map(|finding| matter(&finding.critique, ""));
    OpenMatters { facts: facts.collect(), ..OpenMatters::default() }
}

/// Judgements that were shown and not resolved, and what nobody can tell yet.
fn of_ledger(entries: &[Entry]) -> OpenMatters {
    let mut open = OpenMatters::default();
    for entry in entries {
        match &entry.tag {
            LedgerTag::Judgment(sides) => {
                let sides: Vec<&str> = sides.iter().map(|(side, _)| side.as_str()).collect();
                open.conflicts.push(matter(&entry.text, &sides.join(" / ")));
            }
            LedgerTag::Uncertain(why) => {
                open.facts.push(matter(&entry.text, &format!("{} ({why})", entry.text)));
            }
            LedgerTag::Verified(_) | LedgerTag::Consensus { .. } => {}
        }
    }
    open
}
