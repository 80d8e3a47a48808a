//! How the letters of a page are set, as far as it changes what they say: above or below their line, or struck through.

use html5ever::tokenizer::Tag;

use super::{
    super::levels::{Level, Set},
    attribute,
};

/// Most elements inside one another that set letters in some way.
const DEEPEST: usize = 64;

/// The elements that are open and set letters in some way.
#[derive(Default)]
pub(super) struct Styles {
    open: Vec<Styled>,
}

/// An element that sets its letters.
struct Styled {
    name: String,
    /// How many of its name are open, itself too.
    open: usize,
    level: Option<Level>,
    struck: bool,
    /// It leads to another place of the page, as the mark of a note does.
    leads: bool,
}

impl Styles {
    /// Goes on with a tag.
    pub(super) fn follow(&mut self, tag: &Tag, start: bool, empty: bool) {
        if empty {
            return;
        }
        let name: &str = &tag.name;
        if !start {
            let Some(at) = self.open.iter().rposition(|styled| styled.name == name) else { return };
            self.open[at].open -= 1;
            if self.open[at].open == 0 {
                self.open.truncate(at);
            }
            return;
        }
        let styled = styled(tag);
        if styled.level.is_some() || styled.struck || styled.leads {
            if self.open.len() < DEEPEST {
                self.open.push(styled);
            }
        } else if let Some(outer) = self.open.iter_mut().rfind(|outer| outer.name == name) {
            outer.open += 1;
        }
    }

    /// A paragraph begins or ends: what is raised and was not ended ends here.
    pub(super) fn end_block(&mut self) {
        self.open.retain(|styled| styled.level.is_none() && !styled.leads);
    }

    /// How letters are set here.
    pub(super) fn set(&self) -> Set {
        let level = self.open.iter().rev().find_map(|styled| styled.level).unwrap_or_default();
        let leads = self.open.iter().any(|styled| styled.leads);
        let level = if level == Level::Raised && leads { Level::Noted } else { level };
        Set { level, struck: self.open.iter().any(|styled| styled.struck) }
    }
}

/// How an element sets its letters.
fn styled(tag: &Tag) -> Styled {
    let name: &str = &tag.name;
    let style = attribute(tag, "style").unwrap_or_default().to_ascii_lowercase().replace(' ', "");
    let says = |what: &str| style.contains(what);
    let level = match name {
        _ if says("vertical-align:super") => Some(Level::Raised),
        _ if says("vertical-align:sub") => Some(Level::Lowered),
        _ if says("vertical-align:baseline") => Some(Level::On),
        "sup" => Some(Level::Raised),
        "sub" => Some(Level::Lowered),
        _ => None,
    };
    let struck = matches!(name, "s" | "strike" | "del") || says("line-through");
    let noted = |attribute: Option<String>| {
        attribute
            .is_some_and(|value| ["noteref", "footnote", "reference"].iter().any(|word| value.contains(word)))
    };
    let leads = (name == "a" && attribute(tag, "href").is_some_and(|href| href.starts_with('#')))
        || (name == "sup" && noted(attribute(tag, "class")))
        || noted(attribute(tag, "epub:type"));
    Styled { name: name.to_owned(), open: 1, level, struck, leads }
}
