//! Modules, the specialists of a mediation, and the panel a session seats. A module is data: adding one is
//! a prompt file `prompts/modules/<name>.md` and a line in [`MODULES`].

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::AdHocModule;

/// A module's name, as one types it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ModuleName(pub String);

impl fmt::Display for ModuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A line of the registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Module {
    /// What one types, and the name of its prompt file.
    pub name: &'static str,
    /// What a card calls it.
    pub title: &'static str,
    /// Stands before the title on cards.
    pub emoji: &'static str,
    /// What it looks at, in a line.
    pub looks_at: &'static str,
    /// Who takes over its concerns when it cannot answer, nearest first.
    pub related: &'static [&'static str],
}

/// Every module there is.
#[rustfmt::skip]
pub const MODULES: [Module; 12] = [
    Module { name: "market", title: "Market", emoji: "📈", looks_at: "size and opportunity, competition, demand validation, product-market fit", related: &["strategy", "social", "cost"] },
    Module { name: "cost", title: "Cost", emoji: "💰", looks_at: "initial investment, operating cost, revenue projection, break-even, funding", related: &["market", "operational", "risk"] },
    Module { name: "risk", title: "Risk", emoji: "⚠️", looks_at: "uncertainty, downside scenarios, threat categories, hedges, contingency", related: &["legal", "cost", "operational"] },
    Module { name: "tech", title: "Technology", emoji: "🛠️", looks_at: "stack, implementation complexity, technical risk, dependencies", related: &["scalability", "operational", "risk"] },
    Module { name: "legal", title: "Legal", emoji: "⚖️", looks_at: "regulation, legal risk, compliance, liability, IP", related: &["risk", "ethics", "political"] },
    Module { name: "scalability", title: "Scalability", emoji: "🚀", looks_at: "growth, infrastructure and team scaling, bottlenecks", related: &["tech", "operational", "cost"] },
    Module { name: "political", title: "Political", emoji: "🏛️", looks_at: "policy, stability, institutional readiness, geopolitics", related: &["legal", "social", "risk"] },
    Module { name: "social", title: "Social", emoji: "👥", looks_at: "societal impact, demographics, acceptance, equity, community", related: &["ethics", "political", "market"] },
    Module { name: "environmental", title: "Environmental", emoji: "🌱", looks_at: "footprint, climate risk, resource use, sustainability", related: &["social", "operational", "risk"] },
    Module { name: "ethics", title: "Ethics", emoji: "🧭", looks_at: "fairness, bias, privacy, rights, dual use, transparency, accountability", related: &["social", "legal", "political"] },
    Module { name: "operational", title: "Operational", emoji: "⚙️", looks_at: "processes, people, supply chain, organisation, change management", related: &["scalability", "cost", "tech"] },
    Module { name: "strategy", title: "Strategy", emoji: "♟️", looks_at: "business model, value proposition, moats, positioning, partnerships", related: &["market", "cost", "risk"] },
];

/// Seated when nobody chooses.
pub const DEFAULT_MODULES: [&str; 3] = ["market", "cost", "risk"];

impl Module {
    /// Most relatives that a module names.
    pub const MOST_RELATED: usize = 3;

    /// The registry's line of that name, in any case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        MODULES.iter().find(|module| module.name.eq_ignore_ascii_case(name.trim()))
    }

    /// Its name as a value.
    #[must_use]
    pub fn name(&self) -> ModuleName {
        ModuleName(self.name.to_owned())
    }
}

/// How much a module counts in the synthesis and in the weighted total; 0 keeps it out. 1 is usual.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Weight(f64);

impl Weight {
    /// Most a weight may be.
    pub const MAX: f64 = 10.0;
    /// What a module weighs when nobody says otherwise.
    pub const USUAL: Self = Self(1.0);

    /// A weight from 0 to [`Self::MAX`]; `None` for anything else.
    #[must_use]
    pub fn new(weight: f64) -> Option<Self> {
        (0.0..=Self::MAX).contains(&weight).then_some(Self(weight))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

/// What is wrong with `weights`; each names the part at fault and says what is valid.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// Not of the form `name=number`.
    #[error("`{0}` is not a weight. Write `module=number`, several apart by spaces: `legal=2 cost=0`.")]
    Form(String),
    /// No such module.
    #[error("There is no module `{0}`. The modules are: {valid}.", valid = all_names())]
    Module(String),
    /// Not a number from 0 to 10.
    #[error("`{0}`: a weight is a number from 0 to 10, such as `2` or `0.5`. 0 leaves the module out.")]
    Number(String),
    /// Named twice.
    #[error("`{0}` has two weights. Give it one.")]
    Twice(String),
}

/// Reads `legal=2 cost=0`; spaces or commas between.
pub fn parse_weights(text: &str) -> Result<BTreeMap<ModuleName, Weight>, WeightsError> {
    let mut weights = BTreeMap::new();
    for part in text.split([' ', ',', ';', '\n', '\t']).filter(|part| !part.is_empty()) {
        let shown = || part.chars().take(60).collect::<String>();
        let (name, number) = part.split_once(['=', ':']).ok_or_else(|| WeightsError::Form(shown()))?;
        let module =
            Module::find(name).ok_or_else(|| WeightsError::Module(name.chars().take(60).collect()))?;
        let number = number.trim().parse().ok().and_then(Weight::new);
        let weight = number.ok_or_else(|| WeightsError::Number(shown()))?;
        if weights.insert(module.name(), weight).is_some() {
            return Err(WeightsError::Twice(module.name.to_owned()));
        }
    }
    Ok(weights)
}

/// Reads `market, legal tech`, in any case, each once, in the order given. Empty text gives none.
pub fn parse_modules(text: &str) -> Result<Vec<ModuleName>, PanelError> {
    let mut names = Vec::new();
    for part in text.split([' ', ',', ';', '\n', '\t']).filter(|part| !part.is_empty()) {
        let module = Module::find(part).ok_or_else(|| PanelError::Module(part.chars().take(60).collect()))?;
        if !names.contains(&module.name()) {
            names.push(module.name());
        }
    }
    Ok(names)
}

/// A seat of the panel.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PanelSeat {
    /// Who sits there.
    pub module: ModuleName,
    /// Its influence, above 0.
    pub weight: Weight,
}

/// The modules of a session: at least one active, and those that were left out on purpose, which the synthesis must
/// speak of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Panel {
    /// Those who speak: in the order of the registry, then those made for the question.
    pub seats: Vec<PanelSeat>,
    /// Those left out, by a weight of 0 or because less was asked for.
    pub deactivated: Vec<ModuleName>,
    /// Those among the seats that were made for this question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<AdHocModule>,
}

/// Why no panel can be seated.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PanelError {
    /// No such module.
    #[error("There is no module `{0}`. The modules are: {valid}.", valid = all_names())]
    Module(String),
    /// Every module was left out.
    #[error("Every module has weight 0, so nobody would speak. Give at least one of them a weight above 0.")]
    Nobody,
    /// More than a round's message has room for.
    #[error("At most {MOST_SEATS} modules sit at a table, and here are {0}. Leave some out.")]
    Crowded(usize),
}

/// Most modules at a table: a round is one message, with an embed for each.
const MOST_SEATS: usize = 10;

impl Panel {
    /// Seats the chosen modules (the three defaults if none are chosen). A weight above 0 for a module that
    /// was not chosen seats it too; weight 0 keeps a module out and has it named in the disclaimer.
    pub fn seat(chosen: &[ModuleName], weights: &BTreeMap<ModuleName, Weight>) -> Result<Self, PanelError> {
        let default = DEFAULT_MODULES.map(|name| ModuleName(name.to_owned()));
        let chosen = if chosen.is_empty() { &default[..] } else { chosen };
        let mut panel = Self { seats: Vec::new(), deactivated: Vec::new(), made: Vec::new() };
        for module in &MODULES {
            let name = module.name();
            match weights.get(&name) {
                Some(weight) if weight.get() > 0.0 => {
                    panel.seats.push(PanelSeat { module: name, weight: *weight });
                }
                Some(_) => panel.deactivated.push(name),
                None if chosen.contains(&name) => {
                    panel.seats.push(PanelSeat { module: name, weight: Weight::USUAL });
                }
                None => {}
            }
        }
        match panel.seats.len() {
            0 => Err(PanelError::Nobody),
            seats if seats > MOST_SEATS => Err(PanelError::Crowded(seats)),
            _ => Ok(panel),
        }
    }

    /// Where the seat stands that goes first when less is asked for: the one of least weight, of those the last; `None`
    /// where two are left, for a panel of one has nobody to differ with.
    #[must_use]
    pub fn least(&self) -> Option<usize> {
        let enough = self.seats.len() > 2;
        let weight = |at: &usize| self.seats[*at].weight.get();
        enough.then(|| (0..self.seats.len()).rev().min_by(|a, b| weight(a).total_cmp(&weight(b)))).flatten()
    }

    /// The nearest active relative of a module, to whom its concerns pass when it cannot answer.
    #[must_use]
    pub fn heir(&self, of: &ModuleName, except: &[ModuleName]) -> Option<&PanelSeat> {
        let related = self.related(of);
        let free = |seat: &&PanelSeat| seat.module != *of && !except.contains(&seat.module);
        let nearest =
            related.iter().find_map(|name| self.seats.iter().filter(free).find(|s| s.module.0 == **name));
        nearest.or_else(|| self.seats.iter().find(free))
    }
}

impl ModuleName {
    /// What a card calls it: `Market`. The name of a module that was made for a question stands for itself.
    #[must_use]
    pub fn title(&self) -> &str {
        Module::find(&self.0).map_or(&self.0, |module| module.title)
    }

    /// Emoji and title, as it stands among experts: `📈 Market`.
    #[must_use]
    pub fn expert(&self) -> String {
        format!("{} {}", self.emoji(), self.title())
    }

    /// What stands before the title on a card; one sign for all that are made for a question.
    #[must_use]
    pub fn emoji(&self) -> &'static str {
        Module::find(&self.0).map_or("✨", |module| module.emoji)
    }
}

fn all_names() -> String {
    MODULES.map(|module| module.name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(panel: &Panel) -> Vec<&str> {
        panel.seats.iter().map(|seat| seat.module.0.as_str()).collect()
    }

    fn seat(modules: &str, weights: &str) -> Result<Panel, PanelError> {
        Panel::seat(&parse_modules(modules).unwrap(), &parse_weights(weights).unwrap())
    }

    #[test]
    fn every_relative_is_a_module() {
        for module in &MODULES {
            assert!(
                module.related.len() <= Module::MOST_RELATED
                    && module.related.iter().all(|name| Module::find(name).is_some_and(|m| m != module)),
                "{module:?}"
            );
        }
        let mut names = MODULES.map(|module| module.name).to_vec();
        names.dedup();
        assert_eq!(names.len(), 12);
    }

    #[test]
    fn of_least_weight_and_of_those_the_last_goes_first_and_two_stay() {
        let least = |modules, weights| {
            let panel = seat(modules, weights).unwrap();
            panel.least().map(|at| panel.seats[at].module.0.clone())
        };
        assert_eq!(least("market cost risk", "").as_deref(), Some("risk"));
        assert_eq!(least("market cost risk", "market=0.5 cost=0.5").as_deref(), Some("cost"));
        assert_eq!(least("market cost risk", "market=0.5").as_deref(), Some("market"));
        assert_eq!(least("market cost", "risk=0"), None);
        assert_eq!(least("market", ""), None);
    }

    #[test]
    fn weights_read_or_name_the_part_at_fault() {
        let weights = parse_weights("legal=2, COST=0 risk:0.5").unwrap();
        assert_eq!(weights.len(), 3);
        assert_eq!(parse_weights("legal"), Err(WeightsError::Form("legal".into())));
        assert_eq!(parse_weights("law=2"), Err(WeightsError::Module("law".into())));
        for number in ["x", "-1", "11", "NaN", "inf", ""] {
            let part = format!("legal={number}");
            assert_eq!(parse_weights(&part), Err(WeightsError::Number(part.clone())), "{number}");
        }
        assert_eq!(parse_weights("legal=1 legal=2"), Err(WeightsError::Twice("legal".into())));
        assert!(parse_weights("law=2").unwrap_err().to_string().contains("market, cost, risk"));
    }

    #[test]
    fn the_panel_is_the_defaults_the_choice_and_the_weights() {
        assert_eq!(names(&seat("", "").unwrap()), ["market", "cost", "risk"]);
        assert_eq!(names(&seat("tech market tech", "").unwrap()), ["market", "tech"]);
        let panel = seat("", "cost=0 legal=2").unwrap();
        assert_eq!(names(&panel), ["market", "risk", "legal"]);
        assert_eq!(panel.deactivated, [ModuleName("cost".into())]);
        assert_eq!(seat("", "market=0 cost=0 risk=0"), Err(PanelError::Nobody));
        assert!(parse_modules("wizardry").is_err());
    }

    #[test]
    fn concerns_pass_to_the_nearest_active_relative() {
        let panel = seat("tech scalability operational", "").unwrap();
        let tech = ModuleName("tech".into());
        let heir = panel.heir(&tech, &[]).unwrap();
        assert_eq!(heir.module.0, "scalability");
        let other = panel.heir(&tech, &[ModuleName("scalability".into())]).unwrap();
        assert_eq!(other.module.0, "operational");
    }
}
