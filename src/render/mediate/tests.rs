//! Cards of those who searched.

use proptest::prelude::*;

use super::{module_card, synthesis_cards};
use crate::{
    domain::{ModuleOutput, Numbered, Round, SearchFault, Searched, Solution, Source, SourceList, StepKey},
    render::{
        inspect,
        support::{MEMBERS, assert_fit, hostile, shown},
    },
    sample::{
        mediate::{output, panel, searched, synthesis},
        session,
    },
};

#[test]
fn what_is_cited_stands_below_with_whose_it_is() {
    let step = StepKey::new("round-1/market");
    let output = searched(output("market", Round::Independent));
    insta::assert_snapshot!("searched", shown(&module_card(&session(), &step, &output, None, None)));
}

#[test]
fn a_card_says_where_nothing_was_searched_and_why() {
    let step = StepKey::new("round-1/cost");
    let footer = |searched, dropped_citations| {
        let output = ModuleOutput { searched, dropped_citations, ..output("cost", Round::Independent) };
        module_card(&session(), &step, &output, None, None).remove(0).embeds.remove(0).footer
    };
    let found = |queries, pages| Some(Searched::Found { queries, pages });
    for (searched, dropped, said) in [
        (None, 0, ""),
        (None, 1, "1 made-up citation removed: nothing was searched"),
        (Some(Searched::NotSetUp), 0, "No search"),
        (Some(Searched::Off), 2, "2 made-up citations removed: nothing was searched"),
        (Some(Searched::NoQueries), 0, "No search: the model wrote no queries"),
        (Some(Searched::Failed(SearchFault::Key)), 0, "No search: it refused the bot's key"),
        (Some(Searched::Nothing), 0, "Searched, and found nothing"),
        (found(1, 1), 0, "1 search found 1 page"),
        (found(4, 8), 2, "4 searches found 8 pages · 2 citations removed that named no page"),
    ] {
        assert_eq!(footer(searched, dropped), said);
    }
}

#[test]
fn a_synthesis_lists_the_pages_that_it_cites_and_no_others() {
    let mut sources = SourceList::default();
    let _ = sources.take_in(searched(output("market", Round::Independent)));
    let mut synthesis = synthesis();
    synthesis.summary = format!("{} Couriers leave [2].", synthesis.summary);
    let solutions = Solution::distinct(&synthesis.recommendations);
    synthesis.sources = sources.cited_by(&synthesis);
    let said = (&synthesis, &solutions[..]);
    let card = shown(&synthesis_cards(&session(), &"synthesis".into(), said, &panel(""), &[], &[], false));
    let line = "**[2]** Couriers in small towns: a survey · <https://survey.example.com/couriers_%282025%29>";
    assert!(card.contains(line), "{card}");
    assert!(!card.contains("**[1]**"), "{card}");
}

proptest! {
    #![proptest_config(crate::cases(64))]

    #[test]
    fn whatever_pages_call_themselves_fits_and_is_no_markup(titles in prop::collection::vec(hostile(), 1..12), long in 1usize..900) {
        let page = |title: &String| {
            let url = format!("https://www.example.org/{}?a=(b)&c=[d]", "x".repeat(long));
            Source::new(title, &url, title).unwrap()
        };
        let sources: Vec<Source> = titles.iter().map(page).collect();
        let output = ModuleOutput { sources: sources.clone(), ..output("cost", Round::Independent) };
        assert_fit(&module_card(&session(), &"round-1/cost".into(), &output, None, None), MEMBERS);
        let pages: Vec<Numbered> = output.numbered();
        assert_fit(&inspect::whole("Cost", "It grows [1].", &pages), MEMBERS);
    }
}
