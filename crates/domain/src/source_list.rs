//! A session's sources in one list. Every speaker cites by a list of its own, `[1]` to `[n]`; before others read that, its
//! sources come onto the session's list, every page once, and its marks are given the numbers they have there.
//! No mark ever points at nothing, or at another page than before.

use std::collections::BTreeSet;

use super::{
    Alone, Challenge, ModuleOutput, Numbered, Position, Rejoinder, Source, Spoken, Synthesis,
    citations::{cited, renumbered},
};

/// Something that cites pages in its texts, and lists them with it until they stand on the session's list.
pub trait Citing: Sized {
    /// Each text in which there may be marks.
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String));

    /// What the marks point at, from 1.
    fn sources(&mut self) -> &mut Vec<Source>;

    /// With the sources that it cites, of those that were offered, numbered from 1 in the order in which they were.
    #[must_use]
    fn citing(mut self, offered: &Offered) -> Self {
        let mut numbers = BTreeSet::new();
        self.each_text(&mut |text| numbers.extend(cited(text)));
        let (places, sources): (Vec<usize>, Vec<Source>) = numbers
            .into_iter()
            .filter_map(|number| Some((number, offered.numbered(number)?.clone())))
            .unzip();
        let place = |number: usize| places.iter().position(|place| *place == number).map(|place| place + 1);
        self.each_text(&mut |text| *text = renumbered(text, place));
        *self.sources() = sources;
        self
    }
}

/// What somebody who writes may cite, in the order of its numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Offered {
    /// The session's own list so far.
    pub known: Vec<Source>,
    /// What was found just now and is on that list already, as it was found now, each with its place there, from 0.
    pub again: Vec<(usize, Source)>,
    /// What was found just now for the first time, numbered after the list.
    pub found: Vec<Source>,
}

impl Offered {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len() + self.found.len()
    }

    /// All that was found just now, each by its number, from 1: whoever judges by a page reads it, also where somebody has cited
    /// it already.
    pub fn shown(&self) -> impl Iterator<Item = (usize, &Source)> {
        let again = self.again.iter().map(|(place, source)| (place + 1, source));
        again.chain((self.known.len() + 1..).zip(&self.found))
    }

    /// The rest of the session's list, each by its number, from 1.
    pub fn beside(&self) -> impl Iterator<Item = (usize, &Source)> {
        let again = |number: usize| self.again.iter().any(|(place, _)| place + 1 == number);
        (1..).zip(&self.known).filter(move |(number, _)| !again(*number))
    }

    /// Whether there is nothing to cite.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The source of a number, from 1.
    fn numbered(&self, number: usize) -> Option<&Source> {
        let place = number.checked_sub(1)?;
        self.known.get(place).or_else(|| self.found.get(place.checked_sub(self.known.len())?))
    }
}

/// The sources of a session, each once, cited by their places from 1. It follows from what was said, so nothing keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceList(Vec<Source>);

impl SourceList {
    /// In the order of their numbers.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.0
    }

    /// The list, and after it what was found and is not on it yet.
    #[must_use]
    pub fn offering(&self, found: Vec<Source>) -> Offered {
        let place = |source: &Source| self.0.iter().position(|known| known.is_same(source));
        let (mut again, mut new) = (Vec::new(), Vec::new());
        for source in found {
            match place(&source) {
                Some(at) if again.iter().any(|(known, _)| *known == at) => {}
                Some(at) => again.push((at, source)),
                None => new.push(source),
            }
        }
        again.sort_by_key(|(at, _)| *at);
        Offered { known: self.0.clone(), again, found: new }
    }

    /// What was said as others read it: its sources are on the list, and its marks have their numbers from there.
    #[must_use]
    pub fn take_in<T: Citing>(&mut self, mut said: T) -> T {
        let own = std::mem::take(said.sources());
        let places: Vec<usize> = own.into_iter().map(|source| self.place(source)).collect();
        let place = |number: usize| places.get(number.checked_sub(1)?).copied();
        said.each_text(&mut |text| *text = renumbered(text, place));
        said
    }

    /// With pages that were found, whether or not anybody cites them.
    pub fn add(&mut self, found: impl IntoIterator<Item = Source>) {
        for source in found {
            self.place(source);
        }
    }

    /// What a synthesis cites.
    #[must_use]
    pub fn cited_by(&self, synthesis: &Synthesis) -> Vec<Numbered> {
        self.cited_in(synthesis.texts())
    }

    /// What texts cite that have the list's numbers.
    #[must_use]
    pub fn cited_in<'a>(&self, texts: impl Iterator<Item = &'a String>) -> Vec<Numbered> {
        let mut numbers = BTreeSet::new();
        texts.for_each(|text| numbers.extend(cited(text)));
        let sources = (1..).zip(&self.0).filter(|(number, _)| numbers.contains(number));
        sources.map(|(number, source)| Numbered { number, source: source.clone() }).collect()
    }

    /// The number of a source, which comes onto the list where it is not on it.
    fn place(&mut self, source: Source) -> usize {
        if let Some(place) = self.0.iter().position(|known| known.is_same(&source)) {
            return place + 1;
        }
        self.0.push(source);
        self.0.len()
    }
}

impl Synthesis {
    /// Each text that people read.
    pub(super) fn texts(&self) -> impl Iterator<Item = &String> {
        let conflicts = self.conflicts.iter().flat_map(|conflict| [&conflict.description, &conflict.settles]);
        let carried = self.conflicts.iter().filter_map(|conflict| conflict.carries.as_ref());
        let kept = self.kept_against.iter().flat_map(|kept| [&kept.finding, &kept.right_if]);
        let unknown = self.unknown.iter().flat_map(|unknown| [&unknown.what, &unknown.find_out]);
        let options = self.options.iter().flat_map(|option| [&option.action, &option.cost, &option.stop]);
        let flags = self.flags.iter().map(|flag| &flag.text);
        let notes = self.gaps.iter().chain(&self.deactivated_disclaimer);
        let lists = self.objected.iter().chain(&self.unanswered);
        [&self.answer, &self.text]
            .into_iter()
            .chain(lists)
            .chain(conflicts)
            .chain(carried)
            .chain(kept)
            .chain(unknown)
            .chain(options)
            .chain(flags)
            .chain(notes)
    }
}

impl Position {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        change(&mut self.option);
        change(&mut self.crux);
    }
}

impl ModuleOutput {
    /// What its marks point at.
    #[must_use]
    pub fn numbered(&self) -> Vec<Numbered> {
        (1..).zip(&self.sources).map(|(number, source)| Numbered { number, source: source.clone() }).collect()
    }

    /// Each text that people read.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        self.clone().each_text(&mut |text| texts.push(text.clone()));
        texts.retain(|text| !text.is_empty());
        texts
    }
}

impl Citing for ModuleOutput {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        match &mut self.said {
            Spoken::Alone(Alone { reference, analysis, position, flags, summary }) => {
                [summary, reference, analysis].into_iter().for_each(&mut *change);
                position.each_text(change);
                for flag in flags {
                    change(&mut flag.text);
                }
            }
            Spoken::Challenge(Challenge {
                against,
                responses,
                position,
                analysis,
                flags,
                summary,
                revised,
            }) => {
                [summary, against, analysis].into_iter().chain(revised).for_each(&mut *change);
                for Rejoinder { finding, because, effect, of: _, verdict: _ } in responses {
                    [finding, because, effect].into_iter().for_each(&mut *change);
                }
                position.each_text(change);
                for flag in flags {
                    change(&mut flag.text);
                }
            }
        }
    }

    fn sources(&mut self) -> &mut Vec<Source> {
        &mut self.sources
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{citations, sample::mediate};

    fn source(page: usize) -> Source {
        Source::new(&format!("Page {page}"), &format!("https://example.org/{page}"), "").unwrap()
    }

    fn saying(text: &str, offered: &Offered) -> ModuleOutput {
        let (analysis, _) = citations::within(text, offered.len());
        mediate::saying("risk", &analysis).citing(offered)
    }

    /// The pages that a text points at, in the order of its marks, by a list.
    fn pages(text: &str, list: &[Source]) -> Vec<String> {
        let mut pages = Vec::new();
        renumbered(text, |number| {
            pages.push(list[number - 1].url.as_str().to_owned());
            Some(number)
        });
        pages
    }

    #[test]
    fn only_what_is_cited_is_kept_and_numbered_from_one() {
        let offered =
            Offered { known: vec![source(1)], found: vec![source(2), source(3)], ..Offered::default() };
        let output = saying("Three [3], one [1], none [4].", &offered);
        assert_eq!(output.analysis(), "Three [2], one [1], none.");
        assert_eq!(output.sources, [source(1), source(3)]);
    }

    #[test]
    fn a_page_found_twice_is_one_source_for_all() {
        let mut list = SourceList::default();
        let offered = |pages: &[usize]| list_of(pages);
        let first = list.take_in(saying("A [1] B [2]", &offered(&[7, 8])));
        let second = list.take_in(saying("B [1] C [2]", &offered(&[8, 9])));
        assert_eq!((first.analysis(), second.analysis()), ("A [1] B [2]", "B [2] C [3]"));
        assert_eq!(list.sources(), [source(7), source(8), source(9)]);
        assert!(first.sources.is_empty() && second.sources.is_empty());
        let passage = |text: &str| Source { excerpt: text.to_owned(), ..source(9) };
        let offered = list.offering(vec![passage("now"), source(5), passage("twice")]);
        let shown: Vec<(usize, Source)> =
            offered.shown().map(|(number, page)| (number, page.clone())).collect();
        assert_eq!(
            shown,
            [(3, passage("now")), (4, source(5))],
            "what is found again is shown as it is found now"
        );
        assert_eq!(offered.beside().map(|(number, _)| number).collect::<Vec<_>>(), [1, 2]);
    }

    fn list_of(pages: &[usize]) -> Offered {
        Offered { found: pages.iter().map(|page| source(*page)).collect(), ..Offered::default() }
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn every_mark_points_at_the_page_that_it_pointed_at_before(
            speakers in prop::collection::vec((prop::collection::vec(0usize..6, 0..5), "(\\[[1-6]\\]| |a|\\[1, 3\\]|`|\n){0,12}"), 1..6),
        ) {
            let mut list = SourceList::default();
            let mut kept = Vec::new();
            for (found, text) in &speakers {
                let found = Source::merged(&[found.iter().map(|page| source(*page)).collect()], 8);
                let offered = list.offering(found);
                let all = [offered.known.clone(), offered.found.clone()].concat();
                let (text, _) = citations::within(text, offered.len());
                let before = pages(&text, &all);
                let output = saying(&text, &offered);
                prop_assert_eq!(&pages(output.analysis(), &output.sources), &before);
                let output = list.take_in(output);
                kept.push((output.analysis().to_owned(), before));
            }
            // What came onto the list later moves nothing.
            for (text, before) in kept {
                prop_assert_eq!(pages(&text, list.sources()), before);
            }
        }
    }
}
