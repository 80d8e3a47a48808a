//! Where to search the web.

use url::Url;

use super::reader::{Reader, base_url};
use domain::Secret;

const TAVILY: &str = "https://api.tavily.com";
const SEARXNG: &str = "http://127.0.0.1:8888";

/// Where to search the web.
#[derive(Clone, Debug)]
pub enum SearchSettings {
    /// Tavily, or what speaks like it.
    Tavily {
        /// An origin (`/search` is added).
        base: Url,
        /// Its key.
        key: Secret,
    },
    /// A `SearXNG` of one's own; its address without a slash at its end, to which `/search` is added.
    Searxng(Url),
}

pub(super) fn search<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> Option<SearchSettings> {
    let key = read.secret("TAVILY_API_KEY");
    let explicit = read.url("TAVILY_BASE_URL", TAVILY);
    if let Some(url) = &explicit {
        if url.path() != "/" {
            let what = "has a path, but must be an origin: /search is added";
            read.problem("TAVILY_BASE_URL", what, format!("Write for example TAVILY_BASE_URL={TAVILY}"));
        } else if read.text("TAVILY_API_KEY").is_none() {
            let what = "is set, but TAVILY_API_KEY is not set";
            read.problem("TAVILY_BASE_URL", what, "Set TAVILY_API_KEY, or remove the setting.");
        }
    }
    let searxng = read.url("SEARXNG_URL", SEARXNG);
    if searxng.as_ref().is_some_and(|url| url.path().ends_with("/search")) {
        let what = "ends in /search, which is added to it";
        read.problem("SEARXNG_URL", what, format!("Write for example SEARXNG_URL={SEARXNG}"));
    }
    match key {
        Some(key) => Some(SearchSettings::Tavily { base: explicit.or_else(|| base_url(TAVILY).ok())?, key }),
        None => searxng.map(SearchSettings::Searxng),
    }
}

/// A sentence about an engine that is set and not asked.
pub(super) fn doubt<F: Fn(&str) -> Option<String>>(
    read: &Reader<F>,
    search: Option<&SearchSettings>,
) -> Option<String> {
    let unused = matches!(search, Some(SearchSettings::Tavily { .. })) && read.text("SEARXNG_URL").is_some();
    unused.then(|| "SEARXNG_URL is not used, for TAVILY_API_KEY is set and Tavily is asked".to_owned())
}
