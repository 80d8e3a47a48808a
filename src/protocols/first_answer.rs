//! What memo, review and answer begin with: several models answer the whole matter, each alone. At a table everybody reads them
//! and says which is to go on; elsewhere the models that were asked do, not knowing whose they are. They say what is wrong in it and what
//! the others have that it lacks. What is written in the end is the chosen one, changed where somebody showed something. They
//! are asked for beside all that comes before the writing, so that what is written waits for them only where that took less time.

use crate::{
    prompt::{asked_of_drafts, reply::read_check},
    steps::{Answered, Question, Steps, Stop, Try},
};
use domain::{
    Countable, DraftsRead, Effort, FirstAnswer, FoundInIt, ModelName, Piece, Prompt, Reply, Seat, StepKey,
    Written, chosen_draft, reading_order,
};
use forms::Asked;

/// The first answers to a matter.
pub(super) struct Alone<'a> {
    /// The step below which they are kept.
    pub(super) step: &'a str,
    /// Who is asked, for people.
    pub(super) who: &'a str,
    /// Who writes in the end.
    pub(super) writer: &'a Seat,
    /// Who sits at the table: other models than the writer's are asked first.
    pub(super) seats: &'a [Seat],
    pub(super) prompt: Prompt,
    pub(super) asked: Asked,
    /// What begins with it.
    pub(super) begins: Written,
}

/// The temperature at which a model answers that has answered already.
const AGAIN: f32 = 1.0;

/// An answer, and the model that stood in for who was to give it.
pub(super) type Said = (FirstAnswer, Option<ModelName>);

impl Alone<'_> {
    /// Asks for them, and has one chosen by as many who read them, with this request for the drafts in the order in which one reads
    /// them. `None` where no model could answer, which is noted.
    pub(super) async fn ask(
        self,
        steps: &Steps,
        choice: impl Fn(&[FirstAnswer], &[usize]) -> Prompt,
    ) -> Result<Option<FirstAnswer>, Stop> {
        let mut said = self.all(steps).await?;
        if said.is_empty() {
            return Ok(None);
        }
        let (first, stand_in) =
            if said.len() > 1 { self.chosen(steps, said, choice).await? } else { said.remove(0) };
        self.note_stand_in(steps, stand_in.as_ref()).await?;
        Ok(Some(first))
    }

    /// All of them that could be had, with who stood in; that some, or all, could not is noted.
    pub(super) async fn all(&self, steps: &Steps) -> Result<Vec<Said>, Stop> {
        let key = self.key();
        let seats = asked_alone(self.writer, self.seats, self.asked.effort);
        let calls = seats.iter().enumerate().map(|(place, seat)| {
            let key = if place == 0 { key.clone() } else { key.child(format!("{}", place + 1)) };
            // One that answers once more is to answer otherwise.
            let again = seats.iter().take(place).any(|other| other.model == seat.model);
            let temperature = if again { Some(AGAIN) } else { self.prompt.temperature };
            self.answer(steps, key, seat, Prompt { temperature, ..self.prompt.clone() })
        });
        let (mut said, mut failed, mut lost) = (Vec::new(), None, 0);
        for answer in steps.all(calls).await? {
            match answer {
                Ok(answer) => said.push(answer),
                Err(why) => (failed, lost) = (Some(why), lost + 1),
            }
        }
        if said.is_empty() {
            let missing = Piece::FirstAnswer(self.begins).missing(failed.as_deref());
            steps.note_degraded(key, [missing]).await?;
        } else {
            steps.note_degraded(key.child("lost"), Countable::FirstAnswers.counted(lost)).await?;
        }
        Ok(said)
    }

    /// Notes who stood in for who was to give the one that goes on.
    pub(super) async fn note_stand_in(&self, steps: &Steps, model: Option<&ModelName>) -> Result<(), Stop> {
        steps.note_degraded(self.key(), Piece::FirstAnswer(self.begins).stood_in(model)).await
    }

    fn key(&self) -> StepKey {
        StepKey::from(self.step).child("alone")
    }

    /// What one of them answers, or why nobody could.
    async fn answer(
        &self,
        steps: &Steps,
        key: StepKey,
        seat: &Seat,
        prompt: Prompt,
    ) -> Result<Result<Said, String>, Stop> {
        let question = Question { key, who: self.who.to_owned(), prompt };
        let read = |reply: &Reply, attempt| {
            Ok(forms::read::<FirstAnswer>(&reply.text, &self.asked, 0, attempt == Try::First)?.said)
        };
        Ok(match steps.ask_seat(seat, question, read, |_, _, _| Vec::new()).await? {
            Ok(Answered { value, stand_in }) => Ok((value, stand_in)),
            Err(failure) => Err(failure.sentence().to_owned()),
        })
    }

    /// The one that most of its readers choose, with what they found in it; where nobody could read them, the first of them, and that
    /// is noted. Once kept, a retry of what came after asks nobody again.
    async fn chosen(
        &self,
        steps: &Steps,
        said: Vec<Said>,
        choice: impl Fn(&[FirstAnswer], &[usize]) -> Prompt,
    ) -> Result<Said, Stop> {
        let key = self.key().child("chosen");
        if let Some(kept) = steps.kept::<Said>(key.clone()).await? {
            return Ok(kept);
        }
        let drafts: Vec<FirstAnswer> = said.iter().map(|(answer, _)| answer.clone()).collect();
        let readers = asked_alone(self.writer, self.seats, self.asked.effort);
        let looks = readers.iter().enumerate().map(|(place, seat)| {
            // Nobody reads first what it wrote itself.
            let order = reading_order(place + 1, drafts.len());
            let key = self.key().child(format!("chosen-{}", place + 1));
            let who = format!("{}: reads the drafts", self.who);
            self.read(steps, seat, Question { key, who, prompt: choice(&drafts, &order) }, order)
        });
        let (mut read, mut failed) = (Vec::new(), None);
        for look in steps.all(looks).await? {
            match look {
                Ok(said) => read.push(said),
                Err(why) => failed = Some(why),
            }
        }
        let place = chosen_draft(&read, drafts.len());
        let wrong = read.iter().filter_map(|said| said.wrong(place));
        let lacks = read.iter().flat_map(|said| said.kept(place));
        let found = FoundInIt {
            wrong: wrong.map(str::to_owned).collect(),
            lacks: lacks.map(str::to_owned).collect(),
        };
        let (first, stand_in) = said.into_iter().nth(place).unwrap_or_default();
        let chosen = (FirstAnswer { found, ..first }, stand_in);
        let chosen = steps.keep(key.clone(), &chosen, Vec::new()).await?;
        let nobody = read.is_empty().then(|| Piece::FirstChoice(self.begins).missing(failed.as_deref()));
        steps.note_degraded(key, nobody).await?;
        Ok(chosen)
    }

    /// What one reader says of the drafts, or why it could not. Who stood in for a reader is nothing that matters.
    async fn read(
        &self,
        steps: &Steps,
        seat: &Seat,
        question: Question,
        order: Vec<usize>,
    ) -> Result<Result<DraftsRead, String>, Stop> {
        let asked = asked_of_drafts(self.asked.effort, order.len());
        let read =
            |reply: &Reply, attempt| read_check(&reply.text, &asked, (&order, 0), attempt == Try::First);
        let said = steps.ask_seat(seat, question, read, |_, _, _| Vec::new()).await?;
        Ok(said.map(|answered| answered.value).map_err(|failure| failure.sentence().to_owned()))
    }
}

/// Who answers alone, and who reads what was answered: the writer, then models of the table that nobody of them has yet, then the writer again.
fn asked_alone<'a>(writer: &'a Seat, seats: &'a [Seat], effort: Effort) -> Vec<&'a Seat> {
    let mut asked = vec![writer];
    for seat in seats {
        if asked.iter().all(|other| other.model != seat.model) {
            asked.push(seat);
        }
    }
    asked.resize(FirstAnswer::asked(effort), writer);
    asked
}
