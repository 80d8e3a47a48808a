//! Questions in the thread: each answered once, whatever happens between the asking and the answer.

use std::time::Duration;

use playground::{
    Id,
    ids::{ADA, BEN, BOT},
};
use serde_json::{Value, json};

use crate::{
    resume::scene::{Journal, mediate, posts, stage, text_of, wait_over},
    support::{Stage, nothing_comes, thirds},
};

/// A finished session without a bot.
async fn finished() -> (Stage, Id) {
    let stage = stage().await;
    let bot = stage.bot().await;
    mediate(&stage);
    let thread = wait_over(&stage, "Done").await;
    bot.rests().await;
    bot.kill().await;
    stage.model.forget();
    (stage, thread)
}

fn answers(stage: &Stage, thread: Id) -> Vec<Value> {
    let mut posts = posts(stage, thread);
    posts.retain(|post| text_of(post).contains("💬 Answer"));
    posts
}

async fn wait_answers(stage: &Stage, thread: Id, count: usize) -> Vec<Value> {
    let wanted = |journal: &Journal| answers(stage, thread).len() >= count && journal.unsent.is_empty();
    Journal::wait(stage, &format!("there are {count} answers"), wanted).await;
    // A second answer would come now.
    nothing_comes(Duration::from_millis(300)).await;
    let found = answers(stage, thread);
    assert_eq!(found.len(), count);
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_whose_answer_was_cut_off_is_answered_once() {
    let (stage, thread) = finished().await;
    let member = stage.discord.client();
    let card: Id = posts(&stage, thread)[0]["id"].as_str().unwrap().parse().unwrap();
    for (round, way) in ["mention", "reply", "/ask"].into_iter().enumerate() {
        stage.model.forget();
        stage.model.latency(Duration::from_secs(20));
        let bot = stage.bot().await;
        let question = format!("What about the riders, by {way}?");
        let asked = match way {
            "mention" => Some(member.say(BEN, thread, &format!("<@{BOT}> {question}")).unwrap()),
            "reply" => Some(member.reply(ADA, thread, card, &question, true).unwrap()),
            _ => {
                let command = member.run_command(ADA, thread, "ask", json!({"question": question})).unwrap();
                let said = member.wait_reply(command).await.text();
                assert!(said.contains("The answer appears in the thread"), "{said}");
                None
            }
        };
        stage.model.wait_calls(1, |_| true).await;
        bot.kill().await;
        assert_eq!(answers(&stage, thread).len(), round);

        stage.model.latency(Duration::from_millis(20));
        let bot = stage.bot().await;
        let found = wait_answers(&stage, thread, round + 1).await;
        let last = found.last().unwrap();
        assert!(text_of(last).contains(&question), "{way}: {}", text_of(last));
        let replies_to = last["message_reference"]["message_id"].as_str().map(str::to_owned);
        assert_eq!(replies_to, asked.map(|id| id.to_string()), "{way}");
        assert_eq!(stage.model.calls().len(), 2, "{way}: the call under way at the kill, and one more");
        bot.kill().await;
    }
    let bot = stage.bot().await;
    wait_answers(&stage, thread, 3).await;
    bot.kill().await;
    assert_eq!(Journal::read(&stage).await.in_state("lost"), 3);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_every_commit_a_question_is_answered_once() {
    let (stage, thread) = finished().await;
    for (nth, k) in (1..).zip(thirds::of_this_run(1..=8)) {
        let bot = stage.bot_that_halts(Some(k)).await;
        let member = stage.discord.client();
        stage.connected().await;
        // It has looked back by now, so this is news and not what it missed.
        tokio::time::sleep(Duration::from_millis(300)).await;
        member.say(ADA, thread, &format!("<@{BOT}> Question {k}?")).unwrap();
        bot.commits_or_rests(k).await;
        bot.kill().await;
        let bot = stage.bot_that_halts(None).await;
        let found = wait_answers(&stage, thread, nth).await;
        assert!(text_of(found.last().unwrap()).contains(&format!("Question {k}?")));
        bot.rests().await;
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_while_the_bot_is_down_is_caught_up_once() {
    let (stage, thread) = finished().await;
    let member = stage.discord.client();
    member.say(BEN, thread, &format!("<@{BOT}> First?")).unwrap();
    for chatter in 0..230 {
        member.say(BEN, thread, &format!("We talk among ourselves, {chatter}")).unwrap();
    }
    member.say(ADA, thread, &format!("<@{BOT}> Last?")).unwrap();
    for _ in 0..2 {
        let bot = stage.bot().await;
        let found = wait_answers(&stage, thread, 2).await;
        let said: String = found.iter().map(text_of).collect();
        assert!(said.contains("First?") && said.contains("Last?"), "{said}");
        bot.kill().await;
    }
    assert_eq!(stage.model.calls().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_cannot_be_taken_is_refused_once() {
    let (stage, thread) = finished().await;
    let refusals = || {
        let said = posts(&stage, thread).iter().map(text_of).collect::<Vec<_>>().join("\n");
        said.matches("Ask me something").count()
    };
    let bot = stage.bot().await;
    // It has looked back by now, so this is news and not what it missed.
    tokio::time::sleep(Duration::from_millis(500)).await;
    stage.discord.client().say(BEN, thread, &format!("<@{BOT}>")).unwrap();
    Journal::wait(&stage, "it is refused", |journal| refusals() > 0 && journal.unsent.is_empty()).await;
    bot.kill().await;
    stage.discord.faults().forget_nonces(false);
    let bot = stage.bot().await;
    nothing_comes(Duration::from_secs(1)).await;
    assert_eq!(refusals(), 1);
    bot.kill().await;
}
