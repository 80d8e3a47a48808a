//! How a vote is held: the server's settings, with what a command chose instead.

use super::opening::user;
use crate::error::UserError;
use domain::{Electorate, GuildId, OptionName, OptionWords, VoteRules};

/// The server's rules with what was chosen instead; a private sentence if they cannot be.
pub(super) fn chosen(words: &OptionWords, mut rules: VoteRules, guild: GuildId) -> anyhow::Result<VoteRules> {
    if let Some(hours) = words.whole(OptionName::VoteHours).map_err(user)? {
        rules.hours = hours;
    }
    if let Some(quorum) = words.whole(OptionName::Quorum).map_err(user)? {
        rules.quorum = quorum;
    }
    if let Some(voters) = words.get(OptionName::Voters) {
        let electorate = Electorate::parse(voters).map_err(user)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{RoleId, UserId};

    const GUILD: GuildId = GuildId(5);

    fn over(given: &[(OptionName, &str)], rules: VoteRules) -> anyhow::Result<VoteRules> {
        chosen(&given.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(), rules, GUILD)
    }

    #[test]
    fn what_is_not_chosen_stays_as_the_server_has_it() {
        use OptionName::{Quorum, VoteHours, Voters};
        let server = VoteRules { hours: 48, quorum: 2, live: true, ..VoteRules::default() };
        assert_eq!(over(&[], server.clone()).unwrap(), server);
        let rules = over(&[(VoteHours, "1"), (Voters, "<@&9>"), (Quorum, "0")], server.clone()).unwrap();
        assert_eq!((rules.hours, rules.quorum, rules.live), (1, 0, true));
        assert_eq!(rules.electorate, Electorate::Role(RoleId(9)));
        let named = over(&[(Voters, "<@1> <@2>")], server).unwrap();
        assert_eq!(named.electorate, Electorate::Named(vec![UserId(1), UserId(2)]));
    }

    #[test]
    fn the_role_everyone_is_everyone() {
        let server = VoteRules { electorate: Electorate::Role(RoleId(9)), ..VoteRules::default() };
        for everyone in ["everyone", "<@&5>", "@everyone"] {
            let rules = over(&[(OptionName::Voters, everyone)], server.clone()).unwrap();
            assert_eq!(rules.electorate, Electorate::Everyone);
        }
    }

    #[test]
    fn what_cannot_be_says_what_is_valid() {
        use OptionName::{Quorum, VoteHours, Voters};
        for (given, said) in [
            (&[(VoteHours, "0")][..], "from 1 to 336"),
            (&[(VoteHours, "337")], "from 1 to 336"),
            (&[(Quorum, "1001")], "from 0 to 1000"),
            (&[(Voters, "the board")], "mention one role"),
            (&[(Voters, "<@1> <@2>"), (Quorum, "3")], "2 may vote"),
        ] {
            let error = over(given, VoteRules::default()).unwrap_err();
            assert!(error.downcast_ref::<UserError>().is_some_and(|user| user.0.contains(said)), "{error}");
        }
    }
}
