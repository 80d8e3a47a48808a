//! The numbers of an ODT's items and headings, counted as the program that shows it counts them.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use super::{
    super::{numbering::Count, package::attribute},
    styles::Styles,
};

/// Most lists that others may go on counting.
const MOST: usize = 10_000;

/// The lists that are open, and what was counted so far.
#[derive(Default)]
pub(super) struct Lists {
    /// The style of each list that is open, where it has one of its own.
    open: Vec<Option<String>>,
    /// The count of the outermost list that is open.
    count: Count,
    /// The names by which others may go on with it.
    name: String,
    style: String,
    by_name: HashMap<String, Count>,
    by_style: HashMap<String, Count>,
    headings: Count,
}

impl Lists {
    /// How many lists are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// A list begins. One that lies in no other begins to count anew, unless it goes on with another one.
    pub(super) fn open(&mut self, start: &BytesStart<'_>) {
        let style = attribute(start, "style-name").filter(|style| !style.is_empty());
        if self.open.is_empty() {
            self.style = style.clone().unwrap_or_default();
            self.name = attribute(start, "id").unwrap_or_default();
            let named = attribute(start, "continue-list").and_then(|name| self.by_name.get(&name));
            let goes_on = attribute(start, "continue-numbering").is_some_and(|is| is == "true");
            let before = named.or_else(|| self.by_style.get(&self.style).filter(|_| goes_on));
            self.count = before.cloned().unwrap_or_default();
        }
        self.open.push(style);
    }

    /// A list ends.
    pub(super) fn close(&mut self) {
        self.open.pop();
        if self.open.is_empty() && self.by_name.len() + self.by_style.len() < MOST {
            self.by_name.insert(std::mem::take(&mut self.name), self.count.clone());
            self.by_style.insert(std::mem::take(&mut self.style), self.count.clone());
        }
    }

    /// An item begins: it may say its number.
    pub(super) fn begin_item(&mut self, start: &BytesStart<'_>) {
        let from = attribute(start, "start-value").and_then(|from| from.parse().ok());
        if let (Some(from), Some(level)) = (from, self.open.len().checked_sub(1)) {
            self.count.begin_at(level, from);
        }
    }

    /// The number of the next item, whose first paragraph has this style; nothing where it has a dot.
    pub(super) fn next(&mut self, styles: &Styles, paragraph: &str) -> Option<String> {
        let level = self.open.len().checked_sub(1)?;
        let list = self.open.iter().rev().flatten().next();
        let scheme = list.and_then(|list| styles.scheme(list)).or_else(|| styles.scheme_of(paragraph))?;
        self.count.next(scheme, level)
    }

    /// The number of the next heading, of a level from 1.
    pub(super) fn next_heading(
        &mut self,
        styles: &Styles,
        level: usize,
        start: &BytesStart<'_>,
    ) -> Option<String> {
        let (scheme, level) = (styles.scheme("")?, level.checked_sub(1)?);
        if attribute(start, "restart-numbering").is_some_and(|is| is == "true") {
            let from = attribute(start, "start-value").and_then(|from| from.parse().ok()).unwrap_or(1);
            self.headings.begin_at(level, from);
        }
        self.headings.next(scheme, level)
    }
}
