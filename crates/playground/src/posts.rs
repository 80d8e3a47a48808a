//! What members write into forums: posts with a title, a first message and tags, checked as Discord's client does.

use serde_json::json;

use super::Shared;
use super::guild::{FORUM, PUBLIC_THREAD};
use super::mentions::{Mentions, Unless};
use super::message::{Message, kind};
use super::options::Sentence;
use super::permissions::bits;
use super::snowflake::Id;
use super::world::World;

/// Most tags of a post.
const MOST_TAGS: usize = 5;
/// Longest title, in characters.
const LONGEST_TITLE: usize = 100;
/// Longest first message, in characters.
const LONGEST_TEXT: usize = 2000;

impl Shared {
    /// A member writes a post of a forum. Gives it; else a sentence for the member.
    pub(super) fn write_post(
        &self,
        member: Id,
        forum: Id,
        (title, text): (&str, &str),
        tags: &[Id],
    ) -> Result<Id, Sentence> {
        let mut world = self.world();
        world.may(member, forum, bits::SEND_MESSAGES, "write posts here")?;
        let (title, text) = (title.trim(), text.trim());
        if title.is_empty() || title.chars().count() > LONGEST_TITLE {
            return Err(format!("A post has a title of at most {LONGEST_TITLE} characters."));
        }
        if text.is_empty() || text.chars().count() > LONGEST_TEXT {
            return Err(format!("A post begins with a message of at most {LONGEST_TEXT} characters."));
        }
        may_tag(&world, member, forum, tags)?;
        let id = world.new_id();
        let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
        world.start_thread(
            id,
            forum,
            member,
            PUBLIC_THREAD,
            &json!({ "name": title, "applied_tags": tags }),
            None,
        );
        let mut first = Message::new(id, id, member, kind::DEFAULT);
        text.clone_into(&mut first.content);
        world.fill_mentions(&mut first, None, Unless::Message);
        first.readable = Mentions::scan(text).users.contains(&world.bot);
        world.post(first);
        Ok(id)
    }
}

fn may_tag(world: &World, member: Id, forum: Id, tags: &[Id]) -> Result<(), Sentence> {
    let place = world.channel(forum).filter(|place| place.kind == FORUM).ok_or("This is no forum.")?;
    let moderator = world.permissions(member, forum) & bits::MANAGE_THREADS != 0;
    if tags.len() > MOST_TAGS {
        return Err(format!("A post has at most {MOST_TAGS} tags."));
    }
    for tag in tags {
        let known = place.tags.iter().find(|known| known.id == *tag).ok_or("There is no such tag here.")?;
        if known.moderated && !moderator {
            return Err(format!("Only who manages threads sets the tag {}.", known.name));
        }
    }
    if place.requires_tag && tags.is_empty() && !moderator {
        return Err("A post of this forum needs a tag.".to_owned());
    }
    Ok(())
}
