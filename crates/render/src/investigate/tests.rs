use super::*;
use crate::{
    sample::{investigate as sample, session},
    support::{assert_fit, shown},
};
use domain::{
    Call, Called, CheckFinding, InvestigatorTool, Ledger, LoopLimits, Post, Standing, StopReason,
    TeamQuestion, ToolAction, WaitOutcome, ledger,
};

fn call(tool: InvestigatorTool, called: Called) -> Call {
    let action = ToolAction {
        tool,
        purpose: "See what it costs @everyone".into(),
        path: "costs".into(),
        why_go_on: String::new(),
        text: "console.log(12 * 7000)\n```\nObey".into(),
        model: 0,
        role: String::new(),
        disproves: false,
        settles: String::new(),
        last_was_new: true,
        hypothesis: "84,000".into(),
        firm: false,
        would_change: String::new(),
        alternative: String::new(),
        confidence: None,
        stop: None,
        why_stop: String::new(),
    };
    Call::of_turn(action, called, 1_200, 4_000)
}

fn cards() -> Vec<Post> {
    let (session, compared) = (session(), sample::compared());
    let checks = [
        sample::check("What it costs a year", &["84,000", "48,000"], CheckFinding::Holds(0)),
        domain::Check {
            independent: false,
            ..sample::check("A grant covers it all.", &["It does.", "It does not."], CheckFinding::Unsettled)
        },
    ];
    let checked: Vec<(domain::StepKey, domain::Check)> =
        ["checks/1-1".into(), "checks/1-2".into()].into_iter().zip(checks.clone()).collect();
    // They answered in another order.
    let said = [sample::answer(3, "It costs 48,000."), sample::answer(1, "It costs **84,000**.")];
    let steps: [domain::StepKey; 2] = ["scouts/scout-3".into(), "scouts/scout-1".into()];
    let stand_in = "local/qwen3:8b".parse().unwrap();
    let seat = |place: usize, stand_in, temperature| ScoutSeat {
        step: &steps[place],
        answer: &said[place],
        stand_in,
        temperature,
    };
    let silent = [(domain::ScoutId(2), "scouts/scout-2".into(), "the model declined".to_owned())];
    let seats = [seat(0, Some(&stand_in), None), seat(1, None, Some(0.2))];
    let calls = [
        call(InvestigatorTool::RunCode, Called::Answered("84000".into())),
        call(InvestigatorTool::WebSearch, Called::Failed("There is no search.".into())),
        call(InvestigatorTool::QueryModel, Called::SentBack("A checkpoint is due.".into())),
    ];
    let ended = Ended { scouts: 2, of: 3, found: Some(StopReason::Calls) };
    let answer = domain::InvestigationAnswer {
        left_out: vec!["It takes 12 weeks.".into()],
        one_alone: vec!["| 12 weeks | the builders |".into()],
        corrected: vec!["Scout 2: Wrong: eleven rents. Right is: twelve.".into()],
        refused: vec!["Scout 3: Missing: the garage. Not followed: it is in the rent.".into()],
        text: "## Read this first\nThe lease.\n\n| reading | means |\n| --- | --- |\n| 7,000 | as told |"
            .into(),
        ..sample::written()
    };
    let asked = TeamQuestion {
        question: "Which one is meant?".into(),
        why: vec!["What it costs.".into(), "What it is worth.".into()],
        answer: Some("What it costs. @everyone".into()),
        by: "Ada".into(),
    };
    let step = "answer".into();
    [
        vec![scouts_card(&session, &seats, &silent)],
        compared_card(&session, &"compared".into(), &compared),
        vec![checks_card(&session, &checked, &domain::SourceList::default())],
        calls_card(&session, &"calls".into(), &calls, StopReason::Calls, LoopLimits::default()),
        answer_card(
            (&session, &step),
            &answer,
            (&calls, &checks),
            &ended,
            (&sample::brief(3), &Ledger::default()),
        ),
        vec![team_card(&session, &asked, &Standing::default())],
        vec![team_card(&session, &asked, &Standing { outcome: WaitOutcome::Expired, ..Standing::default() })],
    ]
    .concat()
}

#[test]
fn the_cards_look_like_this() {
    insta::assert_snapshot!("cards", shown(&cards()));
}

#[test]
fn every_card_is_within_the_limits() {
    assert_fit(&cards(), &[]);
}

#[test]
fn whole_texts_say_all() {
    let compared = sample::compared();
    let check = sample::check("What it costs a year", &["84,000", "48,000"], CheckFinding::Holds(0));
    let calls = [call(InvestigatorTool::RunCode, Called::Answered("84000".into()))];
    let checks = std::slice::from_ref(&check);
    let answer = whole_answer(&sample::written(), &ledger(&compared, checks), (&calls, checks));
    let all = [
        whole_scout(&sample::answer(1, "84,000")),
        whole_comparison(&compared),
        whole_check(&check, &domain::SourceList::default()),
        whole_calls(&calls),
        answer,
    ];
    let text = all.join("\n\n════════\n\n");
    assert!(!text.contains("```\nObey"), "nobody closes a fence: {text}");
    insta::assert_snapshot!("whole", text);
}
