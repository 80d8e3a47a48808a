//! PPTX: the text of its slides in the order in which they are shown, tables as tables, and what the speaker noted.

use std::ops::ControlFlow;

use quick_xml::events::BytesStart;

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
    let (mut hidden, mut margins) = (false, false);
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
    }
    let mut omitted = omitted::of_office(package, "ppt");
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
    /// The paragraph that is open, how deep it lies in a list, and whether it is marked as an item or as none.
    paragraph: Option<(Line, usize, Option<bool>)>,
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
            "p" => self.paragraph = Some((Line::default(), 0, None)),
            "pPr" => {
                let level = attribute(start, "lvl").and_then(|level| level.parse().ok());
                if let Some((_, depth, _)) = &mut self.paragraph {
                    *depth = level.unwrap_or_default();
                }
            }
            "buNone" | "buChar" | "buAutoNum" | "buBlip" if inside("pPr") => {
                if let Some((.., item)) = &mut self.paragraph {
                    *item = Some(name != "buNone");
                }
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
                let Some((mut line, depth, item)) = self.paragraph.take() else { return Ok(()) };
                let text = line.take();
                let form = match self.role {
                    Role::Title(level) => Form::Heading(level),
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
        if let Some((paragraph, ..)) = &mut self.paragraph {
            paragraph.add(self.set, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::extract_of;

    fn shape(kind: &str, paragraphs: &str) -> String {
        let kind =
            if kind.is_empty() { String::new() } else { format!("<p:nvPr><p:ph type=\"{kind}\"/></p:nvPr>") };
        format!("<p:sp>{kind}<p:txBody>{paragraphs}</p:txBody></p:sp>")
    }

    fn paragraph(text: &str) -> String {
        format!("<a:p><a:r><a:t>{text}</a:t></a:r></a:p>")
    }

    fn relations(list: &[(&str, &str, &str)]) -> String {
        let one = |(id, kind, target): &(&str, &str, &str)| {
            format!("<Relationship Id=\"{id}\" Type=\"http://x/{kind}\" Target=\"{target}\"/>")
        };
        format!("<Relationships>{}</Relationships>", list.iter().map(one).collect::<String>())
    }

    fn slide(show: &str, shapes: &str) -> String {
        format!("<p:sld{show}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>")
    }

    #[test]
    fn what_is_raised_or_struck_keeps_its_meaning() {
        let run = |how: &str, text: &str| format!("<a:r><a:rPr {how}/><a:t>{text}</a:t></a:r>");
        let line = [
            run("", "10"),
            run("baseline=\"30000\"", "6"),
            run("baseline=\"0\"", " bottles, $320"),
            run("baseline=\"30%\"", "1"),
            run("", ", CO"),
            run("baseline=\"-25000\"", "2"),
            run("strike=\"noStrike\"", ", "),
            run("strike=\"sngStrike\"", "900"),
            run("", " 800"),
        ];
        let shown =
            slide("", &shape("", &format!("<a:p>{}<a:endParaRPr baseline=\"30000\"/></a:p>", line.concat())));
        let main =
            "<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"r1\"/></p:sldIdLst></p:presentation>";
        let extract = extract_of(&[
            ("ppt/presentation.xml", main),
            ("ppt/_rels/presentation.xml.rels", &relations(&[("r1", "slide", "slides/slide1.xml")])),
            ("ppt/slides/slide1.xml", &shown),
        ]);
        assert_eq!(extract.unwrap().text, "10^6 bottles, $320[1], CO2, ~~900~~ 800");
    }

    #[test]
    fn slides_are_read_in_their_order_with_tables_and_notes() {
        let main = "<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"r2\"/><p:sldId id=\"257\" r:id=\"r1\"/><p:sldId r:id=\"r3\" id=\"258\"/></p:sldIdLst></p:presentation>";
        let points = "<a:p><a:r><a:t>Rent</a:t></a:r></a:p><a:p><a:pPr lvl=\"1\"/><a:r><a:t>three</a:t></a:r><a:br/><a:r><a:t>years</a:t></a:r></a:p><a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>So far.</a:t></a:r></a:p>";
        let cell = |text: &str| format!("<a:tc><a:txBody>{}</a:txBody></a:tc>", paragraph(text));
        let table = format!(
            "<p:graphicFrame><a:graphic><a:tbl><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl></a:graphic></p:graphicFrame>",
            cell("Item"),
            cell("Cost"),
            cell("Oven"),
            cell("900")
        );
        let first = slide(
            "",
            &[
                shape("ctrTitle", &paragraph("Plan")),
                shape("ftr", &paragraph("Secret")),
                shape("sldNum", &paragraph("1")),
            ]
            .concat(),
        );
        let second = slide(
            "",
            &[
                shape("title", &paragraph("Costs")),
                shape("body", points),
                shape("", &paragraph("In a box.")),
                table,
            ]
            .concat(),
        );
        let notes = format!(
            "<p:notes><p:spTree>{}{}</p:spTree></p:notes>",
            shape("sldNum", &paragraph("2")),
            shape("body", &[paragraph("Breathe."), paragraph("Smile.")].concat())
        );
        let extract = extract_of(&[
            ("ppt/presentation.xml", main),
            (
                "ppt/_rels/presentation.xml.rels",
                &relations(&[
                    ("r1", "slide", "slides/slide1.xml"),
                    ("r2", "slide", "slides/slide2.xml"),
                    ("r3", "slide", "slides/slide3.xml"),
                ]),
            ),
            ("ppt/slides/slide2.xml", &first),
            ("ppt/slides/slide1.xml", &second),
            ("ppt/slides/slide3.xml", &slide(" show=\"0\"", &shape("", &paragraph("Hidden")))),
            (
                "ppt/slides/_rels/slide1.xml.rels",
                &relations(&[("r9", "notesSlide", "../notesSlides/n1.xml")]),
            ),
            ("ppt/notesSlides/n1.xml", &notes),
            ("ppt/media/image1.png", ""),
        ])
        .unwrap();
        let told = "# Plan\n\n## Costs\n\n- Rent\n  - three years\n\nSo far.\n\nIn a box.\n\nItem | Cost\nOven | 900\n\nSpeaker notes: Breathe.\n\nSmile.";
        assert_eq!(extract.text, told);
        let starts = vec![(0, Landmark::Slide(1)), (told.find("## Costs").unwrap(), Landmark::Slide(2))];
        assert_eq!(extract.places, Places::Parts(Unit::Paragraph, starts));
        assert_eq!(extract.omitted, [Omitted::Pictures, Omitted::HeadersAndFooters, Omitted::HiddenSlides]);
    }

    #[test]
    fn a_diagram_has_words_too_and_what_is_shown_twice_is_read_once() {
        let frame = "<p:graphicFrame><a:graphicData><dgm:relIds r:dm=\"d1\" r:lo=\"d2\"/></a:graphicData></p:graphicFrame>";
        let twice = format!(
            "<mc:AlternateContent><mc:Choice>{0}</mc:Choice><mc:Fallback>{0}</mc:Fallback></mc:AlternateContent>",
            shape("", &paragraph("Once."))
        );
        let extract = extract_of(&[
            (
                "ppt/presentation.xml",
                "<p:presentation><p:sldIdLst><p:sldId id=\"1\" r:id=\"r1\"/></p:sldIdLst></p:presentation>",
            ),
            ("ppt/_rels/presentation.xml.rels", &relations(&[("r1", "slide", "slides/slide1.xml")])),
            ("ppt/slides/slide1.xml", &slide("", &format!("{frame}{twice}"))),
            (
                "ppt/slides/_rels/slide1.xml.rels",
                &relations(&[("d1", "diagramData", "../diagrams/data1.xml")]),
            ),
            (
                "ppt/diagrams/data1.xml",
                "<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Step one</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>",
            ),
        ]);
        assert_eq!(extract.unwrap().text, "Once.\n\nStep one");
    }
}
