//! What a memo, a review or an answer begins with: what several models answer alone, before anybody has spoken, of which a reader
//! who does not know whose they are chooses one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Effort;

/// What somebody would say if nobody else were asked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "first_answer")]
pub struct FirstAnswer {
    /// Markdown: your answer; what matters most stands in its first two or three sentences.
    #[schemars(extend("words" = "380-480 | 640-780 | 1050-1450", "label" = "First answer", "needed" = true))]
    pub text: String,
    /// What its reader found in it; nothing where nobody read it.
    #[serde(default)]
    #[schemars(skip)]
    pub found: FoundInIt,
}

/// What a reader found in a first answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FoundInIt {
    /// What is wrong in it.
    pub wrong: Vec<String>,
    /// What others had and it has not.
    pub lacks: Vec<String>,
}

/// What a reader of several first answers says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "first_choice")]
pub struct FirstChoice {
    /// One entry for each text, in their order: what its readers would do after reading it, and whether that is right; the sums
    /// that decide, worked out again from what was given; what has to be read twice; which fact or question it passes over.
    #[schemars(extend("items_asked" = "2-3", "words" = "120-260 | 180-400 | 240-520", "label" = "Read"))]
    pub read: Vec<String>,
    /// The letter of the text that they get.
    #[schemars(extend("names" = "answers", "label" = "Chosen"))]
    pub chosen: String,
    /// What is wrong in the chosen text, the gravest first: the place, what is so, and the working. Empty if nothing is.
    #[schemars(extend("items_asked" = "0-4 | 0-5 | 0-6", "words" = "0-110 | 0-160 | 0-240", "label" = "Wrong in it"))]
    pub wrong: Vec<String>,
    /// What another text has and the chosen one lacks, and by which somebody would act otherwise today, the gravest first: each in
    /// the words in which it could stand there. Empty if nothing.
    #[schemars(extend("items_asked" = "0-2 | 0-3 | 0-3", "words" = "0-80 | 0-130 | 0-180", "label" = "It lacks"))]
    pub lacks: Vec<String>,
}

impl FirstAnswer {
    /// How many are asked for one.
    #[must_use]
    pub fn asked(effort: Effort) -> usize {
        if effort == Effort::Brief { 1 } else { 3 }
    }

    /// Calls until there is one: those who answer, and where they are several the choice of one.
    #[must_use]
    pub fn calls(effort: Effort) -> u64 {
        if effort == Effort::Brief { 1 } else { 4 }
    }

    /// How long it is with what was found in it, in characters.
    #[must_use]
    pub fn chars(&self) -> usize {
        let found = self.found.wrong.iter().chain(&self.found.lacks);
        self.text.chars().count() + found.map(|one| one.chars().count()).sum::<usize>()
    }

    /// The letter under which a reader gets the answer at this place, from 0.
    #[must_use]
    pub fn letter(place: usize) -> String {
        u8::try_from(place)
            .map_or_else(|_| place.to_string(), |place| char::from(b'A' + place % 26).to_string())
    }
}

impl FirstChoice {
    /// The place of the chosen one among these, from 0, and itself with what was found in it; `None` for a letter that none of
    /// them has.
    #[must_use]
    pub fn of(self, answers: &[FirstAnswer]) -> Option<(usize, FirstAnswer)> {
        let Self { chosen, wrong, lacks, .. } = self;
        let chosen = chosen.trim().trim_end_matches('.').to_uppercase();
        let (place, answer) = (0..).zip(answers).find(|(place, _)| FirstAnswer::letter(*place) == chosen)?;
        Some((place, FirstAnswer { found: FoundInIt { wrong, lacks }, ..answer.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_one_goes_on_with_what_was_found_in_it() {
        let answers: Vec<FirstAnswer> =
            ["one", "two"].map(|text| FirstAnswer { text: text.to_owned(), ..FirstAnswer::default() }).into();
        let choice = |chosen: &str| FirstChoice {
            read: Vec::new(),
            chosen: chosen.to_owned(),
            wrong: vec!["12 and not 21".to_owned()],
            lacks: Vec::new(),
        };
        for letter in ["B", " b."] {
            let (place, chosen) = choice(letter).of(&answers).unwrap();
            assert_eq!((place, chosen.text.as_str(), chosen.found.wrong.len()), (1, "two", 1));
        }
        for none in ["C", "Text B", ""] {
            assert_eq!(choice(none).of(&answers), None);
        }
    }
}
