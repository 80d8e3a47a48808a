//! `/decisions`: a channel's own, and by words.

use playground::ids::{ADA, BEN, DECISIONS, DMITRI, GENERAL, PRIVATE, SECOND_DECISIONS};
use serde_json::json;

use crate::{
    decision::scene::{decided_in, form, record, set, wait_pinned},
    support::Stage,
};

async fn search(stage: &Stage, channel: u64, words: &str) -> String {
    stage.told(ADA, channel, "decisions", json!({"search": words})).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_are_found_by_what_stands_in_them() {
    let (stage, bot, thread) = set().await;
    let none = stage.told(ADA, DECISIONS, "decisions", json!({})).await;
    assert!(none.contains("None has been recorded in this channel yet"), "{none}");
    let why = "Weil 50 % der Kosten ÜBERTRIEBEN sind; проверено, 市场分析, foo_bar, a\\b.";
    record(&stage, ADA, thread, &form(&[("why", why)])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    for words in [
        "",
        "  ",
        "PILOT district",
        "district pilot",
        "food DELIVERY",
        "übertrieben",
        "ÜBERTRIEBEN",
        "ПРОВЕРЕНО",
        "市场",
        "50 %",
        "%",
        "foo_bar",
        "FOO_BAR",
        "a\\b",
        "ben",
        "chloé",
        "ada",
    ] {
        let found = search(&stage, DECISIONS, words).await;
        assert!(
            found.contains("Pilot in one district") && found.contains(&format!("<#{thread}>")),
            "{words}: {found}"
        );
    }
    for words in
        ["pilot moon", "foo%bar", "fooxbar", "_____", "%%", "5%0", "'; DROP TABLE decision; --", "town-wide"]
    {
        let found = search(&stage, DECISIONS, words).await;
        assert!(found.contains("Nothing was found"), "{words}: {found}");
    }
    let in_thread = search(&stage, thread, "pilot").await;
    assert!(
        in_thread.contains("Pilot in one district"),
        "a channel's threads show its decisions: {in_thread}"
    );
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channels_decisions_are_shown_nowhere_else() {
    let (stage, bot, thread) = set().await;
    record(&stage, ADA, thread, &form(&[])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    let private = decided_in(&stage, PRIVATE).await;
    record(&stage, ADA, private, &form(&[("why", "Nobody else may know.")])).await;
    wait_pinned(&stage, private, "Decision 1:").await;
    for (member, channel) in [(ADA, GENERAL), (BEN, GENERAL), (DMITRI, SECOND_DECISIONS)] {
        let told = stage.told(member, channel, "decisions", json!({})).await;
        assert!(told.contains("None has been recorded in this channel yet"), "{channel}: {told}");
    }
    let open = stage.told(BEN, DECISIONS, "decisions", json!({"search": "nobody"})).await;
    assert!(open.contains("Nothing was found"), "{open}");
    let hidden = stage.told(BEN, PRIVATE, "decisions", json!({"search": "nobody"})).await;
    assert!(hidden.contains("Pilot in one district"), "{hidden}");
    // The same number of a channel on another server is another channel.
    stage.alter("UPDATE decision SET guild_id = guild_id + 1").await;
    let told = stage.told(ADA, DECISIONS, "decisions", json!({})).await;
    assert!(told.contains("None has been recorded"), "{told}");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newest_are_first_and_what_is_left_out_is_counted() {
    let (stage, bot, thread) = set().await;
    for number in 1..=18 {
        let why = format!("Reason {number}");
        record(&stage, ADA, thread, &form(&[("why", &why)])).await;
    }
    wait_pinned(&stage, thread, "Decision 18:").await;
    let told = stage.told(ADA, DECISIONS, "decisions", json!({})).await;
    let (newest, older) = (told.find("Decision 18 ·").unwrap(), told.find("Decision 17 ·").unwrap());
    assert!(newest < older, "{told}");
    assert!(told.contains("…and 3 older") && !told.contains("Decision 3 ·"), "{told}");
    bot.kill().await;
}
