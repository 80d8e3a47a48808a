//! The answer, first as a draft and then after all have checked it; and what they find in the draft.

use forms::Asked;

use super::super::{
    ParseError,
    module::{begins, is_a_change},
};
use domain::{AnswerFault, DraftCheck, InvestigationAnswer, SourceList};

/// What an answer is held to.
#[derive(Clone, Copy, Debug)]
pub struct AnswerBounds<'a> {
    /// What was asked for.
    pub asked: &'a Asked,
    /// The calls and checks that gave something back, from 1.
    pub calls: &'a [usize],
    /// The draft, and the faults that were found in it; nothing of a draft itself.
    pub draft: Option<(&'a InvestigationAnswer, &'a [AnswerFault])>,
    /// The pages that may be cited, by number.
    pub sources: &'a SourceList,
    /// The first time, what is too long, leaves a fault without an answer or loses something is an error.
    pub first: bool,
}

/// An answer as it is kept, held to its grounds.
pub fn read_answer(
    text: &str,
    bounds: &AnswerBounds<'_>,
    answered_by: &str,
) -> Result<InvestigationAnswer, ParseError> {
    let AnswerBounds { asked, calls, draft, sources, first } = *bounds;
    let read = forms::read::<InvestigationAnswer>(text, asked, sources.sources().len(), first)?;
    let mut said = read.said;
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
    if let Some((draft, faults)) = draft {
        let open: Vec<String> = faults
            .iter()
            .filter(|fault| !said.mended.iter().any(|answer| answer.fault == fault.number))
            .map(|fault| fault.number.to_string())
            .collect();
        if first && !open.is_empty() {
            return Err(ParseError::Shape(format!("no answer to fault {}", open.join(", "))));
        }
        let lost = said.lost_of(draft);
        if first && !lost.is_empty() {
            return Err(ParseError::Shape(format!(
                "the draft had {}, which no longer stands there; keep it, unless a fault says that it is wrong",
                lost.join(", and ")
            )));
        }
        (said.corrected, said.refused) = told(faults, &said);
    }
    said.answered_by = Some(answered_by.to_owned());
    said.dropped_citations = read.dropped;
    Ok(said)
}

/// The faults that were corrected, and those that were not, each with who found it.
fn told(faults: &[AnswerFault], said: &InvestigationAnswer) -> (Vec<String>, Vec<String>) {
    let (mut corrected, mut refused) = (Vec::new(), Vec::new());
    for AnswerFault { number, from, text } in faults {
        match said.mended.iter().find(|answer| answer.fault == *number) {
            Some(answer) if answer.taken => corrected.push(format!("{from}: {}", answer.told)),
            Some(answer) => refused.push(format!("{from}: {}", answer.told)),
            None => refused.push(format!("{from}: {text} Nothing was said of it.")),
        }
    }
    (corrected, refused)
}

/// What somebody finds in a draft. That there is nothing, in whatever words, is no fault.
pub fn read_draft_check(text: &str, asked: &Asked, first: bool) -> Result<DraftCheck, ParseError> {
    let mut said = forms::read::<DraftCheck>(text, asked, 0, first)?.said;
    if !is_a_change(&said.missing) {
        said.missing.clear();
    }
    said.wrong.retain(|fault| is_a_change(&fault.what) || is_a_change(&fault.right));
    Ok(said)
}

#[cfg(test)]
mod tests {
    use domain::{Effort, EvidenceTag};

    use super::*;
    use crate::sample::investigate as sample;

    fn reply(rivals: &str, mended: &str) -> String {
        format!(
            r#"{{{mended}"answer":"It costs 84,000 [1].","text":"Twelve rents.","sure":[{{"of":"the rent","chance":95}}],
            "alternative":"48,000.","would_change":"Another lease.","unresolved":[],"title":"",
            "evidence":[{{"text":"The product.","tag":"Observed","calls":[7]}}],"rivals":[{rivals}]}}"#
        )
    }

    #[test]
    fn a_draft_is_held_to_its_calls() {
        let asked = Asked::at(Effort::Brief);
        let bounds = AnswerBounds {
            asked: &asked,
            calls: &[1],
            draft: None,
            sources: &SourceList::default(),
            first: false,
        };
        let answer = read_answer(&reply("", ""), &bounds, "m").unwrap();
        assert_eq!((answer.title.as_str(), answer.dropped_citations), ("It costs 84,000.", 1));
        assert_eq!((answer.evidence[0].tag, answer.evidence[0].lowered), (EvidenceTag::Assumed, true));
        let mut sources = SourceList::default();
        sources.add([domain::Source {
            title: "Rents".into(),
            url: "https://example.org/rents".to_owned().try_into().unwrap(),
            excerpt: String::new(),
        }]);
        let bounds = AnswerBounds { sources: &sources, ..bounds };
        let answer = read_answer(&reply("", "").replace("Twelve rents.", "Twelve rents [2]."), &bounds, "m");
        let answer = answer.unwrap();
        assert_eq!((answer.answer.as_str(), answer.text.as_str()), ("It costs 84,000 [1].", "Twelve rents."));
        assert_eq!((answer.sources.len(), answer.dropped_citations), (1, 1), "there is one page");
    }

    #[test]
    fn the_second_writing_answers_each_fault_and_loses_nothing() {
        let asked = Asked::at(Effort::Brief).when("final", true);
        let draft = sample::written();
        let fault = |number, text: &str| AnswerFault { number, from: "Scout 2".into(), text: text.into() };
        let faults = [fault(1, "Wrong: eleven rents."), fault(2, "Missing: the heating.")];
        let read = |rivals: &str, mended: &str, first| {
            let sources = &SourceList::default();
            let bounds =
                AnswerBounds { asked: &asked, calls: &[1], draft: Some((&draft, &faults)), sources, first };
            read_answer(&reply(rivals, mended), &bounds, "m")
        };
        let rival = r#"{"title":"It costs 48,000 a year.","description":"One says so."}"#;
        let all = r#""mended":[{"fault":1,"taken":true,"told":"Twelve rents."},{"fault":2,"taken":false,"told":"It is in the rent."}],"#;
        let error = |said: Result<InvestigationAnswer, ParseError>| said.unwrap_err().to_string();
        assert!(error(read(rival, "", true)).contains("no answer to fault 1, 2"));
        assert!(error(read("", all, true)).contains("the other answer “It costs 48,000 a year”"));
        let answer = read(rival, all, true).unwrap();
        assert_eq!(answer.corrected, ["Scout 2: Twelve rents."]);
        assert_eq!(answer.refused, ["Scout 2: It is in the rent."]);
        assert_eq!(read("", "", false).unwrap().refused.len(), 2, "the second time it has to do");
    }

    #[test]
    fn that_there_is_nothing_is_no_fault() {
        let asked = Asked::at(Effort::Brief);
        let reply = r#"{"sums":[{"number":"84,000","again":"12 × 7,000.","holds":true}],"wrong":[{"what":"None.","right":""}],"missing":"Nothing."}"#;
        assert!(read_draft_check(reply, &asked, true).unwrap().faults().is_empty());
    }
}
