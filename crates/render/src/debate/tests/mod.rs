//! Every card of a debate with real words, to be read; and with hostile ones, to fit.

use super::{
    super::{
        followup, inspect, status,
        support::{MEMBERS, assert_fit, boxes, shown, stands},
    },
    *,
};
use crate::sample::{
    debate::{self as sample, QUESTION},
    mediate, model, session,
};
use domain::{
    Act, Action, Closed, Electorate, Evidence, FileBody, Hinge, Ledger, Mark, Modal, Phase, Preset,
    Proposition, RoleId, Row, Section, SessionState, Slot, Standing, Status, StepKey, UserId, VoteRules,
    WaitOutcome, Waiting, Withheld, neutrality::SideTaken,
};

mod cited;
mod opinions;
mod short;
mod worst;

/// Mentions and timestamps that the cards here hold on purpose.
const OWN: &[&str] =
    &["<t:1790000000:r>", "<t:1790000000:f>", "<@&7>", "<@1>", "<@2>", "<@3>", "<@4>", "<@5>", "<@6>"];

/// Who takes evidence up.
const NEXT: &str =
    "Pro and Con each take it up in their next turn: they use it, or say why it does not apply.";

fn running() -> Status {
    Status {
        protocol: domain::Protocol::Debate,
        title: QUESTION.into(),
        phase: Phase { number: 3, of: 6, title: "Cross-examination: Pro questions Con".into() },
        thinking: vec!["🔵 Pro".into()],
        failing: Vec::new(),
        answered: vec![],
        ledger: Ledger { calls: 9, calls_cap: 60, ..Ledger::default() },
        models: vec!["openai/gpt-5".into()],
        one_model: true,
        ..mediate::running()
    }
}

#[test]
fn propositions() {
    let plain = sample::proposition();
    let edited = Proposition {
        edited_by: Some("Ada".into()),
        answered_by: None,
        changed: String::new(),
        ..plain.clone()
    };
    let refused = Proposition {
        raw: "hello there you".into(),
        question: "hello there you".into(),
        context: domain::PropositionContext::default(),
        changed: String::new(),
        objection: Some("It greets somebody and asks for nothing that one can be for or against.".into()),
        ..plain.clone()
    };
    let posts = [
        proposition(&session(), &plain, Preset::Full, &Standing { voted: 3, ..Standing::default() }),
        proposition(&session(), &edited, Preset::Full, &Standing { revision: 77, ..Standing::default() }),
        proposition(&session(), &refused, Preset::Full, &Standing::default()),
        proposition(
            &session(),
            &plain,
            Preset::Full,
            &Standing { voted: 1, ..stands(WaitOutcome::Answered("Mara".into())) },
        ),
        proposition(&session(), &plain, Preset::Full, &stands(WaitOutcome::Expired)),
    ];
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("proposition", shown(&posts));
}

#[test]
fn a_proposition_that_is_none_can_only_be_edited_or_cancelled() {
    let refused = Proposition {
        objection: Some("It asks nothing.".into()),
        answered_by: None,
        ..sample::proposition()
    };
    let post = proposition(&session(), &refused, Preset::Full, &Standing { voted: 2, ..Standing::default() });
    assert_eq!(post.actions(), [Opens::PropositionEdit.into(), Does::PropositionCancel.into()]);
}

#[test]
fn turns() {
    let debate = sample::debate();
    let mut posts = Vec::new();
    for turn in &debate.turns {
        posts.extend(turn_cards(&session(), &turn.slot.step(), turn, &debate, None));
    }
    insta::assert_snapshot!("turns", shown(&posts));
    let mut worst = debate.turns[1].clone();
    worst.acknowledged = sample::acknowledged();
    worst.marks = vec![Mark::Cut { words: 520, most: 400 }, Mark::RebutsTooEarly, Mark::Unacknowledged(2)];
    worst.dropped_citations = 2;
    let mut posts = turn_cards(&session(), &worst.slot.step(), &worst, &debate, Some(&model()));
    let slot = Slot::new(Act::Rebuttal, Side::Con);
    posts.extend(missing_card(&session(), &slot.step(), slot, "The model declined to argue this side"));
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("turns_marked", shown(&posts));
}

#[test]
fn whole_turns_hold_every_part() {
    let wholes: Vec<String> = sample::turns()
        .iter()
        .map(|turn| {
            let (title, text) = whole_turn(turn);
            format!("{title}\n{text}")
        })
        .collect();
    insta::assert_snapshot!("whole_turns", wholes.join("\n════════\n"));
    let (_, text) = whole_turn(&sample::turns()[6]);
    assert!(
        text.contains("> Every leaver costs about half a year's pay."),
        "a quotation is a block quote: {text}"
    );
}

#[test]
fn sides_differ_in_words_and_signs_not_in_colour_alone() {
    let debate = sample::debate();
    for mut turn in sample::turns() {
        let cards = [Side::Pro, Side::Con].map(|side| {
            turn.slot.side = side;
            turn_cards(&session(), &turn.slot.step(), &turn, &debate, None).remove(0)
        });
        let titles = cards.each_ref().map(|card| card.embeds[0].title.clone());
        assert!(titles[0].starts_with("🔵 Pro · ") && titles[1].starts_with("🔶 Con · "), "{titles:?}");
        assert_ne!(cards[0].embeds[0].color, cards[1].embeds[0].color);
        assert!(cards.iter().all(|card| card.embeds[0].fields.iter().all(|field| !field.value.is_empty())));
    }
}

#[test]
fn syntheses() {
    let whole = sample::synthesis();
    let step = StepKey::new("synthesis");
    let mut partly = whole.clone();
    partly.synthesis.core_disagreements.clear();
    partly.synthesis.executive_summary.clear();
    let why = |why: &str| vec![why.to_owned()];
    partly.withheld = vec![
        Withheld { section: Section::Summary, why: why("it recommends something") },
        Withheld {
            section: Section::Disagreements,
            why: why("one position is more than twice as long as the other"),
        },
    ];
    partly.marks = vec![Mark::Short { words: 240, least: 400 }];
    let posts = [
        synthesis_cards(&session(), &step, &whole, (None, &sample::brief(Preset::Full))),
        synthesis_cards(&session(), &step, &partly, (Some(&model()), &sample::brief(Preset::Full))),
        no_synthesis_card(&session(), &step, "No model answered in time."),
    ]
    .concat();
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("synthesis", shown(&posts));
    let wholes =
        [whole_synthesis(&whole), whole_synthesis(&partly)].map(|(title, text)| format!("{title}\n{text}"));
    insta::assert_snapshot!("whole_synthesis", wholes.join("\n════════\n"));
}

/// Words that rank, and numbers of one side beside those of the other.
fn ranks(text: &str) -> Option<String> {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty())
        .collect();
    let ranking = [
        "winner",
        "wins",
        "ahead",
        "leads",
        "leading",
        "stronger",
        "weaker",
        "better",
        "worse",
        "recommend",
        "superior",
    ];
    let side = |word: &str| ["pro", "con"].contains(&word);
    let number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    words.iter().find(|word| ranking.contains(&word.as_str())).cloned().or_else(|| {
        let pairs = words.windows(3).find(|three| {
            (number(&three[0]) && three[1] == "for" && side(&three[2]))
                || (side(&three[0]) && number(&three[1]))
        });
        pairs.map(|three| three.join(" "))
    })
}

#[test]
fn nothing_of_the_moderators_ranks_or_counts_the_sides() {
    assert_eq!(ranks("3 for Pro, 1 for Con").as_deref(), Some("3 for pro"));
    assert_eq!(ranks("Pro 3, Con 1").as_deref(), Some("pro 3 con"));
    let (step, hinges) = (StepKey::new("synthesis"), sample::hinges());
    let mut marked = sample::synthesis();
    marked.withheld = vec![Withheld { section: Section::Gaps, why: vec![] }];
    let evidence = sample::evidence(4, Some(1));
    let posts = [
        synthesis_cards(&session(), &step, &sample::synthesis(), (None, &sample::brief(Preset::Full))),
        synthesis_cards(&session(), &step, &marked, (Some(&model()), &sample::brief(Preset::Full))),
        no_synthesis_card(&session(), &step, "No model answered"),
        vec![hinges_panel(&session(), &hinges, std::slice::from_ref(&evidence), false)],
        hinge_card(
            &session(),
            &step,
            1,
            (&hinges[0], &hinges[1]),
            &evidence,
            ("m", &Judgement::default()),
            None,
        ),
        clarification_card(
            &session(),
            &step,
            &sample::clarification(5, Some("It does not say.")),
            &Judgement::default(),
        ),
        clarification_card(&session(), &step, &sample::clarification(5, None), &Judgement::default()),
        answer_withheld_card(&session(), &step, ("Ada", "Who is right?"), &["it names a side".into()]),
    ]
    .concat();
    let texts = format!("{}\n{}", shown(&posts), super::whole_synthesis(&sample::synthesis()).1);
    for line in texts.lines() {
        assert_eq!(ranks(line), None, "{line}");
    }
    assert!(!texts.contains("▌Good") && !texts.contains("▌Danger"), "no green and no red");
    for (first, second) in [("Pro holds", "Con holds"), ("Pro assumes", "Con assumes")] {
        assert!(texts.find(first) < texts.find(second), "Pro stands before Con");
    }
}

#[test]
fn what_is_withheld_leaves_no_trace_of_its_text() {
    let mut withheld = sample::synthesis();
    withheld.synthesis.core_disagreements.clear();
    withheld.withheld =
        vec![Withheld { section: Section::Disagreements, why: vec!["it says who is right".into()] }];
    let text = shown(&synthesis_cards(
        &session(),
        &"synthesis".into(),
        &withheld,
        (None, &sample::brief(Preset::Full)),
    ));
    assert!(
        text.contains("🚫 Withheld") && text.contains("**Where they disagree**: it says who is right"),
        "{text}"
    );
    assert!(!text.contains("Pro holds") && !text.contains("↔️"), "{text}");
    let (_, whole) = whole_synthesis(&withheld);
    assert!(whole.contains("Withheld, because it took a side") && !whole.contains("Pro holds"), "{whole}");
}

#[test]
fn hinges_stand_in_the_order_they_came_with_what_was_brought() {
    let hinges = sample::hinges();
    let evidence = [sample::evidence(4, Some(1)), sample::evidence(5, None), sample::evidence(6, Some(3))];
    let panel = hinges_panel(&session(), &hinges, &evidence, true);
    let changed = Hinge {
        confidence: Level::High,
        current_evidence: "Both were asked and agree.".into(),
        ..hinges[0].clone()
    };
    let step = StepKey::new("hinge/1/4");
    let mut posts = vec![panel.clone(), hinges_panel(&session(), &[], &[], true)];
    posts.extend(hinge_card(
        &session(),
        &step,
        1,
        (&hinges[0], &changed),
        &evidence[0],
        ("gpt-5", &Judgement::default()),
        None,
    ));
    posts.extend(hinge_card(
        &session(),
        &step,
        1,
        (&changed, &changed),
        &evidence[0],
        ("gpt-5", &Judgement::default()),
        None,
    ));
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("hinges", shown(&posts));
    let Row::Select(select) = &panel.rows[0] else { panic!("{:?}", panel.rows) };
    assert_eq!(select.options.iter().map(|option| &*option.value).collect::<Vec<_>>(), ["1", "2", "3"]);
    assert!(!panel.embeds[0].description.contains("E5"), "evidence for the debate is not on a hinge");
}

#[test]
fn evidence_clarifications_and_answers() {
    let step = StepKey::new("clarified/5");
    let unsourced = Evidence { source: " ".into(), ..sample::evidence(2, Some(3)) };
    let answered = followup::Answered {
        text: "I would, if either customer said that it would leave.",
        grounds: &["Pro, closing".to_owned()],
        missing: Some("what the customers say"),
        model: "gpt-5",
    };
    let taken = SideTaken { section: Section::Summary, words: "convincingly shows".to_owned() };
    let leaning = Judgement { taken: vec![taken], unasked: false };
    let answer = |to| {
        addressed_card(
            &session(),
            &"followup/7".into(),
            to,
            ("Ada", "Would you change your mind?"),
            (&answered, &leaning),
        )
    };

    let mut posts = vec![
        evidence_card(&session(), &sample::evidence(1, None), NEXT),
        evidence_card(&session(), &unsourced, NEXT),
    ];
    posts.extend(clarification_card(
        &session(),
        &step,
        &sample::clarification(5, Some("The proposition says pay, nothing of bonuses.")),
        &Judgement { taken: vec![], unasked: true },
    ));
    posts.extend(clarification_card(
        &session(),
        &step,
        &sample::clarification(5, None),
        &Judgement::default(),
    ));
    posts.extend(Addressee::ALL.into_iter().flat_map(answer));
    posts.extend(answer_withheld_card(
        &session(),
        &step,
        ("Ada", "Who is right?"),
        &["it says who is right".into()],
    ));
    assert_fit(&posts, &[OWN, MEMBERS].concat());
    insta::assert_snapshot!("evidence", shown(&posts));
    let titles: Vec<&str> = posts.iter().map(|post| &*post.embeds[0].title).collect();
    assert!(
        titles.contains(&"🔶 Con answers Ada") && titles.contains(&"⚖️ The moderator answers Ada"),
        "{titles:?}"
    );
}

#[test]
fn status_cards_of_a_debate() {
    let waiting = Waiting {
        kind: domain::WaitKind::Proposition,
        grant: domain::Grant::Starter,
        starter: "Ada".into(),
        until: 1_790_000_000,
    };
    let waits = Status {
        state: SessionState::Waiting,
        waiting: Some(waiting),
        phase: Phase { number: 0, of: 6, title: "The proposition waits for a Start".into() },
        thinking: vec![],
        ..running()
    };
    let paused = Status { state: SessionState::Paused, thinking: vec![], ..running() };
    let done = Status { state: SessionState::Done, ended: Some(1_790_000_400), ..running() };
    let posts = [running(), waits, paused, done].map(|status| status::card(&session(), &status));
    assert_fit(&posts, OWN);
    let (bring, clarify, cancel) = (Opens::Evidence.into(), Opens::Clarify.into(), Does::Cancel.into());
    let running: [Action; 5] = [Does::Pause.into(), bring, clarify, cancel, Does::TellMe.into()];
    assert_eq!(posts[0].actions(), running);
    assert_eq!(posts[1].actions(), [running[1].clone(), running[3].clone(), running[4].clone()]);
    assert_eq!(posts[2].actions()[0], Does::Resume.into());
    assert_eq!(posts[2].actions()[1..], running[1..]);
    assert_eq!(posts[3].actions(), [Does::Export.into(), Does::Audit.into(), Does::GoOn.into()]);
    let text = shown(&posts);
    assert!(text.contains("Step 3 of 6 · Cross-examination: Pro questions Con"), "{text}");
    assert!(text.contains("**Start** under the proposition") && !text.contains("**Go**"), "{text}");
    insta::assert_snapshot!("status", text);
}

fn form_faults(form: &Modal) -> Vec<String> {
    let mut faults = Vec::new();
    let mut no = |wrong: bool, what: String| faults.extend(wrong.then_some(what));
    no(form.id.to_string().len() > 100, form.id.to_string());
    no(form.title.encode_utf16().count() > 45 || form.title.is_empty(), form.title.clone());
    no(form.inputs.is_empty() || form.inputs.len() > 5, "boxes".into());
    for input in boxes(form) {
        no(input.label.encode_utf16().count() > 45, input.label.clone());
        no(input.placeholder.encode_utf16().count() > 100, input.placeholder.clone());
        no(input.value.chars().count() > usize::from(input.max), format!("{}: too much in it", input.id));
        no(!input.paragraph && input.value.contains('\n'), format!("{}: lines in a line", input.id));
    }
    faults
}

#[test]
fn forms() {
    let session = session();
    let mut forms = vec![
        proposition_form(&session, &sample::proposition()),
        evidence_form(&session, None),
        evidence_form(&session, Some(25)),
        clarify_form(&session),
    ];
    forms.extend(Addressee::ALL.map(|to| question_form(&session, to)));
    let told: Vec<String> = (forms.iter())
        .map(|form| {
            assert_eq!(form_faults(form), Vec::<String>::new());
            let told = boxes(form).into_iter().map(|input| {
                let must = if input.required { ", required" } else { "" };
                format!(
                    "  {} ≤{}{must} · {} · {} · {:?}",
                    input.id, input.max, input.label, input.placeholder, input.value
                )
            });
            format!("{} {}\n{}", form.title, form.id, told.collect::<Vec<_>>().join("\n"))
        })
        .collect();
    insta::assert_snapshot!("forms", told.join("\n"));
    let written = [("question", "x".repeat(900)), ("where", "Graz".to_owned())];
    let written = written.into_iter().map(|(name, text)| (name.to_owned(), text)).collect();
    let refusal = super::super::notices::user_error("It has 900 characters; at most 500 fit.");
    let post = proposition_refused(&session, refusal, &written);
    assert_fit(std::slice::from_ref(&post), OWN);
    assert!(
        shown(std::slice::from_ref(&post)).contains("Graz") && post.files.len() == 1,
        "nothing written is lost"
    );
}
