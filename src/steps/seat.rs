//! Asking a seat: its own model first, then those that may stand in for it, in order.

use serde::{Serialize, de::DeserializeOwned};

use super::{Ask, Failure, FailureClass, Steps, Stop, Try};
use crate::{
    domain::{ModelName, Post, Prompt, Reply, Seat, StepKey},
    prompt::ParseError,
};

/// One question to a seat.
pub struct Question {
    /// The step's key; a stand-in's is one below it, such as `notary/fallback-1`.
    pub key: StepKey,
    /// The seat's title, for the live card.
    pub who: String,
    /// What.
    pub prompt: Prompt,
}

/// What a seat answered.
pub struct Answered<T> {
    /// What.
    pub value: T,
    /// The model that stood in, if the seat's own could not answer.
    pub stand_in: Option<ModelName>,
}

impl Steps {
    /// Asks a seat's models in order until one answers; the last one's failure if none does, but that a request is too
    /// long for one of them before any other, for the caller can mend that. `cards` makes the posts
    /// that go out with an answer, from the question's key, what was said, and the model that stood in.
    pub async fn ask_seat<T, R, C>(
        &self,
        seat: &Seat,
        question: Question,
        read: R,
        cards: C,
    ) -> Result<Result<Answered<T>, Failure>, Stop>
    where
        T: Serialize + DeserializeOwned,
        R: Fn(&Reply, Try) -> Result<T, ParseError>,
        C: Fn(&StepKey, &T, Option<&ModelName>) -> Vec<Post>,
    {
        let Question { key, who, prompt } = question;
        let ask = |key: &StepKey, model: &ModelName| Ask {
            key: key.clone(),
            who: who.clone(),
            model: model.clone(),
            prompt: prompt.clone(),
        };
        let shown = |key: &StepKey, outcome: &Result<T, Failure>, stand_in: Option<&ModelName>| {
            outcome.as_ref().map(|value| cards(key, value, stand_in)).unwrap_or_default()
        };
        let own = self.ask(ask(&key, &seat.model), &read, |outcome| shown(&key, outcome, None)).await?;
        let mut failure = match own {
            Ok(value) => return Ok(Ok(Answered { value, stand_in: None })),
            Err(failure) => failure,
        };
        for (model, place) in seat.fallbacks.iter().zip(1..) {
            let instead = key.child(format!("fallback-{place}"));
            match self.ask(ask(&instead, model), &read, |outcome| shown(&key, outcome, Some(model))).await? {
                Ok(value) => return Ok(Ok(Answered { value, stand_in: Some(model.clone()) })),
                Err(_) if failure.class == FailureClass::TooLarge => {}
                Err(later) => failure = later,
            }
        }
        Ok(Err(failure))
    }
}
