//! Lists of sessions at their fullest.

use super::{
    super::{
        history,
        support::{assert_fit, shown},
    },
    OWN,
};
use domain::{ChannelId, GuildId, Listing, Protocol, SessionId, SessionState};

pub(super) fn found_session(n: u64) -> history::HistorySession {
    history::HistorySession {
        session: SessionId::from_bits(n),
        guild: GuildId(71),
        channel: ChannelId(9),
        protocol: Protocol::Mediate,
        title: "word ".repeat(100),
        state: SessionState::Done,
        started: 1_790_000_000,
        thread: Some(ChannelId(u64::MAX)),
        excerpt: "\u{2}word\u{3} more ".repeat(100),
    }
}

/// Of a channel's list fifteen stand on a page, of what was found five.
#[test]
fn full_pages_of_a_list_fit() {
    for (words, many) in [(None, 15), (Some("word ".repeat(200)), 5)] {
        let page = history::HistoryPage {
            rows: (0..many).map(found_session).collect(),
            found: i64::MAX,
            at: (Listing::Lookup(u64::MAX), 7),
            pages: u32::MAX,
            words,
            still_reading: true,
            all_known: false,
        };
        let post = history::page(&page);
        assert_eq!(
            shown(std::slice::from_ref(&post)).matches("✅ Done").count(),
            2 * usize::try_from(many).unwrap()
        );
        assert_fit(&[post], &[OWN, FOUND].concat());
    }
}

/// What a list of sessions links and names itself.
pub(super) const FOUND: &[&str] = &[
    "https://discord.com/channels/71/18446744073709551615",
    "<#9>",
    "<#18446744073709551615>",
    "<t:1790000000:d>",
];
