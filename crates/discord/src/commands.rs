//! The bot's slash commands, as Discord holds them.

use reqwest::Method;
use serde_json::Value;

use super::{ApplicationId, Discord, SendError, transport::Request};

impl Discord {
    /// The commands that an application has on all servers, as Discord describes them.
    pub async fn commands(&self, application: ApplicationId) -> Result<Vec<Value>, SendError> {
        let path = format!("/applications/{application}/commands");
        let request = Request::new(Method::GET, "/applications/{}/commands", application, path)
            .query("with_localizations", true);
        self.transport.send(request).await
    }

    /// Has an application have these commands on all servers and no others. Discord takes 200 new ones a day.
    pub async fn set_commands(&self, application: ApplicationId, commands: Value) -> Result<(), SendError> {
        let path = format!("/applications/{application}/commands");
        let request =
            Request::new(Method::PUT, "/applications/{}/commands", application, path).json(commands);
        self.transport.send_only(request).await
    }
}
