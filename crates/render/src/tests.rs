//! Every card with real words, to be read; and with hostile ones, to fit.

use super::{
    Rasterizer, budget, followup, history, inspect, lists, notices, points, privacy, status,
    support::{
        MEMBERS, assert_fit, assert_form,
        drawings::{self, scored},
        form_shown, shown,
    },
    table,
};
use crate::sample::{self, mediate::running, session};
use domain::{
    Addition, Basis, Becomes, Caps, ChannelId, Comparison, Does, Fate, Grant, GuildSettings, Influence, Kept,
    Ledger, Listing, Money, Offer, Omission, Omitted, Phase, PromptVersion, RoleId, Said, SessionState,
    StatedQuestion, Status, StepKey, ThreadIs, WaitKind, Waiting, Worth, Writing,
};

mod listed;
mod worst;

use listed::{FOUND, found_session};

fn inspection(reply: &str) -> inspect::Inspection {
    inspect::Inspection {
        step: "round-2/market".into(),
        title: "round-2/market".into(),
        asked: "anthropic/claude-sonnet-4-5".into(),
        answered: "claude-sonnet-4-5-20250929".into(),
        prompt_version: PromptVersion("3fa91c02be77".into()),
        tokens: Some(6_214),
        cached: 4_096,
        cost: Some(Money(31_000)),
        millis: 14_260,
        attempts: 2,
        state: "done".into(),
        request: Some(serde_json::json!({"model": "claude-sonnet-4-5", "max_tokens": 4096})),
        reply: reply.into(),
        problem: Some("cut off at 900 tokens".into()),
        earlier: serde_json::json!([{"attempt": 1, "problem": "cut off at 900 tokens"}]),
        read: serde_json::json!({"summary": "…"}),
    }
}

/// Mentions and timestamps that the cards here hold on purpose.
const OWN: &[&str] = &[
    "<t:1790000000:r>",
    "<t:1790000000:f>",
    "<t:1790000000:d>",
    "<#4242>",
    "<@&77>",
    "[the message](https://discord.com/channels/18446744073709551615/18446744073709551615/18446744073709551615)",
];

#[test]
fn budgets() {
    let ada =
        Addition { by: "Ada".into(), more: Caps { calls: 60, tokens: 1_000_000, money: Money(1_500_000) } };
    let added = |by: &str, calls| Addition { by: by.into(), more: Caps { calls, ..Caps::NOTHING } };
    let spent = Status {
        state: SessionState::Paused,
        spent: true,
        added: vec![added("Ben", 1), added("*Mara* @here", 2), ada.clone(), added("Ben", 40)],
        notice: Some("This session's budget of calls is used up, so no further call was made.".into()),
        ..running()
    };
    let ledger = Ledger { calls: 60, cost_cap: Money(Caps::NO_LIMIT), ..running().ledger };
    let form = budget::form(&session(), &ledger, &Caps { calls: 30, tokens: 200_000, money: Money(0) }, 1);
    insta::assert_snapshot!(
        "budgets",
        format!(
            "{}\n{}",
            shown(&[
                budget::spent(&session(), "This session's budget of calls is used up."),
                budget::added(&ada),
                status::card(&session(), &spent),
            ]),
            form_shown(&form)
        )
    );
}

#[test]
fn status_cards() {
    insta::assert_snapshot!("status_running", shown(&[status::card(&session(), &running())]));
    let said_so_far = |said| {
        let so_far = Some(Writing { who: "*Cost* <@1>".into(), said });
        status::card(&session(), &Status { writing: so_far, ..running() })
    };
    let words = "…the pilot went **well**, @everyone · [see](https://example.org/a?b) ``` <@&7> and";
    insta::assert_snapshot!(
        "status_writing",
        shown(&[
            said_so_far(Said::Words(words.into())),
            said_so_far(Said::Thought(0)),
            said_so_far(Said::Thought(1_234)),
            said_so_far(Said::Unchecked(340)),
        ])
    );
    let paused = Status {
        state: SessionState::Paused,
        one_model: true,
        effort: Some(domain::Effort::Standard),
        models: vec!["local/qwen3:8b".into()],
        restarts: 1,
        ledger: Ledger { unpriced_calls: 3, lost_calls: 1, uncounted_calls: 2, ..running().ledger },
        notice: Some("The provider says the account has no money left. Top it up, then press Resume.".into()),
        ..running()
    };
    insta::assert_snapshot!("status_paused", shown(&[status::card(&session(), &paused)]));
    let waiting = Waiting {
        kind: WaitKind::Roles,
        grant: Grant::Starter,
        starter: "*Ada* @here".into(),
        until: 1_790_000_000,
    };
    let role = Waiting { grant: Grant::Role(RoleId(77)), ..waiting.clone() };
    let waits = |waiting| {
        let (state, waiting) = (SessionState::Waiting, Some(waiting));
        status::card(&session(), &Status { state, waiting, thinking: vec![], answered: vec![], ..running() })
    };
    insta::assert_snapshot!("status_waiting", shown(&[waits(waiting), waits(role)]));
    let unpriced = Ledger { cost: Money(0), unpriced_calls: 12, ..running().ledger };
    let done =
        Status { state: SessionState::Done, ended: Some(1_790_000_134), ledger: unpriced, ..running() };
    let done = status::card(&session(), &done);
    assert_eq!(done.actions(), [Does::Export.into(), Does::Audit.into(), Does::GoOn.into()]);
    insta::assert_snapshot!("status_done", shown(&[done]));
}

#[test]
fn worth_cards() {
    let fate = |plain, nearest, how: &str, becomes| Fate { plain, nearest, how: how.to_owned(), becomes };
    let fates = vec![
        fate(1, 1, "One district for eight weeks instead of the **whole town**.", Becomes::Reversed),
        fate(2, 0, "", Becomes::Dropped),
        fate(3, 3, "nothing", Becomes::Kept),
        fate(4, 0, "", Becomes::Dropped),
    ];
    let ledger = |calls, cost| Ledger { calls, cost: Money(cost), ..Ledger::default() };
    let whole = Worth {
        comparison: Some(Comparison { fates: fates.clone() }),
        plain: ledger(1, 12_000),
        deliberation: ledger(10, 200_000),
    };
    let partly = Worth {
        comparison: Some(Comparison { fates: fates[..2].to_vec() }),
        plain: Ledger { unpriced_calls: 1, ..ledger(1, 0) },
        ..whole.clone()
    };
    let alone = Worth { comparison: None, ..whole.clone() };
    let (synthesis, solutions) = (sample::mediate::synthesis(), sample::mediate::solutions());
    let posts = [whole, partly, alone].map(|worth| {
        let plain = sample::mediate::plain();
        table::worth_card(&session(), &"baseline".into(), &worth, &plain, (&synthesis, &solutions))
    });
    insta::assert_snapshot!("worth", shown(&posts));
}

#[test]
fn points_cards() {
    let (solutions, mut experts) = scored(
        &["Pilot in one district", "A co-operative of restaurants", "Do not build it"],
        &[("market", 1.0, &[6, 4, 0]), ("cost", 2.0, &[3, 6, 1]), ("risk", 1.0, &[8, 0, 2])],
    );
    experts[2].basis = Basis::Scaled;
    experts[0].chances = vec![Some(55), Some(30), None];
    experts[1].chances = vec![Some(70), None, Some(20)];
    let step = StepKey::new("scoring");
    let weighted = points::points_card(&session(), &step, &solutions, &experts, &["Technology".to_owned()]);
    insta::assert_snapshot!("points_weighted", shown(&weighted));
    experts[0].influence = Influence::from(1.12);
    experts[0].weight *= 1.12;
    experts[1].influence = Influence::from(0.94);
    experts[1].weight *= 0.94;
    let trusted = points::points_card(&session(), &step, &solutions, &experts, &[]);
    insta::assert_snapshot!("points_by_history", shown(&trusted));
    let (solutions, mut experts) = scored(
        &["Pilot in one district", "A co-operative of restaurants", "Do not build it"],
        &[("market", 1.0, &[6, 4, 0]), ("cost", 1.0, &[4, 6, 0])],
    );
    let tie = points::points_card(&session(), &step, &solutions, &experts, &[]);
    insta::assert_snapshot!("points_tie", shown(&tie));
    experts[1].basis = Basis::Even;
    let even = points::points_card(&session(), &step, &solutions, &experts, &[]);
    insta::assert_snapshot!("points_even", shown(&even));
}

#[test]
fn closing_cards() {
    let done = Status { state: SessionState::Done, ended: Some(1_790_000_134), ..running() };
    insta::assert_snapshot!("closing", shown(&[super::closing::closing(&done, None, &[])]));
    let degraded = ["Risk, round 1: lost.".to_owned(), "2 citations were removed.".to_owned()];
    insta::assert_snapshot!("closing_degraded", shown(&[super::closing::closing(&done, None, &degraded)]));
}

#[test]
fn followups_inspection_lists_and_notices() {
    let grounds = ["Market, round 2".to_owned(), "Synthesis".to_owned()];
    let model = "claude-sonnet-4-5";
    let said = "At most **12 %**, says Market after reading Cost.";
    let answer = followup::answer_card(
        &session(),
        &"followup/7".into(),
        ("Mara", "What fee can restaurants carry?"),
        &followup::Answered { text: said, grounds: &grounds, missing: None, model },
    );
    let said = "Nobody here looked at wages in other towns.";
    let unknown = followup::answer_card(
        &session(),
        &"followup/8".into(),
        ("Mara", "What do riders earn in Graz?"),
        &followup::Answered { text: said, grounds: &[], missing: Some("wages in Graz"), model },
    );
    insta::assert_snapshot!("followup", shown(&[answer, unknown].concat()));
    let whole = inspect::whole(
        "📈 Market · round 1 · whole analysis",
        "## Size\nAbout 16,000 households.\n\n| Item | Cost |\n|---|---|\n| Van | 40,000 |",
        &[],
    );
    let raw = inspect::raw(&inspection("{\"summary\": \"…\"}"));
    insta::assert_snapshot!("inspect", shown(&[whole, vec![raw]].concat()));
    insta::assert_snapshot!("lists", shown(&[lists::modules(Some(&[])), lists::help()].concat()));
    let row = history::HistorySession { title: running().title, ..found_session(1) };
    let found = history::HistorySession {
        excerpt: "…says that\nthe \u{2}town\u{3} council pays *all* of it, for \u{2}towns\u{3}…".into(),
        thread: None,
        ..row.clone()
    };
    let at = (Listing::Lookup(77), 1);
    let search = history::HistoryPage {
        rows: vec![row.clone(), found],
        found: 12,
        at,
        pages: 3,
        words: Some("*town* AND (".into()),
        still_reading: true,
        all_known: true,
    };
    let nothing = history::HistoryPage {
        rows: vec![],
        found: 0,
        pages: 0,
        still_reading: false,
        all_known: false,
        ..search.clone()
    };
    let channel = (Listing::Channel(ChannelId(9)), 0);
    let list = history::HistoryPage {
        rows: vec![row.clone(), row.clone()],
        found: 2,
        at: channel,
        pages: 1,
        words: None,
        ..nothing.clone()
    };
    let empty = history::HistoryPage { rows: vec![], found: 0, pages: 0, ..list.clone() };
    insta::assert_snapshot!(
        "history",
        shown(&[
            history::page(&empty),
            history::page(&list),
            history::page(&search),
            history::page(&nothing),
            history::session(&row, at, true, true),
            history::confirm_delete(&row, at, true, 2),
        ])
    );
    let own = Kept { sessions: 2, votes: 1, questions: 3, ..Kept::default() };
    let view =
        privacy::PrivacyView { own, server: None, settings: GuildSettings::default(), under_way: None };
    let managed = privacy::PrivacyView {
        own: Kept::default(),
        server: Some(Kept { decisions: 40, changes: 1, ..own }),
        settings: GuildSettings { retention_days: Some(30), raw_days: 0, ..GuildSettings::default() },
        under_way: Some(1_790_000_000),
    };
    insta::assert_snapshot!(
        "privacy",
        shown(&[
            privacy::view(&view),
            privacy::view(&managed),
            privacy::confirm_member(1),
            privacy::confirm_server(0),
        ])
    );
    let omission = |file: &str, what| Omission { file: file.into(), what };
    insta::assert_snapshot!(
        "notices",
        shown(&[
            notices::user_error("There is no module `law`. The modules are: market, cost, risk."),
            notices::internal_error("e7f3a1"),
            notices::started(ThreadIs::Open(ChannelId(4242)), &[]),
            notices::started(
                ThreadIs::Coming,
                &[
                    omission("a_plan.pdf", Omitted::Pages(vec![3, 4])),
                    omission("b.docx", Omitted::Comments),
                    omission("b.docx", Omitted::Changes),
                    omission("c.csv", Omitted::ReadAs("windows-1252".into())),
                ]
            ),
            notices::paused("The provider refused the key."),
            notices::resumed("Mara"),
            notices::cancelled("Mara"),
            notices::failed(&session(), "Every expert failed to answer."),
            notices::parked("This version asks the experts in another way."),
            notices::behind(1_790_000_000),
        ])
    );
}

/// Writes pictures to `target/charts`: `cargo test --lib pictures_to_look_at -- --ignored`.
#[test]
#[ignore = "writes files for a person to look at"]
fn pictures_to_look_at() {
    let fonts = Rasterizer::new(true);
    let folder = std::path::Path::new("target/charts");
    std::fs::create_dir_all(folder).unwrap();
    for (name, svg) in drawings::charts() {
        let png = fonts.png(&svg).unwrap();
        assert!(png.len() > 10_000, "{name}");
        std::fs::write(folder.join(format!("{name}.png")), png).unwrap();
    }
}
