//! PPTX: the text of its slides in the order in which they are shown, tables as tables, the numbers of lists, and what the
//! speaker noted and others commented.

mod comments;
mod lists;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use quick_xml::events::BytesStart;

use self::{
    comments::Authors,
    lists::{Auto, Lists},
};
use super::{
    Fault,
    blocks::{Blocks, Form},
    extract::{Extract, Places},
    levels::{Level, Line, Set},
    omitted,
    package::{Node, Package, attribute, local},
    relations::{self, Relation},
};
use domain::{Landmark, Omitted, Unit};

/// What stands before the notes of a slide, which are not shown with it.
const NOTES: &str = "Speaker notes:";

/// Reads the slides that the main part of this name lists.
pub(super) fn read(package: &mut Package<'_>, main: &str) -> Result<Extract, Fault> {
    let relations = relations::of(package, main)?;
    let mut slides = Vec::new();
    package.walk(main, |node| {
        let Node::Start(start) = node else { return Ok(()) };
        if local(&start) == "sldId" {
            let mut attributes = start.attributes();
            let mut known = attributes.with_checks(false).filter_map(Result::ok);
            // It has two ids; the other one has no prefix.
            let id =
                known.find(|one| one.key.prefix().is_some() && one.key.local_name().into_inner() == "id");
            let id = id.map(|one| one.value.into_owned());
            slides.extend(
                id.and_then(|id| relations::by_id(&relations, &id)).map(|slide| slide.target.clone()),
            );
        }
        Ok(())
    })?;
    let (mut blocks, mut starts) = (Blocks::default(), Vec::new());
    let (mut hidden, mut margins, mut uncommented) = (false, false, false);
    let authors = Authors::read(package, &relations);
    for (slide, number) in slides.iter().zip(1..) {
        let start = blocks.begin_part();
        let mut walker = Walker::new(&mut blocks, Part::Slide);
        if !package.walk_until(slide, |node| walker.visit(node))? {
            continue;
        }
        let is_hidden = walker.hidden;
        margins |= walker.margins && !is_hidden;
        let diagrams = walker.diagrams;
        hidden |= is_hidden;
        if is_hidden {
            continue;
        }
        starts.push((start, Landmark::Slide(number)));
        let relations = relations::of(package, slide)?;
        for diagram in diagrams.iter().filter_map(|id| relations::by_id(&relations, id)) {
            let mut walker = Walker::new(&mut blocks, Part::Diagram);
            package.walk_until(&diagram.target, |node| walker.visit(node))?;
        }
        notes(package, &relations, &mut blocks)?;
        // Comments that are broken cost the slides nothing.
        match comments::read(package, &relations, &authors) {
            Ok(remarks) => remarks.iter().try_for_each(|remark| blocks.push(Form::Paragraph, remark))?,
            Err(_) => uncommented = true,
        }
    }
    let mut omitted = omitted::of_office(package, "ppt");
    omitted.retain(|what| *what != Omitted::Comments);
    omitted.extend(uncommented.then_some(Omitted::Comments));
    omitted.extend(margins.then_some(Omitted::HeadersAndFooters));
    omitted.extend(hidden.then_some(Omitted::HiddenSlides));
    let text = blocks.finish()?;
    for (at, _) in &mut starts {
        *at = (*at).min(text.len());
    }
    Ok(Extract { omitted, ..Extract::whole(text, Places::Parts(Unit::Paragraph, starts)) })
}

/// Reads what the speaker noted to a slide, if anything.
fn notes(package: &mut Package<'_>, relations: &[Relation], blocks: &mut Blocks) -> Result<(), Fault> {
    let Some(part) = relations::first(relations, "notesSlide") else { return Ok(()) };
    let mut walker = Walker::new(blocks, Part::Notes);
    package.walk_until(&part, |node| walker.visit(node))?;
    Ok(())
}

/// What is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Slide,
    Diagram,
    Notes,
}

/// What a shape is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The title of the whole or of a slide: a heading of this level.
    Title(u8),
    /// Where points are listed.
    Body,
    /// A box of text like any other.
    Free,
    /// What stands on every slide alike, such as its number and the date.
    Margin(bool),
    /// Of the notes, the small picture of the slide and what else is not said in them.
    Nothing,
}

/// Goes through a slide and gathers its paragraphs.
struct Walker<'a> {
    blocks: &'a mut Blocks,
    part: Part,
    /// The elements that are open, outermost first.
    path: Vec<String>,
    /// How many elements were open where one began that is shown in another way already.
    skipped_from: Option<usize>,
    role: Role,
    paragraph: Option<Paragraph>,
    /// How the paragraphs of this box are counted.
    lists: Lists,
    /// How the letters of this run are set.
    set: Set,
    /// The slide is not shown.
    hidden: bool,
    /// Something stands above or below the text of every slide.
    margins: bool,
    /// The diagrams on the slide, by the ids of their parts.
    diagrams: Vec<String>,
    /// Notes have begun.
    noted: bool,
}

/// A paragraph that is open.
#[derive(Default)]
struct Paragraph {
    line: Line,
    /// How deep it lies in a list.
    depth: usize,
    /// It is marked as an item or as none, and how it is counted.
    item: Option<bool>,
    auto: Option<Auto>,
}

impl<'a> Walker<'a> {
    fn new(blocks: &'a mut Blocks, part: Part) -> Self {
        let role = if part == Part::Notes { Role::Nothing } else { Role::Free };
        Self {
            blocks,
            part,
            path: Vec::new(),
            skipped_from: None,
            role,
            paragraph: None,
            lists: Lists::default(),
            set: Set::default(),
            hidden: false,
            margins: false,
            diagrams: Vec::new(),
            noted: false,
        }
    }

    fn visit(&mut self, node: Node<'_>) -> super::package::Walked {
        match node {
            Node::Start(start) => {
                let name = local(&start).to_owned();
                if self.skipped_from.is_none() {
                    if name == "Fallback" {
                        self.skipped_from = Some(self.path.len());
                    } else {
                        self.start(&name, &start);
                    }
                }
                self.path.push(name);
            }
            Node::End => {
                let name = self.path.pop().ok_or(Fault::Broken)?;
                match self.skipped_from {
                    Some(from) if self.path.len() > from => {}
                    Some(_) => self.skipped_from = None,
                    None => self.end(&name)?,
                }
            }
            Node::Text(text) => {
                if self.skipped_from.is_none() && self.path.last().is_some_and(|name| name == "t") {
                    self.add(&text);
                }
            }
        }
        Ok(if self.hidden { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn start(&mut self, name: &str, start: &BytesStart<'_>) {
        let inside = |outer: &str| self.path.last().is_some_and(|name| name == outer);
        match name {
            "sld" => {
                self.hidden = attribute(start, "show").is_some_and(|show| matches!(&*show, "0" | "false"));
            }
            "sp" | "graphicFrame" => {
                self.role = if self.part == Part::Notes { Role::Nothing } else { Role::Free };
            }
            "ph" => self.role = self.placeholder(attribute(start, "type").as_deref()),
            "txBody" => self.lists = Lists::default(),
            "p" => self.paragraph = Some(Paragraph::default()),
            "pPr" => {
                let level = attribute(start, "lvl").and_then(|level| level.parse().ok());
                if let Some(paragraph) = &mut self.paragraph {
                    paragraph.depth = level.unwrap_or_default();
                }
            }
            "buNone" | "buChar" | "buAutoNum" | "buBlip" if inside("pPr") => {
                if let Some(paragraph) = &mut self.paragraph {
                    paragraph.item = Some(name != "buNone");
                    paragraph.auto = (name == "buAutoNum").then(|| Auto::of(start));
                }
            }
            // How the paragraphs of a level are marked unless they say it themselves.
            "buNone" | "buChar" | "buAutoNum" | "buBlip" if self.paragraph.is_none() => {
                let auto = (name == "buAutoNum").then(|| Auto::of(start));
                self.lists.usual(self.path.last().map(String::as_str), name != "buNone", auto);
            }
            "r" | "fld" => self.set = Set::default(),
            "rPr" if inside("r") || inside("fld") => {
                let higher = attribute(start, "baseline")
                    .and_then(|share| share.trim_end_matches('%').parse::<f64>().ok());
                self.set = Set {
                    level: match higher {
                        Some(share) if share > 0.0 => Level::Raised,
                        Some(share) if share < 0.0 => Level::Lowered,
                        _ => Level::On,
                    },
                    struck: attribute(start, "strike").is_some_and(|strike| strike != "noStrike"),
                };
            }
            "br" => self.add(" "),
            "tr" => self.blocks.open_row(),
            "tc" => self.blocks.open_cell(),
            "relIds" => self.diagrams.extend(attribute(start, "dm")),
            _ => {}
        }
    }

    fn placeholder(&self, kind: Option<&str>) -> Role {
        match (self.part, kind.unwrap_or("obj")) {
            (Part::Notes, "body") => Role::Free,
            (Part::Notes, _) => Role::Nothing,
            (_, "ctrTitle") => Role::Title(1),
            (_, "title") => Role::Title(2),
            (_, "sldNum" | "dt") => Role::Margin(false),
            (_, "ftr" | "hdr") => Role::Margin(true),
            (_, "body" | "obj") => Role::Body,
            _ => Role::Free,
        }
    }

    fn end(&mut self, name: &str) -> Result<(), Fault> {
        match name {
            "p" => {
                let Some(Paragraph { mut line, depth, item, auto }) = self.paragraph.take() else {
                    return Ok(());
                };
                let mut text = line.take();
                if text.trim().is_empty() {
                    return Ok(());
                }
                let usual = self.lists.of(depth);
                let (item, auto) = if item.is_some() { (item, auto) } else { usual };
                let label = self.lists.next(depth, auto);
                if let Some(label) = &label {
                    text = format!("{label} {}", text.trim());
                }
                let form = match self.role {
                    Role::Title(level) => Form::Heading(level),
                    Role::Body | Role::Free if label.is_some() => Form::Numbered(depth),
                    Role::Body if item != Some(false) => Form::Item(depth),
                    Role::Free if item == Some(true) => Form::Item(depth),
                    Role::Body | Role::Free => Form::Paragraph,
                    Role::Margin(told) => {
                        self.margins |= told && text.chars().any(char::is_alphabetic);
                        return Ok(());
                    }
                    Role::Nothing => return Ok(()),
                };
                if self.part == Part::Notes && !self.noted && !text.trim().is_empty() {
                    self.noted = true;
                    return self.blocks.push(form, &format!("{NOTES} {text}"));
                }
                self.blocks.push(form, &text)
            }
            "tr" => self.blocks.close_row(),
            _ => Ok(()),
        }
    }

    fn add(&mut self, text: &str) {
        if let Some(paragraph) = &mut self.paragraph {
            paragraph.line.add(self.set, text);
        }
    }
}
