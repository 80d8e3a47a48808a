//! Every card of a critique with real words, to be read; and with hostile ones, to fit.

use super::{
    super::{
        estimate::{estimate, told},
        inspect, status,
        support::{assert_fit, shown, stands},
    },
    sample::{self, assessment, brief_on, clean, document, said, sections, self_critiques, tree},
    *,
};
use crate::sample::{mediate, model, session};
use domain::{
    Adjustment, Assessment, ClaimEvidence, Estimate, Finding, Landmark, Ledger, Look, Phase, Post, Row,
    SessionState, Span, Standing, Status, StepKey, Tree, TriageVerdict, Unit, WaitOutcome,
};

mod export;
mod short;
mod worst;

/// The time of what the team said, which the cards hold on purpose.
const OWN: &[&str] = &["<t:1790000000:r>"];

/// A post's buttons: what pressing does, what it says, and whether it can be pressed.
fn buttons(post: &Post) -> Vec<(String, String, bool)> {
    let buttons = post.rows.iter().flat_map(|row| match row {
        Row::Buttons(buttons) => buttons.clone(),
        Row::Select(_) => Vec::new(),
    });
    let verb = |id: String| id.split(':').nth(2).unwrap().to_owned();
    buttons.map(|button| (verb(button.id.to_string()), button.label, !button.disabled)).collect()
}

#[test]
fn estimates() {
    let (document, asked, small) = (document(), sample::estimate(true), sample::estimate(false));
    let posts = [
        estimate(&session(), &brief_on(&document), &asked, &Standing::default()),
        estimate(&session(), &brief_on(&document), &asked, &stands(WaitOutcome::Answered("Mara".into()))),
        estimate(&session(), &brief_on(&document), &small, &stands(WaitOutcome::Expired)),
        told(Some(&document), &small),
        told(Some(&document), &asked),
    ];
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("estimate", shown(&posts));
}

#[test]
fn an_estimate_says_why_it_asks_and_never_makes_an_unknown_cost_nothing() {
    let mut much = sample::estimate(false);
    let state = |takes: &Estimate| {
        let post = estimate(&session(), &brief_on(&document()), takes, &Standing::default());
        post.embeds[0].fields.last().unwrap().value.clone()
    };
    assert!(state(&much).contains("more than half of what a session may use"), "{}", state(&much));
    much.calls = 41;
    assert!(state(&much).contains("because it takes more than 40 calls."), "{}", state(&much));
    much.cost = None;
    let asks = estimate(&session(), &brief_on(&document()), &much, &Standing::default());
    let card = shown(&[asks, told(Some(&document()), &much)]);
    assert!(
        card.contains("unknown, for the price") && card.contains("cost unknown") && !card.contains('$'),
        "{card}"
    );
}

#[test]
fn trees() {
    let (tree, document, sections) = (tree(), document(), sections());
    let key = StepKey::from("critique/popper");
    let mut worse = tree.clone();
    worse.failed = vec![SectionId(1)];
    worse.failed_branches = 2;
    let empty = Tree { claims: vec![], ..tree.clone() };
    let posts = [
        tree_card(&session(), &key, &tree, &document, &sections, &[]),
        tree_card(&session(), &key, &worse, &document, &sections, &[model()]),
        tree_card(&session(), &key, &empty, &document, &sections, &[]),
        missing_card(Philosopher::Kant, "the model could not be reached."),
    ]
    .concat();
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("tree", shown(&posts));
    let (title, whole) = whole_tree(&worse, &document, &sections);
    insta::assert_snapshot!("whole_tree", shown(&inspect::whole(&title, &whole, &[])));
}

#[test]
fn self_critiques_are_one_card() {
    let said = self_critiques();
    let posts = [
        self_critique_card(&session(), Look::First, &said, &[]),
        self_critique_card(&session(), Look::First, &said[1..], &[Philosopher::Kant, Philosopher::Popper]),
        self_critique_card(&session(), Look::First, &[], &Philosopher::ALL),
    ]
    .concat();
    assert_eq!(posts.len(), 3);
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("self_critique", shown(&posts));
    let (title, whole) = whole_self_critiques(Look::First, &said, &[tree()]);
    insta::assert_snapshot!("whole_self_critique", shown(&inspect::whole(&title, &whole, &[])));
}

#[test]
fn assessments() {
    let (key, document, sections) = (StepKey::from("assessment"), document(), sections());
    let unworded = Assessment { answered_by: None, unread: vec![], missing: vec![], ..assessment() };
    let thin = Assessment { unread: vec![SectionId(2)], missing: vec![Philosopher::Kant], ..clean() };
    let cards =
        |assessment, sections: &[_]| assessment_cards(&session(), &key, assessment, &document, sections);
    let posts = [
        cards(&assessment(), &sections),
        cards(&unworded, &sections),
        cards(&clean(), &sections[..1]),
        cards(&thin, &sections),
    ]
    .concat();
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("assessment", shown(&posts));
    for (name, of) in [("whole_assessment", &assessment()), ("whole_assessment_clean", &thin)] {
        let (title, whole) = whole_assessment(of, &document, &sections);
        insta::assert_snapshot!(name, shown(&inspect::whole(&title, &whole, &[])));
    }
}

#[test]
fn findings_follow_the_triage() {
    let document = document();
    let (wages, insurance) = (sample::finding(1), sample::finding(2));
    let posts = [
        finding(&session(), &sample::assessment(), &wages, &document, None),
        finding(
            &session(),
            &sample::assessment(),
            &wages,
            &document,
            Some(&said(1, TriageVerdict::Accepted)),
        ),
        finding(
            &session(),
            &sample::assessment(),
            &insurance,
            &document,
            Some(&said(2, TriageVerdict::Rejected)),
        ),
        finding(
            &session(),
            &sample::assessment(),
            &insurance,
            &document,
            Some(&said(2, TriageVerdict::Fixed)),
        ),
    ];
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("finding", shown(&posts));
}

#[test]
fn what_was_said_of_a_finding_cannot_be_said_again_and_can_be_taken_back() {
    let of = |verdict| {
        let said = said(1, verdict);
        let post = finding(&session(), &sample::assessment(), &sample::finding(1), &document(), Some(&said));
        let shown = buttons(&post).into_iter().map(|(verb, label, on)| format!("{verb} {label} {on}"));
        shown.collect::<Vec<_>>()
    };
    let (accept, reject, fixed, undo) = (
        "triage_accept Accept true",
        "triage_reject Reject true",
        "triage_fixed Fixed true",
        "triage_undo Reopen true",
    );
    assert_eq!(of(TriageVerdict::Open), [accept, reject, fixed], "taken back is as if nothing was said");
    assert_eq!(of(TriageVerdict::Accepted), ["triage_accept Accepted false", reject, fixed, undo]);
    assert_eq!(of(TriageVerdict::Rejected), [accept, "triage_reject Rejected false", fixed, undo]);
    assert_eq!(of(TriageVerdict::Fixed), [accept, reject, "triage_fixed Fixed false", undo]);
    let post = finding(&session(), &sample::assessment(), &sample::finding(7), &document(), None);
    let ids = shown(&[post]);
    assert!(ids.contains(":triage_accept:finding/7"), "{ids}");
}

#[test]
fn quotations_are_shown_as_the_text_has_them_and_never_as_markup() {
    let hostile = ClaimEvidence { quote: "[free](https://x.org)\n# @everyone || `so`".into(), found: None };
    let of = |evidence| Finding { evidence, ..sample::finding(1) };
    let card = |evidence| {
        finding(&session(), &sample::assessment(), &of(evidence), &document(), None).embeds[0]
            .description
            .clone()
    };
    let (not, none) = (card(vec![hostile]), card(vec![]));
    let text = "# Costs\n\nThe first year costs *at most* 80,000.\n";
    let marked = Document { landmarks: vec![(0, Landmark::Page(2))], ..crate::sample::document(text) };
    let (quote, start) = ("costs *at most* 80,000", text.find("costs *").unwrap());
    let found = Some(Span { start, end: start + quote.len() });
    let evidence = vec![ClaimEvidence { quote: quote.into(), found }];
    let stands = finding(&session(), &sample::assessment(), &of(evidence), &marked, None).embeds[0]
        .description
        .clone();
    assert!(stands.contains("> “costs \\*at most\\* 80,000”\n-# page 2, line 2"), "{stands}");
    assert!(not.contains("\\[free](x.org) \\# @\u{200b}everyone \\|\\| \\`so\\`”"), "{not}");
    assert!(not.contains("⚠️ **Not quoted:**") && !not.contains("> “"), "{not}");
    assert!(none.contains("⚠️ **Not quoted:** no words"), "{none}");
}

#[test]
fn a_section_says_over_which_pages_and_files_it_goes() {
    let document = document();
    let reach = |span| super::super::reading::place(&document, span);
    assert_eq!(reach(document.whole()), "pages 1 to 2");
    assert_eq!(reach(sections()[0].span), "page 1, lines 1 to 3");
    let file = |name: &str| Landmark::File { name: name.into(), unit: Unit::Line };
    let several = vec![(0, file("a_b.md")), (sections()[1].span.start, file("c.md"))];
    let several = Document { landmarks: several, ..document.clone() };
    assert_eq!(super::super::reading::place(&several, several.whole()), "from a\\_b.md, line 1 on");
    assert_eq!(super::super::reading::place(&several, sections()[1].span), "c.md, lines 1 to 5");
}

#[test]
fn who_alone_has_a_tree_read_only_its_own() {
    let posts = self_critique_card(&session(), Look::First, &self_critiques()[..1], &[]);
    let said = &posts[0].embeds[0].description;
    assert!(said.contains("there were no others") && !said.contains("the others' claims"), "{said}");
}

#[test]
fn several_changes_of_a_claim_are_one_and_what_cancels_out_is_none() {
    let mut popper = self_critiques().remove(0);
    popper.adjustments = [(1, 0.3), (1, -0.1), (4, 0.2), (4, -0.2), (5, 0.0)]
        .map(|(place, delta)| Adjustment {
            target: sample::id(Philosopher::Popper, &[place]),
            delta,
            reasoning: String::new(),
        })
        .to_vec();
    let posts = self_critique_card(&session(), Look::First, &[popper], &[]);
    let said = &posts[0].embeds[0].description;
    assert!(said.contains("**Popper** · ⬆️ surer of 1 claim · ↔️"), "{said}");
}

/// Nothing was asked of a model, so there is nothing raw to show.
#[test]
fn without_findings_there_is_no_raw_output() {
    let verbs = |assessment: &Assessment| {
        let posts = assessment_cards(&session(), &"assessment".into(), assessment, &document(), &sections());
        buttons(&posts[0]).into_iter().map(|(verb, ..)| verb).collect::<Vec<_>>()
    };
    assert_eq!(verbs(&clean()), ["whole"]);
    assert_eq!(verbs(&assessment()), ["whole", "raw"]);
    assert_eq!(verbs(&Assessment { answered_by: None, ..assessment() }), ["whole", "raw"], "what failed");
}

#[test]
fn a_critique_has_the_usual_live_card() {
    let status = Status {
        protocol: domain::Protocol::Critique,
        title: "delivery_plan.pdf".into(),
        state: SessionState::Waiting,
        phase: Phase { number: 0, of: 4, title: "The estimate waits for a Go".into() },
        thinking: vec![],
        answered: vec![],
        ledger: Ledger::default(),
        models: vec![],
        ..mediate::running()
    };
    let waiting = status::card(&session(), &status);
    assert!(waiting.embeds[0].description.ends_with("\nThe estimate waits for a Go"), "no step is begun");
    let verbs = |post: &Post| buttons(post).into_iter().map(|(verb, ..)| verb).collect::<Vec<_>>();
    assert_eq!(verbs(&waiting), ["context", "cancel", "tell_me"]);
    let running = Status { state: SessionState::Running, ..status };
    assert_eq!(verbs(&status::card(&session(), &running)), ["pause", "context", "cancel", "tell_me"]);
}

#[test]
fn triages() {
    let assessment = assessment();
    let both = [said(1, TriageVerdict::Accepted), said(2, TriageVerdict::Fixed)];
    let undone = [both[0].clone(), said(1, TriageVerdict::Open)];
    let posts = [
        triage(&session(), &assessment, &[]),
        triage(&session(), &assessment, &both[..1]),
        triage(&session(), &assessment, &both),
        triage(&session(), &assessment, &undone),
    ];
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("triage", shown(&posts));
}

/// Whoever sees no colour reads the same: each severity and each verdict has a word and a sign of its own.
#[test]
fn colours_are_never_alone() {
    use domain::Severity::{Critical, High, Low, Medium};
    let mut seen = std::collections::BTreeSet::new();
    for severity in [Critical, High, Medium, Low] {
        let of = Finding { severity, ..sample::finding(1) };
        let title =
            finding(&session(), &sample::assessment(), &of, &document(), None).embeds[0].title.clone();
        assert!(title.contains(word(severity)) && title.starts_with(sign(severity)), "{title}");
        assert_eq!(card::severity(severity), format!("{} {}", sign(severity), word(severity)));
        assert!(seen.insert(title), "each has its own");
    }
    for verdict in
        [TriageVerdict::Accepted, TriageVerdict::Rejected, TriageVerdict::Fixed, TriageVerdict::Open]
    {
        let post = finding(
            &session(),
            &sample::assessment(),
            &sample::finding(1),
            &document(),
            Some(&said(1, verdict)),
        );
        let last = post.embeds[0].description.lines().last().unwrap().to_owned();
        assert!(last.contains(super::finding::verdict(verdict).1), "{last}");
        assert!(seen.insert(last), "each has its own");
    }
}
