//! The answer, written from a draft that all have checked.

use forms::Asked;

use super::super::{ParseError, mending::Mending, module::begins};
use crate::drafts::room;
use domain::{
    AnsweredObjection, ChosenDraft, InvestigationAnswer, Objection, SourceList, Written,
    citations::without_marks,
};

/// What an answer is held to.
#[derive(Clone, Copy, Debug)]
pub struct AnswerBounds<'a> {
    /// What was asked for.
    pub asked: &'a Asked,
    /// The calls and checks that gave something back, from 1.
    pub calls: &'a [usize],
    /// The draft that it mends, each objection to which it has to answer.
    pub draft: Option<&'a ChosenDraft>,
    /// The pages that may be cited, by number.
    pub sources: &'a SourceList,
    /// The first time, what is too long or leaves an objection without an answer is an error.
    pub first: bool,
}

/// An answer as it is kept, held to its grounds.
pub fn read_answer(
    text: &str,
    bounds: &AnswerBounds<'_>,
    answered_by: &str,
) -> Result<InvestigationAnswer, ParseError> {
    let AnswerBounds { asked, calls, draft, sources, first } = *bounds;
    let objections = draft.map(|draft| draft.objections.as_slice()).unwrap_or_default();
    let read = forms::read::<InvestigationAnswer>(text, asked, sources.sources().len(), first)?;
    let mut said = read.said;
    if let Some(draft) = draft {
        let (edits, anew) = (&mut said.edits, &mut said.anew);
        let (room, resolutions) = (room(Written::Answer, asked.effort), &mut said.resolutions[..]);
        let told = Mending { draft, room, first, edits, anew, resolutions }.make()?;
        (said.answer, said.text) = (told.answer, told.text);
    }
    let mut texts = Vec::new();
    forms::each_text(&mut said, &mut |text| texts.push(text.clone()));
    said.sources = sources.cited_in(texts.iter());
    if said.title.is_empty() {
        said.title = begins(&said.answer);
    }
    said.sure.retain(|sure| !sure.of.is_empty());
    said.rivals.retain(|rival| !rival.title.is_empty());
    said.evidence.retain(|stated| !stated.text.is_empty());
    said.evidence = said.evidence.into_iter().map(|stated| stated.held_to(calls)).collect();
    let open = objections.iter().filter(|one| answer_to(one, &said).is_none());
    let open: Vec<String> = open.map(|one| one.number.to_string()).collect();
    if first && !open.is_empty() {
        return Err(ParseError::Shape(format!("no answer to objection {}", open.join(", "))));
    }
    (said.corrected, said.refused) = told(objections, &said);
    said.answered_by = Some(answered_by.to_owned());
    said.dropped_citations = read.dropped;
    Ok(said)
}

fn answer_to<'a>(objection: &Objection, said: &'a InvestigationAnswer) -> Option<&'a AnsweredObjection> {
    said.resolutions.iter().find(|answer| answer.objection == objection.number)
}

/// What was corrected by objections, and those that were not followed, each with whose it is.
fn told(objections: &[Objection], said: &InvestigationAnswer) -> (Vec<String>, Vec<String>) {
    let unmarked = |answer: &AnsweredObjection| without_marks(&answer.because);
    let (mut corrected, mut refused) = (Vec::new(), Vec::new());
    for objection in objections {
        let Objection { from, text, .. } = objection;
        match answer_to(objection, said) {
            Some(answer) if answer.taken => corrected.push(format!("{from}: {text} → {}", unmarked(answer))),
            Some(answer) => refused.push(format!("{from}: {text} → {}", unmarked(answer))),
            None => refused.push(format!("{from}: {text} Nothing was said of it.")),
        }
    }
    (corrected, refused)
}

#[cfg(test)]
mod tests {
    use domain::{Effort, EvidenceTag};

    use super::*;

    fn reply(resolutions: &str) -> String {
        format!(
            r#"{{{resolutions}"answer":"It costs 84,000 [1].","text":"Twelve rents.","sure":[{{"of":"the rent","chance":95}}],
            "alternative":"48,000.","would_change":"Another lease.","unresolved":[],"title":"",
            "evidence":[{{"text":"The product.","tag":"Observed","calls":[7]}}],"rivals":[]}}"#
        )
    }

    #[test]
    fn an_answer_is_held_to_its_calls() {
        let asked = Asked::at(Effort::Brief).when("undrafted", true);
        let bounds = AnswerBounds {
            asked: &asked,
            calls: &[1],
            draft: None,
            sources: &SourceList::default(),
            first: false,
        };
        let answer = read_answer(&reply(""), &bounds, "m").unwrap();
        assert_eq!((answer.title.as_str(), answer.dropped_citations), ("It costs 84,000.", 1));
        assert_eq!((answer.evidence[0].tag, answer.evidence[0].lowered), (EvidenceTag::Assumed, true));
        let mut sources = SourceList::default();
        sources.add([domain::Source {
            title: "Rents".into(),
            url: "https://example.org/rents".to_owned().try_into().unwrap(),
            excerpt: String::new(),
        }]);
        let bounds = AnswerBounds { sources: &sources, ..bounds };
        let answer = read_answer(&reply("").replace("Twelve rents.", "Twelve rents [2]."), &bounds, "m");
        let answer = answer.unwrap();
        assert_eq!((answer.answer.as_str(), answer.text.as_str()), ("It costs 84,000 [1].", "Twelve rents."));
        assert_eq!((answer.sources.len(), answer.dropped_citations), (1, 1), "there is one page");
    }

    #[test]
    fn each_objection_to_the_draft_is_answered() {
        let asked = Asked::at(Effort::Brief).when("objected", true).when("drafted", true);
        let objection = |number, text: &str| Objection { number, from: "Scout 2".into(), text: text.into() };
        let objections = vec![objection(1, "Wrong: eleven rents."), objection(2, "Missing: the heating.")];
        let draft = &ChosenDraft { text: "Eleven rents.".into(), objections, ..ChosenDraft::default() };
        let read = |resolutions: &str, first| {
            let sources = &SourceList::default();
            let bounds = AnswerBounds { asked: &asked, calls: &[1], draft: Some(draft), sources, first };
            read_answer(&reply(resolutions), &bounds, "m")
        };
        let all = r#""resolutions":[{"objection":1,"taken":true,"because":"Twelve rents."},{"objection":2,"taken":false,"because":"It is in the rent."}],
            "edits":[{"objection":1,"stands":"Eleven","becomes":"Twelve"}],"#;
        assert!(read("", true).unwrap_err().to_string().contains("no answer to objection 1, 2"));
        let answer = read(all, true).unwrap();
        assert_eq!(answer.text, "Twelve rents.");
        assert_eq!(answer.corrected, ["Scout 2: Wrong: eleven rents. → Twelve rents."]);
        assert_eq!(answer.refused, ["Scout 2: Missing: the heating. → It is in the rent."]);
        assert_eq!(read("", false).unwrap().refused.len(), 2, "the second time it has to do");
    }
}
