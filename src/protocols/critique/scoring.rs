//! Final scoring: every member that has a tree spreads exactly ten points over the findings. One whose points cannot be
//! had is shown with ten spread evenly, which is said on the card and counted nowhere.

use serde::{Deserialize, Serialize};

use super::council::Council;
use crate::{
    domain::{
        Allocation, Assessment, Basis, Document, ExpertPoints, Finding, Philosopher, Reply, Scored, Solution,
        SolutionId, StepKey, Tree, one_line, shortened,
    },
    prompt,
    protocols::points,
    steps::{Ask, Failure, Stop},
};

/// Longest title of what is voted on, in characters.
const TITLE: usize = 120;
/// Longest question of a vote, in characters.
const QUESTION: usize = 200;

/// What a member gave.
#[derive(Serialize, Deserialize)]
struct MemberScore {
    member: Philosopher,
    allocation: Allocation,
    basis: Basis,
    reasoning: String,
}

/// What the vote asks.
pub(super) fn question(document: &Document) -> String {
    const HOW: &str = "? (S1 is finding F1, and so on.)";
    shortened(&format!("What matters most in {}", document.name), QUESTION - HOW.len()) + HOW
}

/// Has every member that has a tree score the findings, all at once.
pub(super) async fn score(
    council: &Council<'_>,
    trees: &[Tree],
    assessment: &Assessment,
) -> Result<Scored, Stop> {
    let steps = council.steps;
    let solutions: Vec<Solution> = assessment.findings.iter().map(solution).collect();
    let seed = steps.seed("scoring/order");
    let scorers = council
        .members()
        .filter_map(|(member, seat)| Some((seat, trees.iter().find(|tree| tree.member == member)?)));
    let solutions = &solutions[..];
    let asked = scorers.map(|(seat, own)| async move {
        let member = own.member;
        let order = points::order(solutions.len(), seed, member.as_str());
        let ask = Ask {
            key: StepKey::new(format!("points/{}", member.as_str())),
            who: member.to_string(),
            model: seat.model.clone(),
            prompt: prompt::critique::scoring(steps.prompts(), council.reading(), own, solutions, &order),
        };
        let read = |reply: &Reply, attempt| {
            let points::Given { allocation, basis, reasoning } = points::read(reply, &order, attempt)?;
            Ok(MemberScore { member, allocation, basis, reasoning })
        };
        let said = steps.ask(ask, read, |_: &Result<MemberScore, Failure>| Vec::new()).await?;
        Ok::<_, Stop>(said.ok().or_else(|| even(member, solutions.len())))
    });
    let mut scored = Scored { solutions: solutions.to_vec(), experts: Vec::new(), reasons: Vec::new() };
    for MemberScore { member, allocation, basis, reasoning } in steps.all(asked).await?.into_iter().flatten()
    {
        scored.experts.push(ExpertPoints { title: member.to_string(), weight: 1.0, allocation, basis });
        scored.reasons.push(reasoning);
    }
    Ok(scored)
}

/// Ten points spread evenly; none where there is nothing to spread them over.
fn even(member: Philosopher, solutions: usize) -> Option<MemberScore> {
    let allocation = Allocation::scaled(&vec![1; solutions]).ok()?;
    Some(MemberScore { member, allocation, basis: Basis::Even, reasoning: String::new() })
}

/// A finding as something that points are given to: S1 is F1.
fn solution(finding: &Finding) -> Solution {
    Solution {
        id: SolutionId(finding.id.0),
        title: shortened(
            one_line(&format!("{}: {}", finding.area, finding.critique)).trim_end_matches('.'),
            TITLE,
        ),
        description: finding.critique.clone(),
        raised_by: finding.held_by.iter().map(ToString::to_string).collect(),
        proposed: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Confidence, FindingId, Severity};

    fn finding(area: &str, critique: &str) -> Finding {
        Finding {
            id: FindingId(3),
            area: area.into(),
            critique: critique.into(),
            severity: Severity::High,
            confidence: Confidence::new(0.8),
            held_by: vec![Philosopher::Kant, Philosopher::Popper],
            evidence: vec![],
            claims: vec![],
        }
    }

    #[test]
    fn a_finding_is_voted_on_under_its_own_number_with_its_holders() {
        let short = solution(&finding("Costs", "The estimate leaves out\nmaintenance."));
        assert_eq!((short.id, &*short.title), (SolutionId(3), "Costs: The estimate leaves out maintenance"));
        assert_eq!(short.raised_by, ["Kant", "Popper"]);
        let long =
            solution(&finding("Costs", &"The estimate leaves out maintenance and repairs. ".repeat(9)));
        assert!(long.title.chars().count() <= TITLE && long.title.ends_with('…'), "{}", long.title);
        assert!(long.description.len() > TITLE, "nothing of it is cut");
    }

    #[test]
    fn the_question_fits_whatever_the_file_is_called() {
        let document = |name: &str| Document {
            name: name.into(),
            text: "x".into(),
            sha256: String::new(),
            landmarks: Vec::new(),
            omissions: Vec::new(),
        };
        assert_eq!(
            question(&document("plan.pdf")),
            "What matters most in plan.pdf? (S1 is finding F1, and so on.)"
        );
        let long = question(&document(&"é".repeat(400)));
        assert!(long.chars().count() <= QUESTION && long.contains("…? ("), "{long}");
    }
}
