//! A member's tree: in short on a card, whole as an indented list.

use super::{
    super::{card, limits, markdown, text},
    COUNCIL, WHOLE, quotation, section, section_lines, sign,
};
use domain::{
    Claim, Color, Document, DocumentSection, Embed, Ended, Field, ModelName, Philosopher, Post, SessionId,
    StepKey, Tree,
};

/// Claims that a card shows; the others are behind its button.
const SHOWN: usize = 2;

/// A member's tree, in short; the whole of it behind *Tree*.
#[must_use]
pub fn tree_card(
    session: &SessionId,
    key: &StepKey,
    tree: &Tree,
    document: &Document,
    sections: &[DocumentSection],
    stand_ins: &[ModelName],
) -> Vec<Post> {
    let mut blocks = vec![format!("Looks for {}.\n{}", tree.member.looks_for(), counted(tree))];
    blocks.extend(weightiest(tree).into_iter().map(|claim| short(claim, document)));
    let fields = degraded(tree, sections, stand_ins);
    let embed = Embed {
        author: answered(tree),
        title: format!("{COUNCIL} {} · critique", tree.member),
        description: blocks.join("\n\n"),
        color: if fields.is_empty() { Color::Neutral } else { Color::Caution },
        fields,
        footer: "As first written; the self-critique may make a claim more or less sure.".to_owned(),
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, key, "Tree")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// A member for whom no model answered.
#[must_use]
pub fn missing_card(member: Philosopher, why: &str) -> Vec<Post> {
    let why = markdown::inline(why, 600);
    let description = format!(
        "❌ **No answer:** {}. The others go on without it, and nobody looked for {}.",
        why.trim_end_matches('.'),
        member.looks_for()
    );
    let title = format!("{COUNCIL} {member} · critique");
    limits::fit(card::post(Embed { title, description, color: Color::Danger, ..Embed::default() }))
}

/// A member's whole tree as an indented list: title and text.
#[must_use]
pub fn whole_tree(tree: &Tree, document: &Document, sections: &[DocumentSection]) -> (String, String) {
    let mut parts = vec![format!("Looks for {}. {}", tree.member.looks_for(), counted(tree))];
    let mut last = None;
    for claim in &tree.claims {
        if sections.len() > 1 && last != Some(claim.section) {
            parts.push(format!("### {}", section(claim.section, sections)));
            last = Some(claim.section);
        }
        let mut lines = Vec::new();
        items(claim, document, 0, &mut lines);
        parts.push(lines.join("\n"));
    }
    if !tree.failed.is_empty() {
        parts.push("### Could not be read".to_owned());
        parts.push(section_lines(&tree.failed, sections, usize::MAX, ""));
    }
    (format!("{COUNCIL} {} · tree", tree.member), parts.join("\n\n"))
}

/// A claim and what hangs below it, each an item of the list.
fn items(claim: &Claim, document: &Document, level: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(level);
    lines.push(format!(
        "{indent}- **{} · {} · {} · {}:** {}",
        claim.id,
        card::severity(claim.severity),
        card::percent(claim.confidence.get()),
        text::label(&claim.area, 120),
        markdown::inline(&claim.claim, WHOLE)
    ));
    lines.push(format!("{indent}  {}", quotation::inline(document, &claim.evidence, WHOLE)));
    if let Some(ended) = ended(claim) {
        lines.push(format!("{indent}  *{ended}*"));
    }
    for child in &claim.children {
        items(child, document, level + 1, lines);
    }
}

/// Why a branch ends, in words.
fn ended(claim: &Claim) -> Option<&'static str> {
    let why = match claim.ended {
        Some(Ended::Depth) => "Goes no deeper: the depth that was chosen is reached.",
        Some(Ended::TooSmall) => "Goes no deeper: the passage is too small to split.",
        Some(Ended::Unsure) => "Goes no deeper: less than 30 % sure.",
        Some(Ended::NothingGained) => "Goes no deeper: nothing would be gained by it.",
        Some(Ended::NotFound) => "Goes no deeper: the passage to look into does not stand in the text.",
        Some(Ended::Budget) => "Goes no deeper: the planned calls allow no more branches here.",
        Some(Ended::Failed) => "⚠️ Goes no deeper: the call that was to look into it failed.",
        None if claim.children.is_empty() => "Looked into, and nothing more was found.",
        None => return None,
    };
    Some(why)
}

/// `9 claims on 2 levels.`
fn counted(tree: &Tree) -> String {
    let all = tree.all();
    if all.is_empty() {
        return "**No claims:** it found nothing wrong or missing in what it read.".to_owned();
    }
    let mut line =
        format!("**{}** on {}", card::count(all.len(), "claim"), card::count(tree.depth(), "level"));
    let unquoted = all.iter().filter(|claim| claim.evidence.found.is_none()).count();
    if unquoted > 0 {
        line = format!("{line}, {unquoted} of them ⚠️ not quoted from the text");
    }
    format!("{line}.")
}

/// The claims with the highest severity, then the surest.
fn weightiest(tree: &Tree) -> Vec<&Claim> {
    let mut all = tree.all();
    all.sort_by(|a, b| (a.severity.cmp(&b.severity)).then(b.confidence.get().total_cmp(&a.confidence.get())));
    all.truncate(SHOWN);
    all
}

fn short(claim: &Claim, document: &Document) -> String {
    format!(
        "{} **{} · {}** · {}\n{}",
        sign(claim.severity),
        super::word(claim.severity),
        text::label(&claim.area, 80),
        quotation::place_of(document, &claim.evidence),
        markdown::inline(&claim.claim, 260)
    )
}

/// The models that answered, each once.
fn answered(tree: &Tree) -> String {
    if tree.answered_by.is_empty() {
        String::new()
    } else {
        card::answered_by(&card::listed(&tree.answered_by))
    }
}

fn degraded(tree: &Tree, sections: &[DocumentSection], stand_ins: &[ModelName]) -> Vec<Field> {
    let mut fields = Vec::new();
    if !stand_ins.is_empty() {
        let models: Vec<String> = stand_ins.iter().map(|model| text::label(&model.shown(), 80)).collect();
        let value = format!("Its own model could not answer every time; {} stood in.", card::listed(&models));
        fields.push(card::field("⚠️ Degraded", value));
    }
    if !tree.failed.is_empty() {
        let lines = section_lines(&tree.failed, sections, 600, "in the tree.");
        fields.push(card::field("⚠️ Could not read", lines));
    }
    if tree.failed_branches > 0 {
        let value = format!(
            "{} could not be looked into, for the call failed.",
            card::count(tree.failed_branches, "claim")
        );
        fields.push(card::field("⚠️ Not looked into", value));
    }
    fields
}
