//! What somebody said in a step, in words that people read, by the protocol in which it was said.

use serde::{Deserialize, Serialize};

use super::CitedPage;
use crate::{
    Act, Check, Clarification, ConflictResolution, DebateSynthesis, DebateTurn, Hinge, InvestigationAnswer,
    ModuleOutput, Numbered, Preset, Review, ScoutAnswer, SelfCritique, Side, Source, Synthesis, Tree,
    debate::parts,
};

/// What somebody said in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Speech {
    /// The step.
    pub step: String,
    /// Who: `Market`, `Memo`.
    pub by: String,
    /// In which round, where there are rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u8>,
    /// Each text that people read.
    pub texts: Vec<String>,
    /// The pages that the marks in them point at.
    #[serde(default)]
    pub sources: Vec<CitedPage>,
}

impl Speech {
    /// What a module said.
    #[must_use]
    pub fn of_module(step: &str, output: &ModuleOutput) -> Self {
        Self {
            step: step.to_owned(),
            by: output.heading(),
            round: Some(output.round.number()),
            texts: output.texts(),
            sources: output.numbered().into_iter().map(CitedPage::from).collect(),
        }
    }

    /// What the mediator wrote.
    #[must_use]
    pub fn of_synthesis(step: &str, synthesis: &Synthesis) -> Self {
        Self {
            step: step.to_owned(),
            by: "Memo".to_owned(),
            round: Some(3),
            texts: synthesis.texts().cloned().collect(),
            sources: synthesis.sources.iter().cloned().map(CitedPage::from).collect(),
        }
    }

    /// What the pages found say on a grave matter of a memo.
    #[must_use]
    pub fn of_resolution(step: &str, one: &ConflictResolution, sources: &[Numbered]) -> Self {
        let sources = sources.iter().cloned().map(CitedPage::from).collect();
        let texts = one.texts().filter(|text| !text.is_empty()).cloned();
        Self { sources, ..Self::told(step, &format!("Deep research: {}", one.topic), 4, texts) }
    }

    /// What a scout of an investigation answered.
    #[must_use]
    pub fn of_scout(step: &str, answer: &ScoutAnswer) -> Self {
        let texts = [&answer.answer, &answer.reasoning].into_iter().chain(&answer.claims);
        Self::told(step, &answer.scout.title(), 1, texts.cloned())
    }

    /// What a check found, with the pages that it cites.
    #[must_use]
    pub fn of_check(step: &str, check: &Check) -> Self {
        let pages =
            (1..).zip(&check.pages).map(|(number, source)| Numbered { number, source: source.clone() });
        let sources = pages.map(CitedPage::from).collect();
        Self { sources, ..Self::told(step, "Check", 2, [check.why.clone()]) }
    }

    /// The answer of an investigation.
    #[must_use]
    pub fn of_answer(step: &str, answer: &InvestigationAnswer) -> Self {
        let texts = [&answer.answer, &answer.text, &answer.alternative, &answer.would_change];
        let evidence = answer.evidence.iter().map(|stated| &stated.text);
        let texts = texts.into_iter().chain(evidence).filter(|text| !text.is_empty()).cloned();
        let sources = answer.sources.iter().cloned().map(CitedPage::from).collect();
        Self { sources, ..Self::told(step, "Answer", 3, texts) }
    }

    /// A turn of a debate. Each side builds its case before it is answered, so all of that is one round; of rebuttals and
    /// closings each has the one before it to go by, unless both speak at once.
    #[must_use]
    pub fn of_turn(step: &str, turn: &DebateTurn, preset: Preset) -> Self {
        let round = match (turn.slot.act, turn.slot.side) {
            (Act::Rebuttal, _) if preset.answers_at_once() => 2,
            (Act::Closing, _) if preset.answers_at_once() => 3,
            (Act::Rebuttal, Side::Con) => 2,
            (Act::Rebuttal, Side::Pro) => 3,
            (Act::Closing, Side::Con) => 4,
            (Act::Closing, Side::Pro) => 5,
            _ => 1,
        };
        let acknowledged = turn.acknowledged.iter().map(|said| said.how.as_str());
        let texts = std::iter::once(turn.in_short.as_str()).chain(parts(&turn.body)).chain(acknowledged);
        let sources = pages(&turn.sources);
        Self { sources, ..Self::told(step, &turn.slot.to_string(), round, texts.map(str::to_owned)) }
    }

    /// What a moderator made clear while the debate ran.
    #[must_use]
    pub fn of_clarification(step: &str, clarification: &Clarification) -> Option<Self> {
        let answer = clarification.answer.clone()?;
        Some(Self::told(step, "Moderator", 1, [answer]))
    }

    /// What a moderator wrote of the whole debate; its word on its own neutrality is about no matter.
    #[must_use]
    pub fn of_neutral(step: &str, synthesis: &DebateSynthesis) -> Self {
        let agreements = synthesis.areas_of_agreement.iter();
        let agreements =
            agreements.flat_map(|one| [&one.description].into_iter().chain(&one.shared_evidence));
        let partings = synthesis.core_disagreements.iter();
        let partings = partings.flat_map(|one| [&one.pro_position, &one.con_position]);
        let between = synthesis.between.iter();
        let between = between.flat_map(|one| [&one.position, &one.pro_objection, &one.con_objection]);
        let clashes = synthesis.assumption_conflicts.iter();
        let clashes =
            clashes.flat_map(|one| [&one.pro_assumption, &one.con_assumption, &one.impact_on_debate]);
        let gaps = synthesis.evidence_gaps.iter().flat_map(|one| [&one.question, &one.why_it_matters]);
        let hinges = synthesis.decision_hinges.iter().flat_map(|one| [&one.if_true, &one.current_evidence]);
        let texts = [&synthesis.executive_summary, &synthesis.complexity_assessment].into_iter();
        let texts =
            texts.chain(agreements).chain(partings).chain(between).chain(clashes).chain(gaps).chain(hinges);
        Self::told(step, "Moderator", 6, texts.filter(|text| !text.is_empty()).cloned())
    }

    /// What a moderator made of an open question that evidence was brought on, with the pages that it found.
    #[must_use]
    pub fn of_hinge(step: &str, hinge: &Hinge) -> Self {
        let sources = hinge.numbered().into_iter().map(CitedPage::from).collect();
        let texts = [&hinge.if_true, &hinge.current_evidence].into_iter().cloned();
        Self { sources, ..Self::told(step, "Moderator, on an open question", 7, texts) }
    }

    /// What a member of the council holds against a text.
    #[must_use]
    pub fn of_tree(step: &str, tree: &Tree) -> Self {
        let claims = tree.all().into_iter().map(|claim| &claim.claim);
        Self::told(step, tree.member.name(), 1, claims.cloned())
    }

    /// What a member of the council says of that after reading the others.
    #[must_use]
    pub fn of_self_critique(step: &str, said: &SelfCritique) -> Self {
        let adjusted = said.adjustments.iter();
        let adjusted = adjusted.flat_map(|one| std::iter::once(&one.reasoning).chain(&one.restated));
        let opposed = said.oppositions.iter().map(|opposition| &opposition.why);
        let missed = said.missed.iter().map(|claim| &claim.claim);
        let texts = std::iter::once(&said.reflection).chain(adjusted).chain(opposed).chain(missed);
        Self::told(step, said.member.name(), 2, texts.cloned())
    }

    /// The review of a text.
    #[must_use]
    pub fn of_review(step: &str, review: &Review) -> Self {
        let findings = review.findings.iter().map(|finding| &finding.line);
        let texts = [&review.verdict, &review.text].into_iter().chain(findings).chain(&review.holds_up);
        Self::told(step, "Review", 3, texts.filter(|text| !text.is_empty()).cloned())
    }

    /// Words that cite nothing.
    fn told(step: &str, by: &str, round: u8, texts: impl IntoIterator<Item = String>) -> Self {
        Self {
            step: step.to_owned(),
            by: by.to_owned(),
            round: Some(round),
            texts: texts.into_iter().collect(),
            sources: Vec::new(),
        }
    }

    /// The page of a number.
    #[must_use]
    pub fn page(&self, number: usize) -> Option<&CitedPage> {
        self.sources.iter().find(|source| source.number == number)
    }
}
/// What somebody cites, numbered from 1.
fn pages(sources: &[Source]) -> Vec<CitedPage> {
    (1..).zip(sources).map(|(number, source)| Numbered { number, source: source.clone() }.into()).collect()
}
