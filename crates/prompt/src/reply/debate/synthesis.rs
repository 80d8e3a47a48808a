//! The moderator's analysis, and a hinge that is looked at again.

use super::turn::unlabelled;
use crate::reply::{
    ParseError,
    words::{Cleaner, MAX_ITEMS, is_said},
};
use domain::{Citing, DebateSynthesis, Hinge, Offered, Side, citations, one_line};

/// As it is kept, with the pages that it cites of those that were offered; one that says nothing is an error.
pub fn checked_hinge(mut hinge: Hinge, offered: &Offered) -> Result<Hinge, ParseError> {
    if !clean_hinge(&mut hinge, &mut Cleaner::offering(offered.len())) {
        return Err(ParseError::Empty("if_true"));
    }
    Ok(hinge.citing(offered))
}

fn clean_hinge(hinge: &mut Hinge, clean: &mut Cleaner) -> bool {
    // What is cited is listed by code.
    hinge.sources.clear();
    clean.one_line([&mut hinge.if_true]);
    hinge.if_true = one_line(&citations::within(&hinge.if_true, 0).0);
    if !is_said(&[&hinge.if_true]) {
        return false;
    }
    clean.texts([&mut hinge.current_evidence]);
    true
}

/// A position without what its card introduces it by: `Pro holds that costs fall.` is `Costs fall.`
fn unnamed(position: &str, side: Side) -> String {
    let text = unlabelled(position, side);
    let name = side.name();
    let introduced = ["holds", "argues", "says", "maintains", "believes", "contends", "assumes"]
        .into_iter()
        .find_map(|verb| text.strip_prefix(&format!("{name} {verb} that ")));
    let Some(said) = introduced else { return text.to_owned() };
    let mut letters = said.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// As it is kept. Items that say nothing are left out; where nothing is left at all, it is an error.
pub fn checked_debate_synthesis(
    mut synthesis: DebateSynthesis,
    answered_by: &str,
) -> Result<DebateSynthesis, ParseError> {
    let mut clean = Cleaner::default();
    clean.items(&mut synthesis.areas_of_agreement, usize::MAX, |clean, agreement| {
        clean.one_line([&mut agreement.topic]);
        clean.texts([&mut agreement.description]);
        agreement.shared_evidence = clean.lines(&agreement.shared_evidence);
        is_said(&[&agreement.topic, &agreement.description])
    });
    clean.items(&mut synthesis.core_disagreements, usize::MAX, |clean, part| {
        clean.one_line([&mut part.topic]);
        clean.texts([&mut part.pro_position, &mut part.con_position]);
        part.pro_position = unnamed(&part.pro_position, Side::Pro);
        part.con_position = unnamed(&part.con_position, Side::Con);
        is_said(&[&part.topic, &part.pro_position, &part.con_position])
    });
    clean.items(&mut synthesis.between, usize::MAX, |clean, one| {
        clean.one_line([&mut one.named_by]);
        clean.texts([&mut one.position, &mut one.pro_objection, &mut one.con_objection]);
        is_said(&[&one.position])
    });
    clean.items(&mut synthesis.assumption_conflicts, usize::MAX, |clean, clash| {
        clean.texts([&mut clash.pro_assumption, &mut clash.con_assumption, &mut clash.impact_on_debate]);
        clash.pro_assumption = unnamed(&clash.pro_assumption, Side::Pro);
        clash.con_assumption = unnamed(&clash.con_assumption, Side::Con);
        is_said(&[&clash.pro_assumption, &clash.con_assumption])
    });
    clean.items(&mut synthesis.evidence_gaps, usize::MAX, |clean, gap| {
        clean.one_line([&mut gap.question]);
        clean.texts([&mut gap.why_it_matters]);
        is_said(&[&gap.question])
    });
    clean.items(&mut synthesis.decision_hinges, usize::MAX, |clean, hinge| clean_hinge(hinge, clean));
    // What is cut here was read: the citations in it are counted.
    synthesis.areas_of_agreement.truncate(MAX_ITEMS);
    synthesis.core_disagreements.truncate(MAX_ITEMS);
    synthesis.between.truncate(MAX_ITEMS);
    synthesis.assumption_conflicts.truncate(MAX_ITEMS);
    synthesis.evidence_gaps.truncate(MAX_ITEMS);
    synthesis.decision_hinges.truncate(MAX_ITEMS);
    synthesis.edits.iter_mut().for_each(|edit| clean.texts([&mut edit.becomes]));
    clean.texts([
        &mut synthesis.executive_summary,
        &mut synthesis.complexity_assessment,
        &mut synthesis.neutrality_check,
    ]);
    if !is_said(&[&synthesis.executive_summary])
        && synthesis.core_disagreements.is_empty()
        && synthesis.decision_hinges.is_empty()
    {
        return Err(ParseError::Empty("executive_summary"));
    }
    answered_by.clone_into(&mut synthesis.answered_by);
    synthesis.dropped_citations = clean.dropped;
    Ok(synthesis)
}
