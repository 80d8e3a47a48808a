//! A follow-up: a member's question about a session, answered from what the session holds so far and nothing
//! else. What the material does not hold, the answer says it does not hold.

use crate::{
    domain::{Brief, ModuleOutput, Post, Score, Solution, StepKey, Synthesis},
    prompt::{
        self,
        followup::{Answer, Material},
        reply::AnswerReply,
    },
    render,
    steps::{Ask, Steps, Stop},
};

/// A question somebody asked.
pub struct Question<'a> {
    /// Names its step.
    pub id: u64,
    /// The name they go by.
    pub author: &'a str,
    /// What.
    pub text: &'a str,
}

/// Answers a question in the session's thread.
pub async fn run(steps: &Steps, brief: &Brief, question: &Question<'_>) -> Result<(), Stop> {
    let mut outputs: Vec<ModuleOutput> = steps.stored("round-").await?;
    outputs.sort_by_key(|output| output.round);
    let syntheses: Vec<Synthesis> = steps.stored("synthesis").await?;
    let solutions =
        syntheses.last().map(|synthesis| Solution::distinct(&synthesis.recommendations)).unwrap_or_default();
    let scores: Vec<Score> = steps.stored("scoring/").await?;
    let points: Vec<_> = scores.into_iter().map(|score| (score.module, score.allocation)).collect();
    let notes = steps.notes_now().await?;
    let material = Material {
        brief,
        outputs: &outputs,
        redelegations: &[],
        synthesis: syntheses.last(),
        solutions: &solutions,
        points: &points,
        notes: &notes,
        earlier: &[],
        phase: &steps.phase_now(),
    };
    let parts = material.parts();
    let ask = Ask {
        key: StepKey::new(format!("followup/{}", question.id)),
        who: format!("Answering {}", question.author),
        model: brief.mediator.model.clone(),
        prompt: prompt::followup::answer(steps.prompts(), &material, question.text),
    };
    let answered = steps
        .ask(
            ask,
            |reply, _| prompt::parse::<AnswerReply>(&reply.text)?.value.into_answer(&parts, &reply.answered),
            |outcome| match outcome {
                Ok(answer) => card(question, answer),
                Err(_) => Vec::new(),
            },
        )
        .await?;
    match answered {
        Ok(_) => Ok(()),
        Err(failure) => {
            Err(Stop::Fail(format!("This question could not be answered: {}.", failure.sentence())))
        }
    }
}

fn card(question: &Question<'_>, answer: &Answer) -> Vec<Post> {
    let text = match &answer.not_in_material {
        Some(missing) => format!("{}\n\n*Not in this session's material: {missing}*", answer.text),
        None => answer.text.clone(),
    };
    let missing = answer.not_in_material.is_some();
    render::followup::answer_card(
        question.author,
        question.text,
        &text,
        &answer.draws_on,
        missing,
        &answer.answered_by,
    )
}
