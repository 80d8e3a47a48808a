//! What the styles of an ODT say of the letters, the paragraphs and the lists that have them.

use std::collections::{HashMap, HashSet};

use quick_xml::events::BytesStart;

use super::super::{
    levels::{Level, Set},
    numbering::{Figures, LEVELS, Scheme},
    package::attribute,
};

/// Most styles that are kept.
const STYLES: usize = 10_000;

/// The styles so far.
#[derive(Default)]
pub(super) struct Styles {
    /// How letters of each are set, and the style that is described.
    letters: HashMap<String, Set>,
    style: String,
    /// Those that are the title's.
    titles: HashSet<String>,
    /// The lists of paragraphs.
    paragraphs: HashMap<String, String>,
    /// How lists are numbered, and the one that is described; that of headings has no name.
    schemes: HashMap<String, Scheme>,
    list: String,
}

impl Styles {
    /// Takes what an element says of styles, if anything.
    pub(super) fn take(&mut self, name: &str, start: &BytesStart<'_>) {
        let named = || attribute(start, "name").unwrap_or_default();
        match name {
            "style:style" => {
                self.style = named();
                if attribute(start, "parent-style-name").is_some_and(|parent| parent == "Title") {
                    self.titles.insert(self.style.clone());
                }
                let list = attribute(start, "list-style-name").filter(|list| !list.is_empty());
                if let Some(list) = list.filter(|_| self.paragraphs.len() < STYLES) {
                    self.paragraphs.insert(self.style.clone(), list);
                }
            }
            "style:default-style" => self.style.clear(),
            "text:list-style" => {
                self.style.clear();
                self.list = named();
            }
            "text:outline-style" => {
                self.style.clear();
                self.list.clear();
            }
            "text:list-level-style-number" | "text:outline-level-style" | "text:list-level-style-bullet"
                if self.schemes.len() < STYLES =>
            {
                self.level(name, start);
            }
            "style:text-properties" if self.letters.len() < STYLES && !self.style.is_empty() => {
                let position = attribute(start, "text-position").unwrap_or_default();
                let level = match position.split_whitespace().next() {
                    Some("super") => Level::Raised,
                    Some("sub") => Level::Lowered,
                    Some(share) if share.starts_with('-') => Level::Lowered,
                    Some(share) if !share.starts_with('0') => Level::Raised,
                    _ => Level::On,
                };
                let struck = attribute(start, "text-line-through-style").is_some_and(|style| style != "none");
                self.letters.insert(self.style.clone(), Set { level, struck });
            }
            _ => {}
        }
    }

    /// What an element says of a level of a list.
    fn level(&mut self, name: &str, start: &BytesStart<'_>) {
        let number = |what: &str| attribute(start, what).and_then(|number| number.parse::<usize>().ok());
        let Some(level) = number("level").and_then(|level| level.checked_sub(1)).filter(|at| *at < LEVELS)
        else {
            return;
        };
        let stage = self.schemes.entry(self.list.clone()).or_default().stage(level);
        if name == "text:list-level-style-bullet" {
            stage.figures = Figures::Sign;
            return;
        }
        let format = attribute(start, "num-format").unwrap_or_default();
        if format.is_empty() {
            (stage.figures, stage.label) = (Figures::None, String::new());
            return;
        }
        stage.figures = Figures::named(&format);
        stage.start = attribute(start, "start-value").and_then(|from| from.parse().ok()).unwrap_or(1);
        let shown = number("display-levels").unwrap_or(1).clamp(1, level + 1);
        let levels: Vec<String> = (level + 1 - shown..=level).map(|at| format!("%{}", at + 1)).collect();
        let around = |what: &str| attribute(start, what).unwrap_or_default();
        stage.label = match attribute(start, "num-list-format") {
            // `%1%.%2%.`
            Some(format) => {
                (1..=LEVELS).fold(format, |all, at| all.replace(&format!("%{at}%"), &format!("%{at}")))
            }
            None => format!("{}{}{}", around("num-prefix"), levels.join("."), around("num-suffix")),
        };
    }

    /// How letters of a style are set.
    pub(super) fn set(&self, style: &str) -> Set {
        self.letters.get(style).copied().unwrap_or_default()
    }

    /// Whether paragraphs of a style are the title.
    pub(super) fn is_title(&self, style: &str) -> bool {
        style == "Title" || self.titles.contains(style)
    }

    /// How the list of a paragraph's style is numbered.
    pub(super) fn scheme_of(&self, style: &str) -> Option<&Scheme> {
        self.scheme(self.paragraphs.get(style)?)
    }

    /// How a list is numbered; that of headings has no name.
    pub(super) fn scheme(&self, list: &str) -> Option<&Scheme> {
        self.schemes.get(list)
    }
}
