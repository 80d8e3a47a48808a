//! The memo, whole, in as few messages as hold it.

use super::{
    super::{card, limits, markdown, sources, text},
    conflicts::{conflicts, matrix},
    flag, line, packed, paragraphs,
    solutions::listed,
};
use domain::{
    Color, CounterFinding, Embed, Flag, NotKnown, Panel, Post, RaciRow, Redelegation, SessionId, Solution,
    StepKey, Synthesis,
};

/// How the models sit at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seated<'a> {
    /// The writer's is no seat's.
    Apart,
    /// The writer's is that of these seats too, by their names.
    WriterShares(&'a [&'a str]),
    /// All are one.
    OneModel,
}

/// The memo: the answer and its text; then all that is open; last, what objections changed in it. Empty parts are left out. The
/// options stand whole on the vote, which follows, and here only where there is no text that speaks of them. `trusted` is a
/// sentence on those who counted more or less in it than usual.
#[must_use]
pub fn memo_cards(
    session: &SessionId,
    step: &StepKey,
    (memo, solutions): (&Synthesis, &[Solution]),
    table: (&Panel, Option<&str>),
    redelegations: &[Redelegation],
    raci: &[RaciRow],
    seated: Seated<'_>,
) -> Vec<Post> {
    let mut first = vec![answer(memo, table, redelegations, seated)];
    if let Some(answer) = first.first_mut() {
        answer.fields.extend(matrix(raci));
    }
    first.extend(text_of(memo));
    let mut second = if has_text(memo) && !is_plain(memo) {
        Vec::new()
    } else {
        listed("🔀 What could be done", solutions)
    };
    second.extend(behind_the_answer(memo, raci));
    if let Some(last) = second.last_mut().or_else(|| first.last_mut()) {
        last.description.extend(answered(memo));
        last.fields.extend(sources::field(&memo.sources, "in the whole memo."));
        last.footer = sources::removed(memo.dropped_citations);
    }
    let mut posts = in_messages(first, second);
    if let Some(last) = posts.last_mut() {
        last.rows = vec![card::whole_and_raw(session, step, "Whole memo")];
    }
    posts
}

/// Whether nobody wrote it.
fn is_plain(memo: &Synthesis) -> bool {
    memo.answered_by.is_empty()
}

/// Whether it says more than its answer.
fn has_text(memo: &Synthesis) -> bool {
    !memo.text.trim().is_empty()
}

/// What the objections to its draft changed, and how many did; nothing where there were none.
fn answered(memo: &Synthesis) -> Option<String> {
    let all = memo.resolutions.len();
    if all == 0 {
        return None;
    }
    let taken = memo.resolutions.iter().filter(|answer| answer.taken).count();
    let changed = match line(&memo.changed) {
        none if none.is_empty() => none,
        changed => format!("**Changed by the check:** {changed} "),
    };
    let all = card::count(all, "objection");
    Some(format!("\n-# 🔁 {changed}{taken} of {all} to the draft taken; read them in *Whole memo*."))
}

/// The memo's text below its answer, in as many embeds as it takes.
fn text_of(memo: &Synthesis) -> impl Iterator<Item = Embed> {
    let parts = markdown::body(&memo.text, limits::DESCRIPTION - 96).into_iter();
    parts.map(|description| Embed { description, color: Color::Synthesis, ..Embed::default() })
}

/// The answer with its text in one message and the rest in another; where that takes more than two, one after the other as they
/// fit, if that takes fewer.
fn in_messages(first: Vec<Embed>, second: Vec<Embed>) -> Vec<Post> {
    let fit = |embeds: Vec<Embed>| limits::fit(Post { embeds, ..Post::default() });
    let apart = [fit(first.clone()), fit(second.clone())].concat();
    if apart.len() <= 2 {
        return apart;
    }
    let together = fit([first, second].concat());
    if together.len() < apart.len() { together } else { apart }
}

/// The model that wrote it, and whose else it is: it may lean to what it said there.
fn author(memo: &Synthesis, seated: Seated<'_>) -> String {
    let model = card::answered_by(&memo.answered_by);
    match seated {
        Seated::WriterShares(names) => {
            let names: Vec<String> = names.iter().map(|name| text::plain(name, 40)).collect();
            format!("{model}, the model of {}", card::listed(&names))
        }
        Seated::Apart | Seated::OneModel => model,
    }
}

fn answer(
    memo: &Synthesis,
    (panel, trusted): (&Panel, Option<&str>),
    redelegations: &[Redelegation],
    seated: Seated<'_>,
) -> Embed {
    let mut fields = Vec::new();
    if !panel.deactivated.is_empty() {
        let said = memo.deactivated_disclaimer.as_deref().map(paragraphs).unwrap_or_default();
        let left_out = format!("Left out by the team: **{}**.", card::modules(&panel.deactivated));
        fields.push(card::field("🚫 Left out on purpose", format!("{left_out} {said}").trim_end()));
    }
    if !redelegations.is_empty() {
        let shown: Vec<String> =
            redelegations.iter().map(|r| format!("- {}", card::redelegation(r))).collect();
        fields
            .push(card::field("⚠️ Degraded", card::lines(&shown, card::FIELD_ROOM, "like these.")).inside());
    }
    if let Some(gaps) = &memo.gaps {
        fields.push(card::field("❔ Thin or missing views", paragraphs(gaps)));
    }
    if seated == Seated::OneModel {
        fields.push(
            card::field("Read with care", "All seats are one model: the panel's agreement means less.")
                .inside(),
        );
    }
    let is_plain = is_plain(memo);
    let mut description = line(&memo.answer);
    if let Some(trusted) = trusted {
        description = format!("{description}\n-# 📒 Weighed in here: {}", text::cut(trusted, TRUSTED));
    }
    Embed {
        author: if is_plain { String::new() } else { author(memo, seated) },
        title: (if is_plain { "⚠️ No memo" } else { "🧩 Do this" }).to_owned(),
        description,
        color: if is_plain { Color::Caution } else { Color::Synthesis },
        fields,
        ..Embed::default()
    }
}

/// Room for those who count more or less than usual: all that can sit at a table, each with its number.
const TRUSTED: usize = 320;

/// What is open, and what speaks against the answer.
fn behind_the_answer(memo: &Synthesis, raci: &[RaciRow]) -> Vec<Embed> {
    let kept = |CounterFinding { finding, from, right_if }: &CounterFinding| {
        let from = text::label(from.title(), 60);
        format!("- {} *({from})*{}", line(finding), below("It would be right if", right_if))
    };
    let unknown =
        |NotKnown { what, find_out }: &NotKnown| format!("- {}{}", line(what), below("Find out", find_out));
    let mut flags: Vec<&Flag> = memo.flags.iter().collect();
    flags.sort_by_key(|flag| flag.color);
    [
        conflicts(&memo.conflicts, raci),
        packed("⚖️ What speaks against it", memo.kept_against.iter().map(kept), "\n"),
        packed("❓ Still unknown", memo.unknown.iter().map(unknown), "\n"),
        packed("🚩 Watch", flags.into_iter().map(flag), "\n"),
        packed("✋ Objected to, and not answered", items(&memo.unanswered), "\n"),
    ]
    .concat()
}

fn items(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| format!("- {}", line(text))).collect()
}

/// A line below an item, under its label; nothing where there is nothing.
fn below(label: &str, text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { format!("\n  **{label}:** {}", line(text)) }
}
