//! /critique, and *Critique this message* in the menu of any message.

use poise::serenity_prelude as serenity;

use super::{
    Caller, Context,
    altered::whole,
    begin,
    choice::Choice,
    given::{About, Given, Read},
    opening::{self, Opened, complete_model, user},
    voting::Chosen,
};
use crate::{
    bot::Error,
    error::UserError,
    session::{Choices, Request, Wanted},
    store::{FromOthers, Quoted},
};
use domain::{CritiqueBrief, Document, Effort, OptionName, OptionWords, Post, Problem, TreeDepth, VoteRules};

/// Longest text that can be typed, in characters; Discord's own bound for an option.
const TEXT: usize = 6_000;
const LEAST: usize = CritiqueBrief::LEAST_LETTERS;
/// Longest name of a document in the session's title, in characters.
const NAME: usize = 70;
/// What is said where nothing is given.
const NOTHING: &str = "There is nothing to examine yet. Attach a file with `document`, link to a message with `message`, paste a text with `text`, or choose **Apps → Critique this message** in the menu of any message.";

/// Six philosophers examine a document: what is wrong or missing, where, and how sure that is.
#[poise::command(slash_command)]
#[allow(clippy::too_many_arguments)] // the command's options
pub(super) async fn critique(
    ctx: Context<'_>,
    #[description = "What to examine: PDF, Office, EPUB, HTML, text or code (up to 25 MB)"] document: Option<
        serenity::Attachment,
    >,
    #[description = "Or the text itself (up to 6,000 characters)"]
    #[max_length = 6000]
    text: Option<String>,
    #[description = "How deep they look: 1 to 3, 2 unless you choose; deeper takes more calls"]
    #[min = 1]
    #[max = 3]
    depth: Option<i64>,
    #[description = "How much is asked for: brief, standard or deep (standard unless the server says otherwise)"]
    effort: Option<Choice<Effort>>,
    #[description = "One model for all seats of the panel; mediator and checks stay as set"]
    #[autocomplete = "complete_model"]
    model: Option<String>,
    #[description = "How many hours the team can vote (24 unless the server says otherwise)"]
    #[min = 1]
    #[max = 336]
    vote_hours: Option<i64>,
    #[description = "Who may vote and triage: everyone, a role, or members, as mentions"] voters: Option<
        String,
    >,
    #[description = "How many have to vote for the result to bind"]
    #[min = 0]
    #[max = 1000]
    quorum: Option<i64>,
    #[description = "A second file; all of them are read as one document"] document2: Option<
        serenity::Attachment,
    >,
    #[description = "A third file"] document3: Option<serenity::Attachment>,
    #[description = "A link to a message of this server, to be read with its files"] message: Option<String>,
    #[description = "In a session's thread: go on with the document of that session, in a new thread"]
    thread_document: Option<bool>,
) -> Result<(), Error> {
    let call = begin(ctx).await?;
    let caller = Caller::of_command(ctx);
    let opened = opening::admit(&caller, thread_document == Some(true), "`/critique`").await?;
    let source = source(Given::of([document, document2, document3], message, thread_document), text)?;
    let depth = levels(depth)?;
    let voting =
        Chosen { hours: vote_hours, voters, quorum }.over(opened.settings.voting.clone(), opened.guild)?;
    let model = opening::model(caller.data, model.as_deref())?;
    let (document, about, from_others) = match source {
        Source::Files(given) => {
            let Read { document, about, from_others } = given.read(&caller).await?;
            (document.ok_or_else(|| user(NOTHING))?, about, from_others)
        }
        Source::Text(text) => {
            let text = caller.named(&text).await;
            (documents::of_text("pasted text", &text).map_err(user)?, None, FromOthers::default())
        }
    };
    let effort = effort.map(|Choice(effort)| effort);
    let mut request =
        Request { about, from_others, ..request(opened, document, Wanted::critique(depth), voting)? };
    (request.chosen.model, request.chosen.effort) = (model, effort);
    call.finish(&[opening::start(&caller, request).await?]).await
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
    let wanted = Wanted::critique(TreeDepth::USUAL);
    let request = Request { about, from_others, ..request(opened, document, wanted, voting)? };
    opening::start(caller, request).await
}

/// Where the document is to come from.
enum Source {
    Files(Given),
    Text(String),
}

/// Exactly one of the two ways in that the command has.
fn source(given: Given, text: Option<String>) -> anyhow::Result<Source> {
    match (given.is_nothing(), text) {
        (false, None) => Ok(Source::Files(given)),
        (true, Some(text)) => {
            long_enough("The text", &text)?;
            match text.chars().count() {
                long if long > TEXT => UserError::of(format!(
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

/// What is wanted of a critique whose options are set again.
pub(super) fn read(words: &OptionWords) -> anyhow::Result<Wanted> {
    Ok(Wanted::critique(levels(whole(words, OptionName::Depth)?)?))
}

/// How deep. Discord keeps the number within its bounds; nothing else that speaks to me has to.
fn levels(depth: Option<i64>) -> anyhow::Result<TreeDepth> {
    let Some(asked) = depth else { return Ok(TreeDepth::USUAL) };
    match u8::try_from(asked).ok().and_then(TreeDepth::new) {
        Some(depth) => Ok(depth),
        None => UserError::of(format!(
            "A depth of {asked} cannot be: choose 1 (one look), 2 (the usual) or 3 (the deepest)."
        )),
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

fn request(opened: Opened, document: Document, wanted: Wanted, voting: VoteRules) -> anyhow::Result<Request> {
    // What stands on pictures is known once the session has had them read.
    if document.pictures.is_empty() {
        long_enough(&format!("`{}`", document.name.replace('`', "'")), &document.text)?;
    }
    let Opened { actor, guild, channel, .. } = opened;
    let problem = titled(&document.name)?;
    let (document, chosen) = (Some(document), Choices::usual(wanted, voting));
    let from_others = FromOthers::default();
    Ok(Request { actor, guild, channel, problem, document, about: None, from_others, chosen })
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

/// `Critique of plan.pdf`, on one line and cut.
fn titled(name: &str) -> anyhow::Result<Problem> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = if name.chars().count() > NAME {
        format!("{}…", name.chars().take(NAME - 1).collect::<String>().trim_end())
    } else {
        name
    };
    opening::problem(&format!("Critique of {shown}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_one_to_three() {
        assert_eq!(levels(None).unwrap(), TreeDepth::USUAL);
        assert_eq!(levels(Some(3)).unwrap().levels(), 3);
        for wrong in [-1, 0, 4, 257, i64::MAX, i64::MIN] {
            let told = levels(Some(wrong)).unwrap_err().to_string();
            assert!(told.contains("choose 1"), "{told}");
        }
    }

    #[test]
    fn titles_are_one_line_and_fit() {
        assert_eq!(titled("plan.pdf").unwrap().as_str(), "Critique of plan.pdf");
        assert_eq!(titled("a\nb \t c").unwrap().as_str(), "Critique of a b c");
        let long = titled(&"é".repeat(300)).unwrap();
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
