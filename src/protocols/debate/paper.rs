//! What the moderator's summary is written from: drafts by models that have heard nobody, made one once both sides have closed, and
//! read by them, and by the moderator's model, which has no side.

use super::{record::synthesis_key, running::DebateRun};
use crate::{
    prompt::debate::{asked_of_paper, asked_of_papers, merged_paper, paper, paper_choice},
    protocols::drafts::{Choice, Draft, Drafting, Merging, Reader},
    steps::{Steps, Stop},
};
use domain::{ChosenDraft, DebateBrief, Effort, FirstAnswer, Preset, Proposition, Side, Written};

/// Who writes drafts beside the moderator.
const SIDES: [Side; 2] = [Side::Pro, Side::Con];
/// Who reads the drafts, in this order. Each side marks for itself; the third place decides where they part.
const READERS: [Option<Side>; 3] = [Some(Side::Pro), Some(Side::Con), None];

/// The drafts. None at brief effort, where the moderator writes alone.
pub(super) async fn drafts(
    steps: &Steps,
    brief: &DebateBrief,
    proposition: &Proposition,
) -> Result<Vec<Draft>, Stop> {
    if brief.effort == Effort::Brief {
        return Ok(Vec::new());
    }
    let seats = SIDES.map(|side| brief.advocates.of(side).clone());
    let key = synthesis_key().child("paper");
    let drafting = Drafting {
        step: key.as_str(),
        who: "Paper",
        writer: &brief.moderator,
        seats: &seats,
        many: many(brief),
        prompt: paper(steps.prompts(), brief, proposition),
        asked: asked_of_paper(brief.effort),
        of: Written::Synthesis,
    };
    // Nothing without a side is shown that has not passed the neutrality check.
    drafting.ask(&steps.unseen()).await
}

/// How many drafts there are. A full debate spends its calls on turns: with three drafts and its searches it would pass half of what
/// a session usually may call, and wait for a *Go*.
fn many(brief: &DebateBrief) -> usize {
    let usual = FirstAnswer::asked(Written::Synthesis, brief.effort);
    if brief.preset == Preset::Full { usual.min(2) } else { usual }
}

/// The draft that goes on, made of all of them, with what its readers object to it. `None` where there is no draft.
pub(super) async fn chosen(run: &DebateRun<'_>, drafts: Vec<Draft>) -> Result<Option<ChosenDraft>, Stop> {
    let DebateRun { steps, brief, debate, .. } = run;
    let merging = Merging {
        key: synthesis_key().child("paper").child("merged"),
        who: "Paper",
        seat: &brief.moderator,
        asked: asked_of_paper(brief.effort),
        of: Written::Synthesis,
    };
    let merged = |papers: &[_]| merged_paper(steps.prompts(), brief, &debate.proposition, papers);
    let drafts = merging.make(&steps.unseen(), drafts, merged).await?;
    let readers = READERS.map(|side| Reader {
        name: side.map_or("Neutral reader", Side::name).to_owned(),
        step: format!("check-{}", side.map_or("neutral", Side::key)),
        seat: side.map_or(&brief.moderator, |side| brief.advocates.of(side)),
    });
    let key = synthesis_key().child("paper");
    let choice = Choice {
        key: key.child("chosen"),
        read_below: key,
        of: Written::Synthesis,
        readers: readers.into(),
        asked: asked_of_papers(brief, drafts.len()),
        pages: 0,
    };
    let prompt = |place: usize, papers: &[_], order: &[usize]| {
        paper_choice(steps.prompts(), brief, (debate, READERS[place]), (papers, order))
    };
    choice.make(&steps.unseen(), drafts, prompt, |_| Vec::new()).await
}
