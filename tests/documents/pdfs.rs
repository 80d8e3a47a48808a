//! PDF files, made object by object.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};

use crate::documents::bombs;

/// A file of these objects, the first of which is the catalogue.
pub fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(objects) {
        offsets.push(file.len());
        writeln!(file, "{number} 0 obj").unwrap();
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let table = file.len();
    write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for offset in offsets {
        writeln!(file, "{offset:010} 00000 n ").unwrap();
    }
    write!(file, "trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1).unwrap();
    file
}

/// A stream object.
pub fn stream(entries: &str, bytes: &[u8]) -> Vec<u8> {
    let mut object = format!("<<{entries}/Length {}>>\nstream\n", bytes.len()).into_bytes();
    object.extend_from_slice(bytes);
    object.extend_from_slice(b"\nendstream");
    object
}

/// A file with one page: its resources, its content, and objects from the fifth on.
pub fn page(resources: &str, content: Vec<u8>, more: Vec<Vec<u8>>) -> Vec<u8> {
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<<{resources}>>/Contents 4 0 R>>")
            .into_bytes(),
        content,
    ];
    objects.extend(more);
    pdf(&objects)
}

/// A page with a line of text, drawn by these operators before it.
pub fn line(text: &str, before: &str) -> Vec<u8> {
    let content = format!("{before}\nBT /F1 12 Tf 72 700 Td ({text}) Tj ET");
    page(
        "/Font<</F1 5 0 R>>",
        stream("", content.as_bytes()),
        vec![b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec()],
    )
}

/// A page that asks to wait, with these entries in the catalogue.
pub fn with_catalogue(entries: &str) -> Vec<u8> {
    pdf(&[
        format!("<</Type/Catalog/Pages 2 0 R{entries}>>").into_bytes(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>"
            .to_vec(),
        stream("", b"BT /F1 12 Tf 72 700 Td (Please wait...) Tj ET"),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
    ])
}

/// A page that is a picture and nothing else.
pub fn scan() -> Vec<u8> {
    let picture = "/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8";
    page(
        "/XObject<</Im1 5 0 R>>",
        stream("", b"q 612 0 0 792 0 0 cm /Im1 Do Q"),
        vec![stream(picture, &[200; 64])],
    )
}

/// A page that draws a form which draws itself.
pub fn form_in_itself() -> Vec<u8> {
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</Fm1 5 0 R>>>>";
    page("/XObject<</Fm1 5 0 R>>", stream("", b"/Fm1 Do"), vec![stream(form, b"/Fm1 Do")])
}

/// A page whose content is packed twice, and is a gigabyte when it is unpacked.
pub fn packed_twice() -> Vec<u8> {
    let mut outer = ZlibEncoder::new(Vec::new(), Compression::best());
    outer.write_all(&bombs::zlib_spaces(1_024)).unwrap();
    page("", stream("/Filter[/FlateDecode/FlateDecode]", &outer.finish().unwrap()), Vec::new())
}

/// A page whose font does not say which letters it draws.
pub fn unlettered() -> Vec<u8> {
    font_with("/FontDescriptor<</Type/FontDescriptor/FontName/A>>")
}

/// A page with a font that lacks what every font has.
pub fn without_font() -> Vec<u8> {
    font_with("")
}

fn font_with(more: &str) -> Vec<u8> {
    let font = "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[6 0 R]>>";
    let letters =
        format!("<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<<>>/W[0 9 600]{more}>>");
    page(
        "/Font<</F1 5 0 R>>",
        stream("", b"BT /F1 12 Tf 72 700 Td <000100020003> Tj ET"),
        vec![font.as_bytes().to_vec(), letters.into_bytes()],
    )
}

/// A file without a page.
pub fn without_pages() -> Vec<u8> {
    pdf(&[b"<</Type/Catalog/Pages 2 0 R>>".to_vec(), b"<</Type/Pages/Kids[]/Count 0>>".to_vec()])
}

/// A file with a page for each of these contents. All have the fonts `F1` (Helvetica), `F2` (which does not say which
/// letters it draws) and `F3` (whose font is this), and the picture `Im1`; each page may have more entries.
pub fn pages(contents: &[(&[u8], &str)], third_font: &str, more: &[&str]) -> Vec<u8> {
    let first = 8;
    let kids: Vec<String> = (0..contents.len()).map(|page| format!("{} 0 R", first + 2 * page)).collect();
    let picture = "/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8";
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Kids[{}]/Count {}/MediaBox[0 0 612 792]/Resources<</XObject<</Im1 7 0 R>>/Font<</F1 3 0 R/F2 4 0 R/F3 6 0 R>>>>>>",
            kids.join(" "),
            contents.len()
        )
        .into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
        b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[5 0 R]>>".to_vec(),
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<<>>/W[0 90 600]>>".to_vec(),
        third_font.as_bytes().to_vec(),
        stream(picture, &[200; 64]),
    ];
    for (page, (content, entries)) in contents.iter().enumerate() {
        let number = first + 2 * page + 1;
        objects.push(format!("<</Type/Page/Parent 2 0 R/Contents {number} 0 R{entries}>>").into_bytes());
        // A content that begins with a dictionary is a whole object.
        objects.push(if content.starts_with(b"<<") { content.to_vec() } else { stream("", content) });
    }
    objects.extend(more.iter().map(|object| object.as_bytes().to_vec()));
    pdf(&objects)
}

/// One page of this content, in which `F3` is this font.
pub fn with_font(font: &str, content: &str) -> Vec<u8> {
    pages(&[(content.as_bytes(), "")], font, &[])
}
