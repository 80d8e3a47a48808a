//! Whether citations are right, by whoever knows what was meant and nothing of how the bot renumbers.
#![allow(dead_code, unreachable_pub)] // each test includes this file and uses its own part of it
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;

/// The pages of a text by their numbers, as `[n] … https://…` lists them on a line.
pub fn listed(text: &str) -> BTreeMap<usize, String> {
    // A sign of Discord's and of Markdown's that a bracket begins no link.
    let text = text.replace('\\', "");
    let entry = |line: &str| {
        let (number, rest) = line.trim_start_matches(['-', ' ', '*']).strip_prefix('[')?.split_once(']')?;
        let url = rest.rsplit_once("https://")?.1.trim_end_matches(['>', ')', ' ']);
        Some((number.parse().ok()?, url.to_owned()))
    };
    text.lines().filter_map(entry).collect()
}

/// Every `«page»[n]` of a text: the page that whoever wrote it meant, and the number that stands there now.
pub fn cited(text: &str) -> Vec<(String, usize)> {
    let text = text.replace('\\', "");
    let claims = text.split('«').skip(1);
    let claim = |claim: &str| {
        let (page, rest) = claim.split_once('»')?;
        let number = rest.strip_prefix('[')?.split_once(']')?.0;
        Some((page.to_owned(), number.parse().ok()?))
    };
    claims.filter_map(claim).collect()
}

/// That each number of a text leads to the page that was meant, by a list; gives how many there are. Knows nothing of how
/// the bot renumbers.
pub fn every_citation_is_right(text: &str, list: &str) -> usize {
    let (pages, cited) = (listed(list), cited(text));
    for (page, number) in &cited {
        assert_eq!(pages.get(number), Some(page), "[{number}] in\n{text}\nby\n{list}");
    }
    cited.len()
}
