//! What a critique examines, and *Critique this message* in the menu of any message.

use poise::serenity_prelude as serenity;

use super::{
    Caller, Context, begin,
    given::{About, Given, Read},
    opening::{self, Opened, user},
};
use crate::{
    bot::Error,
    error::UserError,
    protocols,
    session::{Choices, Request},
    store::{FromOthers, Quoted},
};
use domain::{CritiqueBrief, Document, MAX_EXAMINED_CHARS, OptionWords, Post, Problem, Protocol, shortened};

/// Fewest letters and digits of what is examined.
const LEAST: usize = CritiqueBrief::LEAST_LETTERS;
/// Longest name of a document in the session's title, in characters.
const NAME: usize = 70;
/// What is said where nothing is given.
const NOTHING: &str = "There is nothing to examine yet. Attach a file with `document`, link to a message with `message`, paste a text with `text`, or choose **Apps → Critique this message** in the menu of any message.";

/// What a critique is about, and what it examines: a file, a message, or the text itself.
pub(super) async fn examined(
    caller: &Caller<'_>,
    given: Given,
    text: &str,
) -> anyhow::Result<(Problem, Read)> {
    let read = match source(given, text)? {
        Source::Files(given) => given.read(caller).await?,
        Source::Text(text) => {
            let document = documents::of_text("pasted text", &caller.named(text).await).map_err(user)?;
            Read { document: Some(document), about: None, from_others: FromOthers::default() }
        }
    };
    let document = read.document.as_ref().ok_or_else(|| user(NOTHING))?;
    Ok((titled(document)?, read))
}

/// Critique a message: its text and its attachments, as they are now.
#[poise::command(context_menu_command = "Critique this message")]
pub(super) async fn critique_message(ctx: Context<'_>, message: serenity::Message) -> Result<(), Error> {
    let call = begin(ctx).await?;
    let caller = Caller::of_command(ctx);
    let used = "**Critique this message** on a message";
    call.finish(&[on_message(&caller, &About::of(&message), used).await?]).await
}

/// Has a message examined, and says where.
pub(in crate::bot) async fn on_message(
    caller: &Caller<'_>,
    message: &About,
    used: &str,
) -> anyhow::Result<Post> {
    let opened = opening::admit(caller, true, used).await?;
    let voting = opened.settings.voting.clone();
    let document = of_message(caller, message).await?;
    let about = Some(message.named(opened.guild));
    let quoted = vec![Quoted { files: true, ..message.quoted(message.content.clone()) }];
    let from_others = FromOthers { quoted, document_of: None };
    let wanted = protocols::wanted(Protocol::Critique, &OptionWords::default(), &opened.settings)?;
    let (problem, chosen) = (titled(&document)?, Choices::usual(wanted, voting));
    let Opened { actor, guild, channel, .. } = opened;
    let document = Some(document);
    let request = Request { actor, guild, channel, problem, document, about, from_others, chosen };
    opening::start(caller, request).await
}

/// Where the document is to come from.
enum Source<'a> {
    Files(Given),
    Text(&'a str),
}

/// Exactly one of the two ways in that the command has.
fn source(given: Given, text: &str) -> anyhow::Result<Source<'_>> {
    match (given.is_nothing(), Some(text).filter(|text| !text.is_empty())) {
        (false, None) => Ok(Source::Files(given)),
        (true, Some(text)) => {
            long_enough("The text", text)?;
            match text.chars().count() {
                long if long > usize::from(MAX_EXAMINED_CHARS) => UserError::of(format!(
                    "The text has {long} characters; at most 6,000 fit. Attach it as a file with `document` instead."
                )),
                _ => Ok(Source::Text(text)),
            }
        }
        (true, None) => UserError::of(NOTHING),
        (false, Some(_)) => UserError::of(
            "A file or a message and `text` are both given, and one thing is examined at a time. Give one of them; nothing was started.",
        ),
    }
}

/// A message with its attachments as one document; all of it or nothing.
async fn of_message(caller: &Caller<'_>, message: &About) -> anyhow::Result<Document> {
    let document = message.document(caller).await.map_err(whole_or_not)?;
    document.ok_or_else(|| {
        user(
            "This message has no text and no file of its own: embeds, stickers and polls are not read. Copy what is to be examined into `/critique text:`, or attach it with `/critique document:`.",
        )
    })
}

/// What is wrong with one attachment, and that the others are not examined without it.
fn whole_or_not(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<UserError>() {
        Ok(UserError(sentence)) => UserError(format!(
            "{sentence} Nothing was started, for a message is examined with all its files or not at all. Copy its text into `/critique text:`, or attach the one file you mean with `/critique document:`."
        ))
        .into(),
        Err(other) => other,
    }
}

/// Whether there is enough to read for anybody to say something about it.
fn long_enough(what: &str, text: &str) -> anyhow::Result<()> {
    match text.chars().filter(|c| c.is_alphanumeric()).take(LEAST).count() {
        LEAST => Ok(()),
        0 => UserError::of(format!(
            "{what} has nothing to read in it: no letter and no digit. Give the text that is to be examined; nothing was started."
        )),
        few => UserError::of(format!(
            "{what} is too short to examine: it has {few} of the {LEAST} letters and digits that are needed at least. Give the whole argument or plan; nothing was started."
        )),
    }
}

/// `Critique of plan.pdf`, on one line and cut; refused where there is too little to examine.
fn titled(document: &Document) -> anyhow::Result<Problem> {
    // What stands on pictures is known once the session has had them read.
    if document.pictures.is_empty() {
        long_enough(&format!("`{}`", document.name.replace('`', "'")), &document.text)?;
    }
    title(&document.name)
}

fn title(name: &str) -> anyhow::Result<Problem> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    Problem::new(&format!("Critique of {}", shortened(&name, NAME))).map_err(user)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_one_line_and_fit() {
        assert_eq!(title("plan.pdf").unwrap().as_str(), "Critique of plan.pdf");
        assert_eq!(title("a\nb \t c").unwrap().as_str(), "Critique of a b c");
        let long = title(&"é".repeat(300)).unwrap();
        assert_eq!(long.title(90), long.as_str(), "it is cut once, here");
        assert!(long.as_str().ends_with('…'));
    }

    #[test]
    fn what_is_too_short_says_how_long_it_should_be() {
        assert!(long_enough("The text", &"a".repeat(LEAST)).is_ok());
        let few = long_enough("The text", &"a, ".repeat(LEAST - 1)).unwrap_err().to_string();
        assert!(few.contains("99 of the 100 letters"), "{few}");
        let none = long_enough("`a.md`", "--- *** ---").unwrap_err().to_string();
        assert!(none.contains("`a.md` has nothing to read"), "{none}");
    }
}
