//! A whole session without anybody at the keyboard: the bot as it is, against the stand-in for Discord, in this process. It
//! is started by its command, its buttons are pressed as they come up, and what it comes to is read from its report.

use std::{path::Path, time::Duration};

use anyhow::{Context as _, anyhow};
use documents::Confine;
use domain::{Caps, ChannelId, FileBody, ModelName, Money, Pace, Secret, SessionState};
use models::pages::{Pages, Reach};
use playground::{
    Options, Playground,
    ids::{ADA, DECISIONS},
};
use quorum::{
    app::{Bot, Parts, assemble},
    bot::Access,
    config::{Config, Models, program},
    prompt,
    render::Rasterizer,
    report::Audience,
    session::report_files,
    store::{Store, StoreOptions},
};
use serde_json::{Value, json};
use tokio::{task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    ask::{Asker, Took},
    bench::EvalOptions,
    method::Sitting,
    question::EvalQuestion,
    scouts::Found,
};

/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// Most of a report that is read, in characters.
const MOST_READ: usize = 24_000;

/// The bot and the stand-in around it.
pub(super) struct Hall {
    discord: Playground,
    store: Store,
    /// Most time that one session gets.
    patience: Duration,
    stop: CancellationToken,
    served: JoinHandle<anyhow::Result<()>>,
}

impl Hall {
    /// Opens it on a new database. Each session may use as many tokens and as much time as is said, and money enough for them.
    pub(super) async fn open(
        config: &Config,
        models: &Models,
        database: &Path,
        options: &EvalOptions,
    ) -> anyhow::Result<Self> {
        let discord =
            Playground::start(Options { port: 0, rate_limits: false, ..Options::default() }).await?;
        let mut settings = assemble::settings(config, models, None)?;
        let endless = Caps { money: Money(Caps::NO_LIMIT), tokens: Caps::NO_LIMIT, calls: Caps::NO_LIMIT };
        settings.budgets.session =
            Caps { tokens: i64::try_from(options.tokens).unwrap_or(Caps::NO_LIMIT), ..endless };
        (settings.budgets.member_day, settings.budgets.server_day) = (endless, endless);
        let parts = Parts {
            access: Access::alone(discord.url().parse()?, Secret::new(discord.token())),
            database: database.to_owned(),
            store: StoreOptions::default(),
            llm: assemble::llm(config, models.local.clone())?,
            // All methods go by what the question gives.
            search: None,
            pages: Pages::new(Reach::default())?,
            settings,
            program: program().context("this program's own file cannot be found")?,
            rasterizer: Rasterizer::new(false),
            pace: Pace::REAL,
            drain: Duration::ZERO,
            metrics: None,
            confine: Confine::default(),
        };
        let stop = CancellationToken::new();
        let bot = Bot::build(parts, stop.clone()).await?;
        let store = bot.store.clone();
        let served = tokio::spawn(bot.serve());
        anyhow::ensure!(
            discord.client().wait_bot(Duration::from_secs(30)).await,
            "the bot did not connect to the stand-in"
        );
        Ok(Self { discord, store, patience: options.patience, stop, served })
    }

    /// Ends it.
    pub(super) async fn close(self) {
        self.stop.cancel();
        // What it says at its end is of no use to anybody any more.
        let _ = tokio::time::timeout(Duration::from_secs(10), self.served).await;
        self.discord.stop().await;
    }

    /// Has a session answer a question; `reader` reads the answer from its report.
    pub(super) async fn answer(
        &self,
        sitting: Sitting,
        question: &EvalQuestion,
        asker: &Asker,
        reader: &ModelName,
    ) -> anyhow::Result<Found> {
        let Some(thread) = self.start(sitting, question).await? else {
            let note = Some(format!("/{} cannot be started here", sitting.command));
            return Ok(Found { answer: None, note, took: Took::default() });
        };
        let ended = self.run(sitting, thread, asker).await?;
        let row = self.store.session_of_thread(ChannelId(thread)).await?.context("the session is lost")?;
        let ledger = self.store.ledger(&row.id).await?;
        let took = Took {
            calls: u32::try_from(ledger.calls).unwrap_or(u32::MAX),
            tokens: u64::try_from(ledger.tokens).ok(),
            money: (ledger.unpriced_calls == 0).then_some(ledger.cost),
        };
        if let Err(why) = ended {
            return Ok(Found { answer: None, note: Some(why), took });
        }
        let files = report_files(&self.store, &row, Audience::Customer).await?;
        let told = files.into_iter().find(|file| file.name.strip_suffix(".md").is_some());
        let told = told.and_then(|file| match file.body {
            FileBody::Text(text) => Some(text),
            FileBody::Bytes(bytes) => String::from_utf8(bytes).ok(),
            FileBody::Svg(_) => None,
        });
        let told: String = told.context("the report has no text")?.chars().take(MOST_READ).collect();
        let prompt = prompt::eval::outcome(&asker.prompts, &question.question, &question.options, &told);
        let (read, reading) = asker.ask(reader, prompt, prompt::eval::read_outcome).await;
        let took = took.and(reading);
        Ok(match read {
            Ok(answer) => {
                let note = answer.is_none().then(|| "the session gives no answer".to_owned());
                Found { answer, note, took }
            }
            Err(why) => Found { answer: None, note: Some(format!("its outcome was not read: {why}")), took },
        })
    }

    /// Gives its thread; nothing where there is no such command.
    async fn start(&self, sitting: Sitting, question: &EvalQuestion) -> anyhow::Result<Option<u64>> {
        let mut options = json!({ (sitting.asked): told(question) });
        for (name, value) in sitting.options {
            options[*name] = json!(value);
        }
        let client = self.discord.client();
        let Ok(started) = client.run_command(ADA, DECISIONS, sitting.command, options) else {
            return Ok(None);
        };
        let seen = client.wait_reply(started).await.text();
        let link = seen.split_once("<#").and_then(|(_, rest)| rest.split_once('>'));
        let thread = link.and_then(|(id, _)| id.parse().ok());
        thread.map(Some).ok_or_else(|| anyhow!("/{} was answered: {seen}", sitting.command))
    }

    /// Lets it run to its end, pressing what it waits for. The sentence says why it did not come to one.
    async fn run(&self, sitting: Sitting, thread: u64, asker: &Asker) -> anyhow::Result<Result<(), String>> {
        let until = Instant::now() + self.patience;
        let mut pressed = Vec::new();
        loop {
            let row = self.store.session_of_thread(ChannelId(thread)).await?;
            match row.map(|row| (row.state, row.notice)) {
                Some((SessionState::Done, _)) => return Ok(Ok(())),
                Some((
                    state @ (SessionState::Paused | SessionState::Failed | SessionState::Parked),
                    notice,
                )) => {
                    let why = notice.unwrap_or_else(|| "it did not say why".to_owned());
                    return Ok(Err(format!("the session is {}: {why}", state.as_str())));
                }
                Some((SessionState::Cancelled, _)) => return Ok(Err("the session was cancelled".to_owned())),
                Some((SessionState::Waiting, _)) => self.press(sitting, thread, &mut pressed),
                Some((SessionState::Running, _)) | None => {}
            }
            if Instant::now() > until {
                return Ok(Err(format!(
                    "the session did not end within {} minutes",
                    self.patience.as_secs() / 60
                )));
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = asker.cancel.cancelled() => return Ok(Err("it was ended".to_owned())),
            }
        }
    }

    /// Presses each button once that lets the session go on.
    fn press(&self, sitting: Sitting, thread: u64, pressed: &mut Vec<String>) {
        for message in self.discord.messages(thread) {
            let Some(id) = message["id"].as_str().and_then(|id| id.parse().ok()) else { continue };
            for button in buttons(&message) {
                let label = button["label"].as_str().unwrap_or_default();
                let custom_id = button["custom_id"].as_str().unwrap_or_default().to_owned();
                let wanted = sitting.go_on.contains(&label) && button["disabled"] != json!(true);
                if wanted && !pressed.contains(&custom_id) {
                    // One that is gone meanwhile was pressed by its deadline.
                    let _ = self.discord.client().click(ADA, thread, id, &custom_id);
                    pressed.push(custom_id);
                }
            }
        }
    }
}

fn buttons(message: &Value) -> impl Iterator<Item = &Value> {
    let rows = message["components"].as_array().into_iter().flatten();
    rows.flat_map(|row| row["components"].as_array().into_iter().flatten())
}

/// A question as a session is asked it: with all that is known.
fn told(question: &EvalQuestion) -> String {
    let mut parts = vec![question.question.clone()];
    if !question.options.is_empty() {
        parts.push(format!("\nOne of these is the answer: {}.", question.options.join("; ")));
    }
    if !question.facts.is_empty() {
        parts.push("\nWhat is known:".to_owned());
        parts.extend(question.facts.iter().map(|fact| format!("- {fact}")));
    }
    parts.join("\n")
}
