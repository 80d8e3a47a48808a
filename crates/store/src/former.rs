//! Somebody who had their data deleted, in what stays because others had a part in it: their name, their number and their
//! words are taken out of it, and what they gave in votes stays true without them.

use std::cmp::Reverse;

use serde_json::Value;

use crate::quotations::Quotations;
use domain::{Decision, Electorate, FORMER_MEMBER, UserId, WORDS_DELETED, called, replace_word};

/// Words this short are no quotation of anybody: what holds them may have them from somebody else.
const SHORT: usize = 12;

/// Under which names values of the domain hold somebody's name.
const NAMES: [&str; 6] = ["author_name", "voter_name", "by_name", "by", "raised_by", "owner"];

/// Under which name somebody's number stands, and under which the name they went by.
const BESIDE: [(&str, &str); 3] = [("author", "author_name"), ("voter", "voter_name"), ("by", "by_name")];

/// Under which names they hold somebody's words, beside whose they are.
const WORDS: [&str; 3] = ["text", "claim", "source"];

/// Under which name a document's text is looked through: places are counted in it.
const DOCUMENT: &str = "a document's text";

/// Where nothing is taken out of the middle: an address leads nowhere without it.
const WHOLE: [&str; 2] = ["url", DOCUMENT];

/// Under which name a quotation stands by itself.
const QUOTATION: &str = "quote";

/// Who it was, and what is known of them where something has to be taken out.
#[derive(Clone, Debug)]
pub(super) struct Former {
    /// Their number.
    pub(super) member: UserId,
    /// The number that stands in its place: the same in all votes of a session, else nobody could count who changed
    /// their mind, and known to nobody.
    pub(super) stand_in: UserId,
    /// The names they went by.
    pub(super) names: Vec<String>,
    /// Those of their names that are nothing else where they stand: taken out of any text.
    pub(super) proper: Vec<String>,
    /// What they wrote.
    pub(super) words: Vec<String>,
    /// The same, as others quote it.
    pub(super) quoted: Quotations,
}

impl Former {
    /// Whoever it was, by the names that stand beside their number in a stored value.
    pub(super) fn named_in(json: &str, member: UserId, stand_in: UserId) -> Self {
        fn look(value: &Value, number: &str, names: &mut Vec<String>) {
            match value {
                Value::Array(items) => items.iter().for_each(|item| look(item, number, names)),
                Value::Object(map) => {
                    for (who, name) in BESIDE {
                        if map.get(who).and_then(Value::as_str) == Some(number) {
                            names.extend(map.get(name).and_then(Value::as_str).map(str::to_owned));
                        }
                    }
                    map.values().for_each(|value| look(value, number, names));
                }
                _ => {}
            }
        }
        let mut names = Vec::new();
        if let Ok(value) = serde_json::from_str(json) {
            look(&value, &member.to_string(), &mut names);
        }
        Self { member, stand_in, names, proper: Vec::new(), words: Vec::new(), quoted: Quotations::default() }
    }

    /// A stored value without them; `None` where it has nothing of them.
    pub(super) fn without(&self, json: &str) -> Option<String> {
        let before: Value = serde_json::from_str(json).ok()?;
        let mut after = before.clone();
        self.take_out(&mut after, "");
        (after != before).then(|| after.to_string())
    }

    fn take_out(&self, value: &mut Value, name: &str) {
        match value {
            Value::String(text) => {
                if let Some(changed) = self.said_without(text, name) {
                    *text = changed;
                }
                *text = self.unmentioned(text);
                // An expert may be called as they are.
                if name != "name" || !self.names.contains(text) {
                    *text = self.proper.iter().fold(text.clone(), |said, name| without_name(&said, name));
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.take_out(item, name)),
            Value::Object(map) => {
                let theirs = ["author", "voter"].iter().any(|who| {
                    map.get(*who).and_then(Value::as_str) == Some(self.member.to_string().as_str())
                });
                let is_document = map.contains_key("sha256");
                for (name, value) in map.iter_mut() {
                    let mut name = name.as_str();
                    if let (true, "text", Value::String(text)) = (is_document, name, &mut *value) {
                        self.words.iter().for_each(|words| blank(text, words));
                        name = DOCUMENT;
                    }
                    if theirs && WORDS.contains(&name) && value.is_string() {
                        *value = WORDS_DELETED.into();
                    } else {
                        self.take_out(value, name);
                    }
                }
            }
            _ => {}
        }
    }

    /// A text that stands under this name, without them.
    fn said_without(&self, text: &str, name: &str) -> Option<String> {
        if *text == self.member.to_string() {
            return Some(self.stand_in.to_string());
        }
        if NAMES.contains(&name) && self.names.iter().any(|name| name == text) {
            return Some(FORMER_MEMBER.to_owned());
        }
        let mut said = text.to_owned();
        for mention in [format!("<@{}>", self.member), format!("<@!{}>", self.member)] {
            said = said.replace(&mention, FORMER_MEMBER);
        }
        for words in self.words.iter().filter(|words| words.chars().count() >= SHORT) {
            said = without_words(&said, words);
        }
        if name == QUOTATION && self.quoted.holds(&said) {
            return Some(WORDS_DELETED.to_owned());
        }
        if !WHOLE.contains(&name) {
            said = self.quoted.taken_out(&said).unwrap_or(said);
        }
        (said != text).then_some(said)
    }

    /// A text in which nobody mentions them: mentions are written down by name.
    fn unmentioned(&self, text: &str) -> String {
        let mut names: Vec<String> = self.names.iter().filter_map(|name| called(name)).collect();
        // One may begin with another.
        names.sort_by_key(|name| Reverse(name.len()));
        names.iter().fold(text.to_owned(), |said, name| without_name(&said, &format!("@{name}")))
    }

    /// What stands in a column without them: a value of the domain, or a text. `None` where it has nothing of them.
    pub(super) fn cleaned(&self, stored: &str) -> Option<String> {
        if stored.starts_with(['{', '[']) && serde_json::from_str::<Value>(stored).is_ok() {
            return self.without(stored);
        }
        if self.names.iter().any(|name| name == stored) {
            return Some(FORMER_MEMBER.to_owned());
        }
        let said = self.said_without(stored, "").unwrap_or_else(|| stored.to_owned());
        let said = self.proper.iter().fold(self.unmentioned(&said), |said, name| without_name(&said, name));
        (said != stored).then_some(said)
    }

    /// A sentence of the bot's own without their name.
    pub(super) fn unnamed(&self, sentence: &str) -> String {
        let names = self.names.iter().filter(|name| !name.is_empty());
        names.fold(sentence.to_owned(), |said, name| without_name(&said, name))
    }

    /// A post of the bot's own without their name, and without what they wrote.
    pub(super) fn unnamed_post(&self, json: &str) -> Option<String> {
        fn walk(value: &mut Value, former: &Former) {
            match value {
                Value::String(text) => *text = former.unnamed(text),
                Value::Array(items) => items.iter_mut().for_each(|item| walk(item, former)),
                Value::Object(map) => map.values_mut().for_each(|value| walk(value, former)),
                _ => {}
            }
        }
        let before: Value = serde_json::from_str(json).ok()?;
        let mut after = before.clone();
        for part in ["content", "embeds"] {
            if let Some(value) = after.get_mut(part) {
                walk(value, self);
            }
        }
        (after != before).then(|| after.to_string())
    }

    /// A decision record without them. What was decided, and every point of the vote, stays.
    pub(super) fn leave(&self, decision: &mut Decision) {
        if decision.by == self.member {
            decision.by = self.stand_in;
            FORMER_MEMBER.clone_into(&mut decision.by_name);
        }
        for ballot in decision.vote.ballots.iter_mut().filter(|ballot| ballot.voter == self.member) {
            ballot.voter = self.stand_in;
            FORMER_MEMBER.clone_into(&mut ballot.voter_name);
        }
        if let Electorate::Named(members) = &mut decision.vote.rules.electorate {
            members
                .iter_mut()
                .filter(|member| **member == self.member)
                .for_each(|member| *member = self.stand_in);
        }
        for solution in decision.vote.solutions.iter_mut().filter(|solution| solution.proposed) {
            for by in solution.raised_by.iter_mut().filter(|by| self.names.contains(by)) {
                FORMER_MEMBER.clone_into(by);
            }
        }
        decision.rationale =
            self.said_without(&decision.rationale, "").unwrap_or_else(|| decision.rationale.clone());
        for text in [&mut decision.owner, &mut decision.dissent] {
            *text = self.said_without(text, "owner").unwrap_or_else(|| self.unnamed(text));
        }
    }
}

/// Whether a name is nothing but a name in these texts. One that is a word of theirs too (Will, Mark, art) would take that
/// word out of what others wrote; it goes only where it certainly stands for somebody.
pub(super) fn is_proper<'a>(name: &str, mut texts: impl Iterator<Item = &'a str>) -> bool {
    let small = name.to_lowercase();
    if name.chars().count() < 3 || name.chars().any(|c| !c.is_alphabetic()) {
        return name.chars().count() >= 3;
    }
    small != name && !texts.any(|text| without_name(text, &small) != text)
}

/// Takes words out of a document's text, in which every place stays where it was, for places are counted in it.
fn blank(text: &mut String, words: &str) {
    if words.chars().count() < SHORT || !text.contains(words) {
        return;
    }
    let breaks = words.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
    let mut blanked: String = breaks.collect();
    let first = blanked.find('\n').unwrap_or(blanked.len());
    if first >= WORDS_DELETED.len() {
        blanked.replace_range(..WORDS_DELETED.len(), WORDS_DELETED);
    }
    *text = text.replace(words, &blanked);
}

/// A text in which whoever is called so is a former member; a part of another word is nobody's name.
fn without_name(text: &str, name: &str) -> String {
    replace_word(text, name, FORMER_MEMBER)
}

/// A text without these words, and without their beginning where a card had no room for more and cut them.
fn without_words(text: &str, words: &str) -> String {
    let text = text.replace(words, WORDS_DELETED);
    let begins: String = words.chars().take(SHORT).collect();
    let (mut out, mut rest) = (String::new(), text.as_str());
    while let Some(at) = rest.find(&begins) {
        let alike = rest[at..].chars().zip(words.chars()).take_while(|(there, word)| there == word);
        let end = at + alike.map(|(there, _)| there.len_utf8()).sum::<usize>();
        if let Some(after) = rest[end..].strip_prefix('…') {
            out.push_str(&rest[..at]);
            out.push_str(WORDS_DELETED);
            rest = after;
        } else {
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn former() -> Former {
        Former {
            member: UserId(42),
            stand_in: UserId(7),
            names: vec!["Ben".to_owned()],
            proper: Vec::new(),
            words: vec!["The council pays for bikes".to_owned(), "for".to_owned()],
            quoted: Quotations::default(),
        }
    }

    #[test]
    fn whose_it_was_and_what_they_wrote_are_gone_and_all_else_stays() {
        let stored = json!({
            "notes": [{"author": "42", "author_name": "Ben", "text": "for"}, {"author": "43", "author_name": "Ada", "text": "for"}],
            "verdict": "for", "name": "Ben",
            "quoted": "Ben says: The council pays for bikes, <@42>.",
        });
        let after: Value = serde_json::from_str(&former().without(&stored.to_string()).unwrap()).unwrap();
        assert_eq!(
            after,
            json!({
                "notes": [{"author": "7", "author_name": FORMER_MEMBER, "text": WORDS_DELETED}, {"author": "43", "author_name": "Ada", "text": "for"}],
                "verdict": "for", "name": "Ben",
                "quoted": format!("Ben says: {WORDS_DELETED}, {FORMER_MEMBER}."),
            })
        );
        assert_eq!(former().without(&json!({"verdict": "for"}).to_string()), None);
        assert_eq!(former().without("not json"), None);
    }

    #[test]
    fn a_name_that_is_nothing_else_is_gone_from_every_text_and_a_word_of_others_stays() {
        assert!(is_proper("Ben", ["As Ben says.", "Benefit"].into_iter()));
        assert!(is_proper("ben_92", ["a"].into_iter()));
        for ordinary in ["Will", "will", "Al"] {
            assert!(!is_proper(ordinary, ["What will it cost?"].into_iter()), "{ordinary}");
        }
        let former = Former { proper: vec!["Ben".to_owned()], ..former() };
        let stored =
            json!({"said": "As Ben says, Ruben.", "name": "Ben", "file": {"name": "message by Ben"}});
        let after: Value = serde_json::from_str(&former.cleaned(&stored.to_string()).unwrap()).unwrap();
        let left = json!({
            "said": format!("As {FORMER_MEMBER} says, Ruben."), "name": "Ben",
            "file": {"name": format!("message by {FORMER_MEMBER}")},
        });
        assert_eq!(after, left);
        assert_eq!(former.cleaned("Ben").as_deref(), Some(FORMER_MEMBER));
        assert_eq!(former.cleaned("Do we open?"), None);
    }

    #[test]
    fn a_document_keeps_its_places_when_words_are_taken_out_of_it() {
        let words = "The council pays for bikes, and for all of the roads\nand for nothing else";
        let former = Former { words: vec![words.to_owned()], ..former() };
        let text = format!("One.\n{words}\nLast.");
        let stored = json!({"name": "a.md", "text": text, "sha256": "0"});
        let after: Value = serde_json::from_str(&former.cleaned(&stored.to_string()).unwrap()).unwrap();
        let left = after["text"].as_str().unwrap();
        assert!(!left.contains("council") && !left.contains("nothing else") && left.contains(WORDS_DELETED));
        assert_eq!(left.find("Last."), text.find("Last."));
        assert_eq!(left.lines().count(), text.lines().count());
    }

    #[test]
    fn what_others_quote_goes_and_documents_and_addresses_stay_as_they_are() {
        let asked =
            "Who says that the council pays for all of the bikes, https://www.example.org/a?".to_owned();
        let former = Former { quoted: Quotations::of([&asked]), ..former() };
        let stored = json!({
            "file": {"name": "a.md", "text": "One. Who says that the council pays for roads?", "sha256": "0"},
            "page": {"url": "https://www.example.org/b"},
            "claim": "Nobody says that the council pays for all of the bikes alone.",
            "quote": "for all of the bikes",
        });
        let after: Value = serde_json::from_str(&former.cleaned(&stored.to_string()).unwrap()).unwrap();
        assert_eq!((&after["file"], &after["page"]), (&stored["file"], &stored["page"]));
        assert_eq!(after["claim"], format!("Nobody {WORDS_DELETED} alone."));
        assert_eq!(after["quote"], WORDS_DELETED);
    }

    #[test]
    fn whoever_is_mentioned_by_name_is_gone_too() {
        let former = Former { names: vec!["Ben".to_owned(), "Ben  [`B`]".to_owned()], ..former() };
        for (said, left) in [
            ("Ask @Ben, or @Ben B.", "Ask a former member, or a former member."),
            ("@Benjamin knows, mail@Ben too, and Ben.", "@Benjamin knows, mail@Ben too, and Ben."),
        ] {
            let stored = json!({ "text": said }).to_string();
            let after = former.without(&stored).unwrap_or(stored);
            assert_eq!(serde_json::from_str::<Value>(&after).unwrap()["text"], left);
        }
    }

    #[test]
    fn words_that_were_cut_are_taken_out_too() {
        let words = "The council pays for bikes";
        for (said, left) in [
            ("E1 (The council pays…) used", format!("E1 ({WORDS_DELETED}) used")),
            ("The council pays for bikes, The council pays f…", format!("{WORDS_DELETED}, {WORDS_DELETED}")),
            ("The council…", "The council…".to_owned()),
            ("The council pays nothing…", "The council pays nothing…".to_owned()),
        ] {
            assert_eq!(without_words(said, words), left);
        }
    }

    #[test]
    fn a_name_is_taken_out_of_a_sentence_and_not_out_of_another_word() {
        assert_eq!(former().unnamed("Paused by Ben."), "Paused by a former member.");
        assert_eq!(former().unnamed("Benefit of Ruben"), "Benefit of Ruben");
    }
}
