//! Forums: channels in which everything is a post with tags, and which of their tags say where a session stands.

use serde::Deserialize;
use strum::{EnumString, IntoStaticStr};

use super::{SessionState, Status, TagId, VoteState};

/// A tag that a forum has.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct ForumTag {
    /// Its number.
    pub id: TagId,
    /// Its name, at most 20 characters.
    pub name: String,
    /// Only who manages threads sets it or takes it away.
    #[serde(default)]
    pub moderated: bool,
}

/// Most tags of a post.
const MOST_TAGS: usize = 5;

/// Where a session stands, as far as a forum's tags say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum StateTag {
    /// The panel is at it.
    Running,
    /// Somebody has to do something before it goes on.
    Waiting,
    /// The team can vote on what came out.
    Voting,
    /// It came to its end, and nothing is decided.
    Done,
    /// What it was about is decided.
    Decided,
    /// It ended before it came to anything.
    Ended,
}

/// How the tags of a state are called, the most fitting first; capitals do not matter.
const NAMES: [(StateTag, &[&str]); 6] = [
    (StateTag::Running, &["running", "in progress", "open"]),
    (StateTag::Waiting, &["waiting", "paused"]),
    (StateTag::Voting, &["voting", "vote", "waiting"]),
    (StateTag::Done, &["done", "answered"]),
    (StateTag::Decided, &["decided", "resolved", "solved", "done", "answered"]),
    (StateTag::Ended, &["cancelled", "stopped", "closed"]),
];

impl StateTag {
    /// Where a session stands.
    #[must_use]
    pub fn of(status: &Status) -> Self {
        match (status.state, &status.came_out) {
            (SessionState::Running, _) => Self::Running,
            (SessionState::Paused | SessionState::Waiting, _) => Self::Waiting,
            (SessionState::Failed | SessionState::Cancelled | SessionState::Parked, _) => Self::Ended,
            (SessionState::Done, Some(came_out)) if came_out.decision.is_some() => Self::Decided,
            (SessionState::Done, Some(came_out)) if came_out.vote.state == VoteState::Open => Self::Voting,
            (SessionState::Done, _) => Self::Done,
        }
    }

    /// As the database spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the database's spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn names(self) -> &'static [&'static str] {
        NAMES.iter().find(|(state, _)| *state == self).map_or(&[], |(_, names)| names)
    }
}

/// What a forum asks of its posts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Forum {
    /// The tags there are, in their order.
    pub tags: Vec<ForumTag>,
    /// Every post has to carry one.
    pub requires_tag: bool,
}

impl Forum {
    /// The tags of a post that is opened with a session in this state: the tag of the state; else none, unless one has to be,
    /// and then the first that is not left to moderators. `None`: there is no such tag, so that only a moderator can post here.
    #[must_use]
    pub fn first_tags(&self, state: StateTag) -> Option<Vec<TagId>> {
        if let Some(tag) = self.tag_of(state) {
            return Some(vec![tag]);
        }
        if !self.requires_tag {
            return Some(Vec::new());
        }
        // One that says another state would be wrong, and is better than no post.
        let open = || self.tags.iter().filter(|tag| !tag.moderated);
        let first = open().find(|tag| !says_a_state(tag)).or_else(|| open().next());
        first.map(|tag| vec![tag.id])
    }

    /// Whether any of its tags says a state.
    #[must_use]
    pub fn says_states(&self) -> bool {
        self.tags.iter().any(says_a_state)
    }

    /// What a post carries once its session is in this state, instead of `carried`: the tag of the state and none of other
    /// states. Other tags stay, and so do those that are left to moderators. `None`: nothing is to be changed.
    #[must_use]
    pub fn retagged(&self, carried: &[TagId], state: StateTag) -> Option<Vec<TagId>> {
        let wanted = self.tag_of(state);
        let of_another = |id: &TagId| {
            Some(*id) != wanted && self.tags.iter().any(|tag| tag.id == *id && says_a_state(tag))
        };
        let mut tags: Vec<TagId> = carried.iter().copied().filter(|id| !of_another(id)).collect();
        if let Some(wanted) = wanted.filter(|wanted| !tags.contains(wanted))
            && tags.len() < MOST_TAGS
        {
            tags.push(wanted);
        }
        let allowed = !(tags.is_empty() && self.requires_tag);
        (allowed && tags != carried).then_some(tags)
    }

    /// The tag of a state.
    fn tag_of(&self, state: StateTag) -> Option<TagId> {
        let named = |name: &&str| self.tags.iter().find(|tag| !tag.moderated && is_called(tag, name));
        state.names().iter().find_map(named).map(|tag| tag.id)
    }
}

fn is_called(tag: &ForumTag, name: &str) -> bool {
    tag.name.trim().to_lowercase() == name
}

/// Whether a tag says a state. What moderators keep for themselves says what they mean by it.
fn says_a_state(tag: &ForumTag) -> bool {
    !tag.moderated && NAMES.iter().any(|(_, names)| names.iter().any(|name| is_called(tag, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forum(tags: &[(&str, bool)], requires_tag: bool) -> Forum {
        let tags = (1..).zip(tags).map(|(id, (name, moderated))| ForumTag {
            id: TagId(id),
            name: (*name).to_owned(),
            moderated: *moderated,
        });
        Forum { tags: tags.collect(), requires_tag }
    }

    fn ids(ids: &[u64]) -> Vec<TagId> {
        ids.iter().copied().map(TagId).collect()
    }

    #[test]
    fn a_new_post_carries_the_tag_of_its_state_or_one_only_where_one_has_to_be() {
        for (tags, required, first) in [
            (&[("Mine", true), ("Bakery", false), ("Shop", false)][..], false, Some(ids(&[]))),
            (&[("Mine", true), ("Bakery", false), ("Shop", false)], true, Some(ids(&[2]))),
            (&[("Bakery", false), ("IN PROGRESS", false)], false, Some(ids(&[2]))),
            (&[("Open", false), (" running ", false)], true, Some(ids(&[2]))),
            (&[("Decided", false), ("Bakery", false)], true, Some(ids(&[2]))),
            (&[("Decided", false)], true, Some(ids(&[1]))),
            (&[("Running", true)], false, Some(ids(&[]))),
            (&[("Running", true)], true, None),
            (&[], true, None),
        ] {
            assert_eq!(forum(tags, required).first_tags(StateTag::Running), first, "{tags:?}");
        }
    }

    #[test]
    fn a_post_carries_the_tag_of_its_state_and_of_no_other() {
        let all =
            [("Bakery", false), ("Running", false), ("Waiting", false), ("Done", false), ("Solved", true)];
        let all = forum(&all, false);
        assert!(all.says_states());
        for (carried, state, tags) in [
            (&[1, 2][..], StateTag::Voting, Some(&[1, 3][..])),
            (&[1, 3], StateTag::Waiting, None),
            (&[3, 1], StateTag::Done, Some(&[1, 4])),
            // What only moderators set is theirs.
            (&[4, 5], StateTag::Decided, None),
            (&[5, 2], StateTag::Decided, Some(&[5, 4])),
            // No tag says it.
            (&[1, 2], StateTag::Ended, Some(&[1])),
            (&[2], StateTag::Ended, Some(&[])),
            (&[], StateTag::Ended, None),
            // There is no room for a sixth; one of another state makes some.
            (&[1, 11, 12, 13, 14], StateTag::Running, None),
            (&[1, 2, 11, 12, 13], StateTag::Done, Some(&[1, 11, 12, 13, 4])),
        ] {
            assert_eq!(all.retagged(&ids(carried), state), tags.map(ids), "{carried:?} {state:?}");
        }
        let required = forum(&[("Running", false)], true);
        assert_eq!(required.retagged(&ids(&[1]), StateTag::Done), None, "one has to stay");
        assert!(!forum(&[("Bakery", false), ("Decided", true)], false).says_states());
    }

    #[test]
    fn each_state_has_names_and_a_spelling() {
        for (state, names) in NAMES {
            assert_eq!(StateTag::parse(state.as_str()), Some(state));
            assert!(!names.is_empty() && names.iter().all(|name| *name == name.to_lowercase()));
        }
    }
}
