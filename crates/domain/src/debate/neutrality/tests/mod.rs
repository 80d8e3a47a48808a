//! What takes a side and what does not, case by case.

mod always;
mod counts;

use super::*;
use crate::{
    Agreement, AssumptionConflict, Between, CoreDisagreement, EvidenceGap, Favors, Knowledge, Level,
    PropositionContext, RootCause,
};

const QUESTION: &str = "Should the United States impose a moratorium on new AI data centers?";

fn asking(question: &str) -> Proposition {
    Proposition {
        raw: "US moratorium on AI data centers, yes or no".to_owned(),
        question: question.to_owned(),
        context: PropositionContext::default(),
        ..crate::sample::debate::proposition()
    }
}

fn hinge(favors: Favors) -> Hinge {
    Hinge {
        if_true: "Regional reserve margins fall below 10% by 2030".to_owned(),
        then_favors: favors,
        current_evidence: "Grid operators' projections differ by a factor of two.".to_owned(),
        confidence: Level::Medium,
        sources: Vec::new(),
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
        edits: Vec::new(),
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
        between: vec![Between {
            position: "A pause only where reserves are thin, named by Con.".to_owned(),
            named_by: "Con's closing".to_owned(),
            pro_objection: "It should be federal, or builders move next door.".to_owned(),
            con_objection: "The team should not let one utility decide it.".to_owned(),
        }],
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

/// What a neutral moderator may write, each of it innocent however it sounds.
const NEUTRAL: [&str; 52] = [
    "Con agrees with Pro that the pilot's data are thin; they part over what follows from that.",
    "Both sides expect winners and losers among small shops; Pro expects more of the former, Con of the latter.",
    "It hangs on whether Pro is right that half of the commuters would switch, which nobody has measured.",
    "Pro holds that the stronger case is on its side because costs fall; Con holds the same for itself because risks rise.",
    "If demand should fall by a third, Con's figures would apply; if not, Pro's would.",
    "What would clearly count as failure after twelve months, for each of you?",
    "You said that rents rise. You also said that supply doubles. How do both hold?",
    "Copilot Pro is better documented than its rival, according to Pro; Con did not dispute it.",
    "Neither side gave a source for the 30 percent.",
    "They disagree at the root about what a school owes to those who do not use it: a question of values that no study settles.",
    "Pro's argument depends on the assumption that enforcement works; Con's on the assumption that it does not.",
    "The sides could be bridged where both would accept a trial of limited length; where they see a matter of principle, they could not.",
    "Pro conceded that the first year costs more. Con conceded that the present state cannot last.",
    "Con's strongest point, in Pro's own words, is the price of a wrong decision.",
    "Nothing in the debate shows which of the two forecasts is nearer to the truth.",
    "Sollte die Nachfrage fallen, träfe die Rechnung von Con zu; sollte sie steigen, die von Pro.",
    "Beide Seiten sind sich einig, dass die Zahlen aus dem Versuch zu dünn sind.",
    "Con stimmt Pro darin zu, dass die jetzige Regelung nicht bleiben kann.",
    "Ob Pro recht hat, hängt davon ab, wie viele Eltern das Angebot annehmen; das weiß niemand.",
    "Les deux camps s'accordent sur le coût de la première année et se séparent sur ce qu'il achète.",
    "Ambas partes aceptan que los datos son de un solo año.",
    "Pro says \"we must act now\"; Con answers that haste is the larger risk.",
    "The word \"fair\" is used by Pro for equal shares and by Con for shares by need; much of the quarrel follows from that.",
    "A reader who weighs lives above money will find Pro's order of aims natural; one who weighs freedom above both, Con's.",
    "",
    "I recommend neither Pro nor Con, and name no winner.",
    "“Pro is right”, the report says.",
    "They part over whether the team should accept the offer.",
    "Con holds that the team should reject it, and Pro that it should accept.",
    "If demand doubles, the evidence favours Pro.",
    "Neither Pro nor Con is right or wrong by the record alone.",
    "The pros and cons are many, and pro-growth camps exist.",
    "Pro says: the team should wait.",
    "Copilot Pro is right for small teams, according to Con.",
    "Pro admits that Con is right about the first year.",
    "The winner of the tender is not known.",
    "Con calls it “urgent” and says the team should adopt it.",
    "Although Con raises doubts, Pro holds that the case for it is stronger.",
    "Nothing that was said shows that Pro is right about the fees.",
    "For Pro the benefits outweigh the costs; for Con they do not.",
    "They part over whether the benefits outweigh the costs.",
    "Pro is right if half of the shops join; Con is right if they do not.",
    "Pro is more convincing to those who weigh speed above care; Con to the others.",
    "Con's view is that it would be better to wait, Pro's that it would be better to begin.",
    "On Con's reading the evidence points to the proposition's costs, on Pro's to its gains.",
    "It would be better to know the price before anybody votes on it.",
    "Con tried to refute the figure and Pro stood by it.",
    "Pro vertritt, dass es besser wäre, den Antrag anzunehmen; Con meint das Gegenteil.",
    "Wenn die Nachfrage steigt, hat Pro recht; wenn sie fällt, hat Con recht.",
    "Si la demande double, Pro a raison; sinon, c'est Con.",
    "Se a procura subir, Pro tem razão; se cair, Con tem razão.",
    "Con afirma que seria melhor esperar; Pro, que o plano já foi testado.",
];

/// What always takes a side.
const SIDED: [&str; 68] = [
    "Pro is right that the ban would work.",
    "On balance, the case for the proposition is stronger.",
    "I recommend a trial of six months.",
    "Con fails to answer the central point and therefore loses this exchange.",
    "The team should adopt the proposal with amendments.",
    "Insgesamt überzeugt die Seite Con mehr.",
    "Ich empfehle, dem Antrag zu folgen.",
    "Pro clearly has the stronger argument.",
    "I recommend adopting the Pro position.",
    "**Pro** is right about water.",
    "PRO IS RIGHT.",
    "Pro is\nclearly\nright.",
    "Con’s case is weaker.",
    "In the end Pro prevails.",
    "The winner is Con.",
    "The evidence clearly favors Con.",
    "The stronger arguments are with Pro.",
    "The proposition should be rejected.",
    "I agree with Con.",
    "Pro argues that costs rise; the team should reject it.",
    "_Con_ is *right*.",
    "C\u{ad}on is ri\u{200b}ght.",
    "Pro hat recht.",
    "Die besseren Argumente hat Con.",
    "Con a raison.",
    "Je recommande de voter contre.",
    "Con tiene razón.",
    "Recomiendo aceptar.",
    "Con said “yes.” The team should accept.",
    "Although Con raises valid concerns, Pro has the stronger case.",
    "While Con had fair points, Pro is right about costs.",
    "Of the two sides, Pro's case is stronger.",
    "Pro is more persuasive.",
    "It would be better to adopt it.",
    "Both sides argued well, yet Con has the upper hand.",
    "When all is said, Con comes out ahead.",
    "When it comes to costs, Con is right.",
    "Even if Con's worries are fair, Pro is right.",
    "Con's arguments are the more convincing ones.",
    "Con holds that costs rise, though Pro is right about them.",
    "Pro's arguments clearly outweigh those of Con.",
    "The benefits outweigh the risks.",
    "Con's objections do not hold up.",
    "Pro's figures are flawed.",
    "Con has convincingly refuted the claim about jobs.",
    "In the end the balance tips towards Pro.",
    "The points go to Con.",
    "There is no doubt that Pro is right.",
    "Nobody can deny that Con is right.",
    "My vote goes to Pro.",
    "I would vote against it.",
    "It should therefore be adopted.",
    "The proposal deserves a yes.",
    "The answer is clearly no.",
    "With both cases heard, it would be wiser to wait.",
    "Obwohl Con gute Gründe nennt, hat Pro die besseren Argumente.",
    "Bei den Kosten hat Con recht.",
    "Es wäre besser, den Antrag abzulehnen.",
    "Bien que Con ait de bons arguments, Pro a raison.",
    "Pro est nettement plus convaincant.",
    "Il vaudrait mieux l'adopter.",
    "Aunque Con plantea dudas, Pro tiene razón.",
    "Sería mejor aprobarla.",
    "Pro tem razão.",
    "Embora Con levante dúvidas, Pro é mais convincente.",
    "Os argumentos de Con são mais fortes.",
    "Recomendo aprovar a proposta.",
    "A equipe deveria aceitar a proposta.",
];

/// What takes a side for whoever reads it with care, and the words that do. Code lets it pass; the judge is asked.
const LEANING: [(&str, &str); 15] = [
    (
        "Pro convincingly shows that costs fall, while Con merely claims that risks rise.",
        "convincingly shows",
    ),
    ("The fears of Con are understandable but unfounded.", "understandable but unfounded"),
    ("Con refuses to see what every town of this size has learnt.", "refuses to see"),
    ("Of course the budget cannot carry this, whatever Pro hopes.", "of course"),
    (
        "Pro's plan would bring two hundred jobs, a livelier centre and the taxes that pay for the school; Con doubts this.",
        "a livelier centre and the taxes that pay for the school",
    ),
    ("Common sense suggests that people will drive anyway.", "common sense"),
    ("Pro makes the brave suggestion to begin at once; Con hesitates.", "brave"),
    ("Leider ging Con auf die Zahlen nicht ein, obwohl sie alles entscheiden.", "leider"),
    ("With both objections answered, the only remaining question is when to begin.", "only remaining"),
    ("Pro answered every question with care; Con had little to say.", "had little to say"),
    ("Con could only repeat its fears.", "could only repeat its fears"),
    ("Pro rightly insists on the contract.", "rightly insists"),
    ("The numbers speak a clear language here.", "speak a clear language"),
    ("Happily, Pro put the matter straight.", "happily"),
    ("Any honest look at the budget ends the matter.", "any honest look"),
];

#[test]
fn what_a_neutral_moderator_writes_passes() {
    for text in NEUTRAL {
        let found = of_text(text, &asking(QUESTION));
        assert!(found.is_empty(), "{text:?}\n{}", told(&found));
    }
}

#[test]
fn what_always_takes_a_side_fails() {
    for text in SIDED {
        assert!(!passes(text), "passed: {text:?}");
    }
}

#[test]
fn what_a_judge_quotes_counts_if_it_stands_there() {
    for (text, words) in LEANING {
        assert!(passes(text), "not for code to decide: {text:?}");
        let taken = |words: &str| SideTaken { section: Section::Summary, words: words.to_owned() };
        assert!(taken(words).stands_in(text), "{words:?} in {text:?}");
        assert!(taken(&words.to_uppercase()).stands_in(&format!("**{text}**")));
        assert!(!taken("").stands_in(text) && !taken("?!").stands_in(text), "nothing is no quotation");
        assert!(!taken("something that is not there").stands_in(text));
        let quoted = format!("Con said: “{text}”");
        assert!(!taken(words).stands_in(&quoted), "somebody else's words: {quoted}");
    }
    let half = SideTaken { section: Section::Summary, words: "art of".to_owned() };
    assert!(!half.stands_in("It is part of both cases."), "whole words only");
}

/// What puts a text in one place of a synthesis.
type Place = fn(&mut DebateSynthesis, String);

/// Every text of a synthesis, with its section.
const PLACES: [(Section, Place); 17] = [
    (Section::Summary, |s, text| s.executive_summary = text),
    (Section::Agreements, |s, text| s.areas_of_agreement[0].topic = text),
    (Section::Agreements, |s, text| s.areas_of_agreement[0].description = text),
    (Section::Agreements, |s, text| s.areas_of_agreement[0].shared_evidence = vec![text]),
    (Section::Disagreements, |s, text| s.core_disagreements[0].topic = text),
    (Section::Disagreements, |s, text| s.core_disagreements[0].pro_position = text),
    (Section::Disagreements, |s, text| s.core_disagreements[0].con_position = text),
    (Section::Between, |s, text| s.between[0].position = text),
    (Section::Between, |s, text| s.between[0].con_objection = text),
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
fn a_verdict_fails_in_the_moderator_s_own_voice_and_shows_nothing_of_itself() {
    for (place, (section, put)) in PLACES.into_iter().enumerate() {
        let mut synthesis = sound();
        let text =
            "All told, and after long thought about every zebra there is, Con is right about costs here.";
        put(&mut synthesis, text.to_owned());
        let found = of_synthesis(&synthesis, &asking(QUESTION));
        if SAID_BY_OTHERS.contains(&place) {
            assert_eq!(found, [], "{section:?}");
            continue;
        }
        assert_eq!(found.iter().map(|violation| violation.section).collect::<Vec<_>>(), [section]);
        assert!(found[0].told.contains("Con is right"), "{}", found[0].told);
        assert!(!found[0].shown.contains("Con"), "{}", found[0].shown);
    }
}

/// The places of what the sides hold, and of what may or may not be so.
const SAID_BY_OTHERS: [usize; 5] = [5, 6, 8, 9, 13];
