//! The cards of a mediation, in the order in which they appear. Nothing that a model wrote in a round or in the memo is cut
//! here: what is long goes on in a further embed or message.

mod check;
mod conflicts;
mod module;
mod research;
mod selection;
mod solutions;
mod synthesis;
mod worth;

use super::{markdown, text};
use domain::{Color, Embed, Flag, FlagColor};

pub use check::check_card;
pub use module::{LostSeat, SeatInRound, round_card};
pub use research::{no_research_card, research_cards, research_in_short, research_text};
pub use selection::{Choice, selection_card, whole_selection};
pub(crate) use solutions::checked;
pub use synthesis::{Seated, memo_cards};
pub use worth::worth_card;

/// Room for a text that is shown whole: several times what the longest may have, so that only what is no answer reaches it.
const WHOLE: usize = 6_000;
/// Room for an embed's part of a list. Well below what an embed may hold, so that embeds fill messages evenly.
const PART: usize = 2_000;

/// A text on one line, whole.
fn line(text: &str) -> String {
    line_within(text, WHOLE)
}

/// A text on one line.
fn line_within(text: &str, room: usize) -> String {
    markdown::inline(&guarded(text), room)
}

/// A text with its paragraphs and lists, whole.
fn paragraphs(text: &str) -> String {
    markdown::short(text, WHOLE)
}

/// A text whose beginning is not read as that of a list, a heading or a quotation: `15. December` keeps its number and
/// `> 40` its sign.
fn guarded(text: &str) -> String {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    let begins_block = if number.is_empty() {
        let bullet = rest.strip_prefix(['-', '+', '*']);
        rest.starts_with(['#', '>']) || bullet.is_some_and(|after| after.starts_with(char::is_whitespace))
    } else {
        rest.starts_with(['.', ')'])
    };
    if begins_block { format!("{number}\\{rest}") } else { text.to_owned() }
}

/// A flag on a line, whole: colour as emoji and as word.
fn flag(flag: &Flag) -> String {
    let colour = match flag.color {
        FlagColor::Red => "🔴 **Red:**",
        FlagColor::Yellow => "🟡 **Yellow:**",
        FlagColor::Green => "🟢 **Green:**",
    };
    format!("{colour} {}", line(&flag.text))
}

/// Blocks of text below a title, in as many embeds as they need; none of them is split, and none where there is none.
fn packed(title: &str, blocks: impl IntoIterator<Item = String>, between: &str) -> Vec<Embed> {
    let mut parts: Vec<String> = Vec::new();
    for block in blocks.into_iter().filter(|block| !block.trim().is_empty()) {
        let needed = text::length(between) + text::length(&block);
        match parts.last_mut() {
            Some(last) if text::length(last) + needed <= PART => {
                last.push_str(between);
                last.push_str(&block);
            }
            _ => parts.push(block),
        }
    }
    let embed = |(place, description)| Embed {
        title: if place == 0 { title.to_owned() } else { String::new() },
        description,
        color: Color::Synthesis,
        ..Embed::default()
    };
    parts.into_iter().enumerate().map(embed).collect()
}

#[cfg(test)]
mod tests;
