//! What a new playground begins with: one finished session in #example, made by the bot itself, on which everything can
//! be pressed.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use playground::{
    Id, Options, Playground,
    ids::{ADA, BEN, BOT, EXAMPLE},
};
use quorum::app::prepare_example;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    Actor, Stage,
    play::{buttons, id, read},
};

/// A playground in a folder of its own.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn database(&self) -> PathBuf {
        self.path("playground.db")
    }

    fn state(&self) -> PathBuf {
        self.path("playground.discord.json")
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    async fn discord(&self) -> Playground {
        Playground::start(self.options()).await.unwrap()
    }

    fn options(&self) -> Options {
        Options {
            state_path: Some(self.state()),
            rate_limits: false,
            keep_bodies: true,
            ..Options::default()
        }
    }

    /// The next start of the playground, with models as a person has them, and the example's thread.
    async fn opened(&self) -> (Stage, Actor, Id) {
        let stage = Stage::with(self.options()).await;
        fs::copy(self.database(), stage.database()).unwrap();
        let bot = stage.bot().await;
        let thread = only_thread(&stage.discord);
        (stage, bot, thread)
    }
}

fn only_thread(discord: &Playground) -> Id {
    let threads = discord.threads(EXAMPLE);
    assert_eq!(threads.len(), 1, "one example: {threads:?}");
    id(&threads[0]["id"])
}

/// That it is there, once and whole.
fn is_finished(discord: &Playground) {
    let thread = only_thread(discord);
    let messages = discord.messages(thread);
    let shown: String = messages.iter().map(read).collect();
    assert_eq!(shown.matches("Nothing was degraded").count(), 1, "{shown}");
    let decided: Vec<&Value> = messages.iter().filter(|message| message["pinned"] == true).collect();
    assert_eq!(decided.len(), 1, "{shown}");
    let welcomed =
        discord.messages(EXAMPLE).iter().filter(|said| read(said).contains("This is an example")).count();
    assert_eq!(welcomed, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_playground_begins_with_one_finished_session() {
    let home = Home::new();
    prepare_example(&home.database()).await;
    let all = ["playground.db", "playground.discord.json", "playground.discord.json.files"];
    assert_eq!(home.names(), all.map(str::to_owned).into(), "nothing of what made it stays");

    // The next start leaves it as it is.
    let files = || (fs::read(home.database()).unwrap(), fs::read(home.state()).unwrap());
    let before = files();
    prepare_example(&home.database()).await;
    assert!(files() == before, "it was made again");

    let (stage, bot, thread) = home.opened().await;
    is_finished(&stage.discord);
    let channel = stage.public(EXAMPLE);
    let last = channel.last().unwrap();
    assert_eq!(id(&last["author"]["id"]), BOT);
    let welcome = read(last);
    assert!(welcome.contains("written by hand") && welcome.contains("/mediate"), "{welcome}");
    assert!(read(&channel[0]).contains("200 lunches for 38 offices"), "the problem can be read");
    let card = read(&stage.card(thread));
    for phrase in
        ["✅ Done", "As Ben put it", "all its texts were written by hand", "0 of 2.0M tokens", "$0.00"]
    {
        assert!(card.contains(phrase), "{phrase}: {card}");
    }
    let shown = stage.read(thread);
    for module in ["Market", "Cost", "Operational", "Social"] {
        let by = format!("Answered by hand-written-{}", module.to_lowercase());
        for round in [1, 2] {
            let title = format!("{module} · round {round}");
            let message = stage.message(thread, &title);
            let embeds = message["embeds"].as_array().unwrap();
            assert_eq!(embeds.len(), 4, "one message a round, with a place for each: {message}");
            let its = embeds.iter().find(|embed| embed["title"].as_str().unwrap().contains(&title)).unwrap();
            assert_eq!(its["author"]["name"], by.as_str(), "whose words they are");
            let labels: Vec<String> = buttons(&message).into_iter().map(|(label, _)| label).collect();
            assert!(
                labels.contains(&module.to_owned()) && labels.contains(&format!("Raw · {module}")),
                "{labels:?}"
            );
        }
    }
    for phrase in [
        "hand-written-market",
        "hand-written-mediator",
        "🔍 The draft was checked",
        "🧩 Do this",
        "Open between the specialists · 1",
        "**S1 · Try four days",
        "24 of 40 points",
        "11 of 20 points",
        "I spent this morning on the phone",
        "Chloé calls the other 18 offices first.",
        "six of the 20 offices I called",
    ] {
        assert!(shown.contains(phrase), "{phrase} is missing from\n{shown}");
    }
    let note =
        stage.number("SELECT count(*) FROM brought WHERE kind = 'note' AND author_name = 'Chloé'").await;
    assert_eq!(note, 1, "a member's fact was read");
    // What it took counts on nobody's account but its own, and says nothing of the modules.
    assert_eq!(stage.number("SELECT count(*) FROM trust_event").await, 0);
    assert!(stage.model.calls().is_empty(), "no model is asked");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_on_it_can_be_pressed_and_what_asks_a_model_asks_the_persons_own() {
    let home = Home::new();
    prepare_example(&home.database()).await;
    let (stage, bot, thread) = home.opened().await;
    let client = stage.discord.client();
    let mut pressed = 0;
    for channel in [EXAMPLE, thread] {
        for message in stage.public(channel) {
            for (label, custom_id) in buttons(&message) {
                let press = client.click(ADA, channel, id(&message["id"]), &custom_id).unwrap();
                let seen = client.wait_reply(press).await;
                assert_eq!(seen.failed, None, "{label}");
                let said = seen.text();
                assert!(seen.modal.is_some() || !said.is_empty(), "{label} has no answer");
                for wrong in ["❌", "⚠️"] {
                    assert!(!said.contains(wrong), "{label}: {said}");
                }
                pressed += 1;
            }
        }
    }
    assert!(pressed > 20, "{pressed} buttons");
    let asked =
        client.run_command(BEN, thread, "ask", json!({"question": "What does a Friday bring?"})).unwrap();
    client.wait_reply(asked).await;
    let answer = read(&stage.wait_for(thread, "What does a Friday bring?").await);
    assert!(answer.contains("alpha"), "who really answered: {answer}");
    assert!(!answer.contains("hand-written"), "{answer}");
    let models: BTreeSet<String> = stage.model.calls().into_iter().map(|call| call.model).collect();
    assert_eq!(models, ["alpha".to_owned()].into());
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

/// The program as it is installed, until its example has come this far; then it is killed.
async fn killed_once(home: &Home, far: impl Fn(&Path) -> bool) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_quorum"))
        .args(["playground", "--port", "0", "--db", "playground.db"])
        .current_dir(home.0.path())
        .env_clear()
        .env("OPENAI_API_KEY", "sk-test")
        .env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
        .env("QUORUM_MODELS", "openai/alpha")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = tokio::time::Instant::now() + Duration::from_mins(1);
    while !far(home.0.path()) {
        assert!(tokio::time::Instant::now() < until, "it did not come so far");
        assert_eq!(program.try_wait().unwrap(), None, "it ended");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    program.kill().unwrap();
    program.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_cut_off_is_made_anew_and_there_is_never_a_second() {
    let making = |folder: &Path| folder.join("playground.db.example-making");
    let says = |phrase: &'static str| {
        move |folder: &Path| {
            let state = fs::read_to_string(making(folder).join("discord.json"));
            state.is_ok_and(|state| state.contains(phrase))
        }
    };
    let home = Home::new();
    killed_once(&home, |folder| making(folder).exists()).await;
    killed_once(&home, says("Market · round 1")).await;
    killed_once(&home, says("🗳️ Vote")).await;
    killed_once(&home, says("Chloé calls the other 18 offices")).await;
    assert_eq!(home.names(), ["playground.db.example-making".to_owned()].into(), "nobody meets half of one");
    killed_once(&home, |folder| folder.join("playground.db").exists()).await;
    prepare_example(&home.database()).await;
    is_finished(&home.discord().await);
}

#[tokio::test]
async fn where_it_cannot_be_made_the_playground_is_without() {
    let home = Home::new();
    prepare_example(&home.path("nowhere/playground.db")).await;
    assert_eq!(home.names(), BTreeSet::new());
}
