//! `/history`: the sessions of a channel, or those that hold some words, and what can be done with one.

use super::{card, limits, status, text};
use domain::{
    Apart, Button, ButtonStyle, ChannelId, Color, CustomId, Embed, GuildId, Listing, MARKS, PageOf, Post,
    Protocol, Row, Select, SelectOption, SessionId, SessionState, one_line,
};

/// An excerpt ends after so much of it, and no part of it that was found or stands between is longer: five sessions
/// fit a message.
const EXCERPT: usize = 350;
const PART: usize = 120;

/// A session of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistorySession {
    /// Its name.
    pub session: SessionId,
    /// Its server.
    pub guild: GuildId,
    /// The channel it was started in.
    pub channel: ChannelId,
    /// Its thread, if it has one.
    pub thread: Option<ChannelId>,
    /// By which protocol.
    pub protocol: Protocol,
    /// What was to be decided, short.
    pub title: String,
    /// Where it stands.
    pub state: SessionState,
    /// When it started, in seconds since 1970.
    pub started: i64,
    /// Some of its text, with what was found in it between [`MARKS`]; may be empty.
    pub excerpt: String,
}

/// A page of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryPage {
    /// Its sessions, in their order.
    pub rows: Vec<HistorySession>,
    /// How many there are on all pages.
    pub found: i64,
    /// Which page of what.
    pub at: PageOf,
    /// How many pages there are.
    pub pages: u32,
    /// What was looked for; `None` for the list of a channel.
    pub words: Option<String>,
    /// Not all sessions can be found yet.
    pub still_reading: bool,
    /// The server's channels are known.
    pub all_known: bool,
}

/// A page, with a select for its sessions and buttons for the pages beside it.
#[must_use]
pub fn page(page: &HistoryPage) -> Post {
    let mut post = match &page.words {
        None => Post { embeds: vec![list(page)], ..Post::default() },
        Some(words) => {
            let results = page.rows.iter().map(result);
            Post { embeds: [summary(page, words)].into_iter().chain(results).collect(), ..Post::default() }
        }
    };
    let (listing, number) = page.at;
    if !page.rows.is_empty() {
        post.rows.push(Row::Select(Select {
            id: CustomId::apart(&Apart::HistoryPick(page.at)),
            placeholder: "Open, export or delete one of these".to_owned(),
            options: page.rows.iter().map(option).collect(),
            range: (1, 1),
        }));
    }
    let to = |label: &str, emoji: &str, page: u32| {
        card::button(
            CustomId::apart(&Apart::HistoryPage((listing, page))),
            label,
            emoji,
            ButtonStyle::Secondary,
        )
    };
    let mut buttons = Vec::new();
    if number > 0 {
        buttons.push(to("Back", "⬅️", number - 1));
    }
    if number + 1 < page.pages {
        buttons.push(to("More", "➡️", number + 1));
    }
    if !buttons.is_empty() {
        post.rows.push(Row::Buttons(buttons));
    }
    limits::one(post)
}

/// All sessions of a channel, a few lines each.
fn list(page: &HistoryPage) -> Embed {
    let title = match page.pages {
        0 | 1 => "📜 Sessions".to_owned(),
        pages => format!("📜 Sessions · page {} of {pages}", page.at.1 + 1),
    };
    let all = Protocol::ALL.map(|protocol| format!("`/{protocol}`")).join(", ");
    let none = || format!("There are none yet. Start one: {all}.");
    let line = |row: &HistorySession| {
        let thread = row.thread.map_or_else(String::new, |thread| format!(" · <#{thread}>"));
        format!(
            "**{}**\n{} · {} · <t:{}:R>{thread} · `{}`",
            text::label(&row.title, 120),
            status::state(row.state).1,
            row.protocol,
            row.started,
            row.session
        )
    };
    let lines: Vec<String> = page.rows.iter().map(line).collect();
    let description = if lines.is_empty() { none() } else { lines.join("\n\n") };
    Embed { title, description, ..Embed::default() }
}

/// What was looked for, where, and how much was found.
fn summary(page: &HistoryPage, words: &str) -> Embed {
    let title = format!("🔎 Sessions · {}", text::label(words, 150));
    let found = match page.found {
        0 => "Nothing was found. All your words have to stand in a session; the last one may be a beginning. Try fewer, or \
              others. A session is found once it has ended."
            .to_owned(),
        1 => "One session".to_owned(),
        found => {
            let pages =
                if page.pages > 1 { format!(" · page {} of {}", page.at.1 + 1, page.pages) } else { String::new() };
            format!("{found} sessions{pages}")
        }
    };
    // Said whatever was found and left out.
    let place = if page.all_known {
        "Only channels that you can read are looked through."
    } else {
        "I do not know this server's channels yet, so only this one was looked through. Try again in a minute."
    };
    let reading = if page.still_reading {
        "\n-# Earlier sessions are still being read in. Look again in a few minutes."
    } else {
        ""
    };
    Embed {
        title,
        description: format!("{found}\n-# {place}{reading}"),
        color: Color::Active,
        ..Embed::default()
    }
}

/// A session that was found.
fn result(row: &HistorySession) -> Embed {
    let excerpt = marked(&row.excerpt);
    let excerpt = if excerpt.is_empty() { String::new() } else { format!("\n> {excerpt}") };
    Embed {
        title: text::label(&row.title, 200),
        description: format!("{}{excerpt}", facts(row)),
        color: status::state(row.state).0,
        ..Embed::default()
    }
}

/// State, protocol, date, channel and a link.
fn facts(row: &HistorySession) -> String {
    let link = row.thread.map_or_else(
        || "no thread".to_owned(),
        |thread| format!("[Open](https://discord.com/channels/{}/{thread})", row.guild),
    );
    let channel = row.channel;
    format!(
        "{} · {} · <t:{}:D> · <#{channel}> · {link} · `{}`",
        status::state(row.state).1,
        row.protocol,
        row.started,
        row.session
    )
}

/// An excerpt on one line, with what was found in it in bold.
fn marked(excerpt: &str) -> String {
    let line = one_line(excerpt);
    let mut out = String::new();
    for (place, part) in line.split(MARKS.0).enumerate() {
        let (found, rest) =
            if place == 0 { ("", part) } else { part.split_once(MARKS.1).unwrap_or(("", part)) };
        let (found, rest) = (label(found), label(rest));
        if text::length(&out) > EXCERPT {
            break;
        }
        if !found.is_empty() {
            out.extend(["**", &found, "**"]);
        }
        out.push_str(&rest);
    }
    out
}

/// Harmless, with the spaces at its ends, which tell one word from the next.
fn label(part: &str) -> String {
    let space = |at: bool| if at { " " } else { "" };
    let inside = text::label(part, PART);
    if inside.is_empty() {
        return space(!part.is_empty()).to_owned();
    }
    format!("{}{inside}{}", space(part.starts_with(' ')), space(part.ends_with(' ')))
}

fn option(row: &HistorySession) -> SelectOption {
    let title = text::plain(&row.title, 100);
    SelectOption {
        label: if title.is_empty() { row.session.to_string() } else { title },
        value: row.session.to_string(),
        description: format!("{} · {} · {}", status::state(row.state).1, row.protocol, row.session),
    }
}

/// One session, with what can be done with it.
#[must_use]
pub fn session(row: &HistorySession, at: PageOf, exportable: bool, may_delete: bool) -> Post {
    let mut buttons = Vec::new();
    if exportable {
        let id = CustomId::apart(&Apart::HistoryExport(row.session.clone()));
        buttons.push(card::button(id, "Export", "📄", ButtonStyle::Secondary));
    }
    if may_delete {
        let id = CustomId::apart(&Apart::HistoryDelete((row.session.clone(), at)));
        buttons.push(card::button(id, "Delete", "🗑️", ButtonStyle::Danger));
    }
    buttons.push(back(at));
    let export = if exportable { "**Export** puts a report into its thread." } else { "" };
    let embed = Embed {
        title: text::label(&row.title, 200),
        description: format!("{}\n{export}", facts(row)).trim_end().to_owned(),
        color: status::state(row.state).0,
        ..Embed::default()
    };
    Post { embeds: vec![embed], rows: vec![Row::Buttons(buttons)], ..Post::default() }
}

fn back((listing, page): PageOf) -> Button {
    let label = match listing {
        Listing::Channel(_) => "All sessions",
        Listing::Lookup(_) => "All that was found",
    };
    card::button(CustomId::apart(&Apart::HistoryPage((listing, page))), label, "⬅️", ButtonStyle::Secondary)
}

/// Asks once more before a session is deleted: what will be gone, and what will not.
#[must_use]
pub fn confirm_delete(row: &HistorySession, at: PageOf, open_vote: bool, decisions: usize) -> Post {
    let vote = if open_vote { " **Its vote is still open** and ends with it, without a result." } else { "" };
    let decisions = match decisions {
        0 => String::new(),
        1 => " Its decision record stays: `/decisions` goes on finding it, but nobody is asked how it turned out."
            .to_owned(),
        many => format!(
            " Its {many} decision records stay: `/decisions` goes on finding them, but nobody is asked how they turned out."
        ),
    };
    let description = format!(
        "**{}**\nGone for good: the question with its documents, what everybody said and added, requests and replies, \
         the votes, and all that a search finds of it.{vote}\nStays: what is posted on Discord, until somebody deletes it \
         there.{decisions}",
        text::label(&row.title, 200)
    );
    let sure = CustomId::apart(&Apart::HistoryDeleteSure(row.session.clone()));
    let keep = CustomId::apart(&Apart::HistoryShow((row.session.clone(), at)));
    Post {
        embeds: vec![Embed {
            title: "🗑️ Delete this session?".to_owned(),
            description,
            color: Color::Danger,
            ..Embed::default()
        }],
        rows: vec![Row::Buttons(vec![
            card::button(sure, "Yes, delete it", "🗑️", ButtonStyle::Danger),
            card::button(keep, "Keep it", "⬅️", ButtonStyle::Secondary),
        ])],
        ..Post::default()
    }
}
