//! Drawings as pixels.

use std::sync::{Arc, OnceLock};

use anyhow::{Context as _, anyhow};
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{
        Options, Tree,
        fontdb::{Database, Source},
    },
};

/// The font that is always there, so that a picture looks the same on every machine.
const SANS: &[u8] = include_bytes!("fonts/DejaVuSans.ttf");
const SANS_BOLD: &[u8] = include_bytes!("fonts/DejaVuSans-Bold.ttf");

/// Most pixels on a side. Our own drawings stay far below; a larger one is a mistake, and would take memory.
const MOST_PIXELS: u32 = 8_192;

/// Turns drawings into pictures. The fonts are loaded for the first picture and then kept: looking through the
/// machine's takes a moment and memory that a bot which draws nothing need not spend.
#[derive(Debug)]
pub struct Rasterizer {
    with_system_fonts: bool,
    /// Pixels for each of a drawing's units.
    scale: f32,
    fonts: OnceLock<Arc<Database>>,
}

impl Rasterizer {
    /// Draws with the embedded `DejaVu Sans`, and with `with_system_fonts` with the machine's fonts too, for
    /// scripts that `DejaVu` lacks (Chinese, Japanese, Korean and others).
    #[must_use]
    pub fn new(with_system_fonts: bool) -> Self {
        Self { with_system_fonts, scale: 1.0, fonts: OnceLock::new() }
    }

    /// The same with so many pixels for each of a drawing's units, where nobody looks closely.
    #[must_use]
    pub fn scaled(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    fn fonts(&self) -> Arc<Database> {
        let load = || {
            let mut fonts = Database::new();
            fonts.load_font_source(Source::Binary(Arc::new(SANS)));
            fonts.load_font_source(Source::Binary(Arc::new(SANS_BOLD)));
            fonts.set_sans_serif_family("DejaVu Sans");
            fonts.set_serif_family("DejaVu Sans");
            if self.with_system_fonts {
                fonts.load_system_fonts();
            }
            Arc::new(fonts)
        };
        Arc::clone(self.fonts.get_or_init(load))
    }

    /// The drawing as a PNG, a pixel for each of its units unless it is scaled. It reads no file and no address the drawing names.
    pub fn png(&self, svg: &str) -> anyhow::Result<Vec<u8>> {
        let mut options = Options { fontdb: self.fonts(), ..Options::default() };
        options.image_href_resolver.resolve_string = Box::new(|_, _| None);
        let tree = Tree::from_str(svg, &options)
            .map_err(|error| anyhow!("the drawing is not valid SVG: {error}"))?;
        let size = tree.size();
        let size = size.scale_by(self.scale).unwrap_or(size).to_int_size();
        let (width, height) = (size.width(), size.height());
        let fits = width <= MOST_PIXELS && height <= MOST_PIXELS;
        // Nothing, or too large to hold in memory.
        let pixels = fits.then(|| Pixmap::new(width, height)).flatten();
        let mut pixels = pixels.with_context(|| format!("the drawing is {width} by {height} pixels"))?;
        resvg::render(&tree, Transform::from_scale(self.scale, self.scale), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| anyhow!("no PNG could be made: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_become_pictures_and_nothing_else_does() {
        let fonts = Rasterizer::new(false);
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='30'>\
            <text x='4' y='20' font-family='DejaVu Sans'>Points</text></svg>";
        let png = fonts.png(drawing).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let blank = fonts.png(&drawing.replace("Points", "")).unwrap();
        assert!(png.len() > blank.len() + 200, "letters are drawn: {} and {}", png.len(), blank.len());
        let why = |svg: &str| fonts.png(svg).unwrap_err().to_string();
        assert!(why("<svg").contains("not valid SVG"));
        let huge = "<svg xmlns='http://www.w3.org/2000/svg' width='90000' height='1'/>";
        assert_eq!(why(huge), "the drawing is 90000 by 1 pixels");
    }
}
