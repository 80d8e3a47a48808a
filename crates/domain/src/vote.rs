//! A vote: who may take part, until when, and what each side gave.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use thiserror::Error;

use super::{Allocation, Champion, Influence, Opinion, RoleId, Solution, Swing, UserId};

/// Longest a vote may stay open, in hours: two weeks.
pub const MAX_VOTE_HOURS: u32 = 336;
/// Most members a vote may name.
pub const MAX_NAMED: usize = 50;

/// Who may vote. Fixed when the vote opens.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Electorate {
    /// Everyone who sees the thread.
    #[default]
    Everyone,
    /// Whoever has a role at the moment of voting.
    Role(RoleId),
    /// These members, 1 to [`MAX_NAMED`].
    Named(Vec<UserId>),
}

/// Why a text names no electorate.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ElectorateError {
    /// Neither `everyone`, a role nor members.
    #[error(
        "`{0}` is nobody I can ask. Write `everyone`, mention one role, or mention the members who may vote."
    )]
    Nobody(String),
    /// Roles are not mixed with others.
    #[error("Mention either one role or the members who may vote, not both and not several roles.")]
    Mixed,
    /// Too many.
    #[error("{0} members are named; at most 50 fit. Give them a role and mention that instead.")]
    Many(usize),
}

impl Electorate {
    /// Reads what somebody typed: `everyone`, `<@&role>`, or `<@member> <@member>`, as Discord writes mentions.
    pub fn parse(text: &str) -> Result<Self, ElectorateError> {
        let text = text.trim();
        if text.is_empty() || text.eq_ignore_ascii_case("everyone") || text == "@everyone" {
            return Ok(Self::Everyone);
        }
        let (mut roles, mut members) = (Vec::new(), Vec::new());
        for part in text.replace('>', "> ").split([' ', ',', ';', '\n']).filter(|part| !part.is_empty()) {
            let inside = part.strip_prefix("<@").and_then(|rest| rest.strip_suffix('>'));
            let nobody = || ElectorateError::Nobody(part.chars().take(60).collect());
            let inside = inside.ok_or_else(nobody)?;
            if let Some(role) = inside.strip_prefix('&') {
                roles.push(RoleId(role.parse().map_err(|_| nobody())?));
            } else {
                let member = UserId(inside.trim_start_matches('!').parse().map_err(|_| nobody())?);
                if !members.contains(&member) {
                    members.push(member);
                }
            }
        }
        match (&roles[..], members.len()) {
            ([role], 0) => Ok(Self::Role(*role)),
            ([], 0) => Err(ElectorateError::Nobody(text.chars().take(60).collect())),
            ([], 1..=MAX_NAMED) => Ok(Self::Named(members)),
            ([], many) => Err(ElectorateError::Many(many)),
            _ => Err(ElectorateError::Mixed),
        }
    }

    /// As somebody types it, so that [`Self::parse`] reads it.
    #[must_use]
    pub fn typed(&self) -> String {
        match self {
            Self::Everyone => "everyone".to_owned(),
            Self::Role(role) => format!("<@&{role}>"),
            Self::Named(members) => {
                members.iter().map(|member| member.mention()).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// Whether a member with these roles may vote.
    #[must_use]
    pub fn admits(&self, member: UserId, roles: &[RoleId]) -> bool {
        match self {
            Self::Everyone => true,
            Self::Role(role) => roles.contains(role),
            Self::Named(members) => members.contains(&member),
        }
    }

    /// How many there are, where that is known: Discord does not tell a bot who has a role.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        match self {
            Self::Named(members) => Some(members.len()),
            Self::Everyone | Self::Role(_) => None,
        }
    }
}

/// How a vote is held. Fixed when it opens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VoteRules {
    /// Who may vote.
    pub electorate: Electorate,
    /// How long it stays open, 1 to [`MAX_VOTE_HOURS`].
    pub hours: u32,
    /// Ballots without which the result is called not binding; 0 asks for none.
    pub quorum: u32,
    /// Standings are shown while it is open.
    pub live: bool,
    /// How many hours before the deadline those who have not voted are reminded; 0: never.
    pub remind_hours: u32,
    /// The reminder may ping.
    pub ping: bool,
}

impl Default for VoteRules {
    fn default() -> Self {
        Self {
            electorate: Electorate::Everyone,
            hours: 24,
            quorum: 0,
            live: false,
            remind_hours: 4,
            ping: false,
        }
    }
}

/// Where an expert's ten points come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// As the expert gave them.
    Given,
    /// They were not ten and were scaled to ten.
    Scaled,
    /// The expert gave none that could be used: spread evenly, and not counted as an opinion.
    Even,
}

/// An expert's points, as they stand beside the team's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExpertPoints {
    /// The expert's title, with its emoji if it has one.
    pub title: String,
    /// How much it counts in weighted totals; 1 is usual.
    pub weight: f64,
    /// What of that is by how its earlier advice turned out.
    #[serde(default, skip_serializing_if = "Influence::is_usual")]
    pub influence: Influence,
    /// Its ten points over the experts' solutions.
    pub allocation: Allocation,
    /// Where they come from.
    pub basis: Basis,
    /// The chance, of 100, that it sees for each of those solutions; `None` for one that it gave no points or for which it
    /// said none. Empty where nobody asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chances: Vec<Option<u8>>,
}

impl ExpertPoints {
    /// The lowest and the highest chance that experts see for the solution at a place; `None` where nobody said one.
    #[must_use]
    pub fn chance(experts: &[Self], place: usize) -> Option<(u8, u8)> {
        let said = || experts.iter().filter_map(|expert| expert.chances.get(place).copied().flatten());
        Some((said().min()?, said().max()?))
    }
}

/// What the ballots of a vote say.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, IntoStaticStr, EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum VoteKind {
    /// Ten points over solutions.
    #[default]
    Points,
    /// For, undecided or against.
    Opinion,
}

impl VoteKind {
    /// As the database spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads that.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// What one ballot says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BallotChoice {
    /// Ten points over all solutions. Decision records have had this name for it from the first.
    #[serde(rename = "allocation")]
    Points(Allocation),
    /// For, undecided or against.
    Opinion(Opinion),
}

/// A member's ballot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ballot {
    /// Whose it is.
    pub voter: UserId,
    /// The name they went by.
    pub voter_name: String,
    /// What it says.
    #[serde(flatten)]
    pub choice: BallotChoice,
}

impl Ballot {
    /// Its ten points, in a vote of points.
    #[must_use]
    pub fn points(&self) -> Option<&Allocation> {
        match &self.choice {
            BallotChoice::Points(allocation) => Some(allocation),
            BallotChoice::Opinion(_) => None,
        }
    }

    /// What the voter thinks, in a vote of opinions.
    #[must_use]
    pub fn opinion(&self) -> Option<Opinion> {
        match self.choice {
            BallotChoice::Opinion(opinion) => Some(opinion),
            BallotChoice::Points(_) => None,
        }
    }
}

/// Why a vote closed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closed {
    /// Its deadline came.
    Deadline,
    /// Everyone who was named has voted.
    Everyone,
    /// Somebody with the right closed it: who, by name.
    Person(String),
    /// What it was held before has started.
    Start,
}

/// How far a vote is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoteState {
    /// Ballots are taken.
    #[default]
    Open,
    /// No more ballots.
    Closed(Closed),
}

/// A vote as it stands, for its panel and its result.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Vote {
    /// What its ballots say.
    pub kind: VoteKind,
    /// What is to be decided, short.
    pub question: String,
    /// What points are given to, in the order of their ids; the experts scored those that are not `proposed`.
    pub solutions: Vec<Solution>,
    /// The experts' points.
    pub experts: Vec<ExpertPoints>,
    /// Which experts stood for which solutions, where a server keeps how their advice turns out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub champions: Vec<Champion>,
    /// The rules it was opened with.
    pub rules: VoteRules,
    /// Whether it is open.
    pub state: VoteState,
    /// Its deadline, seconds since 1970; `None`: it closes with the start of what it is held before.
    pub deadline: Option<i64>,
    /// The ballots so far. Secret while it is open, unless the rules say live.
    pub ballots: Vec<Ballot>,
    /// The ballots of the earlier vote on the same question, if there was one. They are in no decision record.
    #[serde(skip)]
    pub earlier: Vec<Ballot>,
}

impl Vote {
    /// How many ballots are missing for the quorum.
    #[must_use]
    pub fn missing(&self) -> usize {
        usize::try_from(self.rules.quorum).unwrap_or(usize::MAX).saturating_sub(self.ballots.len())
    }

    /// The named members who have not voted.
    pub fn waiting_for(&self) -> impl Iterator<Item = UserId> {
        let named = match &self.rules.electorate {
            Electorate::Named(members) => &members[..],
            Electorate::Everyone | Electorate::Role(_) => &[],
        };
        let voted = |member| self.ballots.iter().any(|ballot| ballot.voter == member);
        named.iter().copied().filter(move |member| !voted(*member))
    }

    /// How opinions moved since the earlier vote.
    #[must_use]
    pub fn swing(&self) -> Swing {
        let opinions = |ballots: &[Ballot]| -> Vec<_> {
            ballots.iter().filter_map(|ballot| Some((ballot.voter, ballot.opinion()?))).collect()
        };
        Swing::of(&opinions(&self.earlier), &opinions(&self.ballots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn electorates_read_or_say_what_is_valid() {
        assert_eq!(Electorate::parse(" Everyone "), Ok(Electorate::Everyone));
        assert_eq!(Electorate::parse("<@&7>"), Ok(Electorate::Role(RoleId(7))));
        let named = Electorate::Named(vec![UserId(1), UserId(2)]);
        assert_eq!(Electorate::parse("<@1><@!2>, <@1>"), Ok(named.clone()));
        assert!(matches!(Electorate::parse("Ada"), Err(ElectorateError::Nobody(_))));
        assert!(matches!(Electorate::parse("<@x>"), Err(ElectorateError::Nobody(_))));
        assert!(matches!(Electorate::parse(" , ;"), Err(ElectorateError::Nobody(_))));
        assert_eq!(Electorate::parse("<@&7> <@1>"), Err(ElectorateError::Mixed));
        assert_eq!(Electorate::parse("<@&7> <@&8>"), Err(ElectorateError::Mixed));
        let many = (1..=51).map(|n| format!("<@{n}>")).collect::<Vec<_>>().join(" ");
        assert_eq!(Electorate::parse(&many), Err(ElectorateError::Many(51)));
        assert!(named.admits(UserId(2), &[]) && !named.admits(UserId(3), &[RoleId(7)]));
        assert!(Electorate::Role(RoleId(7)).admits(UserId(3), &[RoleId(7)]));
    }

    #[test]
    fn votes_are_stored_under_these_names() {
        let stored = serde_json::json!({
            "kind": "points", "question": "An app?", "solutions": [], "experts": [], "rules": VoteRules::default(),
            "state": {"closed": "deadline"}, "deadline": 7,
            "ballots": [{"voter": "1", "voter_name": "Ada", "allocation": [3, 7]}],
        });
        let vote: Vote = serde_json::from_value(stored.clone()).unwrap();
        assert_eq!((vote.kind, vote.deadline), (VoteKind::Points, Some(7)));
        assert_eq!(vote.ballots[0].points().map(Allocation::points), Some(&[3, 7][..]));
        assert_eq!(serde_json::to_value(&vote).unwrap(), stored);
    }
}
