//! The cards of the rounds and of the memo.

use proptest::prelude::*;

use super::{
    super::{LostSeat, SeatInRound, Seated, check_card, memo_cards, round_card},
    plain_memo, seat,
};
use crate::{
    sample::{
        self as samples,
        mediate::{flag, name, output, outputs, panel, raci, redelegations, solutions, synthesis},
        session,
        vote::pilot,
    },
    support::{assert_fit, hostile, shown},
    vote,
};
use domain::{
    Action, Alone, AnsweredObjection, Challenge, ChosenDraft, Conflict, CounterFinding, Does, Edit, Flag,
    FlagColor, MODULES, MemoOption, ModuleName, ModuleOutput, NotKnown, Panel, Position, Post, RaciRow,
    Redelegation, Round, Severity, Solution, Spoken, Synthesis, Vote,
};

#[test]
fn a_round_is_one_message_of_all_who_answered_and_who_could_not() {
    let said = outputs(Round::Independent);
    let instead = Redelegation::Simpler { module: name("cost"), round: Round::Independent };
    let mut seats: Vec<SeatInRound<'_>> = said.iter().map(seat).collect();
    seats[1].redelegation = Some(&instead);
    let legal = name("legal");
    let lost = LostSeat { module: &legal, reason: "Its model did not answer within 2 minutes.".to_owned() };
    let card = round_card(&session(), Round::Independent, &seats, &[lost]);
    let whole = |step: &str| Action::from(Does::Whole(step.into()));
    let raw = |step: &str| Action::from(Does::Raw(step.into()));
    let steps = ["round-1/market", "round-1/cost", "round-1/risk"];
    assert_eq!(card.actions(), [steps.map(whole), steps.map(raw)].concat());
    insta::assert_snapshot!("round_first", shown(&[card]));
}

#[test]
fn a_revision_shows_what_moved_and_why() {
    let (first, second) = (outputs(Round::Independent), outputs(Round::Revision));
    let with_first = |(first, output)| SeatInRound { first: Some(first), ..seat(output) };
    let seats: Vec<SeatInRound<'_>> = first.iter().zip(&second).map(with_first).collect();
    let card = shown(&[round_card(&session(), Round::Revision, &seats, &[])]);
    assert!(!card.contains("Would change it"), "{card}");
    insta::assert_snapshot!("round_second", card);
}

/// What a revision says of what moved, of a choice at 70 that becomes this one.
fn moved(option: &str, success: u8, revised: Option<&str>) -> String {
    let first = output("market", Round::Independent);
    let mut second = output("market", Round::Revision);
    let Spoken::Challenge(said) = &mut second.said else { panic!("a revision") };
    said.position = Position { option: option.into(), success, ..Position::default() };
    said.revised = revised.map(str::to_owned);
    let seat = SeatInRound { first: Some(&first), ..seat(&second) };
    let card = round_card(&session(), Round::Revision, &[seat], &[]);
    let (_, after) = card.embeds[0].description.split_once("**Would:** ").unwrap();
    let (_, moved) = after.split_once('\n').unwrap();
    let (moved, _) = moved.split_once("\n🔴").unwrap();
    moved.to_owned()
}

#[test]
fn an_arrow_stands_only_where_the_number_changed() {
    let same = "launch in the WHOLE town at once";
    assert_eq!(moved(same, 55, Some("fees are lower")), "70 → 55 %: fees are lower");
    assert_eq!(moved(same, 55, None), "70 → 55 %.");
    assert_eq!(moved("Wait", 70, None), "Another choice.");
    assert_eq!(moved("Wait", 70, Some("fees are lower")), "Another choice: fees are lower");
    assert_eq!(moved(same, 70, Some("the fee")), "Changed: the fee");
    assert_eq!(moved(same, 70, Some(" ")), "Stands by it.");
    assert_eq!(moved("Wait", 55, Some("fees are lower")), "Another choice, 70 → 55 %: fees are lower");
}

#[test]
fn who_did_not_speak_itself_stands_by_nothing() {
    let first = output("market", Round::Independent);
    let by = ModuleOutput { spoken_for_by: Some(name("cost")), ..output("market", Round::Revision) };
    let seat = SeatInRound { first: Some(&first), ..seat(&by) };
    let card = shown(&[round_card(&session(), Round::Revision, &[seat], &[])]);
    assert!(card.contains("Market · round 2 · spoken for by Cost"), "{card}");
    assert!(!card.contains('→') && !card.contains("Stands by it"), "{card}");
}

#[test]
fn ten_seats_at_their_longest_are_one_message_that_says_what_it_leaves_out() {
    let words = |count: usize| "zwölfzeichen ".repeat(count).trim_end().to_owned();
    let long = |module: ModuleName| {
        let said = Alone {
            reference: String::new(),
            analysis: words(40),
            position: Position { option: words(10), success: 60, crux: words(20) },
            flags: vec![flag(FlagColor::Red, &words(18)); 6],
            summary: words(30),
        };
        ModuleOutput { module, said: Spoken::Alone(said), ..output("market", Round::Independent) }
    };
    let said: Vec<ModuleOutput> = MODULES.iter().take(10).map(|module| long(module.name())).collect();
    let seats: Vec<SeatInRound<'_>> = said.iter().map(seat).collect();
    let card = round_card(&session(), Round::Independent, &seats, &[]);
    assert_eq!((card.embeds.len(), card.actions().len()), (10, 20));
    assert!(card.content.contains("Shortened"), "{}", card.content);
    assert!(card.embeds.iter().all(|embed| embed.description.contains("🔴 6 red flags")));
    assert_fit(&[card], &[]);
    let few = round_card(&session(), Round::Independent, &seats[..2], &[]);
    assert!(few.content.is_empty() && few.embeds[1].description.contains(&words(30)));
}

#[test]
fn a_memo_says_whose_model_its_writer_is() {
    let card = |seated| {
        let said = (&synthesis(), &solutions()[..]);
        shown(&memo_cards(&session(), &"synthesis".into(), said, (&panel(""), None), &[], &[], seated))
    };
    assert!(card(Seated::WriterShares(&["Cost", "Risk"])).contains(", the model of Cost and Risk"));
    assert!(!card(Seated::Apart).contains("the model of"));
}

#[test]
fn a_memo_stands_whole() {
    let lost = Redelegation::Lost { module: name("risk"), round: Round::Independent };
    let redelegations = [redelegations(), vec![lost]].concat();
    let posts = memo_cards(
        &session(),
        &"synthesis".into(),
        (&synthesis(), &solutions()),
        (&panel("cost=2 legal=0"), None),
        &redelegations,
        &[],
        Seated::OneModel,
    );
    assert_eq!(posts.len(), 2);
    insta::assert_snapshot!("memo", shown(&posts));
}

#[test]
fn a_memo_by_who_answers_for_what() {
    let mut memo = synthesis();
    let [soon, fee] = &mut memo.conflicts[..] else { panic!("two conflicts") };
    (fee.area, fee.carries) =
        (Some(name("cost")), Some("A fee above 12 % ruins the **restaurants**.".into()));
    soon.area = Some(name("risk"));
    let nobodys = Conflict { area: None, topic: "The name".into(), ..soon.clone() };
    memo.conflicts.push(nobodys);
    let posts = memo_cards(
        &session(),
        &"synthesis".into(),
        (&memo, &solutions()),
        (&panel(""), Some("Market counts 1.06 and Cost 0.94, by how their earlier advice here turned out.")),
        &[],
        &raci(),
        Seated::Apart,
    );
    insta::assert_snapshot!("memo_raci", shown(&posts));
}

#[test]
fn a_line_keeps_what_it_begins_with() {
    let begins = ["15. December: sign", "> 40 orders a week", "- 3 % a month", "+ 2 couriers", "# 7 of them"];
    let memo =
        Synthesis { objected: Vec::new(), unanswered: begins.map(str::to_owned).to_vec(), ..synthesis() };
    let said = (&memo, &solutions()[..]);
    let card = shown(&plain_memo(said));
    let card = card.replace('\\', "");
    for begins in begins {
        assert!(card.contains(&format!("- {begins}")), "{begins:?} is not in\n{card}");
    }
}

#[test]
fn options_stand_on_the_memo_where_no_text_speaks_of_them() {
    let memo = Synthesis { text: String::new(), answered_by: String::new(), ..synthesis() };
    let said = (&memo, &solutions()[..]);
    let card = shown(&plain_memo(said));
    for option in solutions() {
        assert!(card.contains(&option.title) && card.contains(&option.description), "{card}");
    }
}

#[test]
fn what_is_empty_has_no_card() {
    let memo = Synthesis { answer: "Wait.".into(), ..Synthesis::default() };
    let posts = plain_memo((&memo, &[]));
    let [Post { embeds, .. }] = &posts[..] else { panic!("one message") };
    assert_eq!(embeds.len(), 1);
    assert_eq!((&*embeds[0].description, embeds[0].fields.len()), ("Wait.", 0));
}

/// Sentences that can be told from one another.
#[derive(Default)]
struct Sentences(Vec<String>);

impl Sentences {
    /// One of so many words, and whole.
    fn of(&mut self, words: usize) -> String {
        let number = self.0.len();
        let sentence = format!("Satz {number} {}ende{number}.", "tages ".repeat(words.saturating_sub(3)));
        self.0.push(sentence.clone());
        sentence
    }

    fn words(&self) -> usize {
        self.0.iter().map(|sentence| sentence.split_whitespace().count()).sum()
    }
}

/// A memo as long as one may be at `deep`.
fn longest(all: &mut Sentences) -> Synthesis {
    let option = |all: &mut Sentences, raiser: &str| MemoOption {
        title: all.of(9),
        action: all.of(42),
        cost: all.of(9),
        stop: all.of(15),
        raised_by: vec![name(raiser)],
        combines: Vec::new(),
    };
    let conflict = |all: &mut Sentences| Conflict {
        modules: vec![name("market"), name("cost")],
        topic: all.of(6),
        description: all.of(34),
        settles: all.of(12),
        severity: Severity::High,
        area: None,
        carries: None,
    };
    Synthesis {
        answer: all.of(80),
        text: (0..30).map(|_| format!("## {}\n\n{}", all.of(6), all.of(44))).collect::<Vec<_>>().join("\n\n"),
        options: ["market", "cost", "risk", "market", "cost", "risk"]
            .map(|raiser| option(all, raiser))
            .to_vec(),
        conflicts: (0..6).map(|_| conflict(all)).collect(),
        kept_against: (0..4)
            .map(|_| CounterFinding { finding: all.of(15), from: name("risk"), right_if: all.of(10) })
            .collect(),
        unknown: (0..5).map(|_| NotKnown { what: all.of(12), find_out: all.of(10) }).collect(),
        flags: (0..6).map(|_| flag(FlagColor::Yellow, &all.of(13))).collect(),
        gaps: Some(all.of(40)),
        deactivated_disclaimer: Some(all.of(40)),
        answered_by: "claude-sonnet-4-5-20250929".into(),
        ..Synthesis::default()
    }
}

#[test]
fn the_longest_memo_loses_no_sentence() {
    let mut all = Sentences::default();
    let memo = longest(&mut all);
    assert!(all.words() >= 1_800, "{} words", all.words());
    let solutions = Solution::distinct(&memo.options);
    assert_eq!(solutions.len(), 6);
    let table = (&panel("legal=0"), None);
    let posts =
        memo_cards(&session(), &"synthesis".into(), (&memo, &solutions), table, &[], &[], Seated::Apart);
    assert_fit(&posts, &[]);
    let text = shown(&posts);
    // The options stand whole on the ballot.
    let ballot = shown(&[vote::panel(&session(), &Vote { solutions, ..pilot() })]);
    let option =
        |option: &MemoOption| [&option.title, &option.action, &option.cost, &option.stop].map(String::clone);
    let voted: Vec<String> = memo.options.iter().flat_map(option).collect();
    for sentence in &all.0 {
        let on_ballot = voted.contains(sentence);
        assert_eq!(ballot.contains(sentence), on_ballot, "{sentence:?} on the ballot\n{ballot}");
        assert_eq!(text.contains(sentence), !on_ballot, "{sentence:?} on the memo\n{text}");
    }
    let buttons: Vec<bool> = posts.iter().map(|post| !post.rows.is_empty()).collect();
    let last = buttons.len() - 1;
    assert!(
        (2..=5).contains(&buttons.len()) && buttons[last] && !buttons[..last].contains(&true),
        "{buttons:?}"
    );
}

#[test]
fn a_text_far_too_long_is_split_and_not_cut() {
    let mut all = Sentences::default();
    let long: Vec<String> = (0..40).map(|_| all.of(20)).collect();
    let mut memo = synthesis();
    memo.text = long.join(" ");
    memo.conflicts[0].description = long.join("\n\n");
    let solutions = Solution::distinct(&memo.options);
    let said = (&memo, &solutions[..]);
    let posts = plain_memo(said);
    assert_fit(&posts, &[]);
    // Where one embed goes on in the next, the sentence between them does.
    let text = shown(&posts).split_whitespace().collect::<Vec<_>>().join(" ");
    let found: usize = all.0.iter().map(|sentence| text.matches(sentence.as_str()).count()).sum();
    assert!(found >= 2 * all.0.len() - posts.len() - 2, "{found} of {}", 2 * all.0.len());
    assert!(!text.contains('…'), "{text}");
}

#[test]
fn the_check_is_told_in_a_line_or_two() {
    let step = "draft".into();
    let card = |drafts, objections: &[(&str, usize)], absent: &[&str]| {
        let readers: Vec<&str> = objections.iter().map(|(who, _)| *who).collect();
        let each = objections.iter().flat_map(|(who, number)| vec![(*who, "Wrong."); *number]);
        let chosen = samples::draft("The draft.", &readers, &each.collect::<Vec<_>>());
        let absent = absent.iter().map(|who| (*who).to_owned()).collect();
        check_card(&session(), &step, &ChosenDraft { among: drafts, chose: 2, absent, ..chosen })
    };
    let cards = [
        card(3, &[("Market", 3), ("Cost", 1), ("Legal", 0)], &["Risk"]),
        card(1, &[("Market", 0), ("Cost", 0)], &[]),
        card(3, &[], &["Market", "Risk"]),
    ]
    .concat();
    insta::assert_snapshot!("check", shown(&cards));
}

proptest! {
    #![proptest_config(properties::cases(16))]

    #[test]
    fn whatever_a_round_says_fits_one_message(texts in prop::collection::vec(hostile(), 1..12), many in 1usize..=9, success in any::<u8>()) {
        let of = |at: usize| texts[at % texts.len()].clone();
        let position = |at: usize| Position { option: of(at), success, crux: of(at + 1) };
        let flags: Vec<Flag> = texts.iter().map(|text| flag(FlagColor::Red, text)).collect();
        let by = |at: usize, round, said| ModuleOutput {
            module: ModuleName(format!("{at}{}", of(at))),
            answered_by: of(at + 2),
            spoken_for_by: (at == 1).then(|| ModuleName(of(at))),
            said,
            ..output("market", round)
        };
        let first = |at: usize| by(at, Round::Independent, Spoken::Alone(Alone {
            reference: of(at), analysis: of(at), position: position(at), flags: flags.clone(), summary: of(at + 3),
        }));
        let second = |at: usize| by(at, Round::Revision, Spoken::Challenge(Challenge {
            against: of(at), responses: vec![], position: Position { success: success / 2, ..position(at + 1) }, analysis: of(at), flags: flags.clone(), summary: of(at + 3), revised: Some(of(at + 4)),
        }));
        let firsts: Vec<ModuleOutput> = (0..many).map(first).collect();
        let seconds: Vec<ModuleOutput> = (0..many).map(second).collect();
        let heir = Redelegation::Heir { module: ModuleName(of(0)), round: Round::Revision, heir: ModuleName(of(1)) };
        let (module, reason) = (ModuleName(of(0)), of(1));
        let lost = [LostSeat { module: &module, reason }];
        let seats: Vec<SeatInRound<'_>> = firsts.iter().map(seat).collect();
        assert_fit(&[round_card(&session(), Round::Independent, &seats, &lost)], &[]);
        let revised = |(first, output)| SeatInRound { first: Some(first), redelegation: Some(&heir), ..seat(output) };
        let seats: Vec<SeatInRound<'_>> = firsts.iter().zip(&seconds).map(revised).collect();
        assert_fit(&[round_card(&session(), Round::Revision, &seats, &lost)], &[]);
    }

    #[test]
    fn whatever_a_memo_says_fits(a in hostile(), b in hostile(), list in prop::collection::vec(hostile(), 0..12)) {
        let color = [FlagColor::Red, FlagColor::Yellow, FlagColor::Green];
        let names: Vec<ModuleName> = list.iter().cloned().map(ModuleName).collect();
        let conflict = |text: &String| Conflict {
            modules: names.clone(), topic: text.clone(), description: a.clone(), settles: text.clone(),
            severity: Severity::High, area: Some(ModuleName(a.clone())), carries: Some(b.clone()),
        };
        let option = |text: &String| MemoOption {
            title: text.clone(), action: b.clone(), cost: text.clone(),
            stop: a.clone(), raised_by: names.clone(), combines: vec![text.clone()],
        };
        let memo = Synthesis {
            answer: a.clone(),
            text: list.join("\n\n"),
            options: list.iter().map(option).collect(),
            conflicts: list.iter().map(conflict).collect(),
            kept_against: list.iter().map(|text| CounterFinding { finding: text.clone(), from: ModuleName(b.clone()), right_if: a.clone() }).collect(),
            unknown: list.iter().map(|text| NotKnown { what: text.clone(), find_out: b.clone() }).collect(),
            flags: list.iter().zip(color.into_iter().cycle()).map(|(text, color)| flag(color, text)).collect(),
            resolutions: vec![AnsweredObjection { objection: 1, taken: false, because: a.clone() }],
            edits: list.iter().map(|text| Edit { objection: 1, stands: text.clone(), becomes: b.clone() }).collect(),
            anew: Vec::new(),
            changed: b.clone(),
            gaps: Some(b.clone()),
            deactivated_disclaimer: Some(a.clone()),
            unanswered: list.clone(),
            objected: list.clone(),
            answered_by: a.clone(),
            dropped_citations: 2,
            sources: vec![],
        };
        let solutions = Solution::distinct(&memo.options);
        let panel = Panel { deactivated: names.clone(), ..panel("") };
        let heir = Redelegation::Heir { module: ModuleName(a.clone()), round: Round::Revision, heir: ModuleName(b.clone()) };
        let row = |area: &ModuleName| RaciRow { area: area.clone(), accountable: ModuleName(a.clone()), responsible: names.clone(), consulted: names.clone(), informed: names.clone() };
        let raci: Vec<RaciRow> = names.iter().chain([&ModuleName(a.clone())]).map(row).collect();
        let trusted = "Environmental counts 0.94, ".repeat(20);
        let step = "synthesis".into();
        assert_fit(&memo_cards(&session(), &step, (&memo, &solutions), (&panel, Some(&trusted)), &vec![heir; list.len()], &raci, Seated::OneModel), &[]);
        let readers: Vec<&str> = list.iter().map(String::as_str).collect();
        let objections: Vec<(&str, &str)> = readers.iter().map(|who| (*who, a.as_str())).collect();
        let chosen = ChosenDraft { absent: list.clone(), ..samples::draft("", &readers, &objections) };
        assert_fit(&check_card(&session(), &step, &chosen), &[]);
    }
}
