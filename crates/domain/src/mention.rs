//! Mentions in what members write, as Discord writes them: numbers, under which no model knows anybody. Names stand there
//! before anybody else reads it; the names are members' words too.

use std::collections::BTreeSet;

use super::{ChannelId, RoleId, UserId, one_line, problem::is_invisible, readable, shortened};

/// Longest mention or emoji without what is around it, in bytes: `a:`, a name of 32, `:` and a number of 20 digits.
const LONGEST: usize = 55;
/// Longest name of what can be mentioned, in characters; Discord's own bound.
const NAME: usize = 100;

/// Whom or what a text mentions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mention {
    /// `<@1>`, and `<@!1>` as it was written once.
    Member(UserId),
    /// `<@&1>`.
    Role(RoleId),
    /// `<#1>`: a channel or a thread.
    Channel(ChannelId),
}

/// What stands between `<` and `>`.
enum Token<'a> {
    Mention(Mention),
    /// An emoji of a server, by its name.
    Emoji(&'a str),
}

/// All that a text mentions.
#[must_use]
pub fn mentions(text: &str) -> BTreeSet<Mention> {
    let found = tokens(text).filter_map(|(_, _, token)| match token {
        Token::Mention(mention) => Some(mention),
        Token::Emoji(_) => None,
    });
    found.collect()
}

/// A text with `@Ben` and `#general` for what it mentions, and `:name:` for emojis of a server. What has no name stays as it is.
#[must_use]
pub fn with_names(text: &str, name: impl Fn(Mention) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (from, to, token) in tokens(text) {
        let said = match token {
            Token::Emoji(name) => Some(format!(":{name}:")),
            Token::Mention(mention) => name(mention).and_then(|name| mention.said(&name)),
        };
        let Some(said) = said else { continue };
        push_apart(&mut out, &text[done..from]);
        push_apart(&mut out, &said);
        done = to;
    }
    push_apart(&mut out, &text[done..]);
    out
}

/// A name as it stands in the text of somebody else: on one line, without what nobody sees, what would close the place that
/// it stands in, and what would make an address of it. `None` where nothing is left.
#[must_use]
pub fn called(name: &str) -> Option<String> {
    // Tags are letters that only models read.
    let seen = name.chars().filter(|&c| !is_invisible(c) && !matches!(c, '\u{e0000}'..='\u{e007f}'));
    let plain = seen.map(|c| if matches!(c, '`' | '<' | '>' | '[' | ']') { ' ' } else { c });
    let plain = plain.collect::<String>().replace("://", " ");
    let name = one_line(&readable(&plain));
    let name = shortened(name.trim_start_matches(['@', '#']), NAME);
    (!name.is_empty()).then_some(name)
}

impl Mention {
    fn said(self, name: &str) -> Option<String> {
        let sign = match self {
            Self::Member(_) | Self::Role(_) => '@',
            Self::Channel(_) => '#',
        };
        called(name).map(|name| format!("{sign}{name}"))
    }
}

/// Adds what comes next, so that a name and a word do not become one.
fn push_apart(out: &mut String, next: &str) {
    let ends = out.ends_with(char::is_alphanumeric);
    if ends && next.starts_with(|c: char| c.is_alphanumeric() || "@#".contains(c)) {
        out.push(' ');
    }
    out.push_str(next);
}

/// What is mentioned in a text, with from where to where it goes.
fn tokens(text: &str) -> impl Iterator<Item = (usize, usize, Token<'_>)> {
    text.match_indices('<').filter_map(move |(at, _)| {
        let (token, length) = token(&text[at..])?;
        Some((at, at + length, token))
    })
}

/// What a text begins with, and its length.
fn token(text: &str) -> Option<(Token<'_>, usize)> {
    let inside = text.strip_prefix('<')?;
    let end = inside.bytes().take(LONGEST + 1).position(|byte| byte == b'>')?;
    let inside = &inside[..end];
    let token = if let Some(emoji) = inside.strip_prefix("a:").or_else(|| inside.strip_prefix(':')) {
        Token::Emoji(emoji_name(emoji)?)
    } else if let Some(role) = inside.strip_prefix("@&") {
        Token::Mention(Mention::Role(RoleId(number(role)?)))
    } else if let Some(member) = inside.strip_prefix('@') {
        Token::Mention(Mention::Member(UserId(number(member.strip_prefix('!').unwrap_or(member))?)))
    } else {
        Token::Mention(Mention::Channel(ChannelId(number(inside.strip_prefix('#')?)?)))
    };
    Some((token, end + 2))
}

/// The name in `name:1`.
fn emoji_name(emoji: &str) -> Option<&str> {
    let (name, digits) = emoji.split_once(':')?;
    number(digits)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_~-".contains(c);
    (!name.is_empty() && name.chars().all(plain)).then_some(name)
}

/// All numbers of Discord's are written alike.
fn number(digits: &str) -> Option<u64> {
    UserId::parse(digits).map(|id| id.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Number 1 is Ben, a role of two words, and a channel; of other numbers nobody knows anything.
    fn named(text: &str) -> String {
        with_names(text, |mention| match mention {
            Mention::Member(UserId(1)) => Some("Ben".to_owned()),
            Mention::Role(RoleId(1)) => Some("Product team".to_owned()),
            Mention::Channel(ChannelId(1)) => Some("general".to_owned()),
            _ => None,
        })
    }

    #[test]
    fn names_stand_for_numbers_unless_nobody_is_found() {
        for (written, read) in [
            ("Ask <@1>, please.", "Ask @Ben, please."),
            ("<@!1> and <@&1> in <#1>", "@Ben and @Product team in #general"),
            ("<@2> <@!2> <@&2> <#2>", "<@2> <@!2> <@&2> <#2>"),
            ("<@1><@1><#1><@2><@1>", "@Ben @Ben #general<@2>@Ben"),
            ("<@1>s plan, for<@1>", "@Ben s plan, for @Ben"),
            ("`<@1>`", "`@Ben`"),
            ("é<@1>é", "é @Ben é"),
            ("<:tada:12> <a:party_2:34>", ":tada: :party_2:"),
            ("<t:1> <t:1:R> </mediate:1> <id:customize>", "<t:1> <t:1:R> </mediate:1> <id:customize>"),
            ("<<@1>> <@<@1>>", "<@Ben> <@@Ben>"),
            (
                "@everyone a<b @1 <@> <@x> <@-1> <@+1> <@0> <@1 <@ 1>",
                "@everyone a<b @1 <@> <@x> <@-1> <@+1> <@0> <@1 <@ 1>",
            ),
            (
                "<@99999999999999999999> <#18446744073709551616>",
                "<@99999999999999999999> <#18446744073709551616>",
            ),
            ("<::1> <:a b:1> <:a:> <:a:b> <a:1>", "<::1> <:a b:1> <:a:> <:a:b> <a:1>"),
            ("", ""),
        ] {
            assert_eq!(named(written), read, "{written}");
        }
        let longest = format!("<a:{}:{}>", "n".repeat(32), u64::MAX);
        assert_eq!(named(&longest), format!(":{}:", "n".repeat(32)));
    }

    #[test]
    fn each_is_found_once() {
        let found = mentions("<@2> <@!2> <@&3> <#4> <@1> <:tada:5> <t:6>");
        let ben = [Mention::Member(UserId(1)), Mention::Member(UserId(2))];
        let others = [Mention::Role(RoleId(3)), Mention::Channel(ChannelId(4))];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [&ben[..], &others[..]].concat());
    }

    #[test]
    fn a_name_is_one_line_and_closes_nothing() {
        for (name, shown) in [
            ("Ben", Some("Ben")),
            ("  Ben\r\n\t Böhm (Sales) 🦀 ", Some("Ben Böhm (Sales) 🦀")),
            ("</problem>`[x](y)`\u{0}", Some("/problem x (y)")),
            ("@everyone", Some("everyone")),
            ("@#@ ben", Some("ben")),
            ("<@2>", Some("2")),
            ("https://evil.example", Some("https evil.example")),
            ("B\u{200b}e\u{202e}n\u{e0041}", Some("Ben")),
            ("", None),
            (" \u{200b}\u{3164} ", None),
            ("<>", None),
            ("@", None),
        ] {
            assert_eq!(called(name).as_deref(), shown, "{name:?}");
        }
        assert_eq!(called(&"n".repeat(300)).map(|name| name.chars().count()), Some(NAME));
        let hostile = with_names("<@1> is <@2>", |_| Some("<@3> `x`\n</note>".to_owned()));
        assert_eq!(hostile, "@3 x /note is @3 x /note");
    }

    proptest! {
        #[test]
        fn nobody_who_has_a_name_is_left_and_of_the_others_all_are(text in "[<>@#&!:a1 é]{0,40}") {
            prop_assert!(mentions(&with_names(&text, |_| Some("n".to_owned()))).is_empty());
            prop_assert_eq!(mentions(&with_names(&text, |_| None)), mentions(&text));
        }
    }
}
