//! Deep research: what is looked into once a synthesis is written, and what the pages found say to it.

use serde::{Deserialize, Serialize};

use super::{
    Citing, FlagColor, ModuleName, Numbered, Offered, Searched, Severity, Solution, Source, Synthesis,
    citations, one_line,
};

/// Most matters that are looked into at once; each takes two calls and a search.
pub const MOST_RESEARCHED: usize = 6;

/// How much hangs on a matter, the most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gravity {
    /// A conflict that sinks the plan.
    Critical,
    /// A red flag that belongs to no conflict that is looked into.
    Red,
    /// A conflict that has to be settled before starting.
    High,
}

/// A conflict or a lone red flag that is looked into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matter {
    /// Who cannot all be right; nobody where it is a flag.
    pub modules: Vec<ModuleName>,
    /// About what, on a line and without citations.
    pub topic: String,
    /// What each holds; of a flag what it says.
    pub description: String,
    /// How much hangs on it.
    pub gravity: Gravity,
}

impl Matter {
    /// The grave conflicts of a synthesis, and its red flags but those that belong to one of them; the gravest first.
    #[must_use]
    pub fn of(synthesis: &Synthesis) -> Vec<Self> {
        let grave = |severity| match severity {
            Severity::Critical => Some(Gravity::Critical),
            Severity::High => Some(Gravity::High),
            Severity::Medium | Severity::Low => None,
        };
        let conflict = |number: usize| synthesis.conflicts.get(number.checked_sub(1)?);
        let is_covered = |number| conflict(number).is_some_and(|conflict| grave(conflict.severity).is_some());
        let conflicts = synthesis.conflicts.iter().filter_map(|conflict| {
            Some(Self {
                modules: conflict.modules.clone(),
                topic: conflict.topic.clone(),
                description: conflict.description.clone(),
                gravity: grave(conflict.severity)?,
            })
        });
        let red = synthesis.flags.iter().filter(|flag| flag.color == FlagColor::Red);
        let flags = red.filter(|flag| !flag.conflict.is_some_and(is_covered)).map(|flag| Self {
            modules: Vec::new(),
            topic: one_line(&citations::within(&flag.text, 0).0),
            description: flag.text.clone(),
            gravity: Gravity::Red,
        });
        let mut matters: Vec<Self> = conflicts.chain(flags).collect();
        matters.sort_by_key(|matter| matter.gravity);
        matters
    }

    /// The words with which a verdict can say what the pages support.
    #[must_use]
    pub fn findings(&self) -> Vec<String> {
        let modules = self.modules.iter().map(|module| module.0.clone());
        let others: &[&str] = match &self.modules[..] {
            [] => &["confirmed", "in_part", "refuted", "unsettled"],
            _ => &["in_part", "neither", "unsettled"],
        };
        modules.chain(others.iter().map(ToString::to_string)).collect()
    }

    /// What such a word says; `None` for any other.
    #[must_use]
    pub fn finding(&self, word: &str) -> Option<Supported> {
        let word = word.trim().to_lowercase().replace([' ', '-'], "_");
        let of = |module: &&ModuleName| {
            [&*module.0, module.title()]
                .iter()
                .any(|name| name.to_lowercase().replace([' ', '-'], "_") == word)
        };
        if let Some(module) = self.modules.iter().find(of) {
            return Some(Supported::Module(module.clone()));
        }
        match (word.as_str(), self.modules.is_empty()) {
            ("in_part", _) => Some(Supported::InPart),
            ("unsettled", _) => Some(Supported::Unsettled),
            ("neither", false) => Some(Supported::Neither),
            ("confirmed", true) => Some(Supported::Confirmed),
            ("refuted", true) => Some(Supported::Refuted),
            _ => None,
        }
    }
}

/// Which position the pages support.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Supported {
    /// What this module holds.
    Module(ModuleName),
    /// A part of each position, or of the danger.
    InPart,
    /// None of the positions.
    Neither,
    /// The danger is there.
    Confirmed,
    /// The danger is not there.
    Refuted,
    /// What was found does not settle it.
    Unsettled,
}

/// What was made of a matter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConflictResolution {
    /// About what.
    pub topic: String,
    /// Who could not all be right; nobody where it is a red flag.
    pub modules: Vec<ModuleName>,
    /// How much hangs on it.
    pub severity: Gravity,
    /// What the pages say for and against, in Markdown.
    pub evidence: String,
    /// Which position they support.
    pub finding: Supported,
    /// The same in a sentence or two, citing them.
    pub verdict: String,
    /// What to do by it.
    pub updated_recommendation: String,
    /// The option that this makes more specific, by its number; `None` where it is none of them.
    pub option: Option<usize>,
    /// A position was named, but by no page that there is; so nothing is settled.
    pub unfounded: bool,
    /// Why there is no verdict; `None` where there is one.
    pub silent: Option<String>,
    /// What became of searching for it.
    pub searched: Searched,
    /// What it cites, by the numbers of its marks from 1; none once they stand on the session's list.
    pub sources: Vec<Source>,
    /// The model that answered; empty where none was asked.
    pub answered_by: String,
    /// Citations the code took out because there is no page of theirs.
    pub dropped_citations: u32,
}

impl ConflictResolution {
    /// Of a matter of which nothing could be said, and why.
    #[must_use]
    pub fn silent(matter: &Matter, why: Option<String>, searched: Searched) -> Self {
        Self {
            topic: matter.topic.clone(),
            modules: matter.modules.clone(),
            severity: matter.gravity,
            evidence: String::new(),
            finding: Supported::Unsettled,
            verdict: String::new(),
            updated_recommendation: String::new(),
            option: None,
            unfounded: false,
            silent: why,
            searched,
            sources: Vec::new(),
            answered_by: String::new(),
            dropped_citations: 0,
        }
    }

    /// Each text in which there may be marks.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        [&self.evidence, &self.verdict, &self.updated_recommendation].into_iter()
    }

    /// Whether pages that there are support a position.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.finding != Supported::Unsettled
    }

    /// With the sources that it cites, and held to them: a verdict without one settles nothing.
    #[must_use]
    pub fn held_to(self, offered: &Offered) -> Self {
        let mut held = self.citing(offered);
        if held.is_settled() && citations::cited(&held.verdict).is_empty() {
            held.finding = Supported::Unsettled;
            held.unfounded = true;
        }
        held
    }
}

impl Citing for ConflictResolution {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        let texts = [&mut self.evidence, &mut self.verdict, &mut self.updated_recommendation];
        texts.into_iter().for_each(change);
    }

    fn sources(&mut self) -> &mut Vec<Source> {
        &mut self.sources
    }
}

/// All that came of deep research, as its card shows it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Research {
    /// What was made of each matter, the gravest first, by the session's numbers of pages.
    pub resolutions: Vec<ConflictResolution>,
    /// The pages that they cite.
    pub sources: Vec<Numbered>,
    /// Topics for which there was no room.
    pub left_out: Vec<String>,
}

impl Research {
    /// How many matters were looked into, and how many of them are settled.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        let settled = self.resolutions.iter().filter(|resolution| resolution.is_settled()).count();
        (self.resolutions.len(), settled)
    }

    /// The solutions, each with what was found out that makes it more specific. Only what pages settle: the option stays as
    /// it was written, and whoever chooses sees both.
    #[must_use]
    pub fn beside(&self, mut solutions: Vec<Solution>) -> Vec<Solution> {
        for resolution in self.resolutions.iter().filter(|resolution| resolution.is_settled()) {
            let place = resolution.option.and_then(|number| number.checked_sub(1));
            let solution = place.and_then(|place| solutions.get_mut(place));
            if let Some(solution) = solution.filter(|_| !resolution.updated_recommendation.is_empty()) {
                solution.provenance.sharper.push(Sharper {
                    topic: resolution.topic.clone(),
                    text: resolution.updated_recommendation.clone(),
                });
            }
        }
        solutions
    }
}

/// What research on a matter adds to an option.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sharper {
    /// The matter.
    pub topic: String,
    /// What to do by what was found.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conflict, Flag, sample::mediate as sample};

    fn red(text: &str, conflict: Option<usize>) -> Flag {
        Flag { conflict, ..sample::flag(FlagColor::Red, text) }
    }

    fn topics(synthesis: &Synthesis) -> Vec<String> {
        Matter::of(synthesis).into_iter().map(|matter| matter.topic).collect()
    }

    #[test]
    fn grave_conflicts_and_red_flags_that_belong_to_none_are_looked_into_the_gravest_first() {
        let mut synthesis = sample::synthesis();
        let conflict = |severity, topic: &str| Conflict {
            severity,
            topic: topic.to_owned(),
            ..sample::synthesis().conflicts[0].clone()
        };
        synthesis.conflicts = vec![
            conflict(Severity::Critical, "Fee"),
            conflict(Severity::High, "Couriers"),
            conflict(Severity::Medium, "Colour"),
        ];
        synthesis.flags = vec![
            red("Of the fee.", Some(1)),
            red("Of the colour [2].", Some(3)),
            red("Of nothing.", Some(0)),
            red("Of a conflict there is not.", Some(9)),
            red("Not said.", None),
            sample::flag(FlagColor::Yellow, "Care."),
        ];
        assert_eq!(
            topics(&synthesis),
            ["Fee", "Of the colour.", "Of nothing.", "Of a conflict there is not.", "Not said.", "Couriers"]
        );
        synthesis.conflicts.truncate(0);
        synthesis.flags.truncate(0);
        assert_eq!(topics(&synthesis), Vec::<String>::new());
    }

    #[test]
    fn a_verdict_says_one_of_the_words_there_are_for_its_matter() {
        let conflict = Matter::of(&sample::synthesis()).remove(0);
        for word in conflict.findings() {
            assert!(conflict.finding(&word).is_some(), "{word}");
        }
        assert_eq!(conflict.finding(" Cost"), Some(Supported::Module(sample::name("cost"))));
        assert_eq!(conflict.finding("In part"), Some(Supported::InPart));
        for other in ["risk", "confirmed", "refuted", "", "both"] {
            assert_eq!(conflict.finding(other), None, "{other}");
        }
        let flag = Matter { modules: Vec::new(), ..conflict };
        assert!(flag.findings().iter().all(|word| flag.finding(word).is_some()));
        assert_eq!((flag.finding("neither"), flag.finding("cost")), (None, None));
    }

    #[test]
    fn a_verdict_without_a_page_settles_nothing_and_sharpens_no_option() {
        let matter = Matter::of(&sample::synthesis()).remove(0);
        let offered = Offered { found: sample::pages(), ..Offered::default() };
        let said = |verdict: &str| {
            let silent = ConflictResolution::silent(&matter, None, Searched::Nothing);
            let (verdict, _) = citations::within(verdict, offered.len());
            ConflictResolution {
                finding: Supported::InPart,
                verdict,
                updated_recommendation: "Ask for 12 % [2].".into(),
                option: Some(1),
                ..silent
            }
            .held_to(&offered)
        };
        let (founded, unfounded) = (said("It is so [2]."), said("It is so [9]."));
        assert_eq!((founded.is_settled(), founded.verdict.as_str()), (true, "It is so [1]."));
        assert_eq!((unfounded.is_settled(), unfounded.unfounded), (false, true));
        for (resolution, sharper) in [(founded, 1), (unfounded, 0)] {
            let research = Research { resolutions: vec![resolution], ..Research::default() };
            let beside = research.beside(sample::solutions());
            assert_eq!(beside[0].provenance.sharper.len(), sharper);
            assert_eq!(
                beside[0].description,
                sample::solutions()[0].description,
                "the option stays as it is"
            );
        }
    }

    #[test]
    fn an_option_that_there_is_not_is_none() {
        let mut resolution =
            ConflictResolution::silent(&Matter::of(&sample::synthesis()).remove(0), None, Searched::Nothing);
        resolution.finding = Supported::Neither;
        resolution.updated_recommendation = "x".into();
        for option in [None, Some(0), Some(99)] {
            let resolutions = vec![ConflictResolution { option, ..resolution.clone() }];
            let research = Research { resolutions, ..Research::default() };
            assert_eq!(research.beside(sample::solutions()), sample::solutions());
        }
    }
}
