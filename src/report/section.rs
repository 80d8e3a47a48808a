//! Sections: the cards of a thread, from what Discord shows to plain Markdown.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{Audience, Shown, date};
use domain::{Embed, FileBody, Post, one_line};

/// A card of the thread and what stood behind it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Section {
    /// The step it came from.
    pub key: String,
    /// What it showed.
    pub cards: Vec<Card>,
    /// The whole text behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<Whole>,
    /// The same field by field (of a memo its options, conflicts, flags and what became of each objection), under the key of each
    /// step; in JSON alone, and never in a customer's.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub said: BTreeMap<String, Value>,
}

/// A part of a card under one title.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Card {
    /// Its title; may be empty.
    pub title: String,
    /// Who answered; never in a customer's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Markdown.
    pub text: String,
    /// What stood below it under names of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Named>,
    /// Its small print; never in a customer's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

/// A text under a name.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Markdown.
    pub text: String,
}

/// A drawing.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Picture {
    /// What it shows, in words.
    pub alt: String,
    /// The drawing; only the page has it.
    #[serde(skip)]
    pub svg: String,
}

/// A whole text with its title.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Whole {
    /// The title.
    pub title: String,
    /// Markdown.
    pub text: String,
}

/// The sections of a report. Posts of one step follow one another and make one section.
pub(super) fn sections<'a>(cards: impl Iterator<Item = &'a Shown>, audience: Audience) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for shown in cards {
        let more = cards_of(&shown.post, audience);
        let key = shown.key.to_string();
        let whole = shown.whole.as_ref().filter(|(_, text)| !text.trim().is_empty());
        let whole = whole.map(|(title, text)| Whole { title: line(title), text: readable(text) });
        let said = if audience == Audience::Internal { shown.said.clone() } else { BTreeMap::new() };
        if let Some(same) = sections.last_mut().filter(|last| last.key == key) {
            same.cards.extend(more);
            same.said.extend(said);
            // The button to it stands on the last of several posts.
            same.whole = same.whole.take().or(whole);
            continue;
        }
        sections.push(Section { key, cards: more, whole, said });
    }
    sections.retain(|section| !section.cards.is_empty() || section.whole.is_some());
    sections
}

fn cards_of(post: &Post, audience: Audience) -> Vec<Card> {
    let content = Card { text: told(&post.content, audience), ..Card::default() };
    let embeds = post.embeds.iter().map(|embed| card(embed, post, audience));
    std::iter::once(content).chain(embeds).filter(|card| *card != Card::default()).collect()
}

fn card(embed: &Embed, post: &Post, audience: Audience) -> Card {
    let within =
        |text: &str| Some(line(text)).filter(|text| audience == Audience::Internal && !text.is_empty());
    let fields = embed.fields.iter().filter(|field| audience == Audience::Internal || !field.inside);
    let picture = embed.image.as_ref().and_then(|name| post.files.iter().find(|file| file.name == *name));
    Card {
        title: line(&embed.title),
        by: within(&embed.author),
        text: told(&embed.description, audience),
        fields: fields
            .map(|field| Named { name: line(&field.name), text: told(&field.value, audience) })
            .filter(|field| !field.text.is_empty())
            .collect(),
        note: within(&embed.footer),
        picture: picture.and_then(|file| match &file.body {
            FileBody::Svg(svg) => Some(Picture { alt: file.alt.clone(), svg: svg.clone() }),
            FileBody::Text(_) | FileBody::Bytes(_) => None,
        }),
    }
}

/// A card's text for a kind of reader. Its small lines say who raised what: nothing for a customer.
fn told(text: &str, audience: Audience) -> String {
    match audience {
        Audience::Internal => readable(text),
        Audience::Customer => {
            let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("-# ")).collect();
            readable(&kept.join("\n"))
        }
    }
}

/// Discord's Markdown as everybody's: times and names written out, every line an own one.
pub(super) fn readable(text: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    let text = plain(text);
    let mut lines = text.trim().lines().peekable();
    while let Some(line) = lines.next() {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        let small = line.strip_prefix("-# ").filter(|_| !fenced);
        out.push_str(small.unwrap_or(line).trim_end());
        // Discord begins a new line where the text does; Markdown does so after two spaces.
        let breaks = lines.peek().is_some_and(|next| !next.trim().is_empty() && !begins_a_block(next));
        if breaks && !fenced && !fence && !line.trim().is_empty() {
            out.push_str("  ");
        }
        if lines.peek().is_some() {
            out.push('\n');
        }
    }
    out
}

/// Whether a line begins something of its own: an item, a heading, a quotation, a fence.
fn begins_a_block(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ ", "#", ">", "```"].iter().any(|begins| line.starts_with(begins))
        || (number.len() < line.len() && number.starts_with(". "))
}

/// The same on one line, without a backslash before what is no markup there.
pub(super) fn line(text: &str) -> String {
    let text = one_line(&plain(text));
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' || !chars.peek().is_some_and(char::is_ascii_punctuation) {
            out.push(c);
        }
    }
    out
}

/// A text without what only Discord understands: `<t:0:R>` is a date, `<@1>` a member, `<#1>` a channel.
pub(super) fn plain(text: &str) -> String {
    let text = text.replace('\u{200b}', "");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let mark = rest.find('>').and_then(|end| Some((named(&rest[1..end])?, end)));
        if let Some((name, end)) = mark {
            let again = rest.starts_with("<t:") && out.trim_end_matches(['(', ' ', '\n']).ends_with(&name);
            rest = &rest[end + 1..];
            if again {
                // The same time once more in another form: `<t:0:f> (<t:0:R>)`.
                let bracket = out.ends_with('(') && rest.starts_with(')');
                out.truncate(out.trim_end_matches(['(', ' ', '\n']).len());
                rest = if bracket { &rest[1..] } else { rest };
            } else {
                out.push_str(&name);
            }
        } else {
            out.push('<');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// What a mark of Discord's stands for; `None` for what is none.
fn named(mark: &str) -> Option<String> {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if let Some(time) = mark.strip_prefix("t:") {
        return time.split(':').next()?.parse().ok().map(date);
    }
    let (name, id) = [("@&", "a role"), ("@", "a member"), ("#", "a channel")]
        .iter()
        .find_map(|(begins, name)| Some((*name, mark.strip_prefix(begins)?)))?;
    number(id).then(|| name.to_owned())
}
