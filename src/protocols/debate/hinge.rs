//! Evidence on a hinge, once the debate is over: that hinge alone is looked at again, and nothing else of the
//! synthesis.

use serde::{Deserialize, Serialize};

use super::{
    gate::{Broken, Gated, GatedAsk, passage, reasons},
    question::{answered, read_by},
    record::{self, hinges, hinges_key, synthesis_key},
};
use crate::{
    prompt::{
        self,
        debate::{Mend, Transcript},
    },
    protocols::searching::Seeker,
    render,
    steps::{Journal, Steps, Stop},
};
use domain::{
    Debate, DebateBrief, Degraded, Evidence, Hinge, NeutralSynthesis, Post, Reply, Searching, SourceList,
    StepKey, neutrality,
};

/// The step in which a hinge, from 1, is kept as this piece of evidence leaves it.
fn hinge_key(hinge: u8, evidence: u32) -> StepKey {
    StepKey::new(format!("hinge/{hinge}/{evidence}"))
}

/// A hinge as a model has looked at it again.
#[derive(Serialize, Deserialize)]
struct Weighed {
    #[serde(flatten)]
    hinge: Hinge,
    /// The model the provider says answered.
    answered_by: String,
}

/// Looks again at the hinge that evidence was brought on. It and the card go out with the panel of hinges set to be
/// drawn anew; where the moderator took a side every time, the hinge stays as it was, and that is said.
pub async fn review_hinge(steps: &Steps, brief: &DebateBrief, evidence: &Evidence) -> Result<(), Stop> {
    let Some(number) = evidence.hinge else { return Ok(()) };
    let key = hinge_key(number, evidence.number);
    if steps.kept::<Option<Hinge>>(key.clone()).await?.is_some() {
        return Ok(());
    }
    let questions = answered(steps).await?;
    let debate = Debate { questions, ..record::read(steps, brief).await? };
    let hinges = hinges(&steps.journal()).await?;
    let at = usize::from(number).saturating_sub(1);
    let Some(before) = hinges.get(at) else {
        return Err(Stop::Fail("This debate no longer has that open question.".to_owned()));
    };
    let others: Vec<Hinge> =
        (0..).zip(&hinges).filter(|(place, _)| *place != at).map(|(_, hinge)| hinge.clone()).collect();
    let proposition = &debate.proposition;
    let seeker = Seeker {
        steps,
        key: key.clone(),
        who: "Moderator",
        model: &brief.moderator.model,
        searching: brief.searching,
    };
    let queries =
        || prompt::debate::hinge_queries(steps.prompts(), brief, proposition, (at, before), evidence);
    let note = |searched| Degraded::HingeUnsearched { hinge: number, searched };
    let (found, searched) = seeker.look_up(queries, note).await?;
    let offered = &SourceList::default().offering(found);
    let asking = GatedAsk { steps, brief, proposition, seat: &brief.moderator, key: &key, who: "Moderator" };
    let gated = asking.ask(
        |transcript: Transcript, mend: Option<(&Weighed, &[String])>| {
            let told =
                |weighed: &Weighed| format!("{} {}", weighed.hinge.if_true, weighed.hinge.current_evidence);
            let last = mend.map(|(last, _)| told(last)).unwrap_or_default();
            let mend = mend.map(|(_, broken)| Mend { last: &last, broken });
            prompt::debate::hinge(
                steps.prompts(),
                brief,
                (&debate, transcript),
                (&hinges, at),
                (evidence, offered),
                mend,
            )
        },
        |reply: &Reply, _| {
            let hinge = prompt::debate::read_hinge(reply, offered)?;
            Ok(Weighed { hinge, answered_by: reply.answered.clone() })
        },
        |weighed| Broken {
            violations: neutrality::of_hinge(&weighed.hinge, &others, proposition),
            minor: Vec::new(),
            passages: passage(&weighed.hinge.current_evidence),
        },
    );
    let session = steps.session();
    let (gated, transcript) = gated.await?;
    let (after, cards) = match gated {
        Gated::Passed(said, judgement) => {
            let Weighed { hinge, answered_by } = said.value;
            let change = (before, &hinge);
            let model = read_by(&answered_by, transcript);
            let by = (model.as_str(), &judgement);
            let looked_up = (brief.searching == Searching::On).then_some(searched);
            let cards = render::debate::hinge_card(session, &key, number, change, evidence, by, looked_up);
            (Some(hinge), cards)
        }
        Gated::Biased(_, violations, _) => {
            let asked = (evidence.author_name.as_str(), evidence.claim.as_str());
            (None, render::debate::answer_withheld_card(session, &key, asked, &reasons(&violations)))
        }
        Gated::Failed(failure) => {
            let sentence = format!("The open question could not be looked at again: {}.", failure.sentence());
            return Err(Stop::Fail(sentence));
        }
    };
    steps.keep_changing(&key, &after, cards, &hinges_key()).await
}

/// The hinges as open questions, for their panel; nothing where there are none.
pub(super) async fn panel(journal: &Journal) -> Result<Option<Post>, Stop> {
    let hinges = hinges(journal).await?;
    let mut brought = journal.evidence().await?;
    brought.retain(|evidence| evidence.hinge.is_some());
    let kept: Option<NeutralSynthesis> = journal.kept(&synthesis_key()).await?;
    let paper = kept.is_some_and(|kept| !kept.synthesis.executive_summary.trim().is_empty());
    let panel = || render::debate::hinges_panel(journal.session(), &hinges, &brought, paper);
    Ok((!hinges.is_empty()).then(panel))
}
