//! Which claims of a call are looked into deeper, and why the others are not. Pure, so that a session that goes on
//! after a restart grows the branches that it grew before.

use domain::{CallPlan, Claim, Document, Ended, Span, find_quote, segment};

/// For each claim of a call, in its order: the one or two segments in which it is looked into, or why its branch ends there. At
/// most as many as the plan allows are grown: those that matter most, then the surest, then the first.
pub(super) fn branches(
    document: &Document,
    claims: &[Claim],
    plan: &CallPlan,
) -> Vec<Result<Vec<Span>, Ended>> {
    let mut fates: Vec<Result<Vec<Span>, Ended>> =
        claims.iter().map(|claim| segments_of(document, claim, plan)).collect();
    let mut grown: Vec<usize> = (0..claims.len()).filter(|&at| fates[at].is_ok()).collect();
    grown.sort_by_key(|&at| claims[at].weight());
    for at in grown.into_iter().skip(usize::from(plan.branches)) {
        fates[at] = Err(Ended::Budget);
    }
    fates
}

/// The segments that the passages stand in at which a claim is to be looked into; of two that overlap, one around both.
fn segments_of(document: &Document, claim: &Claim, plan: &CallPlan) -> Result<Vec<Span>, Ended> {
    if claim.id.path.len() >= usize::from(plan.depth.levels()) {
        return Err(Ended::Depth);
    }
    if !claim.confidence.stays() {
        return Err(Ended::Unsure);
    }
    let deeper = claim.deeper.as_ref().ok_or(Ended::NothingGained)?;
    let found =
        deeper.passages.iter().filter_map(|passage| find_quote(&document.text, claim.segment, passage));
    let found: Vec<Span> = found.collect();
    if found.is_empty() {
        return Err(Ended::NotFound);
    }
    let mut segments: Vec<Span> = Vec::new();
    for span in found.into_iter().filter_map(|passage| segment(document, claim.segment, passage)) {
        match segments.iter_mut().find(|known| known.start < span.end && span.start < known.end) {
            Some(known) => *known = Span { start: known.start.min(span.start), end: known.end.max(span.end) },
            None => segments.push(span),
        }
    }
    if segments.is_empty() { Err(Ended::TooSmall) } else { Ok(segments) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Confidence, Deeper, MIN_SEGMENT, Philosopher, Severity, TreeDepth};

    /// Paragraphs that are each long enough to be looked into, told apart by their first word.
    fn document() -> Document {
        let paragraph = |word: &str| format!("{word} {}\n", "says something of no weight ".repeat(16));
        let text = ["Alpha", "Beta", "Gamma", "Delta"].map(paragraph).join("\n");
        assert!(text.len() > 4 * MIN_SEGMENT);
        crate::sample::document(&text)
    }

    fn plan(depth: u8, branches: u8) -> CallPlan {
        let depth = TreeDepth::new(depth).unwrap();
        CallPlan { wanted: depth, depth, branches, read: vec![], unread: vec![], stages: vec![] }
    }

    fn claim(document: &Document, path: &[u16], severity: Severity, confidence: f64, passage: &str) -> Claim {
        let deeper = Deeper { passages: vec![passage.into()], topic: "t".into() };
        Claim {
            segment: document.whole(),
            confidence: Confidence::new(confidence),
            severity,
            deeper: (!passage.is_empty()).then_some(deeper),
            ..crate::sample::critique::claim(Philosopher::Popper, path, None)
        }
    }

    const SAYS: &str = " says something of no weight";

    #[test]
    fn each_branch_ends_for_the_reason_that_holds() {
        let document = document();
        let passage = format!("Beta{SAYS}");
        let of = |path: &[u16], confidence, passage: &str| {
            claim(&document, path, Severity::Medium, confidence, passage)
        };
        let small = Claim { segment: Span { start: 0, end: 120 }, ..of(&[1], 0.9, "Alpha says something") };
        let cases = [
            ("deep enough", of(&[1, 1], 0.9, &passage), Ended::Depth),
            ("deep enough, whatever else", of(&[1, 1], 0.1, ""), Ended::Depth),
            ("unsure", of(&[1], 0.29, &passage), Ended::Unsure),
            ("nothing to look into", of(&[1], 0.9, ""), Ended::NothingGained),
            ("not in the text", of(&[1], 0.9, "Omega says something"), Ended::NotFound),
            ("too small", small, Ended::TooSmall),
        ];
        for (name, claim, ended) in cases {
            assert_eq!(branches(&document, &[claim], &plan(2, 3)), [Err(ended)], "{name}");
        }
        let elsewhere =
            Claim { segment: Span { start: 0, end: 400 }, ..of(&[1], 0.9, "Gamma says something") };
        assert_eq!(
            branches(&document, &[elsewhere], &plan(2, 3)),
            [Err(Ended::NotFound)],
            "what stands outside the segment is not found in it"
        );
        let grown = branches(&document, &[of(&[1], 0.3, &passage)], &plan(2, 3));
        let Ok([span]) = grown[0].as_deref() else { panic!("at the floor it is grown: {grown:?}") };
        assert!(document.part(*span).contains(&passage) && span.len() < document.text.len());
        assert!(branches(&document, &[of(&[1, 1], 0.9, &passage)], &plan(3, 3))[0].is_ok(), "at depth 3");
    }

    #[test]
    fn the_plan_keeps_the_weightiest_then_the_surest_then_the_first() {
        let document = document();
        let passage = format!("Gamma{SAYS}");
        let of = |severity, confidence| claim(&document, &[1], severity, confidence, &passage);
        let low = Severity::Low;
        let cases: [(&[Claim], u8, &[bool]); 5] = [
            (&[of(low, 0.9), of(Severity::Critical, 0.4), of(Severity::High, 0.5)], 1, &[false, true, false]),
            (&[of(low, 0.9), of(Severity::Critical, 0.4), of(Severity::High, 0.5)], 2, &[false, true, true]),
            (&[of(low, 0.5), of(low, 0.8), of(low, 0.6)], 1, &[false, true, false]),
            (&[of(low, 0.5), of(low, 0.5), of(low, 0.5)], 2, &[true, true, false]),
            (&[of(low, 0.5), of(low, 0.5)], 0, &[false, false]),
        ];
        for (nth, (claims, most, wanted)) in cases.into_iter().enumerate() {
            let fates = branches(&document, claims, &plan(2, most));
            let grown: Vec<bool> = fates.iter().map(Result::is_ok).collect();
            assert_eq!(grown, wanted, "case {nth}");
            assert!(fates.iter().all(|fate| fate.is_ok() || *fate == Err(Ended::Budget)), "{fates:?}");
        }
    }

    #[test]
    fn a_claim_that_ends_takes_no_other_claims_branch() {
        let document = document();
        let passage = format!("Delta{SAYS}");
        let claims = [
            claim(&document, &[1], Severity::Critical, 0.9, ""),
            claim(&document, &[2], Severity::Low, 0.4, &passage),
        ];
        let fates = branches(&document, &claims, &plan(2, 1));
        assert_eq!(fates[0], Err(Ended::NothingGained));
        assert!(fates[1].is_ok());
    }

    #[test]
    fn a_claim_that_rests_on_two_places_is_looked_into_at_both() {
        let document = document();
        let at = |words: [&str; 2]| {
            let passages = words.map(|word| format!("{word}{SAYS}")).to_vec();
            let one = claim(&document, &[1], Severity::High, 0.9, "x");
            let one = Claim { deeper: Some(Deeper { passages, topic: "t".into() }), ..one };
            branches(&document, &[one], &plan(2, 1)).remove(0).unwrap()
        };
        let apart = at(["Alpha", "Gamma"]);
        assert_eq!(apart.len(), 2, "{apart:?}");
        assert!(document.part(apart[0]).starts_with("Alpha") && document.part(apart[1]).starts_with("Gamma"));
        assert_eq!(at(["Beta", "Beta"]).len(), 1, "the same place once");
    }
}
