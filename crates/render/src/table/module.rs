//! What everybody at the table said in one round: one message, with an embed for each seat that has answered so far.

use super::{
    super::{card, limits, sources, text},
    WHOLE, line_within,
};
use domain::{
    Button, ButtonStyle, Color, CustomId, Does, Embed, FlagColor, ModuleName, ModuleOutput, Post,
    Redelegation, Round, Row, SessionId, Spoken, StepKey, citations::without_marks, equal_words,
};

/// A text on one line without its marks: each seat has numbers of its own, and their pages stand behind its button.
fn unmarked(text: &str, room: usize) -> String {
    line_within(&without_marks(text), room)
}

/// A seat that has answered.
#[derive(Clone, Debug)]
pub struct SeatInRound<'a> {
    /// What it said.
    pub output: &'a ModuleOutput,
    /// Its own round 1, given in round 2 to show what moved.
    pub first: Option<&'a ModuleOutput>,
    /// How its place was filled when its own call failed.
    pub redelegation: Option<&'a Redelegation>,
    /// Its own step, whose whole text and raw output its buttons open.
    pub step: StepKey,
}

/// A seat that could not answer.
#[derive(Clone, Debug)]
pub struct LostSeat<'a> {
    /// Whose it is.
    pub module: &'a ModuleName,
    /// Why, as a sentence.
    pub reason: String,
}

/// The message of a round, of at most ten seats. It is edited as they answer, so it is always one: where ten long
/// answers are too much for it, what stands behind the buttons too goes first, and the message says so.
#[must_use]
pub fn round_card(
    session: &SessionId,
    round: Round,
    seats: &[SeatInRound<'_>],
    lost: &[LostSeat<'_>],
) -> Post {
    let drawn = |detail: Detail| {
        let answered = seats.iter().map(|seat| embed(seat, round, detail));
        let silent = lost.iter().map(|seat| silent(seat, round, detail));
        Post {
            content: (if detail.crux { "" } else { SHORTENED }).to_owned(),
            embeds: answered.chain(silent).collect(),
            rows: rows(session, seats),
            ..Post::default()
        }
    };
    for detail in DETAILS {
        let post = drawn(detail);
        let embeds = post.embeds.len();
        if let [only] = &limits::fit(post)[..]
            && only.embeds.len() == embeds
        {
            return only.clone();
        }
    }
    limits::one(drawn(BARE))
}

const SHORTENED: &str = "-# Shortened, to fit into one message. The buttons open the whole texts.";

/// How much of each seat is shown.
#[derive(Clone, Copy)]
struct Detail {
    /// Room for each text.
    room: usize,
    /// What would change its choice.
    crux: bool,
}

const BARE: Detail = Detail { room: 16, crux: false };
/// From all to little. Only what no seat is asked for, or ten seats at their longest, gets past the first.
const DETAILS: [Detail; 6] = [
    Detail { room: WHOLE, crux: true },
    Detail { room: WHOLE, crux: false },
    Detail { room: 240, ..BARE },
    Detail { room: 120, ..BARE },
    Detail { room: 60, ..BARE },
    BARE,
];

fn embed(seat: &SeatInRound<'_>, round: Round, detail: Detail) -> Embed {
    let output = seat.output;
    let mut color = card::color(output.flags());
    let mut fields = Vec::new();
    if let Some(redelegation) = seat.redelegation {
        if matches!(color, Color::Neutral | Color::Good) {
            color = Color::Caution;
        }
        fields.push(card::field("⚠️ Degraded", card::redelegation(redelegation)).inside());
    }
    Embed {
        title: format!("{}{}", title(&output.module, round), spoken_for(output)),
        description: said(seat, round, detail),
        color,
        fields,
        footer: sources::footer(output.searched.as_ref(), output.dropped_citations, detail.crux),
        author: card::answered_by(&output.answered_by),
        ..Embed::default()
    }
}

/// The embed of a module that could not answer.
fn silent(seat: &LostSeat<'_>, round: Round, detail: Detail) -> Embed {
    let description = format!(
        "❌ **No answer.** {}\nNobody looked at this side in this round; the memo will say so.",
        unmarked(&seat.reason, detail.room)
    );
    Embed { title: title(seat.module, round), description, color: Color::Danger, ..Embed::default() }
}

fn title(module: &ModuleName, round: Round) -> String {
    format!("{} · round {}", card::module(module), round.number())
}

/// Who spoke for a module that could not itself.
fn spoken_for(output: &ModuleOutput) -> String {
    let by =
        output.spoken_for_by.as_ref().map(|by| format!(" · spoken for by {}", text::label(by.title(), 60)));
    by.unwrap_or_default()
}

/// Its finding, what it would do, and what moved or would move it. How many red flags it raised: the memo tells those that
/// count, and a seat's own words stand behind its button.
fn said(seat: &SeatInRound<'_>, round: Round, detail: Detail) -> String {
    let (output, position) = (seat.output, seat.output.position());
    let mut lines = vec![unmarked(output.summary(), detail.room)];
    if !position.option.trim().is_empty() {
        let option = unmarked(&position.option, detail.room);
        lines.push(format!("**Would:** {option} · **{} %**", position.success));
    }
    lines.extend(moved(seat, detail.room));
    if round == Round::Independent && detail.crux && !position.crux.trim().is_empty() {
        lines.push(format!("-# Would change it: {}", unmarked(&position.crux, detail.room)));
    }
    let reds = output.flags().iter().filter(|flag| flag.color == FlagColor::Red);
    let reds = reds.count();
    lines.extend((reds > 0).then(|| format!("🔴 {}", card::count(reds, "red flag"))));
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// What moved since its own round 1 and why; nothing of an answer that has no such round 1 and names no change. The arrow
/// stands only where the number changed.
fn moved(seat: &SeatInRound<'_>, room: usize) -> Option<String> {
    let Spoken::Challenge(now) = &seat.output.said else { return None };
    if seat.output.spoken_for_by.is_some() {
        return None;
    }
    let why = now.revised.as_deref().filter(|why| !why.trim().is_empty());
    let why = why.map(|why| unmarked(why, room));
    let Some(before) = seat.first.map(ModuleOutput::position) else {
        return why.map(|why| format!("Changed: {why}"));
    };
    let number = (before.success != now.position.success)
        .then(|| format!("{} → {} %", before.success, now.position.success));
    // What it was stands in the message of round 1.
    let chose_anew = !before.option.trim().is_empty() && !equal_words(&before.option, &now.position.option);
    let moved: Vec<String> =
        chose_anew.then(|| "Another choice".to_owned()).into_iter().chain(number).collect();
    let moved = (!moved.is_empty()).then(|| moved.join(", "));
    Some(match (moved, why) {
        (Some(moved), Some(why)) => format!("{moved}: {why}"),
        (Some(moved), None) => format!("{moved}."),
        (None, Some(why)) => format!("Changed: {why}"),
        (None, None) => "Stands by it.".to_owned(),
    })
}

/// A button for each seat's whole text, and one for each raw output where there is room for all of them.
fn rows(session: &SessionId, seats: &[SeatInRound<'_>]) -> Vec<Row> {
    let name = |seat: &SeatInRound<'_>| text::plain(seat.output.module.title(), 40);
    let whole = |seat: &SeatInRound<'_>| {
        let opens = Does::Whole(seat.step.clone());
        card::button(CustomId::new(session, opens), &name(seat), "📖", ButtonStyle::Secondary)
    };
    let raw = |seat: &SeatInRound<'_>| {
        let opens = Does::Raw(seat.step.clone());
        let label = format!("Raw · {}", name(seat));
        card::button(CustomId::new(session, opens), &label, "🧾", ButtonStyle::Secondary)
    };
    let in_rows = |buttons: Vec<Button>| -> Vec<Row> {
        buttons.chunks(limits::BUTTONS).map(|row| Row::Buttons(row.to_vec())).collect()
    };
    let mut rows = in_rows(seats.iter().map(whole).collect());
    let outputs = in_rows(seats.iter().map(raw).collect());
    if rows.len() + outputs.len() <= limits::ROWS {
        rows.extend(outputs);
    }
    rows
}
