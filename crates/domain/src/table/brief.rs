//! What a mediation is asked.

use serde::{Deserialize, Serialize};

use crate::{
    Brief, Document, Effort, Estimate, Influences, MOST_RESEARCHED, ModelName, ModuleName, OptionName, Panel,
    Problem, Searching, Seat, Selecting, Weight,
    brief::{SessionBrief, said_alike},
};

/// A mediation's brief.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableBrief {
    /// What has to be decided.
    pub problem: Problem,
    /// Who speaks.
    pub panel: Panel,
    /// A document for all modules.
    pub document: Option<Document>,
    /// The model of each seat of the panel, in its order.
    pub seats: Vec<Seat>,
    /// What whoever writes the memo is called.
    #[serde(default)]
    pub writer: Writer,
    /// Who writes the memo.
    pub writer_seat: Seat,
    /// Who checks the solutions that were written down.
    pub checker: Seat,
    /// The language the answers should be in, as a name (`English`); `None`: the problem's own.
    pub language: Option<String>,
    /// How much is asked of everybody.
    pub effort: Effort,
    /// The date on which it began, as people write it: `27 November 2026`.
    #[serde(default)]
    pub today: String,
    /// The problem in other words that the team has confirmed, where it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restated: Option<String>,
    /// What the decision hangs on, a few words each, where somebody said so beforehand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<String>,
    /// How much each module counts by how its earlier advice on the server turned out; `None` where that is switched off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Influences>,
    /// What more was asked for.
    #[serde(flatten)]
    pub extras: TableExtras,
    /// That its modules are chosen when it begins, or may be while it runs; `panel` and `seats` are then those in case nobody
    /// chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selecting: Option<Selecting>,
}

/// Whoever writes the memo of a table, and with it whose table it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// Of a mediation.
    #[default]
    Mediator,
    /// Of a roundtable.
    Notary,
}

impl Writer {
    /// As prompts and sentences call it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Mediator => "mediator",
            Self::Notary => "notary",
        }
    }

    /// As it stands on cards and among who is asked.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Mediator => "Mediator",
            Self::Notary => "Notary",
        }
    }

    /// How many phases the live card counts before the first round: a roundtable's experts are proposed first.
    #[must_use]
    pub fn before(self) -> u8 {
        match self {
            Self::Mediator => 0,
            Self::Notary => 1,
        }
    }

    /// How many phases the live card counts in all.
    #[must_use]
    pub fn phases(self) -> u8 {
        self.before() + 5
    }
}

/// What a mediation does beyond its rounds where it is asked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TableExtras {
    /// One plain call is made beside it, to compare it with.
    pub baseline: bool,
    /// Where modules cannot all be right, the one that answers for the matter carries it.
    pub raci: bool,
    /// Modules look up on the web what bears on their sides.
    pub searching: Searching,
    /// What is grave in the synthesis is looked into once more.
    pub deep_research: bool,
}

impl TableExtras {
    /// Whether what is grave can be looked into.
    #[must_use]
    pub fn researches(&self) -> bool {
        self.deep_research && self.searching == Searching::On
    }
}

impl TableBrief {
    /// Leaves a module out; the synthesis says so and what is therefore not looked at. One that has no seat changes
    /// nothing.
    pub(crate) fn leave_out(&mut self, module: &ModuleName) {
        if let Some(at) = self.panel.seats.iter().position(|seat| seat.module == *module) {
            self.panel.deactivated.push(self.panel.seats.remove(at).module);
            self.seats.remove(at);
        }
    }
    /// The names of the seats that have this model.
    #[must_use]
    pub fn seats_of(&self, model: &ModelName) -> Vec<&str> {
        let seats = self.panel.seats.iter().zip(&self.seats);
        seats.filter(|(_, seat)| seat.model == *model).map(|(seat, _)| seat.module.title()).collect()
    }

    /// Every seat filled by one and the same model, if that is so: then the panel says so.
    #[must_use]
    pub fn only_model(&self) -> Option<&ModelName> {
        let first = &self.seats.first()?.model;
        self.seats.iter().all(|seat| seat.model == *first).then_some(first)
    }
}

impl SessionBrief for TableBrief {
    said_alike!(document);

    fn panel(&self) -> Vec<&Seat> {
        self.selects().map_or(&self.seats, |selecting| &selecting.seats).iter().collect()
    }

    fn beside(&self) -> Vec<&Seat> {
        vec![&self.writer_seat]
    }

    fn seats_mut(&mut self) -> Vec<&mut Seat> {
        self.seats.iter_mut().chain([&mut self.writer_seat]).collect()
    }

    /// Where nobody named modules there are none, so that the usual ones sit.
    fn options(&self) -> Vec<(OptionName, String)> {
        let Panel { seats, deactivated, .. } = &self.panel;
        let named = if self.selecting.is_some() { &[][..] } else { &seats[..] };
        let named: Vec<&str> = named.iter().map(|seat| seat.module.0.as_str()).collect();
        let counted = seats.iter().filter(|seat| seat.weight != Weight::USUAL);
        let counted = counted.map(|seat| (&seat.module, seat.weight.get()));
        let left_out = deactivated.iter().map(|module| (module, 0.0));
        let weights: Vec<(&ModuleName, f64)> = match &self.selecting {
            Some(selecting) => selecting.weights.iter().map(|(name, weight)| (name, weight.get())).collect(),
            None => counted.chain(left_out).collect(),
        };
        let weights: Vec<String> =
            weights.iter().map(|(name, weight)| format!("{}={weight}", name.0)).collect();
        let chosen = self.selecting.as_ref().is_some_and(|selecting| !selecting.offered);
        vec![
            (OptionName::Modules, named.join(" ")),
            (OptionName::Weights, weights.join(" ")),
            (OptionName::AutoSelect, OptionName::switch(chosen)),
            (OptionName::Baseline, OptionName::switch(self.extras.baseline)),
            (OptionName::Raci, OptionName::switch(self.extras.raci)),
            (OptionName::DeepResearch, OptionName::switch(self.extras.deep_research)),
            (OptionName::Search, OptionName::switch(self.extras.searching == Searching::On)),
        ]
    }

    fn phases(&self) -> u8 {
        Writer::Mediator.phases()
    }

    fn measured(&self) -> &'static crate::measured::Sessions {
        &crate::measured::MEDIATE
    }

    fn seats(&self) -> usize {
        self.seats_at_most()
    }

    fn searches(&self) -> u32 {
        if self.extras.searching != Searching::On {
            return 0;
        }
        let matters = if self.extras.researches() { MOST_RESEARCHED } else { 0 };
        u32::try_from(self.seats_at_most() * 2 + matters).unwrap_or(u32::MAX)
    }

    fn confirm(&mut self, estimate: &Estimate) {
        if estimate.usual_modules {
            self.selecting = None;
        }
        estimate.without.iter().for_each(|module| self.leave_out(module));
    }

    /// The usual modules instead of a choice first, then fewer of them, down to two.
    fn with_fewer_seats(&self) -> Option<Brief> {
        let mut less = self.clone();
        if self.selects().is_some() {
            less.selecting = None;
        } else {
            less.leave_out(&self.panel.seats[self.panel.least()?].module);
        }
        Some(Brief::Mediate(less))
    }

    fn selects(&self) -> bool {
        Self::selects(self).is_some()
    }

    fn left_out(&self) -> &[ModuleName] {
        &self.panel.deactivated
    }

    fn trusted(&self) -> Option<String> {
        Self::trusted(self)
    }
}
