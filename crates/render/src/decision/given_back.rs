//! What is said when a form could not be taken, and what stood in it, read back from there: Discord closes a form when it
//! is sent, and the words in it are nowhere else.

use super::super::{card, limits, text};
use domain::{Button, ButtonStyle, CustomId, File, FileBody, GivenBack, Post, Row, UserId};

/// Room for all that is given back of a form; more than its boxes take, and little enough for one message.
const GIVEN_BACK: usize = 3_400;

/// Room for a text in one field of a card. A longer one goes on in the next.
const FIELD: usize = card::FIELD_ROOM - FENCE.0.len() - FENCE.1.len();

/// Longest text of a box, and of all, that is certain to be given back whole in a card, in characters.
const SHOWN: usize = 800;
const ALL_SHOWN: usize = 2_400;

/// What stands above a box's text, before its name: of one that is there whole, and of one that is not.
const WHOLE: &str = "You wrote · ";
const PART: &str = "You wrote, in part · ";

/// Around a text that is shown as it is, ready to be copied.
const FENCE: (&str, &str) = ("```\n", "\n```");

/// A refusal that gives back what was written: each box under its name, to be copied, and a button that opens the form
/// again, with the same in it (`given_back`). A text that mentions one member and says nothing else is shown as that
/// member, who is not notified.
#[must_use]
pub fn give_back(refusal: Post, boxes: &[(&str, &str)], again: CustomId) -> Post {
    let mut post = refusal;
    let mut room = GIVEN_BACK;
    let mut fields = Vec::new();
    for (name, given) in boxes.iter().filter(|(_, text)| !text.trim().is_empty()) {
        if let Some(member) = UserId::mentioned(given) {
            fields.push(card::field(format!("{WHOLE}{name}"), member.mention()));
            continue;
        }
        let given = text::clean(given).replace('\t', "    ");
        let given = text::defuse(&text::no_fence(given.trim()));
        if given.is_empty() {
            continue;
        }
        let shown = text::cut(&given, room);
        room -= text::length(&shown);
        let above = if shown == given { WHOLE } else { PART };
        let mut rest = shown.as_str();
        for number in 1.. {
            let piece = text::head(rest, FIELD);
            rest = &rest[piece.len()..];
            let number = if number > 1 { format!(" ({number})") } else { String::new() };
            let value = format!("{}{piece}{}", FENCE.0, FENCE.1);
            fields.push(card::field(format!("{above}{name}{number}"), value));
            if rest.is_empty() {
                break;
            }
        }
    }
    if let Some(embed) = post.embeds.first_mut() {
        embed.fields.extend(fields);
    }
    post.rows = vec![Row::Buttons(vec![Button {
        id: again,
        label: "Open the form again".to_owned(),
        style: ButtonStyle::Primary,
        emoji: None,
        disabled: false,
    }])];
    limits::fit(post).into_iter().next().unwrap_or_default()
}

/// As [`give_back`], for forms whose boxes take more than a card shows: what is too long comes as a file too.
#[must_use]
pub fn give_back_whole(refusal: Post, boxes: &[(&str, &str)], again: CustomId) -> Post {
    let mut post = give_back(refusal, boxes, again);
    let lengths = || boxes.iter().map(|(_, text)| text.chars().count());
    if lengths().any(|long| long > SHOWN) || lengths().sum::<usize>() > ALL_SHOWN {
        let whole: Vec<String> = boxes.iter().map(|(name, text)| format!("{name}\n{text}")).collect();
        post.files.push(File {
            name: "what-you-wrote.txt".to_owned(),
            alt: String::new(),
            body: FileBody::Text(whole.join("\n\n")),
        });
    }
    post
}

/// What stood in a form, read from the fields (name and value) of the card that gave it back. Nothing of any other card.
#[must_use]
pub fn given_back<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<GivenBack> {
    let mut all: Vec<GivenBack> = Vec::new();
    for (above, value) in fields {
        if let Some(name) = above.strip_prefix(PART) {
            all.push(GivenBack { name: name.to_owned(), text: None });
        }
        let Some(name) = above.strip_prefix(WHOLE) else { continue };
        let bare = value.strip_prefix(FENCE.0).and_then(|rest| rest.strip_suffix(FENCE.1)).unwrap_or(value);
        let text = text::as_written(bare);
        match all.last_mut() {
            Some(GivenBack { name: before, text: Some(begun) }) if goes_on(name, before) => {
                begun.push_str(&text);
            }
            _ => all.push(GivenBack { name: name.to_owned(), text: Some(text) }),
        }
    }
    all
}

/// Whether a field's name says that it goes on with another: `Why (2)` with `Why`.
fn goes_on(name: &str, before: &str) -> bool {
    let number = name.strip_prefix(before).and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')'));
    number.is_some_and(|number| number.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        sample::session,
        {notices, support::hostile},
    };
    use domain::Opens;

    /// What a form that gave this back holds once it is opened again.
    fn again(text: &str) -> Vec<GivenBack> {
        let boxes = [("What is chosen", "S2"), ("Why", text), ("Review on", " ")];
        let post =
            give_back(notices::user_error("It is empty."), &boxes, CustomId::new(&session(), Opens::Decide));
        let fields = post.embeds[0].fields.iter();
        given_back(fields.map(|field| (field.name.as_str(), field.value.as_str())))
    }

    #[test]
    fn what_was_written_is_read_back_as_it_was() {
        for text in [
            "It is cheap.\n\n- by *far*\n```\nx < 1\n```",
            "@everyone knows <@&1> and https://example.org",
            "<@123456789012345678>",
            "مرحبا 市场 👨‍👩‍👧‍👦",
        ] {
            let given = again(text);
            assert_eq!(given[1], GivenBack { name: "Why".to_owned(), text: Some(text.to_owned()) });
            assert_eq!(
                (given.len(), given[0].text.as_deref()),
                (2, Some("S2")),
                "what is empty is not there"
            );
        }
        let whole = format!("{}\n  and @everyone", "word ".repeat(600));
        assert_eq!(again(&whole)[1].text, Some(whole));
        let long = again(&"word ".repeat(800));
        assert_eq!(
            long[1],
            GivenBack { name: "Why".to_owned(), text: None },
            "half of it is worse than nothing"
        );
        assert_eq!(given_back([("Why", "```\nx\n```")]), [], "another card");
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn whatever_was_written_is_given_back_and_stays_the_same_the_second_time(text in hostile()) {
            for given in again(&text) {
                if let Some(once) = given.text.filter(|_| given.name == "Why") {
                    let twice = again(&once);
                    prop_assert_eq!(&twice[1].text, &Some(once));
                }
            }
        }
    }
}
