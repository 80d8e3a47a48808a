//! `/privacy`: what is kept, for how long, and what becomes of it when somebody has it deleted.

use super::card;
use domain::{Apart, ButtonStyle, Color, CustomId, Embed, Field, GuildSettings, Kept, Post, Row};

/// What `/privacy` shows.
#[derive(Clone, PartialEq, Debug)]
pub struct PrivacyView {
    /// About whoever asks.
    pub own: Kept,
    /// About the server; `None` for whoever does not manage it.
    pub server: Option<Kept>,
    /// For how long.
    pub settings: GuildSettings,
    /// Since when a deletion that they asked for is under way, in seconds since 1970.
    pub under_way: Option<i64>,
}

/// What is kept about whoever asks, and of the server for whoever manages it.
#[must_use]
pub fn view(view: &PrivacyView) -> Post {
    let under_way = view
        .under_way
        .map_or_else(String::new, |since| format!("\n⏳ **A deletion is under way** since <t:{since}:R>."));
    let description = format!(
        "I keep what sessions are made of: what you type into my commands, forms and buttons, what you attach, and what \
         comes of it. Of other messages I read only those that mention me or answer me. Whoever runs me can read the \
         database, and the models that are asked get what stands in a session.{under_way}"
    );
    let mut fields = vec![kept("About you on this server", &view.own)];
    fields.extend(view.server.as_ref().map(|server| kept("Of this server", server)));
    fields.push(how_long(&view.settings));
    let mut buttons =
        vec![card::button(CustomId::apart(&Apart::ForgetMe), "Delete my data", "🗑️", ButtonStyle::Danger)];
    if view.server.is_some() {
        let id = CustomId::apart(&Apart::ForgetServer);
        buttons.push(card::button(id, "Delete this server's data", "🗑️", ButtonStyle::Danger));
    }
    Post {
        embeds: vec![Embed {
            title: "🔐 What I keep".to_owned(),
            description,
            color: Color::Active,
            fields,
            ..Embed::default()
        }],
        rows: vec![Row::Buttons(buttons)],
        ..Post::default()
    }
}

fn kept(name: &str, kept: &Kept) -> Field {
    let Kept { sessions, places, votes, solutions, notes, evidence, questions, triaged, decisions, changes } =
        *kept;
    let counted = [
        (sessions, "session started, with its documents", "sessions started, with their documents"),
        (
            places,
            "place in a session's thread, by taking part in it",
            "places in sessions' threads, by taking part in them",
        ),
        (votes, "ballot", "ballots"),
        (solutions, "solution proposed", "solutions proposed"),
        (notes, "note to the experts", "notes to the experts"),
        (evidence, "piece of evidence", "pieces of evidence"),
        (questions, "question", "questions"),
        (triaged, "verdict on a finding", "verdicts on findings"),
        (decisions, "decision record", "decision records"),
        (changes, "change of settings", "changes of settings"),
    ];
    let lines = counted.iter().filter(|(number, ..)| *number > 0);
    let lines: Vec<String> = lines
        .map(|(number, one, more)| format!("{number} {}", if *number == 1 { one } else { more }))
        .collect();
    let value = if lines.is_empty() { "Nothing.".to_owned() } else { lines.join("\n") };
    card::field(name, value)
}

fn how_long(settings: &GuildSettings) -> Field {
    let days = |days: u32| if days == 1 { "a day".to_owned() } else { format!("{days} days") };
    let sessions = match settings.retention_days {
        Some(kept) => format!("{} after they end", days(kept)),
        None => "until somebody deletes them (`/history`, or here)".to_owned(),
    };
    let raw = match settings.raw_days {
        0 => "as long as the session".to_owned(),
        kept => format!("{} after it ends", days(kept)),
    };
    card::field(
        "For how long",
        format!(
            "Sessions, and what the search finds of them: {sessions}.\nRequests to models and their replies: {raw}.\n\
             Decision records and who changed which setting: until the server's data is deleted.\nWhat you looked for \
             with `/history`, and what you chose and wrote for a session that you have not started: a day. How much you used a day: 100 days."
        ),
    )
}

/// How many of the sessions that go are still open.
fn open(sessions: usize, whose: &str) -> String {
    match sessions {
        0 => String::new(),
        1 => format!("\n⚠️ **One of {whose} is not over yet. It is cancelled.**"),
        many => format!("\n⚠️ **{many} of {whose} are not over yet. They are cancelled.**"),
    }
}

/// Asks once more before a member's data is deleted: what will be gone, and what will not.
#[must_use]
pub fn confirm_member(open_sessions: usize) -> Post {
    let description = format!(
        "**Gone for good**\n\
         - Sessions you started, with their documents, all that was said in them (by others too), their votes, their \
         requests and replies, and what the search finds of them.\n\
         - Notes, evidence and questions you added to sessions of others; your ballots in votes that are still open.\n\
         - What you looked for, in which sessions you took part, and your use of earlier days.{}\n\
         **Stays, without your name**\n\
         - Decision records: they say *a former member* where you stand in them.\n\
         - Your ballots in votes that have closed: the points count as before, or results would change. So do solutions \
         you proposed, verdicts on findings, and changes of settings.\n\
         **Not mine to delete**\n\
         - What is posted on Discord, your messages and mine, and the threads you are in. Delete them and leave them there.\n\
         - What models' providers and whoever runs me keep in copies of their own.\n\
         -# What you used today is counted until tomorrow. In sessions of others that are still open, what you added goes \
         when they are over.",
        open(open_sessions, "your sessions")
    );
    confirm("🗑️ Delete your data on this server?", description, &Apart::ForgetMeSure)
}

/// Asks once more before a server's data is deleted: what will be gone, and what will not.
#[must_use]
pub fn confirm_server(open_sessions: usize) -> Post {
    let description = format!(
        "**Gone for good, for everybody**\n\
         - All sessions with their documents, votes, requests and replies, and what the search finds.\n\
         - All decision records.\n\
         - The server's settings, and who changed them: it works as if I had just been invited.{}\n\
         **Not mine to delete**\n\
         - What is posted on Discord. Delete threads and messages there.\n\
         - What models' providers and whoever runs me keep in copies of their own.\n\
         -# What was used today, and this month where there is a budget for it, is counted until that is over. What begins \
         after this stays.",
        open(open_sessions, "the sessions")
    );
    confirm("🗑️ Delete everything I keep of this server?", description, &Apart::ForgetServerSure)
}

fn confirm(title: &str, description: String, sure: &Apart) -> Post {
    Post {
        embeds: vec![Embed {
            title: title.to_owned(),
            description,
            color: Color::Danger,
            ..Embed::default()
        }],
        rows: vec![Row::Buttons(vec![
            card::button(CustomId::apart(sure), "Yes, delete it all", "🗑️", ButtonStyle::Danger),
            card::button(CustomId::apart(&Apart::Privacy), "Keep it", "⬅️", ButtonStyle::Secondary),
        ])],
        ..Post::default()
    }
}
