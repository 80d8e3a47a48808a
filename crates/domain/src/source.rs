//! Sources: what a search found and what is cited of it. A source that exists has an `https://` address that a reader can
//! open, and a place in a list by whose number texts cite it.

use serde::{Deserialize, Serialize};
use url::{Host, Url};

use super::{one_line, shortened};

/// Longest address that is kept, in bytes: what browsers and proxies still take.
const MAX_ADDRESS: usize = 2_000;
/// Longest title, in characters.
const MAX_TITLE: usize = 200;
/// Most that is kept of a page's text, in characters: some 300 tokens, so that eight of them leave room for the rest.
const MAX_EXCERPT: usize = 1_200;
/// Most queries of a search: each after something else, and no more than one thinks of at once.
pub const MOST_QUERIES: u32 = 4;
/// Excerpts shorter than this, in characters, say too little to tell two pages apart.
const TELLING: usize = 80;

/// An address that a reader can open: `https://`, a public host by name, no user name or password in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SourceUrl(String);

impl SourceUrl {
    /// The address without what comes after a `#`; `None` where it is none that a reader should open.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut url = Url::parse(text.trim()).ok()?;
        url.set_fragment(None);
        let plain = url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
        let public = matches!(url.host(), Some(Host::Domain(name)) if name.contains('.'));
        (plain && public && url.as_str().len() <= MAX_ADDRESS).then(|| Self(url.into()))
    }

    /// The whole address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whose it is: `example.org`.
    #[must_use]
    pub fn host(&self) -> &str {
        let rest = self.0.strip_prefix("https://").unwrap_or(&self.0);
        let host = rest.split(['/', '?', ':']).next().unwrap_or(rest);
        host.strip_prefix("www.").unwrap_or(host)
    }

    /// The page it leads to, whatever way it is written: `www.` and a slash at the end make no other page.
    fn page(&self) -> &str {
        let rest = self.0.strip_prefix("https://").unwrap_or(&self.0);
        rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches('/')
    }
}

impl TryFrom<String> for SourceUrl {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text).ok_or("no https:// address of a public host")
    }
}

impl From<SourceUrl> for String {
    fn from(url: SourceUrl) -> Self {
        url.0
    }
}

/// A page that a search found. What it says is somebody's text: data, never an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Its title; its host where it has none.
    pub title: String,
    /// Where it is.
    pub url: SourceUrl,
    /// What the search showed of its text.
    pub excerpt: String,
}

impl Source {
    /// A source from what a search engine says of it; `None` where its address is none that a reader should open.
    #[must_use]
    pub fn new(title: &str, url: &str, excerpt: &str) -> Option<Self> {
        let url = SourceUrl::new(url)?;
        let title = shortened(&one_line(title), MAX_TITLE);
        let title = if title.chars().any(char::is_alphanumeric) { title } else { url.host().to_owned() };
        Some(Self { title, url, excerpt: shortened(&one_line(excerpt), MAX_EXCERPT) })
    }

    /// Whether a reader finds the same there: by the address, or by a text that is long enough to tell.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let telling = self.excerpt.chars().count() >= TELLING;
        self.url.page() == other.url.page() || (telling && self.excerpt == other.excerpt)
    }

    /// What several queries found, the best of each first, every page once, at most so many.
    #[must_use]
    pub fn merged(found: &[Vec<Self>], most: usize) -> Vec<Self> {
        let longest = found.iter().map(Vec::len).max().unwrap_or_default();
        let ranked = (0..longest).flat_map(|rank| found.iter().filter_map(move |list| list.get(rank)));
        let mut merged: Vec<Self> = Vec::new();
        for source in ranked {
            if merged.len() < most && !merged.iter().any(|known| known.is_same(source)) {
                merged.push(source.clone());
            }
        }
        merged
    }
}

/// A source with the number by which it is cited, from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Numbered {
    /// That number.
    pub number: usize,
    /// The source.
    #[serde(flatten)]
    pub source: Source,
}

/// Why nothing was found out on the web.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchFault {
    /// The key was refused.
    Key,
    /// Its credit or plan is used up.
    Spent,
    /// Too many requests, for longer than it could be waited for.
    Limited,
    /// It does not answer, or not in time, or with an error of its own.
    Down,
    /// What it answered cannot be read.
    Unreadable,
    /// It took none of the queries.
    Refused,
    /// All the engines that it asks refused it: that it found nothing says nothing.
    Engines,
    /// It was set up when the session began, and is not any more.
    Gone,
}

impl SearchFault {
    /// As part of a sentence: `the search …`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Key => "refused the bot's key",
            Self::Spent => "says that its credit is used up",
            Self::Limited => "asked for slower requests than it could be waited for",
            Self::Down => "did not answer",
            Self::Unreadable => "answered with something that is no result",
            Self::Refused => "took none of the queries",
            Self::Engines => "was refused by all the engines that it asks",
            Self::Gone => "is not set up any more",
        }
    }
}

/// What came of searching.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// The queries that were answered.
    pub queries: Vec<String>,
    /// The pages, the best first.
    pub sources: Vec<Source>,
    /// Why, where none was answered.
    pub fault: Option<SearchFault>,
}

impl Found {
    /// In short.
    #[must_use]
    pub fn outcome(&self) -> Searched {
        match (self.fault, self.sources.len()) {
            (Some(fault), _) => Searched::Failed(fault),
            (None, 0) => Searched::Nothing,
            (None, pages) => {
                let pages = u32::try_from(pages).unwrap_or(u32::MAX);
                Searched::Found { queries: self.queries.clone(), pages }
            }
        }
    }
}

/// What became of searching the web for somebody who then wrote.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Searched {
    /// These queries found so many pages.
    Found {
        /// Those that were answered.
        queries: Vec<String>,
        /// Pages, each once.
        pages: u32,
    },
    /// The queries were answered, and there was no page among the answers.
    Nothing,
    /// Nobody wanted it.
    Off,
    /// Whoever runs the bot has set up no search.
    NotSetUp,
    /// The model wrote no queries.
    NoQueries,
    /// The search failed.
    Failed(SearchFault),
}

impl Searched {
    /// Whether something that was wanted did not come about.
    #[must_use]
    pub fn is_degraded(&self) -> bool {
        matches!(self, Self::NoQueries | Self::Failed(_))
    }

    /// Whether it was tried.
    #[must_use]
    pub fn was_tried(&self) -> bool {
        !matches!(self, Self::Off | Self::NotSetUp)
    }
}

/// Whether a session searches the web.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Searching {
    /// It does.
    On,
    /// Nobody wants it.
    Off,
    /// Whoever runs the bot has set up no search.
    #[default]
    NotSetUp,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(url: &str, excerpt: &str) -> Source {
        Source::new("A page", url, excerpt).unwrap()
    }

    #[test]
    fn only_what_a_reader_can_open_is_an_address() {
        for fine in [
            "https://a.example/x?y=1",
            " https://www.a.example ",
            "HTTPS://A.EXAMPLE",
            "https://ä.example:8443/",
        ] {
            assert!(SourceUrl::new(fine).is_some(), "{fine}");
        }
        for no in [
            "",
            "a.example",
            "http://a.example",
            "javascript:alert(1)",
            "ftp://a.example",
            "data:text/html,x",
            "https://localhost/x",
            "https://127.0.0.1/x",
            "https://[::1]/",
            "https://2130706433/",
            "https://me:word@a.example/",
            "https://me@a.example/",
        ] {
            assert_eq!(SourceUrl::new(no), None, "{no}");
        }
        assert_eq!(SourceUrl::new(&format!("https://a.example/{}", "x".repeat(3_000))), None);
        let url = SourceUrl::new("https://www.a.example:8443/x#part").unwrap();
        assert_eq!((url.as_str(), url.host()), ("https://www.a.example:8443/x", "a.example"));
        assert!(serde_json::from_str::<SourceUrl>(r#""http://a.example""#).is_err());
    }

    #[test]
    fn a_page_is_found_once_however_it_is_written() {
        let text = "x".repeat(TELLING);
        let one = source("https://www.a.example/x/", "");
        assert!(one.is_same(&source("https://a.example/x#part", "other")));
        assert!(!one.is_same(&source("https://a.example/y", "")));
        assert!(source("https://a.example/", &text).is_same(&source("https://b.example/", &text)));
        assert!(!source("https://a.example/", "short").is_same(&source("https://b.example/", "short")));
    }

    #[test]
    fn the_best_of_every_query_comes_first() {
        let page = |name: &str| source(&format!("https://a.example/{name}"), "");
        let found = [vec![page("a"), page("b"), page("c")], vec![page("b"), page("d")]];
        assert_eq!(Source::merged(&found, 3), [page("a"), page("b"), page("d")]);
        assert_eq!(Source::merged(&found, 9).len(), 4);
        assert!(Source::merged(&[], 3).is_empty());
    }

    #[test]
    fn what_a_search_shows_is_bounded_and_on_one_line() {
        let source = Source::new(" \n", "https://www.a.example/x", &"word \n".repeat(2_000)).unwrap();
        assert_eq!(source.title, "a.example");
        assert!(source.excerpt.chars().count() <= MAX_EXCERPT && !source.excerpt.contains('\n'));
    }
}
