//! Final scoring: every member that has a tree spreads exactly ten points over the findings.

use super::council::Council;
use crate::{
    protocols::points::{self, Scorer, Told},
    steps::Stop,
};
use domain::{
    Document, Finding, MAX_FINDINGS, Review, Scored, Solution, SolutionId, Tree, first_sentence, shortened,
};

/// Longest title of what is voted on, in characters.
const TITLE: usize = 120;
/// Longest question of a vote, in characters.
const QUESTION: usize = 200;

/// What the vote asks.
pub(super) fn question(document: &Document) -> String {
    const HOW: &str = "? (S1 is finding F1, and so on.)";
    shortened(&format!("What matters most in {}", document.name), QUESTION - HOW.len()) + HOW
}

/// Has every member that has a tree score the findings.
pub(super) async fn score(council: &Council<'_>, trees: &[Tree], review: &Review) -> Result<Scored, Stop> {
    let steps = council.steps;
    let solutions = &review.findings.iter().take(MAX_FINDINGS).map(solution).collect::<Vec<_>>()[..];
    let members = council
        .members()
        .filter_map(|(member, seat)| Some((seat, trees.iter().find(|tree| tree.member == member)?)));
    let scorers = members.map(|(seat, own)| Scorer {
        id: own.member.as_str().to_owned(),
        step: own.member.as_str().to_owned(),
        name: own.member.to_string(),
        model: &seat.model,
        fallbacks: &seat.fallbacks,
        prompt: Box::new(move |order, how| {
            let told = (how == Told::All).then(|| format!("{}\n\n{}", review.verdict, review.text));
            council.desk(&[]).scoring(own, told.as_deref(), solutions, order)
        }),
    });
    points::score(steps, solutions, scorers.collect()).await
}

/// A finding as something that points are given to: S1 is F1.
fn solution(finding: &Finding) -> Solution {
    Solution {
        id: SolutionId(finding.id.0),
        title: shortened(finding.name().trim_end_matches('.'), TITLE),
        description: description(finding).to_owned(),
        raised_by: finding.held_by().iter().map(ToString::to_string).collect(),
        proposed: false,
        provenance: domain::Provenance::default(),
    }
}

/// What of a finding is told beside its title on the ballot: its line, or the first sentence of the claim where the review's
/// text tells it.
fn description(finding: &Finding) -> &str {
    if finding.line == finding.critique() { first_sentence(&finding.line) } else { &finding.line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_finding_is_voted_on_under_its_own_number_with_its_holders() {
        let finding = sample::critique::review().findings.remove(0);
        let told = solution(&finding);
        assert_eq!((told.id, &*told.title), (SolutionId(1), "Each order loses money"));
        assert_eq!(
            (&*told.description, &told.raised_by[..]),
            (&*finding.line, &["Leibniz".to_owned(), "Popper".to_owned()][..])
        );
        let untitled = Finding { title: String::new(), line: "It leaves out repairs. ".repeat(9), ..finding };
        assert_eq!(solution(&untitled).title, untitled.critique().trim_end_matches('.'));
    }

    #[test]
    fn the_question_fits_whatever_the_file_is_called() {
        let document = |name: &str| Document { name: name.into(), ..sample::document("x") };
        assert_eq!(
            question(&document("plan.pdf")),
            "What matters most in plan.pdf? (S1 is finding F1, and so on.)"
        );
        let long = question(&document(&"é".repeat(400)));
        assert!(long.chars().count() <= QUESTION && long.contains("…? ("), "{long}");
    }
}
