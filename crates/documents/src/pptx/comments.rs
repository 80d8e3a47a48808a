//! What was commented on a slide, and by whom. Two generations of the program keep it in two ways.

use std::collections::HashMap;

use super::super::{
    Fault,
    package::{Node, Package, attribute, local},
    relations::{self, Relation},
    remarks,
};

/// Most people who commented, and most comments of a slide.
const MOST: usize = 4_096;

/// The names of those who commented, by their ids.
#[derive(Default)]
pub(super) struct Authors(HashMap<String, String>);

impl Authors {
    /// Reads them. Without names, comments are still comments.
    pub(super) fn read(package: &mut Package<'_>, of_main: &[Relation]) -> Self {
        let mut authors = Self::default();
        for part in
            ["commentAuthors", "authors"].into_iter().filter_map(|kind| relations::first(of_main, kind))
        {
            let _ = package.walk(&part, |node| {
                if let Node::Start(start) = node
                    && matches!(local(&start), "cmAuthor" | "author")
                    && authors.0.len() < MOST
                    && let (Some(id), Some(name)) = (attribute(&start, "id"), attribute(&start, "name"))
                {
                    authors.0.insert(id, name);
                }
                Ok(())
            });
        }
        authors
    }
}

/// A comment that is open: whose it is, and what it says.
#[derive(Default)]
struct Open {
    author: String,
    said: String,
}

/// Reads the comments on a slide, each as a line: `Comment by Ada: Not before May!`. An answer stands behind what it answers.
pub(super) fn read(
    package: &mut Package<'_>,
    of_slide: &[Relation],
    authors: &Authors,
) -> Result<Vec<String>, Fault> {
    let mut lines = Vec::new();
    for part in of_slide.iter().filter(|relation| relation.kind == "comments") {
        let (mut open, mut path) = (Vec::<Open>::new(), Vec::<String>::new());
        // What answers a comment is written before its own text in the file.
        let mut answers = Vec::new();
        package.walk(&part.target, |node| {
            match node {
                Node::Start(start) => {
                    let name = local(&start).to_owned();
                    match name.as_str() {
                        "cm" | "reply" => {
                            let id = attribute(&start, "authorId").unwrap_or_default();
                            let author = authors.0.get(&id).cloned().unwrap_or_default();
                            open.push(Open { author, said: String::new() });
                        }
                        "p" | "br" => {
                            if let Some(one) = open.last_mut() {
                                one.said.push(' ');
                            }
                        }
                        _ => {}
                    }
                    path.push(name);
                }
                Node::End => {
                    let name = path.pop().ok_or(Fault::Broken)?;
                    if matches!(name.as_str(), "cm" | "reply") {
                        let line = open.pop().and_then(|one| remarks::named(&one.author, &one.said));
                        match name.as_str() {
                            "reply" => answers.extend(line),
                            _ => lines.extend(line.into_iter().chain(std::mem::take(&mut answers))),
                        }
                    }
                }
                Node::Text(text) => {
                    let said = path.last().is_some_and(|name| matches!(name.as_str(), "t" | "text"));
                    if let Some(one) = open.last_mut().filter(|_| said) {
                        one.said.push_str(&text);
                    }
                }
            }
            if lines.len() + answers.len() > MOST { Err(Fault::TooMuchText) } else { Ok(()) }
        })?;
    }
    Ok(lines)
}
