//! The moderator's synthesis: summary first, then where the sides meet, where and why they part, and what it hangs on.

use super::{
    super::{card, limits, markdown, text},
    LINE, NO_JUDGE, ask, marked, second_look, stood_in,
};
use domain::{
    Addressee, Agreement, AssumptionConflict, Between, Color, CoreDisagreement, DebateBrief, Embed,
    EvidenceGap, Field, Knowledge, ModelName, NeutralSynthesis, Post, RootCause, Row, Seat, Section,
    SessionId, StepKey, Withheld,
};

/// The moderator's synthesis: the paper that people vote by, whole; what was judged to be neutral is what is shown. Where the
/// sides part stands behind a button, for the paper tells it; what is left of a synthesis without a paper stands in its place.
/// Its hinges have a panel of their own below, where evidence can be brought on each.
#[must_use]
pub fn synthesis_cards(
    session: &SessionId,
    step: &StepKey,
    synthesis: &NeutralSynthesis,
    (stand_in, brief): (Option<&ModelName>, &DebateBrief),
) -> Vec<Post> {
    let mut embeds = paper(synthesis);
    if let Some(first) = embeds.first_mut() {
        first.author = card::answered_by(&synthesis.synthesis.answered_by);
        "⚖️ Moderator · synthesis".clone_into(&mut first.title);
    }
    if let Some(last) = embeds.last_mut() {
        last.fields = noted(synthesis, stand_in);
        let shared = shared_model(brief, stand_in);
        let dropped = card::dropped(synthesis.synthesis.dropped_citations);
        let parts = [NO_JUDGE, &shared, &dropped];
        last.footer = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    }
    let mut row = card::whole_and_raw(session, step, "Where they disagree");
    if let Row::Buttons(buttons) = &mut row {
        buttons.push(ask(session, Addressee::Moderator));
    }
    limits::fit(Post { embeds, rows: vec![row], ..Post::default() })
}

/// The paper in as many embeds as it takes; without one, why, and the parts that can be shown.
fn paper(synthesis: &NeutralSynthesis) -> Vec<Embed> {
    let embed = |description: String| Embed { description, color: Color::Synthesis, ..Embed::default() };
    let said = &synthesis.synthesis;
    let paper = markdown::body(&said.executive_summary, limits::DESCRIPTION - 100);
    if paper.iter().any(|part| !part.trim().is_empty()) {
        return paper.into_iter().map(embed).collect();
    }
    let hidden = synthesis.withheld.iter().any(|part| part.section == Section::Summary);
    let why = if hidden {
        "The summary is withheld; what can be shown stands below."
    } else {
        "There is no summary."
    };
    let sections = [
        (Section::Agreements, blocks(&said.areas_of_agreement, agreement)),
        (Section::Disagreements, blocks(&said.core_disagreements, disagreement)),
        (Section::Between, blocks(&said.between, between)),
        (Section::Assumptions, blocks(&said.assumption_conflicts, conflict)),
        (Section::Gaps, blocks(&said.evidence_gaps, gap)),
        (Section::Complexity, markdown::inline(&said.complexity_assessment, LINE)),
    ];
    let shown = sections.into_iter().filter(|(_, text)| !text.trim().is_empty());
    let shown = shown.map(|(section, text)| Embed {
        title: format!("{} {}", emoji(section), section.name()),
        ..embed(text.trim_end().to_owned())
    });
    [embed(why.to_owned())].into_iter().chain(shown).collect()
}

/// Says it where the moderator or its judge is the model of a side, for then it may lean to what it said there.
fn shared_model(brief: &DebateBrief, stand_in: Option<&ModelName>) -> String {
    let seat = match stand_in {
        Some(model) => Seat { model: model.clone(), fallbacks: Vec::new() },
        None => brief.moderator.clone(),
    };
    let sides = |seat: &Seat| -> Vec<String> {
        brief.sides_of(seat).iter().map(|side| side.name().to_owned()).collect()
    };
    let (its, of_judge) = (sides(&seat), sides(&brief.checker));
    let alike = |who: &str, sides: &[String]| match sides {
        [] => String::new(),
        sides => format!("{who} the same model as {}.", card::listed(sides)),
    };
    if its == of_judge {
        return alike("The moderator and its judge are", &its);
    }
    let parts = [alike("The moderator is", &its), alike("The moderator's judge is", &of_judge)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Stands in place of a synthesis for which no model answered.
#[must_use]
pub fn no_synthesis_card(session: &SessionId, step: &StepKey, why: &str) -> Vec<Post> {
    let why = markdown::inline(why, 600);
    let embed = Embed {
        title: "⚖️ Moderator · no synthesis".to_owned(),
        description: format!(
            "⚠️ {} What both sides said stands above, and you can still vote.",
            text::sentence(&why)
        ),
        color: Color::Caution,
        footer: NO_JUDGE.to_owned(),
        ..Embed::default()
    };
    limits::fit(Post { rows: vec![card::raw_only(session, step)], ..card::post(embed) })
}

/// What is to be said of it below it: who stood in, what is withheld, what it breaks, what its judge holds against it.
fn noted(synthesis: &NeutralSynthesis, stand_in: Option<&ModelName>) -> Vec<Field> {
    let mut fields: Vec<Field> = stood_in(stand_in).into_iter().collect();
    if !synthesis.withheld.is_empty() {
        let lines: Vec<String> = synthesis.withheld.iter().map(withheld).collect();
        let value = format!(
            "These parts took a side in every try, so they are not shown:\n{}",
            card::lines(&lines, card::FIELD_ROOM - 120, "like these.")
        );
        fields.push(card::field("🚫 Withheld", value));
    }
    fields.extend(marked(&synthesis.marks));
    fields.extend(second_look(&synthesis.judgement, true));
    fields
}

/// Which part is withheld and why; nothing of its text.
pub(super) fn withheld(withheld: &Withheld) -> String {
    let why: Vec<String> = withheld.why.iter().map(|why| markdown::inline(why, 160)).collect();
    let why = if why.is_empty() { "it took a side".to_owned() } else { why.join("; ") };
    format!("- **{}**: {}", withheld.section.name(), text::cut(&why, 400))
}

fn emoji(section: Section) -> &'static str {
    match section {
        Section::Summary => "⚖️",
        Section::Agreements => "🤝",
        Section::Disagreements => "↔️",
        Section::Between => "🌉",
        Section::Assumptions => "🧱",
        Section::Gaps => "❔",
        Section::Hinges => "🔎",
        Section::Complexity => "🧩",
        Section::Check => "🪞",
    }
}

fn blocks<T>(parts: &[T], block: impl Fn(&T) -> String) -> String {
    let blocks: Vec<String> = parts.iter().map(|part| format!("{}\n", block(part))).collect();
    blocks.join("\n")
}

fn agreement(agreement: &Agreement) -> String {
    let told = format!(
        "**{}**\n{}",
        text::label(&agreement.topic, LINE),
        markdown::inline(&agreement.description, LINE)
    );
    let shared: Vec<String> = (agreement.shared_evidence.iter())
        .map(|evidence| markdown::inline(evidence, LINE))
        .filter(|evidence| !evidence.trim().is_empty())
        .collect();
    if shared.is_empty() { told } else { format!("{told}\n*Both rest it on:* {}", shared.join(" · ")) }
}

fn disagreement(part: &CoreDisagreement) -> String {
    format!(
        "**{}**\n🔵 **Pro holds:** {}\n🔶 **Con holds:** {}\n-# {}; {}",
        text::label(&part.topic, LINE),
        markdown::inline(&part.pro_position, LINE),
        markdown::inline(&part.con_position, LINE),
        root_cause(part.root_cause),
        bridgeable(part.bridgeable)
    )
}

fn between(one: &Between) -> String {
    let named = text::label(&one.named_by, LINE);
    let named = if named.trim().is_empty() { named } else { format!("\n-# named by {named}") };
    format!(
        "{}\n🔵 **Pro would object:** {}\n🔶 **Con would object:** {}{named}",
        markdown::inline(&one.position, LINE),
        markdown::inline(&one.pro_objection, LINE),
        markdown::inline(&one.con_objection, LINE)
    )
}

fn conflict(conflict: &AssumptionConflict) -> String {
    let told = format!(
        "🔵 **Pro assumes:** {}\n🔶 **Con assumes:** {}",
        markdown::inline(&conflict.pro_assumption, LINE),
        markdown::inline(&conflict.con_assumption, LINE)
    );
    beside(told, "What depends on it", &conflict.impact_on_debate)
}

fn gap(gap: &EvidenceGap) -> String {
    let told = beside(markdown::inline(&gap.question, LINE), "Why it matters", &gap.why_it_matters);
    format!("{told}\n-# {}", knowledge(gap.current_state))
}

/// A text with what is said beside it on a line of its own, if anything is.
fn beside(told: String, name: &str, words: &str) -> String {
    if words.trim().is_empty() {
        told
    } else {
        format!("{told}\n*{name}:* {}", markdown::inline(words, LINE))
    }
}

/// Why the sides part, in plain words.
pub(super) fn root_cause(cause: RootCause) -> &'static str {
    match cause {
        RootCause::Factual => "they disagree about the facts",
        RootCause::Values => "they value different things",
        RootCause::Priorities => "same aims, ranked differently",
        RootCause::Assumptions => "they take different things for granted",
        RootCause::EvidenceInterpretation => "they read the same evidence differently",
    }
}

pub(super) fn bridgeable(bridgeable: bool) -> &'static str {
    if bridgeable { "could be bridged" } else { "no bridge in sight" }
}

pub(super) fn knowledge(state: Knowledge) -> &'static str {
    match state {
        Knowledge::Unknown => "nobody knows",
        Knowledge::Contested => "sources disagree",
        Knowledge::Projected => "expected, not yet seen",
    }
}
