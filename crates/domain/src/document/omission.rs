//! What of a file is not in its text, so that nobody takes it for read, and how it was read where that was not certain.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::enumerated;

/// Something of a file that is not in the document's text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Omission {
    /// The file's name.
    pub file: String,
    /// What of it.
    pub what: Omitted,
}

/// Most pages and runs of pages that are told one by one: a file may have thousands.
const MOST_RANGES: usize = 12;

/// What of a file can be missing from its text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Omitted {
    /// Pages with no text on them, such as drawings; from 1, in order.
    Pages(Vec<u32>),
    /// Pages that show pictures and no text, as a scan has.
    Pictured(Vec<u32>),
    /// Pages, or a whole picture where there are none, that the model which reads pictures could not read.
    Unseen(Vec<u32>),
    /// Pages most of whose letters their fonts do not tell.
    Unlettered(Vec<u32>),
    /// Pages that are damaged.
    Broken(Vec<u32>),
    /// Pages for which there was no time.
    Late(Vec<u32>),
    /// Pictures between the text.
    Pictures,
    /// What stands above and below the text of every page.
    HeadersAndFooters,
    /// Remarks beside the text.
    Comments,
    /// Charts, of which the numbers and words are drawn.
    Charts,
    /// Slides that are not shown.
    HiddenSlides,
    /// Sheets that are not shown.
    HiddenSheets,
    /// Rows of sheets that are not shown.
    HiddenRows,
    /// Columns of sheets that are not shown.
    HiddenColumns,
    /// Cells of sheets whose values are not shown.
    HiddenCells,
    /// Formulas that cannot be written in a line.
    Formulas,
    /// The numbers of clauses and lists.
    Numbers,
    /// How letters are raised, lowered or struck through.
    Marks,
    /// The rows of a sheet, such as `Budget`, from this one on: there are more than are read.
    Rows {
        /// The sheet.
        sheet: String,
        /// The first row that is not read, from 1.
        from: u32,
    },
    /// Sheets, by their names, for which there was no room.
    Sheets(Vec<String>),
    /// Files that a mail carries, by their names.
    Attachments(Vec<String>),
    /// Parts of a mail that lie too deep in others, or are too many.
    Parts,
    /// Nothing is missing: the file does not say in which encoding its letters are, and it was taken for this one.
    ReadAs(String),
    /// Nothing is missing: pages on which text is only painted over; it is there beneath, and was read.
    Painted(Vec<u32>),
    /// Nothing is missing: pages, or a whole picture where there are none, whose words a model has read.
    ByModel {
        /// The pages, from 1, in order.
        pages: Vec<u32>,
        /// The model.
        model: String,
    },
    /// Nothing is missing: changes wait to be accepted, and it was read as if all of them were.
    Changes,
}

impl Omitted {
    /// Whether something is missing; where not, it is told how the file was read.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        !matches!(self, Self::ReadAs(_) | Self::Painted(_) | Self::ByModel { .. } | Self::Changes)
    }

    /// The same in words of ours alone, without the names that others gave to sheets.
    #[must_use]
    pub fn without_names(&self) -> String {
        match self {
            Self::Rows { from, .. } => format!("rows of a sheet from row {from} on"),
            Self::Sheets(_) => "further sheets".to_owned(),
            Self::Attachments(_) => "attached files".to_owned(),
            other => other.to_string(),
        }
    }
}

/// Most sheets that are told one by one.
const MOST_SHEETS: usize = 5;

impl fmt::Display for Omitted {
    /// `pages 3, 7 and 9 to 12, which have no text`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pages(pages) => told(f, pages, ["which has no text", "which have no text"]),
            Self::Pictured(pages) if pages.is_empty() => f.write_str("a picture"),
            Self::Pictured(pages) => told(
                f,
                pages,
                [
                    "which is a picture (OCR would make text of it)",
                    "which are pictures (OCR would make text of them)",
                ],
            ),
            Self::Unseen(pages) if pages.is_empty() => f.write_str("a picture that no model could read"),
            Self::Unseen(pages) => told(
                f,
                pages,
                ["whose picture the model could not read", "whose pictures the model could not read"],
            ),
            Self::ByModel { pages, model } if pages.is_empty() => {
                write!(f, "read by a model ({model}) from the picture")
            }
            Self::ByModel { pages, model } => told(
                f,
                pages,
                [
                    &format!("read by a model ({model}) from its picture"),
                    &format!("read by a model ({model}) from their pictures"),
                ],
            ),
            Self::Unlettered(pages) => {
                told(f, pages, ["whose letters cannot be told (print it to PDF again, or use OCR)"; 2])
            }
            Self::Broken(pages) => told(f, pages, ["which is damaged", "which are damaged"]),
            Self::Late(pages) => told(
                f,
                pages,
                [
                    "for which there was no time (attach it as a file of its own)",
                    "for which there was no time (attach them as a file of their own)",
                ],
            ),
            Self::Pictures => f.write_str("pictures"),
            Self::HeadersAndFooters => f.write_str("headers and footers"),
            Self::Comments => f.write_str("comments"),
            Self::Charts => f.write_str("charts"),
            Self::HiddenSlides => f.write_str("hidden slides"),
            Self::HiddenSheets => f.write_str("hidden sheets"),
            Self::HiddenRows => f.write_str("hidden rows"),
            Self::HiddenColumns => f.write_str("hidden columns"),
            Self::HiddenCells => f.write_str("hidden cells"),
            Self::Numbers => f.write_str("the numbers of clauses and lists"),
            Self::Marks => {
                f.write_str("how letters are raised, lowered or struck through (a power reads as one number)")
            }
            Self::Formulas => f.write_str("formulas that cannot be written in a line"),
            Self::Rows { sheet, from } => write!(f, "sheet {sheet} from row {from} on"),
            Self::Sheets(names) => match &names[..] {
                [one] => write!(f, "sheet {one}"),
                few if few.len() <= MOST_SHEETS => write!(f, "sheets {}", enumerated(few)),
                many => write!(f, "{} sheets", many.len()),
            },
            Self::Attachments(names) => match &names[..] {
                few if few.len() <= MOST_SHEETS => {
                    write!(f, "attached: {} (attach what matters as a file of its own)", enumerated(few))
                }
                many => write!(f, "{} attached files (attach what matters as a file of its own)", many.len()),
            },
            Self::Parts => f.write_str("parts of the mail that lie too deep in others, or are too many"),
            Self::ReadAs(encoding) => write!(f, "read as {encoding}, for it is not UTF-8"),
            Self::Painted(pages) => {
                told(f, pages, ["where text is painted over: it is there beneath, and was read"; 2])
            }
            Self::Changes => {
                f.write_str("changes in it wait to be accepted; it was read as if all of them were")
            }
        }
    }
}

/// Pages, and what is the matter with the one or with all of them.
fn told(f: &mut fmt::Formatter<'_>, pages: &[u32], [one, several]: [&str; 2]) -> fmt::Result {
    match pages {
        [page] => write!(f, "page {page}, {one}"),
        [first, .., last] if ranges(pages).len() > MOST_RANGES => {
            write!(f, "{} pages between {first} and {last}, {several}", pages.len())
        }
        pages => write!(f, "pages {}, {several}", enumerated(&ranges(pages))),
    }
}

/// `3`, `9 to 12`: pages in order, three and more that follow one another as one.
fn ranges(pages: &[u32]) -> Vec<String> {
    let runs = pages.chunk_by(|one, next| one.checked_add(1) == Some(*next));
    runs.flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        few => few.iter().map(u32::to_string).collect(),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_in_few_words() {
        for (pages, words) in [
            (&[3][..], "page 3, which has no text"),
            (&[3, 4, 5], "pages 3 to 5, which have no text"),
            (&[1, 3, 4, 9], "pages 1, 3, 4 and 9, which have no text"),
            (&[u32::MAX], "page 4294967295, which has no text"),
        ] {
            assert_eq!(Omitted::Pages(pages.to_vec()).to_string(), words);
        }
        let every_other = |most: u32| Omitted::Pages((2..=most).step_by(2).collect()).to_string();
        assert!(every_other(24).ends_with("20, 22 and 24, which have no text"), "{}", every_other(24));
        assert_eq!(every_other(9_000), "4500 pages between 2 and 9000, which have no text");
        assert_eq!(Omitted::Comments.to_string(), "comments");
        for (what, words) in [
            (Omitted::Pictured(vec![3]), "page 3, which is a picture (OCR would make text of it)"),
            (
                Omitted::Pictured(vec![3, 4]),
                "pages 3 and 4, which are pictures (OCR would make text of them)",
            ),
            (
                Omitted::Unlettered(vec![7]),
                "page 7, whose letters cannot be told (print it to PDF again, or use OCR)",
            ),
            (Omitted::Broken(vec![2, 5]), "pages 2 and 5, which are damaged"),
            (
                Omitted::Late((900..=5_000).collect()),
                "pages 900 to 5000, for which there was no time (attach them as a file of their own)",
            ),
        ] {
            assert_eq!(what.to_string(), words);
        }
    }

    #[test]
    fn sheets_are_told_by_their_names_as_long_as_they_are_few() {
        let sheets =
            |many: usize| Omitted::Sheets((0..many).map(|at| format!("S{at}")).collect()).to_string();
        assert_eq!(sheets(1), "sheet S0");
        assert_eq!(sheets(2), "sheets S0 and S1");
        assert_eq!(sheets(300), "300 sheets");
        let rows = Omitted::Rows { sheet: "Budget".into(), from: 12_000 };
        assert_eq!(rows.to_string(), "sheet Budget from row 12000 on");
        assert!(rows.is_missing() && !Omitted::Changes.is_missing());
    }
}
