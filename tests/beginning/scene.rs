//! Forms and choices on a stage, in few words.

use playground::{
    Id, Seen,
    ids::{BEN, CHLOE, DECISIONS},
};
use serde_json::Value;

use crate::support::{
    Stage,
    files::said,
    play::{buttons, id},
};

pub const ENTRY: &str = "Ask the panel about this message";
pub const CHOOSE: &str = "Choose what it is for";
pub const AGAIN: &str = "Open the form again";

/// The protocols whose command takes a text, and the option that holds it.
pub const TEXTS: [(&str, &str); 5] = [
    ("mediate", "problem"),
    ("roundtable", "problem"),
    ("debate", "proposition"),
    ("investigate", "question"),
    ("delphi", "question"),
];

/// The one box of a form that an answer opened; below it stands when the session begins.
pub fn only_box(seen: &Seen) -> Value {
    let form = seen.modal.as_ref().unwrap_or_else(|| panic!("no form: {:?} {:?}", seen.failed, seen.text()));
    let parts: Vec<&Value> =
        form["components"].as_array().unwrap().iter().map(|part| &part["component"]).collect();
    assert_eq!(parts.iter().map(|part| &part["type"]).collect::<Vec<_>>(), [4, 3]);
    parts[0].clone()
}

impl Stage {
    /// Sends the form that an interaction opened.
    pub async fn send(&self, member: Id, opener: Id, text: &str) -> Seen {
        let client = self.discord.client();
        let sent = client.submit_modal(member, opener, &[("text", text)]).unwrap();
        client.wait_reply(sent).await
    }

    /// Presses the button that opens a form again; gives the press and the form.
    pub async fn open_again(&self, member: Id, channel: Id, refused: &Seen) -> (Id, Seen) {
        let message = refused.messages.last().unwrap();
        let found = buttons(message).into_iter().find(|(label, _)| label == AGAIN);
        let (_, custom_id) = found.unwrap_or_else(|| panic!("no button on {message}"));
        let client = self.discord.client();
        let pressed = client.click(member, channel, id(&message["id"]), &custom_id).unwrap();
        (pressed, client.wait_reply(pressed).await)
    }

    /// Ben writes a message and Chloé is offered the protocols for it.
    pub async fn offered(&self, message: Id) -> Value {
        let seen = self.apps(CHLOE, DECISIONS, message, ENTRY).await;
        let text = said(&seen, CHLOE);
        assert!(text.contains("What should the panel do with it?"), "{text}");
        seen.messages[0].clone()
    }

    /// Chloé chooses a protocol; gives the interaction.
    pub fn chosen(&self, offer: &Value, protocol: &str) -> Id {
        let select = &offer["components"][0]["components"][0];
        assert_eq!(select["placeholder"], CHOOSE);
        let custom_id = select["custom_id"].as_str().unwrap();
        self.discord.client().select(CHLOE, DECISIONS, id(&offer["id"]), custom_id, &[protocol]).unwrap()
    }

    /// What Chloé is told when she wants the panel asked about a message.
    pub async fn told_about(&self, channel: Id, message: Id) -> String {
        said(&self.apps(CHLOE, channel, message, ENTRY).await, CHLOE)
    }

    /// Ben says something in #decisions.
    pub fn ben_says(&self, text: &str) -> Id {
        self.attach(BEN, DECISIONS, text, vec![])
    }

    /// The plan of the one session there is.
    pub async fn only_plan(&self) -> String {
        let plans: Vec<String> =
            sqlx::query_scalar("SELECT plan FROM session").fetch_all(&self.rows().await).await.unwrap();
        let [plan] = plans.as_slice() else { panic!("{} sessions", plans.len()) };
        plan.clone()
    }

    /// How many sessions there are, whatever their state.
    pub async fn sessions(&self) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM session").fetch_one(&self.rows().await).await.unwrap()
    }

    /// Forgets what was chosen, as after a day.
    pub async fn a_day_passes(&self) {
        let rows = self.rows().await;
        let gone = sqlx::query("DELETE FROM opening").execute(&rows).await.unwrap();
        assert!(gone.rows_affected() > 0, "something was kept");
    }
}
