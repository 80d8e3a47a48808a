//! What a debate is asked.

use serde::{Deserialize, Serialize};

use super::{Act, Framing, Level, Proposition, PropositionContext};
use crate::{
    Brief, Document, Effort, OptionName, Preset, Problem, Searching, Seat, Side,
    brief::{SessionBrief, said_alike},
};

/// A debate's brief.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DebateBrief {
    /// The proposition as somebody typed it, at most 500 characters.
    pub problem: Problem,
    /// How long it is.
    pub preset: Preset,
    /// A document for both sides.
    pub document: Option<Document>,
    /// Who argues for it, and who against it.
    pub advocates: Advocates,
    /// Who makes a neutral question of what was typed.
    pub gatekeeper: Seat,
    /// Who writes the synthesis and answers the team.
    pub moderator: Seat,
    /// Who checks that a turn is about the proposition; a cheap model.
    pub checker: Seat,
    /// The language the answers should be in, as a name (`English`); `None`: the proposition's own.
    pub language: Option<String>,
    /// How much is asked of everybody.
    pub effort: Effort,
    /// The date on which it began, as people write it: `27 November 2026`.
    #[serde(default)]
    pub today: String,
    /// Whether the web is searched: by the advocates, and for what bears on a hinge.
    pub searching: Searching,
}

/// The two seats of a debate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advocates {
    /// For the proposition.
    pub pro: Seat,
    /// Against it.
    pub con: Seat,
}

impl Advocates {
    /// The seat of a side.
    #[must_use]
    pub fn of(&self, side: Side) -> &Seat {
        match side {
            Side::Pro => &self.pro,
            Side::Con => &self.con,
        }
    }
}

impl DebateBrief {
    /// Whether a search is made before such a turn.
    #[must_use]
    pub fn looks_up_for(&self, act: Act) -> bool {
        self.searching == Searching::On && act.looks_up()
    }

    /// The sides that argue with the model of this seat: it may lean to what it said there.
    #[must_use]
    pub fn sides_of(&self, seat: &Seat) -> Vec<Side> {
        let same = |side: &Side| self.advocates.of(*side).model == seat.model;
        [Side::Pro, Side::Con].into_iter().filter(same).collect()
    }

    /// The proposition as it was typed, of which nothing else is known.
    #[must_use]
    pub fn typed(&self) -> Proposition {
        let text = self.problem.as_str();
        Proposition {
            raw: text.to_owned(),
            question: text.to_owned(),
            context: PropositionContext::default(),
            framing: Framing::Practical,
            complexity: Level::Medium,
            changed: String::new(),
            objection: None,
            answered_by: None,
            edited_by: None,
        }
    }
}

impl SessionBrief for DebateBrief {
    said_alike!(document);

    fn panel(&self) -> Vec<&Seat> {
        vec![&self.advocates.pro, &self.advocates.con]
    }

    fn beside(&self) -> Vec<&Seat> {
        vec![&self.gatekeeper, &self.moderator, &self.checker]
    }

    fn seats_mut(&mut self) -> Vec<&mut Seat> {
        let Advocates { pro, con } = &mut self.advocates;
        vec![pro, con, &mut self.gatekeeper, &mut self.moderator]
    }

    fn options(&self) -> Vec<(OptionName, String)> {
        vec![
            (OptionName::Preset, self.preset.as_str().to_owned()),
            (OptionName::Search, OptionName::switch(self.searching == Searching::On)),
        ]
    }

    fn phases(&self) -> u8 {
        self.preset.count()
    }

    fn measured(&self) -> &'static crate::measured::Sessions {
        match self.preset {
            Preset::Quick => &crate::measured::QUICK_DEBATE,
            Preset::Full => &crate::measured::FULL_DEBATE,
        }
    }

    fn searches(&self) -> u32 {
        if !self.looks_up_for(Act::Rebuttal) {
            return 0;
        }
        let turns = self.preset.cases().filter(|act| act.looks_up()).count() + 1;
        u32::try_from(turns * 2).unwrap_or(u32::MAX)
    }

    fn takes_a_question(&self) -> bool {
        // It has its proposition.
        false
    }
}

impl TryFrom<Brief> for DebateBrief {
    type Error = Brief;

    fn try_from(brief: Brief) -> Result<Self, Brief> {
        match brief {
            Brief::Debate(brief) => Ok(brief),
            other => Err(other),
        }
    }
}
