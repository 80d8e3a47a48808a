//! The synthesis: the moderator writes it from the whole record and from a draft that both sides have read. Of what breaks a rule
//! even at the third try only the parts that do not are shown, and which were withheld, and why; what only the judge objects to
//! is shown with its mark.

use serde::{Deserialize, Serialize};

use super::{
    gate::{Broken, Gated, GatedAsk, reasons},
    paper, question,
    record::{hinges_key, synthesis_key},
    running::DebateRun,
};
use crate::{
    prompt::{self, debate::Transcript},
    protocols::drafts::Draft,
    render,
    steps::{Answered, Stop, Try},
};
use domain::{
    ChosenDraft, Countable, DebatePhase, DebateSynthesis, Degraded, Effort, Mark, ModelName,
    NeutralSynthesis, Piece, Proposition, Reply, Section, Withheld, count_words,
    neutrality::{self, Violation},
    paper_bounds,
};

/// The synthesis as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptSynthesis {
    #[serde(flatten)]
    neutral: NeutralSynthesis,
    /// The model that stood in for the moderator's.
    stand_in: Option<ModelName>,
}

impl KeptSynthesis {
    /// What is to be said of it.
    fn degraded(&self) -> Vec<Degraded> {
        let NeutralSynthesis { synthesis, withheld, marks, judgement } = &self.neutral;
        let withheld: Vec<Section> = withheld.iter().map(|withheld| withheld.section).collect();
        let mut notes: Vec<Degraded> = marks.iter().cloned().map(Degraded::Marked).collect();
        notes.extend((!withheld.is_empty()).then_some(Degraded::Withheld(withheld)));
        let leaning = judgement.sections();
        notes.extend((!leaning.is_empty()).then_some(Degraded::Leaning(leaning)));
        notes.extend(Countable::UnjudgedTexts.counted(u32::from(judgement.unasked)));
        notes.extend(Piece::ModeratorsSynthesis.stood_in(self.stand_in.as_ref()));
        notes.extend(Countable::Citations.counted(synthesis.dropped_citations));
        notes
    }
}

/// Has it written and posts it, with its hinges as open questions below; gives it in short.
pub(super) async fn write(run: &mut DebateRun<'_>, drafts: Vec<Draft>) -> Result<String, Stop> {
    if !drafts.is_empty() {
        run.phase(DebatePhase::Synthesis, "its drafts are made one and read");
    }
    let (steps, key) = (run.steps, synthesis_key());
    let brought = key.child("evidence");
    run.take_in(steps.evidence(brought.clone()).await?);
    steps.note_degraded(brought, run.passed_over()).await?;
    let draft = paper::chosen(run, drafts).await?;
    run.phase(DebatePhase::Synthesis, "the moderator alone");
    let written = if let Some(kept) = steps.kept::<KeptSynthesis>(key.clone()).await? {
        Some(kept)
    } else {
        run.debate.questions = question::answered(steps).await?;
        ask(run, draft.as_ref()).await?
    };
    let Some(kept) = written else { return Ok(String::new()) };
    steps.note_degraded(key, kept.degraded()).await?;
    let DebateSynthesis { decision_hinges: hinges, executive_summary: paper, .. } = &kept.neutral.synthesis;
    if !hinges.is_empty() {
        let panel = render::debate::hinges_panel(steps.session(), hinges, &[], !paper.trim().is_empty());
        steps.post_panel(hinges_key(), panel).await?;
    }
    Ok(kept.neutral.synthesis.executive_summary)
}

/// The synthesis; nothing if no model could write it, which is said in its place.
async fn ask(run: &DebateRun<'_>, draft: Option<&ChosenDraft>) -> Result<Option<KeptSynthesis>, Stop> {
    let DebateRun { steps, brief, debate, .. } = run;
    let (key, proposition) = (synthesis_key(), &debate.proposition);
    let asking = GatedAsk { steps, brief, proposition, seat: &brief.moderator, key: &key, who: "Moderator" };
    let gated = asking.ask(
        |transcript: Transcript, mend: Option<(&DebateSynthesis, &[String])>| {
            prompt::debate::synthesis(steps.prompts(), brief, (debate, transcript), draft, mend)
        },
        |reply: &Reply, attempt| {
            prompt::debate::read_synthesis(reply, (draft, brief.effort), attempt == Try::First)
        },
        |synthesis| Broken {
            violations: neutrality::of_synthesis(synthesis, proposition),
            minor: length(synthesis, brief.effort).iter().map(Mark::told).collect(),
            passages: prompt::debate::passages(synthesis),
        },
    );
    let (gated, transcript) = gated.await?;
    let (said, violations, mut judgement) = match gated {
        Gated::Passed(said, judgement) => (said, Vec::new(), judgement),
        Gated::Biased(said, violations, judgement) => (said, violations, judgement),
        Gated::Failed(failure) => {
            let why = failure.sentence();
            let cards = render::debate::no_synthesis_card(steps.session(), &key, why);
            let missing = key.child("missing");
            let why: String = steps.keep(missing.clone(), &why.to_owned(), cards).await?;
            steps.note_degraded(missing, [Piece::ModeratorsSynthesis.missing(Some(&why))]).await?;
            return Ok(None);
        }
    };
    let Answered { value, stand_in } = said;
    let marks = length(&value, brief.effort);
    let (synthesis, withheld) = neutral(value, violations, proposition);
    // What was withheld is no fault of its length.
    let mut marks = if withheld.is_empty() { marks } else { Vec::new() };
    if transcript == Transcript::Condensed {
        marks.push(Mark::ReadInShort);
    }
    judgement.taken.retain(|taken| withheld.iter().all(|withheld| withheld.section != taken.section));
    let neutral = NeutralSynthesis { synthesis, withheld, marks, judgement };
    let cards = render::debate::synthesis_cards(steps.session(), &key, &neutral, (stand_in.as_ref(), brief));
    Ok(Some(steps.keep(key, &KeptSynthesis { neutral, stand_in }, cards).await?))
}

/// What the paper breaks of its length.
fn length(synthesis: &DebateSynthesis, effort: Effort) -> Vec<Mark> {
    let (words, asked) = (count_words(&synthesis.executive_summary), paper_bounds(effort));
    // As with turns, a quarter more or less is not worth another call.
    if words < *asked.start() * 3 / 4 {
        vec![Mark::Short { words, least: *asked.start() }]
    } else if words > *asked.end() * 5 / 4 {
        vec![Mark::Long { words, most: *asked.end() }]
    } else {
        Vec::new()
    }
}

/// What is left of a synthesis without the parts that take a side. What is left is checked again, for a balance may
/// lie in several parts.
fn neutral(
    mut synthesis: DebateSynthesis,
    mut violations: Vec<Violation>,
    proposition: &Proposition,
) -> (DebateSynthesis, Vec<Withheld>) {
    let mut withheld: Vec<Withheld> = Vec::new();
    for _ in Section::ALL {
        if violations.is_empty() {
            break;
        }
        for section in Section::ALL {
            let of_it: Vec<Violation> =
                violations.iter().filter(|violation| violation.section == section).cloned().collect();
            if !of_it.is_empty() && withheld.iter().all(|known| known.section != section) {
                synthesis = synthesis.without(section);
                withheld.push(Withheld { section, why: reasons(&of_it) });
            }
        }
        violations = neutrality::of_synthesis(&synthesis, proposition);
    }
    withheld.sort_by_key(|withheld| withheld.section);
    (synthesis, withheld)
}
