//! Reports: `/export`, the button on the live card and `quorum export`, for sessions of every protocol.

use std::{fs, path::Path, process::Command};

use playground::{
    Id,
    ids::{ADA, BEN, DECISIONS, DMITRI, GENERAL, SECOND_DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    critique::scene::PLAN,
    decision::scene::{form, record, wait_pinned},
    support::{Stage, files::said, has, has_not, play::read, until, wait_for_end},
};

/// The three files of the newest report in a thread: Markdown, JSON, HTML.
pub async fn newest(stage: &Stage, thread: Id, posted: usize) -> [String; 3] {
    let reports = || {
        let public = stage.public(thread).into_iter();
        public.filter(|message| read(message).contains("📄 The report")).collect::<Vec<Value>>()
    };
    until(|| reports().len() >= posted, || stage.read(thread)).await;
    let reports = reports();
    assert_eq!(reports.len(), posted, "{}", stage.read(thread));
    let files = reports[posted - 1]["attachments"].as_array().unwrap();
    let names: Vec<&str> = files.iter().map(|file| file["filename"].as_str().unwrap()).collect();
    assert_eq!(names, ["report.md", "report.json", "report.html"]);
    let mut texts = Vec::new();
    for file in files {
        let file = reqwest::get(file["url"].as_str().unwrap()).await.unwrap();
        texts.push(file.text().await.unwrap());
    }
    texts.try_into().unwrap()
}

/// Ada closes a session's vote; its result is there.
async fn close(stage: &Stage, thread: Id) {
    let panel = stage.wait_for(thread, "[Close vote]").await;
    let sure = stage.press(ADA, thread, &panel, "Close vote").await;
    stage.press(ADA, thread, &sure.messages[0], "Close it for everyone").await;
    stage.wait_for(thread, "What the experts and the team chose").await;
}

async fn export(stage: &Stage, channel: Id, options: Value) -> String {
    stage.told(BEN, channel, "export", options).await
}

/// The titles of a thread's cards, as a reader sees them; not those of notices, votes that were counted, and the end.
fn titles(stage: &Stage, thread: Id) -> Vec<String> {
    let embeds = stage.public(thread).into_iter();
    let embeds = embeds.flat_map(|message| message["embeds"].as_array().cloned().unwrap_or_default());
    let titles = embeds.filter_map(|embed| embed["title"].as_str().map(str::to_owned));
    let thread_only = ["✅ Done", "📄 The report", "🗳️ Vote", "🗳️ What do you think now"];
    titles.filter(|title| !thread_only.iter().any(|other| title.starts_with(other))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decided_session_is_told_whole_to_the_team_and_by_its_outcome_to_others() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    close(&stage, thread).await;
    record(&stage, ADA, thread, &form(&[("solution", "S1")])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;

    has(&export(&stage, thread, json!({})).await, &["The report is in <#"]);
    let [markdown, json, html] = newest(&stage, thread, 1).await;
    for title in titles(&stage, thread) {
        has(&markdown, &[&title]);
    }
    let whole = stage.press(BEN, thread, &stage.message(thread, "[Whole memo]"), "Whole memo").await.text();
    let (_, answer) = whole.split_once("**Do this**\n").unwrap_or_else(|| panic!("no answer in {whole}"));
    let answer = answer.lines().next().unwrap();
    for text in [&markdown, &json, &html] {
        has(text, &[answer, "Answered by", "alpha", "the smallest step that teaches us something"]);
        has_not(text, &["<t:", "<@", "\u{200b}"]);
    }
    let read: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["inside"]["models"], json!(["alpha"]));
    assert_eq!(read["inside"]["calls"], stage.model.calls().len());
    let said = |key: &str| {
        let sections = read["sections"].as_array().unwrap();
        sections.iter().find_map(|section| section["said"].get(key)).unwrap_or_else(|| panic!("no {key}"))
    };
    let memo = said("synthesis");
    for field in ["options", "conflicts", "flags", "resolutions"] {
        assert!(memo[field].is_array(), "{field} of {memo:#}");
    }
    let points: Vec<u64> = serde_json::from_value(said("points/market")["allocation"].clone()).unwrap();
    assert_eq!(points.iter().sum::<u64>(), 10, "{points:?}");
    has(
        &html,
        &["data:image/svg+xml;base64,", "<details open>", "prefers-color-scheme: dark", "@media print"],
    );
    has_not(&html, &["<script", "src=\"http"]);

    has(&export(&stage, thread, json!({"kind": "customer"})).await, &["The report is in <#"]);
    let [markdown, json, _] = newest(&stage, thread, 2).await;
    has(&markdown, &["Do this", "What the experts and the team chose", "Decision 1"]);
    for text in [&markdown, &json] {
        has_not(text, &["Answered by", "alpha", "round 1", "How it came about", "tokens"]);
    }
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["inside"], Value::Null);
    has_not(&json, &["\"said\""]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_of_every_protocol_can_be_exported_by_the_button_on_their_card() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let threads = [
        (stage.mediate(json!({})).await, "Do this"),
        (stage.roundtable(json!({})).await, "Do this"),
        (stage.debate(json!({"preset": "quick"})).await, "Synthesis"),
        (stage.critique("plan.md", PLAN, json!({})).await, "Review"),
    ];
    for (thread, outcome) in threads {
        wait_for_end(&stage, thread).await;
        stage.wait_card(thread, "[Export]").await;
        has(&said(&stage.press_card(BEN, thread, "Export").await, BEN), &["The report is in <#"]);
        let [markdown, _, html] = newest(&stage, thread, 1).await;
        for title in titles(&stage, thread) {
            has(&markdown, &[&title]);
        }
        has(&html, &["How it came about"]);
        export(&stage, thread, json!({"kind": "customer"})).await;
        let [customers, _, _] = newest(&stage, thread, 2).await;
        assert!(customers.to_lowercase().contains(&outcome.to_lowercase()), "{outcome}: {customers}");
        has_not(&customers, &["Answered by", "How it came about"]);
        assert!(customers.len() < markdown.len());
    }
    stage.nothing_amiss();
    bot.kill().await;
}

/// Ballots are secret: neither who voted nor what is in them, while the vote is open and after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_report_tells_a_ballot() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let panel = stage.wait_for(thread, "[Spread 10 points]").await;
    stage.choose(BEN, thread, &panel, "All 10 points to…", "1").await;
    stage.wait_for(thread, "1 has voted").await;
    export(&stage, thread, json!({})).await;
    for text in newest(&stage, thread, 1).await {
        has(&text, &["1 has voted"]);
        has_not(&text, &["Ben", "team: 10"]);
    }
    close(&stage, thread).await;
    let told = stage.told(ADA, thread, "export", json!({})).await;
    has(&told, &["The report is in"]);
    for text in newest(&stage, thread, 2).await {
        has_not(&text, &["Ben"]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_exported_says_why() {
    let mut stage = Stage::start().await;
    stage.settings.budgets.session.calls = 2;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.go(thread).await;
    stage.wait_card(thread, "[Add budget]").await;
    has(&export(&stage, thread, json!({})).await, &["has not ended yet"]);
    let session = stage.session(thread);
    has(&export(&stage, GENERAL, json!({"session": session})).await, &["of another channel"]);
    let foreign = stage.told(DMITRI, SECOND_DECISIONS, "export", json!({"session": session})).await;
    has(&foreign, &["no such session on this server"]);
    has(&export(&stage, DECISIONS, json!({"session": "nonsense"})).await, &["not a session's name"]);
    has(&export(&stage, DECISIONS, json!({})).await, &["in a session's thread"]);
    assert_eq!(stage.number("SELECT count(*) FROM outbox WHERE post_key LIKE 'export/%'").await, 0);

    // Cancelled, it is there to be told of; from its channel, too.
    let sure = stage.press_card(ADA, thread, "Cancel").await;
    stage.press(ADA, DECISIONS, &sure.messages[0], "Yes, end it").await;
    stage.wait_card(thread, "Cancelled").await;
    has(&export(&stage, DECISIONS, json!({"session": session})).await, &["The report is in <#"]);
    let [markdown, ..] = newest(&stage, thread, 1).await;
    has(&markdown, &["Somebody ended this before it had come to its end"]);

    // Once for each press, and so often that nobody fills a thread with it.
    let client = stage.discord.client();
    let ran = client.run_command(BEN, thread, "export", json!({})).unwrap();
    client.wait_reply(ran).await;
    newest(&stage, thread, 2).await;
    client.redeliver(ran).unwrap();
    for _ in 2..20 {
        has(&export(&stage, thread, json!({})).await, &["The report is in <#"]);
    }
    has(&export(&stage, thread, json!({})).await, &["exported 20 times"]);
    newest(&stage, thread, 20).await;
    stage.nothing_amiss_but_repeats();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_that_was_promised_comes_after_a_kill() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    stage.wait_card(thread, "[Export]").await;
    export(&stage, thread, json!({})).await;
    bot.kill().await;
    let bot = stage.bot().await;
    newest(&stage, thread, 1).await;
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_writes_a_report_while_the_bot_runs() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let session = stage.session(thread);
    let folder = tempfile::tempdir().unwrap();
    let (code, told) = program(&stage, folder.path(), &["export", &session, "--kind", "customer"]);
    assert_eq!(code, Some(0), "{told}");
    let written = told.split_once(" to ").unwrap().1.trim().trim_end_matches('.');
    let written = folder.path().join(written);
    assert!(
        written.starts_with(
            folder.path().join("output").join("we-want-to-build-a-food-delivery-app-for-a-town-of-40-000")
        ),
        "{told}"
    );
    let markdown = fs::read_to_string(written.join("report.md")).unwrap();
    has(&markdown, &["Do this"]);
    has_not(&markdown, &["Answered by"]);
    has(&fs::read_to_string(written.join("report.html")).unwrap(), &["</html>"]);
    let json: Value =
        serde_json::from_str(&fs::read_to_string(written.join("report.json")).unwrap()).unwrap();
    assert_eq!(json["audience"], "customer");

    for (arguments, says) in [
        (&["export", "nonsense"][..], "is not a session's name"),
        (&["export", "aaaaaaaaaa"], "there is no session aaaaaaaaaa"),
    ] {
        let (code, told) = program(&stage, folder.path(), arguments);
        assert_eq!(code, Some(1), "{told}");
        has(&told, &[says]);
    }
    let (code, told) = program(&stage, folder.path(), &["export", &session, "--kind", "secret"]);
    assert_eq!(code, Some(2), "{told}");
    has(&told, &["`internal` or `customer`"]);
    // They are their owner's alone, and so are the folders they lie in.
    for (path, mode) in
        [(&written, 0o700), (&written.join("report.md"), 0o600), (&written.join("report.json"), 0o600)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
    }
    // Nor of what a killed export left; what another one is at stays, and so does what is nobody's copy.
    let place = |name: &str| stage.database().with_file_name(name);
    let database = stage.database().file_name().unwrap().to_string_lossy().into_owned();
    let mine = std::process::id();
    let gone =
        ["4194999", "4194999-wal", "4194999.lock"].map(|end| place(&format!("{database}.export-{end}")));
    let stay =
        [format!("{database}.export-{mine}"), format!("{database}.export-mine")].map(|name| place(&name));
    gone.iter().chain(&stay).for_each(|path| fs::write(path, "a whole copy").unwrap());
    let (code, told) = program(&stage, folder.path(), &["export", &session]);
    assert_eq!(code, Some(0), "{told}");
    assert!(gone.iter().all(|path| !path.exists()) && stay.iter().all(|path| path.exists()));
    for path in &stay {
        fs::remove_file(path).unwrap();
    }
    // The bot goes on with its own database, and nothing of the copies is left.
    let beside = fs::read_dir(stage.database().parent().unwrap()).unwrap();
    let left: Vec<String> = beside
        .map(|file| file.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("export"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
    has(&export(&stage, thread, json!({})).await, &["The report is in <#"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// The program's exit code and all it says.
fn program(stage: &Stage, folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let ran = Command::new(env!("CARGO_BIN_EXE_quorum"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("DATABASE_URL", format!("sqlite://{}", stage.database().display()))
        .output()
        .unwrap();
    let told = [ran.stdout, ran.stderr].concat();
    (ran.status.code(), String::from_utf8_lossy(&told).into_owned())
}
