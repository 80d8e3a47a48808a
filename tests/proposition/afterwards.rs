//! What the team thinks with the debate behind it, and how that is counted.

use domain::{Closed, Opinion, VoteState};
use playground::ids::{ADA, BEN, CHLOE};
use serde_json::json;

use crate::{
    proposition::scene::{AFTER, Debating, plain},
    support::play::{id, read},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_asked_again_closed_by_a_person_and_counted_once() {
    let debate = Debating::proposed(plain()).await;
    debate.before(BEN, Opinion::For).await;
    debate.before(CHLOE, Opinion::Undecided).await;
    debate.before(ADA, Opinion::Against).await;
    debate.press(ADA, "prop_start").await;
    debate.ended().await;
    let panel = debate.asking().unwrap();
    assert!(read(&panel).contains("3 voted before the debate"), "{}", read(&panel));
    let told = debate.after(BEN, Opinion::Against).await;
    assert!(told.contains("**Against**") && told.contains("until the vote closes"), "{told}");
    debate.after(CHLOE, Opinion::Undecided).await;
    debate.after(ADA, Opinion::Against).await;
    let close = format!("v1:{}:opinion_close:", debate.session);
    let told = debate.told(BEN, debate.click_on(BEN, id(&panel["id"]), &close)).await;
    assert!(told.contains("Only Ada") && told.contains("close this vote"), "{told}");
    let told = debate.close().await;
    assert!(told.contains("How opinions moved is in the thread"), "{told}");

    let swing = debate.swing().await;
    let shown = read(&swing);
    assert!(!swing["attachments"].as_array().unwrap().is_empty(), "a picture");
    assert!(shown.contains("Ada closed it") && shown.contains("[Record decision]"), "{shown}");
    debate.wait("the panel is closed", async || debate.asking().is_none()).await;

    let forged = [format!("v1:{}:opinion_after:for", debate.session), close];
    let old = debate.stage.forged_buttons(debate.thread, &[&forged[0], &forged[1]]).await;
    for custom_id in &forged {
        let told = debate.told(ADA, debate.click_on(ADA, old, custom_id)).await;
        assert!(told.contains("This vote is closed; the result is in the thread."), "{told}");
    }
    debate.swing().await;
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_everyone_who_is_named_has_said_so_it_closes_by_itself() {
    let debate = Debating::over(json!({"voters": format!("<@{BEN}> <@{CHLOE}>")})).await;
    let told = debate.after(ADA, Opinion::For).await;
    assert!(told.contains("for others"), "{told}");
    debate.after(BEN, Opinion::For).await;
    let last = debate.start_after(CHLOE, Opinion::Against);
    let told = debate.told(CHLOE, last).await;
    debate.stage.discord.client().redeliver(last).unwrap();
    assert_eq!(debate.told(CHLOE, last).await, told, "the same is said again, though it is closed by now");
    debate.swing().await;
    let state = debate.opinions(AFTER).await.vote.state;
    assert_eq!(state, VoteState::Closed(Closed::Everyone));
    assert_eq!(debate.said(AFTER).await.len(), 2);
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_closed_and_not_counted_is_counted_at_the_next_start() {
    let mut debate = Debating::over(plain()).await;
    debate.after(BEN, Opinion::For).await;
    debate.kill().await;
    let closed = "UPDATE vote SET state = 'closed', closed_ms = 5, closed_why = 'person', closed_by_id = 4,
                  closed_by_name = 'Ada', remind_ms = NULL WHERE key = 'opinion'";
    assert_eq!(debate.stage.alter(closed).await, 1);
    debate.start().await;
    debate.swing().await;
    assert!(debate.opinions(AFTER).await.counted);
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_not_said_so_is_reminded_once() {
    let mut debate = Debating::over(json!({"voters": format!("<@{BEN}> <@{CHLOE}>")})).await;
    debate.after(BEN, Opinion::For).await;
    debate.kill().await;
    assert_eq!(debate.stage.alter("UPDATE vote SET remind_ms = 2 WHERE key = 'opinion'").await, 1);
    for _ in 0..2 {
        debate.start().await;
        let reminder = read(&debate.stage.wait_for(debate.thread, "⏰").await);
        assert!(
            reminder.contains(&format!("<@{CHLOE}>")) && !reminder.contains(&format!("<@{BEN}>")),
            "{reminder}"
        );
        assert!(reminder.contains("[For]") && reminder.contains("1 has voted"), "{reminder}");
        debate.kill().await;
    }
    let reminders =
        debate.stage.public(debate.thread).into_iter().filter(|message| read(message).contains('⏰'));
    assert_eq!(reminders.count(), 1);
    debate.stage.nothing_amiss_but_repeats();
}
