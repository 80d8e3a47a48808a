//! What the answer hangs on, as open questions to bring evidence on.

use super::{
    super::{card, limits, markdown, sources, text},
    LINE, NO_JUDGE, ask, favors, level, one, second_look,
};
use domain::{
    Addressee, Color, CustomId, Embed, Evidence, Hinge, Opens, Post, Row, Searched, Select, SelectOption,
    SessionId, StepKey, neutrality::Judgement,
};

/// Room for all hinges, with what stands around them within one message.
const ROOM: usize = 3_800;

/// The hinges as open questions in a select *Bring evidence on …*. The paper above asks them, so that only those stand in the
/// text that nobody could read whole in the select, and those on which evidence was brought, as they were last looked at; all of
/// them where there is no `paper` that could be shown.
#[must_use]
pub fn hinges_panel(session: &SessionId, hinges: &[Hinge], evidence: &[Evidence], paper: bool) -> Post {
    let told = |number: u32, hinge: &Hinge| {
        let is_cut = text::length(&label(number, hinge)) > limits::OPTION;
        !paper || is_cut || evidence.iter().any(|evidence| evidence.hinge.map(u32::from) == Some(number))
    };
    let lines = |each| -> Vec<String> {
        let shown = (1..).zip(hinges).filter(|(number, hinge)| told(*number, hinge));
        shown.map(|(number, hinge)| line(number, hinge, evidence, paper, each)).collect()
    };
    // Whole, unless there are more or longer ones than any form asks for.
    let whole = lines(LINE);
    let fits = whole.iter().map(|line| text::length(line) + 1).sum::<usize>() <= ROOM;
    let lines = if fits { whole } else { lines((ROOM / hinges.len().max(1)).clamp(160, 640)) };
    let intro = if hinges.is_empty() {
        "The moderator named none."
    } else {
        "Choose one below to bring evidence on it, and the moderator looks at it again."
    };
    let description = format!("{intro}\n\n{}", card::lines(&lines, ROOM, "behind *Where they disagree*."));
    let embed = Embed {
        title: "🔎 Open questions · what the answer depends on".to_owned(),
        description: description.trim_end().to_owned(),
        color: Color::Synthesis,
        ..Embed::default()
    };
    let select = Select {
        id: CustomId::new(session, Opens::Hinge(None)),
        placeholder: "Bring evidence on…".to_owned(),
        options: (1..).zip(hinges).map(option).collect(),
        range: (1, 1),
    };
    let rows = if select.options.is_empty() { Vec::new() } else { vec![Row::Select(select)] };
    one(Post { rows, ..card::post(embed) })
}

/// A hinge as the select names it, before it is cut.
fn label(number: u32, hinge: &Hinge) -> String {
    format!("{number} · {}", hinge.if_true)
}

fn option((number, hinge): (u32, &Hinge)) -> SelectOption {
    SelectOption {
        label: text::plain(&label(number, hinge), limits::OPTION),
        value: number.to_string(),
        description: format!(
            "If true, it {} · confidence: {}",
            favors(hinge.then_favors),
            level(hinge.confidence)
        ),
    }
}

/// A hinge within about `most` units: what may be so gets a little more than half of them.
fn line(number: u32, hinge: &Hinge, evidence: &[Evidence], paper: bool, most: usize) -> String {
    let room = most - 90;
    let mut told = format!(
        "**{number}. If true:** {}\n-# {} · confidence: {}",
        markdown::inline(&hinge.if_true, room * 55 / 100),
        favors(hinge.then_favors),
        level(hinge.confidence)
    );
    let brought: Vec<String> = (evidence.iter())
        .filter(|evidence| evidence.hinge.map(u32::from) == Some(number))
        .map(|evidence| format!("E{} by {}", evidence.number, text::label(&evidence.author_name, 32)))
        .collect();
    // What was known before evidence came stands in the paper.
    if !paper || !brought.is_empty() {
        let known = markdown::inline(&hinge.known(), room * 30 / 100);
        if !known.trim().is_empty() && room > 120 {
            told = format!("{told}\n-# so far: {known}");
        }
    }
    if !brought.is_empty() {
        told = format!("{told}\n-# 📎 {}", few(&brought));
    }
    format!("{told}\n")
}

/// `E4 by Ada and E6 by Mara`; after three, how many more.
fn few(brought: &[String]) -> String {
    if brought.len() <= 4 {
        return card::listed(brought);
    }
    let shown: Vec<String> =
        brought.iter().take(3).cloned().chain([format!("{} more", brought.len() - 3)]).collect();
    card::listed(&shown)
}

/// A hinge that was looked at again: as it was, and as it is, with the pages that it cites; `searched` where something was to
/// be looked up.
#[must_use]
pub fn hinge_card(
    session: &SessionId,
    step: &StepKey,
    number: u8,
    (before, after): (&Hinge, &Hinge),
    evidence: &Evidence,
    (model, judgement): (&str, &Judgement),
    searched: Option<Searched>,
) -> Vec<Post> {
    let same = if before == after { "\n\nThe moderator reads it as before." } else { "" };
    // Each state has an embed of its own, for a field has no room for all of a long one.
    let stated = |title: &str, description: String| Embed {
        title: title.to_owned(),
        description,
        color: Color::Synthesis,
        ..Embed::default()
    };
    let mut fields: Vec<_> = sources::field(&after.numbered(), "behind the button.").into_iter().collect();
    fields.extend(second_look(judgement, false));
    let looked_up = searched.map(|searched| format!("{} · ", sources::outcome(&searched)));
    let why = Embed {
        author: card::answered_by(model),
        title: format!("🔎 Open question {number}, looked at again"),
        description: format!(
            "Because of **E{}** by {}:\n> {}{same}",
            evidence.number,
            text::label(&evidence.author_name, 100),
            markdown::member_inline(&evidence.claim, 1_200)
        ),
        color: Color::Synthesis,
        ..Embed::default()
    };
    let now = Embed {
        fields,
        footer: format!("{}Nobody has checked the evidence. {NO_JUDGE}", looked_up.unwrap_or_default()),
        ..stated(if before == after { "As it stands" } else { "Now" }, state(after, &after.current_evidence))
    };
    let mut embeds = vec![why];
    if before != after {
        embeds.push(stated("Before", state(before, &before.known())));
    }
    embeds.push(now);
    let mut row = card::raw_only(session, step);
    if let Row::Buttons(buttons) = &mut row {
        buttons.push(ask(session, Addressee::Moderator));
    }
    limits::fit(Post { embeds, rows: vec![row], ..Post::default() })
}

/// A hinge with what is known of it: with marks only where its pages are listed.
fn state(hinge: &Hinge, known: &str) -> String {
    let known = markdown::inline(known, LINE);
    let known = if known.trim().is_empty() { "nothing".to_owned() } else { known };
    format!(
        "**If true:** {}\n**It:** {}\n**Known:** {known}\n**Confidence:** {}",
        markdown::inline(&hinge.if_true, LINE / 3),
        favors(hinge.then_favors),
        level(hinge.confidence)
    )
}
