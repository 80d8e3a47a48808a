//! Short notices: what went wrong and what to do, what just happened.

use super::{card, limits, markdown, text};
use domain::{
    Button, ButtonStyle, Color, CustomId, Does, Embed, File, Omission, Post, Row, SessionId, ThreadIs,
};

/// Something the person can put right. The sentence says what happened and what to do.
#[must_use]
pub fn user_error(sentence: &str) -> Post {
    let sentence = named(&markdown::short(sentence, limits::DESCRIPTION / 2));
    notice(Color::Caution, format!("⚠️ {sentence}"))
}

/// How mentions of roles and of channels begin, and how they do once they are harmless.
const NAMES: [(&str, &str); 2] = [("<@&", "\\<\u{200b}@\u{200b}&"), ("<#", "\\<\u{200b}#")];

/// Lets mentions of roles and channels be mentions again: they name one as the reader knows it, and a private answer
/// pings nobody.
fn named(harmless: &str) -> String {
    NAMES.iter().fold(harmless.to_owned(), |text, (live, harmless)| {
        let mut parts = text.split(harmless);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_name = part
                .split_once('>')
                .is_some_and(|(id, _)| !id.is_empty() && id.bytes().all(|digit| digit.is_ascii_digit()));
            out.push_str(if is_name { live } else { harmless });
            out.push_str(part);
        }
        out
    })
}

/// Something that is our fault. `id` stands in the log.
#[must_use]
pub fn internal_error(id: &str) -> Post {
    let id = text::plain(id, 60).replace('`', "'");
    notice(
        Color::Danger,
        format!(
            "❌ **Something went wrong on my side.** Nothing you did; please try again in a minute.\nIf it \
             happens again, give whoever runs this bot the number `{id}`: it leads to the cause in the log."
        ),
    )
}

/// The session goes on from a copy of the bot's data that lacks what was posted after this moment, in seconds since 1970.
#[must_use]
pub fn behind(known: i64) -> Post {
    notice(
        Color::Caution,
        format!(
            "🕰️ **Quorum's data had to be restored from an older copy.** What I posted here after <t:{known}:T> was not \
             in it, and this session goes on from there. Votes and notes given since then may be missing: please look, \
             and give them again."
        ),
    )
}

/// A report in its session's thread: for whom, what it holds and who asked for it.
#[must_use]
pub fn report(audience: &str, holds: &str, by: &str, files: Vec<File>) -> Post {
    let description = format!(
        "Report for: **{audience}**, {holds}.\nTo read it, download **report.html** and open it in a browser; it can be printed from there.\n-# Asked for by {}.",
        text::label(by, 60)
    );
    let embed = Embed { title: "📄 The report".to_owned(), description, ..Embed::default() };
    Post { embeds: vec![embed], files, ..Post::default() }
}

/// A session has begun: where, if its thread is there yet, and what of its document is not in the text.
#[must_use]
pub fn started(thread: ThreadIs, omissions: &[Omission]) -> Post {
    let begun = match thread {
        ThreadIs::Open(thread) => {
            format!("▶️ It has begun: <#{thread}>. Everyone who can read the channel can join.")
        }
        ThreadIs::Coming => "▶️ It has begun. Its thread opens in this channel in a moment.".to_owned(),
        ThreadIs::Late(until) => format!("▶️ It has begun. {}", late_thread(until)),
        ThreadIs::Never(why) => {
            let why = why.unwrap_or_else(|| "It was ended before its thread was there.".to_owned());
            return user_error(&format!("It could not begin here. {why}"));
        }
    };
    if omissions.is_empty() {
        return notice(Color::Active, begun);
    }
    let (missing, read) = card::omissions(omissions);
    let told = |lines: Vec<String>, before: &str| {
        let all = text::cut(&lines.join("; "), 1_500);
        if lines.is_empty() { String::new() } else { format!("\n{before} {all}.") }
    };
    let missing = told(missing, "⚠️ Only text is read. Nobody gets to see:");
    notice(Color::Caution, format!("{begun}{missing}{}", told(read, "ℹ️ How it was read:")))
}

/// Why a session has no thread yet; `until` in seconds since 1970. Discord draws the time that is left by itself.
#[must_use]
pub fn late_thread(until: i64) -> String {
    format!(
        "⏳ Discord lets me open no more threads here for now. This session's thread opens <t:{until}:R>; what is \
         said until then is kept and posted there."
    )
}

/// A session stands still; the reason as a sentence.
#[must_use]
pub fn paused(reason: &str) -> Post {
    let text = format!(
        "⏸️ **Paused.** {}\nNothing is lost. Press **Resume** on the status card to go on.",
        markdown::short(reason, 1_000)
    );
    notice(Color::Caution, text)
}

/// A session goes on.
#[must_use]
pub fn resumed(by: &str) -> Post {
    notice(
        Color::Active,
        format!("▶️ {} resumed the session. It goes on where it stopped.", text::label(by, 100)),
    )
}

/// Something was done as asked; the sentence says what.
#[must_use]
pub fn done(sentence: &str) -> Post {
    notice(Color::Good, format!("✅ {}", named(&markdown::short(sentence, 1_000))))
}

/// Asks once more before a session is ended.
#[must_use]
pub fn confirm_cancel(session: &SessionId) -> Post {
    let text =
        "⏹️ **End this session?** What was posted stays, what was paid is paid, and it cannot be resumed.";
    let sure = Button {
        id: CustomId::new(session, Does::CancelSure),
        label: "Yes, end it".to_owned(),
        style: ButtonStyle::Danger,
        emoji: None,
        disabled: false,
    };
    Post { rows: vec![Row::Buttons(vec![sure])], ..notice(Color::Caution, text.to_owned()) }
}

/// Somebody ended a session.
#[must_use]
pub fn cancelled(by: &str) -> Post {
    let by = text::label(by, 100);
    notice(Color::Neutral, format!("⏹️ {by} ended the session. What was said so far stays here."))
}

/// A session ends because what it is made of is being deleted.
#[must_use]
pub fn deleted() -> Post {
    let text = "⏹️ Somebody with the right to it has the data behind this session deleted, so it ends here. What is posted \
                stays until somebody deletes it.";
    notice(Color::Neutral, text.to_owned())
}

/// Nobody resumed a paused session in time.
#[must_use]
pub fn expired() -> Post {
    let text =
        "⏹️ Nobody resumed this session within seven days, so it was ended. What was said so far stays here.";
    notice(Color::Neutral, text.to_owned())
}

/// Nobody confirmed in time what a session was about to begin with; `button` does that.
#[must_use]
pub fn unconfirmed(button: &str) -> Post {
    let text = format!(
        "⏹️ Nobody pressed **{button}** within a day, so the session was ended. Nothing more was spent; start the \
         command again to take the question up anew."
    );
    notice(Color::Neutral, text)
}

/// How many posts Discord did not take, for the live card; nothing if it took all.
#[must_use]
pub fn given_up(posts: usize) -> Option<String> {
    let (are, them) = if posts == 1 { ("It is", "it") } else { ("They are", "them") };
    (posts > 0).then(|| {
        let count = card::count(posts, "post");
        format!("⚠️ Discord did not take {count} of this session. {are} kept: **Try again** sends {them} once more.")
    })
}

/// A session could not go on; the reason as a sentence.
#[must_use]
pub fn failed(session: &SessionId, reason: &str) -> Post {
    let text = format!(
        "❌ **The session could not go on.** {}\nEvery step that succeeded is kept: **Try again** asks only \
         for what failed.",
        markdown::short(reason, 1_000)
    );
    Post { rows: vec![Row::Buttons(vec![card::try_again(session)])], ..notice(Color::Danger, text) }
}

/// An upgrade changed the protocol under a session.
#[must_use]
pub fn parked(reason: &str) -> Post {
    let text = format!(
        "🅿️ **Parked after an upgrade.** {}\nEverything said so far stays readable. To go on, start the \
         question anew.",
        markdown::short(reason, 1_000)
    );
    notice(Color::Caution, text)
}

/// Something that is stored of a session cannot be read.
#[must_use]
pub fn parked_unread(session: &SessionId, reason: &str) -> Post {
    let text = format!(
        "🅿️ **Parked.** {}\nWhat was posted so far stays readable. To go on, start the question anew; whoever runs the \
         bot finds what it is in the log and with `quorum doctor`, by the session's name `{session}`.",
        markdown::short(reason, 1_000)
    );
    notice(Color::Caution, text)
}

/// Somebody wants something made clear, before the moderator has answered.
#[must_use]
pub fn clarification_asked(by: &str, text: &str) -> Post {
    let by = text::label(by, 100);
    let text = format!(
        "❔ **{by}** asks for clarification. The moderator answers at the next break between two phases.\n> {}",
        markdown::member_inline(text, 1_500)
    );
    notice(Color::Neutral, text)
}

/// A sentence with its colour.
pub(super) fn notice(color: Color, description: String) -> Post {
    card::post(Embed { description, color, ..Embed::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_may_name_roles_and_channels_and_nobody() {
        let said = |sentence: &str| user_error(sentence).embeds[0].description.clone();
        assert_eq!(said("Only <@&71> and <@&72> may."), "⚠️ Only <@&71> and <@&72> may.");
        assert_eq!(said("See <#71>, <#72>; <@&7>."), "⚠️ See <#71>, <#72>; <@&7>.");
        for other in ["<@71>", "<@!71>", "@everyone", "<@&x>", "<@&71", "<@&>", "<#x>", "<#71", "<#>"] {
            let said = said(&format!("Not {other}."));
            assert_eq!(super::super::support::live(&said, &[]), None, "{said}");
        }
    }
}
