//! What trust promises, for any history; and what each kind of evidence says.

use proptest::{prelude::*, sample::select};

use super::*;
use crate::{
    Basis, Conflict, ConflictResolution, Decision, FlagColor, MODULES, Matter, ModuleOutput, Outcome,
    RaciRow, Round, Searched, Solution, SolutionId, Supported, Synthesis, UserId, Verdict, Vote, VoteRules,
    sample::{
        mediate::{flag, name, output, panel, synthesis},
        vote as votes,
    },
};

const KINDS: [TrustKind; 6] = [
    TrustKind::Flags,
    TrustKind::Contradicted,
    TrustKind::Refuted,
    TrustKind::Specific,
    TrustKind::Points,
    TrustKind::Outcome,
];

fn event(session: u64, module: &str, (good, bad): (u32, u32)) -> TrustEvent {
    let evidence = Evidence { good, bad };
    let moved = Moved { module: name(module), kind: TrustKind::Outcome, decision: 1, evidence };
    TrustEvent { session: SessionId::from_bits(session), moved, at: 5 }
}

/// Anything that may have happened to a module, in a few sessions.
fn events() -> impl Strategy<Value = Vec<TrustEvent>> {
    let one = (0u64..6, select(&KINDS), 0u32..400, 0u32..400).prop_map(|(session, kind, good, bad)| {
        let TrustEvent { session, moved, at } = event(session, "market", (good, bad));
        TrustEvent { session, moved: Moved { kind, ..moved }, at }
    });
    prop::collection::vec(one, 0..30)
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn an_influence_stays_within_a_half_and_one_and_a_half(events in events()) {
        prop_assert!((0.5..=1.5).contains(&Influence::of(&events).get()));
    }

    #[test]
    fn the_order_in_which_things_happened_changes_nothing(events in events(), turn in 0usize..30) {
        let mut other = events.clone();
        other.reverse();
        let turn = turn % other.len().max(1);
        other.rotate_left(turn);
        prop_assert_eq!(Influence::of(&other), Influence::of(&events));
        prop_assert_eq!(Influences::of(&other), Influences::of(&events));
    }

    #[test]
    fn what_speaks_for_a_module_never_lowers_it_and_what_speaks_against_it_never_raises_it(
        events in events(),
        session in 0u64..9,
        much in 0u32..400,
    ) {
        let with = |evidence| {
            let more = event(session, "market", evidence);
            Influence::of(events.iter().chain([&more]))
        };
        let before = Influence::of(&events);
        prop_assert!(with((much, 0)) >= before);
        prop_assert!(with((0, much)) <= before);
    }

    #[test]
    fn no_session_moves_a_module_by_more_than_a_tenth(events in events(), more in events()) {
        // All of one session that was not there before.
        let more = more.into_iter().map(|event| TrustEvent { session: SessionId::from_bits(99), ..event });
        let all: Vec<TrustEvent> = events.iter().cloned().chain(more).collect();
        let moved = (Influence::of(&all).get() - Influence::of(&events).get()).abs();
        prop_assert!(moved <= 0.1 + 0.01 + 1e-9, "{moved} with both rounded to hundredths");
    }

    #[test]
    fn one_modules_history_moves_nobody_else(events in events()) {
        let influences = Influences::of(&events);
        for module in MODULES.iter().filter(|module| module.name != "market") {
            prop_assert_eq!(influences.of_module(&module.name()), Influence::default());
        }
    }
}

#[test]
fn a_module_without_history_counts_exactly_one() {
    assert!((Influence::of(&[]).get() - 1.0).abs() < f64::EPSILON);
    assert!((Influences::default().of_module(&name("market")).get() - 1.0).abs() < f64::EPSILON);
    assert_eq!(Influences::default().sentence(&[name("market")]), None);
}

#[test]
fn a_name_that_was_made_up_for_one_session_has_no_history() {
    let events = [event(1, "harbour-pilots", (100, 0)), event(1, "cost", (100, 0))];
    let influences = Influences::of(&events);
    assert!(influences.of_module(&name("harbour-pilots")).is_usual());
    assert!(!influences.of_module(&name("cost")).is_usual());
    let all = ModuleTrust::all(&events);
    assert_eq!(all.iter().map(|trust| &*trust.module.0).collect::<Vec<_>>(), ["cost"]);
}

#[test]
fn influences_are_kept_as_numbers_and_said_in_a_sentence() {
    let events = [event(1, "market", (100, 0)), event(2, "cost", (0, 100)), event(3, "risk", (50, 50))];
    let influences = Influences::of(&events);
    let kept = serde_json::to_string(&influences).unwrap();
    assert_eq!(kept, r#"{"cost":0.94,"market":1.06}"#);
    assert_eq!(serde_json::from_str::<Influences>(&kept).unwrap(), influences);
    assert_eq!(serde_json::from_str::<Influence>("7").unwrap(), Influence::from(1.5));
    assert_eq!(
        influences.sentence(&["market", "cost", "risk"].map(name)).unwrap(),
        "Market counts 1.06 and Cost 0.94, by how their earlier advice here turned out."
    );
    assert_eq!(
        influences.sentence(&[name("cost")]).unwrap(),
        "Cost counts 0.94, by how its earlier advice here turned out."
    );
}

#[test]
fn a_module_tells_its_sessions_and_what_moved_it_most_newest_first() {
    let at = |at, event: TrustEvent| TrustEvent { at, ..event };
    let events = [
        at(1, event(1, "market", (100, 0))),
        at(2, event(1, "market", (5, 0))),
        at(3, event(2, "market", (0, 60))),
        at(4, event(2, "market", (7, 7))),
    ];
    let market = &ModuleTrust::all(&events)[0];
    assert_eq!(market.sessions, 2);
    assert_eq!(market.moved_most.iter().map(|event| event.at).collect::<Vec<_>>(), [3, 1]);
}

/// A vote on three solutions: Market and Cost stand for one each, Risk for none.
fn vote(ballots: &[&[u32]]) -> Vote {
    let experts: [(&str, f64, &[u32], Basis); 3] = [
        ("📈 Market", 1.0, &[7, 3, 0], Basis::Given),
        ("💰 Cost", 1.0, &[0, 10, 0], Basis::Given),
        ("⚠️ Risk", 1.0, &[4, 3, 3], Basis::Even),
    ];
    let mut vote = votes::vote(&["Pilot", "Franchise", "Wait"], &experts, ballots);
    for solution in &mut vote.solutions {
        solution.raised_by.clear();
    }
    let modules = ["market", "cost", "risk"].map(name);
    vote.champions = champions(&modules, &vote.solutions, &vote.experts);
    vote
}

fn evidence(moved: &[Moved]) -> Vec<(&str, u32, u32)> {
    moved.iter().map(|one| (&*one.module.0, one.evidence.good, one.evidence.bad)).collect()
}

#[test]
fn a_module_champions_what_it_gave_most_and_what_is_named_its_own_unless_it_gave_it_nothing() {
    let stands_for = |of: &Vote| -> Vec<(String, Vec<u8>)> {
        let ids = |champion: &Champion| champion.solutions.iter().map(|id| id.0).collect();
        of.champions.iter().map(|champion| (champion.module.0.clone(), ids(champion))).collect()
    };
    let mut vote = vote(&[]);
    let expected = |market: &[u8], risk: Option<&[u8]>| -> Vec<(String, Vec<u8>)> {
        let risk = risk.map(|ids| ("risk".to_owned(), ids.to_vec()));
        [("market".to_owned(), market.to_vec()), ("cost".to_owned(), vec![2])]
            .into_iter()
            .chain(risk)
            .collect()
    };
    assert_eq!(stands_for(&vote), expected(&[1], None), "points that were only spread evenly say nothing");
    for solution in &mut vote.solutions {
        solution.raised_by = ["Market", "Cost", "Risk"].map(str::to_owned).to_vec();
    }
    let modules = ["market", "cost", "risk", "harbour-pilots"].map(name);
    vote.champions = champions(&modules, &vote.solutions, &vote.experts);
    assert_eq!(stands_for(&vote), expected(&[1, 2], Some(&[1, 2, 3])));
}

#[test]
fn the_teams_points_speak_for_who_championed_what_they_went_to_and_more_voters_say_more() {
    // An even share is a third: all of it is as far up as none of it is down.
    assert_eq!(evidence(&by_points(&vote(&[&[10, 0, 0]]))), [("market", 30, 0), ("cost", 0, 30)]);
    let nine: [&[u32]; 9] = [&[10, 0, 0]; 9];
    assert_eq!(evidence(&by_points(&vote(&nine))), [("market", 54, 0), ("cost", 0, 54)]);
    assert_eq!(evidence(&by_points(&vote(&[]))), []);
    // Where nobody came, or too few, nobody is judged.
    let mut few = vote(&[&[10, 0, 0]]);
    few.rules = VoteRules { quorum: 2, ..VoteRules::default() };
    assert_eq!(by_points(&few), []);
    // Whoever stands for everything stands for nothing.
    let mut all = vote(&[&[10, 0, 0]]);
    all.champions[0].solutions = all.solutions.iter().map(|solution: &Solution| solution.id).collect();
    assert_eq!(evidence(&by_points(&all)), [("cost", 0, 30)]);
}

#[test]
fn an_outcome_moves_who_championed_what_was_chosen_and_nobody_else() {
    let decision = |verdict: Option<Verdict>| Decision {
        number: 2,
        vote: vote(&[]),
        swing: None,
        chosen: SolutionId(1),
        rationale: String::new(),
        owner: String::new(),
        dissent: String::new(),
        review: None,
        by: UserId(1),
        by_name: "Ada".into(),
        at: 1,
        outcome: verdict.map(|verdict| Outcome {
            verdict,
            text: "So it went.".into(),
            by: UserId(1),
            by_name: "Ada".into(),
            at: 2,
        }),
    };
    assert_eq!(by_outcome(&decision(None)), []);
    for (verdict, good, bad) in
        [(Verdict::Worked, 100, 0), (Verdict::Partly, 50, 50), (Verdict::DidNot, 0, 100)]
    {
        let moved = by_outcome(&decision(Some(verdict)));
        assert_eq!(evidence(&moved), [("market", good, bad)]);
        assert_eq!((moved[0].kind, moved[0].decision), (TrustKind::Outcome, 2));
    }
}

#[test]
fn a_synthesis_speaks_for_flags_it_has_and_against_a_position_that_lost() {
    let outputs = ["market", "cost", "risk"].map(|module| output(module, Round::Revision));
    let spoke: Vec<&ModuleOutput> = outputs.iter().collect();
    let of = |moved: &[Moved], kind| -> Vec<(String, u32, u32)> {
        let of_kind = moved.iter().filter(|one| one.kind == kind);
        of_kind.map(|one| (one.module.0.clone(), one.evidence.good, one.evidence.bad)).collect()
    };
    let mut written = synthesis();
    written.flags = vec![flag(FlagColor::Red, "No couriers."), flag(FlagColor::Yellow, "Thin margins.")];
    assert_eq!(
        of(&by_synthesis(&spoke, &written, &[], &[]), TrustKind::Flags),
        [],
        "nobody knows whose they are"
    );
    written.flags[0].raised_by = vec![name("risk")];
    written.flags[1].raised_by = vec![name("risk"), name("market")];
    let moved = by_synthesis(&spoke, &written, &[], &[]);
    let expected = [("market", 6, 0), ("cost", 0, 10), ("risk", 18, 0)].map(|(m, g, b)| (m.to_owned(), g, b));
    assert_eq!(of(&moved, TrustKind::Flags), expected);

    let all = ["market", "cost", "risk"].map(name);
    let raci = RaciRow::rows(&panel(""), &all);
    let mut conflict = written.conflicts[0].clone();
    conflict.modules = vec![name("market"), name("cost")];
    conflict.area = Some(name("cost"));
    conflict.carries = Some("Below five each order loses money.".to_owned());
    let lost = |conflict: &Conflict, raci: &[RaciRow]| {
        let written = Synthesis { conflicts: vec![conflict.clone()], ..written.clone() };
        of(&by_synthesis(&spoke, &written, raci, &[]), TrustKind::Contradicted)
    };
    assert_eq!(lost(&conflict, &raci), [("market".to_owned(), 0, 20)]);
    assert_eq!(lost(&conflict, &[]), [], "nobody said whose position carries");
    conflict.modules.push(name("risk"));
    assert_eq!(lost(&conflict, &raci), [], "of three nobody knows who held with whom");
    conflict.modules = vec![name("market"), name("cost")];
    conflict.carries = None;
    assert_eq!(lost(&conflict, &raci), [], "it stays open");
}

/// A verdict on the sample's conflict between market and cost.
fn verdict(finding: Supported, verdict: &str) -> ConflictResolution {
    let matter = Matter::of(&synthesis()).remove(0);
    let silent = ConflictResolution::silent(&matter, None, Searched::Nothing);
    let modules = ["market", "cost"].map(name).to_vec();
    ConflictResolution { modules, finding, verdict: verdict.to_owned(), ..silent }
}

#[test]
fn pages_speak_against_the_position_that_they_do_not_support_and_only_where_they_are_cited() {
    let outputs = ["market", "cost", "risk"].map(|module| output(module, Round::Revision));
    let spoke: Vec<&ModuleOutput> = outputs.iter().collect();
    let lost = |verdicts: &[ConflictResolution]| -> Vec<(String, u32, u32)> {
        let moved = by_synthesis(&spoke, &synthesis(), &[], verdicts);
        let moved = moved.iter().filter(|one| one.kind == TrustKind::Refuted);
        moved.map(|one| (one.module.0.clone(), one.evidence.good, one.evidence.bad)).collect()
    };
    let of = |names: &[&str], bad| -> Vec<(String, u32, u32)> {
        names.iter().map(|name| ((*name).to_owned(), 0, bad)).collect()
    };
    let for_cost = || Supported::Module(name("cost"));
    let founded = verdict(for_cost(), "Fees are above 15 % [2].");
    assert_eq!(lost(&[]), []);
    assert_eq!(lost(std::slice::from_ref(&founded)), of(&["market"], 35));
    assert_eq!(lost(&[verdict(for_cost(), "Fees are above 15 %.")]), [], "no page that there is");
    assert_eq!(lost(&[verdict(Supported::Unsettled, "Nobody knows [2].")]), []);
    assert_eq!(lost(&[verdict(Supported::InPart, "Both have a point [2].")]), []);
    assert_eq!(lost(&[verdict(Supported::Neither, "It is otherwise [2].")]), of(&["market", "cost"], 35));
    let mut three = founded.clone();
    three.modules.push(name("risk"));
    assert_eq!(lost(&[three]), [], "of three nobody knows who held with whom");
    let often: Vec<ConflictResolution> = std::iter::repeat_n(founded, 6).collect();
    assert_eq!(lost(&often), of(&["market"], 70), "bounded, however often");
    // A flag has no sides.
    let flag =
        ConflictResolution { modules: Vec::new(), ..verdict(Supported::Refuted, "No such thing [2].") };
    assert_eq!(lost(&[flag]), []);
}

#[test]
fn where_pages_say_who_is_right_the_rule_by_which_a_position_carries_moves_nobody() {
    let outputs = ["market", "cost"].map(|module| output(module, Round::Revision));
    let spoke: Vec<&ModuleOutput> = outputs.iter().collect();
    let raci = RaciRow::rows(&panel(""), &["market", "cost", "risk"].map(name));
    let mut written = synthesis();
    written.conflicts.truncate(1);
    let conflict = &mut written.conflicts[0];
    conflict.modules = ["market", "cost"].map(name).to_vec();
    conflict.area = Some(name("cost"));
    conflict.carries = Some("Below five each order loses money.".to_owned());
    let moved = |verdict: ConflictResolution| -> Vec<(String, TrustKind)> {
        let verdict = ConflictResolution { topic: written.conflicts[0].topic.clone(), ..verdict };
        let moved = by_synthesis(&spoke, &written, &raci, &[verdict]);
        let lost = |kind| matches!(kind, TrustKind::Contradicted | TrustKind::Refuted);
        moved.into_iter().filter(|one| lost(one.kind)).map(|one| (one.module.0, one.kind)).collect()
    };
    let for_market = Supported::Module(name("market"));
    assert_eq!(
        moved(verdict(for_market.clone(), "So it is [1].")),
        [("cost".to_owned(), TrustKind::Refuted)]
    );
    let by_rule = [("market".to_owned(), TrustKind::Contradicted)];
    assert_eq!(moved(verdict(for_market, "So it is.")), by_rule, "a verdict without a page settles nothing");
}
