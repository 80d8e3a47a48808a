//! Modules that are made for one question, beside those of the registry.

use serde::{Deserialize, Serialize};

use super::{MAX_ROLE_NAME, Module, ModuleName, Panel, PanelSeat, Role, Weight};

/// Longest name of a module that was made for a question, in characters.
const MAX_MADE_NAME: usize = 30;
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
    /// How it works: the whole of what a model wrote for it; nothing where what it looks at says all.
    pub system_prompt: String,
    /// Who at the table is nearest to it; `None` where nobody is.
    pub nearest: Option<ModuleName>,
}

impl Panel {
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

impl Panel {
    /// A table of the experts of a roundtable, each with its mission as what it looks at.
    #[must_use]
    pub fn of_roles(roles: &[Role]) -> Self {
        let mut panel = Self { seats: Vec::new(), deactivated: Vec::new(), made: Vec::new() };
        for role in roles {
            let plain = ModuleName::of_role(role);
            let taken = |name: &ModuleName| {
                name.is_like(&ModuleName("team".to_owned()))
                    || panel.made.iter().any(|other| other.name.is_like(name))
            };
            let numbered = (role.id.0..).map(|number| ModuleName(format!("{plain} ({number})")));
            let name =
                std::iter::once(plain.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(plain);
            panel.seats.push(PanelSeat { module: name.clone(), weight: Weight::USUAL });
            panel.made.push(AdHocModule {
                name,
                looks_at: super::one_line(&role.mission),
                why: String::new(),
                system_prompt: String::new(),
                nearest: None,
            });
        }
        panel
    }
}

impl ModuleName {
    /// The name of an expert as it stands in requests and on cards: letters, digits and what stands in names, so that nobody
    /// could take it for markup, a mention, an address, a sentence or an item of a list.
    #[must_use]
    pub fn of_role(role: &Role) -> Self {
        let stands = |c: char| {
            c.is_alphanumeric()
                || matches!(
                    c,
                    ' ' | '-' | '’' | '&' | ',' | '.' | '/' | '(' | ')' | '+' | '\u{900}'..='\u{10ff}'
                )
        };
        let plain = role.name.replace('\'', "’");
        let plain: String = plain.chars().map(|c| if stands(c) { c } else { ' ' }).collect();
        let plain: String = super::one_line(&plain).chars().take(MAX_ROLE_NAME).collect();
        let plain =
            plain.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | '#' | '+')).to_owned();
        if plain.chars().any(char::is_alphanumeric) {
            Self(plain)
        } else {
            Self(format!("Expert {}", role.id.0))
        }
    }

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
    use crate::{
        MODULES, Picked, SelectionMetadata,
        sample::mediate::{name, selecting},
    };

    fn chosen(picked: &[&str], made: Vec<AdHocModule>) -> SelectionMetadata {
        let picked = picked.iter().map(|module| Picked { module: name(module), why: String::new() });
        SelectionMetadata {
            auto_selected: true,
            selected_modules: picked.collect(),
            ad_hoc_modules: made,
            ..SelectionMetadata::default()
        }
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
        let brief = selecting("");
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
