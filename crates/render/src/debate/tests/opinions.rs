//! What the team is asked, and how its opinions moved.

use super::{super::super::vote::confirm_close, *};
use crate::sample::debate::{asking, ballot, swing};
use domain::{Vote, VoteState};

#[test]
fn opinions_look_alike_and_carry_the_words_they_are_about() {
    let post = proposition(
        &session(),
        &sample::proposition(),
        Preset::Full,
        &Standing { revision: 42, ..Standing::default() },
    );
    let Row::Buttons(buttons) = &post.rows[1] else { panic!("{:?}", post.rows) };
    let does = |button: &Button| button.id.action().unwrap();
    let before = Opinion::ALL.map(|opinion| Does::OpinionBefore((opinion, 42)).into());
    assert_eq!(buttons.iter().map(does).collect::<Vec<Action>>(), before);
    assert!(buttons.iter().all(|button| button.style == ButtonStyle::Secondary && !button.disabled));
    let panel = opinion_panel(&session(), &asking(QUESTION, 3, 2));
    let Row::Buttons(buttons) = &panel.rows[0] else { panic!("{:?}", panel.rows) };
    let after = Opinion::ALL.map(|opinion| Does::OpinionAfter(opinion).into());
    assert_eq!(buttons.iter().map(does).collect::<Vec<Action>>(), after);
    assert!(buttons.iter().all(|button| button.style == ButtonStyle::Secondary));
}

fn ruled(before: u64, ballots: u64, rules: VoteRules) -> Vote {
    Vote { rules, ..asking(QUESTION, before, ballots) }
}

#[test]
fn opinion_panels() {
    let named = Electorate::Named((1..=6).map(UserId).collect());
    let live = ruled(1, 4, VoteRules { electorate: named, quorum: 5, live: true, ..VoteRules::default() });
    let role =
        ruled(0, 0, VoteRules { electorate: Electorate::Role(RoleId(7)), quorum: 1, ..VoteRules::default() });
    let closed = Vote { state: VoteState::Closed(Closed::Person("Ada".into())), ..asking(QUESTION, 3, 5) };
    let posts = [
        opinion_panel(&session(), &asking(QUESTION, 3, 2)),
        opinion_panel(&session(), &live),
        opinion_panel(&session(), &role),
        opinion_panel(&session(), &closed),
        confirm_close(&session(), &asking(QUESTION, 3, 2)),
    ];
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("opinion", shown(&posts));
}

#[test]
fn opinions_are_secret_until_the_end_unless_the_rules_say_live() {
    let asking = |opinion, live| {
        let ballots = (1..=4).map(|voter| ballot(voter, opinion)).collect();
        let rules = VoteRules { live, ..VoteRules::default() };
        opinion_panel(&session(), &Vote { ballots, ..ruled(2, 0, rules) })
    };
    assert_eq!(
        asking(Opinion::For, false),
        asking(Opinion::Against, false),
        "the panel tells what somebody thinks"
    );
    assert_ne!(asking(Opinion::For, true), asking(Opinion::Against, true));
}

#[test]
fn a_swing_is_told_in_words_that_are_right() {
    for (before, after, told) in [
        (
            "fffuua",
            "ffuuaa",
            "6 voted both before and after; 2 changed their minds: 1 from For to Undecided, 1 from Undecided to Against.",
        ),
        ("fua", "fua", "3 voted both before and after; nobody changed their mind."),
        ("fuaa", "fuau", "4 voted both before and after; 1 changed their mind: 1 from Against to Undecided."),
        ("ffff", "aaaa", "4 voted both before and after; 4 changed their minds: 4 from For to Against."),
        (
            "fua-",
            "fuaf",
            "3 voted both before and after; nobody changed their mind. 1 voted only after it; the table counts them too.",
        ),
        (
            "fuaff-",
            "fua--a",
            "3 voted both before and after; nobody changed their mind. 2 voted only before it and 1 voted only after it; the table counts them too.",
        ),
        ("", "", "Nobody voted, neither before the debate nor after it."),
        (
            "",
            "ffa",
            "Nobody voted before the debate, so it cannot be shown how opinions moved; below are the votes after it.",
        ),
        (
            "ffa",
            "",
            "Nobody voted after the debate, so it cannot be shown how opinions moved; below are the votes before it.",
        ),
        (
            "ff--",
            "--aa",
            "Nobody voted both before and after, so it is not known how many changed their mind. 2 voted only before it and 2 voted only after it; the table counts them too.",
        ),
        (
            "fu",
            "fa",
            "Only 2 voted both before and after. With so few, their moves would tell who voted for what, so only totals are shown.",
        ),
        (
            "f--",
            "aua",
            "Only 1 voted both before and after. With so few, their moves would tell who voted for what, so only totals are shown. 2 voted only after it; the table counts them too.",
        ),
    ] {
        let swing = swing(before, after);
        let post = swing_card(&session(), &swing, &asking(QUESTION, 0, 3)).remove(0);
        let said = post.embeds[0].description.clone();
        let rest = said.split_once("\n\n").map_or("", |(_, rest)| rest);
        assert_eq!(rest.split("\n\n").next(), Some(told), "{before} to {after}");
        let moves = swing.both() > 2 && swing.changed() > 0;
        assert_eq!(said.contains("from "), moves, "{said}");
        let [file] = &post.files[..] else {
            assert!(before.is_empty() && after.is_empty(), "no picture of {before} to {after}");
            continue;
        };
        assert_eq!(file.alt.contains(" from "), moves, "the picture's words tell no more: {}", file.alt);
        let FileBody::Svg(svg) = &file.body else { panic!("no drawing") };
        let bands = svg.split("</defs>").nth(1).unwrap_or_default().contains("<path");
        assert_eq!(bands, swing.both() > 2, "and neither does the picture itself");
    }
}

#[test]
fn swings() {
    let closed = |ballots, quorum, why| Vote {
        state: VoteState::Closed(why),
        ..ruled(0, ballots, VoteRules { quorum, ..VoteRules::default() })
    };
    let posts = [
        swing_card(&session(), &swing("fffuua", "ffuuaa"), &closed(6, 0, Closed::Deadline)),
        swing_card(&session(), &swing("fu", "fa"), &closed(2, 5, Closed::Person("Ada".into()))),
        swing_card(&session(), &swing("", ""), &closed(0, 0, Closed::Everyone)),
    ]
    .concat();
    assert_fit(&posts, OWN);
    insta::assert_snapshot!("swing", shown(&posts));
    for line in
        shown(&posts).lines().filter(|line| line.starts_with("For ") || line.starts_with("Undecided "))
    {
        assert!(line.chars().count() <= 34, "a phone breaks {line:?}");
    }
    assert!(posts.iter().all(|post| post.embeds[0].color == Color::Neutral), "no outcome has a colour");
}
