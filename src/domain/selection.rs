//! Modules that are chosen for a problem: some of the registry's, and up to three that are made for it where those leave
//! a gap.
//!
//! A model chooses; code holds it to the registry, to what the team left out and to bounds, and says what could not stand.

use std::{collections::BTreeMap, ops::RangeInclusive};

use serde::{Deserialize, Serialize};

use super::{MODULES, MediateBrief, Module, ModuleName, Panel, PanelError, PanelSeat, Seat, Weight};

/// How many of the registry's modules are chosen.
pub const PICKS: RangeInclusive<usize> = 3..=7;
/// Most modules that are made for one question.
pub const MOST_MADE: usize = 3;
/// Most modules that sit at a table that was chosen.
pub const MOST_CHOSEN: usize = *PICKS.end() + MOST_MADE;
/// Longest name of a module that was made for a question, in characters.
pub const MAX_MADE_NAME: usize = 30;
/// Longest line on what such a module looks at, in characters.
pub const MAX_MADE_SIDE: usize = 140;
/// Longest instructions of such a module, in characters: about what a module of the registry has.
pub const MAX_MADE_PROMPT: usize = 2_400;

/// A module that was made for one question. What it is told was written by a model, so it is data wherever it is read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AdHocModule {
    /// What it is called; none of the registry is called so.
    pub name: ModuleName,
    /// What it looks at, in a line.
    pub looks_at: String,
    /// Why it is at the table, in a line.
    pub why: String,
    /// How it works: the whole of what a model wrote for it.
    pub system_prompt: String,
    /// Who at the table is nearest to it; `None` where nobody is.
    pub nearest: Option<ModuleName>,
}

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

/// That the modules of a mediation are chosen when it begins, and by whom the places are taken that this makes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Selecting {
    /// The model of each place, for as many as may be chosen.
    pub seats: Vec<Seat>,
    /// What the team wants modules to count, if they are chosen; 0 keeps one out.
    pub weights: BTreeMap<ModuleName, Weight>,
}

impl Selecting {
    /// The modules that may be chosen, in the order of the registry.
    #[must_use]
    pub fn allowed(&self) -> Vec<ModuleName> {
        let free = |name: &ModuleName| self.weights.get(name).is_none_or(|weight| weight.get() > 0.0);
        MODULES.iter().map(Module::name).filter(free).collect()
    }

    /// The modules that the team left out.
    #[must_use]
    pub fn left_out(&self) -> Vec<ModuleName> {
        let out = |(name, weight): (&ModuleName, &Weight)| (weight.get() == 0.0).then(|| name.clone());
        self.weights.iter().filter_map(out).collect()
    }

    /// How many may be chosen: fewer than three only where the team left so many out.
    #[must_use]
    pub fn picks(&self) -> RangeInclusive<usize> {
        (*PICKS.start()).min(self.allowed().len())..=*PICKS.end()
    }

    /// The modules that were given a weight and have no seat at this table.
    #[must_use]
    pub fn weighed_in_vain(&self, panel: &Panel) -> Vec<ModuleName> {
        let seated = |name: &ModuleName| panel.seats.iter().any(|seat| seat.module == *name);
        let given = self.weights.iter().filter(|(_, weight)| weight.get() > 0.0).map(|(name, _)| name);
        given.filter(|name| !seated(name)).cloned().collect()
    }

    /// The table of a choice: the chosen in the order of the registry, then those made for the question.
    fn table(&self, picked: &[Picked], made: &[AdHocModule]) -> Panel {
        let weight = |name: &ModuleName| self.weights.get(name).copied().unwrap_or(Weight::USUAL);
        let chosen =
            MODULES.iter().map(Module::name).filter(|name| picked.iter().any(|one| one.module == *name));
        let names = chosen.chain(made.iter().map(|module| module.name.clone()));
        let seats = names.map(|module| PanelSeat { weight: weight(&module), module }).collect();
        Panel { seats, deactivated: self.left_out(), made: made.to_vec() }
    }
}

impl MediateBrief {
    /// The same with the modules that were chosen for it; unchanged where no model could choose.
    #[must_use]
    pub fn seating(mut self, chosen: &SelectionMetadata) -> Self {
        if let Some(selecting) = self.selecting.as_ref().filter(|_| chosen.auto_selected) {
            self.panel = selecting.table(&chosen.selected_modules, &chosen.ad_hoc_modules);
            self.seats = selecting.seats.iter().take(self.panel.seats.len()).cloned().collect();
        }
        self
    }

    /// The same with as many modules as it may come to have, each with as much to read as may be; for what it takes at
    /// most.
    #[must_use]
    pub fn at_most(&self) -> Self {
        let Some(selecting) = &self.selecting else { return self.clone() };
        let most = |module: ModuleName| Picked { module, why: String::new() };
        let picked = selecting.allowed().into_iter().take(*PICKS.end()).map(most).collect();
        let made = (1..=MOST_MADE).map(|number| AdHocModule {
            name: ModuleName(format!("{number}{}", "x".repeat(MAX_MADE_NAME - 1))),
            looks_at: "x".repeat(MAX_MADE_SIDE),
            why: String::new(),
            system_prompt: "x".repeat(MAX_MADE_PROMPT),
            nearest: None,
        });
        let chosen = SelectionMetadata {
            auto_selected: true,
            selected_modules: picked,
            ad_hoc_modules: made.collect(),
            ..SelectionMetadata::default()
        };
        self.clone().seating(&chosen)
    }
}

impl Panel {
    /// Seats the usual modules for the case that nobody can choose others: where all of those are left out, the first of
    /// the registry that are not.
    pub fn in_case(usual: &[ModuleName], weights: &BTreeMap<ModuleName, Weight>) -> Result<Self, PanelError> {
        Self::seat(usual, weights).or_else(|error| {
            let allowed = Selecting { seats: Vec::new(), weights: weights.clone() }.allowed();
            let some = &allowed[..allowed.len().min(*PICKS.start())];
            if some.is_empty() { Err(error) } else { Self::seat(some, weights) }
        })
    }

    /// The module of that name, if it was made for this question.
    #[must_use]
    pub fn made(&self, name: &ModuleName) -> Option<&AdHocModule> {
        self.made.iter().find(|module| module.name == *name)
    }

    /// What a module looks at, in a line; nothing for one that nobody knows.
    #[must_use]
    pub fn looks_at(&self, name: &ModuleName) -> &str {
        let made = self.made(name).map(|module| module.looks_at.as_str());
        made.or_else(|| Module::find(&name.0).map(|module| module.looks_at)).unwrap_or_default()
    }

    /// Who is nearest to a module, nearest first. One that was made for the question has its neighbour at the table, and
    /// that one's relatives.
    #[must_use]
    pub fn related(&self, name: &ModuleName) -> Vec<&str> {
        let registered = |name: &str| Module::find(name).map_or(&[][..], |module| module.related);
        match self.made(name).map(|module| module.nearest.as_ref()) {
            None => registered(&name.0).to_vec(),
            Some(None) => Vec::new(),
            Some(Some(nearest)) => {
                let near = std::iter::once(nearest.0.as_str());
                near.chain(registered(&nearest.0).iter().copied()).take(Module::MOST_RELATED).collect()
            }
        }
    }

    /// How the steps of a module are spelled: as it is called, and by number where it was made for the question, for its
    /// name may be in any script.
    #[must_use]
    pub fn step_of(&self, name: &ModuleName) -> String {
        match self.made.iter().position(|module| module.name == *name) {
            Some(place) => format!("made-{}", place + 1),
            None => name.to_string(),
        }
    }
}

impl ModuleName {
    /// A name for a module that is made for a question: a few words in any script, on a line, that nobody could take for
    /// markup, a mention or an order of ours. `None`: it is no name.
    #[must_use]
    pub fn made(text: &str) -> Option<Self> {
        // Signs of writing that stand on or between letters are none to Unicode's idea of a letter.
        let of_a_name =
            |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '’' | '&' | '\u{900}'..='\u{10ff}');
        let text = super::one_line(text).replace('\'', "’");
        let fits = (2..=MAX_MADE_NAME).contains(&text.chars().count())
            && text.starts_with(char::is_alphabetic)
            && text.chars().all(of_a_name);
        fits.then_some(Self(text))
    }

    /// Whether people would take the two for one: the same name or title, whatever its case, spaces and hyphens.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let plain = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        let spelled = |name: &Self| [plain(&name.0), plain(name.title())];
        spelled(self).iter().any(|own| spelled(other).contains(own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::parse_weights, sample};

    fn name(text: &str) -> ModuleName {
        ModuleName(text.to_owned())
    }

    fn selecting(weights: &str) -> Selecting {
        let seats = (0..MOST_CHOSEN).map(|_| sample::seat()).collect();
        Selecting { seats, weights: parse_weights(weights).unwrap() }
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
        let brief = MediateBrief {
            selecting: Some(selecting("legal=2 cost=0 tech=3")),
            ..sample::mediate::brief("")
        };
        let table = brief
            .clone()
            .seating(&chosen(&["legal", "ethics", "market"], vec![made("Bees", Some("ethics"))]));
        assert_eq!(names(&table.panel), ["market", "legal", "ethics", "Bees"]);
        assert_eq!(table.seats.len(), 4);
        assert_eq!(table.panel.deactivated, [name("cost")]);
        let weights: Vec<f64> = table.panel.seats.iter().map(|seat| seat.weight.get()).collect();
        assert_eq!(weights, [1.0, 2.0, 1.0, 1.0]);
        assert_eq!(selecting("legal=2 cost=0 tech=3").weighed_in_vain(&table.panel), [name("tech")]);
        let none = SelectionMetadata::default();
        assert_eq!(brief.clone().seating(&none), brief, "nobody could choose");
        assert_eq!(brief.at_most().seats.len(), MOST_CHOSEN);
    }

    #[test]
    fn what_the_team_left_out_may_not_be_chosen_and_some_always_may() {
        let all = MODULES.map(|module| format!("{}=0", module.name));
        let but_two = selecting(&all[2..].join(" "));
        assert_eq!(but_two.allowed(), [name("market"), name("cost")]);
        assert_eq!(but_two.picks(), 2..=7);
        let weights = |text: &str| parse_weights(text).unwrap();
        let usual = Panel::in_case(&[], &weights("market=0 cost=0 risk=0")).unwrap();
        assert_eq!(names(&usual), ["tech", "legal", "scalability"]);
        assert_eq!(usual.deactivated.len(), 3);
        assert_eq!(names(&Panel::in_case(&[], &weights("cost=0")).unwrap()), ["market", "risk"]);
        assert_eq!(Panel::in_case(&[], &weights(&all.join(" "))), Err(PanelError::Nobody));
    }

    #[test]
    fn a_name_is_a_few_words_of_any_script_and_nothing_else() {
        for good in
            ["Animal welfare", "رفاهية الحيوان", "स्वास्थ्य", "Pflege & Alltag", "Children’s rights", "安全"]
        {
            assert_eq!(ModuleName::made(good), Some(name(good)));
        }
        assert_eq!(ModuleName::made(" Animal\n welfare "), Some(name("Animal welfare")));
        let long = "x".repeat(MAX_MADE_NAME + 1);
        for bad in [
            "",
            "x",
            "@everyone",
            "<@1>",
            "**Bees**",
            "`bees`",
            "7 bees",
            "a/b",
            "a: b",
            "\u{200b}\u{200b}",
            &long,
        ] {
            assert_eq!(ModuleName::made(bad), None, "{bad}");
        }
        for like in ["market", "MARKET", "Techno-logy", "tech"] {
            let twin = MODULES.iter().any(|module| module.name().is_like(&name(like)));
            assert!(twin, "{like}");
        }
        assert!(!MODULES.iter().any(|module| module.name().is_like(&name("Animal welfare"))));
    }

    #[test]
    fn a_module_made_for_the_question_has_a_side_relatives_and_steps_of_its_own() {
        let brief = MediateBrief { selecting: Some(selecting("")), ..sample::mediate::brief("") };
        let extra = vec![made("Bees", Some("social")), made("蜂", None)];
        let panel = brief.seating(&chosen(&["market", "social", "ethics"], extra)).panel;
        let (bees, hives) = (name("Bees"), name("蜂"));
        assert_eq!(panel.looks_at(&bees), "how bees fare");
        assert_eq!(panel.related(&bees), ["social", "ethics", "political"]);
        assert_eq!(panel.heir(&bees, &[]).unwrap().module, name("social"));
        assert_eq!(panel.heir(&bees, &[name("social")]).unwrap().module, name("ethics"));
        assert_eq!(panel.heir(&hives, &[]).unwrap().module, name("market"), "anybody, where nobody is near");
        assert_eq!(
            [&bees, &hives, &name("market")].map(|of| panel.step_of(of)),
            ["made-1", "made-2", "market"]
        );
        assert_eq!((bees.title(), bees.expert().as_str()), ("Bees", "✨ Bees"));
    }
}
