//! Experts and team side by side as a drawing, in SVG: two bars for each solution on one scale, never added up. The
//! sides are told apart by place, name, colour and pattern.

use super::{
    super::card,
    measure::{width, wrap},
};
use super::{COLORS, Drawing, MARKS, PAD, WIDTH, label, place};
use domain::{Gap, Solution, Tally, Totals, Vote};

const BRIGHT: &str = "#f2f3f5";
const SOFT: &str = "#dbdee1";
const DIM: &str = "#b5bac1";
const GOLD: &str = "#f0b232";

/// Where bars begin, how long the longest is with its share behind it, and how high each is.
const BAR_X: f64 = PAD + 76.0;
const BAR_ROOM: f64 = 280.0;
const SHARE_ROOM: f64 = 70.0;
const BAR: f64 = 22.0;

/// A side: its name, colour and pattern, and what is said where it has nothing.
#[derive(Clone, Copy)]
struct Side {
    name: &'static str,
    kind: usize,
    nothing: &'static str,
}

const EXPERTS: Side = Side { name: "Experts", kind: 0, nothing: "no expert gave points" };
const TEAM: Side = Side { name: "Team", kind: 1, nothing: "nobody voted" };

/// The drawing: the question, who voted, and for each solution in order what each side gave it.
#[must_use]
pub fn sides(vote: &Vote, tally: &Tally) -> String {
    let mut drawing = Drawing { body: String::new(), y: PAD };
    heading(&mut drawing, vote, tally);
    let most = [&tally.experts, &tally.team].into_iter().flat_map(Totals::shares).fold(0.0, f64::max);
    let seen = |gap: &&Gap| card::percent(gap.experts) != card::percent(gap.team);
    let widest: Vec<_> = tally.widest_gaps(vote).iter().filter(seen).map(|gap| gap.solution).collect();
    let ids = vote.solutions.iter().map(|solution| width(&solution.id.to_string(), 17.0, true));
    let indent = ids.fold(0.0, f64::max) + 12.0;
    // Discord shrinks a tall picture, so many solutions stand closer together.
    let (lines, gap) = if vote.solutions.len() > 5 { (2, 22.0) } else { (3, 30.0) };
    for (at, solution) in vote.solutions.iter().enumerate() {
        title(&mut drawing, solution, (indent, lines), widest.contains(&solution.id));
        let scored = (!solution.proposed).then_some(&tally.experts);
        bar(&mut drawing, EXPERTS, scored, at, most);
        bar(&mut drawing, TEAM, Some(&tally.team), at, most);
        drawing.y += gap;
    }
    drawing.y -= gap - 4.0;
    drawing.finish()
}

fn heading(drawing: &mut Drawing, vote: &Vote, tally: &Tally) {
    let bold = format!("font-weight=\"bold\" fill=\"{BRIGHT}\"");
    for line in wrap(&label(&vote.question, 300), 21.0, true, WIDTH - 2.0 * PAD, 4) {
        drawing.y += 21.0;
        drawing.text(PAD, drawing.y, 21.0, &bold, &line);
        drawing.y += 6.0;
    }
    drawing.y += 14.0;
    let weighted = vote.experts.iter().any(|expert| (expert.weight - 1.0).abs() > 1e-9);
    let experts = match tally.experts.voters {
        0 => "no points".to_owned(),
        1 => "1 with 10 points".to_owned(),
        voters => format!("{voters} with 10 points each"),
    };
    let team = match tally.team.voters {
        0 => TEAM.nothing.to_owned(),
        1 => "1 voted with 10 points".to_owned(),
        voters => format!("{} voted with 10 points each", card::thousands(voters.into())),
    };
    for (side, told) in [(EXPERTS, experts), (TEAM, team)] {
        patch(drawing, (PAD, drawing.y), (18.0, 18.0), side);
        let y = drawing.y + 14.5;
        drawing.text(PAD + 28.0, y, 15.0, &format!("font-weight=\"bold\" fill=\"{SOFT}\""), side.name);
        drawing.text(BAR_X + 30.0, y, 15.0, &format!("fill=\"{DIM}\""), &told);
        drawing.y += 27.0;
    }
    if weighted {
        let told = "The experts' shares and ranks count each expert's weight.";
        drawing.text(PAD, drawing.y + 12.0, 14.0, &format!("fill=\"{DIM}\""), told);
        drawing.y += 24.0;
    }
    drawing.y += 6.0;
    drawing.rect((PAD, drawing.y), (WIDTH - 2.0 * PAD, 1.0), "fill=\"#4e5058\"");
    drawing.y += 32.0;
}

/// A solution's id and title; a mark where the sides differ most.
fn title(drawing: &mut Drawing, solution: &Solution, (indent, most): (f64, usize), widest: bool) {
    let told = "◀ widest gap";
    let taken = if widest { width(told, 13.0, true) + 14.0 } else { 0.0 };
    let lines = wrap(&label(&solution.title, 240), 17.0, false, WIDTH - 2.0 * PAD - indent - taken, most);
    drawing.text(
        PAD,
        drawing.y,
        17.0,
        &format!("font-weight=\"bold\" fill=\"{BRIGHT}\""),
        &solution.id.to_string(),
    );
    if widest {
        let style = format!("font-weight=\"bold\" text-anchor=\"end\" fill=\"{GOLD}\"");
        drawing.text(WIDTH - PAD, drawing.y, 13.0, &style, told);
    }
    for (row, line) in lines.iter().enumerate() {
        if row > 0 {
            drawing.y += 23.0;
        }
        drawing.text(PAD + indent, drawing.y, 17.0, &format!("fill=\"{SOFT}\""), line);
    }
    drawing.y += 13.0;
}

/// What a side gave one solution: a bar with its share behind it, points and rank at the right. `totals` is none
/// where the side could not give anything.
fn bar(drawing: &mut Drawing, side: Side, totals: Option<&Totals>, at: usize, most: f64) {
    let top = drawing.y;
    let base = top + 16.5;
    drawing.y += BAR + 6.0;
    drawing.text(PAD, base, 14.0, &format!("fill=\"{DIM}\""), side.name);
    let nothing = match totals {
        None => Some("not scored by the experts"),
        Some(totals) if totals.shares().iter().all(|share| *share <= 0.0) => Some(side.nothing),
        Some(_) => None,
    };
    let (Some(totals), None) = (totals, nothing) else {
        let style = "rx=\"4\" fill=\"none\" stroke=\"#4e5058\" stroke-dasharray=\"4 4\"";
        drawing.rect((BAR_X + 0.5, top + 0.5), (WIDTH - PAD - BAR_X - 1.0, BAR - 1.0), style);
        drawing.text(BAR_X + 10.0, base, 14.0, &format!("fill=\"{DIM}\""), nothing.unwrap_or_default());
        return;
    };
    let share = totals.shares().get(at).copied().unwrap_or_default();
    let points = totals.points.get(at).copied().unwrap_or_default();
    let ranks = totals.ranks();
    let rank = ranks.get(at).copied().unwrap_or_default();
    let tied = ranks.iter().filter(|&&other| other == rank).count() > 1;
    drawing.rect((BAR_X, top), (BAR_ROOM, BAR), "rx=\"4\" fill=\"#1e1f22\"");
    let wide = if most > 0.0 { share / most * (BAR_ROOM - SHARE_ROOM) } else { 0.0 };
    if share > 0.0 {
        patch(drawing, (BAR_X, top), (wide.max(3.0), BAR), side);
    }
    let told = card::percent(share);
    drawing.text(BAR_X + wide + 9.0, base, 15.0, &format!("font-weight=\"bold\" fill=\"{BRIGHT}\""), &told);
    let right = WIDTH - PAD;
    let rank_room = width("tied 10th", 13.0, true) + 6.0;
    let told = if points == 0 {
        String::new()
    } else {
        format!("{points} {}", if points == 1 { "pt" } else { "pts" })
    };
    drawing.text(right - rank_room, base, 14.0, &format!("text-anchor=\"end\" fill=\"{DIM}\""), &told);
    let color = if rank == 1 { GOLD } else { DIM };
    let style = format!("font-weight=\"bold\" text-anchor=\"end\" fill=\"{color}\"");
    drawing.text(right, base, 13.0, &style, &place(rank, tied, share));
}

/// A field in a side's colour and pattern.
fn patch(drawing: &mut Drawing, at: (f64, f64), area: (f64, f64), side: Side) {
    drawing.rect(at, area, &format!("rx=\"4\" fill=\"{}\"", COLORS[side.kind]));
    if !MARKS[side.kind].is_empty() {
        drawing.rect(at, area, &format!("rx=\"4\" fill=\"url(#m{})\"", side.kind));
    }
}
