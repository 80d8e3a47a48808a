//! Bad input, row by row: what is wrong is said privately, by the part at fault and with what is valid, and
//! nothing is started, spent or lost.

use std::{collections::HashMap, path::Path, process::Command, time::Duration};

use crate::support::{
    Stage,
    model::{Answer, Fault, Money},
    nothing_comes,
    play::{MEDIATION_CALLS, PROBLEM, Part, is_private, read},
    until, wait_for_end,
};
use playground::{
    Upload, bits,
    ids::{ADA, BEN, DECISIONS, GENERAL},
};
use quorum::store::{OpenError, Store, StoreOptions};
use serde_json::{Value, json};

/// Whether Ada's /mediate is refused with a private sentence that has these phrases in it.
async fn refuses(stage: &Stage, options: Value, phrases: &[&str]) {
    let said = stage.told(ADA, DECISIONS, "mediate", options.clone()).await;
    for phrase in phrases {
        assert!(said.contains(phrase), "{options} is told {said:?}, not {phrase:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_problem_has_something_to_read_and_fits() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    for empty in ["   ", "\n\t\n", "\u{200b}\u{feff}\u{2060}"] {
        refuses(&stage, json!({"problem": empty}), &["The problem is empty", "Describe in a sentence"]).await;
    }
    let long = "é".repeat(4_001);
    refuses(&stage, json!({"problem": long}), &["4001 characters", "at most 4,000"]).await;
    assert!(stage.is_untouched(&bot).await);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn modules_weights_and_models_are_named_with_the_valid_ones() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let all = "market, cost, risk, tech, legal";
    let rows: &[(Value, &[&str])] = &[
        (json!({"modules": "market wizardry"}), &["no module `wizardry`", all]),
        (json!({"weights": "wizardry=2"}), &["no module `wizardry`", all]),
        (json!({"weights": "legal=much"}), &["`legal=much`", "a number from 0 to 10"]),
        (json!({"weights": "legal=-1"}), &["`legal=-1`", "a number from 0 to 10"]),
        (json!({"weights": "legal=11"}), &["`legal=11`", "0 to 10"]),
        (json!({"weights": "legal=NaN"}), &["`legal=NaN`"]),
        (json!({"weights": "legal"}), &["`legal`", "="]),
        (json!({"weights": "legal=1 legal=2"}), &["`legal` has two weights"]),
        (json!({"weights": "market=0 cost=0 risk=0"}), &["Every module has weight 0"]),
        (json!({"model": "openai/none"}), &["`openai/none`", "`openai/alpha`"]),
        (json!({"modules": "<@1100000000000000011> @everyone"}), &["no module", all]),
    ];
    for (options, phrases) in rows {
        let mut options = options.clone();
        options["problem"] = PROBLEM.into();
        refuses(&stage, options, phrases).await;
    }
    assert!(stage.is_untouched(&bot).await);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attachments_are_documents_of_a_readable_size() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let rows: Vec<(&str, Vec<u8>, &[&str])> = vec![
        ("big.txt", vec![b'a'; (1 << 20) + 1], &["`big.txt` has too much text", "at most 1 MiB"]),
        ("empty.md", Vec::new(), &["`empty.md` is empty"]),
        ("blank.md", b" \n\t ".to_vec(), &["`blank.md` is empty"]),
        ("plan.pdf", b"%PDF-1.7 \x00\x01".to_vec(), &["`plan.pdf` could not be read: it is damaged"]),
        ("pic.txt", b"\x89PNG\r\n\x1a\n\0\0".to_vec(), &["`pic.txt` is a picture, which is not read"]),
        ("half.txt", b"\xff\xfea".to_vec(), &["`half.txt` is not text in UTF-8"]),
    ];
    for (name, bytes, phrases) in rows {
        let files = HashMap::from([("document".to_owned(), Upload::new(name, bytes))]);
        let ran =
            client.run_command_with(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM}), files).unwrap();
        let seen = client.wait_reply(ran).await;
        assert!(is_private(&seen, ADA));
        for phrase in phrases {
            assert!(seen.text().contains(phrase), "{name}: {:?} lacks {phrase:?}", seen.text());
        }
    }
    assert!(stage.is_untouched(&bot).await);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lacking_permission_is_named() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let rows = [
        (bits::CREATE_PUBLIC_THREADS, "Create Public Threads"),
        (bits::SEND_MESSAGES_IN_THREADS, "Send Messages in Threads"),
        (bits::EMBED_LINKS, "Embed Links"),
        (bits::ATTACH_FILES, "Attach Files"),
    ];
    for (bit, name) in rows {
        stage.discord.faults().deny(DECISIONS, bit, true);
        refuses(&stage, json!({"problem": PROBLEM}), &["I lack a permission", name]).await;
        stage.discord.faults().deny(DECISIONS, bit, false);
    }
    assert!(stage.is_untouched(&bot).await);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_say_where_they_work() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.discord.faults().direct_messages(true);
    for (command, options) in [
        ("mediate", json!({"problem": PROBLEM})),
        ("ask", json!({"question": "why?"})),
        ("history", json!({})),
        ("session show", json!({})),
    ] {
        let said = stage.told(ADA, DECISIONS, command, options).await;
        assert!(said.contains("only in a channel of a server"), "{command}: {said}");
    }
    stage.discord.faults().direct_messages(false);
    assert!(stage.is_untouched(&bot).await);

    let outside = stage.told(BEN, GENERAL, "ask", json!({"question": "why?"})).await;
    assert!(outside.contains("works in a session's thread"), "{outside}");
    let nameless = stage.told(BEN, GENERAL, "session show", json!({})).await;
    assert!(nameless.contains("in a session's thread, or give the session's name"), "{nameless}");
    for name in ["x", "ABCDEFGHIJ", "v1:a:b:c", "@everyone"] {
        let wrong = stage.told(BEN, GENERAL, "session show", json!({"session": name})).await;
        assert!(wrong.contains("not a session's name"), "{wrong}");
    }
    let unknown = stage.told(BEN, GENERAL, "session show", json!({"session": "aaaaaaaaaa"})).await;
    assert!(unknown.contains("no such session on this server"), "{unknown}");

    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let inside = stage.told(BEN, thread, "mediate", json!({"problem": PROBLEM})).await;
    assert!(inside.contains("This thread has its session already") && inside.contains("/ask"), "{inside}");
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
    for (question, phrase) in
        [(" \u{2003} ".to_owned(), "The question is empty"), ("é".repeat(1_501), "at most 1,500")]
    {
        let said = stage.told(BEN, thread, "ask", json!({"question": question})).await;
        assert!(said.contains(phrase), "{said}");
    }
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejected_key_or_no_money_pauses_visibly_and_resume_after_repair_goes_on() {
    for (fault, phrases) in [
        (Fault::Auth, ["refused the bot's API key", "set a valid key"]),
        (Fault::Money(Money::Status), ["credit or spending limit is used up", "top it up"]),
        (Fault::Money(Money::Disguised), ["credit or spending limit is used up", "press Resume"]),
    ] {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        let shown = format!("{fault:?}");
        stage.model.on(move |call| (call.part() == Part::Revision).then(|| Answer::Fault(fault.clone())));
        let thread = stage.mediate(json!({})).await;
        let notice = read(&stage.wait_for(thread, "**Paused.**").await);
        for phrase in phrases {
            assert!(notice.contains(phrase), "{shown}: {notice}");
        }
        stage.wait_card(thread, "⏸️ Paused").await;
        nothing_comes(Duration::from_millis(500)).await;
        let calls = stage.model.calls().len();
        assert!(calls <= 3 + 5 + 3 + 1, "{shown}: nothing is tried again blindly, {calls} calls");
        assert_eq!(stage.read(thread).matches("**Paused.**").count(), 1, "one notice, not one for each call");

        // Pressed too early, it says so again instead of spinning.
        stage.press_card(ADA, thread, "Resume").await;
        until(|| stage.read(thread).matches("**Paused.**").count() == 2, || stage.read(thread)).await;
        stage.wait_card(thread, "⏸️ Paused").await;

        stage.model.on(|_| None);
        stage.press_card(ADA, thread, "Resume").await;
        wait_for_end(&stage, thread).await;
        let first = stage.model.calls().iter().filter(|call| call.part() == Part::First).count();
        assert_eq!(first, 3, "{shown}: what was paid is kept");
        assert_eq!(stage.discord.violations(), Vec::<String>::new());
        bot.kill().await;
    }
}

async fn opened(path: &Path) -> OpenError {
    match Store::open(path, StoreOptions::default(), 0).await {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => error,
    }
}

/// The program's exit code and what it says about a database.
fn says(path: &Path) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_quorum"))
        .arg("run")
        .current_dir(path.parent().unwrap())
        .env_clear()
        .env("DATABASE_URL", format!("sqlite://{}", path.display()))
        .env("DISCORD_TOKEN", "MTEwMDAwMDAwMDAwMDAwMDAwMQ.playgr.ound-playground-playground-0")
        .env("DISCORD_API_BASE", "http://127.0.0.1:9")
        .env("OPENAI_API_KEY", "sk-test")
        .env("QUORUM_MODELS", "openai/alpha")
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_cannot_be_used_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();

    let nowhere = folder.path().join("missing/quorum.db");
    let error = opened(&nowhere).await;
    assert!(matches!(error, OpenError::Unwritable { .. }), "{error:?}");
    assert!(
        error.to_string().contains("cannot write the database") && error.to_string().contains("DATABASE_URL")
    );
    let a_folder = folder.path().join("folder.db");
    std::fs::create_dir(&a_folder).unwrap();
    assert!(matches!(opened(&a_folder).await, OpenError::Unwritable { .. }));

    let other = folder.path().join("other.db");
    std::fs::write(&other, "This is a shopping list, and a long one. ".repeat(200)).unwrap();
    let before = std::fs::read(&other).unwrap();
    let error = opened(&other).await;
    assert!(matches!(error, OpenError::Damaged { .. }), "{error:?}");
    assert!(error.to_string().contains("Restore a backup, or move the file away"), "{error}");
    let (code, said) = says(&other);
    assert!(code == Some(1) && said.contains("cannot be used as Quorum's database"), "{code:?} {said}");
    assert_eq!(std::fs::read(&other).unwrap(), before, "somebody's file is left as it is");

    let newer = folder.path().join("newer.db");
    drop(Store::open(&newer, StoreOptions::default(), 0).await.unwrap());
    let pool = sqlx::SqlitePool::connect(&format!("sqlite://{}", newer.display())).await.unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (99991231000000, 'from the future', 1, x'00', 0)",
    )
    .execute(&pool)
    .await
    .unwrap();
    pool.close().await;
    // The lock of the store that was just dropped is given back when its writer has ended.
    let error = loop {
        match opened(&newer).await {
            OpenError::InUse(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            other => break other,
        }
    };
    assert!(matches!(error, OpenError::Newer(_)), "{error:?}");
    let (code, said) = says(&newer);
    assert!(code == Some(1) && said.contains("written by a newer version of Quorum"), "{code:?} {said}");
    assert!(said.contains("Start that version, or restore a backup"), "{said}");

    // Somebody else has it.
    let used = folder.path().join("used.db");
    let holder = Store::open(&used, StoreOptions::default(), 0).await.unwrap();
    assert!(matches!(opened(&used).await, OpenError::InUse(_)));
    drop(holder);
}

/// Whoever's Discord is in a language that does not exist is served as anybody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locale_that_discord_invents_changes_nothing() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.connected().await;
    let client = stage.discord.client();
    let usual = stage.told(ADA, DECISIONS, "help", json!({})).await;
    assert!(usual.contains("/mediate"), "{usual}");
    for invented in ["tlh-KL", "", "de_DE", "🦀", "../../etc/passwd", "\u{202e}\0", &"x".repeat(10_000)] {
        client.set_locale(ADA, invented);
        assert_eq!(stage.told(ADA, DECISIONS, "help", json!({})).await, usual, "{invented:?}");
    }
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}
