//! Discord's limits, and the last line of defence that keeps a post within them.
//!
//! Source: Discord documentation, `resources/message` (content and embeds) and `components/reference`.

use std::collections::BTreeSet;

use super::{
    markdown,
    text::{self, length},
};
use domain::{Button, Embed, Field, File, Post, Row, Select};

/// Text of a message.
pub const CONTENT: usize = 2_000;
/// Embeds of a message.
pub const EMBEDS: usize = 10;
/// All text of all embeds of a message.
pub const EMBEDS_TOTAL: usize = 6_000;
/// Title of an embed.
pub const TITLE: usize = 256;
/// Description of an embed.
pub const DESCRIPTION: usize = 4_096;
/// Fields of an embed.
pub const FIELDS: usize = 25;
/// Name of a field.
pub const FIELD_NAME: usize = 256;
/// Value of a field.
pub const FIELD_VALUE: usize = 1_024;
/// Footer of an embed.
pub const FOOTER: usize = 2_048;
/// Author of an embed.
pub const AUTHOR: usize = 256;
/// Rows below a message.
pub const ROWS: usize = 5;
/// Buttons in a row.
pub const BUTTONS: usize = 5;
/// Label of a button.
pub const LABEL: usize = 80;
/// Options of a select menu.
pub const OPTIONS: usize = 25;
/// Label, value or description of an option.
pub const OPTION: usize = 100;
/// Placeholder of a select menu.
pub const PLACEHOLDER: usize = 150;
/// Files of a message.
pub const FILES: usize = 10;
/// Description of a file.
pub const ALT: usize = 1_024;

/// What is kept free below a limit, in case Discord counts in a way it does not document.
const MARGIN: usize = 16;
/// What stands where nothing may not stand.
const NOTHING: &str = "—";

/// One message whatever is in it, for it is edited in place.
#[must_use]
pub fn one(post: Post) -> Post {
    fit(post).into_iter().next().unwrap_or_default()
}

/// The post within all limits: what is too large goes on in further posts, embeds whole where they can be,
/// buttons below the last, and nothing is left out without a `…`. An empty post gives none.
#[must_use]
pub fn fit(post: Post) -> Vec<Post> {
    let Post { content, embeds, rows, files, pings } = post;
    let mut posts: Vec<Post> = split(&content, CONTENT - MARGIN)
        .into_iter()
        .map(|content| Post { content, ..Post::default() })
        .collect();
    let (mut pictures, others): (Vec<File>, Vec<File>) = files
        .into_iter()
        .map(|file| File { alt: text::cut(&file.alt, ALT - MARGIN), ..file })
        .partition(|file| embeds.iter().any(|embed| embed.image.as_ref() == Some(&file.name)));
    for embed in embeds.into_iter().flat_map(fit_embed) {
        let size = size(&embed);
        let room = |post: &Post| {
            post.embeds.len() < EMBEDS
                && post.embeds.iter().map(self::size).sum::<usize>() + size <= EMBEDS_TOTAL - MARGIN
                && post.files.len() < FILES
        };
        if !posts.last().is_some_and(room) {
            posts.push(Post::default());
        }
        if let Some(last) = posts.last_mut() {
            if let Some(at) = pictures.iter().position(|file| embed.image.as_ref() == Some(&file.name)) {
                last.files.push(pictures.swap_remove(at));
            }
            last.embeds.push(embed);
        }
    }
    for file in others {
        if posts.last().is_none_or(|last| last.files.len() >= FILES) {
            posts.push(Post::default());
        }
        if let Some(last) = posts.last_mut() {
            last.files.push(file);
        }
    }
    for row in fit_rows(rows) {
        if posts.last().is_none_or(|last| last.rows.len() >= ROWS) {
            // A message needs more than buttons.
            posts.push(Post { content: "…".to_owned(), ..Post::default() });
        }
        if let Some(last) = posts.last_mut() {
            last.rows.push(row);
        }
    }
    if let Some(first) = posts.first_mut() {
        first.pings = pings;
    }
    posts
}

/// Markdown in parts of at most `most`; text that already fits stays as it is.
fn split(text: &str, most: usize) -> Vec<String> {
    match length(text) {
        _ if text.trim().is_empty() => Vec::new(),
        fits if fits <= most => vec![text.to_owned()],
        _ => markdown::parts(text, most),
    }
}

/// All text of an embed that counts towards [`EMBEDS_TOTAL`].
pub(super) fn size(embed: &Embed) -> usize {
    let fields = embed.fields.iter().map(|field| length(&field.name) + length(&field.value));
    let others = [&embed.title, &embed.description, &embed.footer, &embed.author];
    fields.sum::<usize>() + others.into_iter().map(|text| length(text)).sum::<usize>()
}

/// An embed as one or more within the limits of one: title and author on the first, footer and picture on the
/// last, all of the same colour.
fn fit_embed(embed: Embed) -> Vec<Embed> {
    let mut description = embed.description;
    if length(&embed.title) > TITLE - MARGIN {
        description = format!("**{}**\n{description}", embed.title);
    }
    let fresh = || Embed { color: embed.color, ..Embed::default() };
    let mut chain = vec![Embed {
        title: text::cut(&embed.title, TITLE - MARGIN),
        author: text::cut(&embed.author, AUTHOR - MARGIN),
        ..fresh()
    }];
    for part in split(&description, DESCRIPTION - MARGIN) {
        match chain.last_mut() {
            Some(last) if last.description.is_empty() => last.description = part,
            _ => chain.push(Embed { description: part, ..fresh() }),
        }
    }
    for field in embed.fields.into_iter().flat_map(fit_field) {
        let cost = length(&field.name) + length(&field.value);
        let room = |last: &Embed| last.fields.len() < FIELDS && size(last) + cost <= EMBEDS_TOTAL - MARGIN;
        if !chain.last().is_some_and(room) {
            chain.push(fresh());
        }
        if let Some(last) = chain.last_mut() {
            last.fields.push(field);
        }
    }
    let footer = text::cut(&embed.footer, FOOTER - MARGIN);
    if chain.last().is_some_and(|last| size(last) + length(&footer) > EMBEDS_TOTAL - MARGIN) {
        chain.push(fresh());
    }
    if let Some(last) = chain.last_mut() {
        last.footer = footer;
        last.image = embed.image;
    }
    chain.retain(|embed| size(embed) > 0 || embed.image.is_some());
    chain
}

/// A field as one or more of the same name.
fn fit_field(field: Field) -> Vec<Field> {
    let name = if field.name.trim().is_empty() { NOTHING.to_owned() } else { field.name };
    let value = if length(&name) > FIELD_NAME - MARGIN {
        format!("**{name}**\n{}", field.value)
    } else {
        field.value
    };
    let name = text::cut(&name, FIELD_NAME - MARGIN);
    let mut values = split(&value, FIELD_VALUE - MARGIN);
    if values.is_empty() {
        values.push(NOTHING.to_owned());
    }
    let named = |(place, value)| Field {
        name: if place == 0 { name.clone() } else { "…".to_owned() },
        value,
        inline: field.inline,
        inside: field.inside,
    };
    values.into_iter().enumerate().map(named).collect()
}

/// Rows of at most five buttons, each id once, labels cut.
fn fit_rows(rows: Vec<Row>) -> Vec<Row> {
    let mut seen = BTreeSet::new();
    let mut fitting = Vec::new();
    for row in rows {
        match row {
            Row::Buttons(buttons) => {
                let mut buttons: Vec<Button> =
                    buttons.into_iter().filter(|button| seen.insert(button.id.to_string())).collect();
                for button in &mut buttons {
                    button.label = text::cut(&button.label, LABEL);
                    if button.label.trim().is_empty() && button.emoji.is_none() {
                        NOTHING.clone_into(&mut button.label);
                    }
                }
                fitting.extend(buttons.chunks(BUTTONS).map(|row| Row::Buttons(row.to_vec())));
            }
            Row::Select(select) if seen.insert(select.id.to_string()) && !select.options.is_empty() => {
                fitting.push(Row::Select(fit_select(select)));
            }
            Row::Select(_) => {}
        }
    }
    fitting
}

/// A menu of at most 25 options; where there were more, it says so.
fn fit_select(mut select: Select) -> Select {
    let all = select.options.len();
    if all > OPTIONS {
        select.options.truncate(OPTIONS);
        select.placeholder = format!("The first {OPTIONS} of {all} · {}", select.placeholder);
    }
    select.placeholder = text::cut(&select.placeholder, PLACEHOLDER);
    for option in &mut select.options {
        option.label = text::cut(&option.label, OPTION);
        option.description = text::cut(&option.description, OPTION);
    }
    select
}
