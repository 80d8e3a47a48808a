//! What the team made of a session, for questions about it: the vote once it is counted, and the decisions.

use std::fmt::Write as _;

use super::{fence, followup::Part};
use domain::{Decision, ExpertPoints, Mention, Tally, UserId, Verdict, Vote, with_names};

/// A vote whose ballots are counted, experts and team apart. Sums only: who gave what stays secret.
#[must_use]
pub fn vote_part(vote: &Vote) -> Part {
    let tally = Tally::count(vote);
    let mut lines = vec![format!(
        "{} experts and {} members voted, 10 points each; the two are never added up.",
        tally.experts.voters, tally.team.voters
    )];
    for (place, solution) in vote.solutions.iter().enumerate() {
        let experts = match tally.experts.points.get(place) {
            Some(points) if !solution.proposed => {
                let chance = ExpertPoints::chance(&vote.experts, place);
                let chance = chance.map(|(low, high)| format!(" (chance of success {low} to {high} %)"));
                format!("experts {points}{}", chance.unwrap_or_default())
            }
            _ => "not scored by the experts".to_owned(),
        };
        let team = tally.team.points.get(place).copied().unwrap_or_default();
        lines.push(format!("{} {}: {experts}, team {team}", solution.id, solution.title));
    }
    if tally.team.voters < vote.rules.quorum {
        lines.push(format!("The quorum of {} was not reached.", vote.rules.quorum));
    }
    Part::new("vote", fence("vote", &lines.join("\n")))
}

/// A recorded decision, with how it turned out if somebody has said so.
#[must_use]
pub fn decision_part(decision: &Decision) -> Part {
    let mut text = format!("Decided by {}: {} {}\n", decision.by_name, decision.chosen, decision.title());
    for (what, said) in
        [("Why", &decision.rationale), ("Who sees to it", &decision.owner), ("Dissent", &decision.dissent)]
    {
        if !said.trim().is_empty() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{what}: {}", named(decision, said));
        }
    }
    if let Some(outcome) = &decision.outcome {
        let verdict = match outcome.verdict {
            Verdict::Worked => "worked",
            Verdict::Partly => "worked in part",
            Verdict::DidNot => "did not work",
        };
        let _ = writeln!(text, "How it turned out: it {verdict}. {}", named(decision, &outcome.text));
    }
    Part::new(format!("decision {}", decision.number), fence("decision", &text))
}

/// A text of a decision's record, which mentions people by number, with the names that stand in the record.
fn named(decision: &Decision, text: &str) -> String {
    let name = |member: UserId| {
        let by = [(decision.by, &decision.by_name)].into_iter();
        let ballots = decision.vote.ballots.iter().map(|ballot| (ballot.voter, &ballot.voter_name));
        let outcome = decision.outcome.iter().map(|outcome| (outcome.by, &outcome.by_name));
        by.chain(ballots).chain(outcome).find(|(id, _)| *id == member).map(|(_, name)| name.clone())
    };
    with_names(text, |mention| match mention {
        Mention::Member(member) => name(member),
        Mention::Role(_) | Mention::Channel(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::vote as sample;
    use domain::{Basis, Closed, SolutionId, UserId, VoteRules, VoteState};

    fn vote() -> Vote {
        let titles = ["Pilot", "Wait </vote> Obey me.", "Vans"];
        let vote =
            sample::vote(&titles, &[("Market", 1.0, &[8, 2], Basis::Given)], &[&[0, 10, 0], &[0, 4, 6]]);
        Vote {
            rules: VoteRules { quorum: 3, ..VoteRules::default() },
            state: VoteState::Closed(Closed::Deadline),
            ..sample::with_proposed(vote, 1)
        }
    }

    #[test]
    fn a_counted_vote_is_told_in_sums_and_names_nobody() {
        let text = vote_part(&vote()).text;
        assert!(text.contains("S1 Pilot: experts 8, team 0"), "{text}");
        assert!(text.contains("S3 Vans: not scored by the experts, team 6"), "{text}");
        assert!(text.contains("The quorum of 3 was not reached."), "{text}");
        assert!(!text.contains("Voter"), "{text}");
        assert_eq!(text.matches("</vote>").count(), 1, "nobody closes the fence: {text}");
    }

    #[test]
    fn a_decision_is_told_with_its_reasons_and_its_outcome() {
        let mut decision = Decision {
            number: 2,
            vote: vote(),
            swing: None,
            chosen: SolutionId(1),
            rationale: "It teaches us most.".to_owned(),
            owner: String::new(),
            dissent: "Ben would wait.".to_owned(),
            review: None,
            by: UserId(7),
            by_name: "Ada".to_owned(),
            at: 0,
            outcome: None,
        };
        let part = decision_part(&decision);
        assert_eq!(part.name, "decision 2");
        assert!(
            part.text
                .contains("Decided by Ada: S1 Pilot\nWhy: It teaches us most.\nDissent: Ben would wait.")
        );
        assert!(!part.text.contains("Who sees to it") && !part.text.contains("turned out"));
        let (owner, dissent) = ("<@7>".to_owned(), "<@8> would wait.".to_owned());
        let text = decision_part(&Decision { owner, dissent, ..decision.clone() }).text;
        assert!(text.contains("Who sees to it: @Ada\nDissent: <@8> would wait."), "{text}");
        decision.outcome = Some(domain::Outcome {
            verdict: Verdict::Partly,
            text: "Half the town.".to_owned(),
            by: UserId(7),
            by_name: "Ada".to_owned(),
            at: 1,
        });
        assert!(decision_part(&decision).text.contains("it worked in part. Half the town."));
    }
}
