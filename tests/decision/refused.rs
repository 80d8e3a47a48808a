//! What cannot be recorded is refused in words, and what was written is given back.

use domain::Verdict;
use playground::{
    Seen,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::json;

use crate::{
    decision::scene::{FORM, close_votes, count, form, open_vote, press, record, set, wait_pinned},
    support::{
        Stage,
        play::{buttons, is_private, read},
        wait_for_end,
    },
};

/// What a person reads, buttons included.
fn told(seen: &Seen) -> String {
    seen.messages.iter().map(read).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_that_makes_no_sense_is_given_back_with_what_is_valid() {
    let (stage, bot, thread) = set().await;
    let rows: [(&[(&str, &str)], &str); 8] = [
        (&[("review", "2020-01-01")], "2020-01-01 is not in the future"),
        (&[("review", "next spring")], "“next spring” is no date I can read"),
        (&[("review", "2026-02-30")], "no date I can read"),
        (&[("review", "in 100 years")], "more than five years ahead"),
        (&[("solution", "own")], "Write in the first line of “Why” what is decided, and below it the reason"),
        (&[("why", " \n ")], "The reason is empty"),
        (&[("why", "\u{200b}")], "The reason is empty"),
        (&[("why", "```js"), ("review", "```"), ("dissent", "``` <@1> \u{202e}")], "no date I can read"),
    ];
    for (changed, phrase) in rows {
        let form = form(changed);
        let seen = record(&stage, ADA, thread, &form).await;
        let said = told(&seen);
        assert!(said.contains(phrase), "{changed:?}: {phrase:?} is not in\n{said}");
        for (name, text) in FORM.iter().filter(|(name, _)| changed.iter().all(|(other, _)| other != name)) {
            assert!(said.contains(text), "{changed:?}: what stood in {name} is gone\n{said}");
        }
        // The form opens again.
        let card = seen.messages.last().unwrap();
        let again = buttons(card).into_iter().find(|(label, _)| label == "Open the form again").unwrap();
        let client = stage.discord.client();
        let message = card["id"].as_str().unwrap().parse().unwrap();
        let pressed = client.click(ADA, thread, message, &again.1).unwrap();
        assert!(client.wait_reply(pressed).await.modal.is_some());
    }
    assert_eq!(count(&stage, "SELECT count(*) FROM decision").await, 0);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_who_may_decides() {
    let (stage, bot, thread) = set().await;
    let (_, refused) = press(&stage, BEN, thread, "decide:").await;
    assert!(refused.modal.is_none() && is_private(&refused, BEN));
    assert!(
        refused.text().contains("Only Ada (who started this session) or a moderator"),
        "{}",
        refused.text()
    );

    stage
        .alter("INSERT INTO guild_settings SELECT guild_id, '{\"may_decide\": \"everyone\"}', 1 FROM session")
        .await;
    let said = record(&stage, BEN, thread, &form(&[])).await.text();
    assert!(said.contains("Recorded"), "{said}");

    // A form that was open when the right was taken away gives back what was written.
    let (pressed, _) = press(&stage, BEN, thread, "decide:").await;
    let (outcome, _) = press(&stage, BEN, thread, "outcome:1/partly").await;
    stage.alter("UPDATE guild_settings SET settings = '{\"may_decide\": {\"role\": \"5\"}}'").await;
    let client = stage.discord.client();
    for (opener, written) in [(pressed, &FORM[..]), (outcome, &[("text", "Half of it.")])] {
        let sent = client.submit_modal(BEN, opener, written).unwrap();
        let said = told(&client.wait_reply(sent).await);
        assert!(said.contains("Only members with <@&5> or a moderator may"), "{said}");
        assert!(said.contains(written.last().unwrap().1), "{said}");
    }
    assert_eq!(count(&stage, "SELECT count(*) FROM decision WHERE outcome IS NULL").await, 1);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_needs_a_vote_that_has_closed() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate_as(ADA, DECISIONS, json!({})).await;
    wait_for_end(&stage, thread).await;
    open_vote(&stage, thread).await;
    let (_, refused) = press(&stage, ADA, thread, "decide:").await;
    assert!(refused.text().contains("The vote is still open. Close the vote first"), "{}", refused.text());
    close_votes(&stage).await;
    assert!(press(&stage, ADA, thread, "decide:").await.1.modal.is_some());
    stage.alter("DELETE FROM vote").await;
    let (_, refused) = press(&stage, ADA, thread, "decide:").await;
    assert!(refused.text().contains("no vote in this session"), "{}", refused.text());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outcome_needs_a_decision_and_a_sentence() {
    let (stage, bot, thread) = set().await;
    for (verb, phrase) in [
        ("outcome:1/worked", "There is no such decision"),
        ("outcome:x/worked", "does nothing here"),
        ("outcome:1/fine", "does nothing here"),
        ("outcome:", "does nothing here"),
    ] {
        let (_, refused) = press(&stage, ADA, thread, verb).await;
        assert!(refused.text().contains(phrase), "{verb}: {}", refused.text());
    }
    record(&stage, ADA, thread, &form(&[])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    let verb = format!("outcome:1/{}", Verdict::Worked.as_str());
    let (pressed, _) = press(&stage, ADA, thread, &verb).await;
    let client = stage.discord.client();
    let sent = client.submit_modal(ADA, pressed, &[("text", "  ")]).unwrap();
    let seen = client.wait_reply(sent).await;
    assert!(seen.text().contains("The sentence is empty"), "{}", seen.text());
    assert_eq!(count(&stage, "SELECT count(*) FROM decision WHERE outcome IS NULL").await, 1);
    bot.kill().await;
}
