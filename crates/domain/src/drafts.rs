//! Drafts of a memo, a review or an answer as several read them: which of them people should get, and what has to be mended in it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Degraded, ModelName, Piece, Written, without_letters};

/// What somebody says of the drafts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "drafts_check")]
pub struct DraftsCheck {
    /// One entry for each text, in their order.
    #[schemars(extend("items_asked" = "1-5", "words" = "20-150 | 60-600 | 80-880", "label" = "Read"))]
    pub read: Vec<DraftRead>,
    /// How much the people who ask would be helped by each text as it stands, if they acted on it: 50 is a good answer with a
    /// fault that costs them something. No two alike.
    #[serde(default)]
    #[schemars(extend(
        "each" = "answers",
        "minimum" = 0,
        "maximum" = 100,
        "label" = "Marks",
        "when" = "several"
    ))]
    pub marks: BTreeMap<String, u32>,
    /// What you or the others have found since, that none of the texts has, and by which the team would do something else today;
    /// with the sentence that says so. Mostly empty.
    #[serde(default)]
    #[schemars(extend("words" = "0-40 | 0-60 | 0-90", "label" = "Missing", "when" = "found"))]
    pub missing: String,
}

/// What somebody says of one draft.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftRead {
    /// Its letter.
    #[schemars(extend("names" = "answers", "label" = "Draft"))]
    pub draft: String,
    /// What you would do after it, first and next, and whether that is right; the sum that decides, worked out again.
    #[schemars(extend("line" = true, "label" = "You would"))]
    pub act: String,
    /// The one thing by which somebody who does exactly what it says would do something wrong, or be stuck: the place, what is
    /// so, with its working, and the sentence that would stand there; naming no letter. Empty if nothing.
    #[schemars(extend("label" = "Wrong"))]
    pub wrong: String,
    /// The one thing that it has and the others lack, and by which somebody would act otherwise today, in the words in which it
    /// could stand in another, naming no letter. Empty if nothing.
    #[serde(default)]
    #[schemars(extend("label" = "To keep", "when" = "several"))]
    pub keep: String,
}

/// What somebody says of the drafts, each at its place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DraftsRead {
    /// Of each draft what was said of it.
    pub of: Vec<DraftRead>,
    /// The mark that it gave each, from 0 to 100; `None` where it gave none.
    pub marks: Vec<Option<u32>>,
    /// What none of them has.
    pub missing: String,
}

impl DraftsCheck {
    /// What it says of each draft at its place, where it read the drafts of these places one after the other. Of a draft that it
    /// does not speak of it says nothing. Letters mean something to this reader alone, so they are words from here on.
    #[must_use]
    pub fn by_place(self, order: &[usize]) -> DraftsRead {
        let Self { read, marks, missing } = self;
        let known = |letter: char| order.get(letter_place(letter)?).copied();
        let place = |text: &str| known(letter_in(text)?);
        let mut of = vec![DraftRead::default(); order.len()];
        for DraftRead { draft, act, wrong, keep } in read {
            let own = place(&draft);
            let named = |text: &str| {
                without_letters(text, &NOUNS, |letter| {
                    let word = if known(letter)? == own? { "this draft" } else { "another draft" };
                    Some(word.to_owned())
                })
            };
            if let Some(said) = own.and_then(|place| of.get_mut(place)) {
                *said = DraftRead { act: named(&act), wrong: named(&wrong), keep: named(&keep), draft };
            }
        }
        let one = |letter| known(letter).map(|_| "one of the drafts".to_owned());
        let missing = without_letters(&missing, &NOUNS, one);
        let mut given = vec![None; order.len()];
        for (letter, mark) in marks {
            if let Some(of) = place(&letter).and_then(|place| given.get_mut(place)) {
                *of = Some(mark);
            }
        }
        DraftsRead { of, marks: given, missing }
    }
}

impl DraftsRead {
    /// What is wrong in the draft at this place; `None` if nothing is.
    #[must_use]
    pub fn wrong(&self, place: usize) -> Option<&str> {
        let wrong = self.of.get(place)?.wrong.as_str();
        (!wrong.is_empty()).then_some(wrong)
    }

    /// What the others have and the draft at this place lacks, of the two best that have such a thing: a text that takes up more
    /// loses its thread.
    pub fn kept(&self, place: usize) -> impl Iterator<Item = &str> {
        let has = |other: &usize| *other != place && !self.of[*other].keep.is_empty();
        let mut others: Vec<usize> = (0..self.of.len()).filter(has).collect();
        others.sort_by_key(|other| self.rank(*other));
        others.into_iter().take(KEPT).map(|other| self.of[other].keep.as_str())
    }

    /// What it objects to in the draft at this place, each a text for whoever mends it: what is wrong first, then what the others
    /// have and it lacks, and what none has.
    #[must_use]
    pub fn objections(&self, place: usize) -> Vec<String> {
        let wrong = self.wrong(place).map(|wrong| format!("Wrong: {wrong}"));
        let kept = self.kept(place).map(|keep| format!("Another draft has: {keep}"));
        let missing = (!self.missing.is_empty()).then(|| format!("Missing: {}", self.missing));
        wrong.into_iter().chain(kept).chain(missing).collect()
    }

    /// How far from the first the draft at this place is by its marks: twice the number of drafts before it, and once that of those
    /// beside it. One without a mark stands in the middle, for nobody said where.
    fn rank(&self, place: usize) -> usize {
        let Some(own) = self.marks.get(place).copied().flatten() else {
            return self.of.len().saturating_sub(1);
        };
        let others = self.marks.iter().enumerate().filter(|(other, _)| *other != place);
        others
            .map(|(_, mark)| mark.map_or(1, |mark| 2 * usize::from(mark > own) + usize::from(mark == own)))
            .sum()
    }

    /// Whether it has no draft before the one at this place, which is the only one or has a mark.
    #[must_use]
    pub fn puts_first(&self, place: usize) -> bool {
        let own = self.marks.get(place).copied().flatten();
        self.of.len() == 1 || own.is_some() && self.marks.iter().all(|mark| *mark <= own)
    }
}

/// The place of the draft that stands first on average by the marks of those who read them; of several the one in which the fewest
/// found anything wrong; of these the first. Places count and not marks, for one gives 40 where another gives 70.
#[must_use]
pub fn chosen_draft(read: &[DraftsRead], drafts: usize) -> usize {
    let rank = |place: usize| read.iter().map(|one| one.rank(place)).sum::<usize>();
    let objected = |place: usize| read.iter().filter(|one| one.wrong(place).is_some()).count();
    (0..drafts).min_by_key(|place| (rank(*place), objected(*place))).unwrap_or_default()
}

/// The order in which the reader at this place reads so many drafts: each begins with another, for what is read first counts more.
#[must_use]
pub fn reading_order(reader: usize, drafts: usize) -> Vec<usize> {
    (0..drafts).map(|place| (place + reader) % drafts.max(1)).collect()
}

/// What somebody objects to in a draft.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Objection {
    /// From 1, in the order of the readers.
    pub number: u32,
    /// Whose it is, as cards show it.
    pub from: String,
    /// What it says.
    pub text: String,
}

/// The draft that goes on, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ChosenDraft {
    /// Its first sentences, where they were asked for apart.
    pub opening: String,
    /// What it says, or the rest of it.
    pub text: String,
    /// Among how many it was.
    pub among: usize,
    /// Who read it; empty where nobody did.
    pub readers: Vec<String>,
    /// How many of them had none before it.
    pub chose: usize,
    /// What they object to, in their order.
    pub objections: Vec<Objection>,
    /// Who was to read it and could not.
    pub absent: Vec<String>,
    /// Why the last of them could not.
    pub why_absent: Option<String>,
    /// Who wrote it in the place of another.
    pub stand_in: Option<ModelName>,
}

impl ChosenDraft {
    /// All that it says.
    #[must_use]
    pub fn whole(&self) -> String {
        format!("{}\n\n{}", self.opening, self.text).trim().to_owned()
    }

    /// How long it is with what was objected to it, in characters.
    #[must_use]
    pub fn chars(&self) -> usize {
        let objected = self.objections.iter().map(|one| one.text.chars().count());
        self.whole().chars().count() + objected.sum::<usize>()
    }

    /// What is not as it should be with it, of which this is written.
    pub fn degraded(&self, of: Written) -> impl Iterator<Item = Degraded> {
        let nobody = self.readers.is_empty() && !self.absent.is_empty();
        let nobody = nobody.then(|| Piece::DraftChoice(of).missing(self.why_absent.as_deref()));
        // Where nobody could, one line says so for all.
        let absent = self.absent.iter().filter(move |_| !self.readers.is_empty());
        let absent = absent.map(move |who| Piece::DraftCheck(who.clone(), of).missing(None));
        nobody.into_iter().chain(absent).chain(Piece::FirstAnswer(of).stood_in(self.stand_in.as_ref()))
    }
}

/// From how many other drafts one reader has something taken over.
const KEPT: usize = 2;

/// What stands before a letter where a draft is meant by it.
const NOUNS: [&str; 3] = ["draft", "text", "answer"];

/// The one letter that a text is, with a word before it or without.
fn letter_in(text: &str) -> Option<char> {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut letters = words.next_back()?.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// Which letter it is, from 0.
fn letter_place(letter: char) -> Option<usize> {
    ('A'..='Z').position(|known| known == letter.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(draft: &str, wrong: &str, keep: &str) -> DraftRead {
        DraftRead { draft: draft.into(), act: "Act.".into(), wrong: wrong.into(), keep: keep.into() }
    }

    /// Three drafts are read, and one more is spoken of that there is not; the marks are those of A, B and C.
    fn check(marks: [u32; 3]) -> DraftsCheck {
        let read = vec![read("A", "w1", "k1"), read("c", "w3", ""), read("B", "", "k2"), read("D", "w4", "")];
        let marks = ["A", "B", "C"].map(str::to_owned).into_iter().zip(marks).collect();
        DraftsCheck { read, marks, missing: "m".to_owned() }
    }

    #[test]
    fn what_was_read_in_another_order_is_said_of_the_right_draft() {
        for (reader, second) in [(0, 1), (1, 2), (2, 0), (3, 1)] {
            let said = check([20, 80, 60]).by_place(&reading_order(reader, 3));
            assert!(said.puts_first(second), "the second that reader {reader} read");
            let first = reading_order(reader, 3)[0];
            assert_eq!(said.marks[first], Some(20));
            assert_eq!(said.objections(first), ["Wrong: w1", "Another draft has: k2", "Missing: m"]);
        }
    }

    #[test]
    fn a_letter_that_none_of_them_has_marks_nothing() {
        let marks = |letter: &str| DraftsCheck { marks: [(letter.to_owned(), 70)].into(), ..check([0; 3]) };
        for none in ["D", "", "AB", "B or so", "2"] {
            assert_eq!(marks(none).by_place(&[0, 1, 2]).marks, [None; 3], "{none}");
        }
        for letter in ["b", " B.", "Text B", "**B**"] {
            assert_eq!(marks(letter).by_place(&[0, 1, 2]).marks, [None, Some(70), None], "{letter}");
        }
        assert!(!marks("D").by_place(&[0, 1, 2]).puts_first(0), "nothing puts it first");
        assert!(marks("D").by_place(&[0]).puts_first(0), "there is only one");
    }

    #[test]
    fn something_is_taken_over_from_the_two_best_that_have_it() {
        let read =
            ["A", "B", "C", "D", "E"].map(|letter| read(letter, "", if letter == "E" { "" } else { letter }));
        let marks = [("A", 10), ("B", 50), ("C", 40), ("D", 60), ("E", 90)];
        let marks = marks.map(|(letter, mark)| (letter.to_owned(), mark)).into();
        let said = DraftsCheck { read: read.into(), marks, missing: String::new() };
        let said = said.by_place(&[0, 1, 2, 3, 4]);
        assert_eq!(said.kept(4).collect::<Vec<_>>(), ["D", "B"]);
        assert_eq!(said.kept(3).collect::<Vec<_>>(), ["B", "C"]);
    }

    #[test]
    fn no_letter_leaves_its_reader() {
        let read =
            vec![read("Draft A", "Text A counts 12, draft B 21: they answer a plan.", "As in answer B.")];
        let said =
            DraftsCheck { read, missing: "Drafts A and B pass over it.".into(), ..DraftsCheck::default() };
        let said = said.by_place(&[1, 0]);
        assert_eq!(said.wrong(1), Some("this draft counts 12, another draft 21: they answer a plan."));
        assert_eq!(said.kept(0).collect::<Vec<_>>(), ["As in another draft."]);
        assert!(!said.missing.contains(" A"), "{}", said.missing);
    }

    #[test]
    fn the_first_on_average_goes_on_and_of_those_alike_the_one_with_the_fewest_faults() {
        let said = |marks: [u32; 3]| check(marks).by_place(&reading_order(0, 3));
        assert_eq!(chosen_draft(&[said([90, 0, 10]), said([50, 40, 60]), said([50, 40, 60])], 3), 2);
        // First for one and last for two comes after second for all.
        assert_eq!(chosen_draft(&[said([90, 80, 10]), said([10, 20, 30]), said([10, 70, 20])], 3), 1);
        // Each stands first once: the second is the one that nobody objects to.
        assert_eq!(chosen_draft(&[said([9, 8, 7]), said([7, 9, 8]), said([8, 7, 9])], 3), 1);
        let unmarked = DraftsRead { marks: vec![None; 3], ..said([0; 3]) };
        assert_eq!(chosen_draft(&[said([8, 7, 9]), unmarked], 3), 2, "who gave no mark changes nothing");
        assert_eq!(chosen_draft(&[], 3), 0);
        assert_eq!(chosen_draft(&[], 0), 0);
    }
}
