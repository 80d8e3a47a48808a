//! What members want made clear: answered by the moderator at the next break between phases, one after another, and
//! read by both sides from then on.

use serde::{Deserialize, Serialize};

use super::{
    gate::{Broken, Gated, GatedAsk, passage},
    running::DebateRun,
};
use crate::{
    prompt::{
        self,
        debate::{Mend, Transcript},
    },
    render,
    steps::Stop,
};
use domain::{
    Clarification, Countable, DebatePhase, Reply, StepKey,
    neutrality::{self, Judgement},
};

/// A clarification as it is kept, with its answer if there is one.
#[derive(Serialize, Deserialize)]
struct Clarified {
    #[serde(flatten)]
    clarification: Clarification,
    /// No model could answer it.
    failed: bool,
    /// No model could judge its answer.
    unjudged: bool,
}

/// Answers what has been asked since the last break. `place` names the break in the journal, and `phase` is the one
/// that waits for it.
pub(super) async fn answer_open(
    run: &mut DebateRun<'_>,
    place: &str,
    phase: DebatePhase,
) -> Result<(), Stop> {
    let asked = run.steps.clarifications(StepKey::new(format!("break/{place}"))).await?;
    for clarification in asked {
        if run.debate.clarifications.iter().any(|known| known.id == clarification.id) {
            continue;
        }
        run.phase(phase, "first the moderator answers the team's clarifications");
        let key = StepKey::new(format!("clarified/{}", clarification.id));
        let Clarified { clarification, failed, unjudged } = match run.steps.kept(key.clone()).await? {
            Some(clarified) => clarified,
            None => answer(run, &key, clarification).await?,
        };
        let what =
            if failed { Countable::UnansweredClarifications } else { Countable::WithheldClarifications };
        let notes = [
            what.counted(u32::from(clarification.answer.is_none())),
            Countable::UnjudgedTexts.counted(u32::from(unjudged)),
        ];
        run.steps.note_degraded(key, notes.into_iter().flatten()).await?;
        run.debate.clarifications.push(clarification);
    }
    Ok(())
}

async fn answer(run: &DebateRun<'_>, key: &StepKey, asked: Clarification) -> Result<Clarified, Stop> {
    let DebateRun { steps, brief, debate, .. } = run;
    let proposition = &debate.proposition;
    let asking = GatedAsk { steps, brief, proposition, seat: &brief.moderator, key, who: "Moderator" };
    let gated = asking.ask(
        |transcript: Transcript, mend: Option<(&String, &[String])>| {
            let mend = mend.map(|(last, broken)| Mend { last, broken });
            prompt::debate::clarification(steps.prompts(), brief, (debate, transcript), &asked, mend)
        },
        |reply: &Reply, _| prompt::debate::read_clarification(reply),
        |text| Broken {
            violations: neutrality::of_text(text, proposition),
            minor: Vec::new(),
            passages: passage(text),
        },
    );
    let (answer, failed, judgement) = match gated.await?.0 {
        Gated::Passed(said, judgement) => (Some(said.value), None, judgement),
        Gated::Biased(..) => (None, None, Judgement::default()),
        Gated::Failed(failure) => (None, Some(failure.sentence()), Judgement::default()),
    };
    let (session, clarification) = (steps.session(), Clarification { answer, ..asked });
    let cards = match failed {
        None => render::debate::clarification_card(session, key, &clarification, &judgement),
        Some(why) => render::debate::clarification_missing_card(session, key, &clarification, why),
    };
    steps
        .keep(
            key.clone(),
            &Clarified { clarification, failed: failed.is_some(), unjudged: judgement.unasked },
            cards,
        )
        .await
}
