//! The gate, case by case.

mod always;

use super::*;
use crate::domain::{
    Agreement, AssumptionConflict, CoreDisagreement, EvidenceGap, Favors, Framing, Knowledge, Level,
    PropositionContext, RootCause,
};

const QUESTION: &str = "Should the United States impose a moratorium on new AI data centers?";

fn asking(question: &str) -> Proposition {
    Proposition {
        raw: "US moratorium on AI data centers, yes or no".to_owned(),
        question: question.to_owned(),
        context: PropositionContext::default(),
        framing: Framing::Policy,
        complexity: Level::High,
        changed: String::new(),
        objection: None,
        answered_by: None,
        edited_by: None,
    }
}

fn hinge(favors: Favors) -> Hinge {
    Hinge {
        if_true: "Regional reserve margins fall below 10% by 2030".to_owned(),
        then_favors: favors,
        current_evidence: "Grid operators' projections differ by a factor of two.".to_owned(),
        confidence: Level::Medium,
    }
}

fn disagreement(pro: &str, con: &str) -> CoreDisagreement {
    CoreDisagreement {
        topic: "Whether to pause before the data are in".to_owned(),
        pro_position: pro.to_owned(),
        con_position: con.to_owned(),
        root_cause: RootCause::Priorities,
        bridgeable: true,
    }
}

/// An even-handed synthesis of a debate on a moratorium, as a good moderator writes it.
fn sound() -> DebateSynthesis {
    DebateSynthesis {
        executive_summary: "The debate asked: “Should the United States impose a moratorium on new AI data centers?” \
            **Pro** argues that construction is outrunning the grid and that regulators should have time to set rules. \
            **Con** holds that a pause would move building abroad and that targeted standards must come first. Both sides \
            agree that operators must report how much water they use. According to Con, states should keep that choice; \
            for Pro, a federal pause is the only even rule. At its core stands whether the United States should impose a \
            moratorium on new AI data centers before better data exist, or after. Three of the four hinges would favor \
            Pro if they proved true, and one Con."
            .to_owned(),
        areas_of_agreement: vec![Agreement {
            topic: "Transparency".to_owned(),
            description: "Both sides want public reporting of energy and water use.".to_owned(),
            shared_evidence: vec!["Utility filings in Virginia and Texas".to_owned()],
        }],
        core_disagreements: vec![disagreement(
            "The federal government should pause approvals until cumulative effects are known; it is better to wait.",
            "Approvals should go on under strict local standards; a blanket pause must be a last resort.",
        )],
        assumption_conflicts: vec![AssumptionConflict {
            pro_assumption: "Regulators must act nationally to prevent a race to the bottom.".to_owned(),
            con_assumption: "Local regulators should and can adapt fast enough.".to_owned(),
            impact_on_debate: "If Pro's assumption is true, local rules leave gaps; if Con's is, a pause adds little.".to_owned(),
        }],
        evidence_gaps: vec![EvidenceGap {
            question: "How much of projected demand will materialize?".to_owned(),
            why_it_matters: "The pros and cons of waiting hang on it.".to_owned(),
            current_state: Knowledge::Projected,
        }],
        decision_hinges: vec![hinge(Favors::Pro), hinge(Favors::Pro), hinge(Favors::Con), hinge(Favors::Pro)],
        complexity_assessment: "High: technical forecasts and questions of fairness hang together.".to_owned(),
        neutrality_check: "I gave Pro and Con the same room, recommend neither Pro nor Con, and name no winner.".to_owned(),
        answered_by: "model".to_owned(),
        dropped_citations: 0,
    }
}

fn told(violations: &[Violation]) -> String {
    violations.iter().map(|violation| violation.told.as_str()).collect::<Vec<_>>().join("\n")
}

fn passes(text: &str) -> bool {
    of_text(text, &asking(QUESTION)).is_empty()
}

#[test]
fn a_sound_synthesis_passes() {
    let found = of_synthesis(&sound(), &asking(QUESTION));
    assert_eq!(told(&found), "");
}

#[test]
fn what_takes_a_side_fails() {
    for text in [
        "Pro clearly has the stronger argument.",
        "I recommend adopting the Pro position.",
        "Con is right about costs.",
        "**Pro** is right about water.",
        "PRO IS RIGHT.",
        "Pro is\nclearly\nright.",
        "Con, on this, must give way; the rest is open.",
        "pro is right",
        "Con’s right about jobs.",
        "Con isn’t wrong.",
        "Pro is “right” about the grid.",
        "Pro’s cost argument is stronger.",
        "The Con side is more convincing.",
        "Pro-side is right.",
        "Con wins on costs.",
        "In the end Pro prevails.",
        "Pro is the winner.",
        "The winner is clear.",
        "Con has the upper hand.",
        "Con gets it right.",
        "The stronger case was made for waiting.",
        "The weaker arguments concern jobs.",
        "This is the most persuasive point.",
        "The evidence favours Pro.",
        "The evidence clearly favors Con.",
        "The balance of the record tilts toward Pro.",
        "The weight of evidence is on Con's side.",
        "The proposition is justified.",
        "On balance, the proposition seems justified.",
        "The answer is clearly yes.",
        "The team should wait.",
        "States must act now.",
        "A pause is recommended.",
        "The recommendation is to wait.",
        "It would be better to wait.",
        "It is worse to wait than to act.",
        "A pause is clearly the right policy.",
        "That is obviously correct.",
        "A pause is superior to standards.",
        "Standards are inferior.",
        "The United States should impose a moratorium on new AI data centers.",
        "Pro argues, correctly, that water is scarce.",
        "Con rightly notes that demand may fall.",
        "Rightly, Con notes that demand may fall.",
        "Con admits weakly that water is scarce.",
        "Pro fails to show that demand grows.",
        "Pro argues convincingly that water is scarce.",
        "Pro ignores the jobs.",
        "Pro argues that costs rise, but the team should wait.",
        "Pro argues that costs rise. States should wait.",
        "Pro argues that costs rise, and we should wait.",
        "Pro argues that costs rise; states should wait.",
        "Pro argues that costs rise — the team should wait.",
        "The Pro claim should prevail.",
        "Pro should have said more.",
        "Pro claims should be believed.",
        "Pro shows that Con is wrong.",
        "I agree with Con.",
        "In my view, the grid comes first.",
        "Whether or not costs rise, states should wait.",
        "States shouldn’t wait.",
        "\"States should wait.",
        "Pro hat recht.",
        "Ich empfehle eine Pause.",
        "Con a raison.",
        "On devrait attendre.",
        "Con tiene razón.",
        "Se debería esperar.",
        "A must-have.",
        "_Con_ is *right*.",
        "S\u{ad}hould is a word, and states s\u{200b}hould wait.",
    ] {
        assert!(!passes(text), "passed: {text:?}");
    }
}

#[test]
fn what_takes_no_side_passes() {
    for text in [
        "",
        "Mustard and a shoulder have nothing to do with it.",
        "The pros and cons are many, and pro-growth and anti-growth camps exist.",
        "“Should they occur”, the report says, shortages would be local.",
        "\"should they occur\" is how Con put it.",
        "The report says «states should wait» and ‘fees must rise’.",
        "Der Bericht sagt „man sollte warten“, mehr nicht.",
        QUESTION,
        "The question was: should the  united states\nimpose a moratorium on new AI data centers",
        "*Should the United States impose a moratorium on new AI data centers?* was asked.",
        "They part over whether the United States should impose a moratorium on new AI data centers.",
        "It is open whether the United States should impose a moratorium.",
        "The proposition that the United States should impose a moratorium on AI data centers divides them.",
        "Pro argues that states must act.",
        "Pro argues that the U.S. Congress should act, e.g. by law.",
        "According to Con, operators should pay.",
        "For Pro, regulators must come first.",
        "In Con’s view, prices should decide.",
        "Pro’s position is that regulators should wait.",
        "Pro's cost argument is that operators must pay.",
        "Both sides agree that operators must report.",
        "Pro and Con hold that operators should report.",
        "Con holds, claims, contends, maintains, says and fears that prices must rise.",
        "Con, citing utility filings, argues that states should wait.",
        "Con argues that the grid operator (PJM) should plan ahead.",
        "Pro holds that noise, water, and power should be weighed.",
        "Pro argues that states must act, while Con holds that they should wait.",
        "Pro argues that states must act, and that they should act soon.",
        "Pro recommends a pause.",
        "**Pro:** states should act.",
        "Operators should pay, Pro argues.",
        "Operators should pay, according to Con.",
        "Pro warns of shortages. It adds that states should act.",
        "They part over whether operators should pay.",
        "The Superior Court ruled near Lake Superior.",
        "If demand doubles, the evidence would favor Pro.",
        "Neither Pro nor Con is right or wrong by the record alone.",
        "Pro rests on forecasts and Con on past growth.",
        "Pro is concerned about water and Con about jobs.",
        "Better data are needed, and stronger evidence would help.",
        "Confidence is low and progress is slow; professionals convene.",
        "Laut Pro sollte der Bund handeln.",
        "Pro soutient que l’État devrait agir.",
        "Según Con, se debería esperar.",
    ] {
        let found = of_text(text, &asking(QUESTION));
        assert!(found.is_empty(), "{text:?}\n{}", told(&found));
    }
}

#[test]
fn a_proposition_in_another_language_is_exempt_too() {
    let proposition = asking("Sollten die USA den Bau neuer Rechenzentren aussetzen?");
    assert!(
        of_text("Offen ist, ob die USA den Bau neuer Rechenzentren aussetzen sollten.", &proposition)
            .is_empty()
    );
    assert!(!of_text("Die USA sollten den Bau neuer Rechenzentren aussetzen.", &proposition).is_empty());
}

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
fn hinges_are_balanced_once_there_are_six() {
    let hinges = |pro: usize, con: usize, neutral: usize| {
        let of = |favors, count| vec![hinge(favors); count];
        [of(Favors::Pro, pro), of(Favors::Con, con), of(Favors::Neutral, neutral)].concat()
    };
    for (pro, con, neutral, even) in [
        (8, 1, 0, false),
        (1, 8, 0, false),
        (3, 1, 0, true),
        (5, 0, 0, true),
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

/// What puts a text in one place of a synthesis.
type Place = fn(&mut DebateSynthesis, String);

/// Every text of a synthesis, with its section.
const PLACES: [(Section, Place); 15] = [
    (Section::Summary, |s, text| s.executive_summary = text),
    (Section::Agreements, |s, text| s.areas_of_agreement[0].topic = text),
    (Section::Agreements, |s, text| s.areas_of_agreement[0].description = text),
    (Section::Agreements, |s, text| s.areas_of_agreement[0].shared_evidence = vec![text]),
    (Section::Disagreements, |s, text| s.core_disagreements[0].topic = text),
    (Section::Disagreements, |s, text| s.core_disagreements[0].pro_position = text),
    (Section::Disagreements, |s, text| s.core_disagreements[0].con_position = text),
    (Section::Assumptions, |s, text| s.assumption_conflicts[0].pro_assumption = text),
    (Section::Assumptions, |s, text| s.assumption_conflicts[0].impact_on_debate = text),
    (Section::Gaps, |s, text| s.evidence_gaps[0].question = text),
    (Section::Gaps, |s, text| s.evidence_gaps[0].why_it_matters = text),
    (Section::Hinges, |s, text| s.decision_hinges[0].if_true = text),
    (Section::Hinges, |s, text| s.decision_hinges[0].current_evidence = text),
    (Section::Complexity, |s, text| s.complexity_assessment = text),
    (Section::Check, |s, text| s.neutrality_check = text),
];

#[test]
fn a_verdict_fails_wherever_it_stands_and_shows_nothing_of_itself() {
    for (section, put) in PLACES {
        let mut synthesis = sound();
        put(
            &mut synthesis,
            "All told, and after long thought about every zebra there is, Con is right about costs here."
                .to_owned(),
        );
        let found = of_synthesis(&synthesis, &asking(QUESTION));
        assert_eq!(found.iter().map(|violation| violation.section).collect::<Vec<_>>(), [section]);
        assert!(found[0].told.contains("Con is right about costs"), "{}", found[0].told);
        assert!(!found[0].shown.contains("right") && !found[0].shown.contains("Con"), "{}", found[0].shown);
    }
}

#[test]
fn advice_is_a_side_s_own_in_its_fields_only() {
    for (section, put) in PLACES {
        let mut synthesis = sound();
        put(
            &mut synthesis,
            "Regulators should wait and operators must pay for what they take from others.".to_owned(),
        );
        let found = of_synthesis(&synthesis, &asking(QUESTION));
        // Of the assumptions, only the impact is in the moderator's own words.
        let held = section == Section::Disagreements || section == Section::Assumptions;
        assert!(held || !found.is_empty(), "{section:?}");
    }
    let mut synthesis = sound();
    synthesis.core_disagreements[0].topic = "States should pay".to_owned();
    synthesis.assumption_conflicts[0].impact_on_debate = "States should pay".to_owned();
    let sections: Vec<Section> =
        of_synthesis(&synthesis, &asking(QUESTION)).iter().map(|found| found.section).collect();
    assert_eq!(sections, [Section::Disagreements, Section::Assumptions]);
}

#[test]
fn the_moderator_may_deny_that_it_takes_a_side() {
    for (text, fine) in [
        ("Nothing is recommended here and no winner is named.", true),
        ("I avoided saying which side has the stronger case.", true),
        ("It does not recommend Pro or Con.", true),
        ("I do not recommend Con.", false),
        ("No doubt Pro is right.", false),
        ("I recommend waiting.", false),
    ] {
        let mut synthesis = sound();
        synthesis.neutrality_check = text.to_owned();
        assert_eq!(of_synthesis(&synthesis, &asking(QUESTION)).is_empty(), fine, "{text:?}");
    }
    assert!(!passes("Nothing is recommended here."), "only in its own check");
}
