//! Every card of a vote with real words, to be read; and with hostile ones, to fit.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{
    super::support::{MEMBERS, assert_fit, boxes, hostile, shown},
    *,
};
use crate::sample::{
    session,
    vote::{self as sample, pilot},
};
use domain::{
    Action, BallotChoice, Changes, Does, Draft, ExpertPoints, FileBody, MAX_SOLUTIONS, Modal, RoleId,
    SolutionId, UserId, VoteRules,
};

/// Mentions and timestamps that the cards here hold on purpose.
const OWN: &[&str] =
    &["<t:1790000000:r>", "<t:1790000000:f>", "<@&7>", "<@1>", "<@2>", "<@3>", "<@4>", "<@5>", "<@6>"];

fn ruled(vote: Vote, rules: VoteRules) -> Vote {
    Vote { rules, ..vote }
}

fn named(members: &[u64]) -> Electorate {
    Electorate::Named(members.iter().map(|member| UserId(*member)).collect())
}

fn shut(vote: Vote, why: Closed) -> Vote {
    Vote { state: VoteState::Closed(why), ..vote }
}

fn text_of(posts: &[Post]) -> String {
    shown(posts)
}

#[test]
fn panels() {
    let plain = panel(&session(), &pilot());
    let mut fancy = pilot();
    fancy.experts[2].basis = Basis::Even;
    fancy.experts[1].basis = Basis::Scaled;
    let electorate = named(&[1, 2, 3, 4, 5, 6]);
    let live = ruled(fancy, VoteRules { electorate, quorum: 5, live: true, ..VoteRules::default() });
    let shut = shut(pilot(), Closed::Person("Ada".into()));
    let posts = [plain, panel(&session(), &live), panel(&session(), &shut)];
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("panel", shown(&posts));
}

#[test]
fn the_result_says_how_likely_those_who_gave_points_hold_an_option_to_be() {
    let mut vote = shut(pilot(), Closed::Deadline);
    assert!(!text_of(&result(&session(), &vote)).contains("🎯"), "nobody was asked");
    vote.experts[0].chances = vec![Some(55), Some(30), None];
    vote.experts[2].chances = vec![Some(70), None, None];
    let posts = result(&session(), &vote);
    let shown = text_of(&posts).replace('\u{a0}', " ");
    assert!(shown.contains("**S1** chance 55 to 70 % · **S2** chance 30 %"), "{shown}");
    assert_fit(&posts, OWN);
}

#[test]
fn who_votes_reads_on_each_option_how_likely_those_who_gave_it_points_hold_it_to_be() {
    let mut vote = pilot();
    assert!(!text_of(&[panel(&session(), &vote)]).contains("chance"), "nobody was asked");
    vote.experts[0].chances = vec![Some(55), Some(30), None];
    vote.experts[2].chances = vec![Some(70), None, None];
    let shown = text_of(&[panel(&session(), &vote)]).replace('\u{a0}', " ");
    let below: Vec<&str> = shown.lines().filter(|line| line.starts_with("-# ")).collect();
    let [both, one, none, proposed] = &below[..] else { panic!("{shown}") };
    assert!(both.ends_with("experts gave 17 of 30 points · chance 55 to 70 %"), "{both}");
    assert!(one.ends_with("experts gave 10 of 30 points · chance 30 %"), "{one}");
    assert!(![none, proposed].iter().any(|line| line.contains("chance")), "{shown}");
}

#[test]
fn standings_are_secret_until_the_vote_closes_unless_its_rules_say_live() {
    let secret = panel(&session(), &pilot());
    let mut other = pilot();
    other
        .ballots
        .iter_mut()
        .for_each(|ballot| ballot.choice = BallotChoice::Points(Allocation::exact(vec![10], 1).unwrap()));
    assert_eq!(panel(&session(), &other), secret, "the panel tells how somebody voted");
    let live = |vote| panel(&session(), &ruled(vote, VoteRules { live: true, ..VoteRules::default() }));
    assert_ne!(live(other), live(pilot()));
}

#[test]
fn a_full_vote_takes_no_more_proposals() {
    let titles: Vec<String> = (0..MAX_SOLUTIONS).map(|at| format!("Plan {at}")).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let text = text_of(&[panel(&session(), &sample::vote(&titles, &[], &[]))]);
    assert!(text.contains("No room for more (10)] Secondary (off)"), "{text}");
}

#[test]
fn spreading() {
    let draft = |selected: u8, points: &[u32]| Draft {
        selected: (selected > 0).then_some(SolutionId(selected)),
        points: points.to_vec(),
    };
    let drafts =
        [draft(0, &[0, 0, 0, 0]), draft(2, &[3, 4, 0, 0]), draft(2, &[3, 6, 0, 0]), draft(1, &[3, 7, 0, 0])];
    let posts = drafts.map(|draft| spread(&session(), &pilot(), &draft));
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("spread", shown(&posts));
}

#[test]
fn forms_fit_and_hold_the_draft() {
    let draft = Draft { selected: None, points: vec![3, 7, 0, 0] };
    let typed = typed_form(&session(), &pilot(), &draft);
    assert_eq!(boxes(&typed)[0].value, "S1 3\nS2 7\nS3 0\nS4 0");
    assert_eq!(typed.id.action(), Some(Does::SpreadTyped(draft).into()));
    assert!(modal_faults(&typed).is_empty(), "{:?}", modal_faults(&typed));
    let form = propose_form(&session());
    assert_eq!(
        boxes(&form).iter().map(|input| (&*input.id, input.max)).collect::<Vec<_>>(),
        [("title", 100), ("description", 1_000)]
    );
    assert!(modal_faults(&form).is_empty(), "{:?}", modal_faults(&form));
}

fn modal_faults(modal: &Modal) -> Vec<String> {
    let mut faults = Vec::new();
    let mut most = |text: &str, limit: usize| {
        if text.encode_utf16().count() > limit {
            faults.push(format!("{limit}: {text:?}"));
        }
    };
    most(&modal.id.to_string(), 100);
    most(&modal.title, 45);
    for input in boxes(modal) {
        most(&input.label, 45);
        most(&input.placeholder, 100);
        most(&input.value, usize::from(input.max));
    }
    faults
}

#[test]
fn reminders_and_closing() {
    let quorum = |electorate, ping| VoteRules { electorate, quorum: 6, ping, ..VoteRules::default() };
    let silent = reminder(&session(), &ruled(pilot(), quorum(named(&[1, 2, 3, 4, 5, 6]), false)));
    assert!(silent.pings.is_empty());
    let loud = reminder(&session(), &ruled(pilot(), quorum(named(&[1, 2, 3, 4, 5, 6]), true)));
    assert_eq!(loud.pings.users, [UserId(5), UserId(6)], "whoever has voted is left in peace");
    let role = reminder(&session(), &ruled(pilot(), quorum(Electorate::Role(RoleId(7)), true)));
    assert_eq!((role.pings.roles.len(), role.pings.users.len()), (1, 0));
    let all = reminder(&session(), &ruled(pilot(), quorum(Electorate::Everyone, true)));
    assert!(all.pings.is_empty(), "everyone is never notified");
    let close = confirm_close(&session(), &ruled(pilot(), quorum(Electorate::Everyone, false)));
    let posts = [silent, loud, role, all, close];
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("reminder", shown(&posts));
}

#[test]
fn results() {
    let whole = result(&session(), &shut(pilot(), Closed::Deadline));
    insta::assert_snapshot!("result", shown(&whole));

    let titles = [
        "Pilot in one district",
        "A co-operative of restaurants that own the app together",
        "Do not build it",
    ];
    let tied = sample::vote(
        &titles,
        &[
            ("📈 Market", 2.0, &[5, 2, 3], Basis::Given),
            ("💰 Cost", 1.0, &[2, 8, 0], Basis::Scaled),
            ("⚠️ Risk", 1.0, &[4, 3, 3], Basis::Even),
        ],
        &[&[5, 0, 5]],
    );
    let tied = ruled(tied, VoteRules { electorate: named(&[1, 2, 5]), quorum: 2, ..VoteRules::default() });
    let tied = result(&session(), &shut(tied, Closed::Person("Ada".into())));
    insta::assert_snapshot!("result_tie_weights_no_quorum", shown(&tied));

    let nobody = sample::vote(&titles, &[("📈 Market", 1.0, &[5, 2, 3], Basis::Even)], &[]);
    let nobody = result(&session(), &shut(nobody, Closed::Deadline));
    insta::assert_snapshot!("result_nobody", shown(&nobody));

    let agreed = sample::vote(&titles, &[("📈 Market", 1.0, &[5, 3, 2], Basis::Given)], &[&[5, 3, 2]]);
    let agreed = result(&session(), &shut(agreed, Closed::Everyone));
    assert!(text_of(&agreed).contains("You agree"), "{}", text_of(&agreed));
    for posts in [&whole, &tied, &nobody, &agreed] {
        assert_eq!(posts.len(), 1, "one message");
        assert_fit(posts, OWN);
    }
}

#[test]
fn tables_fit_a_phone_with_ten_solutions_in_any_script() {
    use unicode_width::UnicodeWidthStr;
    let ballots: Vec<&[u32]> = vec![&[1; 10]; 120];
    let vote = sample::vote(&sample::TEN, &[("Market", 1.0, &[1; 10], Basis::Given)], &ballots);
    let posts = result(&session(), &shut(vote, Closed::Deadline));
    let text = &posts[0].embeds[0].description;
    let table = text.split("```").nth(1).unwrap();
    for line in table.lines() {
        assert!(line.width() <= 34, "{} columns: {line}", line.width());
    }
    assert_eq!(table.lines().filter(|line| line.contains("10 %")).count(), 20, "{table}");
}

#[test]
fn ten_options_stand_whole_where_people_vote_and_those_with_points_in_the_result() {
    let mut vote = sample::vote(&sample::TEN, &[("Market", 1.0, &[4, 6], Basis::Given)], &[&[2; 5]]);
    for solution in &mut vote.solutions {
        solution.description = format!("{} end of {}", "a step of it, ".repeat(23), solution.id);
    }
    let panel = panel(&session(), &vote);
    let result = result(&session(), &shut(vote.clone(), Closed::Deadline));
    assert_eq!(panel.embeds.len(), 2);
    assert_fit(std::slice::from_ref(&panel), OWN);
    let (panel, result) = (text_of(&[panel]), text_of(&result));
    for solution in &vote.solutions {
        let end = format!("end of {}\n", solution.id);
        assert!(panel.contains(&end), "{end}: {panel}");
        assert_eq!(result.contains(&end), solution.id.0 <= 5, "{end}: {result}");
    }
}

#[test]
fn a_panel_is_one_message_however_long_all_of_it_is() {
    let points: &[u32] = &[1; 10];
    let experts = [("Market", 1.0, points, Basis::Scaled), ("Cost", 1.0, points, Basis::Even)];
    let mut vote = sample::vote(&sample::TEN, &experts, &[]);
    vote.question = "Do we open a second bakery, or not? ".repeat(9);
    let named = (0..50).map(|member| UserId(123_456_789_012_345_600 + member)).collect();
    vote.rules =
        VoteRules { electorate: Electorate::Named(named), live: true, quorum: 40, ..VoteRules::default() };
    let sharper = domain::Sharper { topic: "rents".into(), text: "They rose by 3 % a year. ".repeat(30) };
    for (long, many) in [(3_600, 1), (900, 10), (420, 10)] {
        for solution in vote.solutions.iter_mut().take(many) {
            solution.description = "x ".repeat(long / 2);
            solution.provenance.sharper = vec![sharper.clone(); 3];
        }
        let faults = super::super::support::faults(&panel(&session(), &vote), &["<@", "<t:"]);
        assert!(faults.is_empty(), "{long}: {faults:?}");
    }
    assert!(text_of(&[panel(&session(), &vote)]).contains("More was found out since"));
}

#[test]
fn no_ballot_can_be_read_from_the_result() {
    let posts = result(&session(), &shut(pilot(), Closed::Deadline));
    assert!(pilot().ballots.iter().all(|ballot| ballot.voter_name.starts_with("Voter")));
    assert!(!text_of(&posts).contains("Voter"));
    let FileBody::Svg(svg) = &posts[0].files[0].body else { panic!("no drawing") };
    assert!(!svg.contains("Voter"));
}

#[test]
fn shares_are_never_rounded_to_nothing() {
    let shares = [0.0, 0.000_1, 0.009, 0.01, 0.225, 1.0].map(super::card::percent);
    assert_eq!(shares, ["0 %", "<1 %", "<1 %", "1 %", "23 %", "100 %"]);
}

#[test]
fn ballots_read_back_on_a_line() {
    assert_eq!(ballot(&Allocation::exact(vec![3, 0, 7], 3).unwrap()), "S1 3 · S3 7");
}

/// Any vote of hostile texts.
fn any_vote() -> impl Strategy<Value = Vote> {
    let points = || prop::collection::vec(1u32..9, 1..=10);
    let basis = prop::sample::select(vec![Basis::Given, Basis::Scaled, Basis::Even]);
    let titles =
        prop::collection::vec((hostile(), hostile(), prop::collection::vec(hostile(), 0..9)), 1..=10);
    let chances = prop::collection::vec(prop::option::of(0u8..=100), 0..10);
    let experts = prop::collection::vec((hostile(), 0.1f64..10.0, points(), basis, chances), 0..9);
    let ballots = prop::collection::vec(points(), 0..12);
    let electorate =
        prop_oneof![Just(Electorate::Everyone), Just(Electorate::Role(RoleId(7))), Just(named(&[1, 2, 5])),];
    let state = prop_oneof![
        Just(VoteState::Open),
        Just(VoteState::Closed(Closed::Everyone)),
        hostile().prop_map(|name| VoteState::Closed(Closed::Person(name))),
    ];
    (hostile(), titles, 0usize..4, experts, ballots, electorate, state, 0u32..9, any::<bool>()).prop_map(
        |(question, titles, proposed, experts, ballots, electorate, state, quorum, live)| {
            let scored = titles.len().saturating_sub(proposed).max(1);
            let ten = |points: &[u32], places: usize| {
                let mut points = points.to_vec();
                points.resize(places, 0);
                Allocation::scaled(&points).unwrap()
            };
            let solutions = (1..).zip(&titles).map(|(number, (title, description, raised_by))| Solution {
                description: description.clone(),
                raised_by: raised_by.clone(),
                proposed: usize::from(number) > scored,
                ..sample::solution(number, title)
            });
            let experts = experts.iter().map(|(title, weight, points, basis, chances)| ExpertPoints {
                title: title.clone(),
                weight: *weight,
                influence: domain::Influence::default(),
                allocation: ten(points, scored),
                basis: *basis,
                chances: chances.clone(),
            });
            let ballots =
                (1..).zip(&ballots).map(|(voter, points)| sample::ballot(voter, ten(points, titles.len())));
            Vote {
                question,
                solutions: solutions.clone().collect(),
                experts: experts.collect(),
                rules: VoteRules { electorate, quorum, live, ping: live, ..VoteRules::default() },
                state,
                deadline: Some(sample::DEADLINE),
                ballots: ballots.collect(),
                ..Vote::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(properties::cases(24))]

    #[test]
    fn cards_of_a_vote_fit(vote in any_vote()) {
        let posts = [panel(&session(), &vote), reminder(&session(), &vote), confirm_close(&session(), &vote)];
        let own = [OWN, MEMBERS].concat();
        assert_fit(&posts, &own);
        assert_fit(&result(&session(), &vote), &own);
        let fifty = Vote { rules: VoteRules { electorate: named(&[1; 50]), ping: true, quorum: 60, ..VoteRules::default() }, ballots: vec![], ..vote };
        assert_fit(&[panel(&session(), &fifty), reminder(&session(), &fifty)], &own);
    }

    #[test]
    fn every_draft_gives_a_panel_that_discord_takes(
        vote in any_vote(), places in prop::collection::vec(0usize..10, 0..=10), selected in 0u8..=10, short in 0usize..3
    ) {
        let many = vote.solutions.len();
        let mut points = vec![0; many.saturating_sub(short).max(1)];
        let length = points.len();
        for place in &places {
            points[place % length] += 1;
        }
        let selected = Some(SolutionId(selected)).filter(|id| id.0 > 0 && usize::from(id.0) <= many);
        let draft = Draft { selected, points };
        let post = spread(&session(), &vote, &draft);
        assert_fit(std::slice::from_ref(&post), OWN);
        let buttons: Vec<&Button> = post.rows.iter().flat_map(|row| match row {
            Row::Buttons(buttons) => buttons.iter().collect(),
            Row::Select(_) => Vec::new(),
        }).collect();
        let given = places.len();
        for button in &buttons {
            match button.id.to_string().split(':').nth(2).unwrap() {
                "spread" => {
                    let Some(Action::Changes(Changes::Spread(after))) = button.id.action() else { panic!("{button:?}") };
                    // Pressing it changes the draft, and never beyond ten.
                    prop_assert!(!button.disabled && after != draft);
                    prop_assert!(after.points.iter().sum::<u32>() <= 10);
                }
                "spread_cast" => prop_assert_eq!(button.disabled, given != 10),
                "spread_type" => prop_assert!(!button.disabled),
                off => prop_assert!(button.disabled && off.starts_with("spread_off_"), "{}", off),
            }
        }
        let ids: BTreeSet<String> = buttons.iter().map(|button| button.id.to_string()).collect();
        prop_assert_eq!(ids.len(), 5);
        let form = typed_form(&session(), &vote, &draft);
        prop_assert!(modal_faults(&form).is_empty(), "{:?}", modal_faults(&form));
    }
}
