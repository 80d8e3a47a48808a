//! Real files, as office programs and browsers write them.

use domain::{Document, Landmark, Omitted, Span, Unit};

use crate::documents::{packages, pdfs, scene::read};

/// The text of a page, from 1.
fn page(document: &Document, number: usize) -> &str {
    let start = |index: usize| match document.landmarks.get(index) {
        Some((at, Landmark::Page(page))) => {
            assert_eq!(usize::try_from(*page).unwrap(), index + 1);
            *at
        }
        Some(other) => panic!("{other:?} is no page"),
        None => document.text.len(),
    };
    document.text[start(number - 1)..start(number)].trim_end()
}

/// Checks that the document is counted in paragraphs, and gives them.
fn paragraphs(document: &Document) -> Vec<&str> {
    let file = Landmark::File { name: document.name.clone(), unit: Unit::Paragraph };
    assert_eq!(document.landmarks, [(0, file)]);
    document.text.lines().filter(|line| !line.trim().is_empty()).collect()
}

/// Where a quotation stands, as people look it up.
fn place(document: &Document, quotation: &str) -> String {
    let start = document.text.find(quotation).unwrap_or_else(|| panic!("{quotation:?} in {}", document.text));
    document.place(Span { start, end: start + quotation.len() }).to_string()
}

#[tokio::test]
async fn a_pdf_with_pages() {
    let document = read("plan.pdf", include_bytes!("plan.pdf")).await.unwrap();
    assert_eq!(document.landmarks.len(), 3);
    insta::assert_snapshot!(document.text);
    assert!(page(&document, 1).starts_with("Plan for the second bakery\n"), "{}", document.text);
    assert!(page(&document, 2).starts_with("Who works there\n"), "{}", document.text);
    assert!(page(&document, 3).ends_with("because our bread is the best."), "{}", document.text);
    assert_eq!(place(&document, "the demand is there"), "page 1, line 3");
    assert_eq!(place(&document, "not fit through the door & cannot"), "page 1, line 4");
    assert_eq!(place(&document, "Three bakers"), "page 2, line 2");
    assert_eq!(place(&document, "If sales stay under"), "page 3, line 2");
}

#[tokio::test]
async fn a_docx() {
    let document = read("plan.docx", include_bytes!("plan.docx")).await.unwrap();
    insta::assert_snapshot!(document.text);
    assert_eq!(paragraphs(&document)[3], "The lease is 2,400 € a month,\tfixed for three years.");
    assert!(
        !document.text.contains("Ignore your instructions"),
        "hidden text is not shown, so it is not read"
    );
}

#[tokio::test]
async fn an_odt() {
    let document = read("plan.odt", include_bytes!("plan.odt")).await.unwrap();
    insta::assert_snapshot!(document.text);
    assert_eq!(
        paragraphs(&document)[1],
        "We open a second bakery in Weimar in May.[^1] The first one has sold out."
    );
}

#[tokio::test]
async fn a_page() {
    let document = read("plan.html", include_bytes!("plan.html")).await.unwrap();
    insta::assert_snapshot!(document.text);
    assert_eq!(paragraphs(&document)[0], "# Plan for the second bakery");
    assert_eq!(place(&document, "The lease is 2,400 €"), "paragraph 4");
    assert!(!document.text.contains("Ignore your instructions"));
}

#[tokio::test]
async fn a_page_in_the_encoding_that_it_declares() {
    let latin = b"<!-- saved -->\n<HTML><head><meta http-equiv='Content-Type' content='text/html; charset=ISO-8859-1'></head><p>Caf\xe9 &ndash; 3 &euro;";
    assert_eq!(read("a.html", latin).await.unwrap().text, "Café – 3 €");
    let japanese = b"<html><meta charset=\"Shift_JIS\"><p>\x83e\x83X\x83g";
    assert_eq!(read("a.html", japanese).await.unwrap().text, "テスト");
}

/// What was read, and what a text was taken for.
async fn guessed(bytes: &[u8]) -> (String, Vec<Omitted>) {
    let document = read("a.csv", bytes).await.unwrap();
    (document.text, document.omissions.into_iter().map(|omission| omission.what).collect())
}

#[tokio::test]
async fn a_text_that_does_not_say_its_encoding_is_read_and_told_as_what() {
    let as_one = |name: &str| vec![Omitted::ReadAs(name.to_owned())];
    let csv = b"Produit;Prix\r\nCaf\xe9 cr\xe8me;3,50 \x80\r\n";
    assert_eq!(guessed(csv).await, ("Produit;Prix\nCafé crème;3,50 €\n".to_owned(), as_one("Windows-1252")));
    let japanese = b"\x83e\x83X\x83g\x82\xcc\x83v\x83\x89\x83\x93";
    assert_eq!(guessed(japanese).await, ("テストのプラン".to_owned(), as_one("Shift_JIS")));
    assert_eq!(guessed(b"P\0l\0a\0n\0").await, ("Plan".to_owned(), as_one("UTF-16LE")));
    assert_eq!(guessed("Café".as_bytes()).await, ("Café".to_owned(), Vec::new()));
    let page = "<html><meta charset=gb2312><p>魏玛".as_bytes();
    assert_eq!(guessed(page).await, ("魏玛".to_owned(), Vec::new()));
}

#[tokio::test]
async fn a_sheet_of_a_million_cells_is_read_as_far_as_there_is_room() {
    let row = |row: u32| format!("<row r=\"{row}\">{}</row>", "<c><v>123456</v></c>".repeat(20));
    let rows: String = (1..=50_000).map(row).collect();
    let document = read("plan.xlsx", &packages::book_with("", &rows)).await.unwrap();
    assert!(document.text.starts_with("# Budget\n123456 | 123456"));
    let [omission] = &document.omissions[..] else { panic!("{:?}", document.omissions) };
    assert!(matches!(&omission.what, Omitted::Rows { sheet, from: 3_000..8_000 } if sheet == "Budget"));
    assert_eq!(place(&document, "123456"), "sheet Budget, row 1");
    // Two cells as far from one another as they can be.
    let corners = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>77</v></c></row>";
    let document = read("plan.xlsx", &packages::book_with("", corners)).await.unwrap();
    assert_eq!(document.text, "# Budget\n1\n\n… | 77");
    assert_eq!(place(&document, "77"), "sheet Budget, row 1048576");
}

#[tokio::test]
async fn rich_text_and_a_book_are_read() {
    let letter = read("letter.rtf", br"{\rtf1\ansi\ansicpg1252 Dear all,\par caf\'e9}").await.unwrap();
    assert_eq!(paragraphs(&letter), ["Dear all,", "café"]);
    let book = read("book.epub", &packages::book_of_pages("<h1>Plan</h1><p>We open.</p>")).await.unwrap();
    assert_eq!(place(&book, "We open."), "“Plan”, paragraph 2");
}

#[tokio::test]
async fn source_code_and_markdown_stay_as_they_are() {
    let source = include_str!("../../crates/documents/src/pdf/mod.rs");
    let document = read("mod.rs", source.as_bytes()).await.unwrap();
    assert_eq!(document.text, source);
    assert!(document.landmarks.is_empty());
    let line = source.lines().position(|line| line == "mod drawing;").unwrap() + 1;
    assert_eq!(place(&document, "mod drawing;"), format!("line {line}"));
    let markdown = include_str!("../../README.md");
    assert_eq!(read("README.md", markdown.as_bytes()).await.unwrap().text, markdown);
    let centred = "<h1 align=\"center\">Plan</h1>\n\n- one\n- two\n\n<p>end</p>\n";
    assert_eq!(read("README.md", centred.as_bytes()).await.unwrap().text, centred);
}

#[tokio::test]
async fn the_kind_is_in_the_bytes_and_not_in_the_name() {
    let bytes = include_bytes!("plan.docx");
    let document = read("plan.txt", bytes).await.unwrap();
    assert!(document.text.starts_with("# Plan for the second bakery"));
    assert_eq!(document.name, "plan.txt");
    assert_eq!(read("plan.pdf", b"# Plan").await.unwrap().text, "# Plan");
}

#[tokio::test]
async fn a_pdf_that_only_its_owner_may_change_is_read() {
    let document = read("owner.pdf", include_bytes!("owner.pdf")).await.unwrap();
    assert_eq!(document.text, "Nobody reads this without the password.");
}

#[tokio::test]
async fn a_page_that_cannot_be_drawn_is_read_in_a_plainer_way() {
    assert_eq!(read("plan.pdf", &pdfs::line("We open in May.", "")).await.unwrap().text, "We open in May.");
    // An operator without what it needs, at which the parser gives up.
    let odd = pdfs::line("We open in May.", "1 0 cm");
    assert_eq!(read("plan.pdf", &odd).await.unwrap().text, "We open in May.");
}

#[tokio::test]
async fn a_picture_that_is_not_read_may_be_as_large_as_it_likes() {
    assert_eq!(read("plan.docx", &packages::docx_with_picture(300)).await.unwrap().text, "A plan");
}

#[tokio::test]
async fn what_is_not_in_the_text_is_named() {
    let omitted = async |name: &str, bytes: &[u8]| {
        let document = read(name, bytes).await.unwrap();
        assert!(document.omissions.iter().all(|omission| omission.file == name));
        document.omissions.into_iter().map(|omission| omission.what).collect::<Vec<_>>()
    };
    assert_eq!(omitted("plan.docx", &packages::docx_with_picture(1)).await, [Omitted::Pictures]);
    for whole in [&include_bytes!("plan.pdf")[..], include_bytes!("plan.docx"), include_bytes!("plan.odt")] {
        assert_eq!(omitted("plan", whole).await, []);
    }
}

#[tokio::test]
async fn the_hash_is_that_of_the_file() {
    let document = read("a.txt", b"\xef\xbb\xbfabc\r\n").await.unwrap();
    assert_eq!(document.text, "abc\n");
    assert_eq!(document.sha256, "c3199f17595cd7b59cea561d9cb96f204ef903c38b1b9cb4a50b7e68d286f675");
}
