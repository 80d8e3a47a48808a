//! Where a person may stand, and that nothing of them is left there: by number, by name and by their own words.

use std::collections::BTreeSet;

use domain::{Left, UserId};
use quorum::store::{Erased, Erasure, FromOthers, Inbound, NewSequel, NewSession, PLACES, Quoted};
use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::fixture::{AT, Db, GUILD, id, new_session, post};

const WHO: &str = "4242424242";
const NAME: &str = "Zebulon";
const WORDS: &str = "my obstreperous grandmother sells ferries";

/// All fields of all tables but the search index's and the migrations' own.
async fn fields(raw: &mut SqliteConnection) -> BTreeSet<(String, String)> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'found%' AND name NOT LIKE 'sqlite_%'
           AND name NOT LIKE '_sqlx_%'",
    )
    .fetch_all(&mut *raw)
    .await
    .unwrap();
    let mut fields = BTreeSet::new();
    for table in tables {
        let of: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_xinfo(?1)")
            .bind(&table)
            .fetch_all(&mut *raw)
            .await
            .unwrap();
        fields.extend(of.into_iter().map(|field| (table.clone(), field)));
    }
    fields
}

/// In which fields anything of them stands.
async fn stands_in(raw: &mut SqliteConnection) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (table, field) in fields(raw).await {
        let all = sqlx::query(AssertSqlSafe(format!("SELECT CAST({field} AS TEXT) AS said FROM {table}")));
        let all = all.fetch_all(&mut *raw).await.unwrap();
        let all = all.iter().filter_map(|row| row.get::<Option<String>, _>("said"));
        if all.into_iter().any(|said| [WHO, NAME, WORDS].iter().any(|of| said.contains(of))) {
            found.push((table, field));
        }
    }
    found
}

async fn erase(db: &Db, member: u64) {
    let event = Inbound { id: 99, kind: "erase", session: None, by: None, effect: String::new() };
    db.store.ask_erasure(event, GUILD, Some(UserId(member)), AT + 10).await.unwrap();
    let of = Erasure { id: 99, guild: GUILD, member: Some(UserId(member)), asked_ms: AT + 10 };
    for _ in 0..20 {
        match db.store.erase_some(of, AT + 1_000_000).await.unwrap() {
            Erased::More => {}
            Erased::Done => return,
            Erased::Waits => panic!("it waits for something"),
        }
    }
    panic!("it never ends");
}

async fn run(raw: &mut SqliteConnection, statement: &str) {
    let (session, other) = (id(1), id(2));
    let statement = (statement.replace("$id", session.as_str()).replace("$other", other.as_str()))
        .replace("$who", WHO)
        .replace("$name", NAME)
        .replace("$words", WORDS);
    sqlx::query(AssertSqlSafe(statement.clone())).execute(raw).await.expect(&statement);
}

/// A column that nobody has put on the list is found here, and one that is gone too.
#[tokio::test]
async fn every_field_of_the_schema_says_who_may_stand_in_it() {
    let db = Db::open().await;
    let mut listed = BTreeSet::new();
    for place in PLACES {
        for field in [place.rows, place.texts, place.nobody].iter().flat_map(|of| of.split_whitespace()) {
            let field = (place.table.to_owned(), field.to_owned());
            assert!(listed.insert(field.clone()), "{field:?} stands there twice");
        }
    }
    let real = fields(&mut db.raw().await).await;
    let new: Vec<_> = real.difference(&listed).collect();
    assert!(new.is_empty(), "erasure/places.rs says nothing of {new:?}");
    let gone: Vec<_> = listed.difference(&real).collect();
    assert!(gone.is_empty(), "erasure/places.rs names {gone:?}, which is gone");
}

/// A member stands in every field that the list names, in a session of somebody else, and in none of them afterwards.
#[tokio::test]
async fn nothing_of_a_member_is_left_in_any_field() {
    let db = Db::open().await;
    db.start(1).await;
    let mut raw = db.raw().await;
    for statement in [
        "UPDATE session SET title = 'As $name says', notice = 'Paused by $name.', question = '$words', question_by = '$name',
                offer_by = '$name', thread_name = 'Of $name', state = 'done', card_state = 'done', ended_ms = 1790000000001,
                plan = '{\"voters\": [\"$who\"], \"brief\": {\"document\": {\"name\": \"message by $name\", \"sha256\": \"0\",
                         \"text\": \"One.\\n$words\\nTwo.\"}}}' WHERE id = '$id'",
        "INSERT INTO step VALUES ('$id', 'budget/1', 'budget', 'done', '{\"by\": \"$name\", \"said\": \"$words, says <@$who>\"}', 1, 2)",
        "INSERT INTO degraded VALUES (1, '$id', 'budget/1', '[\"$name gave no answer\"]', 0)",
        "INSERT INTO part VALUES (1, '$id', CAST('$words' AS BLOB), CAST('$words' AS BLOB))",
        "INSERT INTO attempt (session_id, key, n, epoch, day, member_id, state, model, prompt_version, problem, reserved_tokens,
                              reserved_money, started_ms, request_parts)
         VALUES ('$id', 'budget/1', 1, 1, '2026-01-01', $who, 'failed', 'm', 'v1', 'refused: $words', 1, 1, 1, '[1]')",
        "INSERT INTO account (scope, owner, day, calls_cap, tokens_cap, money_cap) VALUES ('member', '71/$who', '2026-01-01', 1, 1, 1)",
        "INSERT INTO outbox (session_id, post_key, part, target, payload, nonce) VALUES
            ('$id', 'export/a', 0, 'thread', '{\"content\": \"by $name\", \"embeds\": [], \"files\": [{\"body\": {\"text\": \"$words $name\"}}]}', 'n1'),
            ('$id', 'round-1/market', 0, 'thread', '{\"content\": \"$name is right: $words\", \"embeds\": []}', 'n2')",
        "INSERT INTO inbound VALUES (5, 'pause', '$id', 'Paused by $name.', 1)",
        "INSERT INTO opening (id, guild_id, member_id, chosen, typed) VALUES (6, 71, $who, '$words', '$words')",
        "INSERT INTO wait (session_id, key, kind, deadline_ms, value, by_id, by_name, draft)
         VALUES ('$id', 'w', 'draft', 1, '{\"by\": \"$name\"}', $who, '$name', '{\"text\": \"$words\"}')",
        "INSERT INTO bell VALUES ('$id', $who, NULL)",
        "INSERT INTO participant VALUES ('$id', $who, 1, 1)",
        "INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, source, at_ms, closed_ms)
         VALUES (7, '$id', 'note', NULL, $who, '$name', '$words', NULL, 1, 1)",
        "INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, source, at_ms, closed_ms)
         VALUES (8, '$id', 'question', NULL, $who, '$name', '$words', NULL, 1, 2)",
        "INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, source, at_ms, closed_ms)
         VALUES (9, '$id', 'evidence', 1, $who, '$name', '$words', '$words', 1, 1)",
        "INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, source, at_ms, closed_ms)
         VALUES (10, '$id', 'clarification', NULL, $who, '$name', '$words', NULL, 1, 1)",
        "INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, source, at_ms, closed_ms)
         VALUES (11, '$id', 'triage', 1, $who, '$name', 'open', NULL, 1, 1)",
        "INSERT INTO vote (session_id, key, kind, question, rules, experts, opened_ms, deadline_ms, champions)
         VALUES ('$id', 'v', 'opinions', 'Is $name right?', '{\"named\": [\"$who\"]}', '[\"$name\"]', 1, 9, '[\"$name\"]')",
        "INSERT INTO solution VALUES ('$id', 'v', 1, 'As $name says', '$words', '[\"$name\"]', $who, '{\"of\": \"$name\"}')",
        "INSERT INTO ballot VALUES ('$id', 'v', $who, '$name', '\"for\"', 1, 1)",
        "UPDATE vote SET state = 'counted', closed_ms = 2, closed_why = 'person', closed_by_id = $who, closed_by_name = '$name'",
        "INSERT INTO guild_settings VALUES (71, '{\"voters\": [\"$who\"]}', 1)",
        "INSERT INTO settings_change VALUES (12, 'voters', 71, $who, '$name', '<@$who>', '<@$who>', 1)",
        "INSERT INTO searchable (session_id, title, outcome, rest) VALUES ('$id', '$name', '$name', '$words')
         ON CONFLICT DO UPDATE SET title = '$name', outcome = '$name', rest = '$words'",
        "INSERT INTO lookup VALUES (13, 71, $who, '$words')",
        "INSERT INTO trace (session_id, user_id, what, text, at_ms) VALUES ('$id', $who, 'name', '$name', 1)",
        "INSERT INTO decision (id, session_id, n, guild_id, channel_id, thread_id, record, search_text, decided_ms, outcome,
                               outcome_text, outcome_by_id, outcome_by_name, outcome_event, outcome_ms)
         VALUES (14, '$id', 1, 71, 1, 1, '{\"by\": \"$who\", \"by_name\": \"$name\"}', '$name', 1, 'worked', 'It went well.',
                 $who, '$name', 1, 1)",
    ] {
        run(&mut raw, statement).await;
    }
    // What the list names was really filled in; `outcome_text` is the team's, parts are named by number, and what is pressed
    // now is not there yet.
    let filled: BTreeSet<_> = stands_in(&mut raw).await.into_iter().collect();
    let not_of_others = [
        ("session", "starter_id"),
        ("session", "starter_name"),
        ("decision", "outcome_text"),
        ("erasure", "member_id"),
        ("attempt", "request_parts"),
        ("attempt", "reply_parts"),
    ];
    for place in PLACES {
        for field in [place.rows, place.texts].iter().flat_map(|of| of.split_whitespace()) {
            let there = filled.contains(&(place.table.to_owned(), field.to_owned()));
            assert!(
                there || not_of_others.contains(&(place.table, field)),
                "{}.{field} was not filled",
                place.table
            );
        }
    }
    erase(&db, WHO.parse().unwrap()).await;
    assert_eq!(stands_in(&mut raw).await, []);
    assert_eq!(db.number("SELECT count(*) FROM session").await, 1, "it stays, for it is somebody else's");
    assert_eq!(
        db.number("SELECT instr(plan, 'Two.') > 0 FROM session").await,
        1,
        "so does the rest of its document"
    );
}

/// Whoever pauses, cancels, rewords, adds budget, takes an offer or exports leaves a name and no row of their own but this.
#[tokio::test]
async fn an_act_is_known_by_the_name_it_was_done_under() {
    let db = Db::open().await;
    let session = db.start(1).await;
    let by = Some((UserId(WHO.parse().unwrap()), NAME.to_owned()));
    let (kind, effect) = ("cancel", "Cancelled.".to_owned());
    let event = Inbound { id: 5, kind, session: Some(session.clone()), by, effect };
    let posts = vec![post(&session, "notice/cancelled/1")];
    let notice = format!("Cancelled by {NAME}.");
    db.store.cancel_session(&session, event, notice, posts, AT).await.unwrap();
    let mut raw = db.raw().await;
    run(
        &mut raw,
        "UPDATE outbox SET payload = json_set(payload, '$.content', '⏹️ $name ended the session.')",
    )
    .await;
    assert!(stands_in(&mut raw).await.len() >= 3);
    erase(&db, WHO.parse().unwrap()).await;
    assert_eq!(stands_in(&mut raw).await, []);
    let notice = db.store.session(&session).await.unwrap().notice.unwrap();
    assert_eq!(notice, "Cancelled by a former member.");
}

/// The author of a message that somebody else's session was given, whoever is in the record that another goes on from, and
/// whose document was taken out of another session.
#[tokio::test]
async fn copies_in_messages_records_and_shared_documents_go_too() {
    let db = Db::open().await;
    let who = UserId(WHO.parse().unwrap());
    let quoted = vec![Quoted { member: who, name: NAME.to_owned(), words: WORDS.to_owned(), files: false }];
    let document = |text: &str| serde_json::json!({"brief": {"problem": "Do we buy?", "document": {"name": "a.md", "sha256": "0", "text": text}}});
    let plan = document(&format!("Said: {WORDS}."));
    let from_others = FromOthers { quoted, document_of: None };
    db.store.start_session(NewSession { plan, from_others, ..new_session(1) }, AT).await.unwrap();
    // One that goes on from the first has its record to read, and a third one the document of the second.
    let sequel = NewSequel {
        from: id(1),
        left: Left::Whole(domain::Protocol::Debate),
        card: post(&id(1), "sequel/2"),
    };
    let plan = document(&format!("{NAME} wrote: {WORDS}"));
    db.store.start_session(NewSession { plan, sequel: Some(sequel), ..new_session(2) }, AT).await.unwrap();
    let plan = document(&format!("{NAME} wrote: {WORDS}"));
    let from_others = FromOthers { quoted: Vec::new(), document_of: Some(id(2)) };
    let mut third = NewSession { plan, from_others, ..new_session(3) };
    third.starter = UserId(32);
    db.store.start_session(third, AT).await.unwrap();
    let mut raw = db.raw().await;
    run(&mut raw, "UPDATE session SET state = 'done', card_state = 'done', ended_ms = 1790000000001").await;
    // Even when the first ones are gone.
    run(&mut raw, "DELETE FROM session WHERE id = '$id'").await;
    erase(&db, who.0).await;
    assert_eq!(stands_in(&mut raw).await, []);
    assert_eq!(db.number("SELECT sum(instr(plan, 'wrote:') > 0) FROM session").await, 2);

    // And whoever started the second takes their document out of the third.
    run(&mut raw, "DELETE FROM inbound").await;
    erase(&db, 31).await;
    assert_eq!(db.number("SELECT count(*) FROM session").await, 1);
    assert_eq!(db.number("SELECT json_extract(plan, '$.brief.document.text') = '' FROM session").await, 1);
}
