//! Who a text pings: mention syntax, and what `allowed_mentions` lets through.

use serde_json::Value;

use super::snowflake::Id;

/// The mentions in a text, or those of them that ping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mentions {
    pub(super) users: Vec<Id>,
    pub(super) roles: Vec<Id>,
    /// `@everyone` or `@here`.
    pub(super) everyone: bool,
}

/// What a message parses when it brings no `allowed_mentions` (Discord, "Allowed Mentions Object").
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unless {
    /// Ordinary messages: users, roles, everyone.
    Message,
    /// Answers to interactions: users only.
    Interaction,
}

impl Mentions {
    /// Every mention written in the text.
    pub(super) fn scan(text: &str) -> Self {
        let mut found =
            Self { everyone: text.contains("@everyone") || text.contains("@here"), ..Self::default() };
        for (at, _) in text.match_indices("<@") {
            let rest = &text[at + 2..];
            let (list, rest) = match rest.strip_prefix('&') {
                Some(rest) => (&mut found.roles, rest),
                None => (&mut found.users, rest.strip_prefix('!').unwrap_or(rest)),
            };
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if rest.as_bytes().get(digits) == Some(&b'>')
                && let Ok(id) = rest[..digits].parse()
                && !list.contains(&id)
            {
                list.push(id);
            }
        }
        found
    }

    /// Whether nothing is mentioned.
    pub(super) fn is_empty(&self) -> bool {
        self.users.is_empty() && self.roles.is_empty() && !self.everyone
    }

    /// Those mentions that ping under the given `allowed_mentions`.
    pub(super) fn allowed(mut self, allowed: Option<&Value>, default: Unless) -> Self {
        let Some(allowed) = allowed.filter(|v| !v.is_null()) else {
            if default == Unless::Interaction {
                self.roles.clear();
                self.everyone = false;
            }
            return self;
        };
        let parses = |kind: &str| {
            allowed["parse"].as_array().is_some_and(|list| list.iter().any(|v| v.as_str() == Some(kind)))
        };
        let listed = |kind: &str, id: &Id| {
            allowed[kind].as_array().is_some_and(|list| list.iter().any(|v| as_id(v) == Some(*id)))
        };
        if !parses("users") {
            self.users.retain(|id| listed("users", id));
        }
        if !parses("roles") {
            self.roles.retain(|id| listed("roles", id));
        }
        self.everyone &= parses("everyone");
        self
    }
}

/// An id that came as a string or as a number.
pub(super) fn as_id(value: &Value) -> Option<Id> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_every_form() {
        let found = Mentions::scan("<@1> <@!2> <@&3> <@1> @everyone <@x> <@4");
        assert_eq!(found, Mentions { users: vec![1, 2], roles: vec![3], everyone: true });
        assert!(Mentions::scan("mail@example.org < @ 1>").is_empty());
    }

    #[test]
    fn allowed_mentions_decide() {
        let all = || Mentions::scan("<@1> <@2> <@&3> @here");
        assert_eq!(all().allowed(None, Unless::Message), all());
        assert_eq!(all().allowed(None, Unless::Interaction).users, [1, 2]);
        assert!(!all().allowed(None, Unless::Interaction).everyone);
        assert!(all().allowed(Some(&json!({"parse": []})), Unless::Message).is_empty());
        assert_eq!(all().allowed(Some(&json!({"users": ["2"]})), Unless::Message).users, [2]);
        assert!(all().allowed(Some(&json!({"parse": ["everyone"]})), Unless::Message).everyone);
    }
}
