//! The moderator's analysis, and a hinge that is looked at again.

use crate::{
    domain::{Citing, DebateSynthesis, Hinge, Offered, citations, one_line},
    prompt::reply::{
        ParseError,
        words::{Cleaner, MAX_ITEMS, is_said},
    },
};

impl Hinge {
    /// As it is kept, with the pages that it cites of those that were offered; one that says nothing is an error.
    pub fn checked(mut self, offered: &Offered) -> Result<Self, ParseError> {
        if !self.clean(&mut Cleaner::offering(offered.len())) {
            return Err(ParseError::Empty("if_true"));
        }
        Ok(self.citing(offered))
    }

    fn clean(&mut self, clean: &mut Cleaner) -> bool {
        // What is cited is listed by code.
        self.sources.clear();
        clean.one_line([&mut self.if_true]);
        self.if_true = one_line(&citations::within(&self.if_true, 0).0);
        if !is_said(&[&self.if_true]) {
            return false;
        }
        clean.texts([&mut self.current_evidence]);
        true
    }
}

impl DebateSynthesis {
    /// As it is kept. Items that say nothing are left out; where nothing is left at all, it is an error.
    pub fn checked(mut self, answered_by: &str) -> Result<Self, ParseError> {
        let mut clean = Cleaner::default();
        clean.items(&mut self.areas_of_agreement, usize::MAX, |clean, agreement| {
            clean.one_line([&mut agreement.topic]);
            clean.texts([&mut agreement.description]);
            agreement.shared_evidence = clean.lines(&agreement.shared_evidence);
            is_said(&[&agreement.topic, &agreement.description])
        });
        clean.items(&mut self.core_disagreements, usize::MAX, |clean, part| {
            clean.one_line([&mut part.topic]);
            clean.texts([&mut part.pro_position, &mut part.con_position]);
            is_said(&[&part.topic, &part.pro_position, &part.con_position])
        });
        clean.items(&mut self.assumption_conflicts, usize::MAX, |clean, clash| {
            clean.texts([&mut clash.pro_assumption, &mut clash.con_assumption, &mut clash.impact_on_debate]);
            is_said(&[&clash.pro_assumption, &clash.con_assumption])
        });
        clean.items(&mut self.evidence_gaps, usize::MAX, |clean, gap| {
            clean.one_line([&mut gap.question]);
            clean.texts([&mut gap.why_it_matters]);
            is_said(&[&gap.question])
        });
        clean.items(&mut self.decision_hinges, usize::MAX, |clean, hinge| hinge.clean(clean));
        // What is cut here was read: the citations in it are counted.
        self.areas_of_agreement.truncate(MAX_ITEMS);
        self.core_disagreements.truncate(MAX_ITEMS);
        self.assumption_conflicts.truncate(MAX_ITEMS);
        self.evidence_gaps.truncate(MAX_ITEMS);
        self.decision_hinges.truncate(MAX_ITEMS);
        clean.texts([
            &mut self.executive_summary,
            &mut self.complexity_assessment,
            &mut self.neutrality_check,
        ]);
        if !is_said(&[&self.executive_summary])
            && self.core_disagreements.is_empty()
            && self.decision_hinges.is_empty()
        {
            return Err(ParseError::Empty("executive_summary"));
        }
        answered_by.clone_into(&mut self.answered_by);
        self.dropped_citations = clean.dropped;
        Ok(self)
    }
}
