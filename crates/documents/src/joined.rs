//! Documents that are not fetched: text that was typed, and several documents as one.

use sha2::{Digest, Sha256};

use super::{DocumentError, Fault, MAX_TEXT, text};
use domain::{Document, Landmark, Omission, Pictured, Unit};

/// A text that was typed rather than attached, under this name; places in it are lines.
pub fn of_text(name: &str, typed: &str) -> Result<Document, DocumentError> {
    let name = text::shown(name);
    let text = text::clean(typed);
    if text::is_blank(&text) {
        return Err(Fault::Empty.of(&name));
    }
    if text.len() > MAX_TEXT {
        return Err(Fault::TooMuchText.of(&name));
    }
    Ok(Document {
        sha256: format!("{:x}", Sha256::digest(typed)),
        name,
        text,
        landmarks: Vec::new(),
        omissions: Vec::new(),
        pictures: Vec::new(),
    })
}

/// Several documents as one, each under its name: a message with its attachments. A single one stays as it is.
///
/// # Errors
/// [`Fault::Empty`] without any, [`Fault::TooMuchTogether`] where they are too much.
pub fn joined(name: &str, mut documents: Vec<Document>) -> Result<Document, DocumentError> {
    let name = text::shown(name);
    if documents.len() == 1 {
        return documents.pop().ok_or_else(|| Fault::Empty.of(&name));
    }
    let mut text = String::new();
    let (mut landmarks, mut omissions, mut pictures) = (Vec::new(), Vec::new(), Vec::new());
    let mut names = Vec::new();
    for document in documents {
        if !text.is_empty() {
            text.truncate(text.trim_end_matches('\n').len());
            text.push_str("\n\n");
        }
        let start = text.len();
        let is_file = |landmark: &&(usize, Landmark)| matches!(landmark.1, Landmark::File { .. });
        // One that was put together before keeps the names of its files; any other one has its own.
        let several = document.landmarks.iter().filter(is_file).nth(1).is_some();
        let mut called: Vec<(String, String)> = Vec::new();
        if !several {
            let file = apart(&document.name, &mut names);
            let whole = match document.landmarks.first() {
                Some((0, Landmark::File { unit, .. })) => *unit,
                _ => Unit::Line,
            };
            landmarks.push((start, Landmark::File { name: file.clone(), unit: whole }));
            called.push((document.name, file));
        }
        // A landmark behind the text's last line would come to stand in the next document.
        let end = document.text.trim_end_matches('\n').len();
        for (at, landmark) in document.landmarks {
            let landmark = match landmark {
                Landmark::File { .. } if !several => continue,
                Landmark::File { name, unit } => {
                    let file = apart(&name, &mut names);
                    called.push((name, file.clone()));
                    Landmark::File { name: file, unit }
                }
                part => part,
            };
            landmarks.push((start + at.min(end), landmark));
        }
        let now = |file: String| {
            let known = called.iter().find(|(before, _)| *before == file).or(called.first());
            known.map_or(file, |(_, now)| now.clone())
        };
        omissions.extend(
            document.omissions.into_iter().map(|Omission { file, what }| Omission { file: now(file), what }),
        );
        let renamed = |picture: Pictured| Pictured { file: now(picture.file.clone()), ..picture };
        pictures.extend(document.pictures.into_iter().map(renamed));
        text.push_str(&document.text);
    }
    if text::is_blank(&text) && pictures.is_empty() {
        return Err(Fault::Empty.of(&name));
    }
    if text.len() > MAX_TEXT {
        return Err(Fault::TooMuchTogether.of(&name));
    }
    let sha256 = format!("{:x}", Sha256::digest(&text));
    Ok(Document { name, sha256, text, landmarks, omissions, pictures }.with_pictures(Pictured::MOST))
}

/// A name that none of the others has: Discord lets two attachments have the same one.
fn apart(name: &str, names: &mut Vec<String>) -> String {
    let mut own = name.to_owned();
    for number in 2.. {
        if !names.contains(&own) {
            break;
        }
        own = format!("{name} ({number})");
    }
    names.push(own.clone());
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Omitted;

    #[test]
    fn typed_text_is_clean_and_hashed() {
        let document = of_text("your text", "abc").unwrap();
        assert_eq!(document.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(of_text("your text", "a\r\nb\u{202e}").unwrap().text, "a\nb");
        assert_eq!(of_text("your text", " \u{200b}\n").unwrap_err().fault, Fault::Empty);
    }

    #[test]
    fn several_documents_keep_their_names_and_places() {
        let message = of_text("message", "Please read both.\n").unwrap();
        let mut pdf = of_text("report.pdf", "one\n\ntwo").unwrap();
        pdf.landmarks = vec![(0, Landmark::Page(1)), (5, Landmark::Page(2)), (8, Landmark::Page(3))];
        let mut word = of_text("report.pdf", "Plan\n\nWe open.").unwrap();
        word.omissions = vec![Omission { file: "report.pdf".into(), what: Omitted::Pictures }];
        word.landmarks = vec![(0, Landmark::File { name: "report.pdf".into(), unit: Unit::Paragraph })];
        let all = joined("a message", vec![message, pdf, word]).unwrap();
        assert_eq!(all.text, "Please read both.\n\none\n\ntwo\n\nPlan\n\nWe open.");
        assert_eq!(all.name, "a message");
        let file = |name: &str, unit| Landmark::File { name: name.into(), unit };
        assert_eq!(
            all.landmarks,
            [
                (0, file("message", Unit::Line)),
                (19, file("report.pdf", Unit::Line)),
                (19, Landmark::Page(1)),
                (24, Landmark::Page(2)),
                (27, Landmark::Page(3)),
                (29, file("report.pdf (2)", Unit::Paragraph)),
            ]
        );
        assert_eq!(all.sha256, format!("{:x}", Sha256::digest(&all.text)));
        let named = Omission { file: "report.pdf (2)".into(), what: Omitted::Pictures };
        assert_eq!(all.omissions, [named], "under the name that tells it apart");
    }

    #[test]
    fn what_was_put_together_before_keeps_the_names_in_it() {
        let of = |name: &str, text: &str| of_text(name, text).unwrap();
        let mut pages = of("b.pdf", "two");
        pages.landmarks = vec![(0, Landmark::Page(1))];
        pages.omissions = vec![Omission { file: "b.pdf".into(), what: Omitted::Comments }];
        let first = joined("a.md and b.pdf", vec![of("a.md", "one"), pages]).unwrap();
        let all = joined("all", vec![first, of("a.md", "three")]).unwrap();
        let file = |name: &str| Landmark::File { name: name.into(), unit: Unit::Line };
        assert_eq!(all.text, "one\n\ntwo\n\nthree");
        let places = [(0, file("a.md")), (5, file("b.pdf")), (5, Landmark::Page(1)), (10, file("a.md (2)"))];
        assert_eq!(all.landmarks, places);
        assert_eq!(all.omissions, [Omission { file: "b.pdf".into(), what: Omitted::Comments }]);
    }

    #[test]
    fn a_single_document_stays_as_it_is_and_none_is_none() {
        let one = of_text("plan.md", "# Plan").unwrap();
        assert_eq!(joined("a message", vec![one.clone()]).unwrap(), one);
        assert_eq!(joined("a message", Vec::new()).unwrap_err().fault, Fault::Empty);
        let large = of_text("a", &"a".repeat(MAX_TEXT / 2 + 1)).unwrap();
        assert_eq!(joined("m", vec![large.clone(), large]).unwrap_err().fault, Fault::TooMuchTogether);
    }
}
