//! The world as it is at first: two servers, their channels, and the people in them.

use std::collections::BTreeMap;

use serde_json::json;

use super::events::{Audience, intent};
use super::guild::{Channel, FORUM, ForumTag, Guild, Member, Overwrite, Role, TEXT, User};
use super::permissions::{BOT, EVERYONE, bits};
use super::snowflake::{Id, created_ms};
use super::world::World;

/// Fixed ids, older than any that is made later, so that tests and bookmarks can rely on them.
pub mod ids {
    use super::Id;

    /// The bot, and its application.
    pub const BOT: Id = 1_100_000_000_000_000_001;
    /// Ada: administrator of the first server.
    pub const ADA: Id = 1_100_000_000_000_000_011;
    /// Ben: a member of the first server who sees its private channel.
    pub const BEN: Id = 1_100_000_000_000_000_012;
    /// Chloé: a member of the first server who does not; her client speaks French.
    pub const CHLOE: Id = 1_100_000_000_000_000_013;
    /// Dmitri: only in the second server, which he owns.
    pub const DMITRI: Id = 1_100_000_000_000_000_014;
    /// The server "Riverside Foods".
    pub const RIVERSIDE: Id = 1_100_000_000_000_000_100;
    /// Its channel #decisions.
    pub const DECISIONS: Id = 1_100_000_000_000_000_101;
    /// Its channel #general.
    pub const GENERAL: Id = 1_100_000_000_000_000_102;
    /// Its channel #private.
    pub const PRIVATE: Id = 1_100_000_000_000_000_103;
    /// Its channel #example, where it has one.
    pub const EXAMPLE: Id = 1_100_000_000_000_000_104;
    /// Its forum "ideas", whose tags say where a session stands.
    pub const IDEAS: Id = 1_100_000_000_000_000_105;
    /// The first tag of that forum; the others follow.
    pub const IDEAS_TAG: Id = 1_100_000_000_000_000_121;
    /// Its role "Product team", which may be pinged and gives no rights: Ada, Ben and Chloé have it.
    pub const PRODUCT_TEAM: Id = 1_100_000_000_000_000_107;
    /// Its role "Admin": Ada has it.
    pub const ADMIN: Id = 1_100_000_000_000_000_108;
    /// "Second Server", whose boosts let members attach files of up to 50 MiB instead of 10.
    pub const SECOND: Id = 1_100_000_000_000_000_200;
    /// Its channel #decisions.
    pub const SECOND_DECISIONS: Id = 1_100_000_000_000_000_201;
    /// Its channel #general.
    pub const SECOND_GENERAL: Id = 1_100_000_000_000_000_202;
    /// The first of the channels that `Options::extra_channels` adds to the first server; the others follow.
    pub const EXTRA_CHANNEL: Id = 1_100_000_000_000_010_000;
    /// The first of the members that `Options::extra_members` adds to the first server; the others follow.
    pub const EXTRA_MEMBER: Id = 1_100_000_000_000_020_000;
    /// The first of the servers that `Options::extra_guilds` adds; the others follow at the distance that is set there, and
    /// each has one channel whose id is one more.
    pub const EXTRA_GUILD: Id = 1_100_000_000_000_100_000;
}

impl Channel {
    /// A text channel with nothing in it.
    pub(super) fn text(id: Id, guild: Id, name: &str) -> Self {
        Self { id, guild, kind: TEXT, name: name.to_owned(), ..Self::default() }
    }
}

impl World {
    /// Fills a fresh world.
    /// `apart`: how far the numbers of the servers beyond the usual two are apart.
    pub(super) fn seed(&mut self, (guilds, apart): (usize, Id), channels: usize, members: usize) {
        self.last_id = ids::EXTRA_GUILD + 1_000_000;
        for (id, name, display, bot, locale, color) in [
            (ids::BOT, "quorum", "Quorum", true, "en-US", "#5865f2"),
            (ids::ADA, "ada", "Ada", false, "en-US", "#c2410c"),
            (ids::BEN, "ben", "Ben", false, "en-GB", "#0f766e"),
            (ids::CHLOE, "chloe", "Chloé", false, "fr", "#7c3aed"),
            (ids::DMITRI, "dmitri", "Dmitri", false, "ru", "#b45309"),
        ] {
            self.add_user(id, (name, display), bot, (locale, color));
        }
        self.add_guild(ids::RIVERSIDE, "Riverside Foods", ids::ADA, &[ids::BEN, ids::CHLOE]);
        self.add_team();
        self.add_channel(ids::DECISIONS, ids::RIVERSIDE, "decisions", "Where the team decides things");
        self.add_channel(ids::GENERAL, ids::RIVERSIDE, "general", "");
        self.add_channel(ids::PRIVATE, ids::RIVERSIDE, "private", "Only Ada, Ben and the bot");
        if let Some(private) = self.channels.get_mut(&ids::PRIVATE) {
            let rule = |id, role, allow, deny| Overwrite { id, role, allow, deny };
            private.overwrites = vec![
                rule(ids::RIVERSIDE, true, 0, bits::VIEW_CHANNEL),
                rule(ids::BEN, false, bits::VIEW_CHANNEL, 0),
                rule(ids::BOT, false, bits::VIEW_CHANNEL, 0),
            ];
        }
        self.add_forum();
        self.add_guild(ids::SECOND, "Second Server", ids::DMITRI, &[]);
        if let Some(second) = self.guilds.get_mut(&ids::SECOND) {
            second.boosts = 2;
        }
        self.add_channel(ids::SECOND_DECISIONS, ids::SECOND, "decisions", "");
        self.add_channel(ids::SECOND_GENERAL, ids::SECOND, "general", "");
        for n in 0..u64::try_from(channels).unwrap_or(0) {
            self.add_channel(ids::EXTRA_CHANNEL + n, ids::RIVERSIDE, &format!("channel-{}", n + 1), "");
        }
        for n in 0..u64::try_from(members).unwrap_or(0) {
            self.add_member(ids::EXTRA_MEMBER + n, ids::RIVERSIDE, &format!("Member {}", n + 1));
        }
        for n in 0..u64::try_from(guilds).unwrap_or(0) {
            let id = ids::EXTRA_GUILD + apart * n;
            self.add_guild(id, &format!("Server {}", n + 3), ids::ADA, &[]);
            self.add_channel(id + 1, id, "decisions", "");
        }
    }

    pub(super) fn add_guild(&mut self, id: Id, name: &str, owner: Id, members: &[Id]) {
        let role = |id, name: &str, permissions, position, bot| Role {
            id,
            name: name.to_owned(),
            permissions,
            position,
            bot,
            mentionable: false,
            color: 0,
        };
        let (admin, managed) = (id + 8, id + 9);
        let joined = |roles| Member { roles, joined_ms: created_ms(id) };
        let mut all: BTreeMap<Id, Member> = members.iter().map(|id| (*id, joined(vec![]))).collect();
        all.insert(owner, joined(vec![admin]));
        all.insert(self.bot, joined(vec![managed]));
        let guild = Guild {
            id,
            name: name.to_owned(),
            owner,
            locale: "en-US".to_owned(),
            roles: vec![
                role(id, "@everyone", EVERYONE, 0, None),
                role(admin, "Admin", bits::ADMINISTRATOR | bits::MANAGE_GUILD, 3, None),
                role(managed, "Quorum", BOT, 2, Some(self.bot)),
            ],
            members: all,
            channels: Vec::new(),
            threads: Vec::new(),
            boosts: 0,
        };
        self.guilds.insert(id, guild);
    }

    /// Gives the first server its ordinary role.
    fn add_team(&mut self) {
        let Some(guild) = self.guilds.get_mut(&ids::RIVERSIDE) else { return };
        guild.roles.push(Role {
            id: ids::PRODUCT_TEAM,
            name: "Product team".to_owned(),
            permissions: 0,
            position: 1,
            bot: None,
            mentionable: true,
            color: 0x1a_8a_7d,
        });
        for id in [ids::ADA, ids::BEN, ids::CHLOE] {
            if let Some(member) = guild.members.get_mut(&id) {
                member.roles.push(ids::PRODUCT_TEAM);
            }
        }
    }

    /// Gives the first server the channel #example, before its others: whoever opens the page for the first time is there.
    pub(super) fn add_example(&mut self) {
        self.add_channel(
            ids::EXAMPLE,
            ids::RIVERSIDE,
            "example",
            "A finished session to look at, written by hand",
        );
        if let Some(guild) = self.guilds.get_mut(&ids::RIVERSIDE) {
            guild.channels.rotate_right(1);
        }
    }

    /// Gives the first server its forum.
    fn add_forum(&mut self) {
        self.add_channel(
            ids::IDEAS,
            ids::RIVERSIDE,
            "ideas",
            "A post for each idea; its tag says how far it is",
        );
        let tags = (ids::IDEAS_TAG..).zip(["Running", "Waiting", "Voting", "Done", "Decided"]);
        if let Some(forum) = self.channels.get_mut(&ids::IDEAS) {
            forum.kind = FORUM;
            // Else the bot could tag its own posts only, as on any server whose forum does not let it.
            forum.overwrites =
                vec![Overwrite { id: ids::BOT, role: false, allow: bits::MANAGE_THREADS, deny: 0 }];
            forum.tags =
                tags.map(|(id, name)| ForumTag { id, name: name.to_owned(), moderated: false }).collect();
        }
    }

    pub(super) fn add_channel(&mut self, id: Id, guild: Id, name: &str, topic: &str) {
        let mut channel = Channel::text(id, guild, name);
        channel.topic = (!topic.is_empty()).then(|| topic.to_owned());
        self.channels.insert(id, channel);
        if let Some(guild) = self.guilds.get_mut(&guild) {
            guild.channels.push(id);
        }
    }

    fn add_user(&mut self, id: Id, (name, display): (&str, &str), bot: bool, (locale, color): (&str, &str)) {
        let user = User {
            id,
            username: name.to_owned(),
            display: display.to_owned(),
            bot,
            locale: locale.to_owned(),
            color: color.to_owned(),
        };
        self.users.insert(id, user);
    }

    fn add_member(&mut self, id: Id, guild: Id, name: &str) {
        self.add_user(id, (&name.to_lowercase().replace(' ', "-"), name), false, ("en-US", "#475569"));
        if let Some(guild) = self.guilds.get_mut(&guild) {
            guild.members.insert(id, Member { roles: vec![], joined_ms: created_ms(id) });
        }
    }

    /// Takes the bot off a server and tells it.
    pub(super) fn remove_bot(&mut self, guild: Id) {
        let bot = self.bot;
        let Some(place) = self.guilds.get_mut(&guild) else { return };
        if place.members.remove(&bot).is_none() {
            return;
        }
        self.commands.remove(&guild);
        self.touch();
        self.dispatch("GUILD_DELETE", intent::GUILDS, &json!({"id": guild.to_string()}), None);
        self.tell_pages(
            Audience::Everyone,
            || json!({"type": "commands_update", "commands": self.all_commands()}),
        );
    }
}
