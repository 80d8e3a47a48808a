//! Sessions: started once, found again where they belong and nowhere else.

use domain::{
    ChannelId, GuildId, Home, MessageId, OpenSessions, PromptVersion, Protocol, SessionId, SessionState,
    UserId,
};
use quorum::store::{NewSession, Quota, Space, Starts, StoreError, StoreOptions, Target};
use serde_json::json;

use super::fixture::{AT, Db, GUILD, MANY, MEMBER, RUNNING, attempt, event, id, new_session};

#[tokio::test]
async fn a_session_is_read_back_as_it_was_started() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let row = db.store.session(&id).await.unwrap();
    assert_eq!((row.id, row.guild, row.channel), (id.clone(), GUILD, ChannelId(500)));
    assert_eq!((row.starter, row.starter_name.as_str(), row.title.as_str()), (MEMBER, "Ada", "Question 1"));
    assert_eq!((row.protocol, db.plan(&id).await), (Protocol::Mediate, json!({"problem": 1})));
    assert_eq!((row.state, row.started_ms, row.ended_ms), (SessionState::Running, AT, None));
    assert_eq!((row.status_message, row.thread, row.card_state, row.last_seen), (None, None, None, None));
    assert_eq!((row.restarts, row.notice), (0, None));
    let card = db.store.next_post(&id).await.unwrap().unwrap();
    assert_eq!((card.target, card.key.as_str(), card.tries), (Target::Channel, "live", 0));
    let files = db.store.prompt_files(&row.prompt_version).await.unwrap();
    assert_eq!(files["table/rules.md"], "Be brief.");
}

#[tokio::test]
async fn what_is_not_there_is_missing() {
    let db = Db::open().await;
    assert!(matches!(db.store.session(&id(9)).await, Err(StoreError::Missing("session"))));
    let prompts = db.store.prompt_files(&PromptVersion("v0".to_owned())).await;
    assert!(matches!(prompts, Err(StoreError::Missing("prompt set"))));
    assert!(db.store.session_of_thread(ChannelId(9)).await.unwrap().is_none());
    let moved = db.store.move_session(&id(9), RUNNING, SessionState::Done, None, vec![], AT).await;
    assert!(matches!(moved, Err(StoreError::Missing("session"))));
}

#[tokio::test]
async fn one_interaction_starts_one_session_even_a_hundred_times_at_once() {
    let db = Db::open().await;
    let starts = (1..=100).map(|n| {
        let (store, first) = (db.store.clone(), new_session(1));
        let new = NewSession { interaction: first.interaction, ..new_session(n) };
        tokio::spawn(async move { (new.id.clone(), store.start_session(new, AT).await) })
    });
    let (mut started, mut said) = (Vec::new(), Vec::new());
    for start in starts.collect::<Vec<_>>() {
        match start.await.unwrap() {
            (id, Ok(())) => started.push(id.to_string()),
            (_, Err(StoreError::Duplicate(effect))) => said.push(effect),
            (_, Err(other)) => panic!("{other}"),
        }
    }
    assert_eq!(started.len(), 1);
    assert_eq!(said, vec![started[0].clone(); 99], "each is told of the session that was started");
    assert_eq!(db.number("SELECT count(*) FROM session").await, 1);
    assert_eq!(db.number("SELECT count(*) FROM outbox").await, 1);
    assert_eq!(db.number("SELECT count(*) FROM prompt_set").await, 1);
}

const FIVE: OpenSessions = OpenSessions { of_server: 5, of_member: 1_000 };

#[tokio::test]
async fn a_server_has_no_more_live_sessions_than_it_may() {
    let db = Db::open().await;
    let starts = (1..=30).map(|n| {
        let (store, new) = (db.store.clone(), NewSession { most_open: FIVE, ..new_session(n) });
        tokio::spawn(async move { store.start_session(new, AT).await })
    });
    let mut refused = 0;
    for start in starts.collect::<Vec<_>>() {
        match start.await.unwrap() {
            Ok(()) => {}
            Err(StoreError::Quota(Quota::Server(5))) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(refused, 25);
    assert_eq!(db.number("SELECT count(*) FROM session").await, 5);
    assert_eq!(db.number("SELECT count(*) FROM inbound").await, 5, "a refused start may be tried again");
    assert_eq!(db.number("SELECT count(*) FROM outbox").await, 5);
    // Another server's sessions do not count here, nor do ended ones.
    let elsewhere = NewSession { guild: GuildId(72), most_open: FIVE, ..new_session(40) };
    db.store.start_session(elsewhere, AT).await.unwrap();
    let live = db.store.sessions_of_channel(GUILD, ChannelId(500), (0, 1)).await.unwrap().0.remove(0);
    let to = SessionState::Done;
    db.store.move_session(&live.session, RUNNING, to, None, vec![], AT).await.unwrap();
    db.store.start_session(NewSession { most_open: FIVE, ..new_session(41) }, AT).await.unwrap();
    let sixth = db.store.start_session(NewSession { most_open: FIVE, ..new_session(42) }, AT).await;
    assert!(matches!(sixth, Err(StoreError::Quota(Quota::Server(5)))));
}

#[tokio::test]
async fn history_shows_only_this_server_and_this_channel() {
    let db = Db::open().await;
    let places = [(71, 500), (71, 501), (72, 500), (71, 500), (72, 501), (71, 500)];
    for (n, (guild, channel)) in (0..).zip(places) {
        let new = NewSession {
            guild: GuildId(guild),
            home: Home::OwnThread { channel: ChannelId(channel) },
            ..new_session(n)
        };
        db.store.start_session(new, AT + n.cast_signed()).await.unwrap();
    }
    let history = async |guild, channel, place| {
        let listed = db.store.sessions_of_channel(GuildId(guild), ChannelId(channel), place).await;
        let (rows, found) = listed.unwrap();
        (rows.into_iter().map(|row| row.session).collect::<Vec<_>>(), found)
    };
    assert_eq!(history(71, 500, (0, 10)).await, (vec![id(5), id(3), id(0)], 3), "newest first");
    assert_eq!(history(71, 500, (0, 2)).await, (vec![id(5), id(3)], 3));
    assert_eq!(history(71, 500, (2, 2)).await, (vec![id(0)], 3));
    assert_eq!(history(71, 501, (0, 10)).await, (vec![id(1)], 1));
    assert_eq!(history(72, 500, (0, 10)).await, (vec![id(2)], 1));
    assert_eq!(history(73, 500, (0, 10)).await, (vec![], 0));
}

#[tokio::test]
async fn a_thread_belongs_to_one_session() {
    let db = Db::open().await;
    let (one, two) = (db.start(1).await, db.start(2).await);
    db.store.thread_opened(&one, ChannelId(900)).await.unwrap();
    let taken = db.store.thread_opened(&two, ChannelId(900)).await;
    assert!(matches!(taken, Err(StoreError::Database(_))), "{taken:?}");
    db.store.thread_opened(&two, ChannelId(901)).await.unwrap();
    for (thread, session) in [(900, &one), (901, &two)] {
        let found = db.store.session_of_thread(ChannelId(thread)).await.unwrap().unwrap();
        assert_eq!((&found.id, found.thread), (session, Some(ChannelId(thread))));
    }
}

#[tokio::test]
async fn threads_are_watched_while_questions_may_come() {
    let db = Db::open().await;
    let (running, ended, long_ended) = (db.start(1).await, db.start(2).await, db.start(3).await);
    db.start(4).await; // has no thread yet
    for (thread, session) in [(901, &running), (902, &ended), (903, &long_ended)] {
        db.store.thread_opened(session, ChannelId(thread)).await.unwrap();
    }
    for (session, at) in [(&ended, AT + 100), (&long_ended, AT + 99)] {
        db.store.move_session(session, RUNNING, SessionState::Done, None, vec![], at).await.unwrap();
    }
    // Nothing was looked at yet: from the thread's own beginning, whose number is its starter message's.
    let mut watched = db.store.watched_threads(AT + 100).await.unwrap();
    watched.sort();
    let mut expected =
        [(running, ChannelId(901), MessageId(901)), (ended.clone(), ChannelId(902), MessageId(902))];
    expected.sort();
    assert_eq!(watched, expected);
    // An older message seen late does not turn the mark back.
    for message in [950, 940] {
        db.store.seen(ChannelId(902), MessageId(message)).await.unwrap();
    }
    assert_eq!(db.store.session(&ended).await.unwrap().last_seen, Some(MessageId(950)));
    let watched = db.store.watched_threads(AT + 100).await.unwrap();
    assert!(watched.contains(&(ended, ChannelId(902), MessageId(950))), "{watched:?}");
    db.store.seen(ChannelId(999), MessageId(1)).await.unwrap(); // nobody's thread
}

#[tokio::test]
async fn restarts_and_the_card_are_remembered() {
    let db = Db::open().await;
    let (id, other) = (db.start(1).await, db.start(2).await);
    for _ in 0..3 {
        db.store.count_restart(&id).await.unwrap();
    }
    db.store.card_shows(&id, SessionState::Paused, None).await.unwrap();
    let row = db.store.session(&id).await.unwrap();
    assert_eq!((row.restarts, row.card_state), (3, Some(SessionState::Paused)));
    let row = db.store.session(&other).await.unwrap();
    assert_eq!((row.restarts, row.card_state), (0, None));
    assert_eq!(db.store.applied(1_000_001).await.unwrap(), Some(id.to_string()));
    assert_eq!(db.store.applied(event(5, "none").id).await.unwrap(), None);
}

/// Started and cancelled again and again, sessions fill no disk: starts have a rate, and what nobody read is not kept.
#[tokio::test]
async fn starts_have_a_rate_and_what_is_cancelled_before_a_call_keeps_no_document() {
    let db = Db::open().await;
    let most = OpenSessions { of_server: 2, of_member: 1 };
    let text = "x".repeat(1_000);
    let plan = json!({"brief": {"document": {"name": "a.txt", "text": text, "landmarks": [[5, "line"]]}}});
    let begin = async |n: u64, starter: u64, at: i64| {
        let plan = plan.clone();
        let new = NewSession { plan, most_open: most, starter: UserId(starter), ..new_session(n) };
        let id = new.id.clone();
        db.store.start_session(new, at).await.map(|()| id)
    };
    for n in 0..4 {
        let id = begin(n, 31, AT).await.unwrap();
        db.store.cancel_session(&id, event(100 + n, "cancel"), String::new(), Vec::new(), AT).await.unwrap();
        let kept = db.plan(&id).await["brief"]["document"].clone();
        assert_eq!(kept, json!({"name": "a.txt", "text": ""}), "nobody had read it");
    }
    let too_many = |refused: Result<SessionId, StoreError>, most: Starts| match refused {
        Err(StoreError::Quota(Quota::Starts { whose })) => assert_eq!(whose, most),
        other => panic!("{other:?}"),
    };
    too_many(begin(4, 31, AT).await, Starts::Member(4));
    for n in 4..8 {
        let id = begin(n, 40 + n, AT).await.unwrap();
        db.store.intend(attempt(&id, "call"), AT).await.unwrap();
        db.store.cancel_session(&id, event(100 + n, "cancel"), String::new(), Vec::new(), AT).await.unwrap();
        assert_eq!(db.plan(&id).await["brief"]["document"]["text"], text.as_str(), "a model has read it");
    }
    too_many(begin(8, 50, AT).await, Starts::Server(8));
    begin(9, 31, AT + 60 * 60 * 1_000).await.unwrap();
}

/// The disk that runs low refuses new sessions with a sentence, and lets those go on that there are; one server's documents
/// take no more than a twentieth of it.
#[tokio::test]
async fn a_low_disk_refuses_new_sessions_and_documents_have_a_share_of_it() {
    const MB: u64 = 1 << 20;
    let options = |free: u64, total: u64| StoreOptions {
        space: Some(Space { free: free * MB, total: total * MB }),
        ..StoreOptions::default()
    };
    let with_document = |n: u64, bytes: usize| {
        let text = "a".repeat(bytes);
        NewSession { plan: json!({"brief": {"document": {"text": text}}}), ..new_session(n) }
    };
    let db = Db::with(options(49, 1_000)).await;
    let refused = db.store.start_session(new_session(1), AT).await.unwrap_err();
    assert!(matches!(refused, StoreError::Quota(Quota::Disk)), "{refused}");
    assert!(refused.to_string().contains("nearly full"), "{refused}");
    let asked = db.store.may_open(GUILD, MEMBER, MANY, AT).await.unwrap_err();
    assert!(matches!(asked, StoreError::Quota(Quota::Disk)), "before anything is fetched: {asked}");
    assert_eq!(db.number("SELECT count(*) FROM session").await, 0);

    // Of 20 MB, one: a second document of half of it is one too many, on this server and on no other.
    let db = Db::with(options(19, 20)).await;
    let half = 600 << 10;
    db.store.start_session(with_document(1, half), AT).await.unwrap();
    let refused = db.store.start_session(with_document(2, half), AT).await.unwrap_err();
    assert!(matches!(refused, StoreError::Quota(Quota::Documents)), "{refused}");
    db.store.start_session(new_session(3), AT).await.unwrap();
    let elsewhere = |n: u64| NewSession { guild: GuildId(72 + n), ..with_document(n, half) };
    db.store.start_session(elsewhere(4), AT).await.unwrap();
    // Of all servers together, ten, with all else that is in the file.
    let mut taken = 2;
    let refused = loop {
        match db.store.start_session(elsewhere(3 + taken), AT).await {
            Ok(()) => taken += 1,
            Err(refused) => break refused,
        }
    };
    assert!(matches!(refused, StoreError::Quota(Quota::AllDocuments)), "{refused}");
    assert!((14..=17).contains(&taken), "{taken}");
    db.store.start_session(NewSession { guild: GuildId(72), ..new_session(40) }, AT).await.unwrap();
}
