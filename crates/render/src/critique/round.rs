//! What the council found and what it made of that: a message each, with an embed for each member that has answered so far.

use super::{
    super::{card, chosen, limits, text},
    COUNCIL, line, section_lines, sign, word,
};
use domain::{
    Adjustment, Claim, Color, DocumentSection, Embed, Field, Philosopher, Post, Row, SelfCritique, SessionId,
    StepKey, Tree, first_sentence,
};

/// The numbers of the two lists, which no list of findings has.
const TREES: u8 = 11;
const CRITIQUES: u8 = 12;

/// How much of each member is shown: all, else without the words of claims. Only what nobody is asked for gets past the first.
const WORDS: [bool; 2] = [true, false];

/// The trees, in the order of the council, and who has none and why.
#[must_use]
pub fn trees_card(
    session: &SessionId,
    trees: &[Tree],
    missing: &[(Philosopher, String)],
    sections: &[DocumentSection],
) -> Post {
    let steps = trees.iter().map(|tree| (tree.member, StepKey::from("critique").child(tree.member.as_str())));
    let rows = rows(session, (TREES, "Open a tree, or how it came about…", "tree"), steps.collect());
    fitting(rows, |words| {
        let found = trees.iter().map(|tree| (tree.member, tree_embed(tree, sections, words)));
        let silent = missing.iter().map(|(member, why)| (*member, silent(*member, why)));
        let mut embeds: Vec<(Philosopher, Embed)> = found.chain(silent).collect();
        embeds.sort_by_key(|(member, _)| *member);
        embeds.into_iter().map(|(_, embed)| embed).collect()
    })
}

/// What each member makes of its own claims. `trees`: as they were before.
#[must_use]
pub fn critiques_card(
    session: &SessionId,
    critiques: &[SelfCritique],
    missing: &[Philosopher],
    trees: &[Tree],
) -> Post {
    let step = |member: Philosopher| StepKey::from("self-critique").child(member.as_str());
    let steps = critiques.iter().map(|critique| (critique.member, step(critique.member)));
    let rows = rows(
        session,
        (CRITIQUES, "Open a self-critique, or how it came about…", "self-critique"),
        steps.collect(),
    );
    fitting(rows, |words| {
        let said = critiques.iter().map(|critique| (critique.member, critique_embed(critique, trees, words)));
        let silent = missing.iter().map(|member| {
            let description = "⚠️ **No answer:** what it claimed stands as it was.".to_owned();
            (
                *member,
                Embed {
                    title: title(*member, "self-critique"),
                    description,
                    color: Color::Caution,
                    ..Embed::default()
                },
            )
        });
        let mut embeds: Vec<(Philosopher, Embed)> = said.chain(silent).collect();
        embeds.sort_by_key(|(member, _)| *member);
        embeds.into_iter().map(|(_, embed)| embed).collect()
    })
}

/// One message, as whole as it can be.
fn fitting(rows: Vec<Row>, embeds: impl Fn(bool) -> Vec<Embed>) -> Post {
    let drawn = |words| {
        let content =
            if words { "" } else { "-# Shortened, to fit into one message. The list opens all of it." };
        Post { content: content.to_owned(), embeds: embeds(words), rows: rows.clone(), ..Post::default() }
    };
    let whole = WORDS.into_iter().map(drawn).find_map(|post| {
        let number = post.embeds.len();
        let [only] = &limits::fit(post)[..] else { return None };
        (only.embeds.len() == number).then(|| only.clone())
    });
    whole.unwrap_or_else(|| limits::one(drawn(false)))
}

fn title(member: Philosopher, what: &str) -> String {
    format!("{COUNCIL} {member} · {what}")
}

fn tree_embed(tree: &Tree, sections: &[DocumentSection], words: bool) -> Embed {
    let mut lines = vec![format!("-# Looks for {}.", tree.member.looks_for()), counted(tree)];
    lines.extend(
        tree.all().into_iter().min_by_key(|claim| claim.weight()).map(|claim| weightiest(claim, words)),
    );
    let fields = degraded(tree, sections);
    Embed {
        author: if tree.answered_by.is_empty() {
            String::new()
        } else {
            card::answered_by(&card::listed(&tree.answered_by))
        },
        title: title(tree.member, "critique"),
        description: lines.join("\n"),
        color: if fields.is_empty() { Color::Neutral } else { Color::Caution },
        fields,
        ..Embed::default()
    }
}

/// A claim's severity and its first sentence; the rest stands behind the list.
fn weightiest(claim: &Claim, words: bool) -> String {
    let said = if words { format!(" {}", line(first_sentence(&claim.claim))) } else { String::new() };
    format!("{} **{}**{said}", sign(claim.severity), word(claim.severity))
}

/// `9 claims, 2 of them looked into.`
fn counted(tree: &Tree) -> String {
    let all = tree.all();
    if all.is_empty() {
        return "**No claims:** it found nothing wrong or missing in what it read.".to_owned();
    }
    let mut parts = vec![format!("**{}**", card::count(all.len(), "claim"))];
    let looked =
        all.iter().filter(|claim| claim.changes.iter().any(|change| change.effect.is_some())).count();
    if looked > 0 {
        parts.push(format!("{looked} looked into"));
    }
    let unquoted = all.iter().filter(|claim| claim.is_unquoted()).count();
    if unquoted > 0 {
        parts.push(format!("⚠️ {unquoted} not quoted from the text"));
    }
    format!("{}.", parts.join(", "))
}

/// A member for whom no model answered.
fn silent(member: Philosopher, why: &str) -> Embed {
    let why = line(why);
    let description = format!(
        "❌ **No answer:** {}. The others go on without it, and nobody looked for {}.",
        why.trim_end_matches('.'),
        member.looks_for()
    );
    Embed { title: title(member, "critique"), description, color: Color::Danger, ..Embed::default() }
}

fn degraded(tree: &Tree, sections: &[DocumentSection]) -> Vec<Field> {
    let mut fields = Vec::new();
    if !tree.stand_ins.is_empty() {
        let models: Vec<String> =
            tree.stand_ins.iter().map(|model| text::label(&model.shown(), 80)).collect();
        let value = format!("Its own model could not answer every time; {} stood in.", card::listed(&models));
        fields.push(card::field("⚠️ Degraded", value).inside());
    }
    if !tree.failed.is_empty() {
        let lines = section_lines(&tree.failed, sections, 300, "in its tree.");
        fields.push(card::field("⚠️ Could not read", lines).inside());
    }
    if tree.failed_branches > 0 {
        let claims = card::count(tree.failed_branches, "claim");
        let value = format!("{claims} could not be looked into, because the call failed.");
        fields.push(card::field("⚠️ Not looked into", value).inside());
    }
    fields
}

/// What a member took back, narrowed, made less or more of, by its claims' numbers, and what it had missed.
fn critique_embed(critique: &SelfCritique, trees: &[Tree], words: bool) -> Embed {
    let own = trees.iter().find(|tree| tree.member == critique.member);
    let kind = |change: &Adjustment| {
        let before = own.and_then(|tree| tree.claim(&change.target)).map(|claim| claim.confidence);
        match before {
            _ if !change.confidence.stays() => "took back",
            _ if change.restated.is_some() => "narrowed",
            Some(before) if before < change.confidence => "surer of",
            _ => "less sure of",
        }
    };
    let parts = ["took back", "narrowed", "less sure of", "surer of"].into_iter().filter_map(|what| {
        let of = critique.adjustments.iter().filter(|change| kind(change) == what);
        let numbers: Vec<String> = of.map(|change| change.target.number()).collect();
        let claims = if numbers.len() == 1 { "claim" } else { "claims" };
        (!numbers.is_empty()).then(|| format!("{what} {claims} {}", card::listed(&numbers)))
    });
    let parts: Vec<String> = parts.collect();
    let changed = if parts.is_empty() { "no claim changed".to_owned() } else { parts.join(" · ") };
    let changed = format!("{}{}.", changed[..1].to_uppercase(), &changed[1..]);
    let missed = critique.missed.iter().map(|claim| format!("Missed before: {}", weightiest(claim, words)));
    let description: Vec<String> = std::iter::once(changed).chain(missed).collect();
    Embed {
        author: card::answered_by(&critique.answered_by),
        title: title(critique.member, "self-critique"),
        description: description.join("\n"),
        color: if critique.stand_in.is_some() { Color::Caution } else { Color::Neutral },
        footer: dropped(critique.dropped),
        ..Embed::default()
    }
}

/// How much named no claim there is.
fn dropped(remarks: u32) -> String {
    match remarks {
        0 => String::new(),
        1 => "1 remark left out: it named a claim that does not exist or is not its own.".to_owned(),
        _ => format!("{remarks} remarks left out: they named claims that do not exist or are not its own."),
    }
}

/// The list below a round's card, in the order of the council.
fn rows(session: &SessionId, list: (u8, &str, &str), mut steps: Vec<(Philosopher, StepKey)>) -> Vec<Row> {
    steps.sort_by_key(|(member, _)| *member);
    let steps: Vec<(String, StepKey)> =
        steps.into_iter().map(|(member, step)| (member.to_string(), step)).collect();
    chosen::list(session, list, &steps, &steps)
}
