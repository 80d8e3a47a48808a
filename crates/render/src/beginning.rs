//! How a session begins in two steps: the form for its text, and the choice of a protocol under a message.

use std::collections::BTreeMap;

use super::{decision, limits, text};
use domain::{
    AboutMessage, Asks, Begins, ChoiceInput, CustomId, Embed, Input, InteractionId, Modal, Post, Protocol,
    Row, Select, SelectOption, TextInput, thousands,
};

/// Longest excerpt of a message, in characters.
const EXCERPT: usize = 300;

/// What stands in the empty box where the text is a question about a message.
const ON_A_MESSAGE: &str =
    "Your question about the message. Everybody reads the message with its files, too.";

/// Names of the form's parts.
const TEXT: &str = "text";
const START: &str = "start";
/// The options of the list that says when a session begins.
const AT_ONCE: &str = "at_once";
const ASKED: &str = "asked";

/// The form for the text of a session, with what was typed before, and whether somebody wants to be asked first.
#[must_use]
pub fn form(
    chosen: InteractionId,
    (protocol, on_a_message): (Protocol, bool),
    typed: &str,
    asks_first: bool,
) -> Modal {
    let &Asks { title, label, placeholder, most, .. } = &protocol.words().asks;
    let placeholder = if on_a_message { ON_A_MESSAGE } else { placeholder };
    Modal {
        id: CustomId::beginning(&Begins::BeginSent(chosen)),
        title: title.to_owned(),
        inputs: vec![
            Input::Text(TextInput {
                id: TEXT.to_owned(),
                label: format!("{label} (up to {} characters)", thousands(most as u64)),
                placeholder: placeholder.to_owned(),
                value: typed.chars().take(most).collect(),
                paragraph: true,
                required: true,
                max: u16::try_from(most).unwrap_or(u16::MAX),
            }),
            Input::Choice(begins(asks_first)),
        ],
    }
}

/// When the session begins. Its options are set where it asks first.
fn begins(asks_first: bool) -> ChoiceInput {
    let option = |value: &str, label: &str, description: &str| SelectOption {
        label: label.to_owned(),
        value: value.to_owned(),
        description: description.to_owned(),
    };
    ChoiceInput {
        id: START.to_owned(),
        label: "When does it begin?".to_owned(),
        description: String::new(),
        placeholder: String::new(),
        options: vec![
            option(AT_ONCE, "At once", "As chosen with the command, and else as this server is set"),
            option(
                ASKED,
                "After a look at what it takes",
                "Calls, cost and time; all options can be set there",
            ),
        ],
        chosen: vec![if asks_first { ASKED } else { AT_ONCE }.to_owned()],
        range: (1, 1),
    }
}

/// What was written into the form, and whether somebody wants to be asked first.
#[must_use]
pub fn read(written: &BTreeMap<String, String>) -> (&str, bool) {
    let of = |name: &str| written.get(name).map(String::as_str).unwrap_or_default();
    (of(TEXT), of(START) == ASKED)
}

/// A refusal that gives back what was typed, and opens the form again with it.
#[must_use]
pub fn given_back(refusal: Post, protocol: Protocol, typed: &str, chosen: InteractionId) -> Post {
    let again = CustomId::beginning(&Begins::BeginWrite(chosen));
    decision::give_back_whole(refusal, &[(protocol.words().asks.label, typed)], again)
}

/// The same where nothing is kept of what was chosen, so that there is no form to open.
#[must_use]
pub fn too_late(refusal: Post, typed: &str, chosen: InteractionId) -> Post {
    let again = CustomId::beginning(&Begins::BeginWrite(chosen));
    Post { rows: Vec::new(), ..decision::give_back_whole(refusal, &[("Your text", typed)], again) }
}

/// The line on the card of a session that is about a message.
pub(super) fn about(about: &AboutMessage) -> String {
    format!("💬 About [the message]({}) by {}", about.link(), text::label(&about.author, 60))
}

/// Which protocol is to take up a message: what it is for in a line each.
#[must_use]
pub fn choice(chosen: InteractionId, message: &AboutMessage, content: &str, files: usize) -> Post {
    let excerpt = text::label(content, EXCERPT);
    let files = match files {
        0 => String::new(),
        1 => " with a file".to_owned(),
        files => format!(" with {files} files"),
    };
    let said = if excerpt.is_empty() { String::new() } else { format!(":\n> {excerpt}") };
    let embed = Embed {
        title: "🗂️ What should the panel do with it?".to_owned(),
        description: format!(
            "[The message]({}) by **{}**{files}{said}\n\nWhat comes of it stands in a thread, which everybody here can read.",
            message.link(),
            text::label(&message.author, 60)
        ),
        ..Embed::default()
    };
    let option = |protocol: Protocol| SelectOption {
        label: format!("/{protocol}"),
        value: protocol.as_str().to_owned(),
        description: protocol.words().purpose.to_owned(),
    };
    let select = Select {
        id: CustomId::beginning(&Begins::BeginAbout(chosen)),
        placeholder: "Choose what it is for".to_owned(),
        options: Protocol::ALL.into_iter().map(option).collect(),
        range: (1, 1),
    };
    limits::one(Post { embeds: vec![embed], rows: vec![Row::Select(select)], ..Post::default() })
}

#[cfg(test)]
mod tests {
    use super::{super::support::assert_form, *};
    use domain::{ChannelId, GuildId, MessageId};

    const CHOSEN: InteractionId = InteractionId(u64::MAX >> 1);

    fn message(author: &str) -> AboutMessage {
        let (guild, channel, message) = (GuildId(1), ChannelId(2), MessageId(3));
        AboutMessage { guild, channel, message, author: author.to_owned() }
    }

    #[test]
    fn a_message_is_named_by_its_numbers_and_its_author_links_nowhere() {
        assert_eq!(
            about(&message("Ada")),
            "💬 About [the message](https://discord.com/channels/1/2/3) by Ada"
        );
        let hostile = about(&message("@everyone [x](https://evil.example) **b** <@1>"));
        assert!(hostile.contains("\\[x]") && !hostile.contains("https://evil"), "{hostile}");
        assert!(!hostile.contains("@everyone") && !hostile.contains("<@1>"), "{hostile}");
    }

    #[test]
    fn forms_fit_discord_and_hold_what_was_typed() {
        for protocol in Protocol::ALL {
            for on_a_message in [false, true] {
                let form = form(CHOSEN, (protocol, on_a_message), &"é".repeat(9_000), false);
                assert_form(&form);
                let [Input::Text(input), Input::Choice(_)] = form.inputs.as_slice() else { panic!("a box") };
                assert!(form.title.chars().count() <= 45 && input.label.chars().count() <= 45, "{protocol}");
                assert!(input.placeholder.chars().count() <= 100, "{protocol}: {}", input.placeholder);
                assert_eq!(input.value.chars().count(), usize::from(input.max));
                assert!(form.id.to_string().len() <= 100);
            }
        }
    }

    #[test]
    fn every_protocol_can_be_chosen_and_says_what_it_is_for() {
        let hostile = format!("@everyone [press](https://evil.example) {}", "x".repeat(4_000));
        let post = choice(CHOSEN, &message("Ada"), &hostile, 2);
        let [Row::Select(select)] = post.rows.as_slice() else { panic!("a select") };
        let values: Vec<&str> = select.options.iter().map(|option| option.value.as_str()).collect();
        assert_eq!(values, Protocol::ALL.map(Protocol::as_str));
        assert!(select.options.iter().all(|option| (20..=100).contains(&option.description.chars().count())));
        let embed = &post.embeds[0];
        assert!(embed.description.contains("with 2 files") && !embed.description.contains("@everyone"));
        assert!(!embed.description.contains("](https://evil"), "{}", embed.description);
    }

    #[test]
    fn what_was_typed_is_given_back_whole() {
        let refusal = super::super::notices::user_error("Too short.");
        let long = "line\n".repeat(700);
        let post = given_back(refusal.clone(), Protocol::Debate, &long, CHOSEN);
        assert_eq!((post.rows.len(), post.files.len()), (1, 1));
        let post = too_late(refusal, "Should we?", CHOSEN);
        assert!(post.rows.is_empty() && post.embeds[0].fields[0].value.contains("Should we?"));
    }
}
