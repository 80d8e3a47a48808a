//! Direct messages belong to no server; Discord tells of them on shard 0, so that one process of a fleet answers them.

use std::time::Duration;

use playground::{Id, ids::ADA};
use serde_json::json;

use super::{Process, no_rule_was_broken, online, registered, servers, stage};
use crate::support::{Stage, has, nothing_comes, until};

/// Uses a command in a direct message.
fn ask(stage: &Stage, command: &str) -> Id {
    let (_, channel) = servers()[3];
    stage.discord.client().run_command(ADA, channel, command, json!({})).unwrap()
}

/// How often an interaction was answered, by whichever process.
fn answers(stage: &Stage, interaction: Id) -> usize {
    let path = format!("/interactions/{interaction}/");
    stage.discord.requests().iter().filter(|asked| asked.path.starts_with(&path)).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_with_shard_0_answers_direct_messages_and_no_other_hears_of_them() {
    let stage = stage().await;
    let mut fleet = [Process::new("0-1/4"), Process::new("2-3/4")];
    for process in &mut fleet {
        process.start(&stage);
    }
    online(&stage, &[0, 1, 2, 3]).await;
    until(|| registered(&stage) == 1, || "the commands are there").await;
    let member = stage.discord.client();
    // Used where a server is of the other process: what decides is that it is none.
    stage.discord.faults().direct_messages(true);
    for (command, says) in
        [("help", "I help a team decide"), ("history", "This works only in a channel of a server")]
    {
        let asked = ask(&stage, command);
        let seen = member.wait_reply(asked).await;
        has(&seen.text(), &[says]);
        assert_eq!(answers(&stage, asked), 1, "{command}");
    }
    // Without the other one it is the same, and without this one nobody answers: the other hears nothing.
    fleet[1].kill();
    online(&stage, &[0, 1]).await;
    let asked = ask(&stage, "help");
    has(&member.wait_reply(asked).await.text(), &["I help a team decide"]);
    fleet[0].kill();
    fleet[1].start(&stage);
    online(&stage, &[2, 3]).await;
    let asked = ask(&stage, "help");
    nothing_comes(Duration::from_secs(4)).await;
    assert_eq!(answers(&stage, asked), 0);
    let seen = member.wait_reply(asked).await;
    assert_eq!(seen.failed.as_deref(), Some("The application did not respond"));
    // Back in a server, the same process does answer.
    stage.discord.faults().direct_messages(false);
    let asked = ask(&stage, "help");
    has(&member.wait_reply(asked).await.text(), &["I help a team decide"]);
    no_rule_was_broken(&stage);
}
