//! Asking in several ways until one works: a seat's own model first, then those that may stand in for it, or a simpler
//! question.

use serde::{Serialize, de::DeserializeOwned};

use super::{Ask, Failure, FailureClass, Steps, Stop, Try};
use crate::prompt::ParseError;
use domain::{Degraded, ModelName, Post, Prompt, Reply, Seat, StepKey};

/// One question to a seat.
pub struct Question {
    /// The step's key; a stand-in's is one below it, such as `synthesis/fallback-1`.
    pub key: StepKey,
    /// The seat's title, for the live card.
    pub who: String,
    /// The request.
    pub prompt: Prompt,
}

/// One way to ask for something, which has a step of its own.
pub struct Way {
    /// The step's key.
    pub key: StepKey,
    /// Who is asked.
    pub model: ModelName,
    /// The request.
    pub prompt: Prompt,
}

/// What a seat answered.
pub struct Answered<T> {
    /// What was said, as it was read.
    pub value: T,
    /// The model that stood in, if the seat's own could not answer.
    pub stand_in: Option<ModelName>,
}

/// A request that a model's server did not take.
struct Refused {
    key: StepKey,
    model: ModelName,
    why: String,
}

impl Steps {
    /// Notes why models' servers did not take what others then answered.
    async fn note_refused(&self, refused: Vec<Refused>) {
        for Refused { key, model, why } in refused {
            self.note_of_server(&key, Degraded::NotTaken { model, why }).await;
        }
    }

    /// Asks a seat's models in order until one answers. `cards` makes the posts that go out with an answer, from the question's key, what was said, and the model that stood in.
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
        let stand_in = |place: usize| place.checked_sub(1).and_then(|place| seat.fallbacks.get(place));
        let way = |place: usize| {
            let model = if place == 0 { Some(&seat.model) } else { stand_in(place) };
            Some(Way {
                key: if place == 0 { key.clone() } else { key.child(format!("fallback-{place}")) },
                model: model?.clone(),
                prompt: prompt.clone(),
            })
        };
        let cards = |said: &T, place| cards(&key, said, stand_in(place));
        let read = |reply: &Reply, reading, _| read(reply, reading);
        let said = self.ask_ways(&who, way, read, cards).await?;
        Ok(said.map(|(value, place)| Answered { value, stand_in: stand_in(place).cloned() }))
    }

    /// Asks in one way after another until one works or `way`, given the place from 0, knows no more: gives what was said
    /// and the place. If none works, the last one's failure, but that a request is too long for a model before any
    /// other, for the caller can mend that. `read` is told the place too. `cards` makes the posts that go out with an
    /// answer, from what was said and the place.
    pub async fn ask_ways<T, R, C>(
        &self,
        who: &str,
        way: impl Fn(usize) -> Option<Way>,
        read: R,
        cards: C,
    ) -> Result<Result<(T, usize), Failure>, Stop>
    where
        T: Serialize + DeserializeOwned,
        R: Fn(&Reply, Try, usize) -> Result<T, ParseError>,
        C: Fn(&T, usize) -> Vec<Post>,
    {
        let mut failed: Option<Failure> = None;
        let mut barred: Vec<ModelName> = Vec::new();
        let mut refused: Vec<Refused> = Vec::new();
        let mut place = 0;
        while let Some(Way { key, model, prompt }) = way(place) {
            // A shorter request would be refused for the same reason.
            if barred.contains(&model) {
                place += 1;
                continue;
            }
            let ask = Ask { key: key.clone(), who: who.to_owned(), model: model.clone(), prompt };
            let shown = |outcome: &Result<T, Failure>| match outcome {
                Ok(said) => cards(said, place),
                Err(_) => Vec::new(),
            };
            let read = |reply: &Reply, reading| read(reply, reading, place);
            let said = self.ask(ask, read, shown).await?;
            match &said {
                Err(failure) if failure.class == FailureClass::Barred => barred.push(model),
                Err(failure) if failure.may_be_its_length() => {
                    refused.push(Refused { key: key.clone(), model, why: failure.why().to_owned() });
                }
                // That it took a shorter request is told elsewhere.
                Ok(_) => refused.retain(|refused| refused.model != model),
                Err(_) => {}
            }
            match said {
                Ok(said) => {
                    self.note_refused(refused).await;
                    return Ok(Ok((said, place)));
                }
                Err(_) if failed.as_ref().is_some_and(|first| first.class == FailureClass::TooLarge) => {}
                Err(failure) => failed = Some(failure),
            }
            place += 1;
        }
        self.note_refused(refused).await;
        let nobody = || Failure { class: FailureClass::Unavailable, detail: "nobody was asked".to_owned() };
        Ok(Err(failed.unwrap_or_else(nobody)))
    }
}
