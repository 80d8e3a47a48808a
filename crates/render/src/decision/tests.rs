//! Records with real words, to be read; and with hostile ones, to fit.

use proptest::prelude::*;

use super::{
    super::{
        notices,
        support::{MEMBERS, assert_fit, assert_form, form_shown, hostile, shown},
    },
    *,
};
use crate::sample::{session, vote as sample};
use domain::{
    Basis, ChannelId, Closed, CustomId, Decision, MAX_SOLUTIONS, Opens, SolutionId, UserId, Vote, VoteState,
    sides,
};

const AT: i64 = 1_790_000_000;
/// Mentions and timestamps that the cards here hold on purpose.
const OWN: &[&str] = &[
    "<t:1790000000:r>",
    "<t:1790000000:f>",
    "<t:1790000000:d>",
    "<t:1800000000:d>",
    "<#4242>",
    "<@123456789012345678>",
];

/// A closed vote, of whose solutions a member proposed the last if they are more than two.
fn vote(titles: &[&str], ballots: &[&[u32]]) -> Vote {
    let experts: [(&str, f64, &[u32], Basis); 3] = [
        ("📈 Market", 1.0, &[7, 3], Basis::Given),
        ("💰 Cost", 1.0, &[4, 6], Basis::Scaled),
        ("⚠️ Risk", 1.0, &[1, 1], Basis::Even),
    ];
    let open = sample::vote(titles, &experts, ballots);
    let open = sample::with_proposed(open, usize::from(titles.len() > 2));
    Vote {
        question: "We want to build a food delivery app for a town of 40,000".to_owned(),
        state: VoteState::Closed(Closed::Deadline),
        ..open
    }
}

fn decision() -> Decision {
    let titles = ["Launch town-wide", "Pilot in one district", "Ask the restaurants first"];
    Decision {
        number: 1,
        vote: vote(&titles, &[&[0, 10, 0], &[3, 7, 0], &[2, 0, 8]]),
        swing: None,
        chosen: SolutionId(2),
        rationale: "It is the **smallest** step that teaches us something:\n- ten restaurants\n- ninety days"
            .to_owned(),
        owner: "Ben and <@123456789012345678>, with @everyone".to_owned(),
        dissent: "Chloé would rather wait: the winter is slow.".to_owned(),
        review: Some(1_800_000_000),
        by: UserId(1),
        by_name: "Ada".to_owned(),
        at: AT,
        outcome: None,
    }
}

fn said(verdict: Verdict, text: &str, by: &str) -> Outcome {
    Outcome { verdict, text: text.to_owned(), by: UserId(2), by_name: by.to_owned(), at: AT }
}

#[test]
fn forms() {
    let decision = decision();
    let (form, outcome) =
        (form(&session(), &decision.vote, AT), outcome_form(&session(), &decision, Verdict::DidNot));
    assert_form(&form);
    assert_form(&outcome);
    insta::assert_snapshot!("forms", format!("{}\n\n{}", form_shown(&form), form_shown(&outcome)));
    let undecided = Vote { ballots: Vec::new(), ..decision.vote };
    assert!(!form_shown(&super::form(&session(), &undecided, AT)).contains('◉'), "nobody leads");
    let sides = form_shown(&sides_form(&session(), &sides(undecided.clone())));
    insta::assert_snapshot!("sides_form", sides);
    for many in [MAX_SOLUTIONS, 40] {
        let solutions = (1..=many).map(|n| sample::solution(n.try_into().unwrap(), sample::TEN[n % 10]));
        let many = Vote { solutions: solutions.collect(), ..undecided.clone() };
        assert_form(&super::form(&session(), &many, AT));
    }
}

#[test]
fn cards() {
    let first = decision();
    insta::assert_snapshot!("recorded", shown(&[card(&session(), &first, &Standing::default())]));
    let unpinned = Some("I lack the permission **Pin Messages** here.".to_owned());
    let standing = Standing { unpinned, replaced_by: Some(3) };
    let replaced = Decision {
        number: 2,
        owner: String::new(),
        dissent: String::new(),
        vote: vote(&["Launch", "Wait"], &[&[0, 10]]),
        outcome: None,
        ..first.clone()
    };
    insta::assert_snapshot!("replaced", shown(&[card(&session(), &replaced, &standing)]));
    let reviewed =
        Decision { outcome: Some(said(Verdict::Partly, "Two of ten left.", "Ben")), ..first.clone() };
    insta::assert_snapshot!(
        "review",
        shown(&[
            review_card(&session(), &first),
            review_card(&session(), &reviewed),
            card(&session(), &reviewed, &Standing::default())
        ])
    );
    let nobody = Decision { vote: vote(&["Launch", "Wait"], &[]), review: None, ..first };
    let nobody = shown(&[card(&session(), &nobody, &Standing::default())]);
    assert!(nobody.contains("Nobody of the team voted.") && nobody.contains("No date was set."), "{nobody}");
}

#[test]
fn refusals_give_everything_back() {
    let sentence = "“next spring” is no date I can read.";
    let boxes =
        [("Chosen solution", "S2"), ("Why", "Because:\n```\nit *works*\n```"), ("Who sees to it", " ")];
    let post = give_back(notices::user_error(sentence), &boxes, CustomId::new(&session(), Opens::Decide));
    insta::assert_snapshot!("given_back", shown(&[post]));
}

#[test]
fn lists() {
    let first = decision();
    let worked = Decision {
        number: 2,
        outcome: Some(said(Verdict::Worked, "Forty orders a day.", "Ben")),
        ..first.clone()
    };
    let row = |decision: &Decision, replaced_by| ListRow {
        decision: decision.clone(),
        thread: ChannelId(4_242),
        replaced_by,
    };
    let all = list(&[row(&worked, None), row(&first, Some(2)), row(&first, None)], 5, None);
    let found = list(&[row(&first, None)], 1, Some(" pilot "));
    let (none, nothing) = (list(&[], 0, Some(" ")), list(&[], 0, Some("**moon** @everyone")));
    insta::assert_snapshot!("list", shown(&[all, found, none, nothing].concat()));
}

/// A vote whose options have this text.
fn described(mut vote: Vote, text: &str) -> Vote {
    vote.solutions.iter_mut().for_each(|solution| text.clone_into(&mut solution.description));
    vote
}

#[test]
fn a_record_has_what_was_chosen_in_full_without_marks_of_pages() {
    let vote = vote(&["Pilot"], &[]);
    let decided = |text: &str, proposed: bool| {
        let mut vote = described(vote.clone(), text);
        vote.solutions[0].proposed = proposed;
        let decision = Decision { vote, chosen: SolutionId(1), ..decision() };
        shown(&[card(&session(), &decision, &Standing::default())])
    };
    let text = "Deliver in one district [3], at most 9,000 euros. Stop: fewer than 40 orders a day.";
    let told = decided(text, false);
    assert!(
        told.contains("Deliver in one district, at most 9,000 euros. Stop: fewer than 40 orders a day."),
        "{told}"
    );
    assert!(decided(text, true).contains("3], at most"), "what a member writes has brackets of its own");
}

/// Hostile text about as long as a form's boxes take, a little longer at times.
fn boxed() -> impl Strategy<Value = String> {
    hostile().prop_map(|text| text.chars().take(1_100).collect())
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn whatever_was_written_the_cards_are_one_message_each(
        a in boxed(), b in boxed(), c in boxed(), titles in prop::collection::vec(boxed(), 1..=10),
        ballots in prop::collection::vec(prop::collection::vec(1u32..9, 10), 0..4), review in any::<bool>(),
    ) {
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let ballots: Vec<&[u32]> = ballots.iter().map(|points| &points[..titles.len()]).collect();
        let decision = Decision {
            number: 2,
            vote: described(Vote { question: a.clone(), ..vote(&titles, &ballots) }, &b.repeat(3)),
            swing: None,
            chosen: SolutionId(1),
            rationale: b.clone(),
            owner: format!("{a} <@123456789012345678> {b}"),
            dissent: c.clone(),
            review: review.then_some(1_800_000_000),
            by: UserId(1),
            by_name: c.clone(),
            at: AT,
            outcome: review.then(|| said(Verdict::DidNot, &a, &b)),
        };
        let standing = Standing { unpinned: review.then(|| c.clone()), replaced_by: review.then_some(3) };
        let record = card(&session(), &decision, &standing);
        // Everything has its place in the one message: nothing was pushed out of it.
        let fields: Vec<&str> = record.embeds.iter().flat_map(|e| &e.fields).map(|f| f.name.as_str()).collect();
        prop_assert!(fields.contains(&"Review"), "{:?}", fields);
        prop_assert!(!review || fields.contains(&"📌 Not pinned"), "{:?}", fields);
        assert_fit(&[record, review_card(&session(), &decision)], &[OWN, MEMBERS].concat());
        assert_form(&form(&session(), &decision.vote, AT));
        assert_form(&outcome_form(&session(), &decision, Verdict::Partly));
        let boxes = [("Chosen solution", &*a), ("Why", &*b), ("Who sees to it", &*c), ("Review on", &*a), ("Who disagrees and why", &*b)];
        let back = give_back(notices::user_error(&c), &boxes, CustomId::new(&session(), Opens::Decide));
        prop_assert_eq!(back.rows.len(), 1);
        // It names roles and channels, which is harmless: whatever is sent may notify nobody.
        assert_fit(&[back], &[OWN, MEMBERS, &["<@&1>", "<#1>"]].concat());
        let row = ListRow { decision, thread: ChannelId(4_242), replaced_by: None };
        assert_fit(&list(&vec![row; 4], 99, Some(&a)), &[OWN, MEMBERS].concat());
    }
}
