//! What advocates cite. Each turn is kept with the pages it cites and numbers of its own; whoever reads several turns reads
//! them by one list.

use super::{Argument, Debate, DebateTurn, EvidenceKind, Slot, rules::parts_mut};
use crate::{Citing, Numbered, Searched, Source, SourceList, citations::cited};

impl Citing for DebateTurn {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        let evidence = self.acknowledged.iter_mut().map(|said| &mut said.how);
        std::iter::once(&mut self.in_short).chain(parts_mut(&mut self.body)).chain(evidence).for_each(change);
    }

    fn sources(&mut self) -> &mut Vec<Source> {
        &mut self.sources
    }
}

impl DebateTurn {
    /// What its marks point at.
    #[must_use]
    pub fn numbered(&self) -> Vec<Numbered> {
        (1..).zip(&self.sources).map(|(number, source)| Numbered { number, source: source.clone() }).collect()
    }

    /// Whether one of its arguments claims a fact and cites no page for it, though its side had the web searched.
    #[must_use]
    pub fn lacks_source(&self, argument: &Argument) -> bool {
        let Argument { claim, reasoning, assumptions, uncertainties, evidence, .. } = argument;
        let mut texts = [claim, reasoning].into_iter().chain(assumptions).chain(uncertainties);
        *evidence == EvidenceKind::Fact
            && self.searched.as_ref().is_some_and(Searched::was_tried)
            && texts.all(|text| cited(text).is_empty())
    }
}

impl Debate {
    /// The debate as the side of a turn reads it, its pages in one list and its marks by their numbers there. Where nobody
    /// is answered yet, nothing of the other side is in it.
    #[must_use]
    pub fn read_for(&self, slot: Slot) -> (Self, SourceList) {
        let mut sources = SourceList::default();
        let read = self.turns.iter().filter(|turn| !slot.act.is_early() || turn.slot.side == slot.side);
        let turns = read.map(|turn| sources.take_in(turn.clone())).collect();
        (Self { turns, ..self.clone() }, sources)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        Act, Body, Offered, Side,
        citations::{renumbered, within},
        sample::debate::{debate, turn},
    };

    fn page(number: usize) -> Source {
        Source::new(&format!("Page {number}"), &format!("https://a.example/{number}"), "").unwrap()
    }

    /// The pages that a text points at, in the order of its marks.
    fn pages(text: &str, list: &[Source]) -> Vec<String> {
        let mut pages = Vec::new();
        renumbered(text, |number| {
            pages.push(list[number - 1].url.as_str().to_owned());
            Some(number)
        });
        pages
    }

    fn opening(side: Side, text: &str) -> DebateTurn {
        let body = Body::Opening { position: text.to_owned(), preview: vec![], assumptions: vec![] };
        turn(Act::Opening, side, "", body)
    }

    fn position(turn: &DebateTurn) -> &str {
        let Body::Opening { position, .. } = &turn.body else { panic!("{turn:?}") };
        position
    }

    #[test]
    fn nobody_reads_pages_of_the_other_side_before_answering_it() {
        let mut debate = debate();
        let said = |side, number| {
            opening(side, "So [1].").citing(&Offered { found: vec![page(number)], ..Offered::default() })
        };
        debate.turns = vec![said(Side::Pro, 1), said(Side::Con, 2)];
        let early = Slot::new(Act::Case, Side::Con);
        let (read, list) = debate.read_for(early);
        assert_eq!((read.turns.len(), list.sources()), (1, &[page(2)][..]));
        assert_eq!(position(&read.turns[0]), "So [1].");
        let (read, list) = debate.read_for(Slot::new(Act::Rebuttal, Side::Con));
        assert_eq!((position(&read.turns[1]), list.sources()), ("So [2].", &[page(1), page(2)][..]));
        assert_eq!(position(&debate.turns[1]), "So [1].", "what is kept has numbers of its own");
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn whoever_reads_a_debate_finds_every_mark_at_its_page(
            turns in prop::collection::vec((prop::collection::vec(0usize..6, 0..5), "(\\[[1-6]\\]| |a|`|\n){0,12}", any::<bool>()), 1..7),
        ) {
            let mut debate = debate();
            debate.turns.clear();
            let mut meant = Vec::new();
            for (found, text, pro) in &turns {
                let side = if *pro { Side::Pro } else { Side::Con };
                let (_, list) = debate.read_for(Slot::new(Act::Rebuttal, side));
                let offered = list.offering(Source::merged(&[found.iter().map(|n| page(*n)).collect()], 8));
                let all = [offered.known.clone(), offered.found.clone()].concat();
                let (text, _) = within(text, offered.len());
                meant.push(pages(&text, &all));
                let turn = opening(side, &text).citing(&offered);
                prop_assert_eq!(&pages(position(&turn), &turn.sources), meant.last().unwrap());
                debate.turns.push(turn);
            }
            let (read, list) = debate.read_for(Slot::new(Act::Closing, Side::Pro));
            for (turn, meant) in read.turns.iter().zip(meant) {
                prop_assert_eq!(pages(position(turn), list.sources()), meant);
            }
        }
    }
}
