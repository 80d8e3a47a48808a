//! The comparison and the review, held to the claims there are.

use forms::Asked;

use super::numbers::{Numbered, number_labels};
use crate::{
    critique::{Labels, group_label},
    reply::ParseError,
};
use domain::{
    Claim, ClaimId, Finding, FindingId, Grouped, Review, SaidFinding, SaidReview, SaidToBeSame, Severity,
    lapses, misquoted, ranked,
};

/// The groups of claims that say the same; numbers that no claim has are left out.
pub fn read_compared(
    text: &str,
    (asked, first): (&Asked, bool),
    labels: &Labels,
) -> Result<Vec<Vec<ClaimId>>, ParseError> {
    let said = forms::read::<SaidToBeSame>(text, asked, 0, first)?.said;
    let ids = |claims: &[String]| -> Vec<ClaimId> {
        claims.iter().filter_map(|claim| labels.claim(claim).cloned()).collect()
    };
    Ok(said.groups.iter().map(|group| ids(&group.claims)).filter(|group| group.len() > 1).collect())
}

/// The review of all groups: each is told in the words of the claim that was chosen as the best put. A claim that says another
/// thing than its group is a finding of its own. A group that is left out, a quotation that stands nowhere in the `document`,
/// or a sentence that is personal, praise or advice, is an error the first time; after that the group stands in its own words,
/// and quotation and sentence are counted.
pub fn read_review(
    text: &str,
    (asked, first): (&Asked, bool),
    (grouped, labels): (&Grouped, &Labels),
    document: &str,
    answered_by: &str,
) -> Result<Review, ParseError> {
    let mut said = forms::read::<SaidReview>(text, asked, 0, first)?.said;
    let told = |place: usize| {
        let label = group_label(place);
        said.findings.iter().find(|finding| is(&finding.group, &label))
    };
    let places = 0..grouped.groups.len();
    // Where a group that nobody tells by itself is told.
    let teller = |place: usize| {
        let label = group_label(place);
        let tells =
            |one: &usize| told(*one).is_some_and(|finding| finding.also.iter().any(|also| is(also, &label)));
        if told(place).is_some() { Some(place) } else { (0..grouped.groups.len()).find(tells) }
    };
    let left_out: Vec<String> =
        places.clone().filter(|place| teller(*place).is_none()).map(group_label).collect();
    if first && !left_out.is_empty() {
        return Err(ParseError::Shape(format!("`findings` leaves out {}", left_out.join(", "))));
    }
    let mut findings: Vec<Finding> = Vec::new();
    for (place, group) in grouped.groups.iter().enumerate() {
        let with = places.clone().filter(|one| *one != place && teller(*one) == Some(place));
        let with = with.flat_map(|one| grouped.groups[one].iter().cloned());
        let group: Vec<Claim> = group.iter().cloned().chain(with).collect();
        if teller(place).is_none_or(|teller| teller == place) {
            findings.extend(of_group(&group, told(place), labels));
        }
    }
    said.verdict = labels.named(&said.verdict);
    let own_words = without_blocks(&said.text);
    let lines = said.findings.iter().map(|finding| finding.line.as_str());
    let prose: Vec<&str> = [said.verdict.as_str(), &own_words].into_iter().chain(lines).collect();
    let holds_up = said.holds_up.iter().map(String::as_str);
    let lapses: Vec<String> = prose.iter().copied().chain(holds_up).flat_map(lapses).collect();
    if first && !lapses.is_empty() {
        return Err(ParseError::Tone(lapses.join(" ")));
    }
    let misquoted: Vec<&str> = prose.iter().flat_map(|text| misquoted(document, text)).collect();
    if first && !misquoted.is_empty() {
        let quoted: Vec<String> = misquoted.iter().map(|quote| format!("“{quote}”")).collect();
        return Err(ParseError::Shape(format!(
            "it quotes what does not stand in the text: {}",
            quoted.join(", ")
        )));
    }
    let misquoted = count(misquoted.len());
    // Of each group the finding that its claims went into, once they have their numbers.
    let (findings, lesser) = ranked(findings);
    let number = |label: &String| -> Option<FindingId> {
        let place = places.clone().find(|place| is(label, &group_label(*place)))?;
        let place = teller(place).unwrap_or(place);
        let leads = told(place).and_then(|finding| labels.claim(&finding.best));
        let claim = leads.or(grouped.groups[place].first().map(|claim| &claim.id))?;
        let holds = |finding: &&Finding| finding.claims.iter().any(|one| one.id == *claim);
        findings.iter().find(holds).map(|finding| finding.id)
    };
    let Numbered { text, told: in_text } =
        number_labels(&labels.named(&said.text), document, |place| number(&group_label(place)));
    let grave = |id: FindingId| findings.iter().any(|one| one.id == id && one.severity() <= Severity::High);
    let untold = |label: &String| {
        let id = number(label).filter(|id| grave(*id) && !in_text.contains(id));
        id.is_some() && !has_line(&said, label)
    };
    let untold: Vec<String> = places.clone().map(group_label).filter(untold).collect();
    if first && !untold.is_empty() {
        return Err(ParseError::Shape(format!("neither `text` nor a `line` tells {}", untold.join(", "))));
    }
    Ok(Review {
        verdict: said.verdict.clone(),
        text,
        told: in_text.into_iter().collect(),
        findings,
        holds_up: said.holds_up.clone(),
        oppositions: grouped.oppositions.clone(),
        claims: grouped.claims,
        below_floor: grouped.below_floor,
        lesser,
        marked: count(lapses.len()),
        misquoted,
        answered_by: Some(answered_by.to_owned()),
        ..Review::default()
    })
}

/// Whether a group has a line of its own, or is told in that of another.
fn has_line(said: &SaidReview, label: &str) -> bool {
    let tells = |one: &SaidFinding| is(&one.group, label) || one.also.iter().any(|also| is(also, label));
    said.findings.iter().any(|finding| !finding.line.is_empty() && tells(finding))
}

/// A text without what it gives to be put in, which is not its own words.
fn without_blocks(text: &str) -> String {
    let own: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('>')).collect();
    own.join("\n")
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What a group came to: a finding as it is told, and one for each claim that stands apart; in its own words where nobody told
/// it.
fn of_group(group: &[Claim], told: Option<&SaidFinding>, labels: &Labels) -> Vec<Finding> {
    let Some(told) = told else { return vec![Finding::plain(group.to_vec())] };
    let best = labels.claim(&told.best);
    let apart: Vec<&ClaimId> = told.apart.iter().filter_map(|claim| labels.claim(claim)).collect();
    let (apart, together): (Vec<Claim>, Vec<Claim>) =
        group.iter().cloned().partition(|claim| apart.contains(&&claim.id) && Some(&claim.id) != best);
    if together.is_empty() {
        return apart.into_iter().map(|claim| Finding::plain(vec![claim])).collect();
    }
    let plain = Finding::plain(together).led_by(best);
    let line = labels.named(&told.line);
    let finding = Finding {
        theme: told.theme.clone(),
        title: labels.named(&told.title),
        line: if line.is_empty() { plain.critique().to_owned() } else { line },
        ..plain
    };
    let apart =
        apart.into_iter().map(|claim| Finding { theme: told.theme.clone(), ..Finding::plain(vec![claim]) });
    std::iter::once(finding).chain(apart).collect()
}

/// Whether a label is this one, however it is written: `G3`, `g3`, `Group G3`.
fn is(written: &str, label: &str) -> bool {
    let word = written.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty());
    word.is_some_and(|word| word.eq_ignore_ascii_case(label))
}
