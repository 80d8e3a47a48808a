//! How a DOCX numbers its clauses: lists that are defined once, and used under numbers of their own.

use std::collections::{HashMap, HashSet};

use quick_xml::events::BytesStart;

use super::super::{
    Fault,
    numbering::{Count, Figures, Scheme, Stage},
    package::{Node, Package, attribute, local},
};

/// The lists of a document, and how far each has been counted.
#[derive(Default)]
pub(super) struct Numbers {
    lists: HashMap<u32, List>,
    uses: HashMap<u32, Use>,
    counts: HashMap<u32, Count>,
    begun: HashSet<u32>,
}

/// A list as it is defined.
#[derive(Default)]
struct List {
    scheme: Scheme,
    /// The levels that styles of paragraphs stand for.
    styles: HashMap<String, usize>,
    /// The style that it is the definition of, and the one whose definition it uses.
    style: Option<String>,
    uses_style: Option<String>,
}

/// A list as it is used.
#[derive(Default)]
struct Use {
    list: u32,
    /// Levels that begin with another number here.
    starts: HashMap<usize, i64>,
    /// Levels that are others here.
    stages: HashMap<usize, Stage>,
}

/// Where the walk through the definitions is.
#[derive(Default)]
struct At {
    list: Option<u32>,
    used: Option<u32>,
    level: usize,
}

impl Numbers {
    /// Reads the lists; a document need not have any.
    pub(super) fn read(package: &mut Package<'_>, part: &str) -> Result<Self, Fault> {
        let (mut numbers, mut at) = (Self::default(), At::default());
        package.walk(part, |node| {
            if let Node::Start(start) = node {
                numbers.take(&start, &mut at);
            }
            Ok(())
        })?;
        numbers.link();
        Ok(numbers)
    }

    fn take(&mut self, start: &BytesStart<'_>, at: &mut At) {
        let number = |name: &str| attribute(start, name).and_then(|number| number.parse::<u32>().ok());
        let value = || attribute(start, "val");
        match local(start) {
            "abstractNum" => *at = At { list: number("abstractNumId"), ..At::default() },
            "num" => *at = At { used: number("numId"), ..At::default() },
            "abstractNumId" => {
                if let (Some(used), Some(list)) = (at.used, number("val")) {
                    self.uses.entry(used).or_default().list = list;
                }
            }
            "lvl" | "lvlOverride" => {
                at.level = number("ilvl").and_then(|level| usize::try_from(level).ok()).unwrap_or_default();
            }
            "startOverride" => {
                let from = value().and_then(|from| from.parse().ok());
                if let (Some(used), Some(from)) = (at.used, from) {
                    self.uses.entry(used).or_default().starts.insert(at.level, from);
                }
            }
            "styleLink" | "numStyleLink" | "pStyle" => {
                let Some(list) = at.list.map(|list| self.lists.entry(list).or_default()) else { return };
                match local(start) {
                    "styleLink" => list.style = value(),
                    "numStyleLink" => list.uses_style = value(),
                    _ => list.styles.extend(value().map(|style| (style, at.level))),
                }
            }
            name @ ("start" | "numFmt" | "lvlText" | "lvlRestart" | "isLgl") => {
                let stage = match (at.list, at.used) {
                    (Some(list), _) => self.lists.entry(list).or_default().scheme.stage(at.level),
                    (None, Some(used)) => {
                        self.uses.entry(used).or_default().stages.entry(at.level).or_default()
                    }
                    (None, None) => return,
                };
                let value = value().unwrap_or_default();
                match name {
                    "start" => stage.start = value.parse().unwrap_or(1),
                    "numFmt" => stage.figures = Figures::named(&value),
                    "lvlText" => stage.label = value,
                    "lvlRestart" => stage.restart = value.parse().ok(),
                    _ => stage.legal = !matches!(value.as_str(), "0" | "false"),
                }
            }
            _ => {}
        }
    }

    /// A list may be defined by that of a style. It is followed once, so that one which leads back to itself ends here.
    fn link(&mut self) {
        let own: HashMap<String, u32> =
            self.lists.iter().filter_map(|(id, list)| Some((list.style.clone()?, *id))).collect();
        for used in self.uses.values_mut() {
            let style = self.lists.get(&used.list).and_then(|list| list.uses_style.as_ref());
            if let Some(list) = style.and_then(|style| own.get(style)) {
                used.list = *list;
            }
        }
    }

    /// The level of a list that paragraphs of a style stand for.
    pub(super) fn level_of(&self, used: u32, style: &str) -> Option<usize> {
        self.lists.get(&self.uses.get(&used)?.list)?.styles.get(style).copied()
    }

    /// The label of the next paragraph of a list, on a level from 0; nothing where it has a dot or no label.
    pub(super) fn next(&mut self, used: u32, level: usize) -> Option<String> {
        let of = self.uses.get(&used)?;
        let count = self.counts.entry(of.list).or_default();
        if self.begun.insert(used) {
            of.starts.keys().for_each(|level| count.restart(*level));
        }
        let scheme = &self.lists.get(&of.list)?.scheme;
        if of.starts.is_empty() && of.stages.is_empty() {
            return count.next(scheme, level);
        }
        let mut scheme = scheme.clone();
        for (level, stage) in &of.stages {
            *scheme.stage(*level) = stage.clone();
        }
        for (level, from) in &of.starts {
            scheme.stage(*level).start = *from;
        }
        count.next(&scheme, level)
    }
}
