//! What the bot must be allowed to do in a channel.

use domain::UserId;

/// A permission by the name a server's settings show it under.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Permission {
    /// As in Discord's settings (English).
    pub name: &'static str,
    /// Its bit (Discord documentation, topics/permissions).
    pub bit: u64,
    /// Without it the bot does not work; with an optional one it works better.
    pub needed: bool,
}

/// What a session needs that gets a thread of its own.
pub const CREATE_THREADS: &str = "Create Public Threads";

/// All that the bot asks for. `Administrator` implies each of them.
pub const PERMISSIONS: [Permission; 8] = [
    Permission { name: "View Channel", bit: 1 << 10, needed: true },
    Permission { name: "Send Messages", bit: 1 << 11, needed: true },
    Permission { name: CREATE_THREADS, bit: 1 << 35, needed: true },
    Permission { name: "Send Messages in Threads", bit: 1 << 38, needed: true },
    Permission { name: "Embed Links", bit: 1 << 14, needed: true },
    Permission { name: "Attach Files", bit: 1 << 15, needed: true },
    Permission { name: "Read Message History", bit: 1 << 16, needed: true },
    Permission { name: "Pin Messages", bit: 1 << 51, needed: false },
];

/// The address at which somebody who manages a server invites the bot to it, with what it must be allowed to do. A bot has
/// the number of its application (all that were made since 2016).
#[must_use]
pub fn invitation(bot: UserId) -> String {
    let permissions = PERMISSIONS.iter().fold(0, |bits, permission| bits | permission.bit);
    format!(
        "https://discord.com/oauth2/authorize?client_id={bot}&scope=bot+applications.commands&permissions={permissions}"
    )
}

const ADMINISTRATOR: u64 = 1 << 3;

/// The needed permissions that are not among these bits (an interaction's `app_permissions`).
#[must_use]
pub fn missing(app_permissions: u64) -> Vec<&'static str> {
    if app_permissions & ADMINISTRATOR != 0 {
        return Vec::new();
    }
    let lacks = |permission: &&Permission| permission.needed && app_permissions & permission.bit == 0;
    PERMISSIONS.iter().filter(lacks).map(|permission| permission.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_asks_for_all_of_them() {
        assert_eq!(
            invitation(UserId(1_234)),
            "https://discord.com/oauth2/authorize?client_id=1234&scope=bot+applications.commands&permissions=2252109051448320"
        );
    }

    #[test]
    fn missing_names_exactly_what_is_needed_and_not_given() {
        let all = PERMISSIONS.iter().fold(0, |bits, permission| bits | permission.bit);
        assert!(missing(all).is_empty());
        assert!(missing(all & !(1 << 51)).is_empty(), "pinning is optional");
        assert!(missing(ADMINISTRATOR).is_empty());
        assert_eq!(missing(all & !(1 << 38)), ["Send Messages in Threads"]);
        assert_eq!(missing(0).len(), 7);
    }
}
