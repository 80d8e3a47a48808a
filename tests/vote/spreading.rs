//! The fine vote: a private panel whose draft rides in its buttons, and typed points, right and wrong.

use domain::Draft;
use playground::ids::{ADA, BEN, CHLOE};
use serde_json::{Value, json};

use crate::{
    support::play::id,
    vote::scene::{Voting, component, components},
};

/// The draft that a private panel holds.
fn draft(panel: &Value) -> Draft {
    let custom_id = component(panel, "spread_cast").expect("a button that casts");
    Draft::parse(custom_id.rsplit(':').next().unwrap()).unwrap()
}

/// Presses the button that leads to this draft.
async fn step(voting: &Voting, panel: &Value, wanted: &Draft) -> Value {
    let leads =
        |custom_id: &String| Draft::parse(custom_id.rsplit(':').next().unwrap()).as_ref() == Some(wanted);
    let found = components(panel, "spread").into_iter().find(leads);
    let custom_id = found.unwrap_or_else(|| panic!("no button to {wanted:?} on {panel}"));
    let client = voting.stage.discord.client();
    let pressed = client.click(BEN, voting.thread, id(&panel["id"]), &custom_id).unwrap();
    let seen = client.wait_reply(pressed).await;
    assert!(seen.messages.is_empty(), "the private panel itself changes: {:?}", seen.messages);
    let now = voting.again(panel);
    assert_eq!(&draft(&now), wanted);
    now
}

async fn pick(voting: &Voting, panel: &Value, solution: &str) -> Value {
    let client = voting.stage.discord.client();
    let custom_id = component(panel, "spread_pick").unwrap();
    let chosen = client.select(BEN, voting.thread, id(&panel["id"]), &custom_id, &[solution]).unwrap();
    client.wait_reply(chosen).await;
    voting.again(panel)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn points_are_spread_by_buttons_over_a_restart_and_begin_with_what_one_voted() {
    let mut voting = Voting::open(json!({})).await;
    let panel = voting.spreading(BEN).await;
    assert_eq!(draft(&panel).points, [0, 0], "nothing is given before anything was voted");
    let mut panel = pick(&voting, &panel, "2").await;
    for _ in 0..4 {
        panel = step(&voting, &panel, &draft(&panel).plus()).await;
    }
    panel = step(&voting, &panel, &draft(&panel).minus()).await;
    assert_eq!(draft(&panel).points, [0, 3]);
    // Not cast: it counts nothing, and what is missing is said.
    let cast = component(&panel, "spread_cast").unwrap();
    let forged = voting.stage.forged_buttons(voting.thread, &[&cast]).await;
    let cast = voting.stage.discord.client().click(BEN, voting.thread, forged, &cast).unwrap();
    let said = voting.private(BEN, cast).await;
    assert!(said.contains("3 of 10 points") && said.contains("Nothing was changed"), "{said}");
    assert_eq!(voting.points(BEN).await, None);
    voting.unchanged(&panel);

    voting.kill().await;
    voting.start().await;
    panel = pick(&voting, &panel, "1").await;
    panel = step(&voting, &panel, &draft(&panel).rest()).await;
    assert_eq!(draft(&panel).points, [7, 3], "the draft outlived the bot");
    let cast = voting.start_press(BEN, &panel, "spread_cast");
    let said = voting.private(BEN, cast).await;
    assert!(said.contains("Your vote counts: S1 7, S2 3"), "{said}");
    voting.deliver_again(cast).await;
    assert_eq!(voting.points(BEN).await, Some(vec![7, 3]));

    assert_eq!(draft(&voting.spreading(BEN).await).points, [7, 3], "one begins with what one voted");
    assert_eq!(draft(&voting.spreading(CHLOE).await).points, [0, 0], "nobody sees another's");
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn typed_points_count_or_change_nothing_and_say_why() {
    let voting = Voting::open(json!({})).await;
    voting.all(BEN, "2").await;
    let panel = voting.spreading(BEN).await;
    for (text, expected) in [
        ("S1 2.5\nS2 7.5", "a fraction of a point"),
        ("S1 -2\nS2 12", "fewer than 0 points"),
        ("S1 12", "more than 10 points"),
        ("S1 three\nS2 seven", "not a number"),
        ("S1 5\nS9 5", "S1 to S2"),
        ("S1 5\nS1 5", "more than one line"),
        ("S1 6\nS2 6", "That is 12 points"),
        ("S1 4\nS2 5", "That is 9 of 10 points"),
        ("<@1100000000000000011> @everyone", "Line 1 is not a solution"),
        ("everything", "Line 1 is not a solution"),
    ] {
        let said = voting.send(BEN, &panel, "spread_type", &[text]).await;
        assert!(said.contains(expected) && said.contains("Nothing was changed"), "{text:?}: {said}");
        assert!(!said.contains("<@") && !said.contains("everyone"), "{said}");
        assert_eq!(voting.points(BEN).await, Some(vec![0, 10]), "{text:?}");
        voting.unchanged(&panel);
    }
    let sent = voting.start_send(BEN, &panel, "spread_type", &["s2: 4; s1 = 6"]).await;
    let said = voting.private(BEN, sent).await;
    assert!(said.contains("Your vote counts: S1 6, S2 4"), "{said}");
    assert_eq!(voting.points(BEN).await, Some(vec![6, 4]));

    // The form is delivered again after a newer vote, and after the close.
    voting.all(BEN, "1").await;
    voting.deliver_again(sent).await;
    assert_eq!(voting.points(BEN).await, Some(vec![10, 0]));
    voting.all(ADA, "1").await;
    voting.close().await;
    voting.wait_result().await;
    voting.deliver_again(sent).await;
    assert_eq!(voting.private(BEN, sent).await, said, "the same is said again");
    voting.stage.nothing_amiss_but_repeats();
}
