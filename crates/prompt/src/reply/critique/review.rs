//! The comparison and the review, held to the claims there are.

use forms::Asked;

use crate::{
    critique::{Labels, group_label},
    reply::ParseError,
};
use domain::{
    Claim, ClaimId, Finding, FindingId, Grouped, Mend, Review, SaidFinding, SaidReview, SaidToBeSame, lapses,
    ranked,
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
    let prose = said.findings.iter().flat_map(|finding| [&finding.line, &finding.adds]);
    let prose = std::iter::once(&said.verdict).chain(prose).chain(&said.holds_up);
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
    let mends = said.mend_first.iter().map(|mend| {
        let mut answers: Vec<FindingId> = mend.groups.iter().filter_map(number).collect();
        answers.sort_unstable();
        answers.dedup();
        Mend { findings: answers, what: labels.named(&mend.what) }
    });
    let mend_first = mends.filter(|mend| !mend.what.is_empty()).collect();
    Ok(Review {
        verdict: said.verdict.clone(),
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
    })
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
        adds: labels.named(&told.adds),
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
