//! What was looked up and what is cited of it, as cards say it.

use super::{card, markdown, text};
use domain::{Field, Numbered, Searched, Source};

/// A footer of what somebody wrote who may have searched: what was looked up, or why nothing was, and how many citations
/// the code took out. Nothing where nobody was to search and none went. `queries`: whether there is room for them.
pub(super) fn footer(searched: Option<&Searched>, citations: u32, queries: bool) -> String {
    let looked_up = match searched {
        None | Some(Searched::Off) => return card::dropped(citations),
        Some(Searched::NotSetUp) if citations > 0 => return card::dropped(citations),
        Some(found @ Searched::Found { queries: asked, .. }) if queries => {
            let queries = asked.iter().map(|query| format!("“{}”", text::plain(query, 100)));
            format!("{}: {}", outcome(found), queries.collect::<Vec<_>>().join(", "))
        }
        Some(other) => outcome(other),
    };
    match removed(citations) {
        dropped if dropped.is_empty() => looked_up,
        dropped => format!("{looked_up} · {dropped}"),
    }
}

/// What came of searching, in a few words; nothing where nobody wanted it.
pub(super) fn outcome(searched: &Searched) -> String {
    match searched {
        Searched::Off => String::new(),
        Searched::NotSetUp => "No search: none is set up".to_owned(),
        Searched::NoQueries => "No search: the model wrote no queries".to_owned(),
        Searched::Failed(fault) => format!("No search: it {}", fault.words()),
        Searched::Nothing => "Searched, and found nothing".to_owned(),
        Searched::Found { queries, pages } => {
            let asked = match queries.len() {
                1 => "1 search".to_owned(),
                several => format!("{several} searches"),
            };
            format!("{asked} found {}", card::count(*pages, "page"))
        }
    }
}

/// How many citations the code took out, whether or not there were others that stay; nothing when it took none.
pub(super) fn removed(citations: u32) -> String {
    match citations {
        0 => String::new(),
        _ => format!("{} removed that named no page", card::count(citations, "citation")),
    }
}

/// Longest address that stands on a card, in characters: two lines of a phone.
const SHORT: usize = 90;

/// A page's address to press, as it is: nobody should have to press a label to learn where it leads. Of one that is
/// longer than `most`, whose it is.
fn address(source: &Source, most: usize) -> String {
    let url = markdown::address(source.url.as_str()).filter(|url| url.chars().count() <= most);
    url.map_or_else(|| text::label(source.url.host(), 60), |url| format!("<{url}>"))
}

/// The parts of a whole text with all pages below it, each part of at most `most` units.
pub(super) fn below(mut parts: Vec<String>, sources: &[Numbered], most: usize) -> Vec<String> {
    for (place, Numbered { number, source }) in sources.iter().enumerate() {
        let line =
            format!("**[{number}]** {} · {}", text::label(&source.title, 200), address(source, usize::MAX));
        let line = if place == 0 { format!("### Sources\n{line}") } else { line };
        match parts.last_mut() {
            Some(last) if text::length(last) + 1 + text::length(&line) <= most => {
                last.push('\n');
                last.push_str(&line);
            }
            _ => parts.push(line),
        }
    }
    parts
}

/// A field of pages with the numbers they are cited by, each with its address.
pub(super) fn field(sources: &[Numbered], where_else: &str) -> Option<Field> {
    let shown: Vec<String> = sources
        .iter()
        .map(|Numbered { number, source }| {
            let title = text::label(&source.title, 90);
            format!("**[{number}]** {title} · {}", address(source, SHORT))
        })
        .collect();
    (!shown.is_empty()).then(|| card::field("🔎 Sources", card::lines(&shown, card::FIELD_ROOM, where_else)))
}
