//! The record's card, and the card that asks how it turned out.

use super::{
    super::{card, limits, markdown, points::chance, text},
    outcome, sides, verdict,
};
use domain::{
    Button, ButtonStyle, Color, CustomId, Decision, Embed, Field, Opens, Post, Row, SessionId, SolutionId,
    Tally, Verdict,
};

/// What a record's card says beside the decision.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// Why it could not be pinned, in words.
    pub unpinned: Option<String>,
    /// The later decision of the session that replaces it.
    pub replaced_by: Option<u32>,
}

/// The record: what was decided, out of what, by whom and why, and how it turned out.
#[must_use]
pub fn card(session: &SessionId, decision: &Decision, standing: &Standing) -> Post {
    let mut description = format!("**Asked:** {}\n", markdown::inline(&decision.vote.question, 300));
    if decision.number > 1 {
        description = format!("{description}↩️ Replaces decision {}.\n", decision.number - 1);
    }
    if let Some(later) = standing.replaced_by {
        description = format!("{description}↪️ **Replaced by decision {later}.**\n");
    }
    if let Some(what) = in_full(decision) {
        description = format!("{description}\n**In full**\n{what}\n");
    }
    description = format!("{description}\n**Why**\n{}", markdown::member_short(&decision.rationale, 1_400));
    let mut fields = Vec::new();
    if let Some(said) = &decision.outcome {
        fields.push(card::field("How it turned out", outcome(said)));
    }
    if !decision.owner.trim().is_empty() {
        fields.push(card::field("Who sees to it", people(&decision.owner)));
    }
    fields.push(options(decision));
    fields.push(card::field("Who disagrees", dissent(decision)));
    let by = format!("{}, <t:{}:f>", text::label(&decision.by_name, 60), decision.at);
    fields.push(card::inline("Decided by", by));
    fields.push(card::inline("Review", review(decision, standing)));
    if let Some(problem) = &standing.unpinned {
        let problem = markdown::inline(problem, 400);
        fields.push(card::field("📌 Not pinned", format!("{problem} Somebody who may can pin it by hand.")));
    }
    one(Embed {
        title: text::label(
            &format!("✅ Decision {}: {}", decision.number, decision.title()),
            card::NAME_ROOM,
        ),
        description,
        color: if standing.replaced_by.is_some() { Color::Neutral } else { Color::Good },
        fields,
        footer: format!("Decision record · session {session}"),
        ..Embed::default()
    })
}

/// Asks how a decision turned out. Answered, it says so and can be answered anew.
#[must_use]
pub fn review_card(session: &SessionId, decision: &Decision) -> Post {
    let mut description = format!(
        "**Asked:** {}\n**Decided:** {}, <t:{}:D>, by {}",
        markdown::inline(&decision.vote.question, 300),
        text::label(decision.title(), 240),
        decision.at,
        text::label(&decision.by_name, 60),
    );
    if !decision.owner.trim().is_empty() {
        description = format!("{description}\n**Who sees to it:** {}", people(&decision.owner));
    }
    if let Some(what) = in_full(decision) {
        description = format!("{description}\n**In full**\n{what}\n");
    }
    description = format!("{description}\n**Why:** {}", markdown::member_inline(&decision.rationale, 500));
    let (fields, ask) = match &decision.outcome {
        Some(said) => {
            let said = format!("{}\n\nChanged since? Press again.", outcome(said));
            (vec![card::field("How it turned out", said)], "")
        }
        None => (Vec::new(), "\n\nPress what fits and say in a sentence what happened."),
    };
    let embed = Embed {
        title: format!("🔎 Decision {}: how did it turn out?", decision.number),
        description: format!("{description}{ask}"),
        color: Color::Active,
        fields,
        footer: format!("Decision record · session {session}"),
        ..Embed::default()
    };
    let buttons = [Verdict::Worked, Verdict::Partly, Verdict::DidNot]
        .map(|verdict| outcome_button(session, decision.number, verdict));
    Post { rows: vec![Row::Buttons(buttons.into())], ..one(embed) }
}

/// What was chosen, for a title alone means nothing a year later; a debate decides on its proposition, which stands there.
fn in_full(decision: &Decision) -> Option<String> {
    let text = if decision.swing.is_some() { String::new() } else { decision.in_full() };
    // A member may have proposed it. A record is one message, with all the boxes that people fill.
    Some(markdown::member_short(&text, 900)).filter(|text| !text.trim().is_empty())
}

/// The button that opens the form for a verdict.
pub(super) fn outcome_button(session: &SessionId, number: u32, of: Verdict) -> Button {
    let (emoji, word) = verdict(of);
    let id = CustomId::new(session, Opens::Outcome((number, of)));
    card::button(id, word, emoji, ButtonStyle::Secondary)
}

/// A post of one message.
fn one(embed: Embed) -> Post {
    limits::fit(card::post(embed)).into_iter().next().unwrap_or_default()
}

/// Every option with both sides' points, the chosen one marked.
fn options(decision: &Decision) -> Field {
    if let Some(swing) = &decision.swing {
        return sides::options(decision, swing);
    }
    let vote = &decision.vote;
    let Tally { experts, team } = Tally::count(vote);
    let sum = |points: &[u32]| points.iter().sum::<u32>();
    let lines: Vec<String> = vote
        .solutions
        .iter()
        .enumerate()
        .map(|(place, solution)| {
            let mark = if solution.id == decision.chosen { "✅" } else { "▫️" };
            let points = |points: &[u32]| points.get(place).copied().unwrap_or_default();
            let experts = if solution.proposed {
                "not\u{a0}asked".to_owned()
            } else {
                points(&experts.points).to_string()
            };
            let title = text::label(&solution.title, 50);
            let chance = chance(&vote.experts, place).map(|chance| format!(", {chance}"));
            format!(
                "{mark} **{} {title}** · experts\u{a0}{experts}{}, team\u{a0}{}",
                solution.id,
                chance.unwrap_or_default(),
                points(&team.points)
            )
        })
        .collect();
    let name = format!(
        "Options, with the points of experts ({} in all) and team ({} in all)",
        sum(&experts.points),
        sum(&team.points)
    );
    card::field(name, card::lines(&lines, card::FIELD_ROOM, "in the vote."))
}

/// Who would have had it otherwise: by the votes, and in words.
fn dissent(decision: &Decision) -> String {
    let elsewhere = decision.elsewhere();
    let mut said = match elsewhere.voters {
        _ if decision.swing.is_some() => sides::elsewhere(decision, &decision.swing.unwrap_or_default()),
        0 => "Nobody of the team voted.".to_owned(),
        _ if elsewhere.points == 0 => "By the vote nobody: all of the team's points went to it.".to_owned(),
        voters => {
            let nothing = match elsewhere.gave_nothing {
                0 => "Everybody who voted gave it points".to_owned(),
                some => format!("{some} of {} gave it nothing", card::count(voters, "voter")),
            };
            format!("{nothing}; {} of the team's {} points went elsewhere.", elsewhere.points, voters * 10)
        }
    };
    if let Some(other) = experts_first(decision) {
        said = format!("{said} The experts gave most to {other}.");
    }
    if !decision.dissent.trim().is_empty() {
        said = format!("{said}\n> {}", markdown::member_inline(&decision.dissent, 800));
    }
    said
}

/// The experts' first, if there is exactly one and it was not chosen.
fn experts_first(decision: &Decision) -> Option<SolutionId> {
    let experts = Tally::count(&decision.vote).experts;
    let ranks = experts.ranks();
    let mut first = decision.vote.solutions.iter().zip(ranks).filter(|(_, rank)| *rank == 1);
    let (only, None) = (first.next()?.0, first.next()) else { return None };
    (experts.voters > 0 && only.id != decision.chosen).then_some(only.id)
}

fn review(decision: &Decision, standing: &Standing) -> String {
    match (decision.review, standing.replaced_by) {
        (Some(_), Some(later)) if decision.outcome.is_none() => format!("Not asked: see decision {later}."),
        (Some(at), _) if decision.outcome.is_some() => format!("<t:{at}:D>"),
        (Some(at), _) => format!("<t:{at}:D>: I ask here how it turned out."),
        (None, _) => "No date was set.".to_owned(),
    }
}

/// A line in which members may be mentioned: their mentions are shown as such (and ping nobody), everything else is
/// text.
fn people(line: &str) -> String {
    let line = text::cut(&text::clean_line(line), 240);
    let words = line.split(' ').map(|word| match mention(word) {
        Some((mention, rest)) => format!("{mention}{}", text::label(rest, 100)),
        None => text::label(word, 240),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `<@123…>` at the start of a word, and the rest of it.
fn mention(word: &str) -> Option<(&str, &str)> {
    let end = word.find('>')? + 1;
    let digits = word[..end - 1].strip_prefix("<@")?;
    let snowflake = (17..=20).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    snowflake.then_some((&word[..end], &word[end..]))
}
