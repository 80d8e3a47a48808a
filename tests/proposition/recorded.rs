//! What a team decides after a debate.

use domain::Opinion;
use playground::ids::{ADA, BEN, DECISIONS};
use serde_json::json;

use crate::{
    proposition::scene::{Debating, custom_id, plain},
    support::{
        model::debate::QUESTION,
        play::{id, read},
    },
};

impl Debating {
    /// Ada records a decision below the swing; gives what she is told.
    async fn decide(&self, chosen: &str, why: &str) -> String {
        let swing = self.swing().await;
        let client = self.stage.discord.client();
        let opener = self.click_on(ADA, id(&swing["id"]), &custom_id(&swing, "decide", "").unwrap());
        let form = client.wait_reply(opener).await.modal.expect("a form").to_string();
        assert!(
            form.contains("Another, as written below") && !form.contains("\"default\""),
            "nothing is chosen: {form}"
        );
        let boxes = [("solution", chosen), ("why", why), ("member", ""), ("review", ""), ("dissent", "")];
        let sent = client.submit_modal(ADA, opener, &boxes).unwrap();
        self.told(ADA, sent).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_side_or_ones_own_words_are_recorded_with_how_opinions_moved() {
    let debate = Debating::proposed(plain()).await;
    debate.before(BEN, Opinion::Undecided).await;
    debate.press(ADA, "prop_start").await;
    debate.ended().await;
    let session = &debate.session;
    let early = format!("v1:{session}:decide:");
    let forged = debate.stage.forged_buttons(debate.thread, &[&early]).await;
    let told = debate.told(ADA, debate.click_on(ADA, forged, &early)).await;
    assert!(told.contains("vote after the debate is still open"), "{told}");
    debate.after(BEN, Opinion::Against).await;
    debate.close().await;

    let refused = debate.decide("own", "Try it for a summer, then ask again").await;
    assert!(refused.contains("first line of “Why”"), "{refused}");
    let told = debate.decide("S1", "It was discussed at length.").await;
    assert!(told.contains("Recorded"), "{told}");
    let record = read(&debate.stage.wait_for(debate.thread, "✅ Decision 1").await);
    assert!(record.contains(&format!("Yes to “{QUESTION}”")), "{record}");
    assert!(record.contains("Undecided:\u{a0}1\u{a0}before, 0\u{a0}after"), "{record}");
    assert!(record.contains("Of 1 who voted after the debate: 1 against"), "{record}");
    assert!(!record.contains("Ben") && !record.contains("points"), "{record}");

    let told = debate.decide("own", "Try it for a summer, then ask again\nIt was discussed at length.").await;
    assert!(told.contains("Recorded"), "{told}");
    let record = read(&debate.stage.wait_for(debate.thread, "✅ Decision 2").await);
    assert!(record.contains("Try it for a summer") && record.contains("in their own words"), "{record}");
    assert!(record.contains("voted for or against, and not on this"), "{record}");
    let found = debate.stage.told(BEN, DECISIONS, "decisions", json!({"search": "summer"})).await;
    assert!(found.contains("Try it for a summer"), "{found}");
    debate.stage.nothing_amiss_but_repeats();
}
