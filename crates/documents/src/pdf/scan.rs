//! Pages without text, drawn as pictures for a model that sees them: what they show, by its place on the page and cut as
//! the page says. Shadings, patterns and soft masks are left out: no words are written with them.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // points of a page, all of them few and above 0

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    time::Duration,
};

use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, FillRule, Image, ImageData, ImageDrawProps,
    InterpreterCache, InterpreterSettings, LumaData, Paint, SoftMask, TransformExt as _,
    font::{Glyph, GlyphRun},
    interpret,
    kurbo::{Affine, BezPath, PathEl, Rect},
};
use hayro_syntax::{PdfData, content::TypedIter, page::Page};
use tiny_skia::{
    Color, FilterQuality, Mask, Path, PathBuilder, Pixmap, PixmapPaint, PremultipliedColorU8, Stroke,
    Transform,
};

use super::{drawing, open};
use crate::{
    MAX_PICTURES, confine,
    extract::Drawn,
    picture::{self, BYTES},
};

/// Points of a page's longer side: models make larger pictures as small as that, and letters of a usual size are 18 high.
const LONG: f64 = 1_568.0;
/// Most points of a picture on a page that is unpacked: A4 at 600 for an inch has 35 million.
const POINTS: u64 = 40_000_000;
/// So many areas lie in one another at most; deeper ones cut no more.
const CLIPS: usize = 32;
/// So much of a picture may be coloured before it is no picture in grey, in thousandths.
const COLOURED: usize = 2;
/// How far the parts of a colour that is a grey lie apart.
const GREY: u8 = 24;

/// The pages of these numbers as pictures, as far as there is time and room; those that show nothing are left out.
pub(super) fn pages(data: &PdfData, numbers: &[u32], until: Duration) -> Vec<Drawn> {
    let (mut drawn, mut room) = (Vec::new(), MAX_PICTURES);
    let mut left = numbers;
    // As with their text, it begins anew behind a page at which the parser gives up.
    while let Ok(done @ 1..) = open(data, |pdf| {
        for (done, number) in (1..).zip(left) {
            if confine::processor_time() >= until {
                return left.len();
            }
            let Some(page) = pdf.pages().get(*number as usize - 1) else { continue };
            match catch_unwind(AssertUnwindSafe(|| draw(page, until))) {
                Ok(Some(png)) if png.len() <= BYTES => {
                    let page = picture::of_page(*number, &png);
                    let Some(rest) = room.checked_sub(page.base64.len()) else { return left.len() };
                    room = rest;
                    drawn.push(page);
                }
                Ok(_) => {}
                Err(_) => return done,
            }
        }
        left.len()
    }) {
        left = left.get(done..).unwrap_or_default();
    }
    drawn
}

/// A page as a PNG; nothing where it is of one colour.
fn draw<'a>(page: &'a Page<'a>, until: Duration) -> Option<Vec<u8>> {
    let (width, height) = page.render_dimensions();
    let scale = LONG / f64::from(width.max(height).max(1.0));
    let side = |length: f32| (f64::from(length) * scale).round().clamp(1.0, LONG);
    let (wide, high) = (side(width), side(height));
    let mut map = Pixmap::new(wide as u32, high as u32)?;
    map.fill(Color::WHITE);
    let transform = Affine::scale(scale) * page.initial_transform(true).to_kurbo();
    let (operators, _) = drawing::content(page);
    let cache = InterpreterCache::new();
    let area = Rect::new(0.0, 0.0, wide, high);
    let mut context = Context::new(transform, area, &cache, page.xref(), InterpreterSettings::default());
    let mut scan = Scan { map, clips: Vec::new(), until, ticks: 0 };
    interpret(TypedIter::new(&operators), page.resources(), &mut context, &mut scan);
    encoded(&scan.map)
}

/// A page that is drawn.
struct Scan {
    map: Pixmap,
    /// What is shown, the narrowest last.
    clips: Vec<Rc<Mask>>,
    until: Duration,
    ticks: u32,
}

impl Scan {
    fn tick(&mut self) {
        drawing::tick(&mut self.ticks, self.until);
    }

    fn fill(&mut self, path: &BezPath, place: Affine, paint: &Paint<'_>, mode: &DrawMode) {
        self.tick();
        let Paint::Color(color) = paint else { return };
        let [red, green, blue, alpha] = color.to_rgba().components();
        let (Some(color), Some(path), Some(place)) =
            (Color::from_rgba(red, green, blue, alpha), path_of(path), transform(place))
        else {
            return;
        };
        let mut paint = tiny_skia::Paint::default();
        paint.set_color(color);
        let mask = self.clips.last().map(|mask| &**mask);
        if let DrawMode::Fill(rule) | DrawMode::FillAndStroke(rule, _) = mode {
            self.map.fill_path(&path, &paint, rule_of(*rule), place, mask);
        }
        if let DrawMode::Stroke(how) | DrawMode::FillAndStroke(_, how) = mode {
            // A line of no width is as thin as it can be.
            let stroke = Stroke { width: how.line_width.max(0.1), ..Stroke::default() };
            self.map.stroke_path(&path, &paint, &stroke, place, mask);
        }
    }

    /// Puts a picture on the page; its points are made as few as the page has first, for each is to count.
    fn put(&mut self, place: Affine, size: (u32, u32), point: impl Fn(u32, u32) -> [u8; 4]) {
        let (wide, high) = size;
        let (base, rise) = drawing::axes(place);
        let fewer = |long: f64| (1.0 / long.max(1e-6)).floor().clamp(1.0, 64.0) as u32;
        let (across, down) = (fewer(base.hypot()), fewer(rise.hypot()));
        let (Some(mut small), Some(place)) = (
            Pixmap::new(wide.div_ceil(across), high.div_ceil(down)),
            transform(place * Affine::scale_non_uniform(across.into(), down.into())),
        ) else {
            return;
        };
        let columns = small.width() as usize;
        for (row, line) in (0..).zip(small.pixels_mut().chunks_mut(columns)) {
            self.tick();
            for (column, pixel) in (0..).zip(line) {
                let (mut sum, mut count) = ([0_u32; 4], 0);
                for y in (row * down)..((row + 1) * down).min(high) {
                    for x in (column * across)..((column + 1) * across).min(wide) {
                        let [red, green, blue, alpha] = point(x, y).map(u32::from);
                        let more = [red * alpha / 255, green * alpha / 255, blue * alpha / 255, alpha];
                        for (sum, more) in sum.iter_mut().zip(more) {
                            *sum += more;
                        }
                        count += 1;
                    }
                }
                let [red, green, blue, alpha] =
                    sum.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX));
                if let Some(color) = PremultipliedColorU8::from_rgba(red, green, blue, alpha) {
                    *pixel = color;
                }
            }
        }
        let laid = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
        let mask = self.clips.last().map(|mask| &**mask);
        self.map.draw_pixmap(0, 0, small.as_ref(), &laid, place, mask);
    }

    fn image(&mut self, image: &Image<'_, '_>, place: Affine) {
        if u64::from(image.width()).saturating_mul(image.height().into()) > POINTS {
            return;
        }
        let target = Some((self.map.width(), self.map.height()));
        let stretched = |(x, y): (f32, f32)| place * Affine::scale_non_uniform(x.into(), y.into());
        match image {
            Image::Raster(raster) => raster.with_rgba(
                |image, alpha| {
                    let size = (image.width(), image.height());
                    let at = |x: u32, y: u32| y as usize * size.0 as usize + x as usize;
                    let shown =
                        |x: u32, y: u32| alpha.as_ref().map_or(255, |alpha| covered(alpha, size, (x, y)));
                    let point = |x: u32, y: u32| {
                        let at = at(x, y);
                        let byte = |data: &[u8], at: usize| data.get(at).copied().unwrap_or(255);
                        let [red, green, blue] = match &image {
                            ImageData::Luma(luma) => [byte(&luma.data, at); 3],
                            ImageData::Rgb(rgb) => [0, 1, 2].map(|part| byte(&rgb.data, at * 3 + part)),
                        };
                        [red, green, blue, shown(x, y)]
                    };
                    self.put(stretched(image.scale_factors()), size, point);
                },
                target,
            ),
            Image::Stencil(stencil) => stencil.with_stencil(
                |luma, paint| {
                    let color = match paint {
                        Paint::Color(color) => color.to_rgba().to_rgba8(),
                        Paint::Pattern(_) => [0, 0, 0, 255],
                    };
                    let size = (luma.width, luma.height);
                    let point = |x: u32, y: u32| {
                        let [red, green, blue, _] = color;
                        [red, green, blue, covered(&luma, size, (x, y))]
                    };
                    self.put(stretched(luma.scale_factors), size, point);
                },
                target,
            ),
        }
    }
}

impl<'a> Device<'a> for Scan {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.fill(path, props.transform, &props.paint, mode);
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        self.tick();
        self.image(&image, props.transform);
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        for glyph in run.glyphs() {
            match &**glyph {
                Glyph::Outline(outline) => {
                    self.fill(&outline.outline(), props.transform * glyph.transform(), &props.paint, mode);
                }
                Glyph::Type3(drawn) => {
                    self.tick();
                    drawn.interpret(self, props.transform, glyph.transform(), &props.paint);
                }
            }
        }
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.tick();
        let narrower = || {
            let (path, rule) = (path_of(&clip.path), rule_of(clip.fill));
            let mut mask = match self.clips.last() {
                Some(mask) if path.is_some() => (**mask).clone(),
                _ => Mask::new(self.map.width(), self.map.height())?,
            };
            match (path, self.clips.is_empty()) {
                (Some(path), true) => mask.fill_path(&path, rule, true, Transform::identity()),
                (Some(path), false) => mask.intersect_path(&path, rule, true, Transform::identity()),
                // Of an area without size nothing is shown.
                (None, _) => {}
            }
            Some(Rc::new(mask))
        };
        let last = self.clips.last().filter(|_| self.clips.len() >= CLIPS).cloned();
        if let Some(mask) = last.or_else(narrower) {
            self.clips.push(mask);
        }
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn pop_transparency_group(&mut self) {}
}

/// How much of a point is covered by a mask that need not be as large as the picture.
fn covered(mask: &LumaData, (wide, high): (u32, u32), (x, y): (u32, u32)) -> u8 {
    let scaled = |at: u32, from: u32, to: u32| u64::from(at) * u64::from(to) / u64::from(from.max(1));
    let at = scaled(y, high, mask.height) * u64::from(mask.width) + scaled(x, wide, mask.width);
    usize::try_from(at).ok().and_then(|at| mask.data.get(at)).copied().unwrap_or(255)
}

fn rule_of(rule: FillRule) -> tiny_skia::FillRule {
    match rule {
        FillRule::NonZero => tiny_skia::FillRule::Winding,
        FillRule::EvenOdd => tiny_skia::FillRule::EvenOdd,
    }
}

fn transform(place: Affine) -> Option<Transform> {
    let [sx, ky, kx, sy, tx, ty] = place.as_coeffs().map(|part| part as f32);
    let place = Transform::from_row(sx, ky, kx, sy, tx, ty);
    place.is_finite().then_some(place)
}

fn path_of(path: &BezPath) -> Option<Path> {
    let mut out = PathBuilder::new();
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(to) => out.move_to(to.x as f32, to.y as f32),
            PathEl::LineTo(to) => out.line_to(to.x as f32, to.y as f32),
            PathEl::QuadTo(by, to) => out.quad_to(by.x as f32, by.y as f32, to.x as f32, to.y as f32),
            PathEl::CurveTo(by, and, to) => {
                out.cubic_to(by.x as f32, by.y as f32, and.x as f32, and.y as f32, to.x as f32, to.y as f32);
            }
            PathEl::ClosePath => out.close(),
        }
    }
    out.finish()
}

/// A picture as a PNG: in sixteen greys, as most scans are, or with five bits of each colour; letters lose nothing by that.
/// Nothing where all of it is of one colour.
fn encoded(map: &Pixmap) -> Option<Vec<u8>> {
    let points = map.pixels();
    let first = points.first()?;
    if points.iter().all(|point| point == first) {
        return None;
    }
    let parts = |point: &PremultipliedColorU8| [point.red(), point.green(), point.blue()];
    let coloured = points.iter().filter(|point| {
        let [red, green, blue] = parts(point);
        red.max(green).max(blue) - red.min(green).min(blue) > GREY
    });
    let grey = coloured.count() <= points.len() / 1_000 * COLOURED;
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, map.width(), map.height());
    let data: Vec<u8> = if grey {
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Four);
        let level = |point: &PremultipliedColorU8| {
            let [red, green, blue] = parts(point).map(u32::from);
            u8::try_from((red * 299 + green * 587 + blue * 114) / 1_000 / 16).unwrap_or(15)
        };
        // Each line begins with a byte of its own.
        let line = |line: &[PremultipliedColorU8]| -> Vec<u8> {
            let pair = |pair: &[PremultipliedColorU8]| (level(&pair[0]) << 4) | pair.get(1).map_or(0, level);
            line.chunks(2).map(pair).collect()
        };
        points.chunks(map.width() as usize).flat_map(line).collect()
    } else {
        encoder.set_color(png::ColorType::Rgb);
        points.iter().flat_map(|point| parts(point).map(|part| (part & 0xf8) | (part >> 5))).collect()
    };
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&data).ok()?;
    writer.finish().ok()?;
    Some(png)
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use domain::Omitted;

    use super::super::read;
    use crate::{Fault, extract::Extract};

    /// A file of one page that draws this, with this beside its size, and a picture that says it has so many points.
    fn file(page: &str, content: &str, (side, picture): (u32, &str)) -> Vec<u8> {
        let length = content.len();
        format!(
            "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
             3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]{page}/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>\nendobj\n\
             4 0 obj<</Length {length}>>stream\n{content}\nendstream\nendobj\n\
             5 0 obj<</Type/XObject/Subtype/Image/Width {side}/Height {side}{picture}/Filter/ASCIIHexDecode/Length 9>>stream\n\
             00FFFFFF>\nendstream\nendobj\ntrailer<</Root 1 0 R/Size 6>>\n%%EOF\n"
        )
        .into_bytes()
    }

    fn seen(file: &[u8]) -> Result<Extract, Fault> {
        let read = read(file, std::time::Duration::MAX, true);
        assert!(read.as_ref().is_ok_and(Extract::is_sound) || read.is_err());
        read
    }

    /// How light the picture of the only page is at this place, from 0 to 15, both from 0 to 1.
    fn light(extract: &Extract, across: f64, down: f64) -> u8 {
        let png = STANDARD.decode(&extract.pictures[0].base64).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut data).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Grayscale, png::BitDepth::Four));
        let (x, y) = ((f64::from(info.width) * across) as usize, (f64::from(info.height) * down) as usize);
        let byte = data[y * info.line_size + x / 2];
        if x % 2 == 0 { byte >> 4 } else { byte & 15 }
    }

    /// Black at the upper left, else white.
    const GREY: (u32, &str) = (2, "/ColorSpace/DeviceGray/BitsPerComponent 8");
    const WHOLE: &str = "q 200 0 0 200 0 0 cm /I Do Q";
    const CORNERS: [(f64, f64); 4] = [(0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)];

    fn dark(file: &[u8]) -> Vec<(f64, f64)> {
        let extract = seen(file).unwrap();
        CORNERS.into_iter().filter(|(across, down)| light(&extract, *across, *down) < 4).collect()
    }

    #[test]
    fn a_scan_is_drawn_as_it_lies_on_its_page() {
        assert_eq!(dark(&file("", WHOLE, GREY)), [(0.1, 0.1)]);
        assert_eq!(dark(&file("/Rotate 90", WHOLE, GREY)), [(0.9, 0.1)]);
        // Cut to its lower half, nothing of the corner is left.
        let cut = format!("0 0 200 100 re W n 0 0 200 20 re f {WHOLE}");
        assert_eq!(dark(&file("", &cut, GREY)), []);
        let mask = (2, "/ImageMask true/BitsPerComponent 1");
        // The bits of 00 and FF: both points of the first line are painted, those of the second are not.
        assert_eq!(dark(&file("", WHOLE, mask)), [(0.1, 0.1), (0.9, 0.1)]);
    }

    #[test]
    fn letters_that_are_drawn_as_shapes_are_seen_too() {
        let drawn = file("", "0 g 150 150 40 40 re f", GREY);
        assert_eq!(dark(&drawn), [(0.9, 0.1)]);
        assert_eq!(read(&drawn, std::time::Duration::MAX, false), Err(Fault::Drawn));
    }

    #[test]
    fn what_shows_nothing_or_cannot_be_drawn_is_named_as_without_a_model() {
        let white = file("", &format!("{WHOLE} 1 g 0 0 200 200 re f"), GREY);
        assert_eq!(seen(&white), Err(Fault::Scanned));
        let huge = (1_000_000, "/ColorSpace/DeviceGray/BitsPerComponent 8");
        assert_eq!(seen(&file("", WHOLE, huge)), Err(Fault::Scanned));
    }

    #[test]
    fn a_page_that_was_drawn_is_not_named_as_missing() {
        let extract = seen(&file("", WHOLE, GREY)).unwrap();
        assert_eq!((extract.text.as_str(), &extract.omitted[..]), ("", &[][..]));
        assert_eq!(extract.pictures[0].page, Some(1));
        assert!(!matches!(extract.omitted.first(), Some(Omitted::Pictured(_))));
    }
}
