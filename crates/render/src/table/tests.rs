//! Cards of those who searched, of a choice, and in `table` those of the rounds and of the memo.

use proptest::prelude::*;

use super::{
    Choice, SeatInRound, Seated, memo_cards, no_research_card, research_cards, research_text, round_card,
    selection_card, whole_selection,
};
use crate::{
    sample::{
        mediate::{chosen, name, output, panel, research, searched, selecting, solutions, synthesis},
        session,
    },
    {
        inspect,
        support::{MEMBERS, assert_fit, hostile, shown},
    },
};
use domain::{
    AdHocModule, ConflictResolution, ModuleName, ModuleOutput, Numbered, Picked, Post, Research, Round,
    SearchFault, Searched, Searching, SelectionMetadata, Solution, Source, SourceList, StepKey, Supported,
    Synthesis, Unfit,
};

mod table;

/// A seat that answered by itself.
fn seat(output: &ModuleOutput) -> SeatInRound<'_> {
    let step = StepKey::new(format!("round-{}/{}", output.round.number(), output.module));
    SeatInRound { output, first: None, redelegation: None, step }
}

/// A memo's cards with nothing beside it.
fn plain_memo(said: (&Synthesis, &[Solution])) -> Vec<Post> {
    memo_cards(&session(), &"synthesis".into(), said, (&panel(""), None), &[], &[], Seated::Apart)
}

#[test]
fn a_seat_that_searched_says_so_below() {
    let output = searched(output("market", Round::Independent));
    let card = round_card(&session(), Round::Independent, &[seat(&output)], &[]);
    insta::assert_snapshot!("searched", shown(&[card]));
}

#[test]
fn a_card_says_where_nothing_was_searched_and_why() {
    let footer = |searched, dropped_citations| {
        let output = ModuleOutput { searched, dropped_citations, ..output("cost", Round::Independent) };
        round_card(&session(), Round::Independent, &[seat(&output)], &[]).embeds.remove(0).footer
    };
    let found = |queries: &[&str], pages| {
        Some(Searched::Found { queries: queries.iter().map(|&query| query.to_owned()).collect(), pages })
    };
    for (searched, dropped, said) in [
        (None, 0, ""),
        (None, 1, "1 made-up citation removed: nothing was searched"),
        (Some(Searched::NotSetUp), 0, "No search: none is set up"),
        (Some(Searched::Off), 0, ""),
        (Some(Searched::Off), 2, "2 made-up citations removed: nothing was searched"),
        (Some(Searched::NoQueries), 0, "No search: the model wrote no queries"),
        (Some(Searched::Failed(SearchFault::Key)), 0, "No search: it refused the bot's key"),
        (Some(Searched::Nothing), 0, "Searched, and found nothing"),
        (found(&["rider pay"], 1), 0, "1 search found 1 page: “rider pay”"),
        (
            found(&["rider pay", "**fee**"], 8),
            2,
            "2 searches found 8 pages: “rider pay”, “**fee**” · 2 citations removed that named no page",
        ),
    ] {
        assert_eq!(footer(searched, dropped), said);
    }
}

#[test]
fn a_memo_lists_the_pages_that_it_cites_and_no_others() {
    let mut sources = SourceList::default();
    let _ = sources.take_in(searched(output("market", Round::Independent)));
    let mut synthesis = synthesis();
    synthesis.answer = format!("{} Couriers leave [2].", synthesis.answer);
    let solutions = Solution::distinct(&synthesis.options);
    synthesis.sources = sources.cited_by(&synthesis);
    let said = (&synthesis, &solutions[..]);
    let card = shown(&plain_memo(said));
    let line = "**[2]** Couriers in small towns: a survey · <https://survey.example.com/couriers_%282025%29>";
    assert!(card.contains(line), "{card}");
    assert!(!card.contains("**[1]**"), "{card}");
}

#[test]
fn deep_research_shows_what_the_pages_support_and_what_is_open() {
    let (step, research) = (StepKey::new("research"), research());
    insta::assert_snapshot!("research", shown(&research_cards(&session(), &step, &research, &solutions())));
    insta::assert_snapshot!("research_whole", research_text(&research));
    let none = shown(&research_cards(&session(), &step, &Research::default(), &[]));
    assert!(none.contains("nothing to look into") && !none.contains("Whole research"), "{none}");
    let off = shown(&no_research_card(Searching::NotSetUp));
    assert!(off.contains("No deep research") && off.contains("has set up no search"), "{off}");
}

#[test]
fn what_is_not_settled_says_why() {
    let [fee, cash] = <[ConflictResolution; 2]>::try_from(research().resolutions).unwrap();
    let silent = |why: Option<&str>, searched| ConflictResolution {
        finding: Supported::Unsettled,
        silent: why.map(str::to_owned),
        searched,
        ..cash.clone()
    };
    let found = cash.searched.clone();
    for (one, said) in [
        (
            silent(Some("the model declined to answer"), found.clone()),
            "no model weighed what was found (the model declined",
        ),
        (silent(None, Searched::Failed(SearchFault::Down)), "there is nothing to go by"),
        (silent(None, Searched::Nothing), "there is nothing to go by"),
        (silent(None, found.clone()), "The evidence found does not settle it"),
        (ConflictResolution { unfounded: true, ..silent(None, found.clone()) }, "the verdict names no page"),
        (ConflictResolution { finding: Supported::Neither, ..fee.clone() }, "supports neither"),
        (ConflictResolution { finding: Supported::InPart, ..fee }, "supports each in part"),
        (ConflictResolution { finding: Supported::InPart, ..cash.clone() }, "bears it out in part"),
        (ConflictResolution { finding: Supported::Refuted, ..cash.clone() }, "speaks against it"),
    ] {
        let research = Research { resolutions: vec![one], ..Research::default() };
        let card = shown(&research_cards(&session(), &"research".into(), &research, &solutions()));
        assert!(card.contains(said), "{said:?} is not in\n{card}");
    }
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn whatever_pages_call_themselves_fits_and_is_no_markup(titles in prop::collection::vec(hostile(), 1..12), long in 1usize..900) {
        let page = |title: &String| {
            let url = format!("https://www.example.org/{}?a=(b)&c=[d]", "x".repeat(long));
            Source::new(title, &url, title).unwrap()
        };
        let sources: Vec<Source> = titles.iter().map(page).collect();
        let output = ModuleOutput { sources: sources.clone(), ..output("cost", Round::Independent) };
        assert_fit(&[round_card(&session(), Round::Independent, &[seat(&output)], &[])], MEMBERS);
        let pages: Vec<Numbered> = output.numbered();
        assert_fit(&inspect::whole("Cost", "It grows [1].", &pages), MEMBERS);
    }

    #[test]
    fn whatever_is_made_of_six_matters_fits(words in prop::collection::vec(hostile(), 4), left in prop::collection::vec(hostile(), 0..9)) {
        let one = |resolution: &ConflictResolution| ConflictResolution {
            topic: words[0].clone(),
            verdict: words[1].repeat(3),
            updated_recommendation: words[2].repeat(3),
            evidence: words[3].repeat(5),
            silent: Some(words[1].clone()),
            ..resolution.clone()
        };
        let resolutions: Vec<ConflictResolution> = research().resolutions.iter().map(one).collect();
        let research = Research { resolutions: [resolutions.clone(), resolutions.clone(), resolutions].concat(), left_out: left, ..research() };
        assert_fit(&research_cards(&session(), &"research".into(), &research, &solutions()), MEMBERS);
        assert_fit(&inspect::whole("Deep research", &research_text(&research), &research.sources), MEMBERS);
    }

    #[test]
    fn whatever_a_choice_says_fits_and_is_no_markup(texts in prop::collection::vec(hostile(), 1..14)) {
        let of = |at: usize| texts[at % texts.len()].clone();
        let names = domain::MODULES.map(|module| module.name());
        let picked = names.iter().take(7).enumerate().map(|(at, module)| Picked { module: module.clone(), why: of(at) });
        let made = |at: usize| AdHocModule {
            name: ModuleName(of(at)),
            looks_at: of(at + 1),
            why: of(at + 2),
            system_prompt: of(at + 3),
            nearest: None,
        };
        let wild = SelectionMetadata {
            selected_modules: picked.collect(),
            selection_reasoning: of(0),
            gap_check_reasoning: Some(of(1)),
            ad_hoc_modules: (0..3).map(made).collect(),
            open_gaps: texts.clone(),
            unfit: texts.iter().map(|text| Unfit::Name(text.clone())).collect(),
            answered_by: of(2),
            auto_selected: true,
        };
        assert_fit(&choice(&wild, None, "cost=0", Some(&of(4))), MEMBERS);
        let (title, text) = whole_selection(&wild);
        assert_fit(&inspect::whole(&title, &text, &[]), MEMBERS);
        assert_fit(&choice(&SelectionMetadata::default(), Some(&of(0)), "", None), MEMBERS);
    }
}

fn choice(chosen: &SelectionMetadata, why_not: Option<&str>, weights: &str, by: Option<&str>) -> Vec<Post> {
    let mut brief = selecting(weights);
    brief.selecting.as_mut().unwrap().offered = by.is_some();
    let choosing = brief.selecting.clone().unwrap();
    let table = brief.seating(chosen).panel;
    let in_vain = choosing.weighed_in_vain(&table);
    let choice = Choice { chosen, why_not, table: &table, in_vain: &in_vain, by };
    selection_card(&session(), &"select".into(), &choice)
}

#[test]
fn who_looks_at_it_and_why_and_what_could_not_stand() {
    let (unfit, legal) = (["wizardry", "@everyone", "market", "Bees", "A four"], || name("legal"));
    let [unknown, named, taken, bare, fourth] = unfit.map(str::to_owned);
    let mended = SelectionMetadata {
        unfit: vec![
            Unfit::Unknown(unknown),
            Unfit::LeftOut(name("cost")),
            Unfit::Name(named),
            Unfit::Taken(taken),
            Unfit::Bare(bare),
            Unfit::BeyondMost(fourth),
            Unfit::Cut(legal()),
        ],
        gap_check_reasoning: None,
        ad_hoc_modules: Vec::new(),
        open_gaps: Vec::new(),
        ..chosen()
    };
    let none = SelectionMetadata::default();
    let mut joining = chosen();
    joining.selected_modules.pop();
    let cards = [
        choice(&chosen(), None, "", None),
        choice(&mended, None, "tech=2 cost=0 legal=3", None),
        choice(&none, Some("the model declined to answer"), "legal=2", None),
        choice(&joining, None, "", Some("Ada")),
        choice(&none, Some("the model declined to answer"), "", Some("Ada")),
    ]
    .concat();
    insta::assert_snapshot!("selection", shown(&cards));
    insta::assert_snapshot!("whole_selection", whole_selection(&chosen()).1);
}
