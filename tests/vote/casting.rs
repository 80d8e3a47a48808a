//! The quick vote: who may, when, and that each member has one ballot whatever is delivered how often.

use std::time::Duration;

use playground::{
    Id, Options,
    ids::{ADA, BEN, CHLOE, DMITRI, RIVERSIDE, SECOND_DECISIONS},
};
use serde_json::json;

use crate::{
    support::{
        Stage,
        play::{Part, id, is_private, read},
    },
    vote::scene::{Voting, component},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_members_vote_and_the_panel_shows_turnout_and_no_standings() {
    let voting = Voting::open(json!({})).await;
    let row = voting.vote().await;
    assert_eq!(row.vote.solutions.len(), 2);
    assert_eq!(row.vote.experts.len(), 3, "market, cost and risk gave points");
    assert_eq!(row.vote.rules.hours, 24);

    let empty = read(&voting.panel());
    let said = voting.all(ADA, "1").await;
    assert!(said.contains("Your vote counts: S1 10"), "{said}");
    voting.all(BEN, "1").await;
    let both_for_1 = voting.panel_shown().await;
    assert_ne!(both_for_1, empty, "the turnout is shown");
    voting.all(ADA, "2").await;
    voting.all(BEN, "2").await;
    assert_eq!(voting.panel_shown().await, both_for_1, "nobody can see how anybody voted, or changed it");
    voting.all(BEN, "1").await;
    voting.all(CHLOE, "1").await;
    assert_ne!(voting.panel_shown().await, both_for_1);
    assert_eq!(voting.points(ADA).await, Some(vec![0, 10]));
    assert_eq!(voting.points(BEN).await, Some(vec![10, 0]));
    assert_eq!(voting.points(CHLOE).await, Some(vec![10, 0]));
    assert_eq!(voting.vote().await.vote.ballots.len(), 3);
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_delivered_twice_or_late_counts_once_and_the_newest_wins() {
    // What is pressed while nobody listens stays open until a bot is back, however long its start takes.
    let acknowledge_within = Duration::from_mins(1);
    let stage = Stage::with(Options {
        acknowledge_within,
        rate_limits: false,
        keep_bodies: true,
        ..Options::default()
    });
    let mut voting = Voting::on(stage.await, json!({})).await;
    let first = voting.start_all(ADA, "1");
    let said = voting.private(ADA, first).await;
    voting.deliver_again(first).await;
    assert_eq!(voting.private(ADA, first).await, said, "the same is said again");
    assert_eq!(voting.vote().await.vote.ballots.len(), 1);

    let second = voting.start_all(ADA, "2");
    voting.private(ADA, second).await;
    voting.deliver_again(first).await;
    assert_eq!(voting.points(ADA).await, Some(vec![0, 10]), "an older press changes nothing");

    // One that was pressed while nobody listened, delivered after a newer one.
    voting.kill().await;
    let (late, latest_of_ben) = (voting.start_all(ADA, "1"), voting.start_all(BEN, "1"));
    voting.start().await;
    voting.all(ADA, "2").await;
    voting.deliver_late(late).await;
    assert_eq!(voting.points(ADA).await, Some(vec![0, 10]), "the newest wins in whatever order they come");
    voting.deliver_late(latest_of_ben).await;
    assert_eq!(voting.points(BEN).await, Some(vec![10, 0]), "late is better than never");
    voting.close().await;
    voting.deliver_again(first).await;
    voting.deliver_again(second).await;
    assert_eq!(voting.points(ADA).await, Some(vec![0, 10]));
    voting.wait_counted().await;
    voting.wait_result().await;
    voting.deliver_again(second).await;
    assert!(voting.private(ADA, second).await.contains("Your vote counts: S2 10"), "as it was said then");
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_those_who_are_named_or_have_the_role_may_vote() {
    let voters = format!("<@{BEN}> <@{CHLOE}> <@{DMITRI}>");
    let voting = Voting::open(json!({"voters": voters})).await;
    for said in [
        voting.all(ADA, "1").await,
        voting.press(ADA, "vote_spread").await.text(),
        voting.press(ADA, "propose").await.text(),
    ] {
        assert!(said.contains("This vote is for others"), "{said}");
    }
    assert!(voting.all(BEN, "1").await.contains("Your vote counts"));
    assert_eq!(voting.vote().await.vote.ballots.len(), 1);
    voting.stage.nothing_amiss_but_repeats();

    // Ada has the role Admin, Ben has none.
    let voting = Voting::open(json!({"voters": format!("<@&{}>", RIVERSIDE + 8)})).await;
    assert!(voting.all(ADA, "1").await.contains("Your vote counts"));
    let said = voting.all(BEN, "1").await;
    assert!(said.contains("This vote is for others"), "{said}");
    assert_eq!(voting.points(BEN).await, None);
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vote_after_the_close_or_from_another_server_counts_nothing() {
    let voting = Voting::open(json!({})).await;
    voting.all(BEN, "1").await;
    let panel = voting.panel();
    let spreading = voting.spreading(BEN).await;
    let ids: Vec<String> = ["vote_all", "vote_spread", "propose", "vote_close"]
        .iter()
        .filter_map(|verb| component(&panel, verb))
        .collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();

    // Old buttons on another server.
    let forged = voting.stage.forged_buttons(SECOND_DECISIONS, &ids).await;
    let client = voting.stage.discord.client();
    for custom_id in &ids {
        let pressed = client.click(DMITRI, SECOND_DECISIONS, forged, custom_id).unwrap();
        let seen = client.wait_reply(pressed).await;
        assert!(
            is_private(&seen, DMITRI) && seen.text().contains("no such session on this server"),
            "{seen:?}"
        );
    }
    // A solution that does not exist, and a draft of more than ten points.
    let session = &voting.session;
    let wrong = [
        (format!("v1:{session}:vote_all:"), "S1 to S2"),
        (format!("v1:{session}:spread_cast:0.9.9"), "another version"),
        (format!("v1:{session}:spread_cast:0.5.-5"), "another version"),
        (format!("v1:{session}:spread_cast:0.0.0.10"), "S1 to S2"),
        (format!("v1:{session}:spread_cast:0.3.6"), "1 more"),
    ];
    let ids: Vec<&str> = wrong.iter().map(|(id, _)| id.as_str()).collect();
    let forged = voting.stage.forged_buttons(voting.thread, &ids).await;
    for (custom_id, expected) in &wrong {
        let pressed = client.click(CHLOE, voting.thread, forged, custom_id).unwrap();
        let said = voting.private(CHLOE, pressed).await;
        assert!(said.contains(expected), "{custom_id}: {said}");
    }
    assert_eq!(voting.vote().await.vote.ballots.len(), 1);

    voting.close().await;
    voting.wait_counted().await;
    let old = |verb: &str| component(&panel, verb).unwrap();
    let forged = voting.stage.forged_buttons(voting.thread, &[&old("vote_spread"), &old("propose")]).await;
    let over = |said: &str| assert!(said.contains("This vote is closed"), "{said}");
    for verb in ["vote_spread", "propose"] {
        let pressed: Id = client.click(CHLOE, voting.thread, forged, &old(verb)).unwrap();
        over(&voting.private(CHLOE, pressed).await);
    }
    let (first, cast) = ("spread", "spread_cast");
    for verb in [first, cast] {
        let custom_id = component(&spreading, verb).unwrap();
        let Ok(pressed) = client.click(BEN, voting.thread, id(&spreading["id"]), &custom_id) else {
            continue;
        };
        over(&voting.private(BEN, pressed).await);
    }
    assert_eq!(voting.points(BEN).await, Some(vec![10, 0]));
    assert_eq!(voting.vote().await.vote.ballots.len(), 1);
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_came_to_no_solutions_has_no_vote_and_wrong_options_start_nothing() {
    let stage = crate::support::Stage::start().await;
    let bot = stage.bot().await;
    for (options, expected) in [
        (json!({"problem": "x", "voters": "the board"}), "mention one role"),
        (json!({"problem": "x", "voters": format!("<@{BEN}> <@&{}>", RIVERSIDE + 8)}), "not both"),
        (json!({"problem": "x", "voters": format!("<@{BEN}>"), "quorum": 2}), "1 may vote"),
    ] {
        let said = stage.told(ADA, playground::ids::DECISIONS, "mediate", options).await;
        assert!(said.contains(expected), "{said}");
    }
    assert!(stage.is_untouched(&bot).await);

    stage.model.on(|call| {
        let writes = matches!(call.part(), Part::Synthesis);
        writes.then(|| call.reply(|reply| reply["options"] = json!([])))
    });
    let thread = stage.mediate(json!({})).await;
    stage.wait_card(thread, "Failed").await;
    let session = domain::SessionId::parse(&stage.session(thread)).unwrap();
    assert!(bot.store.vote(&session, &"vote".into()).await.unwrap().is_none());
    let forged = stage.forged_buttons(thread, &[&format!("v1:{session}:vote_spread:")]).await;
    let client = stage.discord.client();
    let pressed = client.click(BEN, thread, forged, &format!("v1:{session}:vote_spread:")).unwrap();
    assert!(client.wait_reply(pressed).await.text().contains("This vote is not open yet"));
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}
