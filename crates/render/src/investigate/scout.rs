//! What scouts say, and what their answers have in common.

use super::{
    super::{card, chosen, limits, markdown, text},
    sure,
};
use domain::{
    Color, Compared, Critic, Embed, Level, ModelName, Opening, Post, QuestionKind, ScoutAnswer, ScoutId,
    SessionId, SplitKind, StepKey,
};

/// A scout on the card of all of them.
#[derive(Clone, Copy, Debug)]
pub struct ScoutSeat<'a> {
    /// The step in which it answered.
    pub step: &'a StepKey,
    /// What it said.
    pub answer: &'a ScoutAnswer,
    /// Who answered where its own model could not.
    pub stand_in: Option<&'a ModelName>,
    /// At which temperature, where all scouts are one model.
    pub temperature: Option<f32>,
}

/// The number of the scouts' list.
const SCOUTS: u8 = 13;

/// The scouts in their order, an embed each; `silent` are those that could not answer, with their steps and the reason as a
/// sentence.
#[must_use]
pub fn scouts_card(
    session: &SessionId,
    seats: &[ScoutSeat<'_>],
    silent: &[(ScoutId, StepKey, String)],
) -> Post {
    let said = seats.iter().map(|seat| (seat.answer.scout, seat.step.clone(), scout_embed(seat)));
    let gone = silent.iter().map(|(scout, step, why)| (*scout, step.clone(), silent_embed(*scout, why)));
    let mut all: Vec<(ScoutId, StepKey, Embed)> = said.chain(gone).collect();
    all.sort_by_key(|(scout, ..)| *scout);
    let raws: Vec<(String, StepKey)> =
        all.iter().map(|(scout, step, _)| (scout.title(), step.clone())).collect();
    let is_silent = |step: &StepKey| silent.iter().any(|(_, gone, _)| gone == step);
    let wholes: Vec<_> = raws.iter().filter(|(_, step)| !is_silent(step)).cloned().collect();
    let list = (SCOUTS, "Open an answer, or how it came about…", "whole answer");
    limits::one(Post {
        embeds: all.into_iter().map(|(.., embed)| embed).collect(),
        rows: chosen::list(session, list, &wholes, &raws),
        ..Post::default()
    })
}

fn scout_embed(seat: &ScoutSeat<'_>) -> Embed {
    let ScoutSeat { answer, stand_in, temperature, .. } = *seat;
    let degraded = stand_in.map(|model| {
        let model = text::label(&model.shown(), 80);
        card::field("⚠️ Degraded", format!("Its own model could not answer; {model} answered instead."))
    });
    let own = match temperature {
        Some(temperature) => format!("Answered alone, at temperature {temperature}."),
        None => "Answered alone; it saw no other answer.".to_owned(),
    };
    let dropped = card::dropped(answer.dropped_citations);
    Embed {
        author: card::answered_by(&answer.answered_by),
        title: format!("🔭 {}", answer.scout.title()),
        // Five of them fit one message.
        description: format!(
            "{}\n\nSays it is **{}** sure",
            markdown::short(&answer.answer, 800),
            level(answer.confidence)
        ),
        color: if stand_in.is_some() { Color::Caution } else { Color::Neutral },
        fields: degraded.into_iter().collect(),
        footer: if dropped.is_empty() { own } else { format!("{own} {dropped}") },
        ..Embed::default()
    }
}

fn silent_embed(scout: ScoutId, reason: &str) -> Embed {
    let why = markdown::inline(reason, 400);
    Embed {
        title: format!("🔭 {}", scout.title()),
        description: format!("❌ **No answer:** {why}. The others go on without it."),
        color: Color::Danger,
        ..Embed::default()
    }
}

/// The whole answer of a scout as Markdown.
#[must_use]
pub fn whole_scout(answer: &ScoutAnswer) -> String {
    let claims: Vec<String> = answer.claims.iter().map(|claim| format!("- {claim}")).collect();
    format!(
        "**The question as it understood it:** {}\n\n{}\n\n{}\n\n**It rests on**\n\n{}\n\nIt says it is {} sure.",
        answer.understood,
        answer.answer,
        answer.reasoning,
        claims.join("\n"),
        level(answer.confidence)
    )
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Low => "a little",
        Level::Medium => "fairly",
        Level::High => "very",
    }
}

/// What the scouts agree and differ on.
#[must_use]
pub fn compared_card(session: &SessionId, step: &StepKey, compared: &Compared) -> Vec<Post> {
    let of = compared.scouts();
    let mut fields = Vec::new();
    if compared.answered_by.is_none() {
        let why = "No model could compare the answers; only equal words count as the same, and nothing can be checked one by one.";
        fields.push(card::field("⚠️ Degraded", why));
    }
    if compared.is_of_different_questions() {
        let read: Vec<String> = compared
            .readings
            .iter()
            .map(|read| format!("- {}", markdown::inline(&read.question, 280)))
            .collect();
        fields.push(card::field(
            "❓ They answered different questions",
            card::lines(&read, card::FIELD_ROOM, "behind the button."),
        ));
    }
    let answers: Vec<String> = compared
        .answers
        .iter()
        .map(|group| {
            format!("- **{} of {of}:** {}", group.scouts.len(), markdown::inline(&group.answer, 280))
        })
        .collect();
    let shared: Vec<String> = compared
        .consensus
        .iter()
        .map(|said| format!("- {} ({} of {of})", markdown::inline(&said.claim, 240), said.scouts.len()))
        .collect();
    if !shared.is_empty() {
        fields
            .push(card::field("They agree on", card::lines(&shared, card::FIELD_ROOM, "behind the button.")));
    }
    let differ: Vec<String> = compared
        .splits
        .iter()
        .map(|split| {
            let kind = match split.kind {
                SplitKind::Verifiable => "🔍 can be checked",
                SplitKind::Judgement => "⚖️ a judgement",
            };
            format!("- {} ({kind})", markdown::inline(&split.topic, 200))
        })
        .collect();
    if !differ.is_empty() {
        fields.push(card::field(
            "They differ on",
            card::lines(&differ, card::FIELD_ROOM, "behind the button."),
        ));
    }
    let lone: Vec<String> = compared
        .grave()
        .map(|lone| format!("- {} (only {})", markdown::inline(&lone.claim, 240), lone.scout.title()))
        .collect();
    if !lone.is_empty() {
        let lone = card::lines(&lone, card::FIELD_ROOM, "behind the button.");
        fields.push(card::field("Only one says so; no fact until it is confirmed", lone));
    }
    let agreed = if compared.agrees() {
        "\n\nMost give the same answer and nothing that could be checked divides them, so nothing more is spent on checks."
    } else {
        ""
    };
    let embed = Embed {
        author: compared.answered_by.as_deref().map(card::answered_by).unwrap_or_default(),
        title: "🧭 Where they agree and differ".to_owned(),
        description: format!("{}{agreed}", card::lines(&answers, 1_800, "behind the button.")),
        color: if compared.answered_by.is_some() { Color::Neutral } else { Color::Caution },
        fields,
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "Whole comparison")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// The whole comparison as Markdown.
#[must_use]
pub fn whole_comparison(compared: &Compared) -> String {
    let who =
        |scouts: &[ScoutId]| card::listed(&scouts.iter().map(|scout| scout.title()).collect::<Vec<_>>());
    let mut lines = Vec::new();
    let mut list = |title: &str, items: Vec<String>| {
        if !items.is_empty() {
            lines.push(format!("**{title}**\n\n{}\n", items.join("\n")));
        }
    };
    let item = |text: &str, scouts: &[ScoutId]| format!("- {text} ({})", who(scouts));
    if compared.is_of_different_questions() {
        let read = compared.readings.iter().map(|read| item(&read.question, &read.scouts)).collect();
        list("The question as they read it", read);
    }
    list("Answers", compared.answers.iter().map(|group| item(&group.answer, &group.scouts)).collect());
    list(
        "Said by two or more",
        compared.consensus.iter().map(|said| item(&said.claim, &said.scouts)).collect(),
    );
    for split in &compared.splits {
        let kind = match split.kind {
            SplitKind::Verifiable => "can be checked",
            SplitKind::Judgement => "a judgement, shown and not resolved",
        };
        let title = format!("They differ on {} ({kind})", text::label(&split.topic, 200));
        list(&title, split.sides.iter().map(|side| item(&side.position, &side.scouts)).collect());
    }
    list("Said by one alone", compared.lone.iter().map(|lone| item(&lone.claim, &[lone.scout])).collect());
    lines.join("\n")
}

/// How the investigator begins.
#[must_use]
pub fn opening_card(session: &SessionId, step: &StepKey, opening: &Opening) -> Vec<Post> {
    let way = match opening.kind {
        QuestionKind::Open => "It looks freely first, then checks what it holds to be so.",
        QuestionKind::Routine => {
            "A known procedure answers this, so what they differ on is checked one by one."
        }
        QuestionKind::Accountable => {
            "Somebody will have to show how this was answered, so what they differ on is checked one by one."
        }
    };
    let embed = Embed {
        title: "🕵️ How it begins".to_owned(),
        description: format!("{}\n\n{way}", markdown::short(&opening.restated, 800)),
        fields: vec![
            card::inline("How clear the matter is", sure(opening.clarity)),
            card::field("First", markdown::inline(&opening.first, 400)),
        ],
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "Whole opening")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// All of it as Markdown.
#[must_use]
pub fn whole_opening(opening: &Opening) -> String {
    let critics: Vec<&str> = opening
        .critics
        .iter()
        .map(|critic| match critic {
            Critic::Calculation => "its calculation",
            Critic::UnitsAndDates => "its units and dates",
            Critic::Code => "its programs and commands",
        })
        .collect();
    let critics = if critics.is_empty() { "nothing".to_owned() } else { critics.join(" and ") };
    format!(
        "{}\n\n**First:** {}\n\n**Looked at specially in the answer:** {critics}",
        opening.restated, opening.first
    )
}
