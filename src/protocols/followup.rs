//! A follow-up: a member's question about a session, answered from what the session holds so far and nothing
//! else. What the material does not hold, the answer says it does not hold.

use crate::{
    domain::{MediateBrief, ModuleOutput, Post, Score, SessionId, Solution, StepKey, Synthesis},
    prompt::{
        self,
        followup::{Answer, Exchange, Material},
        reply::AnswerReply,
    },
    render::{self, followup::Answered},
    steps::{Ask, Steps, Stop},
};

/// Earlier questions that are given along.
const EARLIER: i64 = 3;

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
pub async fn run(steps: &Steps, brief: &MediateBrief, question: &Question<'_>) -> Result<(), Stop> {
    let mut outputs: Vec<ModuleOutput> = steps.stored("round-").await?;
    outputs.sort_by_key(|output| output.round);
    let syntheses: Vec<Synthesis> = steps.stored("synthesis").await?;
    let solutions =
        syntheses.last().map(|synthesis| Solution::distinct(&synthesis.recommendations)).unwrap_or_default();
    let scores: Vec<Score> = steps.stored("scoring/").await?;
    let points: Vec<_> = scores.into_iter().map(|score| (score.module, score.allocation)).collect();
    let notes = steps.notes_now().await?;
    let earlier = earlier(steps, question.id).await?;
    let material = Material {
        brief,
        outputs: &outputs,
        redelegations: &[],
        synthesis: syntheses.last(),
        solutions: &solutions,
        points: &points,
        notes: &notes,
        earlier: &earlier,
        phase: &steps.phase_now(),
    };
    let parts = material.parts();
    let models = std::iter::once(&brief.mediator.model).chain(&brief.mediator.fallbacks);
    let mut reason = "";
    for (place, model) in models.enumerate() {
        let key = match place {
            0 => StepKey::new(format!("followup/{}", question.id)),
            place => StepKey::new(format!("followup/{}/fallback-{place}", question.id)),
        };
        let ask = Ask {
            key: key.clone(),
            who: format!("Answering {}", question.author),
            model: model.clone(),
            prompt: prompt::followup::answer(steps.prompts(), &material, question.text),
        };
        let answered = steps.ask(
            ask,
            |reply, _| prompt::parse::<AnswerReply>(&reply.text)?.value.into_answer(&parts, &reply.answered),
            |outcome| match outcome {
                Ok(answer) => card(steps.session(), &key, question, answer),
                Err(_) => Vec::new(),
            },
        );
        match answered.await? {
            Ok(_) => return Ok(()),
            Err(failure) => reason = failure.sentence(),
        }
    }
    Err(Stop::Fail(format!("This question could not be answered: {reason}.")))
}

/// The last questions that were answered before this one, so that it can refer to them.
async fn earlier(steps: &Steps, before: u64) -> Result<Vec<Exchange>, Stop> {
    let mut exchanges = Vec::new();
    for (id, text) in steps.answered_questions(before, EARLIER).await? {
        let answers: Vec<Answer> = steps.stored(&format!("followup/{id}")).await?;
        exchanges.extend(
            answers.into_iter().next().map(|answer| Exchange { question: text, answer: answer.text }),
        );
    }
    Ok(exchanges)
}

fn card(session: &SessionId, step: &StepKey, question: &Question<'_>, answer: &Answer) -> Vec<Post> {
    let answered = Answered {
        text: &answer.text,
        grounds: &answer.draws_on,
        missing: answer.not_in_material.as_deref(),
        model: &answer.answered_by,
    };
    render::followup::answer_card(session, step, (question.author, question.text), &answered)
}
