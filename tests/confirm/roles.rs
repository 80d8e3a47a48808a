//! Proposed roles: what is edited in them, and what a session does beside waiting.

use playground::ids::{ADA, BEN, CHLOE};
use serde_json::{Value, json};

use crate::{
    confirm::scene::{Asking, ROLES},
    support::{play::read, wait_for_end},
};

const SHOPKEEPER: [&str; 2] = ["Shopkeeper", "Asks what it does to the shops of the town."];
const COURIER: [&str; 2] = ["Courier", "Asks who rides in the rain, and for how much."];

/// What goes into the boxes of the form for two experts, a name and a mission each.
fn boxes<'a>(first: [&'a str; 2], second: [&'a str; 2]) -> [(&'static str, &'a str); 4] {
    [("name-1", first[0]), ("mission-1", first[1]), ("name-2", second[0]), ("mission-2", second[1])]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_roles_wait_notes_and_questions_are_taken() {
    let asking = Asking::of(&ROLES).await;
    let (stage, thread) = (&asking.stage, asking.thread);
    let card = stage.wait_card(thread, "Waiting for an answer").await;
    assert!(card.contains("Step 1 of 6") && card.contains("[Add context]"), "{card}");
    let noted = stage.add_context(CHLOE, thread, "The town has one bridge.").await;
    assert!(noted.contains("Noted"), "{noted}");
    let asked = stage.told(CHLOE, thread, "ask", json!({"question": "What is this about?"})).await;
    assert!(asked.contains("Asked"), "{asked}");
    asking.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edited_roles_are_shown_and_are_those_it_goes_on_with() {
    let asking = Asking::of(&ROLES).await;
    let names: Vec<String> = asking.form(ADA).await.1.into_iter().map(|(of, _)| of).collect();
    assert_eq!(names, ["name-1", "mission-1", "name-2", "mission-2"]);
    let hostile = ["@everyone **Courier**", "Who <@1> rides?"];
    let said = asking.edit(ADA, &boxes(SHOPKEEPER, hostile)).await.text();
    assert!(said.contains("Saved") && said.contains("press Go"), "{said}");
    let shown = asking.shows("Shopkeeper", true).await;
    assert!(shown.contains("shops of the town") && shown.contains("[Go]"), "{shown}");
    // The form holds what the roles are now.
    asking.stage.everyone_decides().await;
    let held: String = asking.form(BEN).await.1.into_iter().map(|(_, value)| value).collect();
    assert!(held.contains("Shopkeeper") && held.contains("@everyone"), "{held}");

    asking.edit(ADA, &boxes(SHOPKEEPER, COURIER)).await;
    asking.shows("rides in the rain", true).await;
    asking.press(ADA, ROLES.go).await;
    wait_for_end(&asking.stage, asking.thread).await;
    let shown = asking.closed().await;
    assert!(shown.contains("Shopkeeper") && shown.contains("Courier"), "{shown}");
    let said = asking.rest();
    assert!(said.contains("Shopkeeper") && said.contains("Courier"), "they speak: {said}");
    asking.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_with_an_error_leaves_the_roles_and_gives_the_text_back() {
    let asking = Asking::of(&ROLES).await;
    asking.edit(ADA, &boxes(SHOPKEEPER, COURIER)).await;
    asking.shows("Courier", true).await;
    let long = "x".repeat(2_900);
    let cases = [
        (boxes([" ", "Asks for bread."], COURIER), "Expert 1 has no name"),
        (boxes(["Nobody", " "], COURIER), "Expert 1 has no mission"),
        (boxes(SHOPKEEPER, ["shopKEEPER", "The same again."]), "Experts 1 and 2 have the same name"),
        (boxes(SHOPKEEPER, ["Long", &long]), "Expert 2's mission has 2900 characters; at most 600 fit"),
    ];
    for (texts, problem) in cases {
        let seen = asking.edit(ADA, &texts).await;
        let said = seen.text();
        assert!(said.contains(problem) && said.contains("as they were"), "{said}");
        let all = texts.iter().map(|(_, text)| text.len()).sum::<usize>();
        let shown: String = seen.messages.iter().map(read).collect();
        assert!(shown.contains("[Open the form again]"), "{shown}");
        let files: Vec<&Value> =
            seen.messages.iter().flat_map(|m| m["attachments"].as_array().into_iter().flatten()).collect();
        if all < 1_000 {
            let given_back = texts.iter().all(|(_, text)| shown.contains(text.trim()));
            assert!(given_back && files.is_empty(), "{shown}");
        } else {
            assert_eq!(files.len(), 1, "what is too long for a card is a file");
            let size = usize::try_from(files[0]["size"].as_u64().unwrap()).unwrap();
            assert!(size >= all, "all of it: {size}");
        }
    }
    asking.press(ADA, ROLES.go).await;
    wait_for_end(&asking.stage, asking.thread).await;
    let after = asking.closed().await;
    assert!(after.contains("rides in the rain"), "{after}");
    asking.stage.nothing_amiss_but_repeats();
}
