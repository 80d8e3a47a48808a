//! Cards with whatever text anybody could write: they fit, mention nobody, and leave no fence open.

use proptest::prelude::*;

use super::{
    super::{closing, fit, markdown, sequel, support::hostile},
    *,
};
use domain::{
    AboutMessage, CameOut, Decision, Failing, GoesOnFrom, GuildId, LeftOpen, MessageId, OpenMatter,
    OpenMatters, Outcome, Said, Sequel, SolutionId, UserId, Verdict, Writing,
};

fn texts(count: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(hostile(), 0..count)
}

/// What came out where everything in it is anybody's text.
fn came_out(text: &str, titles: &[String]) -> CameOut {
    let titles: Vec<&str> = titles.iter().map(String::as_str).chain(["One", "Another"]).take(6).collect();
    let mut vote = crate::sample::vote::vote(&titles, &[(text, 1.0, &[4, 6], Basis::Given)], &[&[10]]);
    vote.deadline = Some(1_790_000_000);
    let outcome = Outcome {
        verdict: Verdict::Partly,
        text: text.to_owned(),
        by: UserId(1),
        by_name: text.to_owned(),
        at: 1_790_000_000,
    };
    let decision = Decision {
        number: 1,
        vote: vote.clone(),
        swing: None,
        chosen: SolutionId(1),
        rationale: text.to_owned(),
        owner: text.to_owned(),
        dissent: text.to_owned(),
        review: None,
        by: UserId(1),
        by_name: text.to_owned(),
        at: 1_790_000_000,
        outcome: Some(outcome),
    };
    CameOut { said: text.to_owned(), vote, decision: Some(decision) }
}

proptest! {
    #![proptest_config(properties::cases(16))]

    #[test]
    fn status_and_closing_fit(a in hostile(), b in hostile(), list in texts(9), numbers in any::<[i64; 9]>(), state in 0usize..7) {
        let states = [SessionState::Running, SessionState::Paused, SessionState::Waiting, SessionState::Done, SessionState::Failed, SessionState::Cancelled, SessionState::Parked];
        let [calls, calls_cap, tokens, tokens_cap, cost, cost_cap, unpriced_calls, lost_calls, uncounted_calls] = numbers;
        let ledger = Ledger { calls, calls_cap, tokens, tokens_cap, cost: Money(cost), cost_cap: Money(cost_cap), unpriced_calls, lost_calls, uncounted_calls };
        let number = u8::try_from(calls & 255).unwrap();
        let question = Some(StatedQuestion { text: Some(a.clone()), changed_by: (state > 2).then(|| b.clone()), open: state < 3 });
        let status = Status {
            protocol: domain::Protocol::Mediate, title: b.clone(), question: question.clone(), offer: if state < 2 { Offer::Open } else { Offer::Taken(b.clone()) }, state: states[state], phase: Phase { number, of: 255, title: a.clone() },
            thinking: list.clone(), failing: list.iter().map(|who| Failing { who: who.clone(), times: 9, since: 1_790_000_000 }).collect(), answered: list.clone(), writing: Some(Writing { who: a.clone(), said: Said::Words(b.clone()) }), started: 1_790_000_000, ended: (state > 2).then_some(tokens), ledger,
            models: list.clone(), one_model: true,
            effort: None, restarts: calls, notice: Some(b), untaken: 3, spent: state == 1,
            added: list.iter().map(|by| Addition { by: by.clone(), more: Caps { calls, tokens, money: ledger.cost } }).collect(),
            waiting: (state == 2).then(|| Waiting { kind: WaitKind::Roles, grant: Grant::Starter, starter: a.clone(), until: 1_790_000_000 }),
            thread_late: (state == 0).then_some(1_790_000_000),
            goes_on_from: Some(GoesOnFrom { session: session(), thread: ChannelId(4242), topic: a.clone() }),
            about: Some(AboutMessage { guild: GuildId(u64::MAX), channel: ChannelId(u64::MAX), message: MessageId(u64::MAX), author: a.clone() }),
            came_out: (state == 3).then(|| came_out(&a, &list)),
        };
        assert_form(&budget::form(&session(), &status.ledger, &Caps { calls, tokens, money: status.ledger.cost }, 7));
        assert_fit(&[status::card(&session(), &status), closing::closing(&status, None, &list)], OWN);
        let matters: Vec<OpenMatter> = list.iter().map(|text| OpenMatter { topic: text.clone(), said: a.clone() }).collect();
        let matters = OpenMatters { conflicts: matters.clone(), facts: matters };
        let offered = LeftOpen::of((status.protocol, &a), matters, &[]);
        let named = Sequel { session: session(), protocol: status.protocol, title: a, thread: Some(ChannelId(4242)) };
        assert_fit(&[sequel::choice(&session(), &offered), sequel::card(&named)], OWN);
    }

    #[test]
    fn cards_of_points_fit(titles in prop::collection::vec(hostile(), 1..=10), voters in prop::collection::vec((hostile(), 0.1f64..10.0, prop::collection::vec(1u32..9, 10)), 0..12)) {
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let votes: Vec<(&str, f64, &[u32])> = voters.iter().map(|(name, weight, points)| (name.as_str(), *weight, &points[..titles.len()])).collect();
        let (solutions, mut experts) = scored(&titles, &votes);
        let names: Vec<String> = experts.iter().map(|expert| expert.title.clone()).collect();
        for (expert, basis) in experts.iter_mut().zip([Basis::Scaled, Basis::Even].into_iter().cycle()) {
            expert.basis = basis;
        }
        assert_fit(&points::points_card(&session(), &"scoring".into(), &solutions, &experts, &names), OWN);
    }

    #[test]
    fn the_rest_fits(a in hostile(), b in hostile(), list in texts(12)) {
        assert_fit(&followup::answer_card(&session(), &StepKey::new(&a), (&a, &b), &followup::Answered { text: &a, grounds: &list, missing: Some(&b), model: &b }), &[OWN, MEMBERS].concat());
        assert_fit(&inspect::whole(&a, &b, &[]), OWN);
        let raw = inspect::Inspection { step: StepKey::new(&a), title: b.clone(), asked: a.clone(), answered: b.clone(), state: a.clone(), problem: Some(b.clone()), prompt_version: PromptVersion(a.clone()), ..inspection(&b) };
        assert_fit(&[inspect::raw(&raw)], OWN);
        let row = history::HistorySession { title: b.clone(), excerpt: format!("\u{2}{a}\u{3} {b}"), state: SessionState::Failed, ..found_session(1) };
        let page = history::HistoryPage { rows: vec![row.clone()], found: 1, at: (Listing::Lookup(1), 0), pages: 1, words: Some(a.clone()), still_reading: false, all_known: true };
        let cards = [history::page(&page), history::page(&history::HistoryPage { words: None, ..page.clone() }), history::session(&row, page.at, true, true), history::confirm_delete(&row, page.at, true, 1)];
        assert_fit(&cards, &[OWN, FOUND].concat());
        // It names roles and channels, which is harmless: whatever is sent may notify nobody.
        assert_fit(&[notices::user_error(&a)], &[OWN, &["<@&1>", "<#1>"]].concat());
        assert_fit(&[notices::internal_error(&a), notices::paused(&a), budget::spent(&session(), &a), budget::added(&Addition { by: a.clone(), more: Caps { calls: 1, ..Caps::NOTHING } }), notices::resumed(&a), notices::cancelled(&a), notices::failed(&session(), &a), notices::parked(&a)], &[OWN, MEMBERS].concat());
    }

    #[test]
    fn whatever_is_put_into_a_post_fits(texts in prop::collection::vec(hostile(), 8), many in 0usize..30) {
        use domain::{Button, ButtonStyle, Color, CustomId, Does, Embed, Field, File, FileBody, Post, Row};
        // Cards clean their texts, and without its fence code would be none; here only the size and the fences are put to the test.
        let texts: Vec<String> = texts.iter().map(|t| markdown::parts(t, 9_000).join("\n").replace('`', "'").replace("http", "ftp").replace("HTTP", "FTP")).collect();
        let field = Field { name: texts[0].clone(), value: texts[1].clone(), inline: false, inside: false };
        let embed = Embed { title: texts[2].clone(), description: texts[3].clone(), color: Color::Good, fields: vec![field; many], footer: texts[4].clone(), author: texts[5].clone(), image: Some("x.png".into()) };
        let button = |i: usize| Button { id: CustomId::new(&session(), Does::Whole(StepKey::new(format!("s{}", i / 2)))), label: texts[6].clone(), style: ButtonStyle::Primary, emoji: None, disabled: false };
        let file = |name: &str| File { name: name.into(), alt: texts[7].clone(), body: FileBody::Text(String::new()) };
        let post = Post {
            content: texts[7].clone(), embeds: vec![embed.clone(), Embed { image: None, ..embed }, Embed::default()],
            rows: vec![Row::Buttons((0..many).map(button).collect())],
            files: (0..many).map(|i| file(&format!("{i}.txt"))).chain([file("x.png")]).collect(),
            ..Post::default()
        };
        let fitted = fit(post);
        assert_fit(&fitted, OWN);
        let buttons: usize = fitted.iter().flat_map(|p| &p.rows).map(|row| match row { Row::Buttons(b) => b.len(), Row::Select(_) => 0 }).sum();
        prop_assert_eq!(buttons, many.div_ceil(2));
        prop_assert_eq!(fitted.iter().map(|p| p.files.len()).sum::<usize>(), many + 1);
        prop_assert!(fitted.iter().flat_map(|p| &p.embeds).map(|e| e.fields.len()).sum::<usize>() >= many * 2);
    }
}
