//! Which route a path is, for its rate limit.

/// A known route: its template and its bucket, which names the major parameter.
pub(super) struct Route {
    pub(super) template: &'static str,
    pub(super) bucket: String,
    /// Whether it belongs to an interaction: needs no bot token and is outside the global limit.
    pub(super) interaction: bool,
}

/// The route of a path's parts, if the stand-in has it.
pub(super) fn of(method: &str, parts: &[&str]) -> Option<Route> {
    let (template, major) = match parts {
        ["gateway"] => ("gateway", ""),
        ["gateway", "bot"] => ("gateway/bot", ""),
        ["users", "@me"] => ("users/@me", ""),
        ["oauth2", "applications", "@me"] => ("oauth2/applications/@me", ""),
        ["applications", "@me"] => ("applications/@me", ""),
        ["applications", _, "commands"] => ("applications/{a}/commands", ""),
        ["applications", _, "guilds", guild, "commands"] => ("applications/{a}/guilds/{g}/commands", *guild),
        ["guilds", guild] => ("guilds/{g}", *guild),
        ["guilds", guild, "members", _] => ("guilds/{g}/members/{u}", *guild),
        ["guilds", guild, "threads", "active"] => ("guilds/{g}/threads/active", *guild),
        ["channels", channel] => ("channels/{c}", *channel),
        ["channels", channel, "messages"] => ("channels/{c}/messages", *channel),
        ["channels", channel, "messages", "pins"] => ("channels/{c}/messages/pins", *channel),
        ["channels", channel, "messages", "pins", _] => ("channels/{c}/messages/pins/{m}", *channel),
        ["channels", channel, "messages", _] => ("channels/{c}/messages/{m}", *channel),
        ["channels", channel, "messages", _, "threads"] => ("channels/{c}/messages/{m}/threads", *channel),
        ["channels", channel, "threads"] => ("channels/{c}/threads", *channel),
        ["channels", channel, "threads", "archived", "public"] => {
            ("channels/{c}/threads/archived/public", *channel)
        }
        ["channels", channel, "pins", _] => ("channels/{c}/pins/{m}", *channel),
        ["channels", channel, "typing"] => ("channels/{c}/typing", *channel),
        ["interactions", id, _, "callback"] => ("interactions/{i}/{t}/callback", *id),
        ["webhooks", _, token] => ("webhooks/{a}/{t}", *token),
        ["webhooks", _, token, "messages", _] => ("webhooks/{a}/{t}/messages/{m}", *token),
        _ => return None,
    };
    let interaction = matches!(parts[0], "interactions" | "webhooks");
    Some(Route { template, bucket: format!("{method} {template} {major}"), interaction })
}
