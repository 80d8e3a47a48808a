//! What an audit finds, and the score that follows from it.

use serde::{Deserialize, Serialize};
use strum::{EnumIter, IntoEnumIterator as _};

/// The best score.
const BEST: u32 = 100;

/// One of the five things an audit looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, EnumIter)]
#[serde(rename_all = "snake_case")]
pub enum AuditLayer {
    /// Whether prompts say what they must.
    Prompts,
    /// Whether sources have addresses and citations lead to them.
    Output,
    /// Whether the pages are there.
    Reach,
    /// Whether the pages say what they are cited for.
    Grounding,
    /// Whether facts came from nowhere.
    Consistency,
}

impl AuditLayer {
    /// 1 to 5.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The layer of a number.
    #[must_use]
    pub fn numbered(number: u8) -> Option<Self> {
        Self::iter().find(|layer| layer.number() == number)
    }

    /// Its name.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Prompts => "Prompts",
            Self::Output => "Citations",
            Self::Reach => "Pages reachable",
            Self::Grounding => "Grounding",
            Self::Consistency => "Consistency",
        }
    }

    /// What is counted of what it looked at, one of it.
    #[must_use]
    pub fn counts(self) -> &'static str {
        match self {
            Self::Prompts => "prompt",
            Self::Output => "text",
            Self::Reach => "page",
            Self::Grounding => "cited sentence",
            Self::Consistency => "new figure or name",
        }
    }
}

/// How much of it is audited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuditScope {
    /// All five layers.
    Whole,
    /// One of them.
    Only(AuditLayer),
}

impl AuditScope {
    /// The whole, then each layer by itself.
    #[must_use]
    pub fn all() -> Vec<Self> {
        [Self::Whole].into_iter().chain(AuditLayer::iter().map(Self::Only)).collect()
    }

    /// The layers that are looked at, in their order.
    #[must_use]
    pub fn layers(self) -> Vec<AuditLayer> {
        match self {
            Self::Whole => AuditLayer::iter().collect(),
            Self::Only(layer) => vec![layer],
        }
    }

    /// 0 for the whole, a layer's number otherwise.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Whole => 0,
            Self::Only(layer) => layer.number(),
        }
    }

    /// As it is chosen.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Only(AuditLayer::Prompts) => "prompts",
            Self::Only(AuditLayer::Output) => "citations",
            Self::Only(AuditLayer::Reach) => "pages",
            Self::Only(AuditLayer::Grounding) => "grounding",
            Self::Only(AuditLayer::Consistency) => "consistency",
        }
    }

    /// What it looks at, as whoever chooses it reads it.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Whole => "everything below",
            Self::Only(AuditLayer::Prompts) => "what the models were asked with",
            Self::Only(AuditLayer::Output) => "whether citations lead to sources",
            Self::Only(AuditLayer::Reach) => "whether the cited pages can be reached",
            Self::Only(AuditLayer::Grounding) => "whether the pages say what they are cited for",
            Self::Only(AuditLayer::Consistency) => "whether a figure or name comes from nowhere",
        }
    }

    /// The scope of a number.
    #[must_use]
    pub fn numbered(number: u8) -> Option<Self> {
        if number == 0 { Some(Self::Whole) } else { AuditLayer::numbered(number).map(Self::Only) }
    }
}

/// What can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, EnumIter)]
#[serde(rename_all = "snake_case")]
pub enum AuditFault {
    /// A prompt does not say that material is data.
    PromptObeys,
    /// A prompt has no rule for sources.
    PromptSources,
    /// A prompt does not ask for JSON and nothing else.
    PromptShape,
    /// What somebody wrote stands in a prompt outside its tags, or tags do not close.
    PromptUnfenced,
    /// A source has no address that a reader can open.
    NoAddress,
    /// A citation leads to no source.
    OutOfRange,
    /// Something is cited though nothing was searched.
    Unsearched,
    /// A page is not there.
    Unreachable,
    /// An address leads into a network that is nobody's business.
    NotPublic,
    /// A page does not say what it is cited for.
    Unsupported,
    /// A page says only some of it.
    Partial,
    /// A fact that nobody had before and no source of its speaker has.
    NewFact,
    /// A figure that code finds nowhere before, and no model has looked at.
    NewFigure,
}

impl AuditFault {
    /// How much a finding of it lowers the score.
    #[must_use]
    pub fn points(self) -> u32 {
        match self {
            Self::PromptUnfenced | Self::Unsupported | Self::NotPublic => 10,
            Self::PromptObeys
            | Self::PromptSources
            | Self::Unsearched
            | Self::OutOfRange
            | Self::NoAddress => 5,
            Self::Unreachable | Self::NewFact => 4,
            Self::PromptShape | Self::Partial => 3,
            Self::NewFigure => 1,
        }
    }

    /// In which layer it is found.
    #[must_use]
    pub fn layer(self) -> AuditLayer {
        match self {
            Self::PromptObeys | Self::PromptSources | Self::PromptShape | Self::PromptUnfenced => {
                AuditLayer::Prompts
            }
            Self::NoAddress | Self::OutOfRange | Self::Unsearched => AuditLayer::Output,
            Self::Unreachable | Self::NotPublic => AuditLayer::Reach,
            Self::Unsupported | Self::Partial => AuditLayer::Grounding,
            Self::NewFact | Self::NewFigure => AuditLayer::Consistency,
        }
    }

    /// What it means, as a sentence without its full stop.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::PromptObeys => "A prompt does not say that what others wrote is data and gives no orders",
            Self::PromptSources => "A prompt has no rule for sources",
            Self::PromptShape => "A prompt does not ask for JSON and nothing else",
            Self::PromptUnfenced => "Text of others stands in a prompt outside its tags",
            Self::NoAddress => "A source has no address that a reader can open",
            Self::OutOfRange => "A citation leads to no source",
            Self::Unsearched => "Something is cited though nothing was searched",
            Self::Unreachable => "A cited page cannot be reached",
            Self::NotPublic => "An address does not lead to a public page",
            Self::Unsupported => "UNSUPPORTED: the page does not say what it is cited for",
            Self::Partial => "PARTIAL: the page says only some of what it is cited for",
            Self::NewFact => "A fact appears that nobody had before and no source of its own has",
            Self::NewFigure => {
                "A figure appears that nobody had before; no model looked at whether it follows"
            }
        }
    }
}

/// Where something was said.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Origin {
    /// The step.
    pub step: String,
    /// Who said it; empty for a prompt.
    pub by: String,
    /// In which round.
    pub round: Option<u8>,
}

/// Something that is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AuditFinding {
    /// What.
    pub fault: AuditFault,
    /// Where.
    pub at: Origin,
    /// The words it is about.
    pub quote: String,
    /// What more there is to say of it: an address, a reason.
    pub detail: String,
}

/// What a page says of a sentence that cites it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, EnumIter)]
#[serde(rename_all = "snake_case")]
pub enum ClaimVerdict {
    /// It says it.
    Supported,
    /// It says some of it.
    Partial,
    /// It does not say it.
    Unsupported,
    /// Nobody could read it.
    Unreachable,
    /// No verdict holds: nobody was asked, or what was shown for it does not stand on the page.
    Unchecked,
}

impl ClaimVerdict {
    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Supported => "SUPPORTED",
            Self::Partial => "PARTIAL",
            Self::Unsupported => "UNSUPPORTED",
            Self::Unreachable => "UNREACHABLE",
            Self::Unchecked => "unchecked",
        }
    }

    /// What lowers the score about it.
    #[must_use]
    pub fn fault(self) -> Option<AuditFault> {
        match self {
            Self::Partial => Some(AuditFault::Partial),
            Self::Unsupported => Some(AuditFault::Unsupported),
            // That a page is not there is a finding of its own.
            Self::Supported | Self::Unreachable | Self::Unchecked => None,
        }
    }
}

/// A sentence that cites a page, and what the page says of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckedClaim {
    /// Where it was said.
    pub at: Origin,
    /// The sentence.
    pub sentence: String,
    /// The number it cites.
    pub number: usize,
    /// The page's address.
    pub url: String,
    /// What the page says of it.
    pub verdict: ClaimVerdict,
    /// The words of the page that the verdict goes by, which really stand there.
    pub quotation: Option<String>,
    /// Why it was not checked, where it was not.
    pub why: Option<String>,
}

/// A layer that was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Examined {
    /// Which.
    pub layer: AuditLayer,
    /// How much it looked at.
    pub count: usize,
    /// What could not be judged and why, a sentence each.
    pub unjudged: Vec<String>,
}

/// What an audit came to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Audit {
    /// The layers, in their order.
    pub layers: Vec<Examined>,
    /// What is wrong.
    pub findings: Vec<AuditFinding>,
    /// The sentences that cite pages.
    pub claims: Vec<CheckedClaim>,
    /// Pages that let nobody in, which lowers nothing.
    pub blocked: Vec<String>,
    /// The model that judged, as its provider says; none where code alone looked.
    pub judge: Option<String>,
}

impl Audit {
    /// 100, less what the findings take.
    #[must_use]
    pub fn score(&self) -> u32 {
        let less: u32 = self.findings.iter().map(|finding| finding.fault.points()).sum();
        BEST.saturating_sub(less)
    }

    /// What lowered the score: each fault, how often, and how many points that took; most first.
    #[must_use]
    pub fn lowered(&self) -> Vec<(AuditFault, usize, u32)> {
        let of = |fault: AuditFault| {
            let count = self.findings.iter().filter(|finding| finding.fault == fault).count();
            (fault, count, fault.points().saturating_mul(u32::try_from(count).unwrap_or(u32::MAX)))
        };
        let mut lowered: Vec<_> = AuditFault::iter().map(of).filter(|(_, count, _)| *count > 0).collect();
        lowered.sort_by_key(|(_, _, points)| std::cmp::Reverse(*points));
        lowered
    }

    /// Whether it looked at all that is wanted.
    #[must_use]
    pub fn covers(&self, scope: AuditScope) -> bool {
        scope.layers().iter().all(|wanted| self.layers.iter().any(|examined| examined.layer == *wanted))
    }

    /// The layer that alone it looked at, if it was one.
    #[must_use]
    pub fn only(&self) -> Option<AuditLayer> {
        if let [one] = &self.layers[..] { Some(one.layer) } else { None }
    }

    /// How many claims have this verdict.
    #[must_use]
    pub fn count(&self, verdict: ClaimVerdict) -> usize {
        self.claims.iter().filter(|claim| claim.verdict == verdict).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_is_what_its_parts_say() {
        let finding = |fault| AuditFinding {
            fault,
            at: Origin::default(),
            quote: String::new(),
            detail: String::new(),
        };
        let mut audit = Audit::default();
        assert_eq!((audit.score(), audit.lowered()), (100, Vec::new()));
        audit.findings = vec![
            finding(AuditFault::Partial),
            finding(AuditFault::Unsupported),
            finding(AuditFault::Partial),
        ];
        assert_eq!(audit.score(), 84);
        assert_eq!(audit.lowered(), [(AuditFault::Unsupported, 1, 10), (AuditFault::Partial, 2, 6)]);
        audit.findings = vec![finding(AuditFault::Unsupported); 11];
        assert_eq!(audit.score(), 0);
    }

    #[test]
    fn layers_go_by_their_numbers() {
        let numbers: Vec<u8> = AuditScope::Whole.layers().into_iter().map(AuditLayer::number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        for scope in AuditScope::all() {
            assert_eq!(AuditScope::numbered(scope.number()), Some(scope));
        }
        assert_eq!(AuditScope::numbered(6), None);
        assert_eq!(AuditLayer::numbered(4), Some(AuditLayer::Grounding));
        assert_eq!((AuditLayer::numbered(0), AuditLayer::numbered(6)), (None, None));
        let looked = |layer| Examined { layer, count: 0, unjudged: Vec::new() };
        let part = Audit { layers: vec![looked(AuditLayer::Reach)], ..Audit::default() };
        assert!(part.covers(AuditScope::Only(AuditLayer::Reach)) && !part.covers(AuditScope::Whole));
        assert_eq!(part.only(), Some(AuditLayer::Reach));
    }
}
