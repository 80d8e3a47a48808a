//! Pictures, for a model that reads them: those that members attach, by their header alone, and pages that were drawn.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use imagesize::{ImageType, blob_size, image_type};

use super::{
    Fault,
    extract::{Drawn, Extract, Places},
};

/// Most points of a side that models take (Anthropic, "Vision": 8,000).
pub(super) const SIDE: u64 = 8_000;
/// Most bytes of a picture: in base64 models take 5 MB.
pub(super) const BYTES: usize = 3_700_000;

/// A file that is a picture. Nothing of it is unpacked here; what lies behind its header is for the model's own server to read.
pub(super) fn read(bytes: &[u8]) -> Result<Extract, Fault> {
    let media = match image_type(bytes) {
        Ok(ImageType::Png) => "image/png",
        Ok(ImageType::Jpeg) => "image/jpeg",
        Ok(ImageType::Gif) => "image/gif",
        Ok(ImageType::Webp) => "image/webp",
        _ => return Err(Fault::Foreign(super::Foreign::Picture)),
    };
    let size = blob_size(bytes).map_err(|_| Fault::BrokenPicture)?;
    let (wide, high) = (size.width as u64, size.height as u64);
    if wide == 0 || high == 0 {
        return Err(Fault::BrokenPicture);
    }
    if wide > SIDE || high > SIDE {
        return Err(Fault::LargePicture(Some((wide, high))));
    }
    if bytes.len() > BYTES {
        return Err(Fault::LargePicture(None));
    }
    let drawn = Drawn { page: None, media: media.to_owned(), base64: STANDARD.encode(bytes) };
    Ok(Extract { pictures: vec![drawn], ..Extract::whole(String::new(), Places::Lines) })
}

/// A page that was drawn.
pub(super) fn of_page(page: u32, png: &[u8]) -> Drawn {
    Drawn { page: Some(page), media: "image/png".to_owned(), base64: STANDARD.encode(png) }
}

/// Whether a picture is what a reader may hand over.
pub(super) fn is_sound(picture: &Drawn) -> bool {
    let known = ["image/png", "image/jpeg", "image/gif", "image/webp"];
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    known.contains(&&*picture.media)
        && !picture.base64.is_empty()
        && picture.base64.len() <= BYTES.div_ceil(3) * 4
        && picture.base64.as_bytes().iter().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of a PNG of so many points.
    fn png(wide: u32, high: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(wide.to_be_bytes());
        bytes.extend(high.to_be_bytes());
        bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn pictures_are_told_by_their_headers() {
        let gif = b"GIF89a\x10\0\x20\0\0\0\0;";
        let webp = b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x0f\0\0\x1f\0\0";
        let jpeg = b"\xff\xd8\xff\xc0\0\x11\x08\0\x20\0\x10\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\xff\xd9";
        let all =
            [(png(16, 32), "png"), (gif.to_vec(), "gif"), (webp.to_vec(), "webp"), (jpeg.to_vec(), "jpeg")];
        for (bytes, kind) in all {
            let extract = read(&bytes).unwrap_or_else(|fault| panic!("{kind}: {fault:?}"));
            assert_eq!(extract.pictures[0].media, format!("image/{kind}"));
            assert!(extract.is_sound(), "{kind}");
        }
    }

    #[test]
    fn a_picture_of_a_million_points_a_side_is_refused_by_its_header() {
        let too_large = Fault::LargePicture(Some((1_000_000, 1_000_000)));
        assert_eq!(read(&png(1_000_000, 1_000_000)), Err(too_large));
        assert!(too_large.of("a.png").to_string().contains("1000000 × 1000000 points"));
        assert_eq!(read(&png(8_001, 1)), Err(Fault::LargePicture(Some((8_001, 1)))));
        assert_eq!(read(&png(0, 1)), Err(Fault::BrokenPicture));
        let mut long = png(10, 10);
        long.resize(BYTES + 1, 0);
        assert_eq!(read(&long), Err(Fault::LargePicture(None)));
        assert_eq!(read(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01 and no more"), Err(Fault::BrokenPicture));
        // One that models do not take is what it was.
        assert_eq!(read(b"II*\0 a tiff"), Err(Fault::Foreign(super::super::Foreign::Picture)));
    }

    #[test]
    fn only_pictures_that_a_reader_draws_come_through() {
        let one = of_page(1, b"x");
        assert!(is_sound(&one));
        for broken in [
            Drawn { media: "text/html".into(), ..one.clone() },
            Drawn { base64: "a b".into(), ..one.clone() },
            Drawn { base64: String::new(), ..one },
        ] {
            assert!(!is_sound(&broken), "{broken:?}");
        }
    }
}
