//! What is read of PPTX.

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
    let main = "<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"r1\"/></p:sldIdLst></p:presentation>";
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
        ("ppt/slides/_rels/slide1.xml.rels", &relations(&[("r9", "notesSlide", "../notesSlides/n1.xml")])),
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
        ("ppt/slides/_rels/slide1.xml.rels", &relations(&[("d1", "diagramData", "../diagrams/data1.xml")])),
        (
            "ppt/diagrams/data1.xml",
            "<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Step one</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>",
        ),
    ]);
    assert_eq!(extract.unwrap().text, "Once.\n\nStep one");
}

/// A file of one slide with these shapes, and these parts besides.
fn one_slide(
    shapes: &str,
    of_slide: &[(&str, &str, &str)],
    more: &[(&str, &str)],
) -> crate::extract::Extract {
    let (shown, of_slide) = (slide("", shapes), relations(of_slide));
    let main = relations(&[
        ("r1", "slide", "slides/slide1.xml"),
        ("r2", "commentAuthors", "commentAuthors.xml"),
        ("r3", "authors", "authors.xml"),
    ]);
    let mut parts = vec![
        (
            "ppt/presentation.xml",
            "<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"r1\"/></p:sldIdLst></p:presentation>",
        ),
        ("ppt/_rels/presentation.xml.rels", &main),
        ("ppt/slides/slide1.xml", &shown),
        ("ppt/slides/_rels/slide1.xml.rels", &of_slide),
    ];
    parts.extend(more);
    extract_of(&parts).unwrap()
}

#[test]
fn items_have_the_numbers_that_they_are_shown_with() {
    let item = |level: usize, mark: &str, text: &str| {
        format!("<a:p><a:pPr lvl=\"{level}\">{mark}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>")
    };
    let auto = |kind: &str| format!("<a:buAutoNum type=\"{kind}\"/>");
    let from = |kind: &str, start: &str| format!("<a:buAutoNum type=\"{kind}\" startAt=\"{start}\"/>");
    let arabic = auto("arabicPeriod");
    let body = [
        item(0, &arabic, "Term"),
        item(1, &auto("alphaLcParenR"), "length"),
        item(1, &auto("alphaLcParenR"), "notice"),
        "<a:p/>".to_owned(),
        item(0, &arabic, "End"),
        item(1, &auto("alphaLcParenR"), "anew"),
        item(0, "<a:buChar char=\"•\"/>", "a dot"),
        item(0, &arabic, "anew, too"),
        item(0, &from("romanUcParenBoth", "4"), "four"),
        item(0, &from("romanUcParenBoth", "4"), "five"),
        item(0, "<a:buNone/>", "none"),
    ]
    .concat();
    let usual = format!(
        "<a:lstStyle><a:lvl1pPr>{}</a:lvl1pPr></a:lstStyle><a:p><a:r><a:t>one</a:t></a:r></a:p><a:p><a:r><a:t>two</a:t></a:r></a:p>",
        auto("arabicPlain")
    );
    let text = one_slide(&(shape("body", &body) + &shape("", &usual)), &[], &[]).text;
    assert_eq!(
        text,
        "1. Term\n  a) length\n  b) notice\n2. End\n  a) anew\n- a dot\n1. anew, too\n(IV) four\n(V) five\n\nnone\n\n1 one\n2 two"
    );
}

#[test]
fn comments_are_named_and_stand_below_their_slide() {
    let old = "<p:cmLst><p:cm authorId=\"3\" idx=\"1\"><p:pos x=\"1\" y=\"2\"/><p:text>Too dear?</p:text></p:cm><p:cm authorId=\"9\"><p:text>By whom?</p:text></p:cm></p:cmLst>";
    let said = |text: &str| format!("<p188:txBody><a:bodyPr/>{}</p188:txBody>", paragraph(text));
    let new = format!(
        "<p188:cmLst><p188:cm id=\"{{1}}\" authorId=\"{{a}}\"><p188:replyLst><p188:reply authorId=\"{{a}}\">{}</p188:reply></p188:replyLst>{}</p188:cm></p188:cmLst>",
        said("In May."),
        said("When?")
    );
    let parts = [
        (
            "ppt/commentAuthors.xml",
            "<p:cmAuthorLst><p:cmAuthor id=\"3\" name=\"Ada\" initials=\"A\"/></p:cmAuthorLst>",
        ),
        ("ppt/authors.xml", "<p188:authorLst><p188:author id=\"{a}\" name=\"Bo\"/></p188:authorLst>"),
        ("ppt/comments/comment1.xml", old),
        ("ppt/comments/modernComment_1.xml", &new),
    ];
    let of_slide = [
        ("r1", "comments", "../comments/comment1.xml"),
        ("r2", "comments", "../comments/modernComment_1.xml"),
    ];
    let shown = shape("title", &paragraph("Costs"));
    let read = one_slide(&shown, &of_slide, &parts);
    assert_eq!(
        read.text,
        "## Costs\n\nComment by Ada: Too dear?\n\nComment: By whom?\n\nComment by Bo: When?\n\nComment by Bo: In May."
    );
    assert_eq!(read.omitted, []);
    let broken = one_slide(&shown, &of_slide[..1], &[("ppt/comments/comment1.xml", "<p:cmLst><p:cm")]);
    assert_eq!((broken.text.as_str(), &broken.omitted[..]), ("## Costs", &[Omitted::Comments][..]));
}
