//! What the pages found say on a matter of deep research.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use forms::{Asked, Read};

use super::ParseError;
use domain::{ConflictResolution, Matter, Offered, Searched};

/// The evidence first, then what it supports and what follows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "resolution")]
pub struct ResolutionReply {
    /// Markdown: what the pages say for each position or for the danger, and against it; figures with their basis.
    #[schemars(extend("words" = "60-120 | 120-200 | 200-350"))]
    pub evidence: String,
    /// What they bear out.
    #[schemars(extend("names" = "findings"))]
    pub supports: String,
    /// One or two sentences with the marks that carry them: what is so, and how far that can be relied on. If it is unsettled,
    /// what is missing.
    #[schemars(extend("words" = "15-45", "line" = true, "needed" = true))]
    pub verdict: String,
    /// What the team should do by this, in two or three sentences, more specific than what was said before: how much, by when,
    /// on what condition. If it is unsettled, what would settle it and how to find that out.
    #[schemars(extend("words" = "20-60", "line" = true))]
    pub recommendation: String,
    /// The number of the option that this makes more specific, or none.
    #[schemars(extend("names" = "options"))]
    pub option: String,
}

/// Reads the resolution of a matter: marks stay for what was `offered`, a finding has to be one of the matter's words, and a
/// verdict without a page settles nothing. `options`: how many there are; `first`: what is far too long is an error.
pub fn read_resolution(
    (text, answered_by): (&str, &str),
    (matter, asked): (&Matter, &Asked),
    (offered, searched): (&Offered, Searched),
    options: usize,
    first: bool,
) -> Result<ConflictResolution, ParseError> {
    let Read { said, dropped } = forms::read::<ResolutionReply>(text, asked, offered.len(), first)?;
    let finding = matter.finding(&said.supports).ok_or_else(|| {
        let words = matter.findings().join(", ");
        ParseError::Shape(format!("`supports` is {:?} and not one of {words}", said.supports))
    })?;
    let resolution = ConflictResolution {
        finding,
        verdict: said.verdict,
        evidence: said.evidence,
        updated_recommendation: said.recommendation,
        option: said.option.trim().parse().ok().filter(|number| (1..=options).contains(number)),
        answered_by: answered_by.to_owned(),
        dropped_citations: dropped,
        ..ConflictResolution::silent(matter, None, searched)
    };
    Ok(resolution.held_to(offered))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sample::mediate::{name, pages, synthesis};
    use domain::Supported;

    fn read(supports: &str, verdict: &str, option: usize) -> Result<ConflictResolution, ParseError> {
        let matter = Matter::of(&synthesis()).remove(0);
        let offered =
            Offered { known: pages().split_off(2), found: pages()[..2].to_vec(), ..Offered::default() };
        let reply = json!({
            "evidence": "Fees are 13 to 30 % [2], couriers leave [3], https://x.example says more.",
            "supports": supports, "verdict": verdict, "recommendation": "Ask for 12 % [2].", "option": option.to_string(),
        });
        let searched = Searched::Found { queries: vec!["rider liability".into()], pages: 2 };
        read_resolution(
            (&reply.to_string(), "m"),
            (&matter, &Asked::default()),
            (&offered, searched),
            3,
            true,
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
        assert_eq!(read("cost", "[9]", 0), Err(ParseError::Missing("verdict".to_owned())));
    }
}
