//! Solutions that members propose while the vote is open.

use std::time::Duration;

use playground::{
    Fault,
    ids::{ADA, BEN, CHLOE},
};
use serde_json::json;

use crate::{
    support::play::{is_private, read},
    vote::scene::{Voting, component},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proposal_can_be_voted_for_and_takes_no_points_from_anybody() {
    let voting = Voting::open(json!({})).await;
    voting.all(ADA, "2").await;
    let spreading = voting.spreading(CHLOE).await;
    let said = voting.propose(BEN, "  Lease   cargo bikes ", "Ask the town for its unused fleet.").await;
    assert!(said.contains("The experts do not score it"), "{said}");
    voting.wait("the panel shows it", async || read(&voting.panel()).contains("Lease cargo bikes")).await;
    let row = voting.vote().await;
    let added = row.vote.solutions.last().unwrap();
    assert_eq!((added.id.to_string(), added.title.as_str()), ("S3".to_owned(), "Lease cargo bikes"));
    assert!(added.proposed && added.raised_by == ["Ben"]);
    assert_eq!(row.vote.experts[0].allocation.points().len(), 2, "the experts have not scored it");
    assert_eq!(voting.points(ADA).await, Some(vec![0, 10, 0]), "who voted before gave it nothing");

    // Private panels from before know it from the next press on.
    let said = voting.send(CHLOE, &spreading, "spread_type", &["S3 8\nS1 2"]).await;
    assert!(said.contains("Your vote counts: S1 2, S3 8"), "{said}");
    assert!(voting.all(BEN, "3").await.contains("S3 10"));
    voting.close().await;
    let result = voting.wait_result().await;
    assert!(result.contains("S3"), "{result}");
    voting.stage.nothing_amiss_but_repeats();
}

/// What Discord opens a program for is no link in what a member proposes: not on the panel, nor in the result.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proposal_opens_no_program() {
    let voting = Voting::open(json!({})).await;
    let said = voting
        .propose(BEN, "Play steam://run/440 first", "Then discord://-/channels/1 and [so](steam://a).")
        .await;
    assert!(said.contains("Added"), "{said}");
    voting.wait("the panel shows it", async || read(&voting.panel()).contains("run/440")).await;
    voting.all(CHLOE, "3").await;
    voting.close().await;
    assert!(voting.wait_result().await.contains("run/440"));
    let shown: Vec<String> = voting.stage.discord.messages(voting.thread).iter().map(read).collect();
    let opened = |shown: &&String| ["steam://", "discord://"].iter().any(|scheme| shown.contains(scheme));
    assert_eq!(shown.iter().filter(opened).collect::<Vec<_>>(), Vec::<&String>::new());
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_proposed_says_why_and_ten_are_enough() {
    let voting = Voting::open(json!({})).await;
    let there = voting.vote().await.vote.solutions.len();
    for (title, description, expected) in [
        (" \u{200b} ", "x", "The title is empty"),
        ("Start with ONE district!", "Really.", "S1 says the same"),
        ("partner with local restaurants", "", "S2 says the same"),
    ] {
        let sent = voting.start_send(BEN, &voting.panel(), "propose", &[title, description]).await;
        let told = voting.stage.discord.client().wait_reply(sent).await;
        let said: String = told.messages.iter().map(read).collect();
        assert!(said.contains(expected), "{title:?}: {said}");
        // Discord has closed the form: what was written is given back, with a button that opens another.
        assert!(is_private(&told, BEN) && said.contains(description), "{title:?}: {said}");
        assert!(component(&told.messages[0], "propose").is_some(), "{:?}", told.messages);
    }
    assert_eq!(voting.vote().await.vote.solutions.len(), there);

    // The same form twice, and two alike from two members.
    let panel = voting.panel();
    let sent = voting.start_send(BEN, &panel, "propose", &["Lease cargo bikes", "From the town."]).await;
    let said = voting.private(BEN, sent).await;
    voting.deliver_again(sent).await;
    assert_eq!(voting.private(BEN, sent).await, said);
    let same = voting.propose(CHLOE, "Lease cargo bikes!", "").await;
    assert!(same.contains("S3 says the same"), "{same}");

    let mut places = vec!["S1".to_owned(), "S2".to_owned(), "S3".to_owned()];
    for n in 4..=9 {
        let said = voting.propose(CHLOE, &format!("plan{n} way{n} step{n}"), "").await;
        assert!(said.contains("Added"), "{n}: {said}");
        places.push(format!("S{n}"));
    }
    // Ben has the form open, and the panel before his eyes, while somebody else proposes the tenth.
    let before = voting.panel();
    let edits = format!("/channels/*/messages/{}", before["id"].as_str().unwrap());
    voting.stage.discord.faults().on("PATCH", &edits, 100, Fault::Stall(Duration::from_mins(1)));
    let form = voting.start_press(BEN, &before, "propose");
    assert!(voting.stage.discord.client().wait_reply(form).await.modal.is_some());
    let said = voting.propose(CHLOE, "plan10 way10 step10", "").await;
    assert!(said.contains("Added"), "{said}");
    places.push("S10".to_owned());
    let full = voting.press_on(BEN, &before, "propose").await;
    assert!(full.modal.is_none() && full.text().contains("ten solutions"), "{:?}", full.messages);
    let sent = voting.fill(BEN, form, &["One too many", "Of good use later."]);
    let full = voting.stage.discord.client().wait_reply(sent).await;
    let said: String = full.messages.iter().map(read).collect();
    assert!(is_private(&full, BEN) && said.contains("ten solutions"), "{said}");
    assert!(said.contains("Of good use later."), "what was written is given back: {said}");
    let row = voting.vote().await;
    let ids: Vec<String> = row.vote.solutions.iter().map(|solution| solution.id.to_string()).collect();
    assert_eq!(ids, places);
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn proposals_at_the_same_moment_all_get_a_place_of_their_own() {
    let voting = Voting::open(json!({})).await;
    let panel = voting.panel();
    let mut sent = Vec::new();
    for (n, member) in [ADA, BEN, CHLOE, ADA, BEN].into_iter().enumerate() {
        let title = format!("plan{n} way{n} step{n}");
        let opener = voting.start_press(member, &panel, "propose");
        sent.push((member, opener, title));
    }
    let client = voting.stage.discord.client();
    let mut forms = Vec::new();
    for (member, opener, title) in &sent {
        let seen = client.wait_reply(*opener).await;
        let form = seen.modal.expect("a form");
        let name =
            |row: usize| form["components"][row]["component"]["custom_id"].as_str().unwrap().to_owned();
        forms.push((*member, *opener, name(0), name(1), title.clone()));
    }
    // All forms are sent before the first answer is looked at.
    let sent: Vec<_> = forms
        .iter()
        .map(|(member, opener, title_box, how_box, title)| {
            let values = [(title_box.as_str(), title.as_str()), (how_box.as_str(), "")];
            (*member, client.submit_modal(*member, *opener, &values).unwrap())
        })
        .collect();
    for (member, sent) in sent {
        assert!(voting.private(member, sent).await.contains("Added"));
    }
    assert_eq!(voting.vote().await.vote.solutions.len(), 7);
    voting.stage.nothing_amiss_but_repeats();
}
