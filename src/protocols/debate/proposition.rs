//! The proposition: a neutral question is made of what was typed, and people edit it and start the debate, or do not.
//! Nothing depends on the gatekeeper: where it fails, the proposition stands as it was typed and can be edited.

use crate::{
    domain::{
        DebateBrief, Framing, Level, ModelName, Proposition, PropositionContext, Reply, StepKey, WaitKind,
    },
    prompt,
    steps::{Answered, Question, Steps, Stop},
};

/// What the debate begins with.
pub(super) struct Opened {
    pub(super) proposition: Proposition,
    /// The model that stood in for the gatekeeper's.
    pub(super) stand_in: Option<ModelName>,
}

/// The proposition as people started the debate with it. Until they have, the run ends here.
pub(super) async fn settle(steps: &Steps, brief: &DebateBrief) -> Result<Opened, Stop> {
    steps.phase(0, brief.preset.count(), "Proposition: making it a neutral question");
    let (draft, stand_in) = normalise(steps, brief).await?;
    let proposition = steps.confirmed(WaitKind::Proposition, &draft).await?;
    Ok(Opened { proposition, stand_in })
}

async fn normalise(steps: &Steps, brief: &DebateBrief) -> Result<(Proposition, Option<ModelName>), Stop> {
    let notes = steps.notes("normalise/notes").await?;
    let question = Question {
        key: StepKey::from("normalise"),
        who: "Gatekeeper".to_owned(),
        prompt: prompt::debate::normalise(steps.prompts(), brief, &notes),
    };
    let read = |reply: &Reply, _| prompt::debate::read_proposition(brief, reply);
    let said = steps.ask_seat(&brief.gatekeeper, question, read, |_, _, _| Vec::new());
    if let Ok(Answered { value, stand_in }) = said.await? {
        return Ok((value, stand_in));
    }
    Ok((steps.keep("normalise/typed", &typed(brief), Vec::new()).await?, None))
}

/// The proposition as it was typed, of which nothing else is known.
pub(super) fn typed(brief: &DebateBrief) -> Proposition {
    let text = brief.problem.as_str();
    Proposition {
        raw: text.to_owned(),
        question: text.to_owned(),
        context: PropositionContext::default(),
        framing: Framing::Practical,
        complexity: Level::Medium,
        changed: String::new(),
        objection: None,
        answered_by: None,
        edited_by: None,
    }
}
