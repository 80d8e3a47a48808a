//! What people add to a session's budget once it is used up: how they write it, and how much it may be.

use serde::{Deserialize, Serialize};

use super::{
    Caps, Ledger, Money,
    setting::{cents, whole},
};

/// What somebody added to a session's budget.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Addition {
    /// The name they go by.
    pub by: String,
    /// How much more it may use.
    pub more: Caps,
}

/// What bounds an addition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Session,
    MemberDay,
    ServerDay,
}

impl Bound {
    fn sentence(self) -> &'static str {
        match self {
            Self::Session => "as much as one session may use on this server to begin with",
            Self::MemberDay => "what today's personal budget of whoever started the session has left",
            Self::ServerDay => "what this server's budget of today has left",
        }
    }
}

/// How much can be added at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room([(Bound, Caps); 3]);

impl Room {
    /// By what a session may use to begin with, and by what its member and its server have left that day.
    #[must_use]
    pub fn new(session: Caps, member_left: Caps, server_left: Caps) -> Self {
        Self([(Bound::Session, session), (Bound::MemberDay, member_left), (Bound::ServerDay, server_left)])
    }

    /// Half as much again as a session has, as far as there is room for it; nothing of what it has no limit of.
    #[must_use]
    pub fn share(&self, has: &Caps) -> Caps {
        let most = self.least();
        let part = |has: i64, least: i64, most: i64| {
            let half = if has >= Caps::NO_LIMIT { 0 } else { (has - has / 2).max(least) };
            half.min(most).max(0)
        };
        Caps {
            calls: part(has.calls, 1, most.calls),
            tokens: part(has.tokens, 1, most.tokens),
            // Whole cents, as they are written.
            money: Money(part(has.money.0, 10_000, most.money.0) / 10_000 * 10_000),
        }
    }

    /// Whether anything can be added that lets a call be made; else the sentence that says why not.
    pub fn is_there(&self) -> Result<(), String> {
        self.allows(&Caps { calls: 1, tokens: 1, ..Caps::NOTHING })
    }

    fn least(&self) -> Caps {
        let least = |of: fn(&Caps) -> i64| self.0.iter().map(|(_, caps)| of(caps)).min().unwrap_or_default();
        Caps {
            calls: least(|caps| caps.calls),
            tokens: least(|caps| caps.tokens),
            money: Money(least(|caps| caps.money.0)),
        }
    }

    /// Whether so much can be added; else the sentence that names what bounds it.
    pub fn allows(&self, more: &Caps) -> Result<(), String> {
        type Part = (fn(&Caps) -> i64, fn(i64) -> String);
        let parts: [Part; 3] = [
            (|caps| caps.calls, |most| format!("{most} calls")),
            (|caps| caps.tokens, |most| format!("{most} tokens")),
            // Down to the cent, for nobody can write less.
            (|caps| caps.money.0, |most| format!("${}.{:02}", most / 1_000_000, most / 10_000 % 100)),
        ];
        for (of, said) in parts {
            let Some((bound, most)) =
                self.0.iter().map(|(bound, caps)| (bound, of(caps))).min_by_key(|(_, most)| *most)
            else {
                continue;
            };
            if of(more) <= most {
                continue;
            }
            let (most, what) = (said(most.max(0)), bound.sentence());
            return Err(if of(&self.least()) > 0 {
                format!("At most {most} can be added: {what}. Nothing was added; write less.")
            } else {
                format!(
                    "Nothing can be added now: {most} are {what}. Daily budgets start anew at midnight UTC."
                )
            });
        }
        Ok(())
    }
}

impl Caps {
    /// Nothing.
    pub const NOTHING: Self = Self { money: Money(0), tokens: 0, calls: 0 };

    /// With so much more.
    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        let sum = |one: i64, other: i64| one.saturating_add(other).min(Self::NO_LIMIT);
        Self {
            money: Money(sum(self.money.0, more.money.0)),
            tokens: sum(self.tokens, more.tokens),
            calls: sum(self.calls, more.calls),
        }
    }

    /// What is left of it.
    #[must_use]
    pub fn left(self, used: &Ledger) -> Self {
        Self {
            money: Money((self.money.0 - used.cost.0).max(0)),
            tokens: (self.tokens - used.tokens).max(0),
            calls: (self.calls - used.calls).max(0),
        }
    }
}

/// Reads how much somebody wants to add: calls, tokens and dollars, each as it was typed. An empty box is nothing.
pub fn read_addition([calls, tokens, dollars]: [&str; 3]) -> Result<Caps, String> {
    let number = |text: &str, what: &str| {
        match text.trim() {
        "" => Ok(0),
        typed => whole(typed).ok_or_else(|| {
            format!(
                "`{}` is not a number of {what}. Write a whole number, such as `40` or `500k`, or leave the box empty. Nothing was added.",
                shown(typed)
            )
        }),
    }
    };
    let money = match dollars.trim() {
        "" => Money(0),
        typed => cents(typed).ok_or_else(|| {
            format!(
                "`{}` is not an amount of money. Write US dollars, such as `1` or `0.50`, or leave the box empty. Nothing was added.",
                shown(typed)
            )
        })?,
    };
    let more = Caps { calls: number(calls, "calls")?, tokens: number(tokens, "tokens")?, money };
    if more == Caps::NOTHING {
        return Err(
            "Nothing was added: write in at least one of the boxes how much more it may use.".to_owned()
        );
    }
    Ok(more)
}

/// What somebody typed, short, and so that it stays within backticks.
fn shown(text: &str) -> String {
    text.chars().filter(|c| *c != '`').take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caps(calls: i64, tokens: i64, cents: i64) -> Caps {
        Caps { calls, tokens, money: Money(cents * 10_000) }
    }

    #[test]
    fn what_is_typed_is_read_or_refused_with_what_is_valid() {
        for (typed, expected) in [
            (["40", "", ""], caps(40, 0, 0)),
            (["", "1.5", ""], Caps::NOTHING),
            ([" 1,000 ", "500k", "$2.50"], caps(1_000, 500_000, 250)),
            (["0", "2 M", "0,5"], caps(0, 2_000_000, 50)),
            (["-3", "", ""], Caps::NOTHING),
            (["many", "", ""], Caps::NOTHING),
            (["9223372036854775807k", "", ""], Caps::NOTHING),
            (["", "", "1,000"], Caps::NOTHING),
            (["", "", "free`"], Caps::NOTHING),
            (["", " ", "0"], Caps::NOTHING),
        ] {
            match read_addition(typed) {
                Ok(more) => assert_eq!(more, expected, "{typed:?}"),
                Err(why) => {
                    assert_eq!(expected, Caps::NOTHING, "{typed:?}: {why}");
                    assert!(why.contains("Nothing was added"), "{why}");
                }
            }
        }
    }

    #[test]
    fn there_is_room_for_what_no_bound_forbids() {
        let room = Room::new(caps(120, 2_000_000, 200), caps(30, 9_000_000, 1_000), caps(500, 50_000, 5));
        assert_eq!(room.allows(&caps(30, 50_000, 5)), Ok(()));
        for (more, why) in [
            (caps(31, 0, 0), "At most 30 calls can be added: what today's personal budget"),
            (caps(0, 50_001, 0), "At most 50000 tokens can be added: what this server's budget"),
            (caps(0, 0, 6), "At most $0.05 can be added: what this server's budget"),
        ] {
            let refused = room.allows(&more).unwrap_err();
            assert!(refused.starts_with(why), "{refused}");
        }
        let refused = Room::new(caps(120, 1, 1), caps(400, 1, 1), caps(900, 1, 1)).allows(&caps(121, 0, 0));
        assert!(refused.unwrap_err().starts_with("At most 120 calls can be added: as much as one session"));
        let gone = Room::new(caps(120, 1, 1), caps(0, 1, 1), caps(900, 1, 1));
        let refused = gone.allows(&caps(1, 0, 0)).unwrap_err();
        assert!(
            refused.starts_with("Nothing can be added now: 0 calls are what today's personal"),
            "{refused}"
        );
        assert_eq!((gone.is_there().unwrap_err(), room.is_there()), (refused, Ok(())));
        // Half as much again, as far as it goes.
        assert_eq!(room.share(&caps(7, 80_000, 200)), caps(4, 40_000, 5));
        assert_eq!(room.share(&Caps { tokens: Caps::NO_LIMIT, ..caps(120, 0, 0) }), caps(30, 0, 1));
    }

    #[test]
    fn sums_stay_below_what_has_no_limit() {
        let most = Caps { calls: Caps::NO_LIMIT, ..caps(0, 2, 3) };
        assert_eq!(most.plus(caps(5, 6, 7)), Caps { calls: Caps::NO_LIMIT, ..caps(0, 8, 10) });
        let used = Ledger { calls: 9, tokens: 1, cost: Money(10_000), ..Ledger::default() };
        assert_eq!(caps(5, 6, 7).left(&used), caps(0, 5, 6));
    }
}
