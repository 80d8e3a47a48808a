//! The bot's slash commands, as Discord holds them.

use reqwest::Method;
use serde_json::Value;

use super::{ApplicationId, Discord, SendError, transport::Request};

/// Where they are.
const COMMANDS: &str = "/applications/{}/commands";

impl Discord {
    /// The commands that an application has on all servers, as Discord describes them.
    pub async fn commands(&self, application: ApplicationId) -> Result<Vec<Value>, SendError> {
        let query = vec![("with_localizations", true.to_string())];
        let request = Request { query, ..Request::new(Method::GET, COMMANDS, &[&application]) };
        self.transport.send(request).await
    }

    /// Has an application have these commands on all servers and no others. Discord takes 200 new ones a day.
    pub async fn set_commands(&self, application: ApplicationId, commands: Value) -> Result<(), SendError> {
        let request =
            Request { json: Some(commands), ..Request::new(Method::PUT, COMMANDS, &[&application]) };
        self.transport.send_only(request).await
    }
}
