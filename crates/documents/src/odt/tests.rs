//! What is read of ODT.

use crate::{
    Fault,
    archive::tests::{extract_of, text_of},
};
use domain::Omitted;

fn read(content: &str) -> Result<String, Fault> {
    let xml = format!(
        "<office:document-content><office:automatic-styles><style:style style:name=\"P1\" style:parent-style-name=\"Title\"/>\
         </office:automatic-styles><office:body>{content}</office:body></office:document-content>"
    );
    text_of(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &xml)])
}

#[test]
fn a_paragraph_is_what_a_reader_sees_of_it() {
    let content = "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>\
        <text:p text:style-name=\"P1\">Plan</text:p><text:h text:outline-level=\"2\">Costs</text:h>\
        <text:p>We  <text:span>open</text:span>\n in<text:s text:c=\"2\"/>May<text:tab/>or<text:line-break/>June\
        <office:annotation><text:p>really?</text:p></office:annotation>\
        <text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p><text:p>Its end.</text:p></text:note-body></text:note>.</text:p>\
        <text:p><draw:frame><svg:title>a</svg:title><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame></text:p>";
    assert_eq!(
        read(content).unwrap(),
        "# Plan\n\n## Costs\n\nWe open in  May\tor June[^c1][^1].\n\nIn a box\n\n[^1]: A note. Its end.\n\n[^c1]: Comment: really?"
    );
}

#[test]
fn what_is_raised_or_struck_keeps_its_meaning() {
    let style = |name: &str, how: &str| {
        format!("<style:style style:name=\"{name}\"><style:text-properties {how}/></style:style>")
    };
    let styles = [
        style("T1", "style:text-position=\"super 58%\""),
        style("T2", "style:text-position=\"-33% 58%\""),
        style("T3", "style:text-line-through-style=\"solid\""),
        style("T4", "style:text-position=\"0% 100%\" style:text-line-through-style=\"none\""),
    ];
    let span = |name: &str, text: &str| format!("<text:span text:style-name=\"{name}\">{text}</text:span>");
    let content = format!(
        "{}<text:p>10{} bottles, $320{} a day, CO{}, {} {}</text:p>",
        styles.concat(),
        span("T1", "6"),
        span("T1", "1"),
        span("T2", "2"),
        span("T3", "900"),
        span("T4", "800")
    );
    assert_eq!(read(&content).unwrap(), "10^6 bottles, $320[1] a day, CO2, ~~900~~ 800");
}

#[test]
fn lists_and_tables() {
    let content = "<text:list><text:list-header><text:p>Who</text:p></text:list-header>\
        <text:list-item><text:p>one</text:p><text:p>more of it</text:p>\
        <text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:list-item></text:list>\
        <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:covered-table-cell/>\
        <table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>";
    assert_eq!(read(content).unwrap(), "Who\n\n- one\n\nmore of it\n\n  - two\n\na |  | b");
}

/// The levels of a list style, each by its attributes.
fn list_style(name: &str, levels: &[&str]) -> String {
    let level = |(at, how): (usize, &&str)| {
        format!("<text:list-level-style-number text:level=\"{}\" {how}/>", at + 1)
    };
    let levels: String = levels.iter().enumerate().map(level).collect();
    format!("<text:list-style style:name=\"{name}\">{levels}</text:list-style>")
}

fn item(inside: &str) -> String {
    format!("<text:list-item>{inside}</text:list-item>")
}

fn list(how: &str, items: &str) -> String {
    format!("<text:list {how}>{items}</text:list>")
}

fn p(text: &str) -> String {
    format!("<text:p>{text}</text:p>")
}

#[test]
fn items_have_the_numbers_that_they_are_shown_with() {
    let styles = list_style(
        "L1",
        &[
            "style:num-format=\"1\" style:num-suffix=\".\"",
            "style:num-format=\"1\" text:display-levels=\"2\"",
            "style:num-format=\"a\" style:num-prefix=\"(\" style:num-suffix=\")\"",
        ],
    ) + &list_style(
        "L2",
        &["style:num-format=\"I\" loext:num-list-format=\"Art. %1%\" text:start-value=\"4\""],
    ) + "<text:list-style style:name=\"L3\"><text:list-level-style-bullet text:level=\"1\" text:bullet-char=\"•\"/></text:list-style>\
           <style:style style:name=\"P9\" style:list-style-name=\"L2\"/>";
    let deepest = list("", &(item(&p("letter")) + &item(&p("letter"))));
    let inner = list("", &(item(&p("Notice")) + &item(&(p("Length") + &deepest))));
    let content = [
        styles,
        list(
            "text:style-name=\"L1\" xml:id=\"a\"",
            &(item(&p("Term")) + &item(&(p("End") + &p("more") + &inner))),
        ),
        p("Between."),
        list("text:style-name=\"L1\" text:continue-numbering=\"true\"", &item(&p("goes on"))),
        list("text:style-name=\"L1\"", &item(&p("anew"))),
        list("text:style-name=\"L1\" text:continue-list=\"a\"", &item(&p("goes on with the first"))),
        list(
            "text:style-name=\"L1\"",
            "<text:list-item text:start-value=\"7\"><text:p>seven</text:p></text:list-item>",
        ),
        list(
            "text:style-name=\"L1\"",
            "<text:list-item><text:number>§ 9</text:number><text:p>as the file says</text:p></text:list-item>",
        ),
        list("text:style-name=\"L3\"", &item(&p("dot"))),
        list("", &item("<text:p text:style-name=\"P9\">by its paragraph</text:p>")),
        list("text:style-name=\"nowhere\"", &item(&p("of no style"))),
    ];
    assert_eq!(
        read(&content.concat()).unwrap(),
        "1. Term\n2. End\n\nmore\n\n  2.1 Notice\n  2.2 Length\n    (a) letter\n    (b) letter\n\nBetween.\n\n\
         3. goes on\n1. anew\n3. goes on with the first\n7. seven\n§ 9 as the file says\n- dot\nArt. IV by its paragraph\n- of no style"
    );
}

#[test]
fn headings_are_counted_by_their_outline() {
    let level = |at: usize, how: &str| format!("<text:outline-level-style text:level=\"{at}\" {how}/>");
    let styles = format!(
        "<office:document-styles><text:outline-style>{}{}{}</text:outline-style></office:document-styles>",
        level(1, "style:num-format=\"1\" style:num-suffix=\".\""),
        level(2, "style:num-format=\"1\" text:display-levels=\"2\""),
        level(3, "style:num-format=\"\""),
    );
    let heading = |level: usize, how: &str, text: &str| {
        format!("<text:h text:outline-level=\"{level}\" {how}>{text}</text:h>")
    };
    let content = [
        heading(1, "", "Term"),
        heading(2, "", "Length"),
        heading(2, "", "Notice"),
        heading(3, "", "How"),
        heading(1, "text:is-list-header=\"true\"", "Preface"),
        heading(1, "", "End"),
        heading(2, "text:restart-numbering=\"true\" text:start-value=\"5\"", "Late"),
        heading(2, "", "<text:number>9.9</text:number>Given"),
    ];
    let xml = format!(
        "<office:document-content><office:body>{}</office:body></office:document-content>",
        content.concat()
    );
    let parts = |styles: &str| {
        let all = [
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            ("content.xml", &xml),
            ("styles.xml", styles),
        ];
        extract_of(&all).unwrap()
    };
    let read = parts(&styles);
    assert_eq!(
        read.text,
        "# 1. Term\n\n## 1.1 Length\n\n## 1.2 Notice\n\n### How\n\n# Preface\n\n# 2. End\n\n## 2.5 Late\n\n## 9.9 Given"
    );
    let broken = parts("<text:outline-style");
    assert!(
        broken.text.starts_with("# Term") && broken.omitted.contains(&Omitted::Numbers),
        "{:?}",
        broken.omitted
    );
}

#[test]
fn what_is_written_across_the_pages_is_read() {
    let shape = |name: &str, text: &str| {
        format!(
            "<text:p><draw:custom-shape draw:name=\"{name}\"><text:p>{text}</text:p><draw:enhanced-geometry/></draw:custom-shape></text:p>"
        )
    };
    let styles = format!(
        "<office:document-styles><style:header>{}{}{}</style:header></office:document-styles>",
        shape("PowerPlusWaterMarkObject1", "DRAFT"),
        shape("PowerPlusWaterMarkObject2", "DRAFT"),
        shape("Star", "Acme")
    );
    let text = text_of(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", "<office:document-content><text:p>Plan</text:p></office:document-content>"),
        ("styles.xml", &styles),
    ]);
    assert_eq!(text.unwrap(), "Watermark: DRAFT\n\nPlan");
}

#[test]
fn comments_are_named_and_stand_below() {
    let remark = |inside: &str| format!("<office:annotation office:name=\"1\">{inside}</office:annotation>");
    let content = format!(
        "<text:p>We open{} in May{}<office:annotation-end office:name=\"1\"/>.{}</text:p><text:p>End.</text:p>",
        remark(
            "<dc:creator>Ada</dc:creator><dc:date>2026-05-03T10:00:00</dc:date><text:p>Not before</text:p><text:list><text:list-item><text:p>the lease!</text:p></text:list-item></text:list>"
        ),
        remark("<text:p>Why?</text:p>"),
        remark("<dc:creator>Bo</dc:creator><text:p/>"),
    );
    assert_eq!(
        read(&content).unwrap(),
        "We open[^c1] in May[^c2].\n\nEnd.\n\n[^c1]: Comment by Ada: Not before the lease!\n\n[^c2]: Comment: Why?"
    );
}

#[test]
fn a_paragraph_that_is_struck_as_a_whole_is_struck() {
    let styles = "<style:style style:name=\"P2\"><style:text-properties style:text-line-through-style=\"solid\"/></style:style>\
        <text:list-style style:name=\"L1\"><text:list-level-style-number text:level=\"1\" style:num-format=\"1\"><style:text-properties/></text:list-level-style-number></text:list-style>";
    let content = format!(
        "{styles}<text:p text:style-name=\"P2\">The offer is withdrawn.</text:p><text:p>It stands.</text:p>"
    );
    assert_eq!(read(&content).unwrap(), "~~The offer is withdrawn.~~\n\nIt stands.");
}
