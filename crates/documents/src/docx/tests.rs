//! What is read of DOCX.

use crate::{
    Fault,
    archive::tests::{omitted_of, text_of},
};
use domain::Omitted;

fn document(body: &str) -> String {
    format!("<w:document xmlns:w=\"w\" xmlns:mc=\"mc\"><w:body>{body}</w:body></w:document>")
}

fn paragraph(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}

fn read(body: &str) -> String {
    text_of(&[("word/document.xml", &document(body))]).unwrap()
}

#[test]
fn styles_say_what_is_a_heading_in_every_language() {
    let styles = r#"<w:styles xmlns:w="w">
        <w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
        <w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/></w:style>
        <w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
        <w:style w:styleId="Liste"><w:name w:val="List Paragraph"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style>
        <w:style w:styleId="Gross"><w:name w:val="Large"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
    </w:styles>"#;
    let body: String = ["berschrift2", "Mine", "Loop", "Liste", "Gross", "Heading4", "None"]
        .map(|style| paragraph(&format!("<w:pStyle w:val=\"{style}\"/>"), style))
        .concat();
    let text = text_of(&[("word/styles.xml", styles), ("word/document.xml", &document(&body))]).unwrap();
    assert_eq!(text, "## berschrift2\n\n## Mine\n\nLoop\n\n  - Liste\n\n### Gross\n\n#### Heading4\n\nNone");
}

#[test]
fn a_paragraph_is_what_a_reader_sees_of_it() {
    let changed = "<w:p><w:r><w:t>We open in </w:t></w:r><w:del><w:r><w:delText>May</w:delText><w:t>May</w:t></w:r></w:del>\
        <w:moveFrom><w:r><w:t>March</w:t></w:r></w:moveFrom><w:ins><w:r><w:t>June</w:t></w:r></w:ins>\
        <w:r><w:rPr><w:vanish/></w:rPr><w:t> secretly</w:t></w:r><w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>.</w:t></w:r></w:p>";
    assert_eq!(read(changed), "We open in June.");
    let marks = "<w:p><w:pPr><w:tabs><w:tab w:val=\"left\"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t>\
        <w:noBreakHyphen/><w:t>d</w:t><w:instrText>PAGE</w:instrText></w:r></w:p>";
    assert_eq!(read(marks), "a\tb c-d");
}

#[test]
fn of_tracked_changes_the_text_as_it_stands_is_read_and_that_they_wait_is_told() {
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let gone = "<w:p><w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr><w:r><w:t>We open </w:t></w:r></w:p>";
    let body = format!("{gone}<w:p><w:ins>{}</w:ins></w:p><w:p>{}</w:p>", run("in June."), run("So be it."));
    assert_eq!(read(&body), "We open in June.\n\nSo be it.");
    assert_eq!(omitted_of(&[("word/document.xml", &document(&body))]), [Omitted::Changes]);
    let last = format!("<w:p>{}</w:p>{gone}", run("First."));
    assert_eq!(read(&last), "First.\n\nWe open");
    assert_eq!(omitted_of(&[("word/document.xml", &document(&paragraph("", "a")))]), []);
}

#[test]
fn the_main_part_is_the_one_that_the_package_names() {
    let relation = |kind: &str, target: &str| {
        format!(
            "<Relationships><Relationship Id=\"r1\" Type=\"http://x/{kind}\" Target=\"{target}\"/></Relationships>"
        )
    };
    let main = document(&paragraph("<w:pStyle w:val=\"T\"/>", "Plan"));
    let styles = "<w:styles><w:style w:styleId=\"T\"><w:name w:val=\"Title\"/></w:style></w:styles>";
    let text = text_of(&[
        ("_rels/.rels", &relation("officeDocument", "/word/document22.xml")),
        ("word/document22.xml", &main),
        ("word/_rels/document22.xml.rels", &relation("styles", "styles22.xml")),
        ("word/styles22.xml", styles),
    ]);
    assert_eq!(text.unwrap(), "# Plan");
    let types =
        "<Types><Override PartName=\"/a/b.xml\" ContentType=\"application/x.document.main+xml\"/></Types>";
    assert_eq!(text_of(&[("[Content_Types].xml", types), ("a/b.xml", &main)]).unwrap(), "Plan");
    let outside =
        relation("officeDocument", "file:///etc/hostname").replace("Id=", "TargetMode=\"External\" Id=");
    let fallback = [("_rels/.rels", outside.as_str()), ("word/document.xml", &main)];
    assert_eq!(text_of(&fallback).unwrap(), "Plan");
}

#[test]
fn a_box_of_text_is_read_once() {
    let text_box = |text: &str| format!("<w:txbxContent>{}</w:txbxContent>", paragraph("", text));
    let body = format!(
        "<w:p><w:r><w:t>around</w:t><mc:AlternateContent><mc:Choice>{}</mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent></w:r></w:p>",
        text_box("inside"),
        text_box("inside")
    );
    assert_eq!(read(&body), "inside\n\naround");
}

#[test]
fn lists_tables_and_notes() {
    let item = |depth: u8, text: &str| {
        paragraph(&format!("<w:numPr><w:ilvl w:val=\"{depth}\"/><w:numId w:val=\"3\"/></w:numPr>"), text)
    };
    let none = paragraph("<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"0\"/></w:numPr>", "no item");
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let noted = "<w:p><w:r><w:t>Noted</w:t><w:footnoteReference w:id=\"2\"/><w:endnoteReference w:id=\"1\"/></w:r></w:p>";
    let body = format!(
        "{}{}{none}<w:tbl><w:tr>{}{}</w:tr></w:tbl>{noted}",
        item(0, "one"),
        item(1, "two"),
        cell("a"),
        cell("b")
    );
    let part = |name: &str, id: u8| {
        format!(
            "<w:{name}s xmlns:w=\"w\"><w:{name} w:type=\"separator\" w:id=\"0\"><w:p/></w:{name}><w:{name} w:id=\"{id}\">{}</w:{name}></w:{name}s>",
            paragraph("", &format!(" A {name}."))
        )
    };
    let text = text_of(&[
        ("word/document.xml", &document(&body)),
        ("word/footnotes.xml", &part("footnote", 2)),
        ("word/endnotes.xml", &part("endnote", 1)),
    ]);
    assert_eq!(
        text.unwrap(),
        "- one\n  - two\n\nno item\n\na | b\n\nNoted[^2][^e1]\n\n[^2]: A footnote.\n\n[^e1]: A endnote."
    );
}

#[test]
fn it_stops_where_there_is_too_much() {
    let body = paragraph("", &"word ".repeat(1_000)).repeat(300);
    assert_eq!(text_of(&[("word/document.xml", &document(&body))]), Err(Fault::TooMuchText));
}

/// A run whose letters are set so.
fn run(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

#[test]
fn what_is_raised_or_struck_keeps_its_meaning() {
    let up = "<w:vertAlign w:val=\"superscript\"/>";
    let body = [
        run("", "10"),
        run(up, "6"),
        run("", " bottles, $320"),
        run(up, "1"),
        run("", " a day, CO"),
        run("<w:vertAlign w:val=\"subscript\"/>", "2"),
        run("", " at "),
        run("<w:strike/>", "900 euros"),
        run("<w:strike w:val=\"0\"/>", " 800 euros"),
        run("<w:rStyle w:val=\"Mark\"/>", "2"),
    ]
    .concat();
    let note = format!("<w:p>{}{}</w:p>", run(up, "1"), run("", " Without tax."));
    let styles = "<w:styles><w:style w:styleId=\"Ref\"><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr></w:style>\
        <w:style w:styleId=\"Mark\"><w:basedOn w:val=\"Ref\"/></w:style></w:styles>";
    let text = text_of(&[
        ("word/styles.xml", styles),
        ("word/document.xml", &document(&format!("<w:p>{body}</w:p>{note}"))),
    ]);
    assert_eq!(
        text.unwrap(),
        "10^6 bottles, $320[1] a day, CO2 at ~~900 euros~~ 800 euros[2]\n\n[1] Without tax."
    );
}

#[test]
fn a_formula_is_a_line_or_named_as_not_read() {
    let math = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let half = format!("<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>", math("1"), math("2"));
    let body = format!("<w:p>{}<m:oMath>{half}</m:oMath>{}</w:p>", run("", "It takes 3"), run("", "hours."));
    assert_eq!(read(&body), "It takes 3 1/2 hours.");
    let rows = format!("<m:eqArr><m:e>{}</m:e><m:e>{}</m:e></m:eqArr>", math("a=1"), math("b=2"));
    let body = format!("<w:p>{}<m:oMathPara><m:oMath>{rows}</m:oMath></m:oMathPara></w:p>", run("", "So: "));
    assert_eq!(read(&body), "So: [a formula that is not read]");
    assert_eq!(omitted_of(&[("word/document.xml", &document(&body))]), [Omitted::Formulas]);
    let (open, close) = ("<m:rad><m:e>", "</m:e></m:rad>");
    let deep =
        format!("<w:p><m:oMath>{}{}{}</m:oMath></w:p>", open.repeat(1_000), math("1"), close.repeat(1_000));
    assert_eq!(read(&deep), "[a formula that is not read]");
}

#[test]
fn a_million_raised_letters_stay_within_bounds() {
    let raised = run("<w:vertAlign w:val=\"superscript\"/>", "1");
    let body = format!("<w:p>{}</w:p>", format!("{}{raised}", run("", "a")).repeat(150_000));
    assert!(read(&body).starts_with("a^1 a^1 a"));
}

/// Definitions of lists: of each level, how it counts and its label.
fn numbering(levels: &[(&str, &str)], more: &str) -> String {
    let level = |(at, (figures, label)): (usize, &(&str, &str))| {
        format!(
            "<w:lvl w:ilvl=\"{at}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{figures}\"/><w:lvlText w:val=\"{label}\"/></w:lvl>"
        )
    };
    let levels: String = levels.iter().enumerate().map(level).collect();
    format!(
        "<w:numbering><w:abstractNum w:abstractNumId=\"7\">{levels}</w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"7\"/></w:num>{more}</w:numbering>"
    )
}

fn clause(list: u8, level: u8, text: &str) -> String {
    paragraph(&format!("<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>"), text)
}

#[test]
fn clauses_have_the_numbers_that_they_are_shown_with() {
    let clauses = numbering(
        &[("decimal", "%1."), ("decimal", "%1.%2"), ("bullet", "·")],
        "<w:num w:numId=\"2\"><w:abstractNumId w:val=\"7\"/><w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"5\"/></w:lvlOverride></w:num>",
    );
    let body = [
        clause(1, 0, "Term"),
        clause(1, 1, "Three years."),
        clause(1, 1, "It ends early only under clause 2.1."),
        clause(1, 0, "Notice"),
        clause(1, 1, "Six months ahead."),
        clause(1, 2, "in writing"),
        clause(2, 0, "Anew"),
        clause(2, 0, "and on"),
        clause(9, 0, "of no list"),
    ]
    .concat();
    let text = text_of(&[("word/numbering.xml", &clauses), ("word/document.xml", &document(&body))]);
    assert_eq!(
        text.unwrap(),
        "1. Term\n  1.1 Three years.\n  1.2 It ends early only under clause 2.1.\n2. Notice\n  2.1 Six months ahead.\n    - in writing\n5. Anew\n6. and on\n- of no list"
    );
}

#[test]
fn headings_are_numbered_by_their_styles() {
    let styles = "<w:styles><w:style w:styleId=\"H1\"><w:name w:val=\"heading 1\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>\
        <w:style w:styleId=\"H2\"><w:name w:val=\"heading 2\"/><w:basedOn w:val=\"H1\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>\
        <w:style w:styleId=\"Plain\"><w:name w:val=\"heading 2\"/><w:basedOn w:val=\"H2\"/><w:pPr><w:numPr><w:numId w:val=\"0\"/></w:numPr></w:pPr></w:style></w:styles>";
    let numbers = "<w:numbering><w:abstractNum w:abstractNumId=\"0\">\
        <w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"upperRoman\"/><w:pStyle w:val=\"H1\"/><w:lvlText w:val=\"%1.\"/></w:lvl>\
        <w:lvl w:ilvl=\"1\"><w:numFmt w:val=\"decimal\"/><w:pStyle w:val=\"H2\"/><w:isLgl/><w:lvlText w:val=\"%1.%2\"/></w:lvl></w:abstractNum>\
        <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>";
    let in_style = |style: &str, text: &str| paragraph(&format!("<w:pStyle w:val=\"{style}\"/>"), text);
    let body = [
        in_style("H1", "Term"),
        in_style("H2", "Length"),
        in_style("H1", "Notice"),
        in_style("H2", "How"),
        in_style("Plain", "Annex"),
    ]
    .concat();
    let text = text_of(&[
        ("word/styles.xml", styles),
        ("word/numbering.xml", numbers),
        ("word/document.xml", &document(&body)),
    ]);
    assert_eq!(text.unwrap(), "# I. Term\n\n## 1.1 Length\n\n# II. Notice\n\n## 2.1 How\n\n## Annex");
}

#[test]
fn numbering_that_refers_to_itself_ends() {
    let numbers = "<w:numbering><w:abstractNum w:abstractNumId=\"0\"><w:styleLink w:val=\"S\"/><w:numStyleLink w:val=\"S\"/></w:abstractNum>\
        <w:abstractNum w:abstractNumId=\"1\"><w:numStyleLink w:val=\"T\"/></w:abstractNum>\
        <w:abstractNum w:abstractNumId=\"2\"><w:styleLink w:val=\"T\"/><w:lvl w:ilvl=\"0\"><w:lvlText w:val=\"§ %1\"/></w:lvl></w:abstractNum>\
        <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num><w:num w:numId=\"2\"><w:abstractNumId w:val=\"1\"/></w:num></w:numbering>";
    let body = [clause(1, 0, "in itself"), clause(2, 0, "by a style")].concat();
    let text = text_of(&[("word/numbering.xml", numbers), ("word/document.xml", &document(&body))]);
    assert_eq!(text.unwrap(), "- in itself\n§ 1 by a style");
}

#[test]
fn comments_are_read_and_named_as_what_they_are() {
    let body =
        format!("<w:p>{}<w:r><w:commentReference w:id=\"4\"/></w:r></w:p>", run("", "We open in May."));
    let comments = format!(
        "<w:comments><w:comment w:id=\"4\" w:author=\"Ada\">{}</w:comment></w:comments>",
        paragraph("", "Not before the lease is signed!")
    );
    let parts = [("word/document.xml", document(&body)), ("word/comments.xml", comments)];
    let parts = parts.each_ref().map(|(name, text)| (*name, text.as_str()));
    assert_eq!(
        text_of(&parts).unwrap(),
        "We open in May.[^c4]\n\n[^c4]: Comment by Ada: Not before the lease is signed!"
    );
    assert_eq!(omitted_of(&parts), []);
}

#[test]
fn what_is_broken_beside_the_text_is_named_and_costs_nothing_else() {
    let last =
        "<w:p><w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr><w:r><w:t>Six months ahead.</w:t></w:r></w:p>";
    let main = document(&(clause(1, 0, "Notice") + last));
    let note = "<w:footnotes><w:footnote w:id=\"2\"><w:p><w:r><w:t>In writing.</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let long = format!(
        "<w:comments><w:comment w:id=\"1\">{}</w:comment></w:comments>",
        paragraph("", &"word ".repeat(1_000)).repeat(300)
    );
    for remarks in ["<w:comments><w:comment w:id=\"1\"><w:p><w:r><w:t>Cut", &long] {
        let parts = [
            ("word/document.xml", main.as_str()),
            ("word/numbering.xml", "<w:numbering><w:num"),
            ("word/footnotes.xml", note),
            ("word/comments.xml", remarks),
        ];
        assert_eq!(text_of(&parts).unwrap(), "- Notice\n\nSix months ahead.\n\n[^2]: In writing.");
        let omitted = omitted_of(&parts);
        assert!(omitted.contains(&Omitted::Comments) && omitted.contains(&Omitted::Numbers), "{omitted:?}");
    }
}

#[test]
fn boxes_signs_and_large_first_letters_are_read() {
    let old = |ticked: &str| {
        format!(
            "<w:p><w:r><w:fldChar><w:ffData><w:checkBox><w:default w:val=\"0\"/>{ticked}</w:checkBox></w:ffData></w:fldChar></w:r>{}</w:p>",
            run("", "Approved")
        )
    };
    let sign = "<w:p><w:r><w:sym w:font=\"Wingdings\" w:char=\"F0A8\"/></w:r><w:r><w:rPr><w:rFonts w:ascii=\"Symbol\"/></w:rPr><w:t xml:space=\"preserve\"> \u{f0a3} 5</w:t></w:r></w:p>";
    let large =
        format!("{}<w:p>{}</w:p>", paragraph("<w:framePr w:dropCap=\"drop\"/>", "W"), run("", "e open."));
    let body = format!("{}{}{sign}{large}", old("<w:checked/>"), old(""));
    assert_eq!(read(&body), "☑ Approved\n\n☐ Approved\n\n☐ ≤ 5\n\nWe open.");
}

#[test]
fn merged_cells_keep_their_columns() {
    let cell =
        |span: &str, text: &str| format!("<w:tc><w:tcPr>{span}</w:tcPr>{}</w:tc>", paragraph("", text));
    let row = |cells: &str| format!("<w:tr>{cells}</w:tr>");
    let body = format!(
        "<w:tbl>{}{}</w:tbl>",
        row(&(cell("<w:gridSpan w:val=\"2\"/>", "2025") + &cell("", "2026"))),
        row(&(cell("", "plan") + &cell("", "real") + &cell("", "plan")))
    );
    assert_eq!(read(&body), "2025 |  | 2026\nplan | real | plan");
}

#[test]
fn what_is_written_across_the_pages_is_read() {
    let relations = "<Relationships><Relationship Id=\"r1\" Type=\"http://x/header\" Target=\"header1.xml\"/></Relationships>";
    let head = "<w:hdr><w:p><w:r><w:pict><v:shape><v:textpath style=\"x\" string=\"DRAFT\"/></v:shape></w:pict></w:r></w:p></w:hdr>";
    let text = text_of(&[
        ("word/document.xml", &document(&paragraph("", "Plan"))),
        ("word/_rels/document.xml.rels", relations),
        ("word/header1.xml", head),
    ]);
    assert_eq!(text.unwrap(), "Watermark: DRAFT\n\nPlan");
}

#[test]
fn what_is_set_in_another_way_says_the_same() {
    let small = run("<w:smallCaps/>", "Acme") + &run("<w:caps/>", " plan");
    assert_eq!(read(&format!("<w:p>{small}</w:p>")), "Acme plan");
    let soft = "<w:p><w:r><w:t>Donau</w:t><w:softHyphen/><w:t>dampf\u{ad}schiff 1\u{a0}000 \u{fb01}nal</w:t></w:r></w:p>";
    assert_eq!(read(soft), "Donaudampfschiff 1\u{a0}000 \u{fb01}nal");
    // A run from right to left is kept in the order in which it is read.
    let leftwards = format!(
        "<w:p><w:pPr><w:bidi/></w:pPr>{}{}{}</w:p>",
        run("<w:rtl/>", "מחיר ("),
        run("", "12.5"),
        run("<w:rtl/>", ") ליום")
    );
    assert_eq!(read(&leftwards), "מחיר (12.5) ליום");
}

#[test]
fn upright_cells_and_heads_of_tables_are_cells() {
    let cell = |how: &str, text: &str| format!("<w:tc><w:tcPr>{how}</w:tcPr>{}</w:tc>", paragraph("", text));
    let table = format!(
        "<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>{}{}</w:tr><w:tr><w:trPr><w:cantSplit/></w:trPr>{}{}</w:tr></w:tbl>",
        cell("<w:textDirection w:val=\"btLr\"/>", "Item"),
        cell("<w:textDirection w:val=\"tbRl\"/>", "Cost in thousand €"),
        cell("", "Oven"),
        cell("", "(12)")
    );
    assert_eq!(read(&table), "Item | Cost in thousand €\nOven | (12)");
}
