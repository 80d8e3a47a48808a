//! What is read of PDF, of small files with what changes the meaning of their words.

use super::*;

/// A file of one page with this text, and with this in its catalogue.
fn file(catalogue: &str, text: &str) -> Vec<u8> {
    let content = format!("BT /F1 12 Tf 72 700 Td ({text}) Tj ET");
    format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R{catalogue}>>\nendobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
         3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>\nendobj\n\
         4 0 obj<</Length {}>>stream\n{content}\nendstream\nendobj\n\
         5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>\nendobj\n\
         6 0 obj<</T(Sum)/FT/Tx/V(900)>>\nendobj\ntrailer<</Root 1 0 R/Size 7>>\n%%EOF\n",
        content.len()
    )
    .into_bytes()
}

#[test]
fn what_is_only_painted_over_is_read_and_named() {
    let of = |text: &str| read(&file("", text), Duration::MAX, false).map(|read| (read.text, read.omitted));
    let text = || "Our limit is 900 euros".to_owned();
    let over = |color: &str, bounds: &str| of(&format!("{}) Tj ET {color} {bounds} re f BT (", text()));
    let painted = Ok((text(), vec![Omitted::Painted(vec![1])]));
    assert_eq!(over("0 g", "70 695 200 20"), painted);
    for (color, bounds) in [("1 1 0 rg", "70 695 200 20"), ("0 g", "70 695 200 1"), ("0 g", "70 300 200 20")]
    {
        assert_eq!(over(color, bounds), Ok((text(), Vec::new())), "{color} {bounds}");
    }
    let before = file("", ") Tj ET 0 g 70 695 200 20 re f 1 g BT /F1 12 Tf 72 700 Td (White on black");
    assert_eq!(read(&before, Duration::MAX, false).unwrap().omitted, []);
}

#[test]
fn what_is_not_on_the_pages_is_refused_with_what_it_is() {
    let of = |catalogue: &str| {
        read(&file(catalogue, "Please wait..."), Duration::MAX, false).map(|read| read.text)
    };
    assert_eq!(of(""), Ok("Please wait...".to_owned()));
    assert_eq!(of("/AcroForm<</Fields[6 0 R]/XFA[]>>"), Ok("Please wait...".to_owned()), "a form with pages");
    assert_eq!(of("/AcroForm<</Fields[]/XFA[]>>"), Err(Fault::LiveForm));
    assert_eq!(of("/NeedsRendering true/AcroForm<</Fields[6 0 R]/XFA[]>>"), Err(Fault::LiveForm));
    assert_eq!(of("/Collection<</View/D>>"), Err(Fault::Portfolio));
    let told = |fault: Fault| fault.of("a.pdf").to_string();
    assert!(told(Fault::LiveForm).contains("print it to PDF"), "{}", told(Fault::LiveForm));
    assert!(told(Fault::Portfolio).contains("attach the documents themselves"), "{}", told(Fault::Portfolio));
}

#[test]
fn pages_without_time_are_named_and_those_before_them_are_kept() {
    let mut pages = Pages::default();
    pages.close("We open in May.".into(), None);
    pages.close(String::new(), Some(Lack::Late));
    pages.close(String::new(), Some(Lack::Late));
    let extract = pages.finish(Vec::new()).unwrap();
    assert_eq!(extract.text, "We open in May.");
    assert_eq!(extract.places, Places::Pages(vec![0, 15, 15]));
    assert_eq!(extract.omitted, [Omitted::Late(vec![2, 3])]);
    let mut none = Pages::default();
    none.close(String::new(), Some(Lack::Late));
    assert_eq!(none.finish(Vec::new()), Err(Fault::BeyondLimits));
}

/// A file with a page for each of these contents, with these entries in each, and these objects from the tenth on. Its fonts are
/// Helvetica (F1) and one with the letters of שלום, and ligatures and a soft hyphen, from A on (F2).
fn pages(contents: &[&str], entries: &str, more: &[&str]) -> Vec<u8> {
    use std::fmt::Write as _;
    let mut file = String::from("%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>\nendobj\n");
    let kid = |page: usize| format!("{} 0 R ", 50 + 2 * page);
    let kids: String = (0..contents.len()).map(kid).collect();
    write!(
        file,
        "2 0 obj<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>\nendobj\n\
         3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>\nendobj\n\
         4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 65/LastChar 72/Widths[600 600 600 600 600 600 600 600]/Encoding<</Differences[65/uni05E9/uni05DC/uni05D5/uni05DD/fi/ffl/uni00AD/uni2212]>>>>\nendobj\n",
        contents.len()
    )
    .unwrap();
    for (number, object) in (10..).zip(more) {
        write!(file, "{number} 0 obj{object}\nendobj\n").unwrap();
    }
    for (page, content) in contents.iter().enumerate() {
        let number = 50 + 2 * page;
        write!(
            file,
            "{number} 0 obj<</Type/Page/Parent 2 0 R/Contents {} 0 R{entries}>>\nendobj\n{} 0 obj<</Length {}>>stream\n{content}\nendstream\nendobj\n",
            number + 1,
            number + 1,
            content.len()
        )
        .unwrap();
    }
    write!(file, "trailer<</Root 1 0 R/Size {}>>\n%%EOF\n", 52 + 2 * contents.len()).unwrap();
    file.into_bytes()
}

fn text_of(content: &str) -> String {
    read(&pages(&[content], "", &[]), Duration::MAX, false).unwrap().text
}

/// A text at a place, in a size.
fn at(x: f64, y: f64, size: f64, text: &str) -> String {
    format!("BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n")
}

#[test]
fn what_a_line_is_drawn_through_is_struck() {
    // 900 begins at 72 + the width of `Rent `, which is 28.01, and is 20.02 wide.
    let line = at(72.0, 700.0, 12.0, "Rent 900 800 euros");
    let through = |how: &str| text_of(&format!("{line}{how}"));
    let struck = "Rent ~~900~~ 800 euros";
    assert_eq!(through("0.7 w 100.3 703.5 m 120.5 703.5 l S"), struck);
    assert_eq!(through("0 g 100.3 703.2 20.1 0.6 re f"), struck, "a thin box");
    assert_eq!(through("1 0 0 RG 100.3 704 m 120.5 704 l S"), struck, "a red one");
    assert_eq!(text_of(&format!("100.3 703.5 m 120.5 703.5 l S {line}")), struck, "drawn before");
    assert_eq!(through("72 703 m 177 703 l S"), "~~Rent 900 800 euros~~");
    for (why, how) in [
        ("beneath", "100.3 698.5 m 120.5 698.5 l S"),
        ("above", "100.3 710 m 120.5 710 l S"),
        ("a line of a table", "20 703.5 m 500 703.5 l S"),
        ("white", "1 1 1 RG 100.3 703.5 m 120.5 703.5 l S"),
        ("a marker", "1 1 0 RG 10 w 100.3 703.5 m 120.5 703.5 l S"),
        ("upright", "110 690 m 110 720 l S"),
    ] {
        assert_eq!(through(how), "Rent 900 800 euros", "{why}");
    }
    // A fraction, whose line is above one number and beneath the other.
    let fraction = at(72.0, 700.0, 12.0, "x =") + &at(95.0, 707.0, 12.0, "12") + &at(95.0, 692.0, 12.0, "34");
    assert!(!text_of(&format!("{fraction} 95 703.5 m 108.4 703.5 l S")).contains('~'));
    let mark = "<</Subtype/StrikeOut/QuadPoints[100 712 120.5 712 100 697 120.5 697]>>";
    let file = pages(&[&line], "/Annots[10 0 R]", &[mark]);
    assert_eq!(read(&file, Duration::MAX, false).unwrap().text, struck, "struck by a reviewer");
}

#[test]
fn what_is_written_across_a_page_is_named() {
    let plan = at(72.0, 700.0, 12.0, "We open a second bakery in May.");
    let across = "BT /F1 96 Tf 0.7 0.7 -0.7 0.7 150 200 Tm 0.9 g (DRAFT) Tj ET\n";
    assert_eq!(text_of(&format!("{across}{plan}")), "Watermark: DRAFT\n\nWe open a second bakery in May.");
    assert_eq!(text_of(&format!("{plan}{across}")), "We open a second bakery in May.\n\nWatermark: DRAFT");
    let label = "BT /F1 12 Tf 0.7 0.7 -0.7 0.7 150 200 Tm (June) Tj ET\n";
    assert_eq!(text_of(&format!("{plan}{label}")), "We open a second bakery in May.\n\nJune", "of a chart");
    let upright = "BT /F1 96 Tf 0 1 -1 0 150 200 Tm (Side) Tj ET\n";
    assert_eq!(text_of(&format!("{plan}{upright}")), "We open a second bakery in May.\n\nSide");
}

#[test]
fn the_numbers_of_pages_join_no_sentence() {
    let page = |text: &str, number: &str| at(72.0, 700.0, 12.0, text) + &at(300.0, 40.0, 10.0, number);
    let contents = [page("The rent is", "3"), page("900 euros a month", "4"), page("from May on.", "5")];
    let extract =
        read(&pages(&contents.each_ref().map(String::as_str), "", &[]), Duration::MAX, false).unwrap();
    assert_eq!(
        extract.text,
        "The rent is\n(page 3)\n\n900 euros a month\n(page 4)\n\nfrom May on.\n(page 5)"
    );
    let starts = ["The", "900", "from"].map(|word| extract.text.find(word).unwrap());
    assert_eq!(extract.places, Places::Pages(starts.to_vec()));
}

#[test]
fn a_head_that_is_repeated_on_each_page_stays_with_its_rows() {
    let page =
        |row: &str| at(72.0, 700.0, 12.0, "Item") + &at(200.0, 700.0, 12.0, "Cost in thousand EUR") + row;
    let row = |item: &str, cost: &str| at(72.0, 686.0, 12.0, item) + &at(200.0, 686.0, 12.0, cost);
    let contents = [page(&row("Oven", "1,235")), page(&row("Van", "40"))];
    let file = pages(&contents.each_ref().map(String::as_str), "", &[]);
    assert_eq!(
        read(&file, Duration::MAX, false).unwrap().text,
        "Item Cost in thousand EUR\nOven 1,235\n\nItem Cost in thousand EUR\nVan 40"
    );
}

#[test]
fn letters_that_are_drawn_as_one_or_larger_or_smaller_are_the_word_that_they_show() {
    let in_both = "BT /F1 12 Tf 72 700 Td (The ) Tj /F2 12 Tf (E) Tj /F1 12 Tf (rst o) Tj /F2 12 Tf (F) Tj /F1 12 Tf (ine plan) Tj ET";
    assert_eq!(text_of(in_both), "The first offline plan");
    let parted = "BT /F1 12 Tf 72 700 Td (Donau) Tj /F2 12 Tf (G) Tj /F1 12 Tf 0 -14 Td (dampf) Tj ET";
    assert_eq!(text_of(parted), "Donau-\ndampf", "a hyphen is drawn where the word is parted");
    let minus = "BT /F1 12 Tf 72 700 Td (A loss of ) Tj /F2 12 Tf (H) Tj /F1 12 Tf (5 %) Tj ET";
    assert_eq!(text_of(minus), "A loss of −5 %");
    let large = at(72.0, 680.0, 36.0, "W")
        + &at(107.0, 696.0, 12.0, "e open in May")
        + &at(107.0, 682.0, 12.0, "and not before.");
    assert_eq!(text_of(&large), "We open in May\nand not before.", "a large first letter");
    let small = "BT /F1 12 Tf 72 700 Td (P) Tj /F1 9 Tf (LAN) Tj /F1 12 Tf ( B) Tj ET";
    assert_eq!(text_of(small), "PLAN B");
}

#[test]
fn brackets_and_numbers_in_a_line_from_right_to_left_are_as_they_are_read() {
    // `שלום (12.5)` as it stands: the number and its brackets on the left.
    let drawn = "BT /F1 12 Tf 72 700 Td (\\(12.5\\) ) Tj /F2 12 Tf (DCBA) Tj ET";
    assert_eq!(text_of(drawn), "שלום (12.5)");
    let meant = "BT /F1 12 Tf 72 700 Td (\\)12.5\\( ) Tj /F2 12 Tf (DCBA) Tj ET";
    assert_eq!(text_of(meant), "שלום (12.5)");
}

#[test]
fn boxes_of_a_form_are_read_ticked_or_not() {
    let fields = [
        "<</Subtype/Widget/FT/Btn/T(agree)/AS/Yes>>",
        "<</Subtype/Widget/FT/Btn/T(refuse)/AS/Off>>",
        "<</Subtype/Widget/FT/Btn/T(news)>>",
        "<</FT/Btn/T(pay)/Ff 32768/V/Card/Kids[14 0 R 15 0 R]>>",
        "<</Subtype/Widget/Parent 13 0 R/AS/Off>>",
        "<</Subtype/Widget/Parent 13 0 R/AS/Card>>",
        "<</FT/Btn/T(size)/Ff 32768/Kids[17 0 R 18 0 R]>>",
        "<</Subtype/Widget/Parent 16 0 R/AS/Off>>",
        "<</Subtype/Widget/Parent 16 0 R/AS/Off>>",
        "<</Subtype/Widget/FT/Btn/Ff 65536/T(print)/AS/Off>>",
    ];
    let annotations = "/Annots[10 0 R 11 0 R 12 0 R 14 0 R 15 0 R 17 0 R 18 0 R 19 0 R]";
    let file = pages(&[&at(72.0, 700.0, 12.0, "Form")], annotations, &fields);
    assert_eq!(
        read(&file, Duration::MAX, false).unwrap().text,
        "Form\n\nForm field agree: checked\nForm field refuse: not checked\nForm field news: not checked\nForm field pay: checked (Card)\nForm field size: not checked"
    );
}

#[test]
fn columns_that_are_drawn_across_are_read_one_after_the_other_and_a_table_is_not() {
    let rows = |rows: &[[&str; 2]]| {
        let row = |(at, [left, right]): (usize, &[&str; 2])| {
            let y = 700.0 - 12.0 * f64::from(u32::try_from(at).unwrap());
            at_two(y, left, right)
        };
        text_of(&rows.iter().enumerate().map(row).collect::<String>())
    };
    let prose = [
        ["We open a second bakery in", "the lease ends, unless the"],
        ["the old station in May, and", "owner agrees to a new one"],
        ["close the first one when", "before the end of the year"],
        ["its oven breaks, or when", "in writing, as he said."],
        ["nobody comes.", ""],
    ];
    assert_eq!(
        rows(&prose),
        "We open a second bakery in\nthe old station in May, and\nclose the first one when\nits oven breaks, or when\nnobody comes.\n\n\
         the lease ends, unless the\nowner agrees to a new one\nbefore the end of the year\nin writing, as he said."
    );
    let table = [
        ["Rent of the bakery in town", "2,400 euros a month, fixed"],
        ["Wages of the three bakers", "9,150 euros a month in all"],
        ["Flour and what else it takes", "1,100 euros a month, about"],
        ["Oven, bought and paid for", "12,000 euros, once in ten years"],
    ];
    assert_eq!(rows(&table), table.map(|row| row.join(" ")).join("\n"));
    assert!(rows(&prose[..3]).starts_with("We open a second bakery in the lease"), "too few lines to tell");
}

fn at_two(y: f64, left: &str, right: &str) -> String {
    at(72.0, y, 10.0, left) + &at(320.0, y, 10.0, right)
}
