//! Decision records: what was decided, out of what, by whom and why, and how it turned out.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::{Ballot, POINTS_PER_VOTER, Solution, SolutionId, Swing, UserId, Vote, citations::within};

/// How a decision turned out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Verdict {
    /// As hoped.
    Worked,
    /// In part.
    Partly,
    /// It did not work out.
    DidNot,
}

impl Verdict {
    /// As the database and buttons spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads that spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// How a decision turned out, as somebody said it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// In a word.
    pub verdict: Verdict,
    /// In a sentence.
    pub text: String,
    /// Who said so.
    pub by: UserId,
    /// The name they went by.
    pub by_name: String,
    /// When, seconds since 1970.
    pub at: i64,
}

/// A decision, with all that it was made from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// Its number in its session, from 1.
    pub number: u32,
    /// The vote it was made from: question, options, the experts' points and the team's ballots.
    pub vote: Vote,
    /// How the team's opinions moved, where there was a debate; the vote then holds its two sides and no points.
    pub swing: Option<Swing>,
    /// What was chosen.
    pub chosen: SolutionId,
    /// Why it was decided so.
    pub rationale: String,
    /// Who sees to it.
    pub owner: String,
    /// Who disagrees and why, in the words of whoever recorded it; beside what the votes say.
    pub dissent: String,
    /// When to ask how it turned out, seconds since 1970.
    pub review: Option<i64>,
    /// Who decided.
    pub by: UserId,
    /// The name they went by.
    pub by_name: String,
    /// When, seconds since 1970.
    pub at: i64,
    /// How it turned out.
    pub outcome: Option<Outcome>,
}

impl Decision {
    fn chosen(&self) -> Option<&Solution> {
        self.vote.solutions.iter().find(|solution| solution.id == self.chosen)
    }

    /// The chosen solution's title.
    #[must_use]
    pub fn title(&self) -> &str {
        self.chosen().map_or("", |solution| &solution.title)
    }

    /// What was chosen in full, with its cost and when to stop, without the marks of pages that stand nowhere here. Empty where
    /// no more was said than the title.
    #[must_use]
    pub fn in_full(&self) -> String {
        match self.chosen() {
            // What a member writes has brackets of its own.
            Some(solution) if solution.proposed => solution.description.clone(),
            Some(solution) => within(&solution.description, 0).0,
            None => String::new(),
        }
    }

    /// How much of the team went elsewhere.
    #[must_use]
    pub fn elsewhere(&self) -> Elsewhere {
        let place = self.vote.solutions.iter().position(|solution| solution.id == self.chosen);
        let given = |points: &[u32]| place.and_then(|place| points.get(place)).copied().unwrap_or_default();
        let mut elsewhere = Elsewhere::default();
        for allocation in self.vote.ballots.iter().filter_map(Ballot::points) {
            let given = given(allocation.points());
            elsewhere.voters += 1;
            elsewhere.gave_nothing += u32::from(given == 0);
            elsewhere.points += POINTS_PER_VOTER.saturating_sub(given);
        }
        elsewhere
    }

    /// All that a search looks at, in lower case.
    #[must_use]
    pub fn search_text(&self) -> String {
        let outcome = self.outcome.as_ref().map_or("", |outcome| &outcome.text);
        [
            self.title(),
            &self.vote.question,
            &self.rationale,
            &self.owner,
            &self.dissent,
            &self.by_name,
            outcome,
        ]
        .join("\n")
        .to_lowercase()
    }
}

/// The part of the team that voted for something else than what was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Elsewhere {
    /// Members who voted.
    pub voters: u32,
    /// Those of them who gave the chosen solution nothing.
    pub gave_nothing: u32,
    /// Points that the others got, out of ten for each voter.
    pub points: u32,
}
