//! How a vote is held: the server's settings, with what a command chose instead.

use serde::{Deserialize, Serialize};

use crate::error::UserError;
use domain::{Electorate, GuildId, MAX_VOTE_HOURS, VoteRules};

/// Highest quorum that can be asked for.
const MAX_QUORUM: u32 = 1_000;

/// What a command's options say about its vote; what is not given is as the server has it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Chosen {
    /// Hours it stays open.
    pub(super) hours: Option<i64>,
    /// Who may vote, as somebody typed it.
    pub(super) voters: Option<String>,
    /// Ballots without which it does not bind.
    pub(super) quorum: Option<i64>,
}

impl Chosen {
    /// The server's rules with these instead; a private sentence if they cannot be.
    pub(super) fn over(&self, mut rules: VoteRules, guild: GuildId) -> anyhow::Result<VoteRules> {
        if let Some(hours) = self.hours {
            rules.hours = within(hours, 1, MAX_VOTE_HOURS, "`vote_hours`")?;
        }
        if let Some(quorum) = self.quorum {
            rules.quorum = within(quorum, 0, MAX_QUORUM, "`quorum`")?;
        }
        if let Some(voters) = &self.voters {
            let electorate = Electorate::parse(voters).map_err(|error| UserError(error.to_string()))?;
            // Everyone has the role @everyone, which has the server's number and is not in anybody's list.
            let everyone = matches!(electorate, Electorate::Role(role) if role.0 == guild.0);
            rules.electorate = if everyone { Electorate::Everyone } else { electorate };
        }
        match rules.electorate.size() {
            Some(size) if (rules.quorum as usize) > size => UserError::of(format!(
                "A quorum of {} cannot be reached: {size} may vote. Ask for {size} or fewer, or name more voters.",
                rules.quorum
            )),
            _ => Ok(rules),
        }
    }
}

fn within(number: i64, least: u32, most: u32, what: &str) -> anyhow::Result<u32> {
    match u32::try_from(number) {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => UserError::of(format!("{what} is a whole number from {least} to {most}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{RoleId, UserId};

    const GUILD: GuildId = GuildId(5);

    #[test]
    fn what_is_not_chosen_stays_as_the_server_has_it() {
        let server = VoteRules { hours: 48, quorum: 2, live: true, ..VoteRules::default() };
        assert_eq!(Chosen::default().over(server.clone(), GUILD).unwrap(), server);
        let chosen = Chosen { hours: Some(1), voters: Some("<@&9>".to_owned()), quorum: Some(0) };
        let rules = chosen.over(server.clone(), GUILD).unwrap();
        assert_eq!((rules.hours, rules.quorum, rules.live), (1, 0, true));
        assert_eq!(rules.electorate, Electorate::Role(RoleId(9)));
        let named = Chosen { voters: Some("<@1> <@2>".to_owned()), ..Chosen::default() };
        assert_eq!(
            named.over(server, GUILD).unwrap().electorate,
            Electorate::Named(vec![UserId(1), UserId(2)])
        );
    }

    #[test]
    fn the_role_everyone_is_everyone() {
        let server = VoteRules { electorate: Electorate::Role(RoleId(9)), ..VoteRules::default() };
        for everyone in ["everyone", "<@&5>", "@everyone"] {
            let chosen = Chosen { voters: Some(everyone.to_owned()), ..Chosen::default() };
            assert_eq!(chosen.over(server.clone(), GUILD).unwrap().electorate, Electorate::Everyone);
        }
    }

    #[test]
    fn what_cannot_be_says_what_is_valid() {
        for (chosen, said) in [
            (Chosen { hours: Some(0), ..Chosen::default() }, "from 1 to 336"),
            (Chosen { hours: Some(-1), ..Chosen::default() }, "from 1 to 336"),
            (Chosen { hours: Some(337), ..Chosen::default() }, "from 1 to 336"),
            (Chosen { quorum: Some(1_001), ..Chosen::default() }, "from 0 to 1000"),
            (Chosen { voters: Some("the board".to_owned()), ..Chosen::default() }, "mention one role"),
            (
                Chosen { voters: Some("<@1> <@2>".to_owned()), quorum: Some(3), ..Chosen::default() },
                "2 may vote",
            ),
        ] {
            let error = chosen.over(VoteRules::default(), GUILD).unwrap_err();
            assert!(error.downcast_ref::<UserError>().is_some_and(|user| user.0.contains(said)), "{error}");
        }
    }
}
