//! Modules that are chosen for a problem: some of the registry's, and up to three that are made for it where those leave
//! a gap.
//!
//! A model chooses; code holds it to the registry, to what the team left out and to bounds, and says what could not stand.

use std::{collections::BTreeMap, ops::RangeInclusive};

use serde::{Deserialize, Serialize};

use super::{
    AdHocModule, MODULES, Module, ModuleName, Panel, PanelError, PanelSeat, Seat, TableBrief, Weight,
};

/// How many of the registry's modules are chosen.
pub const PICKS: RangeInclusive<usize> = 3..=7;
/// Most modules that are made for one question.
pub const MOST_MADE: usize = 3;
/// Most modules that sit at a table that was chosen.
pub const MOST_CHOSEN: usize = *PICKS.end() + MOST_MADE;

/// A module of the registry that was chosen, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Picked {
    /// Which.
    pub module: ModuleName,
    /// What its side could change, in a line.
    pub why: String,
}

/// What of a model's choice could not stand as it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unfit {
    /// There is no such module.
    Unknown(String),
    /// The team left it out, by a weight of 0.
    LeftOut(ModuleName),
    /// One more than may sit.
    BeyondMost(String),
    /// No name for a module: nothing to read, too long, or more than letters.
    Name(String),
    /// Another module is called so.
    Taken(String),
    /// It came without instructions, or without what it looks at.
    Bare(String),
    /// It stands, but its instructions were longer than may be and are cut.
    Cut(ModuleName),
}

/// Which modules of the registry were chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Picks {
    /// What kind of problem it is, and what decides it.
    pub reasoning: String,
    /// Who was chosen, the weightiest first.
    pub picked: Vec<Picked>,
    /// What could not stand.
    pub unfit: Vec<Unfit>,
    /// The model that answered.
    pub answered_by: String,
}

/// What the chosen modules leave unseen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Gaps {
    /// What was looked for and found missing.
    pub reasoning: String,
    /// Modules that were made to fill gaps.
    pub made: Vec<AdHocModule>,
    /// Sides that nobody will look at all the same.
    pub open: Vec<String>,
    /// What could not stand.
    pub unfit: Vec<Unfit>,
}

/// Who was chosen for a problem and why, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SelectionMetadata {
    /// Whether a choice was made; otherwise no model could make one, and the usual modules sit.
    pub auto_selected: bool,
    /// Who was chosen of the registry.
    pub selected_modules: Vec<Picked>,
    /// Why.
    pub selection_reasoning: String,
    /// What they leave unseen; `None`: no model could look.
    pub gap_check_reasoning: Option<String>,
    /// Who was made for the question.
    pub ad_hoc_modules: Vec<AdHocModule>,
    /// Sides that nobody looks at.
    pub open_gaps: Vec<String>,
    /// What of the choice could not stand.
    pub unfit: Vec<Unfit>,
    /// The model that chose; nothing where none could.
    pub answered_by: String,
}

impl SelectionMetadata {
    /// A choice, with the gaps that it leaves, where a model looked for them.
    #[must_use]
    pub fn of(picks: Picks, gaps: Option<Gaps>) -> Self {
        let Picks { reasoning, picked, mut unfit, answered_by } = picks;
        let checked = gaps.is_some();
        let gaps = gaps.unwrap_or(Gaps {
            reasoning: String::new(),
            made: Vec::new(),
            open: Vec::new(),
            unfit: Vec::new(),
        });
        unfit.extend(gaps.unfit);
        Self {
            auto_selected: true,
            selected_modules: picked,
            selection_reasoning: reasoning,
            gap_check_reasoning: checked.then_some(gaps.reasoning),
            ad_hoc_modules: gaps.made,
            open_gaps: gaps.open,
            unfit,
            answered_by,
        }
    }
}

/// That the modules of a mediation are chosen, and by which models the places are taken that this makes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Selecting {
    /// The model of each place, for as many as may come.
    pub seats: Vec<Seat>,
    /// What the team wants modules to count, if they are chosen; 0 keeps one out.
    pub weights: BTreeMap<ModuleName, Weight>,
    /// Nobody has asked for it: the usual modules sit, and others join them only if somebody wishes that while round 1 runs.
    pub offered: bool,
}

/// When the modules of a mediation are chosen for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choosing {
    /// Never: somebody has named them.
    Never,
    /// Before it begins.
    AtStart,
    /// While round 1 runs, if somebody wishes that.
    IfWished,
}

/// Whether fitting modules may be asked for beside the usual ones.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Offer {
    /// No: the usual ones fit as far as anybody knows, or it is too late.
    #[default]
    None,
    /// Yes.
    Open,
    /// Somebody has, by the name they went by.
    Taken(String),
}

/// Who may be chosen for a brief.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choosable {
    /// Those who may be, in the order of the registry.
    pub allowed: Vec<ModuleName>,
    /// Those whom the team left out.
    pub left_out: Vec<ModuleName>,
    /// Those who sit already and stay.
    pub seated: Vec<ModuleName>,
    /// How many may be: fewer than three only where others sit already or so many were left out.
    pub picks: RangeInclusive<usize>,
}

impl Selecting {
    /// The modules that were given a weight and have no seat at this table.
    #[must_use]
    pub fn weighed_in_vain(&self, panel: &Panel) -> Vec<ModuleName> {
        let given = self.weights.iter().filter(|(_, weight)| weight.get() > 0.0).map(|(name, _)| name);
        given.filter(|name| !panel.seats_module(name)).cloned().collect()
    }
}

impl TableBrief {
    /// The choice that is made when it begins, if one is.
    #[must_use]
    pub fn selects(&self) -> Option<&Selecting> {
        self.selecting.as_ref().filter(|selecting| !selecting.offered)
    }

    /// The modules that sit because nobody asked for others, where others may be asked for while round 1 runs.
    #[must_use]
    pub fn offers_beside(&self) -> Vec<ModuleName> {
        let offered = self.selecting.as_ref().is_some_and(|selecting| selecting.offered);
        if offered { self.panel.names() } else { Vec::new() }
    }

    /// Who may be chosen for it.
    #[must_use]
    pub fn choosable(&self) -> Choosable {
        let seated = self.offers_beside();
        let weights = self.selecting.iter().flat_map(|selecting| &selecting.weights);
        let zero = |(name, weight): (&ModuleName, &Weight)| (weight.get() == 0.0).then(|| name.clone());
        let left_out: Vec<ModuleName> = if seated.is_empty() {
            weights.filter_map(zero).collect()
        } else {
            self.panel.deactivated.clone()
        };
        let free = |name: &ModuleName| !left_out.contains(name) && !seated.contains(name);
        let allowed: Vec<ModuleName> = MODULES.iter().map(Module::name).filter(free).collect();
        let least = if seated.is_empty() { *PICKS.start() } else { 1 };
        let picks = least.min(allowed.len())..=PICKS.end().saturating_sub(seated.len()).max(1);
        Choosable { allowed, left_out, seated, picks }
    }

    /// The same with the modules that were chosen for it: in the order of the registry, those made for the question last;
    /// who sat before an offer was taken sits before them. Unchanged where no model could choose.
    #[must_use]
    pub fn seating(mut self, chosen: &SelectionMetadata) -> Self {
        let Some(selecting) = self.selecting.clone().filter(|_| chosen.auto_selected) else { return self };
        let left_out = self.choosable().left_out;
        if !selecting.offered {
            self.panel.seats.clear();
            self.seats.clear();
        }
        let weight = |name: &ModuleName| selecting.weights.get(name).copied().unwrap_or(Weight::USUAL);
        let picked = |name: &ModuleName| chosen.selected_modules.iter().any(|one| one.module == *name);
        let names = MODULES.iter().map(Module::name).filter(picked);
        let names = names.chain(chosen.ad_hoc_modules.iter().map(|module| module.name.clone()));
        self.panel.seats.extend(names.map(|module| PanelSeat { weight: weight(&module), module }));
        self.panel.deactivated = left_out;
        self.panel.made.clone_from(&chosen.ad_hoc_modules);
        let free = selecting.seats.into_iter().skip(self.seats.len());
        self.seats.extend(free.take(self.panel.seats.len() - self.seats.len()));
        self
    }

    /// How many modules sit at most: as many as may be chosen, and made for it, where somebody chooses. What is asked for later
    /// is told when it is asked for.
    #[must_use]
    pub fn seats_at_most(&self) -> usize {
        match self.selects() {
            Some(_) => self.choosable().allowed.len().min(*PICKS.end()) + MOST_MADE,
            None => self.seats.len(),
        }
    }
}

impl Panel {
    /// Seats the usual modules for the case that nobody can choose others: where all of those are left out, the first of
    /// the registry that are not.
    pub fn in_case(usual: &[ModuleName], weights: &BTreeMap<ModuleName, Weight>) -> Result<Self, PanelError> {
        Self::seat(usual, weights).or_else(|error| {
            let free = |name: &ModuleName| !weights.contains_key(name);
            let some: Vec<_> = MODULES.iter().map(Module::name).filter(free).take(*PICKS.start()).collect();
            if some.is_empty() { Err(error) } else { Self::seat(&some, weights) }
        })
    }

    /// The modules that sit.
    #[must_use]
    pub fn names(&self) -> Vec<ModuleName> {
        self.seats.iter().map(|seat| seat.module.clone()).collect()
    }

    /// Whether a module sits.
    #[must_use]
    pub fn seats_module(&self, name: &ModuleName) -> bool {
        self.seats.iter().any(|seat| seat.module == *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse_weights, sample::mediate::selecting};

    fn name(text: &str) -> ModuleName {
        ModuleName(text.to_owned())
    }

    fn made(text: &str, nearest: Option<&str>) -> AdHocModule {
        AdHocModule {
            name: name(text),
            looks_at: "how bees fare".into(),
            why: "Nobody else asks.".into(),
            system_prompt: "Look at the hives.".into(),
            nearest: nearest.map(name),
        }
    }

    fn chosen(picked: &[&str], made: Vec<AdHocModule>) -> SelectionMetadata {
        let picked = picked.iter().map(|module| Picked { module: name(module), why: "It decides.".into() });
        SelectionMetadata {
            auto_selected: true,
            selected_modules: picked.collect(),
            ad_hoc_modules: made,
            ..SelectionMetadata::default()
        }
    }

    fn names(panel: &Panel) -> Vec<&str> {
        panel.seats.iter().map(|seat| seat.module.0.as_str()).collect()
    }

    #[test]
    fn the_table_is_the_choice_with_the_teams_weights_and_a_model_for_every_seat() {
        let brief = selecting("legal=2 cost=0 tech=3");
        let table = brief
            .clone()
            .seating(&chosen(&["legal", "ethics", "market"], vec![made("Bees", Some("ethics"))]));
        assert_eq!(names(&table.panel), ["market", "legal", "ethics", "Bees"]);
        assert_eq!(table.seats.len(), 4);
        assert_eq!(table.panel.deactivated, [name("cost")]);
        let weights: Vec<f64> = table.panel.seats.iter().map(|seat| seat.weight.get()).collect();
        assert_eq!(weights, [1.0, 2.0, 1.0, 1.0]);
        let in_vain = brief.selects().unwrap().weighed_in_vain(&table.panel);
        assert_eq!(in_vain, [name("tech")]);
        assert_eq!(brief.clone().seating(&SelectionMetadata::default()), brief, "nobody could choose");
        assert_eq!(brief.seats_at_most(), MOST_CHOSEN);
        assert_eq!(
            table.seating(&chosen(&["risk"], vec![])).seats.len(),
            1,
            "chosen again, it is chosen anew"
        );
    }

    #[test]
    fn who_joins_the_usual_ones_sits_after_them_and_nobody_leaves() {
        let mut brief = selecting("risk=0");
        brief.panel.deactivated.push(name("risk"));
        brief.panel.seats.pop();
        brief.seats.pop();
        let before = brief.seats.clone();
        brief.selecting.as_mut().unwrap().offered = true;
        assert_eq!((brief.selects(), brief.seats_at_most()), (None, 2));
        let who = brief.choosable();
        assert_eq!(
            (who.picks, who.left_out, who.seated),
            (1..=5, vec![name("risk")], vec![name("market"), name("cost")])
        );
        assert_eq!(who.allowed.len(), 9);
        let joined = brief.seating(&chosen(&["ethics"], vec![made("Bees", None)]));
        assert_eq!(names(&joined.panel), ["market", "cost", "ethics", "Bees"]);
        assert_eq!((joined.seats.len(), &joined.seats[..2]), (4, &before[..]));
        assert_eq!(joined.panel.deactivated, [name("risk")]);
    }

    #[test]
    fn what_the_team_left_out_may_not_be_chosen_and_some_always_may() {
        let all = MODULES.map(|module| format!("{}=0", module.name));
        let but_two = selecting(&all[2..].join(" ")).choosable();
        assert_eq!(but_two.allowed, [name("market"), name("cost")]);
        assert_eq!(but_two.picks, 2..=7);
        let weights = |text: &str| parse_weights(text).unwrap();
        let usual = Panel::in_case(&[], &weights("market=0 cost=0 risk=0")).unwrap();
        assert_eq!(names(&usual), ["tech", "legal", "scalability"]);
        assert_eq!(usual.deactivated.len(), 3);
        assert_eq!(names(&Panel::in_case(&[], &weights("cost=0")).unwrap()), ["market", "risk"]);
        assert_eq!(Panel::in_case(&[], &weights(&all.join(" "))), Err(PanelError::Nobody));
    }
}
