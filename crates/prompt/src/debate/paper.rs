//! The paper that people vote by: its drafts, each by one who has heard nobody, and what either side says of them.

use forms::Asked;
use minijinja::context;

use super::{MATERIAL, Transcript, given, material, moderator, question_text, stance};
use crate::{ALONE, Prompts, RULES, asked_of_drafts, drafts};
use domain::{
    Debate, DebateBrief, DraftsCheck, Effort, FirstAnswer, Prompt, Proposition, Side, paper_bounds,
};

/// Words that the paper has more than its drafts, for what is put right in them: where nothing may grow, what was good goes.
const MORE: u32 = 16;

/// What a draft is asked with: fewer words than the paper has.
#[must_use]
pub fn asked_of_paper(effort: Effort) -> Asked {
    let words = paper_bounds(effort);
    Asked::at(effort).words(words.start() - MORE / 2, words.end() - MORE)
}

/// What a reader of so many drafts is asked with.
#[must_use]
pub fn asked_of_papers(brief: &DebateBrief, drafts: usize) -> Asked {
    asked_of_drafts(brief.effort, drafts).when("found", drafts > 1)
}

/// A draft of it. The reply is a [`FirstAnswer`].
#[must_use]
pub fn paper(prompts: &Prompts, brief: &DebateBrief, proposition: &Proposition) -> Prompt {
    let [rules, alone] = ALONE;
    let material = context! { problem => question_text(proposition), ..material(brief, Some(proposition)) };
    let files = [rules, alone, "debate/paper.md"];
    prompts.form::<FirstAnswer>(
        &files,
        (&material, &context! {}),
        &asked_of_paper(brief.effort),
        brief.effort,
    )
}

/// One paper from several drafts of it. The reply is a [`FirstAnswer`].
#[must_use]
pub fn merged_paper(
    prompts: &Prompts,
    brief: &DebateBrief,
    proposition: &Proposition,
    papers: &[FirstAnswer],
) -> Prompt {
    let [rules, alone] = ALONE;
    let material = context! { problem => question_text(proposition), ..material(brief, Some(proposition)) };
    let values = context! { drafts => drafts::lettered("", papers) };
    let files = [rules, alone, "debate/merge.md"];
    prompts.form::<FirstAnswer>(&files, (&material, &values), &asked_of_paper(brief.effort), brief.effort)
}

/// What a side, or somebody without one, says of the drafts, in this order, once the debate is over. The reply is a [`DraftsCheck`].
#[must_use]
pub fn paper_choice(
    prompts: &Prompts,
    brief: &DebateBrief,
    (debate, side): (&Debate, Option<Side>),
    (papers, order): (&[FirstAnswer], &[usize]),
) -> Prompt {
    let values = context! {
        side => side.map(Side::name),
        other => side.map(|side| side.other().name()),
        stance => side.map(stance),
        several => papers.len() > 1,
        drafts => drafts::lettered(&given(&debate.proposition), drafts::in_order(papers, order)),
        question => question_text(&debate.proposition),
    };
    let files = [RULES, MATERIAL, "debate/choice.md", moderator::RECORD];
    let asked = asked_of_papers(brief, papers.len());
    let material = material(brief, Some(&debate.proposition));
    let mut prompt = prompts.form::<DraftsCheck>(&files, (&material, &values), &asked, brief.effort);
    let record = moderator::record(debate, Transcript::Full);
    prompt.shared = format!("{}\n\n{}", prompt.shared, prompts.render(moderator::RECORD, &record));
    prompt
}
