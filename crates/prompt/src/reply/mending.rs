//! What a reply makes of the draft: its changes are made in it by code, or the whole is told anew.

use super::ParseError;
use domain::{Anew, AnsweredObjection, ChosenDraft, Edit};

/// What a reply says of the draft.
pub(crate) struct Mending<'a> {
    pub(crate) draft: &'a ChosenDraft,
    /// How many words more than the draft were asked for at most.
    pub(crate) room: u32,
    /// The first time, a change that cannot be made, or a text that grows far more, is an error; after that the change is dropped.
    pub(crate) first: bool,
    pub(crate) edits: &'a mut Vec<Edit>,
    pub(crate) anew: &'a mut Vec<Anew>,
    /// What became of the objections: one by which nothing could be changed was not taken.
    pub(crate) resolutions: &'a mut [AnsweredObjection],
}

/// How much more than asked for a draft may grow before it is asked for again, in percent.
const TOLERANCE: u32 = 140;

impl Mending<'_> {
    /// What stands in the end: the answer, and the text.
    pub(crate) fn make(self) -> Result<Anew, ParseError> {
        let Self { draft, room, first, edits, anew, resolutions } = self;
        if let Some(told) = anew.drain(..).next_back() {
            let whole = !told.answer.is_empty() && !told.text.is_empty();
            if whole {
                edits.clear();
                return Ok(told);
            }
            if first {
                return Err(ParseError::Shape(
                    "what is told `anew` has both its answer and its text".to_owned(),
                ));
            }
        }
        let mended = draft.mended(edits);
        let most = room * TOLERANCE / 100 + 5;
        if first && mended.grown > i64::from(most) {
            return Err(ParseError::Long(format!(
                "the draft grows by {} words, at most {room} were asked for: make fewer or smaller changes",
                mended.grown
            )));
        }
        if first && !mended.failed.is_empty() {
            let told = mended.failed.iter().map(|(at, why)| format!("“{}” {}", edits[*at].stands, why.why()));
            return Err(ParseError::Shape(told.collect::<Vec<_>>().join("; ")));
        }
        for (at, _) in mended.failed.iter().rev() {
            let lost = edits.remove(*at);
            for answer in resolutions.iter_mut().filter(|answer| answer.objection == lost.objection) {
                answer.taken = false;
                "The change that was meant could not be put into the text.".clone_into(&mut answer.because);
            }
        }
        // Nobody is left without an answer: what would take away all of a part takes away nothing of it.
        let kept = |now: String, drafted: &str| if now.is_empty() { drafted.to_owned() } else { now };
        Ok(Anew { answer: kept(mended.answer, &draft.opening), text: kept(mended.text, &draft.text) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(objection: u32, stands: &str, becomes: &str) -> Edit {
        Edit { objection, stands: stands.into(), becomes: becomes.into() }
    }

    fn made(edits: &[Edit], anew: &[Anew], first: bool) -> (Result<Anew, ParseError>, Vec<Edit>, Vec<bool>) {
        let draft = ChosenDraft {
            opening: "Take the hall.".into(),
            text: "It costs 470. Ask Ann.".into(),
            ..ChosenDraft::default()
        };
        let answered = |objection| AnsweredObjection { objection, taken: true, because: "So it is.".into() };
        let (mut edits, mut anew, mut resolutions) = (edits.to_vec(), anew.to_vec(), [1, 2].map(answered));
        let (of_edits, of_anew) = (&mut edits, &mut anew);
        let mending = Mending {
            draft: &draft,
            room: 10,
            first,
            edits: of_edits,
            anew: of_anew,
            resolutions: &mut resolutions,
        };
        let made = mending.make();
        (made, edits, resolutions.map(|answer| answer.taken).to_vec())
    }

    #[test]
    fn what_cannot_be_changed_is_asked_for_once_more_and_then_not_taken() {
        let edits = [edit(1, "470", "480"), edit(2, "Ask Ben.", "Ask nobody.")];
        let refused = made(&edits, &[], true).0.unwrap_err().to_string();
        assert!(refused.contains("“Ask Ben.” does not stand in the draft"), "{refused}");
        let (said, kept, taken) = made(&edits, &[], false);
        assert_eq!(said.unwrap().text, "It costs 480. Ask Ann.");
        assert_eq!((kept.len(), taken), (1, vec![true, false]));
    }

    #[test]
    fn nothing_takes_away_all_of_an_answer() {
        let said = made(&[edit(1, "Take the hall.", "")], &[], true).0.unwrap();
        assert_eq!(said, Anew { answer: "Take the hall.".into(), text: "It costs 470. Ask Ann.".into() });
    }

    #[test]
    fn a_draft_does_not_grow_by_more_than_its_room() {
        let long = [edit(1, "Ask Ann.", &"Ask Ann and all the others. ".repeat(5))];
        assert!(made(&long, &[], true).0.unwrap_err().to_string().contains("grows by 28 words, at most 10"));
        assert!(made(&long, &[], false).0.is_ok(), "the second time it stays");
    }

    #[test]
    fn what_is_told_anew_takes_the_place_of_all() {
        let anew = Anew { answer: "Stay.".into(), text: "The hall is sold.".into() };
        let (said, kept, _) = made(&[edit(1, "470", "480")], std::slice::from_ref(&anew), true);
        assert_eq!((said.unwrap(), kept.len()), (anew.clone(), 0));
        let half = Anew { text: String::new(), ..anew };
        assert!(made(&[], std::slice::from_ref(&half), true).0.is_err());
        assert_eq!(made(&[], &[half], false).0.unwrap().answer, "Take the hall.", "the draft stays");
    }
}
