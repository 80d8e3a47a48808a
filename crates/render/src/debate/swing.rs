//! How opinions moved: in words, as a table that fits a phone, and as a picture.

use super::super::{
    card, chart, limits, text,
    vote::{closed, decide},
};
use domain::{Color, Embed, File, FileBody, Opinion, Opinions, Post, Row, SessionId, Swing, Vote, VoteState};

/// The name of the picture in its post.
const PICTURE: &str = "swing.png";

/// How opinions moved, in words, as a table and as a picture.
pub(crate) fn swing_card(session: &SessionId, swing: &Swing, vote: &Vote) -> Vec<Post> {
    let mut fields = Vec::new();
    if vote.missing() > 0 {
        let value = format!(
            "{} needed; {} came. Take it as a hint, not as what the team thinks.",
            card::count(vote.rules.quorum, "vote"),
            vote.ballots.len()
        );
        fields.push(card::field("⚠️ The quorum was not reached", value));
    }
    let came = match total(swing.after) {
        0 => "Nobody".to_owned(),
        came => came.to_string(),
    };
    let of = vote.rules.electorate.size().map_or_else(String::new, |all| format!(" of {all}"));
    let why = match &vote.state {
        VoteState::Closed(why) => format!(" {}", closed(why)),
        VoteState::Open => String::new(),
    };
    fields.push(card::field("🗳️ Turnout", format!("{came}{of} voted after the debate.{why}")));
    let mut description = format!("{}\n\n{}", text::label(&vote.question, 640), words(swing));
    let anything = total(swing.before) + total(swing.after) > 0;
    if anything {
        description = format!("{description}\n\n{}", table(swing));
    }
    let embed = Embed {
        title: "🔄 How the team's opinions moved".to_owned(),
        description,
        color: Color::Neutral,
        fields,
        footer:
            "These are opinions, not a verdict: no side wins or loses here. Who voted for what stays secret."
                .to_owned(),
        image: anything.then(|| PICTURE.to_owned()),
        ..Embed::default()
    };
    let picture = File {
        name: PICTURE.to_owned(),
        alt: text::cut(&alt(swing), 1_000),
        body: FileBody::Svg(chart::swing(&vote.question, swing, swing.shows_moves())),
    };
    let files = if anything { vec![picture] } else { Vec::new() };
    let rows = vec![Row::Buttons(vec![decide(session)])];
    limits::fit(Post { embeds: vec![embed], rows, files, ..Post::default() })
}

fn total(opinions: Opinions) -> u32 {
    opinions.iter().sum()
}

/// The swing in words: how many voted both times, who of them moved from where to where, and how many said so
/// only once.
pub(crate) fn words(swing: &Swing) -> String {
    let (before, after, both) = (total(swing.before), total(swing.after), swing.both());
    let said = match (before, after, both) {
        (0, 0, _) => {
            return "Nobody voted, neither before the debate nor after it.".to_owned();
        }
        (0, _, _) => {
            return "Nobody voted before the debate, so it cannot be shown how opinions moved; below are the votes after it."
                .to_owned();
        }
        (_, 0, _) => {
            return "Nobody voted after the debate, so it cannot be shown how opinions moved; below are the votes before it."
                .to_owned();
        }
        (_, _, 0) => {
            "Nobody voted both before and after, so it is not known how many changed their mind.".to_owned()
        }
        (_, _, 1..Swing::FEWEST) => format!(
            "Only {both} voted both before and after. With so few, their moves would tell who voted for what, so only \
             totals are shown."
        ),
        _ => format!("{both} voted both before and after; {}.", moved(swing)),
    };
    match (before - both, after - both) {
        (0, 0) => said,
        (earlier, later) => {
            let parts: Vec<String> = [(earlier, "only before it"), (later, "only after it")]
                .into_iter()
                .filter(|(many, _)| *many > 0)
                .map(|(many, when)| format!("{many} voted {when}"))
                .collect();
            format!("{said} {}; the table counts them too.", card::listed(&parts))
        }
    }
}

/// `2 changed their minds: 1 from For to Undecided, 1 from Undecided to Against`.
fn moved(swing: &Swing) -> String {
    let moves: Vec<String> = moves(swing)
        .map(|(from, to, many)| format!("{many} from {} to {}", from.name(), to.name()))
        .collect();
    match swing.changed() {
        0 => "nobody changed their mind".to_owned(),
        1 => format!("1 changed their mind: {}", moves.join(", ")),
        many => format!("{many} changed their minds: {}", moves.join(", ")),
    }
}

/// From where to where how many moved, in the order that never changes.
fn moves(swing: &Swing) -> impl Iterator<Item = (Opinion, Opinion, u32)> {
    let pairs = Opinion::ALL.into_iter().flat_map(|from| Opinion::ALL.map(|to| (from, to)));
    pairs
        .filter(|(from, to)| from != to)
        .map(|(from, to)| (from, to, swing.moved[from as usize][to as usize]))
        .filter(|(_, _, many)| *many > 0)
}

/// Of 28 columns, which a phone shows without breaking lines.
fn table(swing: &Swing) -> String {
    let row = |name: &str, before: &str, after: &str| format!("{name:<12}{before:>8}{after:>8}");
    let mut lines = vec![row("", "before", "after")];
    lines.extend(Opinion::ALL.map(|opinion| {
        let at = |of: Opinions| of[opinion as usize].to_string();
        row(opinion.name(), &at(swing.before), &at(swing.after))
    }));
    lines.push(row("in all", &total(swing.before).to_string(), &total(swing.after).to_string()));
    format!("```\n{}\n```", lines.join("\n"))
}

/// The picture in words.
fn alt(swing: &Swing) -> String {
    let side = |of: Opinions| {
        Opinion::ALL.map(|opinion| format!("{} {}", opinion.name(), of[opinion as usize])).join(", ")
    };
    let sums = format!(
        "Two bars of the team's opinions. Before the debate: {}. After it: {}.",
        side(swing.before),
        side(swing.after)
    );
    if !swing.shows_moves() {
        return sums;
    }
    format!("{sums} Of {} who voted both times, {}.", swing.both(), moved(swing))
}
