//! What is read of XLSX.

use super::*;
use crate::archive::tests::extract_of;

const RELATIONS: &str = r#"<Relationships>
    <Relationship Id="r1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/>
    <Relationship Id="r2" Type="http://x/worksheet" Target="/xl/worksheets/sheet2.xml"/>
    <Relationship Id="r3" Type="http://x/chartsheet" Target="chartsheets/sheet1.xml"/>
    <Relationship Id="r4" Type="http://x/styles" Target="styles.xml"/>
    <Relationship Id="r5" Type="http://x/sharedStrings" Target="sharedStrings.xml"/>
    <Relationship Id="r6" Type="http://x/worksheet" Target="http://example.org/sheet.xml" TargetMode="External"/>
</Relationships>"#;

const STYLES: &str = r##"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\ &quot;€&quot;"/></numFmts>
    <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>"##;

fn book(sheets: &str, first: &str, second: &str) -> Result<Extract, Fault> {
    let sheet = |rows: &str| {
        format!(
            "<worksheet><dimension ref=\"A1:XFD1048576\"/><sheetData>{rows}</sheetData><oddFooter>no</oddFooter></worksheet>"
        )
    };
    extract_of(&[
        ("xl/workbook.xml", &format!("<workbook><sheets>{sheets}</sheets></workbook>")),
        ("xl/_rels/workbook.xml.rels", RELATIONS),
        ("xl/styles.xml", STYLES),
        (
            "xl/sharedStrings.xml",
            "<sst><si><t>Item</t></si><si><r><t>Co</t></r><r><t>st</t></r><rPh><t>no</t></rPh></si><si><t>a_x000D_\nb</t></si></sst>",
        ),
        ("xl/worksheets/sheet1.xml", &sheet(first)),
        ("xl/worksheets/sheet2.xml", &sheet(second)),
        ("xl/charts/chart1.xml", ""),
    ])
}

#[test]
fn values_are_read_as_they_are_shown() {
    let rows = r#"<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
        <row r="3"><c r="A3" t="inlineStr"><is><t>Oven</t></is></c><c r="B3" s="2"><v>1234.5</v></c><c r="D3" s="1"><v>46145</v></c></row>
        <row><c t="str"><f>A1&amp;"x"</f><v>Itemx</v></c><c s="3"><f>1/8</f><v>0.125</v></c><c><f>SUM(B1:B3)</f></c></row>
        <row><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c><c t="s"><v>2</v></c><c t="s"><v>99</v></c><c><v>0.30000000000000004</v></c></row>"#;
    let sheets = r#"<sheet name="Budget &amp; plan" sheetId="1" r:id="r1"/><sheet name="Chart" r:id="r3"/>
        <sheet name="Old" r:id="r1" state="hidden"/><sheet name="Second" r:id="r2"/><sheet name="Elsewhere" r:id="r6"/>"#;
    let extract = book(sheets, rows, r#"<row r="1"><c r="A1"><v>1</v></c></row>"#).unwrap();
    assert_eq!(
        extract.text,
        "# Budget & plan\nItem | Cost\n\nOven | 1,234.50 € | | 2026-05-03\nItemx | 12.50% | =SUM(B1:B3)\nTRUE | #DIV/0! | a b | | 0.3\n\n# Second\n1"
    );
    assert_eq!(extract.omitted, [Omitted::Charts, Omitted::HiddenSheets]);
    assert!(extract.is_sound());
}

#[test]
fn what_is_not_shown_is_left_out_and_told() {
    let parts = |sheet: &str| {
        extract_of(&[
            ("xl/workbook.xml", "<workbook><sheets><sheet name=\"Offers\" r:id=\"r1\"/></sheets></workbook>"),
            ("xl/_rels/workbook.xml.rels", RELATIONS),
            ("xl/styles.xml", "<styleSheet><numFmts><numFmt numFmtId=\"170\" formatCode=\";;;\"/></numFmts><fonts><font/><font><strike/></font></fonts>\
                <cellXfs><xf/><xf numFmtId=\"170\"/><xf fontId=\"1\"/></cellXfs></styleSheet>"),
            ("xl/sharedStrings.xml", "<sst><si><r><t>10</t></r><r><rPr><vertAlign val=\"superscript\"/></rPr><t>6</t></r><r><t xml:space=\"preserve\"> bottles</t></r></si></sst>"),
            ("xl/worksheets/sheet1.xml", sheet),
        ])
        .unwrap()
    };
    let cell = |place: &str, value: &str| format!("<c r=\"{place}\" t=\"str\"><v>{value}</v></c>");
    let sheet = format!(
        "<worksheet><cols><col min=\"3\" max=\"3\" hidden=\"1\"/><col min=\"5\" max=\"5\" width=\"0\"/></cols><sheetData><row r=\"1\">{}{}{}{}</row>\
         <row r=\"2\" hidden=\"1\">{}</row><row r=\"3\"><c r=\"A3\" t=\"s\"><v>0</v></c><c r=\"B3\" s=\"1\"><v>1200</v></c><c r=\"D3\" s=\"2\"><v>900</v></c></row></sheetData></worksheet>",
        cell("A1", "North"),
        cell("C1", "Our limit"),
        cell("D1", "900"),
        cell("E1", "secret"),
        cell("A2", "Withdrawn: South")
    );
    let extract = parts(&sheet);
    assert_eq!(extract.text, "# Offers\nNorth | | | 900\n\n10^6 bottles | | | ~~900~~");
    assert_eq!(extract.omitted, [Omitted::HiddenColumns, Omitted::HiddenRows, Omitted::HiddenCells]);
    let empty = parts(
        "<worksheet><cols><col min=\"3\" max=\"9\" hidden=\"1\"/></cols><sheetData><row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"2\" hidden=\"1\"/></sheetData></worksheet>",
    );
    assert_eq!(empty.omitted, [], "nothing was in them");
}

#[test]
fn a_million_cells_are_cut_short_and_told() {
    let row = |row: u32| format!("<row r=\"{row}\">{}</row>", "<c><v>12345678</v></c>".repeat(20));
    let rows: String = (1..=50_000).map(row).collect();
    let one = "<sheet name=\"Data\" r:id=\"r1\"/><sheet name=\"Second\" r:id=\"r2\"/>";
    let extract = book(one, &rows, "<row><c t=\"str\"><v>the last one</v></c></row>").unwrap();
    assert!(
        matches!(&extract.omitted[0], Omitted::Rows { sheet, from: 2_000..50_000 } if sheet == "Data"),
        "{:?}",
        extract.omitted
    );
    assert!(extract.text.ends_with("# Second\nthe last one"));
    assert!(extract.is_sound());
}

#[test]
fn columns_are_named_by_letters() {
    for (place, at) in [
        ("A1", Some(0)),
        ("Z9", Some(25)),
        ("AA1", Some(26)),
        ("xfd1048576", Some(16_383)),
        ("12", None),
        ("", None),
    ] {
        assert_eq!(column(place), at, "{place}");
    }
    assert!(column(&"Z".repeat(100)).unwrap() < 500_000);
}

#[test]
fn days_signs_units_and_thousands_are_what_the_sheet_shows() {
    let formats = [
        "[$-407]d. mmm yyyy",
        "[$-409]m/d/yy",
        "#,##0;[Red](#,##0)",
        "#,##0.00 [$€-407];[Red]-#,##0.00 [$€-407]",
        "#,##0,",
        "#,##0\\ \"profit\";#,##0\\ \"loss\"",
    ];
    let list = |of: fn(usize, &str) -> String| -> String {
        formats.iter().enumerate().map(|(at, code)| of(at, code)).collect()
    };
    let styles = format!(
        "<styleSheet><numFmts>{}</numFmts><cellXfs><xf/>{}</cellXfs></styleSheet>",
        list(|at, code| format!(
            "<numFmt numFmtId=\"{}\" formatCode=\"{}\"/>",
            170 + at,
            code.replace('"', "&quot;")
        )),
        list(|at, _| format!("<xf numFmtId=\"{}\"/>", 170 + at))
    );
    let shown = |since: &str, values: &[&str]| {
        let cell = |(look, value): (usize, &&str)| format!("<c s=\"{look}\"><v>{value}</v></c>");
        let cells: String = (1..).zip(values).map(cell).collect();
        let extract = extract_of(&[
            (
                "xl/workbook.xml",
                &format!(
                    "<workbook><workbookPr{since}/><sheets><sheet name=\"in thousand\" r:id=\"r1\"/></sheets></workbook>"
                ),
            ),
            ("xl/_rels/workbook.xml.rels", RELATIONS),
            ("xl/styles.xml", &styles),
            (
                "xl/worksheets/sheet1.xml",
                &format!("<worksheet><sheetData><row>{cells}</row></sheetData></worksheet>"),
            ),
        ]);
        extract.unwrap().text
    };
    let rest = ["-1200", "-1200.5", "1234567", "-80"];
    let read = "-1,200 | -1,200.50 € | 1,235 | 80 loss";
    let days = |two: [&'static str; 2]| [&two[..], &rest[..]].concat();
    assert_eq!(
        shown("", &days(["46145", "46089"])),
        format!("# in thousand\n2026-05-03 | 2026-03-08 | {read}")
    );
    assert_eq!(
        shown(" date1904=\"1\"", &days(["44683", "44627"])),
        format!("# in thousand\n2026-05-03 | 2026-03-08 | {read}")
    );
}
