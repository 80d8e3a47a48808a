//! What whoever writes the memo, the review or the answer would say if nobody else were asked: what is written in the end
//! begins with it, and changes it where somebody showed something. It is asked for beside calls that take as long, so that
//! nobody waits for it.

use crate::steps::{Answered, Question, Steps, Stop, Try};
use domain::{FirstAnswer, Piece, Prompt, Reply, Seat, StepKey, Written};
use forms::Asked;

/// What a writer says alone.
pub(super) struct Alone<'a> {
    /// The step below which it is kept.
    pub(super) step: &'a str,
    /// Who is asked, for people.
    pub(super) who: &'a str,
    pub(super) seat: &'a Seat,
    pub(super) prompt: Prompt,
    pub(super) asked: Asked,
    /// What begins with it.
    pub(super) begins: Written,
}

impl Alone<'_> {
    /// Asks for it; `None` where no model could say, which is noted.
    pub(super) async fn ask(self, steps: &Steps) -> Result<Option<FirstAnswer>, Stop> {
        let Self { step, who, seat, prompt, asked, begins } = self;
        let key = StepKey::from(step).child("alone");
        let question = Question { key: key.clone(), who: who.to_owned(), prompt };
        let read = |reply: &Reply, attempt| {
            Ok(forms::read::<FirstAnswer>(&reply.text, &asked, 0, attempt == Try::First)?.said)
        };
        let piece = Piece::FirstAnswer(begins);
        let (said, noted) = match steps.ask_seat(seat, question, read, |_, _, _| Vec::new()).await? {
            Ok(Answered { value, stand_in }) => (Some(value), piece.stood_in(stand_in.as_ref())),
            Err(failure) => (None, Some(piece.missing(Some(failure.sentence())))),
        };
        steps.note_degraded(key, noted).await?;
        Ok(said)
    }
}
