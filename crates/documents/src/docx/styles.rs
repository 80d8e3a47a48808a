//! What the styles of a DOCX say of the paragraphs and the letters that have them.

use std::collections::HashMap;

use super::{
    super::{
        Fault,
        levels::{Level, Set},
        package::{Node, Package, attribute, local},
    },
    numbers::Numbers,
};

/// What a paragraph is by its style or by itself; what it does not say it has from what it is based on.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Look {
    pub(super) heading: Option<u8>,
    pub(super) item: Option<usize>,
    /// The list that counts it.
    pub(super) list: Option<u32>,
}

/// How letters are set; what they do not say they have from their style.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Letters {
    level: Option<Level>,
    struck: Option<bool>,
    hidden: Option<bool>,
}

/// The styles of a document, by their ids.
#[derive(Default)]
pub(super) struct Styles {
    paragraphs: HashMap<String, Look>,
    letters: HashMap<String, Letters>,
}

/// A style as the file has it.
#[derive(Default)]
struct Style {
    look: Look,
    letters: Letters,
    base: Option<String>,
}

impl Letters {
    /// Takes what an element says of letters. False: it says nothing of them.
    pub(super) fn take(&mut self, name: &str, value: Option<&str>) -> bool {
        let on = !matches!(value, Some("0" | "false" | "off"));
        match name {
            "vertAlign" => {
                self.level = Some(match value {
                    Some("superscript") => Level::Raised,
                    Some("subscript") => Level::Lowered,
                    _ => Level::On,
                });
            }
            "strike" | "dstrike" => self.struck = Some(on),
            "vanish" => self.hidden = Some(on),
            _ => return false,
        }
        true
    }

    /// The same, with what another one says besides.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            level: self.level.or(other.level),
            struck: self.struck.or(other.struck),
            hidden: self.hidden.or(other.hidden),
        }
    }

    /// How the letters are set.
    pub(super) fn set(self) -> Set {
        Set { level: self.level.unwrap_or_default(), struck: self.struck.unwrap_or_default() }
    }

    /// Whether the letters are not shown.
    pub(super) fn are_hidden(self) -> bool {
        self.hidden.unwrap_or_default()
    }
}

impl Styles {
    /// Reads them. Their names tell headings apart, in whatever language the ids are.
    pub(super) fn read(package: &mut Package<'_>, part: &str, numbers: &Numbers) -> Result<Self, Fault> {
        let mut styles: HashMap<String, Style> = HashMap::new();
        let (mut id, mut path) = (String::new(), Vec::<String>::new());
        package.walk(part, |node| {
            let start = match node {
                Node::Start(start) => start,
                Node::End => {
                    path.pop();
                    return Ok(());
                }
                Node::Text(_) => return Ok(()),
            };
            let value = attribute(&start, "val");
            let name = local(&start).to_owned();
            if name == "style" {
                id = attribute(&start, "styleId").unwrap_or_default();
            }
            let style = styles.entry(id.clone()).or_default();
            match name.as_str() {
                "name" => {
                    let name = value.unwrap_or_default();
                    style.look.heading = style.look.heading.or(heading_of(&name));
                    style.look.item = style.look.item.or(item_of(&name));
                }
                "basedOn" => style.base = value,
                "outlineLvl" => style.look.heading = value.and_then(|level| outline(&level)),
                "numId" => style.look.list = value.and_then(|list| list.parse().ok()),
                "ilvl" => style.look.item = value.and_then(|level| level.parse().ok()),
                // Of a table's style, how its corners and edges differ is no matter of letters.
                _ if path.last().is_some_and(|outer| outer == "rPr")
                    && path.iter().rev().nth(1).is_some_and(|outer| outer == "style") =>
                {
                    style.letters.take(&name, value.as_deref());
                }
                _ => {}
            }
            path.push(name);
            Ok(())
        })?;
        let mut all = Self::default();
        for id in styles.keys() {
            let (mut look, mut letters) = (Look::default(), Letters::default());
            let mut next = Some(id);
            // A style that is based on itself ends here, too.
            for _ in 0..20 {
                let Some((name, own)) = next.and_then(|id| styles.get_key_value(id)) else { break };
                let counted = own.look.list.and_then(|list| numbers.level_of(list, name));
                look.heading = look.heading.or(own.look.heading);
                look.item = look.item.or(own.look.item).or(counted);
                look.list = look.list.or(own.look.list);
                letters = letters.or(own.letters);
                next = own.base.as_ref();
            }
            look.item = match look.list {
                Some(0) => None,
                Some(_) => look.item.or(Some(0)),
                None => look.item,
            };
            all.paragraphs.insert(id.clone(), look);
            all.letters.insert(id.clone(), letters);
        }
        Ok(all)
    }

    /// What paragraphs of a style are. Without a list of styles the ids that Word itself gives have to do.
    pub(super) fn look(&self, id: &str) -> Look {
        let named = || Look { heading: heading_of(id), ..Look::default() };
        self.paragraphs.get(id).copied().unwrap_or_else(named)
    }

    /// How letters of a style are set.
    pub(super) fn letters(&self, id: &str) -> Letters {
        self.letters.get(id).copied().unwrap_or_default()
    }
}

/// `heading 2` and `Title`, as every language's Word names them in the file.
fn heading_of(name: &str) -> Option<u8> {
    let name = name.to_lowercase();
    if name == "title" {
        return Some(1);
    }
    name.strip_prefix("heading")?.trim().parse().ok().filter(|level| (1..=9).contains(level))
}

/// `List Bullet 2`: how many other lists an item of this style lies in. Other styles of lists say it themselves.
fn item_of(name: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let rest = name.strip_prefix("list bullet").or_else(|| name.strip_prefix("list number"))?;
    let level: usize = if rest.is_empty() { 1 } else { rest.trim().parse().ok()? };
    level.checked_sub(1)
}

/// The level of an outline: 0 is the highest, 9 is text.
pub(super) fn outline(level: &str) -> Option<u8> {
    level.parse::<u8>().ok().filter(|level| *level < 9).map(|level| level + 1)
}
