//! What the moderator is asked, and what questions are answered from.

use super::*;
use domain::{DebateBrief, Offered};

#[test]
fn the_synthesis_reads_the_complete_debate() {
    for preset in [Preset::Full, Preset::Quick] {
        let mut debate = team(preset);
        debate.turns[3].marks = vec![Mark::RebutsTooEarly];
        let prompt =
            synthesis(&Prompts::embedded(), &debates::brief(preset), (&debate, Transcript::Full), None, None);
        for turn in &debate.turns {
            let heading = format!("\n{}:\n{}", turn.slot, transcript::with_marks(turn));
            assert!(prompt.shared.contains(&heading), "{heading}");
        }
        assert!(prompt.shared.contains("(Marked: answers the other side before the rebuttal.)"));
        for side in debates::SIDES {
            let opened = Slot::new(preset.cases().next().unwrap(), side).step();
            let said = format!("{}, does not bear: What {opened}", side.name());
            assert!(prompt.shared.contains(&said), "{said}");
            assert!(prompt.shared.contains(&format!("{}, has not said anything of it", side.name())));
        }
        assert!(
            prompt.shared.contains("nothing of bonuses") && !prompt.shared.contains("Missing, for nobody")
        );
    }
}

#[test]
fn the_synthesis_knows_what_takes_a_side_and_what_to_write_instead() {
    let debate = team(Preset::Quick);
    let prompt = synthesis(
        &Prompts::embedded(),
        &debates::brief(Preset::Quick),
        (&debate, Transcript::Full),
        None,
        None,
    );
    for word in [
        "never recommend",
        "never answer the proposition yourself",
        "no praise or blame",
        "no \"should\" and no \"better\" of your own",
        "Pro holds that …",
        "Con answers that …",
        "690 to 790 words",
        "same length",
    ] {
        assert!(prompt.task.contains(word), "{word}");
    }
}

#[test]
fn a_further_try_has_the_last_one_and_what_it_broke() {
    let (prompts, brief, debate) = (Prompts::embedded(), debates::brief(Preset::Quick), team(Preset::Quick));
    let (last, told) = (debates::synthesis(), ["It says “wins”.".to_owned()]);
    let again = synthesis(&prompts, &brief, (&debate, Transcript::Full), None, Some((&last, &told))).task;
    assert!(
        again.contains("- It says “wins”.") && again.contains("Losing people each year is the larger cost.")
    );
    assert!(
        again.contains(
            "Hinge 2. If true: Output falls by more than 10 % after six months. Then it favors Con."
        )
    );
    let asked = asked(Addressee::Moderator, &debate);
    let (on_hinge, nothing) = (debates::evidence(3), Offered::default());
    for (first, second) in [
        (question(&prompts, &brief, &asked, None), question(&prompts, &brief, &asked, mend(&told))),
        (
            clarification(&prompts, &brief, (&debate, Transcript::Full), &debate.clarifications[1], None),
            clarification(
                &prompts,
                &brief,
                (&debate, Transcript::Full),
                &debate.clarifications[1],
                mend(&told),
            ),
        ),
        (
            hinge(
                &prompts,
                &brief,
                (&debate, Transcript::Full),
                (&debates::hinges(), 0),
                (&on_hinge, &nothing),
                None,
            ),
            hinge(
                &prompts,
                &brief,
                (&debate, Transcript::Full),
                (&debates::hinges(), 0),
                (&on_hinge, &nothing),
                mend(&told),
            ),
        ),
    ] {
        assert!(!first.task.contains("last try") && second.task.contains("- It says “wins”."));
        assert!(second.task.contains("What was said before."), "{}", second.task);
        assert_eq!(first.shared, second.shared);
    }
}

#[test]
fn missing_turns_are_named_to_the_moderator_and_to_whoever_is_asked() {
    let mut debate = team(Preset::Quick);
    let gone = debate.turns.pop().unwrap().slot;
    debate.missing = vec![Missing { slot: gone, why: "x".into() }];
    let (prompts, brief) = (Prompts::embedded(), debates::brief(Preset::Quick));
    let line = format!("Missing, for no model answered in these turns: {gone}.");
    for prompt in all(&prompts, &brief, &debate) {
        let name = &schema(&prompt).name;
        // Whoever looks something up for an open question reads that alone, and whoever drafts the paper nothing.
        let alone = ["search_queries", "first_answer"].contains(&name.as_str());
        if !name.starts_with("turn_") && !name.ends_with("_check") && !alone {
            assert!(text(&prompt).contains(&line), "{}", schema(&prompt).name);
        }
    }
}

#[test]
fn a_question_is_answered_in_role_from_the_record_with_its_parts_named() {
    let debate = team(Preset::Quick);
    let posted = debates::neutral();
    let vote = |opinion, members: u64| -> Vec<_> {
        (1..=members).map(|member| (domain::UserId(member), opinion)).collect()
    };
    let moved =
        |members| swing_part(&Swing::of(&vote(Opinion::For, members), &vote(Opinion::Against, members)));
    let few = moved(2).text;
    assert!(few.contains("2 voted both times; too few to say") && !few.contains("From"), "{few}");
    let others = [moved(3)];
    let asked = Asked {
        transcript: Transcript::Full,
        synthesis: Some(&posted),
        others: &others,
        running: false,
        ..asked(Addressee::Advocate(Side::Con), &debate)
    };
    let names = [
        "proposition",
        "Pro · case",
        "Con · case",
        "Pro · rebuttal",
        "Con · rebuttal",
        "Pro · closing",
        "Con · closing",
        "E1",
        "E2",
        "clarification 1",
        "synthesis",
        "swing",
    ];
    assert_eq!(asked.names(), names);
    assert_eq!(asked.shown("E2"), "evidence E2");
    assert_eq!((asked.shown("Con · rebuttal"), asked.shown("nothing")), (names[4].into(), "nothing".into()));
    let (prompts, brief) = (Prompts::embedded(), debates::brief(Preset::Quick));
    let prompt = question(&prompts, &brief, &asked, None);
    assert_eq!(schema(&prompt).json["properties"]["draws_on"]["items"]["enum"], json!(names));
    for has in
        ["You are Con", "50 to 150 words", "Who pays if it fails?", "The debate is over", "(Withheld, "]
    {
        assert!(prompt.task.contains(has), "{has}");
    }
    assert!(prompt.task.contains("From For to: For 0, Undecided 0, Against 3."));
    let to_moderator = Asked { to: Addressee::Moderator, running: true, ..asked };
    let prompt = question(&prompts, &brief, &to_moderator, None);
    for has in
        ["You are the moderator", "even if you are asked outright", "still going on", "50 to 150 words"]
    {
        assert!(prompt.task.contains(has), "{has}");
    }
    assert!(!prompt.task.contains("You are Con") && !prompt.task.contains("The debate is over"));
    for has in ["about equally often", "both sides"] {
        assert!(prompt.task.contains(has), "{has}");
    }
    let ended = question(&prompts, &brief, &Asked { running: false, ..to_moderator }, None).task;
    assert!(ended.contains("The debate is over") && !ended.contains("still going on"), "{ended}");
    let text = r#"{"draws_on":["con · REBUTTAL","the web"],"answer":"The town. [1]","not_in_material":null}"#;
    let answer = read_answer(&to_moderator, &debates::reply(text)).unwrap();
    assert_eq!((answer.draws_on, answer.text.as_str()), (vec!["Con · rebuttal".to_owned()], "The town."));
}

#[test]
fn whoever_is_asked_knows_what_a_turn_was_marked_for() {
    let mut debate = team(Preset::Quick);
    debate.turns[0].marks = vec![Mark::NotSaid("never".into())];
    for to in Addressee::ALL {
        let task =
            question(&Prompts::embedded(), &debates::brief(Preset::Quick), &asked(to, &debate), None).task;
        assert!(task.contains("(Marked: quotes words the other side has not said.)"));
        assert!(task.contains("On the team's evidence E1 (does not bear): What turn/case/pro"));
    }
}

#[test]
fn before_the_first_turn_there_is_the_proposition_only() {
    let debate = Debate::new(debates::proposition(), Preset::Full);
    let asked = asked(Addressee::Advocate(Side::Pro), &debate);
    assert_eq!(asked.names(), ["proposition"]);
    let task = question(&Prompts::embedded(), &debates::brief(Preset::Full), &asked, None).task;
    assert!(!task.contains("The record of this debate. Nothing"));
    let wanted = debates::clarification(1, None);
    let task = clarification(
        &Prompts::embedded(),
        &debates::brief(Preset::Full),
        (&debate, Transcript::Full),
        &wanted,
        None,
    )
    .task;
    assert!(
        !task.contains("The debate so far")
            && task.contains("Mara asks:\nDoes “full pay” include bonuses? (1)")
    );
}

#[test]
fn a_hinge_is_looked_at_alone_with_the_others_beside_it() {
    let mut debate = team(Preset::Quick);
    let on = |number, hinge| domain::Evidence { hinge: Some(hinge), ..debates::evidence(number) };
    debate.evidence.extend([on(3, 2), on(4, 1), on(5, 2)]);
    let brief = debates::brief(Preset::Quick);
    let (new, nothing) = (on(5, 2), Offered::default());
    let prompt = hinge(
        &Prompts::embedded(),
        &brief,
        (&debate, Transcript::Full),
        (&debates::hinges(), 1),
        (&new, &nothing),
        None,
    );
    let (before, after) = prompt.task.split_once("The hinge as it stands:").unwrap();
    let (_, others) = before.split_once("The other hinges of your analysis").unwrap();
    assert!(
        others.contains("Hinge 1. If true: The two customers")
            && others.contains("Hinge 3. If true: Part-time")
    );
    assert!(others.contains("E3, brought by Ada on hinge 2:") && !prompt.task.contains("E4, brought by Ada"));
    assert!(after.contains("Hinge 2. If true: Output falls") && !after.contains("Hinge 1."));
    assert!(after.contains("E5, brought by Ada on hinge 2:") && after.contains("Nobody has checked it"));
    let text = r#"{"if_true":"An order costs more.","current_evidence":"E5 says so. [2]","then_favors":"CON","confidence":"Medium"}"#;
    let read = read_hinge(&debates::reply(text), &nothing).unwrap();
    assert_eq!((read.then_favors, read.current_evidence.as_str()), (domain::Favors::Con, "E5 says so."));
    assert!(read_hinge(&debates::reply(&text.replace("An order costs more.", " ")), &nothing).is_err());
}

#[test]
fn a_clarification_is_read_and_an_empty_one_is_not() {
    let read = |text| read_clarification(&debates::reply(text));
    assert_eq!(read(r#"{"answer":" It is open. "}"#).unwrap(), "It is open.");
    assert!(read(r#"{"answer":"…"}"#).is_err() && read("{}").is_err());
}

/// What a request comes to with turns as long as they may be. Four characters a token is usual for English.
fn tokens(prompt: &Prompt) -> usize {
    let chars = prompt.rules.len() + prompt.shared.len() + prompt.task.len();
    chars / 4 + usize::try_from(prompt.max_tokens).unwrap()
}

/// With turns as long as they may be, any turn and the synthesis of a quick debate fit a context of 8,192 tokens; the
/// synthesis of a full one needs 16,384.
#[test]
fn long_debates_fit_the_contexts_they_need() {
    for (preset, most) in [(Preset::Quick, 7_900), (Preset::Full, 15_900)] {
        let mut debate = team(preset);
        for turn in &mut debate.turns {
            let words =
                "word ".repeat(usize::try_from(*bounds(turn.slot.act, preset, Effort::Brief).end()).unwrap());
            match &mut turn.body {
                Body::Opening { position, .. } => *position = words,
                Body::Arguments { arguments, .. } => arguments[0].reasoning = words,
                Body::Questions { questions } => questions[0].question = words,
                Body::Answers { answers } => answers[0].answer = words,
                Body::Rebuttal { points } => points[0].answer = words,
                Body::Closing { why_we_disagree, .. } => *why_we_disagree = words,
            }
        }
        // A model of a small context is asked for what is brief.
        let brief = DebateBrief { effort: Effort::Brief, ..debates::brief(preset) };
        let prompts = Prompts::embedded();
        for slot in debates::slots(preset) {
            let tokens = tokens(&turn(
                &prompts,
                &brief,
                (&debate, Transcript::Full),
                slot,
                (&debate.evidence[1..], &Offered::default()),
                None,
            ));
            assert!(tokens < 7_900, "{slot}: {tokens} tokens");
        }
        let last = debates::synthesis();
        let again = synthesis(
            &prompts,
            &brief,
            (&debate, Transcript::Full),
            None,
            Some((&last, &["It leans.".to_owned()])),
        );
        assert!(tokens(&again) < most, "{preset:?}: {} tokens", tokens(&again));
    }
}
