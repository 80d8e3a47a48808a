//! Links to messages, as Discord copies them.

use domain::{ChannelId, GuildId, MessageId};

/// Where a link leads. Only its numbers are used; nothing is fetched from its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MessageLink {
    pub(super) guild: GuildId,
    pub(super) channel: ChannelId,
    pub(super) message: MessageId,
}

impl MessageLink {
    /// `https://discord.com/channels/1/2/3`, with white space or `<` and `>` around it.
    pub(super) fn parse(link: &str) -> Option<Self> {
        let link = link.trim().trim_start_matches('<').trim_end_matches('>');
        let (address, numbers) = link.split_once("/channels/")?;
        if !(address.starts_with("https://") || address.starts_with("http://")) {
            return None;
        }
        let numbers: Vec<&str> = numbers.trim_end_matches('/').split('/').collect();
        let [guild, channel, message] = numbers.as_slice() else { return None };
        let number = |digits: &str| {
            let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
            digits.parse::<u64>().ok().filter(|number| plain && *number > 0)
        };
        Some(Self {
            guild: GuildId(number(guild)?),
            channel: ChannelId(number(channel)?),
            message: MessageId(number(message)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_three_numbers_behind_an_address() {
        let there = MessageLink { guild: GuildId(1), channel: ChannelId(2), message: MessageId(3) };
        for link in [
            "https://discord.com/channels/1/2/3",
            " <https://ptb.discord.com/channels/1/2/3/> ",
            "http://127.0.0.1:8787/channels/1/2/3",
        ] {
            assert_eq!(MessageLink::parse(link), Some(there), "{link}");
        }
        for other in [
            "",
            "3",
            "https://discord.com/channels/1/2",
            "https://discord.com/channels/@me/2/3",
            "https://discord.com/channels/1/2/3/4",
            "https://discord.com/channels/1/2/0",
            "https://discord.com/channels/1/2/+3",
            "https://discord.com/channels/1/2/99999999999999999999999",
            "/channels/1/2/3",
        ] {
            assert_eq!(MessageLink::parse(other), None, "{other}");
        }
    }
}
