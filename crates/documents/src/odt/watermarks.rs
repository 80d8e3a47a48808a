//! What is written across an ODT's pages, such as `DRAFT`: it stands in the heads of pages as a drawing with a name of its own.

use super::super::package::{Node, attribute};

/// How the name of such a drawing begins, in whatever program it was made.
const NAME: &str = "PowerPlusWaterMarkObject";

/// Most that are told.
const MOST: usize = 4;

/// Those so far.
#[derive(Default)]
pub(super) struct Watermarks {
    pub(super) all: Vec<String>,
    /// How many elements are open, and how many were where the drawing began that is open.
    open: usize,
    from: Option<usize>,
    text: String,
}

impl Watermarks {
    /// Goes on in the part with the heads of pages.
    pub(super) fn visit(&mut self, node: &Node<'_>) {
        match node {
            Node::Start(start) => {
                let is_one = start.name().into_inner() == "draw:custom-shape"
                    && attribute(start, "name").is_some_and(|name| name.starts_with(NAME));
                if is_one && self.from.is_none() {
                    self.from = Some(self.open);
                    self.text.clear();
                }
                self.open += 1;
            }
            Node::End => {
                self.open = self.open.saturating_sub(1);
                if self.from == Some(self.open) {
                    self.from = None;
                    let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
                    if !text.is_empty() && self.all.len() < MOST && !self.all.contains(&text) {
                        self.all.push(text);
                    }
                }
            }
            Node::Text(text) => {
                if self.from.is_some() {
                    self.text.push_str(text);
                }
            }
        }
    }
}
