//! How the parts of an Office document hang together (Open Packaging Conventions): the main part is the one that the
//! package says, whatever it is called, and each part says which others belong to it. What lies outside is never followed.

use super::{
    Fault,
    package::{Node, Package, attribute, local},
};

/// That one part belongs to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Relation {
    /// What the other part calls it.
    pub(super) id: String,
    /// What it is, such as `slide`: the last word of its type, which differs in all others between two standards.
    pub(super) kind: String,
    /// The part's name.
    pub(super) target: String,
}

/// Where the main part is if nothing says it; the second is how some online editors name it.
const USUAL: [&str; 4] =
    ["word/document.xml", "word/document2.xml", "ppt/presentation.xml", "xl/workbook.xml"];

/// What belongs to a part, or to the whole package, which has no name.
pub(super) fn of(package: &mut Package<'_>, part: &str) -> Result<Vec<Relation>, Fault> {
    let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
    let separator = if folder.is_empty() { "" } else { "/" };
    let mut relations = Vec::new();
    package.walk(&format!("{folder}{separator}_rels/{file}.rels"), |node| {
        let Node::Start(start) = node else { return Ok(()) };
        if local(&start) == "Relationship" && attribute(&start, "TargetMode").as_deref() != Some("External") {
            let value = |name| attribute(&start, name).unwrap_or_default();
            let kind = value("Type").rsplit('/').next().unwrap_or_default().to_owned();
            relations.push(Relation { id: value("Id"), kind, target: resolved(folder, &value("Target")) });
        }
        Ok(())
    })?;
    Ok(relations)
}

/// The name of the main part of an Office document.
pub(super) fn main(package: &mut Package<'_>) -> Result<Option<String>, Fault> {
    let named = of(package, "")?.into_iter().find(|relation| relation.kind == "officeDocument");
    if let Some(main) = named.map(|relation| relation.target).filter(|main| package.has(main)) {
        return Ok(Some(main));
    }
    let mut main = None;
    package.walk("[Content_Types].xml", |node| {
        let Node::Start(start) = node else { return Ok(()) };
        // `…wordprocessingml.document.main+xml`, and the same of templates, slides and sheets.
        if local(&start) == "Override"
            && attribute(&start, "ContentType").is_some_and(|kind| kind.ends_with(".main+xml"))
        {
            main = main.take().or(attribute(&start, "PartName"));
        }
        Ok(())
    })?;
    let main = main.filter(|main| package.has(main));
    Ok(main.or_else(|| USUAL.into_iter().find(|name| package.has(name)).map(str::to_owned)))
}

/// The first part of a kind that belongs to another.
pub(super) fn first(relations: &[Relation], kind: &str) -> Option<String> {
    relations.iter().find(|relation| relation.kind == kind).map(|relation| relation.target.clone())
}

/// The part of this id.
pub(super) fn by_id<'a>(relations: &'a [Relation], id: &str) -> Option<&'a Relation> {
    relations.iter().find(|relation| relation.id == id)
}

/// A part's name, told from a folder.
pub(super) fn resolved(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => folder.split('/').collect(),
    };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_the_folder_of_the_part() {
        for (folder, target, name) in [
            ("", "word/document22.xml", "word/document22.xml"),
            ("", "/word/document.xml", "word/document.xml"),
            ("ppt/slides", "../notesSlides/notesSlide1.xml", "ppt/notesSlides/notesSlide1.xml"),
            ("xl", "/xl/./sheet.xml", "xl/sheet.xml"),
            ("xl", "../../../etc/passwd", "etc/passwd"),
        ] {
            assert_eq!(resolved(folder, target), name);
        }
    }
}
