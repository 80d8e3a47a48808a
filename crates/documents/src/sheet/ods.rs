//! ODS: its sheets in their order, each cell as the program that wrote it showed it. A date that is shown in figures alone is
//! written as 2026-05-03, and a number below nought has its sign where it was shown in red and without one.

use std::collections::HashSet;

use quick_xml::events::BytesStart;

use super::{Line, Sheets};
use crate::{
    Fault,
    extract::Extract,
    package::{Node, Package, attribute},
};
use domain::Omitted;

/// Cells of one text, one behind the other, are written so often at most: a row may say that all of its thousands are alike.
const ALIKE: usize = 30;

/// What is not the content of a cell.
const SKIPPED: [&str; 4] = ["office:annotation", "draw:frame", "table:shapes", "office:forms"];

/// Reads the sheets.
pub(crate) fn read(package: &mut Package<'_>) -> Result<Extract, Fault> {
    if package.part("META-INF/manifest.xml")?.is_some_and(|manifest| manifest.contains(":encryption-data")) {
        return Err(Fault::Encrypted);
    }
    let mut count = 0;
    package.walk("content.xml", |node| {
        count +=
            usize::from(matches!(&node, Node::Start(start) if start.name().into_inner() == "table:table"));
        Ok(())
    })?;
    let mut walker = Walker { left: count, ..Walker::default() };
    if !package.walk("content.xml", |node| walker.visit(node))? {
        return Err(Fault::Broken);
    }
    let pictures = package.names().any(|name| name.starts_with("pictures/")).then_some(Omitted::Pictures);
    let others = pictures.into_iter().chain(walker.omitted).collect();
    walker.sheets.finish(others)
}

/// Goes through the content and gathers the rows of its sheets.
#[derive(Default)]
struct Walker {
    sheets: Sheets,
    /// The elements that are open, outermost first.
    path: Vec<String>,
    /// How many elements were open where the skipped one began.
    skipped_from: Option<usize>,
    /// Tables that have not begun yet.
    left: usize,
    /// The sheet that is open has no room, or is not shown.
    closed: bool,
    /// The last row, and how many rows the one that is open stands for.
    row: u32,
    rows: u32,
    line: Line,
    /// The column of the cell that is open, and how many cells it stands for.
    column: usize,
    cells: usize,
    cell: String,
    /// The day that the cell has, and whether it has a number below nought.
    day: Option<String>,
    below: bool,
    /// The columns of the open sheet that are not shown, from 0, the first and the one behind the last of each run; how
    /// many columns have been told of; and whether the open row is not shown.
    hidden: Vec<(usize, usize)>,
    told: usize,
    row_hidden: bool,
    /// Styles of tables that are not shown.
    unseen: HashSet<String>,
    style: String,
    omitted: Vec<Omitted>,
}

impl Walker {
    fn visit(&mut self, node: Node<'_>) -> Result<(), Fault> {
        match node {
            Node::Start(start) => {
                let name = start.name().into_inner().to_owned();
                if self.skipped_from.is_none() {
                    self.tell((name == "office:annotation").then_some(Omitted::Comments));
                    if SKIPPED.contains(&name.as_str()) {
                        self.skipped_from = Some(self.path.len());
                    } else {
                        self.start(&name, &start);
                    }
                }
                self.tell((name == "draw:object").then_some(Omitted::Charts));
                self.path.push(name);
            }
            Node::End => {
                let name = self.path.pop().ok_or(Fault::Broken)?;
                match self.skipped_from {
                    Some(from) if self.path.len() > from => {}
                    Some(_) => self.skipped_from = None,
                    None => self.end(&name),
                }
            }
            Node::Text(text) => {
                let said = self.path.iter().any(|name| name == "text:p");
                if self.skipped_from.is_none() && said && !self.closed {
                    self.cell.push_str(&text);
                }
            }
        }
        Ok(())
    }

    fn tell(&mut self, what: Option<Omitted>) {
        self.omitted.extend(what.filter(|what| !self.omitted.contains(what)));
    }

    fn start(&mut self, name: &str, start: &BytesStart<'_>) {
        let repeated =
            |what: &str| attribute(start, what).and_then(|count| count.parse::<u32>().ok()).unwrap_or(1);
        match name {
            "style:style" => self.style = attribute(start, "name").unwrap_or_default(),
            "style:table-properties"
                if attribute(start, "display").is_some_and(|display| display == "false") =>
            {
                self.unseen.insert(std::mem::take(&mut self.style));
            }
            "table:table" => {
                self.left = self.left.saturating_sub(1);
                self.row = 0;
                (self.hidden, self.told) = (Vec::new(), 0);
                let unseen = attribute(start, "style-name").is_some_and(|style| self.unseen.contains(&style));
                self.tell(unseen.then_some(Omitted::HiddenSheets));
                let name = attribute(start, "name").unwrap_or_default();
                self.closed = unseen || !self.sheets.begin(&name, self.left);
            }
            "table:table-column" => {
                let end = self.told.saturating_add(repeated("number-columns-repeated") as usize);
                if is_hidden(start) {
                    self.hidden.push((self.told, end));
                }
                self.told = end;
            }
            "table:table-row" => {
                self.row_hidden = is_hidden(start);
                self.rows = repeated("number-rows-repeated").max(1);
                (self.line, self.column) = (Line::default(), 0);
            }
            "table:table-cell" | "table:covered-table-cell" => {
                self.cells = repeated("number-columns-repeated").max(1) as usize;
                self.cell.clear();
                let kind = attribute(start, "value-type").unwrap_or_default();
                self.day = attribute(start, "date-value").filter(|_| kind == "date");
                let value = attribute(start, "value").filter(|_| kind != "string");
                self.below = value.is_some_and(|value| value.trim().starts_with('-'));
            }
            "text:p" if !self.cell.is_empty() => self.cell.push(' '),
            "text:s" | "text:tab" | "text:line-break" => self.cell.push(' '),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "table:table-cell" | "table:covered-table-cell" => {
                self.cell = as_meant(&self.cell, self.day.take().as_deref(), self.below);
                for at in self.column..self.column + self.cells.min(ALIKE) {
                    if self.hidden.iter().any(|(first, end)| (*first..*end).contains(&at)) {
                        let anything = !self.cell.trim().is_empty() && !self.closed && !self.row_hidden;
                        self.tell(anything.then_some(Omitted::HiddenColumns));
                    } else {
                        self.line.add(at, &self.cell);
                    }
                }
                self.column = self.column.saturating_add(self.cells).min(1 << 20);
            }
            "table:table-row" => {
                let mut line = std::mem::take(&mut self.line);
                line.end();
                if self.row_hidden {
                    self.tell((line.any && !self.closed).then_some(Omitted::HiddenRows));
                } else if line.any && !self.closed {
                    for row in 0..self.rows {
                        if !self.sheets.add(self.row.saturating_add(row + 1), &line) {
                            self.closed = true;
                            break;
                        }
                    }
                }
                self.row = self.row.saturating_add(self.rows);
            }
            "table:table" => self.closed = true,
            _ => {}
        }
    }
}

/// What a cell shows, where its meaning is not to be seen: in figures alone 03/05/26 is a day in May or in March, and a colour
/// is no sign.
fn as_meant(shown: &str, day: Option<&str>, below: bool) -> String {
    let shown = shown.trim();
    if let Some(day) = day.and_then(|day| day.get(..10)) {
        let (date, rest) = shown.split_at(shown.find(' ').unwrap_or(shown.len()));
        let parts: Vec<&str> = date.split(['.', '/', '-']).filter(|part| !part.is_empty()).collect();
        let figures = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        if parts.len() == 3 && parts.iter().all(figures) {
            return format!("{day}{rest}");
        }
    }
    // A word may say it, such as `loss`; the sign of a currency does not.
    let word = |word: &str| word.chars().count() > 3 || word.contains(char::is_lowercase);
    let signed = shown.contains(['-', '−', '–', '('])
        || shown.split(|c: char| !c.is_alphabetic()).any(|letters| !letters.is_empty() && word(letters));
    let nought = !shown.contains(|c: char| matches!(c, '1'..='9'));
    if below && !signed && !nought { format!("-{shown}") } else { shown.to_owned() }
}

/// Whether a row or a column is not shown.
fn is_hidden(start: &BytesStart<'_>) -> bool {
    attribute(start, "visibility").is_some_and(|visibility| visibility != "visible")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::extract_of;

    fn read(content: &str) -> Result<Extract, Fault> {
        let styles = "<office:automatic-styles><style:style style:name=\"ta1\"><style:table-properties table:display=\"false\"/></style:style></office:automatic-styles>";
        let xml = format!(
            "<office:document-content>{styles}<office:body><office:spreadsheet>{content}</office:spreadsheet></office:body></office:document-content>"
        );
        extract_of(&[("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", &xml)])
    }

    fn cell(text: &str) -> String {
        format!("<table:table-cell office:value=\"0.5\"><text:p>{text}</text:p></table:table-cell>")
    }

    #[test]
    fn cells_are_read_as_they_were_shown() {
        let gap = "<table:table-cell table:number-columns-repeated=\"2\"/>";
        let noted = "<table:table-cell><office:annotation><text:p>Why?</text:p></office:annotation><text:p>two</text:p><text:p>lines</text:p></table:table-cell>";
        let rows = format!(
            "<table:table-row>{}{gap}{}</table:table-row><table:table-row table:number-rows-repeated=\"100\"><table:table-cell table:number-columns-repeated=\"1024\"/></table:table-row>\
             <table:table-row table:number-rows-repeated=\"2\">{noted}</table:table-row><table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell/></table:table-row>",
            cell("50%"),
            cell("03.05.26")
        );
        let hidden = format!(
            "<table:table table:name=\"H\" table:style-name=\"ta1\"><table:table-row>{}</table:table-row></table:table>",
            cell("x")
        );
        let extract = read(&format!("<table:table table:name=\"Budget\">{rows}</table:table>{hidden}<table:table table:name=\"B\"><table:table-row>{}</table:table-row></table:table>", cell("b"))).unwrap();
        assert_eq!(extract.text, "# Budget\n50% | | | 03.05.26\n\ntwo lines\ntwo lines\n\n# B\nb");
        assert_eq!(extract.omitted, [Omitted::Comments, Omitted::HiddenSheets]);
        let document = extract.into_document("a.ods".into(), String::new());
        let start = document.text.find("two").unwrap();
        assert_eq!(
            document.place(domain::Span { start, end: start + 3 }).to_string(),
            "sheet Budget, row 102"
        );
    }

    #[test]
    fn days_and_signs_are_what_they_mean() {
        let valued = |how: &str, text: &str| {
            format!("<table:table-cell {how}><text:p>{text}</text:p></table:table-cell>")
        };
        let day = |date: &str, text: &str| {
            valued(&format!("office:value-type=\"date\" office:date-value=\"{date}\""), text)
        };
        let number = |value: &str, text: &str| {
            valued(&format!("office:value-type=\"currency\" office:value=\"{value}\""), text)
        };
        let cells = [
            day("2026-05-03", "05/03/26"),
            day("2026-05-03T14:30:00", "03.05.2026 14:30"),
            day("2026-05-03", "3. Mai 2026"),
            day("2026-05-01", "05/2026"),
            number("-1200.5", "1.200,50 €"),
            number("-1200", "(1,200)"),
            number("-1200", "−1,200"),
            number("-0.001", "0.00"),
            number("1200", "1,200"),
            number("-1200", "CHF 1,200"),
            number("-1200", "1,200 loss"),
            valued("office:value-type=\"string\"", "05/03/26"),
        ];
        let rows = format!("<table:table-row>{}</table:table-row>", cells.concat());
        let text = read(&format!("<table:table table:name=\"A\">{rows}</table:table>")).unwrap().text;
        let shown = "2026-05-03 | 2026-05-03 14:30 | 3. Mai 2026 | 05/2026 | -1.200,50 € | (1,200) | −1,200 | 0.00 | 1,200 | -CHF 1,200 | 1,200 loss | 05/03/26";
        assert_eq!(text, format!("# A\n{shown}"));
    }

    #[test]
    fn what_is_not_shown_is_left_out_and_told() {
        let columns = "<table:table-column table:number-columns-repeated=\"2\"/><table:table-column table:visibility=\"collapse\"/>";
        let rows = format!(
            "<table:table-row>{}{}{}</table:table-row><table:table-row table:visibility=\"filter\">{}</table:table-row><table:table-row>{}</table:table-row>",
            cell("North"),
            cell("900"),
            cell("our limit"),
            cell("withdrawn"),
            cell("East")
        );
        let extract = read(&format!("<table:table table:name=\"A\">{columns}{rows}</table:table>")).unwrap();
        assert_eq!(extract.text, "# A\nNorth | 900\n\nEast");
        assert_eq!(extract.omitted, [Omitted::HiddenColumns, Omitted::HiddenRows]);
    }

    #[test]
    fn a_row_that_says_it_is_a_million_is_cut_short() {
        let row = format!(
            "<table:table-row table:number-rows-repeated=\"4294967295\"><table:table-cell table:number-columns-repeated=\"4294967295\"><text:p>{}</text:p></table:table-cell></table:table-row>",
            "word"
        );
        let extract =
            read(&format!("<table:table table:name=\"A\">{}</table:table>", row.repeat(3))).unwrap();
        assert!(extract.is_sound());
        assert!(matches!(extract.omitted[..], [Omitted::Rows { .. }]));
    }
}
