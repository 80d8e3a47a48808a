//! Pictures of a document that a model reads: what goes to it, told before, and what it read.

use super::{card, limits, text};
use domain::{
    Color, Document, Embed, PictureText, Pictured, PicturesRead, PicturesTake, Post, SessionId, StepKey,
};

/// `3 pictures go to openai/gpt-6-luna, about $0.02`: part of what a session takes.
#[must_use]
pub fn goes(take: &PicturesTake) -> String {
    let cost = take.cost.map_or_else(|| "cost unknown".to_owned(), |cost| format!("about {}", cost.short()));
    let go = if take.number == 1 { "goes" } else { "go" };
    format!(
        "{} {go} to {}, {cost} (pages without text, and files that are pictures); what it reads is marked as read by a model",
        card::count(take.number, "picture"),
        text::plain(&take.model.to_string(), 150)
    )
}

/// The same as a card, where no estimate says it.
#[must_use]
pub fn told(document: &Document, take: &PicturesTake) -> Post {
    limits::one(card::post(Embed {
        title: format!("🖼️ Read first · {}", text::label(&document.name, 100)),
        description: format!("**{}.**", goes(take)),
        color: Color::Neutral,
        ..Embed::default()
    }))
}

/// `plan.pdf, page 3`.
fn name(picture: &Pictured) -> String {
    let file = text::label(&picture.file, 60);
    picture.page.map_or_else(|| file.clone(), |page| format!("{file}, page {page}"))
}

/// What a model read on the pictures of a document that waited for it, and what it could not read.
#[must_use]
pub fn card(session: &SessionId, step: &StepKey, document: &Document, read: &PicturesRead) -> Post {
    let of = |at: usize| read.texts.get(at).and_then(Option::as_ref);
    let (seen, unseen): (Vec<_>, Vec<_>) =
        document.pictures.iter().enumerate().partition(|(at, _)| of(*at).is_some());
    let begins = |(at, picture): &(usize, &Pictured)| {
        let first = of(*at).map(first_line).unwrap_or_default();
        format!("- {} · {}", name(picture), text::label(&first, 80))
    };
    let seen_lines: Vec<String> = seen.iter().map(begins).collect();
    let unseen_lines: Vec<String> =
        unseen.iter().map(|(_, picture)| format!("- {}", name(picture))).collect();
    let mut fields = Vec::new();
    let room = card::FIELD_ROOM - 60;
    if !seen_lines.is_empty() {
        fields.push(card::field("🖼️ Read by a model", card::lines(&seen_lines, room, "in all of it.")));
    }
    if !unseen_lines.is_empty() {
        fields.push(card::field("⚠️ Could not be read", card::lines(&unseen_lines, room, "like these.")));
    }
    let embed = Embed {
        title: format!(
            "🖼️ {} · {} read by a model",
            text::label(&document.name, 100),
            card::count(seen.len(), "picture")
        ),
        description: format!(
            "{} read what stands on {}. It may have misread a word or a number: look at the file where something hangs on it.",
            text::plain(&read.model.to_string(), 150),
            if seen.len() == 1 { "it" } else { "them" }
        ),
        color: if unseen.is_empty() { Color::Neutral } else { Color::Caution },
        fields,
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "All of it")];
    limits::one(Post { embeds: vec![embed], rows, ..Post::default() })
}

fn first_line(text: &PictureText) -> String {
    let words = if text.text.trim().is_empty() { &text.shows } else { &text.text };
    words.trim().lines().next().unwrap_or_default().to_owned()
}

/// All that was read, with a title.
#[must_use]
pub fn whole(read: &PicturesRead) -> (String, String) {
    let of = |(number, text): (usize, &Option<PictureText>)| match text {
        Some(PictureText { text, shows }) if shows.is_empty() => format!("## Picture {number}\n{text}"),
        Some(PictureText { text, shows }) => {
            format!("## Picture {number}\n{text}\n\n*What else is on it, as the model says:* {shows}")
        }
        None => format!("## Picture {number}\nCould not be read."),
    };
    let all: Vec<String> = (1..).zip(&read.texts).map(of).collect();
    ("Read by a model from pictures".to_owned(), all.join("\n\n"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::support::{assert_fit, hostile, shown},
        *,
    };
    use crate::sample;
    use domain::Money;

    fn read(texts: &[Option<&str>]) -> PicturesRead {
        let text = |text: &str| PictureText { text: text.into(), shows: String::new() };
        PicturesRead { model: sample::seat().model, texts: texts.iter().map(|said| said.map(text)).collect() }
    }

    fn document(name: &str, pictures: usize) -> Document {
        let picture = |page: usize| Pictured {
            file: name.to_owned(),
            page: u32::try_from(page).ok(),
            media: "image/png".into(),
            sha256: String::new(),
            base64: std::sync::Arc::default(),
        };
        Document {
            name: name.into(),
            pictures: (1..=pictures).map(picture).collect(),
            ..sample::document("")
        }
    }

    #[test]
    fn what_was_read_is_marked_and_what_was_not_is_named() {
        let read = read(&[Some("Rent: $4,000\nUntil 2029"), None]);
        let post = card(&sample::session(), &"pictures".into(), &document("plan.pdf", 2), &read);
        assert_fit(std::slice::from_ref(&post), &[]);
        let take = PicturesTake { number: 2, model: read.model.clone(), cost: Some(Money(20_000)) };
        let told = told(&document("plan.pdf", 2), &take);
        insta::assert_snapshot!(format!("{}\n\n{}\n\n{}", shown(&[told]), shown(&[post]), whole(&read).1));
    }

    proptest! {
        #[test]
        fn whatever_stands_on_pictures_fits(name in hostile(), words in hostile()) {
            let read = read(&[Some(&*words); 20]);
            let document = document(&name, 20);
            assert_fit(&[card(&sample::session(), &"pictures".into(), &document, &read)], &[]);
        }
    }
}
