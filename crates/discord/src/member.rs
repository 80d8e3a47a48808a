//! Members of a server, asked for by their number: this needs no privileged intent, as a list of them would.

use std::time::Duration;

use reqwest::Method;
use serde::Deserialize;

use super::{Discord, SendError, transport::Request};
use domain::{GuildId, UserId};

/// Longest silent wait for a turn to ask: somebody waits, and a name is worth less than that.
const PATIENCE: Duration = Duration::from_secs(1);

/// A member, as far as names go.
#[derive(Deserialize)]
struct Member {
    /// What they are called on this server alone.
    #[serde(default)]
    nick: Option<String>,
    user: User,
}

#[derive(Deserialize)]
struct User {
    username: String,
    #[serde(default)]
    global_name: Option<String>,
}

impl Discord {
    /// The name that a member goes by on a server. Fails for whoever is no member of it.
    pub async fn member_name(&self, guild: GuildId, member: UserId) -> Result<String, SendError> {
        let asked = Request::new(Method::GET, "/guilds/{}/members/{}", &[&guild, &member]);
        let Member { nick, user } = self.transport.send(Request { patience: PATIENCE, ..asked }).await?;
        Ok(nick.or(user.global_name).unwrap_or(user.username))
    }
}
