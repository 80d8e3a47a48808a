//! The rules about counts: how often the sides are named, how much room their positions have, whom hinges favour.

use crate::{Favors, Hinge, Proposition, Side, text::own_sentences};

/// How often a side is named at least before the other one has to keep up.
const NAMED_AT_LEAST: usize = 4;

/// Hinges there are at least before two to one is uneven; with fewer, three to one may be chance.
const MANY_HINGES: usize = 6;

/// Hinges that have to favour a side before they weigh on it: two of six, the rest open, favour nobody much.
const HINGES_OF_A_SIDE: usize = 3;

/// A position of at most so many characters is short, whatever the other one has: between a sentence and a clause
/// twice the length says nothing.
const SHORT_POSITION: usize = 120;

/// How often a text names Pro and Con in its author's own voice; `pro` in small letters is no name.
pub(super) fn mentions(text: &str, proposition: &Proposition) -> (usize, usize) {
    let own = own_sentences(text, &[&proposition.question, &proposition.raw]);
    let of = |side: Side| {
        let words = own.iter().flat_map(|sentence| sentence.split(|c: char| !c.is_alphanumeric()));
        words.filter(|word| *word == side.name()).count()
    };
    (of(Side::Pro), of(Side::Con))
}

/// Whether one side is named more than twice as often as the other, and at least four times.
pub(super) fn uneven_mentions((pro, con): (usize, usize)) -> bool {
    pro.max(con) >= NAMED_AT_LEAST && pro.max(con) > 2 * pro.min(con)
}

/// Characters of two positions, if one is more than twice as long as the other. Two short ones may differ, but not
/// so that one is empty.
pub(super) fn uneven_positions(pro: &str, con: &str) -> Option<(usize, usize)> {
    let length = |text: &str| {
        let plain = text.chars().filter(|c| !matches!(c, '*' | '_' | '`' | '~')).collect::<String>();
        plain.split_whitespace().map(|word| word.chars().count() + 1).sum::<usize>().saturating_sub(1)
    };
    let (pro, con) = (length(pro), length(con));
    let (longer, shorter) = (pro.max(con), pro.min(con));
    let uneven = longer > 2 * shorter && (longer > SHORT_POSITION || shorter == 0);
    uneven.then_some((pro, con))
}

/// How many hinges favour Pro and Con, if that is more than three to one, or more than two to one among six or more.
pub(super) fn uneven_hinges<'a>(hinges: impl IntoIterator<Item = &'a Hinge>) -> Option<(usize, usize)> {
    let favors: Vec<Favors> = hinges.into_iter().map(|hinge| hinge.then_favors).collect();
    let of = |side| favors.iter().filter(|favors| **favors == side).count();
    let (pro, con) = (of(Favors::Pro), of(Favors::Con));
    let (most, times) = (pro.max(con), if favors.len() >= MANY_HINGES { 2 } else { 3 });
    let uneven = most >= HINGES_OF_A_SIDE && most > times * pro.min(con);
    uneven.then_some((pro, con))
}
