//! What members do with files and with commands on messages on a stage, in few words.

use playground::{Id, Seen, Upload};
use serde_json::Value;

use super::{
    Stage,
    play::{is_private, read},
};

impl Stage {
    /// A member posts a message with files; gives it.
    pub fn attach(&self, member: Id, channel: Id, text: &str, files: Vec<Upload>) -> Id {
        self.discord.client().say_with(member, channel, text, files).unwrap()
    }

    /// A member chooses a command in a message's *Apps* menu and waits for the answer.
    pub async fn apps(&self, member: Id, channel: Id, message: Id, command: &str) -> Seen {
        let client = self.discord.client();
        let ran = client.message_command(member, channel, command, message).unwrap();
        client.wait_reply(ran).await
    }

    /// Runs a command with a file in its option `document` and waits for the answer.
    pub async fn with_document(
        &self,
        member: Id,
        channel: Id,
        command: &str,
        options: Value,
        file: Upload,
    ) -> Seen {
        let client = self.discord.client();
        let files = [("document".to_owned(), file)].into();
        let ran = client.run_command_with(member, channel, command, options, files).unwrap();
        client.wait_reply(ran).await
    }
}

/// What an answer says, which only `member` sees.
pub fn said(seen: &Seen, member: Id) -> String {
    assert!(is_private(seen, member), "only for {member}: {:?} {:?}", seen.failed, seen.messages);
    seen.messages.iter().map(read).collect()
}

/// The thread that a private answer to `member` links to.
pub fn thread_of(seen: &Seen, member: Id) -> Id {
    let text = said(seen, member);
    let link = text.split_once("<#").and_then(|(_, rest)| rest.split_once('>'));
    link.unwrap_or_else(|| panic!("no thread in {text:?}")).0.parse().unwrap()
}
