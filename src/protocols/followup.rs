//! A follow-up: a member's question about a session, answered from what the session holds so far and nothing
//! else. What the material does not hold, the answer says it does not hold.

use crate::{
    prompt::{
        self,
        followup::{Answer, Exchange, Material, Part},
    },
    render::{self, followup::Answered},
    steps::{self, Steps, Stop},
};
use domain::{Addressee, Brief, Document, Post, Seat, SessionId, StepKey};

/// Earlier questions that are given along.
const EARLIER: i64 = 3;

/// A question somebody asked.
pub struct Question<'a> {
    /// Names its step.
    pub id: u64,
    /// The name they go by.
    pub author: &'a str,
    /// What is asked.
    pub text: &'a str,
    /// Whom it is put to, in a debate.
    pub to: Option<Addressee>,
}

/// What a session holds for questions about it.
pub(super) struct Held<'a> {
    /// Who answers.
    pub(super) seat: &'a Seat,
    /// What was given to everybody to read, if it is shown again.
    pub(super) document: Option<&'a Document>,
    /// What was said so far, in the order in which it came about.
    pub(super) parts: Vec<Part>,
    /// Whether that has been summed up.
    pub(super) summed_up: bool,
}

/// Answers a question in the session's thread, from what it holds.
pub(super) async fn answer(
    steps: &Steps,
    brief: &Brief,
    held: Held<'_>,
    question: &Question<'_>,
) -> Result<(), Stop> {
    let Held { seat, document, mut parts, summed_up } = held;
    parts.extend(steps.counted_vote().await?.as_ref().map(prompt::vote_part));
    parts.extend(steps.decided().await?.iter().map(prompt::decision_part));
    let notes = steps.notes_now().await?;
    let earlier = earlier(steps, question.id).await?;
    let phase = Some(steps.phase_now()).filter(|phase| !phase.trim().is_empty());
    let material = Material {
        problem: brief.problem(),
        document,
        parts: &parts,
        notes: &notes,
        earlier: &earlier,
        language: brief.language(),
        examines: brief.plans_its_reading(),
        phase: phase.as_deref().unwrap_or(if summed_up { "summed up" } else { "no step is under way" }),
        running: !summed_up,
    };
    let names = material.names();
    let asked = steps::Question {
        key: StepKey::new(format!("followup/{}", question.id)),
        who: format!("Answering {}", question.author),
        prompt: prompt::followup::answer(steps.prompts(), &material, question.text),
    };
    let answered = steps.ask_seat(
        seat,
        asked,
        |reply, _| prompt::parse::<Answer>(&reply.text)?.checked(&names, &reply.answered),
        |key, answer: &Answer, _| card(steps.session(), key, question, answer, &material),
    );
    match answered.await? {
        Ok(_) => Ok(()),
        Err(failure) => {
            Err(Stop::Fail(format!("This question could not be answered: {}.", failure.sentence())))
        }
    }
}

/// The last questions that were answered before this one, so that it can refer to them.
async fn earlier(steps: &Steps, before: u64) -> Result<Vec<Exchange>, Stop> {
    let mut exchanges = Vec::new();
    for (id, text) in steps.answered_questions(before, EARLIER).await? {
        let answers: Vec<Answer> = steps.journal().stored(&format!("followup/{id}")).await?;
        exchanges.extend(
            answers.into_iter().next().map(|answer| Exchange { question: text, answer: answer.text }),
        );
    }
    Ok(exchanges)
}

fn card(
    session: &SessionId,
    step: &StepKey,
    question: &Question<'_>,
    answer: &Answer,
    material: &Material<'_>,
) -> Vec<Post> {
    let grounds: Vec<String> = answer.draws_on.iter().map(|name| material.shown(name)).collect();
    let answered = Answered {
        text: &answer.text,
        grounds: &grounds,
        missing: answer.not_in_material.as_deref(),
        model: &answer.answered_by,
    };
    render::followup::answer_card(session, step, (question.author, question.text), &answered)
}
