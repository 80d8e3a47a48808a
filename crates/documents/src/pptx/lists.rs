//! The numbers of a slide's items. The file does not hold them: each item that follows one of its kind has the next number.

use quick_xml::events::BytesStart;

use super::super::{
    numbering::{Figures, LEVELS},
    package::attribute,
};

/// How an item is counted: `arabicPeriod` from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Auto {
    kind: String,
    start: i64,
}

impl Auto {
    /// What an element says of it.
    pub(super) fn of(start: &BytesStart<'_>) -> Self {
        let from = attribute(start, "startAt").and_then(|from| from.parse().ok());
        Self { kind: attribute(start, "type").unwrap_or_default(), start: from.unwrap_or(1) }
    }

    /// A number as it is shown.
    fn write(&self, number: i64) -> String {
        let figures = match self.kind.as_str() {
            kind if kind.starts_with("alphaLc") => Figures::Letters { upper: false },
            kind if kind.starts_with("alphaUc") => Figures::Letters { upper: true },
            kind if kind.starts_with("romanLc") => Figures::Roman { upper: false },
            kind if kind.starts_with("romanUc") => Figures::Roman { upper: true },
            _ => Figures::Decimal,
        };
        let number = figures.write(number);
        match self.kind.as_str() {
            kind if kind.ends_with("ParenBoth") => format!("({number})"),
            kind if kind.ends_with("ParenR") => format!("{number})"),
            kind if kind.ends_with("Plain") => number,
            kind if kind.ends_with("Minus") => format!("{number} -"),
            _ => format!("{number}."),
        }
    }
}

/// How paragraphs of a level are marked.
type Mark = (Option<bool>, Option<Auto>);

/// The items of a box so far, by their levels.
#[derive(Default)]
pub(super) struct Lists {
    usual: [Mark; LEVELS],
    last: [Option<(Auto, i64)>; LEVELS],
}

impl Lists {
    /// The box says how paragraphs of a level are marked, in an element such as `lvl1pPr`.
    pub(super) fn usual(&mut self, element: Option<&str>, item: bool, auto: Option<Auto>) {
        let level =
            element.and_then(|name| name.strip_prefix("lvl")?.strip_suffix("pPr")?.parse::<usize>().ok());
        if let Some(mark) = level.and_then(|level| self.usual.get_mut(level.checked_sub(1)?)) {
            *mark = (Some(item), auto);
        }
    }

    /// How paragraphs of a level are marked that do not say it themselves.
    pub(super) fn of(&self, level: usize) -> Mark {
        self.usual.get(level).cloned().unwrap_or_default()
    }

    /// The next paragraph, of a level from 0: its number, if it has one.
    pub(super) fn next(&mut self, level: usize, auto: Option<Auto>) -> Option<String> {
        let level = level.min(LEVELS - 1);
        self.last[level + 1..].fill(None);
        let Some(auto) = auto else {
            self.last[level] = None;
            return None;
        };
        let number = match self.last[level].take() {
            Some((before, number)) if before == auto => number.saturating_add(1),
            _ => auto.start,
        };
        let label = auto.write(number);
        self.last[level] = Some((auto, number));
        Some(label)
    }
}
