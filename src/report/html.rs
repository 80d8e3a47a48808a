//! A report as one page: no script, nothing loaded from anywhere, readable in dark and light, made to be printed.

use std::fmt::Write as _;

use base64::{Engine, engine::general_purpose::STANDARD};
use comrak::{Arena, Options, format_html};

use super::{Card, Report, Section, markdown};

const STYLE: &str = include_str!("report.css");

/// The whole page.
pub(super) fn write(report: &Report) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n<p class=\"small\">{dated}</p>\n",
        title = escaped(&report.heading),
        dated = escaped(&markdown::dated(report)),
    );
    if let Some(caution) = &report.caution {
        let _ = writeln!(
            out,
            "<p class=\"caution\" role=\"note\"><strong>Read with care:</strong> {}</p>",
            escaped(caution)
        );
    }
    if let Some(problem) = &report.problem {
        let _ = writeln!(
            out,
            "<section aria-label=\"What was asked\">\n<h2>What was asked</h2>\n<blockquote>{}</blockquote>\n</section>",
            escaped(problem).replace('\n', "<br>\n")
        );
    }
    out.push_str("</header>\n");
    contents(&mut out, report);
    out.push_str("<main>\n");
    for (place, one) in report.sections.iter().enumerate() {
        section(&mut out, one, place);
    }
    out.push_str("</main>\n");
    if let Some(inside) = &report.inside {
        let _ =
            writeln!(out, "<footer>\n<h2>How it came about</h2>\n<p>{}</p>", escaped(&inside.to_string()));
        if !inside.degraded.is_empty() {
            let said = inside.degraded.iter().map(|said| format!("<li>{}</li>", inline(said)));
            let _ = writeln!(out, "<ul>\n{}\n</ul>", said.collect::<Vec<_>>().join("\n"));
        }
        out.push_str("</footer>\n");
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// Where everything is, for a report of more than a few sections.
fn contents(out: &mut String, report: &Report) {
    let titled: Vec<(usize, &str)> = (report.sections.iter().enumerate())
        .filter_map(|(place, section)| Some((place, section.cards.first()?.title.as_str())))
        .filter(|(_, title)| !title.is_empty())
        .collect();
    if titled.len() < 3 {
        return;
    }
    out.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
    for (place, title) in titled {
        let _ = writeln!(out, "<li><a href=\"#s{place}\">{}</a></li>", escaped(title));
    }
    out.push_str("</ol>\n</nav>\n");
}

fn section(out: &mut String, section: &Section, place: usize) {
    let _ = writeln!(out, "<section id=\"s{place}\">");
    for (place, card) in section.cards.iter().enumerate() {
        self::card(out, card, place == 0);
    }
    if let Some(whole) = &section.whole {
        let _ = writeln!(
            out,
            "<details open>\n<summary>{}: the whole text</summary>\n{}</details>",
            escaped(&whole.title),
            block(&whole.text)
        );
    }
    out.push_str("</section>\n");
}

fn card(out: &mut String, card: &Card, first: bool) {
    let level = if first { 2 } else { 3 };
    if !card.title.is_empty() {
        let _ = writeln!(out, "<h{level}>{}</h{level}>", escaped(&card.title));
    }
    if let Some(by) = &card.by {
        let _ = writeln!(out, "<p class=\"small\">{}</p>", escaped(by));
    }
    if let Some(picture) = &card.picture {
        // As an image, the drawing can neither run nor load anything.
        let _ = writeln!(
            out,
            "<figure><img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\"></figure>",
            escaped(&picture.alt),
            STANDARD.encode(&picture.svg)
        );
    }
    out.push_str(&block(&card.text));
    for field in &card.fields {
        let _ = writeln!(out, "<h4>{}</h4>\n{}", escaped(&field.name), block(&field.text));
    }
    if let Some(note) = &card.note {
        let _ = writeln!(out, "<p class=\"small\">{}</p>", escaped(note));
    }
}

/// Markdown as HTML. HTML in it is left out, and so is every link that is not of the web.
fn block(markdown: &str) -> String {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.tasklist = true;
    options.render.escape = true;
    // Headings of what was said stand below those of the page.
    let arena = Arena::new();
    let mut html = String::new();
    // Writing to a string does not fail.
    let _ = format_html(discord::markdown::parse(&arena, markdown, &options), &options, &mut html);
    ["h1", "h2", "h3"].iter().fold(html, |html, level| {
        html.replace(&format!("<{level}>"), "<h4>").replace(&format!("</{level}>"), "</h4>")
    })
}

/// The same of one line, without its paragraph.
fn inline(markdown: &str) -> String {
    let html = block(markdown);
    let html = html.trim();
    html.strip_prefix("<p>").and_then(|html| html.strip_suffix("</p>")).unwrap_or(html).to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
