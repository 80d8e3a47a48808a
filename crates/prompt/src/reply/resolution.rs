//! What the pages found say on a matter of deep research.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    words::{Cleaner, needed},
};
use domain::{ConflictResolution, Matter, Offered, Searched};

/// The evidence first, then what it supports and what follows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolutionReply {
    /// What the pages say for and against, in Markdown.
    #[schemars(length(max = 900))]
    pub evidence: String,
    /// Which position they support.
    pub supports: String,
    /// What is so, in one or two sentences with the marks that carry them.
    #[schemars(length(max = 320))]
    pub verdict: String,
    /// What to do by it, in two or three sentences.
    #[schemars(length(max = 360))]
    pub recommendation: String,
    /// The option that this makes more specific, by its number; 0 for none.
    #[schemars(range(min = 0))]
    pub option: usize,
}

impl ResolutionReply {
    /// The resolution of its matter: marks stay for what was offered, a finding has to be one of the matter's words, and a
    /// verdict without a page settles nothing. `options`: how many there are.
    pub fn into_resolution(
        self,
        matter: &Matter,
        (offered, searched): (&Offered, Searched),
        options: usize,
        answered_by: &str,
    ) -> Result<ConflictResolution, ParseError> {
        let finding = matter.finding(&self.supports).ok_or_else(|| {
            let words = matter.findings().join(", ");
            ParseError::Shape(format!("`supports` is {:?} and not one of {words}", self.supports))
        })?;
        let mut clean = Cleaner::offering(offered.len());
        let verdict = clean.line(&self.verdict);
        needed("verdict", &verdict)?;
        let resolution = ConflictResolution {
            finding,
            verdict,
            evidence: clean.text(&self.evidence),
            updated_recommendation: clean.line(&self.recommendation),
            option: Some(self.option).filter(|number| (1..=options).contains(number)),
            answered_by: answered_by.to_owned(),
            dropped_citations: clean.dropped,
            ..ConflictResolution::silent(matter, None, searched)
        };
        Ok(resolution.held_to(offered))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        parse,
        sample::mediate::{name, pages, synthesis},
    };
    use domain::Supported;

    fn read(supports: &str, verdict: &str, option: usize) -> Result<ConflictResolution, ParseError> {
        let matter = Matter::of(&synthesis()).remove(0);
        let offered =
            Offered { known: pages().split_off(2), found: pages()[..2].to_vec(), ..Offered::default() };
        let reply = json!({
            "evidence": "Fees are 13 to 30 % [2], couriers leave [3], https://x.example says more.",
            "supports": supports, "verdict": verdict, "recommendation": "Ask for 12 % [2].", "option": option,
        });
        let reply = parse::<ResolutionReply>(&reply.to_string())?;
        reply.into_resolution(
            &matter,
            (&offered, Searched::Found { queries: vec!["rider liability".into()], pages: 2 }),
            3,
            "m",
        )
    }

    #[test]
    fn a_verdict_stands_on_pages_that_there_are() {
        let said = read("cost", "It is 13 % [2] [7].", 2).unwrap();
        assert_eq!((said.finding.clone(), said.option), (Supported::Module(name("cost")), Some(2)));
        assert_eq!(said.verdict, "It is 13 % [1].");
        assert_eq!(said.evidence, "Fees are 13 to 30 % [1], couriers leave [2], x.example says more.");
        assert_eq!((said.sources, said.dropped_citations), (pages()[..2].to_vec(), 2));
    }

    #[test]
    fn what_cites_nothing_or_nothing_there_is_settles_nothing() {
        for verdict in ["It is 13 %.", "It is 13 % [9].", "It is 13 % (Source: a study)."] {
            let said = read("market", verdict, 1).unwrap();
            assert_eq!((said.is_settled(), said.unfounded), (false, true), "{verdict}");
        }
        let honest = read("Unsettled", "No page says it.", 9).unwrap();
        assert_eq!((honest.is_settled(), honest.unfounded, honest.option), (false, false, None));
    }

    #[test]
    fn a_word_that_names_no_position_is_asked_for_again() {
        for word in ["risk", "both", "confirmed", ""] {
            let said = read(word, "It is 13 % [2].", 0);
            assert!(
                matches!(&said, Err(ParseError::Shape(why)) if why.contains("market, cost, in_part")),
                "{said:?}"
            );
        }
        assert_eq!(read("cost", "[9]", 0), Err(ParseError::Empty("verdict")));
    }
}
