//! What memo, review, answer and a debate's paper are written from: several models answer the whole matter, each alone; of an
//! answer and a paper one draft is made of theirs, written anew. Others read the drafts, say what is wrong in each and what each
//! alone has, and how much each would help. The one that stands first on average goes on, with what they object to it; whoever
//! writes mends it.
//!
//! No reader begins with what its own model wrote, if another model wrote one. Once the choice is kept, a retry of what came
//! after asks nobody again, and whatever was missing from it is noted each time that it is read. Called by each protocol.

use crate::{
    prompt::{ParseError, reply::read_check},
    steps::{Answered, Question, Steps, Stop, Try},
};
use domain::{
    ChosenDraft, Countable, DraftsRead, FirstAnswer, ModelName, Objection, Piece, Post, Prompt, Reply, Seat,
    StepKey, Written, chosen_draft, reading_order,
};
use forms::Asked;

/// Where a protocol has its drafts from.
pub(super) struct Drafting<'a> {
    /// The step below which they are kept.
    pub(super) step: &'a str,
    /// Who is asked, for people.
    pub(super) who: &'a str,
    /// Who writes in the end.
    pub(super) writer: &'a Seat,
    /// Who sits at the table: each model of theirs is asked before one is asked again.
    pub(super) seats: &'a [Seat],
    /// How many are asked for.
    pub(super) many: usize,
    pub(super) prompt: Prompt,
    pub(super) asked: Asked,
    /// What is written from them.
    pub(super) of: Written,
}

/// A draft.
pub(super) struct Draft {
    /// What it says.
    answer: FirstAnswer,
    /// Who was asked for it.
    author: ModelName,
    /// The model that wrote it in the place of that one.
    stand_in: Option<ModelName>,
}

/// A draft as it was asked for.
fn read_draft(reply: &Reply, asked: &Asked, attempt: Try) -> Result<FirstAnswer, ParseError> {
    let said = forms::read::<FirstAnswer>(&reply.text, asked, 0, attempt == Try::First)?.said;
    Ok(if asked.when.contains(&"opened") { said.opened() } else { said })
}

/// The temperature at which a model answers that has answered already.
const AGAIN: f32 = 1.0;

impl Drafting<'_> {
    /// All drafts that could be had; that some, or all, could not is noted.
    pub(super) async fn ask(&self, steps: &Steps) -> Result<Vec<Draft>, Stop> {
        let key = StepKey::from(self.step).child("alone");
        let seats = self.asked_alone();
        let calls = seats.iter().enumerate().map(|(place, seat)| {
            let key = if place == 0 { key.clone() } else { key.child(format!("{}", place + 1)) };
            // One that answers once more is to answer otherwise.
            let again = seats.iter().take(place).any(|other| other.model == seat.model);
            let temperature = if again { Some(AGAIN) } else { self.prompt.temperature };
            self.answer(steps, key, seat, Prompt { temperature, ..self.prompt.clone() })
        });
        let (mut drafts, mut lost) = (Vec::new(), Vec::new());
        for (key, answer) in steps.all(calls).await? {
            match answer {
                Ok(draft) => drafts.push(draft),
                Err(why) => lost.push((key, why)),
            }
        }
        // Where there is no draft, the first that was lost says so for all.
        let told = if drafts.is_empty() { 1 } else { lost.len() };
        for (key, why) in lost.into_iter().take(told) {
            let note = if drafts.is_empty() {
                Some(Piece::FirstAnswer(self.of).missing(Some(&why)))
            } else {
                Countable::FirstAnswers.counted(1)
            };
            steps.note_degraded(key, note).await?;
        }
        Ok(drafts)
    }

    /// Who answers alone, and who reads what was answered where nobody sat at a table: the writer, then models of the seats that
    /// nobody of them has yet, then the writer again.
    pub(super) fn asked_alone(&self) -> Vec<&Seat> {
        let mut asked = vec![self.writer];
        for seat in self.seats {
            if asked.iter().all(|other| other.model != seat.model) {
                asked.push(seat);
            }
        }
        asked.resize(self.many, self.writer);
        asked
    }

    /// The step in which it is kept, and what one of them answers, or why nobody could.
    async fn answer(
        &self,
        steps: &Steps,
        key: StepKey,
        seat: &Seat,
        prompt: Prompt,
    ) -> Result<(StepKey, Result<Draft, String>), Stop> {
        let question = Question { key: key.clone(), who: self.who.to_owned(), prompt };
        let read = |reply: &Reply, attempt| read_draft(reply, &self.asked, attempt);
        let author = seat.model.clone();
        let said = steps.ask_seat(seat, question, read, |_, _, _| Vec::new()).await?;
        let said = said.map(|Answered { value, stand_in }| Draft { answer: value, author, stand_in });
        Ok((key, said.map_err(|failure| failure.sentence().to_owned())))
    }
}

/// Several drafts made one.
pub(super) struct Merging<'a> {
    /// The step in which it is kept.
    pub(super) key: StepKey,
    /// Who is asked, for people.
    pub(super) who: &'a str,
    pub(super) seat: &'a Seat,
    pub(super) asked: Asked,
    /// What is written from them.
    pub(super) of: Written,
}

impl Merging<'_> {
    /// The one that is made of them, with this request. Where nobody could write it, or there are too few to choose from, the
    /// drafts go on as they are.
    pub(super) async fn make(
        self,
        steps: &Steps,
        drafts: Vec<Draft>,
        prompt: impl FnOnce(&[FirstAnswer]) -> Prompt,
    ) -> Result<Vec<Draft>, Stop> {
        if drafts.len() < FEWEST {
            return Ok(drafts);
        }
        let Self { key, who, seat, asked, of } = self;
        let texts: Vec<FirstAnswer> = drafts.iter().map(|draft| draft.answer.clone()).collect();
        let question = Question { key: key.clone(), who: who.to_owned(), prompt: prompt(&texts) };
        let read = |reply: &Reply, attempt| read_draft(reply, &asked, attempt);
        match steps.ask_seat(seat, question, read, |_, _, _| Vec::new()).await? {
            // Who stood in is noted with the choice, as of any draft that goes on.
            Ok(Answered { value, stand_in }) => {
                Ok(vec![Draft { answer: value, author: seat.model.clone(), stand_in }])
            }
            Err(failure) => {
                let missing = Piece::MergedDraft(of).missing(Some(failure.sentence()));
                steps.note_degraded(key, [missing]).await?;
                Ok(drafts)
            }
        }
    }
}

/// From so many drafts on, one is made of them.
const FEWEST: usize = 3;

/// Somebody who reads the drafts.
pub(super) struct Reader<'a> {
    /// Who it is, as cards show it.
    pub(super) name: String,
    /// The last part of the key of the step in which its reading is kept.
    pub(super) step: String,
    pub(super) seat: &'a Seat,
}

/// A choice among drafts.
pub(super) struct Choice<'a> {
    /// The step in which it is kept.
    pub(super) key: StepKey,
    /// The step below which what each reader says is.
    pub(super) read_below: StepKey,
    /// What is written from them.
    pub(super) of: Written,
    pub(super) readers: Vec<Reader<'a>>,
    /// What a reader is asked with.
    pub(super) asked: Asked,
    /// How many pages may be cited.
    pub(super) pages: usize,
}

impl Choice<'_> {
    /// The draft that goes on, with this request for the reader at a place, with the drafts in this order, and this card of what
    /// they said. `None` where there is no draft.
    pub(super) async fn make(
        self,
        steps: &Steps,
        drafts: Vec<Draft>,
        prompt: impl Fn(usize, &[FirstAnswer], &[usize]) -> Prompt,
        cards: impl FnOnce(&ChosenDraft) -> Vec<Post>,
    ) -> Result<Option<ChosenDraft>, Stop> {
        if drafts.is_empty() {
            return Ok(None);
        }
        let chosen = match steps.kept::<ChosenDraft>(self.key.clone()).await? {
            Some(kept) => kept,
            None => self.chosen(steps, drafts, prompt, cards).await?,
        };
        steps.note_degraded(self.key, chosen.degraded(self.of)).await?;
        Ok(Some(chosen))
    }

    async fn chosen(
        &self,
        steps: &Steps,
        drafts: Vec<Draft>,
        prompt: impl Fn(usize, &[FirstAnswer], &[usize]) -> Prompt,
        cards: impl FnOnce(&ChosenDraft) -> Vec<Post>,
    ) -> Result<ChosenDraft, Stop> {
        let texts: Vec<FirstAnswer> = drafts.iter().map(|draft| draft.answer.clone()).collect();
        let looks = self.readers.iter().enumerate().map(|(place, reader)| {
            let order = reading_order(first_read(&drafts, reader.seat, place), texts.len());
            self.read(steps, reader, prompt(place, &texts, &order), order)
        });
        let (mut chosen, mut read) =
            (ChosenDraft { among: drafts.len(), ..ChosenDraft::default() }, Vec::new());
        for (reader, look) in self.readers.iter().zip(steps.all(looks).await?) {
            match look {
                Ok(said) => {
                    chosen.readers.push(reader.name.clone());
                    read.push(said);
                }
                Err(why) => {
                    chosen.absent.push(reader.name.clone());
                    chosen.why_absent = Some(why);
                }
            }
        }
        let place = chosen_draft(&read, drafts.len());
        chosen.chose = read.iter().filter(|said| said.puts_first(place)).count();
        let objections = chosen.readers.iter().zip(&read).flat_map(|(from, said)| {
            said.objections(place).into_iter().map(move |text| (from.clone(), text))
        });
        let objections = (1..).zip(objections);
        chosen.objections =
            objections.map(|(number, (from, text))| Objection { number, from, text }).collect();
        if let Some(draft) = drafts.into_iter().nth(place) {
            (chosen.opening, chosen.text) = (draft.answer.answer, draft.answer.text);
            chosen.stand_in = draft.stand_in;
        }
        let cards = cards(&chosen);
        steps.keep(self.key.clone(), &chosen, cards).await
    }

    /// What one reader says of the drafts, or why it could not.
    async fn read(
        &self,
        steps: &Steps,
        reader: &Reader<'_>,
        prompt: Prompt,
        order: Vec<usize>,
    ) -> Result<Result<DraftsRead, String>, Stop> {
        let key = self.read_below.child(&reader.step);
        let question = Question { key: key.clone(), who: reader.name.clone(), prompt };
        let asked = &self.asked;
        let read = |reply: &Reply, attempt| {
            read_check(&reply.text, asked, (&order, self.pages), attempt == Try::First)
        };
        Ok(match steps.ask_seat(reader.seat, question, read, |_, _, _| Vec::new()).await? {
            Ok(Answered { value, stand_in }) => {
                let piece = Piece::DraftCheck(reader.name.clone(), self.of);
                steps.note_degraded(key, piece.stood_in(stand_in.as_ref())).await?;
                Ok(value)
            }
            Err(failure) => Err(failure.sentence().to_owned()),
        })
    }
}

/// With which draft the reader at this place begins: what is read first counts more, so each with another, and not with what its
/// own model wrote.
fn first_read(drafts: &[Draft], reader: &Seat, place: usize) -> usize {
    let by = |draft: &Draft| draft.stand_in.as_ref().unwrap_or(&draft.author) == &reader.model;
    let mut others = reading_order(place, drafts.len()).into_iter();
    others.find(|at| drafts.get(*at).is_some_and(|draft| !by(draft))).unwrap_or(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(model: &str) -> Seat {
        Seat { model: format!("openai/{model}").parse().unwrap(), fallbacks: Vec::new() }
    }

    fn draft(author: &str, stand_in: Option<&str>) -> Draft {
        let model = |name| seat(name).model;
        Draft { answer: FirstAnswer::default(), author: model(author), stand_in: stand_in.map(model) }
    }

    #[test]
    fn each_begins_with_another_and_nobody_with_what_its_own_model_wrote() {
        let begin = |authors: [&str; 3], readers: [&str; 3]| {
            let drafts = authors.map(|author| draft(author, None));
            [0, 1, 2].map(|place| first_read(&drafts, &seat(readers[place]), place))
        };
        assert_eq!(begin(["a", "b", "c"], ["a", "b", "c"]), [1, 2, 0]);
        assert_eq!(begin(["w", "a", "b"], ["a", "b", "c"]), [0, 1, 2]);
        assert_eq!(begin(["a", "b", "a"], ["a", "b", "a"]), [1, 2, 1], "there is only one of the other");
        assert_eq!(begin(["a", "a", "a"], ["a", "a", "a"]), [0, 1, 2], "all are one model's");
        // Who wrote it is who stood in.
        let drafts = [draft("a", Some("b")), draft("b", Some("a"))];
        assert_eq!([0, 1].map(|place| first_read(&drafts, &seat("b"), place)), [1, 1]);
    }
}
