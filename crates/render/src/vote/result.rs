//! The result: experts and team side by side, in words, as a table and as a picture.

use super::{
    super::{
        card, chart, limits,
        points::{by_history, chance},
        text,
    },
    closed, decide, described, expert_notes, name, raised_by, sides,
};
use domain::{Color, Embed, File, FileBody, Post, Row, SessionId, Tally, Vote, VoteState};

/// The name of the picture in its post.
const PICTURE: &str = "vote.png";

/// What the experts and the team chose.
pub(super) fn result(session: &SessionId, vote: &Vote) -> Vec<Post> {
    let tally = Tally::count(vote);
    let binding = vote.missing() == 0;
    let experts = sides::headline(vote, &tally.experts, "No expert gave points that count.");
    let team = sides::headline(vote, &tally.team, "Nobody voted.");
    let description = format!(
        "{}\n\n🧠 **Experts:** {experts}\n👥 **Team:** {team}\n{}\n{}",
        text::label(&vote.question, 300),
        sides::together(vote, &tally),
        sides::table(vote, &tally)
    );
    let embed = Embed {
        title: "🗳️ What the experts and the team chose".to_owned(),
        description,
        color: if binding && !vote.ballots.is_empty() { Color::Good } else { Color::Caution },
        fields: fields(vote, &tally),
        footer: "Experts and team are never added up. Ballots stay secret: only sums are shown.".to_owned(),
        image: Some(PICTURE.to_owned()),
        ..Embed::default()
    };
    let picture = File {
        name: PICTURE.to_owned(),
        alt: text::cut(&alt(vote, &tally), 1_000),
        body: FileBody::Svg(chart::sides(vote, &tally)),
    };
    let rows = vec![Row::Buttons(vec![decide(session)])];
    let embeds = [embed].into_iter().chain(in_full(vote, &tally)).collect();
    limits::fit(Post { embeds, rows, files: vec![picture], ..Post::default() })
}

/// The whole text of each option that somebody gave points, for a title alone tells nobody what was chosen.
fn in_full(vote: &Vote, tally: &Tally) -> Option<Embed> {
    let points = |place: usize, of: &[u32]| of.get(place).copied().unwrap_or_default();
    let texts = vote.solutions.iter().enumerate().filter_map(|(place, solution)| {
        let given = points(place, &tally.experts.points) + points(place, &tally.team.points);
        let text = described(solution);
        (given > 0 && !text.is_empty()).then(|| format!("{}\n{text}", name(solution, 120)))
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| Embed {
        title: "📋 What got points, in full".to_owned(),
        description: texts.join("\n\n"),
        color: Color::Neutral,
        ..Embed::default()
    })
}

fn fields(vote: &Vote, tally: &Tally) -> Vec<domain::Field> {
    let mut fields = Vec::new();
    if let Some((name, value)) = sides::difference(vote, tally) {
        fields.push(card::field(name, value));
    }
    if vote.missing() > 0 {
        let value = format!(
            "The vote asked for {}; {} came. Take it as a sign, not as the team's decision.",
            card::count(vote.rules.quorum, "ballot"),
            vote.ballots.len()
        );
        fields.push(card::field("⚠️ Not binding: the quorum was not reached", value));
    }
    fields.push(card::field("🗳️ Turnout", turnout(vote)));
    if sides::weighted(&tally.experts) {
        fields.push(card::field("⚖️ The experts' weights", weights(vote, tally)).inside());
        fields.extend(by_history(&vote.experts));
    }
    let chances = vote.solutions.iter().enumerate().filter_map(|(place, solution)| {
        chance(&vote.experts, place).map(|chance| format!("**{}** {chance}", solution.id))
    });
    let chances: Vec<String> = chances.collect();
    if !chances.is_empty() {
        fields.push(card::field("🎯 By those experts who gave it points", chances.join(" · ")));
    }
    let proposed: Vec<String> =
        vote.solutions.iter().filter(|solution| solution.proposed).map(proposal).collect();
    if !proposed.is_empty() {
        let value = format!(
            "{}\nThe team's points for it are in the team's 100 %.",
            card::lines(&proposed, card::FIELD_ROOM - 60, "in the table.")
        );
        fields.push(card::field("💡 Proposed by the team, not scored by the experts", value));
    }
    let notes = expert_notes(vote);
    if !notes.is_empty() {
        fields.push(
            card::field("⚠️ About the experts' points", card::lines(&notes, card::FIELD_ROOM, "")).inside(),
        );
    }
    fields
}

fn turnout(vote: &Vote) -> String {
    let came = vote.ballots.len();
    let who = match vote.rules.electorate.size() {
        Some(all) => format!("{came} of {all} voted."),
        None if came == 0 => "Nobody voted.".to_owned(),
        None => format!("{came} voted."),
    };
    let quorum = match (vote.rules.quorum, vote.missing()) {
        (0, _) | (_, 1..) => String::new(),
        (quorum, 0) => format!(" The quorum of {quorum} was reached."),
    };
    let why = match &vote.state {
        VoteState::Open => String::new(),
        VoteState::Closed(why) => format!(" {}", closed(why)),
    };
    format!("{who}{quorum}{why}")
}

/// Who counts how much, and the totals that follow from it.
fn weights(vote: &Vote, tally: &Tally) -> String {
    let unusual = vote.experts.iter().filter(|expert| (expert.weight - 1.0).abs() > 1e-9);
    let who: Vec<String> =
        unusual.map(|e| format!("{} ×{}", text::label(&e.title, 40), card::factor(e.weight))).collect();
    let totals = vote.solutions.iter().zip(&tally.experts.weighted);
    let totals: Vec<String> =
        totals.map(|(solution, points)| format!("{} {}", solution.id, card::number(*points))).collect();
    format!(
        "{}.\nWeighted points: {}. The shares and ranks above count them.",
        card::listed(&who),
        totals.join(" · ")
    )
}

fn proposal(solution: &domain::Solution) -> String {
    let by = raised_by(solution);
    format!("{}{}", name(solution, 80), if by.is_empty() { String::new() } else { format!(" by {by}") })
}

/// The picture in words.
fn alt(vote: &Vote, tally: &Tally) -> String {
    let (experts, team) = (tally.experts.shares(), tally.team.shares());
    let bar = |(place, solution): (usize, &domain::Solution)| {
        let share = |shares: &[f64]| card::percent(shares.get(place).copied().unwrap_or_default());
        let experts = match tally.experts.voters {
            _ if solution.proposed => "not scored by the experts".to_owned(),
            0 => "no expert points".to_owned(),
            _ => format!("experts {}", share(&experts)),
        };
        let team =
            if tally.team.voters == 0 { "nobody voted".to_owned() } else { format!("team {}", share(&team)) };
        format!("{} {}: {experts}, {team}", solution.id, text::plain(&solution.title, 40))
    };
    let bars: Vec<String> = vote.solutions.iter().enumerate().map(bar).collect();
    format!("Bars of experts and team side by side. {}.", bars.join("; "))
}
