//! How a session begins in two steps: the form for its text, and the choice of a protocol under a message.

use super::{decision, limits, text};
use crate::domain::{
    Begins, CustomId, Embed, Input, InteractionId, MAX_PROBLEM_CHARS, MAX_PROPOSITION_CHARS, Modal, Post,
    Protocol, Row, Select, SelectOption, TextInput,
};

/// Longest excerpt of a message, in characters.
const EXCERPT: usize = 300;

/// What the box of a form is for.
struct Asks {
    title: &'static str,
    label: &'static str,
    placeholder: &'static str,
    /// Most characters.
    most: usize,
}

fn of(protocol: Protocol, on_a_message: bool) -> Asks {
    let (title, label, placeholder, most) = match protocol {
        Protocol::Mediate | Protocol::Roundtable => (
            "What has to be decided?",
            "The problem",
            "The situation, the ways you see, what matters to you, by when. The more they know, the better.",
            MAX_PROBLEM_CHARS,
        ),
        Protocol::Debate => (
            "What should be debated?",
            "The proposition",
            "A question to be for or against, such as: Should we move to a four-day week?",
            MAX_PROPOSITION_CHARS,
        ),
        Protocol::Investigate => (
            "What is to be found out?",
            "The question",
            "The question, what you know already, and what you need the answer for.",
            MAX_PROBLEM_CHARS,
        ),
        Protocol::Critique => (
            "What is to be examined?",
            "The text",
            "The whole argument or plan, as it stands.",
            MAX_PROBLEM_CHARS,
        ),
    };
    let placeholder = if on_a_message {
        "Your question about the message. Everybody reads the message with its files, too."
    } else {
        placeholder
    };
    Asks { title, label, placeholder, most }
}

/// The form for the text of a session, with what was typed before.
#[must_use]
pub fn form(chosen: InteractionId, protocol: Protocol, on_a_message: bool, typed: &str) -> Modal {
    let Asks { title, label, placeholder, most } = of(protocol, on_a_message);
    Modal {
        id: CustomId::beginning(&Begins::BeginSent(chosen)),
        title: title.to_owned(),
        inputs: vec![Input::Text(TextInput {
            id: "text".to_owned(),
            label: format!("{label} (up to {} characters)", crate::domain::thousands(most as u64)),
            placeholder: placeholder.to_owned(),
            value: typed.chars().take(most).collect(),
            paragraph: true,
            required: true,
            max: u16::try_from(most).unwrap_or(u16::MAX),
        })],
    }
}

/// A refusal that gives back what was typed, and opens the form again with it.
#[must_use]
pub fn given_back(refusal: Post, protocol: Protocol, typed: &str, chosen: InteractionId) -> Post {
    let again = CustomId::beginning(&Begins::BeginWrite(chosen));
    decision::give_back_whole(refusal, &[(of(protocol, false).label, typed)], again)
}

/// The same where nothing is kept of what was chosen, so that there is no form to open.
#[must_use]
pub fn too_late(refusal: Post, typed: &str, chosen: InteractionId) -> Post {
    let again = CustomId::beginning(&Begins::BeginWrite(chosen));
    Post { rows: Vec::new(), ..decision::give_back_whole(refusal, &[("Your text", typed)], again) }
}

/// Which protocol is to take up a message: what it is for in a line each.
#[must_use]
pub fn choice(chosen: InteractionId, link: &str, author: &str, content: &str, files: usize) -> Post {
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
            "[The message]({link}) by **{}**{files}{said}\n\nWhat you choose opens a thread in this channel, which everybody here can read.",
            text::label(author, 60)
        ),
        ..Embed::default()
    };
    let option = |protocol: Protocol| SelectOption {
        label: format!("/{protocol}"),
        value: protocol.as_str().to_owned(),
        description: purpose(protocol).to_owned(),
    };
    let select = Select {
        id: CustomId::beginning(&Begins::BeginAbout(chosen)),
        placeholder: "Choose what it is for".to_owned(),
        options: Protocol::ALL.into_iter().map(option).collect(),
        range: (1, 1),
    };
    limits::one(Post { embeds: vec![embed], rows: vec![Row::Select(select)], ..Post::default() })
}

/// What a protocol is for, where somebody has a message and not yet a question.
fn purpose(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Mediate => "Weigh it from several sides, such as market, cost and risk; a mediator sums up",
        Protocol::Roundtable => "Have experts made for it answer one another and rank what could be done",
        Protocol::Debate => "Hear the best case for and against it, and what it depends on",
        Protocol::Critique => "Have the text examined: what is wrong or missing in it, and where",
        Protocol::Investigate => "Find out what is so: models answer alone, what they differ on is checked",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHOSEN: InteractionId = InteractionId(u64::MAX >> 1);

    #[test]
    fn forms_fit_discord_and_hold_what_was_typed() {
        for protocol in Protocol::ALL {
            for on_a_message in [false, true] {
                let form = form(CHOSEN, protocol, on_a_message, &"é".repeat(9_000));
                let [Input::Text(input)] = form.inputs.as_slice() else { panic!("one box") };
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
        let post = choice(CHOSEN, "https://discord.com/channels/1/2/3", "Ada", &hostile, 2);
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
