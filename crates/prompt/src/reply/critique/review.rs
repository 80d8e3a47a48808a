//! The comparison and the review, held to the claims there are.

use std::collections::BTreeSet;

use forms::Asked;

use crate::{
    critique::{Labels, group_label},
    reply::ParseError,
};
use domain::{
    Claim, ClaimId, Finding, FindingId, Grouped, Mend, Review, SaidFinding, SaidReview, SaidToBeSame,
    Severity, lapses, ranked,
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
/// thing than its group is a finding of its own. A group that is left out, or a sentence that is personal, praise or advice, is
/// an error the first time; after that the group stands in its own words, and the sentence is counted.
pub fn read_review(
    text: &str,
    (asked, first): (&Asked, bool),
    grouped: &Grouped,
    labels: &Labels,
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
    let prose = said.findings.iter().map(|finding| &finding.line);
    let prose = [&said.verdict, &said.text].into_iter().chain(prose).chain(&said.holds_up);
    let lapses: Vec<String> = prose.flat_map(|text| lapses(text)).collect();
    if first && !lapses.is_empty() {
        return Err(ParseError::Tone(lapses.join(" ")));
    }
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
    let text = with_numbers(&labels.named(&said.text), |label| number(&label.to_owned()));
    let mends = said.mend_first.iter().map(|mend| {
        let mut answers: Vec<FindingId> = mend.groups.iter().filter_map(number).collect();
        answers.sort_unstable();
        answers.dedup();
        Mend { findings: answers, what: labels.named(&mend.what) }
    });
    let mend_first = mends.filter(|mend| !mend.what.is_empty()).collect();
    let review = Review {
        verdict: said.verdict.clone(),
        text,
        mend_first,
        findings,
        holds_up: said.holds_up.clone(),
        oppositions: grouped.oppositions.clone(),
        claims: grouped.claims,
        below_floor: grouped.below_floor,
        lesser,
        marked: u32::try_from(lapses.len()).unwrap_or(u32::MAX),
        answered_by: Some(answered_by.to_owned()),
        ..Review::default()
    };
    if first {
        all_grave_told(grouped, &said, &review)?;
    }
    Ok(review)
}

/// An error where a grave group is told neither by the text nor by a line of its own.
fn all_grave_told(grouped: &Grouped, said: &SaidReview, review: &Review) -> Result<(), ParseError> {
    let has_line = |place: usize| {
        let label = group_label(place);
        said.findings.iter().any(|finding| {
            !finding.line.is_empty()
                && (is(&finding.group, &label) || finding.also.iter().any(|also| is(also, &label)))
        })
    };
    let untold = |place: &usize| {
        let first = grouped.groups[*place].first();
        let finding = first.and_then(|claim| review.holding(&claim.id));
        finding.is_some_and(|one| one.severity() <= Severity::High && !review.tells(one.id))
            && !has_line(*place)
    };
    let untold: Vec<String> = (0..grouped.groups.len()).filter(untold).map(group_label).collect();
    if untold.is_empty() {
        return Ok(());
    }
    Err(ParseError::Shape(format!("neither `text` nor a `line` tells {}", untold.join(", "))))
}

/// A text in which labels of groups in brackets have become the numbers of their findings, each once. Other brackets stay: a
/// text may be about the G7.
fn with_numbers(text: &str, number: impl Fn(&str) -> Option<FindingId>) -> String {
    let (mut written, mut rest) = (String::new(), text);
    while let Some((before, at)) = rest.split_once('(') {
        written.push_str(before);
        let inside = at.split_once(')').filter(|(inside, _)| inside.split([',', ';']).all(is_label));
        let Some((inside, after)) = inside else {
            written.push('(');
            rest = at;
            continue;
        };
        let numbers: BTreeSet<FindingId> =
            inside.split([',', ';']).filter_map(|one| number(one.trim())).collect();
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        if numbers.is_empty() {
            written.truncate(written.trim_end().len());
        } else {
            written.extend(["(", &numbers.join(", "), ")"]);
        }
        rest = after;
    }
    written.push_str(rest);
    written
}

/// Whether it is written as the label of a group is: `G3`.
fn is_label(written: &str) -> bool {
    let digits = written.trim().strip_prefix('G');
    digits.is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
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
