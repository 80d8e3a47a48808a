//! `/decisions`.

use super::{
    super::{card, limits, markdown, text},
    verdict,
};
use domain::{ChannelId, Decision, Embed, Post};

/// Room for the lines of one embed.
const PAGE: usize = 3_500;

/// A decision of the list.
#[derive(Clone, PartialEq, Debug)]
pub struct ListRow {
    /// The decision as it was recorded.
    pub decision: Decision,
    /// The thread it was made in.
    pub thread: ChannelId,
    /// The later decision of the session that replaces it.
    pub replaced_by: Option<u32>,
}

/// The decisions that were found, in the order given. `found` is how many there are with those that are not shown.
#[must_use]
pub fn list(rows: &[ListRow], found: u64, search: Option<&str>) -> Vec<Post> {
    let search = search.map(str::trim).filter(|search| !search.is_empty());
    let title = match search {
        Some(search) => format!("📌 Decisions · {}", text::label(search, 150)),
        None => "📌 Decisions".to_owned(),
    };
    if rows.is_empty() {
        let description = match search {
            Some(_) => {
                "Nothing was found in this channel. All your words have to stand in a decision's title, question, \
                 reason, owner or outcome; try fewer. `/decisions` alone lists them all."
            }
            None => {
                "None has been recorded in this channel yet. When a vote has closed, press **Record decision** \
                 on it."
            }
        };
        return vec![card::post(Embed { title, description: description.to_owned(), ..Embed::default() })];
    }
    let mut pages: Vec<String> = vec![String::new()];
    let hidden = found.saturating_sub(u64::try_from(rows.len()).unwrap_or(u64::MAX));
    let rest =
        (hidden > 0).then(|| format!("…and {hidden} older. Give words to `search` to narrow it down."));
    for line in rows.iter().map(line).chain(rest) {
        let full = pages.last().is_some_and(|page| text::length(page) + text::length(&line) > PAGE);
        if full {
            pages.push(String::new());
        }
        if let Some(page) = pages.last_mut() {
            page.push_str(&line);
            page.push_str("\n\n");
        }
    }
    let embed = |(place, page): (usize, String)| Embed {
        title: if place == 0 { title.clone() } else { String::new() },
        description: page.trim_end().to_owned(),
        ..Embed::default()
    };
    let embeds = pages.into_iter().enumerate().map(embed).collect();
    limits::fit(Post { embeds, ..Post::default() })
}

fn line(row: &ListRow) -> String {
    let decision = &row.decision;
    let outcome = match (&decision.outcome, row.replaced_by, decision.review) {
        (Some(said), _, _) => {
            let (emoji, word) = verdict(said.verdict);
            format!("{emoji} {word}: {}", markdown::member_inline(&said.text, 160))
        }
        (None, Some(later), _) => format!("↪️ Replaced by decision {later}"),
        (None, None, Some(at)) => format!("Review <t:{at}:D>"),
        (None, None, None) => "Not reviewed".to_owned(),
    };
    format!(
        "**{}**\n{}\nDecision {} · {} · <t:{}:D>\n<#{}>\n{outcome}",
        text::label(decision.title(), 150),
        markdown::inline(&decision.vote.question, 200),
        decision.number,
        text::label(&decision.by_name, 60),
        decision.at,
        row.thread
    )
}
