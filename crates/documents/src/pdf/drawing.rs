//! What a page draws: its letters with their places, and whether it shows anything else.

use std::{
    collections::HashMap,
    panic::resume_unwind,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hayro_interpret::{
    BlendMode, CacheKey as _, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps,
    InterpreterCache, InterpreterSettings, InterpreterWarning, Paint, SoftMask,
    font::{Glyph, GlyphId, GlyphRun, Type3Glyph},
    hayro_cmap::WritingMode,
    interpret,
    kurbo::{Affine, BezPath, PathSeg, Point, Rect, Shape as _, Vec2},
};
use hayro_syntax::{
    content::TypedIter,
    object::{Object, Stream},
    page::Page,
};

use super::{
    doubtful::{Doubtful, are_usual},
    letters::{self, Letter},
    lines::{Place, Sheet},
    numbered::Numbered,
};
use crate::confine;

/// So many things are drawn between two looks at the clock.
const TICKS: u32 = 512;

/// Narrowest and widest that a letter of a font without a size of its own is taken for, in units of the page.
const SIZES: std::ops::RangeInclusive<f64> = 0.5..=2_000.0;

/// The number that a space has in almost every font.
const SPACE: u32 = 32;

/// So many steps from letter to letter tell how a line is stretched.
const ENOUGH: usize = 5;

/// A line that is stretched by so much may as well not be.
const UNSTRETCHED: std::ops::RangeInclusive<f64> = 0.8..=1.25;

/// A letter is about half as wide as it is high.
const WIDTH: f64 = 0.5;

/// So many steps draw a box at most, with its end.
const BOX: usize = 6;

/// A colour none of whose parts is lighter hides what is dark.
const DARK: f32 = 0.35;

/// A colour all of whose parts are lighter is white, and one that lets more through is not seen, as a line.
const PALE: f32 = 0.85;
const SEEN: f32 = 0.3;

/// So many lines of a drawing are looked at.
const LINES: usize = 64;

/// Why the drawing of a page was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// There is no time left.
    Late,
    /// There is more text than is read.
    Full,
}

/// Follows what a page draws.
///
/// # Panics
/// With a [`Stop`] where it has to end, and where the parser gives up: nothing of it reaches the caller otherwise.
pub(super) fn draw<'a>(
    page: &'a Page<'a>,
    cache: &InterpreterCache<'a>,
    sheet: &mut Sheet,
    until: Duration,
    room: usize,
) {
    let guessed = Arc::new(AtomicBool::new(false));
    let settings = InterpreterSettings {
        warning_sink: Arc::new({
            let guessed = Arc::clone(&guessed);
            move |warning| {
                if matches!(warning, InterpreterWarning::UnsupportedFont) {
                    guessed.store(true, Ordering::Relaxed);
                }
            }
        }),
        ..InterpreterSettings::default()
    };
    let area = page.intersected_crop_box();
    let area = Rect::new(area.x0, area.y0, area.x1, area.y1).abs();
    let (operators, whole) = content(page);
    let context = || Context::new(Affine::IDENTITY, area, cache, page.xref(), settings.clone());
    let mut seeing = Seeing { doubtful: Doubtful::of(page), until, ticks: 0 };
    if !seeing.doubtful.is_empty() {
        interpret(TypedIter::new(&operators), page.resources(), &mut context(), &mut seeing);
    }
    let mut drawing = Drawing {
        sheet,
        // Some files have a page without width, which readers show as a usual one.
        area: (area.width() >= 1.0 && area.height() >= 1.0).then_some(area),
        until,
        room,
        ticks: 0,
        guessed,
        doubtful: seeing.doubtful,
        blank: HashMap::new(),
        usual: Widths::default(),
        numbered: Numbered::of(page),
        drawn: HashMap::new(),
    };
    drawing.sheet.damaged = !whole;
    interpret(TypedIter::new(&operators), page.resources(), &mut context(), &mut drawing);
    let likely = drawing.are_likely();
    drawing.sheet.guess(likely);
}

/// What a page is drawn by, and whether all of it could be unpacked. The page would keep it as long as the file is
/// open, so it is not asked for it.
pub(super) fn content(page: &Page<'_>) -> (Vec<u8>, bool) {
    let mut all = (Vec::new(), true);
    let mut add = |part: Option<Stream<'_>>| match part.and_then(|part| part.decoded_data().ok()) {
        Some(part) => {
            all.0.extend_from_slice(&part);
            all.0.push(b'\n');
        }
        None => all.1 = false,
    };
    match page.raw().get::<Object<'_>>("Contents") {
        Some(Object::Array(parts)) => parts.iter::<Object<'_>>().for_each(|part| add(part.into_stream())),
        Some(one) => add(one.into_stream()),
        None if page.raw().contains_key("Contents") => add(None),
        None => {}
    }
    all
}

/// Stops where the time is used up.
pub(super) fn tick(ticks: &mut u32, until: Duration) {
    *ticks += 1;
    if ticks.is_multiple_of(TICKS) && confine::processor_time() >= until {
        resume_unwind(Box::new(Stop::Late));
    }
}

/// The page that is drawn.
struct Drawing<'s> {
    sheet: &'s mut Sheet,
    /// What is shown of it.
    area: Option<Rect>,
    until: Duration,
    /// How many bytes of text are still taken.
    room: usize,
    ticks: u32,
    /// A font could not be read, and another stands in for it.
    guessed: Arc<AtomicBool>,
    /// Fonts whose digits may be others.
    doubtful: Doubtful,
    /// Which of the letters that are drawn as pictures draw nothing.
    blank: HashMap<u128, bool>,
    usual: Widths,
    /// Fonts whose letters are numbered by a list.
    numbered: Numbered,
    /// Letters that are drawn as pictures and have no name: how wide those are that the usual numbers give, and how many there
    /// were, by the scale of their font.
    drawn: HashMap<u64, (HashMap<char, f32>, usize)>,
}

/// How wide the letters were that are drawn as pictures; the sizes of their fonts mean nothing.
#[derive(Default)]
struct Widths(HashMap<u64, (f64, f64)>);

impl Widths {
    /// The size of a letter this wide, judged by all of its kind so far.
    fn size(&mut self, scale: f64, width: f64) -> f64 {
        let (sum, count) = self.0.entry(scale.to_bits()).or_default();
        if width > 0.0 {
            *sum += width;
            *count += 1.0;
        }
        if *count > 0.0 { *sum / *count / WIDTH } else { 0.0 }
    }
}

impl Drawing<'_> {
    /// Stops where time or room is used up.
    fn tick(&mut self) {
        tick(&mut self.ticks, self.until);
        if self.sheet.len() > self.room.saturating_mul(2).saturating_add(4_096) {
            resume_unwind(Box::new(Stop::Full));
        }
    }

    /// What a letter says.
    fn read(&mut self, glyph: &Glyph<'_>) -> Letter {
        match glyph {
            Glyph::Outline(outline) => {
                // What stands in for a font that could not be read knows other letters under the same numbers.
                if self.guessed.load(Ordering::Relaxed) && outline.font_data().is_none() {
                    return Letter::Unknown(None);
                }
                // A font that stands in for another draws nothing for what it does not have.
                let lacking = outline.glyph_id() == GlyphId::NOTDEF && outline.char_code() != SPACE;
                let said = glyph.as_unicode().or_else(|| self.numbered.read(glyph));
                let letter = letters::read(said, None, || {
                    !(lacking && outline.font_data().is_none()) && outline.outline().elements().is_empty()
                });
                let unsure = letter.is_digit() && !self.doubtful.is_empty() && self.doubtful.is_unsure(glyph);
                if unsure { Letter::Unknown(None) } else { letter }
            }
            Glyph::Type3(drawn) => {
                let blank = &mut self.blank;
                letters::read(glyph.as_unicode(), Some(glyph.char_code()), || {
                    *blank.entry(drawn.cache_key()).or_insert_with(|| is_blank(drawn))
                })
            }
        }
    }

    /// A box was drawn: one that is dark hides the letters that were there before, and no more than that.
    fn paint(&mut self, area: Rect, props: &DrawProps<'_>, mode: &DrawMode) {
        let Paint::Color(color) = &props.paint else { return };
        let [red, green, blue, alpha] = color.to_rgba().components();
        let dark = red.max(green).max(blue) < DARK && alpha >= 1.0;
        let plain = props.soft_mask.is_none() && matches!(props.blend_mode, BlendMode::Normal);
        if dark && plain && matches!(mode, DrawMode::Fill(_) | DrawMode::FillAndStroke(..)) {
            self.sheet.paint_over(props.transform.transform_rect_bbox(area));
        }
    }

    /// Something was drawn: lines that run from left to right, and are seen, may go through letters.
    fn stroke(&mut self, path: &BezPath, props: &DrawProps<'_>, mode: &DrawMode) {
        let Paint::Color(color) = &props.paint else { return };
        let [red, green, blue, alpha] = color.to_rgba().components();
        if red.min(green).min(blue) > PALE || alpha < SEEN {
            return;
        }
        let DrawMode::Stroke(how) = mode else {
            if path.elements().len() <= BOX {
                self.sheet.strokes.add(props.transform.transform_rect_bbox(path.bounding_box()));
            }
            return;
        };
        let thick = f64::from(how.line_width) * props.transform.determinant().abs().sqrt();
        for line in path.segments().take(LINES) {
            let PathSeg::Line(line) = line else { continue };
            let (one, other) = (props.transform * line.p0, props.transform * line.p1);
            let area = Rect::from_points(one, other);
            if area.height() < 0.5 {
                self.sheet.strokes.add(area.inflate(0.0, thick / 2.0));
            }
        }
    }

    /// Whether the shapes of most letters without a name show that they are numbered as usual.
    fn are_likely(&self) -> bool {
        let of = |fits: fn(&HashMap<char, f32>) -> bool| -> usize {
            self.drawn.values().filter(|(widths, _)| fits(widths)).map(|(_, count)| count).sum()
        };
        let all = of(|_| true);
        all > 0 && of(|widths| are_usual(|letter| widths.get(letter).copied())) * 4 >= all * 3
    }

    fn letter(&mut self, glyph: &Glyph<'_>, place: Affine, scale: Option<f64>, vertical: bool) {
        let Point { x, y } = place * Point::ORIGIN;
        let (base, rise) = axes(place);
        let mut high = rise.hypot() * 1_000.0;
        let wide = match glyph {
            Glyph::Outline(outline) => outline.advance_width(),
            Glyph::Type3(drawn) => drawn.advance_width(),
        };
        let along = scale.unwrap_or_else(|| base.hypot());
        let mut wide = wide.map_or(high * WIDTH, |wide| f64::from(wide) * along);
        if matches!(glyph, Glyph::Type3(_)) {
            high = self.usual.size(high, wide.abs());
        }
        let shown = |area: Rect| area.inflate(high, high).contains(Point::new(x, y));
        if !(high.is_finite() && wide.is_finite() && self.area.is_none_or(shown)) {
            return;
        }
        let mut direction = if base.hypot() > 0.0 { (base / base.hypot()).into() } else { (1.0, 0.0) };
        if vertical {
            direction = if rise.hypot() > 0.0 { (-rise / rise.hypot()).into() } else { (0.0, -1.0) };
            wide = high;
        }
        let size = high.clamp(*SIZES.start(), *SIZES.end());
        let letter = self.read(glyph);
        if let (Letter::Unknown(Some(usual)), Glyph::Type3(drawn)) = (&letter, glyph) {
            let (widths, count) = self.drawn.entry(rise.hypot().to_bits()).or_default();
            widths.extend(drawn.advance_width().map(|width| (*usual, width)));
            *count += 1;
        }
        self.sheet.put(letter, Place { x, y, direction, size, wide });
    }
}

/// Where a letter's width and its height go, and how far for a unit.
pub(super) fn axes(place: Affine) -> (Vec2, Vec2) {
    let [a, b, c, d, ..] = place.as_coeffs();
    (Vec2::new(a, b), Vec2::new(c, d))
}

/// How far a unit of a letter's width goes along the line, where the letters do not say it. A font that stands in for
/// another has each of its letters stretched to the width of the other's, and its measure with it.
fn scale(run: &GlyphRun<'_, '_>, props: Affine) -> Option<f64> {
    let first = run.glyphs().first()?;
    match &**first {
        Glyph::Outline(outline) if outline.font_data().is_none() => {}
        _ => return None,
    }
    let measures = run.glyphs().iter().take(64).map(|glyph| {
        let (base, rise) = axes(props * glyph.transform());
        (base.hypot(), rise.hypot())
    });
    let (mut least, mut most, mut plain) = (f64::MAX, 0.0_f64, 0.0);
    for (wide, high) in measures {
        let ratio = wide / high;
        (least, most, plain) = (least.min(ratio), most.max(ratio), high);
    }
    let few = run.glyphs().len() < 4 && UNSTRETCHED.contains(&least) && UNSTRETCHED.contains(&most);
    if most - least < 0.01 && !few {
        return None;
    }
    // The places of the letters tell whether the whole line is stretched besides.
    let mut steps: Vec<f64> = run
        .glyphs()
        .windows(2)
        .take(64)
        .filter_map(|pair| {
            let [one, next] = pair else { return None };
            let Glyph::Outline(outline) = &**one else { return None };
            let wide = f64::from(outline.advance_width()?);
            let step =
                (props * one.transform() * Point::ORIGIN).distance(props * next.transform() * Point::ORIGIN);
            (wide > 0.0).then(|| step / wide)
        })
        .collect();
    steps.sort_by(f64::total_cmp);
    let seen = steps.get(steps.len() / 2).copied().unwrap_or(plain);
    let trusted = steps.len() >= ENOUGH && (0.4..=2.5).contains(&(seen / plain));
    Some(if trusted || !UNSTRETCHED.contains(&(seen / plain)) { seen } else { plain })
}

impl<'a> Device<'a> for Drawing<'_> {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.tick();
        self.sheet.shapes = true;
        self.stroke(path, &props, mode);
        // A box, and not whatever else is drawn in black.
        if path.elements().len() <= BOX {
            self.paint(path.bounding_box(), &props, mode);
        }
    }

    fn draw_rect(&mut self, rect: &Rect, props: DrawProps<'a>, mode: &DrawMode) {
        self.tick();
        self.sheet.shapes = true;
        self.stroke(&rect.to_path(0.1), &props, mode);
        self.paint(*rect, &props, mode);
    }

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.tick();
        self.sheet.pictures = true;
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        let vertical = run.writing_mode() == WritingMode::Vertical;
        let scale = if vertical { None } else { scale(run, props.transform) };
        for glyph in run.glyphs() {
            self.tick();
            self.letter(glyph, props.transform * glyph.transform(), scale, vertical);
        }
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_clip_rect(&mut self, _: &Rect) {}

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}

/// Looks at a page's letters before they are read, where some of its fonts are doubtful.
struct Seeing {
    doubtful: Doubtful,
    until: Duration,
    ticks: u32,
}

impl<'a> Device<'a> for Seeing {
    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {
        tick(&mut self.ticks, self.until);
    }

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        tick(&mut self.ticks, self.until);
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {
        for glyph in run.glyphs() {
            tick(&mut self.ticks, self.until);
            self.doubtful.see(glyph);
        }
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}

/// Whether a letter that is drawn as a picture draws nothing, as a space does.
fn is_blank(glyph: &Type3Glyph<'_>) -> bool {
    let mut ink = Ink(false);
    let paint =
        Paint::Color(hayro_interpret::color::Color::from_rgba(hayro_interpret::color::AlphaColor::BLACK));
    glyph.interpret(&mut ink, Affine::IDENTITY, Affine::IDENTITY, &paint);
    !ink.0
}

/// Whether anything was drawn.
struct Ink(bool);

impl<'a> Device<'a> for Ink {
    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {
        self.0 = true;
    }

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.0 = true;
    }

    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {
        self.0 = true;
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}
