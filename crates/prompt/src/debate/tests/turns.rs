//! What each turn answers to, and how it is asked to.

use super::*;

/// The places whose turns a request quotes.
fn quoted(prompt: &Prompt) -> Vec<String> {
    let text = text(prompt);
    let slots = debates::slots(Preset::Full).into_iter().chain(debates::slots(Preset::Quick));
    let found = slots.filter(|slot| text.contains(slot.step().as_str())).map(|slot| slot.to_string());
    found.collect::<BTreeSet<_>>().into_iter().collect()
}

fn names(slots: Vec<Slot>) -> Vec<String> {
    slots.iter().map(Slot::to_string).collect::<BTreeSet<_>>().into_iter().collect()
}

/// What a turn answers to, as the protocol says it.
fn answers_to(preset: Preset, slot: Slot) -> Vec<Slot> {
    use Act::{Answers, Case, Closing, Constructive, FollowUp, FollowUpAnswer, Opening, Questions, Rebuttal};
    let (own, other) = (slot.side, slot.side.other());
    let case = |side| match preset {
        Preset::Quick => vec![Slot::new(Case, side)],
        Preset::Full => {
            let rounds = preset.themes().iter().map(|theme| Constructive(*theme));
            std::iter::once(Opening).chain(rounds).map(|act| Slot::new(act, side)).collect()
        }
    };
    let last = preset == Preset::Full && own == Side::Pro;
    let answered = vec![
        Slot::new(Questions, own),
        Slot::new(Answers, other),
        Slot::new(FollowUp, own),
        Slot::new(FollowUpAnswer, other),
    ];
    match slot.act {
        Case | Opening => vec![],
        Constructive(_) => case(own).into_iter().take_while(|earlier| *earlier != slot).collect(),
        Questions => case(other),
        Answers => [case(own), vec![Slot::new(Questions, other)]].concat(),
        FollowUp => vec![Slot::new(Questions, own), Slot::new(Answers, other)],
        FollowUpAnswer => {
            let exchange =
                vec![Slot::new(Questions, other), Slot::new(Answers, own), Slot::new(FollowUp, other)];
            [case(own), exchange].concat()
        }
        Rebuttal => {
            let cross = if preset == Preset::Full { answered } else { vec![] };
            let before = last.then_some(Slot::new(Rebuttal, Side::Con));
            [case(own), case(other), cross, before.into_iter().collect()].concat()
        }
        Closing => {
            let all = debates::slots(preset).into_iter();
            all.filter(|read| read.act != Closing || (last && *read != slot)).collect()
        }
    }
}

#[test]
fn each_turn_reads_exactly_what_it_answers_to() {
    for preset in [Preset::Full, Preset::Quick] {
        let debate = debates::debate(preset);
        for slot in debates::slots(preset) {
            let prompt = ask(&debate, slot);
            assert_eq!(quoted(&prompt), names(answers_to(preset, slot)), "{preset:?}: {slot}");
            assert!(prompt.task.contains(&format!("You are {}, one of two advocates.", slot.side.name())));
            let yes = prompt.task.contains("the answer to the proposition is yes");
            assert_eq!(yes, slot.side == Side::Pro, "{slot}");
        }
    }
}

/// Whole where every word counts, in short where only the claims do.
#[test]
fn turns_are_whole_or_in_short_as_they_are_needed() {
    let debate = debates::debate(Preset::Full);
    let has = |slot, what: &str| text(&ask(&debate, slot)).contains(what);
    let (con, pro) = (|act| Slot::new(act, Side::Con), |act| Slot::new(act, Side::Pro));
    assert!(has(pro(Act::Rebuttal), "The reasoning of turn/constructive/economic/con."));
    assert!(has(pro(Act::Rebuttal), "The answer of turn/rebuttal/con."));
    assert!(!has(pro(Act::Rebuttal), "The reasoning of turn/constructive/economic/pro."));
    assert!(has(pro(Act::Rebuttal), "The claim of turn/constructive/economic/pro."));
    assert!(has(con(Act::Closing), "The answer of turn/rebuttal/pro."));
    assert!(has(con(Act::Closing), "The reasoning of turn/constructive/economic/pro."));
    assert!(has(con(Act::FollowUpAnswer), "The reasoning of turn/constructive/economic/con."));
    assert!(has(con(Act::Closing), "The claim of turn/constructive/economic/pro."));
    for number in ["Q1. The first of turn/questions/pro?", "Q2. The second of turn/questions/pro?"] {
        assert!(has(con(Act::Answers), number) && has(pro(Act::FollowUp), number), "{number}");
    }
    assert!(has(con(Act::FollowUpAnswer), "Q1. The follow-up of turn/follow-up/pro?"));
}

/// In short no turn of arguments stands whole, but what is spoken to at once does; and nobody reads more than before.
#[test]
fn told_in_short_a_turn_reads_the_same_places_and_less_of_each() {
    for preset in [Preset::Full, Preset::Quick] {
        let (prompts, brief, debate) = (Prompts::embedded(), debates::brief(preset), debates::debate(preset));
        for slot in debates::slots(preset) {
            let (whole, short) = [Transcript::Full, Transcript::Condensed]
                .map(|transcript| {
                    turn(&prompts, &brief, (&debate, transcript), slot, (&[], &Offered::default()), None)
                })
                .into();
            let read: BTreeSet<_> = quoted(&short).into_iter().collect();
            assert!(read.is_subset(&quoted(&whole).into_iter().collect()), "{preset:?}: {slot}");
            assert!(text(&short).len() <= text(&whole).len(), "{preset:?}: {slot}");
            assert!(!text(&short).contains("The reasoning of "), "{preset:?}: {slot}");
        }
    }
    let debate = debates::debate(Preset::Full);
    let short = |slot| {
        text(&turn(
            &Prompts::embedded(),
            &debates::brief(Preset::Full),
            (&debate, Transcript::Condensed),
            slot,
            (&[], &Offered::default()),
            None,
        ))
    };
    assert!(short(Slot::new(Act::Rebuttal, Side::Pro)).contains("The answer of turn/rebuttal/con."));
    assert!(short(Slot::new(Act::Answers, Side::Con)).contains("Q1. The first of turn/questions/pro?"));
}

#[test]
fn every_turn_knows_its_rules_and_its_words() {
    let debate = debates::debate(Preset::Full);
    for slot in debates::slots(Preset::Full) {
        let (task, range) = (ask(&debate, slot).task, bounds(slot.act, Preset::Full, Effort::Standard));
        let most = *range.end();
        let words = if *range.start() == 0 {
            format!("at most {most} words")
        } else {
            format!("{} to {most} words", range.start())
        };
        assert!(task.contains(&words), "{slot}: {words}");
        assert!(task.contains(&format!("written {} words, wrap up", most * 4 / 5)), "{slot}");
        let rule = match slot.act {
            Act::Case | Act::Opening | Act::Constructive(_) => "Answer nobody.",
            Act::Questions | Act::FollowUp => "A question argues nothing",
            Act::Answers | Act::FollowUpAnswer => "Answer what is asked",
            Act::Rebuttal => "Quote first",
            Act::Closing => "What would change your mind",
        };
        assert!(task.contains(rule), "{slot}: {rule}");
        for always in ["not there to win", "Never soften", "straw man", "feign certainty", "as intelligent"] {
            assert!(task.contains(always), "{slot}: {always}");
        }
        let framework = schema(&ask(&debate, slot)).json["properties"].get("framework").is_some();
        assert_eq!(framework, slot.act == Act::Constructive(Theme::Ethical), "{slot}");
    }
    let quick = debates::debate(Preset::Quick);
    let case = ask(&quick, Slot::new(Act::Case, Side::Pro));
    assert_eq!(schema(&case).json["properties"]["framework"]["type"], json!(["string", "null"]));
    assert_eq!(schema(&case).json["properties"]["position"]["type"], json!("string"));
    for slot in debates::slots(Preset::Quick) {
        assert!(ask(&quick, slot).task.contains("Length: 180 to 190 words"), "{slot}");
    }
    // Whoever has not been rebutted yet is not told that it has.
    let told = |debate: &Debate, side| {
        ask(debate, Slot::new(Act::Rebuttal, side)).task.contains("already spoken against")
    };
    let sides = [Side::Pro, Side::Con];
    assert_eq!(sides.map(|side| told(&debate, side)), [true, false]);
    assert_eq!(sides.map(|side| told(&quick, side)), [false, false]);
}

#[test]
fn new_evidence_has_to_be_taken_up_and_old_evidence_has_not() {
    let (prompts, brief, debate) = (Prompts::embedded(), debates::brief(Preset::Full), team(Preset::Full));
    let pending = [debates::evidence(2)];
    for slot in debates::slots(Preset::Full) {
        let prompt =
            turn(&prompts, &brief, (&debate, Transcript::Full), slot, (&pending, &Offered::default()), None);
        assert!(prompt.task.contains("The claim of E2: ") && prompt.task.contains("Source: none named"));
        assert!(prompt.task.contains("each of E2 in this turn") && prompt.task.contains("brought by Ada"));
        let own = format!("(does not bear): What turn/opening/{} makes of E1.", slot.side.key());
        assert!(prompt.task.contains(&own), "{slot}: what was acknowledged stands there in a line");
        assert!(!prompt.task.contains("E1 in this turn"), "{slot}");
        let list = &schema(&prompt).json["properties"]["acknowledged"];
        assert_eq!((&list["minItems"], &list["maxItems"]), (&json!(1), &json!(1)));
        assert_eq!(list["items"]["properties"]["evidence"]["enum"], json!(["E2"]));
        let without = ask(&debate, slot);
        assert!(schema(&without).json["properties"].get("acknowledged").is_none(), "{slot}");
        assert!(!without.task.contains("- acknowledged:") && !without.task.contains("The claim of E2"));
    }
    // Before anybody may answer the other side, nobody reads what it makes of the evidence either.
    for act in [Act::Opening, Act::Constructive(Theme::Practical)] {
        let prompt = turn(
            &prompts,
            &brief,
            (&debate, Transcript::Full),
            Slot::new(act, Side::Pro),
            (&pending, &Offered::default()),
            None,
        );
        assert!(!prompt.task.contains("turn/opening/con"));
    }
}

#[test]
fn what_was_made_clear_is_in_every_turn_with_its_answer() {
    let debate = team(Preset::Full);
    for slot in debates::slots(Preset::Full) {
        let task = ask(&debate, slot).task;
        assert!(
            task.contains("Does “full pay” include bonuses? (1)") && task.contains("nothing of bonuses"),
            "{slot}"
        );
        assert!(!task.contains("(2)\n"), "{slot}: what is not answered yet is not there");
    }
}

#[test]
fn turns_that_are_missing_are_said_to_be() {
    for slot in debates::slots(Preset::Full) {
        for gone in answers_to(Preset::Full, slot) {
            let mut debate = debates::debate(Preset::Full);
            debate.turns.retain(|turn| turn.slot != gone);
            debate.missing = vec![Missing { slot: gone, why: "every model declined".into() }];
            let task = ask(&debate, slot).task;
            // Questions that are read with their answers are not missed by themselves.
            let with_answers = matches!(gone.act, Act::Questions | Act::FollowUp)
                && matches!(slot.act, Act::FollowUp | Act::FollowUpAnswer | Act::Rebuttal);
            let said = task.contains(&format!("{gone}: missing."));
            assert!(said || with_answers, "{slot} without {gone}");
            assert!(!task.contains(gone.step().as_str()), "{slot} without {gone}");
        }
    }
    // Nobody is missed who did not have to speak.
    let mut debate = debates::debate(Preset::Full);
    debate.turns.retain(|turn| !matches!(turn.slot.act, Act::FollowUp | Act::FollowUpAnswer));
    for slot in
        debates::slots(Preset::Full).into_iter().filter(|slot| slot.act.phase() != Act::FollowUp.phase())
    {
        assert!(!ask(&debate, slot).task.contains("missing."), "{slot}");
    }
    for slot in debates::slots(Preset::Quick) {
        assert!(!ask(&debates::debate(Preset::Quick), slot).task.contains("missing."), "{slot}");
    }
}

#[test]
fn a_second_try_has_the_first_and_all_it_broke() {
    let debate = debates::debate(Preset::Full);
    let (prompts, brief) = (Prompts::embedded(), debates::brief(Preset::Full));
    for slot in debates::slots(Preset::Full) {
        let mut first = debates::turn(slot);
        first.in_short = "The first try.".into();
        let marks = [Mark::Short { words: 7, least: 300 }, Mark::OffTopic("horses".into())];
        let task = turn(
            &prompts,
            &brief,
            (&debate, Transcript::Full),
            slot,
            (&[], &Offered::default()),
            Some((&first, &marks)),
        )
        .task;
        assert!(task.contains("In short: The first try."), "{slot}");
        for mark in &marks {
            assert!(task.contains(&mark.told()), "{slot}");
        }
        assert!(!ask(&debate, slot).task.contains("first try"));
    }
}

#[test]
fn there_are_as_many_answers_as_questions() {
    let debate = debates::debate(Preset::Full);
    let list = |act| schema(&ask(&debate, Slot::new(act, Side::Con))).json["properties"].clone();
    let answers = &list(Act::Answers)["answers"];
    assert_eq!((&answers["minItems"], &answers["maxItems"]), (&json!(2), &json!(2)));
    assert_eq!(answers["items"]["properties"]["question"]["enum"], json!([1, 2]));
    assert_eq!(list(Act::FollowUpAnswer)["answers"]["maxItems"], json!(1));
    assert_eq!(list(Act::FollowUp)["questions"]["minItems"], json!(0));
    assert_eq!(list(Act::FollowUp)["questions"]["maxItems"], json!(1));
    assert_eq!(list(Act::Questions)["questions"]["maxItems"], json!(3));
}

#[test]
fn turns_are_read_by_their_place() {
    let pro = |act| Slot::new(act, Side::Pro);
    let text = r#"{"position":"Yes.","preview":["a","b"],"assumptions":["c"],"in_short":"Yes"}"#;
    let opening = read_turn(pro(Act::Opening), &debates::reply(text), &Offered::default()).unwrap();
    assert_eq!((opening.slot, opening.answered_by.as_str()), (pro(Act::Opening), "small-1"));
    assert!(matches!(&opening.body, Body::Opening { preview, .. } if *preview == ["a", "b"]));
    assert!(read_turn(pro(Act::Closing), &debates::reply(text), &Offered::default()).is_err());
    let text = r#"{"points":[{"quotation":"“We lose 3 euros”","steel_man":"s","answer":"a","even_if":"e"}],
        "acknowledged":[{"evidence":"E2","how":"It is old.","bearing":"Does not bear"}],"in_short":"No"}"#;
    let rebuttal = read_turn(pro(Act::Rebuttal), &debates::reply(text), &Offered::default()).unwrap();
    assert!(matches!(&rebuttal.body, Body::Rebuttal { points } if points[0].quotation == "We lose 3 euros"));
    assert_eq!(rebuttal.acknowledged[0].evidence, 2);
    assert_eq!(rebuttal.acknowledged[0].bearing, Bearing::DoesNotBear);
    let check = |text| read_turn_check(&debates::reply(text), &[&opening]).unwrap();
    let stray =
        check(r#"{"turns":[{"turn":1,"what_it_is_about":"horses","on_topic":false,"declines":false}]}"#);
    assert_eq!(stray, [[Mark::OffTopic("horses".to_owned())]]);
    let sound =
        check(r#"{"turns":[{"turn":1,"what_it_is_about":"the app","on_topic":true,"declines":false}]}"#);
    assert_eq!(sound, [[]]);
}
