//! Every card of a critique with real words, to be read; and with whatever anybody could write, and as much of it as there can
//! be, to fit.

use proptest::prelude::*;

use super::{
    super::{
        chosen::{Opened, opened},
        estimate::{estimate, told},
        inspect,
        support::{assert_fit, hostile, shown, stands},
    },
    *,
};
use crate::sample::{critique as sample, model, session};
use domain::{
    Brief, Change, Claim, ClaimEvidence, CritiqueBrief, Effect, Ended, Estimate, FileBody, Finding,
    FindingId, HoldsUp, Landmark, Money, Omission, Omitted, Post, Reading, Review, Row, Skipped, Span,
    Standing, StepKey, Tree, TreeDepth, Triage, TriageVerdict, UserId, WaitOutcome,
};

const POPPER: Philosopher = Philosopher::Popper;

/// The time of what the team said, which the cards hold on purpose.
const OWN: &[&str] = &["<t:1790000000:r>"];

/// The plan on two pages, and what of its file is no text.
fn document() -> Document {
    let omission = |what| Omission { file: "delivery_plan.pdf".into(), what };
    Document {
        name: "delivery_plan.pdf".into(),
        landmarks: vec![(0, Landmark::Page(1)), (sections()[1].span.start, Landmark::Page(2))],
        omissions: [Omitted::Pages(vec![3, 4]), Omitted::Comments, Omitted::ReadAs("windows-1252".into())]
            .map(omission)
            .to_vec(),
        ..sample::document()
    }
}

fn sections() -> Vec<DocumentSection> {
    sample::in_sections().sections
}

/// Popper's, with a claim that was looked into and one that was taken back.
fn tree() -> Tree {
    let mut tree = sample::tree(POPPER);
    let below = std::mem::take(&mut tree.claims[0].children);
    let why = "The next passage gives a loss for each order.";
    tree.claims[0].looked_into(Effect::BorneOut, why, None, below);
    tree.claims[0].ended = None;
    tree.claims[1].ended = Some(Ended::Unsure);
    tree
}

fn said(finding: u8, verdict: TriageVerdict) -> Triage {
    Triage { finding: FindingId(finding), verdict, by: UserId(2), by_name: "Ada".into(), at: 1_790_000_000 }
}

/// The review with all that was not as planned.
fn degraded() -> Review {
    Review {
        unread: vec![SectionId(1)],
        missing: vec![Philosopher::Leibniz],
        skipped: vec![Skipped { member: POPPER, sections: vec![SectionId(2)] }],
        lesser: 1,
        marked: 2,
        misquoted: 1,
        ..sample::review()
    }
}

/// A post's buttons: what pressing does, what it says, and whether it can be pressed.
fn buttons(post: &Post) -> Vec<(String, String, bool)> {
    let buttons = post.rows.iter().flat_map(|row| match row {
        Row::Buttons(buttons) => buttons.clone(),
        Row::Select(_) => Vec::new(),
    });
    let verb = |id: String| id.split(':').nth(2).unwrap().to_owned();
    buttons.map(|button| (verb(button.id.to_string()), button.label, !button.disabled)).collect()
}

/// The values of a post's lists.
fn chosen(post: &Post) -> Vec<String> {
    let options = post.rows.iter().flat_map(|row| match row {
        Row::Select(select) => select.options.clone(),
        Row::Buttons(_) => Vec::new(),
    });
    options.map(|option| option.value).collect()
}

fn estimated(asked: bool) -> Estimate {
    let session = if asked { sample::in_sections() } else { sample::session() };
    let wanted = TreeDepth::new(if asked { 3 } else { 2 }).unwrap();
    let plan = domain::CallPlan { wanted, ..session.plan };
    Estimate {
        reading: Some(Reading { plan, sections: session.sections }),
        calls: if asked { 51 } else { 32 },
        tokens: if asked { 212_000 } else { 64_000 },
        cost: (!asked).then_some(Money(312_000)),
        minutes: if asked { 9 } else { 4 },
        measured: asked,
        effort: Some(domain::Effort::Standard),
        without: Vec::new(),
        usual_modules: false,
        pictures: None,
        wished: false,
        smaller: None,
    }
}

#[test]
fn estimates() {
    let (document, asked, small) = (document(), estimated(true), estimated(false));
    let brief = Brief::Critique(CritiqueBrief { document: document.clone(), ..sample::session().brief });
    let posts = [
        estimate(&session(), &brief, &asked, &Standing::default()),
        estimate(&session(), &brief, &small, &stands(WaitOutcome::Expired)),
        told(Some(&document), &small),
        told(Some(&document), &asked),
    ];
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("estimate", shown(&posts));
    let mut much = small;
    let state = |takes: &Estimate| {
        let post = estimate(&session(), &brief, takes, &Standing::default());
        post.embeds[0].fields.last().unwrap().value.clone()
    };
    assert!(state(&much).contains("more than half of what a session may use"), "{}", state(&much));
    much.calls = 41;
    assert!(state(&much).contains("because it takes more than 40 calls."), "{}", state(&much));
}

#[test]
fn a_round_is_one_message_with_an_embed_for_each_member() {
    let worse = Tree {
        failed: vec![SectionId(1)],
        failed_branches: 2,
        stand_ins: vec![model()],
        ..Tree { member: Philosopher::Aristotle, claims: vec![], ..tree() }
    };
    let missing = [(Philosopher::Kant, "the model could not be reached.".to_owned())];
    let trees = [tree(), worse];
    let post = trees_card(&session(), &trees, &missing, &sections());
    let critiques = [
        domain::SelfCritique {
            missed: vec![sample::claim(POPPER, &[3], None)],
            dropped: 1,
            ..sample::self_critique(POPPER)
        },
        domain::SelfCritique { adjustments: vec![], ..sample::self_critique(Philosopher::Russell) },
    ];
    let second = critiques_card(&session(), &critiques, &[Philosopher::Kant], &trees);
    let posts = [post, second];
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("rounds", shown(&posts));
    assert_eq!(posts.each_ref().map(|post| post.embeds.len()), [3, 3]);
    for value in chosen(&posts[0]) {
        assert!(opened(&value).is_some(), "{value}");
    }
    assert_eq!(opened("whole critique/popper"), Some(Opened::Whole("critique/popper".into())));
    assert_eq!((opened("finding/3"), opened("whole"), opened("else critique/popper")), (None, None, None));

    let whole = [
        whole_tree(&trees[0], &document(), &sections()),
        whole_tree(&trees[1], &document(), &sections()),
        whole_self_critique(&critiques[0], Some(&trees[0])),
    ];
    let texts: Vec<Post> = whole.iter().flat_map(|(title, text)| inspect::whole(title, text, &[])).collect();
    assert_fit(&texts, OWN);
    insta::assert_snapshot!("rounds_whole", shown(&texts));
}

#[test]
fn the_review_is_whole_and_what_was_not_read_stands_on_it() {
    let (document, sections, key) = (document(), sections(), StepKey::from("reviewed"));
    let clean = Review { claims: 2, below_floor: 2, ..Review::default() };
    let unwritten = Review { verdict: String::new(), answered_by: None, ..sample::review() };
    let posts = [degraded(), clean.clone(), unwritten]
        .map(|review| review_cards(&session(), &key, &review, &document, &sections));
    assert_fit(&posts.concat(), OWN);
    insta::assert_snapshot!("review", shown(&posts.concat()));
    assert!(buttons(&posts[1][0]).is_empty(), "where nothing was found the card is all there is");
    let (title, text) = whole_review(&degraded(), &document, &sections);
    let whole = inspect::whole(&title, &text, &[]);
    assert_fit(&whole, OWN);
    insta::assert_snapshot!("review_whole", shown(&whole));
}

#[test]
fn what_weighs_less_stands_in_the_lists_alone() {
    let mut review = sample::review();
    let one = review.findings[0].clone();
    let told = |review: &Review| {
        let posts = review_cards(&session(), &"reviewed".into(), review, &document(), &sections());
        let embeds = posts.iter().flat_map(|post| &post.embeds);
        embeds.map(|embed| embed.description.clone()).collect::<Vec<_>>().join("\n")
    };
    // All of them are critical.
    review.findings = (1..=24).map(|number| Finding { id: FindingId(number), ..one.clone() }).collect();
    assert!(told(&review).contains("**F24**"), "{}", told(&review));
    for finding in &mut review.findings[10..] {
        finding.claims[0].severity = domain::Severity::Low;
    }
    let beside = told(&review);
    assert!(beside.contains("**F10**") && !beside.contains("**F11**"), "{beside}");
    assert!(beside.contains("-# 14 findings weigh less"), "{beside}");
    review.text.clear();
    let alone = told(&review);
    assert!(alone.contains("**F20**") && !alone.contains("**F21**"), "{alone}");
    assert!(alone.contains("-# 4 findings weigh less"), "{alone}");
}

#[test]
fn a_finding_is_opened_whole_with_what_can_be_said_of_it() {
    let (document, review) = (document(), sample::review());
    let card = |triage: Option<&Triage>| finding(&session(), &review, &review.findings[0], &document, triage);
    let fixed = said(1, TriageVerdict::Fixed);
    let posts = [card(None), card(Some(&fixed))].concat();
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("finding", shown(&posts));
    let can: Vec<bool> = buttons(&posts[0]).into_iter().map(|(_, _, can)| can).collect();
    assert_eq!(can, [true; 3]);
    let said: Vec<(String, bool)> =
        buttons(&posts[1]).into_iter().map(|(verb, _, can)| (verb, can)).collect();
    let wanted =
        [("triage_accept", true), ("triage_reject", true), ("triage_fixed", false), ("triage_undo", true)];
    assert_eq!(said, wanted.map(|(verb, can)| (verb.to_owned(), can)));
    assert_eq!(
        card(Some(&self::said(1, TriageVerdict::Open))),
        card(None),
        "taken back is as if nothing was said"
    );
}

#[test]
fn the_triage_lists_every_finding_to_be_opened() {
    let mut review = sample::review();
    let one = review.findings[0].clone();
    review.findings = (1..=60).map(|number| Finding { id: FindingId(number), ..one.clone() }).collect();
    let post =
        triage(&session(), &review, &[said(1, TriageVerdict::Accepted), said(60, TriageVerdict::Rejected)]);
    assert_fit(std::slice::from_ref(&post), OWN);
    let ids: Vec<u8> =
        chosen(&post).iter().filter_map(|value| FindingId::of_key(value)).map(|id| id.0).collect();
    assert_eq!(ids, (1..=60).collect::<Vec<u8>>());
    let small = triage(&session(), &sample::review(), &[said(2, TriageVerdict::Accepted)]);
    insta::assert_snapshot!("triage", shown(&[small]));
}

/// The list and the table.
fn files(review: &Review, triage: &[Triage]) -> [String; 2] {
    let files = triage_export("Do we *deliver*?", &document(), review, triage).into_iter();
    let texts: Vec<String> = files
        .map(|file| match file.body {
            FileBody::Text(text) => text,
            other => panic!("{other:?}"),
        })
        .collect();
    texts.try_into().unwrap()
}

/// Reads RFC 4180, written apart from what writes it.
fn rows(table: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = table.strip_prefix('\u{feff}').expect("its mark").chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match (quoted, c) {
            (true, '"') if chars.next_if_eq(&'"').is_some() => row.last_mut().unwrap().push('"'),
            (_, '"') => quoted = !quoted,
            (false, ',') => row.push(String::new()),
            (false, '\r') => {
                assert_eq!(chars.next(), Some('\n'));
                rows.push(vec![String::new()]);
            }
            (_, c) => row.last_mut().unwrap().push(c),
        }
    }
    assert!(!quoted, "a quote is open");
    assert_eq!(rows.pop(), Some(vec![String::new()]), "the last line ends");
    rows
}

#[test]
fn both_files_say_who_said_what_and_when() {
    let [list, table] = files(&sample::review(), &[said(1, TriageVerdict::Accepted)]);
    insta::assert_snapshot!("export_list", list);
    insta::assert_snapshot!("export_table", table);
    let [list, table] = files(&Review::default(), &[]);
    assert!(list.contains("There are no findings."), "{list}");
    assert_eq!(rows(&table).len(), 1, "the heads alone");
}

/// Everything that can be said, made of these texts.
fn made_of(texts: &[String]) -> (Document, Vec<DocumentSection>, Tree, Review) {
    let text = |at: usize| texts[at % texts.len()].clone();
    let document = Document { name: text(0), text: format!("{}\nlast words", text(1)), ..sample::document() };
    let end = document.text.len();
    let sections: Vec<DocumentSection> = (1..=15)
        .map(|id| DocumentSection { id: SectionId(id), title: text(id.into()), span: document.whole() })
        .collect();
    let evidence = |at: usize| ClaimEvidence {
        quote: text(at),
        found: at.is_multiple_of(2).then(|| Span { start: end - 5, end }),
    };
    let severities = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low];
    let ended = [Ended::TooSmall, Ended::Unsure, Ended::NotFound, Ended::Budget, Ended::Failed];
    let change = |at: usize| Change {
        effect: [None, Some(Effect::Refuted), Some(Effect::Nothing)][at % 3],
        why: text(at),
        sure: Confidence::new(0.5),
        severity: Some(Severity::High),
        words: Some(text(at + 1)),
    };
    let claim = |path: &[u16], children: Vec<Claim>| {
        let at = path.iter().map(|place| usize::from(*place)).sum::<usize>();
        Claim {
            claim: text(at),
            evidence: vec![evidence(at), evidence(at + 1)],
            severity: severities[at % 4],
            changes: vec![change(at), change(at + 1)],
            ended: Some(ended[at % 5]),
            children,
            ..sample::claim(POPPER, path, None)
        }
    };
    let claims: Vec<Claim> = (1..=5)
        .map(|place| claim(&[place], vec![claim(&[place, 1], vec![]), claim(&[place, 2], vec![])]))
        .collect();
    let tree = Tree {
        claims: claims.clone(),
        holds_up: vec![HoldsUp { evidence: evidence(0), why: text(2) }; 2],
        failed: (1..=15).map(SectionId).collect(),
        failed_branches: u32::MAX,
        answered_by: texts.to_vec(),
        ..Tree::new(POPPER)
    };
    let finding = |number: u8| Finding {
        id: FindingId(number),
        theme: text(usize::from(number) % 3),
        title: text(number.into()),
        line: text(usize::from(number) + 1),
        // One of many claims is enough.
        claims: if number == 1 { claims.clone() } else { claims[..2].to_vec() },
    };
    let review = Review {
        verdict: text(3),
        text: text(6),
        told: vec![FindingId(2)],
        findings: (1..=12).map(finding).collect(),
        holds_up: texts.to_vec(),
        oppositions: vec![sample::review().oppositions.remove(0); 3],
        unread: (1..=15).map(SectionId).collect(),
        missing: Philosopher::ALL.to_vec(),
        skipped: vec![Skipped { member: POPPER, sections: (1..=15).map(SectionId).collect() }; 6],
        claims: u32::MAX,
        below_floor: u32::MAX,
        lesser: u32::MAX,
        marked: u32::MAX,
        misquoted: u32::MAX,
        answered_by: Some(text(5)),
    };
    (document, sections, tree, review)
}

proptest! {
    #![proptest_config(properties::cases(8))]

    #[test]
    fn whatever_is_written_fits_and_mentions_nobody(texts in prop::collection::vec(hostile(), 1..6), name in hostile()) {
        let (document, sections, tree, review) = made_of(&texts);
        let all = Philosopher::ALL.map(|member| Tree { member, ..tree.clone() });
        let said = Philosopher::ALL.map(|member| domain::SelfCritique {
            missed: tree.claims.clone(),
            answered_by: name.clone(),
            ..sample::self_critique(member)
        });
        let lost = Philosopher::ALL.map(|member| (member, name.clone()));
        let said_of = Triage { by_name: name.clone(), ..self::said(1, TriageVerdict::Rejected) };
        let mut posts = vec![
            trees_card(&session(), &all, &[], &sections),
            trees_card(&session(), &[], &lost, &sections),
            critiques_card(&session(), &said, &[], &all),
            triage(&session(), &review, std::slice::from_ref(&said_of)),
        ];
        prop_assert!(posts[..3].iter().all(|post| post.embeds.len() <= 6));
        posts.extend(review_cards(&session(), &"reviewed".into(), &review, &document, &sections));
        posts.extend(finding(&session(), &review, &review.findings[0], &document, Some(&said_of)));
        for (title, text) in [
            whole_tree(&tree, &document, &sections),
            whole_self_critique(&said[0], Some(&tree)),
            whole_review(&review, &document, &sections),
        ] {
            posts.extend(inspect::whole(&title, &text, &[]));
        }
        assert_fit(&posts, OWN);
        let [_, table] = files(&review, &[said_of]);
        prop_assert!(rows(&table).iter().all(|row| row.len() == 12));
    }
}
