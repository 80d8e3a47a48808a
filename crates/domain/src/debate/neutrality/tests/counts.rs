//! What leans by its numbers.

use super::*;

#[test]
fn sides_are_named_about_as_often() {
    let naming = |pro: usize, con: usize| ["Pro waits. ".repeat(pro), "Con waits. ".repeat(con)].concat();
    for (pro, con, even) in [
        (9, 2, false),
        (2, 9, false),
        (3, 0, true),
        (4, 2, true),
        (4, 1, false),
        (8, 4, true),
        (9, 4, false),
        (0, 4, false),
    ] {
        assert_eq!(passes(&naming(pro, con)), even, "{pro} to {con}");
    }
    assert!(passes(&"The pros and cons, pro-growth, pro bono and professional. ".repeat(9)));
    assert!(passes(&"“Pro waits.” ".repeat(9)));
    let mut synthesis = sound();
    synthesis.executive_summary = naming(9, 2);
    let found = of_synthesis(&synthesis, &asking(QUESTION));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].section, Section::Summary);
    assert!(found[0].told.contains("Pro 9 times and Con 2 times"));
    assert_eq!(found[0].shown, "names one side more than twice as often as the other");
}

#[test]
fn positions_have_about_the_same_room() {
    let long = |chars: usize| "w".repeat(chars);
    for (pro, con, even) in [
        (400, 90, false),
        (90, 400, false),
        (400, 200, true),
        (401, 200, false),
        (120, 20, true),
        (121, 20, false),
        (50, 0, false),
        (0, 0, true),
    ] {
        let mut synthesis = sound();
        synthesis.core_disagreements = vec![disagreement(&long(pro), &long(con))];
        let found = of_synthesis(&synthesis, &asking(QUESTION));
        assert_eq!(found.is_empty(), even, "{pro} to {con}");
        assert!(found.iter().all(|violation| violation.section == Section::Disagreements));
        let mut synthesis = sound();
        synthesis.assumption_conflicts[0].pro_assumption = long(pro);
        synthesis.assumption_conflicts[0].con_assumption = long(con);
        let found = of_synthesis(&synthesis, &asking(QUESTION));
        assert_eq!(found.is_empty(), even, "{pro} to {con}");
        assert!(found.iter().all(|violation| violation.section == Section::Assumptions));
    }
}

#[test]
fn hinges_are_balanced_once_three_favour_a_side() {
    let hinges = |pro: usize, con: usize, neutral: usize| {
        let of = |favors, count| vec![hinge(favors); count];
        [of(Favors::Pro, pro), of(Favors::Con, con), of(Favors::Neutral, neutral)].concat()
    };
    for (pro, con, neutral, even) in [
        (8, 1, 0, false),
        (1, 8, 0, false),
        (3, 1, 0, true),
        (2, 0, 1, true),
        (3, 0, 0, false),
        (0, 3, 1, false),
        (4, 1, 0, false),
        (5, 0, 0, false),
        (4, 2, 0, true),
        (5, 1, 0, false),
        (3, 1, 2, false),
        (2, 0, 4, true),
        (3, 3, 3, true),
        (0, 0, 9, true),
        (6, 3, 0, true),
        (7, 3, 0, false),
    ] {
        let mut synthesis = sound();
        synthesis.decision_hinges = hinges(pro, con, neutral);
        let found = of_synthesis(&synthesis, &asking(QUESTION));
        assert_eq!(found.is_empty(), even, "{pro} to {con}, {neutral} open");
        assert!(found.iter().all(|violation| violation.section == Section::Hinges));
    }
    let others = hinges(5, 1, 0);
    assert!(!of_hinge(&hinge(Favors::Pro), &others, &asking(QUESTION)).is_empty());
    assert_eq!(of_hinge(&hinge(Favors::Con), &others, &asking(QUESTION)), []);
    assert_eq!(of_hinge(&hinge(Favors::Pro), &[], &asking(QUESTION)), []);
    let biased = Hinge { current_evidence: "Con is right about this.".to_owned(), ..hinge(Favors::Con) };
    assert!(told(&of_hinge(&biased, &[], &asking(QUESTION))).contains("`current_evidence`"));
}
