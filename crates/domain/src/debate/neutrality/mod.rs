//! Whether what the moderator wrote takes a side. Pure.
//!
//! Two look: this room knows what is certain, which is a short list of phrases in the moderator's own voice (`Pro is
//! right`, `I recommend`, `the team should adopt`) in English, German, French, Spanish and Portuguese, and counts that lean; a
//! model judges the rest ([`SideTaken`]). Both feed the moderator's next try. What still breaks a rule of this room
//! after the last try is withheld; what only the judge holds against it is shown with a mark, for a judge can be wrong.
//!
//! Not the moderator's own voice, and so exempt: what stands in quotation marks, the proposition, what somebody is
//! reported to say or hold and what stands under a condition, both in the same clause, the fields for the sides'
//! positions and assumptions. That a side is named, or granted something, before the phrase exempts nothing.
//!
//! Balance needs a least count, below which chance alone is uneven: names of the sides in a text, lengths of two
//! positions set against one another, and hinges.
//!
//! Invariant: nothing of the moderator's is posted that has a violation. Called by `protocols`.

mod balance;
mod judged;
mod own;
mod phrases;

use super::{DebateSynthesis, Hinge, Proposition, Section};
pub use judged::{Judgement, SideTaken};
use phrases::Offence;

/// A rule that a text breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// In which part.
    pub section: Section,
    /// For the moderator, that it may mend it: what it wrote and what to do instead.
    pub told: String,
    /// For people, when the part is withheld: which rule, with nothing of the text.
    pub shown: String,
}

/// What a synthesis breaks, part by part in the order in which they are read.
#[must_use]
pub fn of_synthesis(synthesis: &DebateSynthesis, proposition: &Proposition) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut add = |section, place: &str, text: &str| found.extend(of_part(section, place, text, proposition));
    add(Section::Summary, "executive_summary", &synthesis.executive_summary);
    for agreement in &synthesis.areas_of_agreement {
        add(Section::Agreements, "topic", &agreement.topic);
        add(Section::Agreements, "description", &agreement.description);
        for evidence in &agreement.shared_evidence {
            add(Section::Agreements, "shared_evidence", evidence);
        }
    }
    for disagreement in &synthesis.core_disagreements {
        add(Section::Disagreements, "topic", &disagreement.topic);
        add(Section::Disagreements, PRO_POSITION, &disagreement.pro_position);
        add(Section::Disagreements, CON_POSITION, &disagreement.con_position);
    }
    for between in &synthesis.between {
        add(Section::Between, "position", &between.position);
        add(Section::Between, PRO_OBJECTION, &between.pro_objection);
        add(Section::Between, CON_OBJECTION, &between.con_objection);
    }
    for conflict in &synthesis.assumption_conflicts {
        add(Section::Assumptions, PRO_ASSUMPTION, &conflict.pro_assumption);
        add(Section::Assumptions, CON_ASSUMPTION, &conflict.con_assumption);
        add(Section::Assumptions, "impact_on_debate", &conflict.impact_on_debate);
    }
    for gap in &synthesis.evidence_gaps {
        add(Section::Gaps, "question", &gap.question);
        add(Section::Gaps, "why_it_matters", &gap.why_it_matters);
    }
    for hinge in &synthesis.decision_hinges {
        add(Section::Hinges, IF_TRUE, &hinge.if_true);
        add(Section::Hinges, "current_evidence", &hinge.current_evidence);
    }
    add(Section::Complexity, "complexity_assessment", &synthesis.complexity_assessment);
    add(Section::Check, "neutrality_check", &synthesis.neutrality_check);
    for part in &synthesis.core_disagreements {
        found.extend(of_lengths(Section::Disagreements, "position", &part.pro_position, &part.con_position));
    }
    for part in &synthesis.between {
        found.extend(of_lengths(Section::Between, "objection", &part.pro_objection, &part.con_objection));
    }
    for part in &synthesis.assumption_conflicts {
        found.extend(of_lengths(
            Section::Assumptions,
            "assumption",
            &part.pro_assumption,
            &part.con_assumption,
        ));
    }
    found.extend(balance::uneven_hinges(&synthesis.decision_hinges).map(uneven_hinges));
    // Stable: within a section they stay in the order in which they were found.
    found.sort_by_key(|violation| violation.section);
    found
}

/// What an answer, a clarification or any other text of the moderator's breaks.
#[must_use]
pub fn of_text(text: &str, proposition: &Proposition) -> Vec<Violation> {
    of_part(Section::Summary, "text", text, proposition)
}

/// What a hinge that was looked at again breaks, among the others. That they are uneven is held against it only if it
/// favours the side that has more of them.
#[must_use]
pub fn of_hinge(hinge: &Hinge, others: &[Hinge], proposition: &Proposition) -> Vec<Violation> {
    let mut found = of_part(Section::Hinges, IF_TRUE, &hinge.if_true, proposition);
    found.extend(of_part(Section::Hinges, "current_evidence", &hinge.current_evidence, proposition));
    let uneven = balance::uneven_hinges(others.iter().chain([hinge])).filter(|(pro, con)| {
        let more = if pro > con { super::Favors::Pro } else { super::Favors::Con };
        hinge.then_favors == more
    });
    found.extend(uneven.map(uneven_hinges));
    found
}

const PRO_POSITION: &str = "pro_position";
const CON_POSITION: &str = "con_position";
const PRO_OBJECTION: &str = "pro_objection";
const CON_OBJECTION: &str = "con_objection";
const PRO_ASSUMPTION: &str = "pro_assumption";
const CON_ASSUMPTION: &str = "con_assumption";
const IF_TRUE: &str = "if_true";

/// What one text breaks.
fn of_part(section: Section, place: &str, text: &str, proposition: &Proposition) -> Vec<Violation> {
    let held = matches!(
        place,
        PRO_POSITION | CON_POSITION | PRO_OBJECTION | CON_OBJECTION | PRO_ASSUMPTION | CON_ASSUMPTION
    );
    // What may or may not be so is no claim.
    let open = held || place == IF_TRUE;
    let mut found: Vec<Violation> = Vec::new();
    for (offence, words) in phrases::found(text, &[&proposition.question, &proposition.raw]) {
        if offence == Offence::Own || !open {
            let told = format!("`{place}` ({}) says “{words}”: {}.", section.name(), offence.instead());
            found.push(Violation { section, told, shown: offence.shown().to_owned() });
        }
    }
    let (pro, con) = balance::mentions(text, proposition);
    if !held && balance::uneven_mentions((pro, con)) {
        let told = format!(
            "`{place}` ({}) names Pro {pro} times and Con {con} times; name neither more than twice as often as the other.",
            section.name()
        );
        found.push(Violation {
            section,
            told,
            shown: "names one side more than twice as often as the other".to_owned(),
        });
    }
    found
}

fn of_lengths(section: Section, what: &str, pro: &str, con: &str) -> Option<Violation> {
    let (pro, con) = balance::uneven_positions(pro, con)?;
    let told = format!(
        "In “{}”, a `pro_{what}` has {pro} characters and its `con_{what}` {con}; give both about the same room, neither more than twice the other's.",
        section.name()
    );
    let shown = format!("gives one side's {what} more than twice the room of the other's");
    Some(Violation { section, told, shown })
}

fn uneven_hinges((pro, con): (usize, usize)) -> Violation {
    let told = format!(
        "Of the `decision_hinges` {pro} favour Pro and {con} favour Con; neither side may have more than three times as many as the other, and with six or more not more than twice as many. Look for what would help the other side, or leave some out."
    );
    let shown = "has far more open questions for one side than for the other".to_owned();
    Violation { section: Section::Hinges, told, shown }
}

#[cfg(test)]
mod tests;
