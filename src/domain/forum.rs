//! Forums: channels in which everything is a post with tags.

use serde::Deserialize;

use super::TagId;

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

/// What a forum asks of its posts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Forum {
    /// The tags there are, in their order.
    pub tags: Vec<ForumTag>,
    /// Every post has to carry one.
    pub requires_tag: bool,
}

impl Forum {
    /// The tags of a new post: none unless one has to be, and then the first that is not left to moderators. `None`: there
    /// is no such tag, so that only a moderator can post here.
    #[must_use]
    pub fn first_tags(&self) -> Option<Vec<TagId>> {
        if !self.requires_tag {
            return Some(Vec::new());
        }
        self.tags.iter().find(|tag| !tag.moderated).map(|tag| vec![tag.id])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_post_carries_a_tag_only_where_one_has_to_be() {
        let tag = |id, moderated| ForumTag { id: TagId(id), name: format!("tag {id}"), moderated };
        let forum = |tags: &[ForumTag], requires_tag| Forum { tags: tags.to_vec(), requires_tag };
        let both = [tag(1, true), tag(2, false), tag(3, false)];
        assert_eq!(forum(&both, false).first_tags(), Some(vec![]));
        assert_eq!(forum(&both, true).first_tags(), Some(vec![TagId(2)]));
        assert_eq!(forum(&both[..1], true).first_tags(), None);
        assert_eq!(forum(&[], true).first_tags(), None);
    }
}
